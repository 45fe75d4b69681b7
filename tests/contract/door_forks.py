"""Children that publish and are killed, run in a process of their own by test_door_crashes and test_door_writers.

The parent process imports everything once and forks; a child does its work and leaves, or is killed.
Prints one JSON document of what it saw.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import shutil
import signal
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path

import numpy as np

from dpviz.domain import ExactCounts, GeoBox, Grid
from dpviz.errors import LedgerRefusal
from dpviz.ledger import heads, ledger as ledger_module
from dpviz.ledger.ledger import Ledger
from dpviz.ledger.rows import Amount
from dpviz.privacy import Budget
from dpviz.publishing import door
from dpviz.publishing.datasets import Dataset, open_dataset
from dpviz.publishing.door import publish
from dpviz.publishing.registration import register
from dpviz.releases import load, store
from dpviz.releases.request import ReleaseRequest

OLD_LEDGER = Path(__file__).parents[1] / "golden" / "ledger-format-1.zip"
REFUSED = 3
FAILED = 9


def request(k: int, epsilon: float) -> ReleaseRequest:
    return ReleaseRequest(k=k, budget=Budget(epsilon=epsilon), method="uniform_grid")


def prepared(folder: Path, total: float) -> Dataset:
    rng = np.random.default_rng(1)
    counts = ExactCounts.from_array(Grid(GeoBox(-74.05, 40.70, -73.90, 40.80), 32), rng.poisson(3.0, size=(32, 32)))
    dataset = register("trips", counts, total=Budget(epsilon=total), ledger=folder / "ledger.sqlite3")
    rehearsal = register("rehearsal", counts, total=Budget(epsilon=1.0), ledger=folder / "rehearsal.sqlite3")
    publish(rehearsal, request(1, 0.1))  # compiled code is loaded before the first fork
    return dataset


def forked(work: Callable[[], object]) -> int:
    child = os.fork()
    if child:
        return child
    try:
        work()
    except LedgerRefusal:
        os._exit(REFUSED)
    except BaseException:
        traceback.print_exc()
        os._exit(FAILED)
    os._exit(0)


def ended(child: int) -> int:
    """Exit code, or minus the signal."""
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def state_of(folder: Path) -> tuple[object, ...]:
    """Which files lie there and when the system last touched each: another state whatever is done to them."""
    files = sorted(folder.rglob("*"))
    states = [(path, path.lstat()) for path in files]
    return tuple((str(path), state.st_ino, state.st_size, state.st_ctime_ns) for path, state in states)


def violations(ledger: Ledger, sound: dict[str, tuple[object, ...]] | None = None) -> list[str]:
    """Everything that must never be seen, at any moment. Folders that are as they were found `sound` are not read."""
    sound = {} if sound is None else sound
    found = []
    charges = {charge.key: charge for charge in ledger.charges()}
    for row in ledger.datasets():
        spent = Amount.total(charge.amount for charge in charges.values() if charge.dataset == row.name)
        if not row.total.covers(spent):
            found.append("more charged than the total")
    if ledger.store.is_dir():
        for folder in ledger.store.iterdir():
            if folder.name not in charges:
                found.append("released and not charged")
            state = state_of(folder)
            if sound.get(folder.name) == state:
                continue
            try:
                load(folder)
                sound[folder.name] = state
            except Exception as error:
                found.append(f"half a folder: {error}")
    for charge in charges.values():
        if charge.stored and not ledger.folder_of(charge.key).is_dir():
            found.append("noted as stored and not there")
    return found


def random_kills(folder: Path, kills: int) -> dict[str, object]:
    """Kill publishing children at random moments; ask again each time."""
    dataset = prepared(folder, total=100.0)
    ledger = dataset.ledger
    started = time.perf_counter()
    assert ended(forked(lambda: publish(dataset, request(5, 0.09)))) == 0
    usual = time.perf_counter() - started
    seen: dict[str, object] = {"violations": [], "kills": 0, "before": 0, "charged": 0, "stored": 0, "repeats": 0}
    dice = random.Random()
    number = 0
    sound: dict[str, tuple[object, ...]] = {}
    while int(str(seen["kills"])) < kills:
        number += 1
        asked = request(5, round(0.1 + number / 10_000, 4))
        child = forked(lambda asked=asked: publish(dataset, asked))  # type: ignore[misc]
        time.sleep(dice.random() * usual * 1.3)
        os.kill(child, signal.SIGKILL)
        killed = ended(child) == -signal.SIGKILL
        usual *= 1.02 if killed else 0.9  # aim at the time that publishing takes on this machine, now
        state = dataset.charge_for(asked)
        before = None if state is None else state.number
        stage = "before" if state is None else "charged" if not ledger.folder_of(state.key).is_dir() else "stored"
        if killed:
            seen["kills"] = int(str(seen["kills"])) + 1
            seen[stage] = int(str(seen[stage])) + 1
        broken = violations(ledger, sound)
        assert ended(forked(lambda asked=asked: publish(dataset, asked))) == 0  # type: ignore[misc]
        after = dataset.charge_for(asked)
        if after is None or not after.stored or (before is not None and after.number != before):
            broken.append("the same request did not complete under its charge")
        charged = [charge for charge in ledger.charges() if charge.request == asked]
        if len(charged) != 1:
            broken.append(f"{len(charged)} charges for one request")
        broken += violations(ledger, sound)
        seen["repeats"] = number
        seen["violations"] = [*seen["violations"], *broken]  # type: ignore[misc]
    seen["violations"] = [*seen["violations"], *violations(ledger)]  # type: ignore[misc]
    seen["left"] = [path.name for path in ledger.workshop.iterdir() if path.is_dir()]
    return seen


def kills_at_each_step(folder: Path) -> dict[str, object]:
    """Kill exactly before and after each step of publishing, and after each flush to disk."""
    dataset = prepared(folder, total=100.0)
    ledger = dataset.ledger
    steps = {
        "reserve": (ledger_module.Ledger, "reserve"),
        "run": (door, "run"),
        "write": (door, "write_folder"),
        "flush a folder": (store, "flush_folder"),
        "rename": (store.os, "rename"),
        "mark": (ledger_module.Ledger, "mark_stored"),
        "note the head": (heads, "write_note"),
        "write the feed": (door, "refresh_feed"),
    }
    seen: dict[str, object] = {"violations": [], "steps": []}
    sound: dict[str, tuple[object, ...]] = {}
    for number, (name, when) in enumerate((name, when) for name in steps for when in ("before", "after")):
        owner, attribute = steps[name]
        asked = request(1 + number, 0.1)

        def dying(owner=owner, attribute=attribute, when=when, asked=asked) -> None:  # type: ignore[no-untyped-def]
            real = getattr(owner, attribute)

            def step(*given: object, **named: object) -> object:
                if when == "before":
                    os.kill(os.getpid(), signal.SIGKILL)
                result = real(*given, **named)
                os.kill(os.getpid(), signal.SIGKILL)
                return result

            setattr(owner, attribute, step)
            publish(dataset, asked)

        code = ended(forked(dying))
        broken = [] if code == -signal.SIGKILL else [f"{when} {name}: left with {code}, not killed"]
        broken += violations(ledger, sound)
        before = dataset.charge_for(asked)
        broken += [] if ended(forked(lambda asked=asked: publish(dataset, asked))) == 0 else ["did not complete"]  # type: ignore[misc]
        after = dataset.charge_for(asked)
        if after is None or not after.stored or (before is not None and before.number != after.number):
            broken.append(f"{when} {name}: did not complete under its charge")
        seen["steps"] = [*seen["steps"], f"{when} {name}: {'charged' if before else 'not charged'}"]  # type: ignore[misc]
        seen["violations"] = [*seen["violations"], *broken, *violations(ledger, sound)]  # type: ignore[misc]
    seen["violations"] = [*seen["violations"], *violations(ledger)]  # type: ignore[misc]
    seen["charges"] = len(ledger.charges())
    seen["left"] = [path.name for path in ledger.workshop.iterdir() if path.is_dir()]
    return seen


def spending_after_drawing(folder: Path) -> dict[str, object]:
    """The planted bug: a door that writes first and charges afterwards, killed in between."""
    dataset = prepared(folder, total=100.0)

    def careless() -> None:
        real = ledger_module.Ledger.reserve
        late: list[tuple[object, ...]] = []
        ledger_module.Ledger.reserve = lambda *given: late.append(given)  # type: ignore[assignment,method-assign]
        ledger_module.Ledger.mark_stored = lambda *given: (  # type: ignore[assignment,method-assign]
            os.kill(os.getpid(), signal.SIGKILL),
            real(*late[0]),  # type: ignore[arg-type]
        )
        publish(dataset, request(3, 0.1))

    assert ended(forked(careless)) == -signal.SIGKILL
    return {"violations": violations(dataset.ledger)}


def writing_in_place(folder: Path) -> dict[str, object]:
    """The other planted bug: files written straight into the release's folder, killed half-way."""
    dataset = prepared(folder, total=100.0)

    def careless() -> None:
        def in_place(target: Path, files: dict[str, bytes], **_: object) -> None:
            target.mkdir()
            for name in sorted(files, reverse=True)[:2]:
                (target / name).write_bytes(files[name])
            os.kill(os.getpid(), signal.SIGKILL)

        door.write_folder = in_place  # type: ignore[assignment]
        publish(dataset, request(3, 0.1))

    assert ended(forked(careless)) == -signal.SIGKILL
    return {"violations": violations(dataset.ledger)}


