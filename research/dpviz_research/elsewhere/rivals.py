"""Who is measured beside adaptive_tree: private rivals with the same guided search, and limits that are not private."""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from dpviz_research.references import REFERENCES, Problem, Reference
from dpviz_research.references.grids import adaptive_grid, grid_side
from dpviz_research.references.privtree import privtree

Floats = NDArray[np.float64]
HINDSIGHT = "grid in hindsight"
FACTORS = (0.25, 0.5, 1.0, 2.0)  # of the usual side
LARGEST_SIDE = 128


def grid_of(factor: float, *, signed: bool) -> Reference:
    """Equal cells of `factor` times the usual side, the guided search on signed counts, or on those above 0."""

    def run(problem: Problem, epsilon: float, generator: np.random.Generator) -> Floats:
        side = int(min(max(2, round(factor * grid_side(problem, epsilon))), LARGEST_SIDE))
        noisy = problem.exact_blocks(side).ravel() + generator.laplace(0.0, 1.0 / epsilon, side * side)
        return problem.solve(problem.block_middles(side), noisy if signed else np.maximum(noisy, 0.0))

    kind = "signed" if signed else "above 0"
    title = f"Grid of {factor:g} times the usual side, counts {kind}"
    return Reference(name=f"grid × {factor:g}, {kind}", title=title, run=run, rival=True)


GRIDS = tuple(grid_of(factor, signed=signed) for factor in FACTORS for signed in (True, False))
# Counts above 0 alone put weight on empty ground; the same draws searched with their signs are often better.
SIGNED = (
    Reference(name="privtree, signed", title="PrivTree, signed", run=partial(privtree, signed=True), rival=True),
    Reference(name="adaptive_grid, signed", title="AG, signed", run=partial(adaptive_grid, signed=True), rival=True),
)
NAMED = (*(one for one in REFERENCES if one.name not in ("scikit_learn", "thresholded_grid")), *SIGNED)
