"""[P3] [P4] of docs/proofs/peeled_balls.md: the two selections of a round, exact though most candidates go uncounted.

A candidate is drawn by an upper bound on its score and kept with the probability that makes up for the bound; else
everything is drawn again, with what was learned. What comes out has the law of the whole exponential mechanism, and a
question "is the largest count at least x?" is far cheaper than the count itself.
"""

from __future__ import annotations

import math
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from dpviz.mechanisms.peeling.ladder import Window
from dpviz.noise import NoiseSource
from dpviz.noise.geometric import geometric, selection_rate

UNCOUNTED = 8.0  # utility only: uncounted candidates weigh at most this much of the best one: up to 9 draws on average


class ExactState(Protocol):
    """What the selections ask of the engine or of its twin."""

    windows: tuple[Window, ...]

    def exact_largest(self, rung: int, cap: int = ..., least: int = ...) -> int: ...

    def exact_groups(self, rung: int, most: int, floor: int) -> NDArray[np.int64]: ...

    def exact_score(self, rung: int, most: int, index: int) -> int: ...

    def candidate(self, rung: int, most: int, score: int, place: int) -> int: ...

    def center(self, rung: int, index: int) -> tuple[int, int]: ...

    def candidates(self, rung: int) -> int: ...

    def remove(self, center: tuple[int, int], wanted: int) -> None: ...


class LargestCounts:
    """Exact bounds lower ≤ M(r) ≤ upper for all rungs: M never falls with r, and falls by at most what is removed."""

    def __init__(self, state: ExactState) -> None:
        rungs = len(state.windows)
        self.state = state
        self.lower = np.zeros(rungs, np.int64)
        self.upper = np.full(rungs, state.exact_largest(rungs - 1), np.int64)

    def removed(self, weight: int) -> None:
        """At most `weight` records were taken out."""
        self.lower = np.maximum(self.lower - weight, 0)

    def reaches(self, rung: int, count: int) -> bool:
        """Whether M(rung) ≥ count; below the smallest rung M is 0."""
        if rung < 0:
            return count <= 0
        if self.lower[rung] < count <= self.upper[rung]:
            if self.state.exact_largest(rung, count, count - 1) >= count:
                np.maximum(self.lower[rung:], count, out=self.lower[rung:])
            else:
                np.minimum(self.upper[: rung + 1], count - 1, out=self.upper[: rung + 1])
        return bool(count <= self.lower[rung])

    def learn(self, rung: int) -> None:
        """M(rung) itself."""
        if 0 <= rung < len(self.upper) and self.lower[rung] < self.upper[rung]:
            found = self.state.exact_largest(rung, int(self.upper[rung]), int(self.lower[rung]))
            np.maximum(self.lower[rung:], found, out=self.lower[rung:])
            np.minimum(self.upper[: rung + 1], found, out=self.upper[: rung + 1])

    def crossing(self, weight: int) -> int:
        """The smallest rung with M ≥ weight, or the largest of all."""
        while True:
            first = min(int(np.searchsorted(self.upper, weight)), len(self.upper) - 1)
            last = min(int(np.searchsorted(self.lower, weight)), len(self.lower) - 1)
            if first >= last:
                return last
            self.reaches((first + last) // 2, weight)

    def best_scores(self, weight: int) -> NDArray[np.int64]:
        """An upper bound on min(w − M(r⁻), M(r) − w) of every rung."""
        below = np.concatenate([[0], self.lower[:-1]])
        scores: NDArray[np.int64] = np.minimum(weight - below, self.upper - weight)
        return scores

    def least_score(self, rung: int, weight: int) -> int:
        """A lower bound on that score."""
        below = int(self.upper[rung - 1]) if rung else 0
        return min(weight - below, int(self.lower[rung]) - weight)


def select_radius(counts: LargestCounts, weight: int, epsilon: float, noise: NoiseSource) -> int:
    """[P3] A rung where the largest window passes `weight`: score min(w − M(r⁻), M(r) − w), sensitivity 1."""
    rate = selection_rate(epsilon)
    crossing = counts.crossing(weight)
    to_learn = [crossing + 1, crossing, crossing - 1, crossing - 2]
    while True:
        bounds = counts.best_scores(weight)
        rung = noise.select(bounds, epsilon=epsilon, sensitivity=1.0)
        least = int(bounds[rung])  # kept if the score is at least this
        if counts.least_score(rung, weight) < least:
            least -= geometric(noise, rate)
        if counts.reaches(rung, weight + least) and not counts.reaches(rung - 1, weight - least + 1):
            return rung
        for near in [*to_learn, rung, rung - 1]:
            counts.learn(near)
        to_learn = []


def select_center(
    state: ExactState,
    rung: int,
    weight: int,
    epsilon: float,
    noise: NoiseSource,
    *,
    monotone: bool,
    uncounted: float = UNCOUNTED,
) -> tuple[int, int]:
    """[P4] A lattice point by the exponential mechanism on min(count, w): by groups of equal scores, then uniformly."""
    most = state.exact_largest(rung, weight)
    candidates = state.candidates(rung)
    rate = selection_rate(epsilon, monotone=monotone)
    if float(rate) * most <= math.log(uncounted):  # no candidate weighs `uncounted` times another: count none
        floor, groups = most + 1, np.zeros(0, np.int64)
    else:
        gap = math.log(max(1.0, candidates / uncounted)) / float(rate)
        floor = max(0, most - int(min(gap, 2.0**62)))
        groups = state.exact_groups(rung, most, floor)
    present = np.flatnonzero(groups)
    scores = np.append(present.astype(np.int64) + floor, floor - 1)
    multiplicity = np.append(groups[present], candidates - groups.sum())
    while True:
        chosen = noise.select(scores, epsilon=epsilon, sensitivity=1.0, monotone=monotone, multiplicity=multiplicity)
        if chosen < len(present):
            place = int(noise.integers(int(multiplicity[chosen]), 1)[0])
            return state.center(rung, state.candidate(rung, most, int(scores[chosen]), place))
        score = floor
        while score >= floor:  # one of the uncounted candidates, uniformly
            index = int(noise.integers(candidates, 1)[0])
            score = state.exact_score(rung, most, index)
        if floor - 1 - score <= geometric(noise, rate):
            return state.center(rung, index)
