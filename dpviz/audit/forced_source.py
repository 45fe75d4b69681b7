"""Forced transcripts: a run's protected numbers written down, and other data made to give the same ones.

`TellingSource` writes down all that a run asks and what it is told. `ForcedSource` answers a run on other data with the
same protected numbers, that is, with noise = published number − exact number of the other data, and demands that the
run asks the same. What a mechanism hands out may then not differ, and the exact numbers of both runs give the privacy
loss of this very transcript (losses.py). For audits and tests: a forced run protects nobody.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz.noise.coins import selection_rate
from dpviz.noise.laws import ExponentialLaw
from dpviz.noise.source import Decision, Law, Outcome, Sampler

Integers = NDArray[np.int64]


class TranscriptBroken(Exception):
    """A run on other data asked something else, or could not be told the same: it branches on exact data."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Step:
    """One question of a run: what was asked, in public numbers; the exact data behind it; what the run was told."""

    kind: str
    asked: tuple[Hashable, ...]
    told: Any
    exact: Integers | Law | None = None  # None: chance that no data touches
    epsilon: float = 0.0  # claimed, of selections, decisions and joint noise
    delta: float = 0.0
    sensitivity: float | None = None
    monotone: bool = False

    def describe(self) -> str:
        """One line for messages; public things only."""
        return f"{self.kind}{self.asked}"


class TellingSource:
    """Passes every question on to a source and writes down question, exact data and answer. Exact; curator only."""

    def __init__(self, source: Sampler) -> None:
        self._source = source
        self.kind: str = source.kind
        self.seed: int | None = source.seed
        self.steps: list[Step] = []

    def _tell(self, step: Step) -> Any:
        self.steps.append(step)
        return step.told

    def add_laplace(self, exact: Integers, scale: float, *, sensitivity: float | None = None) -> Integers:
        """Exact whole numbers with discrete Laplace noise."""
        told = self._source.add_laplace(exact, scale, sensitivity=sensitivity)
        self._tell(_noisy("laplace", exact, scale, sensitivity, told))
        return told.copy()

    def add_gaussian(self, exact: Integers, scale: float, *, sensitivity: float | None = None) -> Integers:
        """Exact whole numbers with discrete Gaussian noise."""
        told = self._source.add_gaussian(exact, scale, sensitivity=sensitivity)
        self._tell(_noisy("gaussian", exact, scale, sensitivity, told))
        return told.copy()

    def add_joint_laplace(self, exact: Integers, *, epsilon: float, radius: int) -> Integers:
        """Rows of one count and d sums with joint noise."""
        told = self._source.add_joint_laplace(exact, epsilon=epsilon, radius=radius)
        self._tell(_joint(exact, epsilon, radius, told))
        return told.copy()

    def select(
        self,
        scores: Integers,
        *,
        epsilon: float,
        sensitivity: float = 1.0,
        monotone: bool = False,
        multiplicity: Integers | None = None,
    ) -> int:
        """The exponential mechanism."""
        told = self._source.select(
            scores, epsilon=epsilon, sensitivity=sensitivity, monotone=monotone, multiplicity=multiplicity
        )
        return int(self._tell(_selected(scores, epsilon, sensitivity, monotone, multiplicity, told)))

    def decide(self, decision: Decision[Outcome]) -> Outcome:
        """A decision, drawn from the source; its law is written down before the run goes on."""
        law = decision.exact_law()
        told: Outcome = self._tell(_decided(decision, law, self._source.decide(decision)))
        return told

    def integers(self, high: int, size: int) -> Integers:
        """Public chance."""
        return _own(self._tell(_chance("integers", (high, size), self._source.integers(high, size))))

    def coins(self, probability: float | Fraction, size: int) -> NDArray[np.bool_]:
        """Public chance."""
        return _own(self._tell(_chance("coins", (probability, size), self._source.coins(probability, size))))

    def permutation(self, size: int) -> Integers:
        """Public chance."""
        return _own(self._tell(_chance("permutation", (size,), self._source.permutation(size))))

    def integers_for_records(self, high: int, records: int) -> Integers:
        """Secret chance: how many records there are is no part of the question."""
        told = self._source.integers_for_records(high, records)
        return _own(self._tell(_chance("integers for records", (high,), told)))

    def coins_for_records(self, probability: float | Fraction, records: int) -> NDArray[np.bool_]:
        """Secret chance."""
        told = self._source.coins_for_records(probability, records)
        return _own(self._tell(_chance("coins for records", (probability,), told)))

    def order_of_rows(self, rows: int) -> Integers:
        """Secret chance; the number of all rows is public where it is used."""
        return _own(self._tell(_chance("order of rows", (rows,), self._source.order_of_rows(rows))))


ChanceForRecords = Callable[[Step, int], NDArray[Any]]


