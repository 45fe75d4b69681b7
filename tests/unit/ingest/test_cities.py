"""The embedded cities and the names of New York: known totals, known places."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from dpviz.basemap import embedded
from dpviz.basemap.embedded import load_basemap
from dpviz.domain import Adjacency, GeoBox
from dpviz.domain.regions import Area
from dpviz.errors import FileError, InputError
from dpviz.ingest import cities

TIMES_SQUARE = (-73.9855, 40.7580)
PENN_STATION = (-73.9911, 40.7502)
CENTRAL_PARK = (-73.9665, 40.7812)
UPPER_EAST_SIDE = (-73.9570, 40.7750)


def cell_of(lon: float, lat: float) -> tuple[int, int]:
    """(row, col) by hand: row 0 is the north edge."""
    return int((40.80 - lat) / 0.10 * 256), int((lon + 74.05) / 0.15 * 256)


def test_the_taxi_city_holds_every_drop_off_on_its_public_grid() -> None:
    counts = cities.load_counts()
    assert counts.exact_total == 10_229_193
    assert counts.grid.side == 256
    assert counts.grid.box == GeoBox(-74.05, 40.70, -73.90, 40.80)
    assert counts.relation is Adjacency.ADD_REMOVE_ONE


def around(cells: np.ndarray, lon: float, lat: float) -> int:
    row, col = cell_of(lon, lat)
    return int(cells[row - 1 : row + 2, col - 1 : col + 2].sum())


def test_the_taxi_city_is_the_right_way_up() -> None:
    cells = cities.load_counts().to_numpy()
    row, col = cell_of(*PENN_STATION)
    assert cells.max() == cells[row - 1 : row + 2, col - 1 : col + 2].max()
    assert cells[cell_of(*TIMES_SQUARE)] > 1_000
    assert around(cells, *CENTRAL_PARK) == 0
    assert around(cells, *UPPER_EAST_SIDE) > 10_000
    assert around(cells[::-1], *UPPER_EAST_SIDE) < 100, "upside down, the Upper East Side would lie in the East River"
    assert around(cells[:, ::-1], *CENTRAL_PARK) > 1_000, "mirrored, Central Park would be a busy place"


def test_hours_of_the_day_add_up_to_the_whole() -> None:
    night, day = cities.load_counts(hours=range(7)), cities.load_counts(hours=range(7, 24))
    assert np.array_equal((night + day).to_numpy(), cities.load_counts().to_numpy())
    assert cities.load_counts(hours=[4]).exact_total < cities.load_counts(hours=[19]).exact_total / 3


@pytest.mark.parametrize("hours", [[], [24], [-1], [1.5], ["1", 2], [True], [None]])
def test_hours_outside_the_day_are_refused(hours: list[object]) -> None:
    with pytest.raises(InputError, match="0 to 23"):
        cities.load_counts(hours=hours)  # type: ignore[arg-type]


def test_the_trips_are_points_in_metres_with_both_ends_in_the_public_box() -> None:
    points = cities.load_points()
    assert points.exact_total == 50_000
    assert points.frame.names == ("pickup_lon", "pickup_lat", "dropoff_lon", "dropoff_lat")
    assert points.frame.low == (-74.05, 40.70) * 2
    assert points.frame.high == pytest.approx((-73.90, 40.80) * 2)
    assert points.frame.metric == "m"
    assert points.frame.extent == pytest.approx([12_650, 11_132] * 2, rel=1e-4)


def test_trips_end_where_the_taxi_city_is_dense() -> None:
    cells = cities.load_counts().to_numpy()
    trips = cities.load_points().to_numpy()
    dense = cells >= np.quantile(cells, 0.75)
    rows = np.floor((40.80 - trips[:, 3]) / 0.10 * 256).astype(int)
    cols = np.floor((trips[:, 2] + 74.05) / 0.15 * 256).astype(int)
    assert dense[rows, cols].mean() > 0.95
    assert dense[::-1][rows, cols].mean() < 0.7


@pytest.mark.parametrize("name", ["nyc-trips", "paris"])
def test_asking_for_counts_of_something_else_says_what_there_is(name: str) -> None:
    with pytest.raises(InputError, match=r"load_points|nyc-taxi"):
        cities.load_counts(name)


@pytest.mark.parametrize("name", ["nyc-taxi", "paris"])
def test_asking_for_points_of_something_else_says_what_there_is(name: str) -> None:
    with pytest.raises(InputError, match=r"load_counts|nyc-trips"):
        cities.load_points(name)


def test_a_city_is_read_once_and_shared() -> None:
    assert cities.load_counts() is cities.load_counts(hours=range(24))
    assert cities.builtin("nyc-taxi") is cities.load_counts()
    assert cities.builtin("nyc-trips") is cities.load_points()


def test_data_come_from_the_package_where_there_is_no_checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = tmp_path / "dpviz" / "basemap" / "embedded.py"
    data = tmp_path / "dpviz" / "_data" / "basemap.json"
    data.parent.mkdir(parents=True)
    data.write_text("{}")
    monkeypatch.setattr(embedded, "__file__", str(module))
    assert embedded.data_file("basemap.json") == data
    with pytest.raises(FileError, match=r"nyc-taxi\.npz"):
        embedded.data_file("nyc-taxi.npz")


def test_manhattan_holds_midtown_and_neither_brooklyn_nor_the_river_nor_new_jersey() -> None:
    manhattan = embedded.watched_areas()["Manhattan"]
    lon = [-73.9855, -74.0090, -73.9200, -73.9570, -74.0150, -74.0400, -73.9200]
    lat = [40.7580, 40.7060, 40.8690, 40.7140, 40.7600, 40.7200, 40.8300]
    assert manhattan.contains(lon, lat).tolist() == [True, True, True, False, False, False, False]
    assert set(embedded.watched_areas()) == {"Bronx", "Brooklyn", "Manhattan", "Queens", "Staten Island"}


def test_nearly_all_taxi_trips_end_in_manhattan() -> None:
    trips = cities.load_points().to_numpy()
    assert 0.94 < embedded.watched_areas()["Manhattan"].contains(trips[:, 2], trips[:, 3]).mean() < 0.98


def test_the_water_of_the_basemap_is_water() -> None:
    water = load_basemap()["water"]

    def inside(lon: float, lat: float) -> bool:
        odd = False
        for polygon in water:
            for ring in polygon:
                area = Area(name="water", rings=(np.array(ring),))
                odd ^= bool(area.contains(lon, lat))
        return odd

    for lon, lat in [
        (-74.0130, 40.7450),
        (-74.0300, 40.6600),
        (-73.9680, 40.7450),
        (-73.7000, 40.5000),
        (-73.72, 40.9),
    ]:
        assert inside(lon, lat), (lon, lat)
    for lon, lat in [TIMES_SQUARE, CENTRAL_PARK, (-74.06, 40.73), (-73.85, 40.74), (-73.5, 40.75), (-74.15, 40.58)]:
        assert not inside(lon, lat), (lon, lat)


def test_public_boxes_are_round_and_of_a_city_s_size() -> None:
    assert len(cities.CITY_BOXES) >= 25
    for name, box in cities.CITY_BOXES.items():
        width, height = box.frame.extent
        assert 8_000 < width < 80_000 and 8_000 < height < 80_000, name
        assert all(round(edge * 20) == pytest.approx(edge * 20) for edge in box.as_tuple()), name
