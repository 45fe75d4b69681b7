"""The table of faults: what each holder reads when the second of three fails, and what it cost.

Every run goes through the holders' own doors over real connections. A sentence is one line; nothing is half written.
"""

from __future__ import annotations

import json
import math
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import pytest

import dpviz
from dpviz.errors import CHARGED, JointError, StoreError
from dpviz.joint import circle as joint_circle
from dpviz.joint.circle import Circle
from dpviz.joint.plan import JointPlan, make_certificate
from dpviz.life.publications import publications
from dpviz.publishing import joint_door
from tests.unit.joint.holders import Holders, at, free_ports, who_is_here
from tests.unit.joint.test_joint_run import broken_at, charges, drops, nothing_half_written

# A connection whose handshake was cancelled is closed with the process, after the loop that asyncio closes it in.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
FREE, PAID = "Nothing was charged.", "This holder was charged; nothing is shown or written."
Patch = pytest.MonkeyPatch


@dataclass(frozen=True)
class Fault:
    """What goes wrong at holder b, and the words of b and of the two others ("" where they get the release)."""

    plant: Callable[[Holders, Patch], object]
    own: str
    others: str
    charged: int = 0  # at each of the holders


def late(three: Holders, patch: Patch) -> None:
    honest = Circle.__enter__

    def enter(circle: Circle) -> Circle:
        if who_is_here() == "b":
            threading.Event().wait(1.5)
        return honest(circle)

    patch.setattr(Circle, "__enter__", enter)


def stays_away(three: Holders, patch: Patch) -> None:
    def enter(circle: Circle) -> Circle:
        raise StoreError("b stays away")

    honest = Circle.__enter__
    patch.setattr(Circle, "__enter__", lambda circle: (enter if who_is_here() == "b" else honest)(circle))


def another_version(three: Holders, patch: Patch) -> None:
    honest = joint_circle._versions
    patch.setattr(joint_circle, "_versions", lambda: "dpviz 0.9" if who_is_here() == "b" else honest())


def clock(shift: float) -> Callable[[Holders, Patch], None]:
    class Clock:
        @staticmethod
        def time() -> float:
            return time.time() + (shift if who_is_here() == "b" else 0.0)

    class Json:
        """What is no number is sent all the same."""

        loads = staticmethod(json.loads)

        @staticmethod
        def dumps(facts: Any, **_: Any) -> str:
            return json.dumps(facts)

    def plant(three: Holders, patch: Patch) -> None:
        patch.setattr(joint_circle, "time", Clock)
        patch.setattr(joint_circle, "json", Json)

    return plant


def plan_of_b(change: Callable[[JointPlan], JointPlan]) -> Callable[[Holders, Patch], None]:
    def plant(three: Holders, patch: Patch) -> None:
        honest, other = three.plan, change(three.plan)
        patch.setattr(Holders, "plan", property(lambda _: other if who_is_here() == "b" else honest), raising=False)

    return plant


def cheaper(plan: JointPlan) -> JointPlan:
    return replace(plan, request=replace(plan.request, budget=dpviz.Budget(epsilon=0.5)))


def lost_key(three: Holders, patch: Patch) -> None:
    (three.root / "b" / "signing-key.pem").unlink()


def wrong_certificate(three: Holders, patch: Patch) -> None:
    """b has made a new key and put it into its own copy of the plan alone."""
    lost_key(three, patch)
    with at("b"):
        plan_of_b(lambda plan: plan.with_certificate("b", make_certificate()))(three, patch)


def address_of_another(three: Holders, patch: Patch) -> None:
    """At the address of b somebody answers who is no holder; b listens elsewhere."""
    second = three.plan.holders[1]
    server = socket.create_server((second.host, second.port))
    honest = Circle.__init__

    def answer() -> None:
        with server:
            while three.root.exists():
                connection, _ = server.accept()
                with connection:
                    connection.sendall(b"220 mail.example ready\r\n")

    def init(circle: Circle, *words: Any, **more: Any) -> None:
        honest(circle, *words, **more, listen=f"127.0.0.1:{free_ports(1)[0]}" if who_is_here() == "b" else None)

    patch.setattr(Circle, "__init__", init)
    threading.Thread(target=answer, daemon=True).start()


