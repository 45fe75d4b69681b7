"""The embedded cities, their names on the map, and public boxes as users write them: four numbers, or a city's name.

The embedded data are public (data/DATA.md says where they come from), so what is loaded here may be cached and shared.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, Final, Literal, overload

import numpy as np
import pyarrow.parquet as pq

from dpviz.basemap import world
from dpviz.basemap.embedded import data_file
from dpviz.domain import ExactCounts, ExactPoints, Frame, GeoBox, Grid, PlainBox
from dpviz.domain.parts import Division, Parts
from dpviz.errors import InputError

BUILTIN_CITIES: Final = ("nyc-taxi", "nyc-trips")
BUILTIN_BOX: Final = GeoBox(west=-74.05, south=40.70, east=-73.90, north=40.80)
BUILTIN_SIDE: Final = 256

# Boxes to choose from, so that nobody is tempted to read the box off the data. General knowledge, rounded to 0.05°;
# each holds the built-up middle of its city, and each is public because it was written down here before any file came.
CITY_BOXES: Final[dict[str, GeoBox]] = {
    "New York": GeoBox(-74.30, 40.45, -73.65, 40.95),
    "New York, Manhattan": BUILTIN_BOX,
    "Amsterdam": GeoBox(4.70, 52.25, 5.10, 52.45),
    "Barcelona": GeoBox(2.05, 41.30, 2.25, 41.50),
    "Beijing": GeoBox(116.10, 39.70, 116.70, 40.15),
    "Berlin": GeoBox(13.05, 52.30, 13.80, 52.70),
    "Boston": GeoBox(-71.20, 42.20, -70.95, 42.45),
    "Cape Town": GeoBox(18.30, -34.20, 18.75, -33.75),
    "Chengdu": GeoBox(103.90, 30.50, 104.25, 30.85),
    "Chicago": GeoBox(-87.95, 41.60, -87.50, 42.05),
    "Hong Kong": GeoBox(113.80, 22.15, 114.45, 22.60),
    "Istanbul": GeoBox(28.60, 40.80, 29.40, 41.25),
    "Lisbon": GeoBox(-9.30, 38.65, -9.00, 38.85),
    "London": GeoBox(-0.55, 51.25, 0.35, 51.75),
    "Los Angeles": GeoBox(-118.70, 33.65, -118.10, 34.35),
    "Madrid": GeoBox(-3.90, 40.30, -3.50, 40.60),
    "Mexico City": GeoBox(-99.40, 19.15, -98.90, 19.65),
    "Mumbai": GeoBox(72.75, 18.85, 73.05, 19.30),
    "Nairobi": GeoBox(36.65, -1.45, 37.10, -1.15),
    "Paris": GeoBox(2.20, 48.80, 2.50, 48.95),
    "Porto": GeoBox(-8.75, 41.05, -8.50, 41.25),
    "Rome": GeoBox(12.30, 41.75, 12.70, 42.05),
    "San Francisco": GeoBox(-122.55, 37.60, -122.30, 37.85),
    "São Paulo": GeoBox(-46.85, -23.80, -46.35, -23.35),
    "Seattle": GeoBox(-122.45, 47.45, -122.20, 47.75),
    "Shanghai": GeoBox(121.20, 31.00, 121.80, 31.45),
    "Singapore": GeoBox(103.60, 1.15, 104.10, 1.50),
    "Sydney": GeoBox(150.85, -34.10, 151.35, -33.65),
    "Tokyo": GeoBox(139.50, 35.50, 139.95, 35.85),
    "Toronto": GeoBox(-79.65, 43.55, -79.10, 43.90),
    "Vienna": GeoBox(16.15, 48.10, 16.60, 48.35),
    "Washington": GeoBox(-77.15, 38.75, -76.90, 39.00),
}

SMALLEST_TOWN = 15_000  # inhabitants; smaller places share their names with too many others
LARGE_TOWN = 1_000_000
TOWN_BOX_M, LARGE_BOX_M = 16_000.0, 32_000.0
HOURS = 24


def load_counts(name: str = "nyc-taxi", hours: Iterable[int] | None = None) -> ExactCounts:
    """The drop-offs of the embedded city on its grid, of the given hours of the day (0 to 23) or of all."""
    _check_city(name, "nyc-taxi", "holds trips in four dimensions, not counts; use load_points('nyc-trips')")
    return _taxi_counts(_hours(hours))


def load_points(name: str = "nyc-trips") -> ExactPoints:
    """The embedded trips as points: pickup_lon, pickup_lat, dropoff_lon, dropoff_lat, in metres on every axis."""
    _check_city(name, "nyc-trips", "holds counts on a grid, not points; use load_counts('nyc-taxi')")
    return _trip_points()


def _check_city(name: str, wanted: str, otherwise: str) -> None:
    if name != wanted and name in BUILTIN_CITIES:
        raise InputError(f"{name!r} {otherwise}.", name=name)
    if name != wanted:
        raise InputError(f"there is no built-in city {name!r}; known are {', '.join(BUILTIN_CITIES)}.", name=name)


@overload
def builtin(name: Literal["nyc-taxi"]) -> ExactCounts: ...


@overload
def builtin(name: Literal["nyc-trips"]) -> ExactPoints: ...


@overload
def builtin(name: str) -> Any: ...


def builtin(name: str) -> Any:
    """The exact data of an embedded city: counts ("nyc-taxi"), or trips in four dimensions ("nyc-trips")."""
    return load_points(name) if name == "nyc-trips" else load_counts(name)


def _hours(hours: Iterable[int] | None) -> tuple[int, ...]:
    if hours is None:
        return tuple(range(HOURS))
    wanted = list(hours)
    whole = all(isinstance(hour, int | np.integer) and not isinstance(hour, bool) for hour in wanted)
    if not wanted or not whole or min(wanted) < 0 or max(wanted) >= HOURS:
        raise InputError(f"hours={wanted!r}: give one or more whole hours of the day, 0 to 23.", hours=wanted)
    return tuple(sorted({int(hour) for hour in wanted}))


@lru_cache(maxsize=HOURS)
def _taxi_counts(hours: tuple[int, ...]) -> ExactCounts:
    with np.load(data_file("nyc-taxi.npz"), allow_pickle=False) as archive:
        by_hour = archive["counts"]
    return ExactCounts.from_array(Grid(BUILTIN_BOX, BUILTIN_SIDE), by_hour[list(hours)].sum(axis=0, dtype=np.int64))


@lru_cache(maxsize=1)
def _trip_points() -> ExactPoints:
    with open(data_file("nyc-trips.parquet"), "rb") as stream:
        table = pq.read_table(stream)
    one_end = BUILTIN_BOX.frame
    frame = Frame(
        names=("pickup_lon", "pickup_lat", "dropoff_lon", "dropoff_lat"),
        low=one_end.low * 2,
        high=one_end.high * 2,
        scale=one_end.scale * 2,
        metric="m",
    )
    columns = [table.column(name).to_numpy().astype(np.float64) for name in frame.names]
    return ExactPoints.from_array(frame, np.column_stack(columns))


def builtin_by_hour(name: str = "nyc-taxi") -> tuple[ExactCounts, Parts]:
    """The built-in drop-offs by hour on one sheet: public data, as they come."""
    parts = Parts(box=BUILTIN_BOX, side=BUILTIN_SIDE, divisions=(Division(by="hour", zone="America/New_York"),))
    if name != "nyc-taxi":
        raise InputError(f"{name!r} has no times; nyc-taxi is the built-in city that is counted by hour.")
    side = parts.sheet.side
    sheet = np.zeros((side, side), dtype=np.int64)
    for hour in range(len(parts.names)):
        row, column = parts.corner(hour)
        sheet[row : row + parts.side, column : column + parts.side] = load_counts(name, hours=[hour]).exact_cells
    return ExactCounts.from_array(parts.sheet, sheet), parts


def parse_box(box: Any) -> GeoBox | PlainBox:
    """The public box; an error that says how to write one."""
    if isinstance(box, GeoBox | PlainBox):
        return box
    if isinstance(box, str):
        return _from_text(box)
    if isinstance(box, Sequence | np.ndarray) and len(box) == 4:
        return GeoBox(*box)
    raise InputError(
        f"box={box!r} is not a box; give dpviz.GeoBox(west, south, east, north), four numbers in that order, "
        "or the name of a built-in city."
    )


def _from_text(text: str) -> GeoBox:
    if any(c.isdigit() for c in text) and ("," in text or ";" in text):
        return GeoBox.parse(text)
    named = {**CITY_BOXES, **dict.fromkeys(BUILTIN_CITIES, BUILTIN_BOX)}
    listed = {_plain(name): box for name, box in named.items()}
    if (found := listed.get(_plain(text)) or _box_of_town(text)) is not None:
        return found
    known = "; ".join(sorted(CITY_BOXES))
    raise InputError(f"box {text!r} is neither west,south,east,north nor a known city. Known are: {known}.", box=text)


def _box_of_town(text: str) -> GeoBox | None:
    """A square around a town of the bundled names: public, and made without a look at any record."""
    found = world.called(text)
    if not len(found) or found.inhabitants[0] < SMALLEST_TOWN:
        return None
    across_m = LARGE_BOX_M if found.inhabitants[0] >= LARGE_TOWN else TOWN_BOX_M
    return GeoBox(*world.box_around(found.lon[0], found.lat[0], across_m=across_m))


def _plain(name: str) -> str:
    return "".join(c for c in name.casefold() if c.isalnum())
