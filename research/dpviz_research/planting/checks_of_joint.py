"""Checks of joint releases: the law of the shares, sums that are opened, what is compared, and when it is charged."""

from __future__ import annotations

import contextlib
import math
import random
import tempfile
import threading
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import ExactCounts, Grid
from dpviz.errors import JointError
from dpviz.joint import circle, source
from dpviz.joint.circle import Circle
from dpviz.ledger.ledger import Ledger
from dpviz.noise import replayable_source
from dpviz.noise.checks import rounded_up
from dpviz.noise.shares import Polya
from dpviz.privacy import Budget
from dpviz.publishing.joint_door import publish_jointly
from dpviz.publishing.registration import register
from dpviz.releases.about import About
from dpviz.releases.request import JointTerms
from dpviz_research.planting.finding import demand
from dpviz_research.planting.joint_table import Table, plan_of

Integers = NDArray[np.int64]
SCALE, NUMBERS = 6.0, 4000
DRAWS, FAR = 40_000, 6.0  # standard errors


def law_of_shares() -> None:
    """Pólya variables, and the logarithmic ones that they add up, by their shares beyond some numbers."""
    for seed, (scale, parts) in enumerate(((0.6, 2), (5.0, 2), (5.0, 3))):
        polya = Polya(1 / Fraction(rounded_up(scale)), parts, random.Random(seed).getrandbits)
        support = np.arange(1, math.ceil(60 * scale))
        decay = math.exp(-1 / scale)
        logarithmic = decay**support / support / -math.log1p(-decay)
        ratios = (1 / parts + support - 1) / support * decay  # of neighbouring masses of NB(1/parts, p)
        negative_binomial = np.concatenate([[1.0], np.cumprod(ratios)]) * (1 - decay) ** (1 / parts)
        for name, draw, masses, first in (
            ("logarithmic", polya._logarithmic, logarithmic, 1),
            ("Pólya", polya.draw, negative_binomial, 0),
        ):
            drawn = np.array([draw() for _ in range(DRAWS)])
            for reach in (first + 1, 2, 3, 2 * scale, 3.2 * scale):
                stated = float(masses[np.arange(first, first + len(masses)) >= reach].sum())
                off = abs(float((drawn >= reach).mean()) - stated) / math.sqrt(stated * (1 - stated) / DRAWS)
                demand(off < FAR, f"{name} variables of scale {scale} reach {reach:g} too often or too seldom")


def unknown_noise(rounds: int = 1) -> list[Integers]:
    """What is on the sums of three holders that the first of them, who may pool, does not know."""
    table = Table(plan_of(3, 1))
    sources = table.sources()
    known: list[list[int]] = []
    shares = sources[0]._opened

    def noted(values: list[int], scale: float) -> Integers:
        known.append(values)
        return shares(values, scale)

    sources[0]._opened = noted  # type: ignore[method-assign]
    told = table.each(
        lambda place: [sources[place].add_laplace(np.zeros(NUMBERS, np.int64), SCALE) for _ in range(rounds)]
    )
    demand(all(isinstance(one, list) for one in told), f"an honest run ends: {told}")
    return [total - np.array(own) for total, own in zip(told[0], known, strict=True)]


def noise_of_the_honest() -> None:
    """The noise of those who do not pool has the variance of one central draw, and no part of it comes twice."""
    first, second = (noise.astype(np.float64) for noise in unknown_noise(rounds=2))
    decay = math.exp(-1 / SCALE)
    stated = 2 * decay / (1 - decay) ** 2
    for noise in (first, second):
        found = float((noise**2).mean())
        demand(abs(found / stated - 1) < FAR * math.sqrt(5 / NUMBERS), f"their noise has {found / stated:.2f} times it")
    together = float(np.corrcoef(first, second)[0, 1])
    demand(abs(together) < 0.12, f"the noise of two rounds goes together ({together:.2f})")


def sums_as_they_are() -> None:
    """Large sums, and those below 0, come out within noise of what they are."""
    vectors = [np.array([2**60, -(2**60), 7]) + place for place in range(3)]
    for found in Table(plan_of(3, 1)).sums(vectors, SCALE):
        demand(isinstance(found, list), f"a run with large numbers ends: {found}")
        demand(bool((np.abs(found[0] - sum(vectors)) < 1000).all()), "a sum comes out as another number")


