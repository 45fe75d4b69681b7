# mypy: ignore-errors
"""Compiled questions about windows: the largest count of a rung, and how many candidates have which score.

Candidates come in tiles of 32 × 32. bounds[0, tile] is an upper bound on the tile's largest count, and stays one
because counts only fall; bounds[1, tile] is what the blocks around the tile held when its windows were last counted:
if they hold as much now, nothing was taken from its windows and the bound is the largest count itself.
"""

from __future__ import annotations

import numba
import numpy as np

from dpviz.mechanisms.peeling._block_kernels import gather

TILE = 32
COARSER = 4  # a tile is 2 × 2 blocks so many levels up; its windows reach at most one of those beyond it
PATCH = TILE + 2 * 16
UNKNOWN = 2**62


@numba.njit(nogil=True, cache=True)
def around(counts, level, half, row, column):
    """What the 4 × 4 blocks hold in which all windows of a tile lie, and an upper bound on what one window holds.

    A window of 2·half + 1 ≤ 17 blocks touches at most two of the coarser blocks along each axis, a wider one three.
    """
    held, offsets = counts[1], counts[2]
    up = level + COARSER
    if up >= offsets.size - 1:
        total = held[offsets[offsets.size - 2]]
        return total, total
    size = counts[0].shape[0] >> up
    span = 2 if 2 * half <= 16 else 3
    total, largest = np.int64(0), np.int64(0)
    a, b, c = np.int64(0), np.int64(0), np.int64(0)  # sums over `span` columns, of the row before
    d, e = np.int64(0), np.int64(0)  # and of the row before that
    left = 2 * column - 1
    for r in range(2 * row - 1, 2 * row + 3):
        if r < 0 or r >= size:
            w, x, y, z = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
        else:
            line = offsets[up] + r * size + left
            w = held[line] if left >= 0 else np.int64(0)
            x = held[line + 1]
            y = held[line + 2] if left + 2 < size else np.int64(0)
            z = held[line + 3] if left + 3 < size else np.int64(0)
        total += w + x + y + z
        if span == 2:
            p, q, s = w + x, x + y, y + z
            largest = max(largest, max(a + p, max(b + q, c + s)))
            a, b, c = p, q, s
        else:
            p, q = w + x + y, x + y + z
            largest = max(largest, max(a + d + p, b + e + q))
            d, e, a, b = a, b, p, q
    return total, largest


@numba.njit(nogil=True, cache=True)
def tile_windows(counts, level, half, row, column, scratch, out):
    """Counts of the windows around the candidates of a tile into out[:rows, :columns]: (rows, columns, largest)."""
    patch, running, before = scratch
    size = counts[0].shape[0] >> level
    top, left = row * TILE, column * TILE
    rows, columns = min(TILE, size - top), min(TILE, size - left)
    wide = columns + 2 * half
    gather(counts, level, top - half, left - half, rows + 2 * half, wide, patch)
    for c in range(wide):
        running[c] = 0
    for r in range(2 * half):
        for c in range(wide):
            running[c] += patch[r, c]
    largest = np.int64(0)
    for r in range(rows):
        enter = patch[r + 2 * half]
        for c in range(wide):
            running[c] += enter[c]
        total = np.int64(0)
        before[0] = 0
        for c in range(wide):
            total += running[c]
            before[c + 1] = total
        if total > largest:
            for c in range(columns):
                out[r, c] = before[c + 2 * half + 1] - before[c]
                largest = max(largest, out[r, c])
        else:
            for c in range(columns):
                out[r, c] = before[c + 2 * half + 1] - before[c]
        leave = patch[r]
        for c in range(wide):
            running[c] -= leave[c]
    return rows, columns, largest


@numba.njit(nogil=True, cache=True)
def prepare(rungs, bounds, rung):
    """The first tile of a rung and their number along a side; bounds are set up at the first question."""
    starts, ready = rungs[2], rungs[3]
    first, last = starts[rung], starts[rung + 1]
    if ready[rung] == 0:
        ready[rung] = 1
        bounds[0, first:last] = UNKNOWN
        bounds[1, first:last] = -1
    return first, np.int64(round(np.sqrt(last - first)))


@numba.njit(nogil=True, cache=True)
def tile_limit(counts, rungs, bounds, rung, first, tiles, tile, held, most):
    """An upper bound on a tile's largest count: its own, the larger rung's, or that from the blocks around it."""
    levels, _, starts, ready = rungs
    limit = bounds[0, first + tile]
    if bounds[1, first + tile] == held:
        return limit
    limit = min(limit, most)
    if rung + 1 < levels.size and ready[rung + 1] == 1:
        if levels[rung + 1] == levels[rung]:
            limit = min(limit, bounds[0, starts[rung + 1] + tile])
        else:
            parents = (tiles + 1) >> 1
            row, column = tile // tiles, tile % tiles
            limit = min(limit, bounds[0, starts[rung + 1] + (row >> 1) * parents + (column >> 1)])
    bounds[0, first + tile] = limit
    return limit


