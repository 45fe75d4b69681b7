# mypy: ignore-errors
"""Deterministic numba kernels: integer distances to centers, and counts along lines."""

from __future__ import annotations

import numba
import numpy as np


@numba.njit(nogil=True, cache=True)
def nearest_squared(points, centers):
    """Squared lattice distance of each point to its nearest center, (n,) int64."""
    size, dims = points.shape
    out = np.empty(size, np.int64)
    for i in range(size):
        best = np.int64(2**62)
        for j in range(centers.shape[0]):
            distance = np.int64(0)
            for axis in range(dims):
                step = points[i, axis] - centers[j, axis]
                distance += step * step
            if distance < best:
                best = distance
        out[i] = best
    return out


@numba.njit(nogil=True, cache=True)
def line_counts(points, multiplicity, centers, lines, edges):
    """How many records fall into each interval, (centers, lines, 2, t): [..., 0, :] before it, [..., 1, :] behind.

    A point belongs to its nearest center (the first of equals), then to the line with the longest projection, then to
    the interval of the projection's length: edges[b] are the t − 1 inner borders of center b's intervals.
    """
    size, dims = points.shape
    amount = lines.shape[0]
    inner = edges.shape[1]
    out = np.zeros((centers.shape[0], amount, 2, inner + 1), np.int64)
    for i in range(size):
        best, part = np.int64(2**62), 0
        for j in range(centers.shape[0]):
            distance = np.int64(0)
            for axis in range(dims):
                step = points[i, axis] - centers[j, axis]
                distance += step * step
            if distance < best:
                best, part = distance, j
        longest, line = -1.0, 0
        signed = 0.0
        for index in range(amount):
            along = 0.0
            for axis in range(dims):
                along += lines[index, axis] * (points[i, axis] - centers[part, axis])
            if abs(along) > longest:
                longest, line, signed = abs(along), index, along
        interval = 0
        while interval < inner and longest >= edges[part, interval]:
            interval += 1
        out[part, line, 1 if signed >= 0 else 0, interval] += multiplicity[i]
    return out
