"""The same rounds in plain numpy: whole summed-area tables, whole sorts. For tests and benchmarks only."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import Grid
from dpviz.mechanisms.peeled_balls.engine import Window, block_center_halves, integer_metric, ladder, window_counts


class NaivePeeler:
    """Drop-in twin of `Peeler`: no pyramid, no cached bounds."""

    def __init__(self, grid: Grid, exact_cells: NDArray[np.int64]) -> None:
        self.side = grid.side
        self.windows: tuple[Window, ...] = ladder(grid.side)
        self.across, self.up = integer_metric(grid)
        self.cells = exact_cells.astype(np.int64).copy()

    def _counts(self, rung: int) -> NDArray[np.int64]:
        return window_counts(self.cells, self.windows[rung])

    def exact_largest(self, rung: int, cap: int = 2**62, least: int = -1) -> int:
        """M(r), cut at both ends."""
        return max(least, min(cap, int(self._counts(rung).max())))

    def exact_learn(self, lower: NDArray[np.int64], upper: NDArray[np.int64], rung: int) -> None:
        """M(rung) into both bounds, and into those of the rungs that it bounds."""
        if 0 <= rung < len(upper):
            found = self.exact_largest(rung)
            np.maximum(lower[rung:], found, out=lower[rung:])
            np.minimum(upper[: rung + 1], found, out=upper[: rung + 1])

    def exact_settle(self, lower: NDArray[np.int64], upper: NDArray[np.int64], weight: int, reach: int) -> None:
        """Bisect for the smallest rung with M ≥ weight; M is learned there, `reach` above and `reach` + 1 below."""
        last = len(upper) - 1
        while True:
            low = min(int(np.searchsorted(upper, weight)), last)
            high = min(int(np.searchsorted(lower, weight)), last)
            if low >= high:
                break
            middle = (low + high) // 2
            if self.exact_largest(middle) >= weight:
                np.maximum(lower[middle:], weight, out=lower[middle:])
            else:
                np.minimum(upper[: middle + 1], weight - 1, out=upper[: middle + 1])
        for rung in range(high - reach - 1, high + reach + 1):
            self.exact_learn(lower, upper, rung)

    def exact_groups(self, rung: int, most: int, floor: int, step: int) -> NDArray[np.int64]:
        """Sizes of the groups of `step` scores."""
        scores = np.minimum(self._counts(rung), most).ravel()
        groups = (scores[scores >= floor] - floor) // step
        return np.bincount(groups, minlength=(most - floor) // step + 1).astype(np.int64)

    def candidate(self, rung: int, most: int, low: int, high: int, place: int) -> tuple[int, int]:
        """Index and score of the candidate at this place, tile after tile."""
        scores = np.minimum(self._counts(rung), most)
        rows, columns = np.nonzero((scores >= low) & (scores <= high))
        order = np.lexsort((columns, rows, columns // 32, rows // 32))
        row, column = int(rows[order[place]]), int(columns[order[place]])
        return row * len(scores) + column, int(scores[row, column])

    def exact_score(self, rung: int, most: int, index: int) -> int:
        """min(count, most) of one candidate."""
        return min(int(self._counts(rung).ravel()[index]), most)

    def center(self, rung: int, index: int) -> tuple[int, int]:
        """Center in half cells of one candidate."""
        level = self.windows[rung].level
        return block_center_halves(level, *divmod(index, self.side >> level))

    def candidates(self, rung: int) -> int:
        """Size of the public lattice of this rung."""
        return (self.side >> self.windows[rung].level) ** 2

    def remove(self, center: tuple[int, int], wanted: int) -> None:
        """Sort all cells by (squared distance, row, column) and empty them in turn."""
        halves = 2 * np.arange(self.side, dtype=np.int64) + 1
        distance = ((halves[:, None] - center[0]) * self.up) ** 2 + ((halves[None, :] - center[1]) * self.across) ** 2
        order = np.argsort(distance.ravel(), kind="stable")
        flat = self.cells.ravel()
        before = np.concatenate([[0], np.cumsum(flat[order])[:-1]])
        flat[order] -= np.clip(wanted - before, 0, flat[order])
        self.cells = flat.reshape(self.side, self.side)

    def exact_cells(self) -> NDArray[np.int64]:
        """What is left."""
        return self.cells.copy()
