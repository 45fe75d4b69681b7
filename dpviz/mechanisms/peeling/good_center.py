"""GOOD-CENTER (Nissim, Stemmer, Vadhan 2016): the middle of a heavy, randomly placed box, by a noisy average.

Steps [P7] to [P9] of docs/proofs/peeled_balls_paper.md. The projection that the paper puts first has more dimensions
than the data whenever d ≤ 8, so it is the identity here.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpviz.noise import NoiseSource
from dpviz.privacy import Budget, noise_scale

Integers = NDArray[np.int64]


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
    indices, held, member = boxes(positions, counts, shift, search.box)
    chosen = stable_choice(held, third, search.budget.delta, noise)
    if chosen is None:
        return None
    inside = member == chosen
    return noisy_middle(positions[inside], counts[inside], indices[chosen], shift, search.box, third, noise)


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
    dims = positions.shape[1]
    limit = search.heavy + int(noise.laplace(noise_scale(2.0, epsilon), 1)[0])
    query_scale = noise_scale(4.0, epsilon)
    for _ in range(search.shifts):
        shift = noise.integers(search.box, dims)
        held = boxes(positions, counts, shift, search.box)[1]
        fullest = int(held.max()) if len(held) else 0
        if fullest + int(noise.laplace(query_scale, 1)[0]) >= limit:
            return shift
    return None


def stable_choice(held: Integers, epsilon: float, delta: float, noise: NoiseSource) -> int | None:
    """[P8] The occupied box with the largest noisy count, if that passes the threshold of stability."""
    if len(held) == 0:
        return None
    noisy = held + noise.laplace(noise_scale(2.0, epsilon), len(held))
    best = int(np.argmax(noisy))
    return best if noisy[best] >= stability_threshold(epsilon, delta) else None


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
    noisy = exact + noise.laplace(scale, dims + 1)
    if noisy[0] < reach:
        return np.asarray(middle, np.int64)
    mean = np.clip(np.rint(noisy[1:] * (reach / noisy[0])), -reach, reach)
    return np.asarray(middle + mean, np.int64)
