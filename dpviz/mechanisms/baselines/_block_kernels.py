# mypy: ignore-errors
"""Deterministic numba kernel: k-means of many small blocks of sorted points."""

from __future__ import annotations

import numba
import numpy as np


@numba.njit(nogil=True, cache=True)
def block_centers(points, starts, k, steps, fallback):
    """Centers of each block, (blocks, k, d): farthest-first start from the first point, then `steps` Lloyd steps.

    `points` are grouped by block and sorted within it; block b is points[starts[b]:starts[b + 1]].
    """
    blocks = starts.size - 1
    dims = points.shape[1]
    out = np.empty((blocks, k, dims))
    for b in range(blocks):
        first, last = starts[b], starts[b + 1]
        size = last - first
        centers = out[b]
        if size == 0:
            centers[:] = fallback
            continue
        gap = np.full(size, np.inf)
        chosen = 0
        for j in range(k):
            for axis in range(dims):
                centers[j, axis] = points[first + chosen, axis]
            far, chosen = -1.0, 0
            for i in range(size):
                distance = 0.0
                for axis in range(dims):
                    step = points[first + i, axis] - centers[j, axis]
                    distance += step * step
                if distance < gap[i]:
                    gap[i] = distance
                if gap[i] > far:
                    far, chosen = gap[i], i
        sums = np.empty((k, dims))
        counts = np.empty(k)
        for _ in range(steps):
            sums[:] = 0.0
            counts[:] = 0.0
            for i in range(size):
                best, where = np.inf, 0
                for j in range(k):
                    distance = 0.0
                    for axis in range(dims):
                        step = points[first + i, axis] - centers[j, axis]
                        distance += step * step
                    if distance < best:
                        best, where = distance, j
                counts[where] += 1.0
                for axis in range(dims):
                    sums[where, axis] += points[first + i, axis]
            for j in range(k):
                if counts[j] > 0.0:
                    for axis in range(dims):
                        centers[j, axis] = sums[j, axis] / counts[j]
    return out
