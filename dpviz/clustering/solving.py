"""Weighted k-means and k-median of a list of points: search, then polish. No privacy claim is made here.

A plain multistart misses the best clustering of a synopsis in one run of four to eight. Guided swaps find it: insert a
center where the cost is, drop the one that matters least, descend, and keep the result if it costs less. Moves of
single points and shakes (below) then escape small local minima.
"""

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpviz.clustering import _kernels, guided_search
from dpviz.clustering.distances import (
    Floats,
    KMeansResult,
    by_axis,
    checked_bounds,
    checked_count,
    checked_points,
    checked_weights,
    merge_points,
    nearest,
)
from dpviz.clustering.guided_search import Places
from dpviz.errors import InputError

_TRIES = 100  # failed draws in a row after which a radius counts as too large
_HALVINGS = 20
BORDER_POINTS = 3000
SHAKES = 20  # a round
ROUNDS = 2
_SETTLE_STEPS = 200
_SETTLE_STILL = 1e-9  # of the box
Level = tuple[Places, Floats]  # points axis by axis, and their weights
SEARCH_POINTS = 1600  # above this many points the search runs on merged ones
SHORT_STEPS = 25
_POLISH_STEPS = 200
TRIALS = 4
KEPT = 10
_RESUME_POINTS = 8 * SEARCH_POINTS
_CLOSE = 1e-3  # relative; candidates farther than this from the best on all points are not polished there
_LARGEST = 1e15  # of a coordinate in single precision, in which its square has to have a place; 1/_LARGEST the least
GO_ON = 2 * KEPT  # of what several searches found
_AS_BEFORE = 1e-7  # relative; costs that differ less are of the same centers
MASK = 2**64 - 1


def sphere_packing_start(k: int, low: ArrayLike, high: ArrayLike, *, seed: int) -> Floats:
    """Place k random centers, each at least a from the border and 2a from the others, for the largest a found.

    An axis without extent holds every center at its only value and does not limit the radius.
    """
    k = checked_count(k)
    below = np.atleast_1d(np.asarray(low, dtype=np.float64))
    above = np.atleast_1d(np.asarray(high, dtype=np.float64))
    if below.shape != above.shape or below.ndim != 1 or not (below <= above).all():
        raise InputError("low, high: give one lower and one upper bound per axis, low ≤ high")
    extent = above - below
    wide = extent > 0.0
    rng = np.random.default_rng(seed & MASK)
    if not wide.any():
        return np.tile(below, (k, 1))
    too_large, radius = float(extent[wide].min()) / 2.0, 0.0
    centers = below + rng.random((k, below.size)) * extent
    for _ in range(_HALVINGS):
        middle = (radius + too_large) / 2.0
        attempt = _pack(k, below, above, np.where(wide, middle, 0.0), middle, rng)
        if attempt is None:
            too_large = middle
        else:
            radius, centers = middle, attempt
    return centers


def _pack(
    k: int, below: Floats, above: Floats, margin: Floats, radius: float, rng: np.random.Generator
) -> Floats | None:
    """Place k centers with this radius; None after too many failed tries for one of them."""
    inside, span = below + margin, np.maximum(above - below - 2.0 * margin, 0.0)
    centers = np.empty((k, below.size))
    for placed in range(k):
        draws = inside + rng.random((_TRIES, below.size)) * span
        gaps = draws[:, None, :] - centers[None, :placed, :]
        apart = (np.einsum("tcd,tcd->tc", gaps, gaps) >= 4.0 * radius * radius).all(axis=1)
        if not apart.any():
            return None
        centers[placed] = draws[int(np.argmax(apart))]
    return centers


def improve_kmeans(
    points: ArrayLike, weights: ArrayLike, centers: ArrayLike, *, shakes: int = SHAKES, low: Floats, high: Floats
) -> Floats:
    """Improve k-means centers by shakes; deterministic."""
    rows = checked_points(points)
    mass = checked_weights(weights, rows.shape[0])
    used = mass != 0.0
    state = np.array([rows.shape[0]], dtype=np.uint64)
    begun = np.array(checked_points(centers, "centers"))
    if not (mass > 0.0).any():
        return begun
    found, _ = shake_centers(
        by_axis(rows[used]), mass[used], begun, shakes=shakes, rounds=ROUNDS, power=2, state=state, low=low, high=high
    )
    return found


def center_gaps(points: ArrayLike, centers: ArrayLike) -> tuple[NDArray[np.int64], Floats]:
    """The nearest center of each point, and the extra distance to the second nearest (infinite if there is none)."""
    labels, gaps = _gaps(by_axis(checked_points(points)), checked_points(centers, "centers"))
    return labels.astype(np.int64), gaps


def _gaps(points: Floats, centers: Floats) -> tuple[NDArray[Any], Floats]:
    """`center_gaps` of points axis by axis: a point stays with its center while none moves more than half its gap."""
    labels, first, second = guided_search.nearest_two(points, centers)
    return labels, np.sqrt(second) - np.sqrt(first)


