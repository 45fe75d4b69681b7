"""The interface of noise sources, and the laws of private decisions on given data (exact, for audits).

A mechanism passes exact numbers and scores in and gets protected numbers and decisions out, never bare noise. So a
source that answers with prepared numbers (the auditor's) sees everything that a run learns about its data.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from dpviz.noise.checks import rounded_up

Outcome = TypeVar("Outcome", covariant=True)
Integers = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class Question:
    """The query of a decision and its price, in public numbers alone."""

    kind: str
    epsilon: float
    delta: float = 0.0
    sensitivity: float | None = None  # of scores, where outcomes are weighed by them
    monotone: bool = False
    public: tuple[Hashable, ...] = ()


class Decision(Protocol[Outcome]):
    """One private decision that is sampled in several steps but published as one outcome (decisions.py).

    The steps of `sample` depend on exact data in number and kind; only the outcome is protected.
    """

    @property
    def question(self) -> Question:
        """The query, in public numbers alone."""

    def sample(self, noise: Sampler) -> Outcome:
        """Sample the outcome."""

    def exact_law(self) -> Law:
        """The law of the outcome on these data, for audits; never published."""


class Law(Protocol):
    """The probabilities of a decision's outcomes on some data. Exact."""

    def log_probability(self, outcome: Any) -> float:
        """−∞ where the outcome cannot come out."""


class NoiseSource(Protocol):
    """Protected numbers and exact selections. `kind` is "secure" or "replayable"; only secure output is published."""

    kind: str
    seed: int | None

    def add_laplace(self, exact: Integers, scale: float, *, sensitivity: float | None = None) -> Integers:
        """Exact whole numbers with independent discrete Laplace noise, P(z) ∝ exp(−|z|/scale), in the same shape.

        `sensitivity` says by how much one unit of protection may move the vector (L1), where one number can say it.
        Vectors are cheap, calls are not.
        """

    def add_gaussian(self, exact: Integers, scale: float, *, sensitivity: float | None = None) -> Integers:
        """The same with discrete Gaussian noise, P(z) ∝ exp(−z²/(2·scale²)); sensitivity in L2."""

    def add_joint_laplace(self, exact: Integers, *, epsilon: float, radius: int) -> Integers:
        """Rows of one count and d sums with joint noise: one record moves one row by at most 1 and `radius` (L2)."""

    def add_spherical_laplace(self, exact: Integers, scale: float) -> Integers:
        """Rows with noise by length alone: what moves one row by r in L2 costs at most 1.03·r/scale (spherical.py)."""

    def select(
        self,
        scores: Integers,
        *,
        epsilon: float,
        sensitivity: float = 1.0,
        monotone: bool = False,
        multiplicity: Integers | None = None,
    ) -> int:
        """Exponential mechanism: index i with P ∝ multiplicity_i · exp(ε·score_i / (2·sensitivity)).

        `monotone` leaves out the 2: for scores that move in one direction under add/remove, never under replace. The
        candidates, and how many each stands for, are public; scores grouped by their value need a `Decision`.
        """

    def decide(self, decision: Decision[Outcome]) -> Outcome:
        """Sample the outcome of a private decision."""

    def integers(self, high: int, size: int) -> Integers:
        """Uniform integers in [0, high): public chance, so `high` and `size` are public."""

    def coins(self, probability: float | Fraction, size: int) -> NDArray[np.bool_]:
        """Independent coins: public chance."""

    def permutation(self, size: int) -> Integers:
        """A uniform permutation of 0 … size − 1: public chance."""

    def integers_for_records(self, high: int, records: int) -> Integers:
        """A uniform integer in [0, high) for every record: secret like the records, as many as there are."""

    def coins_for_records(self, probability: float | Fraction, records: int) -> NDArray[np.bool_]:
        """A coin for every record, secret."""

    def order_of_rows(self, rows: int) -> Integers:
        """A uniform permutation of all rows, secret: row r gets place order[r]."""


class Sampler(NoiseSource, Protocol):
    """A source that also returns its bare noise: for demonstrations, experiments and the sources themselves."""

    def laplace(self, scale: float, size: int) -> Integers:
        """`size` draws of discrete Laplace, P(z) ∝ exp(−|z|/scale)."""

    def gaussian(self, scale: float, size: int, *, exactly: bool = False) -> Integers:
        """`size` draws of discrete Gaussian: P(z) ∝ exp(−z²/(2·scale²)); `exactly` leaves the scale as it is."""


Floats = NDArray[np.float64]
REACH = 60.0  # scales of noise that are summed over: what is left out weighs less than exp(−60)
MOST_PLACES = 1 << 21
COSTLY = 2e4


@dataclass(frozen=True, kw_only=True, eq=False)
class ListedLaw:
    """A law with few outcomes and their log probabilities; all others are impossible."""

    logs: Mapping[Hashable, float]

    def log_probability(self, outcome: Any) -> float:
        """−∞ where the outcome cannot come out."""
        return self.logs.get(outcome, -math.inf)


