"""Compile or load the kernels in advance."""

import numpy as np

from dpviz.clustering.distances import assign
from dpviz.clustering.gridded import GridTable
from dpviz.clustering.solving import kmeans_plusplus, lloyd, solve_kmeans, solve_kmedian


def warm_up() -> None:
    """Compile or load all kernels by running every solver once on made-up points. Thread-safe."""
    points = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [3.0, 3.0], [4.0, 3.0], [3.0, 4.0]])
    weights = np.ones(6)
    for solve in (solve_kmeans, solve_kmedian):
        solve(points, weights, 2, seed=0, starts=2, refine=1, swaps=1)
    lloyd(points, weights, kmeans_plusplus(points, weights, 2, seed=0), 1)
    assign(points, points[:2])
    GridTable.of(np.eye(4, dtype=np.int64), cell_width=1.0, cell_height=1.0).solve(2, seed=0, starts=2)
