"""Named areas on the map, and outlines of public regions: the cells they touch, and how to read GeoJSON."""

from __future__ import annotations

import json
import math
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpviz.domain.box import Frame
from dpviz.errors import InputError

Ring = tuple[tuple[float, float], ...]
Polygon = tuple[Ring, ...]  # the outer ring, then holes; the closing corner is left out
LONGEST_NAME = 60
MOST_REGIONS = 50
MOST_CORNERS = 20_000
LARGEST_TEXT = 8 * 2**20
ELSEWHERE = "elsewhere"  # the name of the part that lies in no region
_IN_NAMES = " _-–.,'’()/&"
_WIDER = 1e-6  # cells: edges are widened by this much, so that rounding can only add cells to a region


@dataclass(frozen=True, kw_only=True)
class Outline:
    """A named public region of the plane. A point is inside when it is inside any of the polygons."""

    name: str
    polygons: tuple[Polygon, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", checked_name(self.name))
        polygons = tuple(
            tuple(tuple(_corner(corner, self.name) for corner in ring) for ring in polygon) for polygon in self.polygons
        )
        if not polygons or any(not polygon or any(len(ring) < 3 for ring in polygon) for polygon in polygons):
            raise InputError(f"region {self.name!r} needs one polygon or more, each ring with at least 3 corners.")
        if sum(len(ring) for polygon in polygons for ring in polygon) > MOST_CORNERS:
            raise InputError(f"region {self.name!r} has more than {MOST_CORNERS:,} corners; simplify its outline.")
        object.__setattr__(self, "polygons", polygons)

    def touched(self, frame: Frame, side: int) -> NDArray[np.bool_]:
        """The cells that this region meets, (side, side), row 0 = north: every point inside it lies in one of them."""
        up = np.zeros((side, side), dtype=np.bool_)  # row 0 = south until the end
        low, high = np.asarray(frame.low), np.asarray(frame.high)
        for polygon in self.polygons:
            rings = [(np.asarray(ring) - low) * (side / (high - low)) for ring in polygon]
            corners = np.concatenate(rings)
            first = np.clip(np.floor(corners.min(axis=0)) - 1, 0, side).astype(np.int64)
            last = np.clip(np.ceil(corners.max(axis=0)) + 1, 0, side).astype(np.int64)
            if (first >= last).any():
                continue
            window = up[first[1] : last[1], first[0] : last[0]]  # a view: only cells near the polygon are looked at
            shifted = [ring - first for ring in rings]
            window |= _centers_inside(shifted, window.shape)
            for ring in shifted:
                _mark_edges(ring, window)
        return up[::-1]


def checked_name(name: Any) -> str:
    """A region's name: short plain text, safe in every file and on every screen."""
    text = unicodedata.normalize("NFC", name).strip() if isinstance(name, str) else ""
    plain = all(letter.isalnum() or letter in _IN_NAMES or unicodedata.category(letter) in _MARKS for letter in text)
    if not text or not plain or len(text) > LONGEST_NAME:
        raise InputError(
            f"{str(name)[:80]!a} cannot name a region; use 1 to {LONGEST_NAME} letters, digits, spaces and "
            "the signs _ - . , ' ( ) / &"
        )
    if text.casefold() == ELSEWHERE:
        raise InputError(f"a region cannot be named {text!r}: that is what lies in no region. Give another name.")
    return text


_MARKS = ("Mn", "Mc")  # accents and vowel signs that letters of many languages are written with


def outlines_from_geojson(content: str | bytes) -> list[tuple[Outline, Mapping[str, Any]]]:
    """The polygons of a GeoJSON text, each with its properties. Coordinates are longitude, latitude in degrees."""
    if len(content) > LARGEST_TEXT:
        raise InputError(f"the GeoJSON of regions is larger than {LARGEST_TEXT // 2**20} MB; simplify its outlines.")
    try:
        text = content.decode("utf-8-sig") if isinstance(content, bytes) else content.removeprefix("\ufeff")
        document = json.loads(text, object_pairs_hook=_without_doubles, parse_constant=_refuse_constant)
    except InputError:
        raise
    except (ValueError, RecursionError):
        raise InputError("the regions are not a GeoJSON text (JSON, UTF-8); export them as GeoJSON again.") from None
    features = _features(document)
    if not 1 <= len(features) <= MOST_REGIONS:
        raise InputError(f"the GeoJSON holds {len(features)} features; give 1 to {MOST_REGIONS} polygons.")
    return [_outline(feature, number) for number, feature in enumerate(features, start=1)]


def _features(document: Any) -> list[Any]:
    kind = document.get("type") if isinstance(document, dict) else None
    if kind == "Feature":
        return [document]
    found = document.get("features") if kind == "FeatureCollection" else None
    if not isinstance(found, list):
        raise InputError("the regions are no GeoJSON FeatureCollection; give one, or a single Feature.")
    if "crs" in document and "CRS84" not in str(document["crs"]) and "4326" not in str(document["crs"]):
        raise InputError("the regions are in another coordinate system; export them in degrees (WGS 84, EPSG:4326).")
    return found


def _outline(feature: Any, number: int) -> tuple[Outline, Mapping[str, Any]]:
    if not isinstance(feature, dict) or feature.get("type") != "Feature":
        raise InputError(f"feature {number} of the regions is no GeoJSON Feature.")
    properties = feature.get("properties") or {}
    geometry = feature.get("geometry")
    if not isinstance(properties, dict) or not isinstance(geometry, dict):
        raise InputError(f"feature {number} of the regions has no geometry, or properties that are no object.")
    kind, coordinates = geometry.get("type"), geometry.get("coordinates")
    if kind not in ("Polygon", "MultiPolygon"):
        raise InputError(f"feature {number} of the regions is a {str(kind)[:40]!a}; give Polygon or MultiPolygon.")
    name, where = properties.get("name"), f"feature {number} of the regions"
    listed = _listed([coordinates] if kind == "Polygon" else coordinates, where)
    polygons = tuple(tuple(_ring(ring, where) for ring in _listed(polygon, where)) for polygon in listed)
    return Outline(name=f"region {number}" if name is None else name, polygons=polygons), properties


def _listed(value: Any, where: str) -> list[Any]:
    if not isinstance(value, list) or not value:
        raise InputError(f"{where}: its coordinates are not nested as GeoJSON polygons are.")
    return value


def _ring(ring: Any, where: str) -> Ring:
    corners = []
    for corner in _listed(ring, where):
        pair = corner[:2] if isinstance(corner, list) else []
        if len(pair) != 2 or not all(isinstance(v, int | float) and not isinstance(v, bool) for v in pair):
            raise InputError(f"{where}: a corner is not written as [longitude, latitude].")
        if not (-180 <= pair[0] <= 180 and -90 <= pair[1] <= 90):
            raise InputError(
                f"{where}: a corner lies beyond 180 degrees of longitude or 90 of latitude; the order is longitude, "
                "latitude, both in degrees."
            )
        corners.append((float(pair[0]), float(pair[1])))
    if len(corners) < 4 or corners[0] != corners[-1]:
        raise InputError(f"{where}: a ring needs 4 corners or more, the last one equal to the first.")
    return tuple(corners[:-1])


def _corner(corner: Any, name: str) -> tuple[float, float]:
    try:
        x, y = (float(value) for value in corner)
    except (TypeError, ValueError):
        x = y = math.nan
    if not (math.isfinite(x) and math.isfinite(y)):
        raise InputError(f"region {name!r} has a corner that is not two finite numbers.")
    return x, y


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise InputError("the GeoJSON of regions says the same property twice; which one counts is unclear.")
    return found


def _refuse_constant(name: str) -> None:
    raise InputError(f"the GeoJSON of regions holds {name}, which is no number of JSON.")


def _centers_inside(rings: list[NDArray[np.float64]], shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Cells whose center has an odd number of edges to its east; coordinates in cells from the south-west corner."""
    high, wide = shape
    turns = np.zeros((high, wide + 1), dtype=np.int32)
    for ring in rings:
        for (u0, v0), (u1, v1) in zip(ring, np.roll(ring, -1, axis=0), strict=True):
            first, last = (min(max(math.ceil(v - 0.5), 0), high) for v in (min(v0, v1), max(v0, v1)))
            if first >= last:
                continue
            rows = np.arange(first, last)
            crossing = u0 + (rows + 0.5 - v0) * ((u1 - u0) / (v1 - v0))
            turns[rows, 0] += 1
            turns[rows, np.clip(np.ceil(crossing - 0.5), 0, wide).astype(np.int64)] -= 1
    return np.asarray(np.cumsum(turns[:, :-1], axis=1) % 2 == 1)


def _mark_edges(ring: NDArray[np.float64], marked: NDArray[np.bool_]) -> None:
    """Mark every cell that an edge of the ring runs through."""
    sides = np.array(marked.shape[::-1])
    for start, end in zip(ring, np.roll(ring, -1, axis=0), strict=True):
        along = end - start
        cuts = [np.array([0.0, 1.0])]
        for axis in range(2):
            near, far = sorted((start[axis], end[axis]))
            lines = np.arange(max(0, math.ceil(near)), min(sides[axis], math.floor(far)) + 1)
            if along[axis] != 0:
                cuts.append(np.clip((lines - start[axis]) / along[axis], 0.0, 1.0))
        cut = np.sort(np.concatenate(cuts))
        stops = np.concatenate([cut, (cut[1:] + cut[:-1]) / 2])
        places = start + stops[:, None] * along
        for shift in ((-_WIDER, -_WIDER), (-_WIDER, _WIDER), (_WIDER, -_WIDER), (_WIDER, _WIDER)):
            found = np.floor(places + shift)
            found = found[((found >= 0) & (found < sides)).all(axis=1)].astype(np.int64)
            marked[found[:, 1], found[:, 0]] = True


@dataclass(frozen=True, kw_only=True, eq=False)
class Area:
    """A named area in degrees: closed rings of (lon, lat), each (m, 2) with its closing corner left out.

    Islands and holes are simply further rings: a point is inside when a line to the east crosses an odd number of
    edges.
    """

    name: str
    rings: tuple[NDArray[np.float64], ...]

    @cached_property
    def bounds(self) -> tuple[float, float, float, float]:
        """West, south, east, north."""
        corners = np.concatenate(self.rings)
        (west, south), (east, north) = corners.min(axis=0), corners.max(axis=0)
        return float(west), float(south), float(east), float(north)

    @cached_property
    def edges(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Start and end of every edge, (m, 2) each."""
        return np.concatenate(self.rings), np.concatenate([np.roll(ring, -1, axis=0) for ring in self.rings])

    def contains(self, lon: ArrayLike, lat: ArrayLike) -> NDArray[np.bool_]:
        """Which of the points lie inside; same shape as the points."""
        x, y = np.broadcast_arrays(np.asarray(lon, dtype=np.float64), np.asarray(lat, dtype=np.float64))
        west, south, east, north = self.bounds
        inside = np.zeros(x.shape, dtype=np.bool_)
        near = (x >= west) & (x <= east) & (y >= south) & (y <= north)
        x, y = x[near], y[near]
        odd = np.zeros(len(x), dtype=np.bool_)
        for (x0, y0), (x1, y1) in zip(*self.edges, strict=True) if len(x) else ():
            if y0 != y1:
                odd ^= ((y0 > y) != (y1 > y)) & (x < x0 + (y - y0) * ((x1 - x0) / (y1 - y0)))
        inside[near] = odd
        return inside
