"""Greedy cover: coverage is counted exactly, records leave for good, the exponent is what the proof allows."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dpviz.clustering import cost, solve_kmeans
from dpviz.domain import Adjacency, ExactCounts, ExactPoints, GeoBox, Grid
from dpviz.domain.box import plain_frame
from dpviz.errors import InputError
from dpviz.mechanisms.baselines import _kernels as kernels, covering, grid_cover
from dpviz.mechanisms.baselines.covering import ONE, Image, dims_after
from dpviz.mechanisms.baselines.grid_cover import GRID_COVER, CoverGrid, CoverTable, Ladder, exponent, grid_of
from dpviz.mechanisms.exact_view import weighted_local
from dpviz.mechanisms.interface import Answer, ExactData, Public
from dpviz.noise import NoiseSource, replayable_source
from dpviz.noise.adding import Adding
from dpviz.privacy import Budget, epsilon_of_zcdp, verify
from dpviz.privacy.composition import basic
from tests.oracles import methods
from tests.oracles.recorded_source import RecordedSource

GRID = Grid(GeoBox(-74.05, 40.70, -73.90, 40.80), 64)


def groups(records: int, relation: str = "add-remove") -> ExactCounts:
    generator = np.random.default_rng(records)
    middles = np.array([[12, 12], [48, 20], [28, 50]])
    points = middles[generator.integers(3, size=records)] + generator.normal(0, 3, (records, 2))
    cells = np.zeros((64, 64), np.int64)
    np.add.at(cells, tuple(np.clip(points.astype(int), 0, 63).T), 1)
    return ExactCounts.from_array(GRID, cells, relation=relation)


def mixture(records: int, dims: int, parts: int = 3) -> ExactPoints:
    generator = np.random.default_rng(dims)
    middles = generator.uniform(0.1, 0.9, (parts, dims))
    cube = middles[generator.integers(parts, size=records)] + generator.normal(0, 0.03, (records, dims))
    return ExactPoints(plain_frame([0.0] * dims, [1.0] * dims), np.clip(cube, 0, 1))


def run(data: ExactData, epsilon: float, noise: NoiseSource, k: int = 3) -> Answer:
    plan = GRID_COVER.plan(Public.of(data), k=k, budget=Budget(epsilon=epsilon, delta=1e-9))
    answer = GRID_COVER.run(data, plan, noise)
    assert isinstance(answer, Answer) and answer.centers is not None and answer.coreset is not None
    return answer


def small_grid(dims: int) -> CoverGrid:
    low = np.full(dims, -3, np.int64)
    return CoverGrid(radius=170, unit=100, low=low, sides=np.full(dims, 7, np.int64), room=5**dims)


@pytest.mark.parametrize("dims", [1, 2, 3])
@pytest.mark.parametrize("dense", [2**22, 1])
def test_coverage_is_exact_and_falls_as_records_leave(dims: int, dense: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grid_cover, "DENSE", dense)
    generator = np.random.default_rng(dims)
    points, held = generator.integers(-320, 321, (80, dims)), generator.integers(1, 4, 80)
    grid = small_grid(dims)
    table = CoverTable(points, held, grid)
    alive = np.ones(80, np.bool_)
    for number in range(4):
        expected = methods.covered_counts(points[alive], held[alive], 100, 170**2, grid.low, grid.sides)
        scores, times = table.scores()
        values, amounts = np.unique(expected, return_counts=True)
        assert dict(zip(scores.tolist(), times.tolist(), strict=True)) == dict(
            zip(values.tolist(), amounts.tolist(), strict=True)
        )
        score, amount = int(scores[number % len(scores)]), int(times[number % len(scores)])
        vertex = grid.vertex(table.sample(score, amount, replayable_source(number)))
        inside = ((points - vertex * 100) ** 2).sum(axis=1) <= 170**2
        assert held[inside & alive].sum() == scores[number % len(scores)]
        table.cover(vertex)
        alive &= ~inside
        assert np.array_equal(table.alive, alive)


def test_no_point_covers_more_vertices_than_there_is_room_for() -> None:
    generator = np.random.default_rng(0)
    for dims in range(2, 9):
        grid = grid_of(0.5, np.full(dims, float(ONE)))
        found = np.empty(grid.room, np.int64)
        shape = (grid.unit, grid.radius**2, grid.low, grid.sides)
        amounts = [
            kernels._vertices(point, *shape, found) for point in generator.integers(-ONE // 2, ONE // 2, (50, dims))
        ]
        assert 0 < max(amounts) <= grid.room
        assert grid.size < 2**62


def test_sums_and_labels_agree_with_plain_numpy() -> None:
    generator = np.random.default_rng(1)
    points, held = generator.integers(0, 1000, (300, 3)), generator.integers(1, 4, 300)
    centers = generator.integers(0, 1000, (7, 3))
    labels = kernels.nearest_index(points, centers)
    assert np.array_equal(labels, ((points[:, None] - centers[None]) ** 2).sum(axis=2).argmin(axis=1))
    counts, sums = kernels.part_sums(points, held, labels, 7)
    for part in range(7):
        assert counts[part] == held[labels == part].sum()
        assert np.array_equal(sums[part], (points[labels == part] * held[labels == part, None]).sum(axis=0))


def test_the_exponent_is_that_of_the_proof_and_below_the_papers_bound() -> None:
    cover = Budget(epsilon=0.3, delta=1e-9)
    many = exponent(cover, 400)
    assert math.expm1(many) * math.log(1e9) <= 0.3
    assert math.expm1(many) * math.log(1e9) > 0.3 * (1 - 1e-9)
    assert math.e * many * math.log(1e9) > 0.3  # e·ε_E·ln(1/δ_E)/2 with ε_E = 2η: the paper would charge more
    few = exponent(cover, 3)
    assert few * 3 <= 0.3 and few > many


def worst_loss(chance: float, rounds: int, cover: list[tuple[int, ...]], record: int) -> tuple[float, float]:
    """Exact probabilities of all sequences of choices, with and without one record: δ at ε in both directions."""
    ways = {False: {(): 1.0}, True: {(): 1.0}}
    for present, table in ways.items():
        for _ in range(rounds):
            longer: dict[tuple[int, ...], float] = {}
            for path, probability in table.items():
                gone = {one for step in path for one in range(record + 1) if one in cover[step]}
                weights = [
                    math.exp(chance * sum(1 for one in covered if one not in gone and (present or one != record)))
                    for covered in cover
                ]
                for choice, weight in enumerate(weights):
                    longer[(*path, choice)] = probability * weight / sum(weights)
            table.clear()
            table.update(longer)
        ways[present] = table
    epsilon = math.expm1(chance) * 3.0  # for δ = e^-3
    excess = [
        sum(max(0.0, ways[a][path] - math.exp(epsilon) * ways[b][path]) for path in ways[a])
        for a, b in ((False, True), (True, False))
    ]
    return excess[0], excess[1]


def test_the_decaying_gain_argument_holds_on_enumerated_runs() -> None:
    cover = [
        (0, 1, 4),
        (2, 4),
        (3,),
        (0, 2),
        (1,),
    ]  # five places and the records that each covers; record 4 is in doubt
    for chance in (0.3, 1.0):
        for excess in worst_loss(chance, 4, cover, 4):
            assert excess <= math.exp(-3.0)


def priced_run(relation: Adjacency, records: int, epsilon: float) -> float:
    """What a run's draws cost."""
    data, delta, k = groups(records, relation.value), 1e-9, 3
    plan = GRID_COVER.plan(Public.of(data), k=k, budget=Budget(epsilon=epsilon, delta=delta))
    verify(plan.charges, plan.budget)
    source = RecordedSource(replayable_source(5))
    answer = GRID_COVER.run(data, plan, source)
    parts = GRID_COVER.split.parts(relation, plan.budget)
    listed = [draw for draw in source.draws if draw.kind in ("laplace", "gaussian", "select")]
    spent = 0.0
    if relation is Adjacency.ADD_REMOVE_ONE:
        spent += 1 / (listed.pop(0).scale or 0)
    selections = [draw for draw in listed if draw.kind == "select"]
    assert all(draw.monotone and draw.sensitivity == 1.0 for draw in selections)
    chance = max(draw.epsilon or 0 for draw in selections)
    spent += min(math.expm1(chance) * math.log(1 / parts["cover"].delta), chance * len(selections))
    counts, sizes = [draw for draw in listed if draw.kind == "laplace"]
    assert counts.size == answer.constants["candidates"] and sizes.size == k
    spent += 1 / (counts.scale or 0) + 1 / (sizes.scale or 0)
    gaussians = [draw for draw in listed if draw.kind == "gaussian"]
    step, sums = gaussians[-2:]
    diameter = math.sqrt(float((Image.of(data, 2, source).box.limits.astype(float) ** 2).sum()))
    rho = (1 / (step.scale or 0)) ** 2 / 2 + (diameter / (sums.scale or 0)) ** 2 / 2
    spent += epsilon_of_zcdp(rho, parts["last step"].delta)
    spent += 0.8 * parts["averages"].epsilon  # its noise depends on the noisy size: the next test
    return spent if relation is Adjacency.ADD_REMOVE_ONE else 2 * spent


