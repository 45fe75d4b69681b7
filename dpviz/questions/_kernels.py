# mypy: ignore-errors
"""Compiled passes over the tree of a release: deterministic, without the GIL. Twins: tests/oracles/questions.py."""

import numpy as np
from numba import njit

SORTED = 20  # nodes that a walk passes in the time that sorting takes for one


@njit(nogil=True, cache=True)
def pooled(parent, value, precision):
    """Upwards: the best estimate of every node from its own counts and all below, its variance, and the sum of its
    children's variances (0 where it has none). Precision 0: the node itself was never counted.
    """
    nodes = parent.shape[0]
    below = np.zeros(nodes)
    children = np.zeros(nodes)
    inner = np.zeros(nodes, np.bool_)
    best = np.zeros(nodes)
    spread = np.zeros(nodes)
    for v in range(nodes - 1, -1, -1):
        if inner[v]:
            total = 1.0 / children[v] + precision[v]
            spread[v] = 1.0 / total
            best[v] = (below[v] / children[v] + value[v] * precision[v]) / total
        else:
            spread[v] = 1.0 / precision[v] if precision[v] > 0.0 else np.inf
            best[v] = value[v]
        above = parent[v]
        if above >= 0:
            inner[above] = True
            below[above] += best[v]
            children[above] += spread[v]
    return best, spread, children


@njit(nogil=True, cache=True)
def agreed(parent, best, spread, children, first_child, child_order, floor):
    """Downwards: counts that add up; with `floor`, none below 0 (each family on its nearest point of the simplex)."""
    nodes = parent.shape[0]
    found = np.zeros(nodes)
    for v in range(nodes):
        if parent[v] < 0:
            found[v] = max(best[v], 0.0) if floor else best[v]
        n = first_child[v + 1] - first_child[v]
        if n == 0:
            continue
        total = found[v]
        summed = 0.0
        for at in range(first_child[v], first_child[v + 1]):
            summed += best[child_order[at]]
        values = np.empty(n)
        for i in range(n):
            c = child_order[first_child[v] + i]
            values[i] = best[c] + spread[c] / children[v] * (total - summed)
        if floor:
            total = max(total, 0.0)
            ordered = np.sort(values)
            running = 0.0
            shift = 0.0
            for i in range(n):
                running += ordered[n - 1 - i]
                level = (running - total) / (i + 1)
                if ordered[n - 1 - i] > level or i == 0:
                    shift = level
                else:
                    break
            for i in range(n):
                values[i] = max(values[i] - shift, 0.0)
        for i in range(n):
            found[child_order[first_child[v] + i]] = values[i]
    return found


@njit(nogil=True, cache=True)
def _put_in_order(nodes, many):
    """Sort the first nodes (Shell 1959): numba's own sort takes seconds to compile."""
    gap = many
    while gap > 1:
        gap = max(gap * 5 // 11, 1)
        for i in range(gap, many):
            node, at = nodes[i], i
            while at >= gap and nodes[at - gap] > node:
                nodes[at] = nodes[at - gap]
                at -= gap
            nodes[at] = node


@njit(nogil=True, cache=True)
def zone_variances(parent, spread, children, zone_start, node, share):
    """For every zone: the exact variance of Σ share · count over its nodes, and its covariance with the sum of all.

    One upward pass each over the nodes that the zone meets and those above them.
    """
    zones = zone_start.shape[0] - 1
    nodes = parent.shape[0]
    first = np.zeros(nodes)  # Σ β s over the children
    second = np.zeros(nodes)  # Σ (β² s + τ)
    marked = np.zeros(nodes, np.bool_)
    waiting = np.empty(nodes, np.int64)
    variance = np.zeros(zones)
    shared = np.zeros(zones)
    for zone in range(zones):
        many = 0
        for at in range(zone_start[zone], zone_start[zone + 1]):
            v = node[at]
            while v >= 0 and not marked[v]:
                marked[v] = True
                waiting[many] = v
                many += 1
                v = parent[v]
        for at in range(zone_start[zone], zone_start[zone + 1]):
            v = node[at]
            above = parent[v]
            if above >= 0:
                first[above] += share[at] * spread[v]
                second[above] += share[at] * share[at] * spread[v]
            else:
                variance[zone] += share[at] * share[at] * spread[v]
                shared[zone] += share[at] * spread[v]
        # Children come after their parents. Where most nodes wait, a walk through all of them is quicker than sorting.
        walk = SORTED * many > nodes
        if not walk:
            _put_in_order(waiting, many)
        for i in range((nodes if walk else many) - 1, -1, -1):
            v = i if walk else waiting[i]
            if not marked[v]:
                continue
            marked[v] = False
            if children[v] == 0.0:
                continue
            beta = first[v] / children[v]
            left = max(second[v] - first[v] * first[v] / children[v], 0.0)
            first[v] = 0.0
            second[v] = 0.0
            above = parent[v]
            if above >= 0:
                first[above] += beta * spread[v]
                second[above] += beta * beta * spread[v] + left
            else:
                variance[zone] += beta * beta * spread[v] + left
                shared[zone] += beta * spread[v]
    return variance, shared
