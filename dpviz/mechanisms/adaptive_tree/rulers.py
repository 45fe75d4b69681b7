"""Noisy counts along each axis: which axis to halve next, and where inside a box its records are likely to be.

In many dimensions a tree has budget for about ten halvings: most axes are halved once or never, and a box is as wide as
the frame along them. Points spread evenly over such a box suggest that records vary most where the frame is wide, and
searches end in the wrong local minimum for any ε. The counts of `STRIPES` stripes of each axis are better. All but
`StripesAsked` and the two functions that count is post-processing.

Proof: docs/proofs/adaptive_tree.md, steps P4a and P6.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import ExactCounts, ExactPoints, StreamedPoints
from dpviz.mechanisms.adaptive_tree.budget import scale_for
from dpviz.noise import NoiseSource

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
STRIPES = 32  # of each axis, a power of two: boxes end at their edges
EVEN = 0.02  # share of records believed to lie evenly along an axis, whatever its counts say
LEAST_TOTAL = 1.0
TINY = 1e-300


@dataclass(frozen=True, kw_only=True)
class StripesAsked:
    """Query: records in each stripe of each axis, (d · STRIPES,); a record counts once per axis."""

    dims: int

    def empty(self) -> Integers:
        return np.zeros(self.dims * STRIPES, np.int64)

    def add(self, cube: Floats, answer: Integers) -> None:
        stripes = np.clip((cube * STRIPES).astype(np.int64), 0, STRIPES - 1)
        for axis in range(self.dims):
            answer[axis * STRIPES : (axis + 1) * STRIPES] += np.bincount(stripes[:, axis], minlength=STRIPES)


def exact_stripes(data: ExactPoints) -> Integers:
    """Exact counts of stripes, of records in memory or streamed."""
    asked = StripesAsked(dims=data.frame.dims)
    if isinstance(data, StreamedPoints):
        return data.exact_sum(asked)
    answer = asked.empty()
    asked.add(data.exact_cube, answer)
    return answer


def measure_rulers(
    data: ExactCounts | ExactPoints, spend: Fraction, noisy_total: float, noise: NoiseSource
) -> Rulers | None:
    """[P4a] Count stripes with noise: a record is in one stripe of each axis, so the L1 sensitivity is d.

    Nothing is counted without a budget.
    """
    if isinstance(data, ExactCounts) or not spend:
        return None
    dims = data.frame.dims
    scale = scale_for(spend, dims)
    noisy = noise.add_laplace(exact_stripes(data), scale)
    return Rulers.of(noisy.reshape(dims, STRIPES).astype(np.float64), noisy_total, 2.0 * scale**2)


@dataclass(frozen=True, kw_only=True, eq=False)
class Rulers:
    """Per axis of the unit cube the sums of share, share · place and share · place² up to each edge of a stripe."""

    sums: Floats  # (3, d, STRIPES + 1)

    @classmethod
    def of(cls, noisy: Floats, noisy_total: float, variance: float = 0.0) -> Rulers:
        """From noisy counts and the variance of each: smoothed, every axis adding up to the noisy number of records."""
        total = max(noisy_total, LEAST_TOTAL)
        shares = smooth_counts(noisy, total, variance) / total
        shares = (1.0 - EVEN) * shares + EVEN / STRIPES
        middles = (np.arange(STRIPES) + 0.5) / STRIPES
        moments = np.stack([shares, shares * middles, shares * (middles**2 + 1.0 / (12.0 * STRIPES**2))])
        return cls(sums=np.concatenate([np.zeros((3, len(noisy), 1)), np.cumsum(moments, axis=2)], axis=2))

    def inside(self, axis: int, first: Integers, past: Integers) -> tuple[Floats, Floats, Floats]:
        """Share, mean and standard deviation of records between two edges of stripes of an axis."""
        share, moment, squared = self.sums[:, axis, past] - self.sums[:, axis, first]
        mean = moment / share
        return share, mean, np.sqrt(np.maximum(squared / share - mean**2, 0.0))

    def variance_left(self, axis: int, turns: int) -> float:
        """Variance left along an axis, in the unit cube, after this number of halvings."""
        known = min(turns, STRIPES.bit_length() - 1)
        edges = np.arange(0, STRIPES + 1, STRIPES >> known)
        share, _, spread = self.inside(axis, edges[:-1], edges[1:])
        return float(share @ spread**2) / 4.0 ** (turns - known)

    def halving_order(self, extent: Floats, turns: int, turns_per_axis: int) -> tuple[int, ...]:
        """Choose the axis of each turn: the one with the most variance left, ties to the lowest axis."""
        used = [0] * len(extent)
        left = [self.variance_left(axis, 0) * float(extent[axis]) ** 2 for axis in range(len(extent))]
        order = []
        for _ in range(turns):
            axis = int(np.argmax(left))
            order.append(axis)
            used[axis] += 1
            wide = float(extent[axis]) ** 2
            left[axis] = self.variance_left(axis, used[axis]) * wide if used[axis] < turns_per_axis else -1.0
        return tuple(order)


def smooth_counts(noisy: Floats, total: float, variance: float) -> Floats:
    """Remove likely noise from counts of stripes; none below 0, each axis adding up to the total, (d, S).

    From the whole axis down, the mass of a part goes to its two halves evenly, but for the difference of their noisy
    counts beyond its own variance.
    """
    levels = [noisy]
    while levels[-1].shape[1] > 1:
        levels.append(levels[-1].reshape(len(noisy), -1, 2).sum(axis=2))
    held = np.full((len(noisy), 1), total)
    for counts in levels[-2::-1]:
        halves = counts.reshape(len(noisy), -1, 2)
        seen = halves[:, :, 0] - halves[:, :, 1]
        doubt = 2.0 * variance * noisy.shape[1] / counts.shape[1]
        kept = seen * np.maximum(0.0, 1.0 - doubt / np.maximum(seen**2, TINY))
        kept = np.clip(kept, -held, held)
        held = np.stack([(held + kept) / 2.0, (held - kept) / 2.0], axis=2).reshape(len(noisy), -1)
    return held
