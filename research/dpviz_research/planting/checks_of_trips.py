"""Checks of trips with a map of each end: what they charge, and forced transcripts for every relation and unit."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

from dpviz.mechanisms import catalogue
from dpviz.mechanisms.interface import Public
from dpviz_research.planting.finding import demand
from dpviz_research.transcripts.cases import Case, with_maps


@lru_cache(maxsize=1)
def _cases() -> tuple[Case, ...]:
    return tuple(case.shorter(3, 1) for case in with_maps("adaptive_tree"))


def trips() -> None:
    """The charges come to the whole, and a trip costs no more in the trips and both maps together."""
    for case in _cases():
        plan = catalogue.get(case.method).plan(Public.of(case.data), k=case.k, budget=case.budget)
        whole, asked = sum(Fraction(charge.epsilon) for charge in plan.charges), Fraction(case.budget.epsilon)
        demand(
            asked * (1 - Fraction(1, 10**9)) < whole <= asked,
            f"the charges add up to {float(whole):g} instead of {case.budget.epsilon:g}",
        )
        case.run()


CHECKS: dict[str, Callable[[], None]] = {"transcripts of trips": trips}
