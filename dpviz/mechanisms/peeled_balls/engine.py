"""One run's working state of the counts, and the exact answers that the rounds ask of it.

What a run changes lies in its own copy of the block sums and in copies of the few blocks of cells that a removal cuts
through; the counts themselves are only read.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import Grid
from dpviz.mechanisms.peeled_balls._block_kernels import gather
from dpviz.mechanisms.peeled_balls._removal_kernels import remove_nearest
from dpviz.mechanisms.peeled_balls._window_kernels import (
    PATCH,
    TILE,
    largest_window,
    learn,
    nth_candidate,
    score_groups,
    settle,
    window_count,
)
from dpviz.mechanisms.peeled_balls.block_sums import BlockSums
from dpviz.mechanisms.peeled_balls.ladder import Window, block_center_halves, integer_metric, ladder

FIRST_OPENED = 1024  # copies of blocks that there is room for at first
Integers = NDArray[np.int64]


class Peeler:
    """Exact state of one run; never leaves it."""

    def __init__(self, grid: Grid, exact_counts: Integers | BlockSums) -> None:
        sums = exact_counts if isinstance(exact_counts, BlockSums) else BlockSums(exact_counts)
        self.side = grid.side
        self.windows: tuple[Window, ...] = ladder(self.side)
        self.across, self.up = integer_metric(grid)
        copy_of = np.full((self.side >> sums.base) ** 2, -1, np.int32)
        opened = np.empty((min(FIRST_OPENED, len(copy_of)), 4**sums.base), np.int64)
        self._used = np.zeros(1, np.int64)
        held = sums.exact_held.copy()
        self._counts = (sums.exact_cells, held, sums.exact_peak, sums.offsets, sums.base, copy_of, opened)
        tiles = [(-(-(self.side >> window.level) // TILE)) ** 2 for window in self.windows]
        starts = np.concatenate([[0], np.cumsum(tiles)]).astype(np.int64)
        levels = np.array([window.level for window in self.windows], np.int64)
        halves = np.array([window.half for window in self.windows], np.int64)
        self._rungs = (levels, halves, starts, np.zeros(len(levels), np.int64))
        self._bounds = np.empty((2, starts[-1]), np.int64)
        on_level = [(-(-(self.side >> level) // TILE)) ** 2 for level in range(self.side.bit_length())]
        first = np.concatenate([[0], np.cumsum(on_level)]).astype(np.int64)
        around = tuple(np.empty(first[-1], np.int64) for _ in range(3))
        self._now = np.zeros(1, np.int64)  # counts removals
        self._survey = (first, *around, np.full(len(on_level), -1, np.int64), self._now)
        self._scratch = (np.empty((PATCH, PATCH), np.int64), np.empty(PATCH, np.int64), np.empty(PATCH + 1, np.int64))
        self._out = np.empty((TILE, TILE), np.int64)

    def exact_largest(self, rung: int, cap: int = 2**62, least: int = -1) -> int:
        """M(r), the largest count in a window of this rung over the public lattice, if least < M(r) < cap.

        Otherwise the nearer of the two: asked that way, fewer windows need to be counted.
        """
        return int(
            largest_window(
                self._counts, self._rungs, self._bounds, self._survey, rung, least, cap, self._scratch, self._out
            )
        )

    def exact_settle(self, lower: Integers, upper: Integers, weight: int, reach: int) -> None:
        """Tighten lower ≤ M ≤ upper until it is known where M passes the weight, and M itself around there."""
        settle(
            self._counts, self._rungs, self._bounds, self._survey, weight, reach, lower, upper, self._scratch, self._out
        )

    def exact_learn(self, lower: Integers, upper: Integers, rung: int) -> None:
        """Make both bounds on M(rung) equal to it."""
        learn(self._counts, self._rungs, self._bounds, self._survey, rung, lower, upper, self._scratch, self._out)

    def exact_groups(self, rung: int, most: int, floor: int, step: int) -> Integers:
        """How many candidates have a score min(count, most) in each `step` numbers from `floor` on."""
        groups = np.zeros((most - floor) // step + 1, np.int64)
        score_groups(
            self._counts,
            self._rungs,
            self._bounds,
            self._survey,
            rung,
            most,
            floor,
            step,
            groups,
            self._scratch,
            self._out,
        )
        return groups

    def candidate(self, rung: int, most: int, low: int, high: int, place: int) -> tuple[int, int]:
        """Index and score of the candidate at this place, tile after tile, among those with low ≤ score ≤ high."""
        row, column, score = nth_candidate(
            self._counts,
            self._rungs,
            self._bounds,
            self._survey,
            rung,
            most,
            low,
            high,
            place,
            self._scratch,
            self._out,
        )
        return int(row) * (self.side >> self.windows[rung].level) + int(column), int(score)

    def exact_score(self, rung: int, most: int, index: int) -> int:
        """min(count, most) of the candidate with this index in row-major order."""
        window = self.windows[rung]
        row, column = divmod(index, self.side >> window.level)
        return min(int(window_count(self._counts, window.level, window.half, row, column, self._scratch)), most)

    def center(self, rung: int, index: int) -> tuple[int, int]:
        """Center in half cells of the candidate with this index."""
        level = self.windows[rung].level
        return block_center_halves(level, *divmod(index, self.side >> level))

    def candidates(self, rung: int) -> int:
        """Size of the public lattice of this rung."""
        return (self.side >> self.windows[rung].level) ** 2

    def remove(self, center: tuple[int, int], wanted: int) -> None:
        """Take out exactly the `wanted` nearest records, or all that are left."""
        opened = remove_nearest(
            self._counts, self._used, center[0], center[1], self.across, self.up, min(wanted, 2**62)
        )
        self._counts = (*self._counts[:-1], opened)
        self._now[0] += 1

    def exact_cells(self) -> Integers:
        """What is left, for tests."""
        left = np.empty((self.side, self.side), np.int64)
        gather(self._counts, 0, 0, 0, self.side, self.side, left)
        return left
