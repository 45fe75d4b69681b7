"""Exact shares of discrete Laplace noise: independent draws whose sum has exactly the law of one central draw.

Discrete Laplace noise is the difference of two geometric variables, and a geometric variable is the sum of m
independent Pólya variables NB(1/m, p). Each is sampled here as a Poisson number of logarithmic variables, with
whole-number arithmetic on uniform bits alone: wherever bounds on a power of e cannot decide, more bits are drawn and
the bounds are tightened. Proof: docs/proofs/joint.md.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dpviz.errors import InputError
from dpviz.noise.checks import checked_size, rounded_up
from dpviz.noise.decisions import Powers, bounds_of_exp_minus

MOST_PARTS = 1000
_BITS = 64  # drawn for a decision at first, and again whenever it stays open

RandomBits = Callable[[int], int]  # n → a uniform whole number below 2^n


def laplace_shares(scale: float, size: int, parts: int, randbits: RandomBits = secrets.randbits) -> NDArray[np.int64]:
    """`size` independent shares, of which `parts` add up to one draw of discrete Laplace noise of this scale."""
    whole = isinstance(parts, int) and not isinstance(parts, bool)
    if not whole or not 1 <= parts <= MOST_PARTS:
        raise InputError(f"parts={parts!r}: give a whole number from 1 to {MOST_PARTS}.", parts=parts)
    polya = Polya(1 / Fraction(rounded_up(scale)), parts, randbits)
    return np.array([polya.draw() - polya.draw() for _ in range(checked_size(size))], dtype=np.int64)


class Polya:
    """The law NB(1/parts, p) with p = exp(−rate): `parts` independent draws add up to a geometric variable."""

    def __init__(self, rate: Fraction, parts: int, randbits: RandomBits) -> None:
        self._rate, self._parts, self._randbits = rate, parts, randbits
        self._powers: dict[int, Powers] = {}
        self._bounds: dict[int, tuple[int, int]] = {}
        self._blocks = (rate.denominator // rate.numerator + 1).bit_length()  # 2^blocks > 1/rate

    def draw(self) -> int:
        """[P4] A Poisson number of logarithmic variables."""
        return sum(self._logarithmic() for _ in range(self._poisson()))

    def _poisson(self) -> int:
        """[P4a] How many uniform numbers can be multiplied before the product falls below (1 − p)^(1/parts)."""
        drawn: list[int] = []
        digits = _BITS
        while True:
            drawn.append(self._randbits(digits))
            while (below := self._product_is_below(drawn, digits)) is None:
                drawn = [word << _BITS | self._randbits(_BITS) for word in drawn]
                digits += _BITS
            if below:
                return len(drawn) - 1

    def _product_is_below(self, drawn: list[int], digits: int) -> bool | None:
        """Whether (product of the uniform numbers)^parts < 1 − p; None while their digits cannot tell."""
        if digits not in self._bounds:
            self._bounds[digits] = bounds_of_exp_minus(self._rate, 2 * digits)
        least, most = self._bounds[digits]
        one = 1 << 2 * digits
        low = high = one  # of the product, in units of 2^(−2·digits)
        for word in drawn:
            low, high = low * word >> digits, -(-high * (word + 1) >> digits)
        for bound, lower in ((low, True), (high, False)):
            power = one
            for _ in range(self._parts):
                power = power * bound >> 2 * digits if lower else -(-power * bound >> 2 * digits)
            if lower and power >= one - least:
                return False
            if not lower and power <= one - most:
                return True
        return None

    def _logarithmic(self) -> int:
        """[P4b] The law P(l) ∝ p^l/l on l = 1, 2, …, by rejection from blocks of twice the length of the one before."""
        while True:
            block, times = self._uniform(self._blocks + 1), 1
            if block == self._blocks:  # beyond all others: each further block half as often, and its weight doubled
                times = 2
                while self._randbits(1):
                    block, times = block + 1, 2 * times
            start = 1 << block
            value = start + self._randbits(block)
            if self._uniform(value) < start and self._is_kept(value, times):
                return value

    def _is_kept(self, value: int, times: int) -> bool:
        """A coin of probability times · p^value, which is at most 1."""
        drawn, digits = self._randbits(_BITS), _BITS
        while True:
            if digits not in self._powers:
                self._powers[digits] = Powers(self._rate, digits)
            low, high = self._powers[digits][value]
            if drawn < times * low:
                return True
            if drawn >= times * high:
                return False
            drawn, digits = drawn << _BITS | self._randbits(_BITS), digits + _BITS

    def _uniform(self, high: int) -> int:
        """A uniform whole number below `high`."""
        bits = (high - 1).bit_length()
        while True:
            drawn = self._randbits(bits) if bits else 0
            if drawn < high:
                return drawn
