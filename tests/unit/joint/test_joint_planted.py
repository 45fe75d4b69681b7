"""Bugs planted in joint runs are found: each check passes on the code as it is, and fails with its bug."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from dpviz.errors import JointError
from dpviz.joint import source as joint_source
from dpviz.joint.circle import Circle
from dpviz.joint.plan import JointPlan
from dpviz.noise.shares import laplace_shares
from dpviz.releases.request import digest
from tests.statistical.test_noise_shares import FAR, p_value
from tests.unit.joint.holders import Holders
from tests.unit.joint.tables import Table, plan_of

Integers = NDArray[np.int64]
SCALE, NUMBERS = 6.0, 6000
Patch = pytest.MonkeyPatch


def unknown_noise(monkeypatch: Patch, rounds: int = 1) -> list[Integers]:
    """What is on the sums of three holders that the first of them, who may pool, does not know."""
    table = Table(plan_of(3, 1))
    sources = table.sources()

    def act(place: int) -> list[Integers]:
        return [sources[place].add_laplace(np.zeros(NUMBERS, np.int64), SCALE) for _ in range(rounds)]

    noted: dict[int, list[Integers]] = {}
    for place, source in enumerate(sources):
        honest = source._opened

        def opened(values: list[int], scale: float, place: int = place, honest: Any = honest) -> Integers:
            noted.setdefault(place, []).append(np.array(values, np.int64))
            found: Integers = honest(values, scale)
            return found

        monkeypatch.setattr(source, "_opened", opened)
    sums = table.each(act)
    return [total - known for total, known in zip(sums[0], noted[0], strict=True)]


def check_law(monkeypatch: Patch) -> None:
    """The noise of those who do not pool has the law of one central draw."""
    (noise,) = unknown_noise(monkeypatch)
    support = np.arange(-300, 301)
    assert p_value(noise, np.exp(-np.abs(support) / SCALE), -300) > FAR


def check_fresh(monkeypatch: Patch) -> None:
    """Two rounds have independent noise: nothing is left when one is taken from the other."""
    first, second = unknown_noise(monkeypatch, rounds=2)
    assert abs(np.corrcoef(first, second)[0, 1]) < 0.1
    assert 1.5 < (first - second).var() / first.var() < 2.5


def check_sums(monkeypatch: Patch) -> None:
    """Large numbers, and those below 0, come out as they are."""
    monkeypatch.setattr(joint_source, "laplace_shares", lambda scale, size, parts: np.zeros(size, np.int64))
    vectors = [np.array([2**60, -(2**60), 7]) + place for place in range(3)]
    for found in Table(plan_of(3, 1)).sums(vectors, SCALE):
        assert not isinstance(found, Exception)
        assert np.array_equal(found[0], sum(vectors))


CHECKS = (check_law, check_fresh, check_sums)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_the_code_as_it_is_passes(check: Callable[[Patch], None], monkeypatch: pytest.MonkeyPatch) -> None:
    check(monkeypatch)


def wrong_scale(patch: Patch) -> None:
    patch.setattr(joint_source, "laplace_shares", lambda scale, size, parts: laplace_shares(0.7 * scale, size, parts))


def too_many_parts(patch: Patch) -> None:
    patch.setattr(joint_source, "laplace_shares", lambda scale, size, parts: laplace_shares(scale, size, parts + 1))


def forgotten_share(patch: Patch) -> None:
    opened = joint_source.JointSource._opened

    def without(self: Any, values: list[int], scale: float) -> Integers:
        return opened(self, [0] * len(values) if self._circle.place == 2 else values, scale)

    patch.setattr(joint_source.JointSource, "_opened", without)


def reused_coins(patch: Patch) -> None:
    kept: dict[tuple[Any, ...], Integers] = {}
    patch.setattr(
        joint_source,
        "laplace_shares",
        lambda scale, size, parts: kept.setdefault((scale, size, parts), laplace_shares(scale, size, parts)),
    )


def modulus_too_small(patch: Patch) -> None:
    sharing, _ = joint_source.secret_sharing()
    from mpyc import finfields

    patch.setattr(joint_source, "MODULUS", (1 << 61) - 1)
    patch.setattr(joint_source, "secret_sharing", lambda: (sharing, finfields.GF((1 << 61) - 1)))


@pytest.mark.parametrize(
    ("plant", "check"),
    [
        (wrong_scale, check_law),
        (too_many_parts, check_law),
        (forgotten_share, check_law),
        (reused_coins, check_fresh),
        (modulus_too_small, check_sums),
    ],
    ids=lambda found: found.__name__,
)
def test_a_planted_bug_is_found(
    plant: Callable[[Patch], None], check: Callable[[Patch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    with pytest.raises(AssertionError):
        check(monkeypatch)


def check_changed_plan(three: Holders) -> None:
    """A plan that one holder has changed since the check ends the run of all, and costs nothing."""

    def look(name: str, place: int) -> None:
        with Circle(three.plan, name, wait=20, purpose="check") as circle:
            circle.compare("check", b"")

    assert three.each(look) == [None] * 3
    request = replace(three.plan.request, k=4)
    changed = [replace(three.plan, request=request) if place == 1 else three.plan for place in range(3)]
    found = three.sums(lambda source, place: source.add_laplace(np.array([1]), 1.0), plans=changed)
    assert all(isinstance(one, JointError) and "Nothing was charged" in str(one) for one in found)


def test_a_plan_that_is_changed_after_the_check_is_found(three: Holders) -> None:
    check_changed_plan(three)


def test_a_digest_that_leaves_the_request_out_is_found(three: Holders, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(JointPlan, "digest", property(lambda plan: digest({"id": plan.id}) * 2))
    with pytest.raises(AssertionError):
        check_changed_plan(three)