def writers(folder: Path, total: float, same: bool) -> dict[str, object]:
    """Eight processes publish at once: different requests against one total, or all the same request."""
    dataset = prepared(folder, total=total)
    gate_out, gate_in = os.pipe()

    def work(number: int) -> None:
        os.close(gate_in)
        os.read(gate_out, 1)  # returns when the parent closes the gate
        for turn in range(1 if same else 3):
            publish(dataset, request(5 if same else 1 + 3 * number + turn, 0.1))

    children = [forked(lambda number=number: work(number)) for number in range(8)]  # type: ignore[misc]
    os.close(gate_out)
    os.close(gate_in)
    codes = [ended(child) for child in children]
    charges = dataset.ledger.charges()
    return {
        "codes": codes,
        "charges": len(charges),
        "stored": sum(charge.stored for charge in charges),
        "spent": float(Amount.total(charge.amount for charge in charges).epsilon),
        "violations": violations(dataset.ledger),
    }


def other_names(folder: Path) -> dict[str, object]:
    """Eight processes publish the same requests at once through a path, links to it, a hard link and `..`."""
    dataset = prepared(folder, total=100.0)
    path, inner = dataset.ledger.path, folder / "inner"
    inner.mkdir()
    (inner / "link").symlink_to(path)
    (inner / "hard").hardlink_to(path)
    (folder / "also").symlink_to(folder)
    names = [path, inner / "link", inner / "hard", inner / ".." / path.name, folder / "also" / path.name]
    shown_out, shown_in = os.pipe()
    gate_out, gate_in = os.pipe()

    def work(number: int) -> None:
        os.close(gate_in)
        os.read(gate_out, 1)
        opened = open_dataset("trips", dataset.data, ledger=names[number % len(names)])
        for k in range(1, 6):
            found = publish(opened, request(k, 0.1))
            digest = hashlib.sha256(b"".join(content for _, content in sorted(found.files().items()))).hexdigest()
            os.write(shown_in, f"{k} {digest}\n".encode())

    children = [forked(lambda number=number: work(number)) for number in range(8)]  # type: ignore[misc]
    os.close(gate_out)
    os.close(gate_in)
    codes = [ended(child) for child in children]
    os.close(shown_in)
    with open(shown_out) as readable:
        shown = readable.read().split("\n")[:-1]
    return {
        "codes": codes,
        "charges": len(dataset.ledger.charges()),
        "shown": len(shown),
        "draws": len(set(shown)),
        "stores": sorted(str(found.relative_to(folder)) for found in folder.rglob("*.releases") if found.is_dir()),
        "violations": violations(dataset.ledger),
    }


