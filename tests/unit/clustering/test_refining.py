"""Shakes and moves of single points: each kernel against its definition, and what they find."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from dpviz.clustering import _kernels, center_gaps, cost, guided_search, improve_kmeans, lloyd, solve_kmeans
from dpviz.clustering.solving import near_borders

Floats = NDArray[np.float64]
LOW, HIGH = np.zeros(2), np.ones(2)


def cloud(seed: int, size: int = 200, k: int = 5) -> tuple[Floats, Floats, Floats]:
    generator = np.random.default_rng(seed)
    points = generator.random((size, 2))
    return points, generator.exponential(size=size) ** 3, generator.random((k, 2))


def parts_cost(points: Floats, weights: Floats, labels: NDArray[np.int64], k: int) -> float:
    total = 0.0
    for j in range(k):
        inside = labels == j
        if weights[inside].sum() > 0.0:
            mean = weights[inside] @ points[inside] / weights[inside].sum()
            total += float(weights[inside] @ ((points[inside] - mean) ** 2).sum(axis=1))
    return total


def labels_of(points: Floats, centers: Floats) -> NDArray[np.int64]:
    found: NDArray[np.int64] = ((points[:, None] - centers[None]) ** 2).sum(axis=2).argmin(axis=1)
    return found


@pytest.mark.parametrize("seed", range(8))
def test_gaps_are_the_difference_of_the_two_smallest_distances(seed: int) -> None:
    points, _, centers = cloud(seed)
    labels, gaps = center_gaps(points, centers)
    table = np.sort(np.sqrt(((points[:, None] - centers[None]) ** 2).sum(axis=2)), axis=1)
    np.testing.assert_allclose(gaps, table[:, 1] - table[:, 0], atol=1e-12)
    assert np.array_equal(labels, labels_of(points, centers))


def test_one_center_has_no_border() -> None:
    assert np.isinf(center_gaps(np.eye(2), np.zeros((1, 2)))[1]).all()


@pytest.mark.parametrize("seed", range(8))
def test_transfers_lower_the_cost_of_lloyds_optimum_or_leave_it(seed: int) -> None:
    points, weights, start = cloud(seed)
    centers, before = lloyd(points, weights, start, 500)
    placed = np.ascontiguousarray(points.T)
    moved = _kernels.transfer(placed, weights, centers, *guided_search.nearest_two(placed, centers))
    after = cost(points, weights, centers)
    assert (after < before * (1 - 1e-13)) if moved else (after == pytest.approx(before, rel=1e-12))


@pytest.mark.parametrize("seed", range(8))
def test_after_settling_no_single_point_wants_to_move(seed: int) -> None:
    points, weights, centers = cloud(seed, size=80, k=4)
    value = guided_search.settle(np.ascontiguousarray(points.T), weights, centers, 200, 0.0, 2, LOW, HIGH)
    labels = labels_of(points, centers)
    assert value == pytest.approx(parts_cost(points, weights, labels, 4), rel=1e-9)
    for point in range(len(points)):
        for other in range(4):
            moved = labels.copy()
            moved[point] = other
            assert parts_cost(points, weights, moved, 4) >= value * (1 - 1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_shakes_never_make_it_worse_and_repeat_for_the_same_seed(seed: int) -> None:
    points, weights, start = cloud(seed)
    once = improve_kmeans(points, weights, start, low=LOW, high=HIGH)
    again = improve_kmeans(points, weights, start, low=LOW, high=HIGH)
    assert np.array_equal(once, again)
    settled = improve_kmeans(points, weights, start, shakes=0, low=LOW, high=HIGH)
    assert cost(points, weights, once) <= cost(points, weights, settled) * (1 + 1e-12)
    assert cost(points, weights, settled) <= lloyd(points, weights, start, 500)[1] * (1 + 1e-12)


def test_points_near_borders_stand_for_all_while_centers_move_little() -> None:
    points, weights, _ = cloud(1, size=5000)
    centers, _ = lloyd(points, weights, cloud(1)[2], 300)
    few, mass, width = near_borders(np.ascontiguousarray(points.T), weights, centers, 800)
    assert few.shape[1] < 900
    assert mass.sum() == pytest.approx(weights.sum())
    generator = np.random.default_rng(0)
    apart = []
    for _ in range(20):
        turned = generator.normal(size=centers.shape)
        moved = centers + turned / np.linalg.norm(turned, axis=1, keepdims=True) * 0.49 * width
        apart.append(cost(points, weights, moved) - cost(few.T, mass, moved))
    np.testing.assert_allclose(apart, apart[0], rtol=1e-9)


def test_negative_weights_and_equal_points_do_no_harm() -> None:
    points, weights, start = cloud(2)
    for mass in (weights - 1.0, -weights, np.zeros_like(weights)):
        found = improve_kmeans(points, mass, start, low=LOW, high=HIGH)
        assert np.isfinite(found).all() and (found >= 0).all() and (found <= 1).all()
    same = np.full((50, 2), 0.3)
    assert np.isfinite(improve_kmeans(same, np.ones(50), start, low=LOW, high=HIGH)).all()
    assert len(improve_kmeans(points[:0], weights[:0], start, low=LOW, high=HIGH)) == 5


def test_shakes_find_what_the_search_without_them_leaves() -> None:
    generator = np.random.default_rng(5)
    middles = generator.random((30, 2))
    points = middles[generator.integers(0, 30, 6000)] + generator.normal(0, 0.04, (6000, 2))
    weights = generator.exponential(size=6000) ** 2
    without, with_shakes = [], []
    for seed in range(6):
        without.append(solve_kmeans(points, weights, 12, seed=seed, shakes=0).cost)
        with_shakes.append(solve_kmeans(points, weights, 12, seed=seed).cost)
    assert all(shaken <= plain * (1 + 1e-12) for shaken, plain in zip(with_shakes, without, strict=True))
    assert np.mean(with_shakes) < np.mean(without) * (1 - 1e-6)
