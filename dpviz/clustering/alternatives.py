"""Other good clusterings of noisy counts, found on counts with redrawn noise.

Repeated searches on one set of counts end in one place. Clusterings that its noise hides are found on counts drawn
again around these. No privacy claim is made here.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpviz.clustering import _kernels
from dpviz.clustering.distances import by_axis
from dpviz.clustering.merging import merge_with_variances
from dpviz.clustering.solving import merge_pools, solve_kmeans, to_single_precision

Floats = NDArray[np.float64]
REDRAWS = 8
POINTS = 1000  # merged ones that are searched on
MOST = 1 + REDRAWS  # clusterings handed out
WORSE = 0.05  # relative: what costs more than the best by this is none
SAME = 1e-5  # relative: costs that differ less are one clustering
_SEARCH = {"starts": 8, "swaps": 3, "shakes": 0}  # the given counts then say where they end
_STEPS = 100
_STILL = 1e-6  # of the box


def alternatives(
    points: Floats, weights: Floats, variances: Floats, found: Floats, *, seed: int, low: Floats, high: Floats
) -> list[Floats]:
    """Centers that no descent makes better, the cheapest first; `found`, or what is better, among them.

    `variances` are those of the weights. The same for the same seed.
    """
    generator = np.random.default_rng(seed & (2**64 - 1))
    middle = (low + high) / 2.0
    bounds = low - middle, high - middle
    few, held, spread = merge_with_variances(points - middle, weights, variances, limit=POINTS)
    on_few, on_all = (to_single_precision(by_axis(few)), held), (to_single_precision(by_axis(points - middle)), weights)
    pools, costs = [], []
    for redraw in range(REDRAWS):
        again = held + generator.normal(0.0, 1.0, len(held)) * np.sqrt(spread)
        other = solve_kmeans(few, again, len(found), seed=seed + redraw, low=bounds[0], high=bounds[1], **_SEARCH)
        centers = other.centers.copy()
        costs.append(np.array([_kernels.descend(*on_few, centers, _STEPS, 0.0, 2, *bounds, np.inf)]))
        pools.append(centers[None])
    still = _STILL * float((high - low).max())
    ended = [(found, float(_kernels.descend(*on_all, found - middle, 0, 0.0, 2, *bounds, np.inf)))]
    for centers in merge_pools(pools, costs):  # what ends in one place on few points does so on all
        value = _kernels.descend(*on_all, centers, _STEPS, still, 2, *bounds, np.inf)
        ended.append((np.clip(centers + middle, low, high), float(value)))
    kept: list[tuple[Floats, float]] = []
    for centers, value in sorted(ended, key=lambda one: one[1]):
        if not kept or (value <= kept[0][1] * (1.0 + WORSE) and value > kept[-1][1] * (1.0 + SAME)):
            kept.append((centers, value))
    return [centers for centers, _ in kept[:MOST]]
