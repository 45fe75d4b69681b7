"""The public map beneath a release: New York's own, a map that was added for the box, or the bundled world."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

import numpy as np

from dpviz.basemap.added_maps import city_map
from dpviz.basemap.embedded import load_basemap
from dpviz.basemap.rings import Polygon, cut
from dpviz.basemap.world import CityMap, Places, distinguish_names, place_names
from dpviz.domain import Frame
from dpviz.errors import DpvizError
from dpviz.releases.paths import user_data_folder

Box = tuple[float, float, float, float]
NEW_YORK: Final = "map © City of New York (neighbourhood tabulation areas), US Census Bureau, Natural Earth"
_GREEN: Final = ("park", "cemetery")
_NEAR_M: Final = 1_500.0


def box_of(frame: Frame) -> Box | None:
    """West, south, east, north of a frame on the map; None where the frame is no map of two dimensions."""
    if frame.metric != "m" or frame.dims != 2:
        return None
    return frame.low[0], frame.low[1], frame.high[0], frame.high[1]


def ground_of(box: Box) -> CityMap:
    """The map of a public box, cut to it. It is found by the box alone."""
    folder = user_data_folder() / "maps"
    return _ground(box, str(folder), folder.stat().st_mtime if folder.is_dir() else 0.0)


@lru_cache(maxsize=4)
def _ground(box: Box, folder: str, changed: float) -> CityMap:
    del changed  # part of the cache key: an added map is found at once
    from pathlib import Path

    new_york = _new_york(box)
    return new_york if new_york is not None else city_map(box, Path(folder))


def _new_york(box: Box) -> CityMap | None:
    try:
        known: Mapping[str, Any] = load_basemap()
    except DpvizError:  # installed without the built-in data: the world is drawn
        return None
    labels = known["labels"]
    lon, lat = (np.array([label[name] for label in labels], dtype=np.float64) for name in ("lon", "lat"))
    west, south, east, north = box
    inside = (lon >= west) & (lon <= east) & (lat >= south) & (lat <= north)
    if not inside.any():
        return None
    corners = np.array([[west, south], [east, south], [east, north], [west, north]])
    areas: dict[str, list[Polygon]] = {"land": [(corners,)], "green": [], "water": []}
    for kind, found in (*((name, "green") for name in _GREEN), ("water", "water")):
        pieces = (cut(tuple(np.asarray(ring) for ring in polygon), *box) for polygon in known[kind])
        areas[found] += [piece for piece in pieces if piece]
    kept = [label for label, here in zip(labels, inside, strict=True) if here and label["kind"] == "built-up"]
    places = Places(
        names=tuple(str(label["name"]) for label in kept),
        lon=np.array([label["lon"] for label in kept], dtype=np.float64),
        lat=np.array([label["lat"] for label in kept], dtype=np.float64),
        inhabitants=np.zeros(len(kept), dtype=np.int64),
    )
    return CityMap(box=box, areas=areas, places=places, credit=NEW_YORK)


def names_of_centers(city: CityMap, lon: Any, lat: Any) -> list[str]:
    """The place nearest to each center; empty where none is near."""
    return [name or "" for name in distinguish_names(place_names(city.places, lon, lat), lon, lat)]
