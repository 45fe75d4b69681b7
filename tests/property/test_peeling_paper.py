"""The algorithm as printed: summed-area table against all pairs, sensitivity of its quality, its choices and limits."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

from dpviz.domain import Adjacency, ExactCounts, ExactPoints, GeoBox, Grid
from dpviz.domain.box import plain_frame
from dpviz.mechanisms.interface import Answer, NoAnswer, Public, Reason
from dpviz.mechanisms.peeled_balls.paper_mechanism import PEELED_BALLS_PAPER, PeeledBallsPaper, lattice_side
from dpviz.mechanisms.peeled_balls.small_ball import (
    PAPER,
    PRACTICAL,
    LatticeState,
    all_radii,
    boxes,
    few_radii,
    log_star,
    paper_schedule,
    quality,
    stability_threshold,
    stable_choice,
    sums_by_force,
    sums_on_grid,
)
from dpviz.noise import replayable_source
from dpviz.privacy import Budget

BOX = GeoBox(-74.05, 40.70, -73.90, 40.80)


def records(cells: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    positions = np.argwhere(cells)
    return positions.astype(np.int64), cells[positions[:, 0], positions[:, 1]]


def random_cells(rng: np.random.Generator) -> np.ndarray:
    side = int(rng.integers(1, 12))
    return rng.poisson(rng.choice([0.2, 1.0, 4.0]), (side, side)).astype(np.int64)


def plainly(cells: np.ndarray, t: int, radius: int) -> int:
    """t·L(r) from its definition, record by record."""
    rows = np.repeat(np.argwhere(cells), cells[cells > 0], axis=0)
    inside = [min(t, int((np.abs(rows - row).max(axis=1) <= radius).sum())) for row in rows]
    return sum(sorted(inside, reverse=True)[:t])


def test_the_table_the_pairs_and_the_definition_agree() -> None:
    rng = np.random.default_rng(8)
    for _ in range(150):
        cells = random_cells(rng)
        t = int(rng.integers(1, cells.sum() + 4))
        radii = all_radii(len(cells), 2)
        table = sums_on_grid(cells, t, radii)
        assert np.array_equal(table, sums_by_force(*records(cells), t, radii, square=True))
        radius = int(rng.integers(len(radii)))
        assert table[radius] == plainly(cells, t, radius)
        assert (np.diff(table) >= 0).all() and table.max() <= t * t


def test_replacing_a_record_moves_the_quality_by_at_most_2t_in_any_dimension() -> None:
    rng = np.random.default_rng(9)
    largest = 0.0
    for _ in range(300):
        dims = int(rng.integers(1, 4))
        first = rng.integers(0, 5, (int(rng.integers(1, 25)), dims))
        second = first.copy()
        second[0] = rng.integers(0, 5, dims)
        t, slack = int(rng.integers(1, 20)), int(rng.integers(1, 10))
        radii = few_radii(5, dims, 6)
        both = []
        for rows in (first, second):
            cells, counts = np.unique(rows, axis=0, return_counts=True)
            both.append(quality(sums_by_force(cells, counts, t, radii), t, slack))
        largest = max(largest, np.abs(both[0] - both[1]).max() / t)
    assert 1.0 <= largest <= 2.0


def test_neighbours_stay_neighbours_on_a_lattice() -> None:
    rng = np.random.default_rng(10)
    for _ in range(500):
        rows = rng.integers(0, 4, (int(rng.integers(2, 20)), 3))
        other = rows.copy()
        other[0] = rng.integers(0, 4, 3)
        center, weight = rng.integers(0, 9, 3), int(rng.integers(1, 6))
        left = []
        for points in (rows, other):
            state = LatticeState(points)
            state.remove(center, weight)
            cells, counts = state.occupied()
            left.append({tuple(cell): int(count) for cell, count in zip(cells, counts, strict=True)})
            assert sum(left[-1].values()) == max(0, len(points) - weight)
        moved = sum(abs(left[0].get(cell, 0) - left[1].get(cell, 0)) for cell in set(left[0]) | set(left[1]))
        assert moved <= 2


def test_the_budget_is_divided_by_at_least_the_number_of_rounds() -> None:
    for n in (50, 10_000, 10**6, 10**8):
        for k in (1, 3, 10):
            for constants in (PAPER, PRACTICAL, dataclasses.replace(PRACTICAL, trust=1e-9)):
                budget = Budget(epsilon=4.0, delta=1e-9)
                schedule = paper_schedule(n, k, budget, side=256, dims=2, constants=constants)
                rounds = len(schedule.rounds)
                assert rounds * schedule.each.epsilon <= 4.0 and rounds * schedule.each.delta <= 1e-9
                assert math.isclose(schedule.each.epsilon, 3 * 4.0 / (8 * k * math.log(n)))
                spent = schedule.for_radius + schedule.for_center
                assert schedule.each.covers(spent)


def test_log_star_counts_logarithms() -> None:
    assert [log_star(value) for value in (0.5, 1, 2, 3, 20, 4096)] == [0, 0, 1, 2, 3, 3]


def test_the_printed_constants_honestly_give_no_answer() -> None:
    cells = np.random.default_rng(0).poisson(4000, (16, 16))
    data = ExactCounts.from_array(Grid(BOX, 16), cells, relation="replace")
    method = PeeledBallsPaper(PAPER)
    plan = method.plan(Public.of(data), k=1, budget=Budget(epsilon=1.0, delta=1e-9))
    answer = method.run(data, plan, replayable_source(0))
    assert isinstance(answer, NoAnswer) and answer.reason is Reason.TOO_FEW_RECORDS


def test_boxes_hold_every_record_once() -> None:
    rng = np.random.default_rng(3)
    for _ in range(100):
        positions = rng.integers(0, 9, (int(rng.integers(0, 30)), 2))
        counts = rng.integers(1, 5, len(positions))
        size = int(rng.integers(1, 6))
        shift = rng.integers(0, size, 2)
        indices, held, member = boxes(positions, counts, shift, size)
        assert held.sum() == counts.sum() and (held > 0).all()
        assert np.array_equal(indices[member], (positions + shift) // size)


def test_a_lone_record_is_never_the_stable_choice_and_a_crowd_is() -> None:
    noise = replayable_source(5)
    threshold = stability_threshold(1.0, 1e-9)
    assert 40 < threshold < 60
    two = np.array([[0, 3], [2, 1]])
    assert all(stable_choice(two, np.array([1, 1]), 1.0, 1e-9, noise) is None for _ in range(2000))
    for _ in range(200):
        chosen = stable_choice(two, np.array([1, 400]), 1.0, 1e-9, noise)
        assert chosen is not None and chosen.tolist() == [2, 1]


def test_four_dimensions_run_in_blocks_and_give_the_union() -> None:
    rng = np.random.default_rng(1)
    middles = np.array([[0.2, 0.2, 0.7, 0.7], [0.8, 0.6, 0.2, 0.3]])
    cube = np.clip(middles[rng.integers(2, size=20_000)] + rng.normal(0, 0.04, (20_000, 4)), 0, 0.999)
    frame = plain_frame([0.0] * 4, [1.0] * 4)
    data = ExactPoints(frame, cube, relation=Adjacency.REPLACE_ONE, public_rows=21_000)
    plan = PEELED_BALLS_PAPER.plan(Public.of(data), k=2, budget=Budget(epsilon=50.0, delta=1e-9))
    answer = PEELED_BALLS_PAPER.run(data, plan, replayable_source(2))
    assert isinstance(answer, Answer) and answer.coreset is not None
    near = np.abs(answer.coreset.positions[:, None, :] - middles[None, :, :]).max(axis=2).min(axis=1)
    assert np.median(near) < 0.15


@pytest.mark.parametrize(("records_", "dims", "at_most", "side"), [(10_000, 2, False, 128), (10_000, 4, True, 8)])
def test_the_lattice_has_about_as_many_cells_as_records(records_: int, dims: int, at_most: bool, side: int) -> None:
    assert lattice_side(records_, dims, 4096, at_most=at_most) == side
