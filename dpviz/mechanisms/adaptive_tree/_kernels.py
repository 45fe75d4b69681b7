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
