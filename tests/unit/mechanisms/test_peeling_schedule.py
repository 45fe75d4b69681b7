"""The public schedule of peeled_balls: rounds, weights, budgets and floors follow from public or noisy numbers."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from dpviz.domain import Adjacency, ExactCounts, GeoBox, Grid
from dpviz.mechanisms.interface import Answer, NoAnswer, Public, Reason
from dpviz.mechanisms.peeled_balls.engine import Peeler
from dpviz.mechanisms.peeled_balls.mechanism import PEELED_BALLS, LargestCounts, charges_of
from dpviz.mechanisms.peeled_balls.schedule import peeled_weights, rounds_to_leave, spending, useful_rounds
from dpviz.noise import replayable_source
from dpviz.privacy import LEVELS, Budget, verify
from tests.oracles.peeling import NaivePeeler

BOX = GeoBox(-74.05, 40.70, -73.90, 40.80)


@pytest.mark.parametrize("delta", [0.0, 1e-9])
def test_more_privacy_never_gives_more_rounds_and_the_charges_always_fit(delta: float) -> None:
    for n in (10_000, 1_000_000, 10**9):
        for k in (1, 5, 20):
            rounds = [useful_rounds(n, k, Budget(epsilon=level.epsilon, delta=delta)) for level in LEVELS]
            assert rounds == sorted(rounds, reverse=True)
            for level, count in zip(LEVELS, rounds, strict=True):
                if count:
                    budget = Budget(epsilon=level.epsilon, delta=delta)
                    verify(charges_of(spending(budget, count), count, budget), budget)


def test_each_level_of_a_large_city_shows_fewer_points_than_the_one_before() -> None:
    for k in (5, 10):
        rounds = [useful_rounds(10_200_000, k, Budget(epsilon=level.epsilon, delta=1e-9)) for level in LEVELS]
        assert all(first > second for first, second in pairwise(rounds))


def test_weights_follow_the_paper_and_never_exceed_what_is_left() -> None:
    for n in (1, 7, 1000, 10**9):
        for k in (1, 3, 50):
            weights = peeled_weights(n, k, 200)
            assert sum(weights) <= n and all(weight >= 0 for weight in weights)
            assert weights[0] == -(-3 * n // (8 * k))
    left = 1 - sum(peeled_weights(10**9, 5, rounds_to_leave(5, 0.01))) / 10**9
    assert 0.009 < left <= 0.01


def test_the_floor_is_decided_by_the_noisy_number_of_records() -> None:
    grid = Grid(BOX, 16)
    for records, answers in ((30, False), (30_000, True)):
        cells = np.zeros((16, 16), np.int64)
        cells[4:8, 4:8] = records // 16
        data = ExactCounts.from_array(grid, cells)
        plan = PEELED_BALLS.plan(Public.of(data), k=3, budget=Budget(epsilon=0.5, delta=1e-9))
        for seed in range(5):
            answer = PEELED_BALLS.run(data, plan, replayable_source(seed))
            assert isinstance(answer, Answer if answers else NoAnswer)
            if isinstance(answer, NoAnswer):
                assert answer.reason is Reason.TOO_FEW_RECORDS


def test_under_replace_the_number_of_rounds_does_not_depend_on_the_data() -> None:
    rng = np.random.default_rng(1)
    found = set()
    for _ in range(5):
        cells = rng.poisson(rng.random((16, 16)) * 40)
        data = ExactCounts.from_array(Grid(BOX, 16), cells, relation=Adjacency.REPLACE_ONE, public_rows=20_000)
        plan = PEELED_BALLS.plan(Public.of(data), k=2, budget=Budget(epsilon=1.0, delta=1e-9))
        found.add(PEELED_BALLS.run(data, plan, replayable_source(int(rng.integers(100)))).constants["rounds"])
    assert len(found) == 1


def test_bounds_on_the_largest_counts_hold_through_questions_and_removals() -> None:
    rng = np.random.default_rng(2)
    for _ in range(20):
        side = int(2 ** rng.integers(2, 7))
        grid, cells = Grid(BOX, side), rng.poisson(2.0, (side, side)).astype(np.int64)
        state, twin = Peeler(grid, cells), NaivePeeler(grid, cells)
        counts, plain = LargestCounts(state), LargestCounts(twin)
        for _ in range(4):
            weight = max(1, int(cells.sum()) // 6)
            exact = [twin.exact_largest(rung) for rung in range(len(twin.windows))]
            reached = [rung for rung, count in enumerate(exact) if count >= weight]
            crossing = reached[0] if reached else len(exact) - 1
            counts.settle(weight)
            plain.settle(weight)
            for near in range(max(0, crossing - 2), min(len(exact), crossing + 2)):
                assert counts.lower[near] == counts.upper[near] == exact[near]
            rung = int(rng.integers(len(exact)))
            counts.learn(rung)
            plain.learn(rung)
            assert counts.lower[rung] == exact[rung]
            assert np.array_equal(counts.lower, plain.lower) and np.array_equal(counts.upper, plain.upper)
            assert (counts.lower <= exact).all() and (counts.upper >= exact).all()
            scores = [min(weight - (exact[at - 1] if at else 0), exact[at] - weight) for at in range(len(exact))]
            assert (counts.best_scores(weight) >= scores).all()
            assert all(counts.least_score(at, weight) <= scores[at] for at in range(len(exact)))
            center = (int(rng.integers(2 * side + 1)), int(rng.integers(2 * side + 1)))
            state.remove(center, weight)
            twin.remove(center, weight)
            counts.removed(weight)
            plain.removed(weight)
