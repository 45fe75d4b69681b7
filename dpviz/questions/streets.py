"""How many records are nearest to each street of a map, with ranges. Post-processing.

A cell is divided among the streets in it by their length there; a cell without a street belongs to the one nearest to
its middle. How busy each street in a cell is was never measured, so the range of a street that shares its cells with
others is wide. Where that exceeds the number itself, the cells are too coarse to say anything about single streets.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dpviz.basemap.extracts import read_streets
from dpviz.errors import InputError, NotOffered, extra_needed
from dpviz.questions.answers import Asked, is_coarse, range_table
from dpviz.questions.counts import countable_cells
from dpviz.questions.noise_model import NINETY
from dpviz.releases.release import Release

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
UNEVEN = 1.0  # how much streets differ in records per metre, as a share of the mean; chosen on a made-up city
SIDE = 2048  # places along streets are at most so small a part of the box apart
MOST_STREETS, MOST_PLACES = 200_000, 1 << 25


def count_streets(release: Release, streets: Any, *, end: str | None = None) -> pd.DataFrame:
    """About how many records are nearest to each street: street, length_m, estimate, low, high and note.

    `streets`: a map file (GeoPackage, GeoJSON, Shapefile, FlatGeobuf, PMTiles, .osm.pbf), GeoJSON, or a GeoDataFrame of
    lines in degrees. Every line is a street; its range holds the number in about 90 of 100 draws of the noise.
    """
    asked = countable_cells(release, end)
    frame = asked.tree.frame
    if frame.dims != 2 or frame.metric != "m":
        raise NotOffered("streets lie on a map, and this release is not of places in degrees.")
    with extra_needed():
        shapely: Any = importlib.import_module("shapely")
    names, lines = _lines(streets, (*frame.low, *frame.high))
    if not 0 < len(lines) <= MOST_STREETS:
        raise InputError(
            f"{len(lines):,} streets lie in the public box; give a map with 1 to {MOST_STREETS:,} of them."
        )
    local = shapely.transform(np.array(lines, dtype=object), frame.to_local)
    street, cell, share = _shares(asked, local, shapely)
    starts = np.searchsorted(street, np.arange(len(names) + 1)).astype(np.int64)
    count = asked.tree.count[cell]
    estimate = np.bincount(street, weights=share * count, minlength=len(names)).astype(np.float64)
    noise = asked.model.variances(starts, cell, share)[0]
    held = np.maximum(count, 0.0)
    # A street that is busier than its neighbours is so in one cell after the other: errors add up along it.
    shared = np.bincount(street, weights=share * (1.0 - share) * held, minlength=len(names)).astype(np.float64)
    inside = np.square(UNEVEN * shared) + shared
    told = {"street": names, "length_m": np.round(shapely.length(local), 1)}
    return range_table(told, estimate, NINETY * np.sqrt(noise + inside), is_coarse(estimate, inside))


def _lines(streets: Any, box: tuple[float, ...]) -> tuple[list[str], list[Any]]:
    """Names and lines in degrees, cut to the box."""
    shapely: Any = importlib.import_module("shapely")
    if isinstance(streets, str | Path) and not str(streets).lstrip().startswith("{"):
        return read_streets(Path(streets), box)  # type: ignore[arg-type]
    if getattr(streets, "crs", None) is not None and hasattr(streets, "to_crs"):
        streets = streets.to_crs(4326)
    try:
        document: Any = (
            json.loads(streets) if isinstance(streets, str) else getattr(streets, "__geo_interface__", streets)
        )
        features: Iterable[Any] = document.get("features", [document])
        found = [(_name(one), shapely.from_geojson(json.dumps(one.get("geometry", one)))) for one in features]
    except (ValueError, KeyError, TypeError, AttributeError, shapely.GEOSException):
        raise InputError("the streets are no GeoJSON of lines; give a map file, GeoJSON or a GeoDataFrame.") from None
    kept = [(name, shapely.clip_by_rect(line, *box)) for name, line in found if shapely.get_dimensions(line) == 1]
    kept = [(name, line) for name, line in kept if not shapely.is_empty(line)]
    return [name for name, _ in kept], [line for _, line in kept]


def _name(feature: Mapping[str, Any]) -> str:
    return str((feature.get("properties") or {}).get("name") or "")


def _shares(asked: Asked, lines: NDArray[Any], shapely: Any) -> tuple[Integers, Integers, Floats]:
    """Which cells belong to which street, by street: street, cell, share of the cell."""
    tree, frame = asked.tree, asked.tree.frame
    parts, owner = shapely.get_parts(lines, return_index=True)
    long = shapely.length(parts)
    step = float(frame.extent.min()) / SIDE
    if float(long.sum()) / step > MOST_PLACES:
        raise InputError("the streets are too long together for this box; give a map of this city alone.")
    many = np.maximum(np.ceil(long / step), 1).astype(np.int64)
    line = np.repeat(np.arange(len(parts)), many)
    at = np.arange(len(line)) - np.repeat(np.cumsum(many) - many, many)
    places = shapely.get_coordinates(
        shapely.line_interpolate_point(parts[line], (at + 0.5) / many[line], normalized=True)
    )
    blocks = np.clip(places / frame.extent * SIDE, 0, SIDE - 1).astype(np.int64)
    cells = len(tree)
    keys = owner[line] * cells + _cell_of_blocks(asked)[blocks[:, 1], blocks[:, 0]]
    pairs, back = np.unique(keys, return_inverse=True)
    held = np.bincount(back, weights=(long / many)[line])
    street, cell = np.divmod(pairs, cells)
    empty = np.setdiff1d(np.arange(cells), cell)
    middle = frame.to_local((tree.low[tree.cell] + tree.high[tree.cell])[empty] / 2.0)
    nearest = shapely.STRtree(lines).nearest(shapely.points(middle)) if len(empty) else empty
    whole = np.bincount(cell, weights=held, minlength=cells)[cell]
    share = np.divide(held, whole, out=np.zeros(len(held)), where=whole > 0.0)
    street, cell = np.concatenate([street, nearest]), np.concatenate([cell, empty])
    share = np.concatenate([share, np.ones(len(empty))])
    order = np.argsort(street, kind="stable")
    return street[order], cell[order], share[order]


def _cell_of_blocks(asked: Asked) -> Integers:
    """The cell of each block of a grid of `SIDE` over the box, row 0 in the south."""
    tree, frame = asked.tree, asked.tree.frame
    low, high = np.asarray(frame.low), np.asarray(frame.high)
    first, last = (
        np.rint((side[tree.cell] - low) / (high - low) * SIDE).astype(np.int64) for side in (tree.low, tree.high)
    )
    first = np.minimum(first, SIDE - 1)
    size = np.maximum(last - first, 1)
    found = np.zeros((SIDE, SIDE), np.int64)
    for wide, tall in np.unique(size, axis=0):
        chosen = np.flatnonzero((size == [wide, tall]).all(axis=1))
        rows = first[chosen, 1][:, None, None] + np.arange(tall)[:, None]
        found[rows, first[chosen, 0][:, None, None] + np.arange(wide)] = chosen[:, None, None]
    return found
