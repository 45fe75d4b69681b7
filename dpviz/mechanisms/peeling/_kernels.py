"""Deterministic numba kernels of the peeling engine. Noise never enters here. Twin: `twin.py`.

A pyramid is one flat int32 (or int64) array; level l has (side/2^l)² blocks in row-major order from offsets[l].
"""

from __future__ import annotations

import numba
import numpy as np

from dpviz.clustering._grid_kernels import _cut_row, _first_column

TILE = 32  # candidates along each side of a tile; its coarse bound is the sum of 3×3 blocks five levels up
TILE_LEVELS = 5


@numba.njit(nogil=True, cache=True)
def build_pyramid(cells, pyramid, offsets):
    """Copy the counts to level 0 and sum blocks upwards."""
    side = cells.shape[0]
    for row in range(side):
        base = row * side
        for column in range(side):
            pyramid[base + column] = cells[row, column]
    for level in range(1, offsets.size - 1):
        size = side >> level
        above, below = offsets[level], offsets[level - 1]
        for row in range(size):
            upper = below + 2 * row * 2 * size
            lower = upper + 2 * size
            out = above + row * size
            for column in range(size):
                at = 2 * column
                pyramid[out + column] = (
                    pyramid[upper + at] + pyramid[upper + at + 1] + pyramid[lower + at] + pyramid[lower + at + 1]
                )


@numba.njit(nogil=True, cache=True)
def coarse_sum(pyramid, offsets, side, level, tile_row, tile_column):
    """The records in the blocks that contain every window of a tile, whatever the half-width up to 32 blocks."""
    up = level + TILE_LEVELS
    if up >= offsets.size - 1:
        return np.int64(pyramid[offsets[offsets.size - 2]])
    size = side >> up
    total = np.int64(0)
    for row in range(max(0, tile_row - 1), min(size, tile_row + 2)):
        for column in range(max(0, tile_column - 1), min(size, tile_column + 2)):
            total += pyramid[offsets[up] + row * size + column]
    return total


@numba.njit(nogil=True, cache=True)
def tile_windows(pyramid, offset, size, half, tile_row, tile_column, across, out):
    """Counts of the windows around every candidate of a tile into out[:rows, :columns]; returns (rows, columns)."""
    top, left = tile_row * TILE, tile_column * TILE
    rows, columns = min(TILE, size - top), min(TILE, size - left)
    first, last = max(0, top - half), min(size, top + rows + half)
    # across[i, c]: the count of row first + i within the columns of candidate c's window
    for row in range(first, last):
        base = offset + row * size
        running = np.int64(0)
        for column in range(max(0, left - half), min(size, left + half + 1)):
            running += pyramid[base + column]
        across[row - first, 0] = running
        for column in range(1, columns):
            enter = left + column + half
            leave = left + column - half - 1
            if enter < size:
                running += pyramid[base + enter]
            if leave >= 0:
                running -= pyramid[base + leave]
            across[row - first, column] = running
    for column in range(columns):
        running = np.int64(0)
        for row in range(max(0, top - half), min(size, top + half + 1)):
            running += across[row - first, column]
        out[0, column] = running
        for row in range(1, rows):
            enter = top + row + half
            leave = top + row - half - 1
            if enter < size:
                running += across[enter - first, column]
            if leave >= 0:
                running -= across[leave - first, column]
            out[row, column] = running
    return rows, columns


@numba.njit(nogil=True, cache=True)
def largest_window(pyramid, offsets, side, level, half, least, cap, bound, seen, larger, larger_shift, across, out):
    """The largest count over all candidates of one rung, exactly, if between `least` and `cap`; else the nearer one.

    bound[tile] is an upper bound on the tile's largest count; it stays one because counts only fall. seen[tile] is
    the coarse sum when the tile was last evaluated: an equal sum now means that nothing was removed from its windows,
    so that the bound is exact. `larger` are the bounds of the next larger rung, whose windows contain these; empty
    for the largest.
    """
    size = side >> level
    tiles = (size + TILE - 1) // TILE
    best = np.int64(least)
    start, start_bound = 0, np.int64(-1)
    for tile in range(tiles * tiles):
        limit = bound[tile]
        if limit <= best:
            continue
        row, column = tile // tiles, tile % tiles
        coarse = coarse_sum(pyramid, offsets, side, level, row, column)
        if coarse < limit:
            limit = coarse
        if larger.size > 0:
            if larger_shift == 0:
                parent = larger[tile]
            else:
                parent_tiles = ((size >> 1) + TILE - 1) // TILE
                parent = larger[(row >> 1) * parent_tiles + (column >> 1)]
            if parent < limit:
                limit = parent
        if seen[tile] != coarse:
            bound[tile] = limit
        if limit > start_bound:
            start, start_bound = tile, limit
    for turn in range(-1, tiles * tiles):
        tile = start if turn < 0 else turn
        if bound[tile] <= best:
            continue
        row, column = tile // tiles, tile % tiles
        coarse = coarse_sum(pyramid, offsets, side, level, row, column)
        if seen[tile] != coarse:
            rows, columns = tile_windows(pyramid, offsets[level], size, half, row, column, across, out)
            top = np.int64(0)
            for i in range(rows):
                for j in range(columns):
                    if out[i, j] > top:
                        top = out[i, j]
            bound[tile] = top
            seen[tile] = coarse
        if bound[tile] > best:
            best = bound[tile]
            if best >= cap:
                return cap
    return best


