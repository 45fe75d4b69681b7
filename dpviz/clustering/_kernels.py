# mypy: ignore-errors
"""Compiled loops of the search: deterministic, without the GIL, each with a plain twin in tests/oracles/clustering.py.

Points are stored axis by axis, shape (d, m), so that the loop over points is the inner one and the compiler
vectorises it; what is done in the plane alone is in `_plane_kernels.py`. `power` is 2 for k-means (cost w·dist²)
and 1 for k-median (cost w·dist). Weights may be negative (they are noisy counts): points are drawn on the positive
part, costs are signed. Chance is a splitmix64 state of one uint64 that the caller seeds; no kernel knows another
source.
"""

import numpy as np
from numba import njit

from dpviz.clustering._plane_kernels import (
    inserted,
    losses,
    nearest_in_plane,
    nearest_two_in_plane,
    two_nearest,
    weighted_sum,
)

_BLOCK = 1024
PATIENCE = 6.0
HALVINGS = 5
SURE = 1e-12  # relative gain below which a move counts as rounding
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_A = np.uint64(0xBF58476D1CE4E5B9)
_MIX_B = np.uint64(0x94D049BB133111EB)
_S30, _S27, _S31, _S11 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(11)


@njit(nogil=True, cache=True)
def draw_uniform(state):
    """The next number in [0, 1) with 53 random bits (Steele, Lea, Flood 2014)."""
    state[0] += _GOLDEN
    z = state[0]
    z = (z ^ (z >> _S30)) * _MIX_A
    z = (z ^ (z >> _S27)) * _MIX_B
    z = z ^ (z >> _S31)
    return np.float64(z >> _S11) * (1.0 / 9007199254740992.0)


@njit(nogil=True, cache=True)
def squared_to(points, center, out):
    """Squared distance of every point to one center."""
    axes, size = points.shape
    if axes == 2:
        xs, ys, a, b = points[0], points[1], center[0], center[1]
        for i in range(size):
            u = xs[i] - a
            v = ys[i] - b
            out[i] = u * u + v * v
        return
    for i in range(size):
        out[i] = 0.0
    for t in range(axes):
        xs, a = points[t], center[t]
        for i in range(size):
            u = xs[i] - a
            out[i] += u * u


@njit(nogil=True, cache=True)
def nearest(points, centers, labels, squared):
    """Index of the nearest center (ties: the lowest) and the squared distance to it."""
    size = points.shape[1]
    scratch = np.empty(_BLOCK)
    for start in range(0, size, _BLOCK):
        stop = min(start + _BLOCK, size)
        if points.shape[0] == 2:
            nearest_in_plane(
                points[0, start:stop], points[1, start:stop], centers, labels[start:stop], squared[start:stop]
            )
        else:
            _nearest_in_block(
                points[:, start:stop], centers, labels[start:stop], squared[start:stop], scratch[: stop - start]
            )


@njit(nogil=True, cache=True)
def _nearest_in_block(block, centers, label, best, row):
    n = row.shape[0]
    for i in range(n):
        best[i], label[i] = np.inf, 0
    for c in range(centers.shape[0]):
        squared_to(block, centers[c], row)
        for i in range(n):
            low, at = best[i], label[i]
            label[i] = c if row[i] < low else at
            best[i] = row[i] if row[i] < low else low


@njit(nogil=True, cache=True)
def nearest_two(points, centers, labels, first, second):
    """`nearest`, and the squared distance to the runner-up (infinite when there is one center only)."""
    axes, size = points.shape
    scratch = np.empty(_BLOCK)
    for start in range(0, size, _BLOCK):
        stop = min(start + _BLOCK, size)
        n = stop - start
        best, other, label, row = first[start:stop], second[start:stop], labels[start:stop], scratch[:n]
        if axes == 2:
            nearest_two_in_plane(points[0, start:stop], points[1, start:stop], centers, label, best, other)
            continue
        for i in range(n):
            best[i], other[i], label[i] = np.inf, np.inf, 0
        for c in range(centers.shape[0]):
            for i in range(n):
                row[i] = 0.0
            for t in range(axes):
                x, a = points[t, start:stop], centers[c, t]
                for i in range(n):
                    u = x[i] - a
                    row[i] += u * u
            for i in range(n):
                d, low, at, next_low = row[i], best[i], label[i], other[i]
                loser = low if d < low else d
                other[i] = loser if loser < next_low else next_low
                label[i] = c if d < low else at
                best[i] = d if d < low else low


