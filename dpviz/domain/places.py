"""Named areas on the map: which points lie inside, and how far away the others are."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpviz.domain.box import METRES_PER_DEGREE


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
        if near.any():
            inside[near] = self._crossings_odd(x[near], y[near])
        return inside

    def _crossings_odd(self, x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.bool_]:
        odd = np.zeros(len(x), dtype=np.bool_)
        for (x0, y0), (x1, y1) in zip(*self.edges, strict=True):
            if y0 != y1:
                odd ^= ((y0 > y) != (y1 > y)) & (x < x0 + (y - y0) * ((x1 - x0) / (y1 - y0)))
        return odd

    def distance_m(self, lon: ArrayLike, lat: ArrayLike) -> NDArray[np.float64]:
        """Distance in metres from each point to the nearest edge of the area (inside or out)."""
        x, y = np.broadcast_arrays(np.asarray(lon, dtype=np.float64), np.asarray(lat, dtype=np.float64))
        _, south, _, north = self.bounds
        scale = np.array([METRES_PER_DEGREE * np.cos(np.radians((south + north) / 2)), METRES_PER_DEGREE])
        points = np.stack([x, y], axis=-1) * scale
        nearest = np.full(x.shape, np.inf)
        for start, end in zip(*(corner * scale for corner in self.edges), strict=True):
            along = end - start
            length = float(along @ along)
            share = np.clip((points - start) @ along / length, 0.0, 1.0) if length else np.zeros(x.shape)
            gap = points - (start + share[..., None] * along)
            nearest = np.minimum(nearest, np.hypot(gap[..., 0], gap[..., 1]))
        return nearest
