"""How often the best possible guesser is right about her week, computed and not tried.

She is in the file or she is not, both equally likely. What is published of her squares and of the whole are counts with
discrete Laplace noise, so a guesser who knows everybody else's trips can do no better than to compare how likely the
numbers are in the two worlds. That guesser is right with chance 1/2 + 1/2 * (distance of the two worlds).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpviz.domain.relation import ONE_RECORD, Adjacency, Unit
from dpviz.mechanisms.shares import TOTAL_SHARE
from dpviz.privacy import histogram_l1, noise_scale
from dpviz_research.find_her import week

PER_PERSON = Unit(person_column="rider", cap=week.CAP)
PER_TRIP = ONE_RECORD


@dataclass(frozen=True, kw_only=True)
class Noise:
    """The two scales of the uniform grid's noise at a level and a unit."""

    total: float
    cell: float
    epsilon_total: float
    epsilon_cells: float


def noise_of(epsilon: float, unit: Unit) -> Noise:
    """As the method itself computes it."""
    touched = histogram_l1(Adjacency.ADD_REMOVE_ONE, unit)
    total = TOTAL_SHARE * epsilon
    return Noise(
        total=noise_scale(touched, total),
        cell=noise_scale(touched, epsilon - total),
        epsilon_total=total,
        epsilon_cells=epsilon - total,
    )


def reachable(epsilon: float, unit: Unit) -> float:
    """The chance of the best possible guesser to be right about her week."""
    noise = noise_of(epsilon, unit)
    return best_score([(sum(week.drop_offs().values()), noise.total), *_cells(noise)])


def _cells(noise: Noise) -> list[tuple[int, float]]:
    return [(trips, noise.cell) for trips in week.drop_offs().values()]


def best_score(moved: Sequence[tuple[int, float]]) -> float:
    """The best guesser's chance, where counts move by so many and have noise of these scales, all independent."""
    losses = {0.0: 1.0}
    for shift, scale in moved:
        steps, chances = _losses_of_one(shift, scale)
        grown: dict[float, float] = {}
        for loss, chance in losses.items():
            for step, part in zip(steps.tolist(), chances.tolist(), strict=True):
                key = round(loss + step / scale, 12)
                grown[key] = grown.get(key, 0.0) + chance * part
        losses = grown
    apart = sum(chance * -math.expm1(-loss) for loss, chance in losses.items() if loss > 0)
    return 0.5 + 0.5 * apart


def _losses_of_one(shift: int, scale: float) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """|noise + shift| − |noise| and its chances, for discrete Laplace noise."""
    ratio = math.exp(-1 / scale)
    between = np.arange(1, shift)
    steps = np.concatenate([[shift], shift - 2 * between, [-shift]]).astype(np.int64)
    chances = np.concatenate(
        [[1 / (1 + ratio)], (1 - ratio) / (1 + ratio) * ratio**between, [ratio**shift / (1 + ratio)]]
    )
    return steps, chances


def log_odds(published: NDArray[np.float64], without: NDArray[np.float64], moved: Sequence[tuple[int, float]]) -> float:
    """How much more likely the published counts are with her than without, as a logarithm."""
    shifts = np.array([shift for shift, _ in moved])
    scales = np.array([scale for _, scale in moved])
    off = published - without
    return float(np.sum((np.abs(off) - np.abs(off - shifts)) / scales))
