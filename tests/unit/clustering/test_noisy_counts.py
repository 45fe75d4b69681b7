"""Empty ground under noise draws no center; sparse ground that holds records keeps them."""

from functools import partial

import numpy as np
from numpy.typing import NDArray

from dpviz.clustering import Ground, KMeansResult, solve_kmeans

Floats = NDArray[np.float64]
SCALE = 20.0  # of the noise on every count
SIDE = 6
FAR = 0.5


def _wide_box(records: Floats, seed: int) -> tuple[Ground, Floats, Floats]:
    """A grid of counts with Laplace noise: the ground, its points and their weights, none below 0."""
    axis = (np.arange(SIDE) + 0.5) / SIDE
    places = np.stack(np.meshgrid(axis, axis, indexing="ij"), axis=2).reshape(-1, 2)
    values = records.ravel() + np.random.default_rng(seed).laplace(0.0, SCALE, SIDE * SIDE)
    one_size = np.zeros(len(values), np.int64)
    ground = Ground(
        places=places,
        values=values,
        variances=np.full(len(values), 2.0 * SCALE**2),
        sizes=one_size,
        owner=np.arange(len(values)),
    )
    return ground, places, np.maximum(values, 0.0)


def _town() -> Floats:
    """Two places in a corner, everything else empty."""
    records = np.zeros((SIDE, SIDE))
    records[0, 0], records[1, 1] = 6000.0, 4000.0
    return records


def _search(k: int, points: Floats, weights: Floats) -> KMeansResult:
    return solve_kmeans(points, weights, k, seed=1)


def test_noise_on_empty_ground_draws_few_centers() -> None:
    plain, looked = 0, 0
    for seed in range(20):
        ground, points, weights = _wide_box(_town(), seed)
        believed, found = ground.search(weights, partial(_search, 3, points))
        plain += bool((_search(3, points, weights).centers.max(axis=1) > FAR).any())
        looked += bool((found.centers[found.weights > 0.0].max(axis=1) > FAR).any())
        assert believed.sum() <= weights.sum()
    assert plain == 20  # what a search without a look at the noise does in every draw
    assert looked <= 6  # a count that speaks for itself is believed, and some noise is that large


def test_sparse_ground_that_holds_records_keeps_every_weight() -> None:
    records = _town() + 40.0  # each no more than noise may be, all together far more
    for seed in range(10):
        ground, points, weights = _wide_box(records, seed)
        assert not ground.quiet().any()
        believed, _ = ground.search(weights, partial(_search, 3, points))
        np.testing.assert_array_equal(believed, weights)


def test_one_far_place_with_records_keeps_its_center() -> None:
    records = _town()
    records[5, 5] = 300.0
    for seed in range(10):
        ground, points, weights = _wide_box(records, seed)
        _, found = ground.search(weights, partial(_search, 3, points))
        assert np.linalg.norm(found.centers - points[-1], axis=1).min() < 0.2


def test_centers_that_hold_no_more_than_noise_are_searched_again() -> None:
    ground, points, _ = _wide_box(_town(), 3)
    empty = np.array([[0.9, 0.9], [0.1, 0.1]])
    around = ground.unheld(empty)
    assert around[points.min(axis=1) > 0.6].all()
    assert not around[points.max(axis=1) < 0.4].any()


def test_where_nothing_would_be_left_everything_is_believed() -> None:
    ground, points, weights = _wide_box(np.zeros((SIDE, SIDE)), 5)
    quiet = Ground(**{**vars(ground), "values": ground.values - ground.values.mean() - 10.0})
    assert quiet.quiet().any()
    believed, found = quiet.search(weights, partial(_search, 2, points))
    assert (believed > 0.0).any()
    assert found.cost >= 0.0


def test_no_cells_at_all() -> None:
    nothing = np.zeros(0)
    ground = Ground(
        places=np.zeros((0, 2)), values=nothing, variances=nothing, sizes=nothing.astype(int), owner=nothing.astype(int)
    )
    assert len(ground.quiet()) == 0


def test_with_too_few_records_for_so_many_centers_none_of_them_is_asked_what_it_holds() -> None:
    """Whatever such data lose is found again in the largest noise."""
    weak, strong = (_wide_box(_town() * share, 3)[0] for share in (0.02, 1.0))
    assert not weak.tells(3) and strong.tells(3) and not strong.tells(30)
    ground, points, weights = _wide_box(_town() * 0.02, 3)
    believed, _ = ground.search(weights, partial(_search, 3, points))
    kept = np.where(ground.quiet(), 0.0, weights)
    np.testing.assert_array_equal(believed, kept if kept.any() else weights)
