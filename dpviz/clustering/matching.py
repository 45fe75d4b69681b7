"""Pairing two sets of centers, so that a shift in metres can be stated."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import linear_sum_assignment

from dpviz.clustering.checks import checked_points
from dpviz.errors import InputError


def match_centers(first: ArrayLike, second: ArrayLike) -> list[tuple[int, int]]:
    """Pairs (i, j) of rows of `first` and `second` with the smallest sum of squared distances, by rising i."""
    left, right = checked_points(first, "first"), checked_points(second, "second")
    if left.shape[1] != right.shape[1]:
        raise InputError(f"first, second: {left.shape[1]} and {right.shape[1]} coordinates given; make them equal")
    squared = np.zeros((left.shape[0], right.shape[0]))
    for axis in range(left.shape[1]):
        squared += (left[:, axis, None] - right[None, :, axis]) ** 2
    rows, columns = linear_sum_assignment(squared)
    return [(int(i), int(j)) for i, j in zip(rows, columns, strict=True)]