@njit(nogil=True, cache=True)
def signed_cost(weights, squared, power):
    """Σ w·dist² or Σ w·dist."""
    total = 0.0
    for i in range(weights.shape[0]):
        total += weights[i] * (squared[i] if power == 2 else np.sqrt(squared[i]))
    return total


@njit(nogil=True, cache=True)
def move_to_means(points, weights, labels, centers, low, high):
    """Put centers at the weighted means of their parts of weight > 0, inside [low, high]; the largest squared move."""
    k, axes = centers.shape
    mass, moment = np.zeros(k), np.zeros((k, axes))
    for i in range(weights.shape[0]):
        mass[labels[i]] += weights[i]
    for t in range(axes):
        xs = points[t]
        for i in range(weights.shape[0]):
            moment[labels[i], t] += weights[i] * xs[i]
    farthest = 0.0
    for c in range(k):
        if mass[c] > 0.0:
            moved = 0.0
            for t in range(axes):
                place = min(max(moment[c, t] / mass[c], low[t]), high[t])
                moved += (place - centers[c, t]) ** 2
                centers[c, t] = place
            farthest = max(farthest, moved)
    return farthest


@njit(nogil=True, cache=True)
def move_to_medians(points, weights, labels, squared, centers, low, high):
    """One Weiszfeld step per part on the positive weights, safe on top of a point (Vardi and Zhang 2000).

    Returns the largest squared move.
    """
    k, axes = centers.shape
    pull, resting, moment = np.zeros(k), np.zeros(k), np.zeros((k, axes))
    for i in range(weights.shape[0]):
        if weights[i] > 0.0:
            c = labels[i]
            if squared[i] > 0.0:
                strength = weights[i] / np.sqrt(squared[i])
                pull[c] += strength
                for t in range(axes):
                    moment[c, t] += strength * (points[t, i] - centers[c, t])
            else:
                resting[c] += weights[i]
    farthest = 0.0
    for c in range(k):
        if pull[c] > 0.0 and np.isfinite(pull[c]):
            force = 0.0
            for t in range(axes):
                force += moment[c, t] ** 2
            force = np.sqrt(force)
            share = 0.0 if force <= resting[c] else 1.0 - resting[c] / force
            moved = 0.0
            for t in range(axes):
                place = min(max(centers[c, t] + share * moment[c, t] / pull[c], low[t]), high[t])
                moved += (place - centers[c, t]) ** 2
                centers[c, t] = place
            farthest = max(farthest, moved)
    return farthest


@njit(nogil=True, cache=True)
def descend_in_space(points, weights, centers, steps, tolerance, power, low, high, incumbent):
    """At most `steps` Lloyd (or Weiszfeld) steps; leaves in `centers` the best seen and returns its cost.

    With signed weights a step may raise the cost: then the next attempt is half-way back, and the best seen counts,
    not the last. A descent that at its present pace will not come below `incumbent` is given up: the gains of
    successive steps usually shrink.
    """
    size = points.shape[1]
    labels, squared = np.zeros(size, np.int64), np.empty(size)
    best_centers = centers.copy()
    best, before, halvings = np.inf, np.inf, 0
    for step in range(steps + 1):
        nearest(points, centers, labels, squared)
        value = signed_cost(weights, squared, power)
        if value < best:
            best = value
            best_centers[:] = centers
            halvings = 0
        elif value > best:
            halvings += 1
            if step < steps and halvings <= HALVINGS:
                centers[:] = (centers + best_centers) / 2.0
                continue
        if step == steps or halvings > HALVINGS or (step > 1 and value - PATIENCE * abs(before - value) > incumbent):
            break
        before = value
        if power == 2:
            moved = move_to_means(points, weights, labels, centers, low, high)
        else:
            moved = move_to_medians(points, weights, labels, squared, centers, low, high)
        if moved <= tolerance * tolerance:
            break
    centers[:] = best_centers
    return best


