"""Noisy sums of several holders, in threads of one process, over real connections on this machine."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpviz.errors import InputError, JointError
from dpviz.joint import circle as joint_circle, source as joint_source
from dpviz.joint.circle import Circle
from tests.unit.joint.holders import Holders, keys_of_their_own, who_is_here


@pytest.fixture
def silent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(joint_source, "laplace_shares", lambda scale, size, parts: np.zeros(size, np.int64))


@pytest.mark.usefixtures("silent")
def test_all_holders_open_the_same_sum(three: Holders) -> None:
    vectors = [np.array([[1, -5], [2**61, 7]]), np.array([[10, 0], [3, -9]]), np.array([[100, 2], [-(2**60), 0]])]
    found = three.sums(lambda source, place: source.add_laplace(vectors[place], 4.0))
    for one in found:
        assert np.array_equal(one, sum(vectors))
        assert one.dtype == np.int64


def test_noise_is_in_every_sum(three: Holders) -> None:
    found = three.sums(lambda source, place: source.add_laplace(np.zeros(400, np.int64), 50.0))
    assert np.array_equal(found[0], found[1])
    assert np.array_equal(found[0], found[2])
    assert 0.5 < found[0].var() / (2 * 50.0**2 * three.plan.noise_factor) < 2.0


def test_five_holders_bear_two_that_pool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keys_of_their_own(monkeypatch, tmp_path)
    five = Holders(tmp_path, 5)
    assert (five.plan.pooling, five.plan.degree, five.plan.parts) == (2, 2, 3)
    found = five.sums(lambda source, place: source.add_laplace(np.full(3, 10**6), 1.0))
    assert all(np.array_equal(found[0], one) for one in found)
    assert np.abs(found[0] - 5 * 10**6).max() < 200


def test_what_is_opened_is_known_to_nobody_before(three: Holders, monkeypatch: pytest.MonkeyPatch) -> None:
    """No message of a holder holds its own number, nor its number with its noise."""
    monkeypatch.setattr(joint_source, "laplace_shares", lambda scale, size, parts: np.full(size, 77, np.int64))
    secret, sent = 123_456_789, []
    packed = joint_source.packed

    def seen(values: list[int]) -> bytes:
        sent.extend(values)
        return packed(values)

    monkeypatch.setattr(joint_source, "packed", seen)
    found = three.sums(lambda source, place: source.add_laplace(np.array([secret + place]), 1.0))
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
def test_holders_that_ask_different_questions_open_nothing(three: Holders, differing: Callable[[int], Any]) -> None:
    found = three.sums(lambda source, place: source.add_laplace(*differing(place)))
    assert all(isinstance(one, JointError) for one in found)


@pytest.mark.usefixtures("silent")
def test_a_sum_that_is_none_is_found(three: Holders, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = Circle.exchange

    def exchange(self: Circle, kind: str, facts: Any, numbers: Any = b"") -> Any:
        if self.place == 2 and kind == "sums":
            numbers = joint_source.packed([int.from_bytes(numbers, "little") + 5])
        return honest(self, kind, facts, numbers)

    monkeypatch.setattr(Circle, "exchange", exchange)
    found = three.sums(lambda source, place: source.add_laplace(np.array([1]), 1.0))
    assert any("do not fit together" in str(one) for one in found[:2])
    assert all(isinstance(one, JointError) for one in found[:2])


def test_a_holder_that_tells_each_another_sum_is_found_before_the_next_one(
    three: Holders, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With one number and three holders, two lines through two points each: the two others open different numbers."""
    opened: list[tuple[int, int]] = []
    honest, at_two = Circle.exchange, {}

    def exchange(self: Circle, kind: str, facts: Any, numbers: Any = b"") -> Any:
        if self.place == 2 and kind == "sums":
            at_two["sum"] = int.from_bytes(numbers, "little")
            numbers = {0: numbers, 1: joint_source.packed([(at_two["sum"] + 5) % joint_source.MODULUS])}
        return honest(self, kind, facts, numbers)

    monkeypatch.setattr(Circle, "exchange", exchange)

    def step(source: Any, place: int) -> None:
        for number in range(2):
            source.add_laplace(np.array([1]), 1.0)
            opened.append((place, number))

    found = three.sums(step)
    assert all(isinstance(one, JointError) for one in found)
    assert not [number for _, number in opened if number]  # nobody opened the second sum


def test_what_is_no_sum_is_refused(three: Holders) -> None:
    def step(source: Any, place: int) -> None:
        for call in (source.select, source.decide, source.add_gaussian, source.integers, source.coins_for_records):
            with pytest.raises(InputError, match="sums"):
                call(3)
        with pytest.raises(InputError, match="whole numbers"):
            source.add_laplace(np.array([0.5]), 1.0)

    assert three.sums(step) == [None] * 3


# ---- faults before anything is charged -----------------------------------------------------------------------------


def test_a_certificate_that_is_not_pinned_ends_the_run_on_every_side(three: Holders) -> None:
    honest = three.plan
    der = honest.holders[2].der
    other = honest.with_certificate("c", der[:-1] + bytes([der[-1] ^ 1]))
    found = three.sums(lambda source, place: None, wait=3.0, plans=[other, other, honest])
    assert all(isinstance(one, JointError | InputError) for one in found)
    assert all("Nothing was charged" in str(one) for one in found)


