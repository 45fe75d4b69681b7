# mypy: ignore-errors
"""Compiled loops of `adaptive_tree`: deterministic, without the GIL, plain twins in tests/oracles/tree.py."""

import numpy as np
from numba import njit


@njit(nogil=True, cache=True)
def diamond(u, v, lattice):
    """The integer vector (u, v), scaled down towards zero until |u| + |v| ≤ lattice, in integers only."""
    length = abs(u) + abs(v)
    if length <= lattice:
        return u, v
    a = abs(u) * lattice // length
    b = abs(v) * lattice // length
    return (a if u >= 0 else -a), (b if v >= 0 else -b)


@njit(nogil=True, cache=True)
def whole_steps(value, limit):
    """A float as a whole number in [−limit, limit], whatever the float is: what is no number becomes −limit."""
    if value >= limit:
        return np.int64(limit)
    if value > -limit:
        return np.int64(np.rint(value))
    return np.int64(-limit)


@njit(nogil=True, cache=True)
def closest(x, y, centers):
    """Index of the nearest center, the lowest one in a tie."""
    best = 0
    least = np.inf
    for j in range(centers.shape[0]):
        a = x - centers[j, 0]
        b = y - centers[j, 1]
        squared = a * a + b * b
        if squared < least:
            least = squared
            best = j
    return best


@njit(nogil=True, cache=True)
def clipped_sums(cells, xs, ys, centers, radii, lattice):
    """Per Voronoi part: Σ count · (offset from its center in units of radius/lattice, clipped to the ℓ₁ diamond).

    A part is convex, so a row meets it in one interval: where both ends of a stretch have the same nearest center,
    so has all between.
    """
    k = centers.shape[0]
    side = cells.shape[0]
    sums = np.zeros((k, 2), np.int64)
    limit = 65536.0 * lattice  # far enough that directions stay true, small enough for products in 64 bits
    stretch = 16
    for row in range(side):
        y = ys[row]
        for start in range(0, side, stretch):
            stop = min(start + stretch, side)
            occupied = False
            for col in range(start, stop):
                if cells[row, col] != 0:
                    occupied = True
                    break
            if not occupied:
                continue
            j = closest(xs[start], y, centers)
            same = j == closest(xs[stop - 1], y, centers)
            for col in range(start, stop):
                count = cells[row, col]
                if count == 0:
                    continue
                if not same:
                    j = closest(xs[col], y, centers)
                scale = lattice / radii[j]
                u = whole_steps((xs[col] - centers[j, 0]) * scale, limit)
                v = whole_steps((y - centers[j, 1]) * scale, limit)
                u, v = diamond(u, v, lattice)
                sums[j, 0] += count * u
                sums[j, 1] += count * v
    return sums


@njit(nogil=True, cache=True)
def clipped_point_sums(points, centers, radii, lattice):
    """Per part of the nearest center: Σ of the points' integer offsets, clipped to the ℓ₁ ball of `lattice` steps."""
    k, axes = centers.shape
    sums = np.zeros((k, axes), np.int64)
    steps = np.empty(axes, np.int64)
    limit = 65536.0 * lattice
    for i in range(points.shape[0]):
        best = 0
        least = np.inf
        for j in range(k):
            squared = 0.0
            for t in range(axes):
                gap = points[i, t] - centers[j, t]
                squared += gap * gap
            if squared < least:
                least = squared
                best = j
        scale = lattice / radii[best]
        length = np.int64(0)
        for t in range(axes):
            steps[t] = whole_steps((points[i, t] - centers[best, t]) * scale, limit)
            length += abs(steps[t])
        for t in range(axes):
            step = steps[t]
            if length > lattice:
                step = abs(step) * lattice // length
                if steps[t] < 0:
                    step = -step
            sums[best, t] += step
    return sums


