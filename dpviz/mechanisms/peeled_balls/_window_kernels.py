# mypy: ignore-errors

"""Compiled questions about windows: the largest count of a rung, and how many candidates have which score.

Candidates come in tiles of 32 × 32. bounds[0, tile] is an upper bound on the tile's largest count, and stays one
because counts only fall; bounds[1, tile] is what the blocks around the tile held when its windows were last counted:
if they hold as much now, nothing was taken from its windows and the bound is the largest count itself.

`counts` is the state of a run, `rungs` the ladder (levels, half-widths, first tile of each, whether its bounds are set
up), `survey` what lies around each tile of a level (`look_around`), `scratch` and `out` are room to work in. Tuples are
taken apart once a call: a call that hands one on costs as much as counting a row of windows.
"""

from __future__ import annotations

import numba
import numpy as np

from dpviz.mechanisms.peeled_balls._block_kernels import BASE_LEVEL, gather

TILE = 32
COARSER = 4  # a tile is 2 × 2 blocks so many levels up; its windows reach at most one of those beyond it
PATCH = TILE + 2 * 16
NARROW = (
    8  # a window of at most 2·8 + 1 blocks touches at most two of the coarser blocks along each axis, a wider one three
)
SMALL = 4  # a window of at most 2·4 + 1 cells touches at most 2 × 2 base blocks
UNKNOWN = 2**62


@numba.njit(nogil=True, cache=True)
def look_around(counts, survey, level):
    """The first tile of a level in the survey, which is brought up to date.

    For each tile: what the 4 × 4 coarser blocks hold in which all its windows lie, and the most that 2 × 2 and 3 × 3 of
    them hold, which bounds what a window can.
    """
    starts, total, most, most_wide, stamp, now = survey
    first = starts[level]
    if stamp[level] == now[0]:
        return first
    stamp[level] = now[0]
    held, offsets = counts[1], counts[3]
    side = counts[0].shape[0]
    up = level + COARSER
    tiles = ((side >> level) + TILE - 1) // TILE
    if up >= offsets.size - 1:
        whole = held[offsets[offsets.size - 2]]
        for tile in range(first, first + tiles * tiles):
            total[tile] = most[tile] = most_wide[tile] = whole
        return first
    size = side >> up
    for row in range(tiles):
        for column in range(tiles):
            every, two, three = np.int64(0), np.int64(0), np.int64(0)
            a, b, c = np.int64(0), np.int64(0), np.int64(0)  # pairs of columns in the row before
            d, e, f, g = np.int64(0), np.int64(0), np.int64(0), np.int64(0)  # triples, in the two rows before
            left = 2 * column - 1
            for r in range(max(0, 2 * row - 1), min(size, 2 * row + 3)):
                line = offsets[up] + r * size + left
                w = held[line] if left >= 0 else np.int64(0)
                x = held[line + 1]
                y = held[line + 2] if left + 2 < size else np.int64(0)
                z = held[line + 3] if left + 3 < size else np.int64(0)
                every += w + x + y + z
                two = max(two, max(a + w + x, max(b + x + y, c + y + z)))
                a, b, c = w + x, x + y, y + z
                three = max(three, max(d + f + w + x + y, e + g + x + y + z))
                d, e, f, g = f, g, w + x + y, x + y + z
            total[first + row * tiles + column] = every
            most[first + row * tiles + column] = two
            most_wide[first + row * tiles + column] = three
    return first


@numba.njit(nogil=True, cache=True)
def small_limit(held, peak, size, half, row, column):
    """An upper bound for windows of at most 9 × 9 cells of a tile of cells: each touches at most 2 × 2 base blocks."""
    area = (2 * half + 1) ** 2
    limit = np.int64(0)
    for r in range(max(0, 4 * row - 1), min(size, 4 * row + 5)):
        below = min(r + 1, size - 1)
        for c in range(max(0, 4 * column - 1), min(size, 4 * column + 5)):
            right = min(c + 1, size - 1)
            total = held[r * size + c]
            highest = peak[r * size + c] if total > 0 else np.int64(0)
            if right > c:
                total += held[r * size + right]
                highest = max(highest, peak[r * size + right])
            if below > r:
                total += held[below * size + c]
                highest = max(highest, peak[below * size + c])
                if right > c:
                    total += held[below * size + right]
                    highest = max(highest, peak[below * size + right])
            limit = max(limit, min(total, area * highest))
    return limit


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
def tighten(counts, rungs, bounds, survey, rung, enough):
    """Bring the bounds of a rung's tiles up to date where they are above `enough`.

    Gives the rung's first tile in the bounds, the level's first in the survey, and the tile with the highest bound.
    """
    levels, halves, starts, ready = rungs
    level, half = levels[rung], halves[rung]
    first, last = starts[rung], starts[rung + 1]
    if ready[rung] == 0:
        ready[rung] = 1
        for tile in range(first, last):
            bounds[0, tile], bounds[1, tile] = UNKNOWN, -1
    at = look_around(counts, survey, level)
    total = survey[1]
    most = survey[2] if half <= NARROW else survey[3]
    side = counts[0].shape[0]
    tiles = ((side >> level) + TILE - 1) // TILE
    above = starts[rung + 1] if rung + 1 < levels.size and ready[rung + 1] == 1 else np.int64(-1)
    shift = levels[rung + 1] - level if above >= 0 else np.int64(0)
    across = (((side >> level) >> shift) + TILE - 1) // TILE
    best, highest = np.int64(0), np.int64(-1)
    for tile in range(last - first):
        limit = bounds[0, first + tile]
        if limit > enough and bounds[1, first + tile] != total[at + tile]:
            limit = min(limit, most[at + tile])
            row, column = tile // tiles, tile % tiles
            if above >= 0:
                limit = min(limit, bounds[0, above + (row >> shift) * across + (column >> shift)])
            bounds[0, first + tile] = limit
        if limit > highest:
            best, highest = tile, limit
    return first, at, best


