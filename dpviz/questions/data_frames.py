"""Releases as frames of other libraries: GeoPandas, polars, xarray. Protected numbers alone, with what was promised."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from dpviz.domain.trip_ends import end_names
from dpviz.errors import InputError, NotOffered, extra_needed
from dpviz.questions.counts import count_areas
from dpviz.releases.release import Release

if TYPE_CHECKING:
    import geopandas
    import pandas as pd
    import polars
    import xarray


PARTS = ("centers", "coreset", "cells", "measurements")
BOXES = ("cells", "measurements")
LARGEST_SIDE = 256


def part_of(release: Release, what: str) -> pd.DataFrame:
    """One of the tables of a release."""
    if what not in PARTS:
        raise InputError(f"what={what!r}: give one of {', '.join(map(repr, PARTS))}.", what=what)
    found: pd.DataFrame | None = getattr(release, what)
    if found is None:
        raise NotOffered(
            f"this release was made by {release.method}, which gives no {what}; use release.centers, or publish with "
            "method='auto'."
        )
    return found


def as_polars(release: Release, what: str = "centers") -> polars.DataFrame:
    """The "centers", "coreset", "cells" or "measurements" as a polars frame."""
    with extra_needed():
        library = importlib.import_module("polars")
    table = part_of(release, what)
    return cast("polars.DataFrame", library.DataFrame({str(name): table[name].to_numpy() for name in table.columns}))


def as_geodataframe(release: Release, what: str = "centers") -> geopandas.GeoDataFrame:
    """The "centers", "coreset", "cells" or "measurements" with a geometry, in degrees (extra `geo`).

    A geometry is a point, the line from end to end of a trip, or the box of a cell.
    """
    with extra_needed():
        library = importlib.import_module("geopandas")
        shapely: Any = importlib.import_module("shapely")
    table, frame = part_of(release, what), release.frame
    if frame.metric != "m" or frame.dims not in (2, 4) or (what in BOXES and frame.dims != 2):
        raise NotOffered(
            "only places on a map have a geometry: centers and coresets of points or trips, and cells of points. "
            "release.centers and release.cells are plain tables of the same numbers."
        )
    if what in BOXES:
        geometry = shapely.box(*(table[side].to_numpy() for side in ("west", "south", "east", "north")))
        kept = table
    else:
        places = table[list(frame.names)].to_numpy()
        kept = table.drop(columns=list(frame.names)) if frame.dims == 4 else table
        geometry = shapely.points(places) if frame.dims == 2 else shapely.linestrings(places.reshape(-1, 2, 2))
    found: geopandas.GeoDataFrame = library.GeoDataFrame(kept, geometry=geometry, crs="EPSG:4326")
    found.attrs["guarantee"] = str(release.guarantee)
    return found


def as_grid(release: Release, side: int = 64) -> xarray.Dataset:
    """Counts on a grid of side × side squares: estimate, low, high (90 of 100 draws); north is up (extra `geo`)."""
    with extra_needed():
        library = importlib.import_module("xarray")
    frame = release.frame
    if frame.dims != 2:
        ends = " and ".join(end_names(frame)) if frame.dims == 4 else "its columns"
        raise NotOffered(f"a grid has two dimensions and this release {frame.dims} ({ends}); use release.table.")
    if isinstance(side, bool) or not isinstance(side, int | np.integer) or not 1 <= side <= LARGEST_SIDE:
        raise InputError(f"side={side!r}: give a whole number from 1 to {LARGEST_SIDE}.", side=side)
    edges = [np.linspace(frame.low[axis], frame.high[axis], int(side) + 1) for axis in (0, 1)]
    boxes = {
        f"{row},{column}": (edges[0][column], edges[1][row], edges[0][column + 1], edges[1][row + 1])
        for row in range(side)
        for column in range(side)
    }
    table = count_areas(release, boxes)
    x, y = frame.names
    middles = {y: (edges[1][:-1] + edges[1][1:]) / 2, x: (edges[0][:-1] + edges[0][1:]) / 2}
    numbers = {name: ((y, x), table[name].to_numpy().reshape(side, side)) for name in ("estimate", "low", "high")}
    facts = {"guarantee": str(release.guarantee), "range": "low to high holds the truth in 90 of 100 draws"}
    return cast("xarray.Dataset", library.Dataset(numbers, coords=middles, attrs=facts))
