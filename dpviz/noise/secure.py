"""Noise for what is published: OpenDP's exact samplers and the operating system's generator."""

from __future__ import annotations

import os
import secrets
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from opendp.domains import atom_domain, vector_domain
from opendp.measurements import make_gaussian, make_laplace
from opendp.metrics import l1_distance, l2_distance
from opendp.mod import enable_features

from dpviz.noise.adding import Adding
from dpviz.noise.checks import (
    checked_candidates,
    checked_high,
    checked_probability,
    checked_size,
    rounded_down,
    rounded_up,
)
from dpviz.noise.decisions import select_exactly

_CHUNK = 1 << 17  # draws per call of OpenDP: bounds memory, costs nothing (55 µs a call, 5 to 9 µs a draw)
_PART = 1 << 9  # draws that are worth a thread
_WORD = 1 << 64


def _random_words(size: int) -> NDArray[np.uint64]:
    """Uniform 64-bit words from the operating system, (size,)."""
    return np.frombuffer(os.urandom(8 * size), dtype=np.uint64).copy()


@lru_cache(maxsize=256)
def _laplace_of(scale: float) -> Any:
    """OpenDP's measurement for one scale; cached, because building it takes 80 µs."""
    enable_features("contrib")
    return make_laplace(vector_domain(atom_domain(T="i64")), l1_distance(T="i64"), scale=scale)


@lru_cache(maxsize=256)
def _gaussian_of(scale: float) -> Any:
    enable_features("contrib")
    return make_gaussian(vector_domain(atom_domain(T="i64")), l2_distance(T=float), scale=scale)


def _noise(measurement: Any, size: int) -> NDArray[np.int64]:
    """The measurement on a vector of zeros: its noise alone, to be added to exact whole numbers.

    OpenDP releases the GIL while it samples, so many samples are shared among the cores.
    """
    workers = min(os.cpu_count() or 1, size // _PART)
    if workers < 2:
        return _draw_vector(measurement, size)
    ends = [size * worker // workers for worker in range(workers + 1)]
    with ThreadPoolExecutor(workers) as pool:
        parts = pool.map(lambda start, end: _draw_vector(measurement, end - start), ends[:-1], ends[1:])
        return np.concatenate(list(parts))


def _draw_vector(measurement: Any, size: int) -> NDArray[np.int64]:
    drawn = np.empty(size, dtype=np.int64)
    zeros = np.zeros(min(size, _CHUNK), dtype=np.int64)
    for start in range(0, size, _CHUNK):
        stop = min(start + _CHUNK, size)
        drawn[start:stop] = measurement(zeros[: stop - start])
    return drawn


class SecureSource(Adding):
    """Exact samplers fed by the operating system. Holds no state, so threads may share it."""

    kind: str = "secure"
    seed: int | None = None

    def laplace(self, scale: float, size: int) -> NDArray[np.int64]:
        rounded, count = rounded_up(scale), checked_size(size)
        return _noise(_laplace_of(rounded), count) if count else np.zeros(0, np.int64)

    def gaussian(self, scale: float, size: int, *, exactly: bool = False) -> NDArray[np.int64]:
        rounded = rounded_up(scale)
        return _noise(_gaussian_of(scale if exactly else rounded), checked_size(size))

    def select(
        self,
        scores: NDArray[np.int64],
        *,
        epsilon: float,
        sensitivity: float = 1.0,
        monotone: bool = False,
        multiplicity: NDArray[np.int64] | None = None,
    ) -> int:
        """The exponential mechanism, exactly (decisions.py)."""
        whole, times = checked_candidates(scores, multiplicity)
        rate = rounded_down(epsilon, sensitivity) / (1 if monotone else 2)
        return select_exactly(whole, times, rate, secrets.randbits)

    def integers(self, high: int, size: int) -> NDArray[np.int64]:
        """Uniform whole numbers in [0, high), (size,): words cut to the needed digits, those beyond drawn again."""
        bound, count = np.uint64(checked_high(high)), checked_size(size)
        spare = np.uint64(64 - (int(bound) - 1).bit_length())
        if spare == 64:
            return np.zeros(count, dtype=np.int64)
        drawn = _random_words(count) >> spare
        beyond = np.flatnonzero(drawn >= bound)
        while beyond.size:
            drawn[beyond] = _random_words(beyond.size) >> spare
            beyond = beyond[drawn[beyond] >= bound]
        return drawn.astype(np.int64)

    def coins(self, probability: float | Fraction, size: int) -> NDArray[np.bool_]:
        """Independent coins of exactly this probability: every float is a fraction, compared digit by digit."""
        chance, count = checked_probability(probability), checked_size(size)
        heads = np.zeros(count, dtype=np.bool_)
        undecided = np.arange(count)
        while undecided.size and chance > 0:
            if chance == 1:
                heads[undecided] = True
                break
            threshold, rest = divmod(chance.numerator * _WORD, chance.denominator)
            words = _random_words(undecided.size)
            heads[undecided] = words < np.uint64(threshold)
            undecided = undecided[words == np.uint64(threshold)]
            chance = Fraction(rest, chance.denominator)
        return heads

    def permutation(self, size: int) -> NDArray[np.int64]:
        """A uniform permutation: the order of distinct random keys; after a tie (size²/2^65) all are redrawn."""
        count = checked_size(size)
        while True:
            keys = _random_words(count)
            order = np.argsort(keys)
            ranked = keys[order]
            if not (ranked[1:] == ranked[:-1]).any():
                return order.astype(np.int64)
