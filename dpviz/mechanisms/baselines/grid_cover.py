"""Greedy private coverage on grids of growing coarseness, noisy counts, private averages.

Releases: k centers with noisy counts; as coreset the candidates with noisy counts, or the centers after a projection.
Paper: Nguyen, Chaturvedi, Xu 2021 (max cover), algorithms 1 to 3.
Guarantee: (ε, δ), δ > 0, for add-remove and, through it, replace; one record.
Public inputs: frame, relation, k, ε, δ; n under replace. Exact inputs: the records.
Departures: exact exponent of the decaying-gain argument; zCDP noise; radii from a public ladder.
Proof: docs/proofs/grid_cover.md.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpviz.clustering import cost, solve_kmeans
from dpviz.domain import Adjacency, Coreset
from dpviz.mechanisms.baselines._kernels import add_cover, nearest_index, remove_covered
from dpviz.mechanisms.baselines.covering import ONE, Covering, Found, Image
from dpviz.mechanisms.interface import MethodInfo
from dpviz.mechanisms.shares import BudgetSplit
from dpviz.noise import ExponentialLaw, NoiseSource, Question, Sampler, selection_rate
from dpviz.privacy import Budget, noise_scale

MOST_RADII = 9  # utility only


@dataclass(frozen=True, kw_only=True, eq=False)
class CoverGrid:
    """Vertices unit·(low + digits), digits below sides; everything in units of 1/ONE."""

    radius: int
    unit: int
    low: NDArray[np.int64]
    sides: NDArray[np.int64]
    room: int  # no point covers more vertices

    @property
    def size(self) -> int:
        return math.prod(int(side) for side in self.sides)

    def vertex(self, number: int) -> NDArray[np.int64]:
        """Grid coordinates of the vertex of this number, the last axis fastest."""
        return np.array(np.unravel_index(number, tuple(int(side) for side in self.sides)), np.int64) + self.low


@dataclass(frozen=True, kw_only=True, eq=False)
class Ladder:
    """Radii from small to large, each with a grid."""

    radii: tuple[float, ...]  # in unit balls
    grids: tuple[CoverGrid, ...]

    @classmethod
    def of(cls, reach: NDArray[np.float64], noisy_total: int) -> Ladder:
        """Steps of 2 in up to three dimensions, √2 above, down to the smallest balls that stand out of the noise."""
        dims = len(reach)
        step = 2.0 if dims <= 3 else math.sqrt(2.0)
        wanted = {2: 8, 3: 6}.get(dims, 8)
        amount = max(3, min(MOST_RADII, wanted, 2 + round(math.log2(noisy_total + 1) / 2)))
        radii = tuple(step ** (index + 1 - amount) for index in range(amount))
        grids = tuple(grid_of(radius, reach) for radius in radii)
        return cls(radii=radii, grids=grids)


def grid_of(radius: float, reach: NDArray[np.float64]) -> CoverGrid:
    """The grid for one radius: coarser, relative to the radius, in more dimensions."""
    dims = len(reach)
    unit = max(1, round(ONE * radius * min(1.75, 0.25 * dims) / math.sqrt(dims)))
    low = -np.ceil(reach / unit).astype(np.int64)
    per_axis = 2 * int(radius * ONE / unit) + 2
    return CoverGrid(radius=round(ONE * radius), unit=unit, low=low, sides=1 - 2 * low, room=per_axis**dims)


DENSE = 2**22  # grids up to this size are tables, larger ones hash tables
COUNTED = 2**24  # scores up to this are counted by value while records go


def exponent(cover: Budget, rounds: int) -> float:
    """[P3] The larger exponent of the decaying-gain argument and of basic composition, rounded down."""
    decaying = math.log1p(cover.epsilon / math.log(1 / cover.delta))
    return max(decaying, cover.epsilon / rounds) * (1 - 1e-12)


class CoverTable:
    """Number of uncovered records that each vertex of one grid covers. Exact, within one run."""

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
        """Distinct scores and their numbers of vertices in the whole grid; vertices not stored have score 0."""
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

    def sample(self, score: int, amount: int, noise: NoiseSource) -> int:
        """[P5] Sample a vertex uniformly among those of this score; return its number."""
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
        """Remove the records that this vertex covers."""
        arrays = (self.keys, self.values, self.by_score, self.grid.room)
        remove_covered(self.points, self.multiplicity, self.alive, vertex, *self.shape, *arrays)


@dataclass(frozen=True, kw_only=True, eq=False)
class CoverRound:
    """[P4] [P5] One round of greedy coverage: a vertex with weight exp(exponent · newly covered records)."""

    table: CoverTable
    exponent: float

    @property
    def question(self) -> Question:
        """The query. Weights are one-sided, because one more record can only raise scores."""
        public = (self.table.grid.radius, self.table.grid.size)
        return Question(kind="cover", epsilon=self.exponent, sensitivity=1.0, monotone=True, public=public)

    def sample(self, noise: Sampler) -> int:
        """Sample a group of equal scores, then a vertex of it uniformly."""
        scores, times = self.table.scores()  # [P4]
        chosen = noise.select(scores, epsilon=self.exponent, sensitivity=1.0, monotone=True, multiplicity=times)
        return self.table.sample(int(scores[chosen]), int(times[chosen]), noise)  # [P5]

    def exact_law(self) -> ExponentialLaw:
        """The law over all vertices of the grid."""
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
    """[P4] [P5] Select `rounds` places for every radius, (rounds · radii, dims)."""
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
    """[P6] Count every record at its nearest candidate, with noise for every candidate; also return its scale."""
    labels = nearest_index(image.exact_image, np.rint(candidates).astype(np.int64))
    exact = np.zeros(len(candidates), np.int64)
    np.add.at(exact, labels, image.exact_multiplicity)
    scale = noise_scale(1.0, epsilon)
    return noise.add_laplace(exact, scale, sensitivity=1.0).astype(np.float64), scale


MOST_ROUNDS = 4  # utility only: rounds for each radius, in multiples of k
MOVE_SHARE = 0.1  # utility only: mean squared move of a center over the spread of its records, at most
COUNTS_WORTH = 100.0  # utility only: records times ε_L per candidate


class GridCover(Covering):
    """Max cover on grids."""

    info = MethodInfo(
        name="grid_cover",
        title="Greedy cover",
        summary="Picks, privately and one after the other, the places that cover most records, small circles first.",
        paper="Nguyen, Chaturvedi, Xu 2021",
        adjacencies=frozenset(Adjacency),
        needs_delta=True,
        dims=(2, 1000),
        proof="grid_cover",
        vetted=True,
    )

    split = BudgetSplit(  # privacy-bearing
        shares={"cover": 0.35, "counts": 0.20, "averages": 0.25, "last step": 0.20},
        deltas={"cover": 0.4, "averages": 0.3, "last step": 0.3},
        doubled=True,
    )

    def search(self, image: Image, k: int, parts: Mapping[str, Budget], noisy_total: int, noise: NoiseSource) -> Found:
        """Cover, count, cluster."""
        ladder = Ladder.of(image.reach, noisy_total)  # [P3]
        # More rounds than k where the noise of more counts would still be small: rounds do not change the exponent.
        strength = noisy_total * parts["counts"].epsilon
        rounds = max(k, min(MOST_ROUNDS * k, int(strength / COUNTS_WORTH / len(ladder.radii))))  # [P3]
        chance = exponent(parts["cover"], rounds * len(ladder.radii))
        candidates = select_candidates(image, ladder, rounds, chance, noise)  # [P4] [P5]
        noisy_counts, scale = noisy_candidate_counts(image, candidates, parts["counts"].epsilon, noise)  # [P6]
        proxy = solve_kmeans(candidates, noisy_counts, k, seed=0, low=-image.reach, high=image.reach)  # [P7]
        coreset = None
        if not image.projected:
            coreset = Coreset(
                frame=image.box.frame,
                positions=image.box.to_local(image.back(candidates)),
                weights=noisy_counts,
                variances=noisy_counts * 0 + 2 * scale**2,
            )
        return Found(
            places=proxy.centers,
            constants={"radii": len(ladder.radii), "candidates": len(candidates)},
            largest_move=largest_move(image, candidates, noisy_counts, proxy.centers),
            coreset=coreset,
        )


def largest_move(
    image: Image, candidates: NDArray[np.float64], noisy_counts: NDArray[np.float64], proxies: NDArray[np.float64]
) -> float:
    """Largest trusted move of a center by a noisy average, in squared lattice steps per axis.

    It is a part of the spread of its records. After a projection the candidates say nothing about the other axes.
    """
    counts = np.maximum(noisy_counts, 0.0)
    if image.projected or not counts.any():
        return math.inf
    spread = cost(candidates, counts, proxies) / counts.sum() / image.dims
    return MOVE_SHARE * float(spread) * (image.diameter / ONE / 2) ** 2


GRID_COVER = GridCover()