@numba.njit(nogil=True, cache=True)
def largest_window(counts, rungs, bounds, survey, rung, least, cap, scratch, out):
    """The largest count over all candidates of one rung, exactly, if between `least` and `cap`; else the nearer one."""
    level, half = rungs[0][rung], rungs[1][rung]
    first, at, start = tighten(counts, rungs, bounds, survey, rung, least)
    total = survey[1]
    size = counts[0].shape[0] >> level
    tiles = (size + TILE - 1) // TILE
    small = level == 0 and half <= SMALL and counts[4] == BASE_LEVEL
    best = np.int64(least)
    for turn in range(-1, tiles * tiles):
        tile = start if turn < 0 else turn
        if bounds[0, first + tile] <= best:
            continue
        if bounds[1, first + tile] != total[at + tile]:
            if small:
                limit = small_limit(counts[1], counts[2], size >> BASE_LEVEL, half, tile // tiles, tile % tiles)
                bounds[0, first + tile] = min(bounds[0, first + tile], limit)
                if limit <= best:
                    continue
            _, _, top = tile_windows(counts, level, half, tile // tiles, tile % tiles, scratch, out)
            bounds[0, first + tile] = top
            bounds[1, first + tile] = total[at + tile]
        if bounds[0, first + tile] > best:
            best = bounds[0, first + tile]
            if best >= cap:
                return np.int64(cap)
    return best


@numba.njit(nogil=True, cache=True)
def learn(counts, rungs, bounds, survey, rung, lower, upper, scratch, out):
    """M(rung) itself, into bounds lower ≤ M ≤ upper that never fall with the rung."""
    if rung < 0 or rung >= upper.size or lower[rung] == upper[rung]:
        return
    found = largest_window(counts, rungs, bounds, survey, rung, lower[rung], upper[rung], scratch, out)
    for other in range(upper.size):
        if other >= rung:
            lower[other] = max(lower[other], found)
        if other <= rung:
            upper[other] = min(upper[other], found)


@numba.njit(nogil=True, cache=True)
def settle(counts, rungs, bounds, survey, weight, reach, lower, upper, scratch, out):
    """Find the smallest rung with M ≥ weight, or the largest of all, and learn M there and around it."""
    size = upper.size
    while True:
        low = min(np.searchsorted(upper, weight), size - 1)
        high = min(np.searchsorted(lower, weight), size - 1)
        if low >= high:
            break
        middle = (low + high) // 2
        if largest_window(counts, rungs, bounds, survey, middle, weight - 1, weight, scratch, out) >= weight:
            for other in range(middle, size):
                lower[other] = max(lower[other], weight)
        else:
            for other in range(middle + 1):
                upper[other] = min(upper[other], weight - 1)
    for rung in range(high + reach, high - reach - 2, -1):
        learn(counts, rungs, bounds, survey, rung, lower, upper, scratch, out)


@numba.njit(nogil=True, cache=True)
def score_groups(counts, rungs, bounds, survey, rung, most, floor, step, groups, scratch, out):
    """groups[g] = number of candidates with (s − floor) // step = g, of scores s = min(count, most) from `floor` on."""
    level, half = rungs[0][rung], rungs[1][rung]
    first, at, _ = tighten(counts, rungs, bounds, survey, rung, floor - 1)
    total = survey[1]
    size = counts[0].shape[0] >> level
    tiles = (size + TILE - 1) // TILE
    for tile in range(tiles * tiles):
        if bounds[0, first + tile] < floor:
            continue
        row, column = tile // tiles, tile % tiles
        if total[at + tile] == 0:  # all of them empty; floor is 0
            groups[0] += min(TILE, size - row * TILE) * min(TILE, size - column * TILE)
            continue
        rows, columns, top = tile_windows(counts, level, half, row, column, scratch, out)
        bounds[0, first + tile] = top
        bounds[1, first + tile] = total[at + tile]
        if top < floor:
            continue
        for i in range(rows):
            for j in range(columns):
                score = min(out[i, j], most)
                if score >= floor:
                    groups[(score - floor) // step] += 1


@numba.njit(nogil=True, cache=True)
def nth_candidate(counts, rungs, bounds, survey, rung, most, low, high, place, scratch, out):
    """The candidate at this place, from 0, among those with low ≤ min(count, most) ≤ high, in order of tiles.

    Row and column of its block, and its score.
    """
    level, half = rungs[0][rung], rungs[1][rung]
    first, _, _ = tighten(counts, rungs, bounds, survey, rung, low - 1)
    tiles = ((counts[0].shape[0] >> level) + TILE - 1) // TILE
    left = place
    for tile in range(tiles * tiles):
        if bounds[0, first + tile] < low:
            continue
        row, column = tile // tiles, tile % tiles
        rows, columns, _ = tile_windows(counts, level, half, row, column, scratch, out)
        for i in range(rows):
            for j in range(columns):
                score = min(out[i, j], most)
                if low <= score <= high:
                    if left == 0:
                        return row * TILE + i, column * TILE + j, score
                    left -= 1
    return -1, -1, np.int64(-1)


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
