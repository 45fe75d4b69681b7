"""Lines through private centers: removal keeps neighbours, what draws cost, signed weights, kernels and twins."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from dpviz.clustering import cost, solve_kmedian
from dpviz.domain import Adjacency, ExactCounts, ExactPoints, GeoBox, Grid, Unit
from dpviz.domain.box import plain_frame
from dpviz.mechanisms.baselines import _kernels as kernels, centred_lines
from dpviz.mechanisms.baselines.centred_lines import CENTRED_LINES, Layout, line_directions
from dpviz.mechanisms.exact_view import STEPS, LatticeRecords, weighted_local
from dpviz.mechanisms.interface import Answer, ExactData, NoAnswer, Public
from dpviz.noise import Sampler, adding, replayable_source
from dpviz.privacy import Budget
from tests.oracles import methods
from tests.oracles.recorded_source import Draw, RecordedSource

GRID = Grid(GeoBox(-74.05, 40.70, -73.90, 40.80), 64)


def groups(records: int, relation: str = "add-remove") -> ExactCounts:
    generator = np.random.default_rng(records)
    middles = np.array([[12, 12], [48, 20], [28, 50]])
    points = middles[generator.integers(3, size=records)] + generator.normal(0, 3, (records, 2))
    cells = np.zeros((64, 64), np.int64)
    np.add.at(cells, tuple(np.clip(points.astype(int), 0, 63).T), 1)
    return ExactCounts.from_array(GRID, cells, relation=relation)


def run(data: ExactData, epsilon: float, noise: Sampler, k: int = 3) -> Answer | NoAnswer:
    return CENTRED_LINES.run(data, CENTRED_LINES.plan(Public.of(data), k=k, budget=Budget(epsilon=epsilon)), noise)


positions = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=12)


def as_records(rows: list[tuple[int, int]]) -> LatticeRecords:
    found, times = np.unique(np.array(rows, np.int64).reshape(-1, 2), axis=0, return_counts=True)
    return LatticeRecords(found, times.astype(np.int64))


def histogram(records: LatticeRecords) -> np.ndarray:
    table = np.zeros((5, 5), np.int64)
    np.add.at(table, tuple(records.exact_positions.T), records.exact_multiplicity)
    return table


@settings(max_examples=300, deadline=None)
@given(rows=positions, more=st.tuples(st.integers(0, 4), st.integers(0, 4)), gone=st.integers(0, 14))
def test_removal_leaves_neighbours_neighbours(rows: list[tuple[int, int]], more: tuple[int, int], gone: int) -> None:
    centers = np.array([[1, 1], [3, 4]])
    left = []
    for given_rows in (rows, [*rows, more]):
        records = as_records(given_rows)
        squared = kernels.nearest_squared(records.exact_positions, centers)
        left.append(histogram(records.without_nearest(squared, gone)))
        assert left[-1].sum() == max(0, len(given_rows) - gone)
    difference = left[1] - left[0]
    assert difference.min() >= 0 and difference.sum() <= 1


def test_points_and_cells_of_the_same_records_are_the_same_lattice_records() -> None:
    counts = groups(500)
    rows, columns = np.nonzero(counts.exact_cells)
    cube = np.column_stack([(columns + 0.5) / 64, (63.5 - rows) / 64])
    points = ExactPoints(GRID.frame, np.repeat(cube, counts.exact_cells[rows, columns], axis=0))
    one, two = LatticeRecords.of(counts), LatticeRecords.of(points)
    assert np.array_equal(one.exact_positions, two.exact_positions)
    assert np.array_equal(one.exact_multiplicity, two.exact_multiplicity)
    assert one.exact_positions.max() <= STEPS


@pytest.mark.parametrize("dims", [2, 3, 4])
def test_kernels_agree_with_their_twins(dims: int) -> None:
    generator = np.random.default_rng(dims)
    points = generator.integers(0, 1000, (400, dims))
    centers = generator.integers(0, 1000, (9, dims))
    held = generator.integers(1, 5, 400)
    lines = line_directions(dims, 7)
    edges = np.sort(generator.uniform(0, 600, (9, 3)), axis=1)
    assert np.array_equal(kernels.nearest_squared(points, centers), methods.nearest_squared(points, centers))
    found = kernels.line_counts(points, held, centers, lines, edges)
    assert np.array_equal(found, methods.line_counts(points, held, centers, lines, edges))
    assert found.sum() == held.sum()


@pytest.mark.parametrize(("dims", "amount"), [(2, 5), (3, 13), (4, 40)])
def test_lines_are_unit_vectors_in_different_directions(dims: int, amount: int) -> None:
    lines = line_directions(dims, amount)
    assert lines.shape == (amount, dims) and np.allclose((lines**2).sum(axis=1), 1)
    nearness = np.abs(lines @ lines.T) - np.eye(amount)
    assert nearness.max() < 0.99


def price(draws: list[Draw], touched: int, layout: Layout, means: float) -> float:
    """Recomputed from what was drawn: selections of scores that a record moves by 1 in one box; sizes; intervals."""
    selections = [draw for draw in draws if draw.kind == "select"]
    assert len(selections) == layout.rounds * (2**layout.cuts - 1)
    assert not any(draw.monotone for draw in selections) and {draw.sensitivity for draw in selections} == {
        float(touched)
    }
    steps = {draw.epsilon for draw in selections}
    assert len(steps) == 1
    each = steps.pop()
    assert each is not None
    centers = layout.rounds * 2**layout.cuts
    sizes, counts = [draw for draw in draws if draw.kind == "laplace"][-2:]
    assert sizes.size == centers * layout.lines and counts.size == sizes.size * 2 * layout.intervals
    assert sizes.scale is not None and counts.scale is not None
    return each * layout.rounds * layout.cuts + means + touched * (1 / sizes.scale + 1 / counts.scale)


def priced_run(
    relation: Adjacency, records: int, epsilon: float, monkeypatch: pytest.MonkeyPatch
) -> tuple[float, list[float]]:
    """What a run's draws cost, and what its plan charged."""
    data = groups(records, relation.value)
    touched = 1 if relation is Adjacency.ADD_REMOVE_ONE else 2
    spent: list[float] = []
    drawn = adding.joint_laplace

    def joint(noise: Sampler, *, epsilon: float, radius: int, dims: int, size: int) -> np.ndarray:
        assert radius**2 >= 2 * centred_lines.FINE**2
        spent.append(epsilon)
        return drawn(noise, epsilon=epsilon, radius=radius, dims=dims, size=size)

    monkeypatch.setattr(adding, "joint_laplace", joint)
    source = RecordedSource(replayable_source(3))
    plan = CENTRED_LINES.plan(Public.of(data), k=3, budget=Budget(epsilon=epsilon))
    answer = CENTRED_LINES.run(data, plan, source)
    assert isinstance(answer, Answer)
    layout = Layout(
        rounds=int(answer.constants["rounds"]),  # type: ignore[arg-type]
        cuts=int(math.log2(answer.constants["boxes"])),  # type: ignore[arg-type]
        lines=int(answer.constants["lines"]),  # type: ignore[arg-type]
        intervals=int(answer.constants["intervals"]) // 2,  # type: ignore[arg-type]
    )
    assert len(spent) == layout.rounds
    total = 0.0 if touched == 2 else 1 / (source.draws[0].scale or 1.0)
    found = total + price(source.draws, touched, layout, touched * math.fsum(spent))
    return found, [charge.epsilon for charge in plan.charges]


