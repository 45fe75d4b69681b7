"""One run's working copy of the counts, and the exact answers that the rounds ask of it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import Grid
from dpviz.mechanisms.peeling._kernels import (
    TILE,
    build_pyramid,
    largest_window,
    nth_candidate,
    remove_nearest,
    score_groups,
    window_count,
)
from dpviz.mechanisms.peeling.ladder import Window, block_center_halves, integer_metric, ladder

_NO_BOUNDS = np.empty(0, np.int64)


class Peeler:
    """Exact state of one run; never leaves it."""

    def __init__(self, grid: Grid, exact_cells: NDArray[np.int64]) -> None:
        side = self.side = grid.side
        self.windows: tuple[Window, ...] = ladder(side)
        self.across, self.up = integer_metric(grid)
        sizes = [(side >> level) ** 2 for level in range(side.bit_length())]
        self.offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        narrow = int(exact_cells.sum()) < 2**31
        self.pyramid = np.empty(self.offsets[-1], np.int32 if narrow else np.int64)
        build_pyramid(exact_cells, self.pyramid, self.offsets)
        tiles = [self._tiles(window.level) ** 2 for window in self.windows]
        self.bounds = [np.full(count, 2**62, np.int64) for count in tiles]
        self.seen = [np.full(count, -1, np.int64) for count in tiles]
        self._across = np.empty((TILE + 2 * 32, TILE), np.int64)
        self._out = np.empty((TILE, TILE), np.int64)

    def _tiles(self, level: int) -> int:
        return -(-(self.side >> level) // TILE)

    def exact_largest(self, rung: int, cap: int = 2**62, least: int = -1) -> int:
        """M(r), the largest count in a window of this rung over the public lattice, if least < M(r) < cap.

        Otherwise the nearer of the two: asked that way, fewer windows need to be counted.
        """
        window = self.windows[rung]
        if rung + 1 < len(self.windows):
            larger, shift = self.bounds[rung + 1], self.windows[rung + 1].level - window.level
        else:
            larger, shift = _NO_BOUNDS, 0
        return int(
            largest_window(
                self.pyramid,
                self.offsets,
                self.side,
                window.level,
                window.half,
                least,
                cap,
                self.bounds[rung],
                self.seen[rung],
                larger,
                shift,
                self._across,
                self._out,
            )
        )

    def exact_groups(self, rung: int, most: int, floor: int) -> NDArray[np.int64]:
        """How many candidates have each score min(count, most) from `floor` to `most`."""
        window = self.windows[rung]
        groups = np.zeros(most - floor + 1, np.int64)
        score_groups(
            self.pyramid,
            self.offsets,
            self.side,
            window.level,
            window.half,
            most,
            floor,
            groups,
            self.bounds[rung],
            self._across,
            self._out,
        )
        return groups

    def candidate(self, rung: int, most: int, score: int, place: int) -> int:
        """Index of the candidate at this place, tile after tile, among those with this score min(count, most)."""
        window = self.windows[rung]
        row, column = nth_candidate(
            self.pyramid,
            self.offsets,
            self.side,
            window.level,
            window.half,
            most,
            score,
            place,
            self.bounds[rung],
            self._across,
            self._out,
        )
        return int(row) * (self.side >> window.level) + int(column)

    def exact_score(self, rung: int, most: int, index: int) -> int:
        """min(count, most) of the candidate with this index in row-major order."""
        window = self.windows[rung]
        row, column = divmod(index, self.side >> window.level)
        count = window_count(self.pyramid, self.offsets, self.side, window.level, window.half, row, column)
        return min(int(count), most)

    def center(self, rung: int, index: int) -> tuple[int, int]:
        """Center in half cells of the candidate with this index."""
        level = self.windows[rung].level
        return block_center_halves(level, *divmod(index, self.side >> level))

    def candidates(self, rung: int) -> int:
        """Size of the public lattice of this rung."""
        return (self.side >> self.windows[rung].level) ** 2

    def remove(self, center: tuple[int, int], wanted: int) -> None:
        """Take out exactly the `wanted` nearest records, or all that are left."""
        remove_nearest(
            self.pyramid, self.offsets, self.side, center[0], center[1], self.across, self.up, min(wanted, 2**62)
        )

    def exact_cells(self) -> NDArray[np.int64]:
        """What is left, for tests."""
        return self.pyramid[: self.side**2].reshape(self.side, self.side).astype(np.int64)
