"""Private candidates from splitting cubes, private local search among them, private averages.

Releases: k centers with noisy counts (as centers and as a k-point coreset).
Paper: Balcan, Dick, Liang, Mou, Zhang 2017; averages as in Nguyen, Chaturvedi, Xu 2021.
Guarantee: (ε, δ), δ > 0, for add-remove and, through it, replace; one record.
Public inputs: frame, relation, k, ε, δ; n under replace. Exact inputs: the records.
Departures: fewer swaps; records stand at candidates during the search; noisy sizes everywhere.
Proof: docs/proofs/balcan.md.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import Adjacency
from dpviz.mechanisms.baselines._kernels import nearest_index, swap_costs
from dpviz.mechanisms.baselines.covering import ONE, Covering, Found, Image
from dpviz.mechanisms.interface import MethodInfo
from dpviz.mechanisms.shares import BudgetSplit
from dpviz.noise import NoiseSource
from dpviz.privacy import Budget, noise_scale

MOST_DEPTHS = 8  # privacy-bearing in number: divides the tree's budget
MOST_CANDIDATES = 1024  # utility only
COARSE = 2**10  # steps of the unit ball's radius in the search
LARGEST_COST = 2**61  # privacy-bearing: costs of the search fit 64 bits
SURE = 3.0  # utility only: the threshold over the noise of the largest of a cube's children
MOST_SWAPS = 64  # utility only
FINENESS = 16.0  # utility only: units of the score per noise of a selection, where it is small
SWAP_WORTH = 50.0  # utility only: records times ε_S per swap


class Balcan(Covering):
    """Candidates, then private local search."""

    info = MethodInfo(
        name="balcan",
        title="Cubes and swaps",
        summary="Cuts space into ever smaller private cubes and swaps their middles, privately, until they serve well.",
        paper="Balcan, Dick, Liang, Mou, Zhang 2017",
        adjacencies=frozenset(Adjacency),
        needs_delta=True,
        dims=(2, 1000),
        proof="balcan",
        vetted=True,
    )

    split = BudgetSplit(  # privacy-bearing
        shares={"tree": 0.22, "search": 0.38, "averages": 0.20, "last step": 0.20},
        deltas={"averages": 0.5, "last step": 0.5},
        doubled=True,
    )

    def search(self, image: Image, k: int, parts: Mapping[str, Budget], noisy_total: int, noise: NoiseSource) -> Found:
        """Candidates, then swaps."""
        middles = active_middles(image, noisy_total, parts["tree"].epsilon, noise)  # [P3]
        candidates = coarse_candidates(image, middles, k, noise)  # [P4]
        proxies, swaps = local_search(image, candidates, k, parts["search"].epsilon, noisy_total, noise)
        return Found(places=proxies, constants={"candidates": len(candidates), "swaps": swaps})


def active_middles(image: Image, noisy_total: int, epsilon: float, noise: NoiseSource) -> NDArray[np.float64]:
    """[P3] The middles of the active cubes, coarsest first, (m, dims)."""
    dims = image.dims
    depths = max(2, min(MOST_DEPTHS, 2 + round(math.log2(noisy_total + 1) / max(2, dims))))
    scale = noise_scale(depths, epsilon)
    threshold = SURE * scale * (dims + 1) * math.log(2)
    half = 2 * image.reach  # the root is twice as wide as the image, so every shift of it holds the image
    shift = np.array([float(value) for value in noise.integers(2 * ONE + 1, dims) - ONE]) / ONE * image.reach
    lows = (shift - half)[None, :]
    rows = [np.arange(len(image.exact_image))]
    found = [np.empty((0, dims))]
    corners = np.indices((2,) * dims).reshape(dims, -1).T
    for _ in range(depths):
        exact, children = exact_child_counts(image, lows, half, rows)
        noisy = noise.add_laplace(exact, scale, sensitivity=1.0)
        active = np.argwhere(noisy >= threshold)
        half = half / 2
        lows = np.array([lows[cube] + 2 * half * corners[child] for cube, child in active]).reshape(-1, dims)
        rows = [rows[cube][children[cube] == child] for cube, child in active]
        found.append(lows + half)
        if not len(lows):
            break
    return np.vstack(found)


def exact_child_counts(
    image: Image, lows: NDArray[np.float64], half: NDArray[np.float64], rows: list[NDArray[np.int64]]
) -> tuple[NDArray[np.int64], list[NDArray[np.int64]]]:
    """[P3] Exact records in every child of every cube, (cubes, 2^dims), and each record's child."""
    dims = image.dims
    powers = 2 ** np.arange(dims - 1, -1, -1)
    exact = np.zeros((len(lows), 2**dims), np.int64)
    children = []
    for cube, inside in enumerate(rows):
        child = (image.exact_image[inside] >= lows[cube] + half).astype(np.int64) @ powers
        np.add.at(exact[cube], child, image.exact_multiplicity[inside])
        children.append(child)
    return exact, children


