"""Noisy principal axes of the records and a box along them, for `turned_tree`.

Five noisy queries, each with its own share of a budget: the number of records, their mean, their distances from it, the
second moments of their coordinates, and how many lie outside the resulting box. All else is post-processing, except the
place of each record in the new box.

Every coordinate of a record is computed from that record alone, column by column: not even the last bit depends on
other records.

Proof: docs/proofs/turned_tree.md, steps P2 to P7 and P10.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import ExactPoints, Frame
from dpviz.mechanisms.adaptive_tree import _kernels
from dpviz.mechanisms.adaptive_tree.budget import scale_for
from dpviz.mechanisms.adaptive_tree.growth import laplace_variance
from dpviz.noise import NoiseSource

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
LATTICE = 1 << 20  # integer steps per radius
LENGTHS = 40  # classes of length, each 1.41 times the one before
LONG = 0.3  # share of records whose products may be shortened
CERTAIN = 0.95  # axes are turned where noise is less than the rest of what is seen between axes
SLANT = 0.04  # natural units of mutual information per axis; where there is less, turned axes gain nothing
LEAST_EIGENVALUE = 0.02  # of a correlation matrix that noise is in
REACH = 3.0  # half of a side, in standard deviations, unless records are seen outside
WIDER = np.append(np.sqrt(2.0) ** np.arange(5), 2.0 ** np.arange(3, 10))  # times that, the boxes that are tried
FAR = 0.25  # share of the variance along an axis that a group outside may make up unseen
SURE = 3.0  # standard deviations of noise that a number outside must exceed
THINNEST = 1e-3  # of the longest side of the public box: no axis is believed to be narrower
ROWS_AT_ONCE = 1 << 14


@dataclass(frozen=True, kw_only=True)
class Spends:
    """Price of one record in each of the five sums."""

    number: Fraction
    middle: Fraction
    lengths: Fraction
    products: Fraction
    outside: Fraction

    @classmethod
    def of(cls, whole: Fraction, number: bool) -> Spends:
        """[P1] Fourteenths that add up to the whole; a public number of records costs nothing."""
        part = whole / 14
        return cls(
            number=part if number else Fraction(0), middle=2 * part, lengths=part, products=8 * part, outside=2 * part
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class Turning:
    """New axes through a center and a box along them, in units of the longest side of the public box."""

    frame: Frame
    middle: Floats  # (d,)
    axes: Floats  # (d, d), one per column
    low: Floats
    high: Floats
    turned: bool  # or the axes are those of the frame
    total: float  # noisy or public number of records, at least 1

    @property
    def unit(self) -> float:
        return float(self.frame.extent.max())

    @property
    def roominess(self) -> float:
        """Geometric mean of the new box's sides relative to those of the public box."""
        public = np.maximum(self.frame.extent / self.unit, 2.0 * THINNEST)  # as the new box's sides are
        return float(np.exp(np.log((self.high - self.low) / public).mean()))

    def box(self) -> Frame:
        """The new box as a frame with the local units of the public box."""
        return Frame(
            names=tuple(f"axis_{number}" for number in range(1, self.frame.dims + 1)),
            low=tuple(self.low.tolist()),
            high=tuple(self.high.tolist()),
            scale=(self.unit,) * self.frame.dims,
        )

    def turned_records(self, data: ExactPoints) -> ExactPoints:
        """[P10] Turn each record into the new box; records outside move to its border."""
        cube = np.clip(self.places(data) / (self.high - self.low), 0.0, 1.0)
        return ExactPoints(
            self.box(),
            cube,
            relation=data.relation,
            unit=data.unit,
            public_rows=data.public_rows,
            persons=data.exact_persons,
        )

    def places(self, data: ExactPoints) -> Floats:
        """[P10] Offsets of records from the new box's lower corner, in units of the longest side, inside or not."""
        return columns_times(offsets(data, self.middle), self.axes) - self.low

    def back(self, positions: Floats) -> Floats:
        """Turn local places of the new box into local places of the public box, clipped to it."""
        placed = positions / self.unit + self.low
        return np.clip((placed @ self.axes.T + self.middle) * self.unit, 0.0, self.frame.extent)


