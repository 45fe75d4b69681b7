"""k-means on a full grid equals brute force on its cells."""

import json
import pickle

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.cluster import KMeans
from threadpoolctl import threadpool_limits

from dpviz.clustering import GridTable, cost, gridded, kmeans_on_grid, lloyd, solve_kmeans
from dpviz.clustering.gridded import Blocks

WIDTH, HEIGHT = 49.4, 43.5


def _scikit_learn(points: NDArray[np.float64], weights: NDArray[np.float64], k: int, starts: int) -> float:
    """Best cost of many restarts, on one thread: its threads wait for each other on a busy machine."""
    with threadpool_limits(1):
        return float(KMeans(k, n_init=starts, random_state=0, tol=1e-9).fit(points, sample_weight=weights).inertia_)


def _city(rows: int, cols: int, seed: int) -> NDArray[np.int64]:
    """A dense middle, a few far places, empty ground."""
    rng = np.random.default_rng(seed)
    row, col = np.indices((rows, cols))
    density = 0.02 * np.ones((rows, cols))
    for _ in range(8):
        r, c, size = rng.random() * rows, rng.random() * cols, rng.uniform(0.02, 0.12) * max(rows, cols)
        density += rng.exponential(20.0) * np.exp(-((row - r) ** 2 + (col - c) ** 2) / (2 * size**2))
    return rng.poisson(density).astype(np.int64)


