"""Grids: EUGkM of Su et al. 2016 as printed, the same grid with small counts set to zero, and an adaptive grid."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
from numpy.typing import NDArray

from dpviz.clustering import cost, lloyd, sphere_packing_start
from dpviz_research.references.problem import Problem
from dpviz_research.references.synopses import ExactPlane, adaptive_grid as adaptive_grid_boxes

Floats = NDArray[np.float64]
STARTS = 30


def grid_side(problem: Problem, epsilon: float) -> int:
    """√(nε/10) cells per side (equation 4 of the paper in two dimensions) from the exact n, which favours the rival."""
    wanted = math.sqrt(max(float(problem.exact_weights.sum()) * epsilon / 10.0, 1.0))
    return int(min(max(2, round(wanted)), problem.side))


def eugkm(problem: Problem, epsilon: float, generator: np.random.Generator) -> Floats:
    """Signed noisy counts of equal cells; Lloyd from packed starts, the lowest cost on the synopsis wins."""
    side = grid_side(problem, epsilon)
    noisy = problem.exact_blocks(side).ravel() + generator.laplace(0.0, 1.0 / epsilon, side * side)
    points = problem.block_middles(side)
    best: tuple[float, Floats] | None = None
    for begun in packed_starts(problem.k, float(problem.extent[0]), float(problem.extent[1])):
        centers = np.clip(lloyd(points, noisy, begun, 50)[0], 0.0, problem.extent)
        value = cost(points, noisy, centers)
        if best is None or value < best[0]:
            best = (value, centers)
    assert best is not None
    return best[1]


@cache
def packed_starts(k: int, width: float, height: float) -> tuple[Floats, ...]:
    """The starts: public, the same for all draws."""
    box = np.zeros(2), np.array([width, height])
    return tuple(sphere_packing_start(k, *box, seed=start) for start in range(STARTS))


def adaptive_grid(problem: Problem, epsilon: float, generator: np.random.Generator, *, signed: bool = False) -> Floats:
    """AG of Qardaji, Yang, Li 2013 (a coarse grid with half of ε, cells cut by noisy counts), the guided search.

    `signed`: on the counts as they are, not on those above 0 alone, which add weight to empty ground.
    """
    rows, columns = np.nonzero(problem.exact_counts.exact_cells)
    side, times = problem.side, problem.exact_counts.exact_cells[rows, columns]
    places = np.column_stack([(columns + 0.5) / side, (side - rows - 0.5) / side])
    boxes = adaptive_grid_boxes(ExactPlane(exact_places=np.repeat(places, times, axis=0)), epsilon, generator)
    middles = (boxes.low + boxes.high) / 2.0 * problem.extent
    return problem.solve(middles, boxes.count if signed else np.maximum(boxes.count, 0.0))


def thresholded_grid(problem: Problem, epsilon: float, generator: np.random.Generator) -> Floats:
    """Equal cells, counts below ln(cells)/ε set to zero, then the guided search."""
    side = grid_side(problem, epsilon)
    noisy = problem.exact_blocks(side).ravel() + generator.laplace(0.0, 1.0 / epsilon, side * side)
    kept = np.where(noisy >= math.log(max(side * side, 2)) / epsilon, noisy, 0.0)
    return problem.solve(problem.block_middles(side), kept)
