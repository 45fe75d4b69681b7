# mypy: ignore-errors
"""Deterministic numba kernels of the papers' methods, on whole numbers but for `block_centers`.

Vertices of a grid are kept in a table: directly by number where the grid is small, else by open addressing
(`keys` −1 = free).
"""

from __future__ import annotations

import numba
import numpy as np


@numba.njit(nogil=True, cache=True)
def _nearest(points, i, centers):
    """Index of the nearest center of point i, the first of equals, and its squared lattice distance."""
    best, where = np.int64(2**62), 0
    for j in range(centers.shape[0]):
        distance = np.int64(0)
        for axis in range(points.shape[1]):
            step = points[i, axis] - centers[j, axis]
            distance += step * step
            if distance >= best:
                break
        if distance < best:
            best, where = distance, j
    return where, best


FREE = -1


@numba.njit(nogil=True, cache=True)
def _slot(keys, key):
    """Where a vertex lives, or would live."""
    if keys.size == 0:
        return key
    mask = keys.size - 1
    place = np.int64((np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(20)) & mask
    while keys[place] != FREE and keys[place] != key:
        place = (place + 1) & mask
    return place


@numba.njit(nogil=True, cache=True)
def _vertices(point, unit, radius_squared, low, sides, found):
    """Numbers of the grid vertices within the radius of a point; returns how many there are."""
    dims = point.size
    amount = 0
    left = np.empty(dims + 1, np.int64)
    at = np.empty(dims, np.int64)
    last = np.empty(dims, np.int64)
    number = np.zeros(dims + 1, np.int64)
    left[0] = radius_squared
    axis = 0
    reach = np.int64(np.sqrt(left[0])) + 1
    at[0] = max(low[0], (point[0] - reach) // unit)
    last[0] = min(low[0] + sides[0] - 1, (point[0] + reach) // unit + 1)
    while axis >= 0:
        if at[axis] > last[axis]:
            axis -= 1
            if axis >= 0:
                at[axis] += 1
            continue
        gap = point[axis] - at[axis] * unit
        rest = left[axis] - gap * gap
        if rest < 0:
            at[axis] += 1
            continue
        number[axis + 1] = number[axis] * sides[axis] + (at[axis] - low[axis])
        if axis + 1 == dims:
            if amount < found.size:
                found[amount] = number[dims]
            amount += 1
            at[axis] += 1
            continue
        left[axis + 1] = rest
        axis += 1
        reach = np.int64(np.sqrt(rest)) + 1
        at[axis] = max(low[axis], (point[axis] - reach) // unit)
        last[axis] = min(low[axis] + sides[axis] - 1, (point[axis] + reach) // unit + 1)
    return amount


@numba.njit(nogil=True, cache=True)
def add_cover(points, multiplicity, unit, radius_squared, low, sides, keys, values, room):
    """Add every point's records to the vertices that it covers. Returns the used slots, or −1 if the table is full."""
    found = np.empty(room, np.int64)
    used = 0
    for i in range(points.shape[0]):
        amount = _vertices(points[i], unit, radius_squared, low, sides, found)
        for j in range(amount):
            place = _slot(keys, found[j])
            if values[place] == 0:
                used += 1
                if keys.size:
                    if 2 * used > keys.size:
                        return -1
                    keys[place] = found[j]
            values[place] += multiplicity[i]
    return used


@numba.njit(nogil=True, cache=True)
def remove_covered(points, multiplicity, alive, vertex, unit, radius_squared, low, sides, keys, values, held, room):
    """Take the records that `vertex` covers out of the table; `held[s]` counts the vertices of score s, if kept."""
    found = np.empty(room, np.int64)
    for i in range(points.shape[0]):
        if not alive[i]:
            continue
        left = radius_squared
        for axis in range(vertex.size):
            gap = points[i, axis] - vertex[axis] * unit
            left -= gap * gap
            if left < 0:
                break
        if left < 0:
            continue
        alive[i] = False
        amount = _vertices(points[i], unit, radius_squared, low, sides, found)
        for j in range(amount):
            place = _slot(keys, found[j])
            if held.size:
                held[values[place]] -= 1
                held[values[place] - multiplicity[i]] += 1
            values[place] -= multiplicity[i]


@numba.njit(nogil=True, cache=True)
def nearest_index(points, centers):
    """Index of the nearest center of each point, the first of equals, (n,) int64; exact for whole numbers."""
    out = np.empty(points.shape[0], np.int64)
    for i in range(points.shape[0]):
        out[i] = _nearest(points, i, centers)[0]
    return out


@numba.njit(nogil=True, cache=True)
def part_sums(points, multiplicity, labels, parts):
    """Records and sums of coordinates of each part, ((parts,), (parts, d)) int64."""
    dims = points.shape[1]
    counts = np.zeros(parts, np.int64)
    sums = np.zeros((parts, dims), np.int64)
    for i in range(points.shape[0]):
        part = labels[i]
        counts[part] += multiplicity[i]
        for axis in range(dims):
            sums[part, axis] += points[i, axis] * multiplicity[i]
    return counts, sums


@numba.njit(nogil=True, cache=True)
def nearest_squared(points, centers):
    """Squared lattice distance of each point to its nearest center, (n,) int64."""
    out = np.empty(points.shape[0], np.int64)
    for i in range(points.shape[0]):
        out[i] = _nearest(points, i, centers)[1]
    return out


@numba.njit(nogil=True, cache=True)
def line_counts(points, multiplicity, centers, lines, edges):
    """How many records fall into each interval, (centers, lines, 2, t): [..., 0, :] before it, [..., 1, :] behind.

    A point belongs to its nearest center (the first of equals), then to the line with the longest projection, then to
    the interval of the projection's length: edges[b] are the t − 1 inner borders of center b's intervals.
    """
    size, dims = points.shape
    amount = lines.shape[0]
    inner = edges.shape[1]
    out = np.zeros((centers.shape[0], amount, 2, inner + 1), np.int64)
    for i in range(size):
        part, _ = _nearest(points, i, centers)
        longest, line = -1.0, 0
        signed = 0.0
        for index in range(amount):
            along = 0.0
            for axis in range(dims):
                along += lines[index, axis] * (points[i, axis] - centers[part, axis])
            if abs(along) > longest:
                longest, line, signed = abs(along), index, along
        interval = 0
        while interval < inner and longest >= edges[part, interval]:
            interval += 1
        out[part, line, 1 if signed >= 0 else 0, interval] += multiplicity[i]
    return out


CEILING = 2**62
LONGEST = 2**13  # steps along an axis, at most: fewer points than CEILING over all squared diameters need no care


@numba.njit(nogil=True, cache=True)
def lattice_costs(points, multiplicity, candidates):
    """Cost of each candidate set, (c,): sum over points of multiplicity times the least squared lattice distance.

    Sums are cut at 2^62, exactly: where points may be many enough, each addition is compared with what is left.
    """
    sets, _, dims = candidates.shape
    held = np.int64(0)
    for i in range(points.shape[0]):
        held += multiplicity[i]
    careful = held > CEILING // (dims * LONGEST * LONGEST)
    out = np.zeros(sets, np.int64)
    for s in range(sets):
        total = np.int64(0)
        for i in range(points.shape[0]):
            _, best = _nearest(points, i, candidates[s])
            if careful and best > 0 and multiplicity[i] > (CEILING - total) // best:
                total = CEILING
                break
            total += best * multiplicity[i]
        out[s] = total
    return out


@numba.njit(nogil=True, cache=True)
def swap_costs(squared, weights, chosen):
    """Whole-number cost of the set without chosen[x] and with candidate y, (k, c).

    squared[i, j] is the squared distance between candidates, weights[i] how many records stand at candidate i.
    """
    size, k = squared.shape[0], chosen.size
    large = np.int64(2**40)
    nearest = np.zeros(size, np.int64)
    first = np.full(size, large, np.int64)
    second = np.full(size, large, np.int64)
    for i in range(size):
        for x in range(k):
            distance = squared[i, chosen[x]]
            if distance < first[i]:
                second[i] = first[i]
                first[i] = distance
                nearest[i] = x
            elif distance < second[i]:
                second[i] = distance
    out = np.zeros((k, size), np.int64)
    for y in range(size):
        kept = np.int64(0)
        for i in range(size):
            if weights[i] == 0:
                continue
            distance = squared[i, y]
            with_first = min(distance, first[i])
            kept += weights[i] * with_first
            out[nearest[i], y] += weights[i] * (min(distance, second[i]) - with_first)
        for x in range(k):
            out[x, y] += kept
    return out


@numba.njit(nogil=True, cache=True)
def block_centers(points, starts, k, steps, fallback):
    """Centers of each block, (blocks, k, d): farthest-first start from the first point, then `steps` Lloyd steps.

    `points` are grouped by block and sorted within it; block b is points[starts[b]:starts[b + 1]].
    """
    blocks = starts.size - 1
    dims = points.shape[1]
    out = np.empty((blocks, k, dims))
    for b in range(blocks):
        first, last = starts[b], starts[b + 1]
        size = last - first
        centers = out[b]
        if size == 0:
            centers[:] = fallback
            continue
        gap = np.full(size, np.inf)
        chosen = 0
        for j in range(k):
            for axis in range(dims):
                centers[j, axis] = points[first + chosen, axis]
            far, chosen = -1.0, 0
            for i in range(size):
                distance = 0.0
                for axis in range(dims):
                    step = points[first + i, axis] - centers[j, axis]
                    distance += step * step
                if distance < gap[i]:
                    gap[i] = distance
                if gap[i] > far:
                    far, chosen = gap[i], i
        sums = np.empty((k, dims))
        counts = np.empty(k)
        for _ in range(steps):
            sums[:] = 0.0
            counts[:] = 0.0
            for i in range(size):
                best, where = np.inf, 0
                for j in range(k):
                    distance = 0.0
                    for axis in range(dims):
                        step = points[first + i, axis] - centers[j, axis]
                        distance += step * step
                    if distance < best:
                        best, where = distance, j
                counts[where] += 1.0
                for axis in range(dims):
                    sums[where, axis] += points[first + i, axis]
            for j in range(k):
                if counts[j] > 0.0:
                    for axis in range(dims):
                        centers[j, axis] = sums[j, axis] / counts[j]
    return out