def _cells(counts: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    row, col = np.nonzero(counts)
    points = np.column_stack([(col + 0.5) * WIDTH, (counts.shape[0] - row - 0.5) * HEIGHT])
    return points, counts[row, col].astype(np.float64)


@pytest.mark.parametrize("shape", [(64, 64), (100, 37), (5, 200)])
@pytest.mark.parametrize("k", [1, 3, 8])
def test_cost_and_weights_equal_brute_force(shape: tuple[int, int], k: int) -> None:
    counts = _city(*shape, seed=k)
    points, weights = _cells(counts)
    rng = np.random.default_rng(0)
    for _ in range(5):
        centers = rng.random((k, 2)) * np.array([shape[1] * WIDTH, shape[0] * HEIGHT])
        brute = cost(points, weights, centers)
        assert GridTable.of(counts, cell_width=WIDTH, cell_height=HEIGHT).summarise(centers)[0] == pytest.approx(
            brute, rel=1e-12
        )


def test_polish_equals_lloyd_on_all_cells() -> None:
    counts = _city(90, 110, seed=1)
    points, weights = _cells(counts)
    table = GridTable.of(counts, cell_width=WIDTH, cell_height=HEIGHT)
    start = points[np.random.default_rng(2).choice(len(points), 6, replace=False)] + 1.0
    for steps in (1, 2, 7, 300):
        np.testing.assert_allclose(table.polish(start, steps), lloyd(points, weights, start, steps)[0], rtol=1e-9)


def test_result_is_a_fixed_point_with_consistent_numbers() -> None:
    counts = _city(128, 128, seed=3)
    points, weights = _cells(counts)
    result = kmeans_on_grid(counts, 7, cell_width=WIDTH, cell_height=HEIGHT, seed=0)
    assert result.cost == pytest.approx(cost(points, weights, result.centers), rel=1e-12)
    assert result.weights.sum() == counts.sum()
    assert (np.diff(result.weights) <= 0).all()
    again, _ = lloyd(points, weights, result.centers, 50)
    np.testing.assert_allclose(again, result.centers, atol=1e-4)


@pytest.mark.parametrize("k", [4, 10])
def test_within_a_thousandth_of_fifty_scikit_learn_starts(k: int) -> None:
    counts = _city(48, 48, seed=4) * 1000
    points, weights = _cells(counts)
    reference = _scikit_learn(points, weights, k, 50)
    result = kmeans_on_grid(counts, k, cell_width=WIDTH, cell_height=HEIGHT, seed=1)
    assert result.cost <= reference * 1.001


def test_ties_between_columns_go_to_the_lower_index() -> None:
    counts = np.array([[1, 1, 1]], dtype=np.int64)
    for centers, held in (([[0.5, 0.5], [2.5, 0.5]], [2, 1]), ([[2.5, 0.5], [0.5, 0.5]], [2, 1])):
        table = GridTable.of(counts, cell_width=1.0, cell_height=1.0)
        assert table.summarise(np.array(centers))[1].tolist() == held


def test_centers_on_top_of_each_other_share_nothing() -> None:
    table = GridTable.of(np.ones((4, 4), dtype=np.int64), cell_width=1.0, cell_height=1.0)
    value, held = table.summarise(np.array([[2.0, 2.0], [2.0, 2.0], [2.0, 2.0]]))
    assert held.tolist() == [16, 0, 0]
    assert value == pytest.approx(16 * 2.5)


def test_row_zero_is_the_north_edge() -> None:
    counts = np.zeros((8, 8), dtype=np.int64)
    counts[0, 6] = 3
    result = kmeans_on_grid(counts, 1, cell_width=2.0, cell_height=10.0, seed=0)
    np.testing.assert_allclose(result.centers, [[13.0, 75.0]])
    assert result.cost == 0.0


@pytest.mark.parametrize("k", [1, 4])
def test_an_empty_grid_gets_centers_inside_the_box(k: int) -> None:
    result = kmeans_on_grid(np.zeros((6, 9), dtype=np.int64), k, cell_width=2.0, cell_height=3.0, seed=0)
    assert result.centers.shape == (k, 2)
    assert (result.centers >= 0.0).all()
    assert (result.centers <= [18.0, 18.0]).all()
    assert result.cost == 0.0


def test_more_centers_than_cells_cost_nothing() -> None:
    counts = np.zeros((16, 16), dtype=np.int64)
    counts[3, 4], counts[9, 1] = 5, 7
    result = kmeans_on_grid(counts, 6, cell_width=1.0, cell_height=1.0, seed=0)
    assert result.centers.shape == (6, 2)
    assert result.cost == 0.0
    assert result.weights.sum() == 12.0


def test_the_same_seed_gives_the_same_bits() -> None:
    counts = _city(64, 64, seed=6)
    first, second = (kmeans_on_grid(counts, 5, cell_width=1.0, cell_height=1.0, seed=9) for _ in range(2))
    assert np.array_equal(first.centers, second.centers)


def test_a_prepared_grid_refuses_to_leave_memory_and_tells_nothing() -> None:
    table = GridTable.of(_city(16, 16, seed=0), cell_width=1.0, cell_height=1.0)
    with pytest.raises(TypeError, match="exact"):
        pickle.dumps(table)
    with pytest.raises(TypeError):
        json.dumps(table)
    assert not any(character.isdigit() for character in repr(table))


@pytest.mark.parametrize("counts", [np.ones((2, 2)), np.ones(4, dtype=np.int64), np.empty((0, 3), dtype=np.int64)])
def test_what_is_no_grid_of_counts_is_refused(counts: NDArray[np.int64]) -> None:
    with pytest.raises(ValueError, match="whole numbers in rows and columns"):
        kmeans_on_grid(counts, 1, cell_width=1.0, cell_height=1.0, seed=0)


@pytest.mark.parametrize("length", [0.0, -1.0, np.nan])
def test_cells_without_extent_are_refused(length: float) -> None:
    with pytest.raises(ValueError, match="positive length"):
        kmeans_on_grid(np.ones((2, 2), dtype=np.int64), 1, cell_width=length, cell_height=1.0, seed=0)


def test_a_town_in_a_corner_of_a_wide_box_is_searched_as_finely_as_a_city() -> None:
    draw = np.random.default_rng(8)
    groups = draw.uniform(5.0, 59.0, (25, 2))
    places = (groups[draw.integers(0, 25, 4000)] + draw.normal(0.0, 1.0, (4000, 2))).astype(np.int64).clip(0, 63)
    counts = np.zeros((1024, 1024), dtype=np.int64)
    np.add.at(counts, (places[:, 0] + 320, places[:, 1] + 512), 1)
    rows, cols = np.nonzero(counts)
    points = np.column_stack([cols + 0.5, 1024 - rows - 0.5])
    wanted = solve_kmeans(points, counts[rows, cols].astype(np.float64), 25, seed=1).cost
    for seed in range(3):
        assert kmeans_on_grid(counts, 25, cell_width=1.0, cell_height=1.0, seed=seed).cost <= 1.0001 * wanted


@pytest.mark.parametrize("shape", [(64, 64), (37, 50), (1, 9)])
def test_larger_blocks_add_up_smaller_ones(shape: tuple[int, int]) -> None:
    moments = np.random.default_rng(3).poisson(0.4, (*shape, 3)).astype(np.int64)
    moments[moments[:, :, 0] == 0] = 0  # an empty block has no moments
    for side in (1, 5, 16):
        factor = -(-max(shape) // side)
        summed = np.add.reduceat(moments, np.arange(0, shape[0], factor), axis=0)
        summed = np.add.reduceat(summed, np.arange(0, shape[1], factor), axis=1)
        blocks = Blocks.of(moments).larger(side)
        assert blocks.shape == summed.shape[:2]
        assert np.array_equal(blocks.at, np.flatnonzero(summed[:, :, 0]))
        assert np.array_equal(blocks.moments, summed.reshape(-1, 3)[blocks.at])
        few = Blocks.of(moments).at_most(side)
        assert max(few.shape) <= side or 2 * len(few) <= side**2


def test_few_cells_are_blocks_of_their_own_and_many_are_not() -> None:
    counts = np.random.default_rng(4).poisson(0.1, (50, 70)).astype(np.int64)
    table = GridTable.of(counts, cell_width=1.0, cell_height=1.0)
    cells = int(np.count_nonzero(counts))
    found = Blocks.of_cells(table.counts, table.prefix, cells)
    assert found is not None
    assert np.array_equal(found.at, np.flatnonzero(counts))
    places, size = found.centroids()
    rows, columns = np.nonzero(counts)
    assert np.array_equal(places, np.column_stack([columns, rows]) + 0.5)
    assert np.array_equal(size, counts[rows, columns])
    assert Blocks.of_cells(table.counts, table.prefix, cells - 1) is None


def test_nothing_at_all_has_no_blocks() -> None:
    blocks = Blocks.of(np.zeros((8, 8, 3), dtype=np.int64))
    assert len(blocks.larger(2)) == 0
    assert blocks.larger(2).centroids()[0].shape == (0, 2)


def test_a_town_of_a_hundredth_of_a_wide_fine_box_is_searched_cell_by_cell() -> None:
    """Blocks of four cells a side, of which it fills a hundred, would end percents above the best."""
    draw = np.random.default_rng(9)
    places = draw.normal(20.0, 6.0, (20_000, 2)).astype(np.int64).clip(0, 40)
    counts = np.zeros((4096, 4096), dtype=np.int64)
    np.add.at(counts, (places[:, 0] + 1000, places[:, 1] + 3000), 1)
    rows, cols = np.nonzero(counts)
    points = np.column_stack([cols + 0.5, 4096 - rows - 0.5])
    wanted = solve_kmeans(points, counts[rows, cols].astype(np.float64), 20, seed=1, repeats=4).cost
    for seed in range(3):
        assert kmeans_on_grid(counts, 20, cell_width=1.0, cell_height=1.0, seed=seed).cost <= 1.005 * wanted


def test_all_that_ends_near_the_best_is_shaken_each_place_once(monkeypatch: pytest.MonkeyPatch) -> None:
    counts = _city(40, 40, 1)
    table = GridTable.of(counts, cell_width=1.0, cell_height=1.0)
    begun = [table.to_columns(table.solve(4, seed=seed).centers) for seed in range(4)]
    shaken = []

    def spied(points: object, weights: object, centers: NDArray[np.float64], **given: object) -> object:
        shaken.append(next(at for at, one in enumerate(begun) if np.array_equal(one, centers)))
        return centers, 0.0

    begun = [places + 0.01 * at for at, places in enumerate(begun)]
    monkeypatch.setattr(gridded, "shake_centers", spied)
    ended = [(1.004, begun[0]), (1.0, begun[1]), (1.0, begun[2]), (1.1, begun[3])]
    state, bounds = np.zeros(1, np.uint64), (np.zeros(2), np.full(2, 40.0))
    table._shake_best(np.zeros((2, 1)), np.ones(1), ended, np.ones(2), state, bounds)
    assert shaken == [1, 0], "not what ends in the same place, not what is hopeless"
