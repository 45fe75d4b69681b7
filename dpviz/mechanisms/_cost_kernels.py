"""Deterministic numba kernel: integer k-means costs of many candidate sets. Twin: `lattice_costs_twin`."""

from __future__ import annotations

import numba
import numpy as np


@numba.njit(nogil=True, cache=True)
def lattice_costs(points, multiplicity, candidates):
    """Cost of each candidate set, (c,): sum over points of multiplicity times the least squared lattice distance."""
    sets, k, dims = candidates.shape
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
            total += best * multiplicity[i]
        out[s] = total
    return out


def lattice_costs_twin(points, multiplicity, candidates):
    """The same in plain numpy."""
    return np.array(
        [
            (((points[:, None] - chosen[None]) ** 2).sum(axis=2).min(axis=1) * multiplicity).sum()
            for chosen in candidates
        ],
        dtype=np.int64,
    )
