"""The second look at a plan: its charges must fit into the budget, before anything is spent or drawn."""

from __future__ import annotations

from dpviz.errors import DpvizError
from dpviz.mechanisms.interface import Plan
from dpviz.privacy import Budget, verify


def check_charges(plan: Plan, budget: Budget) -> None:
    """Refuse a plan that spends more than it was given: a defect of the method, found before it can do harm."""
    verify(plan.charges, budget)


def spent(budget: Budget, plan: Plan) -> Budget:
    """What a plan costs, and guarantees: the whole ε that was asked for; δ only where the charges need it."""
    pure = Budget(epsilon=budget.epsilon, delta=0.0)
    if budget.delta == 0:
        return pure
    try:
        verify(plan.charges, pure)
    except DpvizError:
        return budget
    return pure
