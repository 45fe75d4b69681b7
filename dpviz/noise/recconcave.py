"""RecConcave: find a good place of a quasi-concave quality on a long range privately (Beimel, Nissim, Stemmer).

Guarantee: (ε, δ)-DP for any integer quality of the stated sensitivity, quasi-concave or not. Public inputs: the
length of the range, promise, alpha, budget, sensitivity. Exact input: the quality. Departures and proof:
docs/proofs/recconcave.md.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dpviz.errors import InputError
from dpviz.noise.checks import rounded_up
from dpviz.noise.decisions import StableWinner
from dpviz.noise.source import NoiseSource
from dpviz.privacy import Budget

BASE_RANGE = 32  # privacy-bearing only in that the number of steps follows from it
CANDIDATES = 14  # multiples of K in two intervals of 6K places, both ends included
_INNER_ALPHA = Fraction(1, 2)

Quality = Callable[[int], int] | Sequence[int] | NDArray[np.int64]


def levels(size: int) -> int:
    """Number of times the range is replaced by its logarithm: 0 up to 32 places, 1 below 2^32."""
    return 0 if size <= BASE_RANGE else 1 + levels(size.bit_length())


def rec_concave(
    quality: Quality, size: int, *, promise: int, alpha: float, budget: Budget, noise: NoiseSource, sensitivity: int = 1
) -> int | None:
    """A place with quality about (1 − alpha)·promise or better, or None where the private choice finds none."""
    values = _values(quality, size)
    depth = levels(size)
    if not 0 < alpha < 1:
        raise InputError(f"alpha={alpha}: give a number between 0 and 1.", alpha=alpha)
    if isinstance(sensitivity, bool) or not isinstance(sensitivity, int) or sensitivity < 1:
        raise InputError(f"sensitivity={sensitivity!r}: give a whole number, 1 or more.", sensitivity=sensitivity)
    if depth and budget.delta == 0:
        raise InputError("delta=0: a range of more than 32 places needs a delta above 0, such as 1e-9.", delta=0.0)
    step = _Step(noise, budget.epsilon / (3 * depth + 1), budget.delta / max(1, 2 * depth), sensitivity)
    return _search(values, int(promise), Fraction(alpha), step)


def promise_needed(size: int, *, alpha: float, budget: Budget, beta: float, sensitivity: int = 1) -> int:
    """A promise with which the search succeeds with probability at least 1 − beta (utility only; proof, part 2)."""
    depth = levels(size)
    epsilon = budget.epsilon / (3 * depth + 1)
    failure = beta / (3 * depth + 1)
    return _needed(size, Fraction(alpha), epsilon, budget.delta / max(1, 2 * depth), failure, sensitivity)


class _Step:
    """One step's share of the budget, and the two kinds of steps."""

    def __init__(self, noise: NoiseSource, epsilon: float, delta: float, sensitivity: int) -> None:
        self.noise = noise
        self.epsilon = epsilon
        self.delta = delta
        self.sensitivity = sensitivity

    def select(self, values: NDArray[np.int64]) -> int:
        return self.noise.select(values, epsilon=self.epsilon, sensitivity=float(self.sensitivity))

    def choose_interval(self, values: NDArray[np.int64], length: int, shift: int) -> tuple[int, int] | None:
        """[P4] The interval [start, stop) that holds the largest value, if it is stably so."""
        first = -shift % length
        starts = np.arange(first, len(values), length)
        if first:
            starts = np.concatenate([[0], starts])
        if len(starts) == 1:
            return 0, len(values)
        best_inside = np.maximum.reduceat(values, starts)
        winner = self.noise.decide(
            StableWinner(
                values=best_inside,
                sensitivity=self.sensitivity,
                scale=1.0 / self.epsilon,
                threshold=threshold(self.epsilon, self.delta),
                delta=self.delta,
            )
        )
        if winner is None:
            return None
        stop = int(starts[winner + 1]) if winner + 1 < len(starts) else len(values)
        return int(starts[winner]), stop


def threshold(epsilon: float, delta: float) -> int:
    """τ of [P4]: discrete Laplace noise of scale 1/ε (as drawn, rounded up) reaches it with probability at most δ."""
    return math.ceil(rounded_up(1.0 / epsilon) * -math.log(delta) * (1 + 2**-40)) + 1


def _search(values: NDArray[np.int64], promise: int, alpha: Fraction, step: _Step) -> int | None:
    size = len(values)
    if size <= BASE_RANGE:
        return step.select(values)  # [P1]
    plateau = plateaus(values)  # [P2]
    good = math.ceil((1 - alpha) * promise)
    inner = np.minimum(plateau[:-1] - good, promise - plateau[1:])  # [P3]
    power = _search(inner, math.floor(alpha * promise / 2), _INNER_ALPHA, step)
    if power is None:
        return None
    width = 1 << power
    taken = [step.choose_interval(values, 4 * width, shift) for shift in (0, 2 * width)]  # [P4]
    candidates = sorted(
        {
            place
            for start, stop in filter(None, taken)
            for place in range(-(-max(0, start - width) // width) * width, min(size, stop + width), width)
        }
    )
    if not candidates:
        return None
    return candidates[step.select(values[candidates])]  # [P5]


def plateaus(values: NDArray[np.int64]) -> NDArray[np.int64]:
    """[P2] L(0) … L(J+1): the best smallest value over windows of 1, 2, 4 … places; last one min(0, L(J))."""
    smallest, width, best = values, 1, []
    while len(smallest):
        best.append(int(smallest.max()))
        smallest = np.minimum(smallest[:-width], smallest[width:]) if len(smallest) > width else smallest[:0]
        width *= 2
    return np.array([*best, min(0, best[-1])], dtype=np.int64)


def _needed(size: int, alpha: Fraction, epsilon: float, delta: float, failure: float, sensitivity: int) -> int:
    if size <= BASE_RANGE:
        return math.ceil(2 * sensitivity * math.log(BASE_RANGE / failure) / epsilon / float(alpha)) + 1
    stable = threshold(epsilon, delta) + math.log(1 / failure) * rounded_up(1.0 / epsilon) + 1
    margin = math.ceil(max(2 * sensitivity * stable, 2 * sensitivity * math.log(CANDIDATES / failure) / epsilon)) + 2
    inner = max(2 * margin, _needed(size.bit_length(), _INNER_ALPHA, epsilon, delta, failure, sensitivity))
    return math.ceil(2 * (inner + 1) / alpha)


def _values(quality: Quality, size: int) -> NDArray[np.int64]:
    if isinstance(size, bool) or not isinstance(size, int) or size < 1:
        raise InputError(f"size={size!r}: the range has a whole number of places, 1 or more.", size=size)
    given = np.asarray([quality(place) for place in range(size)] if callable(quality) else quality)
    if given.shape != (size,) or given.dtype.kind not in "iu":
        raise InputError(
            f"a quality of shape {given.shape} and type {given.dtype} for {size} places: give one whole number per "
            "place; multiply fractions by a common denominator, and the sensitivity with them."
        )
    if (np.abs(given.astype(np.float64)) >= 2.0**60).any():
        raise InputError("qualities must stay below 2^60.")
    return given.astype(np.int64)
