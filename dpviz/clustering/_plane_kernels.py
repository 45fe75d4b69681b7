# mypy: ignore-errors
"""Compiled loops for squared distances in the plane, where nearly all searches happen; conventions: `_kernels.py`.

What can be done for many points at once by one instruction is kept apart from what cannot: distances, comparisons and
costs run over blocks, and only points that change sides are moved from sum to sum. Points may be of single precision,
which is enough where they stand for whole cells; sums and centers always are of double precision. Arrays are copied in
loops: numba compiles whole-array statements for seconds.
"""

import numpy as np
from numba import njit

_BLOCK = 1024
_LANES = 64  # sums that are added to side by side
_TABLES = 4  # tables of sums by part that take turns: neighbours mostly add to the same part, one after the other
_FADED = 1e-6  # of the most that a part has held: below it, sums that were carried along are made anew


@njit(nogil=True, cache=True, inline="always")
def _nearer(u, v, c, low, at):
    """The lower of two squared distances, and whose it is; on ties the one so far."""
    d = u * u + v * v
    return (d if d < low else low), (c if d < low else at)


@njit(nogil=True, cache=True, inline="always")
def _two_nearer(u, v, c, low, next_low, at):
    """The two lowest of three squared distances, and whose the lowest is."""
    d = u * u + v * v
    loser = low if d < low else d
    return (d if d < low else low), (loser if loser < next_low else next_low), (c if d < low else at)


@njit(nogil=True, cache=True)
def nearest_in_plane(x, y, centers, label, best):
    """Index of the nearest center (ties: the lowest) and the squared distance to it, in the precision of the points.

    Four centers a pass: comparisons stay in registers, six times faster than one center a pass.
    """
    k, n = centers.shape[0], x.shape[0]
    for i in range(n):
        best[i], label[i] = np.inf, 0
    c = 0
    while c + 3 < k:
        a0, b0, a1, b1 = centers[c, 0], centers[c, 1], centers[c + 1, 0], centers[c + 1, 1]
        a2, b2, a3, b3 = centers[c + 2, 0], centers[c + 2, 1], centers[c + 3, 0], centers[c + 3, 1]
        c0, c1, c2, c3 = np.int32(c), np.int32(c + 1), np.int32(c + 2), np.int32(c + 3)
        for i in range(n):
            low, at = _nearer(x[i] - a0, y[i] - b0, c0, best[i], label[i])
            low, at = _nearer(x[i] - a1, y[i] - b1, c1, low, at)
            low, at = _nearer(x[i] - a2, y[i] - b2, c2, low, at)
            best[i], label[i] = _nearer(x[i] - a3, y[i] - b3, c3, low, at)
        c += 4
    while c < k:
        a0, b0, c0 = centers[c, 0], centers[c, 1], np.int32(c)
        for i in range(n):
            best[i], label[i] = _nearer(x[i] - a0, y[i] - b0, c0, best[i], label[i])
        c += 1


@njit(nogil=True, cache=True)
def nearest_two_in_plane(x, y, centers, label, best, other):
    """`nearest_in_plane`, and the squared distance to the runner-up (infinite when there is one center only)."""
    k, n = centers.shape[0], x.shape[0]
    for i in range(n):
        best[i], other[i], label[i] = np.inf, np.inf, 0
    c = 0
    while c + 1 < k:
        a0, b0, a1, b1 = centers[c, 0], centers[c, 1], centers[c + 1, 0], centers[c + 1, 1]
        c0, c1 = np.int32(c), np.int32(c + 1)
        for i in range(n):
            low, next_low, at = _two_nearer(x[i] - a0, y[i] - b0, c0, best[i], other[i], label[i])
            best[i], other[i], label[i] = _two_nearer(x[i] - a1, y[i] - b1, c1, low, next_low, at)
        c += 2
    if c < k:
        a0, b0, c0 = centers[c, 0], centers[c, 1], np.int32(c)
        for i in range(n):
            best[i], other[i], label[i] = _two_nearer(x[i] - a0, y[i] - b0, c0, best[i], other[i], label[i])


