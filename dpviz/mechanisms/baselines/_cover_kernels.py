# mypy: ignore-errors
"""Deterministic numba kernels: which grid vertices a point covers, and counts of them.

Vertices are kept in a table: directly by number where the grid is small, else by open addressing (`keys` −1 = free).
"""

from __future__ import annotations

import numba
import numpy as np

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
    size, dims = points.shape
    out = np.empty(size, np.int64)
    for i in range(size):
        best, where = np.int64(2**62), 0
        for j in range(centers.shape[0]):
            distance = np.int64(0)
            for axis in range(dims):
                step = points[i, axis] - centers[j, axis]
                distance += step * step
                if distance >= best:
                    break
            if distance < best:
                best, where = distance, j
        out[i] = where
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
