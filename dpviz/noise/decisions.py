"""Private decisions that are sampled in several steps and published as one outcome.

Number and kind of the samples depend on exact data; the outcome alone reveals no more than its law. Each decision
states its query in public numbers, samples, and knows its law on its data.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass

import numpy as np

from dpviz.noise.source import Integers, ListedLaw, QueriesLaw, Question, Sampler, around, log, noise_at_least, noise_is


@dataclass(frozen=True, kw_only=True, eq=False)
class FirstAbove:
    """The first of some queries that passes a noisy limit (sparse vector, one answer), or None.

    ε-DP for queries of sensitivity 1 when both scales are 2/ε and 4/ε: `limit_scale` and `query_scale`.
    """

    exact_query: Callable[[int], int]
    queries: int  # how many there are at most
    limit: int
    limit_scale: float
    query_scale: float

    @property
    def question(self) -> Question:
        """The query. A limit moved by 1 compensates for queries that do not pass, 2 more for the one that does."""
        epsilon = 1.0 / self.limit_scale + 2.0 / self.query_scale
        public = (self.queries, self.limit, self.limit_scale, self.query_scale)
        return Question(kind="first above", epsilon=epsilon, public=public)

    def sample(self, noise: Sampler) -> int | None:
        """Sample the first query that passes."""
        limit = self.limit + int(noise.laplace(self.limit_scale, 1)[0])
        for number in range(self.queries):
            if self.exact_query(number) + int(noise.laplace(self.query_scale, 1)[0]) >= limit:
                return number
        return None

    def exact_law(self) -> QueriesLaw:
        """The law, from the queries and scales."""
        values: dict[Hashable, int] = {number: self.exact_query(number) for number in range(self.queries)}
        return QueriesLaw(
            values=values,
            scale=self.limit_scale,
            threshold=self.limit,
            listed=lambda: self._logs(list(values.values())),
        )

    def _logs(self, values: list[int]) -> dict[Hashable, float]:
        """Given the noise of the limit, queries pass independently."""
        drawn = around(0, self.limit_scale)
        still = noise_is(drawn, self.limit_scale)
        logs: dict[Hashable, float] = {}
        for number in range(self.queries):
            passes = noise_at_least(self.limit + drawn - values[number], self.query_scale)
            logs[number] = log(float((still * passes).sum()))
            still = still * (1.0 - passes)
        logs[None] = log(float(still.sum()))
        return logs


@dataclass(frozen=True, kw_only=True, eq=False)
class StableChoice:
    """The occupied place with the largest noisy count, if that passes a threshold; else None.

    Empty places are no candidates; that costs the δ of the threshold.
    """

    places: tuple[Hashable, ...]  # occupied ones, in a public order
    held: Integers
    scale: float
    threshold: int
    delta: float = 0.0

    @property
    def question(self) -> Question:
        """The query. Under replace two of the counts move by 1."""
        public = (self.scale, self.threshold)
        return Question(kind="stable choice", epsilon=2.0 / self.scale, delta=self.delta, public=public)

    def sample(self, noise: Sampler) -> Hashable | None:
        """Sample the winner."""
        if len(self.held) == 0:
            return None
        noisy = self.held + noise.laplace(self.scale, len(self.held))
        best = int(np.argmax(noisy))
        return self.places[best] if noisy[best] >= self.threshold else None

    def exact_law(self) -> QueriesLaw:
        """The law, from the counts and the threshold."""
        held = dict(zip(self.places, self.held.tolist(), strict=True))
        return QueriesLaw(values=held, scale=self.scale, threshold=self.threshold, listed=self._logs)

    def _logs(self) -> dict[Hashable, float]:
        """Place i wins where it is the first of the largest, and large enough."""
        below = 1.0 - noise_at_least(self.threshold - self.held, self.scale)
        with np.errstate(divide="ignore"):  # a count far above the threshold cannot stay below it
            logs: dict[Hashable, float] = {None: float(np.log(below).sum())}
        for winner, place in enumerate(self.places):
            counts = around(int(self.held[winner]), self.scale)
            counts = counts[counts >= self.threshold]
            chance = noise_is(counts - self.held[winner], self.scale)
            for other, held in enumerate(self.held.tolist()):
                if other != winner:
                    chance = chance * (1.0 - noise_at_least(counts - held + (other > winner), self.scale))
            logs[place] = log(float(chance.sum()))
        return logs


@dataclass(frozen=True, kw_only=True, eq=False)
class StableWinner:
    """The public candidate with the largest quality, if its noisy margin is large enough; else None.

    The winner is at distance `away` from any input on which another one wins; (ε, δ)-DP with noise of scale 1/ε.
    """

    values: Integers  # one quality per candidate, two candidates at least
    sensitivity: int
    scale: float
    threshold: int
    delta: float = 0.0

    @property
    def question(self) -> Question:
        """What is asked."""
        public = (len(self.values), self.sensitivity, self.scale, self.threshold)
        return Question(kind="stable winner", epsilon=1.0 / self.scale, delta=self.delta, public=public)

    def exact_winner(self) -> tuple[int, int]:
        """The winner and the number of records by which it wins."""
        winner = int(np.argmax(self.values))
        gap = int(self.values[winner]) - int(np.delete(self.values, winner).max())
        return winner, max(0, -(-gap // (2 * self.sensitivity)) - 1)

    def sample(self, noise: Sampler) -> int | None:
        """Sample the winner, or None."""
        winner, away = self.exact_winner()
        return None if away + int(noise.laplace(self.scale, 1)[0]) < self.threshold else winner

    def exact_law(self) -> ListedLaw:
        """The law of two outcomes."""
        winner, away = self.exact_winner()
        passes = float(noise_at_least(np.array([self.threshold - away]), self.scale)[0])
        return ListedLaw(logs={winner: log(passes), None: math.log1p(-passes) if passes < 1.0 else -math.inf})
