# mypy: ignore-errors
"""Deterministic numba kernel: integer k-means costs of many candidate sets."""

from __future__ import annotations

import numba
import numpy as np

CEILING = 2**62
LONGEST = 2**13  # steps along an axis, at most: fewer points than CEILING over all squared diameters need no care


@numba.njit(nogil=True, cache=True)
def lattice_costs(points, multiplicity, candidates):
    """Cost of each candidate set, (c,): sum over points of multiplicity times the least squared lattice distance.

    Sums are cut at 2^62, exactly: where points may be many enough, each addition is compared with what is left.
    """
    sets, k, dims = candidates.shape
    held = np.int64(0)
    for i in range(points.shape[0]):
        held += multiplicity[i]
    careful = held > CEILING // (dims * LONGEST * LONGEST)
    out = np.zeros(sets, np.int64)
    for s in range(sets):
        total = np.int64(0)
        for i in range(points.shape[0]):
            best = np.int64(2**62)
            for j in range(k):
                distance = np.int64(0)
                for axis in range(dims):
                    step = points[i, axis] - candidates[s, j, axis]
                    distance += step * step
                if distance < best:
                    best = distance
            if careful and best > 0 and multiplicity[i] > (CEILING - total) // best:
                total = CEILING
                break
            total += best * multiplicity[i]
        out[s] = total
    return out
