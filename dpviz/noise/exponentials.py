"""Whole-number bounds on powers of e, as tight as asked, and coins of probability exp(−rate·gap) made with them.

They let a selection be exact: no float decides. Proofs: docs/proofs/noise.md and docs/proofs/peeled_balls.md.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from dpviz.noise.checks import rounded_down
from dpviz.noise.source import NoiseSource


def bounds_of_exp_minus(x: Fraction, precision: int) -> tuple[int, int]:
    """Integers (low, high) with low ≤ 2^precision · exp(−x) ≤ high, for x ≥ 0.

    Halve x until the alternating series converges fast, sum it between two bounds, square back up. Every step rounds
    the lower bound down and the upper bound up, so the enclosure holds whatever the number of guard bits.
    """
    if x >= precision:  # exp(−x) < 2^−precision
        return 0, 1
    halvings = (x.numerator // x.denominator).bit_length() + 8
    work = precision + 2 * halvings + 16
    y_low = (x.numerator << work) // (x.denominator << halvings)
    y_high = y_low + 1
    one = 1 << work
    low = high = term_low = term_high = one
    index = 0
    while term_high > 1:
        index += 1
        term_low = (term_low * y_low >> work) // index
        term_high = -((-term_high * y_high >> work) // index)
        if index % 2:
            low, high = low - term_high, high - term_low
        else:
            low, high = low + term_low, high + term_high
    # Terms of the series shrink and alternate: what is left is smaller than the last term, itself at most one unit.
    low, high = low - 1, min(high + 1, one)
    for _ in range(halvings):
        low, high = low * low >> work, -(-high * high >> work)
    drop = work - precision
    return low >> drop, -(-high >> drop)


class Powers:
    """Bounds of 2^precision · exp(−rate · gap) for whole gaps.

    Gaps come from exact scores, so they are remembered for one selection only; what selections share (`_doubling`)
    depends on the public rate alone.
    """

    def __init__(self, rate: Fraction, precision: int) -> None:
        self.rate = rate
        self.precision = precision
        self._known: dict[int, tuple[int, int]] = {}

    def __getitem__(self, gap: int) -> tuple[int, int]:
        bounds = self._known.get(gap)
        if bounds is None:
            bounds = self._known[gap] = self._product(gap)
        return bounds

    def _product(self, gap: int) -> tuple[int, int]:
        """exp(−rate·gap) as the product over the binary digits of the gap."""
        precision = self.precision
        low = high = 1 << precision
        for digit in range(gap.bit_length()):
            if gap >> digit & 1:
                factor_low, factor_high = _doubling(self.rate, digit, precision)
                low, high = low * factor_low >> precision, -(-high * factor_high >> precision)
        return low, high


@lru_cache(maxsize=4096)
def _doubling(rate: Fraction, digit: int, precision: int) -> tuple[int, int]:
    """Bounds of 2^precision · exp(−rate · 2^digit)."""
    return bounds_of_exp_minus(rate * (1 << digit), precision)


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
