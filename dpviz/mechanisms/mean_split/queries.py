"""The exact sums that `mean_split` asks of records, and what one record may still cost: the noise that they buy.

Offsets are whole steps, so matrix products of them are exact in floats and do not depend on the order of additions, on
how records are cut into blocks or on the machine. Every query takes records of any length: it shortens them itself.
Proof: docs/proofs/mean_split.md.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import ExactPoints, StreamedPoints
from dpviz.mechanisms.adaptive_tree.budget import floor_float, scale_for, units_touched
from dpviz.mechanisms.interface import Public
from dpviz.noise import NoiseSource
from dpviz.noise.spherical import radius_within, scale_near
from dpviz.privacy import Charge, scale_of_gaussian

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
LATTICE = 1 << 20  # whole steps to a radius; squares of lengths of 4,096 numbers of twice as many fit a float


@dataclass(kw_only=True)
class Purse:
    """[P1] What one record may cost: `whole` at first, `left` now; ε, or ρ where noise is Gaussian."""

    whole: Fraction
    gaussian: bool
    noise: NoiseSource
    left: Fraction

    @classmethod
    def of(cls, charge: Charge, public: Public, noise: NoiseSource) -> Purse:
        """[P1] The charge divided among the records of one unit: a part each, or a part squared of ρ."""
        units = units_touched(public)
        gaussian = charge.rho is not None
        whole = Fraction(charge.epsilon) / units if charge.rho is None else Fraction(charge.rho) / units**2
        return cls(whole=whole, gaussian=gaussian, noise=noise, left=whole)

    def take(self, share: float) -> Fraction:
        """[P1] A share of the whole, or all that is left where that is less."""
        taken = min(self.whole * Fraction(share), self.left)
        self.left -= taken
        return taken

    @property
    def share_left(self) -> float:
        return float(self.left / self.whole)

    def share_for(self, ratio: float) -> float:
        """The share that makes noise `1/ratio` as large as the whole would."""
        return ratio**2 if self.gaussian else ratio

    def add_to_counts(self, exact: Integers, spend: Fraction) -> Floats:
        """[P2] Counts of which one record changes one by one."""
        if self.gaussian:
            return self.noise.add_gaussian(exact, _gaussian_scale(1, spend)).astype(np.float64)
        return self.noise.add_laplace(exact, scale_for(spend)).astype(np.float64)

    def count_deviation(self, spend: Fraction) -> float:
        """The standard deviation of such a count."""
        return 1.0 / math.sqrt(2.0 * spend) if self.gaussian else math.sqrt(2.0) / float(spend)

    def radius(self, spend: Fraction) -> int:
        """[P3] The length, in whole steps, that one record may add to one row."""
        return LATTICE if self.gaussian else radius_within(spend, scale_near(spend, LATTICE))

    def add_to_rows(self, exact: Integers, spend: Fraction) -> Floats:
        """[P3] Rows of which one record changes one by a vector of at most `radius`; in radii."""
        radius = self.radius(spend)
        if self.gaussian:
            noisy = self.noise.add_gaussian(exact, _gaussian_scale(radius, spend))
        else:
            noisy = self.noise.add_spherical_laplace(exact, scale_near(spend, LATTICE))
        return noisy / radius

    def row_variance(self, spend: Fraction, width: int) -> float:
        """The variance of each number of such a row, in squared radii."""
        return 1.0 / (2.0 * float(spend)) if self.gaussian else (width + 1.0) / float(spend) ** 2


def _gaussian_scale(sensitivity: int, spend: Fraction) -> float:
    return scale_of_gaussian(float(sensitivity), floor_float(spend))


RUNGS = 40  # classes of length, each 1.41 times the one before
PERSON_PART = 8  # a record's being there counts for an eighth of a radius, beside its offset
FARTHEST = 4.0  # reaches that a record may lie from its center, and be told from farther ones
_INWARD = 1.0 - 2.0**-40  # more than all rounding of a length
_BLOCK = 1 << 21  # numbers that are looked at together


class Query(Protocol):
    """As `dpviz.domain.points.Question`."""

    def empty(self) -> Integers: ...

    def add(self, cube: Floats, answer: Integers) -> None: ...


def exact_answer(data: ExactPoints, query: Query) -> Integers:
    """The answer over all records, in memory or where they are."""
    if isinstance(data, StreamedPoints):
        return data.exact_sum(query)
    answer = query.empty()
    query.add(data.exact_cube, answer)
    return answer


@dataclass(frozen=True, kw_only=True, eq=False)
class View:
    """[P4] Where records are seen from: offsets from `middle` in steps of reach/LATTICE, shortened to the reach."""

    extent: Floats
    middle: Floats  # (d,), local
    reach: float

    def blocks(self, cube: Floats) -> Iterator[Floats]:
        """[P4] Offsets as whole numbers, none beyond 1.5·LATTICE along an axis, in blocks of rows."""
        rows = max(1, _BLOCK // len(self.extent))
        for start in range(0, len(cube), rows):
            steps = np.rint((cube[start : start + rows] * self.extent - self.middle) * (LATTICE / self.reach))
            yield np.clip(np.nan_to_num(steps), -1.5 * LATTICE, 1.5 * LATTICE)

    def near_blocks(self, cube: Floats) -> Iterator[Floats]:
        """[P4] The same, shortened to the reach."""
        for steps in self.blocks(cube):
            yield shortened(steps, float(LATTICE), LATTICE)


def squared_lengths(steps: Floats) -> Floats:
    """Exact: sums of squares of whole numbers below 2^53."""
    squares: Floats = (steps * steps).sum(axis=1)
    return squares


def shortened(steps: Floats, reach: float, radius: int) -> Floats:
    """[P4] Rows of whole steps in units of reach/radius, none longer than `radius`; cut towards 0."""
    longest = np.maximum(np.sqrt(squared_lengths(steps)), reach)
    cut: Floats = np.trunc(steps * (radius * _INWARD / longest)[:, None])
    return cut


def classes(squares: Floats, top: float) -> Integers:
    """[P5] The first rung that is not below a length, from the shortest: rung i is top·2^((i − RUNGS + 1)/2)."""
    rungs = top**2 * 0.5 ** np.arange(RUNGS - 1, -1, -1.0)
    return np.minimum(np.searchsorted(rungs, squares), RUNGS - 1).astype(np.int64)


def add_rows(answer: Integers, labels: Integers, rows: Floats) -> None:
    """Add each row of whole numbers to the row of its label."""
    order = np.argsort(labels, kind="stable")
    found, starts = np.unique(labels[order], return_index=True)
    answer[found] += np.add.reduceat(rows[order].astype(np.int64), starts, axis=0)


def with_person(offsets: Floats, radius: int) -> Floats:
    """[P6] An eighth of a radius for being there, as a last number."""
    return np.column_stack([offsets, np.full(len(offsets), float(radius // PERSON_PART))])


def offset_radius(radius: int) -> int:
    """[P6] What an offset may measure, so that with the last number a row is no longer than `radius`."""
    return int(np.sqrt(radius**2 - (radius // PERSON_PART) ** 2) * _INWARD)


@dataclass(frozen=True, kw_only=True, eq=False)
class LengthsAsked:
    """[P5] How many records lie how far from the middle: the longest rung is the reach."""

    view: View

    def empty(self) -> Integers:
        return np.zeros(RUNGS, np.int64)

    def add(self, cube: Floats, answer: Integers) -> None:
        for steps in self.view.blocks(cube):
            answer += np.bincount(classes(squared_lengths(steps), float(LATTICE)), minlength=RUNGS)


@dataclass(frozen=True, kw_only=True, eq=False)
class SumAsked:
    """[P5] One row: the sum of offsets, each shortened to the reach, in steps of reach/radius."""

    view: View
    radius: int

    def empty(self) -> Integers:
        return np.zeros((1, len(self.view.extent)), np.int64)

    def add(self, cube: Floats, answer: Integers) -> None:
        for steps in self.view.blocks(cube):
            answer[0] += shortened(steps, float(LATTICE), self.radius).astype(np.int64).sum(axis=0)


def codes_of(steps: Floats, directions: Floats) -> Integers:
    """[P6] The side of each public plane on which a record lies, the first plane as the highest bit."""
    sides = (steps @ directions.T) > 0.0
    return sides @ (1 << np.arange(len(directions) - 1, -1, -1, dtype=np.int64))


@dataclass(frozen=True, kw_only=True, eq=False)
class CodesAsked:
    """[P6] How many records have each code."""

    view: View
    directions: Floats

    def empty(self) -> Integers:
        return np.zeros(1 << len(self.directions), np.int64)

    def add(self, cube: Floats, answer: Integers) -> None:
        for steps in self.view.near_blocks(cube):
            answer += np.bincount(codes_of(steps, self.directions), minlength=len(answer))


@dataclass(frozen=True, kw_only=True, eq=False)
class LeavesAsked:
    """[P7] Per leaf: the sum of offsets, and the records, (leaves, d + 1)."""

    view: View
    directions: Floats
    leaf_of_code: Integers
    leaves: int
    radius: int

    def empty(self) -> Integers:
        return np.zeros((self.leaves, len(self.view.extent) + 1), np.int64)

    def add(self, cube: Floats, answer: Integers) -> None:
        for steps in self.view.near_blocks(cube):
            offsets = shortened(steps, float(LATTICE), offset_radius(self.radius))
            labels = self.leaf_of_code[codes_of(steps, self.directions)]
            add_rows(answer, labels, with_person(offsets, self.radius))


@dataclass(frozen=True, kw_only=True, eq=False)
class _FromCenters:
    """[P8] Records as offsets from the nearest center; centers are whole steps."""

    view: View
    centers: Floats  # (k, d)

    def offsets(self, cube: Floats) -> Iterator[tuple[Integers, Floats]]:
        squares = squared_lengths(self.centers)
        for steps in self.view.blocks(cube):
            nearest = np.argmin(squares - 2.0 * (steps @ self.centers.T), axis=1)
            yield nearest, steps - self.centers[nearest]


@dataclass(frozen=True, kw_only=True, eq=False)
class ReachesAsked(_FromCenters):
    """[P8] How many records lie how far from the nearest center: the longest rung is FARTHEST reaches."""

    def empty(self) -> Integers:
        return np.zeros(RUNGS, np.int64)

    def add(self, cube: Floats, answer: Integers) -> None:
        for _, offsets in self.offsets(cube):
            answer += np.bincount(classes(squared_lengths(offsets), FARTHEST * LATTICE), minlength=RUNGS)


@dataclass(frozen=True, kw_only=True, eq=False)
class PartsAsked(_FromCenters):
    """[P8] Per part of the nearest center, halved by its direction where there are any: as `LeavesAsked`."""

    reach: float  # in steps
    radius: int
    directions: Floats | None  # (k, d), whole steps

    def empty(self) -> Integers:
        halves = 1 if self.directions is None else 2
        return np.zeros((halves * len(self.centers), len(self.view.extent) + 1), np.int64)

    def add(self, cube: Floats, answer: Integers) -> None:
        for nearest, offsets in self.offsets(cube):
            parts = nearest
            if self.directions is not None:
                parts = 2 * nearest + ((offsets * self.directions[nearest]).sum(axis=1) > 0.0)
            rows = shortened(offsets, self.reach, offset_radius(self.radius))
            add_rows(answer, parts, with_person(rows, self.radius))
