"""The search finds what many restarts find, takes signed weights, and never fails on odd input."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.cluster import KMeans
from threadpoolctl import threadpool_limits

from dpviz.clustering import KMeansResult, assign, cost, guided_search, lloyd, solve_kmeans, solve_kmedian, solving
from dpviz.clustering.gridded import warm_up
from dpviz.clustering.solving import SEARCH_POINTS, kmeans_plusplus

Floats = NDArray[np.float64]
SOLVERS = pytest.mark.parametrize(("solve", "power"), [(solve_kmeans, 2), (solve_kmedian, 1)])


def _scikit_learn(points: NDArray[np.float64], weights: NDArray[np.float64], k: int, starts: int) -> float:
    """Best cost of many restarts, on one thread: its threads wait for each other on a busy machine."""
    with threadpool_limits(1):
        return float(KMeans(k, n_init=starts, random_state=0, tol=1e-9).fit(points, sample_weight=weights).inertia_)


def _mixture(size: int, parts: int, axes: int, seed: int, spread: float = 0.05) -> tuple[Floats, Floats]:
    rng = np.random.default_rng(seed)
    places = rng.random((parts, axes))
    points = places[rng.integers(0, parts, size)] + rng.normal(size=(size, axes)) * spread
    return points, rng.exponential(size=size)


def _consistent(result: KMeansResult, points: Floats, weights: Floats, power: int) -> None:
    assert result.cost == pytest.approx(cost(points, weights, result.centers, power), rel=1e-12, abs=1e-12)
    held = np.bincount(assign(points, result.centers), weights=weights, minlength=len(result.centers))
    np.testing.assert_allclose(result.weights, held, rtol=1e-12, atol=1e-12)
    if len(np.unique(result.centers, axis=0)) == len(result.centers):
        assert (np.diff(result.weights) <= 0.0).all()


@pytest.mark.parametrize(("size", "parts", "k", "axes"), [(200, 7, 5, 2), (400, 13, 8, 2), (300, 8, 6, 4)])
def test_no_worse_than_a_hundred_scikit_learn_starts(size: int, parts: int, k: int, axes: int) -> None:
    points, weights = _mixture(size, parts, axes, seed=k)
    reference = _scikit_learn(points, weights, k, 100)
    result = solve_kmeans(points, weights, k, seed=0)
    assert result.cost <= reference * (1 + 1e-6)
    _consistent(result, points, weights, 2)


def test_many_points_are_searched_on_merged_ones_and_polished_on_all() -> None:
    points, weights = _mixture(4 * SEARCH_POINTS, 9, 2, 3)
    reference = _scikit_learn(points, weights, 6, 8)
    result = solve_kmeans(points, weights, 6, seed=1)
    assert result.cost <= reference * (1 + 1e-6)
    _consistent(result, points, weights, 2)


def test_one_center_is_the_mean() -> None:
    points, weights = _mixture(500, 5, 3, 0)
    result = solve_kmeans(points, weights, 1, seed=0)
    np.testing.assert_allclose(result.centers[0], np.average(points, axis=0, weights=weights), rtol=1e-12)


def test_one_median_beats_every_small_step_away_from_it() -> None:
    points, weights = _mixture(400, 4, 2, 1, spread=0.2)
    result = solve_kmedian(points, weights, 1, seed=0)
    for angle in np.linspace(0.0, 2 * np.pi, 24):
        for length in (1e-3, 1e-2, 0.1):
            moved = result.centers + length * np.array([np.cos(angle), np.sin(angle)])
            assert cost(points, weights, moved, 1) > result.cost


def test_a_median_on_line_is_the_weighted_median() -> None:
    points = np.array([[0.0], [1.0], [2.0], [10.0], [11.0]])
    weights = np.array([1.0, 1.0, 5.0, 1.0, 1.0])
    result = solve_kmedian(points, weights, 1, seed=0)
    assert result.centers[0, 0] == pytest.approx(2.0, abs=1e-6)


def test_medians_are_no_worse_than_the_best_of_many_plain_descents() -> None:
    points, weights = _mixture(250, 8, 2, 5)
    result = solve_kmedian(points, weights, 5, seed=0)
    rng = np.random.default_rng(0)
    best = np.inf
    for _ in range(25):
        centers = points[rng.choice(len(points), 5, replace=False, p=weights / weights.sum())]
        for _ in range(80):
            squared = ((points[:, None] - centers) ** 2).sum(axis=2)
            labels, pull = squared.argmin(axis=1), weights / np.sqrt(np.maximum(squared.min(axis=1), 1e-18))
            centers = np.array(
                [
                    np.average(points[labels == j], axis=0, weights=pull[labels == j]) if (labels == j).any() else c
                    for j, c in enumerate(centers)
                ]
            )
        best = min(best, cost(points, weights, centers, 1))
    assert result.cost <= best * (1 + 1e-5)
    _consistent(result, points, weights, 1)


@SOLVERS
def test_the_same_seed_gives_the_same_bits(solve: Any, power: int) -> None:
    points, weights = _mixture(600, 8, 2, 2)
    weights = weights - 0.3
    first, second = (solve(points, weights, 5, seed=11) for _ in range(2))
    assert np.array_equal(first.centers, second.centers)
    assert first.cost == second.cost


@SOLVERS
@pytest.mark.parametrize("seed", [0, -1, 2**64 + 5, 2**200])
def test_any_whole_number_is_a_seed(solve: Any, power: int, seed: int) -> None:
    points, weights = _mixture(50, 4, 2, 2)
    assert np.isfinite(solve(points, weights, 3, seed=seed).cost)


@SOLVERS
def test_signed_weights_keep_centers_finite_and_inside_the_bounds(solve: Any, power: int) -> None:
    for seed in range(10):
        rng = np.random.default_rng(seed)
        points, weights = rng.random((300, 2)), rng.normal(0.05, 1.0, 300)
        low, high = np.full(2, 0.2), np.full(2, 0.8)
        result = solve(points, weights, 7, seed=seed, low=low, high=high)
        assert (result.centers >= low).all()
        assert (result.centers <= high).all()
        _consistent(result, points, weights, power)
        free = solve(points, weights, 7, seed=seed)
        assert (free.centers >= points.min(axis=0)).all()
        assert (free.centers <= points.max(axis=0)).all()


def test_signed_noise_around_clear_clusters_does_not_hide_them() -> None:
    rng = np.random.default_rng(0)
    places = np.array([[0.2, 0.2], [0.8, 0.3], [0.5, 0.8]])
    ground = np.stack(np.meshgrid(*[(np.arange(32) + 0.5) / 32] * 2), axis=-1).reshape(-1, 2)
    weights = rng.laplace(scale=3.0, size=len(ground))
    for place in places:
        weights += 1000.0 * np.exp(-((ground - place) ** 2).sum(axis=1) / (2 * 0.03**2))
    result = solve_kmeans(ground, weights, 3, seed=0)
    gaps = np.sqrt(((result.centers[:, None] - places) ** 2).sum(axis=2)).min(axis=0)
    # The noise moves a center of mass 5,790 by about 0.0035 (341 cells of deviation 4.2 at a distance of 0.25).
    assert gaps.max() < 0.02


@SOLVERS
@pytest.mark.parametrize("size", [1, 2, 5])
def test_more_centers_than_places_are_padded(solve: Any, power: int, size: int) -> None:
    points = np.repeat(np.arange(size, dtype=np.float64)[:, None], 2, axis=1)
    points = np.concatenate([points, points])
    result = solve(points, np.ones(2 * size), 8, seed=0)
    assert result.centers.shape == (8, 2)
    assert result.cost == pytest.approx(0.0, abs=1e-12)
    assert result.weights.sum() == 2 * size


@SOLVERS
@pytest.mark.parametrize("weights", [np.zeros(4), -np.ones(4)], ids=["zero", "negative"])
def test_without_positive_weight_centers_are_spread_over_the_bounds_or_zero(
    solve: Any, power: int, weights: Floats
) -> None:
    points = np.random.default_rng(0).random((4, 2))
    spread = solve(points, weights, 3, seed=5, low=[0.0, 0.0], high=[2.0, 1.0])
    assert len(np.unique(spread.centers, axis=0)) == 3
    assert (spread.centers >= 0.0).all()
    assert (spread.centers <= [2.0, 1.0]).all()
    assert (solve(points, weights, 3, seed=5).centers == 0.0).all()


@SOLVERS
def test_no_points_at_all_give_centers_all_the_same(solve: Any, power: int) -> None:
    nothing = np.empty((0, 2))
    result = solve(nothing, np.empty(0), 3, seed=5, low=[0.0, 0.0], high=[2.0, 1.0])
    assert result.cost == 0.0
    assert (result.weights == 0.0).all()
    assert len(np.unique(result.centers, axis=0)) == 3
    assert (solve(nothing, np.empty(0), 3, seed=5).centers == 0.0).all()


@SOLVERS
def test_points_that_nearly_cancel_do_not_fling_centers_away(solve: Any, power: int) -> None:
    points = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    weights = np.array([1.0, -1.0 + 1e-15, 1e-300, 2.0])
    result = solve(points, weights, 2, seed=0)
    assert (result.centers >= 0.0).all()
    assert (result.centers <= 1.0).all()


@SOLVERS
def test_a_far_origin_does_not_blur_the_answer(solve: Any, power: int) -> None:
    points, weights = _mixture(400, 6, 2, 4)
    near, far = solve(points, weights, 4, seed=0), solve(points + 1e7, weights, 4, seed=0)
    np.testing.assert_allclose(far.centers - 1e7, near.centers, atol=1e-7)
    assert far.cost == pytest.approx(near.cost, rel=1e-6)


@SOLVERS
def test_a_hundred_axes_work(solve: Any, power: int) -> None:
    points, weights = _mixture(400, 4, 100, 0)
    result = solve(points, weights, 4, seed=0, starts=4, swaps=3)
    labels = assign(points, result.centers)
    assert len(np.unique(labels)) == 4
    _consistent(result, points, weights, power)


def test_lloyd_follows_the_textbook() -> None:
    points, weights = _mixture(200, 5, 3, 7)
    start = points[:4].copy()
    centers = start.copy()
    for _ in range(6):
        labels = ((points[:, None] - centers) ** 2).sum(axis=2).argmin(axis=1)
        centers = np.array([np.average(points[labels == j], axis=0, weights=weights[labels == j]) for j in range(4)])
    given, value = lloyd(points, weights, start, 6)
    np.testing.assert_allclose(given, centers, rtol=1e-12)
    assert value == pytest.approx(cost(points, weights, centers), rel=1e-12)
    assert np.array_equal(start, points[:4])  # the caller's array is left alone


def test_lloyd_without_steps_or_points_gives_the_start_back() -> None:
    points, weights = _mixture(20, 2, 2, 7)
    np.testing.assert_array_equal(lloyd(points, weights, points[:3], 0)[0], points[:3])
    np.testing.assert_array_equal(lloyd(np.empty((0, 2)), np.empty(0), points[:3], 5)[0], points[:3])


def test_lloyd_stops_when_nothing_moves_farther_than_the_tolerance() -> None:
    points, weights = _mixture(500, 9, 2, 8)
    exact = lloyd(points, weights, points[:6], 500)[1]
    coarse = lloyd(points, weights, points[:6], 500, tolerance=0.5)[1]
    assert coarse >= exact


def test_seeding_starts_on_different_points_of_positive_weight() -> None:
    points, weights = _mixture(100, 5, 2, 9)
    weights[::2] *= -1.0
    centers = kmeans_plusplus(points, weights, 6, seed=1)
    assert len(np.unique(centers, axis=0)) == 6
    positive = {tuple(p) for p in points[weights > 0.0]}
    assert all(tuple(c) in positive for c in centers)


def test_first_seeds_are_drawn_in_proportion_to_weight() -> None:
    points, weights = np.array([[0.0], [1.0], [2.0]]), np.array([1.0, 2.0, 7.0])
    drawn = np.array([kmeans_plusplus(points, weights, 1, seed=seed)[0, 0] for seed in range(4000)]).astype(int)
    counts = np.bincount(drawn, minlength=3)
    expected = 400 * weights
    assert ((counts - expected) ** 2 / expected).sum() < 40.0  # two degrees of freedom: p < 1e-8


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"k": 0}, "at least 1"),
        ({"k": 1.5}, "whole number"),
        ({"points": np.full((3, 2), np.nan)}, "NaN"),
        ({"points": np.ones(3)}, "rows of coordinates"),
        ({"weights": np.ones(2)}, "one weight per point"),
        ({"weights": np.array([1.0, np.inf, 0.0])}, "infinity"),
        ({"low": [1.0, 0.0], "high": [0.0, 1.0]}, "low ≤ high"),
        ({"starts": 0}, "at least 1"),
    ],
)
def test_unusable_input_is_refused_with_what_to_do(arguments: dict[str, Any], words: str) -> None:
    usable: dict[str, Any] = {"points": np.eye(3, 2), "weights": np.ones(3), "k": 2, "seed": 0}
    with pytest.raises(ValueError, match=words):
        solve_kmeans(**(usable | arguments))


def test_warming_up_can_be_repeated() -> None:
    warm_up()
    warm_up()


def test_guided_search_seldom_misses_what_a_plain_multistart_often_misses() -> None:
    guided, plain = [], []
    for instance in range(12):
        points, weights = _mixture(400, 40, 2, instance, spread=0.02)
        weights = weights**3  # a few heavy places, many light ones, like a city
        best = min(solve_kmeans(points, weights, 15, seed=seed, starts=200).cost for seed in range(3))
        best = min(best, solve_kmeans(points, weights, 15, seed=9, starts=500, refine=0).cost)
        guided.append(solve_kmeans(points, weights, 15, seed=77).cost / best - 1.0)
        plain.append(solve_kmeans(points, weights, 15, seed=77, refine=0, shakes=0).cost / best - 1.0)
    assert np.sum(np.array(guided) > 1e-3) <= 4
    assert np.sum(np.array(plain) > 1e-3) >= 8  # what the guided moves are for
    assert np.mean(guided) < np.mean(plain) / 3.0


def test_one_center_is_the_mean_however_little_is_searched() -> None:
    """Also where some weights are negative, and where no weight is left and the search decides."""
    rng = np.random.default_rng(8)
    points = rng.normal((4000.0, -70.0), 1.0, (300, 2))
    for weights in (rng.random(300), rng.laplace(size=300) + 0.4):
        mean = weights @ points / weights.sum()
        assert np.abs(solve_kmeans(points, weights, 1, seed=3).centers[0] - mean).max() < 1e-9
    low, high = points.min(axis=0), points.max(axis=0)
    (at,) = solve_kmeans(points, -np.ones(300), 1, seed=3, low=low, high=high).centers
    assert (low <= at).all() and (at <= high).all()


def test_merged_points_in_single_precision_lead_to_the_same_centers(monkeypatch: pytest.MonkeyPatch) -> None:
    points, weights = _mixture(6000, 14, 2, seed=8)
    light = solve_kmeans(points, weights, 10, seed=1)
    monkeypatch.setattr(solving, "to_single_precision", lambda places: places)
    full = solve_kmeans(points, weights, 10, seed=1)
    np.testing.assert_allclose(light.cost, full.cost, rtol=1e-6)


def test_what_single_precision_cannot_square_stays_in_double_precision() -> None:
    near, far = np.array([[1.0, -2.0], [3.0, 4.0]]), np.array([[1e16, 0.0], [0.0, 1.0]])
    assert solving.to_single_precision(near).dtype == np.float32
    assert solving.to_single_precision(far) is far
    assert solving.to_single_precision(np.zeros((3, 5))).dtype == np.float64  # other dimensions have loops of their own


def test_a_search_that_ends_where_one_has_ended_goes_no_further(monkeypatch: pytest.MonkeyPatch) -> None:
    points, weights = _mixture(6000, 5, 2, seed=8)
    sizes, resume = [], guided_search.resume

    def spied(places: Floats, *rest: Any) -> Any:
        sizes.append(places.shape[1])
        return resume(places, *rest)

    monkeypatch.setattr(guided_search, "resume", spied)
    solve_kmeans(points, weights, 5, seed=1, repeats=3)
    assert sizes == [6000]


def test_what_several_searches_found_goes_on_cheapest_first_and_once() -> None:
    pools = [np.arange(2.0)[:, None, None], np.arange(10.0, 12.0)[:, None, None]]
    found = solving.merge_pools(pools, [np.array([1.0, 3.0]), np.array([2.0, 3.0 + 1e-9])])
    assert found.ravel().tolist() == [0.0, 10.0, 1.0]


def test_of_searches_whose_costs_are_no_numbers_one_goes_on() -> None:
    found = solving.merge_pools([np.arange(2.0)[:, None, None]], [np.array([np.inf, np.nan])])
    assert found.ravel().tolist() == [0.0]
