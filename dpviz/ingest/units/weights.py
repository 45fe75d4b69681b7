"""Rows that weigh more than one: a number in a column becomes whole steps, bounded where a row is protected as a whole.

Proof: docs/proofs/weights.md.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import Unit

HEAVIEST = 1 << 31  # steps; a row beyond weighs nothing that could be told from an error
_UNUSABLE = -1


@dataclass(frozen=True, kw_only=True)
class Weights:
    """How the number in a column of weights is counted: in public steps, at most `bound` of them where there is one."""

    column: str
    step: float
    bound: int | None

    @classmethod
    def of(cls, unit: Unit) -> Weights | None:
        """Those of this unit of protection, if it has any."""
        if unit.weight_column is None:
            return None
        return cls(column=unit.weight_column, step=unit.weight_step, bound=unit.weight_bound)

    def steps(self, values: NDArray[np.float64]) -> NDArray[np.int64]:
        """Whole steps of every row; −1 for a row whose weight is missing, negative or no number."""
        # [P1] each row for itself: to the nearest step, halves up
        with np.errstate(invalid="ignore", over="ignore"):
            near = np.floor(values / self.step + 0.5)
            usable = (near >= 0) & (near < HEAVIEST)
        # [P2] at most the public bound
        most = HEAVIEST if self.bound is None else self.bound
        return np.where(usable, np.minimum(np.where(usable, near, 0), most), _UNUSABLE).astype(np.int64)

    def cut(self, values: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Which rows weigh more than the bound."""
        if self.bound is None:
            return np.zeros(len(values), dtype=np.bool_)
        with np.errstate(invalid="ignore", over="ignore"):
            return np.asarray(np.floor(values / self.step + 0.5) > self.bound)
