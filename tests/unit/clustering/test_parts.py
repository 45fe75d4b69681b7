"""Distances, merging, matching and packing."""

from itertools import permutations

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from dpviz.clustering import (
    assign,
    cost,
    distances,
    match_centers,
    merge_points,
    merge_with_variances,
    sphere_packing_start,
)
from dpviz.clustering.distances import average_distance


def test_assignment_takes_the_nearest_and_the_lowest_index_on_ties() -> None:
    points = np.array([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]])
    assert assign(points, np.array([[2.0, 0.0], [0.0, 0.0]])).tolist() == [1, 0, 0]
    assert assign(np.empty((0, 2)), np.zeros((1, 2))).tolist() == []


def test_cost_sums_signed_weight_times_distance() -> None:
    points, weights = np.array([[0.0], [3.0], [10.0]]), np.array([1.0, 2.0, -1.0])
    centers = np.array([[0.0], [8.0]])
    assert cost(points, weights, centers) == 2.0 * 9.0 - 4.0
    assert cost(points, weights, centers, power=1) == 2.0 * 3.0 - 2.0
    assert average_distance(points, np.array([1.0, 2.0, 1.0]), centers) == pytest.approx(2.0)
    assert average_distance(points, -weights * 0.0, centers) == 0.0


def test_costs_refuse_what_does_not_fit() -> None:
    with pytest.raises(ValueError, match="k-means"):
        cost(np.ones((2, 2)), np.ones(2), np.ones((1, 2)), power=3)
    with pytest.raises(ValueError, match="as many coordinates"):
        assign(np.ones((2, 2)), np.ones((1, 3)))
    with pytest.raises(ValueError, match="at least one center"):
        assign(np.ones((2, 2)), np.empty((0, 2)))


@pytest.mark.parametrize("axes", [1, 2, 4, 40])
@pytest.mark.parametrize("limit", [1, 7, 300])
def test_merging_keeps_weight_and_moment_and_the_limit(axes: int, limit: int) -> None:
    rng = np.random.default_rng(axes)
    points, weights = rng.normal(size=(2000, axes)) * rng.uniform(0.1, 3.0, axes), rng.exponential(size=2000)
    merged, mass = merge_points(points, weights, limit=limit)
    assert len(merged) <= limit
    assert mass.sum() == pytest.approx(weights.sum(), rel=1e-12)
    np.testing.assert_allclose(mass @ merged, weights @ points, atol=1e-9)


@pytest.mark.parametrize(("axes", "limit"), [(2, 400), (4, 400), (40, 400)])
def test_merging_uses_most_of_what_it_may(axes: int, limit: int) -> None:
    points = np.random.default_rng(0).random((5000, axes))
    assert len(merge_points(points, np.ones(5000), limit=limit)[0]) > limit / 2


def test_merging_stays_in_the_box_and_near_the_points() -> None:
    rng = np.random.default_rng(1)
    points, weights = rng.random((4000, 2)), rng.normal(0.1, 1.0, 4000)
    merged, mass = merge_points(points, weights, limit=500)
    assert mass.sum() == pytest.approx(weights.sum(), rel=1e-9)
    assert (merged >= points.min(axis=0)).all()
    assert (merged <= points.max(axis=0)).all()
    nearest = np.sqrt(((points[:, None] - merged) ** 2).sum(axis=2)).min(axis=1)
    assert nearest.max() < 2 * np.sqrt(2) / 20


def test_weights_that_cancel_leave_a_finite_point_of_weight_nought() -> None:
    points = np.array([[0.0, 0.0], [1e-9, 0.0], [1.0, 1.0]])
    merged, mass = merge_points(points, np.array([1.0, -1.0, 2.0]), limit=2)
    assert np.isfinite(merged).all()
    assert sorted(mass.tolist()) == [0.0, 2.0]


def test_merging_adds_variances_and_leaves_short_lists_alone() -> None:
    rng = np.random.default_rng(2)
    points, weights, variances = rng.random((100, 2)), rng.random(100), rng.random(100)
    _, _, spread = merge_with_variances(points, weights, variances, limit=10)
    assert spread.sum() == pytest.approx(variances.sum())
    same, mass, kept = merge_with_variances(points, weights, variances, limit=100)
    assert np.array_equal(same, points)
    assert np.array_equal(mass, weights)
    assert np.array_equal(kept, variances)
    assert same is not points


def test_one_place_merges_to_one_point() -> None:
    merged, mass = merge_points(np.full((50, 3), 2.5), np.ones(50), limit=4)
    assert merged.tolist() == [[2.5, 2.5, 2.5]]
    assert mass.tolist() == [50.0]


