"""adaptive_tree: answers of the right shape on ordinary and awkward data."""

from __future__ import annotations

import numpy as np
import pytest

from dpviz.clustering import cost, solve_kmeans
from dpviz.domain import Adjacency, ExactCounts, ExactPoints, Grid, PlainBox, Unit
from dpviz.domain.box import plain_frame
from dpviz.errors import InputError
from dpviz.mechanisms.adaptive_tree.mechanism import ADAPTIVE_TREE
from dpviz.mechanisms.interface import MAX_CLUSTERS, Answer, ExactData, Public
from dpviz.noise import NoiseSource, replayable_source, secure_source
from dpviz.noise.adding import Adding
from dpviz.privacy import Budget

SQUARE = PlainBox((0.0, 0.0), (4000.0, 2000.0))


def city(side: int, total: int, relation: str = "add-remove", unit: Unit | None = None) -> ExactCounts:
    generator = np.random.default_rng(1)
    middles = np.array([[0.2, 0.3], [0.7, 0.25], [0.6, 0.8]])
    place = middles[generator.integers(0, 3, total)] + generator.normal(0, 0.04, (total, 2))
    place = np.clip(place * side, 0, side - 1).astype(int)
    cells = np.zeros((side, side), np.int64)
    np.add.at(cells, (place[:, 1], place[:, 0]), 1)
    return ExactCounts.from_array(Grid(SQUARE, side), cells, relation=relation, unit=unit or Unit())


def answer(data: ExactData, k: int, epsilon: float, noise: NoiseSource | None = None) -> Answer:
    plan = ADAPTIVE_TREE.plan(Public.of(data), k=k, budget=Budget(epsilon=epsilon))
    return ADAPTIVE_TREE.run(data, plan, noise or replayable_source(5))


def sound(given: Answer, k: int) -> None:
    """What holds for every answer."""
    assert given.centers is not None
    assert given.coreset is not None
    frame = given.coreset.frame
    for positions in (given.centers.positions, given.coreset.positions):
        assert np.isfinite(positions).all()
        assert (positions >= 0).all()
        assert (positions <= frame.extent).all()
    assert given.centers.positions.shape == (k, frame.dims)
    assert (given.coreset.weights > 0).all()
    assert given.coreset.variances is not None
    assert (given.coreset.variances > 0).all()
    assert (np.diff(given.centers.weights) <= 0).all()


def relative_error(data: ExactCounts, given: Answer, k: int) -> float:
    rows, cols = np.nonzero(data.exact_cells)
    x, y = data.grid.local_centers()
    points, weights = np.column_stack([x[cols], y[rows]]), data.exact_cells[rows, cols].astype(float)
    assert given.centers is not None
    best = solve_kmeans(points, weights, k, seed=0).cost
    return cost(points, weights, given.centers.positions) / best - 1


@pytest.mark.parametrize("relation", ["add-remove", "replace"])
@pytest.mark.parametrize("side", [1, 2, 4, 8, 64, 256])
def test_every_side_and_both_relations_answer(relation: str, side: int) -> None:
    sound(answer(city(side, 5000, relation), 3, 0.5), 3)


@pytest.mark.parametrize("relation", ["add-remove", "replace"])
@pytest.mark.parametrize("k", [1, 5])
@pytest.mark.parametrize("epsilon", [1e-6, 0.05, 4.0, 100.0])
def test_awkward_data_are_answered_like_any_other(relation: str, k: int, epsilon: float) -> None:
    empty = np.zeros((64, 64), np.int64)
    one, heap = empty.copy(), empty.copy()
    one[3, 60] = 1
    heap[63, 0] = 1_000_000
    for cells in (empty, one, heap):
        data = ExactCounts.from_array(Grid(SQUARE, 64), cells, relation=relation)
        sound(answer(data, k, epsilon), k)


def test_many_centers_are_answered() -> None:
    sound(answer(city(64, 5000), 256, 0.5), 256)
    sound(answer(city(2, 50), 256, 0.5), 256)
    sound(answer(city(64, 5000), MAX_CLUSTERS, 2.0), MAX_CLUSTERS)


def test_the_secure_source_answers() -> None:
    sound(answer(city(64, 20_000), 3, 0.5, secure_source()), 3)


def test_the_same_seed_gives_the_same_answer() -> None:
    first, second = (answer(city(64, 20_000), 3, 0.5, replayable_source(9)) for _ in range(2))
    assert first.centers is not None
    assert second.centers is not None
    assert np.array_equal(first.centers.positions, second.centers.positions)


def test_the_error_vanishes_as_epsilon_grows() -> None:
    data = city(64, 50_000)
    errors = [relative_error(data, answer(data, 3, epsilon), 3) for epsilon in (0.05, 1.0, 100.0)]
    assert errors[0] < 0.2
    assert errors[1] < 1e-3
    assert errors[2] < 1e-6


def test_the_noisy_number_of_records_is_near_and_public_rows_are_taken_as_they_are() -> None:
    assert answer(city(64, 20_000), 3, 1.0).noisy_total == pytest.approx(20_000, abs=1000)
    assert answer(city(64, 20_000, "replace"), 3, 1.0).noisy_total == 20_000


def test_replacing_costs_as_much_as_half_the_budget() -> None:
    plans = [
        ADAPTIVE_TREE.plan(Public.of(city(64, 100, relation)), k=2, budget=Budget(epsilon=1.0))
        for relation in ("add-remove", "replace")
    ]
    assert [len(plan.charges) for plan in plans] == [2, 1]


def test_a_cap_multiplies_every_scale() -> None:
    class Watched(Adding):
        kind, seed = "replayable", 0

        def __init__(self) -> None:
            self.first = 0.0
            self.source = replayable_source(0)

        def laplace(self, scale: float, size: int) -> np.ndarray:
            self.first = self.first or scale
            return self.source.laplace(scale, size)

    scales = []
    for unit in (Unit(), Unit(person_column="rider", cap=5)):
        noise = Watched()
        answer(city(16, 1000, unit=unit), 2, 1.0, noise)
        scales.append(noise.first)
    assert scales[1] == pytest.approx(5 * scales[0])


def test_points_that_break_their_own_cap_are_refused() -> None:
    frame, raw = plain_frame((0.0, 0.0, 0.0), (1.0, 1.0, 1.0)), np.full((4, 3), 0.5)
    unit = Unit(person_column="rider", cap=2)
    assert ExactPoints.from_array(frame, raw, unit=unit, persons=np.array([1, 2, 2, 1])).exact_total == 4
    with pytest.raises(InputError, match="cap of 2"):
        ExactPoints.from_array(frame, raw, unit=unit, persons=np.array([1, 2, 1, 1]))


def test_planar_points_are_counted_on_a_grid_first() -> None:
    generator = np.random.default_rng(0)
    raw = generator.normal([[0.3, 0.6]], 0.05, (5000, 2))
    data = ExactPoints.from_array(plain_frame((0.0, 0.0), (1.0, 1.0)), raw)
    given = answer(data, 1, 1.0)
    sound(given, 1)
    assert given.centers is not None
    assert np.abs(given.centers.positions[0] - raw.mean(axis=0)).max() < 0.01


def test_the_method_is_proved_for_both_relations_and_capped_persons() -> None:
    assert ADAPTIVE_TREE.info.adjacencies == frozenset(Adjacency)
    assert ADAPTIVE_TREE.info.person_cap
    assert not ADAPTIVE_TREE.info.needs_delta
