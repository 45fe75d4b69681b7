"""The bundled map of the world: coast, lakes and rivers at some 250 m, and the names of places; what a map holds.

Files are read when a box first needs them, and only the blocks of five degrees that it touches. Origin: `data/DATA.md`.
"""

from __future__ import annotations

import contextlib
import zipfile
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpviz.basemap.embedded import find_data
from dpviz.basemap.rings import Polygon, cut, unpack
from dpviz.domain.box import METRES_PER_DEGREE

AREAS: Final = ("land", "green", "water")  # in the order of drawing
LINES: Final = ("stream", "rail", "street", "road", "main road", "motorway")
MARGIN: Final = 1.0  # of the box's width and height, on every side: what a map shows around the box
Box = tuple[float, float, float, float]  # west, south, east, north
BLOCK_DEGREES: Final = 5
TOWN: Final = 15_000  # inhabitants: towns from here on are found by their names in other languages too
CREDIT: Final = "coast and water © OpenStreetMap contributors (ODbL), names © GeoNames (CC BY 4.0)"
_KINDS = ("land", "water")
_BLOCKS_KEPT = 16
AT_M: Final = 1_500.0  # nearer than this to a place's middle a point bears its name
FARTHEST_M: Final = 40_000.0
_POINTS_AT_ONCE = 1_024  # bounds the memory of the distances
_WINDS = ("east", "north-east", "north", "north-west", "west", "south-west", "south", "south-east")


