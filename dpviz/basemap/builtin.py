"""The built-in map of New York, where a public box lies on it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from dpviz.basemap.embedded import load_basemap
from dpviz.domain import Frame
from dpviz.errors import DpvizError


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
    inside = (lows >= (west, south)).all() and (highs <= (east, north)).all()
    return basemap if inside else None