def test_a_holder_without_its_key_is_told_where_to_run(three: Holders, tmp_path: Path) -> None:
    (tmp_path / "b" / "signing-key.pem").unlink()
    found = three.sums(lambda source, place: None, wait=1.5)
    assert "pins another certificate for 'b'" in str(found[1])
    assert all("Nothing was charged" in str(one) for one in found)


def test_a_holder_that_never_comes_is_named(three: Holders) -> None:
    found = three.sums(lambda source, place: None, wait=1.5, plans=[three.plan] * 2)
    assert all(isinstance(one, JointError) and "c (127.0.0.1:" in str(one) for one in found)


def test_a_late_holder_is_waited_for(three: Holders) -> None:
    def late(source: Any, place: int) -> int:
        return place

    honest = Circle.__enter__

    def enter(self: Circle) -> Circle:
        if self.place == 0:
            threading.Event().wait(1.5)
        return honest(self)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Circle, "__enter__", enter)
        assert three.sums(late) == [0, 1, 2]


@pytest.mark.parametrize(
    ("place", "what", "told"),
    [
        pytest.param("versions", lambda: "dpviz 0.9", "has dpviz 0.9", id="another version"),
        pytest.param("time", None, "clocks", id="another clock"),
    ],
)
def test_holders_that_differ_are_told_how(
    three: Holders, monkeypatch: pytest.MonkeyPatch, place: str, what: Any, told: str
) -> None:
    if place == "versions":
        honest = joint_circle._versions
        monkeypatch.setattr(joint_circle, "_versions", lambda: what() if who_is_here() == "c" else honest())
    else:
        now = joint_circle.time.time

        class Clock:
            @staticmethod
            def time() -> float:
                return now() + 3600.0 * (who_is_here() == "c")

        monkeypatch.setattr(joint_circle, "time", Clock)
    found = three.sums(lambda source, place: None)
    assert all(isinstance(one, JointError) and "Nothing was charged" in str(one) for one in found)
    assert told in str(found[0]) or told in str(found[1])


def test_another_plan_is_noticed(three: Holders) -> None:
    changed = replace(three.plan, pooling=0)
    found = three.sums(lambda source, place: None, plans=[three.plan, three.plan, changed])
    assert all(isinstance(one, JointError) and "Nothing was charged" in str(one) for one in found)
    assert any("has another plan" in str(one) for one in found)


def test_a_check_and_a_run_do_not_meet(three: Holders) -> None:
    def act(name: str, place: int) -> None:
        with Circle(three.plan, name, wait=10, purpose="run" if place else "check"):
            pass

    found = three.each(act)
    assert all(isinstance(one, JointError) for one in found)
    assert any("Start the same command everywhere" in str(one) for one in found)


def test_a_holder_that_goes_away_is_named(three: Holders) -> None:
    def step(source: Any, place: int) -> None:
        if place == 1:
            raise InputError("a disk is full")
        source.add_laplace(np.array([1]), 1.0)

    found = three.sums(step)
    assert all("b ended the run" in str(found[at]) for at in (0, 2))
    assert not any("disk" in str(found[at]) for at in (0, 2))


@pytest.mark.parametrize("sent", [b"\0\0\0\4\0\0\0\0junk", b"\xff" * 64, b"\0\0\0\2\0\0\0\0{}"])
def test_garbage_from_a_holder_is_named(three: Holders, sent: bytes) -> None:
    def step(source: Any, place: int) -> None:
        circle = source._circle
        if place == 1:
            for _, writer in circle._ends.values():
                circle._loop.call_soon_threadsafe(writer.write, sent)
            threading.Event().wait(1.0)
            return
        source.add_laplace(np.array([1]), 1.0)

    found = three.sums(step)
    assert all("b sent something that is no message" in str(found[at]) for at in (0, 2))


@pytest.mark.parametrize("sent", [b"GET / HTTP/1.1\r\n\r\n", b"\xff" * 64, b""])
def test_garbage_at_the_port_disturbs_nobody(three: Holders, sent: bytes) -> None:
    first = three.plan.holders[0]

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
    found = three.sums(lambda source, place: source.add_laplace(np.array([5]), 1.0))
    thread.join()
    assert all(isinstance(one, np.ndarray) for one in found)


def test_an_address_that_is_somebody_elses_is_named(three: Holders) -> None:
    first = three.plan.holders[0]
    with socket.create_server((first.host, first.port)) as other:

        def answer() -> None:
            with pytest.MonkeyPatch.context():
                while True:
                    try:
                        connection, _ = other.accept()
                    except OSError:
                        return
                    with connection:
                        connection.sendall(b"220 mail.example ready\r\n")

        thread = threading.Thread(target=answer, daemon=True)
        thread.start()
        found = three.sums(lambda source, place: None, wait=3.0)
        other.shutdown(socket.SHUT_RDWR)
    assert "cannot listen" in str(found[0])
    assert all("Nothing was charged" in str(one) for one in found)
    assert any("does not show the certificate" in str(one) for one in found[1:])
