"""How mechanisms read exact data: as weighted cells, as points, on a public lattice, and as a protected total."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import Adjacency, ExactCounts, ExactPoints, Frame
from dpviz.mechanisms.interface import ExactData, Public
from dpviz.noise import NoiseSource
from dpviz.privacy import histogram_l1, noise_scale

LARGEST_TOTAL = 2**54  # records that all cells together may seem to hold; docs/proofs/noise.md, section 6
LARGEST_LISTED = 2**20  # records of one cell that are listed one by one


def bounded_counts(exact: NDArray[np.int64], cells: int) -> NDArray[np.int64]:
    """Cut counts of a grid's cells at a public bound, so that sums of them fit 64 bits."""
    return np.minimum(exact, max(1, LARGEST_TOTAL // cells))


def listed_cells(data: ExactCounts) -> NDArray[np.int64]:
    """List the flat cell of every record, in the order of the cells."""
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


def protected_total(data: ExactCounts | ExactPoints, epsilon: float, noise: NoiseSource) -> int:
    """The number of records, at least 1: public under REPLACE_ONE, else noisy with `epsilon`.

    One unit of protection changes the exact total by at most its number of records.
    """
    if data.relation is Adjacency.REPLACE_ONE:
        assert data.public_rows is not None
        return max(1, data.public_rows)
    touched = histogram_l1(data.relation, data.unit)
    return max(
        1, int(noise.add_laplace(np.array([data.exact_total]), noise_scale(touched, epsilon), sensitivity=touched)[0])
    )


STEPS = 2**20  # along the longest axis


@dataclass(frozen=True, kw_only=True, eq=False)
class LatticeBox:
    """The public box in lattice steps: all axes in steps of one length."""

    frame: Frame
    step_length: float
    limits: NDArray[np.int64]  # (d,)

    @classmethod
    def of(cls, frame: Frame) -> LatticeBox:
        step_length = float(frame.extent.max()) / STEPS
        limits = np.maximum(2, np.rint(frame.extent / step_length).astype(np.int64))
        return cls(frame=frame, step_length=step_length, limits=limits)

    def to_local(self, steps: NDArray[np.float64] | NDArray[np.int64]) -> NDArray[np.float64]:
        """Local coordinates, clamped into the box."""
        return np.clip(steps * self.step_length, 0.0, self.frame.extent)


class LatticeRecords:
    """Exact records: distinct lattice positions in lexicographic order and how many records lie on each."""

    def __init__(self, positions: NDArray[np.int64], multiplicity: NDArray[np.int64]) -> None:
        self.exact_positions = positions
        self.exact_multiplicity = multiplicity

    @classmethod
    def of(cls, data: ExactData) -> LatticeRecords:
        box = LatticeBox.of(Public.of(data).frame)
        local, multiplicity = weighted_local(data)
        steps = np.clip(np.rint(local / box.step_length).astype(np.int64), 0, box.limits)
        if not len(steps):
            return cls(steps, multiplicity.astype(np.int64))
        order = np.lexsort(steps.T[::-1])
        steps = steps[order]
        starts = np.flatnonzero(np.concatenate([[True], (steps[1:] != steps[:-1]).any(axis=1)]))
        return cls(np.ascontiguousarray(steps[starts]), np.add.reduceat(multiplicity[order], starts).astype(np.int64))

    def without_nearest(self, squared: NDArray[np.int64], records: int) -> LatticeRecords:
        """Remove exactly that many records, the nearest first; ties by position; the last position is split."""
        order = np.argsort(squared, kind="stable")
        reached = np.cumsum(self.exact_multiplicity[order])
        gone = np.minimum(
            self.exact_multiplicity[order], np.maximum(0, records - reached + self.exact_multiplicity[order])
        )
        left = self.exact_multiplicity.copy()
        left[order] -= gone
        kept = left > 0
        return LatticeRecords(self.exact_positions[kept], left[kept])