def measure_turning(data: ExactPoints, spends: Spends, noise: NoiseSource) -> Turning:
    """[P2] to [P7]: five noisy queries, each depending on the answers before it."""
    frame = data.frame
    sides = frame.extent / frame.extent.max()
    if data.public_rows is None:
        total = max(1.0, float(noise.add_laplace(np.array([data.exact_total]), scale_for(spends.number))[0]))  # [P2]
    else:
        total = max(1.0, float(data.public_rows))
    half = sides / 2.0
    steps = exact_sums(offsets(data, half), float(half.sum()))
    noisy = noise.add_laplace(steps, scale_for(spends.middle, LATTICE)) * (float(half.sum()) / LATTICE)  # [P3]
    middle = half + np.clip(noisy / total, -half, half)

    off = offsets(data, middle)
    ladder = float(sides.sum()) ** 2 * 0.5 ** (np.arange(LENGTHS)[::-1] / 2.0)
    seen = noise.add_laplace(exact_classes(lengths(off), ladder), scale_for(spends.lengths))  # [P4]
    radius = float(ladder[_shortened_at(seen, total)])
    dims = frame.dims
    rows, columns = np.triu_indices(dims)
    products = noise.add_laplace(exact_products(off, radius), scale_for(spends.products, LATTICE))  # [P5]
    step = radius / LATTICE / total
    spread = np.zeros((dims, dims))
    spread[rows, columns] = spread[columns, rows] = products * step
    doubt = laplace_variance(scale_for(spends.products, LATTICE)) * step**2
    axes, deviations = _axes_of(spread, doubt)  # [P6]

    found = Turning(
        frame=frame,
        middle=middle,
        axes=axes,
        low=half,
        high=half,
        turned=bool((axes != np.eye(dims)).any()),
        total=total,
    )
    counted = noise.add_laplace(  # [P7]
        exact_outside(columns_times(off, axes), deviations), scale_for(spends.outside)
    )
    reach = deviations * _reach(counted, total, laplace_variance(scale_for(spends.outside)))
    low, high = _shadow(-middle, sides - middle, axes)
    low, high = np.maximum(low, -reach), np.minimum(high, reach)
    flat = high - low < THINNEST
    return replace(found, low=np.where(flat, -THINNEST, low), high=np.where(flat, THINNEST, high))


def offsets(data: ExactPoints, middle: Floats) -> Floats:
    """Offsets of the records from a place, in units of the longest side, (n, d)."""
    extent = data.frame.extent
    found: Floats = data.exact_cube * (extent / extent.max()) - middle
    return found


def columns_times(off: Floats, axes: Floats) -> Floats:
    """Rotate each row. No library product: its last bits may depend on the number of rows."""
    placed = np.zeros_like(off)
    for axis, direction in enumerate(axes):
        placed += off[:, axis, None] * direction
    return placed


def lengths(off: Floats) -> Floats:
    """L1 norm of the products of each row: (|x|₁² + |x|₂²) / 2."""
    reach, squared = np.zeros(len(off)), np.zeros(len(off))
    for column in off.T:
        reach += np.abs(column)
        squared += column**2
    return (reach**2 + squared) / 2.0


def exact_sums(rows: Floats, radius: float) -> Integers:
    """Sum rows in whole steps of radius/LATTICE, each row clipped to an L1 norm of LATTICE steps."""
    sums: Integers = _kernels.clipped_point_sums(
        np.ascontiguousarray(rows), np.zeros((1, rows.shape[1])), np.array([radius]), LATTICE
    )[0]
    return sums


