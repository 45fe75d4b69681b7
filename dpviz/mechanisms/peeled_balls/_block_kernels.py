# mypy: ignore-errors
"""Compiled sums of counts over blocks, shifted boxes, square balls and parts. Noise never enters here.

Twins: tests/oracles/peeling.py.

Level l has (side/2^l)² blocks in row-major order. Levels from `base` up are kept, flat, level l from offsets[l]; what
lies below is read from the cells themselves, or from the copy of a block of level `base` that a removal has cut
through (`opened[copy_of[block]]`). A block that holds nothing is empty whatever is stored below it.
"""

from __future__ import annotations

import numba
import numpy as np

from dpviz.clustering._grid_kernels import _cut_row, _first_column

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


@numba.njit(nogil=True, cache=True)
def count_boxes(cube, cuts, shift, step, table):
    """Add `step` to the box of every record: boxes of side 1/cuts, moved by shift/cuts, in row-major order."""
    dims = cube.shape[1]
    for i in range(cube.shape[0]):
        at = 0
        for j in range(dims):
            at = at * (cuts + 1) + int(cube[i, j] * cuts + shift)
        table[at] += step


@numba.njit(nogil=True, cache=True)
def squared_distances(lattice, center, steps, out):
    """Squared whole-number distance of every record's lattice cell from a center in half cells."""
    for i in range(lattice.shape[0]):
        total = np.int64(0)
        for j in range(lattice.shape[1]):
            gap = (2 * np.int64(lattice[i, j]) + 1 - center[j]) * steps[j]
            total += gap * gap
        out[i] = total


@numba.njit(nogil=True, cache=True)
def clipped_moments(lattice, centers, steps, anchors, reach, moments):
    """(Σ 1, Σ clipped (x − anchor)) over the records of each part; nearest center, ties to the lower index."""
    parts, dims = centers.shape
    for i in range(lattice.shape[0]):
        best, nearest = np.int64(2**62), 0
        for part in range(parts):
            total = np.int64(0)
            for j in range(dims):
                gap = (2 * np.int64(lattice[i, j]) + 1 - centers[part, j]) * steps[j]
                total += gap * gap
                if total >= best:
                    break
            if total < best:
                best, nearest = total, part
        moments[nearest, 0] += 1
        for j in range(dims):
            offset = np.int64(lattice[i, j]) - anchors[nearest, j]
            moments[nearest, j + 1] += min(max(offset, -reach[nearest, j]), reach[nearest, j])


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


@numba.njit(nogil=True, cache=True)
def summed_area(cells):
    """table[i, j] = the records in the first i rows and j columns (Feldman et al. 2017, section 4.3, step 2)."""
    rows, columns = cells.shape
    table = np.zeros((rows + 1, columns + 1), np.int64)
    for i in range(rows):
        running = np.int64(0)
        for j in range(columns):
            running += cells[i, j]
            table[i + 1, j + 1] = table[i, j + 1] + running
    return table


@numba.njit(nogil=True, cache=True)
def square_balls(table, rows, columns, radius, limit, out):
    """out[i] = min(limit, records within `radius` cells of occupied cell i in both directions)."""
    side = table.shape[0] - 1
    for i in range(rows.size):
        top, bottom = max(0, rows[i] - radius), min(side, rows[i] + radius + 1)
        left, right = max(0, columns[i] - radius), min(side, columns[i] + radius + 1)
        held = table[bottom, right] - table[top, right] - table[bottom, left] + table[top, left]
        out[i] = min(limit, held)


@numba.njit(nogil=True, cache=True)
def sum_of_largest(values, counts, t):
    """The sum of the t largest values, value i occurring counts[i] times; missing ones are zeros. values in 0 … limit.

    Bisection on the value: the largest v such that at least t values are v or more.
    """
    low, high = np.int64(0), np.int64(0)
    for i in range(values.size):
        high = max(high, values[i])
    high += 1
    while high - low > 1:
        middle = (low + high) >> 1
        held = np.int64(0)
        for i in range(values.size):
            if values[i] >= middle:
                held += counts[i]
        if held >= t:
            low = middle
        else:
            high = middle
    above, total = np.int64(0), np.int64(0)
    for i in range(values.size):
        if values[i] > low:
            above += counts[i]
            total += counts[i] * values[i]
    return total + (t - above) * low
