"""What `grid_cover` and `balcan` share: records in few dimensions, private averages, one private step of k-means.

Every record's image, whole numbers in the unit ball, depends on that record alone.

Proofs: docs/proofs/grid_cover.md and docs/proofs/balcan.md.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import Centers, Coreset
from dpviz.mechanisms.baselines._kernels import nearest_index, part_sums
from dpviz.mechanisms.exact_view import LatticeBox, weighted_local
from dpviz.mechanisms.interface import Answer, Constant, ExactData, NoAnswer, Plan, Public
from dpviz.mechanisms.shares import FixedShares
from dpviz.noise import NoiseSource
from dpviz.privacy import Budget, noise_scale, rho_within, scale_of_gaussian

ONE = 2**20  # lattice steps of the unit ball's radius
MOST_DIMS = 8  # utility only
BLOCK = 2**12  # records that are projected at once


def dims_after(dims: int, noisy_total: int) -> int:
    """About half of ln n, as in the paper's experiments."""
    return min(dims, MOST_DIMS, max(2, round(math.log(max(2, noisy_total)) / 2)))


@dataclass(frozen=True, kw_only=True, eq=False)
class Image:
    """The records on the lattice of the box and in the unit ball of `dims` dimensions, within one run."""

    box: LatticeBox
    exact_steps: NDArray[np.int64]  # (n, d), box lattice
    exact_image: NDArray[np.int64]  # (n, dims), units of 1/ONE
    exact_multiplicity: NDArray[np.int64]
    reach: NDArray[np.float64]  # (dims,): public bounds of the image, units of 1/ONE
    diameter: float  # of the box, in lattice steps
    projected: bool

    @property
    def dims(self) -> int:
        return len(self.reach)

    @classmethod
    def of(cls, data: ExactData, dims: int, noise: NoiseSource) -> Image:
        box = LatticeBox.of(Public.of(data).frame)
        local, multiplicity = weighted_local(data)
        steps = np.clip(np.rint(local / box.step_length).astype(np.int64), 0, box.limits)
        diameter = math.sqrt(float((box.limits.astype(np.float64) ** 2).sum()))
        projected = dims < len(box.limits)
        if projected:
            signs = 2 * noise.integers(2, dims * len(box.limits)).reshape(dims, -1) - 1
            factor = ONE / diameter / math.sqrt(dims)
            blocks = [steps[start : start + BLOCK] for start in range(0, len(steps), BLOCK)]
            products = [(2 * block - box.limits) @ signs.T for block in blocks]  # twice the offsets, whole numbers
            image = into_ball(np.vstack([np.empty((0, dims), np.int64), *products]).astype(np.float64) * factor)
            reach = np.full(dims, float(ONE))
        else:
            image = np.rint((2 * steps - box.limits) * (ONE / diameter)).astype(np.int64)
            reach = box.limits * (ONE / diameter)
        return cls(
            box=box,
            exact_steps=steps,
            exact_image=np.ascontiguousarray(image),
            exact_multiplicity=multiplicity.astype(np.int64),
            reach=reach,
            diameter=diameter,
            projected=projected,
        )

    def back(self, image: NDArray[np.float64] | NDArray[np.int64]) -> NDArray[np.float64]:
        """Lattice steps of points of the image, where nothing was projected."""
        return (image * (self.diameter / ONE) + self.box.limits) / 2


def into_ball(scaled: NDArray[np.floating]) -> NDArray[np.int64]:
    """Project points outside the unit ball onto it, one by one, in single operations of a fixed order."""
    squared = np.zeros(len(scaled))
    for axis in range(scaled.shape[1]):
        squared += scaled[:, axis] * scaled[:, axis]
    shrink = ONE / np.maximum(np.sqrt(squared), float(ONE))
    return np.rint(scaled * shrink[:, None]).astype(np.int64)


@dataclass(frozen=True, kw_only=True, eq=False)
class Found:
    """Result of a method's search."""

    places: NDArray[np.float64]  # one for each center, in the image
    constants: Mapping[str, Constant]
    largest_move: float = math.inf  # squared lattice steps per axis: how far an average is trusted
    coreset: Coreset | None = None  # None: the centers


class Covering(FixedShares, ABC):
    """A private search among places of the image, then private averages and one step of k-means."""

    @abstractmethod
    def search(self, image: Image, k: int, parts: Mapping[str, Budget], noisy_total: int, noise: NoiseSource) -> Found:
        """Find a place for each center, privately."""

    def run(self, data: ExactData, plan: Plan, noise: NoiseSource) -> Answer | NoAnswer:
        """Project, search, average, one step."""
        public = Public.of(data)
        parts, noisy_total = self.buy_total(data, plan, noise)  # [P1]
        image = Image.of(data, dims_after(public.frame.dims, noisy_total), noise)  # [P2]
        found = self.search(image, plan.k, parts, noisy_total, noise)
        move = {"largest_move": found.largest_move}
        averages = noisy_averages(image, found.places, parts["averages"], noise, **move)  # [P8]
        steps, weights = lloyd_step(image, averages, parts["last step"], noise, **move)  # [P9]
        centers = Centers(frame=public.frame, positions=image.box.to_local(steps), weights=weights)
        return Answer(  # [P10]
            coreset=found.coreset or Coreset(frame=public.frame, positions=centers.positions, weights=weights),
            centers=centers,
            noisy_total=float(noisy_total),
            constants={"image_dims": image.dims, **found.constants},
        )


FITTING = 2**40  # records; coordinates are at most 2^20, and are doubled
HALF = 15  # binary digits: at most 2^54 records in at most 2^24 places then have sums below 2^60 in either half


def noisy_averages(
    image: Image, proxies: NDArray[np.float64], budget: Budget, noise: NoiseSource, *, largest_move: float
) -> NDArray[np.float64]:
    """[P8] NoisyAVG of every part in the original space, in lattice steps, shrunk towards the known places."""
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
        return np.clip(shrink_moves(image.back(proxies), found, scales**2, largest_move), 0, image.box.limits)
    known = np.isfinite(scales)
    if known.any():
        middle = (found[known] / scales[known, None] ** 2).sum(axis=0) / (1 / scales[known] ** 2).sum()
        known_places = np.tile(middle, (int(known.sum()), 1))
        found[known] = shrink_moves(known_places, found[known], scales[known] ** 2, math.inf)
    return np.clip(found, 0, image.box.limits)


def exact_means(
    image: Image, labels: NDArray[np.int64], counts: NDArray[np.int64], sums: NDArray[np.int64]
) -> NDArray[np.int64]:
    """[P8] The rounded average of each part, in whole numbers; 0 for a part without records.

    Where sums of coordinates do not fit 64 bits, they are computed in two halves of the multiplicities.
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
    """[P8] Sample a point of the box uniformly."""
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
    positions = shrink_moves(centers, np.where(usable[:, None], moved, centers), variances, largest_move)
    return np.clip(positions, 0, image.box.limits), noisy_counts.astype(np.float64)


def shrink_moves(
    known: NDArray[np.float64], found: NDArray[np.float64], variances: NDArray[np.float64], largest_move: float
) -> NDArray[np.float64]:
    """[P8] [P9] Post-processing: shrink noisy moves towards known places according to the noise.

    The mean square of the true moves per axis is estimated from all parts, as the excess of the noisy moves over the
    noise, and is at most `largest_move`.
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
