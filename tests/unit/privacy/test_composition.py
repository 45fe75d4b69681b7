from __future__ import annotations

import math

import pytest
from dp_accounting import dp_event
from dp_accounting.pld import privacy_loss_distribution as pld
from dp_accounting.rdp import rdp_privacy_accountant as rdp

from dpviz.errors import InputError
from dpviz.privacy import (
    Adjacency,
    Budget,
    add_remove_for_replace,
    disjoint_parts,
    epsilon_of_zcdp,
    replace_from_add_remove,
    rho_within,
    scale_of_gaussian,
)
from dpviz.privacy.composition import (
    basic,
    delta_of_zcdp,
    moved_record,
    per_round,
    replace_rho_from_add_remove,
    rho_of_gaussian,
    rho_of_pure,
    rho_of_selection,
)


@pytest.mark.parametrize(("scale", "count", "delta"), [(10.0, 1, 1e-6), (30.0, 20, 1e-9), (5.0, 3, 1e-5)])
def test_conversion_of_gaussians_is_above_the_true_loss_and_close_to_it(scale: float, count: int, delta: float) -> None:
    rho = count * rho_of_gaussian(1.0, scale)
    ours = epsilon_of_zcdp(rho, delta)
    exact = pld.from_gaussian_mechanism(scale).self_compose(count).get_epsilon_for_delta(delta)
    assert exact <= ours <= exact * 1.2


@pytest.mark.parametrize(("rho", "delta"), [(0.01, 1e-9), (0.5, 1e-6), (5.0, 1e-5)])
def test_conversion_is_at_most_that_of_a_renyi_accountant_on_a_grid_of_orders(rho: float, delta: float) -> None:
    accountant = rdp.RdpAccountant(orders=[1 + 10 ** (i / 20) for i in range(-40, 80)])
    accountant.compose(dp_event.GaussianDpEvent(1 / math.sqrt(2 * rho)))
    assert epsilon_of_zcdp(rho, delta) <= accountant.get_epsilon(delta) * (1 + 1e-9)


@pytest.mark.parametrize(("epsilon", "count", "delta"), [(0.05, 40, 1e-9), (0.2, 10, 1e-6)])
def test_laplace_rounds_in_zcdp_are_above_their_true_loss(epsilon: float, count: int, delta: float) -> None:
    ours = epsilon_of_zcdp(count * rho_of_pure(epsilon), delta)
    exact = pld.from_laplace_mechanism(1 / epsilon).self_compose(count).get_epsilon_for_delta(delta)
    assert exact <= ours
    assert exact <= basic([Budget(epsilon=epsilon)] * count).epsilon * (1 + 1e-4)


def test_the_conversion_and_its_inverses_agree() -> None:
    for rho in (1e-6, 0.003, 0.2, 4.0):
        for delta in (1e-12, 1e-9, 1e-4):
            epsilon = epsilon_of_zcdp(rho, delta)
            assert delta_of_zcdp(rho, epsilon) == pytest.approx(delta, rel=1e-5)
            if epsilon < 100:
                again = rho_within(Budget(epsilon=epsilon, delta=delta))
                assert again == pytest.approx(rho, rel=1e-5)


def test_a_rho_that_is_said_to_fit_fits() -> None:
    for epsilon in (1e-4, 0.05, 1.0, 30.0):
        for delta in (1e-12, 1e-9, 9e-4):
            assert epsilon_of_zcdp(rho_within(Budget(epsilon=epsilon, delta=delta)), delta) <= epsilon


def test_the_best_conversion_beats_the_textbook_one() -> None:
    for rho, delta in [(0.01, 1e-9), (1.0, 1e-6)]:
        assert epsilon_of_zcdp(rho, delta) < rho + 2 * math.sqrt(rho * math.log(1 / delta))


def test_rho_of_nothing_and_delta_of_everything() -> None:
    assert epsilon_of_zcdp(0.0, 1e-9) == 0.0
    assert delta_of_zcdp(0.0, 1.0) == 0.0
    assert delta_of_zcdp(500.0, 0.1) == 1.0
    with pytest.raises(InputError, match="delta"):
        epsilon_of_zcdp(0.1, 0.0)
    with pytest.raises(InputError, match="delta"):
        rho_within(Budget(epsilon=1.0))


def test_a_selection_costs_a_quarter_of_a_pure_step() -> None:
    assert rho_of_selection(0.4) == pytest.approx(rho_of_pure(0.4) / 4)
    assert rho_of_selection(0.4) >= 0.4**2 / 8


def test_gaussian_scale_and_rho_are_inverse_and_safe() -> None:
    scale = scale_of_gaussian(math.sqrt(2), 0.01)
    assert scale >= math.sqrt(2) / math.sqrt(0.02)
    assert rho_of_gaussian(math.sqrt(2), scale) == pytest.approx(0.01)


def test_per_round_takes_the_cheaper_accounting() -> None:
    budget = Budget(epsilon=1.0, delta=1e-9)
    few, many = per_round(budget, 2), per_round(budget, 79)
    assert (few.accounting, few.rho) == ("basic", None)
    assert few.epsilon == pytest.approx(0.5)
    assert many.accounting == "zcdp" and many.rho is not None
    assert many.epsilon > 2.5 / 79
    assert epsilon_of_zcdp(79 * rho_of_selection(many.epsilon), 1e-9) <= 1.0 * (1 + 1e-9)
    assert per_round(Budget(epsilon=1.0), 79).accounting == "basic"
    assert per_round(budget, 79, rho_factor=1 / 2).epsilon < many.epsilon
    with pytest.raises(InputError, match="rounds"):
        per_round(budget, 0)


def test_replace_costs_two_steps_of_add_remove() -> None:
    doubled = replace_from_add_remove(Budget(epsilon=0.5, delta=1e-9))
    assert doubled.epsilon == 1.0
    assert doubled.delta == pytest.approx((1 + math.exp(0.5)) * 1e-9)
    assert doubled.delta >= (1 + math.exp(0.5)) * 1e-9
    assert replace_rho_from_add_remove(0.1) == 0.4


def test_the_inverse_of_the_change_of_relation_fits() -> None:
    target = Budget(epsilon=1.0, delta=1e-9)
    assert target.covers(replace_from_add_remove(add_remove_for_replace(target)))


def test_disjoint_parts_cost_the_largest_part_once_or_twice() -> None:
    parts = [Budget(epsilon=0.5), Budget(epsilon=0.2), Budget(epsilon=0.1)]
    assert disjoint_parts(parts, Adjacency.ADD_REMOVE_ONE) == Budget(epsilon=0.5)
    assert disjoint_parts(parts, Adjacency.REPLACE_ONE) == Budget(epsilon=1.0)
    assert moved_record(parts[0], parts[1]).epsilon == pytest.approx(0.7)
    with pytest.raises(InputError):
        disjoint_parts([], Adjacency.REPLACE_ONE)


def test_parts_with_delta_never_cost_less_than_the_worse_direction() -> None:
    left, entered = Budget(epsilon=2.0, delta=1e-9), Budget(epsilon=0.1, delta=1e-6)
    both = moved_record(left, entered)
    assert both.delta >= left.delta + math.exp(2.0) * entered.delta
    assert both == moved_record(entered, left)


def test_composing_nothing_is_refused() -> None:
    with pytest.raises(InputError, match="nothing"):
        basic([])
