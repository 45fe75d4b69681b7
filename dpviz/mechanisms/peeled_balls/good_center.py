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
from dpviz.noise.decisions import FirstAbove, StableChoice
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
