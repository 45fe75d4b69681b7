from __future__ import annotations

import json
import math

import pytest

from dpviz.domain import Adjacency, Unit
from dpviz.errors import DpvizError, InputError
from dpviz.privacy import (
    LEVELS,
    Budget,
    Charge,
    Guarantee,
    epsilon_of_zcdp,
    histogram_l1,
    level_by_name,
    level_numbers,
    verify,
)
from dpviz.privacy.composition import histogram_l2, rho_of_selection


def test_budgets_refuse_what_is_not_a_budget() -> None:
    for epsilon in (0, -1, math.nan, math.inf, True, "1", 101):
        with pytest.raises(InputError, match="epsilon"):
            Budget(epsilon=epsilon)  # type: ignore[arg-type]
    for delta in (-1e-9, 1e-3, math.nan, None):
        with pytest.raises(InputError, match="delta"):
            Budget(epsilon=1.0, delta=delta)  # type: ignore[arg-type]


@pytest.mark.parametrize("unit", [Unit(), Unit(person_column="rider_id", cap=3)])
def test_guarantees_and_charges_survive_json(unit: Unit) -> None:
    guarantee = Guarantee(epsilon=0.5, delta=1e-9, adjacency=Adjacency.ADD_REMOVE_ONE, unit=unit)
    assert Guarantee.from_dict(json.loads(json.dumps(guarantee.to_dict()))) == guarantee
    for charge in (Charge(name="tree", epsilon=0.1), Charge(name="rounds", epsilon=1.0, delta=1e-9, rho=0.01)):
        assert Charge.from_dict(json.loads(json.dumps(charge.to_dict()))) == charge


def test_broken_json_is_refused() -> None:
    good = Guarantee(epsilon=0.5, delta=0.0, adjacency=Adjacency.REPLACE_ONE, unit=Unit()).to_dict()
    for change in ({"epsilon": "x"}, {"delta": None}, {"adjacency": "sideways"}, {"unit": 3}, {"epsilon": -1}):
        with pytest.raises(InputError):
            Guarantee.from_dict({**good, **change})
    with pytest.raises(InputError):
        Charge.from_dict({"epsilon": 1.0, "delta": 0.0})


def test_a_guarantee_prints_as_one_sentence() -> None:
    person = Unit(person_column="rider_id", cap=3)
    text = str(Guarantee(epsilon=0.5, delta=1e-9, adjacency=Adjacency.ADD_REMOVE_ONE, unit=person))
    assert text == (
        "Differentially private with epsilon = 0.5 and delta = 1e-09 for adding or removing one person "
        "(at most 3 records each)."
    )


def test_sensitivities_follow_the_relation_and_the_cap() -> None:
    person = Unit(person_column="rider_id", cap=3)
    assert histogram_l1(Adjacency.ADD_REMOVE_ONE, Unit()) == 1
    assert histogram_l1(Adjacency.REPLACE_ONE, Unit()) == 2
    assert histogram_l1(Adjacency.ADD_REMOVE_ONE, person) == 3
    assert histogram_l2(Adjacency.REPLACE_ONE, Unit()) >= math.sqrt(2) * (1 - 1e-15)
    assert histogram_l2(Adjacency.ADD_REMOVE_ONE, person) == 3


def test_levels_run_from_most_leakage_to_least() -> None:
    budgets = [level.epsilon for level in LEVELS]
    assert budgets == sorted(set(budgets), reverse=True) and {4.0, 2.0, 1.0, 0.5, 0.2, 0.1, 0.05} <= set(budgets)
    assert [level.number for level in LEVELS] == list(range(1, len(LEVELS) + 1))
    assert len({level.name for level in LEVELS}) == len(LEVELS) and level_numbers() == f"1 to {len(LEVELS)}"


def test_a_few_levels_are_spread_over_the_slider_with_both_ends() -> None:
    assert level_by_name("Balanced").epsilon == 0.5


def test_charges_within_the_budget_are_accepted_and_the_account_is_told() -> None:
    account = verify([Charge(name="count", epsilon=0.03), Charge(name="tree", epsilon=0.97)], Budget(epsilon=1.0))
    assert (account.epsilon, account.accounting) == (1.0, "basic")


def test_a_sum_that_is_too_large_is_refused_before_anything_is_drawn() -> None:
    with pytest.raises(DpvizError, match="Nothing was drawn"):
        verify([Charge(name="count", epsilon=0.03), Charge(name="tree", epsilon=1.0)], Budget(epsilon=1.0))
    with pytest.raises(DpvizError, match="delta"):
        verify([Charge(name="gap", epsilon=0.5, delta=2e-9)], Budget(epsilon=1.0, delta=1e-9))
    with pytest.raises(DpvizError, match="without charges"):
        verify([], Budget(epsilon=1.0))


def test_a_missing_three_percent_charge_is_no_longer_hidden_by_slack() -> None:
    with pytest.raises(DpvizError):
        verify([Charge(name="a", epsilon=1.0), Charge(name="b", epsilon=1e-9)], Budget(epsilon=1.0))


def rounds(count: int, epsilon: float) -> list[Charge]:
    return [Charge(name=f"round {i}", epsilon=epsilon, rho=rho_of_selection(epsilon)) for i in range(count)]


def test_many_selections_fit_by_zcdp_where_they_do_not_by_addition() -> None:
    budget = Budget(epsilon=1.0, delta=1e-9)
    account = verify(rounds(79, 0.0389), budget)
    assert account.accounting == "zcdp" and account.epsilon <= 1.0
    with pytest.raises(DpvizError):
        verify(rounds(79, 0.0389), Budget(epsilon=1.0))
    with pytest.raises(DpvizError):
        verify(rounds(79, 0.0389 * 1.3), budget)


def test_parts_in_zcdp_and_pure_parts_add_up() -> None:
    budget = Budget(epsilon=1.2, delta=1e-9)
    account = verify([*rounds(79, 0.0389), Charge(name="refine", epsilon=0.2)], budget)
    assert account.epsilon <= 1.2
    with pytest.raises(DpvizError):
        verify([*rounds(79, 0.0389), Charge(name="refine", epsilon=0.35)], budget)


def test_a_part_with_its_own_delta_leaves_less_for_the_conversion() -> None:
    budget = Budget(epsilon=1.0, delta=1e-9)
    with pytest.raises(DpvizError):
        verify([*rounds(79, 0.0389), Charge(name="gap", epsilon=1e-4, delta=1e-9)], budget)


def test_claims_that_contradict_each_other_are_refused() -> None:
    budget = Budget(epsilon=1.0, delta=1e-9)
    with pytest.raises(DpvizError, match="contradict"):
        verify([Charge(name="pure", epsilon=0.1, rho=0.006)], budget)
    with pytest.raises(DpvizError, match="contradict"):
        verify([Charge(name="normal", epsilon=0.1, delta=1e-9, rho=0.01)], budget)
    honest = Charge(name="normal", epsilon=epsilon_of_zcdp(0.01, 1e-9), delta=1e-9, rho=0.01)
    assert verify([honest], budget).epsilon <= 1.0
