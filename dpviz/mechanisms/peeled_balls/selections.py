"""[P3] [P4] of docs/proofs/peeled_balls.md: the two selections of a round, exact without counting most candidates.

Rejection sampling: a candidate is sampled by an upper bound on its score and accepted with the probability that
corrects for the bound; otherwise sampling starts again with tighter bounds. The result has the law of the exponential
mechanism.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpviz.mechanisms.peeled_balls.engine import Peeler, window_counts
from dpviz.noise import NoiseSource, Question, Sampler
from dpviz.noise.exponentials import coin, selection_rate
from dpviz.noise.laws import ExponentialLaw

UNCOUNTED = 1.0  # utility only: uncounted candidates weigh at most this times the best one: up to 2 draws on average …
UNCOUNTED_EMPTY = 8.0  # utility only: … or this times what all would weigh without a record: up to 8
GRAIN = (
    0.1  # utility only: scores whose weights differ by less than exp(this) are drawn as one and told apart by a coin
)
REACH = 1  # utility only: so many rungs on either side of the crossing are looked at before a radius is drawn


class LargestCounts:
    """Exact bounds lower ≤ M(r) ≤ upper for all rungs: M never falls with r, and falls by at most what is removed."""

    def __init__(self, state: Peeler) -> None:
        rungs = len(state.windows)
        self.state = state
        self.lower = np.zeros(rungs, np.int64)
        self.upper = np.full(rungs, state.exact_largest(rungs - 1), np.int64)

    def removed(self, weight: int) -> None:
        """Lower the bounds after a removal of at most `weight` records."""
        self.lower = np.maximum(self.lower - weight, 0)

    def settle(self, weight: int) -> None:
        """Tighten the bounds where M crosses the weight."""
        self.state.exact_settle(self.lower, self.upper, weight, REACH)

    def learn(self, rung: int) -> None:
        """Set both bounds of a rung to M(rung)."""
        self.state.exact_learn(self.lower, self.upper, rung)

    def best_scores(self, weight: int) -> NDArray[np.int64]:
        """An upper bound on min(w − M(r⁻), M(r) − w) of every rung; M is 0 below the smallest."""
        scores = self.upper - weight
        scores[0] = min(scores[0], weight)
        np.minimum(scores[1:], weight - self.lower[:-1], out=scores[1:])
        return scores

    def least_score(self, rung: int, weight: int) -> int:
        """A lower bound on the score of a rung."""
        below = int(self.upper[rung - 1]) if rung else 0
        return min(weight - below, int(self.lower[rung]) - weight)


def select_radius(counts: LargestCounts, weight: int, epsilon: float, noise: NoiseSource) -> int:
    """[P3] Select a rung where the largest window crosses `weight`: score min(w − M(r⁻), M(r) − w), sensitivity 1."""
    return noise.decide(RadiusChoice(counts=counts, weight=weight, epsilon=epsilon))


@dataclass(frozen=True, kw_only=True, eq=False)
class RadiusChoice:
    """[P3] The choice of a rung, by rejection."""

    counts: LargestCounts
    weight: int
    epsilon: float

    @property
    def question(self) -> Question:
        """The query: every rung is a candidate."""
        public = (len(self.counts.state.windows), self.weight)
        return Question(kind="radius", epsilon=self.epsilon, sensitivity=1.0, public=public)

    def sample(self, noise: Sampler) -> int:
        """Sample rungs by bounds on their scores until one is accepted."""
        counts, weight, epsilon = self.counts, self.weight, self.epsilon
        counts.settle(weight)
        while True:
            bounds = counts.best_scores(weight)
            rung = noise.select(bounds, epsilon=epsilon, sensitivity=1.0)
            best = int(bounds[rung])
            if counts.least_score(rung, weight) == best:
                return rung
            counts.learn(rung)
            counts.learn(rung - 1)
            if coin(noise, selection_rate(epsilon), best - counts.least_score(rung, weight)):
                return rung

    def exact_law(self) -> ExponentialLaw:
        """The law, from M of every rung."""
        state = self.counts.state
        largest = np.array([0, *(state.exact_largest(rung) for rung in range(len(state.windows)))], np.int64)
        scores = np.minimum(self.weight - largest[:-1], largest[1:] - self.weight)
        return ExponentialLaw.of_all(selection_rate(self.epsilon), scores)


def select_center(
    state: Peeler,
    rung: int,
    weight: int,
    epsilon: float,
    noise: NoiseSource,
    *,
    monotone: bool,
    uncounted: float = UNCOUNTED,
) -> tuple[int, int]:
    """[P4] Select a lattice point by the exponential mechanism on min(count, w)."""
    choice = CenterChoice(
        state=state, rung=rung, weight=weight, epsilon=epsilon, monotone=monotone, uncounted=uncounted
    )
    return state.center(rung, noise.decide(choice))


@dataclass(frozen=True, kw_only=True, eq=False)
class CenterChoice:
    """[P4] The choice of a candidate's index by rejection: a group of similar scores, then a candidate uniformly."""

    state: Peeler
    rung: int
    weight: int
    epsilon: float
    monotone: bool
    uncounted: float = UNCOUNTED

    @property
    def question(self) -> Question:
        """The query: every point of the rung's lattice is a candidate."""
        public = (self.rung, self.state.candidates(self.rung), self.weight)
        return Question(kind="center", epsilon=self.epsilon, sensitivity=1.0, monotone=self.monotone, public=public)

    def sample(self, noise: Sampler) -> int:
        """Sample candidates by bounds on their scores until one is accepted."""
        state, rung, epsilon, monotone = self.state, self.rung, self.epsilon, self.monotone
        most = state.exact_largest(rung, self.weight)
        candidates = state.candidates(rung)
        rate = selection_rate(epsilon, monotone=monotone)
        floor, step = least_counted(most, candidates, float(rate), self.uncounted), max(1, int(GRAIN / rate))
        groups = state.exact_groups(rung, most, floor, step) if floor <= most else np.zeros(0, np.int64)
        present = np.flatnonzero(groups)
        highest = np.minimum(floor + (present + 1) * step - 1, most)  # the best score that a group may hold
        scores = np.append(highest, floor - 1).astype(np.int64)
        multiplicity = np.append(groups[present], candidates - groups.sum())
        while True:
            chosen = noise.select(
                scores, epsilon=epsilon, sensitivity=1.0, monotone=monotone, multiplicity=multiplicity
            )
            bound = int(scores[chosen])
            if chosen < len(present):
                place = int(noise.integers(int(multiplicity[chosen]), 1)[0])
                low = floor + int(present[chosen]) * step
                index, score = state.candidate(rung, most, low, bound, place)
            else:
                score = floor
                while score >= floor:  # one of the uncounted candidates, uniformly
                    index = int(noise.integers(candidates, 1)[0])
                    score = state.exact_score(rung, most, index)
            if score == bound or coin(noise, rate, bound - score):
                return index

    def exact_law(self) -> ExponentialLaw:
        """The law, from the score of every candidate."""
        counted = window_counts(self.state.exact_cells(), self.state.windows[self.rung])
        scores = np.minimum(counted, self.weight).ravel()
        occupied = np.flatnonzero(scores)
        return ExponentialLaw(
            rate=selection_rate(self.epsilon, monotone=self.monotone),
            candidates=len(scores),
            listed=occupied,
            scores=scores[occupied],
        )


def least_counted(most: int, candidates: int, rate: float, uncounted: float) -> int:
    """The least score that is counted; `most` + 1: none.

    Uncounted candidates are sampled as if each had one less than this. Together they weigh at most `uncounted` times
    the best candidate, or UNCOUNTED_EMPTY times all candidates without any record.
    """
    best = most - int(min(math.log(max(1.0, candidates / uncounted)) / rate, 2.0**62))
    all_empty = int(min(math.log(UNCOUNTED_EMPTY) / rate, float(most))) + 1
    return min(most + 1, max(0, best, all_empty))