@dataclass(frozen=True, kw_only=True, eq=False)
class ExponentialLaw:
    """P(i) ∝ multiplicity_i · exp(rate · score_i) for candidates 0, 1 …; unlisted ones have score 0 and count once."""

    rate: Fraction
    candidates: int  # with their multiplicities
    listed: Integers  # in rising order
    scores: Integers
    multiplicity: Integers | None = None

    @classmethod
    def of_all(cls, rate: Fraction, scores: Integers, multiplicity: Integers | None = None) -> ExponentialLaw:
        """A score for every candidate."""
        candidates = len(scores) if multiplicity is None else int(multiplicity.sum())
        listed = np.arange(len(scores))
        return cls(rate=rate, candidates=candidates, listed=listed, scores=scores.copy(), multiplicity=multiplicity)

    def log_probability(self, outcome: Any) -> float:
        """Log probability of one candidate, not of all that its multiplicity stands for."""
        gap = self._top - int(self._scores_at(np.array([int(outcome)]))[0])
        return -float(self.rate * gap) - self._log_total

    @property
    def log_total(self) -> float:
        """Logarithm of Σ multiplicity · exp(rate · score)."""
        return float(self.rate * self._top) + self._log_total

    def changes(self, other: ExponentialLaw) -> tuple[int, int]:
        """The smallest and the largest change of a score on the way to other data (unlisted candidates stay at 0)."""
        if np.array_equal(self.listed, other.listed):
            moved = other.scores - self.scores
        else:
            places = np.union1d(self.listed, other.listed)
            moved = other._scores_at(places) - self._scores_at(places)
        moved = moved[moved != 0]
        return int(moved.min(initial=0)), int(moved.max(initial=0))

    def _scores_at(self, places: Integers) -> Integers:
        if not len(self.listed):
            return np.zeros(len(places), np.int64)
        at = np.minimum(np.searchsorted(self.listed, places), len(self.listed) - 1)
        return np.where(self.listed[at] == places, self.scores[at], 0)

    @cached_property
    def _unlisted(self) -> int:
        return self.candidates - (len(self.scores) if self.multiplicity is None else int(self.multiplicity.sum()))

    @cached_property
    def _top(self) -> int:
        """The largest score; others are taken relative to it, so that no difference is lost to rounding."""
        largest = self.scores.max() if len(self.scores) else 0
        return max(int(largest), 0) if self._unlisted else int(largest)

    @cached_property
    def _log_total(self) -> float:
        """Logarithm of Σ multiplicity · exp(rate · (score − top))."""
        weights = np.exp(-float(self.rate) * (float(self._top) - self.scores.astype(np.float64)))
        listed = float((weights if self.multiplicity is None else weights * self.multiplicity).sum())
        return math.log(listed + (self._unlisted * math.exp(-float(self.rate * self._top)) if self._unlisted else 0.0))


@dataclass(frozen=True, kw_only=True, eq=False)
class QueriesLaw:
    """The law of a decision about exact numbers, stated by its scales: `logs` is computed on demand.

    `values` are what noise of `scale` is added to: a number for every public query, or for every occupied place.
    """

    values: Mapping[Hashable, int]
    scale: float
    threshold: int
    listed: Callable[[], Mapping[Hashable, float]]

    @cached_property
    def logs(self) -> Mapping[Hashable, float]:
        """The logarithm of the probability of every outcome."""
        return self.listed()

    @property
    def costly(self) -> bool:
        """Whether `logs` is slow."""
        return self.scale * len(self.values) > COSTLY

    def log_probability(self, outcome: Any) -> float:
        """−∞ where the outcome cannot come out."""
        return self.logs.get(outcome, -math.inf)


def noise_at_least(least: Floats | Integers, scale: float) -> Floats:
    """P(discrete Laplace noise of this scale, as drawn, ≥ least)."""
    decay = -1.0 / rounded_up(scale)
    places = np.asarray(least, np.float64)
    above = np.exp(decay * np.maximum(places, 0.0)) / (1.0 + math.exp(decay))
    below = 1.0 - np.exp(decay * np.maximum(1.0 - places, 1.0)) / (1.0 + math.exp(decay))
    return np.where(places > 0.0, above, below)


def noise_is(places: Floats | Integers, scale: float) -> Floats:
    """P(discrete Laplace noise of this scale, as drawn, = place)."""
    decay = -1.0 / rounded_up(scale)
    return np.exp(decay * np.abs(np.asarray(places, np.float64))) * math.tanh(-decay / 2.0)


def around(center: int, scale: float) -> Integers:
    """Whole numbers within REACH scales of a center, at most MOST_PLACES of them."""
    reach = min(math.ceil(REACH * scale) + 2, MOST_PLACES // 2)
    return np.arange(center - reach, center + reach + 1)


def log(probability: float) -> float:
    """Logarithm, −∞ for 0."""
    return math.log(probability) if probability > 0.0 else -math.inf
