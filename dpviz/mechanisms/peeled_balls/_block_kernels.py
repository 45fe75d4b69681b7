# mypy: ignore-errors
# mypy: ignore-errors
"""Compiled sums of counts over blocks. Noise never enters here. Twin: tests/oracles/peeling.py.

Level l has (side/2^l)² blocks in row-major order. Levels from `base` up are kept, flat, level l from offsets[l]; what
lies below is read from the cells themselves, or from the copy of a block of level `base` that a removal has cut
through (`opened[copy_of[block]]`). A block that holds nothing is empty whatever is stored below it.
"""

from __future__ import annotations

import numba
import numpy as np

BASE_LEVEL = 3  # blocks of 8 × 8 cells, 64 bytes a row of them: one line of memory


@numba.njit(nogil=True, cache=True)
def sum_blocks(cells, base, offsets, held, peak, east, south):
    """Counts of all blocks; of the base's also the largest cell and Σ n·(columns, rows from the north-west corner)."""
    side = cells.shape[0]
    size = side >> base
    for block_row in range(size):
        top = block_row << base
        for block_column in range(size):
            total, highest, eastward, southward = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
            if base == 3:  # written out: all rows of a block are read side by side, three times as fast
                for j in range(8):
                    column = 8 * block_column + j
                    a, b, c, d = (
                        cells[top, column],
                        cells[top + 1, column],
                        cells[top + 2, column],
                        cells[top + 3, column],
                    )
                    e, f = cells[top + 4, column], cells[top + 5, column]
                    g, h = cells[top + 6, column], cells[top + 7, column]
                    count = a + b + c + d + e + f + g + h
                    total += count
                    eastward += j * count
                    southward += (b + d + f + h) + 2 * (c + d) + 4 * (e + f) + 6 * (g + h)
                    highest = max(highest, max(max(max(a, b), max(c, d)), max(max(e, f), max(g, h))))
            else:
                for i in range(1 << base):
                    for j in range(1 << base):
                        count = cells[top + i, (block_column << base) + j]
                        total += count
                        eastward += j * count
                        southward += i * count
                        highest = max(highest, count)
            block = block_row * size + block_column
            held[block], peak[block], east[block], south[block] = total, highest, eastward, southward
    for level in range(base + 1, offsets.size - 1):
        size = side >> level
        above, below = offsets[level], offsets[level - 1]
        for row in range(size):
            upper = below + 4 * row * size
            lower = upper + 2 * size
            for column in range(size):
                west = 2 * column
                held[above + row * size + column] = (
                    held[upper + west] + held[upper + west + 1] + held[lower + west] + held[lower + west + 1]
                )


@numba.njit(nogil=True, cache=True)
def gather(counts, level, top, left, high, wide, patch):
    """Blocks of a level from (top, left), high × wide of them, into patch; 0 outside the grid."""
    cells, held, _, offsets, base, copy_of, opened = counts
    size = cells.shape[0] >> level
    for i in range(high):
        for j in range(wide):
            patch[i, j] = 0
    first_row, last_row = max(0, top), min(size, top + high)
    first, last = max(0, left), min(size, left + wide)
    if level >= base:
        for row in range(first_row, last_row):
            line = offsets[level] + row * size
            for column in range(first, last):
                patch[row - top, column - left] = held[line + column]
        return
    shift = base - level
    across = cells.shape[0] >> base
    width = 1 << level
    for block_row in range(first_row >> shift, ((last_row - 1) >> shift) + 1):
        for block_column in range(first >> shift, ((last - 1) >> shift) + 1):
            block = block_row * across + block_column
            if held[block] == 0:
                continue
            copy = copy_of[block]
            for row in range(max(first_row, block_row << shift), min(last_row, (block_row + 1) << shift)):
                for column in range(max(first, block_column << shift), min(last, (block_column + 1) << shift)):
                    total = np.int64(0)
                    for r in range(row << level, (row << level) + width):
                        if copy < 0:
                            for c in range(column << level, (column << level) + width):
                                total += cells[r, c]
                        else:
                            line = (r & ((1 << base) - 1)) << base
                            for c in range(column << level, (column << level) + width):
                                total += opened[copy, line + (c & ((1 << base) - 1))]
                    patch[row - top, column - left] = total
