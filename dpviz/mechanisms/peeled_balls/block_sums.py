"""Exact sums over blocks of one table of counts: made once, never written to again, shared by all runs on it."""

from __future__ import annotations

import threading
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import ExactCounts
from dpviz.domain._exact import Exact
from dpviz.mechanisms.exact_view import bounded_counts
from dpviz.mechanisms.peeled_balls._block_kernels import BASE_LEVEL, sum_blocks

Integers = NDArray[np.int64]


class BlockSums(Exact):
    """How many records each block holds, from 8 × 8 cells up to the whole; first moments and peaks of the smallest.

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
    """The sums of these counts, remembered as long as the counts live."""
    with _LOCK:
        known = _KNOWN.get(counts)
    if known is None:
        known = BlockSums(counts.exact_cells)
        known = bounded_sums(known)
        with _LOCK:
            _KNOWN[counts] = known
    return known


def bounded_sums(sums: BlockSums) -> BlockSums:
    """The same where no cell holds more than the public bound; else those of the bounded counts."""
    most = int(bounded_counts(sums.exact_peak.max(keepdims=True), sums.exact_cells.size)[0])
    if int(sums.exact_peak.max()) <= most:
        return sums
    return BlockSums(bounded_counts(sums.exact_cells, sums.exact_cells.size))