def exact_classes(values: Floats, ladder: Floats) -> Integers:
    """Count values by class: the first rung that is not below the value."""
    found = np.minimum(np.searchsorted(ladder, values), len(ladder) - 1)
    return np.bincount(found, minlength=len(ladder)).astype(np.int64)


def exact_products(off: Floats, radius: float) -> Integers:
    """Sum the products of each two coordinates, (d·(d+1)/2,), each record clipped as in `exact_sums`."""
    rows, columns = np.triu_indices(off.shape[1])
    sums = np.zeros(len(rows), np.int64)
    for start in range(0, len(off), ROWS_AT_ONCE):
        part = off[start : start + ROWS_AT_ONCE]
        sums += exact_sums(part[:, rows] * part[:, columns], radius)
    return sums


def exact_outside(placed: Floats, deviations: Floats) -> Integers:
    """Count records by how far outside they lie, (13,): each once, by the axis along which it lies farthest."""
    worst = np.zeros(len(placed))
    for column, deviation in zip(placed.T, deviations, strict=True):
        worst = np.maximum(worst, np.abs(column) / (REACH * deviation))
    return np.bincount(np.searchsorted(WIDER, worst), minlength=len(WIDER) + 1).astype(np.int64)


def _shortened_at(seen: Integers, total: float) -> int:
    """The lowest class above which at most the wanted share of records seems to lie."""
    many = np.flatnonzero(np.append(np.cumsum(seen[::-1])[::-1][1:], 0) > LONG * total)
    return int(many[-1]) + 1 if len(many) else 0


def _axes_of(spread: Floats, doubt: float) -> tuple[Floats, Floats]:
    """[P6] Principal axes, where they stand out of the noise and are slanted, and the standard deviation along each.

    Deviations include noise. Records that vary along the box's own axes keep these.
    """
    between = spread - np.diag(np.diag(spread))
    dims = len(spread)
    kept = 1.0 - dims * (dims - 1) * doubt / max(float((between**2).sum()), 1e-300)
    axes = np.eye(dims)
    if kept >= CERTAIN and _slant(np.diag(spread), kept * between, doubt) >= SLANT:
        axes = np.linalg.eigh(np.diag(np.diag(spread)) + kept * between)[1][:, ::-1]
    seen = np.einsum("ij,ik,kj->j", axes, spread, axes)
    return axes, np.sqrt(np.maximum(np.maximum(seen, 0.0) + 2.0 * np.sqrt(doubt), THINNEST**2))


def _slant(along: Floats, between: Floats, doubt: float) -> float:
    """Mutual information per axis of normal variates with these moments: 0 where nothing is slanted."""
    wide = np.sqrt(np.maximum(along, 2.0 * np.sqrt(doubt)))
    correlations = np.eye(len(along)) + between / np.outer(wide, wide)
    eigenvalues = np.maximum(np.linalg.eigvalsh(correlations), LEAST_EIGENVALUE)
    return -0.5 * float(np.log(eigenvalues).mean())


def _reach(counted: Integers, total: float, variance: float) -> float:
    """Half a side in standard deviations: past the last rung beyond which too many records lie.

    A group far out has no effect on the principal axes, because records are clipped, but it is most of the cost.
    """
    beyond = np.cumsum(counted[:0:-1])[::-1]
    noise = np.sqrt(variance * np.arange(len(WIDER), 0, -1))
    seen = np.flatnonzero(beyond > SURE * noise + FAR / (REACH * WIDER) ** 2 * total)
    return REACH * float(np.append(WIDER, 2.0 * WIDER[-1])[int(seen[-1]) + 1 if len(seen) else 0])


def _shadow(low: Floats, high: Floats, axes: Floats) -> tuple[Floats, Floats]:
    """Extent of a box along other axes."""
    ends = low[:, None] * axes, high[:, None] * axes
    return np.minimum(*ends).sum(axis=0), np.maximum(*ends).sum(axis=0)
