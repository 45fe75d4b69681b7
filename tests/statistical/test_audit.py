"""The auditor finds planted bugs and finds nothing in the methods of the catalogue."""

from __future__ import annotations

import numpy as np
import pytest

from dpviz.audit.attacks import all_pairs, crowd_for, lower_bound, pairs
from dpviz.audit.running import LEAST_FORCED, Effort, audit_method, audit_pair, likelihood_ratios, sample
from dpviz.domain import Adjacency
from dpviz.errors import InputError
from dpviz.mechanisms import catalogue
from dpviz.mechanisms.interface import Mechanism
from dpviz.privacy import Budget
from dpviz_research.planted import PLANTED, honest_twin

pytestmark = pytest.mark.statistical
TRIALS = 300
METHODS = [*catalogue.METHODS, catalogue.get("subsampled:uniform_grid")]


def worst_bound(method: Mechanism, relation: Adjacency, *, trials: int, pair_numbers: tuple[int, ...]) -> float:
    budget = Budget(epsilon=1.0, delta=1e-9 if method.info.needs_delta else 0.0)
    found = list(pairs(relation, points=method.info.takes == "points", dims=max(2, method.info.dims[0])))
    bounds = []
    for number in pair_numbers:
        first, second = sample(method, found[number], k=1, budget=budget, trials=trials)
        bounds.append(lower_bound(first, second, delta=budget.delta))
    return max(bounds)


@pytest.mark.parametrize("planted", PLANTED, ids=lambda method: method.bug)
def test_a_planted_bug_is_caught(planted: Mechanism) -> None:
    assert worst_bound(planted, Adjacency.ADD_REMOVE_ONE, trials=800, pair_numbers=(0,)) > 1.0


def test_the_same_method_without_a_bug_passes() -> None:
    assert worst_bound(honest_twin(), Adjacency.ADD_REMOVE_ONE, trials=800, pair_numbers=(0, 1)) <= 1.0


@pytest.mark.parametrize("method", METHODS, ids=[method.info.name for method in METHODS])
def test_no_method_of_the_catalogue_leaks_more_than_it_claims(method: Mechanism) -> None:
    for relation in sorted(method.info.adjacencies):
        assert worst_bound(method, relation, trials=TRIALS, pair_numbers=(0, 1)) <= 1.0


def test_the_bound_is_near_the_truth_for_known_noise() -> None:
    """Laplace noise with ε = 1 on 0 against 1: the best attack has exactly this ε."""
    rng = np.random.default_rng(5)
    zero, one = (rng.laplace(place, 1.0, (40_000, 1)) for place in (0.0, 1.0))
    assert 0.75 < lower_bound(zero, one, delta=0.0) <= 1.0
    louder = rng.laplace(0.0, 0.5, (40_000, 1)), rng.laplace(1.0, 0.5, (40_000, 1))
    assert lower_bound(*louder, delta=0.0) > 1.5


def test_equal_inputs_give_no_evidence() -> None:
    rng = np.random.default_rng(6)
    assert lower_bound(rng.normal(size=(2000, 3)), rng.normal(size=(2000, 3)), delta=0.0) < 0.3
    assert lower_bound(np.zeros((500, 4)), np.zeros((500, 4)), delta=0.0) == 0.0


def test_rows_state_claim_bound_trials_and_verdict() -> None:
    rows = audit_method("noisy_lloyd", epsilon=1.0, trials=100, k=1)
    assert {row["relation"] for row in rows} == {"add-remove", "replace"} and len(rows) == 11
    assert all(row["trials"] == 100 and row["violated"] is False for row in rows)
    assert all(row["lower_bound"] <= row["exact_maximum"] <= row["claim"] * (1 + 1e-9) for row in rows)
    with pytest.raises(InputError):
        audit_method("noisy_lloyd", trials=3)


def test_a_method_that_needs_many_records_is_audited_where_it_answers() -> None:
    relation, budget = Adjacency.ADD_REMOVE_ONE, Budget(epsilon=1.0)
    method = catalogue.get("peeled_balls")
    crowded = crowd_for(method, relation, k=2, budget=budget)
    assert crowded > 1 == crowd_for(catalogue.get("noisy_lloyd"), relation, k=2, budget=budget)
    pair = all_pairs(method, relation, crowded=crowded)[0]
    row = audit_pair(method, pair, k=2, budget=budget, effort=Effort(trials=100, forced=LEAST_FORCED))
    assert row["answered"] == 1.0 and not row["violated"] and row["trials_of_all_numbers"] == LEAST_FORCED
    assert row["bound_from_all_numbers"] is None and 0.5 < row["exact_maximum"] <= 1.0


def test_an_attacker_who_sees_all_numbers_comes_near_the_exact_maximum() -> None:
    method, budget = catalogue.get("uniform_grid"), Budget(epsilon=1.0)
    empty = next(pair for pair in pairs(Adjacency.ADD_REMOVE_ONE, points=False) if "empty" in pair.name)
    first, second, most = likelihood_ratios(method, empty, k=1, budget=budget, trials=600)
    assert most == pytest.approx(1.0) and float(max(first.max(), second.max())) <= most * (1 + 1e-9)
    assert 0.4 * most < lower_bound(first, second, delta=0.0, confidence=0.99) <= most
