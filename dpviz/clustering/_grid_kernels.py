# mypy: ignore-errors

"""Compiled loops of exact k-means on a full grid of counts, each with a plain twin in tests/oracles/clustering.py.

In one row of cells the part of each center is an interval: (x−a)² + c differs from x² by a line in x, so the
parts are cut by the lower envelope of k lines. With prefix sums along the rows a Lloyd step costs O(rows·k),
whatever the number of records or columns. Prefix sums are kept at every `STRIDE`-th column only (less memory
than the counts); the rest is added up on the spot. All moments are whole numbers, hence exact. Lengths are in
columns: x = col + 0.5, v = row + 0.5, and a step of one row counts `stretch` = (cell height / cell width)² in
squared length.
"""

import numpy as np
from numba import njit

STRIDE = 16


@njit(nogil=True, cache=True)
def row_prefixes(counts, prefix):
    """prefix[row, b] = (Σ n, Σ n·col, Σ n·col²) over the columns before b·STRIDE; ⌈cols/STRIDE⌉ + 1 entries a row."""
    rows, cols = counts.shape
    for row in range(rows):
        line = counts[row]
        zeroth, first, second = 0, 0, 0
        for b in range(prefix.shape[1]):
            prefix[row, b, 0], prefix[row, b, 1], prefix[row, b, 2] = zeroth, first, second
            for col in range(b * STRIDE, min((b + 1) * STRIDE, cols)):
                n = np.int64(line[col])
                zeroth += n
                first += n * col
                second += n * col * col


