"""Budgets: small frozen values with a closed algebra."""

from __future__ import annotations

import math
from dataclasses import dataclass

from dpviz.errors import InputError

DEFAULT_DELTA = 1e-9
LARGEST_EPSILON = 100.0
LARGEST_DELTA = 1e-3  # δ stays below it
# Sums of shares are compared with this relative slack, always in the direction that charges more.
_SLACK = 1e-12


@dataclass(frozen=True, kw_only=True)
class Budget:
    """How much privacy may be spent: ε > 0, and δ (0 for a pure guarantee)."""

    epsilon: float
    delta: float = 0.0

    def __post_init__(self) -> None:
        for name, value in (("epsilon", self.epsilon), ("delta", self.delta)):
            if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
                raise InputError(f"{name}={value!r} is not a finite number.", **{name: value})
        if self.epsilon <= 0:
            raise InputError(f"epsilon={self.epsilon}: it must be above 0, such as 0.5.", epsilon=self.epsilon)
        if self.epsilon > LARGEST_EPSILON:
            raise InputError(
                f"epsilon={self.epsilon} protects nobody; use at most {LARGEST_EPSILON:g} "
                "(sensible levels are 0.05 to 4).",
                epsilon=self.epsilon,
            )
        if not 0 <= self.delta < LARGEST_DELTA:
            raise InputError(
                f"delta={self.delta}: it must be 0 or a very small number below 0.001, such as 1e-9.", delta=self.delta
            )
        object.__setattr__(self, "epsilon", float(self.epsilon))
        object.__setattr__(self, "delta", float(self.delta))

    def share(self, fraction: float, *, delta_fraction: float | None = None) -> Budget:
        """A part of this budget."""
        if not 0 < fraction <= 1:
            raise InputError(f"a share of {fraction} is not between 0 and 1.", fraction=fraction)
        part = fraction if delta_fraction is None else delta_fraction
        return Budget(epsilon=self.epsilon * fraction, delta=self.delta * part)

    def __add__(self, other: Budget) -> Budget:
        """Basic composition."""
        return Budget(epsilon=self.epsilon + other.epsilon, delta=self.delta + other.delta)

    def covers(self, other: Budget) -> bool:
        return other.epsilon <= self.epsilon * (1 + _SLACK) and other.delta <= self.delta * (1 + _SLACK)
