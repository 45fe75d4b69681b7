"""[P4] [P5] [P6] Greedy private coverage: candidates, one selection after the other, and their noisy counts.

Proof: docs/proofs/grid_cover.md.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpviz.mechanisms.baselines._cover_kernels import add_cover, nearest_index, remove_covered
from dpviz.mechanisms.baselines.covering.ladder import CoverGrid, Ladder
from dpviz.mechanisms.baselines.covering.projection import Image
from dpviz.noise import NoiseSource, Question, Sampler
from dpviz.noise.coins import selection_rate
from dpviz.noise.laws import ExponentialLaw
from dpviz.privacy import Budget, noise_scale

DENSE = 2**22  # grids up to this size are tables, larger ones hash tables
COUNTED = 2**24  # scores up to this are counted by value while records go


def exponent(cover: Budget, rounds: int) -> float:
    """[P3] The larger exponent of the decaying-gain argument and of basic composition, rounded down."""
    decaying = math.log1p(cover.epsilon / math.log(1 / cover.delta))
    return max(decaying, cover.epsilon / rounds) * (1 - 1e-12)


class CoverTable:
    """How many uncovered records each vertex of one grid covers. Exact; local to one run."""

    def __init__(self, points: NDArray[np.int64], multiplicity: NDArray[np.int64], grid: CoverGrid) -> None:
        self.points, self.multiplicity, self.grid = points, multiplicity, grid
        self.alive = np.ones(len(points), np.bool_)
        self.shape = (grid.unit, grid.radius**2, grid.low, grid.sides)
        size = grid.size if grid.size <= DENSE else 2**16
        while True:
            self.keys = np.full(0 if grid.size <= DENSE else size, -1, np.int64)
            self.values = np.zeros(size, np.int64)
            filled = add_cover(points, multiplicity, *self.shape, self.keys, self.values, grid.room)
            if filled >= 0:
                break
            size *= 4
        highest = int(self.values.max(initial=0))
        self.by_score = np.bincount(self.values) if highest <= COUNTED else np.empty(0, np.int64)

    def scores(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Distinct scores and how many vertices of the whole grid have each; 0 stands for all that is not stored."""
        if self.by_score.size:
            scores = np.flatnonzero(self.by_score).astype(np.int64)
            times = self.by_score[scores].astype(np.int64)
        else:
            scores, times = np.unique(self.values, return_counts=True)
            times = times.astype(np.int64)
        positive = scores > 0
        untouched = self.grid.size - int(times[positive].sum())
        if untouched:
            return np.append(scores[positive], 0), np.append(times[positive], untouched)
        return scores[positive], times[positive]

    def draw(self, score: int, amount: int, noise: NoiseSource) -> int:
        """[P5] The number of a vertex, uniformly one of those of this score."""
        if score > 0 or not self.keys.size:
            members = np.flatnonzero(self.values == score)
            place = int(members[int(noise.integers(amount, 1)[0])])
            return int(self.keys[place]) if self.keys.size else place
        while True:  # most vertices of a large grid are untouched
            number = int(noise.integers(self.grid.size, 1)[0])
            found = np.flatnonzero(self.keys == number)
            if not len(found) or self.values[found[0]] == 0:
                return number

    def cover(self, vertex: NDArray[np.int64]) -> None:
        """Records that this vertex covers leave for good."""
        arrays = (self.keys, self.values, self.by_score, self.grid.room)
        remove_covered(self.points, self.multiplicity, self.alive, vertex, *self.shape, *arrays)


@dataclass(frozen=True, kw_only=True, eq=False)
class CoverRound:
    """[P4] [P5] One round of greedy coverage: the number of a vertex, by exp(exponent · records it newly covers)."""

    table: CoverTable
    exponent: float

    @property
    def question(self) -> Question:
        """What is asked: the weights are one-sided, because one more record raises scores only."""
        public = (self.table.grid.radius, self.table.grid.size)
        return Question(kind="cover", epsilon=self.exponent, sensitivity=1.0, monotone=True, public=public)

    def draw(self, noise: Sampler) -> int:
        """By groups of equal scores, then uniformly."""
        scores, times = self.table.scores()  # [P4]
        chosen = noise.select(scores, epsilon=self.exponent, sensitivity=1.0, monotone=True, multiplicity=times)
        return self.table.draw(int(scores[chosen]), int(times[chosen]), noise)  # [P5]

    def exact_law(self) -> ExponentialLaw:
        """Of all vertices of the grid."""
        touched = np.flatnonzero(self.table.values)
        numbers = self.table.keys[touched] if self.table.keys.size else touched
        order = np.argsort(numbers)
        return ExponentialLaw(
            rate=selection_rate(self.exponent, monotone=True),
            candidates=self.table.grid.size,
            listed=numbers[order],
            scores=self.table.values[touched][order],
        )


def select_candidates(
    image: Image, ladder: Ladder, rounds: int, chance: float, noise: NoiseSource
) -> NDArray[np.float64]:
    """[P4] [P5] `rounds` places for every radius, (rounds · radii, dims)."""
    points, multiplicity = image.exact_image, image.exact_multiplicity
    found = []
    for grid in ladder.grids:
        table = CoverTable(points, multiplicity, grid)
        for _ in range(rounds):
            vertex = grid.vertex(noise.decide(CoverRound(table=table, exponent=chance)))
            found.append(np.clip(vertex * grid.unit, -image.reach, image.reach))
            table.cover(vertex)
        points, multiplicity = points[table.alive], multiplicity[table.alive]
    return np.array(found, np.float64)


def noisy_candidate_counts(
    image: Image, candidates: NDArray[np.float64], epsilon: float, noise: NoiseSource
) -> tuple[NDArray[np.float64], float]:
    """[P6] Every record counts at its nearest candidate; every candidate gets noise. Also the noise's scale."""
    labels = nearest_index(image.exact_image, np.rint(candidates).astype(np.int64))
    exact = np.zeros(len(candidates), np.int64)
    np.add.at(exact, labels, image.exact_multiplicity)
    scale = noise_scale(1.0, epsilon)
    return noise.add_laplace(exact, scale, sensitivity=1.0).astype(np.float64), scale
