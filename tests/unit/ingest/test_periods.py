"""The rows of one period, and the first periods of every person."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from dpviz.errors import InputError
from dpviz.ingest.periods import labels_in, rows_of_period

ROWS = [
    ("a", "2025-12-31 23:59"),
    ("a", "2026-01-01"),
    ("b", "2026-01-31T10:00:00Z"),
    ("a", "2026-02-03 08:00"),
    ("b", "2026-02-03 08:00"),
    ("c", "2026-03-14 08:00"),
    ("a", "2026-03-15 08:00"),
    ("b", "not a date"),
    (None, "2026-03-01"),
]


@pytest.fixture(params=["csv", "parquet"])
def file(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    table = pl.DataFrame({"who": [who for who, _ in ROWS], "when": [when for _, when in ROWS], "lon": 1.0, "lat": 2.0})
    path = tmp_path / f"rows.{request.param}"
    if request.param == "csv":
        table.write_csv(path)
    else:
        known = [datetime.fromisoformat(when.replace("Z", "")) if when[0] == "2" else None for _, when in ROWS]
        table.with_columns(pl.Series("when", known)).write_parquet(path)
    return path


def persons(path: Path | list[str], label: str, every: str = "month", **more: Any) -> list[str | None]:
    return rows_of_period(path, label, every=every, time="when", person="who", **more)["who"].to_list()


def test_the_date_as_written_decides_the_period(file: Path) -> None:
    assert persons(file, "2026-01") == ["a", "b"]
    assert persons(file, "2026-02-03", "day") == ["a", "b"]
    assert persons(file, "2026-W01", "week") == ["a", "a"]  # the week that holds New Year's Eve
    assert persons(file, "2031-01") == []
    assert labels_in(file, every="month", time="when") == ["2025-12", "2026-01", "2026-02", "2026-03"]


def test_a_person_counts_in_the_first_periods_of_the_window_in_which_they_appear(file: Path) -> None:
    assert persons(file, "2026-02", at_most=1, window="2026") == []
    assert persons(file, "2026-02", at_most=2, window="2026") == ["a", "b"]
    assert sorted(map(str, persons(file, "2026-03", at_most=2, window="2026"))) == ["None", "c"]
    assert "a" in persons(file, "2026-03", at_most=3, window="2026")
    assert "a" not in persons(file, "2026-03", at_most=3, window="")  # December counts without a window


def test_nobody_stands_in_more_periods_than_allowed_and_others_change_nothing(file: Path, tmp_path: Path) -> None:
    months = ["2026-01", "2026-02", "2026-03"]
    seen = [who for month in months for who in set(persons(file, month, at_most=2, window="2026"))]
    assert max(seen.count(who) for who in set(seen)) <= 2
    alone = pl.DataFrame({"who": ["a"] * 3, "when": ["2026-01-01", "2026-02-03 08:00", "2026-03-15 08:00"]})
    path = tmp_path / "alone.csv"
    alone.write_csv(path)
    for month in months:
        kept = persons(file, month, at_most=2, window="2026").count("a")
        assert kept == persons(path, month, at_most=2, window="2026").count("a")


@pytest.mark.parametrize(
    "ids",
    [["a", " a", "a\t"], [7.0, 7.0, 7.0], [None, "", " "], ["a long id of a person"] * 2 + [" a long id of a person"]],
)
def test_a_person_of_the_first_periods_is_the_person_of_the_cap(tmp_path: Path, ids: list[Any]) -> None:
    path = tmp_path / "rows.parquet"
    when = ["2026-01-01", "2026-02-01", "2026-03-01"]
    pl.DataFrame({"who": ids, "when": when}, strict=False).write_parquet(path)
    held = [len(persons(path, month, at_most=1, window="2026")) for month in ("2026-01", "2026-02", "2026-03")]
    assert held == [1, 0, 0]


def test_columns_that_are_no_dates_or_not_there_are_named(file: Path) -> None:
    for time, said in (
        ("lon" if file.suffix == ".parquet" else "nothing", "column"),
        ("nothing", "no column 'nothing'"),
    ):
        with pytest.raises(InputError, match=said):
            rows_of_period(file, "2026-01", every="month", time=time)
    with pytest.raises(InputError, match="no column 'whom'"):
        rows_of_period(file, "2026-01", every="month", time="when", person="whom")
    with pytest.raises(InputError, match="person column"):
        rows_of_period(file, "2026-01", every="month", time="when", at_most=1)
    with pytest.raises(InputError, match="every="):
        rows_of_period(file, "2026-01", every="year", time="when")


def test_other_kinds_of_files_are_refused_in_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "places.geojson"
    path.write_text(
        '{"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {}, '
        '"geometry": {"type": "Point", "coordinates": [1, 2]}}]}'
    )
    with pytest.raises(InputError, match="CSV and Parquet"):
        rows_of_period(path, "2026-01", every="month", time="when")


def test_ids_of_two_kinds_of_files_stay_apart_and_a_row_with_too_much_is_read_by_itself(tmp_path: Path) -> None:
    """A file that lacks an id holds floats: put together, whole ids beyond 2^53 must not become one person."""
    whole, broken = tmp_path / "whole.parquet", tmp_path / "some.parquet"
    days = pl.Series("when", [datetime(2026, 1, 3), datetime(2026, 2, 3)])
    pl.DataFrame({"who": [2**53, 2**53 + 1]}).with_columns(days).write_parquet(whole)
    pl.DataFrame({"who": [7.0, None]}).with_columns(days).write_parquet(broken)
    files = [str(whole), str(broken)]
    assert persons(files, "2026-02", at_most=1) == [str(2**53 + 1), None]
    assert persons(files, "2026-01") == [str(2**53), "7"]
    ragged = tmp_path / "ragged.csv"
    ragged.write_text("who,when\na,2026-01-01,9,9\nb\nc,2026-01-02\n")
    assert persons(ragged, "2026-01") == ["a", "c"]
