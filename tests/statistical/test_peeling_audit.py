"""Audits of peeled_balls where rounds take place, with a planted version that must be caught."""

from __future__ import annotations

import pytest

from dpviz.audit.attacks import Pair, lower_bound, pairs
from dpviz.audit.running import sample
from dpviz.domain import Adjacency
from dpviz.mechanisms.catalogue import get
from dpviz.mechanisms.interface import Answer, Public
from dpviz.noise import NoiseSource, replayable_source
from dpviz.privacy import Budget
from dpviz_research.planted import QuietSource

TRIALS = 1500
BUDGET = Budget(epsilon=1.0)


def crowded(relation: Adjacency) -> Pair:
    return next(pair for pair in pairs(relation, points=False) if pair.name == "all mass in one cell")


@pytest.mark.statistical
@pytest.mark.parametrize("relation", list(Adjacency))
def test_no_attack_beats_the_claim_of_peeled_balls(relation: Adjacency) -> None:
    method, pair = get("peeled_balls"), crowded(relation)
    plan = method.plan(Public.of(pair.first), k=1, budget=BUDGET)
    assert isinstance(method.run(pair.first, plan, replayable_source(1)), Answer)
    first, second = sample(method, pair, k=1, budget=BUDGET, trials=TRIALS)
    assert lower_bound(first, second, delta=0.0) <= BUDGET.epsilon


@pytest.mark.statistical
@pytest.mark.parametrize("relation", list(Adjacency))
def test_peeled_balls_with_hardly_any_noise_is_caught(relation: Adjacency) -> None:
    def quiet(seed: int) -> NoiseSource:
        return QuietSource(replayable_source(seed), 0.01)  # type: ignore[return-value]

    first, second = sample(get("peeled_balls"), crowded(relation), k=1, budget=BUDGET, trials=TRIALS, source=quiet)
    assert lower_bound(first, second, delta=0.0) > BUDGET.epsilon


@pytest.mark.statistical
def test_no_attack_beats_the_claim_of_the_printed_algorithm() -> None:
    method, pair, budget = get("peeled_balls_paper"), crowded(Adjacency.REPLACE_ONE), Budget(epsilon=40.0, delta=1e-4)
    plan = method.plan(Public.of(pair.first), k=1, budget=budget)
    assert isinstance(method.run(pair.first, plan, replayable_source(1)), Answer)
    first, second = sample(method, pair, k=1, budget=budget, trials=300)
    assert lower_bound(first, second, delta=budget.delta) <= budget.epsilon
