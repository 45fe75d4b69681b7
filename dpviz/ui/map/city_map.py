"""The public map beneath: neighbourhood names, watched areas, water for small maps. Read from `data/basemap.json`.

Names are looked up on a fine picture of the neighbourhoods, painted once: 4,096 points cost microseconds each.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from PIL import Image, ImageDraw

from dpviz.basemap.embedded import basemap_file
from dpviz.domain.box import METRES_PER_DEGREE
from dpviz.drawing.map_view import Projection
from dpviz.drawing.svg_canvas import ring_path
from dpviz.errors import DpvizError
from dpviz.ui.map.view import Box, feature_collection

_STEP = 1e-5  # degrees of the whole numbers in the file
_PIXEL = 1e-4  # degrees of a pixel of the painted names: about 10 m
_NEAR_M = 1_500.0
Ring = NDArray[np.float64]
Polygon = tuple[Ring, ...]  # the outer ring, then holes; the closing corner is left out, as in the file


@dataclass(frozen=True, kw_only=True, eq=False)
class Area:
    """A named area that may be watched: pixels of the painted neighbourhoods, or a typed rectangle."""

    name: str
    box: Box
    painted: NDArray[np.int16] | None = None  # the map's own pixels over the box, row 0 = north; None: the whole box
    members: tuple[int, ...] = ()  # which of the painted numbers belong to it
    polygons: tuple[Polygon, ...] = ()  # its outline, for drawing

    @property
    def rings(self) -> tuple[Ring, ...]:
        """All rings of the outline, holes included: what lies inside an even number of them is outside."""
        return tuple(ring for polygon in self.polygons for ring in polygon)

    def contains(self, lon: ArrayLike, lat: ArrayLike) -> NDArray[np.bool_]:
        """Which points lie inside."""
        x, y = np.asarray(lon, dtype=np.float64), np.asarray(lat, dtype=np.float64)
        box = self.box
        within = (x >= box.west) & (x < box.east) & (y >= box.south) & (y < box.north)
        if self.painted is None:
            return within
        return np.isin(_painted(self.painted, box, x, y, outside=-1), self.members)


def rectangle(name: str, box: Box) -> Area:
    """A typed area."""
    ring = np.array([[box.west, box.south], [box.east, box.south], [box.east, box.north], [box.west, box.north]])
    return Area(name=name, box=box, polygons=((ring,),))


def _painted(
    picture: NDArray[Any], box: Box, x: NDArray[np.float64], y: NDArray[np.float64], *, outside: Any
) -> NDArray[Any]:
    """The pixel under each point."""
    high, wide = picture.shape
    column = np.floor((x - box.west) / (box.east - box.west) * wide)
    row = np.floor((box.north - y) / (box.north - box.south) * high)
    within = (column >= 0) & (column < wide) & (row >= 0) & (row < high)
    found = picture[np.where(within, row, 0).astype(np.int64), np.where(within, column, 0).astype(np.int64)]
    return np.where(within, found, outside)


@dataclass(frozen=True, kw_only=True)
class Neighbourhood:
    """A named part of the city."""

    name: str
    borough: str
    label: tuple[float, float]
    polygons: tuple[Polygon, ...] = field(repr=False)


@dataclass(frozen=True, kw_only=True, eq=False)
class Basemap:
    """What the embedded map knows about New York."""

    box: Box
    neighbourhoods: tuple[Neighbourhood, ...]
    labels: NDArray[np.float64]  # (n, 2)
    water: tuple[Polygon, ...]
    painted: NDArray[np.int16]  # index of the neighbourhood under each pixel, −1 for none
    parks: tuple[Polygon, ...]

    def covers(self, box: Box) -> bool:
        """Whether the middle of a public box lies where this map has names."""
        lon, lat = box.middle
        mine = self.box
        return mine.west <= lon <= mine.east and mine.south <= lat <= mine.north

    def place_names(
        self, lon: Sequence[float] | NDArray[np.float64], lat: Sequence[float] | NDArray[np.float64]
    ) -> list[str | None]:
        """The neighbourhood of each point; the nearest label within 1.5 km where a point lies in none."""
        x, y = np.asarray(lon, dtype=np.float64), np.asarray(lat, dtype=np.float64)
        found = _painted(self.painted, self.box, x, y, outside=-1).astype(np.int64)
        lost = np.flatnonzero(found < 0)
        if len(lost):
            east = (self.labels[None, :, 0] - x[lost, None]) * np.cos(np.radians(y[lost, None])) * METRES_PER_DEGREE
            apart = np.hypot(east, (self.labels[None, :, 1] - y[lost, None]) * METRES_PER_DEGREE)
            nearest = apart.argmin(axis=1)
            found[lost] = np.where(apart[np.arange(len(lost)), nearest] <= _NEAR_M, nearest, -1)
        return [None if number < 0 else self.neighbourhoods[number].name for number in found]

    def borough(self, name: str) -> Area:
        """A borough as an area to watch."""
        members = tuple(index for index, place in enumerate(self.neighbourhoods) if place.borough == name)
        return Area(name=name, box=self.box, painted=self.painted, members=members)

    def neighbourhood(self, name: str) -> Area:
        """One neighbourhood as an area."""
        members = tuple(index for index, place in enumerate(self.neighbourhoods) if place.name == name)
        polygons = tuple(polygon for index in members for polygon in self.neighbourhoods[index].polygons)
        return Area(name=name, box=self.box, painted=self.painted, members=members, polygons=polygons)

    def names_in(self, box: Box) -> list[str]:
        """The neighbourhoods whose label lies in a box."""
        return sorted(
            [
                place.name
                for place in self.neighbourhoods
                if place.borough and box.west <= place.label[0] <= box.east and box.south <= place.label[1] <= box.north
            ]
        )

    @property
    def boroughs(self) -> list[str]:
        """The names of the areas that can be watched."""
        return sorted({place.borough for place in self.neighbourhoods if place.borough})

    def geojson(self, box: Box) -> dict[str, Any]:
        """Land, parks and water around a box, for the stand-alone map of a release."""
        shapes = [("land", rectangle("", box).polygons[0])]
        shapes += [("park", rings) for rings in self.parks if _touches(rings, box)]
        shapes += [("water", rings) for rings in self.water if _touches(rings, box)]
        features = (({"kind": kind}, "Polygon", [_closed(ring) for ring in rings]) for kind, rings in shapes)
        return feature_collection(features)

    def water_path(self, box: Box, width: float, height: float) -> str:
        """The water as an SVG path on a small map of this box."""
        to_map = Projection(box=box.corners, width=width, height=height)
        return "".join(
            ring_path(np.clip(to_map(ring), -9.0, (width + 9.0, height + 9.0)).round())
            for rings in self.water
            if _touches(rings, box)
            for ring in rings
        )


def _touches(rings: Polygon, box: Box) -> bool:
    """Whether the rectangle around a polygon meets a box."""
    (west, south), (east, north) = rings[0].min(axis=0), rings[0].max(axis=0)
    return bool(west <= box.east and east >= box.west and south <= box.north and north >= box.south)


def nameless(
    lon: Sequence[float] | NDArray[np.float64], lat: Sequence[float] | NDArray[np.float64]
) -> list[str | None]:
    """Place names where there is no basemap."""
    return [None] * len(lon)


@lru_cache(maxsize=1)
def load() -> Basemap | None:
    """The embedded basemap, or None where its file is missing: everything works without."""
    try:
        return parse(basemap_file())
    except DpvizError:
        return None


def parse(document: Mapping[str, Any]) -> Basemap:
    """Read the file: rings are whole 1e-5 degrees, a corner and then differences."""
    inner = tuple(_place(entry) for entry in document["neighbourhoods"])
    places = (*(_place(entry) for entry in document["counties"]), *inner)  # painted in this order: the city on top
    corners = np.concatenate([ring for place in inner for polygon in place.polygons for ring in polygon])
    (west, south), (east, north) = corners.min(axis=0), corners.max(axis=0)
    box = Box(west=float(west), south=float(south), east=float(east), north=float(north))
    return Basemap(
        box=box,
        neighbourhoods=places,
        labels=np.array([place.label for place in places]),
        water=_polygons(document["drawn"]["water"]),
        parks=_polygons(document["drawn"]["park"]),
        painted=_paint(box, places),
    )


def _place(entry: Mapping[str, Any]) -> Neighbourhood:
    label = entry.get("label", (0.0, 0.0))  # counties have none and are never "near"
    return Neighbourhood(
        name=entry["name"],
        borough=entry.get("borough", ""),
        label=(float(label[0]), float(label[1])),
        polygons=_polygons(entry["shape"]),
    )


def _polygons(packed: Sequence[Sequence[Sequence[int]]]) -> tuple[Polygon, ...]:
    return tuple(tuple(_ring(ring) for ring in polygon) for polygon in packed)


def _ring(differences: Sequence[int]) -> Ring:
    return np.asarray(np.cumsum(np.reshape(differences, (-1, 2)), axis=0) * _STEP, dtype=np.float64)


def _closed(ring: Ring) -> list[list[float]]:
    """A ring as GeoJSON wants it: at least four places, the last one the first again."""
    places: list[list[float]] = ring.round(5).tolist()
    return places if len(places) > 3 and places[0] == places[-1] else [*places, places[0]]


def _paint(box: Box, places: tuple[Neighbourhood, ...]) -> NDArray[np.int16]:
    """The number of the place under each pixel; what shows through a hole stays what it was."""
    wide, high = round((box.east - box.west) / _PIXEL), round((box.north - box.south) / _PIXEL)
    picture = Image.new("I;16", (wide, high), 0)
    brush = ImageDraw.Draw(picture)
    corner, scale = (
        np.array([box.west, box.north]),
        np.array([wide / (box.east - box.west), -high / (box.north - box.south)]),
    )
    for number, place in enumerate(places, start=1):
        for polygon in place.polygons:
            outer, *holes = ((ring - corner) * scale for ring in polygon)
            beneath = []
            for hole in holes:
                low, end = hole.min(axis=0).astype(int), hole.max(axis=0).astype(int) + 1
                around = (*low.tolist(), *end.tolist())
                mask = Image.new("1", tuple((end - low).tolist()), 0)
                ImageDraw.Draw(mask).polygon([*map(tuple, (hole - low).tolist())], fill=1)
                beneath.append((picture.crop(around), around, mask))
            brush.polygon([*map(tuple, outer.tolist())], fill=number)
            for before, around, mask in beneath:
                picture.paste(before, around, mask)
    return np.asarray(picture, dtype=np.int16) - np.int16(1)
