"""Exact budgets: every spend is a fraction and every scale is rounded up, so that no path exceeds its share."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

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
    """The number of single removals or additions that one unit of protection may amount to."""
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
    """[P1] The price of one added or removed record for which one unit of protection costs at most the charge."""
    return Fraction(charge.epsilon) / units_touched(public)


@dataclass(frozen=True, kw_only=True)
class Shares:
    """[P3] The price of one record, divided among rulers, tree and residual rounds; exact, never above the whole."""

    whole: Fraction
    tree: Fraction
    residual: tuple[Fraction, ...]  # one entry per round
    rulers: Fraction = Fraction(0)
    pick: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        total = self.rulers + self.tree + self.pick + sum(self.residual, Fraction(0))
        if (
            total > self.whole
            or self.rulers < 0
            or self.pick < 0
            or self.tree <= 0
            or any(part <= 0 for part in self.residual)
        ):
            raise ValueError("the shares of a budget must be above 0 and add up to at most the whole")

    @classmethod
    def of(cls, whole: Fraction, rounds: tuple[Fraction, ...], rulers: Fraction = Fraction(0)) -> Shares:
        """Give the rulers a fraction, each residual round a fraction of the remainder, and the tree the rest."""
        left = whole * (1 - rulers)
        residual = tuple(left * share for share in rounds)
        return cls(whole=whole, tree=left - sum(residual, Fraction(0)), residual=residual, rulers=whole * rulers)

    def with_pick(self, spend: Fraction) -> Shares:
        """[P6b] Take the cost of a pick from the first residual round."""
        first, *others = self.residual
        return replace(self, residual=(first - spend, *others), pick=spend)


@dataclass(frozen=True, kw_only=True)
class Ladder:
    """The spending of a chain of nodes: a count of its root, then at each split a share of the remainder.

    Below a node with a large count a rough count of the children suffices: the step is an easy one. Every
    chain counts its easy steps. `spend_on_roots` + `rest(0, 0)` = the tree's share; what a split spends and what it
    leaves add up to what there was.
    """

    share: Fraction
    first: Fraction  # of the share, for depth 0
    step: Fraction  # of what a chain has left, for the first counts of the next depth
    easy_step: Fraction

    def spend_on_roots(self) -> Fraction:
        """Cost of the first count of a node of depth 0."""
        return self.share * self.first

    def rest(self, depth: int, easy: int) -> Fraction:
        """Remainder of a chain down to a live node of this depth after `easy` easy steps."""
        return _rest(self, depth, easy)

    def spend(self, depth: int, easy: int, *, easily: bool) -> Fraction:
        """Cost of the first count of a child when a live node splits."""
        return self.rest(depth, easy) * (self.easy_step if easily else self.step)


@lru_cache(maxsize=4096)
def _rest(ladder: Ladder, depth: int, easy: int) -> Fraction:
    """Cached: a run needs the same few exact fractions hundreds of times."""
    kept: Fraction = (1 - ladder.step) ** (depth - easy) * (1 - ladder.easy_step) ** easy
    return (ladder.share - ladder.spend_on_roots()) * kept
