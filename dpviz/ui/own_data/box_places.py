"""The public box of a place that was typed, before anything is opened. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from dpviz.basemap import world
from dpviz.domain import GeoBox
from dpviz.drawing.map_view import width_m
from dpviz.ui.map.view import Box


@dataclass(frozen=True, kw_only=True)
class Found:
    """A place that bears the typed name."""

    name: str
    lon: float
    lat: float
    inhabitants: int

    def box(self, across_km: float) -> GeoBox:
        """A square around it."""
        return GeoBox(*world.box_around(self.lon, self.lat, across_m=1000.0 * across_km))


def places_called(text: str, most: int = 6) -> list[Found]:
    """Places whose name begins like this, the largest first."""
    known = world.search(text, most=most)
    return [
        Found(name=name, lon=float(lon), lat=float(lat), inhabitants=int(people))
        for name, lon, lat, people in zip(known.names, known.lon, known.lat, known.inhabitants, strict=True)
    ]


def width_km(box: Box) -> float:
    """How wide the box is."""
    return width_m((box.west, box.south, box.east, box.north)) / 1000.0
