"""Costs and assignments of given centers."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpviz.clustering import _kernels
from dpviz.clustering.checks import Floats, checked_points, checked_weights
from dpviz.errors import InputError


def by_axis(points: Floats) -> Floats:
    """The same points axis by axis, (d, m): the layout of the kernels."""
    return np.ascontiguousarray(points.T)


def nearest(points: Floats, centers: Floats) -> tuple[NDArray[np.int64], Floats]:
    """Index of the nearest center and squared distance to it, for checked arrays."""
    labels = np.zeros(points.shape[0], dtype=np.int64)
    squared = np.empty(points.shape[0])
    if points.shape[0]:
        _kernels.nearest(by_axis(points), centers, labels, squared)
    return labels, squared


def _pair(points: ArrayLike, centers: ArrayLike) -> tuple[Floats, Floats]:
    rows, sites = checked_points(points), checked_points(centers, "centers")
    if sites.shape[0] == 0 or sites.shape[1] != rows.shape[1]:
        raise InputError(
            f"centers: shape {sites.shape} was given for points of shape {rows.shape}; "
            "at least one center with as many coordinates as the points is needed"
        )
    return rows, sites


def assign(points: ArrayLike, centers: ArrayLike) -> NDArray[np.int64]:
    """Index of the nearest center of each point; ties go to the lowest index."""
    return nearest(*_pair(points, centers))[0]


def cost(points: ArrayLike, weights: ArrayLike, centers: ArrayLike, power: int = 2) -> float:
    """Σ w·dist² (power 2) or Σ w·dist (power 1) to the nearest center."""
    if power not in (1, 2):
        raise InputError(f"power: {power} was given; 2 (k-means) or 1 (k-median) is needed")
    rows, sites = _pair(points, centers)
    mass = checked_weights(weights, rows.shape[0])
    squared = nearest(rows, sites)[1]
    # Not mass @ squared: for long vectors that wakes the threads of a BLAS, which spin on a busy machine.
    return float((mass * (squared if power == 2 else np.sqrt(squared))).sum())


def average_distance(points: ArrayLike, weights: ArrayLike, sites: ArrayLike) -> float:
    """Mean distance from a unit of weight to its nearest site; 0 when the weights do not sum to something
    positive.
    """
    total = float(checked_weights(weights, checked_points(points).shape[0]).sum())
    return cost(points, weights, sites, power=1) / total if total > 0.0 else 0.0
