"""Escape small local minima near a good clustering: perturb centers and descend on points near borders of parts.

What lies deep inside a part stays there when centers move a little, so it is summed up in one point per part: exact,
and the many short descents of the shakes then cost a tenth.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpviz.clustering import _refine_kernels
from dpviz.clustering.checks import Floats, checked_points, checked_weights
from dpviz.clustering.distances import by_axis

BORDER_POINTS = 3000
SHAKES = 20  # a round
ROUNDS = 2
_STEPS = 200
_STILL = 1e-9  # of the box


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
    found, _ = refined(
        by_axis(rows[used]), mass[used], begun, shakes=shakes, rounds=ROUNDS, power=2, state=state, low=low, high=high
    )
    return found


def center_gaps(points: ArrayLike, centers: ArrayLike) -> tuple[NDArray[np.int64], Floats]:
    """The nearest center of each point, and how much farther away the second nearest is (infinite if there is none)."""
    labels, gaps = _refine_kernels.gaps(by_axis(checked_points(points)), checked_points(centers, "centers"))
    return labels, gaps


def refined(
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
    """The best centers that `rounds` rounds of shakes find from `centers`, and their cost on all points.

    `points` axis by axis, (d, m). Only squared distances can be summed up: for others the shakes run on all points,
    where these are few, else not at all.
    """
    still = _STILL * float((high - low).max())
    settings = _STEPS, still, power
    best = centers.copy()
    value = float(_refine_kernels.settle(points, weights, best, *settings, low, high))
    if len(centers) < 2:
        return best, value
    for _ in range(rounds if shakes > 0 else 0):
        few, mass, reach = near_borders(points, weights, best, BORDER_POINTS if power == 2 else points.shape[1])
        if few.shape[1] > 2 * BORDER_POINTS or not reach > 0.0:
            break
        trial = best.copy()
        _refine_kernels.shake(few, mass, trial, shakes, reach, *settings, state, low, high)
        found = float(_refine_kernels.settle(points, weights, trial, *settings, low, high))
        if found < value:
            best, value = trial, found
    return best, value


def near_borders(points: Floats, weights: Floats, centers: Floats, wanted: int) -> tuple[Floats, Floats, float]:
    """About `wanted` points along the borders of the parts, one point for the rest of each part, and the band's width.

    As long as no center moves farther than half the width, costs on these points differ from costs on all points by a
    constant. Rests of weight ≤ 0 (noisy counts may be negative) are left out: what is found is settled on all points.
    """
    labels, gaps = _refine_kernels.gaps(points, centers)
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
