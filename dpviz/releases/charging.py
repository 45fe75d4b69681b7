"""The second look at a plan: its charges must fit into the budget, before anything is spent or drawn."""

from __future__ import annotations

import math

from dpviz.errors import DpvizError
from dpviz.mechanisms.interface import Plan
from dpviz.privacy import Budget


def check_charges(plan: Plan, budget: Budget) -> None:
    """Refuse a plan that spends more than it was given: a defect of the method, found before it can do harm."""
    if not plan.charges:
        raise DpvizError(f"{plan.method} planned no charge at all; this is a defect of the method. Nothing was spent.")
    for charge in plan.charges:
        if not (math.isfinite(charge.epsilon) and charge.epsilon >= 0 and 0 <= charge.delta < 1):
            raise DpvizError(f"{plan.method} planned an impossible charge for {charge.name!r}. Nothing was spent.")
    epsilon = math.fsum(charge.epsilon for charge in plan.charges)
    delta = math.fsum(charge.delta for charge in plan.charges)
    if epsilon <= 0 or not budget.covers(Budget(epsilon=epsilon, delta=delta)):
        raise DpvizError(
            f"{plan.method} planned charges of epsilon {epsilon:g} and delta {delta:g} for a budget of epsilon "
            f"{budget.epsilon:g} and delta {budget.delta:g}; this is a defect of the method. Nothing was spent.",
            method=plan.method,
        )
