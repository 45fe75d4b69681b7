"""The public ladder of window sizes, aligned to a pyramid of blocks, and the public integer metric of the removal.

At level l a block has 2^l cells a side; a window is the (2h+1)² blocks around a candidate, which is a block's center,
so its half-width is (h + ½)·2^l cells. With the h below, every window lies inside the window of the next larger size
around the same block, or around the block's parent: the largest count over all candidates never falls with the size.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import Grid

FINEST_HALVES = (0, 1, 2, 3, 4, 5, 6, 7, 9)
HALVES = (5, 6, 7, 9)
METRIC_STEPS = 2**15  # integer steps of the longer edge of a cell: distances of removal are whole numbers


@dataclass(frozen=True)
class Window:
    """One rung of the ladder."""

    level: int
    half: int

    @property
    def half_width_cells(self) -> float:
        """Half the side of the window, in cells."""
        return (self.half + 0.5) * float(2**self.level)


def ladder(side: int) -> tuple[Window, ...]:
    """All windows for a grid of this side, smallest first; the last one covers the grid from any candidate."""
    rungs = [Window(0, half) for half in FINEST_HALVES]
    level = 1
    while rungs[-1].half_width_cells < side and 2**level <= side:
        rungs.extend(Window(level, half) for half in HALVES)
        level += 1
    kept = [rung for rung in rungs if rung.half_width_cells < side]
    return tuple(kept) if kept else (rungs[0],)


def window_counts(exact_cells: NDArray[np.int64], window: Window) -> NDArray[np.int64]:
    """How many records each window of a size holds, from whole summed-area tables; for laws, tests and benchmarks."""
    side = len(exact_cells)
    size = side >> window.level
    blocks = exact_cells.reshape(size, 2**window.level, size, 2**window.level).sum(axis=(1, 3))
    table = np.zeros((size + 1, size + 1), np.int64)
    table[1:, 1:] = blocks.cumsum(axis=0).cumsum(axis=1)
    low = np.maximum(np.arange(size) - window.half, 0)
    high = np.minimum(np.arange(size) + window.half + 1, size)
    counts = table[np.ix_(high, high)] - table[np.ix_(low, high)] - table[np.ix_(high, low)] + table[np.ix_(low, low)]
    return np.asarray(counts, np.int64)


def integer_metric(grid: Grid) -> tuple[int, int]:
    """Half a cell's width and height in whole steps: squared distances between cell and block centers are exact."""
    longer = max(grid.cell_width, grid.cell_height)
    across = max(1, round(METRIC_STEPS * grid.cell_width / longer))
    up = max(1, round(METRIC_STEPS * grid.cell_height / longer))
    return across, up


def block_center_halves(level: int, row: int, column: int) -> tuple[int, int]:
    """The center of a block in half cells from the north-west corner, (row, column)."""
    size = 2**level
    return (2 * row + 1) * size, (2 * column + 1) * size
