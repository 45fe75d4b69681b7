"""Other good clusterings of noisy counts: those that the same places would have had, had the noise been another.

Searches on one set of counts end in one place, however often they are repeated; what noise hides from them is found on
counts drawn again around these. No privacy claim is made here.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpviz.clustering.merging import merge_points
from dpviz.clustering.solving import SEARCH_POINTS, lloyd, solve_kmeans

Floats = NDArray[np.float64]
REDRAWS = 8
MOST = 6  # clusterings handed out
WORSE = 0.05  # relative: what costs more than the best by this is none
SAME = 1e-5  # relative: costs that differ less are one clustering
_SEARCH = {"starts": 8, "swaps": 6, "shakes": 0}
_STEPS = 100
_STILL = 1e-6  # of the box


def alternatives(
    points: Floats, weights: Floats, variances: Floats, found: Floats, *, seed: int, low: Floats, high: Floats
) -> list[Floats]:
    """Centers that no descent makes better, the cheapest first; `found`, or what is better, among them.

    `variances` are those of the weights. The same for the same seed.
    """
    generator = np.random.default_rng(seed & (2**64 - 1))
    still = _STILL * float((high - low).max())
    few, held, spread = merge_points(points, weights, limit=SEARCH_POINTS, variances=variances)
    ended = [lloyd(points, weights, found, 0)]
    for redraw in range(REDRAWS):
        again = held + generator.normal(0.0, 1.0, len(held)) * np.sqrt(spread)
        begun = solve_kmeans(few, again, len(found), seed=seed + redraw, low=low, high=high, **_SEARCH).centers
        ended.append(lloyd(points, weights, begun, _STEPS, still))
    kept: list[tuple[Floats, float]] = []
    for centers, value in sorted(ended, key=lambda one: one[1]):
        if not kept or (value <= kept[0][1] * (1.0 + WORSE) and value > kept[-1][1] * (1.0 + SAME)):
            kept.append((centers, value))
    return [centers for centers, _ in kept[:MOST]]
