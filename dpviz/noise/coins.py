"""Coins of probability exp(−rate·gap), exact to the last digit: what selection by rejection needs.

The rate is the very number with which the selection weighs its scores. Used and proved in docs/proofs/peeled_balls.md.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from dpviz.noise.checks import rounded_down
from dpviz.noise.exponentials import Powers
from dpviz.noise.source import NoiseSource

WORDS = 2  # numbers drawn for a coin at first
_DIGITS = 62


@lru_cache(maxsize=1024)
def selection_rate(epsilon: float, *, sensitivity: float = 1.0, monotone: bool = False) -> Fraction:
    """The exact number c with which `select` weighs a score: exp(c·score)."""
    return rounded_down(epsilon, sensitivity) / (1 if monotone else 2)


def coin(noise: NoiseSource, rate: Fraction, gap: int) -> bool:
    """True with probability exp(−rate·gap), for a whole gap ≥ 0.

    A uniform real number is compared with bounds on the power of e; where its digits so far cannot tell, more are
    drawn and the bounds are tightened in the same measure.
    """
    drawn, digits = 0, 0
    while True:
        for word in noise.integers(1 << _DIGITS, WORDS).tolist():
            drawn, digits = drawn << _DIGITS | word, digits + _DIGITS
        low, high = Powers(rate, digits)[gap]
        if drawn < low:
            return True
        if drawn >= high:
            return False
