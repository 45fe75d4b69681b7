# mypy: ignore-errors
"""Compiled counting of records by their paths through the tree of halvings."""

import numpy as np
from numba import njit


@njit(nogil=True, cache=True)
def add_paths(cube, axes, shifts, top, first, roots, further, table):
    """Count the records below each of `roots` (sorted codes after `first` turns) by their next `further` turns.

    `axes` and `shifts` say which bit of which axis each turn is; coordinates are seen in steps of 1 / (top + 1).
    """
    dims = cube.shape[1]
    steps = np.empty(dims, np.int64)
    for row in range(cube.shape[0]):
        for axis in range(dims):
            steps[axis] = min(np.int64(cube[row, axis] * (top + 1)), top)
        code = np.int64(0)
        for turn in range(first):
            code = (code << 1) | ((steps[axes[turn]] >> shifts[turn]) & 1)
        low = 0
        high = len(roots)
        while low < high:
            middle = (low + high) // 2
            if roots[middle] < code:
                low = middle + 1
            else:
                high = middle
        if low == len(roots) or roots[low] != code:
            continue
        place = np.int64(low)
        for turn in range(first, first + further):
            place = (place << 1) | ((steps[axes[turn]] >> shifts[turn]) & 1)
        table[place] += 1
