"""Exact, non-private k-means on a full grid of counts: the reference for every protected answer.

Search on exact centroids of coarse blocks, then polish on every cell. Blocks are coarse where records are everywhere; a
town in a wide box lies in few blocks, which may be as fine as cells. Positions are local metres: x from the
west edge, y from the south edge, cell centers; row 0 is the north edge.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpviz.clustering import _grid_kernels, guided_search
from dpviz.clustering.distances import Floats, KMeansResult, assign, checked_count, checked_points
from dpviz.clustering.solving import (
    GO_ON,
    KEPT,
    MASK,
    ROUNDS,
    SHAKES,
    SHORT_STEPS,
    TRIALS,
    count_moves,
    kmeans_plusplus,
    lloyd,
    merge_pools,
    shake_centers,
    solve_kmeans,
    solve_kmedian,
    sphere_packing_start,
    to_single_precision,
)
from dpviz.errors import InputError

Integers = NDArray[np.int64]
# Blocks a side for searching, sorting candidates and shaking where records are everywhere. Where they are not, finer
# ones with as many occupied blocks: a town in a wide box would lie in a handful of blocks.
_SEARCH_SIDE = 64  # 48 missed the best of records on few places by 4.5e-4 in two of five searches for 20 centers
_MIDDLE_SIDE = 128
_FINE_SIDE = 256
_FINEST_SIDE = 1024  # but for cells, where they are few
_FEW_CELLS = 2 * _FINE_SIDE**2
_SWAPS = 40
_CANDIDATES = 3
_SOME = 10  # centers, from which on one search in three ends 1e-4 to 4e-3 above the best
_MANY = 15  # centers, for which traps are deep where records fill little ground; there a search takes little
# Several short searches, of which the best goes on together: how many, what part of its moves each has, how many of
# what they found are polished on all cells.
_SEARCHES_FOR_SOME, _SEARCHES_ON_LITTLE = (4, 2, _CANDIDATES), (12, 3, 2 * _CANDIDATES)
_WORSE = 5e-3  # relative: what ends farther above the best on all cells is not shaken
_AS_BEFORE = 1e-9  # relative; costs that differ less are of one place
_STEPS = 1000
_TOLERANCE_COLUMNS = 1e-9


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Blocks:
    """The occupied blocks of rows × cols, row by row. Exact data, within one search."""

    shape: tuple[int, int]
    at: Integers  # row · cols + column
    moments: Integers  # (blocks, 3): Σ n, Σ n·column, Σ n·row, in cells

    def __len__(self) -> int:
        return self.at.size

    @classmethod
    def of(cls, moments: Integers) -> "Blocks":
        """Select the occupied blocks from the moments of all, (rows, columns, 3)."""
        at = np.flatnonzero(moments[:, :, 0] > 0)
        return cls(shape=moments.shape[:2], at=at, moments=moments.reshape(-1, 3)[at])

    @classmethod
    def of_cells(cls, counts: Integers, prefix: Integers, most: int) -> "Blocks | None":
        """Take every occupied cell as a block; None where there are more than `most`."""
        at, moments = np.empty(most, np.int64), np.empty((most, 3), np.int64)
        found = int(_grid_kernels.occupied_cells(counts, prefix, at, moments))
        return None if found > most else cls(shape=counts.shape, at=at[:found], moments=moments[:found])

    def larger(self, side: int) -> "Blocks":
        """Merge blocks to at most side × side larger blocks."""
        factor = -(-max(self.shape) // side)
        rows, cols = (-(-size // factor) for size in self.shape)
        row, column = np.divmod(self.at, self.shape[1])
        block = row // factor * cols + column // factor
        order = np.argsort(block, kind="stable")
        block = block[order]
        starts = np.flatnonzero(np.diff(block, prepend=-1))
        moments = np.add.reduceat(self.moments[order], starts) if starts.size else self.moments
        return Blocks(shape=(rows, cols), at=block[starts], moments=moments)

    def at_most(self, side: int) -> "Blocks":
        """The finest blocks with at most half as many occupied as a grid of side × side has, or those of that grid."""
        blocks, wanted = self, max(self.shape)
        while wanted > side and 2 * len(blocks) > side**2:
            wanted = max(side, -(-wanted // 2))
            blocks = blocks.larger(wanted)
        return blocks

    def centroids(self) -> tuple[Floats, Floats]:
        """Exact centroids, in columns and rows, and the counts."""
        size = self.moments[:, 0].astype(np.float64)
        return self.moments[:, 1:] / size[:, None] + 0.5, size


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class GridTable:
    """A grid of counts prepared for many exact queries of O(rows·k) each, independent of the number of records.

    Exact data: for the curator's process only. It refuses pickle and prints no number.
    """

    counts: NDArray[np.int64]  # (rows, cols), row 0 = north
    prefix: NDArray[np.int64]  # (rows, blocks + 1, 3)
    cell_width: float
    cell_height: float

    @classmethod
    def of(cls, counts: ArrayLike, *, cell_width: float, cell_height: float) -> "GridTable":
        grid = np.ascontiguousarray(counts).view()
        grid.flags.writeable = False  # whoever counted: numba compiles arrays that may be written apart
        if grid.ndim != 2 or grid.size == 0 or grid.dtype.kind not in "iu":
            raise InputError(
                f"counts: shape {grid.shape} of {grid.dtype} given; whole numbers in rows and columns needed"
            )
        for name, value in (("cell_width", cell_width), ("cell_height", cell_height)):
            if not (np.isfinite(value) and value > 0.0):
                raise InputError(f"{name}: {value} was given; a positive length in metres is needed")
        blocks = -(-grid.shape[1] // _grid_kernels.STRIDE)
        prefix = np.empty((grid.shape[0], blocks + 1, 3), dtype=np.int64)
        _grid_kernels.row_prefixes(grid, prefix)
        return cls(counts=grid, prefix=prefix, cell_width=float(cell_width), cell_height=float(cell_height))

    def __repr__(self) -> str:
        return "GridTable(exact, for the curator)"

    def __reduce__(self) -> Any:
        raise TypeError("GridTable holds exact counts and is not pickled; build it again where it is needed")

    @property
    def stretch(self) -> float:
        return (self.cell_height / self.cell_width) ** 2

    def to_columns(self, centers: ArrayLike) -> Floats:
        """Convert local metres to (columns from the west edge, rows from the north edge)."""
        places = checked_points(centers, "centers")
        if places.shape[1] != 2 or places.shape[0] == 0:
            raise InputError(f"centers: shape {places.shape} was given; at least one row of (x, y) in metres is needed")
        return np.column_stack([places[:, 0] / self.cell_width, self.counts.shape[0] - places[:, 1] / self.cell_height])

    def to_metres(self, places: Floats) -> Floats:
        return np.column_stack(
            [places[:, 0] * self.cell_width, (self.counts.shape[0] - places[:, 1]) * self.cell_height]
        )

    def summarise(self, centers: ArrayLike) -> tuple[float, NDArray[np.int64]]:
        """Σ n·dist² in square metres and the number of records nearest to each center."""
        return self._summarise(self.to_columns(centers))

    def _summarise(self, places: Floats) -> tuple[float, NDArray[np.int64]]:
        moments = np.zeros((places.shape[0], 3), dtype=np.int64)
        value = _grid_kernels.part_moments(self.counts, self.prefix, places, self.stretch, moments, True)
        return float(value) * self.cell_width**2, moments[:, 0].copy()

    def block_moments(self, side: int) -> NDArray[np.int64]:
        """(Σ n, Σ n·column, Σ n·row) of the blocks of a grid of at most side × side, (rows, columns, 3)."""
        rows, cols = self.counts.shape
        factor = -(-max(rows, cols) // side)
        moments = np.zeros((-(-rows // factor), -(-cols // factor), 3), dtype=np.int64)
        _grid_kernels.block_moments(self.counts, self.prefix, factor, moments.reshape(-1, 3))
        return moments

    def polish(self, centers: ArrayLike, steps: int = _STEPS) -> Floats:
        """Run Lloyd steps on every cell from these centers until nothing moves."""
        places = self.to_columns(centers)
        self._polish(places, steps)
        return self.to_metres(places)

    def _polish(self, places: Floats, steps: int = _STEPS) -> None:
        _grid_kernels.descend_on_grid(self.counts, self.prefix, places, self.stretch, steps, _TOLERANCE_COLUMNS)

    def solve(self, k: int, *, seed: int, starts: int = 40) -> KMeansResult:
        """Return the best of several searches on coarse blocks, polished on every cell."""
        k = checked_count(k)
        rows, cols = self.counts.shape
        size = np.array([cols * self.cell_width, rows * self.cell_height])
        blocks = self._fine_blocks()
        searches, shorter, candidates = 1, 1, _CANDIDATES
        if k >= _SOME:
            little = k >= _MANY and max(blocks.shape) > _FINE_SIDE
            searches, shorter, candidates = _SEARCHES_ON_LITTLE if little else _SEARCHES_FOR_SOME
        blocks = blocks.at_most(_FINE_SIDE)
        fine, fine_mass = blocks.centroids()
        blocks = blocks.at_most(_MIDDLE_SIDE)
        middle, middle_mass = blocks.centroids()
        coarse, coarse_mass = blocks.at_most(_SEARCH_SIDE).centroids()
        if coarse_mass.size == 0:
            centers = sphere_packing_start(k, np.zeros(2), size, seed=seed)
            return KMeansResult(centers=centers, weights=np.zeros(k), cost=0.0)
        stretch = np.array([1.0, np.sqrt(self.stretch)])
        bounds = np.zeros(2), np.array([cols, rows]) * stretch
        few, many = (to_single_precision(np.ascontiguousarray((places * stretch).T)) for places in (coarse, middle))
        state = np.array([seed & MASK], dtype=np.uint64)
        moves = count_moves(k, _CANDIDATES, _SWAPS)
        settings = SHORT_STEPS, TRIALS, 2, state, *bounds
        found = [
            guided_search.search(few, coarse_mass, k, starts, KEPT, moves // shorter, *settings)
            for _ in range(searches)
        ]
        pool = merge_pools([pools for pools, _ in found], [costs for _, costs in found])[:GO_ON]
        if middle_mass.size > coarse_mass.size:
            pool, _ = guided_search.resume(many, middle_mass, pool, moves // 4, *settings)
        ended = []
        for places in pool[:candidates] / stretch:
            self._polish(places)
            ended.append((self._summarise(places)[0], places))
        best = self._shake_best(np.ascontiguousarray((fine * stretch).T), fine_mass, ended, stretch, state, bounds)
        value, held = self._summarise(best)
        order = np.argsort(-held, kind="stable")
        return KMeansResult(centers=self.to_metres(best)[order], weights=held[order].astype(np.float64), cost=value)

    def _fine_blocks(self) -> Blocks:
        """Blocks fine enough for all searches; larger blocks are sums of them."""
        side = _FINE_SIDE
        blocks = Blocks.of(self.block_moments(side))
        cells = Blocks.of_cells(self.counts, self.prefix, _FEW_CELLS) if _sparse(blocks) else None
        if cells is not None:
            return cells
        while side < min(max(self.counts.shape), _FINEST_SIDE) and _sparse(blocks):
            side *= 2
            blocks = Blocks.of(self.block_moments(side))
        return blocks

    def _shake_best(
        self,
        points: Floats,
        mass: Floats,
        ended: list[tuple[float, Floats]],
        stretch: Floats,
        state: NDArray[np.uint64],
        bounds: tuple[Floats, Floats],
    ) -> Floats:
        """Shake the best clusterings on cells or centroids of small blocks; compare them on all cells."""
        box = {"low": bounds[0], "high": bounds[1]}
        ended = sorted(ended, key=lambda one: one[0])
        (best_value, best), least, before = ended[0], ended[0][0], -np.inf
        for value, begun in ended:
            if value <= before or value > least * (1.0 + _WORSE):
                continue  # the same place, or hopeless
            before = value * (1.0 + _AS_BEFORE)
            start = np.ascontiguousarray(begun * stretch)
            found, _ = shake_centers(points, mass, start, shakes=SHAKES, rounds=ROUNDS, power=2, state=state, **box)
            places = np.ascontiguousarray(found / stretch)
            self._polish(places)
            reached = self._summarise(places)[0]
            if reached < best_value:
                best_value, best = reached, places
        return best


def _sparse(blocks: Blocks) -> bool:
    """Whether blocks of half the side would be few enough for any data."""
    return 4 * len(blocks) <= _FINE_SIDE**2


def kmeans_on_grid(
    counts: ArrayLike, k: int, *, cell_width: float, cell_height: float, seed: int, starts: int = 40
) -> KMeansResult:
    """Non-private k-means of all records of a grid, each at the center of its cell, in local metres."""
    return GridTable.of(counts, cell_width=cell_width, cell_height=cell_height).solve(k, seed=seed, starts=starts)


def warm_up() -> None:
    """Compile or load all kernels by running every solver once on made-up points. Thread-safe."""
    points = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [3.0, 3.0], [4.0, 3.0], [3.0, 4.0]])
    weights = np.ones(6)
    for solve in (solve_kmeans, solve_kmedian):
        solve(points, weights, 2, seed=0, starts=2, refine=1, swaps=1)
    lloyd(points, weights, kmeans_plusplus(points, weights, 2, seed=0), 1)
    assign(points, points[:2])
    GridTable.of(np.eye(4, dtype=np.int64), cell_width=1.0, cell_height=1.0).solve(2, seed=0, starts=2)
