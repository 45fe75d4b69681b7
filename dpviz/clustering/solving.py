"""Weighted k-means and k-median of a list of points: search, then polish. No privacy claim is made here.

A plain multistart misses the best clustering of a synopsis in one run of four to eight. Guided swaps find it: insert a
center where the cost is, drop the one that matters least, descend, and keep the result if it costs less. Moves of
single points and shakes (below) then escape small local minima.
"""

from typing import TypedDict, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpviz.clustering import _kernels
from dpviz.clustering.checks import Floats, checked_bounds, checked_count, checked_points, checked_weights
from dpviz.clustering.distances import by_axis, nearest
from dpviz.clustering.merging import merge_points
from dpviz.clustering.packing import sphere_packing_start
from dpviz.clustering.refining import ROUNDS, SHAKES, refined
from dpviz.clustering.result import KMeansResult
from dpviz.errors import InputError

Places = NDArray[np.float64] | NDArray[np.float32]
Level = tuple[Places, Floats]  # points axis by axis, and their weights
SEARCH_POINTS = 1600  # above this many points the search runs on merged ones
_SHORT_STEPS = 25
_POLISH_STEPS = 200
_TRIALS = 4
_KEPT = 10
_RESUME_POINTS = 8 * SEARCH_POINTS
_CLOSE = 1e-3  # relative; candidates farther than this from the best on all points are not polished there
_LARGEST = 1e15  # of a coordinate in single precision, in which its square has to have a place; 1/_LARGEST the least
_GO_ON = 2 * _KEPT  # of what several searches found
_AS_BEFORE = 1e-7  # relative; costs that differ less are of the same centers
_MASK = 2**64 - 1


class SearchOptions(TypedDict, total=False):
    """How long a search takes, and the box that centers stay in (default: that of the points)."""

    starts: int
    refine: int
    swaps: int
    repeats: int
    shakes: int
    low: ArrayLike | None
    high: ArrayLike | None


def solve_kmeans(
    points: ArrayLike, weights: ArrayLike, k: int, *, seed: int, **options: Unpack[SearchOptions]
) -> KMeansResult:
    """Find k centers with a small Σ w·dist², the same for the same seed.

    Weights may be negative (noisy counts): points are drawn on the positive part, means and costs are signed, a part
    of weight ≤ 0 keeps its center, and centers stay inside [low, high]. More centers than places: duplicates of weight
    0. No positive weight: `sphere_packing_start` in [low, high], or zeros without.
    """
    return _solve(points, weights, k, 2, seed, **options)


def solve_kmedian(
    points: ArrayLike, weights: ArrayLike, k: int, *, seed: int, **options: Unpack[SearchOptions]
) -> KMeansResult:
    """Find k centers with a small Σ w·dist: `solve_kmeans` with Weiszfeld steps on the positive weights."""
    return _solve(points, weights, k, 1, seed, **options)


def kmeans_plusplus(points: ArrayLike, weights: ArrayLike, k: int, *, seed: int, trials: int = 4) -> Floats:
    """k starting centers among the points of positive weight: k-means++ seeding, the best of `trials` draws
    each.
    """
    k = checked_count(k)
    rows = checked_points(points)
    positive = np.maximum(checked_weights(weights, rows.shape[0]), 0.0)
    centers = np.zeros((k, rows.shape[1]))
    if positive.any():
        state = np.array([seed & _MASK], dtype=np.uint64)
        _kernels.seed_plusplus(by_axis(rows), positive, k, trials, 2, state, centers)
    return centers


def lloyd(
    points: ArrayLike, weights: ArrayLike, centers: ArrayLike, steps: int, tolerance: float = 0.0
) -> tuple[Floats, float]:
    """The best centers within `steps` Lloyd steps from `centers`, and their cost.

    Stops when no center moves farther than `tolerance`.
    """
    rows = checked_points(points)
    mass = checked_weights(weights, rows.shape[0])
    moved = checked_points(centers, "centers").copy()
    if rows.shape[0] == 0:
        return moved, 0.0
    low, high = checked_bounds(rows, None, None)
    value = _kernels.descend(by_axis(rows), mass, moved, int(steps), float(tolerance), 2, low, high, np.inf)
    return moved, float(value)


