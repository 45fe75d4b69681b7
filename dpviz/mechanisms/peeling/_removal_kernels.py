# mypy: ignore-errors
"""Compiled removal: exactly so many records, the nearest to a center, by (squared distance, row, column)."""

from __future__ import annotations

import numba
import numpy as np

BEYOND = 2**62
SLICES = 512


@numba.njit(nogil=True, cache=True)
def _gap(low, high, at):
    """Least and largest distance in half cells between `at` and cell centers in half-open half cells [low, high)."""
    first, last = low + 1, high - 1
    if at < first:
        return first - at, last - at
    if at > last:
        return at - last, at - first
    # the nearest cell center has the parity of first
    nearest = (at - first) & 1
    return nearest, max(at - first, last - at)


@numba.njit(nogil=True, cache=True)
def subtract_above(held, offsets, side, level, row, column, amount):
    """Subtract from all blocks above."""
    for up in range(level + 1, offsets.size - 1):
        shift = up - level
        held[offsets[up] + (row >> shift) * (side >> up) + (column >> shift)] -= amount


@numba.njit(nogil=True, cache=True)
def clear_block(held, offsets, base, side, level, row, column):
    """Take everything out of a block: zero it and the kept levels below, subtract from all above."""
    amount = held[offsets[level] + row * (side >> level) + column]
    if amount == 0:
        return
    for below in range(level, base - 1, -1):
        shift = level - below
        width = 1 << shift
        down = side >> below
        for r in range(row << shift, (row << shift) + width):
            line = offsets[below] + r * down + (column << shift)
            for c in range(line, line + width):
                held[c] = 0
    subtract_above(held, offsets, side, level, row, column, amount)


@numba.njit(nogil=True, cache=True)
def bracket(distance, amount, size, missing, d, a):
    """The least distance at which the first `size` amounts up to it reach `missing` > 0; BEYOND if all do not.

    A weighted quickselect: expected linear time, no sorting. d and a are scratch.
    """
    for i in range(size):
        d[i] = distance[i]
        a[i] = amount[i]
    low, high = 0, size
    left = missing
    while low < high:
        x, y, z = d[low], d[(low + high) >> 1], d[high - 1]
        pivot = max(min(x, y), min(max(x, y), z))
        below, at = low, low  # [low, below): less; [below, at): equal; the rest: greater or not looked at
        less, equal = np.int64(0), np.int64(0)
        end = high
        while at < end:
            if d[at] < pivot:
                less += a[at]
                d[at], d[below] = d[below], d[at]
                a[at], a[below] = a[below], a[at]
                below += 1
                at += 1
            elif d[at] == pivot:
                equal += a[at]
                at += 1
            else:
                end -= 1
                d[at], d[end] = d[end], d[at]
                a[at], a[end] = a[end], a[at]
        if less >= left:
            high = below
        elif less + equal >= left:
            return pivot
        else:
            left -= less + equal
            low = at
    return np.int64(BEYOND)


@numba.njit(nogil=True, cache=True)
def open_block(cells, base, copy_of, opened, used, block, row, column):
    """The copy of a block of cells, made now if there is none; `opened` grows as needed and is given back."""
    copy = copy_of[block]
    if copy >= 0:
        return opened, copy
    copy = used[0]
    if copy == opened.shape[0]:
        larger = np.empty((2 * copy, opened.shape[1]), np.int64)
        larger[:copy] = opened
        opened = larger
    width = 1 << base
    for r in range(width):
        for c in range(width):
            opened[copy, (r << base) + c] = cells[(row << base) + r, (column << base) + c]
    copy_of[block] = copy
    used[0] += 1
    return opened, np.int64(copy)


