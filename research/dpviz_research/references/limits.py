"""Limits that are no rivals: a noisy step from the true optimum with all of ε, and no privacy at all."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from sklearn.cluster import KMeans

from dpviz.clustering import assign
from dpviz_research.references.problem import Problem

Floats = NDArray[np.float64]


def oracle_step(problem: Problem, epsilon: float, generator: np.random.Generator) -> Floats:
    """One noisy averaging step from the exact best centers, offsets bounded by the longer side of the box."""
    return averaging_step(problem, epsilon, np.full(problem.k, float(problem.extent.max())), generator)


def tight_oracle_step(problem: Problem, epsilon: float, generator: np.random.Generator) -> Floats:
    """The same step with the radius of each exact part: no private method knows these parts."""
    centers = problem.exact_best.centers
    reach = np.array([part_radius(j, centers, problem.extent) for j in range(problem.k)])
    return averaging_step(problem, epsilon, reach, generator)


def averaging_step(problem: Problem, epsilon: float, reach: Floats, generator: np.random.Generator) -> Floats:
    """Noisy sum and count of every part of the exact best centers, in one query per record.

    The noise has density ∝ exp(−ε·norm) for the cylinder |count| ≤ 1, ‖sum‖₂ ≤ reach (a K-norm mechanism).
    """
    centers = problem.exact_best.centers
    labels = assign(problem.exact_positions, centers)
    moved = centers.copy()
    for j in range(problem.k):
        length = generator.gamma(4.0, 1.0 / epsilon)
        angle, share = generator.uniform(0.0, 2.0 * np.pi), np.sqrt(generator.random())
        noise = length * reach[j] * share * np.array([np.cos(angle), np.sin(angle)])
        inside = labels == j
        mass = problem.exact_weights[inside]
        total = mass @ (problem.exact_positions[inside] - centers[j]) + noise
        count = float(mass.sum()) + length * generator.uniform(-1.0, 1.0)
        moved[j] = np.clip(centers[j] + total / max(count, 1.0), 0.0, problem.extent)
    return moved


def part_radius(j: int, centers: Floats, extent: Floats) -> float:
    """Distance from a center to the farthest corner of its Voronoi part inside the box."""
    width, height = float(extent[0]), float(extent[1])
    corners = [np.array(p) for p in ((0.0, 0.0), (width, 0.0), (width, height), (0.0, height))]
    for other in range(len(centers)):
        normal = centers[other] - centers[j]
        if other == j or not normal.any():
            continue
        middle = (centers[other] + centers[j]) / 2
        corners = cut(corners, normal, float(normal @ middle))
    return float(max((np.linalg.norm(corner - centers[j]) for corner in corners), default=0.0))


def cut(corners: list[Floats], normal: Floats, bound: float) -> list[Floats]:
    """The part of a convex polygon where normal · x ≤ bound."""
    kept: list[Floats] = []
    for here, there in zip(corners, corners[1:] + corners[:1], strict=True):
        a, b = float(normal @ here) - bound, float(normal @ there) - bound
        if a <= 0:
            kept.append(here)
        if a * b < 0:
            kept.append(here + (there - here) * (a / (a - b)))
    return kept


def scikit_learn(problem: Problem, epsilon: float, generator: np.random.Generator) -> Floats:
    """KMeans with its default settings on the exact cells: what no protection gives. ε is not used."""
    model = KMeans(problem.k, random_state=int(generator.integers(2**31)))
    model.fit(problem.exact_positions, sample_weight=problem.exact_weights)
    return np.asarray(model.cluster_centers_, dtype=np.float64)