@pytest.mark.parametrize("relation", list(Adjacency))
@pytest.mark.parametrize(("records", "epsilon"), [(0, 0.5), (3000, 0.05), (3000, 2.0), (200_000, 0.5)])
def test_what_is_drawn_costs_what_was_charged(
    relation: Adjacency, records: int, epsilon: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, charged = priced_run(relation, records, epsilon, monkeypatch)
    assert 0.98 * epsilon <= found <= math.fsum(charged) * (1 + 1e-12)
    assert math.fsum(charged) <= epsilon * (1 + 1e-12)


def test_a_missing_charge_and_half_the_noise_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    found, charged = priced_run(Adjacency.ADD_REMOVE_ONE, 3000, 0.5, monkeypatch)
    for left_out in range(len(charged)):
        assert found > (math.fsum(charged) - charged[left_out]) * (1 + 1e-9)
    monkeypatch.setattr(centred_lines, "noise_scale", lambda sensitivity, epsilon: sensitivity / epsilon / 2)
    assert priced_run(Adjacency.REPLACE_ONE, 3000, 0.5, monkeypatch)[0] > 1.5 * 0.5


def test_noise_for_add_remove_under_replace_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(centred_lines, "histogram_l1", lambda relation, unit: 1)
    with pytest.raises(AssertionError):
        found, _ = priced_run(Adjacency.REPLACE_ONE, 3000, 0.5, monkeypatch)
        assert found <= 0.5 * (1 + 1e-12)


def test_every_part_line_and_interval_gets_noise_even_without_records() -> None:
    answer = run(groups(0, "replace"), 1.0, replayable_source(1))
    assert isinstance(answer, Answer) and answer.coreset is not None
    assert (answer.coreset.weights != 0).mean() > 0.5


def test_the_weights_add_up_to_the_noisy_sizes_and_not_to_the_exact_number() -> None:
    """A center takes the negative sum of its intervals, so the whole carries the noise of the sizes and no other."""
    data = groups(20_000, "replace")
    totals, negative = [], 0
    for seed in range(60):
        answer = run(data, 0.4, replayable_source(seed))
        assert isinstance(answer, Answer) and answer.coreset is not None
        totals.append(answer.coreset.weights.sum())
        negative += int((answer.coreset.weights < 0).any())
    lines = int(answer.constants["rounds"]) * int(answer.constants["boxes"]) * int(answer.constants["lines"])  # type: ignore[arg-type]
    expected = math.sqrt(2 * lines) * 2 / (0.28 * 0.4)
    assert 0.65 < np.std(totals) / expected < 1.5
    assert abs(np.mean(totals) - 20_000) < 5 * expected / math.sqrt(60)
    assert negative == 60


def test_k_median_queries_come_near_the_exact_cost() -> None:
    data = groups(50_000)
    positions, weights = weighted_local(data)
    answer = run(data, 1.0, replayable_source(2))
    assert isinstance(answer, Answer) and answer.coreset is not None
    best = solve_kmedian(positions, weights.astype(float), 3, seed=0)
    found = solve_kmedian(answer.coreset.positions, answer.coreset.weights, 3, seed=0)
    assert cost(positions, weights.astype(float), found.centers, power=1) < 1.1 * best.cost
    estimated = cost(answer.coreset.positions, answer.coreset.weights, best.centers, power=1)
    assert 0.85 < estimated / best.cost < 1.15


@pytest.mark.parametrize("dims", [3, 4])
def test_three_and_four_dimensions_are_served(dims: int) -> None:
    generator = np.random.default_rng(dims)
    middles = np.where(np.arange(3)[:, None] == np.arange(dims)[None, :], 0.8, 0.2)
    cube = np.clip(middles[generator.integers(3, size=20_000)] + generator.normal(0, 0.03, (20_000, dims)), 0, 1)
    data = ExactPoints(plain_frame([0.0] * dims, [1.0] * dims), cube)
    answer = run(data, 2.0, replayable_source(0))
    assert isinstance(answer, Answer) and answer.coreset is not None
    centers = solve_kmedian(answer.coreset.positions, answer.coreset.weights, 3, seed=0).centers
    gaps = np.sqrt(((middles[:, None] - centers[None]) ** 2).sum(axis=2)).min(axis=1)
    assert gaps.max() < 0.15


def test_persons_with_a_cap_get_noise_for_all_their_records() -> None:
    cells = np.zeros((64, 64), np.int64)
    cells[3, 4] = 9
    data = ExactCounts.from_array(GRID, cells, unit=Unit(person_column="rider", cap=3))
    source = RecordedSource(replayable_source(3))
    run(data, 1.0, source)
    scales = [draw.scale for draw in source.draws if draw.kind == "laplace"]
    plain = RecordedSource(replayable_source(3))
    run(ExactCounts.from_array(GRID, cells), 1.0, plain)
    assert scales[-1] == pytest.approx(3 * [draw.scale for draw in plain.draws if draw.kind == "laplace"][-1])  # type: ignore[operator]


def test_a_budget_below_the_noise_source_is_no_answer() -> None:
    assert isinstance(run(groups(100), 1e-6, replayable_source(0)), NoAnswer)
