"""Exact arithmetic on budgets for the ledger: ten releases of 0.1 fit into a total of 1, the eleventh does not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal
from fractions import Fraction
from math import ceil

from dpviz.errors import InputError
from dpviz.privacy import Budget


@dataclass(frozen=True, kw_only=True)
class Amount:
    """ε and δ as exact fractions of the decimals that the user wrote. May exceed what one Budget may hold."""

    epsilon: Fraction
    delta: Fraction

    @classmethod
    def of(cls, budget: Budget) -> Amount:
        """The shortest decimals that mean these floats: 0.1 is a tenth, not 0.1000000000000000055."""
        return cls(epsilon=Fraction(repr(budget.epsilon)), delta=Fraction(repr(budget.delta)))

    @classmethod
    def parse(cls, epsilon: str, delta: str) -> Amount:
        """Read the ledger's own spelling."""
        return cls(epsilon=Fraction(epsilon), delta=Fraction(delta))

    @classmethod
    def total(cls, parts: Iterable[Amount]) -> Amount:
        """The sum, exactly: basic composition."""
        listed = list(parts)
        return cls(
            epsilon=sum((part.epsilon for part in listed), Fraction(0)),
            delta=sum((part.delta for part in listed), Fraction(0)),
        )

    @classmethod
    def of_levels(cls, budget: Budget, levels: Sequence[float], total: Amount) -> Amount:
        """The part of a dataset's total that a release spends where every record chose its own level.

        Each level has a total in proportion: its own ε, times `total` over the largest level where that is above 1,
        and `total` at most. A release costs a level the smaller of its ε and the budget's. The level that loses the
        largest part of its total decides, rounded up to 12 decimals. Without levels: the budget.
        """
        whole = cls.of(budget)
        if not levels:
            return whole
        offered = [Fraction(repr(level)) for level in levels]
        reference = min(max(offered), total.epsilon)
        part = max(min(level, whole.epsilon) / min(level, reference) for level in offered)
        return cls(epsilon=Fraction(ceil(part * reference * 10**12), 10**12), delta=whole.delta)

    def __sub__(self, other: Amount) -> Amount:
        return Amount(epsilon=self.epsilon - other.epsilon, delta=self.delta - other.delta)

    def covers(self, other: Amount) -> bool:
        """Whether `other` fits, both parts, without any slack."""
        return other.epsilon <= self.epsilon and other.delta <= self.delta

    def text(self) -> tuple[str, str]:
        """How the ledger spells it: decimals that mean exactly this amount."""
        return _decimal_text(self.epsilon), _decimal_text(self.delta)

    def as_numbers(self) -> dict[str, float]:
        """As floats, for JSON and screens; the ledger itself adds fractions."""
        return {"epsilon": float(self.epsilon), "delta": float(self.delta)}

    def __str__(self) -> str:
        words = f"epsilon {float(self.epsilon):.12g}"
        return words if not self.delta else f"{words} and delta {float(self.delta):.6g}"


def share_of(total: Budget, share: float) -> Budget | None:
    """A stated share of a total's ε, rounded down where it is no short decimal; no δ. None for a share of 0."""
    if isinstance(share, bool) or not isinstance(share, int | float) or not 0 <= share < 1:
        raise InputError(
            f"standin_share={share!r}: the stand-in's share of the total is a number from 0 to below 1, such as 0.2.",
            standin_share=share,
        )
    if share == 0:
        return None
    exact = Decimal(repr(float(share))) * Decimal(repr(total.epsilon))
    places = exact.quantize(Decimal("1e-12"), rounding=ROUND_FLOOR)
    if places <= 0:
        raise InputError(f"standin_share={share!r} of epsilon {total.epsilon:g} is nothing; give a larger share.")
    return Budget(epsilon=float(places))


def _decimal_text(value: Fraction) -> str:
    """A fraction whose denominator has only the prime factors 2 and 5, written out in full."""
    shift = 0
    while (value * 10**shift).denominator != 1:
        shift += 1
        if shift > 400:
            raise InputError("an amount in the ledger must be a finite decimal number.")
    digits = (value * 10**shift).numerator
    return str(Decimal(digits).scaleb(-shift)) if abs(digits) < 10**27 else f"{digits}e-{shift}"
