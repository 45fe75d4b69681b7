"""Floats that may only err towards more privacy charged."""

from __future__ import annotations

import math
from fractions import Fraction

from dpviz.domain.relation import Adjacency, Unit

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
