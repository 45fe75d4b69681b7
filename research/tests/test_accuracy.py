"""The accuracy benchmark: references that work, a table that adds up."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from dpviz.clustering import cost
from dpviz.domain import ExactCounts, Grid, PlainBox
from dpviz.errors import InputError
from dpviz.mechanisms.catalogue import get
from dpviz_research.accuracy import OURS, Cell, measure, problem_of
from dpviz_research.accuracy_report import (
    BEST_RIVAL,
    LEAST_ERROR,
    draw_figure,
    median_interval,
    parts,
    summary,
    whole,
    write_evidence,
)
from dpviz_research.peers import VARIABLE, peers
from dpviz_research.references import REFERENCES, Problem, Reference
from dpviz_research.references.limits import part_radius
from dpviz_research.search_misses import coresets, excess, missed
from dpviz_research.yardstick import Yardstick


def small_city(side: int = 64, total: int = 30_000) -> ExactCounts:
    generator = np.random.default_rng(2)
    middles = np.array([[0.2, 0.3], [0.7, 0.25], [0.6, 0.8]])
    place = middles[generator.integers(0, 3, total)] + generator.normal(0, 0.05, (total, 2))
    place = np.clip(place * side, 0, side - 1).astype(int)
    cells = np.zeros((side, side), np.int64)
    np.add.at(cells, (place[:, 1], place[:, 0]), 1)
    return ExactCounts.from_array(Grid(PlainBox((0.0, 0.0), (2.0, 1.0)), side), cells)


def problem_for(k: int) -> Problem:
    data = small_city()
    return problem_of(data, Yardstick(data, k))


@pytest.mark.parametrize("reference", REFERENCES, ids=lambda reference: reference.name)
def test_every_reference_comes_close_when_epsilon_is_large(reference: Reference) -> None:
    problem = problem_for(3)
    centers = reference.run(problem, 50.0, np.random.default_rng(0))
    assert centers.shape == (3, 2)
    error = cost(problem.exact_positions, problem.exact_weights, centers) / problem.exact_best.cost - 1
    assert error < 0.02


@pytest.mark.parametrize(
    "reference", [one for one in REFERENCES if one.name != "scikit_learn"], ids=lambda one: one.name
)
def test_every_private_reference_suffers_when_epsilon_is_small(reference: Reference) -> None:
    problem = problem_for(3)
    errors = {}
    for epsilon in (0.001, 5.0):
        found = [reference.run(problem, epsilon, np.random.default_rng(seed)) for seed in range(5)]
        errors[epsilon] = np.median([cost(problem.exact_positions, problem.exact_weights, one) for one in found])
    assert errors[0.001] > errors[5.0]


def test_blocks_keep_all_records() -> None:
    problem = problem_for(2)
    for side in (1, 3, 16, 64):
        assert problem.exact_blocks(side).sum() == 30_000
        assert len(problem.block_middles(side)) == side**2
    assert np.array_equal(problem.exact_blocks(64), problem.exact_counts.exact_cells)


def test_the_radius_of_a_part_reaches_its_farthest_corner() -> None:
    box = np.array([2.0, 1.0])
    assert part_radius(0, np.array([[0.0, 0.0]]), box) == pytest.approx(np.sqrt(5))
    assert part_radius(0, np.array([[0.0, 0.0], [1.0, 0.0]]), box) == pytest.approx(np.sqrt(1.25))


def test_the_table_has_a_row_per_method_and_cell() -> None:
    cells = list(
        measure(small_city(), "small", {"n": (5000,), "k": (2,), "epsilon": (0.5,)}, [get(OURS)], REFERENCES, 3)
    )
    assert [cell.method for cell in cells] == [OURS, *(reference.name for reference in REFERENCES)]
    assert all(len(cell.errors) == 3 and cell.seconds >= 0 for cell in cells)
    row = cells[0].row()
    assert row["low"] <= row["median"] <= row["high"]


def cell(method: str, errors: tuple[float, ...], rival: bool = True) -> Cell:
    return Cell(data="x", n=10, k=2, epsilon=1.0, method=method, rival=rival, errors=errors, seconds=0.0)


def test_the_summary_says_how_many_times_our_error() -> None:
    found = summary([cell(OURS, (0.01,) * 5), cell("other", (0.05,) * 5), cell("limit", (0.001,) * 5, rival=False)])
    assert found["other"]["times_our_error"] == pytest.approx(5.0)
    assert found["other"]["cells_lower_than_ours"] == 0
    assert found["limit"]["cells_significantly_lower_than_ours"] == 1
    assert not found["limit"]["rival"]


def test_the_interval_of_a_median_holds_it() -> None:
    errors = np.random.default_rng(0).lognormal(size=40)
    low, high = median_interval(errors)
    assert low <= np.median(errors) <= high


def test_the_best_private_reference_is_chosen_cell_by_cell_and_limits_are_not() -> None:
    cells = [
        cell(OURS, (0.01,) * 5),
        cell("weak", (0.05,) * 5),
        cell("strong", (0.005,) * 5),
        cell("limit", (0.001,) * 5, rival=False),
    ]
    found = summary(cells)[BEST_RIVAL]
    assert found["times_our_error"] == pytest.approx(0.5)
    assert found["cells_significantly_lower_than_ours"] == 1
    assert summary(cells[:2])[BEST_RIVAL]["cells_significantly_higher_than_ours"] == 1


def test_errors_of_nothing_count_as_the_end_of_the_digits() -> None:
    found = summary([cell(OURS, (0.0,) * 5), cell("other", (1e-12,) * 5)])
    assert found["other"]["times_our_error"] == pytest.approx(1e-12 / LEAST_ERROR)


def test_no_answer_costs_less_than_the_yardstick() -> None:
    grid = {"n": (30_000,), "k": (3,), "epsilon": (1.0, 50.0)}
    cells = list(measure(small_city(), "small", grid, [get(OURS)], REFERENCES, 4))
    assert min(error for one in cells for error in one.errors) >= 0.0
    assert max(one.median for one in cells if one.method == OURS) < 1e-3


def test_the_figure_is_drawn(tmp_path: Path) -> None:
    rows = [cell(OURS, (0.01,)).row() | {"epsilon": epsilon} for epsilon in (0.1, 1.0)]
    draw_figure(pd.DataFrame(rows), tmp_path / "accuracy.png")
    assert (tmp_path / "accuracy.png").stat().st_size > 1000


def test_records_for_the_evidence_page_say_where_they_come_from(tmp_path: Path) -> None:
    grid = {"n": (20_000,), "k": (2,), "epsilon": (0.5,)}
    cells = list(measure(small_city(), "small", grid, [get(OURS)], REFERENCES[:1], 2))
    result = {"draws": 2, "cells": [cell.row() for cell in cells], "summary": summary(cells)}
    records = [json.loads(path.read_text(encoding="utf-8")) for path in write_evidence(result, grid, tmp_path)]
    for record in records:
        assert {"command", "seed", "commit", "date", "data"} <= set(record["provenance"])
        assert record["rows"]
    assert "--k 2 --epsilon 0.5 --draws 2" in records[0]["provenance"]["command"]
    assert {"n", "k", "epsilon", "method", "median"} <= set(records[0]["rows"][0])
    assert {"times_our_error", "low", "high"} <= set(records[1]["rows"][0])


def test_a_run_beside_a_peer_writes_one_record_of_its_own(tmp_path: Path) -> None:
    cells = [
        Cell(data="x", n=9, k=2, epsilon=1.0, method=method, rival=False, errors=(error,) * 3, seconds=0.5)
        for method, error in ((OURS, 0.1), ("diffprivlib", 0.4))
    ]
    result = {"draws": 3, "seed": 7, "cells": [cell.row() for cell in cells], "summary": summary(cells)}
    (path,) = write_evidence(result, {"n": (9,), "k": (2,), "epsilon": (1.0,)}, tmp_path)
    record = json.loads(path.read_text(encoding="utf-8"))
    assert record["rows"][0]["times our error"] == pytest.approx(4.0)
    assert record["provenance"]["command"].endswith("--draws 3 --seed 7 --out docs/evidence --peer-python PYTHON")
    assert record["provenance"]["seed"].startswith("draws 7000 to 7002")


def test_parts_of_the_table_have_their_own_means() -> None:
    cells = [
        Cell(data="x", n=n, k=k, epsilon=1.0, method=method, rival=True, errors=(error,) * 5, seconds=0.0)
        for n, k, ours, theirs in ((100_000, 1, 0.1, 0.2), (100_000, 5, 0.1, 0.4), (1_000_000, 5, 0.1, 1.6))
        for method, error in ((OURS, ours), ("other", theirs))
    ]
    found = summary(cells)["other"]
    assert whole(found)["times_our_error"] == pytest.approx((2 * 4 * 16) ** (1 / 3))
    told = parts(found)
    assert told["k ≥ 5"] == told["k = 5"] == pytest.approx(8.0) and told["k = 1"] == pytest.approx(2.0)
    assert told["n = 100,000"] == pytest.approx(8**0.5) and told["n = 1,000,000"] == pytest.approx(16.0)
    assert set(whole(found)) | set(told) == set(found)


def test_a_peer_is_absent_unless_an_interpreter_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    assert peers() == ()
    with pytest.raises(InputError, match="cannot import diffprivlib"):
        peers("/nowhere/python")


def test_a_peer_gets_all_records_in_its_own_process(tmp_path: Path) -> None:
    """A made-up module takes the peer's place: what counts is what it is handed."""
    package = tmp_path / "diffprivlib"
    package.mkdir()
    (package / "__init__.py").write_text("", encoding="utf-8")
    (package / "models.py").write_text(
        "import numpy as np\n"
        "class KMeans:\n"
        "    def __init__(self, k, epsilon, bounds, random_state): self.k, self.bounds = k, bounds\n"
        "    def fit(self, points):\n"
        "        self.cluster_centers_ = np.array([[len(points), self.k], self.bounds[1]])\n"
        "        return self\n",
        encoding="utf-8",
    )
    starter = tmp_path / "python"
    starter.write_text(f'#!/bin/sh\nPYTHONPATH="{tmp_path}" exec "{sys.executable}" "$@"\n', encoding="utf-8")
    starter.chmod(0o755)
    (peer,) = peers(str(starter))
    assert not peer.rival
    centers = peer.run(problem_for(2), 1.0, np.random.default_rng(0))
    np.testing.assert_allclose(centers, [[30_000, 2], [2.0, 1.0]])


def test_the_search_seldom_misses_on_a_small_city() -> None:
    found = list(coresets(small_city(), 3, (0.5, 0.5), 2))
    assert len(found) == 2
    for objective in ("k-means", "k-median"):
        assert all(0.0 <= excess(coreset, strength, 3, objective) < 1e-3 for coreset, strength in found)


def test_a_row_per_number_of_centers_and_objective_says_how_often_the_search_misses() -> None:
    rows = missed({"n": (2_000,), "k": (1, 2), "epsilon": (0.5,)}, 1)
    assert [(row["k"], row["objective"], row["draws"]) for row in rows] == [(2, "k-means", 1), (2, "k-median", 1)]
    assert all(0.0 <= row["missed by more than 1e-06"] <= 1.0 for row in rows)
