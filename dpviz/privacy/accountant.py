"""The second computation: do the charges of a plan fit its budget? Run before the first random number.

A plan computes its charges from its shares; this module knows nothing of shares and adds the charges up again, by
both accountings, in exact fractions where it adds. Floats of up to 1e-12 too much are let pass: every scale of noise
is wider by 2^-39 of itself than it was asked for (docs/proofs/noise.md, section 2), which is more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from dpviz.errors import DpvizError
from dpviz.privacy.budget import Budget
from dpviz.privacy.composition import PURE_RHO, epsilon_of_zcdp, float_above
from dpviz.privacy.guarantee import Charge

_SLACK = Fraction(1, 10**12)
_RHO_SLACK = 1 + 1e-9


@dataclass(frozen=True, kw_only=True)
class Account:
    """What charges come to, and by which accounting ("basic" or "zcdp")."""

    epsilon: float
    delta: float
    accounting: str


def verify(charges: Sequence[Charge], budget: Budget) -> Account:
    """The cheapest account of the charges; raises if none fits the budget."""
    if not charges:
        raise DpvizError("a plan without charges cannot be run: every use of the data has its price.")
    for charge in charges:
        _check_consistent(charge)
    accounts = possible_accounts(charges, budget)
    for account in accounts:
        if _fits(account, budget):
            return account
    least = min(accounts, key=lambda account: account.epsilon)
    raise DpvizError(
        f"the charges come to epsilon {least.epsilon:g} and delta {least.delta:g}; the budget is epsilon "
        f"{budget.epsilon:g} and delta {budget.delta:g}. Nothing was drawn.",
        requested=(least.epsilon, least.delta),
        budget=(budget.epsilon, budget.delta),
    )


def possible_accounts(charges: Sequence[Charge], budget: Budget) -> list[Account]:
    """Basic composition; zCDP of what carries a ρ, the rest basic; zCDP of the other pure charges as well."""
    accounts = [_basic(charges)]
    concentrated = [charge for charge in charges if charge.rho is not None]
    others = [charge for charge in charges if charge.rho is None]
    pure = [charge for charge in others if charge.delta == 0]
    if budget.delta > 0 and concentrated:
        accounts += _zcdp(concentrated, [], others, budget)
    if budget.delta > 0 and pure:
        rest = [charge for charge in others if charge.delta != 0]
        accounts += _zcdp(concentrated, pure, rest, budget)
    return sorted(accounts, key=lambda account: account.epsilon)


def _basic(charges: Sequence[Charge]) -> Account:
    epsilon = sum((Fraction(charge.epsilon) for charge in charges), Fraction(0))
    delta = sum((Fraction(charge.delta) for charge in charges), Fraction(0))
    return Account(epsilon=float_above(epsilon), delta=float_above(delta), accounting="basic")


def _zcdp(
    concentrated: Sequence[Charge], pure: Sequence[Charge], rest: Sequence[Charge], budget: Budget
) -> list[Account]:
    """One zCDP step of all the ρ, converted with what the rest leaves of δ, and composed with the rest."""
    rho = sum((Fraction(charge.rho) for charge in concentrated if charge.rho is not None), Fraction(0))
    rho += sum((Fraction(charge.epsilon) ** 2 / 2 for charge in pure), Fraction(0))
    spent = sum((Fraction(charge.delta) for charge in rest), Fraction(0))
    left = float(Fraction(budget.delta) - spent) * (1 - 1e-12)
    if left <= 0 or rho == 0:
        return []
    epsilon = Fraction(epsilon_of_zcdp(float_above(rho), left))
    epsilon += sum((Fraction(charge.epsilon) for charge in rest), Fraction(0))
    return [Account(epsilon=float_above(epsilon), delta=budget.delta, accounting="zcdp")]


def _fits(account: Account, budget: Budget) -> bool:
    within = Fraction(account.epsilon) <= Fraction(budget.epsilon) * (1 + _SLACK)
    return within and Fraction(account.delta) <= Fraction(budget.delta) * (1 + _SLACK)


def _check_consistent(charge: Charge) -> None:
    """A charge may not claim two prices that contradict each other.

    A pure charge (δ = 0) says that the part alone is ε-DP, so its ρ is at most ε²/2. An approximate one must claim
    what the conversion of its ρ gives, or more.
    """
    if charge.rho is None:
        return
    if charge.delta == 0:
        consistent = charge.rho <= PURE_RHO * charge.epsilon**2 * _RHO_SLACK
    else:
        consistent = epsilon_of_zcdp(charge.rho, charge.delta) <= charge.epsilon * _RHO_SLACK
    if not consistent:
        raise DpvizError(
            f"charge {charge.name!r} claims epsilon {charge.epsilon:g}, delta {charge.delta:g} and rho "
            f"{charge.rho:g}, which contradict each other.",
            charge=charge.name,
        )