@njit(nogil=True, cache=True)
def cost_difference(cells, xs, ys, first, second, radius, lattice):
    """Σ count · (squared distance to the nearest of `second` − that to the nearest of `first`), in whole units of
    radius/lattice, each clipped to [−lattice, lattice].

    As in `clipped_sums`, a stretch whose ends have the same nearest center has it throughout.
    """
    side = cells.shape[0]
    limit = 1.0 * lattice
    scale = lattice / radius
    stretch = 16
    total = np.int64(0)
    for row in range(side):
        y = ys[row]
        for start in range(0, side, stretch):
            stop = min(start + stretch, side)
            occupied = False
            for col in range(start, stop):
                if cells[row, col] != 0:
                    occupied = True
                    break
            if not occupied:
                continue
            i = closest(xs[start], y, first)
            j = closest(xs[start], y, second)
            one = i == closest(xs[stop - 1], y, first)
            other = j == closest(xs[stop - 1], y, second)
            if one and other and first[i, 0] == second[j, 0] and first[i, 1] == second[j, 1]:
                continue
            for col in range(start, stop):
                count = cells[row, col]
                if count == 0:
                    continue
                x = xs[col]
                if not one:
                    i = closest(x, y, first)
                if not other:
                    j = closest(x, y, second)
                near = (x - first[i, 0]) ** 2 + (y - first[i, 1]) ** 2
                far = (x - second[j, 0]) ** 2 + (y - second[j, 1]) ** 2
                total += count * whole_steps((far - near) * scale, limit)
    return total


@njit(nogil=True, cache=True)
def add_paths(cube, axes, shifts, top, first, roots, further, table):
    """Count the records below each of `roots` (sorted codes after `first` turns) by their next `further` turns.

    `axes` and `shifts` say which bit of which axis each turn is; coordinates are seen in steps of 1 / (top + 1).
    """
    dims = cube.shape[1]
    steps = np.empty(dims, np.int64)
    for row in range(cube.shape[0]):
        for axis in range(dims):
            steps[axis] = min(np.int64(cube[row, axis] * (top + 1)), top)
        code = np.int64(0)
        for turn in range(first):
            code = (code << 1) | ((steps[axes[turn]] >> shifts[turn]) & 1)
        low = 0
        high = len(roots)
        while low < high:
            middle = (low + high) // 2
            if roots[middle] < code:
                low = middle + 1
            else:
                high = middle
        if low == len(roots) or roots[low] != code:
            continue
        place = np.int64(low)
        for turn in range(first, first + further):
            place = (place << 1) | ((steps[axes[turn]] >> shifts[turn]) & 1)
        table[place] += 1


@njit(nogil=True, cache=True)
def smoothed(owner, sums, found, rounds):
    """Rounds of: the mean of a block and its four neighbours, then every leaf scaled back to its sum. Edges repeat."""
    side = found.shape[0]
    held = np.empty(side * side)
    mean = np.empty((side, side))
    for _ in range(rounds):
        for leaf in range(side * side):
            held[leaf] = 0.0
        for row in range(side):
            north, south = max(row - 1, 0), min(row + 1, side - 1)
            for col in range(side):
                west, east = max(col - 1, 0), min(col + 1, side - 1)
                around = found[north, col] + found[south, col] + found[row, west] + found[row, east]
                mean[row, col] = (found[row, col] + around) / 5.0
                held[owner[row, col]] += mean[row, col]
        for leaf in range(side * side):
            held[leaf] = sums[leaf] / held[leaf] if held[leaf] > 0.0 else 0.0
        for row in range(side):
            for col in range(side):
                mean[row, col] *= held[owner[row, col]]
        found, mean = mean, np.empty((side, side))
    return found


@njit(nogil=True, cache=True)
def held_by(surface, rows, cols, times):
    """Of each square of times × times blocks with this first block: its sum, and its mean place, −½ to ½ across it."""
    many = rows.shape[0]
    held = np.zeros(many)
    away = np.zeros((many, 2))
    for at in range(many):
        for south in range(times):
            for east in range(times):
                value = surface[rows[at] + south, cols[at] + east]
                held[at] += value
                away[at, 0] += value * ((east + 0.5) / times - 0.5)
                away[at, 1] += value * (0.5 - (south + 0.5) / times)
        if held[at] > 0.0:
            away[at, 0] /= held[at]
            away[at, 1] /= held[at]
    return held, away
