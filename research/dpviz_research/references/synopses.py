"""Rivals for counts of areas: what each would publish, as boxes with counts. Floating-point noise; not publishable."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Generator = np.random.Generator
FAN = 4
GRID_CONSTANT = 10.0  # Su et al. 2016 and Qardaji, Yang, Li 2013
GRID_SIDES = tuple(1 << power for power in range(11))


@dataclass(frozen=True, kw_only=True, eq=False)
class Boxes:
    """Rectangles in the unit square with a count each."""

    low: Floats
    high: Floats
    count: Floats


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class ExactPlane:
    """Exact records in the unit square, sorted once, so that counts of any grid are cheap. Curator only."""

    exact_places: Floats  # (n, 2), x to the east and y to the north

    def exact_grid(self, across: int, up: int | None = None) -> Floats:
        """Counts of across × up equal cells, (across, up): west to east, south to north."""
        tall = across if up is None else up
        x = np.minimum((self.exact_places[:, 0] * across).astype(np.int64), across - 1)
        y = np.minimum((self.exact_places[:, 1] * tall).astype(np.int64), tall - 1)
        return np.bincount(x * tall + y, minlength=across * tall).reshape(across, tall).astype(np.float64)


def grid_boxes(count: Floats) -> Boxes:
    """A grid of counts, (across, up), as boxes."""
    across, up = count.shape
    place = np.indices(count.shape).reshape(2, -1).T
    size = np.array([across, up], np.float64)
    return Boxes(low=place / size, high=(place + 1) / size, count=count.ravel())


def uniform_grid(plane: ExactPlane, epsilon: float, generator: Generator) -> Boxes:
    """√(nε/10) cells a side, from the exact n, which favours the rival."""
    side = max(2, round(math.sqrt(len(plane.exact_places) * epsilon / GRID_CONSTANT)))
    return fixed_grid(side)(plane, epsilon, generator)


def fixed_grid(side: int) -> Callable[[ExactPlane, float, Generator], Boxes]:
    """A grid of this side. The best of all of them, picked after the fact, is what no rule for the side can beat."""

    def run(plane: ExactPlane, epsilon: float, generator: Generator) -> Boxes:
        return grid_boxes(plane.exact_grid(side) + generator.laplace(0.0, 1.0 / epsilon, (side, side)))

    return run


def adaptive_grid(plane: ExactPlane, epsilon: float, generator: Generator) -> Boxes:
    """AG of Qardaji, Yang, Li 2013: a coarse grid with half of ε, each cell cut by its noisy count, the rest for those.

    The two counts of a coarse cell are joined by inverse variance and the difference is shared out evenly.
    """
    side = max(10, math.ceil(math.sqrt(len(plane.exact_places) * epsilon / GRID_CONSTANT) / 4.0))
    half = epsilon / 2.0
    first = plane.exact_grid(side) + generator.laplace(0.0, 1.0 / half, (side, side))
    cuts = np.maximum(np.ceil(np.sqrt(np.maximum(first, 0.0) * half / (GRID_CONSTANT / 2.0))), 1.0).astype(np.int64)
    place = np.minimum((plane.exact_places * side).astype(np.int64), side - 1)
    coarse = place[:, 0] * side + place[:, 1]
    within = plane.exact_places * side - place
    fine = cuts.ravel()[coarse]
    inner = np.minimum((within * fine[:, None]).astype(np.int64), fine[:, None] - 1)
    starts = np.concatenate([[0], np.cumsum(cuts.ravel() ** 2)])
    count = np.bincount(starts[coarse] + inner[:, 0] * fine + inner[:, 1], minlength=int(starts[-1])).astype(np.float64)
    count += generator.laplace(0.0, 1.0 / half, len(count))
    owner = np.repeat(np.arange(side * side), cuts.ravel() ** 2)
    sums = np.bincount(owner, weights=count, minlength=side * side)
    many = cuts.ravel().astype(np.float64) ** 2
    joined = (first.ravel() * many + sums) / (many + 1.0)  # variances: 1 for the first count, `many` for the sum
    count += ((joined - sums) / many)[owner]
    at = np.arange(len(count)) - starts[owner]
    wide = cuts.ravel()[owner]
    corner = np.column_stack([owner // side, owner % side]) / side
    step = 1.0 / (side * wide)
    low = corner + np.column_stack([at // wide, at % wide]) * step[:, None]
    return Boxes(low=low, high=low + step[:, None], count=count)


def privtree_boxes(plane: ExactPlane, epsilon: float, generator: Generator) -> Boxes:
    """PrivTree of Zhang, Xiao, Xie 2016: half of ε for the splits, half for the leaves, threshold 0."""
    scale = (2 * FAN - 1) / ((FAN - 1) * epsilon / 2)
    decay = scale * math.log(FAN)
    place = np.zeros((1, 2), np.int64)
    low, high, count = [], [], []
    for depth, side in enumerate(GRID_SIDES):
        counts = plane.exact_grid(side)[place[:, 0], place[:, 1]]
        biased = np.maximum(counts - depth * decay, -decay)
        split = biased + generator.laplace(0.0, scale, len(counts)) > 0.0
        if depth + 1 == len(GRID_SIDES):
            split[:] = False
        ended = place[~split]
        low.append(ended / side)
        high.append((ended + 1) / side)
        count.append(counts[~split] + generator.laplace(0.0, 2.0 / epsilon, len(ended)))
        if not split.any():
            break
        place = (2 * place[split][:, None, :] + np.array([[0, 0], [0, 1], [1, 0], [1, 1]])).reshape(-1, 2)
    return Boxes(low=np.concatenate(low), high=np.concatenate(high), count=np.concatenate(count))


SYNOPSES: dict[str, Callable[[ExactPlane, float, Generator], Boxes]] = {
    "uniform grid": uniform_grid,
    "adaptive grid": adaptive_grid,
    "privtree": privtree_boxes,
}