@numba.njit(nogil=True, cache=True)
def score_groups(pyramid, offsets, side, level, half, most, floor, groups, bound, across, out):
    """groups[s − floor] = number of candidates with score s = min(count, most), for scores ≥ floor."""
    size = side >> level
    tiles = (size + TILE - 1) // TILE
    for tile in range(tiles * tiles):
        row, column = tile // tiles, tile % tiles
        coarse = coarse_sum(pyramid, offsets, side, level, row, column)
        if coarse == 0:
            if floor <= 0:
                high = min(TILE, size - row * TILE)
                wide = min(TILE, size - column * TILE)
                groups[-floor] += high * wide
            continue
        if min(coarse, bound[tile]) < floor:
            continue
        rows, columns = tile_windows(pyramid, offsets[level], size, half, row, column, across, out)
        for i in range(rows):
            for j in range(columns):
                score = min(out[i, j], most)
                if score >= floor:
                    groups[score - floor] += 1


@numba.njit(nogil=True, cache=True)
def nth_candidate(pyramid, offsets, side, level, half, most, score, place, bound, across, out):
    """The candidate (row, column of its block) at this place, from 0, among those of this score in order of tiles."""
    size = side >> level
    tiles = (size + TILE - 1) // TILE
    left = place
    for tile in range(tiles * tiles):
        row, column = tile // tiles, tile % tiles
        coarse = coarse_sum(pyramid, offsets, side, level, row, column)
        if min(coarse, bound[tile]) < score:
            continue
        rows, columns = tile_windows(pyramid, offsets[level], size, half, row, column, across, out)
        for i in range(rows):
            for j in range(columns):
                if min(out[i, j], most) == score:
                    if left == 0:
                        return row * TILE + i, column * TILE + j
                    left -= 1
    return -1, -1


@numba.njit(nogil=True, cache=True)
def window_count(pyramid, offsets, side, level, half, row, column):
    """The count of one window."""
    size = side >> level
    total = np.int64(0)
    for r in range(max(0, row - half), min(size, row + half + 1)):
        base = offsets[level] + r * size
        for c in range(max(0, column - half), min(size, column + half + 1)):
            total += pyramid[base + c]
    return total


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
def clear_block(pyramid, offsets, side, level, row, column):
    """Take everything out of a block: zero it and all below, subtract from all above; returns what it held."""
    size = side >> level
    held = pyramid[offsets[level] + row * size + column]
    if held == 0:
        return np.int64(held)
    for below in range(level, -1, -1):
        shift = level - below
        width = 1 << shift
        down = side >> below
        for r in range(row << shift, (row << shift) + width):
            base = offsets[below] + r * down + (column << shift)
            for c in range(base, base + width):
                pyramid[c] = 0
    subtract_above(pyramid, offsets, side, level, row, column, held)
    return np.int64(held)


@numba.njit(nogil=True, cache=True)
def subtract_above(pyramid, offsets, side, level, row, column, amount):
    """Subtract from all blocks above."""
    for up in range(level + 1, offsets.size - 1):
        shift = up - level
        pyramid[offsets[up] + (row >> shift) * (side >> up) + (column >> shift)] -= amount


@numba.njit(nogil=True, cache=True)
def bracket(distance, amount, missing):
    """The least distance at which the amounts up to it reach `missing` > 0; 2^62 if all of them do not.

    A weighted quickselect: expected linear time, no sorting.
    """
    d = distance.copy()
    a = amount.copy()
    low, high = 0, d.size
    left = missing
    answer = np.int64(2**62)
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
    return answer


