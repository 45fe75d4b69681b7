"""The pyramid engine against its naive twin, and: neighbours stay neighbours after every removal."""

from __future__ import annotations

import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from dpviz.domain import Adjacency, ExactCounts, GeoBox, Grid
from dpviz.errors import ExactDataLeak
from dpviz.mechanisms.peeled_balls.engine import BlockSums, Peeler, block_center_halves, block_sums, ladder
from dpviz.mechanisms.peeled_balls.mechanism import peel
from dpviz.mechanisms.peeled_balls.schedule import exact_parts, peeled_weights, reach_of, spending
from dpviz.noise import replayable_source
from dpviz.privacy import Budget
from dpviz_research.hostile_counts import HOSTILE
from tests.oracles.peeling import NaivePeeler

BOX = GeoBox(-74.05, 40.70, -73.90, 40.80)


def random_cells(rng: np.random.Generator, side: int) -> np.ndarray:
    kind = rng.integers(4)
    if kind == 0:
        cells = rng.integers(0, 3, (side, side))
    elif kind == 1:
        cells = (rng.random((side, side)) < 0.02) * rng.integers(1, 1000, (side, side))
    elif kind == 2:
        cells = np.zeros((side, side), np.int64)
        cells[rng.integers(side), rng.integers(side)] = 1000
    else:
        cells = rng.poisson(np.exp(rng.normal(0, 2, (side, side))))
    return cells.astype(np.int64)