@dataclass(frozen=True, kw_only=True, eq=False)
class Places:
    """Named places with their numbers of inhabitants, the largest first."""

    names: tuple[str, ...]
    lon: NDArray[np.float64]
    lat: NDArray[np.float64]
    inhabitants: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.names)

    def within(self, west: float, south: float, east: float, north: float) -> Places:
        """Those inside a box."""
        inside = (self.lon >= west) & (self.lon <= east) & (self.lat >= south) & (self.lat <= north)
        return self.chosen(np.flatnonzero(inside))

    def chosen(self, rows: NDArray[np.int64]) -> Places:
        """Some of them, in the given order."""
        return Places(
            names=tuple(self.names[row] for row in rows),
            lon=self.lon[rows],
            lat=self.lat[rows],
            inhabitants=self.inhabitants[rows],
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class CityMap:
    """A map of the surroundings of one box. Everything in it is public."""

    box: Box
    areas: dict[str, list[Polygon]] = field(default_factory=dict)
    lines: dict[str, list[NDArray[np.float64]]] = field(default_factory=dict)
    places: Places
    credit: str

    @property
    def corners(self) -> int:
        """How many points are drawn: what a browser has to carry."""
        return count_corners(self.areas, self.lines)

    def geojson(self) -> dict[str, Any]:
        """Areas and lines as one collection, with their kind as property."""
        features = []
        for kind in AREAS:
            for polygon in self.areas.get(kind, []):
                features.append(_feature(kind, "Polygon", [_closed(ring) for ring in polygon]))
        for kind in LINES:
            features += [_feature(kind, "LineString", line.round(5).tolist()) for line in self.lines.get(kind, [])]
        return {"type": "FeatureCollection", "features": features}


def count_corners(areas: dict[str, list[Polygon]], lines: dict[str, list[NDArray[np.float64]]]) -> int:
    """How many points areas and lines have together."""
    drawn = sum(len(ring) for polygons in areas.values() for polygon in polygons for ring in polygon)
    return drawn + sum(len(line) for found in lines.values() for line in found)


def with_margin(box: Box) -> Box:
    """The box and what a map shows around it."""
    west, south, east, north = box
    wide, high = MARGIN * (east - west), MARGIN * (north - south)
    return max(west - wide, -180.0), max(south - high, -90.0), min(east + wide, 180.0), min(north + high, 90.0)


def _feature(kind: str, geometry: str, coordinates: list[Any]) -> dict[str, Any]:
    shape = {"type": geometry, "coordinates": coordinates}
    return {"type": "Feature", "properties": {"kind": kind}, "geometry": shape}


def _closed(ring: NDArray[np.float64]) -> list[list[float]]:
    places: list[list[float]] = ring.round(5).tolist()
    return [*places, places[0]]


def ground(west: float, south: float, east: float, north: float) -> dict[str, list[Polygon]]:
    """Land and inland water inside a box; an empty answer of both means open sea, or no bundled map."""
    found: dict[str, list[Polygon]] = {kind: [] for kind in _KINDS}
    columns = range(_block(west + 180), _block(min(east, 179.999) + 180) + 1)
    rows = range(_block(south + 90), _block(min(north, 89.999) + 90) + 1)
    for column in columns:
        for row in rows:
            for kind, polygons in _blocks(column, row).items():
                pieces = (cut(polygon, west, south, east, north) for polygon in polygons)
                found[kind] += [piece for piece in pieces if piece]
    return found


def _block(degrees: float) -> int:
    return int(degrees // BLOCK_DEGREES)


@lru_cache(maxsize=_BLOCKS_KEPT)
def _blocks(column: int, row: int) -> dict[str, list[Polygon]]:
    found: dict[str, list[Polygon]] = {}
    for kind in _KINDS:
        if (path := find_data(f"world-{kind}.zip")) is not None:
            with zipfile.ZipFile(path) as archive, contextlib.suppress(KeyError):  # no such block: nothing there
                found[kind] = unpack(archive.read(f"{column}-{row}"))
    return found


@lru_cache(maxsize=1)
def places() -> Places:
    """All named places of the bundled map; none where its file is missing."""
    if (path := find_data("places.npz")) is None:
        nothing = np.zeros(0)
        return Places(names=(), lon=nothing, lat=nothing, inhabitants=nothing.astype(np.int64))
    with np.load(path, allow_pickle=False) as stored:
        order = stored["order"]
        names = bytes(stored["names"]).decode("utf-8").split("\n")
        lon, lat = np.cumsum(stored["lon_steps"]) * 1e-4, np.cumsum(stored["lat_steps"]) * 1e-4
        inhabitants = stored["hundreds"].astype(np.int64) * 100
    return Places(names=tuple(names), lon=lon, lat=lat, inhabitants=inhabitants).chosen(order)


def search(text: str, *, most: int = 10) -> Places:
    """Places whose name begins with the text, without regard to case and accents; the largest first.

    A town's own name comes before its name in another language (Wien, Roma), and that before a village's.
    """
    known, wanted = places(), plain(text)
    if not wanted:
        return known.chosen(np.zeros(0, dtype=np.int64))
    spelled = _plain_names()
    exact = [row for row, name in enumerate(spelled) if wanted == name or ("/" in name and wanted in name.split("/"))]
    elsewhere = _called_elsewhere(wanted)
    towns = [row for row in exact if known.inhabitants[row] >= TOWN]
    begins = [row for row, name in enumerate(spelled) if name.startswith(wanted)]
    rows = dict.fromkeys([*towns, *elsewhere, *exact, *begins])
    return known.chosen(np.array(list(rows)[:most], dtype=np.int64))


def called(text: str) -> Places:
    """Places that are called just so, in their own or another language, in the order of `search`."""
    wanted, found = plain(text), search(text)
    elsewhere = {(places().lon[row], places().lat[row]) for row in _called_elsewhere(wanted)}
    rows = [
        row
        for row, name in enumerate(found.names)
        if wanted in (plain(name), *plain(name).split("/")) or (found.lon[row], found.lat[row]) in elsewhere
    ]
    return found.chosen(np.array(rows, dtype=np.int64))


def _called_elsewhere(wanted: str) -> list[int]:
    """Towns that are called so in another language, the largest first."""
    text = _other_names()
    found, start = [], text.find(wanted)
    while start >= 0 and len(wanted) > 1:
        end = start + len(wanted)
        if text[start - 1] in "\t\n" and text[end] in "\t\n":
            found.append(text.count("\n", 0, start) - 1)
        start = text.find(wanted, end)
    return found


@lru_cache(maxsize=1)
def _other_names() -> str:
    """A line a town, in the order of `places`, each name between tabs; nothing where the file is missing."""
    if (path := find_data("other-names.zip")) is None:
        return "\n\n"
    with zipfile.ZipFile(path) as archive:
        return "\n" + archive.read("names.txt").decode("utf-8") + "\n"


@lru_cache(maxsize=1)
def _plain_names() -> tuple[str, ...]:
    return tuple(plain(name) for name in places().names)


def plain(text: str) -> str:
    """Letters without accents and case, for comparing names that people type."""
    import unicodedata

    parts = unicodedata.normalize("NFKD", text.strip().casefold())
    return "".join(letter for letter in parts if not unicodedata.combining(letter))


def box_around(lon: float, lat: float, *, across_m: float) -> tuple[float, float, float, float]:
    """West, south, east, north of a square around a place: what a typed city's name proposes as public box."""
    high = across_m / METRES_PER_DEGREE / 2
    wide = high / max(float(np.cos(np.radians(lat))), 0.05)
    return round(lon - wide, 3), round(lat - high, 3), round(lon + wide, 3), round(lat + high, 3)


def place_names(places: Places, lon: ArrayLike, lat: ArrayLike) -> list[str | None]:
    """The nearest place of each point; how far from it and in which direction where it is not near; None far away."""
    x, y = np.asarray(lon, dtype=np.float64), np.asarray(lat, dtype=np.float64)
    if not len(places):
        return [None] * len(x)
    found: list[str | None] = []
    for start in range(0, len(x), _POINTS_AT_ONCE):
        part = slice(start, start + _POINTS_AT_ONCE)
        east = (x[part, None] - places.lon) * METRES_PER_DEGREE * np.cos(np.radians(y[part, None]))
        north = (y[part, None] - places.lat) * METRES_PER_DEGREE
        apart = np.hypot(east, north)
        found += [_name_from(places, *row) for row in zip(east, north, apart, apart.argmin(axis=1), strict=True)]
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


def _name_from(
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
