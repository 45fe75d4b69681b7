"""Repeated samples of one level: the part kept of each, their spread, and which level keeps a limit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpviz.privacy import LEVELS, Level

MOST = 100  # draws of a level behind the answer to a limit
ENOUGH = 90  # of them have to keep it


@dataclass(frozen=True, kw_only=True, eq=False)
class Brief:
    """The part of a repeated sample that is kept."""

    exact_error: float
    exact_shift_m: float
    size: int
    coreset: NDArray[np.float32] | None  # (m, d + 1) raw coordinates and weight; None for draws made to be counted
    centers: NDArray[np.float64]  # (k, d) raw


@dataclass(frozen=True, kw_only=True)
class Band:
    """The middle of a number over repeated draws, and where 9 of 10 draws lie."""

    low: float
    middle: float
    high: float


def band(values: Iterable[float]) -> Band | None:
    """5th, 50th and 95th percentile; None for fewer than three draws."""
    found = np.array([value for value in values if value is not None], dtype=np.float64)
    if len(found) < 3:
        return None
    low, middle, high = np.quantile(found, [0.05, 0.5, 0.95])
    return Band(low=float(low), middle=float(middle), high=float(high))


@dataclass(frozen=True, kw_only=True)
class Limit:
    """What a curator can accept: a share of added error, or metres of shift."""

    measure: str  # "error" or "shift"
    value: float

    def kept_by(self, draw: Brief | None) -> bool:
        """Whether a draw stays within it; a draw without an answer does not."""
        if draw is None:
            return False
        return (draw.exact_error if self.measure == "error" else draw.exact_shift_m) <= self.value


@dataclass(frozen=True, kw_only=True)
class Acceptable:
    """The answer to a limit from the samples made so far."""

    level: Level | None = None  # the most private level that keeps the limit
    undecided: Level | None = None  # where more draws are needed; None: the answer stands
    done: int = 0  # draws of the undecided level


def keeps(draws: Sequence[Brief | None], limit: Limit) -> bool | None:
    """Whether at least 90 of 100 draws keep a limit, as soon as the draws made so far settle it; None before."""
    kept = sum(limit.kept_by(draw) for draw in draws[:MOST])
    lost = min(len(draws), MOST) - kept
    return True if kept >= ENOUGH else False if lost > MOST - ENOUGH else None


def acceptable(draws_of: Callable[[Level], Sequence[Brief | None]], limit: Limit) -> Acceptable:
    """The most private level of which at least 90 of 100 draws keep the limit.

    A level is decided early: eleven samples beyond the limit are too many, ninety within are enough. So levels far from
    the limit need few samples, and the answer equals that of a hundred.
    """
    for level in reversed(LEVELS):
        draws = draws_of(level)
        kept = keeps(draws, limit)
        if kept is None:
            return Acceptable(undecided=level, done=len(draws))
        if kept:
            return Acceptable(level=level)
    return Acceptable()
