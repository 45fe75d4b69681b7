# mypy: ignore-errors

"""Compiled removal: exactly so many records, the nearest to a center, by (squared distance, row, column)."""

from __future__ import annotations

import numba
import numpy as np

SLICES = 512
NARROWER = 8  # the first guess at the threshold distance may be off by this part of what is known about it


@numba.njit(nogil=True, cache=True)
def _gap(low, high, at):
    """Least and largest distance in half cells between `at` and cell centers in half-open half cells [low, high)."""
    first, last = low + 1, high - 1
    # between them, the nearest cell center has the parity of first
    return max(max(first - at, at - last), (at - first) & 1), max(at - first, last - at)


@numba.njit(nogil=True, cache=True)
def _slice(distance, lower, scale):
    """Which of the equal slices a distance lies in; the first and the last hold all that lies beyond."""
    return max(0, min(SLICES - 1, int((distance - lower) * scale)))


@numba.njit(nogil=True, cache=True)
def _reached(slices, missing):
    """The slice in which the running sum reaches `missing`."""
    at = 0
    while at < SLICES - 1 and slices[at] < missing:
        missing -= slices[at]
        at += 1
    return at


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
def surround(held, offsets, base, side, center_row, center_column, across, up, wanted):
    """Clear all blocks that surely lie nearer than the threshold distance and find the base blocks that may not.

    Gives the rows and columns of those blocks, their least and largest distances and what they hold; bounds on the
    threshold distance; and how many records are still wanted.
    """
    rows, columns = np.zeros(1, np.int64), np.zeros(1, np.int64)
    count, missing = 1, wanted
    lower, upper = np.int64(0), np.int64(-1)
    beneath, above = np.empty(SLICES, np.int64), np.empty(SLICES, np.int64)
    for level in range(offsets.size - 2, base - 1, -1):
        size = side >> level
        near, far = np.empty(count, np.int64), np.empty(count, np.int64)
        amount = np.empty(count, np.int64)
        for at in range(SLICES):
            beneath[at], above[at] = 0, 0
        for i in range(count):
            low_r, high_r = _gap(rows[i] << (level + 1), (rows[i] + 1) << (level + 1), center_row)
            low_c, high_c = _gap(columns[i] << (level + 1), (columns[i] + 1) << (level + 1), center_column)
            near[i] = (low_r * up) ** 2 + (low_c * across) ** 2
            far[i] = (high_r * up) ** 2 + (high_c * across) ** 2
            amount[i] = held[offsets[level] + rows[i] * size + columns[i]]
            if upper < 0:
                upper = far[i]  # of the whole grid
        scale = SLICES / (float(upper - lower) + 1.0)
        for i in range(count):
            beneath[_slice(near[i], lower, scale)] += amount[i]
            above[_slice(far[i], lower, scale)] += amount[i]
        # Rounding cannot move a bound past the threshold: one whole unit and one part in 2^40 are given away.
        start, length = lower, 1.0 / scale
        low_slice, high_slice = _reached(beneath, missing), _reached(above, missing)
        if low_slice > 0:
            lower = max(lower, start + np.int64(low_slice * length * (1.0 - 2.0**-40)) - 1)
        if high_slice < SLICES - 1:
            upper = min(upper, start + np.int64((high_slice + 1) * length * (1.0 + 2.0**-40)) + 1)
        kept = 0
        for i in range(count):
            if far[i] < lower:
                clear_block(held, offsets, base, side, level, rows[i], columns[i])
                missing -= amount[i]
            elif near[i] <= upper:
                rows[kept], columns[kept] = rows[i], columns[i]
                near[kept], far[kept], amount[kept] = near[i], far[i], amount[i]
                kept += 1
        if level == base:
            return rows[:kept], columns[:kept], near, far, amount, lower, upper, missing
        finer = side >> (level - 1)
        next_rows, next_columns = np.empty(4 * kept, np.int64), np.empty(4 * kept, np.int64)
        count = 0
        for i in range(kept):
            line = offsets[level - 1] + 2 * rows[i] * finer + 2 * columns[i]
            for child in range(4):
                if held[line + (child >> 1) * finer + (child & 1)] > 0:
                    next_rows[count], next_columns[count] = 2 * rows[i] + (child >> 1), 2 * columns[i] + (child & 1)
                    count += 1
        rows, columns = next_rows, next_columns
    return rows, columns, rows, rows, rows, lower, upper, missing  # never reached: the last level is the base


@numba.njit(nogil=True, cache=True)
def _sink(distance, place, spot, at, size):
    """Let an entry of a heap sink below all that come before it by (distance, place)."""
    far, cell, which = distance[at], place[at], spot[at]
    while 2 * at + 1 < size:
        child = 2 * at + 1
        other = child + 1
        if other < size and (
            distance[other] < distance[child] or (distance[other] == distance[child] and place[other] < place[child])
        ):
            child = other
        if far < distance[child] or (far == distance[child] and cell < place[child]):
            break
        distance[at], place[at], spot[at] = distance[child], place[child], spot[child]
        at = child
    distance[at], place[at], spot[at] = far, cell, which


