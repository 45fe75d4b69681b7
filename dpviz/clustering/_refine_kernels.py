# mypy: ignore-errors
# mypy: ignore-errors
"""Compiled loops that leave the small traps around a good clustering; see `_kernels.py` for the conventions.

Lloyd's algorithm stops wherever no point is nearer to another center. Close to the best clustering of many points lie
hundreds of such stops, 1e-7 to 1e-4 of the cost apart. Two things get out of them: moving a single point when the
means that move with it make it pay (Hartigan and Wong 1979), and going on from slightly shaken centers.
"""

import numpy as np
from numba import njit

from dpviz.clustering._kernels import descend, draw_uniform, nearest_two

_ROUNDS = 30
_SURE = 1e-12  # relative gain below which a move counts as rounding
_SCALES = 5  # shakes take turns: the full reach, a half, a quarter …


@njit(nogil=True, cache=True)
def transfer(points, weights, centers):
    """Move single points to another part where that lowers the cost, means moving along; returns how many moved.

    Taking weight w out of a part of weight n saves w·n/(n − w) times the squared distance to its mean; putting it into
    another costs w·n/(n + w) times the squared distance there. Only for squared distances; `centers` become means.
    """
    k, axes = centers.shape
    size = points.shape[1]
    labels = np.zeros(size, np.int64)
    first = np.empty(size)
    second = np.empty(size)
    nearest_two(points, centers, labels, first, second)
    held = np.zeros(k)
    sums = np.zeros((k, axes))
    for i in range(size):
        c = labels[i]
        held[c] += weights[i]
        for t in range(axes):
            sums[c, t] += weights[i] * points[t, i]
    least = np.inf
    for c in range(k):
        if held[c] > 0.0:
            least = min(least, held[c])
    moved = 0
    for i in range(size):
        w = weights[i]
        a = labels[i]
        # What a move saves at most against what it costs at least, by the means before the pass.
        if w <= 0.0 or held[a] <= w or first[i] * held[a] * (least + w) <= second[i] * least * (held[a] - w):
            continue
        saved = 0.0
        for t in range(axes):
            saved += (points[t, i] - sums[a, t] / held[a]) ** 2
        saved *= held[a] / (held[a] - w)
        goal = -1
        lowest = saved * (1.0 - _SURE)
        for c in range(k):
            if c != a and held[c] > 0.0:
                price = 0.0
                for t in range(axes):
                    price += (points[t, i] - sums[c, t] / held[c]) ** 2
                price *= held[c] / (held[c] + w)
                if price < lowest:
                    lowest = price
                    goal = c
        if goal >= 0:
            held[a] -= w
            held[goal] += w
            for t in range(axes):
                sums[a, t] -= w * points[t, i]
                sums[goal, t] += w * points[t, i]
            labels[i] = goal
            moved += 1
    if moved > 0:
        for c in range(k):
            if held[c] > 0.0:
                for t in range(axes):
                    centers[c, t] = sums[c, t] / held[c]
    return moved


@njit(nogil=True, cache=True)
def settle(points, weights, centers, steps, tolerance, power, low, high):
    """Descend, and for squared distances transfer and descend again while it pays; the cost of what is left in
    `centers`.
    """
    best = descend(points, weights, centers, steps, tolerance, power, low, high, np.inf)
    if power != 2:
        return best
    trial = centers.copy()
    for _ in range(_ROUNDS):
        if transfer(points, weights, trial) == 0:
            break
        value = descend(points, weights, trial, steps, tolerance, power, low, high, np.inf)
        if not value < best:
            break
        best = value
        centers[:] = trial
    return best


@njit(nogil=True, cache=True)
def shake(points, weights, centers, shakes, reach, steps, tolerance, power, state, low, high):
    """`shakes` times: move all centers a little, settle, keep what costs less. Returns the cost of `centers`."""
    k, axes = centers.shape
    best = settle(points, weights, centers, steps, tolerance, power, low, high)
    trial = np.empty_like(centers)
    for turn in range(shakes):
        size = reach * 0.5 ** (turn % _SCALES)
        for c in range(k):
            for t in range(axes):
                place = centers[c, t] + size * (2.0 * draw_uniform(state) - 1.0)
                trial[c, t] = min(max(place, low[t]), high[t])
        value = settle(points, weights, trial, steps, tolerance, power, low, high)
        if value < best * (1.0 - _SURE) if best > 0.0 else value < best:
            best = value
            centers[:] = trial
    return best


@njit(nogil=True, cache=True)
def gaps(points, centers):
    """(index of the nearest center, how much farther the second is) of every point.

    A point stays with its center as long as no center moves farther than half its gap.
    """
    size = points.shape[1]
    labels = np.zeros(size, np.int64)
    first = np.empty(size)
    second = np.empty(size)
    nearest_two(points, centers, labels, first, second)
    return labels, np.sqrt(second) - np.sqrt(first)
