"""Polygons of GeoJSON documents as named rings: geometries, features, collections, and what gives them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz.domain.overlap import Rings
from dpviz.errors import InputError

Floats = NDArray[np.float64]
LARGEST_TEXT = 256 * 2**20
MOST_PARTS = 4_000_000  # values of a document, some 70 bytes each once it is read; a corner has three
_NAMES = ("name", "Name", "NAME", "label", "title", "id")


def areas_of_text(content: str | bytes) -> list[tuple[str, Rings]]:
    """The areas of a GeoJSON text."""
    if len(content) > LARGEST_TEXT:
        raise InputError(f"the GeoJSON of areas is larger than {LARGEST_TEXT // 2**20} MB; simplify its outlines.")
    refuse_many_parts(content)
    try:
        document = json.loads(content.decode("utf-8-sig") if isinstance(content, bytes) else content)
    except (ValueError, RecursionError):
        raise InputError("the areas are not a GeoJSON text (JSON, UTF-8); export them as GeoJSON again.") from None
    return areas_of_geojson(document)


def refuse_many_parts(content: str | bytes) -> None:
    """A small text of very many values takes twenty times its size once it is read."""
    signs: tuple[Any, ...] = (b"[", b"{", b",") if isinstance(content, bytes) else ("[", "{", ",")
    if sum(content.count(sign) for sign in signs) > MOST_PARTS:
        raise InputError(f"the GeoJSON text has more than {MOST_PARTS:,} parts; simplify its outlines.")


def areas_of_geojson(document: Any) -> list[tuple[str, Rings]]:
    """One area for each feature, or one for a single geometry."""
    kind = document.get("type") if isinstance(document, Mapping) else None
    if kind == "FeatureCollection":
        system = str(document.get("crs") or "")
        if system and "CRS84" not in system and "4326" not in system:
            raise InputError(
                "the areas are in another coordinate system; export them in longitude and latitude (WGS 84, EPSG:4326)."
            )
        features = document.get("features")
        if not isinstance(features, list | tuple):
            raise InputError("the FeatureCollection of areas has no list of features; export it again.")
        return [_feature(feature, f"area {number}") for number, feature in enumerate(features, start=1)]
    return [_feature(document, "area")] if kind == "Feature" else [("area", tuple(_rings(document, "the area")))]


def _feature(feature: Any, fallback: str) -> tuple[str, Rings]:
    if not isinstance(feature, Mapping) or feature.get("type") != "Feature":
        raise InputError(f"{fallback} is no GeoJSON Feature.")
    properties = feature.get("properties") or {}
    named = [
        properties[key] for key in _NAMES if isinstance(properties, Mapping) and properties.get(key) not in (None, "")
    ]
    name = str(named[0]) if named else str(feature.get("id") or fallback)
    return name, tuple(_rings(feature.get("geometry"), f"the area {name!r}"))


def _rings(geometry: Any, where: str) -> Iterator[tuple[Floats, float]]:
    kind = geometry.get("type") if isinstance(geometry, Mapping) else None
    if kind == "GeometryCollection":
        for part in geometry.get("geometries") or ():
            yield from _rings(part, where)
        return
    if kind not in ("Polygon", "MultiPolygon"):
        said = "has no geometry" if geometry is None else f"is a {str(kind)[:40]!a}"
        raise InputError(f"{where} {said}; give Polygon or MultiPolygon.")
    assert geometry is not None
    coordinates = geometry.get("coordinates") or ()
    for polygon in [coordinates] if kind == "Polygon" else coordinates:
        if not isinstance(polygon, list | tuple) or not polygon:
            raise InputError(f"{where} is empty; leave it out or draw it again.")
        for number, ring in enumerate(polygon):
            yield _ring(ring, where), 1.0 if number == 0 else -1.0


def _ring(ring: Any, where: str) -> Floats:
    try:
        corners = np.array([corner[:2] for corner in ring], dtype=np.float64)
    except (TypeError, ValueError, IndexError):
        raise InputError(f"{where}: a ring is not a list of [longitude, latitude] corners.") from None
    if corners.ndim != 2 or corners.shape[1:] != (2,) or len(corners) < 3:
        raise InputError(f"{where}: a ring needs 3 corners or more, each [longitude, latitude].")
    return corners[:-1] if len(corners) > 3 and (corners[0] == corners[-1]).all() else corners
