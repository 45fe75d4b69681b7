"""Searches on noisy counts: other good clusterings, and searches that ignore the noise on empty ground.

`alternatives`: repeated searches on the same counts end in one place. Clusterings that the noise hides are found on
counts with noise sampled again around these.

`Ground`: counts below 0 are no weights, so noise on empty ground has a positive sum. Far away it weighs, by its squared
distance, more than a town in a corner of the box. Single counts cannot tell such ground from sparse suburbs; two sums
can: that of all small counts of one size of cells, and that of all counts around one center. Where a sum is no larger
than noise explains, its small counts are left out. Sums around centers are not used where records per center are so few
that only the largest noise would be left.

No privacy claim is made here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpviz.clustering import guided_search
from dpviz.clustering.distances import Floats, KMeansResult, assign, by_axis, merge_with_variances
from dpviz.clustering.solving import merge_pools, solve_kmeans, to_single_precision

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
    """Find locally optimal centers, the cheapest first; `found`, or better ones, among them.

    `variances` are those of the weights. Deterministic for a seed.
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
        costs.append(np.array([guided_search.descend(*on_few, centers, _STEPS, 0.0, 2, *bounds, np.inf)]))
        pools.append(centers[None])
    still = _STILL * float((high - low).max())
    ended = [(found, guided_search.descend(*on_all, found - middle, 0, 0.0, 2, *bounds, np.inf))]
    for centers in merge_pools(pools, costs):  # what ends in one place on few points does so on all
        value = guided_search.descend(*on_all, centers, _STEPS, still, 2, *bounds, np.inf)
        ended.append((np.clip(centers + middle, low, high), value))
    kept: list[tuple[Floats, float]] = []
    for centers, value in sorted(ended, key=lambda one: one[1]):
        if not kept or (value <= kept[0][1] * (1.0 + WORSE) and value > kept[-1][1] * (1.0 + SAME)):
            kept.append((centers, value))
    return [centers for centers, _ in kept[:MOST]]


Solve = Callable[[Floats], KMeansResult]
SMALL = 4.0  # scales of Laplace noise up to which a count may be quiet
SURE = 6.0  # scales above which it speaks for itself whatever is around it
QUIET = 0.5  # standard deviations that the small counts of one size of cells have to reach together
HELD = 2.0  # standard deviations that the counts around a center have to reach
ENOUGH = 40.0  # scales of noise, as many as there have to be records for each center, else centers are not looked at
LOOKS = 4  # searches at most


@dataclass(frozen=True, kw_only=True, eq=False)
class Ground:
    """Noisy counts of disjoint cells as they were measured, some below 0, and which point stands for which cell."""

    places: Floats  # (cells, d): where the records of a cell are believed to be centered
    values: Floats  # (cells,)
    variances: Floats
    sizes: NDArray[np.int64]  # cells of one size have one number
    owner: NDArray[np.int64]  # (points,)

    def below(self, scales: float) -> NDArray[np.bool_]:
        """Which counts are at most this many noise scales."""
        return self.values <= scales * np.sqrt(self.variances / 2.0)

    def quiet(self) -> NDArray[np.bool_]:
        """Cells with small counts that, summed over all cells of their size, are indistinguishable from noise."""
        small = self.below(SMALL)
        groups = int(self.sizes.max(initial=0)) + 1
        summed = np.bincount(self.sizes[small], weights=self.values[small], minlength=groups)
        noise = np.bincount(self.sizes[small], weights=self.variances[small], minlength=groups)
        return small & (summed < QUIET * np.sqrt(noise))[self.sizes]

    def unheld(self, centers: Floats) -> NDArray[np.bool_]:
        """Cells with small counts around centers whose sums are indistinguishable from noise."""
        nearest = assign(self.places, centers)
        summed = np.bincount(nearest, weights=self.values, minlength=len(centers))
        noise = np.bincount(nearest, weights=self.variances, minlength=len(centers))
        return self.below(SURE) & (summed < HELD * np.sqrt(noise))[nearest]

    def tells(self, centers: int) -> bool:
        """Whether there are enough records per center for the sums around centers to be informative."""
        return float(self.values.sum()) >= ENOUGH * centers * float(np.median(np.sqrt(self.variances / 2.0)))

    def search(self, weights: Floats, solve: Solve) -> tuple[Floats, KMeansResult]:
        """The weights of the points that were used, and the clustering found on them.

        If none would be left, all points are used.
        """
        believed = _without(weights, self.quiet()[self.owner])
        found = solve(believed)
        for _ in range(LOOKS - 1 if self.tells(len(found.centers)) else 0):
            fewer = _without(believed, self.unheld(found.centers)[self.owner])
            if fewer is believed:
                break
            believed, found = fewer, solve(fewer)
        return believed, found


def _without(weights: Floats, left_out: NDArray[np.bool_]) -> Floats:
    """Set left-out weights to 0; return the same object where that changes nothing or leaves nothing."""
    fewer = np.where(left_out, 0.0, weights)
    if not (fewer > 0.0).any() or not (left_out & (weights != 0.0)).any():
        return weights
    return fewer
