"""Noisy sums of several holders, in threads of one process, over real connections on this machine."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpviz.domain import GeoBox
from dpviz.errors import InputError
from dpviz_research.joint import source as joint_source
from dpviz_research.joint.certificates import make_certificate
from dpviz_research.joint.circle import Circle, JointError
from dpviz_research.joint.plan import JointPlan, make_plan, read_plan
from dpviz_research.joint.source import JointSource

BOX = GeoBox(-74.05, 40.7, -73.9, 40.8)
Step = Callable[[JointSource, int], Any]


@pytest.fixture
def ports() -> Iterator[list[int]]:
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(5)]
    found = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    yield found


@pytest.fixture
def plan(ports: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> JointPlan:
    monkeypatch.setenv("DPVIZ_DATA", str(tmp_path))
    return pinned(
        make_plan([f"h{at}=127.0.0.1:{port}" for at, port in enumerate(ports[:3])], box=BOX, k=3, epsilon=1.0)
    )


def pinned(plan: JointPlan) -> JointPlan:
    for holder in plan.holders:
        plan = plan.with_certificate(holder.name, make_certificate(plan, holder.name))
    return plan


def together(plans: list[JointPlan], step: Step, wait: float = 20.0) -> list[Any]:
    """What each holder's step gave, or the error that ended it."""

    def one(place: int) -> Any:
        try:
            with Circle(plans[place], plans[place].holders[place].name, wait=wait) as circle:
                return step(JointSource(circle), place)
        except (JointError, InputError) as error:
            return error

    with ThreadPoolExecutor(len(plans)) as pool:
        return list(pool.map(one, range(len(plans))))


@pytest.fixture
def silent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(joint_source, "laplace_shares", lambda scale, size, parts, bits: np.zeros(size, np.int64))


@pytest.mark.usefixtures("silent")
def test_all_holders_open_the_same_sum(plan: JointPlan) -> None:
    vectors = [np.array([[1, -5], [2**61, 7]]), np.array([[10, 0], [3, -9]]), np.array([[100, 2], [-(2**60), 0]])]
    found = together([plan] * 3, lambda source, place: source.add_laplace(vectors[place], 4.0))
    for one in found:
        assert np.array_equal(one, sum(vectors))
        assert one.dtype == np.int64


def test_noise_is_in_every_sum(plan: JointPlan) -> None:
    found = together([plan] * 3, lambda source, place: source.add_laplace(np.zeros(400, np.int64), 50.0))
    assert np.array_equal(found[0], found[1])
    assert np.array_equal(found[0], found[2])
    assert 0.5 < found[0].var() / (2 * 50.0**2 * 3 / 2) < 2.0  # three shares of which two make one central draw


