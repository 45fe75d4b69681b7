"""The neighbourhoods of New York that points lie in or near to, for records of published maps."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpviz.basemap.embedded import named_areas
from dpviz.domain.box import METRES_PER_DEGREE
from dpviz.domain.regions import Area

NEAR_M = 1_500.0  # a point in the water is still near a place this far away


def neighbourhoods(lons: ArrayLike, lats: ArrayLike) -> list[str | None]:
    """The neighbourhood of each point, or the nearest one within 1.5 km; None where no names are known."""
    x, y = np.asarray(lons, dtype=np.float64).ravel(), np.asarray(lats, dtype=np.float64).ravel()
    areas = named_areas()
    found = np.full(len(x), -1)
    for index, area in enumerate(areas):
        found[area.contains(x, y) & (found < 0)] = index
    lost = np.flatnonzero((found < 0) & np.isfinite(x) & np.isfinite(y))
    nearest = np.full(len(lost), NEAR_M)
    margin = NEAR_M / 80_000.0  # more than 1.5 km in degrees, in both directions
    for index, area in enumerate(areas):
        west, south, east, north = area.bounds
        u, v = x[lost], y[lost]
        near = (u > west - margin) & (u < east + margin) & (v > south - margin) & (v < north + margin)
        if near.any():
            distance = distance_m(area, u[near], v[near])
            closer = np.flatnonzero(near)[distance < nearest[near]]
            found[lost[closer]] = index
            nearest[near] = np.minimum(nearest[near], distance)
    return [None if index < 0 else areas[index].name for index in found.tolist()]


def distance_m(area: Area, lon: ArrayLike, lat: ArrayLike) -> NDArray[np.float64]:
    """Distance in metres from each point to the nearest edge of the area (inside or out)."""
    x, y = np.broadcast_arrays(np.asarray(lon, dtype=np.float64), np.asarray(lat, dtype=np.float64))
    _, south, _, north = area.bounds
    scale = np.array([METRES_PER_DEGREE * np.cos(np.radians((south + north) / 2)), METRES_PER_DEGREE])
    points = np.stack([x, y], axis=-1) * scale
    nearest = np.full(x.shape, np.inf)
    for start, end in zip(*(corner * scale for corner in area.edges), strict=True):
        along = end - start
        length = float(along @ along)
        share = np.clip((points - start) @ along / length, 0.0, 1.0) if length else np.zeros(x.shape)
        gap = points - (start + share[..., None] * along)
        nearest = np.minimum(nearest, np.hypot(gap[..., 0], gap[..., 1]))
    return nearest
