"""What periods cost together: the largest, the sum, or the q largest; and how a window's budget is divided."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest

from dpviz.domain import Adjacency
from dpviz.errors import InputError
from dpviz.privacy import Budget, epsilon_of_zcdp
from dpviz.privacy.windows import ADDING, DISJOINT, Spending, Together, fits, schedule, spendings_of, window_account

MONTHS = [Spending(epsilon=epsilon, period=str(number)) for number, epsilon in enumerate((0.3, 0.7, 0.2, 0.5))]


def cost(spendings: list[Spending], together: Together, delta: float = 0.0) -> float:
    return window_account(spendings, together, delta=delta).epsilon


def test_disjoint_periods_cost_the_largest() -> None:
    assert cost(MONTHS, DISJOINT) == pytest.approx(0.7, abs=1e-15)


def test_two_releases_of_one_period_add_up_even_where_periods_are_disjoint() -> None:
    assert cost([*MONTHS, Spending(epsilon=0.3, period="3")], DISJOINT) == pytest.approx(0.8)


def test_what_belongs_to_no_period_is_always_added() -> None:
    assert cost([*MONTHS, Spending(epsilon=0.1)], DISJOINT) == pytest.approx(0.8)


def test_under_replace_a_record_meets_the_dearest_period_twice() -> None:
    replaced = Together(disjoint=True, relation=Adjacency.REPLACE_ONE)
    assert cost(MONTHS, replaced) == pytest.approx(1.4)
    two_largest = 0.7 + 0.5
    assert cost(MONTHS, replaced) >= two_largest
    with pytest.raises(InputError, match="pure"):
        cost([Spending(epsilon=0.1, delta=1e-9, rho=1e-4, period="1")], replaced, 1e-6)


def test_a_month_and_a_week_overlap_and_add_up() -> None:
    weeks = [Spending(epsilon=epsilon, period=f"W{number}", track="week") for number, epsilon in enumerate((0.1, 0.25))]
    assert cost([*MONTHS, *weeks], DISJOINT) == pytest.approx(0.7 + 0.25)
    twice = Together(disjoint=False, at_most=2)
    assert cost([*MONTHS, *weeks], twice) == pytest.approx(0.7 + 0.5 + 0.25 + 0.1)


def test_persons_add_up_over_the_window() -> None:
    assert cost(MONTHS, ADDING) == pytest.approx(1.7)


@pytest.mark.parametrize("most", [1, 2, 3, 4, 9])
def test_at_most_q_periods_cost_the_dearest_choice_of_q(most: int) -> None:
    together = Together(disjoint=False, at_most=most)
    dearest = max(sum(part.epsilon for part in some) for some in itertools.combinations(MONTHS, min(most, 4)))
    assert cost(MONTHS, together) == pytest.approx(dearest)


def test_the_cheapest_of_three_accounts_is_taken() -> None:
    """A large pure release beside many small Gaussian ones: neither basic nor zCDP alone is the cheapest."""
    small = [Spending(epsilon=0.02, delta=1e-6, rho=1e-5, period=str(number)) for number in range(100)]
    both = [Spending(epsilon=0.9, period="first"), *small]
    account = window_account(both, ADDING, delta=1e-6)
    all_zcdp = epsilon_of_zcdp(100 * 1e-5 + 0.9**2 / 2, 1e-6)
    assert account.accounting == "mixed" and account.epsilon < all_zcdp and account.epsilon < 0.9 + 100 * 0.02
    assert account.epsilon == pytest.approx(0.9 + epsilon_of_zcdp(100 * 1e-5, 1e-6), rel=1e-6)


def test_a_release_with_a_delta_and_no_rho_is_never_converted() -> None:
    odd = [Spending(epsilon=0.1, delta=1e-7, period=str(number)) for number in range(5)]
    account = window_account(odd, ADDING, delta=1e-6)
    assert account.accounting == "basic" and account.epsilon == pytest.approx(0.5)
    assert account.delta == pytest.approx(5e-7)


def test_nothing_spent_costs_nothing() -> None:
    assert cost([], ADDING) == 0.0 and cost([], DISJOINT, 1e-6) == 0.0


@pytest.mark.parametrize("delta", [0.0, 1e-9, 1e-6])
@pytest.mark.parametrize("periods", [1, 2, 12, 52, 365])
def test_a_divided_window_fits_its_whole_budget_and_no_second_release_of_the_first_period_does(
    periods: int, delta: float
) -> None:
    whole = Budget(epsilon=1.0, delta=delta)
    divided = schedule(whole, periods)
    spent = spendings_of(divided)
    assert len(spent) == periods and fits(spent, ADDING, whole)
    assert not fits([*spent, Spending(epsilon=divided.first.epsilon, period="1")], ADDING, whole)
    assert Fraction(repr(divided.first.epsilon)).limit_denominator(10**9) == Fraction(repr(divided.first.epsilon))


def test_twelve_months_are_pure_and_a_year_of_days_is_gaussian() -> None:
    whole = Budget(epsilon=1.0, delta=1e-6)
    days = schedule(whole, 365)
    assert days.later_rho is not None and days.later.delta == 1e-6
    pure = schedule(Budget(epsilon=1.0), 365)
    assert pure.later_rho is None and 1 / (2 * days.later_rho) < 2 / pure.later.epsilon**2


def test_disjoint_periods_have_the_whole_each() -> None:
    divided = schedule(Budget(epsilon=0.5), 12, together=DISJOINT)
    assert divided.first == divided.later == Budget(epsilon=0.5)


def test_periods_share_what_a_person_can_meet() -> None:
    divided = schedule(Budget(epsilon=1.0), 12, together=Together(disjoint=False, at_most=3))
    assert divided.first.epsilon == pytest.approx(0.7) and divided.later.epsilon == pytest.approx(0.15)


def test_a_period_beyond_the_window_is_refused_in_one_sentence() -> None:
    divided = schedule(Budget(epsilon=1.0), 12)
    assert divided.budget(11) == divided.later
    with pytest.raises(InputError, match="12 periods"):
        divided.budget(12)


@pytest.mark.parametrize(
    ("periods", "share"), [(0, None), (1.5, None), (True, None), (2000, None), (12, 0.0), (12, 1.0), (12, "half")]
)
def test_divisions_that_mean_nothing_are_refused(periods: object, share: object) -> None:
    with pytest.raises(InputError):
        schedule(Budget(epsilon=1.0), periods, first_share=share)  # type: ignore[arg-type]


def test_at_most_is_for_persons_only() -> None:
    with pytest.raises(InputError):
        Together(disjoint=True, at_most=2)
    with pytest.raises(InputError):
        Together(disjoint=False, at_most=0)
