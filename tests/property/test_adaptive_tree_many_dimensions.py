"""adaptive_tree beyond maps: halved boxes, their counts, exact bookkeeping along every path, answers."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from numpy.typing import NDArray

from dpviz.clustering import cost, solve_kmeans
from dpviz.domain import ExactPoints
from dpviz.domain.box import plain_frame
from dpviz.mechanisms.adaptive_tree import residual
from dpviz.mechanisms.adaptive_tree.bisection import ROOT_TURNS, Bisection, halving_order
from dpviz.mechanisms.adaptive_tree.growth import grow
from dpviz.mechanisms.adaptive_tree.mechanism import ADAPTIVE_TREE, POINTS, AdaptiveTree
from dpviz.mechanisms.adaptive_tree.residual import LATTICE
from dpviz.mechanisms.interface import Public
from dpviz.noise import replayable_source
from dpviz.noise.adding import Adding
from dpviz.privacy import Budget
from tests.oracles.tree import TWINS

SEEDS = st.integers(0, 2**32 - 1)


def cloud(dims: int, total: int, seed: int = 0, relation: str = "add-remove") -> ExactPoints:
    generator = np.random.default_rng(seed)
    middles = generator.random((4, dims)) * 0.8 + 0.1
    raw = middles[generator.integers(0, 4, total)] + generator.normal(0, 0.05, (total, dims))
    scale = np.arange(1, dims + 1)
    frame = plain_frame([0.0] * dims, scale.astype(float).tolist())
    return ExactPoints.from_array(frame, np.clip(raw, 0, 1) * scale, relation=relation, outside="clip")


@settings(max_examples=40, deadline=None)
@given(seed=SEEDS, dims=st.integers(1, 6))
def test_one_record_changes_one_box_of_each_depth_by_one(seed: int, dims: int) -> None:
    generator = np.random.default_rng(seed)
    frame = plain_frame([0.0] * dims, [1.0] * dims)
    raw = generator.random((30, dims))
    trees = [Bisection(ExactPoints.from_array(frame, part)) for part in (raw[1:], raw)]
    path = None
    for depth in range(min(6, trees[0].depths)):
        every = np.arange(1 << (ROOT_TURNS + depth))
        change = trees[1].exact_counts(depth, every) - trees[0].exact_counts(depth, every)
        assert sorted(change[change != 0]) == [1]
        here = int(np.flatnonzero(change)[0])
        assert path is None or here in trees[0].children(depth - 1, np.array([path]))
        path = here


@settings(max_examples=40, deadline=None)
@given(seed=SEEDS, dims=st.integers(1, 6))
def test_boxes_hold_the_records_that_are_counted_in_them(seed: int, dims: int) -> None:
    data = cloud(dims, 200, seed)
    tree = Bisection(data)
    depth = 2
    every = np.arange(1 << (ROOT_TURNS + depth))
    pieces = tree.pieces(depth, every)
    counts = tree.exact_counts(depth, every)
    middles = pieces.mean(axis=1)
    half = 2 * np.abs(pieces[0] - middles[0]).max(axis=0)
    inside = (np.abs(data.exact_local()[:, None, :] - middles[None]) <= half + 1e-9).all(axis=2)
    assert (inside.sum(axis=0) >= counts).all()
    assert counts.sum() == len(data.exact_cube)


@settings(max_examples=40, deadline=None)
@given(seed=SEEDS, dims=st.integers(1, 6))
def test_point_sums_agree_with_their_twin_and_move_by_at_most_the_lattice(seed: int, dims: int) -> None:
    generator = np.random.default_rng(seed)
    points, k = generator.random((25, dims)), int(generator.integers(1, 5))
    rest = (generator.random((k, dims)), generator.choice([1e-7, 0.05, 0.4, 9.0], k), LATTICE)
    fast, plain = {name: (fast, plain) for name, fast, plain in TWINS}["clipped_point_sums"]
    whole = fast(points, *rest)
    assert np.array_equal(whole, plain(points, *rest))
    assert np.abs(whole - fast(points[1:], *rest)).sum() <= LATTICE


@pytest.mark.parametrize("dims", [1, 3, 4, 6])
def test_every_path_of_halved_boxes_spends_at_most_its_share(dims: int) -> None:
    asked: list[tuple[int, int]] = []
    scales: list[float] = []

    class Watched(Bisection):
        def exact_counts(self, depth: int, nodes: NDArray[np.int64]) -> NDArray[np.int64]:
            asked.extend((depth, int(node)) for node in nodes)
            return super().exact_counts(depth, nodes)

    class Noise(Adding):
        kind, seed, source = "replayable", 0, replayable_source(0)

        def laplace(self, scale: float, size: int) -> NDArray[np.int64]:
            scales.extend([scale] * size)
            return self.source.laplace(scale, size)

    tree = Watched(cloud(dims, 20_000))
    share = Fraction(0.7)
    grow(tree, POINTS.ladder(share, 1e5, 3), POINTS.thresholds, Noise())
    spent: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
    for node, scale in zip(asked, scales, strict=True):
        spent[node] += 1 / Fraction(scale)
    paths: dict[tuple[int, int], Fraction] = {}
    for depth, code in sorted(spent):
        paths[depth, code] = spent[depth, code] + (paths[depth - 1, code >> 1] if depth else 0)
    assert share * Fraction(999, 1000) <= max(paths.values()) <= share


def test_the_longest_side_is_halved_first() -> None:
    frame = plain_frame([0.0, 0.0, 0.0], [1.0, 8.0, 2.0])
    assert halving_order(frame)[:4] == (1, 1, 1, 2)


@pytest.mark.parametrize("relation", ["add-remove", "replace"])
@pytest.mark.parametrize("dims", [1, 3, 4, 6])
def test_clouds_in_many_dimensions_are_clustered(dims: int, relation: str) -> None:
    data = cloud(dims, 20_000, relation=relation)
    plan = ADAPTIVE_TREE.plan(Public.of(data), k=4, budget=Budget(epsilon=2.0))
    answer = ADAPTIVE_TREE.run(data, plan, replayable_source(1))
    assert answer.centers is not None
    points, ones = data.exact_local(), np.ones(20_000)
    best = solve_kmeans(points, ones, 4, seed=0).cost
    assert cost(points, ones, answer.centers.positions) / best < 1.2


def test_no_points_at_all_are_answered() -> None:
    data = ExactPoints.from_array(plain_frame([0.0] * 3, [1.0] * 3), np.empty((0, 3)))
    plan = ADAPTIVE_TREE.plan(Public.of(data), k=3, budget=Budget(epsilon=0.1))
    answer = ADAPTIVE_TREE.run(data, plan, replayable_source(1))
    assert answer.centers is not None
    assert np.isfinite(answer.centers.positions).all()


def wide_cloud() -> ExactPoints:
    """Three groups that overlap in ten dimensions, as the main components of a table do."""
    generator = np.random.default_rng(2)
    middles = generator.normal(1.0, 0.25, (3, 10))
    raw = middles[generator.choice(3, 20_000, p=[0.45, 0.3, 0.25])] + generator.normal(0, 0.25, (20_000, 10))
    return ExactPoints.from_array(plain_frame([0.0] * 10, [2.0] * 10), raw, outside="clip")


# One round, and nothing known of a box along uncut axes.
GUESSING = AdaptiveTree(
    points_recipe=replace(POINTS, rulers_per_axis=Fraction(0), rounds_along_many_axes=(Fraction(45, 100),))
)


def middle_error(data: ExactPoints, best: float, epsilon: float, method: AdaptiveTree) -> float:
    plan = method.plan(Public.of(data), k=3, budget=Budget(epsilon=epsilon))
    answers = [method.run(data, plan, replayable_source(seed)) for seed in range(3)]
    positions, ones = data.exact_local(), np.ones(20_000)
    return float(np.median([cost(positions, ones, answer.centers.positions) / best - 1.0 for answer in answers]))


def test_corrected_centers_do_not_wander_off_where_borders_are_guessed(monkeypatch: pytest.MonkeyPatch) -> None:
    data = wide_cloud()
    best = min(solve_kmeans(data.exact_local(), np.ones(20_000), 3, seed=seed).cost for seed in range(2))
    for method in (ADAPTIVE_TREE, GUESSING):
        weak, strong = (middle_error(data, best, epsilon, method) for epsilon in (0.1, 2.0))
        assert strong < weak / 2
    monkeypatch.setattr(residual, "STEPS_IN_MANY_DIMENSIONS", residual.MOST_STEPS)
    assert not middle_error(data, best, 2.0, GUESSING) < weak / 2
