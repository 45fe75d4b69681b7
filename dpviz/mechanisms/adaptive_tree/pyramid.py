"""The public tree of square blocks over a grid of counts, and their exact counts."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import ExactCounts
from dpviz.mechanisms.adaptive_tree import _kernels

Integers = NDArray[np.int64]
ROOT_SIDE = 4
RESIDUAL_SIDE = 1024
MOST_PIECES = 1 << 14  # points per depth


def children_of(side: int, nodes: Integers) -> Integers:
    """The four blocks inside each block of a grid of this side, together."""
    rows, cols = np.divmod(nodes, side)
    first = (2 * rows) * (2 * side) + 2 * cols
    inside: Integers = (first[:, None] + np.array([0, 1, 2 * side, 2 * side + 1])).ravel()
    return inside


class Pyramid:
    """Depth 0 has `roots` blocks a side, fewer where there are fewer cells. A node's code is row · side + col."""

    fan = 4

    def __init__(self, data: ExactCounts, roots: int = ROOT_SIDE) -> None:
        self.side = data.grid.side
        self.width = float(data.grid.frame.extent[0])
        self.height = float(data.grid.frame.extent[1])
        halvings = data.exact_halvings
        levels = [halvings[0], *(level for level in halvings[1:] if level.shape[0] >= roots)]
        self._exact_levels: list[Integers] = levels[::-1]
        self.depths = len(levels)

    def side_at(self, depth: int) -> int:
        """Blocks per side of the box at a depth."""
        return int(self._exact_levels[depth].shape[0])

    def exact_level(self, most: int) -> Integers:
        """The finest exact level with at most `most` blocks per side."""
        depth = max(i for i in range(self.depths) if self.side_at(i) <= max(most, self.side_at(0)))
        return self._exact_levels[depth]

    def roots(self) -> Integers:
        """All blocks of depth 0."""
        return np.arange(self._exact_levels[0].size)

    def children(self, depth: int, nodes: Integers) -> Integers:
        """The four blocks inside each block."""
        return children_of(self.side_at(depth), nodes)

    def exact_counts(self, depth: int, nodes: Integers) -> Integers:
        """The exact counts of blocks."""
        return self._exact_levels[depth].reshape(-1)[nodes]

    def pieces(self, depth: int, nodes: Integers) -> NDArray[np.float64]:
        """2×2 local points inside each block, (m, 4, 2).

        One, (m, 1, 2), for single cells, whose records share one place, and where blocks are many and small.
        """
        side = self.side_at(depth)
        rows, cols = np.divmod(nodes, side)
        step = np.array([self.width, self.height]) / side
        middles = np.column_stack([cols + 0.5, side - rows - 0.5]) * step
        corners = np.array([[-1, -1], [-1, 1], [1, -1], [1, 1]])
        if depth + 1 == self.depths or len(nodes) > MOST_PIECES // 4:
            corners = np.zeros((1, 2))
        return middles[:, None, :] + corners * step / 4.0

    def boxes(self, depth: int, nodes: Integers) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """South-west and north-east corners of blocks, local, (m, 2) each."""
        side = self.side_at(depth)
        rows, cols = np.divmod(nodes, side)
        step = np.array([self.width, self.height]) / side
        return np.column_stack([cols, side - rows - 1]) * step, np.column_stack([cols + 1, side - rows]) * step

    def exact_clipped_sums(self, centers: NDArray[np.float64], radii: NDArray[np.float64], lattice: int) -> Integers:
        """[P7] Per part: the sum of the records' clipped integer offsets from the part's center, (k, 2).

        On grids finer than `RESIDUAL_SIDE` a record stands at the middle of its block of that side.
        """
        cells = self.exact_level(RESIDUAL_SIDE)
        xs, ys = self._middles(cells.shape[0])
        sums: Integers = _kernels.clipped_sums(cells, xs, ys, np.ascontiguousarray(centers), radii, lattice)
        return sums

    def exact_cost_difference(
        self, first: NDArray[np.float64], second: NDArray[np.float64], radius: float, lattice: int
    ) -> int:
        """[P6b] Σ over records of how much farther their nearest center of `second` is than that of `first`, squared,
        in clipped whole numbers. Records stand where they stand for `exact_clipped_sums`.
        """
        cells = self.exact_level(RESIDUAL_SIDE)
        xs, ys = self._middles(cells.shape[0])
        both = np.ascontiguousarray(first), np.ascontiguousarray(second)
        return int(_kernels.cost_difference(cells, xs, ys, *both, radius, lattice))

    def _middles(self, side: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Local places of columns, and of rows from the north."""
        steps = np.arange(side, dtype=np.float64) + 0.5
        return steps * (self.width / side), (side - steps) * (self.height / side)
