"""Pairing two sets of centers, so that a shift in metres can be stated."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

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
    if left.shape[0] <= right.shape[0]:
        return [(row, int(column)) for row, column in enumerate(_cheapest_columns(squared))]
    return sorted((int(row), column) for column, row in enumerate(_cheapest_columns(squared.T)))


def _cheapest_columns(costs: NDArray[np.float64]) -> NDArray[np.int64]:
    """A column of its own for every row at the smallest total, by shortest augmenting paths (Kuhn, Munkres).

    The same as scipy's linear_sum_assignment, whose package costs a fifth of a second at every start of the app.
    Column 0 is an imagined one, at which each search starts.
    """
    rows, columns = costs.shape
    row_price, column_price = np.zeros(rows), np.zeros(columns + 1)
    owner = np.full(columns + 1, -1)  # which row holds a column
    came_from = np.zeros(columns + 1, dtype=np.int64)
    for row in range(rows):
        owner[0], column = row, 0
        reach, closed = np.full(columns + 1, np.inf), np.zeros(columns + 1, dtype=bool)
        while owner[column] >= 0:
            closed[column] = True
            step = costs[owner[column]] - row_price[owner[column]] - column_price[1:]
            nearer = ~closed[1:] & (step < reach[1:])
            reach[1:][nearer], came_from[1:][nearer] = step[nearer], column
            column = int(np.argmin(np.where(closed, np.inf, reach)))
            rise = reach[column]
            row_price[owner[closed]] += rise
            column_price[closed] -= rise
            reach[~closed] -= rise
        while column:
            owner[column], column = owner[came_from[column]], int(came_from[column])
    found = np.empty(rows, dtype=np.int64)
    held = np.flatnonzero(owner[1:] >= 0)
    found[owner[1:][held]] = held
    return found
