"""How mechanisms look at exact data: as weighted cells, as points, and as a protected total."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import Adjacency, ExactCounts, ExactPoints
from dpviz.noise import NoiseSource
from dpviz.privacy import histogram_l1, noise_scale


def weighted_cube(data: ExactCounts | ExactPoints) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Exact positions in the unit cube and how many records lie on each: occupied cells, or single points."""
    if isinstance(data, ExactPoints):
        return data.exact_cube, np.ones(len(data.exact_cube), np.int64)
    rows, columns = np.nonzero(data.exact_cells)
    side = data.grid.side
    positions = np.column_stack([(columns + 0.5) / side, (side - rows - 0.5) / side])
    return positions, data.exact_cells[rows, columns]


def weighted_local(data: ExactCounts | ExactPoints) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """As `weighted_cube`, in local coordinates."""
    cube, weights = weighted_cube(data)
    frame = data.grid.frame if isinstance(data, ExactCounts) else data.frame
    return cube * frame.extent, weights


def protected_total(data: ExactCounts | ExactPoints, epsilon: float, noise: NoiseSource) -> int:
    """The number of records for schedules, at least 1: public under REPLACE_ONE, noisy with `epsilon` otherwise.

    One unit of protection changes the exact total by at most its number of records.
    """
    if data.relation is Adjacency.REPLACE_ONE:
        assert data.public_rows is not None
        return max(1, data.public_rows)
    scale = noise_scale(histogram_l1(data.relation, data.unit), epsilon)
    return max(1, data.exact_total + int(noise.laplace(scale, 1)[0]))
