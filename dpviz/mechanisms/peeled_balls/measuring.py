"""[P6] of docs/proofs/peeled_balls.md: a noisy count and noisy sums of every part, empty or not."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import Adjacency
from dpviz.mechanisms.peeled_balls.schedule import Spending
from dpviz.noise import NoiseSource
from dpviz.privacy import noise_scale
from dpviz.privacy.composition import scale_of_gaussian

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def measured(
    exact: Integers, reach: Integers, spend: Spending, relation: Adjacency, noise: NoiseSource
) -> tuple[Floats, Floats, Floats, Integers]:
    """[P6] Counts and sums of offsets (parts, 1 + d), each offset at most `reach` (parts, d) in size, with noise.

    Gives noisy counts (parts,), noisy sums (parts, d), the noise's standard deviation on the sums (parts,) and the
    lengths R_j (parts,) by which the counts are weighed.
    """
    parts, width = exact.shape
    lengths = np.array([max(1, rounded_up_root(sum(int(x) ** 2 for x in row))) for row in reach], np.int64)
    noisy = np.empty((parts, width))
    scales = np.empty(parts)
    add_remove = relation is Adjacency.ADD_REMOVE_ONE
    for part in range(parts):
        vector = exact[part].copy()
        vector[:1] *= lengths[part]  # an array, which wraps round in silence
        if spend.refine_rho is not None:
            scale = scale_of_gaussian((math.sqrt(2.0) if add_remove else 2.0) * float(lengths[part]), spend.refine_rho)
            noisy[part] = noise.add_gaussian(vector, scale)
            scales[part] = scale
        else:
            once = float(lengths[part] + reach[part].sum())
            scale = noise_scale(once if add_remove else 2 * once, spend.refine_epsilon)
            noisy[part] = noise.add_laplace(vector, scale)
            scales[part] = scale * math.sqrt(2.0)
    return noisy[:, 0] / lengths, noisy[:, 1:], scales, lengths


def rounded_up_root(square: int) -> int:
    """⌈√square⌉ in whole numbers."""
    return math.isqrt(square - 1) + 1 if square > 0 else 0