def coarse_candidates(image: Image, middles: NDArray[np.float64], k: int, noise: NoiseSource) -> NDArray[np.int64]:
    """[P4] Cube centers and random places in coarse steps inside the image's bounds, without repetitions."""
    draws = noise.integers(2 * ONE + 1, 2 * k * image.dims).reshape(-1, image.dims) - ONE
    random = draws / ONE * image.reach
    places = np.clip(np.vstack([middles[: MOST_CANDIDATES - 2 * k], random]), -image.reach, image.reach)
    if image.projected:
        places = places * np.minimum(1.0, ONE / np.maximum(np.sqrt((places**2).sum(axis=1)), 1.0))[:, None]
    coarse = np.rint(places * (COARSE / ONE)).astype(np.int64)
    _, first = np.unique(coarse, axis=0, return_index=True)
    return coarse[np.sort(first)]


def local_search(
    image: Image, candidates: NDArray[np.int64], k: int, epsilon: float, noisy_total: int, noise: NoiseSource
) -> tuple[NDArray[np.float64], int]:
    """[P5] [P6] [P7] Select a set of candidates, in units of 1/ONE; also return the number of swaps."""
    squared = ((candidates[:, None] - candidates[None]) ** 2).sum(axis=2)
    largest = max(1, int(squared.max()))
    labels = nearest_index(image.exact_image, candidates * (ONE // COARSE))  # [P5]
    exact_weights = np.zeros(len(candidates), np.int64)
    np.add.at(exact_weights, labels, image.exact_multiplicity)
    exact_weights = np.minimum(exact_weights, LARGEST_COST // (len(candidates) * largest))
    swaps = max(1, min(2 * k, MOST_SWAPS, int(noisy_total * epsilon / SWAP_WORTH)))
    each = epsilon / (swaps + 1)
    unit = max(1, largest // math.ceil(max(1.0, FINENESS * each)))
    sensitivity = float(-(-largest // unit))
    chosen = far_apart(squared, k)
    visited = [chosen]
    for _ in range(swaps):  # [P6]
        exact_costs = swap_costs(squared, exact_weights, chosen)
        swap = noise.select(-exact_costs.ravel() // unit, epsilon=each, sensitivity=sensitivity, monotone=True)
        leaving, entering = divmod(swap, len(candidates))
        chosen = chosen.copy()
        chosen[leaving] = entering
        visited.append(chosen)
    exact_ends = np.array([(exact_weights * squared[:, one].min(axis=1)).sum() for one in visited], np.int64)
    best = visited[noise.select(-exact_ends // unit, epsilon=each, sensitivity=sensitivity, monotone=True)]  # [P7]
    return (candidates[best] * (ONE // COARSE)).astype(np.float64), swaps


def far_apart(squared: NDArray[np.int64], k: int) -> NDArray[np.int64]:
    """[P6] Indices of k candidates, each the farthest from those before it; independent of the records."""
    chosen = [0]
    gap = squared[0].copy()
    while len(chosen) < k:
        chosen.append(int(gap.argmax()))
        gap = np.minimum(gap, squared[chosen[-1]])
    return np.array(chosen, np.int64)


BALCAN = Balcan()
