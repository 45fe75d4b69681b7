"""Geometric numbers whose rate is, to the last digit, that of a selection: what selection by rejection needs.

P(z ≥ d) = exp(−rate·d) exactly (with the secure source), from fair digits and coins of rational probability
(Canonne, Kamath, Steinke 2020, algorithms 1 and 2). Used and proved in docs/proofs/peeled_balls.md.
"""

from __future__ import annotations

from fractions import Fraction

from dpviz.noise.checks import rounded_down
from dpviz.noise.source import NoiseSource

_DIGITS = 32


def selection_rate(epsilon: float, *, sensitivity: float = 1.0, monotone: bool = False) -> Fraction:
    """The exact number c with which `select` weighs a score: exp(c·score)."""
    return rounded_down(epsilon, sensitivity) / (1 if monotone else 2)


def geometric(noise: NoiseSource, rate: Fraction) -> int:
    """A number z ≥ 0, at least d with probability exp(−rate·d)."""
    steps = rate.denominator
    while True:
        part = _below(noise, steps)
        if _exp_coin(noise, Fraction(part, steps)):
            break
    whole = 0
    while _exp_coin(noise, Fraction(1)):
        whole += 1
    return (part + steps * whole) // rate.numerator


def _exp_coin(noise: NoiseSource, exponent: Fraction) -> bool:
    """True with probability exp(−exponent), for 0 ≤ exponent ≤ 1."""
    tosses = 1
    while exponent > 0 and bool(noise.coins(exponent / tosses, 1)[0]):
        tosses += 1
    return tosses % 2 == 1


def _below(noise: NoiseSource, high: int) -> int:
    """A uniform whole number in [0, high) of any size."""
    words = -(-high.bit_length() // _DIGITS)
    while True:
        value = 0
        for digit in noise.integers(1 << _DIGITS, words).tolist():
            value = value << _DIGITS | digit
        value >>= words * _DIGITS - high.bit_length()
        if value < high:
            return value