@pytest.mark.parametrize("relation", list(Adjacency))
@pytest.mark.parametrize(("records", "epsilon"), [(0, 0.5), (3000, 0.05), (50_000, 2.0)])
def test_what_is_drawn_costs_what_was_charged(relation: Adjacency, records: int, epsilon: float) -> None:
    assert 0.9 * epsilon <= priced_run(relation, records, epsilon) <= epsilon * (1 + 1e-9)


def test_an_exponent_that_forgets_the_rounds_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grid_cover, "exponent", lambda cover, rounds: cover.epsilon / 2)
    assert priced_run(Adjacency.ADD_REMOVE_ONE, 3000, 0.5) > 1.2 * 0.5


def test_half_the_noise_in_the_last_step_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    true_scale = covering.scale_of_gaussian
    monkeypatch.setattr(covering, "scale_of_gaussian", lambda sensitivity, rho: true_scale(sensitivity, rho) / 2)
    assert priced_run(Adjacency.REPLACE_ONE, 3000, 0.5) > 1.1 * 0.5


def test_parts_and_charges_add_up_under_both_relations() -> None:
    budget = Budget(epsilon=1.0, delta=1e-8)
    for relation in Adjacency:
        charged = GRID_COVER.split.charges(relation, budget)
        assert budget.covers(basic(Budget(epsilon=charge.epsilon, delta=charge.delta) for charge in charged))
        assert math.fsum(charge.epsilon for charge in charged) > 0.999
    assert GRID_COVER.split.parts(Adjacency.REPLACE_ONE, budget)["cover"].epsilon < 0.5


