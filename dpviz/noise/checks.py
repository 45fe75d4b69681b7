"""Checks of the arguments of noise sources, and the one place where a scale is rounded: always up.

A scale is a float that the caller computed, so it may lie a few roundings below the real number, and shares of a budget
are added up with a relative slack of 1e-12. `rounded_up` widens every scale by 2^-39 of itself, more than both
together: the noise is never smaller than the charge says. `rounded_down` does the same for the parameter of a
selection. The proof is in docs/proofs/noise.md, section 2.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpviz.errors import InputError

MARGIN = 2.0**-39
SMALLEST_SCALE = 1e-9
LARGEST_SCALE = 2.0**50  # a draw beyond 2^62 then has probability below exp(-4096): sums with counts cannot overflow
LARGEST_SIZE = 2**31
LARGEST_HIGH = 2**63 - 1

type_of_scale = float | int | Fraction | np.floating | np.integer


def rounded_up(scale: float | Fraction) -> float:
    """Round a scale up by a relative 2^-39 (see the top of this file)."""
    if isinstance(scale, bool) or not isinstance(scale, type_of_scale):
        raise InputError(f"scale={scale!r} is not a number.", scale=scale)
    value = float(scale)
    if not SMALLEST_SCALE <= value <= LARGEST_SCALE:
        raise InputError(
            f"scale={value!r}: noise needs a finite scale between {SMALLEST_SCALE:g} and 2^50; "
            "a scale of 0 would publish the exact number.",
            scale=value,
        )
    return value * (1.0 + MARGIN)


def rounded_down(epsilon: float, sensitivity: float) -> Fraction:
    """ε divided by the sensitivity as an exact fraction, smaller than the quotient by a relative 2^-39."""
    for name, value in (("epsilon", epsilon), ("sensitivity", sensitivity)):
        known = isinstance(value, type_of_scale) and not isinstance(value, bool)
        if not known or not math.isfinite(value) or not value > 0:
            raise InputError(f"{name}={value!r}: a selection needs a finite number above 0.", **{name: value})
    return _lowered(epsilon, sensitivity)


@lru_cache(maxsize=1024)
def _lowered(epsilon: float, sensitivity: float) -> Fraction:
    """Cached: a run needs the same few quotients again and again."""
    return _exactly(epsilon) / _exactly(sensitivity) * (1 - Fraction(MARGIN))


def checked_size(size: int) -> int:
    """Check a number of samples."""
    if isinstance(size, bool) or not isinstance(size, int | np.integer) or not 0 <= size <= LARGEST_SIZE:
        raise InputError(f"size={size!r}: give a whole number of draws from 0 to 2^31.", size=size)
    return int(size)


def checked_high(high: int) -> int:
    """Check the end of a range of whole numbers."""
    if isinstance(high, bool) or not isinstance(high, int | np.integer) or not 1 <= high <= LARGEST_HIGH:
        raise InputError(f"high={high!r}: give a whole number from 1 to 2^63 - 1.", high=high)
    return int(high)


def checked_probability(probability: float | Fraction) -> Fraction:
    """Convert a probability to an exact fraction."""
    known = isinstance(probability, type_of_scale) and not isinstance(probability, bool)
    if not known or not 0 <= probability <= 1:
        raise InputError(f"probability={probability!r} is not between 0 and 1.", probability=probability)
    return _exactly(probability)


def checked_candidates(
    scores: ArrayLike, multiplicity: ArrayLike | None
) -> tuple[NDArray[np.int64], NDArray[np.int64] | None]:
    """Check scores and multiplicities, (n,). Messages contain no score: scores are exact data."""
    given = np.asarray(scores)
    if given.ndim != 1 or given.size == 0 or given.dtype.kind not in "iu":
        raise InputError(
            f"scores of shape {given.shape} and type {given.dtype}: a selection needs a list of at least one whole "
            "number; multiply fractions by a common denominator, and the sensitivity with them."
        )
    whole = given.astype(np.int64)
    if given.dtype.kind == "u" and (whole < 0).any():
        raise InputError("scores beyond 2^63 do not fit.")
    if multiplicity is None:
        return whole, None
    times = np.asarray(multiplicity)
    if times.shape != given.shape or times.dtype.kind not in "iu":
        raise InputError(f"multiplicity of shape {times.shape} and type {times.dtype} does not match the scores.")
    if (times.astype(np.int64) < 0).any() or not times.any() or float(times.sum(dtype=np.float64)) >= 2.0**62:
        raise InputError("multiplicities are whole numbers, 0 or more, at least one above 0, together below 2^62.")
    return whole, times.astype(np.int64)


def _exactly(value: float | Fraction) -> Fraction:
    """Convert a number, numpy's included, to its exact fraction."""
    return value if isinstance(value, Fraction) else Fraction(float(value))