@njit(nogil=True, cache=True)
def weighted_sum(weights, values):
    """Σ w·v, many terms at a time."""
    lanes = np.zeros(_LANES)
    whole = weights.shape[0] // _LANES * _LANES
    for start in range(0, whole, _LANES):
        weight, value = weights[start : start + _LANES], values[start : start + _LANES]
        for lane in range(_LANES):
            lanes[lane] += weight[lane] * value[lane]
    total = 0.0
    for lane in range(_LANES):
        total += lanes[lane]
    for i in range(whole, weights.shape[0]):
        total += weights[i] * values[i]
    return total


@njit(nogil=True, cache=True)
def _summed_anew(points, weights, labels, held, most):
    """(Σ w, Σ w·x, Σ w·y, number of points) of each part from the start."""
    k = held.shape[0]
    tables = np.zeros((_TABLES, k, 4))
    for i in range(weights.shape[0]):
        w = weights[i]
        for t, one in enumerate((w, w * points[0, i], w * points[1, i], 1.0)):
            tables[i % _TABLES, labels[i], t] += one
    for c in range(k):
        for t in range(4):
            held[c, t] = 0.0
            for table in range(_TABLES):
                held[c, t] += tables[table, c, t]
        most[c] = abs(held[c, 0])


@njit(nogil=True, cache=True)
def _carried(x, y, weight, label, known, held):
    """Move the points that have changed sides from sum to sum."""
    for i in range(x.shape[0]):
        old, new = known[i], label[i]
        if old != new:
            for t, moved in enumerate((weight[i], weight[i] * x[i], weight[i] * y[i], 1.0)):
                held[old, t] -= moved
                held[new, t] += moved
            known[i] = new


@njit(nogil=True, cache=True)
def _to_means(held, centers, low, high):
    """Each center at the mean of its part, inside [low, high]; a part of weight ≤ 0 keeps its center. The largest
    squared move.
    """
    farthest = 0.0
    for c in range(centers.shape[0]):
        if held[c, 3] > 0.0 and held[c, 0] > 0.0:
            moved = 0.0
            for t in range(2):
                place = min(max(held[c, 1 + t] / held[c, 0], low[t]), high[t])
                moved += (place - centers[c, t]) ** 2
                centers[c, t] = place
            farthest = max(farthest, moved)
    return farthest


@njit(nogil=True, cache=True)
def _copied(centers, goal):
    for c in range(centers.shape[0]):
        goal[c, 0], goal[c, 1] = centers[c, 0], centers[c, 1]


@njit(nogil=True, cache=True)
def _assigned(points, weights, sites, labels, held, begun, near, owner):
    """The cost of these centers; `labels` and the sums in `held` follow them."""
    size = points.shape[1]
    value = 0.0
    for start in range(0, size, _BLOCK):
        stop = min(start + _BLOCK, size)
        n = stop - start
        x, y, weight, known = points[0, start:stop], points[1, start:stop], weights[start:stop], labels[start:stop]
        nearest_in_plane(x, y, sites, owner[:n], near[:n])
        value += weighted_sum(weight, near[:n])
        if not begun:
            for i in range(n):
                known[i] = owner[i]
            continue
        _carried(x, y, weight, owner[:n], known, held)
    return value


