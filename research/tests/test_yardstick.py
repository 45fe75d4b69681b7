"""The yardstick of the accuracy benchmark: exact sums, better than Lloyd's optima, never beaten."""

from __future__ import annotations

import math
import pickle
from fractions import Fraction

import numpy as np
import pytest

from dpviz.clustering import kmeans_on_grid
from dpviz.domain import ExactCounts, Grid, PlainBox
from dpviz.errors import ExactDataLeak
from dpviz_research.yardstick import Yardstick


def counts(seed: int = 0, side: int = 32) -> ExactCounts:
    generator = np.random.default_rng(seed)
    cells = generator.poisson(0.2, (side, side)) * generator.integers(0, 200, (side, side))
    return ExactCounts.from_array(Grid(PlainBox((0.0, 0.0), (1.0, 1.0)), side), cells.astype(np.int64))


def test_a_cost_is_right_to_its_last_digits() -> None:
    yardstick = Yardstick(counts(), 2, searches=False)
    centers = np.array([[0.25, 0.5], [0.75, 0.5]])
    exact = sum(
        Fraction(weight)
        * min(sum((Fraction(a) - Fraction(b)) ** 2 for a, b in zip(p, c, strict=True)) for c in centers)
        for p, weight in zip(yardstick.exact_positions, yardstick.exact_weights, strict=True)
    )
    assert yardstick.cost(centers) == pytest.approx(float(exact), rel=1e-15)


@pytest.mark.parametrize("seed", range(6))
def test_moves_of_single_cells_never_lower_the_polished_cost(seed: int) -> None:
    data = counts(seed)
    yardstick = Yardstick(data, 4, searches=False)
    start = np.random.default_rng(seed).random((4, 2))
    places = yardstick.polish(start)
    assert yardstick.cost(places) <= yardstick.cost(start)
    assert yardstick._transfers(places) is None
    labels = ((yardstick.exact_positions[:, None] - places[None]) ** 2).sum(axis=2).argmin(axis=1)

    def parts_cost(labels: np.ndarray) -> float:
        total = 0.0
        for j in range(4):
            inside = labels == j
            weights, points = yardstick.exact_weights[inside], yardstick.exact_positions[inside]
            total += float(weights @ ((points - weights @ points / weights.sum()) ** 2).sum(axis=1))
        return total

    before = parts_cost(labels)
    for cell in np.random.default_rng(seed).choice(len(labels), 40, replace=False):
        for other in range(4):
            moved = labels.copy()
            moved[cell] = other
            assert parts_cost(moved) >= before * (1 - 1e-12)


def test_the_best_is_at_least_as_good_as_an_ordinary_search_and_as_anything_considered() -> None:
    data = counts(3)
    yardstick = Yardstick(data, 5)
    usual = kmeans_on_grid(data.exact_cells, 5, cell_width=1 / 32, cell_height=1 / 32, seed=1)
    assert yardstick.exact_cost <= usual.cost * (1 + 1e-12)
    for seed in range(5):
        centers = np.random.default_rng(seed).random((5, 2))
        yardstick.consider(centers)
        assert yardstick.error_of(yardstick.cost(centers)) >= 0.0


def test_what_is_cheaper_becomes_the_best() -> None:
    yardstick = Yardstick(counts(), 2, searches=False)
    assert math.isinf(yardstick.exact_cost)
    centers = np.array([[0.2, 0.2], [0.8, 0.8]])
    yardstick.admit(centers, yardstick.cost(centers))
    assert yardstick.error_of(yardstick.cost(centers)) == 0.0
    yardstick.consider(centers)
    assert yardstick.error_of(yardstick.cost(centers)) > 0.0
    assert yardstick.best().cost == yardstick.exact_cost


def test_one_center_is_the_mean() -> None:
    yardstick = Yardstick(counts(), 1)
    mean = yardstick.exact_weights @ yardstick.exact_positions / yardstick.exact_weights.sum()
    np.testing.assert_allclose(yardstick.best().centers[0], mean, rtol=1e-12)


def test_a_yardstick_is_exact_and_refuses_pickle() -> None:
    with pytest.raises(ExactDataLeak):
        pickle.dumps(Yardstick(counts(), 1))
