"""Points in any dimension, from the same sources and by the same rules as counts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from dpviz.domain import ExactPoints, Frame, GeoBox
from dpviz.domain.box import plain_frame
from dpviz.errors import AmbiguousColumns, InputError, NothingInBox
from dpviz.ingest import read_counts, read_points
from dpviz.noise import replayable_source

BOX = GeoBox(-74.05, 40.70, -73.90, 40.80)
FOUR = ["pickup_lon", "pickup_lat", "dropoff_lon", "dropoff_lat"]


@pytest.fixture(scope="module")
def trips() -> pd.DataFrame:
    rng = np.random.default_rng(3)
    values = rng.uniform([-74.06, 40.69, -74.06, 40.69], [-73.89, 40.81, -73.89, 40.81], (2000, 4))
    values[:10, 3] = np.nan
    frame = pd.DataFrame(values, columns=FOUR)
    frame["who"] = rng.integers(0, 150, 2000)
    return frame


def test_pick_up_and_drop_off_are_points_in_four_dimensions(trips: pd.DataFrame, tmp_path: Path) -> None:
    frame = Frame(
        names=tuple(FOUR), low=BOX.frame.low * 2, high=BOX.frame.high * 2, scale=BOX.frame.scale * 2, metric="m"
    )
    expected = ExactPoints.from_array(frame, trips[FOUR].to_numpy())
    trips.to_csv(tmp_path / "a.csv", index=False)
    trips.to_parquet(tmp_path / "a.parquet")
    for source in (trips, tmp_path / "a.csv", tmp_path / "a.parquet"):
        for bounds in ({"box": BOX}, {"boxes": [BOX, "nyc-taxi"]}, {"frame": frame}):
            points = read_points(source, columns=FOUR, **bounds)
            assert points.frame == frame
            assert (points.exact_cube == expected.exact_cube).all()


def test_two_columns_are_guessed_and_fall_into_the_same_cells_as_counts(trips: pd.DataFrame) -> None:
    one = trips.rename(columns={"pickup_lon": "lon", "pickup_lat": "lat"})[["lon", "lat"]]
    points = read_points(one, box=BOX)
    assert points.frame == BOX.frame
    assert points.exact_total == read_counts(one, box=BOX, side=1).exact_total


def test_any_columns_of_any_frame_can_be_read() -> None:
    table = pd.DataFrame({"a": [0.5, 2.0, "x"], "b": [1, 1, 1], "c": [0, 0, 0]})
    points = read_points(table, frame=plain_frame([0, 0, 0], [1, 2, 3], ["a", "b", "c"]))
    assert points.to_numpy().tolist() == [[0.5, 1.0, 0.0]]


def test_under_replace_all_rows_are_public(trips: pd.DataFrame) -> None:
    points = read_points(trips, columns=FOUR, box=BOX, relation="replace")
    assert points.public_rows == 2000 and points.exact_nowhere == 2000 - points.exact_total > 0


def test_a_cap_holds_for_points_and_persons_are_told_apart(trips: pd.DataFrame) -> None:
    everyone = read_points(trips, columns=FOUR, box=BOX, person="who", cap=10**6, noise=replayable_source(1))
    capped = read_points(trips, columns=FOUR, box=BOX, person="who", cap=3, noise=replayable_source(1))
    assert everyone.exact_persons is not None and capped.exact_persons is not None
    sizes = np.bincount(everyone.exact_persons)
    assert sorted(np.bincount(capped.exact_persons)) == sorted(np.minimum(sizes, 3))
    assert capped.unit.cap == 3 and capped.unit.person_column == "who"
    assert {tuple(row) for row in capped.exact_cube} <= {tuple(row) for row in everyone.exact_cube}


def test_several_pairs_are_asked_for(trips: pd.DataFrame) -> None:
    with pytest.raises(AmbiguousColumns):
        read_points(trips, box=BOX)


def test_nothing_in_the_box_is_refused_unless_strict(trips: pd.DataFrame) -> None:
    away = (10, 50, 11, 51)
    with pytest.raises(NothingInBox):
        read_points(trips, columns=FOUR, box=away)
    assert read_points(trips, columns=FOUR, box=away, strict=True).exact_total == 0


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"box": BOX, "boxes": [BOX]},
        {"box": BOX, "columns": FOUR[:3]},
        {"box": BOX, "columns": "lon"},
        {"box": BOX, "columns": []},
        {"box": BOX, "columns": ["pickup_lon", "pickup_lon"]},
        {"boxes": [BOX], "columns": FOUR},
        {"boxes": [BOX, BOX]},
        {"frame": BOX.frame, "columns": FOUR},
        {"box": BOX, "columns": ["pickup_lon", "nothing"]},
        {"box": BOX, "columns": FOUR, "person": "who"},
        {"box": BOX, "columns": FOUR, "person": "pickup_lon", "cap": 1},
    ],
    ids=str,
)
def test_bounds_and_columns_that_do_not_fit_are_refused(wrong: dict[str, Any], trips: pd.DataFrame) -> None:
    with pytest.raises(InputError):
        read_points(trips, **wrong)
