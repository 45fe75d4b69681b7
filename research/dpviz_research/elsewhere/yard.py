"""Costs on raw records and on the grid, each against the best that anybody found there. Exact, curator only."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpviz.clustering import GridTable, KMeansResult, assign, lloyd
from dpviz.clustering.distances import nearest
from dpviz.domain import ExactCounts, Grid
from dpviz.domain._exact import Exact
from dpviz_research.synthetic import SYNTHETIC_BOX

Floats = NDArray[np.float64]
SIDE = 1024  # what `read_counts` takes unless told otherwise
SEARCHES = 8
CLOSE = 0.02  # relative: answers that cost more than this above the best end in a worse basin
STEPS = 300
BASINS = 3  # how many of the best basins on the grid are polished on raw records
SAME_BASIN = 1e-4  # relative, on the grid, after a descent: closer ends are small traps of one basin


class Yard(Exact):
    """Records, their counts on a grid, and the best centers known for k on either."""

    def __init__(self, exact_places: Floats, k: int) -> None:
        box = SYNTHETIC_BOX
        low, high = np.array([box.west, box.south]), np.array([box.east, box.north])
        raw = low + exact_places * (high - low)
        grid = Grid(box, SIDE)
        flat = grid.cells(raw[:, 0], raw[:, 1])
        counted = np.bincount(flat[flat >= 0], minlength=SIDE * SIDE).reshape(SIDE, SIDE)
        self.exact_counts = ExactCounts.from_array(grid, counted)
        self.exact_records = np.ascontiguousarray(grid.frame.to_local(raw))
        self._exact_ones = np.ones(len(raw))
        self._exact_table = GridTable.of(counted, cell_width=grid.cell_width, cell_height=grid.cell_height)
        self.k = k
        self.exact_found: list[tuple[float, Floats]] = []
        for seed in range(SEARCHES):
            self.consider(self._exact_table.solve(k, seed=seed).centers)

    def consider(self, centers: Floats) -> float:
        """Descend from an answer on the grid; the cost where it ends."""
        value = self._exact_table.summarise(centers)[0]
        if self.exact_found and value > self.exact_found[0][0] * (1.0 + CLOSE):
            return value
        ended = self._exact_table.polish(centers)
        value = self._exact_table.summarise(ended)[0]
        if all(abs(value / known - 1.0) > SAME_BASIN for known, _ in self.exact_found):
            self.exact_found = sorted([*self.exact_found, (value, ended)], key=lambda one: one[0])
        return value

    def best_on_the_grid(self) -> KMeansResult:
        """The best centers of the counts, heaviest first."""
        value, centers = self.exact_found[0]
        positions, weights = self.occupied()
        held = np.bincount(assign(positions, centers), weights=weights, minlength=self.k).astype(np.float64)
        order = np.argsort(-held, kind="stable")
        return KMeansResult(centers=centers[order], weights=held[order], cost=value)

    def occupied(self) -> tuple[Floats, Floats]:
        """Middles of occupied cells and their counts; exact."""
        grid, cells = self.exact_counts.grid, self.exact_counts.exact_cells
        rows, columns = np.nonzero(cells)
        places = np.column_stack([(columns + 0.5) * grid.cell_width, (SIDE - rows - 0.5) * grid.cell_height])
        return places, cells[rows, columns].astype(np.float64)

    def grid_cost(self, centers: Floats) -> float:
        """Every record at the middle of its cell."""
        return self._exact_table.summarise(centers)[0]

    def raw_cost(self, centers: Floats) -> float:
        """Every record where it is."""
        return float(nearest(self.exact_records, np.ascontiguousarray(centers))[1].sum())

    def best_raw_cost(self, answers: list[Floats]) -> float:
        """The lowest cost on raw records that the best basins of the grid and all answers come to."""
        begun = [centers for _, centers in self.exact_found[:BASINS]]
        ended = [lloyd(self.exact_records, self._exact_ones, centers, STEPS, 1e-4)[1] for centers in begun]
        return min([*ended, *(self.raw_cost(centers) for centers in answers)])