@njit(nogil=True, cache=True)
def descend_in_plane(points, weights, centers, steps, tolerance, low, high, incumbent, patience, most_halvings):
    """`_kernels.descend_in_space` for squared distances in the plane."""
    k, size = centers.shape[0], points.shape[1]
    labels = np.empty(size, np.int32)
    near, owner = np.empty(_BLOCK, points.dtype), np.empty(_BLOCK, np.int32)
    held, most = np.empty((k, 4)), np.empty(k)
    sites = np.empty((k, 2), points.dtype)
    best_centers = np.empty((k, 2))
    _copied(centers, best_centers)
    best, before, halvings = np.inf, np.inf, 0
    for step in range(steps + 1):
        _copied(centers, sites)
        value = _assigned(points, weights, sites, labels, held, step > 0, near, owner)
        if step == 0:
            _summed_anew(points, weights, labels, held, most)
        if value < best:
            best = value
            _copied(centers, best_centers)
            halvings = 0
        elif value > best:
            halvings += 1
            if step < steps and halvings <= most_halvings:
                for c in range(k):
                    for t in range(2):
                        centers[c, t] = (centers[c, t] + best_centers[c, t]) / 2.0
                continue
        if step == steps or halvings > most_halvings:
            break
        if step > 1 and value - patience * abs(before - value) > incumbent:
            break
        before = value
        faded = False
        for c in range(k):
            faded |= abs(held[c, 0]) < _FADED * most[c]
            most[c] = max(most[c], abs(held[c, 0]))
        if faded:
            _summed_anew(points, weights, labels, held, most)
        if _to_means(held, centers, low, high) <= tolerance * tolerance:
            break
    _copied(best_centers, centers)
    return best


@njit(nogil=True, cache=True)
def two_nearest(points, centers, labels, first, second):
    """`nearest_two_in_plane` of all points, block by block."""
    sites = np.empty(centers.shape, points.dtype)
    _copied(centers, sites)
    for start in range(0, points.shape[1], _BLOCK):
        stop = min(start + _BLOCK, points.shape[1])
        nearest_two_in_plane(
            points[0, start:stop],
            points[1, start:stop],
            sites,
            labels[start:stop],
            first[start:stop],
            second[start:stop],
        )


@njit(nogil=True, cache=True)
def losses(weights, labels, first, second, loss):
    """Σ w·first, and in `loss` what taking each center away would add to it."""
    tables = np.zeros((_TABLES, loss.shape[0]))
    for i in range(weights.shape[0]):
        tables[i % _TABLES, labels[i]] += weights[i] * (second[i] - first[i])
    for c in range(loss.shape[0]):
        loss[c] = 0.0
        for table in range(_TABLES):
            loss[c] += tables[table, c]
    return weighted_sum(weights, first)


@njit(nogil=True, cache=True)
def inserted(points, weights, chosen, labels, first, second, loss):
    """What a further center at point `chosen` adds to the cost (it is ≤ 0 for weights ≥ 0) and to `loss`.

    Only points to which it is nearer than their runner-up have a say.
    """
    size = weights.shape[0]
    distance, touched = np.empty_like(first), np.empty(size + 1, np.int32)
    a, b = points[0, chosen], points[1, chosen]
    for i in range(size):
        u, v = points[0, i] - a, points[1, i] - b
        distance[i] = u * u + v * v
    count = 0
    for i in range(size):
        touched[count] = i
        count += distance[i] < second[i]
    added = 0.0
    for at in range(count):
        i = touched[at]
        near = min(distance[i], first[i])
        added += weights[i] * (near - first[i])
        loss[labels[i]] += weights[i] * ((distance[i] - near) - (second[i] - first[i]))
    return added


@njit(nogil=True, cache=True)
def at_most(points, low, scale, sides, cells, limit):
    """Whether points (rows) lie in at most `limit` cells of a grid of `sides`, `cells` of them in all."""
    seen, occupied = np.zeros(cells, np.uint8), 0
    for i in range(points.shape[0]):
        key = 0
        for axis in range(points.shape[1]):
            if sides[axis] > 1:
                place = int((points[i, axis] - low[axis]) * scale[axis])
                key = key * sides[axis] + min(place, sides[axis] - 1)
        if seen[key] == 0:
            seen[key] = 1
            occupied += 1
            if occupied > limit:
                return False
    return True
