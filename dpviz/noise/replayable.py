"""Seeded noise in fast floating point, for tests and previews; never published."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dpviz.errors import InputError
from dpviz.noise.adding import Adding
from dpviz.noise.checks import (
    checked_candidates,
    checked_high,
    checked_probability,
    checked_size,
    rounded_down,
    rounded_up,
)


class ReplayableSource(Adding):
    """Seeded noise: the same seed and calls give the same samples, unless threads share a source."""

    kind: str = "replayable"

    def __init__(self, seed: int) -> None:
        if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
            raise InputError(f"seed={seed!r}: give a whole number, 0 or more.", seed=seed)
        self.seed: int | None = int(seed)
        self._generator = np.random.Generator(np.random.PCG64(int(seed)))

    def laplace(self, scale: float, size: int) -> NDArray[np.int64]:
        """Discrete Laplace noise, (size,): the difference of two geometric numbers."""
        count, success = checked_size(size), -math.expm1(-1.0 / rounded_up(scale))
        return self._generator.geometric(success, count) - self._generator.geometric(success, count)

    def gaussian(self, scale: float, size: int, *, exactly: bool = False) -> NDArray[np.int64]:
        """Discrete Gaussian noise, (size,): discrete Laplace thinned (Canonne, Kamath, Steinke 2020, algorithm 3)."""
        count, sigma = checked_size(size), scale if exactly else rounded_up(scale)
        width = math.floor(sigma) + 1
        success = -math.expm1(-1.0 / width)
        drawn = np.empty(count, dtype=np.int64)
        filled = 0
        while filled < count:
            wanted = int((count - filled) * 1.8) + 16
            offered = self._generator.geometric(success, wanted) - self._generator.geometric(success, wanted)
            excess = np.abs(offered) - sigma * sigma / width
            kept = offered[self._generator.random(wanted) < np.exp(-((excess / sigma) ** 2) / 2)][: count - filled]
            drawn[filled : filled + kept.size] = kept
            filled += kept.size
        return drawn

    def select(
        self,
        scores: NDArray[np.int64],
        *,
        epsilon: float,
        sensitivity: float = 1.0,
        monotone: bool = False,
        multiplicity: NDArray[np.int64] | None = None,
    ) -> int:
        """The exponential mechanism in floating point."""
        whole, times = checked_candidates(scores, multiplicity)
        rate = float(rounded_down(epsilon, sensitivity)) / (1 if monotone else 2)
        best = int(whole.max() if times is None else whole[times > 0].max())
        weights = np.exp(np.minimum((whole.astype(np.float64) - best) * rate, 0.0))
        if times is not None:
            weights *= times
        sums = np.cumsum(weights)
        place = int(np.searchsorted(sums, self._generator.random() * sums[-1], side="right"))
        return min(place, int(np.flatnonzero(weights)[-1]))

    def integers(self, high: int, size: int) -> NDArray[np.int64]:
        return self._generator.integers(0, checked_high(high), checked_size(size), dtype=np.int64)

    def coins(self, probability: float | Fraction, size: int) -> NDArray[np.bool_]:
        return self._generator.random(checked_size(size)) < float(checked_probability(probability))

    def permutation(self, size: int) -> NDArray[np.int64]:
        return self._generator.permutation(checked_size(size)).astype(np.int64)
