"""Checks of what is divided: a budget among the steps of one search, the rows of persons among workers."""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dpviz.domain.box import plain_frame
from dpviz.ingest.dask.capped_workers import keep_bucket
from dpviz.ingest.units.person_keys import PersonHash
from dpviz.noise import replayable_source
from dpviz.noise.recconcave import rec_concave
from dpviz.noise.source import Decision
from dpviz.privacy import Budget
from dpviz_research.planting.finding import demand

CAP = 3
Rows = tuple[NDArray[np.uint64], NDArray[np.float64]]


class _Bill:
    """A source that adds up what its questions say that they cost."""

    def __init__(self) -> None:
        self.source = replayable_source(5)
        self.epsilon, self.delta, self.questions = Fraction(0), Fraction(0), 0

    def select(self, values: NDArray[np.int64], *, epsilon: float, sensitivity: float) -> int:
        self._add(epsilon, 0.0)
        return self.source.select(values, epsilon=epsilon, sensitivity=sensitivity)

    def decide(self, decision: Decision[Hashable]) -> Hashable:
        self._add(decision.question.epsilon, decision.question.delta)
        return self.source.decide(decision)

    def _add(self, epsilon: float, delta: float) -> None:
        self.epsilon, self.delta, self.questions = (
            self.epsilon + Fraction(epsilon),
            self.delta + Fraction(delta),
            self.questions + 1,
        )


def steps_of_a_search() -> None:
    """RecConcave on ranges of 20 and 5,000 places: its steps together spend what it was given, and no more."""
    budget = Budget(epsilon=0.7, delta=1e-6)
    for size, steps in ((20, 1), (5_000, 4)):
        bill = _Bill()
        quality = 600 - np.abs(np.arange(size, dtype=np.int64) - size // 3)
        rec_concave(quality, size, promise=500, alpha=0.5, budget=budget, noise=bill)  # type: ignore[arg-type]
        demand(bill.questions == steps, f"a search over {size} places asks {bill.questions} questions")
        slack = 1 + Fraction(1, 10**12)
        demand(bill.epsilon <= Fraction(budget.epsilon) * slack, "the steps of a search spend more than its epsilon")
        demand(bill.delta <= Fraction(budget.delta) * slack, "the steps of a search spend more than its delta")


def persons_on_workers() -> None:
    """What a worker keeps of a bucket: at most the cap, in any order of rows, and nobody hangs on anybody else."""
    rng = np.random.default_rng(6)
    frame, hashed = plain_frame((0.0, 0.0), (1.0, 1.0)), PersonHash.draw(replayable_source(7))
    persons = np.repeat(np.arange(12), rng.integers(1, 12, 12))
    keys = np.column_stack([persons, persons * 0 + 1]).astype(np.uint64)
    places = np.round(rng.random((len(persons), 2)), 6)
    whose = {tuple(place): person for place, person in zip(places.tolist(), persons.tolist(), strict=True)}

    def kept(rows: NDArray[np.int64], pieces: int) -> set[tuple[float, ...]]:
        parts: list[Rows] = [(keys[part], places[part]) for part in np.array_split(rows, pieces)]
        return set(map(tuple, keep_bucket(parts, frame, CAP, hashed).tolist()))

    every = np.arange(len(persons))
    first = kept(every, 1)
    for person in range(12):
        demand(sum(whose[place] == person for place in first) <= CAP, "a worker keeps more of a person than the cap")
        others = {place for place in first if whose[place] != person}
        left = kept(every[persons != person], 2)
        demand(left == others, "whom a worker keeps hangs on a person who is not there")
    for pieces in (2, 5):
        demand(kept(rng.permutation(every), pieces) == first, "what a worker keeps hangs on the order of the rows")


CHECKS = {"the steps of a search share its budget": steps_of_a_search, "persons on workers": persons_on_workers}