def dies_at(step: str, number: int = 1) -> Callable[[Holders, Patch], None]:
    return lambda three, patch: broken_at(patch, step, drops, number)


def garbage(three: Holders, patch: Patch) -> None:
    def send(circle: Circle) -> None:
        for _, writer in circle._ends.values():
            circle._loop.call_soon_threadsafe(writer.write, b"\xff" * 64)
        threading.Event().wait(1.0)

    broken_at(patch, "shares", send, 2)


def full_disk(three: Holders, patch: Patch) -> None:
    honest = joint_door.write_folder

    def write(folder: Any, files: Any, **more: Any) -> Any:
        if who_is_here() == "b":
            raise StoreError(f"cannot write the folder {folder.name!r}: No space left on device.")
        return honest(folder, files, **more)

    patch.setattr(joint_door, "write_folder", write)


UNREACHED = "not reached within 4 s: "
STRANGER = "does not show the certificate that the plan pins for b"
GONE = "b went away."
LEFT = f"{UNREACHED}c (|c ended the run: whoever answers|c went away|"  # as far as the others were by then
FAULTS = {
    "comes late": Fault(late, "", "", charged=1),
    "never comes": Fault(stays_away, "b stays away", UNREACHED + "b ("),
    "has another version": Fault(another_version, "this is dpviz 0.9. Install", "b has dpviz 0.9, and this is dpviz 1"),
    "has another plan": Fault(plan_of_b(cheaper), "a has another plan.", "b has another plan."),
    "has another clock": Fault(clock(3600.0), "the clocks of a and of this", "the clocks of b and of this"),
    "has a clock that is no number": Fault(
        clock(math.nan), "the clocks of a and of this", "the clocks of b and of this"
    ),
    "has lost its key": Fault(lost_key, "pins another certificate for 'b'", UNREACHED + "b ("),
    "has a wrong certificate": Fault(wrong_certificate, "", UNREACHED + "b (|" + STRANGER),
    "has the address of another": Fault(address_of_another, UNREACHED + "c (", LEFT + STRANGER),
    "dies at the rehearsal": Fault(dies_at("rehearsal"), "killed", GONE),
    "dies before the first share": Fault(dies_at("charged"), "was stopped (RuntimeError)", GONE, charged=1),
    "dies midway": Fault(dies_at("sums", 2), "was stopped (RuntimeError)", GONE, charged=1),
    "sends garbage": Fault(garbage, "", "b sent something that is no message of this protocol.", charged=1),
    "has a full disk": Fault(full_disk, "No space left on device.", "b ended the run: it cannot go on;", charged=1),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_ends_in_one_sentence_on_every_side(three: Holders, monkeypatch: Patch, name: str) -> None:
    fault = FAULTS[name]
    fault.plant(three, monkeypatch)

    def act(holder: str, place: int) -> Any:
        try:
            return dpviz.joint.run(
                three.plan, holder=holder, data=three.counts(place), ledger=three.ledger(holder), wait=4.0
            )
        except RuntimeError as error:
            return error

    found = three.each(act)
    assert charges(three) == [fault.charged] * 3
    states = {one.state for name in "abc" for one in publications(three.ledger(name))}
    if not fault.others:
        assert len({one.id for one in found}) == 1 and states == {"published"}
        return
    assert nothing_half_written(three) and states == ({"ended"} if fault.charged else set())
    for place, one in enumerate(found):
        words = fault.own if place == 1 else fault.others
        assert any(part in str(one) for part in words.split("|")), one
        assert "\n" not in str(one)
        if isinstance(one, JointError):
            assert (PAID if fault.charged else FREE) in str(one)
            assert one.exit_code == (CHARGED if fault.charged else 2)
        else:
            assert place == 1 and not fault.charged
