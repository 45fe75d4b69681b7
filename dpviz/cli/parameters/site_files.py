"""Plans of sites from files: tables with lon and lat, or GeoJSON points; a capacity where one is known."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from dpviz.domain import Frame
from dpviz.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

MOST_SITES = 1000


def read_sites(path: Path, frame: Frame) -> pd.DataFrame:
    """One row a site: lon, lat and capacity, NaN where it is not known."""
    import pandas as pd

    try:
        content = path.read_bytes()
    except OSError:
        raise InputError(f"{str(path)!r} cannot be read; give a table with lon and lat, or GeoJSON points.") from None
    try:
        table = _of_geojson(content) if content.lstrip()[:1] == b"{" else pd.read_csv(path)
    except (ValueError, KeyError, TypeError, AttributeError):
        raise InputError(
            f"{path.name!r} holds no sites that can be read; give a table (CSV) with the columns lon and lat, or a "
            "GeoJSON FeatureCollection of points."
        ) from None
    missing = [name for name in ("lon", "lat") if name not in table.columns]
    if missing:
        raise InputError(
            f"{path.name!r} lacks the columns {missing}; sites have lon and lat in degrees, and capacity where it is "
            "known."
        )
    if not 1 <= len(table) <= MOST_SITES:
        raise InputError(f"{path.name!r} holds {len(table):,} sites; give 1 to {MOST_SITES:,}.")
    if "capacity" not in table.columns:
        table["capacity"] = np.nan
    numbers: pd.DataFrame = table[["lon", "lat", "capacity"]].apply(pd.to_numeric, errors="coerce")
    _refuse_outside(path.name, numbers, frame)
    return numbers


def _of_geojson(content: bytes) -> pd.DataFrame:
    import pandas as pd

    rows = []
    for feature in json.loads(content)["features"]:
        lon, lat = feature["geometry"]["coordinates"][:2]
        told = feature.get("properties") or {}
        rows.append({"lon": float(lon), "lat": float(lat), "capacity": told.get("capacity")})
    return pd.DataFrame(rows, columns=["lon", "lat", "capacity"])


def _refuse_outside(name: str, sites: pd.DataFrame, frame: Frame) -> None:
    """Sites in the public box, of trips in that of the first end; a hint where the axes are swapped."""
    (west, south), (east, north) = frame.low[:2], frame.high[:2]
    lon, lat = sites["lon"], sites["lat"]
    inside = lon.between(west, east) & lat.between(south, north)
    if inside.all():
        return
    row = int(np.flatnonzero(~inside)[0])
    swapped = (lat.between(west, east) & lon.between(south, north)).all()
    hint = "with its two columns swapped it would lie inside" if swapped else "move it inside or leave it out"
    box = f"({west:g}, {south:g}, {east:g}, {north:g})"
    place = f"({lon.iloc[row]:g}, {lat.iloc[row]:g})"
    raise InputError(f"site {row + 1} of {name!r} {place} is not in the public box {box}; {hint}.")