@njit(nogil=True, cache=True)
def block_moments(counts, prefix, factor, moments):
    """Add (Σ n, Σ n·col, Σ n·row) over blocks of factor × factor cells to moments[block], row by row of blocks.

    Blocks of whole strides are differences of prefix sums: an eighth of the reading. Of others only those are read
    that lie in strides with records.
    """
    rows, cols = counts.shape
    across = (cols + factor - 1) // factor
    strides = factor // STRIDE
    last = prefix.shape[1] - 1
    for row in range(rows):
        if prefix[row, last, 0] == 0:
            continue
        line = counts[row]
        base = (row // factor) * across
        for b in range(across):
            if strides * STRIDE == factor:
                left, right = b * strides, min((b + 1) * strides, last)
                inner0 = prefix[row, right, 0] - prefix[row, left, 0]
                moments[base + b, 1] += prefix[row, right, 1] - prefix[row, left, 1]
            else:
                start = b * factor
                stop = min(start + factor, cols)
                if prefix[row, (stop + STRIDE - 1) // STRIDE, 0] == prefix[row, start // STRIDE, 0]:
                    continue
                inner0, inner1 = 0, 0
                for col in range(start, stop):
                    n = np.int64(line[col])
                    inner0 += n
                    inner1 += n * col
                moments[base + b, 1] += inner1
            moments[base + b, 0] += inner0
            moments[base + b, 2] += row * inner0


@njit(nogil=True, cache=True)
def occupied_cells(counts, prefix, at, moments):
    """Write row · cols + col and (n, n·col, n·row) of the cells that hold records, row by row; returns how many.

    Stops where there is no more room: then it is one more. Strides without records are not read.
    """
    rows, cols = counts.shape
    last = prefix.shape[1] - 1
    found = 0
    for row in range(rows):
        if prefix[row, last, 0] == 0:
            continue
        for b in range(last):
            if prefix[row, b + 1, 0] == prefix[row, b, 0]:
                continue
            for col in range(b * STRIDE, min((b + 1) * STRIDE, cols)):
                n = np.int64(counts[row, col])
                if n != 0:
                    if found == at.shape[0]:
                        return found + 1
                    at[found] = row * cols + col
                    moments[found, 0], moments[found, 1], moments[found, 2] = n, n * col, n * row
                    found += 1
    return found


@njit(nogil=True, cache=True)
def _cut_row(height, centers, order, stretch, owner, stop):
    """Which center owns which columns of one row: owner[i] holds columns stop[i−1] … stop[i] − 1 (as real cuts).

    `centers` are (x, v), `order` sorts them by (x, index), `height` is the row's v. Returns the number of
    intervals; stop[i] is the x where interval i ends (infinite for the last).
    """
    used = 0
    for o in range(order.shape[0]):
        j = order[o]
        x, rise = centers[j, 0], height - centers[j, 1]
        level = stretch * rise * rise
        keep = True
        while used > 0:
            i = owner[used - 1]
            other = height - centers[i, 1]
            gap = x - centers[i, 0]
            below = stretch * other * other
            if gap <= 0.0:
                if level < below:
                    used -= 1
                    continue
                keep = False
                break
            cut = (x + centers[i, 0]) / 2.0 + (level - below) / (2.0 * gap)
            if used > 1 and cut <= stop[used - 2]:
                used -= 1
                continue
            stop[used - 1] = cut
            break
        if keep:
            owner[used], stop[used] = j, np.inf
            used += 1
    return used


@njit(nogil=True, cache=True)
def _first_column(cut, left, right, cols):
    """The first column whose center lies right of the cut; a column exactly on it goes to the lower index."""
    if not cut < cols:
        return cols
    if cut < 0.0:
        return 0
    col = int(np.floor(cut + 0.5))
    if col > 0 and (col - 1) + 0.5 == cut and right < left:
        col -= 1
    return min(col, cols)


@njit(nogil=True, cache=True)
def part_moments(counts, prefix, centers, stretch, moments, with_squares):
    """For each center (Σ n, Σ n·col, Σ n·row) of its part; returns Σ n·dist² in squared columns or (without) 0."""
    rows, cols = counts.shape
    k = centers.shape[0]
    order = np.argsort(centers[:, 0], kind="mergesort")
    owner, stop = np.empty(k, np.int64), np.empty(k)
    moments[:] = 0
    total = 0.0
    last = prefix.shape[1] - 1
    for row in range(rows):
        if prefix[row, last, 0] == 0:
            continue
        line = counts[row]
        used = _cut_row(row + 0.5, centers, order, stretch, owner, stop)
        low0, low1, low2 = np.int64(0), np.int64(0), np.int64(0)
        start = 0
        for i in range(used):
            j = owner[i]
            end = cols if i == used - 1 else _first_column(stop[i], j, owner[i + 1], cols)
            if end <= start:
                continue
            if end == cols:
                high0, high1, high2 = prefix[row, last, 0], prefix[row, last, 1], prefix[row, last, 2]
            else:
                b = end // STRIDE
                high0, high1, high2 = prefix[row, b, 0], prefix[row, b, 1], prefix[row, b, 2]
                for col in range(b * STRIDE, end):
                    n = np.int64(line[col])
                    high0 += n
                    high1 += n * col
                    high2 += n * col * col
            n = high0 - low0
            first = high1 - low1
            moments[j, 0] += n
            moments[j, 1] += first
            moments[j, 2] += row * n
            if with_squares and n != 0:
                # Shift by whole columns in whole numbers, then by the rest: no digits cancel.
                place = centers[j, 0] - 0.5
                whole = np.int64(np.round(place))
                rest = place - whole
                second = (high2 - low2) - 2 * whole * first + whole * whole * n
                rise = row + 0.5 - centers[j, 1]
                total += second - 2.0 * rest * (first - whole * n) + (rest * rest + stretch * rise * rise) * n
            low0, low1, low2 = high0, high1, high2
            start = end
    return total


@njit(nogil=True, cache=True)
def descend_on_grid(counts, prefix, centers, stretch, steps, tolerance):
    """Lloyd steps on the full grid until no center moves farther than `tolerance` columns; returns the steps taken."""
    k = centers.shape[0]
    moments = np.zeros((k, 3), np.int64)
    for step in range(steps):
        part_moments(counts, prefix, centers, stretch, moments, False)
        farthest = 0.0
        for j in range(k):
            n = moments[j, 0]
            if n > 0:
                x = moments[j, 1] / n + 0.5
                v = moments[j, 2] / n + 0.5
                farthest = max(farthest, (x - centers[j, 0]) ** 2 + stretch * (v - centers[j, 1]) ** 2)
                centers[j, 0], centers[j, 1] = x, v
        if farthest <= tolerance * tolerance:
            return step + 1
    return steps
