# mypy: ignore-errors
"""Deterministic numba kernel: costs of all sets that one swap makes."""

from __future__ import annotations

import numba
import numpy as np


@numba.njit(nogil=True, cache=True)
def swap_costs(squared, weights, chosen):
    """Whole-number cost of the set without chosen[x] and with candidate y, (k, c).

    squared[i, j] is the squared distance between candidates, weights[i] how many records stand at candidate i.
    """
    size, k = squared.shape[0], chosen.size
    large = np.int64(2**40)
    nearest = np.zeros(size, np.int64)
    first = np.full(size, large, np.int64)
    second = np.full(size, large, np.int64)
    for i in range(size):
        for x in range(k):
            distance = squared[i, chosen[x]]
            if distance < first[i]:
                second[i] = first[i]
                first[i] = distance
                nearest[i] = x
            elif distance < second[i]:
                second[i] = distance
    out = np.zeros((k, size), np.int64)
    for y in range(size):
        kept = np.int64(0)
        for i in range(size):
            if weights[i] == 0:
                continue
            distance = squared[i, y]
            with_first = min(distance, first[i])
            kept += weights[i] * with_first
            out[nearest[i], y] += weights[i] * (min(distance, second[i]) - with_first)
        for x in range(k):
            out[x, y] += kept
    return out
