"""The variant as printed: its constants, the public schedule of its rounds, the state of one run.

Steps [P2] and [P10] of docs/proofs/peeled_balls_paper.md.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import Grid
from dpviz.mechanisms.peeled_balls.engine import Peeler
from dpviz.mechanisms.peeled_balls.small_ball import all_radii, few_radii, sums_by_force, sums_on_grid
from dpviz.noise.recconcave import promise_needed
from dpviz.privacy import Budget

Integers = NDArray[np.int64]
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
