"""Private decisions: exact selections, and what is sampled in several steps but published as one outcome.

Number and kind of the samples depend on exact data; the outcome alone reveals no more than its law. Each decision
states its query in public numbers, samples, and knows its law on its data.

The exponential mechanism: candidate i is chosen with probability proportional to multiplicity_i · exp(rate · score_i).
Candidates of one score are one group; a group is chosen by inverting the cumulative weights at a uniform real number of
which only as many binary digits are drawn as are needed to tell the groups apart, against bounds on the weights that
are tightened in the same measure; then a candidate of the group uniformly. All bounds are whole numbers: no float
decides. Proofs: docs/proofs/noise.md, section 4, and docs/proofs/peeled_balls.md.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dpviz.noise.checks import rounded_down
from dpviz.noise.source import (
    Integers,
    ListedLaw,
    NoiseSource,
    QueriesLaw,
    Question,
    Sampler,
    around,
    log,
    noise_at_least,
    noise_is,
)


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


@dataclass(frozen=True, kw_only=True, eq=False)
class FirstAbove:
    """The first of some queries that passes a noisy limit (sparse vector, one answer), or None.

    ε-DP for queries of sensitivity 1 when both scales are 2/ε and 4/ε: `limit_scale` and `query_scale`.
    """

    exact_query: Callable[[int], int]
    queries: int  # how many there are at most
    limit: int
    limit_scale: float
    query_scale: float

    @property
    def question(self) -> Question:
        """The query. A limit moved by 1 compensates for queries that do not pass, 2 more for the one that does."""
        epsilon = 1.0 / self.limit_scale + 2.0 / self.query_scale
        public = (self.queries, self.limit, self.limit_scale, self.query_scale)
        return Question(kind="first above", epsilon=epsilon, public=public)

    def sample(self, noise: Sampler) -> int | None:
        """Sample the first query that passes."""
        limit = self.limit + int(noise.laplace(self.limit_scale, 1)[0])
        for number in range(self.queries):
            if self.exact_query(number) + int(noise.laplace(self.query_scale, 1)[0]) >= limit:
                return number
        return None

    def exact_law(self) -> QueriesLaw:
        """The law, from the queries and scales."""
        values: dict[Hashable, int] = {number: self.exact_query(number) for number in range(self.queries)}
        return QueriesLaw(
            values=values,
            scale=self.limit_scale,
            threshold=self.limit,
            listed=lambda: self._logs(list(values.values())),
        )

    def _logs(self, values: list[int]) -> dict[Hashable, float]:
        """Given the noise of the limit, queries pass independently."""
        drawn = around(0, self.limit_scale)
        still = noise_is(drawn, self.limit_scale)
        logs: dict[Hashable, float] = {}
        for number in range(self.queries):
            passes = noise_at_least(self.limit + drawn - values[number], self.query_scale)
            logs[number] = log(float((still * passes).sum()))
            still = still * (1.0 - passes)
        logs[None] = log(float(still.sum()))
        return logs


@dataclass(frozen=True, kw_only=True, eq=False)
class StableChoice:
    """The occupied place with the largest noisy count, if that passes a threshold; else None.

    Empty places are no candidates; that costs the δ of the threshold.
    """

    places: tuple[Hashable, ...]  # occupied ones, in a public order
    held: Integers
    scale: float
    threshold: int
    delta: float = 0.0

    @property
    def question(self) -> Question:
        """The query. Under replace two of the counts move by 1."""
        public = (self.scale, self.threshold)
        return Question(kind="stable choice", epsilon=2.0 / self.scale, delta=self.delta, public=public)

    def sample(self, noise: Sampler) -> Hashable | None:
        """Sample the winner."""
        if len(self.held) == 0:
            return None
        noisy = self.held + noise.laplace(self.scale, len(self.held))
        best = int(np.argmax(noisy))
        return self.places[best] if noisy[best] >= self.threshold else None

    def exact_law(self) -> QueriesLaw:
        """The law, from the counts and the threshold."""
        held = dict(zip(self.places, self.held.tolist(), strict=True))
        return QueriesLaw(values=held, scale=self.scale, threshold=self.threshold, listed=self._logs)

    def _logs(self) -> dict[Hashable, float]:
        """Place i wins where it is the first of the largest, and large enough."""
        below = 1.0 - noise_at_least(self.threshold - self.held, self.scale)
        with np.errstate(divide="ignore"):  # a count far above the threshold cannot stay below it
            logs: dict[Hashable, float] = {None: float(np.log(below).sum())}
        for winner, place in enumerate(self.places):
            counts = around(int(self.held[winner]), self.scale)
            counts = counts[counts >= self.threshold]
            chance = noise_is(counts - self.held[winner], self.scale)
            for other, held in enumerate(self.held.tolist()):
                if other != winner:
                    chance = chance * (1.0 - noise_at_least(counts - held + (other > winner), self.scale))
            logs[place] = log(float(chance.sum()))
        return logs


@dataclass(frozen=True, kw_only=True, eq=False)
class StableWinner:
    """The public candidate with the largest quality, if its noisy margin is large enough; else None.

    The winner is at distance `away` from any input on which another one wins; (ε, δ)-DP with noise of scale 1/ε.
    """

    values: Integers  # one quality per candidate, two candidates at least
    sensitivity: int
    scale: float
    threshold: int
    delta: float = 0.0

    @property
    def question(self) -> Question:
        """What is asked."""
        public = (len(self.values), self.sensitivity, self.scale, self.threshold)
        return Question(kind="stable winner", epsilon=1.0 / self.scale, delta=self.delta, public=public)

    def exact_winner(self) -> tuple[int, int]:
        """The winner and the number of records by which it wins."""
        winner = int(np.argmax(self.values))
        gap = int(self.values[winner]) - int(np.delete(self.values, winner).max())
        return winner, max(0, -(-gap // (2 * self.sensitivity)) - 1)

    def sample(self, noise: Sampler) -> int | None:
        """Sample the winner, or None."""
        winner, away = self.exact_winner()
        return None if away + int(noise.laplace(self.scale, 1)[0]) < self.threshold else winner

    def exact_law(self) -> ListedLaw:
        """The law of two outcomes."""
        winner, away = self.exact_winner()
        passes = float(noise_at_least(np.array([self.threshold - away]), self.scale)[0])
        return ListedLaw(logs={winner: log(passes), None: math.log1p(-passes) if passes < 1.0 else -math.inf})
