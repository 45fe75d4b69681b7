"""Laws of clustering that need no known answer."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from dpviz.clustering import assign, cost, lloyd, merge_points, solve_kmeans, solve_kmedian
from dpviz.clustering.gridded import GridTable

SOLVERS = pytest.mark.parametrize(("solve", "power"), [(solve_kmeans, 2), (solve_kmedian, 1)])
SEEDS = st.integers(0, 2**32 - 1)


def _cloud(seed: int, size: int, axes: int, parts: int = 5) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    points = rng.random((parts, axes))[rng.integers(0, parts, size)] + 0.05 * rng.normal(size=(size, axes))
    return points, rng.exponential(size=size)


@SOLVERS
@settings(max_examples=25)
@given(seed=SEEDS, size=st.integers(1, 80), k=st.integers(1, 6))
def test_a_weight_is_a_number_of_repetitions(solve: Any, power: int, seed: int, size: int, k: int) -> None:
    points, _ = _cloud(seed, size, 2)
    times = np.random.default_rng(seed).integers(0, 5, size)
    weighted = solve(points, times.astype(float), k, seed=seed)
    repeated = solve(np.repeat(points, times, axis=0), np.ones(times.sum()), k, seed=seed)
    assert weighted.cost == pytest.approx(repeated.cost, rel=1e-6, abs=1e-12)
    np.testing.assert_allclose(np.sort(weighted.weights), np.sort(repeated.weights), atol=1e-6)


@SOLVERS
@settings(max_examples=25)
@given(seed=SEEDS, exponent=st.integers(-20, 20), k=st.integers(1, 6), axes=st.integers(1, 4))
def test_scaling_the_points_scales_the_centers(
    solve: Any, power: int, seed: int, exponent: int, k: int, axes: int
) -> None:
    points, weights = _cloud(seed, 60, axes)
    scale = 2.0**exponent
    plain, scaled = solve(points, weights, k, seed=seed), solve(points * scale, weights, k, seed=seed)
    np.testing.assert_allclose(scaled.centers, plain.centers * scale, rtol=1e-9)
    assert scaled.cost == pytest.approx(plain.cost * scale**power, rel=1e-9, abs=1e-300)


@SOLVERS
@settings(max_examples=25)
@given(seed=SEEDS, shift=st.integers(-1000, 1000), k=st.integers(1, 6))
def test_moving_the_points_moves_the_centers(solve: Any, power: int, seed: int, shift: int, k: int) -> None:
    # On a lattice of 1/1024 all coordinates and their shifts are exact, so the two searches take the same course.
    points, weights = _cloud(seed, 60, 2)
    points = np.round(points * 1024) / 1024
    plain, moved = solve(points, weights, k, seed=seed), solve(points + shift, weights, k, seed=seed)
    np.testing.assert_allclose(moved.centers, plain.centers + shift, atol=1e-9)
    assert moved.cost == pytest.approx(plain.cost, rel=1e-6, abs=1e-9)


@SOLVERS
@settings(max_examples=25)
@given(seed=SEEDS, exponent=st.integers(-30, 30), k=st.integers(1, 6))
def test_scaling_all_weights_changes_no_center(solve: Any, power: int, seed: int, exponent: int, k: int) -> None:
    points, weights = _cloud(seed, 60, 2)
    plain, heavy = solve(points, weights, k, seed=seed), solve(points, weights * 2.0**exponent, k, seed=seed)
    np.testing.assert_array_equal(plain.centers, heavy.centers)


@settings(max_examples=50)
@given(seed=SEEDS, k=st.integers(1, 8), axes=st.integers(1, 5), steps=st.integers(0, 10))
def test_lloyd_never_raises_the_cost_signed_weights_included(seed: int, k: int, axes: int, steps: int) -> None:
    points, weights = _cloud(seed, 50, axes)
    weights = weights - 0.5 * (seed % 2)
    start = np.random.default_rng(seed).choice(points, k)
    centers, value = lloyd(points, weights, start, steps)
    assert value <= cost(points, weights, start) + 1e-9
    assert value == pytest.approx(cost(points, weights, centers), rel=1e-9, abs=1e-9)


@SOLVERS
@settings(max_examples=60)
@given(
    seed=SEEDS,
    size=st.integers(0, 30),
    k=st.integers(1, 12),
    axes=st.integers(1, 4),
    places=st.integers(1, 6),
    lift=st.floats(-2.0, 2.0),
)
def test_nothing_fails_whatever_the_signs_and_repetitions(
    solve: Any, power: int, seed: int, size: int, k: int, axes: int, places: int, lift: float
) -> None:
    rng = np.random.default_rng(seed)
    points = rng.integers(0, places, (size, axes)).astype(float)
    weights = rng.normal(lift, 1.0, size)
    result = solve(points, weights, k, seed=seed, starts=4, swaps=5)
    assert result.centers.shape == (k, axes)
    assert np.isfinite(result.centers).all()
    assert result.weights.sum() == pytest.approx(weights.sum(), abs=1e-9)
    assert (assign(points, result.centers) < k).all()


@settings(max_examples=50)
@given(
    seed=SEEDS, size=st.integers(1, 200), limit=st.integers(1, 60), axes=st.integers(1, 5), lift=st.floats(-1.0, 1.0)
)
def test_merging_keeps_the_total_and_stays_among_the_points(
    seed: int, size: int, limit: int, axes: int, lift: float
) -> None:
    rng = np.random.default_rng(seed)
    points, weights = rng.normal(size=(size, axes)), rng.normal(lift, 1.0, size)
    merged, mass = merge_points(points, weights, limit=limit)
    assert len(merged) <= limit
    assert mass.sum() == pytest.approx(weights.sum(), abs=1e-9)
    assert (merged >= points.min(axis=0) - 1e-12).all()
    assert (merged <= points.max(axis=0) + 1e-12).all()


@settings(max_examples=60)
@given(seed=SEEDS, rows=st.integers(1, 30), cols=st.integers(1, 50), k=st.integers(1, 9), stretch=st.floats(0.2, 5.0))
def test_the_grid_cost_equals_brute_force_to_the_twelfth_digit(
    seed: int, rows: int, cols: int, k: int, stretch: float
) -> None:
    rng = np.random.default_rng(seed)
    counts = rng.poisson(0.5, (rows, cols)) * rng.integers(1, 1000, (rows, cols))
    row, col = np.nonzero(counts)
    points = np.column_stack([col + 0.5, (rows - row - 0.5) * stretch])
    centers = (rng.random((k, 2)) * 1.2 - 0.1) * np.array([cols, rows * stretch])
    brute = cost(points, counts[row, col].astype(float), centers)
    assert GridTable.of(counts, cell_width=1.0, cell_height=stretch).summarise(centers)[0] == pytest.approx(
        brute, rel=1e-12
    )