@numba.njit(nogil=True, cache=True)
def largest_window(counts, rungs, bounds, rung, least, cap, scratch, out):
    """The largest count over all candidates of one rung, exactly, if between `least` and `cap`; else the nearer one."""
    level, half = rungs[0][rung], rungs[1][rung]
    first, tiles = prepare(rungs, bounds, rung)
    best = np.int64(least)
    start, start_limit = np.int64(-1), best
    for tile in range(tiles * tiles):
        if bounds[0, first + tile] <= start_limit:
            continue
        held, within = around(counts, level, half, tile // tiles, tile % tiles)
        limit = tile_limit(counts, rungs, bounds, rung, first, tiles, tile, held, within)
        if limit > start_limit:
            start, start_limit = tile, limit
    if start < 0:
        return best
    for turn in range(-1, tiles * tiles):
        tile = start if turn < 0 else turn
        if bounds[0, first + tile] <= best:
            continue
        row, column = tile // tiles, tile % tiles
        held, within = around(counts, level, half, row, column)
        if tile_limit(counts, rungs, bounds, rung, first, tiles, tile, held, within) <= best:
            continue
        if bounds[1, first + tile] != held:
            _, _, top = tile_windows(counts, level, half, row, column, scratch, out)
            bounds[0, first + tile] = top
            bounds[1, first + tile] = held
        if bounds[0, first + tile] > best:
            best = bounds[0, first + tile]
            if best >= cap:
                return np.int64(cap)
    return best


@numba.njit(nogil=True, cache=True)
def learn(counts, rungs, bounds, rung, lower, upper, scratch, out):
    """M(rung) itself, into bounds lower ≤ M ≤ upper that never fall with the rung."""
    if rung < 0 or rung >= upper.size or lower[rung] == upper[rung]:
        return
    found = largest_window(counts, rungs, bounds, rung, lower[rung], upper[rung], scratch, out)
    for other in range(upper.size):
        if other >= rung:
            lower[other] = max(lower[other], found)
        if other <= rung:
            upper[other] = min(upper[other], found)


@numba.njit(nogil=True, cache=True)
def settle(counts, rungs, bounds, weight, reach, lower, upper, scratch, out):
    """Find the smallest rung with M ≥ weight, or the largest of all, and learn M there and around it."""
    size = upper.size
    while True:
        low = min(np.searchsorted(upper, weight), size - 1)
        high = min(np.searchsorted(lower, weight), size - 1)
        if low >= high:
            break
        middle = (low + high) // 2
        if largest_window(counts, rungs, bounds, middle, weight - 1, weight, scratch, out) >= weight:
            for other in range(middle, size):
                lower[other] = max(lower[other], weight)
        else:
            for other in range(middle + 1):
                upper[other] = min(upper[other], weight - 1)
    for rung in range(high + reach, high - reach - 2, -1):
        learn(counts, rungs, bounds, rung, lower, upper, scratch, out)


@numba.njit(nogil=True, cache=True)
def score_groups(counts, rungs, bounds, rung, most, floor, groups, scratch, out):
    """groups[s − floor] = number of candidates with score s = min(count, most), for scores ≥ floor."""
    level, half = rungs[0][rung], rungs[1][rung]
    first, tiles = prepare(rungs, bounds, rung)
    size = counts[0].shape[0] >> level
    for tile in range(tiles * tiles):
        row, column = tile // tiles, tile % tiles
        held, within = around(counts, level, half, row, column)
        if held == 0:
            if floor <= 0:
                groups[-floor] += min(TILE, size - row * TILE) * min(TILE, size - column * TILE)
            continue
        if tile_limit(counts, rungs, bounds, rung, first, tiles, tile, held, within) < floor:
            continue
        rows, columns, top = tile_windows(counts, level, half, row, column, scratch, out)
        bounds[0, first + tile] = top
        bounds[1, first + tile] = held
        for i in range(rows):
            for j in range(columns):
                score = min(out[i, j], most)
                if score >= floor:
                    groups[score - floor] += 1


@numba.njit(nogil=True, cache=True)
def nth_candidate(counts, rungs, bounds, rung, most, score, place, scratch, out):
    """The candidate (row, column of its block) at this place, from 0, among those of this score in order of tiles."""
    level, half = rungs[0][rung], rungs[1][rung]
    first, tiles = prepare(rungs, bounds, rung)
    left = place
    for tile in range(tiles * tiles):
        row, column = tile // tiles, tile % tiles
        held, within = around(counts, level, half, row, column)
        if tile_limit(counts, rungs, bounds, rung, first, tiles, tile, held, within) < score:
            continue
        rows, columns, _ = tile_windows(counts, level, half, row, column, scratch, out)
        for i in range(rows):
            for j in range(columns):
                if min(out[i, j], most) == score:
                    if left == 0:
                        return row * TILE + i, column * TILE + j
                    left -= 1
    return -1, -1


@numba.njit(nogil=True, cache=True)
def window_count(counts, level, half, row, column, scratch):
    """The count of one window."""
    patch = scratch[0]
    wide = 2 * half + 1
    gather(counts, level, row - half, column - half, wide, wide, patch)
    total = np.int64(0)
    for i in range(wide):
        for j in range(wide):
            total += patch[i, j]
    return total
