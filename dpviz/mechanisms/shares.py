"""Plans that buy the number of records where it is secret and cut the rest of the budget into fixed named shares.

All shares are privacy-bearing. A proof page calls the price of the number ε₁.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from dpviz.domain import Adjacency
from dpviz.errors import DpvizError
from dpviz.mechanisms.exact_view import protected_total
from dpviz.mechanisms.interface import ExactData, MethodInfo, Plan, Public, check_request
from dpviz.noise import NoiseSource
from dpviz.privacy import Budget, Charge, add_remove_for_replace, replace_from_add_remove, verify

TOTAL_SHARE = 0.03  # privacy-bearing: of ε, for the noisy number of records under add-remove


@dataclass(frozen=True, kw_only=True)
class BudgetSplit:
    """Fixed shares of a budget, after the number of records.

    With `doubled`, parts are private under add-remove alone: under replace a part costs a removal and an addition.
    """

    shares: Mapping[str, float]  # of the ε that is left
    deltas: Mapping[str, float] = field(default_factory=dict)  # of δ
    total: float = TOTAL_SHARE
    doubled: bool = False

    def parts(self, relation: Adjacency, budget: Budget) -> dict[str, Budget]:
        """Cut a budget into named parts, `total` first where the number of records is secret."""
        replaced = relation is Adjacency.REPLACE_ONE
        whole = add_remove_for_replace(budget) if self.doubled and replaced else budget
        total = 0.0 if replaced else self.total * whole.epsilon
        parts = {"total": Budget(epsilon=total)} if total else {}
        for name, share in self.shares.items():
            delta = self.deltas.get(name, 0.0) * whole.delta
            parts[name] = Budget(epsilon=share * (whole.epsilon - total), delta=delta)
        return parts

    def charges(self, relation: Adjacency, budget: Budget) -> tuple[Charge, ...]:
        """What each part costs under the relation."""
        parts = self.parts(relation, budget)
        if self.doubled and relation is Adjacency.REPLACE_ONE:
            parts = {name: replace_from_add_remove(part) for name, part in parts.items()}
        return tuple(Charge(name=name, epsilon=part.epsilon, delta=part.delta) for name, part in parts.items())


class FixedShares:
    """A method whose parts have fixed shares of the budget."""

    info: MethodInfo
    split: BudgetSplit

    def plan(self, public: Public, *, k: int, budget: Budget) -> Plan:
        """Charge every part; the charges add up to the budget."""
        check_request(self.info, public, k=k, budget=budget)
        charges = self.split.charges(public.relation, budget)
        return Plan(method=self.info.name, k=k, budget=budget, charges=charges)

    def buy_total(self, data: ExactData, plan: Plan, noise: NoiseSource) -> tuple[dict[str, Budget], int]:
        """The parts of a run's budget, and the number of records, at least 1: public, or noisy for `total`."""
        parts = self.split.parts(data.relation, plan.budget)
        return parts, protected_total(data, parts["total"].epsilon if "total" in parts else 0.0, noise)


def needs_delta(plan: Plan, share: Budget) -> bool:
    """Whether the charges fit a budget with its δ alone; raises where they do not fit at all."""
    verify(plan.charges, share)
    try:
        verify(plan.charges, Budget(epsilon=share.epsilon))
    except DpvizError:
        return True
    return False
