"""Ordinary weighted k-means and k-median, signed weights included. Nothing here makes a privacy claim."""

from dpviz.clustering.alternatives import alternatives
from dpviz.clustering.distances import assign, average_distance, cost
from dpviz.clustering.empty_ground import Ground
from dpviz.clustering.gridded import GridTable, grid_cost, kmeans_on_grid
from dpviz.clustering.matching import match_centers
from dpviz.clustering.merging import merge_points
from dpviz.clustering.packing import sphere_packing_start
from dpviz.clustering.refining import center_gaps, improve_kmeans
from dpviz.clustering.result import KMeansResult
from dpviz.clustering.solving import kmeans_plusplus, lloyd, solve_kmeans, solve_kmedian
from dpviz.clustering.warming import warm_up

__all__ = [
    "GridTable",
    "Ground",
    "KMeansResult",
    "alternatives",
    "assign",
    "average_distance",
    "center_gaps",
    "cost",
    "grid_cost",
    "improve_kmeans",
    "kmeans_on_grid",
    "kmeans_plusplus",
    "lloyd",
    "match_centers",
    "merge_points",
    "solve_kmeans",
    "solve_kmedian",
    "sphere_packing_start",
    "warm_up",
]
