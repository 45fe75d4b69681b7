"""Compiled loops of `adaptive_tree`: deterministic, without the GIL, each with a plain twin in `_twins.py`."""

import numpy as np
from numba import njit


@njit(nogil=True, cache=True)
def halve(cells):
    """Sums of 2×2 blocks: the same records on a grid of half the side."""
    side = cells.shape[0] // 2
    out = np.empty((side, side), np.int64)
    for row in range(side):
        for col in range(side):
            out[row, col] = (
                cells[2 * row, 2 * col]
                + cells[2 * row, 2 * col + 1]
                + cells[2 * row + 1, 2 * col]
                + cells[2 * row + 1, 2 * col + 1]
            )
    return out


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
def settle(masses, leaf_of, held, rounds):
    """Smooth the cells inside leaves towards their neighbours, in place; every leaf keeps its mass `held`.

    Cells of leaf −1 are measured and stay. The average is taken of square roots, between masses and their logarithms:
    a crowded neighbour draws less of a leaf to its edge, an empty one does no harm.
    """
    side = masses.shape[0]
    # A frame of doubled edge cells, so that the border needs no case of its own.
    roots = np.empty((side + 2, side + 2))
    for row in range(side):
        for col in range(side):
            roots[row + 1, col + 1] = np.sqrt(masses[row, col])
    fresh = np.zeros((side, side))
    total = np.empty(held.shape[0])
    for _ in range(rounds):
        for i in range(side + 2):
            roots[0, i] = roots[1, i]
            roots[side + 1, i] = roots[side, i]
        for i in range(side + 2):
            roots[i, 0] = roots[i, 1]
            roots[i, side + 1] = roots[i, side]
        total[:] = 0.0
        for row in range(side):
            above, here, below = roots[row], roots[row + 1], roots[row + 2]
            for col in range(side):
                leaf = leaf_of[row, col]
                if leaf < 0:
                    continue
                edges = above[col + 1] + here[col] + here[col + 2] + below[col + 1]
                corners = above[col] + above[col + 2] + below[col] + below[col + 2]
                mean = (4.0 * here[col + 1] + 2.0 * edges + corners) / 16.0
                mean *= mean
                fresh[row, col] = mean
                total[leaf] += mean
        for row in range(side):
            for col in range(side):
                leaf = leaf_of[row, col]
                if leaf >= 0:
                    mass = fresh[row, col] * (held[leaf] / total[leaf]) if total[leaf] > 0.0 else 0.0
                    masses[row, col] = mass
                    roots[row + 1, col + 1] = np.sqrt(mass)
