"""What a city map holds: areas, lines and names by kind, cut to the box that they are drawn in."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from dpviz.basemap.rings import Polygon
from dpviz.basemap.world import Places

AREAS: Final = ("land", "green", "water")  # in the order of drawing
LINES: Final = ("stream", "rail", "street", "road", "main road", "motorway")
MARGIN: Final = 1.0  # of the box's width and height, on every side: what a map shows around the box
Box = tuple[float, float, float, float]  # west, south, east, north


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
    return {
        "type": "Feature",
        "properties": {"kind": kind},
        "geometry": {"type": geometry, "coordinates": coordinates},
    }


def _closed(ring: NDArray[np.float64]) -> list[list[float]]:
    places: list[list[float]] = ring.round(5).tolist()
    return [*places, places[0]]
