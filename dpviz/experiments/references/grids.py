"""Uniform grids: EUGkM of Su et al. 2016 as printed, and the same grid with small counts set to zero."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dpviz.clustering import cost, lloyd, sphere_packing_start
from dpviz.experiments.references.problem import Problem

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
    for start in range(STARTS):
        begun = sphere_packing_start(problem.k, np.zeros(2), problem.extent, seed=start)
        centers = np.clip(lloyd(points, noisy, begun, 50)[0], 0.0, problem.extent)
        value = cost(points, noisy, centers)
        if best is None or value < best[0]:
            best = (value, centers)
    assert best is not None
    return best[1]


def thresholded_grid(problem: Problem, epsilon: float, generator: np.random.Generator) -> Floats:
    """Equal cells, counts below ln(cells)/ε set to zero, then the guided search."""
    side = grid_side(problem, epsilon)
    noisy = problem.exact_blocks(side).ravel() + generator.laplace(0.0, 1.0 / epsilon, side * side)
    kept = np.where(noisy >= math.log(max(side * side, 2)) / epsilon, noisy, 0.0)
    return problem.solve(problem.block_middles(side), kept)