@numba.njit(nogil=True, cache=True)
def remove_nearest(pyramid, offsets, side, center_row, center_column, across, up, wanted):
    """Remove exactly min(wanted, left) records nearest to a center, by (squared distance, row, column).

    The center is in half cells; across and up are the integer lengths of half a cell. Works from the top of the
    pyramid down: blocks surely nearer than the threshold are cleared whole, blocks surely beyond are left, the others
    are opened.
    """
    levels = offsets.size - 1
    total = np.int64(pyramid[offsets[levels - 1]])
    if wanted >= total:
        wanted = total
    if wanted <= 0:
        return np.int64(0)
    taken = np.int64(0)
    rows = np.zeros(1, np.int64)
    columns = np.zeros(1, np.int64)
    for level in range(levels - 1, -1, -1):
        size = side >> level
        count = rows.size
        near = np.empty(count, np.int64)
        far = np.empty(count, np.int64)
        held = np.empty(count, np.int64)
        for i in range(count):
            low_r, high_r = _gap(rows[i] << (level + 1), (rows[i] + 1) << (level + 1), center_row)
            low_c, high_c = _gap(columns[i] << (level + 1), (columns[i] + 1) << (level + 1), center_column)
            near[i] = (low_r * up) ** 2 + (low_c * across) ** 2
            far[i] = (high_r * up) ** 2 + (high_c * across) ** 2
            held[i] = pyramid[offsets[level] + rows[i] * size + columns[i]]
        lower = bracket(near, held, wanted - taken)  # the threshold distance is at least this
        upper = lower if level == 0 else bracket(far, held, wanted - taken)  # and at most this
        if level == 0:
            for i in range(count):
                if near[i] < lower:
                    taken += clear_block(pyramid, offsets, side, 0, rows[i], columns[i])
            ties = np.empty(count, np.int64)
            tied = 0
            for i in range(count):
                if near[i] == lower:
                    ties[tied] = rows[i] * side + columns[i]
                    tied += 1
            for cell in np.sort(ties[:tied]):
                row, column = cell // side, cell % side
                amount = min(np.int64(pyramid[cell]), wanted - taken)
                pyramid[cell] -= amount
                subtract_above(pyramid, offsets, side, 0, row, column, amount)
                taken += amount
            return taken
        opened = 0
        for i in range(count):
            if far[i] < lower:
                taken += clear_block(pyramid, offsets, side, level, rows[i], columns[i])
                held[i] = 0
            elif near[i] > upper:
                held[i] = 0
            else:
                opened += 1
        next_rows = np.empty(4 * opened, np.int64)
        next_columns = np.empty(4 * opened, np.int64)
        used = 0
        finer = side >> (level - 1)
        for i in range(count):
            if held[i] == 0:
                continue
            for child in range(4):
                row, column = 2 * rows[i] + (child >> 1), 2 * columns[i] + (child & 1)
                if pyramid[offsets[level - 1] + row * finer + column] > 0:
                    next_rows[used], next_columns[used] = row, column
                    used += 1
        rows, columns = next_rows[:used].copy(), next_columns[:used].copy()
    return taken


@numba.njit(nogil=True, cache=True)
def part_extents(rows, cols, centers, stretch, extents):
    """First and last column, first and last row of each center's part; (cols, −1, rows, −1) for a part without a cell.

    Looks at no count. The cuts are those of `part_moments`, float for float.
    """
    k = centers.shape[0]
    order = np.argsort(centers[:, 0], kind="mergesort")
    owner = np.empty(k, np.int64)
    stop = np.empty(k)
    for j in range(k):
        extents[j, 0], extents[j, 1], extents[j, 2], extents[j, 3] = cols, -1, rows, -1
    for row in range(rows):
        used = _cut_row(row + 0.5, centers, order, stretch, owner, stop)
        start = 0
        for i in range(used):
            j = owner[i]
            end = cols if i == used - 1 else _first_column(stop[i], j, owner[i + 1], cols)
            if end <= start:
                continue
            extents[j, 0] = min(extents[j, 0], start)
            extents[j, 1] = max(extents[j, 1], end - 1)
            extents[j, 2] = min(extents[j, 2], row)
            extents[j, 3] = max(extents[j, 3], row)
            start = end


@numba.njit(nogil=True, cache=True)
def part_moments(cells, centers, stretch, moments):
    """(Σ n, Σ n·column, Σ n·row) of the cells of each center's part, in one pass over the cells."""
    rows, cols = cells.shape
    k = centers.shape[0]
    order = np.argsort(centers[:, 0], kind="mergesort")
    owner = np.empty(k, np.int64)
    stop = np.empty(k)
    for row in range(rows):
        used = _cut_row(row + 0.5, centers, order, stretch, owner, stop)
        line = cells[row]
        start = 0
        for i in range(used):
            j = owner[i]
            end = cols if i == used - 1 else _first_column(stop[i], j, owner[i + 1], cols)
            if end <= start:
                continue
            held, first = np.int64(0), np.int64(0)
            for col in range(start, end):
                n = np.int64(line[col])
                held += n
                first += n * (col - start)
            moments[j, 0] += held
            moments[j, 1] += first + start * held
            moments[j, 2] += row * held
            start = end
