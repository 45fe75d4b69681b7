"""Noise for vectors whose length one record bounds: integer rows with P(z) close to exp(−‖z‖₂/scale). Pure.

A row is discrete Gaussian, and its scale is drawn first: j·scale/2^7 with P(j) ∝ j^d·exp(−j²/2^15). Mixed so, one
record that moves a row by r costs at most STEEPNESS·r/scale. Variance per number: about (d + 1)·scale², where separate
Laplace noise would need about 1.3 d·scale² and a clip in another norm. Proof: docs/proofs/spherical.md.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dpviz.errors import InputError
from dpviz.noise.checks import checked_size
from dpviz.noise.decisions import bounds_of_exp_minus, choose_lazily
from dpviz.noise.source import Sampler

NODES = 1 << 7  # nodes of the mixture to a unit of u = j/NODES
STEEPNESS = Fraction(103, 100)  # bounds 1 + κ for every number of dimensions, and all rounding
LEAST_SCALE = 2.0**12  # nodes below 2^12·u may not be told from continuous ones: docs/proofs/spherical.md
LARGEST_EXPONENT = 40  # rows beyond 2^10 scales have probability below exp(−2^17)
MOST_WIDTH = 1 << 12
_WORD = 32


def radius_within(spend: Fraction, scale: float) -> int:
    """The largest whole length that may be moved at this price."""
    return int(spend * Fraction(scale) / STEEPNESS)


def scale_near(spend: Fraction, radius: int) -> float:
    """The largest power of two in use at which `radius_within` is at most a radius."""
    scale = 2.0 ** min(math.floor(math.log2(radius) - math.log2(spend)) + 1, LARGEST_EXPONENT)
    while radius_within(spend, scale) > radius:
        scale /= 2.0
    return scale


def spherical_laplace(noise: Sampler, *, scale: float, width: int, size: int) -> NDArray[np.int64]:
    """`size` independent rows of `width` whole numbers."""
    _check(scale, width)
    wanted = checked_size(size)
    words = iter(noise.integers(1 << _WORD, 5 * wanted).tolist())  # 160 digits for each choice, more on demand

    def bits(count: int) -> int:
        value = 0
        for _ in range(-(-count // _WORD)):
            word = next(words, None)
            value = value << _WORD | (int(noise.integers(1 << _WORD, 1)[0]) if word is None else word)
        return value >> (-count % _WORD)

    drawn = np.empty((wanted, width), dtype=np.int64)
    for row in range(wanted):
        node = _node(width, bits)  # [P1]
        drawn[row] = noise.gaussian(math.ldexp(node * scale, -7), width, exactly=True)  # [P2]
    return drawn


def first_node(width: int) -> int:
    """J: nodes from u = max(1, √d/2) on."""
    return max(NODES, math.isqrt(width * NODES * NODES // 4))


def _node(width: int, bits: Callable[[int], int]) -> int:
    """[P1] j with P(j) ∝ j^d·exp(−j²/2^15) from J on."""
    known: list[int] = []

    def bounds(precision: int) -> tuple[list[int], list[int], int]:
        start, lower, upper, total = _node_bounds(width, precision)
        known[:] = [start]
        return lower, upper, total

    return choose_lazily(bounds, bits) - 1 + known[0]


@lru_cache(maxsize=32)
def _node_bounds(width: int, precision: int) -> tuple[int, list[int], list[int], int]:
    """Bounds on sums of j^d·exp(−j²/2^15): first listed node, cumulative from an entry for all below it, and the total.

    Nodes farther than √(1.4·(precision + 20)) units of u from the mode √d weigh less than 2^−precision together.
    """
    mode, reach = math.sqrt(width), math.sqrt(1.4 * (precision + 20)) + 1.0
    start = max(first_node(width), int((mode - reach) * NODES))
    stop = int((mode + reach) * NODES) + 2
    middle = max(start, int(mode * NODES))
    # exp is followed from `start`, where it is 1: at `middle` it has lost `fall` bits, powers have gained `rise` later.
    fall = (middle**2 - start**2) / (2 * NODES**2) / math.log(2)
    rise = width * math.log2(stop / middle)
    work = precision + int(fall + rise) + 96
    rate = Fraction(1, 2 * NODES**2)
    step_low, step_high = bounds_of_exp_minus(rate * (2 * start + 1), work)
    ratio_low, ratio_high = bounds_of_exp_minus(rate * 2, work)
    low = high = 1 << work
    shift = work - precision - int(fall) + int(width * math.log2(middle)) - 2
    lower, upper = [0], [0 if start == first_node(width) else 1]
    sum_low, sum_high = 0, upper[0] << shift
    for node in range(start, stop):
        power = node**width
        sum_low, sum_high = sum_low + low * power, sum_high + high * power
        lower.append(sum_low >> shift)
        upper.append(-(-sum_high >> shift))
        low, high = low * step_low >> work, -(-high * step_high >> work)
        step_low, step_high = step_low * ratio_low >> work, -(-step_high * ratio_high >> work)
    return start, lower, upper, upper[-1] + 1


def _check(scale: float, width: int) -> None:
    if not isinstance(scale, float) or math.frexp(scale)[0] != 0.5 or not LEAST_SCALE <= scale <= 2.0**LARGEST_EXPONENT:
        raise InputError(f"scale={scale!r}: spherical noise needs a power of two from 2^12 to 2^40.", scale=scale)
    if isinstance(width, bool) or not isinstance(width, int) or not 1 <= width <= MOST_WIDTH:
        raise InputError(f"width={width!r}: spherical noise is offered for 1 to {MOST_WIDTH} numbers a row.")
