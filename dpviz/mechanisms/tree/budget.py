"""Exact budgets: every spend is a fraction, every scale is rounded up, so that no path ever exceeds its share."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from dpviz.domain import Adjacency
from dpviz.mechanisms.interface import Public
from dpviz.privacy import Budget, Charge

NOISY_N_SHARE = Fraction(3, 100)
COUNTING = "noisy number of records"


def scale_for(spend: Fraction, sensitivity: int = 1) -> float:
    """The smallest float scale whose exact cost, sensitivity/scale, is at most `spend`."""
    if spend <= 0:
        raise ValueError(f"a spend of {spend} was given; it must be above 0")
    wanted = Fraction(sensitivity) / spend
    scale = float(wanted)
    return scale if Fraction(scale) >= wanted else math.nextafter(scale, math.inf)


def floor_float(value: Fraction) -> float:
    """The largest float that is not above an exact value ≥ 0."""
    near = float(value)
    return near if Fraction(near) <= value else math.nextafter(near, 0.0)


def units_touched(public: Public) -> int:
    """How many single records, removed or added one by one, one unit of protection may amount to."""
    return (2 if public.relation is Adjacency.REPLACE_ONE else 1) * public.unit.records


def charges_of(budget: Budget, public: Public) -> tuple[Charge, ...]:
    """[P2] The two charges: floats whose exact sum is at most ε. A public number of rows need not be bought."""
    rest = Fraction(budget.epsilon)
    counting: tuple[Charge, ...] = ()
    if public.public_rows is None:
        counting = (Charge(name=COUNTING, epsilon=floor_float(rest * NOISY_N_SHARE)),)
        rest -= Fraction(counting[0].epsilon)
    return (*counting, Charge(name="tree and residual rounds", epsilon=floor_float(rest)))


def per_record(charge: Charge, public: Public) -> Fraction:
    """[P1] What one record added or removed may cost, so that one unit of protection costs at most the charge."""
    return Fraction(charge.epsilon) / units_touched(public)


@dataclass(frozen=True, kw_only=True)
class Shares:
    """[P3] How the tree and the residual rounds divide what one record may cost; exact, never more than the whole."""

    whole: Fraction
    tree: Fraction
    residual: tuple[Fraction, ...]  # one entry per round

    def __post_init__(self) -> None:
        total = self.tree + sum(self.residual, Fraction(0))
        if total > self.whole or self.tree <= 0 or any(part <= 0 for part in self.residual):
            raise ValueError("the shares of a budget must be above 0 and add up to at most the whole")

    @classmethod
    def of(cls, whole: Fraction, rounds: tuple[Fraction, ...]) -> Shares:
        """Give each residual round its fraction, and the tree the rest."""
        residual = tuple(whole * share for share in rounds)
        return cls(whole=whole, tree=whole - sum(residual, Fraction(0)), residual=residual)


@dataclass(frozen=True, kw_only=True)
class Ladder:
    """What is spent at each depth of the tree: `measure[i]` on a node's first count, `rest[i]` is what its chain keeps.

    measure[0] + rest[0] = the tree's share; rest[i] = rest[i − 1] − measure[i].
    """

    measure: tuple[Fraction, ...]
    rest: tuple[Fraction, ...]

    @classmethod
    def of(cls, share: Fraction, *, depths: int, first: Fraction, step: Fraction) -> Ladder:
        """`first` of the share buys depth 0, `step` of what is left buys each further depth."""
        measure = [share * first]
        rest = [share - measure[0]]
        for _ in range(depths - 1):
            measure.append(rest[-1] * step)
            rest.append(rest[-1] - measure[-1])
        return cls(measure=tuple(measure), rest=tuple(rest))