def killed_upgrades(folder: Path, archive: str) -> dict[str, object]:
    """Kill the upgrade of an old ledger before and after each row that it writes; then open it again."""
    from dpviz.ledger import file as upgrade

    broken: list[str] = []
    kills = 0
    for when in range(0, 16, 2):
        place = folder / str(when)
        shutil.unpack_archive(archive, place)
        path = place / "ledger.sqlite3"

        def dying(path: Path = path, when: int = when) -> None:
            real, written = upgrade.append, [0]

            def counting(*given: object) -> int:
                written[0] += 1
                if written[0] > when:
                    os.kill(os.getpid(), signal.SIGKILL)
                return real(*given)  # type: ignore[arg-type]

            upgrade.append = counting
            Ledger(path)

        kills += ended(forked(dying)) == -signal.SIGKILL
        ledger = Ledger(path)
        spent = float(Amount.total(charge.amount for charge in ledger.charges()).epsilon)
        if (len(ledger.charges()), spent, sum(charge.stored for charge in ledger.charges())) != (4, 1.375, 3):
            broken.append(f"after {when} rows: something was lost")
        broken += violations(ledger)
    return {"violations": broken, "kills": kills}


def quick(folder: Path) -> dict[str, object]:
    """All but the random kills, in one process: importing is most of the work."""
    parts: dict[str, Callable[[Path], dict[str, object]]] = {
        "steps": kills_at_each_step,
        "late charge": spending_after_drawing,
        "in place": writing_in_place,
        "different": lambda inner: writers(inner, 1.0, False),
        "same": lambda inner: writers(inner, 1.0, True),
        "names": other_names,
        "upgrades": lambda inner: killed_upgrades(inner, str(OLD_LEDGER)),
    }
    seen: dict[str, object] = {}
    for name, part in parts.items():
        (folder / name).mkdir()
        seen[name] = part(folder / name)
    return seen


if __name__ == "__main__":
    name, where, *rest = sys.argv[1:]
    arguments = [json.loads(value) for value in rest]
    print(json.dumps(globals()[name](Path(where), *arguments)), flush=True)
    os._exit(0)  # a thread of Arrow may abort an interpreter that is taken down: apache/arrow#34314