def _solve(
    points: ArrayLike,
    weights: ArrayLike,
    k: int,
    power: int,
    seed: int,
    starts: int = 24,
    refine: int = 3,
    swaps: int = 40,
    repeats: int = 1,
    shakes: int = SHAKES,
    low: ArrayLike | None = None,
    high: ArrayLike | None = None,
) -> KMeansResult:
    k = checked_count(k)
    rows = checked_points(points)
    mass = checked_weights(weights, rows.shape[0])
    for name, given in (("starts", starts), ("repeats", repeats)):
        if given < 1:
            raise InputError(f"{name}: {given} was given; at least 1 is needed")
    below, above = checked_bounds(rows, low, high)
    if not (mass > 0.0).any():
        known = low is not None and high is not None
        centers = sphere_packing_start(k, below, above, seed=seed) if known else np.zeros((k, rows.shape[1]))
        return summarised(rows, mass, centers, power)
    used = mass != 0.0
    # Around the middle of the points: sums of squares lose nothing to a far origin.
    middle = (rows[used].min(axis=0) + rows[used].max(axis=0)) / 2.0
    everything, mass_used = rows[used] - middle, mass[used]
    bounds = below - middle, above - middle
    state = np.array([seed & _MASK], dtype=np.uint64)
    levels = _levels(everything, mass_used)
    moves = guided_moves(k, refine, swaps)
    if k == 1 and power == 2 and mass_used.sum() > 0.0:  # the mean, where every start leads
        starts, moves, repeats, shakes = 1, 0, 1, 0
    settings = _SHORT_STEPS, _TRIALS, power, state, *bounds
    again = repeats > 1 and len(levels) > 1
    # Repeated searches leave half of their moves to one more search: what they find goes on together anyway.
    searches, fewer = (repeats + 1, moves // 2) if again else (repeats, moves)
    found = [_kernels.search(*levels[0], k, starts, _KEPT, fewer, *settings) for _ in range(searches)]
    pool = together([pools for pools, _ in found], [costs for _, costs in found])[:_GO_ON]
    for level in levels[1:]:
        # Merging moves the ranking a little: let the pool go on where its order is nearly or wholly right.
        if level[1].size <= _RESUME_POINTS:
            pool, _ = _kernels.resume(*level, pool, moves // 4, *settings)
    best = _polished(pool, levels, max(refine, 1), power, bounds)
    if shakes > 0:
        box = {"low": bounds[0], "high": bounds[1]}
        best, _ = refined(
            by_axis(everything), mass_used, best, shakes=shakes, rounds=ROUNDS, power=power, state=state, **box
        )
    return summarised(rows, mass, np.clip(best + middle, below, above), power)


def _levels(points: Floats, mass: Floats) -> list[Level]:
    """Points axis by axis and weights: a few merged ones to search on, more to sort candidates with, then all."""
    limit = SEARCH_POINTS if points.shape[1] <= 2 else 2 * SEARCH_POINTS
    levels: list[Level] = [(by_axis(points), mass)]
    for size in (4 * limit, limit):
        if points.shape[0] > size * (1 if size == limit else 2):
            few, few_mass = merge_points(points, mass, limit=size)
            if (few_mass > 0.0).any():
                levels.insert(0, (lighter(by_axis(few)), few_mass))
                points, mass = few, few_mass
    return levels


def lighter(points: Floats) -> Places:
    """Convert to single precision, which is enough for points that stand for cells and twice as fast."""
    fits = points.shape[0] == 2 and 1.0 / _LARGEST < np.abs(points).max(initial=0.0) < _LARGEST
    return points.astype(np.float32) if fits else points


def together(pools: list[Floats], costs: list[Floats]) -> Floats:
    """Merge the pools of several searches, the cheapest first, without duplicates."""
    values = np.concatenate(costs)
    order = np.argsort(values, kind="stable")
    values = values[order]
    new = np.diff(values, prepend=-np.inf) > _AS_BEFORE * np.abs(values)
    new[0] = True  # also where no cost is a number, in boxes whose squares are none
    found: Floats = np.concatenate(pools)[order][new]
    return found


def _polished(pool: Floats, levels: list[Level], refine: int, power: int, bounds: tuple[Floats, Floats]) -> Floats:
    """The best candidate after a descent on all points."""
    everything = levels[-1]
    best: Floats = pool[0]
    if len(levels) == 1:
        _kernels.descend(*everything, best, _POLISH_STEPS, 0.0, power, *bounds, np.inf)
        return best
    # One look at all points tells which candidates can still win.
    costs = np.array([_kernels.descend(*everything, centers, 0, 0.0, power, *bounds, np.inf) for centers in pool])
    order = np.argsort(costs, kind="stable")[:refine]
    pool, costs = pool[order], costs[order]
    pool = pool[costs <= costs[0] + _CLOSE * abs(costs[0])]
    still = 1e-7 * float((bounds[1] - bounds[0]).max())
    costs = np.array(
        [_kernels.descend(*everything, centers, _POLISH_STEPS, still, power, *bounds, np.inf) for centers in pool]
    )
    best = pool[int(costs.argmin())]
    return best


def guided_moves(k: int, refine: int, swaps: int) -> int:
    """`refine` times `swaps` moves, and more for many centers, whose landscape has more traps."""
    return int(max(refine, 0) * max(swaps, 0) * min(max(k / 6.0, 1.0), 4.0))


def summarised(rows: Floats, mass: Floats, centers: Floats, power: int) -> KMeansResult:
    """The result for given centers, heaviest first."""
    labels, squared = nearest(rows, centers)
    held = np.bincount(labels, weights=mass, minlength=centers.shape[0]).astype(np.float64)
    order = heaviest_first(centers, held)
    value = float((mass * (squared if power == 2 else np.sqrt(squared))).sum())
    return KMeansResult(centers=centers[order], weights=held[order], cost=value)


def heaviest_first(centers: Floats, held: Floats) -> NDArray[np.int64]:
    """The order of falling weight that keeps the lowest of equal centers first.

    Only duplicates of a center of negative weight need care: with weight 0 they would overtake it.
    """
    group = np.unique(centers, axis=0, return_inverse=True)[1].reshape(-1)
    together = np.bincount(group, weights=held)[group]
    return np.argsort(-np.minimum(held, together), kind="stable")
