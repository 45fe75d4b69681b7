"""The exponential mechanism by groups of equal scores, exactly: whole numbers and lazily drawn bits decide.

Candidate i is chosen with probability proportional to multiplicity_i · exp(rate · score_i). Candidates of one score
are one group; a group is chosen by inverting the cumulative weights at a uniform real number of which only as many
binary digits are drawn as are needed to tell the groups apart, against bounds on the weights that are tightened in
the same measure; then a candidate of the group uniformly. Bounds are whole numbers, as are those of coins of
probability exp(−rate·gap): no float decides. Proofs: docs/proofs/noise.md, section 4, and docs/proofs/peeled_balls.md.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

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


FIRST_PRECISION = 160
Bits = Callable[[int], int]


def select_exactly(
    scores: NDArray[np.int64], multiplicity: NDArray[np.int64] | None, rate: Fraction, bits: Bits
) -> int:
    """Index of the chosen candidate. `bits(n)` gives n fresh random bits as a whole number."""
    values, sizes = group_scores(scores, multiplicity)
    top = values[0]
    chosen = choose_group([top - value for value in values], sizes, rate, bits)
    members = np.flatnonzero(scores == values[chosen])  # [P5] uniformly inside the group
    place = below(sizes[chosen], bits)
    if multiplicity is None:
        return int(members[place])
    return int(members[np.searchsorted(np.cumsum(multiplicity[members]), place, side="right")])


def group_scores(scores: NDArray[np.int64], multiplicity: NDArray[np.int64] | None) -> tuple[list[int], list[int]]:
    """[P1] The distinct scores, highest first, and the total multiplicity of each."""
    if multiplicity is not None:
        present = multiplicity > 0
        scores, multiplicity = scores[present], multiplicity[present]
    lowest, span = int(scores.min()), int(scores.max()) - int(scores.min())
    if multiplicity is None and span <= 2 * scores.size + 65_536:
        found = np.bincount(scores - lowest)
        distinct = np.flatnonzero(found)[::-1]
        return (distinct + lowest).tolist(), found[distinct].tolist()
    order = np.argsort(scores, kind="stable")
    ranked = scores[order]
    starts = np.flatnonzero(np.concatenate([[True], ranked[1:] != ranked[:-1]]))
    times = np.ones(scores.size, dtype=np.int64) if multiplicity is None else multiplicity[order]
    return ranked[starts][::-1].tolist(), np.add.reduceat(times, starts)[::-1].tolist()


def choose_group(gaps: list[int], sizes: list[int], rate: Fraction, bits: Bits) -> int:
    """Index j with probability proportional to sizes[j] · exp(−rate · gaps[j]); gaps rise from 0."""
    if len(gaps) == 1:
        return 0
    return choose_lazily(lambda precision: cumulative(gaps, sizes, rate, precision), bits)


def choose_lazily(bounds: Callable[[int], tuple[list[int], list[int], int]], bits: Bits) -> int:
    """Index j with probability exactly W_j / ΣW, given bounds on the cumulative weights at any precision.

    `bounds(b)` gives lower and upper bounds on W_0 + … + W_j for the listed j, and an upper bound on the sum of all
    weights, in units of 2^−b; they must close in on the true numbers as b grows.
    """
    precision = FIRST_PRECISION
    drawn = bits(precision)  # [P2] the first digits of a uniform real number
    while True:
        lower, upper, total = bounds(precision)  # [P3]
        point_low = drawn * lower[-1] >> precision
        point_high = -(-(drawn + 1) * total >> precision)
        group = bisect_left(lower, point_high)
        if group < len(lower) and (group == 0 or upper[group - 1] <= point_low):
            return group
        drawn = drawn << precision | bits(precision)  # [P4] undecided: the same number, twice the digits
        precision *= 2


def cumulative(gaps: list[int], sizes: list[int], rate: Fraction, precision: int) -> tuple[list[int], list[int], int]:
    """Bounds on the cumulative weights in units of 2^−precision, and an upper bound on the total of all groups.

    Groups whose whole remaining weight is provably below 2^(−precision/2) of the first one are not listed: they are
    inside the upper bound of the total, and a point that could fall there is undecided until the precision is raised.
    """
    table = Powers(rate, precision)
    low = high = 1 << precision
    lower, upper = [sizes[0] << precision], [sizes[0] << precision]
    remaining = sum(sizes) - sizes[0]
    negligible = sizes[0] << precision - precision // 2
    for index in range(1, len(gaps)):
        factor_low, factor_high = table[gaps[index] - gaps[index - 1]]
        low, high = low * factor_low >> precision, -(-high * factor_high >> precision)
        if remaining * high < negligible:
            return lower, upper, upper[-1] + remaining * high
        size = sizes[index]
        lower.append(lower[-1] + size * low)
        upper.append(upper[-1] + size * high)
        remaining -= size
    return lower, upper, upper[-1]


def below(high: int, bits: Bits) -> int:
    """Sample a uniform whole number in [0, high), by rejection."""
    length = (high - 1).bit_length()
    while True:
        value = bits(length) if length else 0
        if value < high:
            return value
