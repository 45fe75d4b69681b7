"""Peel small heavy balls off the map, one after the other: the coreset of ball centers.

Releases: at most one weighted point per round, refined by noisy sums and counts; centers are solved on them.
Paper: Feldman, Xiang, Zhu, Rus 2017, Algorithm 1 (PRIVATE-K-MEAN), with the tools of the `practical` variant.
Guarantee: (ε, δ), or (ε, 0) for δ = 0; add-remove and replace; one record.
Public inputs: grid, relation, k, ε, δ; n under replace. Exact inputs: the counts, or the points.
Departures: see the proof page (public lattice and ladder, public number of rounds, refinement).
Proof: docs/proofs/peeled_balls.md.

The two selections of a round [P3] [P4] are exact without counting most candidates: a candidate is sampled by an upper
bound on its score and accepted with the probability that corrects for the bound; otherwise sampling starts again with
tighter bounds. The result has the law of the exponential mechanism.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import Adjacency, Coreset, ExactCounts, ExactPoints, Grid
from dpviz.mechanisms.interface import Answer, ExactData, MethodInfo, NoAnswer, Plan, Reason
from dpviz.mechanisms.peeled_balls.engine import Peeler, block_sums, window_counts
from dpviz.mechanisms.peeled_balls.schedule import (
    LatticePeeler,
    Spending,
    peel_boxes,
    peeled_weights,
    refine_boxes,
    refine_points,
    spending,
    useful_rounds,
)
from dpviz.mechanisms.shares import BudgetSplit, FixedShares
from dpviz.noise import ExponentialLaw, NoiseSource, Question, Sampler
from dpviz.noise.decisions import coin, selection_rate
from dpviz.privacy import Budget, Charge, epsilon_of_zcdp, verify

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


POINTS_SIDE = 1024  # points in two dimensions are counted on a grid of this side


class PeeledBalls(FixedShares):
    """The practical variant."""

    info = MethodInfo(
        name="peeled_balls",
        title="Peeled balls",
        summary="Takes the smallest heavy circle off the map, again and again; each leaves one weighted point.",
        paper="Feldman, Xiang, Zhu, Rus 2017 (PRIVATE-K-MEAN)",
        adjacencies=frozenset(Adjacency),
        needs_delta=False,
        dims=(2, 8),
        proof="peeled_balls",
        vetted=True,
    )

    # Privacy-bearing. How the rounds share their part is fixed, and verified, once the total is known.
    split = BudgetSplit(shares={"rounds": 1.0}, deltas={"rounds": 1.0}, total=0.04)

    def run(self, data: ExactData, plan: Plan, noise: NoiseSource) -> Answer | NoAnswer:
        """Rounds of radius, center and removal, then the refinement."""
        if isinstance(data, ExactPoints) and data.frame.dims == 2:
            data = data.to_counts(POINTS_SIDE)
        parts, noisy_total = self.buy_total(data, plan, noise)  # [P1]
        rest = parts["rounds"]
        rounds = useful_rounds(noisy_total, plan.k, rest)  # [P2]
        constants = {"rounds": rounds, "noisy_total": noisy_total}
        if rounds == 0:
            return NoAnswer(reason=Reason.TOO_FEW_RECORDS, constants=constants)
        spend = spending(rest, rounds)
        verify(charges_of(spend, rounds, rest), rest)
        weights = peeled_weights(noisy_total, plan.k, rounds)
        if isinstance(data, ExactCounts):
            frame = data.grid.frame
            sums = block_sums(data)
            found, radii = peel(Peeler(data.grid, sums), weights, spend, data.relation, data.grid, noise)
            points = refine_points(sums, data.grid, found, radii, np.array(weights, float), spend, data.relation, noise)
        else:
            frame = data.frame
            centers, radii = peel_boxes(LatticePeeler(frame, data.exact_cube), weights, spend, data.relation, noise)
            points = refine_boxes(
                frame, data.exact_cube, centers, radii, np.array(weights, float), spend, data.relation, noise
            )
        positions, noisy_weights, variances = points
        return Answer(
            coreset=Coreset(frame=frame, positions=positions, weights=noisy_weights, variances=variances),
            noisy_total=float(noisy_total),
            constants={**constants, "accounting": spend.accounting},
        )


def charges_of(spend: Spending, rounds: int, rest: Budget) -> tuple[Charge, ...]:
    """Charges of the rounds and the refinement, for the second computation of the cost."""
    concentrated = spend.accounting == "zcdp"
    charges = []
    for name, epsilon in (("radii", spend.radius_epsilon), ("centers", spend.center_epsilon)):
        rho = rounds * epsilon**2 / 8 if concentrated else None
        charges.append(Charge(name=name, epsilon=rounds * epsilon, rho=rho))
    if spend.refine_rho is None:
        charges.append(Charge(name="refinement", epsilon=spend.refine_epsilon))
    else:
        delta = rest.delta / 2  # any split will do: the ρ is what is added up
        claimed = epsilon_of_zcdp(spend.refine_rho, delta)
        charges.append(Charge(name="refinement", epsilon=claimed, delta=delta, rho=spend.refine_rho))
    return tuple(charges)


def peel(
    state: Peeler, weights: list[int], spend: Spending, relation: Adjacency, grid: Grid, noise: NoiseSource
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Run the rounds: ball centers in local coordinates and their radii, (T, 2) and (T,)."""
    monotone = relation is Adjacency.ADD_REMOVE_ONE
    centers, radii = [], []
    counts = LargestCounts(state)
    for weight in weights:
        rung = select_radius(counts, weight, spend.radius_epsilon, noise)
        at = select_center(state, rung, weight, spend.center_epsilon, noise, monotone=monotone)
        state.remove(at, weight)  # [P5]
        counts.removed(weight)
        centers.append(at)
        radii.append(state.windows[rung].half_width_cells * max(grid.cell_width, grid.cell_height))
    halves = np.array(centers, np.float64)
    x = halves[:, 1] / 2 * grid.cell_width
    y = (grid.side - halves[:, 0] / 2) * grid.cell_height
    return np.column_stack([x, y]), np.array(radii)


PEELED_BALLS = PeeledBalls()
