"""Add noise to exact numbers: the only place where that happens."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from dpviz.errors import InputError
from dpviz.noise.joint import joint_laplace
from dpviz.noise.spherical import spherical_laplace

if TYPE_CHECKING:
    from dpviz.noise.source import Decision, Outcome, Sampler

Integers = NDArray[np.int64]


class Adding:
    """A mixin that adds the noise of a sampler to exact numbers, as `NoiseSource` says."""

    def add_laplace(self, exact: Integers, scale: float, *, sensitivity: float | None = None) -> Integers:
        given = _whole(exact)
        return given + self._bare.laplace(scale, given.size).reshape(given.shape)

    def add_gaussian(self, exact: Integers, scale: float, *, sensitivity: float | None = None) -> Integers:
        given = _whole(exact)
        return given + self._bare.gaussian(scale, given.size).reshape(given.shape)

    def add_joint_laplace(self, exact: Integers, *, epsilon: float, radius: int) -> Integers:
        given = _whole(exact)
        rows, width = given.shape
        return given + joint_laplace(self._bare, epsilon=epsilon, radius=radius, dims=width - 1, size=rows)

    def add_spherical_laplace(self, exact: Integers, scale: float) -> Integers:
        given = _whole(exact)
        rows, width = given.shape
        return given + spherical_laplace(self._bare, scale=scale, width=width, size=rows)

    def decide(self, decision: Decision[Outcome]) -> Outcome:
        return decision.sample(self._bare)

    def integers_for_records(self, high: int, records: int) -> Integers:
        return self._bare.integers(high, records)

    def coins_for_records(self, probability: float | Fraction, records: int) -> NDArray[np.bool_]:
        return self._bare.coins(probability, records)

    def order_of_rows(self, rows: int) -> Integers:
        return self._bare.permutation(rows)

    @property
    def _bare(self) -> Sampler:
        return cast("Sampler", self)


def _whole(exact: Any) -> Integers:
    """Refuse anything but whole numbers: noise on an integer lattice protects nothing between its points."""
    given = np.asarray(exact)
    if given.dtype.kind not in "iu":
        raise InputError(f"numbers of type {given.dtype}: noise is added to whole numbers; round every record's share.")
    return given.astype(np.int64, copy=False)
