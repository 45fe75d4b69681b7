"""[P3] The public ladder of radii and, for each, the grid of places that may be selected.

Proof: docs/proofs/grid_cover.md.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpviz.mechanisms.baselines.covering.projection import ONE

MOST_RADII = 9  # utility only


@dataclass(frozen=True, kw_only=True, eq=False)
class CoverGrid:
    """Vertices unit·(low + digits), digits below sides; everything in units of 1/ONE."""

    radius: int
    unit: int
    low: NDArray[np.int64]
    sides: NDArray[np.int64]
    room: int  # no point covers more vertices

    @property
    def size(self) -> int:
        return math.prod(int(side) for side in self.sides)

    def vertex(self, number: int) -> NDArray[np.int64]:
        """Grid coordinates of the vertex of this number, the last axis fastest."""
        digits = np.array(np.unravel_index(number, tuple(int(side) for side in self.sides)), np.int64)
        return digits + self.low


@dataclass(frozen=True, kw_only=True, eq=False)
class Ladder:
    """Radii from small to large, and a grid for each."""

    radii: tuple[float, ...]  # in unit balls
    grids: tuple[CoverGrid, ...]

    @classmethod
    def of(cls, reach: NDArray[np.float64], noisy_total: int) -> Ladder:
        """Halves (in the plane) or smaller steps (above) down to where balls get too small to be seen."""
        dims = len(reach)
        step = 2.0 if dims <= 3 else math.sqrt(2.0)
        wanted = {2: 8, 3: 6}.get(dims, 8)
        amount = max(3, min(MOST_RADII, wanted, 2 + round(math.log2(noisy_total + 1) / 2)))
        radii = tuple(step ** (index + 1 - amount) for index in range(amount))
        grids = tuple(grid_of(radius, reach) for radius in radii)
        return cls(radii=radii, grids=grids)


def grid_of(radius: float, reach: NDArray[np.float64]) -> CoverGrid:
    """The grid for one radius: the more dimensions, the coarser against its radius."""
    dims = len(reach)
    unit = max(1, round(ONE * radius * min(1.75, 0.25 * dims) / math.sqrt(dims)))
    low = -np.ceil(reach / unit).astype(np.int64)
    per_axis = 2 * int(radius * ONE / unit) + 2
    return CoverGrid(radius=round(ONE * radius), unit=unit, low=low, sides=1 - 2 * low, room=per_axis**dims)
