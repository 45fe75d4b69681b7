"""The cost of several steps together: basic composition, zero-concentrated DP, disjoint parts, change of relation.

Floats err only towards more privacy charged. Formulas and their sources: docs/NOTATION.md.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from dpviz.domain.relation import Adjacency, Unit
from dpviz.errors import InputError
from dpviz.privacy.budget import Budget

# Formulas below are a few dozen float operations on numbers whose logarithms stay under 1,000: their relative error
# is below 1e-12. Numbers that must not be too small are widened by this much, those that must not be too large cut.
_MARGIN = 2.0**-36


def up(value: float) -> float:
    """A computed upper bound, widened so that float rounding cannot have made it too small."""
    return value if value == 0 else value * (1.0 + _MARGIN)


def down(value: float) -> float:
    """A computed lower bound, cut so that float rounding cannot have made it too large."""
    return value * (1.0 - _MARGIN)


def float_above(value: Fraction) -> float:
    """The smallest float not below an exact fraction, or one next to it."""
    near = float(value)
    return near if Fraction(near) >= value else math.nextafter(near, math.inf)


def ratio_above(numerator: int, denominator: int) -> float:
    """A float not below the quotient of two whole numbers of any length, without reducing the fraction."""
    if numerator == 0:
        return 0.0
    shift = 64 - (numerator.bit_length() - denominator.bit_length())
    if shift > 1100:
        return math.ldexp(1.0, -1022)
    quotient = -(-(numerator << max(shift, 0)) // (denominator << max(-shift, 0)))
    return math.nextafter(math.ldexp(float(quotient), -shift), math.inf) if quotient != 1 << shift else 1.0


def log_of_one_plus(rate: float, epsilon: float) -> float:
    """ln(1 + rate·(e^ε − 1)), without loss for small rates and without overflow for large ε."""
    if epsilon > 700.0:
        return epsilon + math.log(rate) if rate > 0 else 0.0
    return math.log1p(rate * math.expm1(epsilon))


def geometric_sum(epsilon: float, terms: int) -> float:
    """1 + e^ε + … + e^{(terms−1)ε}; infinite where it does not fit a float."""
    if epsilon * terms > 700.0:
        return math.inf
    return float(terms) if epsilon == 0 else math.expm1(epsilon * terms) / math.expm1(epsilon)


def histogram_l1(relation: Adjacency, unit: Unit) -> int:
    """Largest change of a histogram in L1: one cell by one, or two cells by one, times the cap."""
    return (1 if relation is Adjacency.ADD_REMOVE_ONE else 2) * unit.records


def histogram_l2(relation: Adjacency, unit: Unit) -> float:
    """Largest change of a histogram in L2."""
    return (1.0 if relation is Adjacency.ADD_REMOVE_ONE else math.sqrt(2.0)) * unit.records


def noise_scale(sensitivity: float, epsilon: float) -> float:
    """The Laplace scale sensitivity/ε as a float that is never below the exact quotient."""
    return math.nextafter(sensitivity / epsilon, math.inf)


SELECTION_RHO = 1 / 8  # the exponential mechanism with parameter ε is (ε²/8)-zCDP (Cesar, Rogers 2021)
PURE_RHO = 1 / 2  # any ε-DP step is (ε²/2)-zCDP (Bun, Steinke 2016)


def basic(parts: Iterable[Budget]) -> Budget:
    """All steps on the same data: ε and δ add up."""
    listed = list(parts)
    if not listed:
        raise InputError("nothing to compose: give at least one budget.")
    return Budget(epsilon=math.fsum(p.epsilon for p in listed), delta=math.fsum(p.delta for p in listed))


def rho_of_pure(epsilon: float) -> float:
    """zCDP of an ε-DP step."""
    return up(PURE_RHO * epsilon * epsilon)


def rho_of_selection(epsilon: float) -> float:
    """zCDP of one exponential-mechanism selection with parameter ε."""
    return up(SELECTION_RHO * epsilon * epsilon)


def rho_of_gaussian(l2_sensitivity: float, scale: float) -> float:
    """zCDP of (discrete) Gaussian noise of this scale."""
    return up((l2_sensitivity / scale) ** 2 / 2)


def scale_of_gaussian(l2_sensitivity: float, rho: float) -> float:
    """The scale of Gaussian noise that costs at most ρ."""
    return up(l2_sensitivity / math.sqrt(2 * rho))


def delta_of_zcdp(rho: float, epsilon: float) -> float:
    """δ such that ρ-zCDP gives (ε, δ)-DP: the best known conversion (Canonne, Kamath, Steinke 2020, proposition 12).

    δ = min over α > 1 of exp((α−1)(αρ−ε)) / (α−1) · (1 − 1/α)^α. Any α is valid, so the search need not be exact.
    """
    if rho == 0:
        return 0.0

    def log_delta(log_excess: float) -> float:
        excess = math.exp(log_excess)  # α − 1
        return excess * ((1 + excess) * rho - epsilon) - (1 + excess) * math.log1p(1 / excess) - log_excess

    best = _smallest(log_delta)
    return min(1.0, up(math.exp(best))) if best < 0 else 1.0


def epsilon_of_zcdp(rho: float, delta: float) -> float:
    """ε such that ρ-zCDP gives (ε, δ)-DP, by the same conversion."""
    _check_delta(delta)
    if rho == 0:
        return 0.0
    log_of_delta = math.log(delta)

    def epsilon(log_excess: float) -> float:
        excess = math.exp(log_excess)
        spent = (1 + excess) * rho
        return spent - (log_of_delta + (1 + excess) * math.log1p(1 / excess) + log_excess) / excess

    return up(max(_smallest(epsilon), 0.0))


@lru_cache(maxsize=256)
def rho_within(budget: Budget) -> float:
    """The largest ρ whose conversion fits (ε, δ), rounded down."""
    _check_delta(budget.delta)
    low, high = 0.0, budget.epsilon + 1.0  # with δ below 0.001 a larger ρ never fits
    for _ in range(200):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if epsilon_of_zcdp(middle, budget.delta) <= budget.epsilon:
            low = middle
        else:
            high = middle
    return down(low)


@dataclass(frozen=True, kw_only=True)
class PerRound:
    """What each of several equal steps may spend, and by which accounting."""

    epsilon: float
    rho: float | None  # of one round, where zCDP pays for it
    accounting: str  # "basic" or "zcdp"


def per_round(budget: Budget, rounds: int, *, rho_factor: float = SELECTION_RHO) -> PerRound:
    """The larger ε per round of basic composition and zCDP; a round with parameter ε costs rho_factor·ε² there.

    The steps must be pure (δ = 0 each): δ goes to the conversion alone. With δ = 0 the answer is basic composition.
    """
    if isinstance(rounds, bool) or not isinstance(rounds, int) or rounds < 1:
        raise InputError(f"rounds={rounds!r}: give a whole number of rounds, 1 or more.", rounds=rounds)
    plain = down(budget.epsilon / rounds)
    if budget.delta > 0:
        rho = rho_within(budget) / rounds
        concentrated = down(math.sqrt(rho / rho_factor))
        if concentrated > plain:
            return PerRound(epsilon=concentrated, rho=rho, accounting="zcdp")
    return PerRound(epsilon=plain, rho=None, accounting="basic")


def replace_from_add_remove(budget: Budget) -> Budget:
    """The replace-one guarantee of a run that is private under add/remove: (2ε, (1+e^ε)δ). Never the other way."""
    return moved_record(budget, budget)


def replace_rho_from_add_remove(rho: float) -> float:
    """The same in zCDP, where two steps apart cost four times (group privacy: g²ρ)."""
    return 4 * rho


def moved_record(left: Budget, entered: Budget) -> Budget:
    """A record that leaves one disjoint part and enters another, each private under add/remove."""
    one_way = left.delta + math.exp(left.epsilon) * entered.delta
    other_way = entered.delta + math.exp(entered.epsilon) * left.delta
    return Budget(epsilon=left.epsilon + entered.epsilon, delta=up(max(one_way, other_way)))


def disjoint_parts(parts: Sequence[Budget], relation: Adjacency) -> Budget:
    """Mechanisms that are each private under add/remove, run on disjoint parts of the data that no record chooses.

    Under add/remove a record lies in one part: the largest budget. Under replace it may leave any part and enter any
    (the same one included): twice the largest.
    """
    if not parts:
        raise InputError("nothing to compose: give the budget of at least one part.")
    largest = Budget(epsilon=max(p.epsilon for p in parts), delta=max(p.delta for p in parts))
    return largest if relation is Adjacency.ADD_REMOVE_ONE else replace_from_add_remove(largest)


def add_remove_for_replace(budget: Budget) -> Budget:
    """The budget of an add/remove run whose replace-one guarantee fits this one: the inverse of `replace_from…`."""
    epsilon = down(budget.epsilon / 2)
    return Budget(epsilon=epsilon, delta=down(budget.delta / (1 + math.exp(epsilon))))


def _check_delta(delta: float) -> None:
    if not 0 < delta < 1:
        raise InputError(f"delta={delta}: zCDP converts to a delta above 0 only, such as 1e-9.", delta=delta)


def _smallest(function: Callable[[float], float], *, low: float = -40.0, high: float = 40.0) -> float:
    """The smallest value found of a function with one valley: a coarse scan, then golden sections around its best."""
    step = 0.5
    places = [low + step * i for i in range(int((high - low) / step) + 1)]
    best = min(places, key=function)
    left, right = best - step, best + step
    ratio = (math.sqrt(5) - 1) / 2
    for _ in range(60):
        first, second = right - ratio * (right - left), left + ratio * (right - left)
        if function(first) <= function(second):
            right = second
        else:
            left = first
    return min(function(best), function((left + right) / 2))
