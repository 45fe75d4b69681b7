"""The best clustering anybody has seen of some exact data: the yardstick of the accuracy benchmark. Curator only.

Where n is large, protected centers come within 1e-12 of the best cost, and a yardstick that misses the best by a hair
turns such errors negative. So costs are summed without rounding between the terms, every local optimum is also stable
against moving a single cell (Hartigan and Wong 1979), which Lloyd's is not, and whatever any method answers is polished
too: nothing that was seen costs less than the yardstick.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dpviz.clustering import GridTable, KMeansResult, solve_kmeans
from dpviz.clustering.distances import nearest
from dpviz.domain import ExactCounts
from dpviz.domain._exact import Exact
from dpviz.mechanisms.exact_view import weighted_local

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
GRID_SEARCHES = 24
HARD_SEARCHES = 4
SHAKES = 120
WORTH_POLISHING = 0.01  # relative: centers that cost more than this above the best end in a worse basin
WORTH_MOVING = 1e-4  # relative: moves of single cells do not gain more than this
SAME = 1e-13
SURE = 1e-9  # of what a cell costs: smaller gains of a move may be rounding
ROUNDS = 200


class Yardstick(Exact):
    """The best centers known for k on exact counts; `consider` makes it better or leaves it."""

    def __init__(self, data: ExactCounts, k: int, *, searches: bool = True) -> None:
        self.k = k
        self.exact_positions, weights = weighted_local(data)
        self.exact_weights = weights.astype(np.float64)
        grid = data.grid
        self._exact_table = GridTable.of(data.exact_cells, cell_width=grid.cell_width, cell_height=grid.cell_height)
        self._spread = math.sqrt(grid.cell_width * grid.cell_height)
        self.exact_cost = math.inf
        self.exact_centers: Floats = np.zeros((k, 2))
        if searches:
            self._search()

    def cost(self, centers: Floats) -> float:
        """Exact cost of any centers, correct to the last digits: the terms are added without rounding."""
        squared = nearest(self.exact_positions, np.ascontiguousarray(centers))[1]
        return math.fsum((self.exact_weights * squared).tolist())

    def error_of(self, cost: float) -> float:
        """cost / best cost − 1, for a cost whose centers were admitted: then it is never below 0."""
        return (cost - self.exact_cost) / self.exact_cost if self.exact_cost > 0.0 else 0.0

    def admit(self, centers: Floats, cost: float) -> None:
        """Take centers of a known cost for the best if nothing cheaper is known."""
        if cost < self.exact_cost:
            self.exact_cost, self.exact_centers = cost, np.array(centers, dtype=np.float64)

    def consider(self, centers: Floats) -> None:
        """Polish centers that are close to the best, and keep what costs less."""
        centers = np.ascontiguousarray(centers)
        cost = self.cost(centers)
        self.admit(centers, cost)
        if cost <= self.exact_cost * (1.0 + WORTH_POLISHING):
            places = self._exact_table.polish(centers)
            cost = self.cost(places)
            if (
                self.exact_cost * (1.0 + SAME) < cost <= self.exact_cost * (1.0 + WORTH_MOVING)
                or cost < self.exact_cost
            ):
                places = self.polish(places)
                cost = self.cost(places)
            self.admit(places, cost)

    def best(self) -> KMeansResult:
        """The best centers, heaviest first."""
        labels = nearest(self.exact_positions, self.exact_centers)[0]
        held = np.bincount(labels, weights=self.exact_weights, minlength=self.k).astype(np.float64)
        order = np.argsort(-held, kind="stable")
        return KMeansResult(centers=self.exact_centers[order], weights=held[order], cost=self.exact_cost)

    def polish(self, centers: Floats) -> Floats:
        """Lloyd steps and moves of single cells until neither lowers the cost."""
        places = self._exact_table.polish(centers)
        for _ in range(ROUNDS):
            moved = self._transfers(places)
            if moved is None:
                return places
            places = self._exact_table.polish(moved)
        return places

    def _search(self) -> None:
        for seed in range(GRID_SEARCHES if self.k > 1 else 1):
            self.consider(self._exact_table.solve(self.k, seed=seed).centers)
        if self.k == 1:
            return
        hard = {"starts": 48, "refine": 6, "swaps": 80, "repeats": 3}
        for seed in range(HARD_SEARCHES):
            self.consider(solve_kmeans(self.exact_positions, self.exact_weights, self.k, seed=seed, **hard).centers)
        # Lloyd stops in one of many optima that lie close together: shake the best by parts of a cell up to some cells.
        generator = np.random.default_rng(0)
        for shake in range(SHAKES):
            size = self._spread * 4.0 ** (shake % 5 - 2)
            self.consider(self.exact_centers + generator.normal(0.0, size, self.exact_centers.shape))

    def _transfers(self, centers: Floats) -> Floats | None:
        """Centers after the cells that pay have changed sides, each weighed with the means it moves; None: none pays.

        Taking weight w out of a part of weight n saves w·n/(n − w) times the squared distance to its mean, adding it
        to another costs w·n/(n + w) times the squared distance there.
        """
        if self.k == 1:
            return None
        labels = nearest(self.exact_positions, centers)[0]
        held: Floats = np.bincount(labels, weights=self.exact_weights, minlength=self.k).astype(np.float64)
        sums = np.column_stack(
            [
                np.bincount(labels, weights=self.exact_weights * axis, minlength=self.k)
                for axis in self.exact_positions.T
            ]
        )
        if not (held > 0.0).all():
            return None
        chosen, goal = self._paying(labels, held, sums / held[:, None])
        moved = False
        for cell, to in zip(chosen, goal, strict=True):
            weight, place, here = self.exact_weights[cell], self.exact_positions[cell], labels[cell]
            if held[here] <= weight:
                continue
            saved = weight * held[here] / (held[here] - weight) * _squared(place, sums[here] / held[here])
            costs = weight * held[to] / (held[to] + weight) * _squared(place, sums[to] / held[to])
            if saved - costs > SURE * saved:
                held[here] -= weight
                held[to] += weight
                sums[here] -= weight * place
                sums[to] += weight * place
                labels[cell] = to
                moved = True
        means: Floats = sums / held[:, None]
        return means if moved else None

    def _paying(self, labels: Integers, held: Floats, means: Floats) -> tuple[Integers, Integers]:
        """Cells whose change of sides would pay by itself, the most first, and where to."""
        squared = np.stack([((self.exact_positions - mean) ** 2).sum(axis=1) for mean in means], axis=1)
        weight = self.exact_weights[:, None]
        added = squared * (weight * held / (held + weight))
        rows = np.arange(len(labels))
        own = squared[rows, labels]
        added[rows, labels] = np.inf
        left = held[labels] - self.exact_weights
        saved = np.where(left > 0.0, own * self.exact_weights * held[labels] / np.where(left > 0.0, left, 1.0), 0.0)
        goal = added.argmin(axis=1)
        gain = saved - added[rows, goal]
        chosen = np.flatnonzero(gain > 0.0)
        chosen = chosen[np.argsort(-gain[chosen], kind="stable")]
        return chosen, goal[chosen]


def _squared(one: Floats, other: Floats) -> float:
    return float(((one - other) ** 2).sum())
