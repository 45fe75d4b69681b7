"""Noisy counts along each axis: what they cost, what they say, and what they are good for."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from numpy.typing import NDArray

from dpviz.clustering import cost, solve_kmeans
from dpviz.domain import ExactPoints
from dpviz.domain.box import plain_frame
from dpviz.mechanisms.adaptive_tree.bisection import (
    STRIPES,
    Bisection,
    Rulers,
    exact_stripes,
    halving_order,
    measure_rulers,
    smooth_counts,
)
from dpviz.mechanisms.adaptive_tree.budget import Shares, charges_of, per_record
from dpviz.mechanisms.adaptive_tree.inference import project
from dpviz.mechanisms.adaptive_tree.mechanism import ADAPTIVE_TREE, MAPS, POINTS, AdaptiveTree
from dpviz.mechanisms.interface import Public, Purpose
from dpviz.noise import replayable_source
from dpviz.noise.adding import Adding
from dpviz.privacy import Budget

SEEDS = st.integers(0, 2**32 - 1)


class Watched(Adding):
    """Replayable noise that writes down scale and size of every draw."""

    kind, seed = "replayable", 0

    def __init__(self) -> None:
        self.source = replayable_source(0)
        self.drawn: list[tuple[float, int]] = []

    def laplace(self, scale: float, size: int) -> NDArray[np.int64]:
        self.drawn.append((scale, size))
        return self.source.laplace(scale, size)


def cloud(raw: NDArray[np.float64]) -> ExactPoints:
    frame = plain_frame([0.0] * raw.shape[1], [1.0] * raw.shape[1])
    return ExactPoints.from_array(frame, raw, outside="clip")


def narrow(dims: int, total: int, seed: int = 5) -> ExactPoints:
    """Three groups that are small beside the box, and smaller along each further axis."""
    generator = np.random.default_rng(seed)
    wide = 0.2 * 0.8 ** np.arange(dims)
    middles = generator.normal(size=(3, dims)) * wide * 0.7
    raw = 0.5 + middles[generator.integers(0, 3, total)] + generator.normal(size=(total, dims)) * wide * 0.4
    return cloud(raw)


@settings(max_examples=40, deadline=None)
@given(seed=SEEDS, dims=st.integers(1, 12))
def test_a_record_moves_the_counts_by_one_along_each_axis(seed: int, dims: int) -> None:
    generator = np.random.default_rng(seed)
    raw = generator.integers(0, 65, (20, dims)) / 64.0  # edges of stripes and of the box among them
    change = exact_stripes(cloud(raw)) - exact_stripes(cloud(raw[1:]))
    assert set(change) <= {0, 1}
    assert (change.reshape(dims, STRIPES).sum(axis=1) == 1).all()


@pytest.mark.parametrize("dims", [3, 7, 12, 40])
def test_the_counts_cost_their_share_and_the_rest_goes_on(dims: int) -> None:
    data, noise = narrow(dims, 3000), Watched()
    public, budget = Public.of(data), Budget(epsilon=0.7)
    ADAPTIVE_TREE.run(data, ADAPTIVE_TREE.plan(public, k=3, budget=budget), noise)
    whole, share = per_record(charges_of(budget, public)[1], public), POINTS.rulers(dims)
    assert share == min(Fraction(dims, 60), Fraction(1, 4))
    (scale, size) = noise.drawn[1]
    assert size == dims * STRIPES
    assert Fraction(999, 1000) * whole * share <= dims / Fraction(scale) <= whole * share
    shares = Shares.of(whole, (Fraction(1, 3),), share)
    assert shares.rulers + shares.tree + sum(shares.residual, Fraction(0)) == whole


def test_nothing_is_counted_on_maps_along_one_axis_or_for_questions() -> None:
    assert not MAPS.rulers(2)
    data, three = narrow(1, 500), narrow(3, 500)
    line, noise = Public.of(data), Watched()
    ADAPTIVE_TREE.run(data, ADAPTIVE_TREE.plan(line, k=2, budget=Budget(epsilon=1.0)), noise)
    asked = AdaptiveTree(purpose=Purpose.ANY_QUESTION)
    asked.run(three, asked.plan(Public.of(three), k=2, budget=Budget(epsilon=1.0)), noise)
    assert all(size != 3 * STRIPES and size != STRIPES for _, size in noise.drawn)
    assert measure_rulers(three, Fraction(0), 500.0, noise) is None


@settings(max_examples=30, deadline=None)
@given(seed=SEEDS, turns=st.integers(0, 5))
def test_shares_means_and_spreads_are_those_of_evenly_filled_stripes(seed: int, turns: int) -> None:
    generator = np.random.default_rng(seed)
    noisy = generator.integers(-5, 40, (2, STRIPES)).astype(float)
    rulers = Rulers.of(noisy, 1000.0)
    fine = 200
    shares = np.diff(rulers.sums[0, 1])
    assert shares.sum() == pytest.approx(1.0)
    assert (shares > 0.0).all()
    places, mass = (np.arange(STRIPES * fine) + 0.5) / (STRIPES * fine), np.repeat(shares / fine, fine)
    edges = np.arange(0, STRIPES + 1, STRIPES >> turns)
    _, means, spreads = rulers.inside(1, edges[:-1], edges[1:])
    left = 0.0
    for first, past, mean, spread in zip(edges[:-1] * fine, edges[1:] * fine, means, spreads, strict=True):
        part, at = mass[first:past], places[first:past]
        wanted = part @ at / part.sum()
        assert mean == pytest.approx(wanted)
        assert spread == pytest.approx(np.sqrt(part @ (at - wanted) ** 2 / part.sum()), rel=1e-3)
        left += part @ (at - wanted) ** 2
    assert rulers.variance_left(1, turns) == pytest.approx(left, rel=1e-3)
    assert rulers.variance_left(1, 7) == pytest.approx(rulers.variance_left(1, 6) / 4.0)


def test_the_axis_along_which_records_differ_most_is_halved_first() -> None:
    noisy = np.zeros((3, STRIPES))
    noisy[0, 14:18] = 250.0  # all in the middle
    noisy[1, [2, 3, 28, 29]] = 250.0  # two groups far apart
    noisy[2] = 1000.0 / STRIPES
    order = halving_order(plain_frame([0.0] * 3, [1.0] * 3), Rulers.of(noisy, 1000.0))
    assert order[0] == 1
    assert set(order[:3]) == {1, 2}
    assert len(order) == 36
    wide = halving_order(plain_frame([0.0] * 3, [60.0, 1.0, 1.0]), Rulers.of(noisy, 1000.0))
    assert wide[0] == 0


@settings(max_examples=30, deadline=None)
@given(seed=SEEDS, dims=st.integers(2, 7))
def test_points_of_boxes_stay_in_their_boxes(seed: int, dims: int) -> None:
    noisy = np.random.default_rng(seed).laplace(5.0, 20.0, (dims, STRIPES)).round()
    tree = Bisection(narrow(dims, 50, seed), Rulers.of(noisy, 200.0))
    for depth in (0, 2, 3):
        nodes = np.arange(1 << (4 + depth))
        low, high = tree.boxes(depth, nodes)
        placed = tree.pieces(depth, nodes)
        assert (placed >= low[:, None, :] - 1e-12).all()
        assert (placed <= high[:, None, :] + 1e-12).all()
        assert tree.pieces(depth, nodes[:0]).shape[0] == 0


def test_groups_that_are_small_beside_the_box_are_found() -> None:
    """Without the counts points are spread over boxes as wide as the frame, and the best basin cannot be seen."""
    data = narrow(8, 20_000)
    positions, ones = data.exact_local(), np.ones(20_000)
    best = solve_kmeans(positions, ones, 3, seed=0).cost
    blind = AdaptiveTree(points_recipe=replace(POINTS, rulers_per_axis=Fraction(0)))
    errors = []
    for method in (ADAPTIVE_TREE, blind):
        plan = method.plan(Public.of(data), k=3, budget=Budget(epsilon=1.0))
        answers = [method.run(data, plan, replayable_source(seed)) for seed in range(3)]
        found = [answer.centers.positions for answer in answers if answer.centers is not None]
        errors.append(float(np.median([cost(positions, ones, centers) / best - 1.0 for centers in found])))
    assert errors[0] < 0.05
    assert errors[0] < errors[1] / 5.0


@settings(max_examples=60, deadline=None)
@given(seed=SEEDS, dims=st.integers(1, 5), total=st.floats(1.0, 1e6), scale=st.floats(0.1, 1e6))
def test_smoothed_counts_are_not_below_0_and_add_up(seed: int, dims: int, total: float, scale: float) -> None:
    noisy = np.random.default_rng(seed).laplace(total / STRIPES, scale, (dims, STRIPES)).round()
    found = smooth_counts(noisy, total, 2.0 * scale**2)
    assert (found >= 0.0).all()
    assert found.sum(axis=1) == pytest.approx(np.full(dims, total))


def test_counts_without_noise_stay_and_counts_that_are_all_noise_are_spread_evenly() -> None:
    counts = np.random.default_rng(3).integers(0, 90, (2, STRIPES)).astype(float)
    counts[1] *= counts[0].sum() / counts[1].sum()
    total = float(counts[0].sum())
    assert smooth_counts(counts, total, 0.0) == pytest.approx(counts)
    assert smooth_counts(counts, total, 1e9) == pytest.approx(np.full((2, STRIPES), total / STRIPES))


def test_widths_are_told_better_by_smoothed_counts_than_by_the_nearest_ones_not_below_0() -> None:
    data, places = narrow(9, 20_000), (np.arange(STRIPES) + 0.5) / STRIPES
    exact, generator = exact_stripes(data).reshape(9, STRIPES).astype(float), np.random.default_rng(0)

    def miss(found: NDArray[np.float64]) -> float:
        widths = [(counts @ places**2 - (counts @ places) ** 2 / 20_000) / 20_000 for counts in (found, exact)]
        return float(np.abs(np.log(widths[0] / widths[1])).mean())

    cut, better = [], []
    for _ in range(20):
        noisy = exact + generator.laplace(0.0, 150.0, exact.shape)
        cut.append(miss(project(noisy, np.full(9, 20_000.0))))
        better.append(miss(smooth_counts(noisy, 20_000.0, 2.0 * 150.0**2)))
    assert np.mean(better) < 0.9 * np.mean(cut)
