"""Cubes and swaps: every child gets noise, swaps are scored exactly, what is drawn costs what was charged."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dpviz.clustering import cost, solve_kmeans
from dpviz.domain import Adjacency, ExactPoints
from dpviz.domain.box import plain_frame
from dpviz.errors import InputError
from dpviz.mechanisms.baselines import _kernels as kernels, balcan
from dpviz.mechanisms.baselines.balcan import BALCAN, active_middles, exact_child_counts, far_apart, local_search
from dpviz.mechanisms.baselines.covering import ONE, Image
from dpviz.mechanisms.exact_view import weighted_local
from dpviz.mechanisms.interface import Answer, Public
from dpviz.noise import replayable_source
from dpviz.privacy import Budget, epsilon_of_zcdp, verify
from tests.oracles import methods
from tests.oracles.recorded_source import RecordedSource


def mixture(records: int, dims: int, relation: Adjacency = Adjacency.ADD_REMOVE_ONE) -> ExactPoints:
    generator = np.random.default_rng(dims)
    middles = generator.uniform(0.1, 0.9, (3, dims))
    cube = middles[generator.integers(3, size=records)] + generator.normal(0, 0.03, (records, dims))
    rows = records if relation is Adjacency.REPLACE_ONE else None
    frame = plain_frame([0.0] * dims, [1.0] * dims)
    return ExactPoints(frame, np.clip(cube, 0, 1), relation=relation, public_rows=rows)


def test_swap_costs_agree_with_their_twin() -> None:
    generator = np.random.default_rng(0)
    for size, k in ((12, 1), (20, 3), (9, 9)):
        places = generator.integers(0, 50, (size, 2))
        squared = ((places[:, None] - places[None]) ** 2).sum(axis=2)
        weights = generator.integers(0, 4, size)
        chosen = generator.integers(0, size, k)  # duplicates included
        large = kernels.swap_costs(squared, weights, chosen)
        twin = methods.swap_costs(squared, weights, chosen)
        if k == 1:
            assert np.array_equal(large[0], (weights[:, None] * squared).sum(axis=0))
        assert np.array_equal(large, twin)


def test_one_record_raises_every_cost_by_at_most_the_sensitivity() -> None:
    generator = np.random.default_rng(1)
    places = generator.integers(0, 50, (25, 3))
    squared = ((places[:, None] - places[None]) ** 2).sum(axis=2)
    weights, chosen = generator.integers(0, 9, 25), np.array([3, 7, 11])
    before = kernels.swap_costs(squared, weights, chosen)
    for record in range(25):
        more = weights.copy()
        more[record] += 1
        difference = kernels.swap_costs(squared, more, chosen) - before
        assert difference.min() >= 0 and difference.max() <= squared.max()


def test_children_share_the_records_of_their_cube() -> None:
    data = mixture(500, 3)
    image = Image.of(data, 3, replayable_source(0))
    half = image.reach * 1.0
    rows = [np.arange(500)]
    exact, children = exact_child_counts(image, -image.reach[None, :], half, rows)
    assert exact.shape == (1, 8) and exact.sum() == 500
    above = image.exact_image >= 0
    assert np.array_equal(children[0], above @ np.array([4, 2, 1]))


@pytest.mark.parametrize("records", [0, 20_000])
def test_every_child_of_an_active_cube_gets_noise(records: int) -> None:
    image = Image.of(mixture(records, 2), 2, replayable_source(0))
    source = RecordedSource(replayable_source(3))
    middles = active_middles(image, 20_000, 1.0, source)
    sizes = [draw.size for draw in source.draws if draw.kind == "laplace"]
    assert sizes[0] == 4
    assert sum(sizes[1:]) <= 4 * len(middles)
    assert (records == 0) == (len(middles) < 5)


def test_far_apart_candidates_are_spread() -> None:
    places = np.array([[0, 0], [1, 0], [10, 0], [10, 1], [0, 9]])
    squared = ((places[:, None] - places[None]) ** 2).sum(axis=2)
    assert far_apart(squared, 3).tolist() == [0, 3, 4]
    assert len(far_apart(squared, 7)) == 7  # more than there are: with repetitions


def test_the_search_finds_what_serves_the_records_when_protection_is_weak() -> None:
    image = Image.of(mixture(30_000, 2), 2, replayable_source(0))
    grid = np.stack(np.meshgrid(np.arange(-700, 701, 100), np.arange(-700, 701, 100)), axis=-1).reshape(-1, 2)
    found, swaps = local_search(image, grid.astype(np.int64), 3, 50.0, 30_000, replayable_source(1))
    assert swaps == 6
    exact = solve_kmeans(image.exact_image, image.exact_multiplicity.astype(float), 3, seed=0).centers
    gaps = np.sqrt(((exact[:, None] - found[None]) ** 2).sum(axis=2)).min(axis=1)
    assert gaps.max() < 120 * ONE / balcan.COARSE


@pytest.mark.parametrize("relation", list(Adjacency))
@pytest.mark.parametrize(("records", "epsilon"), [(0, 0.5), (3000, 0.05), (30_000, 2.0)])
def test_what_is_drawn_costs_what_was_charged(relation: Adjacency, records: int, epsilon: float) -> None:
    data = mixture(records, 2, relation)
    plan = BALCAN.plan(Public.of(data), k=3, budget=Budget(epsilon=epsilon, delta=1e-9))
    verify(plan.charges, plan.budget)
    source = RecordedSource(replayable_source(5))
    answer = BALCAN.run(data, plan, source)
    assert isinstance(answer, Answer)
    parts = BALCAN.split.parts(relation, plan.budget)
    listed = [draw for draw in source.draws if draw.kind in ("laplace", "gaussian", "select")]
    spent = 0.0
    if relation is Adjacency.ADD_REMOVE_ONE:
        spent += 1 / (listed.pop(0).scale or 0)
    noisy = [draw.scale or 0 for draw in listed if draw.kind == "laplace"]
    tree, sizes = noisy[:-1], noisy[-1]
    assert len(set(tree)) == 1  # the tree may stop early; its budget is for all depths
    depths = round(parts["tree"].epsilon * tree[0])
    assert len(tree) <= depths <= balcan.MOST_DEPTHS
    spent += depths / tree[0] + 1 / sizes
    selections = [draw for draw in listed if draw.kind == "select"]
    assert len(selections) == int(answer.constants["swaps"]) + 1  # type: ignore[arg-type]
    assert all(draw.monotone for draw in selections)
    spent += math.fsum(draw.epsilon or 0 for draw in selections)
    step, sums = [draw for draw in listed if draw.kind == "gaussian"][-2:]
    diameter = math.sqrt(float((Image.of(data, 2, source).box.limits.astype(float) ** 2).sum()))
    rho = (1 / (step.scale or 0)) ** 2 / 2 + (diameter / (sums.scale or 0)) ** 2 / 2
    spent += epsilon_of_zcdp(rho, parts["last step"].delta) + 0.8 * parts["averages"].epsilon
    touched = 1 if relation is Adjacency.ADD_REMOVE_ONE else 2
    assert 0.95 * epsilon <= touched * spent <= epsilon * (1 + 1e-9)


@pytest.mark.parametrize("dims", [2, 4, 40])
def test_centers_come_near_the_exact_ones(dims: int) -> None:
    data = mixture(40_000, dims)
    positions, weights = weighted_local(data)
    best = solve_kmeans(positions, weights.astype(float), 3, seed=0).cost
    plan = BALCAN.plan(Public.of(data), k=3, budget=Budget(epsilon=4.0, delta=1e-9))
    errors = []
    for seed in range(3):
        answer = BALCAN.run(data, plan, replayable_source(seed))
        assert isinstance(answer, Answer) and answer.centers is not None
        errors.append(cost(positions, weights.astype(float), answer.centers.positions) / best - 1)
    assert np.median(errors) < 1.0


def test_delta_is_needed() -> None:
    with pytest.raises(InputError):
        BALCAN.plan(Public.of(mixture(5, 2)), k=2, budget=Budget(epsilon=1.0))
