"""Convert coordinates to degrees of longitude and latitude, each row by itself.

Degrees of NAD83, ETRS89, GDA and the like differ from WGS 84 by a few metres and are taken as they are; PROJ (pyproj)
converts other systems. E7, longitudes from 0 to 360 and swapped columns are converted on request and never guessed.
"""

from __future__ import annotations

import importlib
import json
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz.errors import InputError, extra_needed, show_name

Axes = tuple[NDArray[np.float64], ...]
DEGREES = "degrees"  # stated as such, whatever the file says of itself
NAMED = {"e7": "degrees times ten million", "0-360": "longitudes from 0 to 360", "swapped": "latitude first"}
# Geographic systems that are WGS 84 to within a few metres, by their EPSG code.
_DEGREES = {"4326", "4979", "4269", "4258", "4617", "4283", "7844", "4167", "6318", "6319", "4937", "9000", "7912"}
_CRS84 = {"OGC:CRS84", "OGC:CRS84H", "OGC:CRS83", "OGC:CRS27"}


def checked_crs(text: str | None) -> str | None:
    """A conversion that was asked for, in its short spelling; None where nothing is to be converted."""
    if text is None:
        return None
    if not isinstance(text, str) or not text.strip():
        raise InputError(f"crs={text!r}: give a name such as 'EPSG:2263', or one of {', '.join(map(repr, NAMED))}.")
    plain = text.strip()
    if plain.casefold() in NAMED:
        return plain.casefold()
    if is_degrees(plain) or plain.casefold() == DEGREES:
        return DEGREES
    _transformer(plain)  # refused now, not at the first row
    return plain


def is_degrees(crs: str) -> bool:
    """Whether the name of a system means degrees that need no conversion."""
    upper = crs.upper().replace("URN:OGC:DEF:CRS:", "").replace("::", ":")
    if upper in _CRS84 or upper == "WGS84":
        return True
    authority, _, code = upper.rpartition(":")
    if authority.split(":")[0] in ("EPSG", "") and code.isdigit():
        return code in _DEGREES
    return "CRS84" in upper


def stated_system(crs: Any) -> str | None:
    """The system that a file states as PROJJSON, if it is none of degrees: by its code, or in full."""
    if not isinstance(crs, dict):
        return None
    known = crs.get("id")
    if isinstance(known, dict) and known.get("code") is not None:
        named = f"{known.get('authority')}:{known['code']}"
        return None if is_degrees(named) else named
    return None if str(crs.get("type", "")).startswith("Geographic") else json.dumps(crs)


def to_degrees(axes: Axes, crs: str | None) -> Axes:
    """Every pair of axes, longitude first, in degrees; rows that cannot be converted become NaN."""
    if crs is None or crs == DEGREES:
        return axes
    found: list[NDArray[np.float64]] = []
    for x, y in zip(axes[::2], axes[1::2], strict=True):
        found += _pair(x, y, crs)
    return tuple(found)


def _pair(x: NDArray[np.float64], y: NDArray[np.float64], crs: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    if crs == "swapped":
        return y, x
    if crs == "e7":
        return x / 1e7, y / 1e7
    if crs == "0-360":
        return np.where(x > 180.0, x - 360.0, x), y
    lon, lat = _transformer(crs).transform(x, y, errcheck=False)
    lon, lat = np.asarray(lon, dtype=np.float64), np.asarray(lat, dtype=np.float64)
    wrong = ~(np.isfinite(lon) & np.isfinite(lat))
    return np.where(wrong, np.nan, lon), np.where(wrong, np.nan, lat)


@cache
def _transformer(crs: str) -> Any:
    with extra_needed():
        proj: Any = importlib.import_module("pyproj")
    try:
        return proj.Transformer.from_crs(proj.CRS.from_user_input(crs), "EPSG:4326", always_xy=True)
    except proj.exceptions.ProjError:
        raise InputError(
            f"crs={show_name(crs)[:60]!r} is not known; give a name such as 'EPSG:2263', or one of "
            f"{', '.join(map(repr, NAMED))}.",
            suggested_crs="EPSG",  # another code of this kind
        ) from None