def deviations_end_the_run() -> None:
    """Another question, and a sum that is none, leave no honest holder a number."""

    def told(change: Any) -> list[Any]:
        table = Table(plan_of(4, 1), patience=5.0)
        honest = table.seats[3].exchange

        def exchange(kind: str, facts: Any, numbers: Any = b"") -> Any:
            try:
                return honest(kind, *change(kind, facts, numbers))
            except threading.BrokenBarrierError:
                raise JointError("the others have left") from None

        table.seats[3].exchange = exchange  # type: ignore[method-assign]
        return table.sums([np.array([5]) for _ in range(4)], SCALE)[:3]

    def another_question(kind: str, facts: Any, numbers: Any) -> tuple[Any, Any]:
        return ({"question": [1, "0x1p+0", ""]} if kind == "shares" else facts), numbers

    def another_sum(kind: str, facts: Any, numbers: Any) -> tuple[Any, Any]:
        return facts, (source.packed([int.from_bytes(numbers, "little") + 5]) if kind == "sums" else numbers)

    for what, change in (("another question", another_question), ("a false sum", another_sum)):
        demand(all(isinstance(one, JointError) for one in told(change)), f"{what} is not noticed")


class Met(Circle):
    """One holder who has met the others: what they say is given."""

    def __init__(self, said: dict[int, dict[str, Any]]) -> None:
        self.plan, self.place, self.tell = plan_of(3, 1), 0, lambda _: None
        self.charged = self.signed = False
        self._purpose, self._said = circle.RUN, said

    def exchange(self, kind: str, facts: Any, numbers: Any = b"") -> Any:
        return {place: ({**facts, "nonce": "1", **self._said.get(place, {})}, b"") for place in (1, 2)}


def agreement_before_the_charge() -> None:
    """Another plan, version, command or clock of one holder ends the run, and every line of a plan is in its digest."""
    plan = plan_of(3, 1)
    changed = (
        replace(plan, request=replace(plan.request, k=4)),
        replace(plan, request=replace(plan.request, budget=Budget(epsilon=2.0))),
        replace(plan, side=32),
        replace(plan, pooling=0),
        replace(plan, holders=(*plan.holders[:2], replace(plan.holders[2], certificate="AAAA"))),
    )
    digests = {one.digest for one in (plan, *changed)}
    demand(len(digests) == 1 + len(changed), "two plans have one digest")
    Met({})._agree()
    for facts in ({"plan": changed[0].digest}, {"versions": "0"}, {"purpose": "check"}, {"clock": math.nan}):
        with contextlib.suppress(JointError):
            Met({2: facts})._agree()
            demand(False, f"another {next(iter(facts))} is not noticed")
    with contextlib.suppress(JointError):
        Met({2: {"digest": ""}}).compare("rehearsal", b"")
        demand(False, "another rehearsal is not noticed")


class _Told(Exception):
    """The run has come as far as it is looked at."""


def charge_before_the_first_share() -> None:
    """When the others are told of the charge, it is in the ledger, whole, and nothing of the records was asked."""
    with tempfile.TemporaryDirectory() as folder:
        ledger, plan = Ledger(Path(folder) / "ledger.sqlite3"), plan_of(3, 1)
        data = ExactCounts.from_array(Grid(plan.box, plan.side), np.ones((plan.side, plan.side), np.int64))
        opened = register("a", data, total=Budget(epsilon=9.0), ledger=ledger)
        asked: list[str] = []

        class Others:
            def compare(self, what: str, content: bytes) -> None:
                asked.append(what)

            def tell_charged(self) -> None:
                raise _Told

            def sign(self, manifest: bytes) -> bytes:
                raise _Told

        class Joint(source.SumsOnly):
            def add_laplace(self, exact: Integers, scale: float, *, sensitivity: float | None = None) -> Integers:
                asked.append("a sum")
                return replayable_source(1).add_laplace(exact, scale)

        holders = tuple((one.name, f"{at}" * 64) for at, one in enumerate(plan.holders))
        terms = JointTerms(plan=plan.digest, run="1", pooling=1, holders=holders)
        request = replace(plan.request, joint=terms)
        with contextlib.suppress(_Told):
            publish_jointly(
                opened, request, Others(), Joint(), source.SumsOnly(), about=About(), published="2026-01-01"
            )
        charges = [float(one.amount.epsilon) for one in ledger.charges()]
        demand(asked == ["rehearsal"], f"before the charge is told, {asked} is asked")
        demand(
            charges == [plan.request.budget.epsilon], f"the others are told of a charge, and the ledger has {charges}"
        )


CHECKS = {
    "Pólya variables have their law": law_of_shares,
    "the noise of the honest holders": noise_of_the_honest,
    "sums of holders as they are": sums_as_they_are,
    "holders that deviate end the run": deviations_end_the_run,
    "holders agree before the charge": agreement_before_the_charge,
    "charged before the first share": charge_before_the_first_share,
}
