"""What a reference is given: exact data, k and ε, and what it gives back: centers."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpviz.clustering import KMeansResult, solve_kmeans
from dpviz.domain import ExactCounts
from dpviz.mechanisms.adaptive_tree.mechanism import ADAPTIVE_TREE

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Problem:
    """One cell of the benchmark, under add-remove of one record. Exact, curator only."""

    exact_counts: ExactCounts
    exact_positions: Floats  # occupied cells, local, (m, 2)
    exact_weights: Floats
    exact_best: KMeansResult  # the non-private yardstick
    k: int

    @property
    def side(self) -> int:
        return self.exact_counts.grid.side

    @property
    def extent(self) -> Floats:
        return self.exact_counts.grid.frame.extent

    def exact_blocks(self, side: int) -> Floats:
        """Exact counts of side × side blocks, by the share of each cell's middle; row 0 = north."""
        part = np.minimum(((np.arange(self.side) + 0.5) * side / self.side).astype(np.int64), side - 1)
        rows = np.zeros((side, self.side))
        np.add.at(rows, part, self.exact_counts.exact_cells)
        blocks = np.zeros((side, side))
        np.add.at(blocks, part, rows.T)
        return blocks.T

    def block_middles(self, side: int) -> Floats:
        """Local middles of side × side blocks in row order, (side², 2)."""
        step = self.extent / side
        columns = (np.arange(side) + 0.5) * step[0]
        rows = (side - np.arange(side) - 0.5) * step[1]
        return np.column_stack([np.tile(columns, side), np.repeat(rows, side)])

    def solve(self, positions: Floats, weights: Floats, seed: int = 0) -> Floats:
        """The same guided search for every reference, never a shorter one than ours: what differs is the synopsis."""
        repeats = ADAPTIVE_TREE.recipe.effort(math.inf, self.k)["repeats"]
        box = np.zeros(2), self.extent
        return solve_kmeans(positions, weights, self.k, seed=seed, repeats=repeats, low=box[0], high=box[1]).centers


@dataclass(frozen=True, kw_only=True)
class Reference:
    """A named reference; rivals are private, limits are not."""

    name: str
    title: str
    run: Callable[[Problem, float, np.random.Generator], Floats]
    rival: bool
    needs_best: bool = False  # it starts from the best centers known
    uses_epsilon: bool = True