def test_engine_and_twin_give_the_same_exact_answers_on_small_grids() -> None:
    rng = np.random.default_rng(20261118)
    for _ in range(300):
        side = int(2 ** rng.integers(0, 8))
        cells = random_cells(rng, side)
        engine, twin = Peeler(Grid(BOX, side), cells), NaivePeeler(Grid(BOX, side), cells)
        weight = int(max(1, cells.sum() // 8))
        for _ in range(5):
            for rung in range(len(engine.windows) - 1, -1, -1):
                if rng.random() < 0.6:
                    cap = int(rng.integers(0, cells.sum() + 2))
                    assert engine.exact_largest(rung, cap, cap - 2) == twin.exact_largest(rung, cap, cap - 2)
                    assert engine.exact_largest(rung) == twin.exact_largest(rung)
            rung = int(rng.integers(len(engine.windows)))
            most = min(engine.exact_largest(rung), weight)
            floor = int(rng.integers(0, most + 1))
            step = int(rng.choice([1, 1, 3, 50]))
            groups = engine.exact_groups(rung, most, floor, step)
            assert np.array_equal(groups, twin.exact_groups(rung, most, floor, step))
            group = int(rng.choice(np.flatnonzero(groups)))
            low, high = floor + group * step, min(floor + group * step + step - 1, most)
            place = int(rng.integers(groups[group]))
            index, score = engine.candidate(rung, most, low, high, place)
            assert (index, score) == twin.candidate(rung, most, low, high, place) and low <= score <= high
            assert engine.exact_score(rung, most, index) == twin.exact_score(rung, most, index) == score
            center = engine.center(rung, index)
            assert center == twin.center(rung, index)
            engine.remove(center, weight)
            twin.remove(center, weight)
            assert np.array_equal(engine.exact_cells(), twin.exact_cells())


@pytest.mark.parametrize("relation", list(Adjacency))
@pytest.mark.parametrize("delta", [0.0, 1e-9])
def test_whole_runs_agree_with_the_twin_under_the_same_noise(relation: Adjacency, delta: float) -> None:
    rng = np.random.default_rng(3)
    for seed in range(8):
        side = int(2 ** rng.integers(3, 7))
        cells = random_cells(rng, side)
        grid = Grid(BOX, side)
        total = max(1, int(cells.sum()))
        spend = spending(Budget(epsilon=float(rng.choice([0.1, 1.0, 20.0])), delta=delta), 8)
        weights = peeled_weights(total, 2, 8)
        runs = [
            peel(kind(grid, cells), weights, spend, relation, grid, replayable_source(seed))
            for kind in (Peeler, NaivePeeler)
        ]
        assert np.array_equal(runs[0][0], runs[1][0]) and np.array_equal(runs[0][1], runs[1][1])


def test_the_largest_count_never_falls_with_the_window() -> None:
    rng = np.random.default_rng(5)
    for _ in range(60):
        side = int(2 ** rng.integers(0, 8))
        twin = NaivePeeler(Grid(BOX, side), random_cells(rng, side))
        largest = [twin.exact_largest(rung) for rung in range(len(twin.windows))]
        assert largest == sorted(largest)


def test_the_ladder_has_about_forty_rungs_and_is_sorted() -> None:
    widths = [window.half_width_cells for window in ladder(4096)]
    assert widths == sorted(widths) and 35 <= len(widths) <= 45
    assert [len(ladder(side)) >= 1 for side in (1, 2, 4, 8)] == [True] * 4


def test_neighbours_stay_neighbours_after_every_removal() -> None:
    """Over tens of thousands of removals, both relations; the nowhere cell is whatever the grid does not hold."""
    rng = np.random.default_rng(11)
    removals = 0
    while removals < 20_000:
        side = int(2 ** rng.integers(0, 5))
        grid = Grid(BOX, side)
        cells = rng.integers(0, 4, (side, side)) * (rng.random((side, side)) < 0.4)
        more, other = cells.copy(), cells.copy()
        more[rng.integers(side), rng.integers(side)] += 1
        if rng.random() < 0.9:  # else the replaced record is in the nowhere cell
            other[rng.integers(side), rng.integers(side)] += 1
        peelers = [Peeler(grid, table.astype(np.int64)) for table in (cells, more, other)]
        for _ in range(10):
            level = int(rng.integers(0, side.bit_length()))
            size = side >> level
            center = block_center_halves(level, int(rng.integers(size)), int(rng.integers(size)))
            weight = int(rng.integers(0, 6))
            for peeler in peelers:
                peeler.remove(center, weight)
                removals += 1
            less, grown, swapped = (peeler.exact_cells() for peeler in peelers)
            added = grown - less
            assert added.sum() in (0, 1) and (added >= 0).all()
            moved = np.abs(grown - swapped)
            assert moved.sum() <= 2 and abs(int(grown.sum()) - int(swapped.sum())) <= 1


def test_the_reach_of_a_part_bounds_every_cell_of_it() -> None:
    rng = np.random.default_rng(2)
    for _ in range(30):
        side = int(2 ** rng.integers(0, 9))
        grid = Grid(BOX, side)
        count = int(rng.integers(1, 12))
        positions = rng.random((count, 2)) * grid.frame.extent
        anchors = np.column_stack(
            [positions[:, 0] // grid.cell_width, (grid.frame.extent[1] - positions[:, 1]) // grid.cell_height]
        ).astype(np.int64)
        cells = rng.integers(0, 9, (side, side))
        moments, extents = exact_parts(BlockSums(cells), positions, grid)
        reach = reach_of(extents, anchors)
        x, y = grid.local_centers()
        distance = np.hypot(x[None, :, None] - positions[:, 0], y[:, None, None] - positions[:, 1])
        part = distance.argmin(axis=2)
        rows, columns = np.indices((side, side))
        assert (np.abs(columns - anchors[part, 0]) <= reach[part, 0]).all()
        assert (np.abs(rows - anchors[part, 1]) <= reach[part, 1]).all()
        for column, table in enumerate((cells, cells * columns, cells * rows)):
            assert np.array_equal(moments[:, column], np.bincount(part.ravel(), table.ravel(), minlength=count))


def test_counts_of_the_published_points_are_not_the_schedule() -> None:
    from dpviz.mechanisms.interface import Answer, Public
    from dpviz.mechanisms.peeled_balls.mechanism import PEELED_BALLS

    rng = np.random.default_rng(0)
    cells = rng.poisson(20, (64, 64))
    data = ExactCounts.from_array(Grid(BOX, 64), cells)
    plan = PEELED_BALLS.plan(Public.of(data), k=3, budget=Budget(epsilon=1.0, delta=1e-9))
    answer = PEELED_BALLS.run(data, plan, replayable_source(1))
    assert isinstance(answer, Answer) and answer.coreset is not None
    assert abs(answer.coreset.weights.sum() / cells.sum() - 1) < 0.1  # the remainder is represented too


def test_removal_agrees_with_the_twin_on_thousands_of_small_grids() -> None:
    """Any center, any weight: a threshold guessed wrong, ties, blocks opened before, and everything at once."""
    rng = np.random.default_rng(7)
    for _ in range(2_500):
        side = int(2 ** rng.integers(0, 7))
        cells = random_cells(rng, side)
        engine, twin = Peeler(Grid(BOX, side), cells), NaivePeeler(Grid(BOX, side), cells)
        for _ in range(3):
            center = (int(rng.integers(2 * side + 1)), int(rng.integers(2 * side + 1)))
            weight = int(rng.integers(0, max(2, int(twin.cells.sum() * rng.random() ** 2) + 2)))
            engine.remove(center, weight)
            twin.remove(center, weight)
            assert np.array_equal(engine.exact_cells(), twin.exact_cells())
            held, offsets = engine._counts[1], engine._counts[3]
            assert held[offsets[-2]] == twin.cells.sum()


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("epsilon", [0.05, 2.0])
def test_hostile_maps_give_what_the_twin_gives(name: str, epsilon: float) -> None:
    cells, grid = HOSTILE[name](256, 100_000), Grid(BOX, 256)
    weights = peeled_weights(int(cells.sum()), 3, 12)
    spend = spending(Budget(epsilon=epsilon, delta=1e-9), 12)
    engine, twin = (
        peel(kind(grid, cells), weights, spend, Adjacency.ADD_REMOVE_ONE, grid, replayable_source(5))
        for kind in (Peeler, NaivePeeler)
    )
    assert np.array_equal(engine[0], twin[0]) and np.array_equal(engine[1], twin[1])


def test_runs_share_the_sums_of_blocks_and_change_neither_them_nor_the_counts() -> None:
    from dpviz.mechanisms.interface import Answer, Public
    from dpviz.mechanisms.peeled_balls.mechanism import PEELED_BALLS

    rng = np.random.default_rng(8)
    data = ExactCounts.from_array(Grid(BOX, 128), random_cells(rng, 128) + 3)
    before, sums = data.to_numpy(), block_sums(data)
    held = sums.exact_held.copy()
    plan = PEELED_BALLS.plan(Public.of(data), k=4, budget=Budget(epsilon=1.0, delta=1e-9))

    def positions(seed: int) -> np.ndarray:
        answer = PEELED_BALLS.run(data, plan, replayable_source(seed))
        assert isinstance(answer, Answer) and answer.coreset is not None
        return answer.coreset.positions

    alone = [positions(seed) for seed in range(12)]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(positions, range(12)))
    assert all(np.array_equal(one, other) for one, other in zip(alone, together, strict=True))
    assert (
        block_sums(data) is sums and np.array_equal(sums.exact_held, held) and np.array_equal(data.to_numpy(), before)
    )


def test_the_sums_of_blocks_are_sums_of_blocks_and_stay_with_the_curator() -> None:
    rng = np.random.default_rng(9)
    for side in (1, 2, 4, 8, 64):
        cells = random_cells(rng, side)
        sums = BlockSums(cells)
        for level in range(sums.base, side.bit_length()):
            size, width = side >> level, 2**level
            expected = cells.reshape(size, width, size, width).sum(axis=(1, 3))
            held = sums.exact_held[sums.offsets[level] : sums.offsets[level + 1]].reshape(size, size)
            assert np.array_equal(held, expected)
        blocks = cells.reshape(side >> sums.base, 2**sums.base, side >> sums.base, 2**sums.base)
        step = np.arange(2**sums.base)
        assert np.array_equal(sums.exact_peak, blocks.max(axis=(1, 3)).ravel())
        assert np.array_equal(sums.exact_east, (blocks * step).sum(axis=(1, 3)).ravel())
        assert np.array_equal(sums.exact_south, (blocks * step[:, None, None]).sum(axis=(1, 3)).ravel())
    with pytest.raises(ExactDataLeak):
        pickle.dumps(sums)
    assert "64x64" in repr(sums) and not any(str(int(total)) in repr(sums) for total in sums.exact_held[-1:])


def test_more_records_than_fit_into_four_bytes_are_counted_right() -> None:
    cells = np.zeros((16, 16), np.int64)
    cells[3, 4], cells[12, 9] = 2**33, 2**34
    grid = Grid(BOX, 16)
    engine, twin = Peeler(grid, cells), NaivePeeler(grid, cells)
    engine.remove((9, 9), 2**33 + 5)
    twin.remove((9, 9), 2**33 + 5)
    assert np.array_equal(engine.exact_cells(), twin.exact_cells())
    assert [engine.exact_largest(rung) for rung in range(3)] == [twin.exact_largest(rung) for rung in range(3)]
