"""[P4] [P5] [P6] Greedy private coverage: candidates, one selection after the other, and their noisy counts.

Proof: docs/proofs/grid_cover.md.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dpviz.mechanisms._cover_kernels import add_cover, nearest_index, remove_covered
from dpviz.mechanisms.covering.ladder import CoverGrid, Ladder
from dpviz.mechanisms.covering.projection import Image
from dpviz.noise import NoiseSource
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

    def draw(self, score: int, amount: int, noise: NoiseSource) -> NDArray[np.int64]:
        """[P5] Uniformly one of the vertices of this score."""
        if score > 0 or not self.keys.size:
            members = np.flatnonzero(self.values == score)
            place = int(members[int(noise.integers(amount, 1)[0])])
            return self.grid.vertex(int(self.keys[place]) if self.keys.size else place)
        while True:  # most vertices of a large grid are untouched
            number = int(noise.integers(self.grid.size, 1)[0])
            found = np.flatnonzero(self.keys == number)
            if not len(found) or self.values[found[0]] == 0:
                return self.grid.vertex(number)

    def cover(self, vertex: NDArray[np.int64]) -> None:
        """Records that this vertex covers leave for good."""
        arrays = (self.keys, self.values, self.by_score, self.grid.room)
        remove_covered(self.points, self.multiplicity, self.alive, vertex, *self.shape, *arrays)


def select_candidates(
    image: Image, ladder: Ladder, rounds: int, chance: float, noise: NoiseSource
) -> NDArray[np.float64]:
    """[P4] [P5] `rounds` places for every radius, (rounds · radii, dims)."""
    points, multiplicity = image.exact_image, image.exact_multiplicity
    found = []
    for grid in ladder.grids:
        table = CoverTable(points, multiplicity, grid)
        for _ in range(rounds):
            scores, times = table.scores()  # [P4]
            chosen = noise.select(scores, epsilon=chance, sensitivity=1.0, monotone=True, multiplicity=times)
            vertex = table.draw(int(scores[chosen]), int(times[chosen]), noise)  # [P5]
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
    return (exact + noise.laplace(scale, len(exact))).astype(np.float64), scale