class ForcedSource:
    """Tells a run on other data what the first run was told, and writes down the other exact data.

    `for_records` gives the secret chance of single records: a step of the first run and how many there are now.
    """

    def __init__(self, steps: list[Step], for_records: ChanceForRecords, *, kind: str, seed: int | None) -> None:
        self._first = steps
        self._for_records = for_records
        self.kind = kind
        self.seed = seed
        self.steps: list[Step] = []

    def _forced(self, step: Step) -> Any:
        """The same question as in the first run, or an error; what is told is what the first run was told."""
        number = len(self.steps)
        if number >= len(self._first):
            raise TranscriptBroken(f"question {number + 1}, {step.describe()}, was not asked on the first data.")
        first = self._first[number]
        if (step.kind, step.asked) != (first.kind, first.asked):
            raise TranscriptBroken(
                f"question {number + 1} is {step.describe()}; on the first data it was {first.describe()}."
            )
        self.steps.append(step)
        return first.told

    def finish(self) -> None:
        """Nothing may be left unasked."""
        if len(self.steps) < len(self._first):
            raise TranscriptBroken(
                f"only {len(self.steps)} of {len(self._first)} questions were asked; the next one was "
                f"{self._first[len(self.steps)].describe()}."
            )

    def add_laplace(self, exact: Integers, scale: float, *, sensitivity: float | None = None) -> Integers:
        """The first run's protected numbers."""
        return _own(self._forced(_noisy("laplace", exact, scale, sensitivity)))

    def add_gaussian(self, exact: Integers, scale: float, *, sensitivity: float | None = None) -> Integers:
        """The first run's protected numbers."""
        return _own(self._forced(_noisy("gaussian", exact, scale, sensitivity)))

    def add_joint_laplace(self, exact: Integers, *, epsilon: float, radius: int) -> Integers:
        """The first run's protected numbers."""
        return _own(self._forced(_joint(exact, epsilon, radius)))

    def select(
        self,
        scores: Integers,
        *,
        epsilon: float,
        sensitivity: float = 1.0,
        monotone: bool = False,
        multiplicity: Integers | None = None,
    ) -> int:
        """The first run's winner."""
        return int(self._forced(_selected(scores, epsilon, sensitivity, monotone, multiplicity)))

    def decide(self, decision: Decision[Outcome]) -> Outcome:
        """The first run's outcome."""
        told: Outcome = self._forced(_decided(decision, decision.exact_law()))
        return told

    def integers(self, high: int, size: int) -> Integers:
        """The same chance."""
        return _own(self._forced(_chance("integers", (high, size))))

    def coins(self, probability: float | Fraction, size: int) -> NDArray[np.bool_]:
        """The same chance."""
        return _own(self._forced(_chance("coins", (probability, size))))

    def permutation(self, size: int) -> Integers:
        """The same chance."""
        return _own(self._forced(_chance("permutation", (size,))))

    def integers_for_records(self, high: int, records: int) -> Integers:
        """The same chance for the same records."""
        self._forced(_chance("integers for records", (high,)))
        return self._given(records)

    def coins_for_records(self, probability: float | Fraction, records: int) -> NDArray[np.bool_]:
        """The same chance for the same records."""
        self._forced(_chance("coins for records", (probability,)))
        return self._given(records)

    def order_of_rows(self, rows: int) -> Integers:
        """The same places for the same records."""
        self._forced(_chance("order of rows", (rows,)))
        return self._given(rows)

    def _given(self, records: int) -> NDArray[Any]:
        return self._for_records(self._first[len(self.steps) - 1], records)


def _own(told: Any) -> NDArray[Any]:
    """A copy: runs may write into what they are given."""
    copied: NDArray[Any] = told.copy()
    return copied


def _noisy(kind: str, exact: Any, scale: float, sensitivity: float | None, told: Any = None) -> Step:
    given = np.asarray(exact)
    asked = (float(scale), given.shape, None if sensitivity is None else float(sensitivity))
    return Step(kind=kind, asked=asked, told=_kept(told), exact=given.astype(np.int64), sensitivity=sensitivity)


def _joint(exact: Any, epsilon: float, radius: int, told: Any = None) -> Step:
    given = np.asarray(exact)
    asked = (float(epsilon), int(radius), given.shape)
    return Step(kind="joint", asked=asked, told=_kept(told), exact=given.astype(np.int64), epsilon=epsilon)


def _kept(told: Any) -> Any:
    return told.copy() if isinstance(told, np.ndarray) else told


def _selected(
    scores: Any,
    epsilon: float,
    sensitivity: float,
    monotone: bool,
    multiplicity: Integers | None,
    told: int | None = None,
) -> Step:
    given = np.asarray(scores, np.int64)
    times = None if multiplicity is None else np.asarray(multiplicity, np.int64)
    asked = (
        float(epsilon),
        float(sensitivity),
        bool(monotone),
        len(given),
        None if times is None else times.tobytes(),
    )
    rate = selection_rate(float(epsilon), sensitivity=float(sensitivity), monotone=bool(monotone))
    law = ExponentialLaw.of_all(rate, given, times)
    return Step(
        kind="select",
        asked=asked,
        told=told,
        exact=law,
        epsilon=epsilon,
        sensitivity=sensitivity,
        monotone=monotone,
    )


def _decided(decision: Decision[Any], law: Law, told: Any = None) -> Step:
    question = decision.question
    return Step(
        kind=question.kind,
        asked=(question.epsilon, question.delta, question.sensitivity, question.monotone, *question.public),
        told=told,
        exact=law,
        epsilon=question.epsilon,
        delta=question.delta,
        sensitivity=question.sensitivity,
        monotone=question.monotone,
    )


def _chance(kind: str, asked: tuple[Hashable, ...], told: Any = None) -> Step:
    return Step(kind=kind, asked=asked, told=_kept(told))
