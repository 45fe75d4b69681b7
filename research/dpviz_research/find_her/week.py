"""The made-up person of the Demo and her week. The city around her is real and public; she is not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import ExactCounts, GeoBox, Grid

PERSON: Final = "Mara"
HOME, WORK, CLINIC, FRIEND, MUSEUM = "home", "work", "clinic", "friend", "museum"


@dataclass(frozen=True, kw_only=True)
class Place:
    """A door of hers. No real person, practice or firm is meant: the squares were picked for being quiet."""

    name: str
    lon: float
    lat: float


PLACES: Final = (
    Place(name=HOME, lon=-73.95186, lat=40.72480),
    Place(name=WORK, lon=-73.97471, lat=40.75488),
    Place(name=CLINIC, lon=-73.92314, lat=40.74317),
    Place(name=FRIEND, lon=-73.92432, lat=40.76191),
    Place(name=MUSEUM, lon=-73.97373, lat=40.78145),
)


@dataclass(frozen=True, kw_only=True)
class Trip:
    """One ride of hers."""

    day: str
    hour: int
    minute: int
    start: str
    end: str


_WORKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri")
WEEK: Final = (
    *(Trip(day=day, hour=8, minute=10 + at, start=HOME, end=WORK) for at, day in enumerate(_WORKDAYS)),
    *(Trip(day=day, hour=17, minute=30 + at, start=WORK, end=CLINIC) for at, day in enumerate(_WORKDAYS)),
    *(Trip(day=day, hour=18, minute=40 + at, start=CLINIC, end=HOME) for at, day in enumerate(_WORKDAYS)),
    Trip(day="Thu", hour=22, minute=30, start=HOME, end=FRIEND),
    Trip(day="Fri", hour=2, minute=10, start=FRIEND, end=HOME),
    Trip(day="Sat", hour=23, minute=5, start=HOME, end=FRIEND),
    Trip(day="Sun", hour=3, minute=20, start=FRIEND, end=HOME),
    Trip(day="Sun", hour=14, minute=0, start=HOME, end=MUSEUM),
)
CAP: Final = len(WEEK)  # so many trips of a person are protected together


def place(name: str) -> Place:
    """One of her places by its name."""
    return next(found for found in PLACES if found.name == name)


def drop_offs() -> dict[str, int]:
    """How many of her trips end at each of her places."""
    return {found.name: sum(trip.end == found.name for trip in WEEK) for found in PLACES}


def ends() -> NDArray[np.float64]:
    """Her trips as (pick-up lon, lat, drop-off lon, lat), each a few metres from the door, as a receiver has it."""
    rows = []
    for at, trip in enumerate(WEEK):
        start, end = place(trip.start), place(trip.end)
        off = [((at * step) % 7 - 3) * 3e-5 for step in (2, 3, 4, 5)]  # at most 10 m
        rows.append([start.lon + off[0], start.lat + off[1], end.lon + off[2], end.lat + off[3]])
    return np.array(rows)


def cells_of_hers(grid: Grid, hours: frozenset[int] | None = None) -> NDArray[np.int64]:
    """Her drop-offs as counts on a grid, of all hours or of some."""
    cells = np.zeros((grid.side, grid.side), np.int64)
    for trip in WEEK:
        if hours is None or trip.hour in hours:
            found = place(trip.end)
            row, column = cell_of(grid, found.lon, found.lat)
            cells[row, column] += 1
    return cells


def cell_of(grid: Grid, lon: float, lat: float) -> tuple[int, int]:
    """Row (0 = north) and column of the square that holds a place."""
    box = grid.box
    assert isinstance(box, GeoBox)
    column = int((lon - box.west) / (box.east - box.west) * grid.side)
    row = int((box.north - lat) / (box.north - box.south) * grid.side)
    return row, column


def with_her(counts: ExactCounts, hours: frozenset[int] | None = None) -> ExactCounts:
    """The same counts, her drop-offs added."""
    return ExactCounts.from_array(counts.grid, counts.exact_cells + cells_of_hers(counts.grid, hours), unit=counts.unit)
