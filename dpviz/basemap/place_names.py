"""How a point is called by the places around it."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpviz.basemap.world import Places
from dpviz.domain.box import METRES_PER_DEGREE

AT_M: Final = 1_500.0  # nearer than this to a place's middle a point bears its name
FARTHEST_M: Final = 40_000.0
_AT_ONCE = 1_024  # points: bounds the memory of the distances
_WINDS = ("east", "north-east", "north", "north-west", "west", "south-west", "south", "south-east")


def place_names(places: Places, lon: ArrayLike, lat: ArrayLike) -> list[str | None]:
    """The nearest place of each point; how far from it and in which direction where it is not near; None far away."""
    x, y = np.asarray(lon, dtype=np.float64), np.asarray(lat, dtype=np.float64)
    if not len(places):
        return [None] * len(x)
    found: list[str | None] = []
    for start in range(0, len(x), _AT_ONCE):
        part = slice(start, start + _AT_ONCE)
        east = (x[part, None] - places.lon) * METRES_PER_DEGREE * np.cos(np.radians(y[part, None]))
        north = (y[part, None] - places.lat) * METRES_PER_DEGREE
        apart = np.hypot(east, north)
        found += [_name(places, *row) for row in zip(east, north, apart, apart.argmin(axis=1), strict=True)]
    return found


def distinguish_names(names: list[str | None], lon: ArrayLike, lat: ArrayLike) -> list[str | None]:
    """The same names, for a short list: where two points bear one, the word says which of them lies where."""
    x, y = np.asarray(lon, dtype=np.float64), np.asarray(lat, dtype=np.float64)
    found = list(names)
    for name in {name for name in names if name is not None and names.count(name) > 1}:
        rows = [row for row, other in enumerate(names) if other == name]
        east = (x[rows] - x[rows].mean()) * np.cos(np.radians(y[rows].mean()))
        for row, right, up in zip(rows, east, y[rows] - y[rows].mean(), strict=True):
            found[row] = f"{name}, {_wind(right, up)}"
    return found


def _wind(east: float, north: float) -> str:
    return _WINDS[round(float(np.arctan2(north, east)) / (np.pi / 4)) % len(_WINDS)]


def _name(
    places: Places, east: NDArray[np.float64], north: NDArray[np.float64], apart: NDArray[np.float64], nearest: int
) -> str | None:
    if apart[nearest] <= AT_M:
        return places.names[nearest]
    if apart[nearest] > FARTHEST_M:
        return None
    # Far from everything small, the larger of two places at a similar distance is the one that people know.
    similar = np.flatnonzero(apart <= 1.5 * apart[nearest])
    known = int(similar[places.inhabitants[similar].argmax()])
    wind = _wind(float(east[known]), float(north[known]))
    distance = float(apart[known])
    shown = f"{distance / 1000:.0f} km" if distance >= 9_500 else f"{distance / 1000:.1f} km"
    return f"{shown} {wind} of {places.names[known]}"
