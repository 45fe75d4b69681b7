"""Blocks of a grid of counts that hold records, as fine as their number allows: what the exact search runs on.

A block stands for its records by their centroid. Where records are everywhere, blocks are coarse; a town in a wide box
lies in few blocks, and these may be as fine as cells.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpviz.clustering import _grid_kernels
from dpviz.clustering.checks import Floats

Integers = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Blocks:
    """The occupied ones of rows × cols blocks, row by row. Exact data, within one search."""

    shape: tuple[int, int]
    at: Integers  # row · cols + column
    moments: Integers  # (blocks, 3): Σ n, Σ n·column, Σ n·row, in cells

    def __len__(self) -> int:
        return self.at.size

    @classmethod
    def of(cls, moments: Integers) -> "Blocks":
        """From the moments of all blocks, (rows, columns, 3)."""
        at = np.flatnonzero(moments[:, :, 0] > 0)
        return cls(shape=moments.shape[:2], at=at, moments=moments.reshape(-1, 3)[at])

    @classmethod
    def of_cells(cls, counts: Integers, prefix: Integers, most: int) -> "Blocks | None":
        """Every occupied cell as a block; None where there are more than `most`."""
        at, moments = np.empty(most, np.int64), np.empty((most, 3), np.int64)
        found = int(_grid_kernels.occupied_cells(counts, prefix, at, moments))
        return None if found > most else cls(shape=counts.shape, at=at[:found], moments=moments[:found])

    def larger(self, side: int) -> "Blocks":
        """Blocks of blocks, at most side × side of them: the same sums, taken from fewer numbers."""
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
        """The finest blocks of which no more are occupied than half of a grid of side × side, or those of that grid."""
        blocks, wanted = self, max(self.shape)
        while wanted > side and 2 * len(blocks) > side**2:
            wanted = max(side, -(-wanted // 2))
            blocks = blocks.larger(wanted)
        return blocks

    def centroids(self) -> tuple[Floats, Floats]:
        """Exact centroids, in columns and rows, and counts."""
        size = self.moments[:, 0].astype(np.float64)
        return self.moments[:, 1:] / size[:, None] + 0.5, size
