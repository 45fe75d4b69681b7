"""What was promised, and what was charged for it."""

from __future__ import annotations

from dataclasses import dataclass

from dpviz.domain.relation import Adjacency, Unit
from dpviz.privacy.budget import Budget


@dataclass(frozen=True, kw_only=True)
class Guarantee:
    """A differential-privacy guarantee with its relation and unit. Prints as one sentence."""

    epsilon: float
    delta: float
    adjacency: Adjacency
    unit: Unit

    @classmethod
    def of(cls, budget: Budget, adjacency: Adjacency, unit: Unit) -> Guarantee:
        return cls(epsilon=budget.epsilon, delta=budget.delta, adjacency=adjacency, unit=unit)

    @property
    def budget(self) -> Budget:
        return Budget(epsilon=self.epsilon, delta=self.delta)

    def __str__(self) -> str:
        size = f"epsilon = {self.epsilon:g}" + (f" and delta = {self.delta:g}" if self.delta else "")
        change = "adding or removing" if self.adjacency is Adjacency.ADD_REMOVE_ONE else "replacing"
        return f"Differentially private with {size} for {change} {self.unit}."


@dataclass(frozen=True, kw_only=True)
class Charge:
    """One named part of what a run spends. `rho` is set where the part is accounted in zCDP."""

    name: str
    epsilon: float
    delta: float = 0.0
    rho: float | None = None
