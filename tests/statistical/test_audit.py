"""The auditor finds planted bugs and finds nothing in the methods of the catalogue."""

from __future__ import annotations

import numpy as np
import pytest

from dpviz.domain import Adjacency
from dpviz.errors import InputError
from dpviz.experiments.audit import audit_method, lower_bound, pairs, sample
from dpviz.experiments.planted import PLANTED, honest_twin
from dpviz.mechanisms import catalogue
from dpviz.mechanisms.interface import Mechanism
from dpviz.privacy import Budget

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
    rows = audit_method("noisy_lloyd", epsilon=1.0, trials=200, k=1)
    assert {row["relation"] for row in rows} == {"add-remove", "replace"} and len(rows) == 6
    assert all(row["trials"] == 200 and row["violated"] is False for row in rows)
    with pytest.raises(InputError):
        audit_method("noisy_lloyd", trials=3)


def test_a_method_that_needs_many_records_is_audited_where_it_answers() -> None:
    rows = audit_method("peeled_balls", epsilon=1.0, trials=100, k=2)
    answered = {row["answered"] for row in rows if "empty file" not in row["pair"]}
    assert answered == {1.0} and not any(row["violated"] for row in rows)
    small = next(row for row in audit_method("noisy_lloyd", trials=100) if "lone record" in row["pair"])
    assert small["records"] == 60 and small["answered"] == 1.0