@njit(nogil=True, cache=True)
def running_sums(mass, sums):
    """Sums of `mass` (≥ 0) up to each point; returns the last point that has any, −1 when none has."""
    running = 0.0
    for i in range(mass.shape[0]):
        running += mass[i]
        sums[i] = running
    last = mass.shape[0] - 1
    while last >= 0 and not mass[last] > 0.0:
        last -= 1
    return last


@njit(nogil=True, cache=True)
def draw_from(sums, last, state):
    """An index drawn in proportion to what `running_sums` summed up; `last` when rounding runs over the end."""
    if last < 0 or not sums[last] > 0.0:
        return -1
    target = draw_uniform(state) * sums[last]
    low, high = 0, last
    while low < high:
        middle = (low + high) // 2
        if sums[middle] > target:
            high = middle
        else:
            low = middle + 1
    return low


@njit(nogil=True, cache=True)
def _shortened(distance, reach, positive, power, begun):
    """Squared distances to a new center as distances to the nearest so far, in place; their weighted sum."""
    size = distance.shape[0]
    if power == 1:
        for j in range(size):
            distance[j] = np.sqrt(distance[j])
    if begun:
        for j in range(size):
            distance[j] = reach[j] if reach[j] < distance[j] else distance[j]
    return weighted_sum(positive, distance)


@njit(nogil=True, cache=True)
def seed_plusplus(points, positive, k, trials, power, state, centers):
    """k-means++ (Arthur, Vassilvitskii 2007): each next center by D^power; of `trials` draws the best is kept.

    When every point already lies on a center, further centers are duplicates drawn by weight.
    """
    axes, size = points.shape
    reach, distance, shorter, sums = np.empty(size), np.empty(size), np.empty(size), np.empty(size)
    mass = positive.copy()
    for c in range(k):
        chosen, lowest = -1, np.inf
        last = running_sums(mass, sums)
        if last < 0:
            last = running_sums(positive, sums)
        for _ in range(trials if c > 0 else 1):
            i = draw_from(sums, last, state)
            if i < 0:
                i = c % size
            squared_to(points, points[:, i], distance)
            value = _shortened(distance, reach, positive, power, c > 0)
            if chosen < 0 or value < lowest:
                chosen, lowest = i, value
                shorter, distance = distance, shorter
        for t in range(axes):
            centers[c, t] = points[t, chosen]
        reach, shorter = shorter, reach
        for j in range(size):
            mass[j] = positive[j] * reach[j]


@njit(nogil=True, cache=True)
def swap_in_space(points, weights, positive, centers, trials, power, state, trial_point):
    """Of `trials` points drawn by D^power, the one whose insertion with the cheapest removal costs least.

    Writes the point to `trial_point`; returns the index of the center to drop, or −1 when nothing can be
    drawn. Removal is priced by the second-nearest distances, so a candidate costs one pass over the points.
    """
    k, axes = centers.shape
    size = points.shape[1]
    labels, first, second = np.zeros(size, np.int64), np.empty(size), np.empty(size)
    nearest_two(points, centers, labels, first, second)
    if power == 1:
        for i in range(size):
            first[i], second[i] = np.sqrt(first[i]), np.sqrt(second[i])
    distance, sums = np.empty(size), np.empty(size)
    last = running_sums(positive * first, sums)
    lowest, drop = np.inf, -1
    for _ in range(trials):
        chosen = draw_from(sums, last, state)
        if chosen < 0:
            return drop
        squared_to(points, points[:, chosen], distance)
        loss, base = np.zeros(k), 0.0
        for i in range(size):
            d = distance[i] if power == 2 else np.sqrt(distance[i])
            near = d if d < first[i] else first[i]
            far = d if d < second[i] else second[i]
            base += weights[i] * near
            loss[labels[i]] += weights[i] * (far - near)
        c = np.argmin(loss)
        if drop < 0 or base + loss[c] < lowest:
            lowest, drop = base + loss[c], c
            for t in range(axes):
                trial_point[t] = points[t, chosen]
    return drop


