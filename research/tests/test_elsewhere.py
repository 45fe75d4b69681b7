"""Accuracy where nobody tuned: two lists that stay apart, records as they are, and verdicts that add up."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import numpy as np
import pytest

from dpviz_research import PROJECT
from dpviz_research.elsewhere import __main__ as command
from dpviz_research.elsewhere.development_sets import DEVELOPMENT
from dpviz_research.elsewhere.held_back_sets import HELD_BACK
from dpviz_research.elsewhere.keeping import Kept
from dpviz_research.elsewhere.measuring import MAKERS, OURS, SETS, Measured, Place, measure
from dpviz_research.elsewhere.rivals import HINDSIGHT
from dpviz_research.elsewhere.telling import BEST_RIVAL, HONEST, PLAIN, summary_rows, verdicts
from dpviz_research.elsewhere.used_sets import USED
from dpviz_research.elsewhere.yard import Yard

MAY_IMPORT = {"research/dpviz_research/elsewhere/measuring.py"}


def importers_of(module: str, project: Path) -> set[str]:
    """Files of both packages that import a module, by whatever form of import."""
    found = set()
    for path in [*project.glob("dpviz/**/*.py"), *project.glob("research/dpviz_research/**/*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names: list[str] = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [f"{node.module}.{alias.name}" for alias in node.names]
            if any(module in name for name in names):
                found.add(str(path.relative_to(project)))
    return found


def test_at_least_half_of_the_sets_are_held_back_and_no_set_is_in_both_lists() -> None:
    assert len(SETS) == len(USED) + len(HELD_BACK) >= 6
    assert len(HELD_BACK) >= len(SETS) / 2
    assert not set(USED) & set(HELD_BACK)
    assert not set(SETS) & set(DEVELOPMENT)


def test_nothing_but_the_benchmark_imports_the_sets_that_are_held_back() -> None:
    assert importers_of("held_back_sets", PROJECT) == MAY_IMPORT
    assert importers_of("elsewhere.measuring", PROJECT) <= {
        "research/dpviz_research/elsewhere/__main__.py",
        "research/dpviz_research/elsewhere/searches.py",
        "research/dpviz_research/elsewhere/telling.py",
    }


def test_a_module_that_chooses_constants_on_them_would_be_found(tmp_path: Path) -> None:
    package = tmp_path / "dpviz"
    package.mkdir()
    (package / "tuning.py").write_text("from dpviz_research.elsewhere import held_back_sets\n", encoding="utf-8")
    assert importers_of("held_back_sets", tmp_path) == {"dpviz/tuning.py"}


@pytest.mark.parametrize("name", MAKERS)
def test_every_set_lies_in_the_unit_square_and_differs_by_seed(name: str) -> None:
    one, again, other = MAKERS[name](3000, 1), MAKERS[name](3000, 1), MAKERS[name](3000, 2)
    assert one.shape == (3000, 2)
    assert one.min() >= 0.0
    assert one.max() < 1.0
    assert np.array_equal(one, again)
    assert not np.array_equal(one, other)


def test_the_best_of_the_grid_has_a_floor_on_raw_records() -> None:
    yard = Yard(HELD_BACK["check-ins"](4000, 1), 4)
    best = yard.best_on_the_grid().centers
    least = yard.best_raw_cost([best])
    assert yard.raw_cost(best) > least * (1.0 + 1e-6)
    assert yard.grid_cost(best) == pytest.approx(yard.best_on_the_grid().cost)


def test_a_cell_has_every_method_and_the_records_add_up(tmp_path: Path) -> None:
    (found,) = measure(["far cluster"], [4000], [3], [0.5], 3, 1)
    names = {one.method for one in found}
    signed = {"privtree, signed", "adaptive_grid, signed"}  # the same draws, searched with their signs
    limits = {"oracle_step", "tight_oracle_step"}
    assert {OURS, HINDSIGHT, "privtree", "adaptive_grid", "eugkm", *signed, *limits} == names
    assert all(len(one.raw) == 3 and one.raw.min() >= 0.0 and one.gridded.min() >= 0.0 for one in found)
    for path in command.write(found, tmp_path, "none", 1):
        record = json.loads(path.read_text(encoding="utf-8"))
        assert "--n 4000 --k 3 --epsilon 0.5 --draws 3" in record["provenance"]["command"]
        assert record["rows"]


def measured(method: str, errors: list[float], rival: bool = True) -> Measured:
    place = Place(data="far cluster", n=100, k=5, epsilon=1.0)
    values = np.array(errors)
    return Measured(place=place, method=method, rival=rival, raw=values, gridded=values, floor=0.0, other_basin=0.0,
                    seconds=0.0)  # fmt: skip


def test_a_floor_keeps_tiny_errors_from_making_large_ratios() -> None:
    found = [measured(OURS, [1e-8] * 6), measured("other", [1e-6] * 6), measured("limit", [1e-9] * 6, rival=False)]
    (row,) = verdicts(found)
    assert row["best rival"] == "other"
    assert row["times ours"] == pytest.approx(100.0)
    assert row["with the floor"] == pytest.approx(1.0)
    assert row["cell"] == "won"
    rows = {(one["method"], one["cells of"]): one for one in summary_rows(found)}
    assert rows[BEST_RIVAL, "held back"][PLAIN.name] == pytest.approx(100.0)
    assert rows[BEST_RIVAL, "held back"][HONEST.name] == pytest.approx(1.0)


def test_a_cell_that_is_lost_is_told() -> None:
    (row,) = verdicts([measured(OURS, [1e-2] * 6), measured("other", [1e-3] * 6)])
    assert row["cell"] == "lost"
    assert verdicts([measured(OURS, [1.0, 3.0]), measured("other", [2.0, 2.0])])[0]["cell"] == "open"


def test_a_run_that_was_broken_off_goes_on_and_tells_the_same(tmp_path: Path) -> None:
    kept = Kept(folder=tmp_path)
    asked = ["far cluster"], [3000], [3], [0.5]
    (short,) = measure(*asked, 2, 1, kept)
    (resumed,) = measure(*asked, 3, 1, kept)
    (whole,) = measure(*asked, 3, 1)
    assert len(short[0].raw) == 2
    for one, other in zip(resumed, whole, strict=True):
        assert one.method == other.method
        assert np.array_equal(one.raw, other.raw)
        assert np.array_equal(one.gridded, other.gridded)


def test_kept_answers_are_read_and_those_of_other_code_are_not(tmp_path: Path) -> None:
    asked: list[int] = []

    def run(seed: int) -> np.ndarray:
        asked.append(seed)
        return np.full((2, 2), float(seed))

    kept = Kept(folder=tmp_path)
    kept.answers("cell-method", ("dpviz/privacy",), run, [5, 6])
    again, _ = kept.answers("cell-method", ("dpviz/privacy",), run, [6, 7])
    assert asked == [5, 6, 7]
    assert [one[0, 0] for one in again] == [6.0, 7.0]
    kept.answers("cell-method", ("dpviz/privacy", "dpviz/noise"), run, [6])
    assert asked == [5, 6, 7, 6]
    kept.answers("other-method", ("dpviz/privacy",), run, [6])
    assert asked[-1] == 6
    assert len(asked) == 5
