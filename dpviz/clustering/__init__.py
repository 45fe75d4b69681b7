"""Ordinary weighted k-means and k-median, signed weights included. Nothing here makes a privacy claim."""

from dpviz.clustering.distances import KMeansResult, assign, cost, match_centers, merge_points, merge_with_variances
from dpviz.clustering.gridded import GridTable, kmeans_on_grid
from dpviz.clustering.noisy_counts import Ground, alternatives
from dpviz.clustering.solving import (
    center_gaps,
    improve_kmeans,
    lloyd,
    solve_kmeans,
    solve_kmedian,
    sphere_packing_start,
)

__all__ = [
    "GridTable",
    "Ground",
    "KMeansResult",
    "alternatives",
    "assign",
    "center_gaps",
    "cost",
    "improve_kmeans",
    "kmeans_on_grid",
    "lloyd",
    "match_centers",
    "merge_points",
    "merge_with_variances",
    "solve_kmeans",
    "solve_kmedian",
    "sphere_packing_start",
]
