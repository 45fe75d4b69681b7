"""The interface of noise sources.

A mechanism passes exact numbers and scores in and gets protected numbers and decisions out, never bare noise. So a
source that answers with prepared numbers (the auditor's) sees everything that a run learns about its data.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

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