@njit(nogil=True, cache=True)
def swap_in_plane(points, weights, positive, centers, trials, state, trial_point):
    """`swap_in_space` for squared distances in the plane: a candidate costs a look at the points that it comes near."""
    k, size = centers.shape[0], points.shape[1]
    labels = np.empty(size, np.int32)
    first, second = np.empty(size, points.dtype), np.empty(size, points.dtype)
    two_nearest(points, centers, labels, first, second)
    sums, without, loss = np.empty(size), np.empty(k), np.empty(k)
    mass = np.empty(size)
    for i in range(size):
        mass[i] = positive[i] * first[i]
    last = running_sums(mass, sums)
    value = losses(weights, labels, first, second, without)
    lowest, drop = np.inf, -1
    for _ in range(trials):
        chosen = draw_from(sums, last, state)
        if chosen < 0:
            return drop
        for c in range(k):
            loss[c] = without[c]
        base = value + inserted(points, weights, chosen, labels, first, second, loss)
        c = np.argmin(loss)
        if drop < 0 or base + loss[c] < lowest:
            lowest, drop = base + loss[c], c
            trial_point[0], trial_point[1] = points[0, chosen], points[1, chosen]
    return drop


@njit(nogil=True, cache=True)
def cross(mother, father, state, child):
    """A child of two sets of centers: pair each center with the nearest one still free, toss a coin for each pair.

    The crossover of Gribel and Vidal (2019): what both parents agree on is kept, the rest is recombined.
    """
    k, axes = mother.shape
    taken = np.zeros(k, np.bool_)
    for i in range(k):
        partner, lowest = -1, np.inf
        for j in range(k):
            if not taken[j]:
                squared = 0.0
                for t in range(axes):
                    squared += (mother[i, t] - father[j, t]) ** 2
                if partner < 0 or squared < lowest:
                    partner, lowest = j, squared
        taken[partner] = True
        own = draw_uniform(state) < 0.5
        for t in range(axes):
            child[i, t] = mother[i, t] if own else father[partner, t]


@njit(nogil=True, cache=True)
def transfer(points, weights, centers, labels, first, second):
    """Move single points to another part where that lowers the cost, means moving along; returns how many moved.

    Taking weight w out of a part of weight n saves w·n/(n − w) times the squared distance to its mean; putting it into
    another costs w·n/(n + w) times the squared distance there. Only for squared distances; `centers` become means.
    `labels`, `first` and `second` are what `nearest_two` wrote.
    """
    k, axes = centers.shape
    size = points.shape[1]
    held, sums = np.zeros(k), np.zeros((k, axes))
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
        w, a = weights[i], labels[i]
        # What a move saves at most against what it costs at least, by the means before the pass.
        if w <= 0.0 or held[a] <= w or first[i] * held[a] * (least + w) <= second[i] * least * (held[a] - w):
            continue
        saved = 0.0
        for t in range(axes):
            saved += (points[t, i] - sums[a, t] / held[a]) ** 2
        saved *= held[a] / (held[a] - w)
        goal, lowest = -1, saved * (1.0 - SURE)
        for c in range(k):
            if c != a and held[c] > 0.0:
                price = 0.0
                for t in range(axes):
                    price += (points[t, i] - sums[c, t] / held[c]) ** 2
                price *= held[c] / (held[c] + w)
                if price < lowest:
                    goal, lowest = c, price
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
