"""Public files of the embedded city: where they lie, and the basemap of New York. Reads no records."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import Frame
from dpviz.domain.regions import Area
from dpviz.errors import DpvizError, FileError


def find_data(name: str) -> Path | None:
    """A file of the built-in data: in the checkout, or in the installed package; None where it is missing."""
    package = Path(__file__).resolve().parents[1]
    return next((path for path in (package.parent / "data" / name, package / "_data" / name) if path.is_file()), None)


def data_file(name: str) -> Path:
    """As `find_data`; an error where the file is missing."""
    if (path := find_data(name)) is None:
        raise FileError(
            f"the built-in file {name!r} is missing; install dpviz again, or build it with data/build.py.", file=name
        )
    return path


@lru_cache(maxsize=1)
def basemap_file() -> Any:
    """The basemap of New York as it is stored."""
    return json.loads(data_file("basemap.json").read_text(encoding="utf-8"))


def unpacked(ring: list[int]) -> NDArray[np.float64]:
    """A packed ring (first corner, then differences, in whole 1e-5 degrees) as (m, 2) degrees."""
    return np.asarray(np.cumsum(np.reshape(ring, (-1, 2)), axis=0) / 1e5, dtype=np.float64)


@lru_cache(maxsize=1)
def load_basemap() -> dict[str, Any]:
    """The basemap of New York for pictures outside the browser. Draw: land colour, then park, cemetery, airport, water.

    `water`, `park`, `cemetery`, `airport`: lists of polygons, each a list of rings (outline, then holes) of [lon, lat];
    `labels`: name, borough, kind, lon, lat of every neighbourhood; `colours`: by theme; `region`: where the water ends.
    """
    file = basemap_file()
    drawn = {
        kind: [[unpacked(ring).tolist() for ring in polygon] for polygon in polygons]
        for kind, polygons in file["drawn"].items()
    }
    labels = [
        {**{fact: one[fact] for fact in ("name", "borough", "kind")}, "lon": one["label"][0], "lat": one["label"][1]}
        for one in file["neighbourhoods"]
    ]
    return {**drawn, "labels": labels, "colours": file["colours"], "region": tuple(file["region"])}


def builtin_basemap(frame: Frame) -> Mapping[str, Any] | None:
    """The built-in basemap, when the public box lies on it; a public choice from public numbers."""
    if frame.metric != "m" or frame.dims % 2:
        return None
    try:
        basemap = load_basemap()
    except DpvizError:  # installed without the built-in data: a map without land is still a map
        return None
    west, south, east, north = basemap["region"]
    lows, highs = np.reshape(frame.low, (-1, 2)), np.reshape(frame.high, (-1, 2))
    return basemap if (lows >= (west, south)).all() and (highs <= (east, north)).all() else None


def _area(entry: Mapping[str, Any]) -> Area:
    return Area(name=entry["name"], rings=tuple(unpacked(ring) for polygon in entry["shape"] for ring in polygon))


@lru_cache(maxsize=1)
def named_areas() -> tuple[Area, ...]:
    """The neighbourhoods and counties of the built-in map."""
    file = basemap_file()
    return tuple(_area(entry) for entry in (*file["neighbourhoods"], *file["counties"]))


@lru_cache(maxsize=1)
def watched_areas() -> dict[str, Area]:
    """Areas that a curator may watch ("how many coreset points lie outside Manhattan?")."""
    return {entry["name"]: _area(entry) for entry in basemap_file()["boroughs"]}
