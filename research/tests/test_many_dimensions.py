"""Comparisons in more than two dimensions, and the coverage of radii, as rows."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars
import pytest

from dpviz.domain import ExactPoints
from dpviz.domain.box import plain_frame
from dpviz.mechanisms.catalogue import get
from dpviz_research import auto_table, auto_table_sets, coverage, many_dimensions
from dpviz_research.many_dimensions_sets import HELD_BACK


def small(folder: Path | None) -> list[tuple[str, ExactPoints, int]]:
    generator = np.random.default_rng(0)
    made = generator.normal(0.5, 0.05, (400, 3)) + generator.integers(0, 2, (400, 1)) * 0.3
    return [("made up", ExactPoints.from_array(plain_frame([0.0] * 3, [1.0] * 3), made, outside="clip"), 2)]


def test_a_row_per_data_set_level_and_method_that_takes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(many_dimensions, "examples", small)
    found = list(many_dimensions.rows(None, 2, levels=(4.0,)))
    takes = [name for name in many_dimensions.METHODS if get(name).info.dims[0] <= 3 <= get(name).info.dims[1]]
    assert [row["method"] for row in found] == takes and 1 < len(takes) < len(many_dimensions.METHODS)
    for row in found:
        assert row["dimensions"] == 3 and row["draws"] == 2
        assert row["answers"] in (0, 1, 2) and (row["median"] is None) == (row["answers"] == 0)
    ours = next(row for row in found if row["method"] == "adaptive_tree")
    assert ours["low"] <= ours["median"] <= ours["high"] < 1.0


def test_a_folder_adds_the_data_sets_it_has(tmp_path: Path) -> None:
    columns = {f"c{i}": np.random.default_rng(i).random(30) for i in range(6)}
    polars.DataFrame(columns).write_csv(tmp_path / "adult_numbers.csv")
    names = [(name, data.frame.dims) for name, data, _ in many_dimensions.examples(tmp_path)]
    mixtures = [(mixture.name, mixture.dims) for mixture in HELD_BACK]
    assert names == [("nyc-trips", 4), *mixtures, ("Adult, six numerical attributes (UCI)", 6)]
    assert [name for name, _, _ in many_dimensions.examples(None)] == [name for name, _ in names[:-1]]


def test_the_table_of_auto_is_made_without_the_sets_that_are_held_back() -> None:
    for module in (auto_table, auto_table_sets):
        text = Path(module.__file__).read_text(encoding="utf-8")
        assert "held_back" not in text and "many_dimensions" not in text
    measured = {data.frame for name, data, _ in many_dimensions.examples(None)}
    made = {groups.frame for groups in auto_table_sets.made(4, 200) if isinstance(groups, ExactPoints)}
    assert not measured & made


def test_coverage_counts_centers_within_their_radius(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coverage, "CASES", (("peer", 2, 1.0),))
    (row,) = coverage.rows(3)
    assert row["centers"] == 6 and 0.0 <= row["within the radius"] <= 1.0
