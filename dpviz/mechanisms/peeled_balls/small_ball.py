"""SMALL-BALL of Nissim, Stemmer, Vadhan 2016: the size of some small heavy ball (GOOD-RADIUS), then its place.

Steps of docs/proofs/peeled_balls_paper.md. GOOD-RADIUS (Feldman et al. 2017, Algorithm 2), [P4] to [P6], uses whole
numbers: S(r) = t·L(r) is the sum of the t largest min(B_r(x), t) over the records x. GOOD-CENTER, [P7] to [P9], finds
the middle of a heavy, randomly placed box by a noisy average. The projection that comes first in the paper has more
dimensions than the data for d ≤ 8, so it is the identity here.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpviz.mechanisms.peeled_balls._paper_kernels import square_balls, sum_of_largest, summed_area
from dpviz.noise import NoiseSource
from dpviz.noise.decisions import FirstAbove, StableChoice
from dpviz.noise.recconcave import rec_concave
from dpviz.privacy import Budget, noise_scale

Integers = NDArray[np.int64]


def all_radii(side: int, dims: int) -> Integers:
    """0, 1, …, ⌈|X|√d⌉, as printed."""
    return np.arange(math.ceil(side * math.sqrt(dims)) + 1, dtype=np.int64)


def few_radii(side: int, dims: int, count: int) -> Integers:
    """At most `count` radii from 0 to ⌈|X|√d⌉ with growing steps."""
    longest = math.ceil(side * math.sqrt(dims))
    return np.unique(np.rint(np.geomspace(1.0, longest + 1.0, count)).astype(np.int64) - 1)


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


@dataclass(frozen=True, kw_only=True)
class CenterSearch:
    """What the search needs to know, all public."""

    box: int  # cells along each side of a box
    shifts: int  # how many random placements are tried at most
    heavy: int  # a box is worth choosing from about this many records on
    budget: Budget


def good_center(positions: Integers, counts: Integers, search: CenterSearch, noise: NoiseSource) -> Integers | None:
    """Center of a heavy box's records in half cells, (d,), or None where no box may be published."""
    third = search.budget.epsilon / 3
    shift = heavy_shift(positions, counts, search, third, noise)
    if shift is None:
        return None
    indices, held, _ = boxes(positions, counts, shift, search.box)
    chosen = stable_choice(indices, held, third, search.budget.delta, noise)
    if chosen is None:
        return None
    inside = ((positions + shift) // search.box == chosen).all(axis=1)
    return noisy_middle(positions[inside], counts[inside], chosen, shift, search.box, third, noise)


def boxes(positions: Integers, counts: Integers, shift: Integers, size: int) -> tuple[Integers, Integers, Integers]:
    """The occupied boxes of one placement: indices (b, d), records in each (b,), and the box of every position (m,)."""
    index = (positions + shift) // size
    span = index.max(axis=0) + 1 if len(index) else np.ones(positions.shape[1], np.int64)
    flat = np.zeros(len(index), np.int64)
    for axis in range(positions.shape[1]):
        flat = flat * span[axis] + index[:, axis]
    held = np.bincount(flat, counts, minlength=1).astype(np.int64)
    occupied = np.flatnonzero(held)
    member = np.searchsorted(occupied, flat)
    unravelled = np.stack(np.unravel_index(occupied, tuple(int(s) for s in span)), axis=1) if len(occupied) else None
    indices = np.zeros((0, positions.shape[1]), np.int64) if unravelled is None else unravelled.astype(np.int64)
    return indices, held[occupied], member


def heavy_shift(
    positions: Integers, counts: Integers, search: CenterSearch, epsilon: float, noise: NoiseSource
) -> Integers | None:
    """[P7] The first random placement with a box above a noisy threshold (sparse vector, one answer)."""
    shifts = noise.integers(search.box, search.shifts * positions.shape[1]).reshape(search.shifts, -1)

    def fullest(number: int) -> int:
        return int(boxes(positions, counts, shifts[number], search.box)[1].max(initial=0))

    first = noise.decide(
        FirstAbove(
            exact_query=fullest,
            queries=search.shifts,
            limit=search.heavy,
            limit_scale=noise_scale(2.0, epsilon),
            query_scale=noise_scale(4.0, epsilon),
        )
    )
    return None if first is None else shifts[first]


def stable_choice(
    indices: Integers, held: Integers, epsilon: float, delta: float, noise: NoiseSource
) -> Integers | None:
    """[P8] The occupied box with the largest noisy count, if that passes the threshold of stability."""
    chosen = noise.decide(
        StableChoice(
            places=tuple(tuple(index) for index in indices.tolist()),
            held=held,
            scale=noise_scale(2.0, epsilon),
            threshold=stability_threshold(epsilon, delta),
            delta=delta,
        )
    )
    return None if chosen is None else np.array(chosen, np.int64)


def stability_threshold(epsilon: float, delta: float) -> int:
    """τ such that 1 + noise of scale 2/ε reaches it with probability at most δ/(1 + e^ε)."""
    tail = delta / (1 + math.exp(epsilon))
    return 2 + math.ceil(noise_scale(2.0, epsilon) * (1 + 2**-30) * -math.log(tail))


def noisy_middle(
    positions: Integers,
    counts: Integers,
    index: Integers,
    shift: Integers,
    size: int,
    epsilon: float,
    noise: NoiseSource,
) -> Integers:
    """[P9] NoisyAVG: noisy sum and count of one published box, divided afterwards; in half cells, inside the box."""
    dims = len(index)
    low = index * size - shift
    reach = max(1, size - 1)
    middle = 2 * low + size  # half cells from the origin; cell c has its center at 2c + 1
    offsets = 2 * positions + 1 - middle
    scale = noise_scale(2.0 * dims * reach, epsilon)
    exact = np.concatenate([[reach * int(counts.sum())], (offsets * counts[:, None]).sum(axis=0)])
    noisy = noise.add_laplace(exact, scale, sensitivity=2.0 * dims * reach)
    if noisy[0] < reach:
        return np.asarray(middle, np.int64)
    mean = np.clip(np.rint(noisy[1:] * (reach / noisy[0])), -reach, reach)
    return np.asarray(middle + mean, np.int64)