class NoNoise(Adding):
    """Averages without noise, to see what is averaged; scales are kept."""

    def __init__(self) -> None:
        self.scales: list[float] = []

    def laplace(self, scale: float, size: int) -> np.ndarray:
        return np.zeros(size, np.int64)

    def gaussian(self, scale: float, size: int) -> np.ndarray:
        self.scales.append(scale)
        return np.zeros(size, np.int64)


def test_averages_are_means_with_noise_for_the_shifted_size() -> None:
    data = mixture(30_000, 2)
    image = Image.of(data, 2, replayable_source(0))
    proxies = solve_kmeans(image.exact_image, image.exact_multiplicity.astype(float), 3, seed=0).centers
    source, budget = NoNoise(), Budget(epsilon=1.0, delta=1e-9)
    found = covering.noisy_averages(image, proxies, budget, source, largest_move=math.inf)  # type: ignore[arg-type]
    labels = kernels.nearest_index(image.exact_image, np.rint(proxies).astype(np.int64))
    for part, scale in enumerate(source.scales):
        rows = image.exact_steps[labels == part]
        size = len(rows) - math.ceil(5 * math.log(2 / 1e-9))
        rho = (image.diameter / size) ** 2 / (2 * scale**2)
        assert epsilon_of_zcdp(rho, 0.5e-9) <= 0.8
        between = np.stack([image.back(proxies)[part], rows.mean(axis=0)])
        assert (found[part] >= between.min(axis=0) - 1).all() and (found[part] <= between.max(axis=0) + 1).all()


