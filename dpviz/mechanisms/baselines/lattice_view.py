"""Exact records on a public integer lattice of local coordinates, in a public order, for exact removals."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import Frame
from dpviz.mechanisms.exact_view import weighted_local
from dpviz.mechanisms.interface import ExactData, Public

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
        first = np.concatenate([[True], (steps[1:] != steps[:-1]).any(axis=1)])
        starts = np.flatnonzero(first)
        return cls(np.ascontiguousarray(steps[starts]), np.add.reduceat(multiplicity[order], starts).astype(np.int64))

    def without_nearest(self, squared: NDArray[np.int64], records: int) -> LatticeRecords:
        """Without exactly that many records: by squared distance, then by position; the last position is split."""
        order = np.argsort(squared, kind="stable")
        reached = np.cumsum(self.exact_multiplicity[order])
        gone = np.minimum(
            self.exact_multiplicity[order], np.maximum(0, records - reached + self.exact_multiplicity[order])
        )
        left = self.exact_multiplicity.copy()
        left[order] -= gone
        kept = left > 0
        return LatticeRecords(self.exact_positions[kept], left[kept])
