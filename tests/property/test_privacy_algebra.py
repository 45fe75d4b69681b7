"""Laws that the arithmetic of privacy keeps for all numbers, not only for examples."""

from __future__ import annotations

import math
from fractions import Fraction

from hypothesis import assume, given, strategies as st

from dpviz.domain import Adjacency, Unit
from dpviz.errors import DpvizError
from dpviz.privacy import (
    Budget,
    Charge,
    Guarantee,
    How,
    Sampling,
    disjoint_parts,
    epsilon_of_zcdp,
    odds_sentence,
    out_of_100,
    replace_from_add_remove,
    rho_within,
    verify,
)
from dpviz.privacy.composition import basic, delta_of_zcdp, per_round, ratio_above, rho_of_selection
from dpviz.privacy.levels import group_guarantees, naive_group
from dpviz.privacy.sampling import amplified

EPSILONS = st.floats(1e-4, 10.0)
DELTAS = st.sampled_from([1e-12, 1e-9, 1e-6])
RHOS = st.floats(1e-8, 20.0)
BUDGETS = st.builds(Budget, epsilon=st.floats(1e-4, 5.0), delta=st.sampled_from([0.0, 1e-12, 1e-9]))
RELATIONS = st.sampled_from(list(Adjacency))


@given(st.lists(BUDGETS, min_size=1, max_size=8), st.randoms())
def test_composition_does_not_depend_on_the_order(budgets: list[Budget], random: object) -> None:
    shuffled = sorted(budgets, key=lambda budget: (budget.delta, budget.epsilon))
    assert basic(budgets) == basic(shuffled)


@given(BUDGETS, BUDGETS)
def test_a_sum_covers_its_parts(one: Budget, other: Budget) -> None:
    assert (one + other).covers(one) and (one + other).covers(other)


@given(RHOS, st.floats(1.0, 3.0), DELTAS)
def test_more_rho_is_more_epsilon_and_more_delta(rho: float, factor: float, delta: float) -> None:
    assert epsilon_of_zcdp(rho * factor, delta) >= epsilon_of_zcdp(rho, delta) * (1 - 1e-9)
    epsilon = epsilon_of_zcdp(rho, delta)
    assert delta_of_zcdp(rho * factor, epsilon) >= delta_of_zcdp(rho, epsilon) * (1 - 1e-9)


@given(RHOS, DELTAS)
def test_the_conversion_never_beats_the_true_loss_of_a_gaussian(rho: float, delta: float) -> None:
    """The exact δ of the Gaussian mechanism with this ρ (Balle and Wang 2018) at our ε is at most δ."""
    epsilon = epsilon_of_zcdp(rho, delta)
    assume(epsilon < 500)
    from scipy.stats import norm

    scale = 1 / math.sqrt(2 * rho)
    exact = norm.cdf(0.5 / scale - epsilon * scale) - math.exp(epsilon) * norm.cdf(-0.5 / scale - epsilon * scale)
    assert exact <= delta * (1 + 1e-6)


@given(EPSILONS, DELTAS)
def test_what_fits_fits(epsilon: float, delta: float) -> None:
    assert epsilon_of_zcdp(rho_within(Budget(epsilon=epsilon, delta=delta)), delta) <= epsilon


@given(BUDGETS, st.integers(1, 300))
def test_rounds_planned_from_a_budget_pass_the_accountant(budget: Budget, count: int) -> None:
    planned = per_round(budget, count)
    rho = rho_of_selection(planned.epsilon)
    charges = [Charge(name="round", epsilon=planned.epsilon, rho=rho) for _ in range(count)]
    assert verify(charges, budget).epsilon <= budget.epsilon * (1 + 1e-12)


@given(BUDGETS, st.lists(st.floats(0.01, 1.0), min_size=1, max_size=10), st.floats(1.001, 3.0))
def test_shares_pass_the_accountant_and_anything_more_does_not(
    budget: Budget, weights: list[float], excess: float
) -> None:
    total = math.fsum(weights)
    charges = [Charge(name="part", epsilon=budget.epsilon * weight / total) for weight in weights]
    assert verify(charges, Budget(epsilon=budget.epsilon)).accounting == "basic"
    larger = [Charge(name="part", epsilon=charge.epsilon * excess) for charge in charges]
    try:
        verify(larger, Budget(epsilon=budget.epsilon))
    except DpvizError:
        return
    raise AssertionError("charges above the budget passed")


@given(BUDGETS)
def test_replace_is_never_cheaper_than_add_remove(budget: Budget) -> None:
    assert replace_from_add_remove(budget).covers(budget)


@given(st.lists(BUDGETS, min_size=1, max_size=6), RELATIONS)
def test_disjoint_parts_cover_every_part(parts: list[Budget], relation: Adjacency) -> None:
    whole = disjoint_parts(parts, relation)
    assert all(whole.covers(part) for part in parts)


@given(BUDGETS, st.floats(1e-4, 1.0))
def test_a_sample_costs_at_most_the_whole(budget: Budget, rate: float) -> None:
    sampled = amplified(budget, Sampling(how=How.POISSON, rate=rate), Adjacency.ADD_REMOVE_ONE)
    assert budget.covers(sampled)
    assert sampled.epsilon >= math.log1p(rate * math.expm1(budget.epsilon)) * (1 - 1e-12)


@given(BUDGETS, st.integers(1, 40), st.floats(0.001, 1.0))
def test_group_bounds_are_never_weaker_than_the_naive_one(budget: Budget, group: int, rate: float) -> None:
    sampling = Sampling(how=How.POISSON, rate=rate)
    rows = group_guarantees(budget, group, relation=Adjacency.ADD_REMOVE_ONE, sampling=sampling)
    naive = naive_group(budget, group)
    assert rows == sorted(rows, key=lambda row: (row.epsilon, row.delta))
    assert rows[0].epsilon <= naive.epsilon
    assert any(row.epsilon <= naive.epsilon and row.delta <= naive.delta for row in rows)


@given(EPSILONS, st.floats(0.0, 1e-4), st.floats(0.01, 0.99))
def test_odds_rise_with_leakage_and_never_fall_below_blind_guessing(epsilon: float, delta: float, prior: float) -> None:
    assert out_of_100(epsilon, delta, prior=prior) >= 100 * max(prior, 1 - prior) - 1e-6
    assert out_of_100(epsilon * 1.5, delta, prior=prior) >= out_of_100(epsilon, delta, prior=prior)
    assert out_of_100(epsilon, delta) >= 100 * math.exp(epsilon) / (1 + math.exp(epsilon)) - 1e-6


@given(BUDGETS, RELATIONS, st.sampled_from([Unit(), Unit(person_column="p", cap=4)]))
def test_guarantees_survive_their_dictionary_and_print(budget: Budget, relation: Adjacency, unit: Unit) -> None:
    guarantee = Guarantee.of(budget, relation, unit)
    assert Guarantee.from_dict(guarantee.to_dict()) == guarantee
    assert odds_sentence(guarantee).count(".") == 1


@given(st.integers(0, 10**60), st.integers(1, 10**60))
def test_quotients_are_rounded_up_and_tightly(numerator: int, denominator: int) -> None:
    assume(numerator <= denominator)
    above = Fraction(ratio_above(numerator, denominator))
    assert Fraction(numerator, denominator) <= above <= Fraction(numerator, denominator) * (1 + Fraction(1, 2**50))