@pytest.mark.parametrize("projected", [False, True])
def test_parts_that_are_too_small_are_not_averaged(projected: bool) -> None:
    data = mixture(60, 12 if projected else 2)
    image = Image.of(data, 2, replayable_source(0))
    assert image.projected is projected
    source = RecordedSource(replayable_source(4))
    proxies = np.array([[0.0, 0.0], [ONE / 4, ONE / 4]])
    found = covering.noisy_averages(image, proxies, Budget(epsilon=0.5, delta=1e-9), source, largest_move=math.inf)
    assert not any(draw.kind == "gaussian" for draw in source.draws)
    assert (found >= 0).all() and (found <= image.box.limits).all()
    if not projected:
        assert np.allclose(found, image.back(proxies))


def test_images_lie_in_the_unit_ball_and_depend_on_one_record_each() -> None:
    data = mixture(400, 60)
    whole = Image.of(data, 4, replayable_source(2))
    part = Image.of(ExactPoints(data.frame, data.exact_cube[100:133].copy()), 4, replayable_source(2))
    assert np.array_equal(whole.exact_image[100:133], part.exact_image)
    assert (whole.exact_image.astype(float) ** 2).sum(axis=1).max() <= ONE**2 * 1.0001
    assert (np.abs(whole.exact_image) <= whole.reach).all()
    assert dims_after(100, 50_000) == 5 and dims_after(2, 10**7) == 2 and dims_after(1000, 10**9) == 8


def test_radii_end_at_the_whole_ball_and_grids_reach_the_border() -> None:
    for dims in (2, 4, 8):
        ladder = Ladder.of(np.full(dims, float(ONE)), 10_000)
        assert ladder.radii[-1] == 1.0 and list(ladder.radii) == sorted(ladder.radii)
        for grid in ladder.grids:
            assert (-grid.low * grid.unit >= ONE).all()
            assert np.array_equal(grid.vertex(0), grid.low)
            assert np.array_equal(grid.vertex(grid.size - 1), -grid.low)


def test_noisy_places_are_taken_as_far_as_noise_allows() -> None:
    known, found = np.zeros((2, 3)), np.ones((2, 3))
    assert np.allclose(covering.shrink_moves(known, found, np.array([1e-9, 1e-9]), math.inf), 1, atol=1e-6)
    assert np.allclose(covering.shrink_moves(known, found, np.array([5.0, 5.0]), math.inf), 0)
    assert np.allclose(covering.shrink_moves(known, found, np.array([np.inf, np.inf]), math.inf), 0)
    assert np.allclose(covering.shrink_moves(known, found, np.array([0.5, 0.5]), 0.5), 0.5)


@pytest.mark.parametrize("dims", [2, 4, 40])
def test_centers_come_near_the_exact_ones(dims: int) -> None:
    data = mixture(40_000, dims)
    positions, weights = weighted_local(data)
    answer = run(data, 3.0, replayable_source(1))
    assert answer.centers is not None and answer.coreset is not None
    best = solve_kmeans(positions, weights.astype(float), 3, seed=0).cost
    assert cost(positions, weights.astype(float), answer.centers.positions) < 1.3 * best
    assert (len(answer.coreset) > 3) is (dims < 6)


def test_delta_is_needed() -> None:
    with pytest.raises(InputError):
        GRID_COVER.plan(Public.of(groups(10)), k=2, budget=Budget(epsilon=1.0))
