# mypy: ignore-errors
"""Compiled refinement: what the cells nearest to each center hold, and how far they reach.

Twin: tests/oracles/peeling.py.
"""

from __future__ import annotations

import numba
import numpy as np

from dpviz.clustering._grid_kernels import _cut_row, _first_column


@numba.njit(nogil=True, cache=True)
def part_moments(cells, base, held, east, south, centers, order, stretch, extents, moments):
    """Extents and moments of each center's part, from one set of cuts; `order` sorts the centers by (column, index).

    extents: first and last column, first and last row, from the centers alone; (side, −1, side, −1) for a part
    without a cell. moments: (Σ n, Σ n·column, Σ n·row). A block whose cells all belong to one center gives its sums,
    other cells are read one by one; whole numbers, so that the order of adding changes nothing.
    """
    side = cells.shape[0]
    k = centers.shape[0]
    width = 1 << base
    size = side >> base
    owners = np.empty(k, np.int64)
    stop = np.empty(k)
    owner = np.empty((width, k), np.int64)
    begins = np.empty((width, k), np.int64)
    ends = np.empty((width, k), np.int64)
    used = np.empty(width, np.int64)
    west = np.empty(k, np.int64)  # columns that are a part's in every row of the band: [west, rim)
    rim = np.empty(k, np.int64)
    lines = np.zeros(k, np.int64)
    for j in range(k):
        extents[j, 0], extents[j, 1], extents[j, 2], extents[j, 3] = side, -1, side, -1
    for band in range(size):
        for inner in range(width):
            row = band * width + inner
            found = _cut_row(row + 0.5, centers, order, stretch, owners, stop)
            count, start = 0, 0
            for i in range(found):
                j = owners[i]
                end = side if i == found - 1 else _first_column(stop[i], j, owners[i + 1], side)
                if end <= start:
                    continue
                extents[j, 0] = min(extents[j, 0], start)
                extents[j, 1] = max(extents[j, 1], end - 1)
                extents[j, 2] = min(extents[j, 2], row)
                extents[j, 3] = max(extents[j, 3], row)
                owner[inner, count], begins[inner, count], ends[inner, count] = j, start, end
                if lines[j] == 0:
                    west[j], rim[j] = start, end
                else:
                    west[j], rim[j] = max(west[j], start), min(rim[j], end)
                lines[j] += 1
                count += 1
                start = end
            used[inner] = count
        for i in range(used[0]):
            j = owner[0, i]
            first, last = (west[j] + width - 1) >> base, rim[j] >> base
            if lines[j] < width or first >= last:
                continue
            n, x, y = np.int64(0), np.int64(0), np.int64(0)
            for block in range(band * size + first, band * size + last):
                n += held[block]
                x += held[block] * ((block - band * size) * width) + east[block]
                y += south[block]
            moments[j, 0] += n
            moments[j, 1] += x
            moments[j, 2] += y + n * (band * width)
        for inner in range(width):
            row = band * width + inner
            line = cells[row]
            for i in range(used[inner]):
                j = owner[inner, i]
                start, end = begins[inner, i], ends[inner, i]
                first, last = end, end
                if lines[j] == width:
                    first, last = ((west[j] + width - 1) >> base) * width, (rim[j] >> base) * width
                    if first >= last:
                        first, last = end, end
                n, x = np.int64(0), np.int64(0)
                for piece in range(2):
                    low, high = (start, first) if piece == 0 else (last, end)
                    for block in range(low >> base, ((high - 1) >> base) + 1 if low < high else low >> base):
                        if held[band * size + block] == 0:
                            continue
                        for column in range(max(low, block << base), min(high, (block + 1) << base)):
                            n += line[column]
                            x += line[column] * (column - start)
                moments[j, 0] += n
                moments[j, 1] += x + start * n
                moments[j, 2] += row * n
        for inner in range(width):
            for i in range(used[inner]):
                lines[owner[inner, i]] = 0
