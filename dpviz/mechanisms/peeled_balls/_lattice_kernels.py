# mypy: ignore-errors
# mypy: ignore-errors
"""Compiled loops above two dimensions: counts of shifted boxes, distances, parts. Deterministic; noise never enters."""

import numba
import numpy as np


@numba.njit(nogil=True, cache=True)
def count_boxes(cube, cuts, shift, step, table):
    """Add `step` to the box of every record: boxes of side 1/cuts, moved by shift/cuts, in row-major order."""
    dims = cube.shape[1]
    for i in range(cube.shape[0]):
        at = 0
        for j in range(dims):
            at = at * (cuts + 1) + int(cube[i, j] * cuts + shift)
        table[at] += step


@numba.njit(nogil=True, cache=True)
def squared_distances(lattice, center, steps, out):
    """Squared whole-number distance of every record's lattice cell from a center in half cells."""
    for i in range(lattice.shape[0]):
        total = np.int64(0)
        for j in range(lattice.shape[1]):
            gap = (2 * np.int64(lattice[i, j]) + 1 - center[j]) * steps[j]
            total += gap * gap
        out[i] = total


@numba.njit(nogil=True, cache=True)
def clipped_moments(lattice, centers, steps, anchors, reach, moments):
    """(Σ 1, Σ clipped (x − anchor)) over the records of each part; nearest center, ties to the lower index."""
    parts, dims = centers.shape
    for i in range(lattice.shape[0]):
        best, nearest = np.int64(2**62), 0
        for part in range(parts):
            total = np.int64(0)
            for j in range(dims):
                gap = (2 * np.int64(lattice[i, j]) + 1 - centers[part, j]) * steps[j]
                total += gap * gap
                if total >= best:
                    break
            if total < best:
                best, nearest = total, part
        moments[nearest, 0] += 1
        for j in range(dims):
            offset = np.int64(lattice[i, j]) - anchors[nearest, j]
            moments[nearest, j + 1] += min(max(offset, -reach[nearest, j]), reach[nearest, j])