@numba.njit(nogil=True, cache=True)
def remove_nearest(counts, used, center_row, center_column, across, up, wanted):
    """Remove exactly min(wanted, left) records nearest to a center; gives back the copies of opened blocks.

    The center is in half cells; across and up are the integer lengths of half a cell. Works from the top down: blocks
    surely nearer than the threshold distance are cleared whole, blocks surely beyond are left, the cells of the others
    are looked at: at first of those near a guess at the threshold, and if it proves wrong of all.
    """
    cells, held, _, offsets, base, copy_of, opened = counts
    side = cells.shape[0]
    wanted = min(np.int64(wanted), held[offsets[offsets.size - 2]])
    if wanted <= 0:
        return opened
    rows, columns, near, far, amount, lower, upper, missing = surround(
        held, offsets, base, side, center_row, center_column, across, up, wanted
    )
    count, size = rows.size, side >> base
    width, area = 1 << base, 1 << (2 * base)
    if used[0] + count > opened.shape[0]:
        larger = np.empty((max(2 * opened.shape[0], used[0] + count), area), np.int64)
        for copy in range(used[0]):
            for inside in range(area):
                larger[copy, inside] = opened[copy, inside]
        opened = larger
    spot = np.empty(count * area + 1, np.int64)  # cells that are taken or undecided: which block, which cell of it
    distance = np.empty(count * area + 1, np.int64)
    copies = np.empty(count, np.int64)
    slices = np.zeros(SLICES, np.int64)
    scale = SLICES / (float(upper - lower) + 1.0)
    for i in range(count):
        slices[_slice((near[i] + far[i]) >> 1, lower, scale)] += amount[i]
    guess = lower + np.int64((_reached(slices, missing) + 0.5) / scale)
    low, high = max(lower, guess - (upper - lower) // NARROWER), min(upper, guess + (upper - lower) // NARROWER)
    while True:
        sure, within, listed = np.int64(0), np.int64(0), 0
        for i in range(count):
            copies[i] = -1
            if far[i] < low:
                sure += amount[i]
                continue
            if near[i] > high:
                continue
            copy = np.int64(copy_of[rows[i] * size + columns[i]])
            if copy < 0:
                copy = used[0]
                used[0] += 1
                copy_of[rows[i] * size + columns[i]] = copy
                for r in range(width):
                    for c in range(width):
                        opened[copy, (r << base) + c] = cells[(rows[i] << base) + r, (columns[i] << base) + c]
            copies[i] = copy
            for r in range(width):  # without branches: the processor cannot foretell which cells are empty
                rise = ((2 * ((rows[i] << base) + r) + 1 - center_row) * up) ** 2
                for c in range(width):
                    n = opened[copy, (r << base) + c]
                    length = rise + ((2 * ((columns[i] << base) + c) + 1 - center_column) * across) ** 2
                    below = np.int64(length < low)
                    inside = np.int64(length <= high)
                    sure += n * below
                    within += n * (inside - below)
                    spot[listed], distance[listed] = i * area + (r << base) + c, length
                    listed += inside & np.int64(n > 0)
        if sure < missing <= sure + within:
            break
        low, high = lower, upper
    missing -= sure
    scale = SLICES / (float(high - low) + 1.0)
    for at in range(SLICES):
        slices[at] = 0
    for at in range(listed):
        if distance[at] >= low:
            slices[_slice(distance[at], low, scale)] += opened[copies[spot[at] // area], spot[at] % area]
    decisive = _reached(slices, missing)
    for at in range(decisive):
        missing -= slices[at]
    lost = np.zeros(count, np.int64)
    kept = 0
    place = np.empty(listed + 1, np.int64)
    for at in range(listed):
        part = _slice(distance[at], low, scale)
        if distance[at] < low or part < decisive:
            i, inside = spot[at] // area, spot[at] % area
            lost[i] += opened[copies[i], inside]
            opened[copies[i], inside] = 0
        elif part == decisive:
            spot[kept], distance[kept] = spot[at], distance[at]
            i, inside = spot[at] // area, spot[at] % area
            place[kept] = ((rows[i] << base) + inside // width) * side + (columns[i] << base) + inside % width
            kept += 1
    for root in range(kept // 2 - 1, -1, -1):
        _sink(distance, place, spot, root, kept)
    while missing > 0:  # the nearest first; of equally far ones by row, then column
        i, inside = spot[0] // area, spot[0] % area
        part = min(opened[copies[i], inside], missing)
        opened[copies[i], inside] -= part
        lost[i] += part
        missing -= part
        kept -= 1
        distance[0], place[0], spot[0] = distance[kept], place[kept], spot[kept]
        _sink(distance, place, spot, 0, kept)
    for i in range(count):
        if far[i] < low:
            clear_block(held, offsets, base, side, base, rows[i], columns[i])
        elif lost[i] > 0:
            held[rows[i] * size + columns[i]] -= lost[i]
            subtract_above(held, offsets, side, base, rows[i], columns[i], lost[i])
    return opened
