"""[P8] [P9] Private averages of the parts that proxy centers define, and one private step of k-means.

Proof: docs/proofs/grid_cover.md.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dpviz.mechanisms.baselines._cover_kernels import nearest_index, part_sums
from dpviz.mechanisms.baselines.covering.projection import Image
from dpviz.noise import NoiseSource
from dpviz.privacy import Budget, noise_scale, rho_within, scale_of_gaussian

FITTING = 2**40  # records; coordinates are at most 2^20, and are doubled
HALF = 15  # binary digits: at most 2^54 records in at most 2^24 places then have sums below 2^60 in either half


def noisy_averages(
    image: Image, proxies: NDArray[np.float64], budget: Budget, noise: NoiseSource, *, largest_move: float
) -> NDArray[np.float64]:
    """[P8] NoisyAVG of every part in the original space, in lattice steps, moved towards what is known already."""
    k, dims = len(proxies), image.exact_steps.shape[1]
    labels = nearest_index(image.exact_image, np.rint(proxies).astype(np.int64))
    counts, sums = part_sums(image.exact_steps, image.exact_multiplicity, labels, k)
    count_epsilon = budget.epsilon / 5
    shift = math.ceil(math.log(2 / budget.delta) / count_epsilon)
    noisy_counts = noise.add_laplace(counts, noise_scale(1.0, count_epsilon), sensitivity=1.0) - shift
    rho = rho_within(Budget(epsilon=4 * budget.epsilon / 5, delta=budget.delta / 2))
    means = exact_means(image, labels, counts, sums)
    found, scales = np.empty((k, dims)), np.full(k, np.inf)
    for part in range(k):
        if noisy_counts[part] <= 0:
            found[part] = uniform_place(image, noise) if image.projected else image.back(proxies[part])
            continue
        scales[part] = scale_of_gaussian(image.diameter / float(noisy_counts[part]) + math.sqrt(dims), rho)
        found[part] = noise.add_gaussian(means[part], float(scales[part]))
    if not image.projected:
        return np.clip(shrunk(image.back(proxies), found, scales**2, largest_move), 0, image.box.limits)
    known = np.isfinite(scales)
    if known.any():
        middle = (found[known] / scales[known, None] ** 2).sum(axis=0) / (1 / scales[known] ** 2).sum()
        known_places = np.tile(middle, (int(known.sum()), 1))
        found[known] = shrunk(known_places, found[known], scales[known] ** 2, math.inf)
    return np.clip(found, 0, image.box.limits)


def exact_means(
    image: Image, labels: NDArray[np.int64], counts: NDArray[np.int64], sums: NDArray[np.int64]
) -> NDArray[np.int64]:
    """[P8] The average of each part, rounded, in whole numbers; 0 for a part without records.

    Records so many that sums of their coordinates do not fit 64 bits are summed in two halves of their multiplicities.
    """
    if int(counts.sum()) < FITTING:
        rounded: NDArray[np.int64] = (2 * sums + counts[:, None]) // (2 * np.maximum(counts, 1)[:, None])
        return rounded
    high, low = image.exact_multiplicity >> HALF, image.exact_multiplicity & ((1 << HALF) - 1)
    parts = len(counts)
    upper, lower = (part_sums(image.exact_steps, times, labels, parts)[1] for times in (high, low))
    means = np.empty_like(sums)
    for part, count in enumerate(counts.tolist()):
        for axis in range(sums.shape[1]):
            total = (int(upper[part, axis]) << HALF) + int(lower[part, axis])
            means[part, axis] = (2 * total + count) // (2 * max(count, 1))
    return means


def uniform_place(image: Image, noise: NoiseSource) -> NDArray[np.float64]:
    """[P8] A random point of the box."""
    return np.array([float(noise.integers(int(limit) + 1, 1)[0]) for limit in image.box.limits])


def lloyd_step(
    image: Image, centers: NDArray[np.float64], budget: Budget, noise: NoiseSource, *, largest_move: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """[P9] One step of k-means with joint Gaussian noise on counts and sums, empty parts included; and the counts."""
    k = len(centers)
    labels = nearest_index(image.exact_steps, np.rint(centers).astype(np.int64))
    counts, sums = part_sums(image.exact_steps, image.exact_multiplicity, labels, k)
    sums = 2 * sums - counts[:, None] * image.box.limits  # of twice the offsets from the middle of the box
    scale = scale_of_gaussian(math.sqrt(2.0), rho_within(budget))
    noisy_counts = noise.add_gaussian(counts, scale, sensitivity=1.0)
    noisy_sums = noise.add_gaussian(sums, scale * math.ceil(image.diameter), sensitivity=math.ceil(image.diameter))
    usable = noisy_counts >= 1
    divisor = 2.0 * np.maximum(noisy_counts, 1)
    moved = noisy_sums / divisor[:, None] + image.box.limits / 2
    variances = np.where(usable, (scale * math.ceil(image.diameter) / divisor) ** 2, np.inf)
    positions = shrunk(centers, np.where(usable[:, None], moved, centers), variances, largest_move)
    return np.clip(positions, 0, image.box.limits), noisy_counts.astype(np.float64)


def shrunk(
    known: NDArray[np.float64], found: NDArray[np.float64], variances: NDArray[np.float64], largest_move: float
) -> NDArray[np.float64]:
    """[P8] [P9] Post-processing: go from a known place to a noisy one only as far as the noise allows.

    The mean square of the true moves per axis is estimated from all parts, as what the noisy moves are larger than
    noise explains, and is at most `largest_move`.
    """
    useful = np.isfinite(variances)
    if not useful.any():
        return known
    moves = ((found[useful] - known[useful]) ** 2).mean(axis=1)
    trust = 1 / variances[useful] ** 2
    explained = float((trust * (moves - variances[useful])).sum() / trust.sum())
    true_size = max(0.0, min(largest_move, explained))
    share = np.zeros(len(known))
    share[useful] = true_size / (true_size + variances[useful])
    return known + share[:, None] * (found - known)
