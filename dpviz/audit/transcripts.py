"""Forced transcripts: record a run's protected numbers, then make a run on other data give the same ones.

`ForcedSource` answers with noise = published number − exact number of the other data and demands the same questions.
The exact numbers of both runs then give the privacy loss of this transcript (losses.py). A forced run protects nobody.
"""

from __future__ import annotations

import dataclasses
import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import ExactCounts, ExactPoints
from dpviz.mechanisms.exact_view import listed_cells
from dpviz.mechanisms.interface import Answer, ExactData, Mechanism, NoAnswer, Plan, Public
from dpviz.mechanisms.subsampled import Subsampled, sampling_of
from dpviz.noise import Sampler, selection_rate
from dpviz.noise.source import Decision, ExponentialLaw, Integers, Law, Outcome

T = TypeVar("T")
Draw = Callable[[Sampler], T]
ChanceForRecords = Callable[["Step", int], NDArray[Any]]


class TranscriptBroken(Exception):
    """A run on other data asked something else, or could not be answered the same: it branches on exact data."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Step:
    """One question of a run: what was asked, in public numbers; the exact data behind it; the answer."""

    kind: str
    asked: tuple[Hashable, ...]
    answer: Any = None
    exact: Integers | Law | None = None  # None: chance that no data touches
    epsilon: float = 0.0  # claimed, of selections, decisions and joint noise
    delta: float = 0.0
    sensitivity: float | None = None
    monotone: bool = False

    def describe(self) -> str:
        """Name the question for messages, by public numbers only."""
        return f"{self.kind}{self.asked}"


class _Transcript(ABC):
    """A `NoiseSource` that turns every call into a `Step`. Subclasses decide how a step is answered."""

    kind: str
    seed: int | None
    steps: list[Step]

    @abstractmethod
    def _ask(self, step: Step, draw: Draw[T]) -> T:
        """Answer a question about data, or one of public chance."""

    @abstractmethod
    def _ask_for_records(self, step: Step, records: int, draw: Draw[NDArray[Any]]) -> NDArray[Any]:
        """Answer with secret chance, one number a record."""

    def add_laplace(self, exact: Integers, scale: float, *, sensitivity: float | None = None) -> Integers:
        step = _scaled_step("laplace", exact, scale, sensitivity)
        return self._ask(step, lambda source: source.add_laplace(exact, scale, sensitivity=sensitivity))

    def add_gaussian(self, exact: Integers, scale: float, *, sensitivity: float | None = None) -> Integers:
        step = _scaled_step("gaussian", exact, scale, sensitivity)
        return self._ask(step, lambda source: source.add_gaussian(exact, scale, sensitivity=sensitivity))

    def add_joint_laplace(self, exact: Integers, *, epsilon: float, radius: int) -> Integers:
        asked = (float(epsilon), int(radius), np.shape(exact))
        step = Step(kind="joint", asked=asked, exact=np.asarray(exact).astype(np.int64), epsilon=epsilon)
        return self._ask(step, lambda source: source.add_joint_laplace(exact, epsilon=epsilon, radius=radius))

    def add_spherical_laplace(self, exact: Integers, scale: float) -> Integers:
        step = _scaled_step("spherical", exact, scale, None)
        return self._ask(step, lambda source: source.add_spherical_laplace(exact, scale))

    def select(
        self,
        scores: Integers,
        *,
        epsilon: float,
        sensitivity: float = 1.0,
        monotone: bool = False,
        multiplicity: Integers | None = None,
    ) -> int:
        given = np.asarray(scores, np.int64)
        times = None if multiplicity is None else np.asarray(multiplicity, np.int64)
        rate = selection_rate(float(epsilon), sensitivity=float(sensitivity), monotone=bool(monotone))
        claims: dict[str, Any] = {"epsilon": epsilon, "sensitivity": sensitivity, "monotone": monotone}
        weights = None if times is None else times.tobytes()
        asked = (float(epsilon), float(sensitivity), bool(monotone), len(given), weights)
        step = Step(kind="select", asked=asked, exact=ExponentialLaw.of_all(rate, given, times), **claims)
        return int(self._ask(step, lambda source: source.select(scores, multiplicity=multiplicity, **claims)))

    def decide(self, decision: Decision[Outcome]) -> Outcome:
        """A decision; its law is recorded before it is drawn."""
        question = decision.question
        claims = {name: getattr(question, name) for name in ("epsilon", "delta", "sensitivity", "monotone")}
        asked = (*claims.values(), *question.public)
        step = Step(kind=question.kind, asked=asked, exact=decision.exact_law(), **claims)
        return self._ask(step, lambda source: source.decide(decision))

    def integers(self, high: int, size: int) -> Integers:
        return self._ask(Step(kind="integers", asked=(high, size)), lambda source: source.integers(high, size))

    def coins(self, probability: float | Fraction, size: int) -> NDArray[np.bool_]:
        return self._ask(Step(kind="coins", asked=(probability, size)), lambda source: source.coins(probability, size))

    def permutation(self, size: int) -> Integers:
        return self._ask(Step(kind="permutation", asked=(size,)), lambda source: source.permutation(size))

    def integers_for_records(self, high: int, records: int) -> Integers:
        """Secret chance: how many records there are is no part of the question."""
        step = Step(kind="integers for records", asked=(high,))
        return self._ask_for_records(step, records, lambda source: source.integers_for_records(high, records))

    def coins_for_records(self, probability: float | Fraction, records: int) -> NDArray[np.bool_]:
        step = Step(kind="coins for records", asked=(probability,))
        return self._ask_for_records(step, records, lambda source: source.coins_for_records(probability, records))

    def order_of_rows(self, rows: int) -> Integers:
        """Secret chance; the number of all rows is public where it is used."""
        step = Step(kind="order of rows", asked=(rows,))
        return self._ask_for_records(step, rows, lambda source: source.order_of_rows(rows))


class RecordingSource(_Transcript):
    """Passes every question on to a source and records question, exact data and answer. Exact; curator only."""

    def __init__(self, source: Sampler) -> None:
        self._source = source
        self.kind, self.seed, self.steps = source.kind, source.seed, []

    def _ask(self, step: Step, draw: Draw[T]) -> T:
        answer = draw(self._source)
        self.steps.append(replace(step, answer=answer))
        return _copied(answer)

    def _ask_for_records(self, step: Step, records: int, draw: Draw[NDArray[Any]]) -> NDArray[Any]:
        return self._ask(step, draw)


class ForcedSource(_Transcript):
    """Gives a run on other data the answers of the first run, and records the other exact data.

    `for_records` gives the secret chance of single records: a step of the first run and how many there are now.
    """

    def __init__(self, steps: list[Step], for_records: ChanceForRecords, *, kind: str, seed: int | None) -> None:
        self._first = steps
        self._for_records = for_records
        self.kind, self.seed, self.steps = kind, seed, []

    def _ask(self, step: Step, draw: Draw[T]) -> T:
        """Demand the question of the first run, and answer as then."""
        number = len(self.steps)
        if number >= len(self._first):
            raise TranscriptBroken(f"question {number + 1}, {step.describe()}, was not asked on the first data.")
        first = self._first[number]
        if (step.kind, step.asked) != (first.kind, first.asked):
            raise TranscriptBroken(
                f"question {number + 1} is {step.describe()}; on the first data it was {first.describe()}."
            )
        self.steps.append(replace(step, answer=first.answer))
        return cast(T, _copied(first.answer))

    def _ask_for_records(self, step: Step, records: int, draw: Draw[NDArray[Any]]) -> NDArray[Any]:
        self._ask(step, draw)
        return self._for_records(self._first[len(self.steps) - 1], records)

    def finish(self) -> None:
        """Demand that no question of the first run was left out."""
        if len(self.steps) < len(self._first):
            raise TranscriptBroken(
                f"only {len(self.steps)} of {len(self._first)} questions were asked; the next one was "
                f"{self._first[len(self.steps)].describe()}."
            )


def _scaled_step(kind: str, exact: Integers, scale: float, sensitivity: float | None) -> Step:
    asked = (float(scale), np.shape(exact), None if sensitivity is None else float(sensitivity))
    return Step(kind=kind, asked=asked, exact=np.asarray(exact).astype(np.int64), sensitivity=sensitivity)


def _copied(answer: T) -> T:
    """A copy of an array: runs may write into what they are given."""
    return cast(T, answer.copy()) if isinstance(answer, np.ndarray) else answer


def force_run(
    mechanism: Mechanism, data: ExactData, other: ExactData, plan: Plan, recorded: RecordingSource, output: str
) -> list[Step]:
    """Run on other data with the recorded answers; its steps. The digest of its output must be the same."""
    sampled = sampling_of(Public.of(data)) if isinstance(mechanism, Subsampled) else None
    matched = _RecordMatch(data, other, None if sampled is None else sampled.drawn)
    source = ForcedSource(recorded.steps, matched.chance, kind=recorded.kind, seed=recorded.seed)
    try:
        again = digest_output(mechanism.run(other, plan, source))
    except TranscriptBroken:
        raise
    except Exception as error:
        raise TranscriptBroken(f"the run on the other data ends in {type(error).__name__}: {error}") from error
    source.finish()
    if again != output:
        raise TranscriptBroken(
            "all protected numbers were equal, but what is handed out is not: something exact got out beside them."
        )
    return source.steps


class _RecordMatch:
    """Which record of the first data each record of the other data is; the rest are new."""

    def __init__(self, data: ExactData, other: ExactData, drawn: int | None = None) -> None:
        self._data, self._other, self._drawn = data, other, drawn
        self._found: Integers | None = None

    def chance(self, step: Step, records: int) -> NDArray[Any]:
        """The secret chance of a step, for records as they are listed now: a new record is always in the sample."""
        first = np.asarray(step.answer)
        if step.kind == "order of rows":
            places = self._places(first)
            if self._drawn is not None:
                self._keep_sample(first < self._drawn, places < self._drawn)
            return places
        matched = self._records()
        if len(matched) != records:
            raise TranscriptBroken(f"{step.describe()}: {records} numbers were asked for {len(matched)} records.")
        fresh = np.full(records, first.dtype == np.bool_, first.dtype)
        fresh[matched >= 0] = first[matched[matched >= 0]]
        if step.kind == "coins for records":
            self._keep_sample(first, fresh)
        return fresh

    def _keep_sample(self, kept: NDArray[Any], other_kept: NDArray[Any]) -> None:
        """From now on the run lists the records of the sample only."""
        matched = self._records()
        kept = np.resize(kept, max(int(matched.max(initial=-1)) + 1, len(kept)))
        place_of = np.where(kept, np.cumsum(kept) - 1, -1)
        chosen = matched[np.flatnonzero(other_kept[: len(matched)])]
        self._found = np.where(chosen >= 0, place_of[np.maximum(chosen, 0)], -1)

    def _records(self) -> Integers:
        if self._found is None:
            data, other = self._data, self._other
            if isinstance(data, ExactCounts) and isinstance(other, ExactCounts):
                self._found = _match_cells(listed_cells(data), listed_cells(other))
            else:
                assert isinstance(data, ExactPoints) and isinstance(other, ExactPoints)
                rows = ([row.tobytes() for row in np.ascontiguousarray(one.exact_cube)] for one in (data, other))
                self._found = _match_rows(*rows)
        return self._found

    def _places(self, first: NDArray[Any]) -> NDArray[Any]:
        """A place for every row: rows outside the box come last, and are records that nothing tells apart."""
        pairs = self._records()
        rows = np.full(len(first), -1)
        rows[: len(pairs)] = pairs
        rows[rows < 0] = np.setdiff1d(np.arange(len(first)), pairs[pairs >= 0])
        return cast(NDArray[Any], first[rows])


def _match_rows(first: list[bytes], other: list[bytes]) -> Integers:
    """For each of the others the index of an equal one among the first, every one used once.

    A record without an equal stands for one that is gone (a replaced row keeps its coins); −1 where none is left.
    """
    waiting: dict[bytes, list[int]] = {}
    for place in range(len(first) - 1, -1, -1):
        waiting.setdefault(first[place], []).append(place)
    found = np.array([waiting[one].pop() if waiting.get(one) else -1 for one in other], np.int64)
    return _reuse_gone(found, np.array(sorted(place for places in waiting.values() for place in places), np.int64))


def _match_cells(first: Integers, other: Integers) -> Integers:
    """The same for records that are known by their cells, in rising order."""
    number = np.arange(len(other)) - np.searchsorted(other, other)  # which of its cell a record is
    start = np.searchsorted(first, other)
    held = np.searchsorted(first, other, side="right") - start
    found = np.where(number < held, start + number, -1)
    return _reuse_gone(found, np.setdiff1d(np.arange(len(first)), found))


def _reuse_gone(found: Integers, gone: Integers) -> Integers:
    """Let new records stand for those that are gone, one by one."""
    new = np.flatnonzero(found < 0)[: len(gone)]
    found[new] = gone[: len(new)]
    return found


def digest_output(answer: Answer | NoAnswer) -> str:
    """A digest of everything that an answer hands out, bit by bit."""
    digest = hashlib.blake2b(digest_size=16)
    _feed(digest, answer)
    return digest.hexdigest()


def _feed(digest: Any, value: Any) -> None:
    if isinstance(value, np.ndarray):
        digest.update(repr((value.dtype.str, value.shape)).encode())
        digest.update(np.ascontiguousarray(value).tobytes())
        return
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        digest.update(type(value).__name__.encode())
        value = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        value = [part for item in value.items() for part in item]
    if isinstance(value, list | tuple):
        digest.update(f"{len(value)}".encode())
        for inner in value:
            _feed(digest, inner)
    else:
        digest.update(repr(value).encode())
