# mypy: ignore-errors
"""The compiled loop under `merging.py`; see `_kernels.py` for the conventions. Its twin is `merging._numbered`."""

import numpy as np
from numba import njit


@njit(nogil=True, cache=True)
def at_most(points, low, scale, sides, cells, limit):
    """Whether points (rows) lie in at most `limit` cells of a grid of `sides`, `cells` of them in all."""
    seen = np.zeros(cells, np.uint8)
    occupied = 0
    for i in range(points.shape[0]):
        key = 0
        for axis in range(points.shape[1]):
            if sides[axis] > 1:
                place = int((points[i, axis] - low[axis]) * scale[axis])
                key = key * sides[axis] + min(place, sides[axis] - 1)
        if seen[key] == 0:
            seen[key] = 1
            occupied += 1
            if occupied > limit:
                return False
    return True