@numba.njit(nogil=True, cache=True)
def remove_nearest(counts, used, center_row, center_column, across, up, wanted):
    """Remove exactly min(wanted, left) records nearest to a center; gives back the copies of opened blocks.

    The center is in half cells; across and up are the integer lengths of half a cell. Works from the top down: blocks
    surely nearer than the threshold are cleared whole, blocks surely beyond are left, the others are looked into.
    """
    cells, held, offsets, base, copy_of, opened = counts
    side = cells.shape[0]
    levels = offsets.size - 1
    wanted = min(np.int64(wanted), held[offsets[levels - 1]])
    if wanted <= 0:
        return opened
    taken = np.int64(0)
    rows = np.zeros(1, np.int64)
    columns = np.zeros(1, np.int64)
    count = 1
    lower, upper = np.int64(0), np.int64(BEYOND)
    for level in range(levels - 1, base - 1, -1):
        size = side >> level
        near = np.empty(count, np.int64)
        far = np.empty(count, np.int64)
        amount = np.empty(count, np.int64)
        for i in range(count):
            low_r, high_r = _gap(rows[i] << (level + 1), (rows[i] + 1) << (level + 1), center_row)
            low_c, high_c = _gap(columns[i] << (level + 1), (columns[i] + 1) << (level + 1), center_column)
            near[i] = (low_r * up) ** 2 + (low_c * across) ** 2
            far[i] = (high_r * up) ** 2 + (high_c * across) ** 2
            amount[i] = held[offsets[level] + rows[i] * size + columns[i]]
        d, a = np.empty(count, np.int64), np.empty(count, np.int64)
        lower = bracket(near, amount, count, wanted - taken, d, a)  # the threshold distance is at least this
        upper = bracket(far, amount, count, wanted - taken, d, a)  # and at most this
        kept = 0
        for i in range(count):
            if far[i] < lower:
                clear_block(held, offsets, base, side, level, rows[i], columns[i])
                taken += amount[i]
            elif near[i] <= upper:
                rows[kept], columns[kept] = rows[i], columns[i]
                kept += 1
        count = kept
        if level == base:
            break
        finer = side >> (level - 1)
        next_rows = np.empty(4 * kept, np.int64)
        next_columns = np.empty(4 * kept, np.int64)
        count = 0
        for i in range(kept):
            for child in range(4):
                row, column = 2 * rows[i] + (child >> 1), 2 * columns[i] + (child & 1)
                if held[offsets[level - 1] + row * finer + column] > 0:
                    next_rows[count], next_columns[count] = row, column
                    count += 1
        rows, columns = next_rows, next_columns
    if taken == wanted:
        return opened
    # Now the cells of the blocks that the threshold cuts through.
    size = side >> base
    width = 1 << base
    room = count << (2 * base)
    place = np.empty(room, np.int64)  # row-major place of the cell
    distance = np.empty(room, np.int64)
    amount = np.empty(room, np.int64)
    owner = np.empty(room, np.int64)
    lost = np.zeros(count, np.int64)
    slices = np.zeros(SLICES, np.int64)  # records at distances of equal slices of [lower, upper]
    scale = SLICES / (float(min(upper, lower + 2**53) - lower) + 1.0)
    undecided = 0
    for i in range(count):
        opened, copy = open_block(cells, base, copy_of, opened, used, rows[i] * size + columns[i], rows[i], columns[i])
        for r in range(width):
            row = (rows[i] << base) + r
            high = ((2 * row + 1 - center_row) * up) ** 2
            for c in range(width):
                n = opened[copy, (r << base) + c]
                if n == 0:
                    continue
                column = (columns[i] << base) + c
                length = high + ((2 * column + 1 - center_column) * across) ** 2
                if length < lower:
                    opened[copy, (r << base) + c] = 0
                    lost[i] += n
                    taken += n
                elif length <= upper:
                    place[undecided] = row * side + column
                    distance[undecided], amount[undecided], owner[undecided] = length, n, i
                    slices[min(SLICES - 1, int((length - lower) * scale))] += n
                    undecided += 1
    if taken < wanted:
        threshold = _threshold(distance, amount, undecided, wanted - taken, lower, scale, slices)
        ties = 0
        for i in range(undecided):
            if distance[i] < threshold:
                _take(place[i], amount[i], rows, columns, owner[i], base, size, side, copy_of, opened, lost)
                taken += amount[i]
            elif distance[i] == threshold:
                place[ties], amount[ties], owner[ties] = place[i], amount[i], owner[i]
                ties += 1
        for i in np.argsort(place[:ties]):
            part = min(amount[i], wanted - taken)
            _take(place[i], part, rows, columns, owner[i], base, size, side, copy_of, opened, lost)
            taken += part
    for i in range(count):
        held[rows[i] * size + columns[i]] -= lost[i]
        subtract_above(held, offsets, side, base, rows[i], columns[i], lost[i])
    return opened


@numba.njit(nogil=True, cache=True)
def _threshold(distance, amount, count, missing, lower, scale, slices):
    """The least of the first `count` distances at which the amounts up to it reach `missing`."""
    at = 0
    while slices[at] < missing:
        missing -= slices[at]
        at += 1
    near = np.empty(count, np.int64)
    held = np.empty(count, np.int64)
    kept = 0
    for i in range(count):
        if min(SLICES - 1, int((distance[i] - lower) * scale)) == at:
            near[kept], held[kept] = distance[i], amount[i]
            kept += 1
    return bracket(near, held, kept, missing, np.empty(kept, np.int64), np.empty(kept, np.int64))


@numba.njit(nogil=True, cache=True)
def _take(place, amount, rows, columns, i, base, size, side, copy_of, opened, lost):
    """Take records out of one cell of an opened block."""
    inside = ((place // side - (rows[i] << base)) << base) + place % side - (columns[i] << base)
    opened[copy_of[rows[i] * size + columns[i]], inside] -= amount
    lost[i] += amount
