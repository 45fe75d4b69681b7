"""Who may be a person: proposed, refused, asked for; and what a cap keeps."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import dpviz
from dpviz.errors import ExactDataLeak, InputError
from dpviz.ingest.units.person_columns import (
    ColumnLook,
    UnitNotChosen,
    Verdict,
    best_person,
    kept_sentence,
    look_at_units,
    named_like_a_person,
    noun_of,
    person_columns,
    record_sentence,
    refuse_implausible_person,
)

BOX = "-74.05,40.70,-73.90,40.80"


def trips(rows: int = 3000) -> pd.DataFrame:
    """A small file of cab rides whose first column is a second coordinate, as in real ones."""
    generator = np.random.default_rng(1)
    cab = np.sort(generator.zipf(1.6, rows) % 60)
    return pd.DataFrame(
        {
            "plon": generator.uniform(-74.0, -73.95, rows).round(5),
            "plat": generator.uniform(40.72, 40.78, rows).round(5),
            "lon": generator.uniform(-74.0, -73.95, rows).round(5),
            "lat": generator.uniform(40.72, 40.78, rows).round(5),
            "cab": [f"cab {number}" for number in cab],
            "fare": generator.gamma(3, 4, rows).round(2),
            "payment_type": generator.integers(1, 5, rows),
            "pickup_time": "2026-01-01",
            "ride": np.arange(rows),
            "passenger_count": generator.integers(1, 6, rows),
        }
    )


@pytest.fixture(scope="module", params=["csv", "parquet", "memory"])
def source(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    table = trips()
    if request.param == "memory":
        return table
    path = tmp_path_factory.mktemp("units") / f"trips.{request.param}"
    table.to_csv(path, index=False) if request.param == "csv" else table.to_parquet(path)
    return path


def by_name(looks: list[ColumnLook]) -> dict[str, ColumnLook]:
    return {look.name: look for look in looks}


def test_the_person_is_proposed_and_everything_else_is_told_apart(source: Any) -> None:
    looks = look_at_units(source)
    assert {name: look.verdict for name, look in by_name(looks).items()} == {
        "plon": Verdict.COORDINATE,
        "plat": Verdict.COORDINATE,
        "lon": Verdict.COORDINATE,
        "lat": Verdict.COORDINATE,
        "cab": Verdict.PERSON,
        "fare": Verdict.MEASURE,
        "payment_type": Verdict.CATEGORY,
        "pickup_time": Verdict.TIME,
        "ride": Verdict.ROW,
        "passenger_count": Verdict.CATEGORY,
    }
    best = best_person(looks)
    sizes = trips()["cab"].value_counts()
    assert best is not None and best.name == "cab"
    assert (best.exact_rows, best.exact_values, best.exact_most) == (3000, len(sizes), int(sizes.max()))
    assert best.proposal == f"cab: {len(sizes)} values, up to {sizes.max():,} rows each – protect a cab?"
    assert dict(best.exact_kept) == {cap: int(sizes.clip(upper=cap).sum()) for cap in dict(best.exact_kept)}


def test_a_cap_is_advised_with_the_share_of_rows_that_it_keeps(source: Any) -> None:
    (cab,) = look_at_units(source, columns=["cab"])
    assert cab.advised_cap is not None and cab.advice is not None
    kept = dict(cab.exact_kept)[cab.advised_cap]
    assert f"{kept:,} of 3,000 rows" in cab.advice
    assert kept_sentence(1607, 454_434, cap=3, column="cab") == (
        "At most 3 rows of each cab keeps 1,607 of 454,434 rows (0.4 %)."
    )


def test_one_record_is_explained_where_a_person_has_many(source: Any) -> None:
    (cab,) = look_at_units(source, columns=["cab"])
    assert f"{cab.exact_most:,} rows of a single cab" in record_sentence(cab)
    assert f"{cab.exact_most:,} times the epsilon" in record_sentence(cab)
    (ride,) = look_at_units(source, columns=["ride"])
    assert record_sentence(ride) == "One record is one row of the file."


@pytest.mark.parametrize("column", ["plon", "fare", "payment_type", "pickup_time", "ride"])
def test_implausible_persons_are_refused_without_an_exact_number(source: Any, column: str) -> None:
    with pytest.raises(InputError, match="no person column") as refused:
        refuse_implausible_person(source, column)
    assert not any(letter.isdigit() for letter in refused.value.message)


def test_the_right_person_is_not_refused(source: Any) -> None:
    assert refuse_implausible_person(source, "cab").name == "cab"


def test_looks_are_exact_and_stay_in_memory(source: Any) -> None:
    import pickle

    (cab,) = look_at_units(source, columns=["cab"])
    assert str(cab.exact_most) not in repr(cab)
    with pytest.raises(ExactDataLeak):
        pickle.dumps(cab)


@pytest.mark.parametrize(
    ("name", "person"),
    [
        ("rider_id", True),
        ("userId", True),
        ("USERID", True),
        ("Medallion", True),
        ("hack_license", True),
        ("bike_number", True),
        ("Fahrer-ID", True),
        ("device uuid", True),
        ("用户", True),
        ("passenger_count", False),
        ("user_type", False),
        ("member_casual", False),
        ("bus_stop_id", False),
        ("taxi_zone", False),
        ("trip_id", False),
        ("fare", False),
        ("pickup_longitude", False),
        ("start_station_id", False),
        ("", False),
    ],
)
def test_names_say_who_may_be_a_person(name: str, person: bool) -> None:
    assert named_like_a_person(name) is person


def test_a_noun_is_made_of_a_columns_name() -> None:
    assert [noun_of(name) for name in ("rider_id", "userId", "cab", "hack_license")] == [
        "rider",
        "user",
        "cab",
        "hack license",
    ]
    assert person_columns(["lon", "rider_id", "cab"], ["cab"]) == ("rider_id",)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("asked") / "trips.csv"
    trips(300).to_csv(path, index=False)
    return path


def test_a_file_with_such_a_column_asks_and_either_answer_is_taken(file: Path) -> None:
    where = {"box": BOX, "lon": "lon", "lat": "lat", "side": 16}
    with pytest.raises(UnitNotChosen, match=r"--person cab --cap 3.*--unit record") as asked:
        dpviz.read_counts(file, **where)
    assert asked.value.values["columns"] == ("cab",)
    assert dpviz.read_counts(file, protect="record", **where).unit.cap is None
    assert dpviz.read_counts(file, person="cab", cap=3, **where).unit.cap == 3
    with pytest.raises(UnitNotChosen):
        dpviz.read_points(file, columns=["lon", "lat"], box=BOX)
    assert dpviz.read_points(file, columns=["lon", "lat"], box=BOX, protect="record").unit.cap is None


def test_a_table_in_memory_and_a_file_without_persons_are_not_asked(tmp_path: Path) -> None:
    where = {"box": BOX, "lon": "lon", "lat": "lat", "side": 16}
    dpviz.read_counts(trips(50), **where)
    plain = tmp_path / "plain.csv"
    trips(50)[["lon", "lat", "fare", "passenger_count"]].to_csv(plain, index=False)
    dpviz.read_counts(plain, **where)


def test_a_coordinate_as_person_and_contradictions_are_refused(file: Path) -> None:
    where = {"box": BOX, "lon": "lon", "lat": "lat", "side": 16}
    with pytest.raises(InputError, match="coordinate by its name"):
        dpviz.read_counts(file, person="plon", cap=3, **where)
    with pytest.raises(InputError, match="contradict"):
        dpviz.read_counts(file, person="cab", cap=3, protect="record", **where)
    with pytest.raises(InputError, match="protect='trip'"):
        dpviz.read_counts(file, protect="trip", **where)


def test_columns_that_are_not_there_are_named(file: Path) -> None:
    with pytest.raises(InputError, match="no column 'driver'"):
        look_at_units(file, columns=["driver"])


def test_a_file_without_rows_holds_no_persons(tmp_path: Path) -> None:
    empty = tmp_path / "empty.csv"
    empty.write_text("lon,lat,rider\n")
    assert best_person(look_at_units(empty)) is None
