"""GOOD-RADIUS (Feldman et al. 2017, Algorithm 2; Nissim, Stemmer, Vadhan 2016): where some ball holds about t records.

Steps [P4] to [P6] of docs/proofs/peeled_balls_paper.md. Whole numbers throughout: S(r) = t·L(r) is the sum of the t
largest min(B_r(x), t) over the records x.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dpviz.mechanisms.peeled_balls._paper_kernels import square_balls, sum_of_largest, summed_area
from dpviz.noise import NoiseSource
from dpviz.noise.recconcave import rec_concave
from dpviz.privacy import Budget

Integers = NDArray[np.int64]


def all_radii(side: int, dims: int) -> Integers:
    """0, 1, …, ⌈|X|√d⌉, as printed."""
    return np.arange(math.ceil(side * math.sqrt(dims)) + 1, dtype=np.int64)


def few_radii(side: int, dims: int, count: int) -> Integers:
    """At most `count` radii from 0 to ⌈|X|√d⌉ with growing steps."""
    longest = math.ceil(side * math.sqrt(dims))
    grown = np.rint(np.geomspace(1.0, longest + 1.0, count)).astype(np.int64) - 1
    return np.unique(grown)


def sums_on_grid(exact_cells: Integers, t: int, radii: Integers) -> Integers:
    """S(r) for every radius, by the summed-area table and square balls (section 4.3): O(side² + n·|radii|)."""
    rows, columns = np.nonzero(exact_cells)
    counts = exact_cells[rows, columns]
    table = summed_area(exact_cells)
    values = np.empty(len(rows), np.int64)
    sums = np.full(len(radii), t * t, np.int64)
    for index, radius in enumerate(radii):
        square_balls(table, rows, columns, int(radius), t, values)
        sums[index] = sum_of_largest(values, counts, t)
        if sums[index] == t * t:  # every larger radius has it too: L never falls with r and is at most t
            break
    return sums


def sums_by_force(positions: Integers, counts: Integers, t: int, radii: Integers, *, square: bool = False) -> Integers:
    """The same over all pairs (section 4.2), for any number of dimensions; round balls, or square ones as the twin."""
    sums = np.zeros(len(radii), np.int64)
    inside = np.empty((len(positions), len(radii)), np.int64)
    for start in range(0, len(positions), 256):
        gaps = np.abs(positions[start : start + 256, None, :] - positions[None, :, :])
        squared = gaps.max(axis=2) ** 2 if square else (gaps**2).sum(axis=2)
        rung = np.searchsorted(radii**2, squared)  # the first radius that reaches so far
        for row, rungs in enumerate(rung):
            held = np.bincount(rungs, counts, minlength=len(radii) + 1)[: len(radii)]
            inside[start + row] = np.cumsum(held).astype(np.int64)
    for index in range(len(radii)):
        sums[index] = sum_of_largest(np.minimum(inside[:, index], t), counts, t)
    return sums


def quality(sums: Integers, t: int, slack: int) -> Integers:
    """2t·Q(r) = min(t² − S(r⁻), S(r) − t² + t·Δ): whole numbers of sensitivity 2t under replace."""
    before = np.concatenate([[0], sums[:-1]])
    found: Integers = np.minimum(t * t - before, sums - t * t + t * slack)
    return found


def good_radius(
    sums: Integers, radii: Integers, *, t: int, slack: int, alpha: float, budget: Budget, noise: NoiseSource
) -> int | None:
    """[P6] The radius that RecConcave chooses, or None where it finds none."""
    promise = t * slack // 2  # Δ/4 in units of Q
    place = rec_concave(
        quality(sums, t, slack),
        len(radii),
        promise=promise,
        alpha=alpha,
        budget=budget,
        noise=noise,
        sensitivity=2 * t,
    )
    return None if place is None else int(radii[place])
