"""The course of a search: starts, children, descents and shakes, as calls of compiled loops.

These functions are plain Python: a compiled function compiles all that it calls once more, and a whole search compiled
took longer than a first release does now. A move takes some ten calls, which cost less than a tenth of the loops.
Arguments and conventions are those of `_kernels.py`.

Lloyd's algorithm stops wherever no point is nearer to another center. Close to the best clustering of many points lie
hundreds of such stops, 1e-7 to 1e-4 of the cost apart. Two things get out of them: moving a single point when the
means that move with it make it pay (Hartigan and Wong 1979), and going on from slightly shaken centers.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz.clustering import _kernels, _plane_kernels
from dpviz.clustering._kernels import HALVINGS, PATIENCE, SURE

Floats = NDArray[np.float64]
Places = NDArray[np.float64] | NDArray[np.float32]
State = NDArray[np.uint64]
_SAME = 1e-3  # relative; solutions of so nearly one cost count as one, the better stays: a varied pool finds more
_ROUNDS = 30
_SCALES = 5  # shakes take turns: the full reach, a half, a quarter …


def descend(
    points: Places,
    weights: Floats,
    centers: Floats,
    steps: int,
    tolerance: float,
    power: int,
    low: Floats,
    high: Floats,
    incumbent: float,
) -> float:
    """Run at most `steps` steps from `centers`, which become the best seen; return their cost."""
    if power == 2 and points.shape[0] == 2:
        settings = steps, tolerance, low, high, incumbent, PATIENCE, HALVINGS
        return float(_plane_kernels.descend_in_plane(points, weights, centers, *settings))
    return float(_kernels.descend_in_space(points, weights, centers, steps, tolerance, power, low, high, incumbent))


def best_swap(
    points: Places,
    weights: Floats,
    positive: Floats,
    centers: Floats,
    trials: int,
    power: int,
    state: State,
    trial_point: Floats,
) -> int:
    """Write the point whose insertion costs least to `trial_point`; return the center to drop for it, or −1."""
    if power == 2 and points.shape[0] == 2 and centers.shape[0] > 1:
        return int(_kernels.swap_in_plane(points, weights, positive, centers, trials, state, trial_point))
    return int(_kernels.swap_in_space(points, weights, positive, centers, trials, power, state, trial_point))


def nearest_two(points: Floats, centers: Floats) -> tuple[NDArray[Any], Floats, Floats]:
    """Label each point with its nearest center; return the squared distances to that and to the runner-up too."""
    size, plane = points.shape[1], points.shape[0] == 2
    found = np.empty(size, np.int32 if plane else np.int64), np.empty(size), np.empty(size)
    (_plane_kernels.two_nearest if plane else _kernels.nearest_two)(points, centers, *found)
    return found


def fitter_of_two(values: list[float], size: int, state: State) -> int:
    """Tournament: of two members drawn at random the one of lower cost."""
    i, j = (min(int(_kernels.draw_uniform(state) * size), size - 1) for _ in range(2))
    return j if values[j] < values[i] else i


def admit(pool: Floats, values: list[float], centers: Floats, value: float) -> None:
    """Take a solution into the pool unless it is there already (same cost) or worse than a full pool."""
    size = len(values)
    for known in range(size):
        if abs(values[known] - value) <= _SAME * abs(value):
            break
    else:
        if size < len(pool):
            pool[size] = centers
            values.append(value)
            return
        known = max(range(size), key=values.__getitem__)
    if value < values[known]:
        pool[known], values[known] = centers, value


def breed(
    points: Places,
    weights: Floats,
    pool: Floats,
    values: list[float],
    moves: int,
    steps: int,
    trials: int,
    power: int,
    state: State,
    low: Floats,
    high: Floats,
) -> tuple[Floats, Floats]:
    """Make `moves` children of the pool, which keeps the best; return it and its costs, best first.

    A child is a cross of two good solutions with one guided swap, followed by a descent that is given up when it
    falls behind the worst of the pool.
    """
    positive = np.maximum(weights, 0.0)
    child, point = np.empty_like(pool[0]), np.empty(pool.shape[2])
    for _ in range(moves):
        mother, father = (fitter_of_two(values, len(values), state) for _ in range(2))
        if mother == father:
            child[:] = pool[mother]
        else:
            _kernels.cross(pool[mother], pool[father], state, child)
        drop = best_swap(points, weights, positive, child, trials, power, state, point)
        if drop < 0:
            break
        child[drop] = point
        admit(pool, values, child, descend(points, weights, child, steps, 0.0, power, low, high, float(np.max(values))))
    ranked = np.argsort(values, kind="stable")
    return pool[ranked], np.array(values)[ranked]


def search(
    points: Places,
    weights: Floats,
    k: int,
    starts: int,
    keep: int,
    moves: int,
    steps: int,
    trials: int,
    power: int,
    state: State,
    low: Floats,
    high: Floats,
) -> tuple[Floats, Floats]:
    """Run many short starts, then `moves` children of the best `keep`; return (centers, costs), best first."""
    positive = np.maximum(weights, 0.0)
    pool, centers = np.empty((keep, k, points.shape[0])), np.empty((k, points.shape[0]))
    values: list[float] = []
    for start in range(starts):
        # Greedy seeding is better on average, plain seeding more varied: take turns.
        _kernels.seed_plusplus(points, positive, k, 1 + (start % 2) * trials, power, state, centers)
        admit(pool, values, centers, descend(points, weights, centers, steps, 0.0, power, low, high, np.inf))
    return breed(points, weights, pool, values, moves, steps, trials, power, state, low, high)


def resume(
    points: Places,
    weights: Floats,
    found: Floats,
    moves: int,
    steps: int,
    trials: int,
    power: int,
    state: State,
    low: Floats,
    high: Floats,
) -> tuple[Floats, Floats]:
    """Go on with what a search on fewer points found: descend on these points, then `moves` more children."""
    pool = np.empty_like(found)
    values: list[float] = []
    for member in found:
        centers = member.copy()
        admit(pool, values, centers, descend(points, weights, centers, steps, 0.0, power, low, high, np.inf))
    return breed(points, weights, pool, values, moves, steps, trials, power, state, low, high)


def settle(
    points: Floats,
    weights: Floats,
    centers: Floats,
    steps: int,
    tolerance: float,
    power: int,
    low: Floats,
    high: Floats,
) -> float:
    """Descend, for squared distances transfer and descend again while it pays; return the cost of `centers`."""
    best = descend(points, weights, centers, steps, tolerance, power, low, high, np.inf)
    if power != 2:
        return best
    trial = centers.copy()
    for _ in range(_ROUNDS):
        if _kernels.transfer(points, weights, trial, *nearest_two(points, trial)) == 0:
            break
        value = descend(points, weights, trial, steps, tolerance, power, low, high, np.inf)
        if not value < best:
            break
        best = value
        centers[:] = trial
    return best


def shake(
    points: Floats,
    weights: Floats,
    centers: Floats,
    shakes: int,
    reach: float,
    steps: int,
    tolerance: float,
    power: int,
    state: State,
    low: Floats,
    high: Floats,
) -> float:
    """`shakes` times: move all centers a little, settle, keep what costs less. Returns the cost of `centers`."""
    settings = steps, tolerance, power, low, high
    best = settle(points, weights, centers, *settings)
    for turn in range(shakes):
        size = reach * 0.5 ** (turn % _SCALES)
        draws = np.array([_kernels.draw_uniform(state) for _ in range(centers.size)]).reshape(centers.shape)
        trial = np.minimum(np.maximum(centers + size * (2.0 * draws - 1.0), low), high)
        value = settle(points, weights, trial, *settings)
        if value < best * (1.0 - SURE) if best > 0.0 else value < best:
            best = value
            centers[:] = trial
    return best