def test_five_holders_bear_two_that_pool(ports: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DPVIZ_DATA", str(tmp_path))
    plan = pinned(make_plan([f"h{at}=127.0.0.1:{port}" for at, port in enumerate(ports)], box=BOX, k=3, epsilon=1.0))
    assert (plan.pooling, plan.degree, plan.parts) == (2, 2, 3)
    found = together([plan] * 5, lambda source, place: source.add_laplace(np.full(3, 10**6), 1.0))
    assert all(np.array_equal(found[0], one) for one in found)
    assert np.abs(found[0] - 5 * 10**6).max() < 200


def test_what_is_opened_is_known_to_nobody_before(plan: JointPlan, monkeypatch: pytest.MonkeyPatch) -> None:
    """No message of a holder holds its own number, nor its number with its noise."""
    monkeypatch.setattr(joint_source, "laplace_shares", lambda scale, size, parts, bits: np.full(size, 77, np.int64))
    secret, sent = 123_456_789, []
    packed = joint_source._packed

    def seen(values: list[int]) -> bytes:
        sent.extend(values)
        return packed(values)

    monkeypatch.setattr(joint_source, "_packed", seen)
    found = together([plan] * 3, lambda source, place: source.add_laplace(np.array([secret + place]), 1.0))
    assert int(found[0][0]) == 3 * secret + 3 + 3 * 77
    assert not {secret + place + noise for place in range(3) for noise in (0, 77)} & set(sent)


@pytest.mark.usefixtures("silent")
@pytest.mark.parametrize(
    "differing",
    [
        pytest.param(lambda place: (np.array([1, 2]), 4.0 if place else 5.0), id="another scale"),
        pytest.param(lambda place: (np.arange(2 if place else 3), 4.0), id="another length"),
    ],
)
def test_holders_that_ask_different_questions_open_nothing(plan: JointPlan, differing: Callable[[int], Any]) -> None:
    found = together([plan] * 3, lambda source, place: source.add_laplace(*differing(place)))
    assert all(isinstance(one, JointError) for one in found)


def test_a_holder_that_tells_each_another_sum_is_found_before_the_next_one(
    plan: JointPlan, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[int] = []
    honest = Circle.exchange

    def exchange(self: Circle, kind: str, facts: Any, numbers: Any = b"") -> Any:
        if self.place == 2 and kind == "sums":  # a line through the true value at 1, and another one for holder 1
            numbers = {0: numbers, 1: joint_source._packed([int.from_bytes(numbers, "little") + 5])}
        return honest(self, kind, facts, numbers)

    monkeypatch.setattr(Circle, "exchange", exchange)

    def step(source: JointSource, place: int) -> None:
        for _ in range(2):
            source.add_laplace(np.array([1]), 1.0)
            opened.append(place)

    found = together([plan] * 3, step)
    assert all(isinstance(one, JointError) for one in found)
    assert opened.count(0) <= 1
    assert opened.count(1) == 0


def test_what_is_no_sum_is_refused(plan: JointPlan) -> None:
    def step(source: JointSource, place: int) -> None:
        for call in (source.select, source.decide, source.add_gaussian, source.integers, source.coins_for_records):
            with pytest.raises(InputError, match="sums"):
                call(3)
        with pytest.raises(InputError, match="whole numbers"):
            source.add_laplace(np.array([0.5]), 1.0)  # type: ignore[arg-type]

    assert together([plan] * 3, step) == [None] * 3


def test_a_certificate_that_is_not_pinned_ends_the_run_on_every_side(plan: JointPlan, tmp_path: Path) -> None:
    stranger = replace(plan, id="00" * 8)
    odd = plan.with_certificate("h2", make_certificate(stranger, "h2"))
    found = together([odd, odd, plan], lambda source, place: None, wait=3.0)
    assert all(isinstance(one, JointError) for one in found)
    assert "certificate" in str(found[2]) or "not reached" in str(found[2])
    assert all("Nothing was charged" in str(one) for one in found)


def test_a_holder_that_never_comes_is_named(plan: JointPlan) -> None:
    found = together([plan] * 2, lambda source, place: None, wait=1.5)
    assert all(isinstance(one, JointError) and "h2" in str(one) for one in found)


def test_a_holder_that_goes_away_is_named(plan: JointPlan) -> None:
    def step(source: JointSource, place: int) -> None:
        if place == 1:
            raise InputError("a disk is full")
        source.add_laplace(np.array([1]), 1.0)

    found = together([plan] * 3, step)
    assert all("h1 ended the run" in str(found[at]) for at in (0, 2))
    assert not any("disk" in str(found[at]) for at in (0, 2))


@pytest.mark.parametrize("sent", [b"GET / HTTP/1.1\r\n\r\n", b"\xff" * 64, b""])
def test_garbage_at_the_port_disturbs_nobody(plan: JointPlan, sent: bytes) -> None:
    first = plan.holders[0]

    def disturb() -> None:
        for _ in range(100):
            try:
                with socket.create_connection((first.host, first.port), timeout=1) as there:
                    there.sendall(sent)
                return
            except OSError:
                threading.Event().wait(0.02)

    thread = threading.Thread(target=disturb)
    thread.start()
    found = together([plan] * 3, lambda source, place: source.add_laplace(np.array([5]), 1.0))
    thread.join()
    assert all(isinstance(one, np.ndarray) for one in found)


def test_a_plan_survives_its_file(plan: JointPlan, tmp_path: Path) -> None:
    file = tmp_path / "joint.toml"
    file.write_text(plan.to_toml(), encoding="utf-8")
    assert read_plan(file) == plan
    assert read_plan(file).digest == plan.digest
    assert replace(plan, pooling=0).digest != plan.digest


@pytest.mark.parametrize(
    ("holders", "more"),
    [
        (["a=x:1", "b=x:2"], {}),
        (["a=x:1", "a=x:2", "c=x:3"], {}),
        (["a=x:1", "b=x:1", "c=x:3"], {}),
        (["a=x:1", "b=x:2", "c=x"], {}),
        (["A b=x:1", "b=x:2", "c=x:3"], {}),
        (["a=x:1", "b=x:2", "c=x:70000"], {}),
        (["a=x:1", "b=x:2", "c=x:3"], {"pooling": 2}),
        (["a=x:1", "b=x:2", "c=x:3"], {"pooling": -1}),
    ],
)
def test_plans_that_cannot_be_run_are_refused(holders: list[str], more: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        make_plan(holders, box=BOX, k=3, epsilon=1.0, **more)
