"""Searches on noisy counts that ignore the noise on empty ground.

Counts below 0 are no weights, so noise on empty ground is left with a positive sum; and what it puts far away weighs,
by its squared distance, more than a town in a corner of the box. Single counts cannot tell such ground from sparse
suburbs. Two sums can: that of all small counts of one size of cells, and that of all counts around one center. Where a
sum is no more than noise would make it, its small counts are left out of the search. Sums around centers are not looked
at where there are so few records for a center that what would be left is the largest noise.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpviz.clustering.distances import KMeansResult, assign

Floats = NDArray[np.float64]
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
