"""SMALL-BALL of Nissim, Stemmer, Vadhan 2016: the size of some small heavy ball (GOOD-RADIUS), then its place.

Steps of docs/proofs/peeled_balls_paper.md. GOOD-RADIUS (Feldman et al. 2017, Algorithm 2), [P4] to [P6], uses whole
numbers: S(r) = t·L(r) is the sum of the t largest min(B_r(x), t) over the records x. GOOD-CENTER, [P7] to [P9], finds
the middle of a heavy, randomly placed box by a noisy average. The projection that comes first in the paper has more
dimensions than the data for d ≤ 8, so it is the identity here.

Then the constants of the variant as printed, the public schedule of its rounds and the state of one run: [P2], [P10].
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import Grid
from dpviz.mechanisms.peeled_balls._block_kernels import square_balls, sum_of_largest, summed_area
from dpviz.mechanisms.peeled_balls.engine import Peeler
from dpviz.noise import NoiseSource
from dpviz.noise.decisions import FirstAbove, StableChoice
from dpviz.noise.recconcave import promise_needed, rec_concave
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
        quality(sums, t, slack), len(radii), promise=promise, alpha=alpha, budget=budget, noise=noise, sensitivity=2 * t
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


RADIUS_SHARE = 0.5  # privacy-bearing: GOOD-RADIUS gets this share of a round, GOOD-CENTER the rest


@dataclass(frozen=True, kw_only=True)
class ConstantSet:
    """Constants that the paper leaves open, or too large to run. Utility only: privacy holds for any."""

    name: str
    beta: float  # utility only: the promised probability of failure
    alpha: float  # utility only: approximation of RecConcave
    radii: int | None  # utility only: how many radii are tried; None: all whole numbers, as printed
    box_widths: int  # utility only: side of GOOD-CENTER's boxes in ball diameters
    trust: float  # utility only: slack Δ as a share of what the utility proof needs; 0: the printed formula


PAPER = ConstantSet(name="paper", beta=0.1, alpha=0.5, radii=None, box_widths=150, trust=0.0)
PRACTICAL = ConstantSet(name="practical", beta=0.1, alpha=0.9, radii=32, box_widths=2, trust=0.5)


@dataclass(frozen=True, kw_only=True)
class Round:
    """One round of Algorithm 1: how many records are left, the ball's weight, the slack Δ."""

    left: int
    weight: int
    slack: int


@dataclass(frozen=True, kw_only=True)
class PaperSchedule:
    """All rounds and their budgets, from n, k, ε, δ, |X| and d alone."""

    rounds: tuple[Round, ...]
    each: Budget
    beta: float
    radii: Integers

    @property
    def for_radius(self) -> Budget:
        """[P2] GOOD-RADIUS's part of one round."""
        return self.each.share(RADIUS_SHARE)

    @property
    def for_center(self) -> Budget:
        """[P2] GOOD-CENTER's part of one round."""
        return self.each.share(1 - RADIUS_SHARE)


def log_star(value: float) -> int:
    """The iterated logarithm."""
    count = 0
    while value > 1:
        value, count = math.log(value), count + 1
    return count


def paper_schedule(n: int, k: int, budget: Budget, *, side: int, dims: int, constants: ConstantSet) -> PaperSchedule:
    """[P2] ε′ = 3ε/(8k ln n), δ′ and β′ likewise; rounds while more than t_min records are left."""
    parts = 8 * k * math.log(max(n, 3)) / 3
    each = Budget(epsilon=budget.epsilon / parts, delta=budget.delta / parts)
    beta = constants.beta / parts
    radii = all_radii(side, dims) if constants.radii is None else few_radii(side, dims, constants.radii)
    rounds: list[Round] = []
    left = n
    while len(rounds) < math.floor(parts):  # privacy-bearing: no more rounds than the budget was divided by
        slack, t_min = slack_and_least(left, n, k, each, beta, side=side, dims=dims, radii=radii, constants=constants)
        weight = 3 * left // (8 * k)
        if left <= t_min or weight < 1 or weight + slack > left:
            break
        rounds.append(Round(left=left, weight=weight, slack=slack))
        left -= weight
    return PaperSchedule(rounds=tuple(rounds), each=each, beta=beta, radii=radii)


def slack_and_least(
    left: int,
    n: int,
    k: int,
    each: Budget,
    beta: float,
    *,
    side: int,
    dims: int,
    radii: Integers,
    constants: ConstantSet,
) -> tuple[int, float]:
    """Δ of a round, and t_min: below it the loop ends. Utility only."""
    if constants.trust == 0.0:
        stars = log_star(side * math.sqrt(dims))
        logs = math.log(12 * stars / (beta * each.delta))
        slack = 8.0**stars * 144 * stars / each.epsilon * logs  # Algorithm 2, line 3
        least = (  # Algorithm 1, line 2, with constant 1
            k
            * math.sqrt(dims)
            / each.epsilon
            * math.log(1 / beta)
            * math.log(n * dims / (beta * each.epsilon * each.delta))
            * math.sqrt(math.log(1 / (beta * each.delta)))
            * 9.0 ** log_star(2 * side * math.sqrt(dims))
        )
        return math.ceil(slack), least
    needed = promise_needed(len(radii), alpha=constants.alpha, budget=each.share(RADIUS_SHARE), beta=beta)
    slack = math.ceil(4 * constants.trust * needed)
    return slack, slack * 8 * k / 3  # a ball's weight is at least Δ


class GridState:
    """Two dimensions: positions are (row, column) on a grid; balls are square, counted by the summed-area table."""

    def __init__(self, grid: Grid, exact_cells: Integers) -> None:
        self._peeler = Peeler(grid, exact_cells)

    def occupied(self) -> tuple[Integers, Integers]:
        """Occupied cells (m, 2) and the records in each (m,)."""
        cells = self._peeler.exact_cells()
        positions = np.argwhere(cells).astype(np.int64)
        return positions, cells[positions[:, 0], positions[:, 1]]

    def sums(self, t: int, radii: Integers) -> Integers:
        """S(r) of every radius."""
        return sums_on_grid(self._peeler.exact_cells(), t, radii)

    def remove(self, center: Integers, weight: int) -> None:
        """[P10] Exactly the `weight` nearest."""
        self._peeler.remove((int(center[0]), int(center[1])), weight)


class LatticeState:
    """Any number of dimensions: a block of records on a public lattice; round balls, all pairs."""

    def __init__(self, positions: Integers) -> None:
        cells, counts = np.unique(positions, axis=0, return_counts=True)
        self._cells, self._counts = cells.astype(np.int64), counts.astype(np.int64)

    def occupied(self) -> tuple[Integers, Integers]:
        """Occupied cells (m, d) and the records in each (m,)."""
        return self._cells, self._counts

    def sums(self, t: int, radii: Integers) -> Integers:
        """S(r) of every radius."""
        return sums_by_force(self._cells, self._counts, t, radii)

    def remove(self, center: Integers, weight: int) -> None:
        """[P10] Exactly the `weight` nearest by (squared distance, position)."""
        squared = ((2 * self._cells + 1 - center) ** 2).sum(axis=1)
        order = np.argsort(squared, kind="stable")  # cells are in lexicographic order already
        taken = np.clip(weight - np.concatenate([[0], np.cumsum(self._counts[order])[:-1]]), 0, self._counts[order])
        self._counts = self._counts.copy()
        self._counts[order] -= taken
        kept = self._counts > 0
        self._cells, self._counts = self._cells[kept], self._counts[kept]


PrintedState = GridState | LatticeState
