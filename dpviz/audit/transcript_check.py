"""One mechanism and one data set: its transcript, forced on neighbours and on wholly other data."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz.audit.budget_parts import paid_parts
from dpviz.audit.forced_source import ForcedSource, Step, TellingSource, TranscriptBroken
from dpviz.audit.losses import Loss, cost_of_part, loss
from dpviz.domain import ExactCounts, ExactPoints
from dpviz.mechanisms.exact_view import listed_cells
from dpviz.mechanisms.interface import Answer, ExactData, Mechanism, NoAnswer, Plan, Public
from dpviz.mechanisms.subsampled import Subsampled, sampling_of
from dpviz.noise import Sampler, replayable_source
from dpviz.privacy import Budget, verify

TOLERANCE = 1e-9  # relative: the accounts of losses.py are floats but for Laplace noise, which is rounded up by 2^-39


def check(
    mechanism: Mechanism,
    data: ExactData,
    neighbours: Sequence[ExactData] = (),
    *,
    budget: Budget,
    k: int = 3,
    others: Sequence[ExactData] = (),
    seed: int = 0,
    source: Sampler | None = None,
    claims: Sequence[Budget] | None = None,
    sequential: bool = False,
    group: int = 1,
) -> Loss:
    """The worst loss of this run's transcript over all neighbours; raises `TranscriptBroken` with what is wrong.

    `neighbours` differ from `data` by one unit of protection and may cost at most `budget` (or each its own of
    `claims`); `others` are any data with the same public facts: for them the transcript must exist, at whatever price.
    `sequential`: the method asks no question of a part of the data alone, so all that it states must fit the budget.
    `group`: the method states its sensitivities for one record, and neighbours differ by so many.
    """
    public = Public.of(data)
    plan = mechanism.plan(public, k=k, budget=budget)
    verify(plan.charges, budget)
    telling = TellingSource(source or replayable_source(seed))
    answer = mechanism.run(data, plan, telling)
    demand_inside(answer)
    handed_out = fingerprint(answer)
    chance = sampling_of(public).chance if isinstance(mechanism, Subsampled) else 1.0
    worst = Loss(epsilon=0.0, claimed=budget.epsilon, realised=0.0, touched=0, steps=len(telling.steps))
    for number, other in enumerate((*neighbours, *others)):
        if Public.of(other) != public:
            raise ValueError("the other data differ in public facts; give data that only their records tell apart.")
        forced = forced_run(mechanism, data, other, plan, telling, handed_out)
        if number >= len(neighbours):
            continue
        claim = budget if claims is None else claims[number]
        found = loss(telling.steps, forced, claim, sample=chance, sequential=sequential, group=group)
        for part in paid_parts(mechanism.info.name, telling.steps, public, k, budget):
            here, there = ([run[place] for place in part.steps] for run in (telling.steps, forced))
            spent = cost_of_part(here, there, part.budget)
            if spent > part.budget.epsilon * (1 + TOLERANCE):
                raise TranscriptBroken(
                    f"the part {part.name!r} of the budget pays for {spent:.9g}, and has {part.budget.epsilon:.9g}."
                )
        cost = max(found.epsilon, abs(found.realised), found.stated)
        if cost > claim.epsilon * (1 + TOLERANCE):
            raise TranscriptBroken(
                f"neighbour {number + 1}: this transcript costs {cost:.9g}, the method "
                f"claims {claim.epsilon:.9g} (delta {claim.delta:g}); "
                f"{found.touched} of {found.steps} questions touched."
            )
        worst = max(worst, found, key=lambda one: one.used)
    return worst


def demand_inside(answer: Answer | NoAnswer) -> None:
    """Points and centers lie in the box, whatever noise was drawn: proofs say that they are clamped into it."""
    if isinstance(answer, NoAnswer):
        return
    for name, placed in (("a point", answer.coreset), ("a center", answer.centers)):
        if placed is not None and not ((placed.positions >= 0) & (placed.positions <= placed.frame.extent)).all():
            raise TranscriptBroken(f"{name} that is handed out lies outside the box.")


def forced_run(
    mechanism: Mechanism, data: ExactData, other: ExactData, plan: Plan, telling: TellingSource, handed_out: str
) -> list[Step]:
    """The steps of the run on other data, which must hand out the same."""
    sampled = sampling_of(Public.of(data)) if isinstance(mechanism, Subsampled) else None
    matched = _Matching(data, other, None if sampled is None else sampled.drawn)
    source = ForcedSource(telling.steps, matched.chance, kind=telling.kind, seed=telling.seed)
    try:
        again = fingerprint(mechanism.run(other, plan, source))
    except TranscriptBroken:
        raise
    except Exception as error:
        raise TranscriptBroken(f"the run on the other data ends in {type(error).__name__}: {error}") from error
    source.finish()
    if again != handed_out:
        raise TranscriptBroken(
            "all protected numbers were equal, but what is handed out is not: something exact got out beside them."
        )
    return source.steps


class _Matching:
    """Which record of the first data each record of the other data is; the rest are new."""

    def __init__(self, data: ExactData, other: ExactData, drawn: int | None = None) -> None:
        self._data, self._other, self._drawn = data, other, drawn
        self._found: NDArray[np.int64] | None = None

    def chance(self, step: Step, records: int) -> NDArray[Any]:
        """The secret chance of a step, for records as they are listed now: a new record is always in the sample."""
        told = np.asarray(step.told)
        if step.kind == "order of rows":
            places = self._places(told)
            if self._drawn is not None:
                self._sample(told < self._drawn, places < self._drawn)
            return places
        matched = self._records()
        if len(matched) != records:
            raise TranscriptBroken(f"{step.describe()}: {records} numbers were asked for {len(matched)} records.")
        fresh = np.full(records, told.dtype == np.bool_, told.dtype)
        fresh[matched >= 0] = told[matched[matched >= 0]]
        if step.kind == "coins for records":
            self._sample(told, fresh)
        return fresh

    def _sample(self, kept: NDArray[Any], other_kept: NDArray[Any]) -> None:
        """From now on the run lists the records of the sample only."""
        matched = self._records()
        kept = np.resize(kept, max(int(matched.max(initial=-1)) + 1, len(kept)))
        place_of = np.where(kept, np.cumsum(kept) - 1, -1)
        chosen = matched[np.flatnonzero(other_kept[: len(matched)])]
        self._found = np.where(chosen >= 0, place_of[np.maximum(chosen, 0)], -1)

    def _records(self) -> NDArray[np.int64]:
        if self._found is None:
            data, other = self._data, self._other
            if isinstance(data, ExactCounts) and isinstance(other, ExactCounts):
                self._found = matching_cells(listed_cells(data), listed_cells(other))
            else:
                assert isinstance(data, ExactPoints) and isinstance(other, ExactPoints)
                self._found = matching(listed(data), listed(other))
        return self._found

    def _places(self, told: NDArray[Any]) -> NDArray[Any]:
        """A place for every row: rows outside the box come last, and are records that nothing tells apart."""
        pairs = self._records()
        rows = np.full(len(told), -1)
        rows[: len(pairs)] = pairs
        free = np.setdiff1d(np.arange(len(told)), pairs[pairs >= 0])
        rows[rows < 0] = free
        places: NDArray[Any] = told[rows]
        return places


def listed(data: ExactPoints) -> list[bytes]:
    """The records in the order in which mechanisms list them, each with all that tells it apart."""
    return [row.tobytes() for row in np.ascontiguousarray(data.exact_cube)]


def matching(first: list[Any], other: list[Any]) -> NDArray[np.int64]:
    """For each of the others the index of an equal one among the first, every one used once.

    A record without an equal stands for one that is gone (a replaced row keeps its coins); −1 where none is left.
    """
    waiting: dict[Any, list[int]] = {}
    for place in range(len(first) - 1, -1, -1):
        waiting.setdefault(first[place], []).append(place)
    found = np.array([waiting[one].pop() if waiting.get(one) else -1 for one in other], np.int64)
    return replaced(found, np.array(sorted(place for places in waiting.values() for place in places), np.int64))


def matching_cells(first: NDArray[np.int64], other: NDArray[np.int64]) -> NDArray[np.int64]:
    """The same for records that are known by their cells, in rising order."""
    number = np.arange(len(other)) - np.searchsorted(other, other)  # which of its cell a record is
    start = np.searchsorted(first, other)
    held = np.searchsorted(first, other, side="right") - start
    found = np.where(number < held, start + number, -1)
    return replaced(found, np.setdiff1d(np.arange(len(first)), found))


def replaced(found: NDArray[np.int64], gone: NDArray[np.int64]) -> NDArray[np.int64]:
    """New records stand for those that are gone, one by one."""
    new = np.flatnonzero(found < 0)[: len(gone)]
    found[new] = gone[: len(new)]
    return found


def fingerprint(answer: Answer | NoAnswer) -> str:
    """A digest of everything that an answer hands out, bit by bit."""
    digest = hashlib.blake2b(digest_size=16)
    _feed(digest, answer)
    return digest.hexdigest()


def _feed(digest: Any, value: Any) -> None:
    if isinstance(value, np.ndarray):
        digest.update(repr((value.dtype.str, value.shape)).encode())
        digest.update(np.ascontiguousarray(value).tobytes())
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        digest.update(type(value).__name__.encode())
        for field in dataclasses.fields(value):
            digest.update(field.name.encode())
            _feed(digest, getattr(value, field.name))
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            digest.update(repr(key).encode())
            _feed(digest, inner)
    elif isinstance(value, list | tuple):
        digest.update(f"{len(value)}".encode())
        for inner in value:
            _feed(digest, inner)
    else:
        digest.update(repr(value).encode())
