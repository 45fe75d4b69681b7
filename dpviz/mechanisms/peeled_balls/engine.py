"""Public ladder of windows, exact sums over blocks, and one run's working state with the exact answers for its rounds.

At level l a block has 2^l cells a side. A window is the (2h+1)² blocks around a candidate, the center of a block, so
its half-width is (h + ½)·2^l cells. With the h below, every window lies inside the next larger window around the same
block or around the block's parent: the largest count over all candidates never falls with the size.

A run changes its own copy of the block sums, and copies of the few blocks of cells that a removal cuts through. The
counts themselves are only read.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import ExactCounts, Grid
from dpviz.domain._exact import Exact
from dpviz.mechanisms.exact_view import bounded_counts
from dpviz.mechanisms.peeled_balls._block_kernels import BASE_LEVEL, gather, sum_blocks
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

Integers = NDArray[np.int64]


class BlockSums(Exact):
    """Number of records of each block, from 8 × 8 cells up to the whole; first moments and peaks of the smallest.

    For a grid of side 4096 this is 9 MB beside the 134 MB of the counts, which are not copied.
    """

    __slots__ = ("base", "exact_cells", "exact_east", "exact_held", "exact_peak", "exact_south", "offsets", "side")

    def __init__(self, exact_cells: Integers) -> None:
        cells = np.ascontiguousarray(exact_cells, np.int64)
        cells = cells.view()
        cells.flags.writeable = False  # also: one kind of array for the compiled code
        self.exact_cells = cells
        side = self.side = len(cells)
        top = side.bit_length() - 1
        self.base = min(BASE_LEVEL, top)
        sizes = [0] * self.base + [(side >> level) ** 2 for level in range(self.base, top + 1)]
        self.offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        blocks = (side >> self.base) ** 2
        self.exact_held = np.zeros(self.offsets[-1], np.int64)
        self.exact_peak, self.exact_east, self.exact_south = (np.zeros(blocks, np.int64) for _ in range(3))
        tables = (self.exact_held, self.exact_peak, self.exact_east, self.exact_south)
        sum_blocks(cells, self.base, self.offsets, *tables)
        for table in tables:
            table.flags.writeable = False

    def __repr__(self) -> str:
        return f"<BlockSums {self.side}x{self.side}: exact, curator only>"


_KNOWN: WeakKeyDictionary[ExactCounts, BlockSums] = WeakKeyDictionary()
_LOCK = threading.Lock()


def block_sums(counts: ExactCounts) -> BlockSums:
    """The sums of these counts, cached as long as the counts live."""
    with _LOCK:
        known = _KNOWN.get(counts)
    if known is None:
        known = BlockSums(counts.exact_cells)
        known = bounded_sums(known)
        with _LOCK:
            _KNOWN[counts] = known
    return known


def bounded_sums(sums: BlockSums) -> BlockSums:
    """These sums where no cell exceeds the public bound, else those of the bounded counts."""
    most = int(bounded_counts(sums.exact_peak.max(keepdims=True), sums.exact_cells.size)[0])
    if int(sums.exact_peak.max()) <= most:
        return sums
    return BlockSums(bounded_counts(sums.exact_cells, sums.exact_cells.size))


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
    """Count records in all windows of a size, by summed-area tables; for laws, tests and benchmarks."""
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
    return across, max(1, round(METRIC_STEPS * grid.cell_height / longer))


def block_center_halves(level: int, row: int, column: int) -> tuple[int, int]:
    """The center of a block in half cells from the north-west corner, (row, column)."""
    size = 2**level
    return (2 * row + 1) * size, (2 * column + 1) * size


FIRST_OPENED = 1024  # copies of blocks that there is room for at first


class Peeler:
    """Exact state of one run, used nowhere else."""

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
        scratch = (np.empty((PATCH, PATCH), np.int64), np.empty(PATCH, np.int64), np.empty(PATCH + 1, np.int64))
        self._buffers = scratch, np.empty((TILE, TILE), np.int64)

    def exact_largest(self, rung: int, cap: int = 2**62, least: int = -1) -> int:
        """M(r), the largest count in a window of this rung over the public lattice, if least < M(r) < cap.

        Otherwise the nearer bound: then fewer windows need to be counted.
        """
        return int(largest_window(*self._tables(), rung, least, cap, *self._buffers))

    def exact_settle(self, lower: Integers, upper: Integers, weight: int, reach: int) -> None:
        """Tighten lower ≤ M ≤ upper until the crossing of the weight is known, and M itself around it."""
        settle(*self._tables(), weight, reach, lower, upper, *self._buffers)

    def exact_learn(self, lower: Integers, upper: Integers, rung: int) -> None:
        """Set both bounds on M(rung) to M(rung)."""
        learn(*self._tables(), rung, lower, upper, *self._buffers)

    def exact_groups(self, rung: int, most: int, floor: int, step: int) -> Integers:
        """Count the candidates whose score min(count, most) lies in each `step` numbers from `floor` on."""
        groups = np.zeros((most - floor) // step + 1, np.int64)
        score_groups(*self._tables(), rung, most, floor, step, groups, *self._buffers)
        return groups

    def candidate(self, rung: int, most: int, low: int, high: int, place: int) -> tuple[int, int]:
        """Index and score of the candidate at this place, tile after tile, among those with low ≤ score ≤ high."""
        row, column, score = nth_candidate(*self._tables(), rung, most, low, high, place, *self._buffers)
        return int(row) * (self.side >> self.windows[rung].level) + int(column), int(score)

    def _tables(self) -> tuple[object, ...]:
        return self._counts, self._rungs, self._bounds, self._survey

    def exact_score(self, rung: int, most: int, index: int) -> int:
        """min(count, most) of the candidate with this index in row-major order."""
        window = self.windows[rung]
        row, column = divmod(index, self.side >> window.level)
        return min(int(window_count(self._counts, window.level, window.half, row, column, self._buffers[0])), most)

    def center(self, rung: int, index: int) -> tuple[int, int]:
        """Center in half cells of the candidate with this index."""
        level = self.windows[rung].level
        return block_center_halves(level, *divmod(index, self.side >> level))

    def candidates(self, rung: int) -> int:
        """Size of the public lattice of this rung."""
        return (self.side >> self.windows[rung].level) ** 2

    def remove(self, center: tuple[int, int], wanted: int) -> None:
        """Remove exactly the `wanted` nearest records, or all that are left."""
        opened = remove_nearest(
            self._counts, self._used, center[0], center[1], self.across, self.up, min(wanted, 2**62)
        )
        self._counts = (*self._counts[:-1], opened)
        self._now[0] += 1

    def exact_cells(self) -> Integers:
        """The remaining records, for tests."""
        left = np.empty((self.side, self.side), np.int64)
        gather(self._counts, 0, 0, 0, self.side, self.side, left)
        return left
