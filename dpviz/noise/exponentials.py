"""Whole-number bounds on powers of e, as tight as asked: what lets a selection be exact without a float deciding."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache


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
