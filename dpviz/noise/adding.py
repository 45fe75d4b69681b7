"""Add noise to exact numbers: the only place where that happens."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from dpviz.errors import InputError
from dpviz.noise.joint import joint_laplace

if TYPE_CHECKING:
    from dpviz.noise.source import Decision, Outcome, Sampler

Integers = NDArray[np.int64]


class Adding:
    """Mixin that adds the noise of a sampler to exact numbers."""

    def add_laplace(self, exact: Integers, scale: float, *, sensitivity: float | None = None) -> Integers:
        """Exact whole numbers with discrete Laplace noise, in the same shape."""
        given = _whole(exact)
        return given + self._bare.laplace(scale, given.size).reshape(given.shape)

    def add_gaussian(self, exact: Integers, scale: float, *, sensitivity: float | None = None) -> Integers:
        """Exact whole numbers with discrete Gaussian noise, in the same shape."""
        given = _whole(exact)
        return given + self._bare.gaussian(scale, given.size).reshape(given.shape)

    def add_joint_laplace(self, exact: Integers, *, epsilon: float, radius: int) -> Integers:
        """Rows of one count and d sums with joint noise."""
        given = _whole(exact)
        rows, width = given.shape
        return given + joint_laplace(self._bare, epsilon=epsilon, radius=radius, dims=width - 1, size=rows)

    def decide(self, decision: Decision[Outcome]) -> Outcome:
        """The outcome of a private decision, drawn from this source."""
        return decision.draw(self._bare)

    def integers_for_records(self, high: int, records: int) -> Integers:
        """A uniform integer in [0, high) for every record."""
        return self._bare.integers(high, records)

    def coins_for_records(self, probability: float | Fraction, records: int) -> NDArray[np.bool_]:
        """A coin for every record."""
        return self._bare.coins(probability, records)

    def order_of_rows(self, rows: int) -> Integers:
        """A uniform permutation of all rows."""
        return self._bare.permutation(rows)

    @property
    def _bare(self) -> Sampler:
        return cast("Sampler", self)


def _whole(exact: Any) -> Integers:
    """Whole numbers only: noise on an integer lattice protects nothing that lies between its points."""
    given = np.asarray(exact)
    if given.dtype.kind not in "iu":
        raise InputError(f"numbers of type {given.dtype}: noise is added to whole numbers; round every record's share.")
    return given.astype(np.int64, copy=False)