def shake_centers(
    points: Floats,
    weights: Floats,
    centers: Floats,
    *,
    shakes: int,
    rounds: int,
    power: int,
    state: NDArray[np.uint64],
    low: Floats,
    high: Floats,
) -> tuple[Floats, float]:
    """Improve `centers` by `rounds` rounds of shakes; also return the cost on all points.

    `points` axis by axis, (d, m). Only squared distances can be summed up: for k-median the shakes run on all points if
    these are few, else not at all.
    """
    settings = _SETTLE_STEPS, _SETTLE_STILL * float((high - low).max()), power
    best = centers.copy()
    value = guided_search.settle(points, weights, best, *settings, low, high)
    if len(centers) < 2:
        return best, value
    for _ in range(rounds if shakes > 0 else 0):
        few, mass, reach = near_borders(points, weights, best, BORDER_POINTS if power == 2 else points.shape[1])
        if few.shape[1] > 2 * BORDER_POINTS or not reach > 0.0:
            break
        trial = best.copy()
        guided_search.shake(few, mass, trial, shakes, reach, *settings, state, low, high)
        found = guided_search.settle(points, weights, trial, *settings, low, high)
        if found < value:
            best, value = trial, found
    return best, value


def near_borders(points: Floats, weights: Floats, centers: Floats, wanted: int) -> tuple[Floats, Floats, float]:
    """About `wanted` points along the borders of the parts, one point for the rest of each part, and the band's width.

    As long as no center moves farther than half the width, costs on these points differ from costs on all points by a
    constant. Rests of weight ≤ 0 (noisy counts may be negative) are left out: what is found is settled on all points.
    """
    labels, gaps = _gaps(points, centers)
    size = points.shape[1]
    rank = min(wanted, size // 3)
    width = float(np.partition(gaps, rank)[rank])
    if size <= wanted:
        return points, weights, width
    inside = gaps <= width
    rest, k = ~inside, len(centers)
    mass = np.bincount(labels[rest], weights=weights[rest], minlength=k)
    used = mass > 0.0
    sums = np.array([np.bincount(labels[rest], weights=(weights * axis)[rest], minlength=k) for axis in points])
    few = np.ascontiguousarray(np.hstack([points[:, inside], sums[:, used] / mass[used]]))
    return few, np.concatenate([weights[inside], mass[used]]), width


def kmeans_plusplus(points: ArrayLike, weights: ArrayLike, k: int, *, seed: int, trials: int = 4) -> Floats:
    """Seed k centers by k-means++ among the points of positive weight, each the best of `trials` samples."""
    k = checked_count(k)
    rows = checked_points(points)
    positive = np.maximum(checked_weights(weights, rows.shape[0]), 0.0)
    centers = np.zeros((k, rows.shape[1]))
    if positive.any():
        state = np.array([seed & MASK], dtype=np.uint64)
        _kernels.seed_plusplus(by_axis(rows), positive, k, trials, 2, state, centers)
    return centers


def lloyd(
    points: ArrayLike, weights: ArrayLike, centers: ArrayLike, steps: int, tolerance: float = 0.0
) -> tuple[Floats, float]:
    """Run at most `steps` Lloyd steps from `centers`; return the best centers and their cost.

    Stop when no center moves farther than `tolerance`.
    """
    rows = checked_points(points)
    mass = checked_weights(weights, rows.shape[0])
    moved = checked_points(centers, "centers").copy()
    if rows.shape[0] == 0:
        return moved, 0.0
    low, high = checked_bounds(rows, None, None)
    value = guided_search.descend(by_axis(rows), mass, moved, int(steps), float(tolerance), 2, low, high, np.inf)
    return moved, value


def solve_kmeans(
    points: ArrayLike,
    weights: ArrayLike,
    k: int,
    *,
    seed: int,
    power: int = 2,
    starts: int = 24,
    refine: int = 3,
    swaps: int = 40,
    repeats: int = 1,
    shakes: int = SHAKES,
    low: ArrayLike | None = None,
    high: ArrayLike | None = None,
) -> KMeansResult:
    """Find k centers with a small Σ w·dist^power in a box (default: that of the points), the same for the same seed.

    Weights may be negative (noisy counts): points are drawn on the positive part, means and costs are signed, a part
    of weight ≤ 0 keeps its center, and centers stay inside [low, high]. More centers than places: duplicates of weight
    0. No positive weight: `sphere_packing_start` in [low, high], or zeros without.
    """
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
        return summarise_centers(rows, mass, centers, power)
    used = mass != 0.0
    # Around the middle of the points: sums of squares lose nothing to a far origin.
    middle = (rows[used].min(axis=0) + rows[used].max(axis=0)) / 2.0
    everything, mass_used = rows[used] - middle, mass[used]
    bounds = below - middle, above - middle
    state = np.array([seed & MASK], dtype=np.uint64)
    levels = _levels(everything, mass_used)
    moves = count_moves(k, refine, swaps)
    if k == 1 and power == 2 and mass_used.sum() > 0.0:  # the mean, where every start leads
        starts, moves, repeats, shakes = 1, 0, 1, 0
    settings = SHORT_STEPS, TRIALS, power, state, *bounds
    again = repeats > 1 and len(levels) > 1
    # Repeated searches leave half of their moves to one more search: what they find goes on together anyway.
    searches, fewer = (repeats + 1, moves // 2) if again else (repeats, moves)
    few, few_mass = levels[0]
    found = [guided_search.search(few, few_mass, k, starts, KEPT, fewer, *settings) for _ in range(searches)]
    pool = merge_pools([pools for pools, _ in found], [costs for _, costs in found])[:GO_ON]
    for places, weight in levels[1:]:
        # Merging moves the ranking a little: let the pool go on where its order is nearly or wholly right.
        if weight.size <= _RESUME_POINTS:
            pool, _ = guided_search.resume(places, weight, pool, moves // 4, *settings)
    best = _polish_best(pool, levels, max(refine, 1), power, bounds)
    if shakes > 0:
        box = {"low": bounds[0], "high": bounds[1]}
        best, _ = shake_centers(
            by_axis(everything), mass_used, best, shakes=shakes, rounds=ROUNDS, power=power, state=state, **box
        )
    return summarise_centers(rows, mass, np.clip(best + middle, below, above), power)


solve_kmedian = partial(solve_kmeans, power=1)  # a small Σ w·dist, by Weiszfeld steps on the positive weights


def _levels(points: Floats, mass: Floats) -> list[Level]:
    """Points (axis by axis) and weights: few merged ones for searches, more for sorting candidates, then all."""
    limit = SEARCH_POINTS if points.shape[1] <= 2 else 2 * SEARCH_POINTS
    levels: list[Level] = [(by_axis(points), mass)]
    for size in (4 * limit, limit):
        if points.shape[0] > size * (1 if size == limit else 2):
            few, few_mass = merge_points(points, mass, limit=size)
            if (few_mass > 0.0).any():
                levels.insert(0, (to_single_precision(by_axis(few)), few_mass))
                points, mass = few, few_mass
    return levels


def to_single_precision(points: Floats) -> Places:
    """Convert to single precision, which is enough for points that stand for cells and twice as fast."""
    fits = points.shape[0] == 2 and 1.0 / _LARGEST < np.abs(points).max(initial=0.0) < _LARGEST
    return points.astype(np.float32) if fits else points


def merge_pools(pools: list[Floats], costs: list[Floats]) -> Floats:
    """Merge the pools of several searches, the cheapest first, without duplicates."""
    values = np.concatenate(costs)
    order = np.argsort(values, kind="stable")
    values = values[order]
    new = np.diff(values, prepend=-np.inf) > _AS_BEFORE * np.abs(values)
    new[0] = True  # also where no cost is a number, in boxes whose squares are none
    return np.concatenate(pools)[order][new]


def _polish_best(pool: Floats, levels: list[Level], refine: int, power: int, bounds: tuple[Floats, Floats]) -> Floats:
    """Descend on all points; return the best candidate."""
    everything = levels[-1]
    if len(levels) == 1:
        guided_search.descend(*everything, pool[0], _POLISH_STEPS, 0.0, power, *bounds, np.inf)
        return np.asarray(pool[0])
    # One look at all points tells which candidates can still win.
    costs = np.array([guided_search.descend(*everything, centers, 0, 0.0, power, *bounds, np.inf) for centers in pool])
    order = np.argsort(costs, kind="stable")[:refine]
    pool, costs = pool[order], costs[order]
    pool = pool[costs <= costs[0] + _CLOSE * abs(costs[0])]
    still = 1e-7 * float((bounds[1] - bounds[0]).max())
    costs = np.array(
        [guided_search.descend(*everything, centers, _POLISH_STEPS, still, power, *bounds, np.inf) for centers in pool]
    )
    return np.asarray(pool[int(costs.argmin())])


def count_moves(k: int, refine: int, swaps: int) -> int:
    """`refine` times `swaps` moves, and more for many centers, which have more local minima."""
    return int(max(refine, 0) * max(swaps, 0) * min(max(k / 6.0, 1.0), 4.0))


def summarise_centers(rows: Floats, mass: Floats, centers: Floats, power: int) -> KMeansResult:
    """Build the result for given centers, heaviest first."""
    labels, squared = nearest(rows, centers)
    held = np.bincount(labels, weights=mass, minlength=centers.shape[0]).astype(np.float64)
    order = heaviest_first(centers, held)
    value = float((mass * (squared if power == 2 else np.sqrt(squared))).sum())
    return KMeansResult(centers=centers[order], weights=held[order], cost=value)


def heaviest_first(centers: Floats, held: Floats) -> NDArray[np.int64]:
    """Sort centers by falling weight, the lowest of equal centers first.

    Duplicates of a center with negative weight have weight 0 and would otherwise overtake it.
    """
    group = np.unique(centers, axis=0, return_inverse=True)[1].reshape(-1)
    together = np.bincount(group, weights=held)[group]
    return np.argsort(-np.minimum(held, together), kind="stable")
