"""How mechanisms look at exact data: as weighted cells, as points, and as a protected total."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import Adjacency, ExactCounts, ExactPoints
from dpviz.noise import NoiseSource
from dpviz.privacy import histogram_l1, noise_scale

LARGEST_TOTAL = 2**54  # records that all cells together may seem to hold; docs/proofs/noise.md, section 6
LARGEST_LISTED = 2**20  # records of one cell that are listed one by one


def bounded_counts(exact: NDArray[np.int64], cells: int) -> NDArray[np.int64]:
    """Counts of some of a grid's cells, none above a public bound, so that what is made of them fits 64 bits."""
    return np.minimum(exact, max(1, LARGEST_TOTAL // cells))


def listed_cells(data: ExactCounts) -> NDArray[np.int64]:
    """The flat cell of every record, in the order of the cells."""
    flat = data.exact_cells.ravel()
    occupied = np.flatnonzero(flat)
    return np.repeat(occupied, np.minimum(flat[occupied], LARGEST_LISTED))


def weighted_cube(data: ExactCounts | ExactPoints) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Exact positions in the unit cube and how many records lie on each: occupied cells, or single points."""
    if isinstance(data, ExactPoints):
        return data.exact_cube, np.ones(len(data.exact_cube), np.int64)
    rows, columns = np.nonzero(data.exact_cells)
    side = data.grid.side
    positions = np.column_stack([(columns + 0.5) / side, (side - rows - 0.5) / side])
    return positions, bounded_counts(data.exact_cells[rows, columns], side * side)


def weighted_local(data: ExactCounts | ExactPoints) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """As `weighted_cube`, in local coordinates."""
    cube, weights = weighted_cube(data)
    frame = data.grid.frame if isinstance(data, ExactCounts) else data.frame
    return cube * frame.extent, weights


def epsilon_of_total(relation: Adjacency, share: float, epsilon: float) -> float:
    """What the number of records costs of a budget: nothing where it is public."""
    return 0.0 if relation is Adjacency.REPLACE_ONE else share * epsilon


def protected_total(data: ExactCounts | ExactPoints, epsilon: float, noise: NoiseSource) -> int:
    """The number of records for schedules, at least 1: public under REPLACE_ONE, noisy with `epsilon` otherwise.

    One unit of protection changes the exact total by at most its number of records.
    """
    if data.relation is Adjacency.REPLACE_ONE:
        assert data.public_rows is not None
        return max(1, data.public_rows)
    touched = histogram_l1(data.relation, data.unit)
    return max(
        1, int(noise.add_laplace(np.array([data.exact_total]), noise_scale(touched, epsilon), sensitivity=touched)[0])
    )