@pytest.mark.parametrize("size", [1e-300, 1e-160, 1e160, 1e300])
def test_merging_ends_on_boxes_of_any_size(size: float) -> None:
    points = np.random.default_rng(1).random((3000, 2)) * size
    assert 800 < len(merge_points(points, np.ones(3000), limit=1600)[0]) <= 1600


def test_matching_is_the_cheapest_of_all_pairings() -> None:
    rng = np.random.default_rng(3)
    for _ in range(20):
        first, second = rng.random((4, 2)), rng.random((5, 2))
        squared = ((first[:, None] - second) ** 2).sum(axis=2)
        best = min(sum(squared[i, j] for i, j in enumerate(order)) for order in permutations(range(5), 4))
        pairs = match_centers(first, second)
        assert sum(squared[i, j] for i, j in pairs) == pytest.approx(best)
        assert [i for i, _ in pairs] == [0, 1, 2, 3]
        assert [(j, i) for i, j in sorted(pairs, key=lambda pair: pair[1])] == match_centers(second, first)


def test_matching_costs_as_little_as_scipys_assignment() -> None:
    rng = np.random.default_rng(8)
    for _ in range(300):
        rows, columns = rng.integers(1, 15, 2)
        first, second = rng.integers(0, 4, (rows, 2)), rng.integers(0, 4, (columns, 2))  # many equal distances
        squared = ((first[:, None] - second) ** 2).sum(axis=2)
        pairs = match_centers(first, second)
        assert len({i for i, _ in pairs}) == len({j for _, j in pairs}) == len(pairs) == min(rows, columns)
        assert sum(squared[i, j] for i, j in pairs) == squared[linear_sum_assignment(squared)].sum()


def test_matching_refuses_different_numbers_of_axes() -> None:
    with pytest.raises(ValueError, match="make them equal"):
        match_centers(np.ones((2, 2)), np.ones((2, 3)))


@pytest.mark.parametrize("k", [1, 2, 5, 20])
def test_packed_centers_keep_their_distance_from_border_and_each_other(k: int) -> None:
    low, high = np.array([-1.0, 2.0]), np.array([3.0, 5.0])
    for seed in range(5):
        centers = sphere_packing_start(k, low, high, seed=seed)
        border = min((centers - low).min(), (high - centers).min())
        gaps = [float(np.hypot(*(a - b))) for i, a in enumerate(centers) for b in centers[:i]]
        radius = min([border, *(gap / 2 for gap in gaps)])
        # Random packing fills well over a quarter of the box with k disks.
        assert k * np.pi * radius**2 > 0.25 * 12.0 * (1.0 if k > 1 else 0.5)
        assert np.array_equal(centers, sphere_packing_start(k, low, high, seed=seed))


def test_packing_beats_centers_drawn_without_care() -> None:
    def closest(centers: np.ndarray) -> float:
        return min(float(np.hypot(*(a - b))) for i, a in enumerate(centers) for b in centers[:i])

    packed = [closest(sphere_packing_start(8, [0.0, 0.0], [1.0, 1.0], seed=seed)) for seed in range(20)]
    careless = [closest(np.random.default_rng(seed).random((8, 2))) for seed in range(20)]
    assert np.mean(packed) > 2.0 * np.mean(careless)


def test_packing_survives_flat_boxes_and_many_axes() -> None:
    flat = sphere_packing_start(3, [0.0, 5.0], [1.0, 5.0], seed=0)
    assert (flat[:, 1] == 5.0).all()
    assert len(np.unique(flat[:, 0])) == 3
    assert (sphere_packing_start(4, [1.0, 2.0], [1.0, 2.0], seed=0) == [1.0, 2.0]).all()
    assert sphere_packing_start(5, np.zeros(50), np.ones(50), seed=0).shape == (5, 50)


def test_packing_looks_at_no_data() -> None:
    assert set(sphere_packing_start.__annotations__) == {"k", "low", "high", "seed", "return"}


def test_packing_refuses_a_box_inside_out() -> None:
    with pytest.raises(ValueError, match="low ≤ high"):
        sphere_packing_start(2, [1.0], [0.0], seed=0)


@pytest.mark.parametrize("dims", [1, 2, 3, 5])
def test_the_kernel_counts_occupied_cells_as_its_twin_numbers_them(dims: int) -> None:
    generator = np.random.default_rng(dims)
    rows = generator.random((300, dims)) ** 2
    low, extent = rows.min(axis=0), np.ptp(rows, axis=0)
    for sides in ([1] * dims, [3] * dims, list(range(2, 2 + dims))):
        for limit in (1, 10, 60, 300):
            wanted = np.array(sides)
            numbered = distances._numbered(rows, low, extent, wanted, limit)
            assert distances._at_most(rows, low, extent, wanted, limit) == (numbered is not None)
