"""How a budget is cut into parts that are private under add-remove, and what the parts cost under the relation.

Proof: docs/proofs/grid_cover.md.
"""

from __future__ import annotations

from collections.abc import Mapping

from dpviz.domain import Adjacency
from dpviz.mechanisms.exact_view import epsilon_of_total
from dpviz.privacy import Budget, Charge, add_remove_for_replace, replace_from_add_remove


def parts_of(
    relation: Adjacency, budget: Budget, total_share: float, shares: Mapping[str, float], deltas: Mapping[str, float]
) -> dict[str, Budget]:
    """Named add-remove budgets; under replace the whole is first cut to what doubles to the budget."""
    replaced = relation is Adjacency.REPLACE_ONE
    whole = add_remove_for_replace(budget) if replaced else budget
    total = epsilon_of_total(relation, total_share, whole.epsilon)
    parts = {"total": Budget(epsilon=total)} if total else {}
    for name, share in shares.items():
        parts[name] = Budget(epsilon=share * (whole.epsilon - total), delta=deltas.get(name, 0.0) * whole.delta)
    return parts


def charges_of(relation: Adjacency, parts: Mapping[str, Budget]) -> tuple[Charge, ...]:
    """What each part costs under the relation."""
    replaced = relation is Adjacency.REPLACE_ONE
    costs = {name: replace_from_add_remove(part) if replaced else part for name, part in parts.items()}
    return tuple(Charge(name=name, epsilon=cost.epsilon, delta=cost.delta) for name, cost in costs.items())
