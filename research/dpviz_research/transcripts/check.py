"""One mechanism and one data set: its transcript, forced on neighbours and on wholly other data."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dpviz.audit.losses import Loss, add_up_stated, measure_loss
from dpviz.audit.transcripts import RecordingSource, Step, TranscriptBroken, digest_output, force_run
from dpviz.mechanisms.baselines.balcan import BALCAN
from dpviz.mechanisms.baselines.grid_cover import GRID_COVER
from dpviz.mechanisms.interface import Answer, ExactData, Mechanism, NoAnswer, Public
from dpviz.mechanisms.subsampled import Subsampled, sampling_of
from dpviz.noise import Sampler, replayable_source
from dpviz.privacy import Budget, verify

TOLERANCE = 1e-9  # relative: the accounts of losses.py are floats but for Laplace noise, which is rounded up by 2^-39


def check_transcript(
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
    recorded = RecordingSource(source or replayable_source(seed))
    answer = mechanism.run(data, plan, recorded)
    _demand_inside(answer)
    output = digest_output(answer)
    chance = sampling_of(public).chance if isinstance(mechanism, Subsampled) else 1.0
    worst = Loss(epsilon=0.0, claimed=budget.epsilon, realised=0.0, touched=0, steps=len(recorded.steps))
    for number, other in enumerate((*neighbours, *others)):
        if Public.of(other) != public:
            raise ValueError("the other data differ in public facts; give data that only their records tell apart.")
        forced = force_run(mechanism, data, other, plan, recorded, output)
        if number >= len(neighbours):
            continue
        claim = budget if claims is None else claims[number]
        found = measure_loss(recorded.steps, forced, claim, sample=chance, sequential=sequential, group=group)
        for part in _paid_parts(mechanism.info.name, recorded.steps, public, k, budget):
            here, there = ([run[place] for place in part.steps] for run in (recorded.steps, forced))
            spent = add_up_stated(here, there, part.budget)
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


def _demand_inside(answer: Answer | NoAnswer) -> None:
    """Points and centers lie in the box, whatever noise was drawn: proofs say that they are clamped into it."""
    if isinstance(answer, NoAnswer):
        return
    for name, placed in (("a point", answer.coreset), ("a center", answer.centers)):
        if placed is not None and not ((placed.positions >= 0) & (placed.positions <= placed.frame.extent)).all():
            raise TranscriptBroken(f"{name} that is handed out lies outside the box.")


@dataclass(frozen=True, kw_only=True)
class _PaidPart:
    """Places of some steps in a transcript, and what they may cost together."""

    name: str
    budget: Budget
    steps: tuple[int, ...]


def _paid_parts(method: str, steps: Sequence[Step], public: Public, k: int, budget: Budget) -> list[_PaidPart]:
    """The parts of a run and their steps; empty where the whole is precise enough.

    Added up over a whole run, a part that costs too much can hide behind another that costs less than its share; part
    by part it cannot. Parts are known by the kinds of their questions and the order in which the proof pages ask them.
    """
    if method in ("grid_cover", "balcan"):
        return list(_covering(method, steps, public, budget))
    if method == "peeled_balls_paper" and public.frame.dims == 2 and public.public_rows is not None:
        return list(_printed(steps, public.public_rows, k, budget))
    return []


def _covering(method: str, steps: Sequence[Step], public: Public, budget: Budget) -> Iterator[_PaidPart]:
    parts = (GRID_COVER if method == "grid_cover" else BALCAN).split.parts(public.relation, budget)
    names = {"cover": "cover", "select": "search"}
    last = [place for place, step in enumerate(steps) if step.kind == "gaussian" and step.sensitivity is not None]
    noisy = [place for place, step in enumerate(steps) if step.kind == "laplace"]
    found: dict[str, list[int]] = {name: [] for name in parts}
    if "total" in parts:
        found["total"].append(noisy.pop(0))
    found["averages"].append(noisy.pop())
    found["tree" if method == "balcan" else "counts"].extend(noisy)
    found["last step"].extend(last)
    for place, step in enumerate(steps):
        if step.kind in names:
            found[names[step.kind]].append(place)
        elif step.kind == "gaussian" and place not in last:
            found["averages"].append(place)
    for name, places in found.items():
        yield _PaidPart(name=name, budget=parts[name], steps=tuple(places))


def _printed(steps: Sequence[Step], rows: int, k: int, budget: Budget) -> Iterator[_PaidPart]:
    """Every round begins with the choice of a radius and may cost its share, 3/(8k ln n) of the whole."""
    share = 3.0 / (8.0 * k * math.log(max(rows, 3)))
    each = Budget(epsilon=share * budget.epsilon * (1 + 1e-12), delta=share * budget.delta)
    starts = [place for place, step in enumerate(steps) if step.kind == "select"]
    for number, (start, stop) in enumerate(itertools.pairwise([*starts, len(steps)])):
        yield _PaidPart(name=f"round {number + 1}", budget=each, steps=tuple(range(start, stop)))
