"""A column of own levels: names, numbers, epsilons; missing and nonsense; persons."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import dpviz
from dpviz.domain.counts import LevelCounts
from dpviz.errors import InputError
from dpviz.ingest import Reading, gather_points, load_saved_counts, read_counts, save_counts

BOX = (0.0, 0.0, 1.0, 1.0)


def read(choices: list[object], places: list[float] | None = None, **more: object) -> LevelCounts:
    rows = pd.DataFrame({"lon": places or [0.5] * len(choices), "lat": 0.5, "choice": choices})
    for name in ("rider",):
        if name in more:
            rows[name] = more.pop(name)
    found = read_counts(rows, box=BOX, side=4, level="choice", **more)  # type: ignore[arg-type]
    assert isinstance(found, LevelCounts)
    return found


def by_level(counts: LevelCounts) -> list[int]:
    return [int(one) for one in counts.exact_by_level.sum(axis=(1, 2))]


def test_names_and_numbers_are_levels_and_anything_else_is_the_strictest() -> None:
    found = read(["Sharpest", " detailed ", "4", "4.0", "STRICT", "9", "0", "-1", "", None, "whatever", "nan"])
    assert by_level(found) == [1, 0, 1, 2, 0, 1, 7]
    assert found.report is not None and "7 without a known level, as the strictest" in found.report.sentence
    assert any("no known level" in hint for hint in found.report.hints)


def test_an_epsilon_counts_as_the_next_smaller_level_and_less_than_the_strictest_is_not_used() -> None:
    found = read([4, 100, 3.99, 0.5, 0.07, 0.05, 0.049, 0.0, -2, None, float("inf")], level_scale="epsilon")
    assert by_level(found) == [2, 1, 0, 1, 0, 0, 2 + 2]
    assert found.exact_total == 8


def test_a_number_with_underscores_is_none_and_counts_as_the_strictest() -> None:
    assert by_level(read(["0_5", "1_0", "0,5"], level_scale="epsilon")) == [0, 0, 0, 1, 0, 0, 2]


def test_a_column_without_any_level_protects_everybody_as_strictly_as_possible() -> None:
    assert by_level(read([None, None, ""])) == [0, 0, 0, 0, 0, 0, 3]


def test_of_a_person_the_strictest_of_all_rows_holds_those_outside_the_box_included() -> None:
    found = read(
        ["1", "1", "6", "1", "1"], [0.5, 0.5, 0.5, 0.5, 7.0], rider=["a", "b", "b", "c", "c"], person="rider", cap=2
    )
    assert by_level(found) == [2, 0, 0, 0, 0, 2, 0]
    found = read(["1", "1", "7"], [0.5, 0.5, 7.0], rider=["a", "b", "b"], person="rider", cap=2)
    assert by_level(found) == [1, 0, 0, 0, 0, 0, 1]


def test_a_person_who_allows_nothing_in_one_row_is_left_out() -> None:
    found = read([1.0, 1.0, 0.0], rider=["a", "b", "b"], person="rider", cap=2, level_scale="epsilon")
    assert by_level(found) == [0, 0, 1, 0, 0, 0, 0]


def test_every_kind_of_file_reads_the_same_levels(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    rows = pd.DataFrame(
        {
            "lon": rng.uniform(0, 1, 3000),
            "lat": rng.uniform(0, 1, 3000),
            "choice": rng.choice(["Strict", "Detailed", "", "3", "ü,;"], 3000),
            "rider": rng.integers(0, 500, 3000),
        }
    )
    rows.to_csv(tmp_path / "rows.csv", index=False)
    rows.to_parquet(tmp_path / "rows.parquet")
    coins = dpviz.noise.replayable_source
    for unit in ({"protect": "record"}, {"person": "rider", "cap": 2}):
        found = [
            read_counts(source, box=BOX, side=8, level="choice", noise=coins(3), **unit)
            for source in (rows, tmp_path / "rows.csv", tmp_path / "rows.parquet")
        ]
        sheets = [one.exact_by_level for one in found if isinstance(one, LevelCounts)]
        assert len(sheets) == 3 and all((one == sheets[0]).all() for one in sheets)


def test_counts_by_level_are_saved_added_and_coarsened(tmp_path: Path) -> None:
    counts = read(["1", "6", "6"])
    again = load_saved_counts(save_counts(counts, tmp_path / "counts.npz"))
    assert isinstance(again, LevelCounts) and by_level(again) == by_level(counts) and again.unit == counts.unit
    both = counts + again
    assert isinstance(both, LevelCounts) and by_level(both) == [2, 0, 0, 0, 0, 4, 0]
    coarse = both.coarsened(2)
    assert by_level(coarse) == [2, 0, 0, 0, 0, 4, 0] and coarse.exact_total == 6
    other = read(["6", "6", "1"])
    assert (other.exact_cells == counts.exact_cells).all() and other.keyed_digest(b"k") == counts.keyed_digest(b"k")
    assert read(["6", "1", "1"]).keyed_digest(b"k") != counts.keyed_digest(b"k")


@pytest.mark.parametrize(
    "stated",
    [
        {"level": "lon"},
        {"level": "choice", "level_scale": "stars"},
        {"level": None, "level_scale": "epsilon"},
        {"level": "choice", "relation": "replace"},
        {"level": "choice", "weight": "w", "weight_unit": "record"},
        {"level": "choice", "engine": "dask"},
        {"level": "rider", "person": "rider", "cap": 2},
    ],
)
def test_what_does_not_go_together_is_refused(stated: dict[str, object]) -> None:
    rows = pd.DataFrame({"lon": [0.5], "lat": [0.5], "choice": ["1"], "w": [1], "rider": ["a"]})
    with pytest.raises(InputError):
        read_counts(rows, box=BOX, side=4, **stated)  # type: ignore[arg-type]


def test_points_have_no_levels() -> None:
    rows = pd.DataFrame({"lon": [0.5], "lat": [0.5], "choice": ["1"]})
    with pytest.raises(InputError, match="levels"):
        gather_points(Reading(source=rows, box=BOX, level="choice"))
