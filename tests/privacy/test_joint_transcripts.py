"""Pooling holders learn no more than ε says: forced transcripts of joint runs, and what they see of a single sum.

A run of all holders is recorded, with all that the pooling ones have seen. A record is added at an honest holder, and
its noise is shifted so that it says the same. Then the pooling holders must see the same, bit by bit, and the shift
must cost at most ε, since the noise of the honest holders together has at least the law of one central draw
(tests/statistical/test_noise_shares.py).
"""

from __future__ import annotations

import itertools
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from mpyc import finfields, thresha
from numpy.typing import NDArray

from dpviz.audit.losses import measure_loss
from dpviz.audit.transcripts import RecordingSource, Step, digest_output
from dpviz.domain import ExactCounts, Grid
from dpviz.joint import source as joint_source
from dpviz.joint.plan import JointPlan
from dpviz.mechanisms.adaptive_tree.mechanism import AdaptiveTree
from dpviz.mechanisms.interface import Purpose
from dpviz_research.planting.joint_table import BOX, Table, plan_of

Integers = NDArray[np.int64]
SIDE = 16


class Coins:
    """The noise and the polynomials of every holder; played again, shifted by what the exact numbers moved."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._here = threading.local()
        self.noise: dict[int, list[Integers]] = {}
        self.exact: dict[int, list[Integers]] = {}
        self.dealt: dict[int, list[Any]] = {}
        self._played: dict[int, int] | None = None
        draw, sharing, field = joint_source.laplace_shares, *joint_source.secret_sharing()

        def shares(scale: float, size: int, parts: int) -> Integers:
            place = self._here.place
            if self._played is None:
                self.noise.setdefault(place, []).append(draw(scale, size, parts))
                return self.noise[place][-1]
            number = self._played[place]
            moved: Integers = self.exact[place][number] - self._here.exact
            return self.noise[place][number] + moved

        class Dealing:
            recombine = staticmethod(sharing.recombine)

            @staticmethod
            def random_split(field: Any, values: list[int], degree: int, holders: int) -> Any:
                place = self._here.place
                if self._played is None:
                    self.dealt.setdefault(place, []).append(sharing.random_split(field, values, degree, holders))
                    return self.dealt[place][-1]
                self._played[place] += 1
                return self.dealt[place][self._played[place] - 1]

        monkeypatch.setattr(joint_source, "laplace_shares", shares)
        monkeypatch.setattr(joint_source, "secret_sharing", lambda: (Dealing, field))
        honest = joint_source.JointSource.add_laplace

        def add_laplace(source: Any, exact: Integers, scale: float, *, sensitivity: float | None = None) -> Integers:
            self._here.place = source._circle.place
            self._here.exact = np.asarray(exact).ravel().astype(np.int64)
            if self._played is None and self._here.exact.size:
                self.exact.setdefault(self._here.place, []).append(self._here.exact)
            return honest(source, exact, scale, sensitivity=sensitivity)

        monkeypatch.setattr(joint_source.JointSource, "add_laplace", add_laplace)

    def play_again(self) -> None:
        self._played = dict.fromkeys(self.noise, 0)


def made(seed: int, records: int = 400) -> ExactCounts:
    cells = np.random.default_rng(seed).binomial(SIDE - 1, 0.35, (records, 2))
    found = np.zeros((SIDE, SIDE), np.int64)
    np.add.at(found, (cells[:, 0], cells[:, 1]), 1)
    return ExactCounts.from_array(Grid(BOX, SIDE), found)


def with_one_more(data: ExactCounts, row: int, column: int) -> ExactCounts:
    cells = data.to_numpy().copy()
    cells[row, column] += 1
    return ExactCounts.from_array(data.grid, cells)


def run_all(plan: JointPlan, data: list[ExactCounts], purpose: Purpose) -> tuple[Table, list[list[Step]], list[str]]:
    """Every holder runs the method; what each saw, asked, and got."""
    table = Table(plan)
    sources = [RecordingSource(source) for source in table.sources()]
    method = AdaptiveTree(purpose=purpose)

    def act(place: int) -> str:
        asked = method.plan(plan.public, k=plan.request.k, budget=plan.request.budget)
        return digest_output(method.run(data[place], asked, sources[place]))

    return table, [source.steps for source in sources], table.each(act)


def of_the_honest(steps: list[list[Step]], honest: range) -> Iterator[Step]:
    """The questions with the exact sums of all honest holders."""
    from dataclasses import replace

    for of_all in zip(*(steps[place] for place in honest), strict=True):
        yield replace(of_all[0], exact=sum(np.asarray(one.exact) for one in of_all))


@pytest.mark.parametrize("purpose", [Purpose.CENTERS, Purpose.ANY_QUESTION])
@pytest.mark.parametrize(("holders", "pooling"), [(3, 1), (5, 2)])
def test_pooling_holders_see_the_same_with_and_without_a_record(
    monkeypatch: pytest.MonkeyPatch, holders: int, pooling: int, purpose: Purpose
) -> None:
    plan = plan_of(holders, pooling, side=SIDE)
    honest = range(pooling, holders)
    data = [made(place) for place in range(holders)]
    coins = Coins(monkeypatch)
    first, steps, outputs = run_all(plan, data, purpose)
    assert len(set(outputs)) == 1
    used = []
    for row, column in ((5, 5), (0, 15), (9, 3)):
        coins.play_again()
        there = [with_one_more(one, row, column) if place == holders - 1 else one for place, one in enumerate(data)]
        other, moved, again = run_all(plan, there, purpose)
        assert again == outputs
        for place in range(pooling):
            assert other.seats[place].seen == first.seats[place].seen
        loss = measure_loss(list(of_the_honest(steps, honest)), list(of_the_honest(moved, honest)), plan.request.budget)
        used.append(loss.used)
    assert max(used) <= 1 + 1e-9
    assert max(used) > 0.9  # nor is more noise added than paid for


class Central(joint_source.SumsOnly):
    """One curator of all records, whose noise is three times that of each holder."""

    def add_laplace(self, exact: Integers, scale: float, *, sensitivity: float | None = None) -> Integers:
        return exact + 3 * same_noise(scale, np.size(exact), 0).reshape(np.shape(exact))


def same_noise(scale: float, size: int, parts: int) -> Integers:
    drawn: Integers = np.rint(np.random.default_rng([size, int(scale * 1e6)]).laplace(0, scale / 3, size)).astype(int)
    return drawn


@pytest.mark.parametrize("purpose", [Purpose.CENTERS, Purpose.ANY_QUESTION])
@pytest.mark.parametrize("records", [1, 400, 60_000])
def test_with_the_same_noise_the_holders_find_what_one_curator_finds(
    monkeypatch: pytest.MonkeyPatch, purpose: Purpose, records: int
) -> None:
    """Every exact number is the sum of those of the holders, to the last digit."""
    plan = plan_of(3, 1, side=SIDE)
    data = [made(place, records) for place in range(3)]
    monkeypatch.setattr(joint_source, "laplace_shares", same_noise)
    _, _, outputs = run_all(plan, data, purpose)
    method = AdaptiveTree(purpose=purpose)
    asked = method.plan(plan.public, k=plan.request.k, budget=plan.request.budget)
    whole = method.run(data[0] + data[1] + data[2], asked, Central())
    assert outputs == [digest_output(whole)] * 3


def test_a_message_that_depends_on_a_record_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = plan_of(3, 1, side=SIDE)
    data = [made(place) for place in range(3)]
    coins = Coins(monkeypatch)
    honest = Table.pass_round

    def pass_round(self: Table, place: int, kind: str, facts: dict[str, Any], numbers: Any) -> Any:
        return honest(self, place, kind, facts | {"total": data[place].exact_total}, numbers)

    monkeypatch.setattr(Table, "pass_round", pass_round)
    first, _, _ = run_all(plan, data, Purpose.CENTERS)
    coins.play_again()
    data[2] = with_one_more(data[2], 5, 5)
    other, _, _ = run_all(plan, data, Purpose.CENTERS)
    assert other.seats[0].seen != first.seats[0].seen


def views(secrets: tuple[int, int], prime: int, pools: Callable[[list[Any]], Any]) -> Counter[Any]:
    """All that the first of three holders can see of the numbers of the two others, over all their polynomials."""
    field, found = finfields.GF(prime), Counter[Any]()
    for coins in itertools.product(range(prime), repeat=2):
        dealt = [
            [(secret + coin * place) % prime for place in (1, 2, 3)]
            for secret, coin in zip(secrets, coins, strict=True)
        ]
        found[pools(dealt)] += 1
    assert field.modulus == prime
    return found


def test_what_one_holder_sees_depends_on_the_sum_of_the_others_alone() -> None:
    """Exactly: over all polynomials with coefficients modulo 7, and all numbers modulo 7."""

    def seen(dealt: list[Any]) -> Any:
        """Its values of both polynomials, and the sums that all three send."""
        return (dealt[0][0], dealt[1][0], *(sum(row[at] for row in dealt) % 7 for at in range(3)))

    def seen_by_two(dealt: list[Any]) -> Any:
        return (*(row[at] for row in dealt for at in (0, 1)),)

    by_sum: dict[int, list[Counter[Any]]] = {}
    for secrets in itertools.product(range(7), repeat=2):
        by_sum.setdefault(sum(secrets) % 7, []).append(views(secrets, 7, seen))
    assert all(one == of_sum[0] for of_sum in by_sum.values() for one in of_sum)
    assert by_sum[0][0] != by_sum[1][0]
    assert views((0, 1), 7, seen_by_two) != views((1, 0), 7, seen_by_two)  # two of three open everything


def test_the_library_deals_such_polynomials(monkeypatch: pytest.MonkeyPatch) -> None:
    for coin in range(7):
        monkeypatch.setattr(thresha.secrets, "randbelow", lambda high, coin=coin: coin if high == 7 else 1 / 0)
        dealt = thresha.random_split(finfields.GF(7), [3], 1, 3)
        assert [row[0] for row in dealt] == [(3 + coin * place) % 7 for place in (1, 2, 3)]
