"""Nobody holds another holder's numbers: not in memory, in a file, in a log or in a packet, at any time of a run.

Three processes with real connections run through proxies that record every byte. They stop when the shares of a round
have come, when its sums have, and at the end; then their memories are searched for each other's numbers, exact and
with the noise of one holder, as whole numbers of numpy and of Python, as floats and as digits.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from dpviz.joint.plan import make_certificate, make_plan
from dpviz.releases import signing
from tests.unit.joint.holders import BOX, REQUEST, at, free_ports, keys_of_their_own

SCRIPT = Path(__file__).with_name("joint_holder.py")
NAMES = ("a", "b", "c")
SIDE = 16
LEAST = 1 << 34  # smaller numbers may be anywhere by chance

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory is read from /proc"),
]


class Recorder:
    """A proxy in front of one holder, which keeps every byte that passes."""

    def __init__(self, port: int, to: int) -> None:
        import socket

        self.heard = bytearray()
        self._to = to
        self._server = socket.create_server(("127.0.0.1", port))
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        import socket

        while True:
            try:
                near, _ = self._server.accept()
                far = socket.create_connection(("127.0.0.1", self._to))
            except OSError:
                if self._server.fileno() < 0:
                    return
                near.close()
                continue
            for one, other in ((near, far), (far, near)):
                threading.Thread(target=self._pass, args=(one, other), daemon=True).start()

    def _pass(self, one: Any, other: Any) -> None:
        try:
            while content := one.recv(1 << 16):
                self.heard += content
                other.sendall(content)
        except OSError:
            pass
        for end in (one, other):
            end.close()

    def close(self) -> None:
        self._server.close()


class Run:
    """The three processes, their proxies, and what each of them must keep to itself."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        ports, inner = free_ports(3), free_ports(3)
        plan = make_plan(
            [f"{name}=127.0.0.1:{port}" for name, port in zip(NAMES, ports, strict=True)],
            request=REQUEST,
            box=BOX,
            side=SIDE,
        )
        for name in NAMES:
            with at(name):
                plan = plan.with_certificate(name, make_certificate())
        plan.save(folder / "joint.toml")
        (folder / "secrets").mkdir()
        for place, name in enumerate(NAMES):  # large numbers, which do not lie in memory by chance
            cells = np.random.default_rng(place).integers(1 << 30, 1 << 32, (SIDE, SIDE))
            np.save(folder / "secrets" / f"{name}.npy", cells)
        self.proxies = [Recorder(port, to) for port, to in zip(ports, inner, strict=True)]
        self.processes = {name: self.start(name, f"127.0.0.1:{port}") for name, port in zip(NAMES, inner, strict=True)}

    def start(self, name: str, listen: str) -> subprocess.Popen[bytes]:
        with (self.folder / name / "log").open("wb") as log:
            return subprocess.Popen(
                [sys.executable, str(SCRIPT), str(self.folder), name, listen],
                stdout=log,
                stderr=subprocess.STDOUT,
                env={**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])},
            )

    def wait_for(self, where: str) -> None:
        """Until all three have stopped there."""
        until = time.monotonic() + 240
        while not all((self.folder / f"at-{where}-{name}").exists() for name in NAMES):
            assert time.monotonic() < until and all(one.poll() is None for one in self.processes.values()), [
                (self.folder / name / "log").read_text()[-500:] for name in NAMES
            ]
            time.sleep(0.1)

    def go_on(self, where: str) -> None:
        (self.folder / f"go-{where}").touch()

    def secrets(self, name: str, kind: str = "*") -> NDArray[np.int64]:
        """The exact numbers of this holder, and those with its own noise."""
        files = sorted((self.folder / "secrets").glob(f"{name}-{kind}-*.npy"))
        found = np.unique(np.concatenate([np.load(file).ravel() for file in files]))
        return found[found > LEAST]

    def close(self) -> None:
        for one in self.processes.values():
            one.kill()
            one.wait()
        for proxy in self.proxies:
            proxy.close()


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Run]:
    keys_of_their_own(monkeypatch, tmp_path)
    started = Run(tmp_path)
    monkeypatch.undo()
    assert signing.own_key_file().parent != tmp_path
    yield started
    started.close()


def forms(numbers: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Each number as eight bytes of numpy's whole numbers, of its floats, and of Python's digits of 30 bits."""
    digits = (numbers & ((1 << 30) - 1)) | (numbers >> 30 << 32)
    written = (numbers, digits, numbers.astype(np.float64))
    return np.unique(np.concatenate([one.view(np.uint64) for one in written]))


def holds(content: bytes | bytearray, wanted: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Those of the wanted eight bytes that stand in this content, at places that a processor uses."""
    words = np.frombuffer(content, np.uint32, count=len(content) // 4)
    if len(words) < 2:
        return wanted[:0]
    likely = np.zeros(1 << 16, np.bool_)
    likely[(wanted & np.uint64(0xFFFF)).astype(np.int64)] = True
    places = np.flatnonzero(likely[(words[:-1] & 0xFFFF).astype(np.uint16)])
    pairs = words[places].astype(np.uint64) | words[places + 1].astype(np.uint64) << np.uint64(32)
    return np.intersect1d(pairs, wanted)


def memory(process: int) -> Iterator[bytes]:
    """Whatever this process has written to its memory and still holds, piece by piece."""
    page = os.sysconf("SC_PAGE_SIZE")
    with (
        open(f"/proc/{process}/maps") as listed,
        open(f"/proc/{process}/pagemap", "rb", buffering=0) as pages,
        open(f"/proc/{process}/mem", "rb", buffering=0) as content,
    ):
        for line in listed:
            place, rights, *_ = line.split()
            start, end = (int(part, 16) // page for part in place.split("-"))
            if not rights.startswith("rw") or "[v" in line:
                continue
            pages.seek(8 * start)
            entries = np.frombuffer(pages.read(8 * (end - start)), np.uint64)
            there = np.flatnonzero(entries >> np.uint64(62))  # in memory or swapped out
            for run in np.split(there, np.flatnonzero(np.diff(there) != 1) + 1) if len(there) else []:
                content.seek((start + int(run[0])) * page)
                yield content.read(len(run) * page)


def digits_of(numbers: NDArray[np.int64]) -> list[bytes]:
    """Two of them as they would be printed."""
    return [str(number).encode() for number in numbers[[0, -1]].tolist()]


def test_no_process_file_log_or_packet_holds_anothers_numbers(run: Run) -> None:
    for where in ("shares", "sums", "end"):
        run.wait_for(where)
        wanted = {name: forms(run.secrets(name)) for name in NAMES}
        every = np.concatenate([*wanted.values()])
        printed = {name: digits_of(run.secrets(name)) for name in NAMES}
        for here, process in run.processes.items():
            found, texts = [], 0
            for piece in memory(process.pid):
                found.append(holds(piece, every))
                texts += sum(piece.count(text) for name in NAMES if name != here for text in printed[name])
            seen = np.unique(np.concatenate(found))
            # Its own numbers are found, so the search can find numbers.
            assert len(np.intersect1d(seen, wanted[here])) > 10
            others = {name: len(np.intersect1d(seen, wanted[name])) for name in NAMES if name != here}
            assert not any(others.values()) and not texts, (where, here, others, texts)
        run.go_on(where)
    for process in run.processes.values():
        assert process.wait(60) == 0
    kept = [file for name in NAMES for file in (run.folder / name).rglob("*") if file.is_file()]
    assert len(kept) > 30
    texts_of_all = [text for name in NAMES for text in digits_of(run.secrets(name))]
    assert sum(len(proxy.heard) for proxy in run.proxies) > 50_000
    for content in [*(file.read_bytes() for file in kept), *(proxy.heard for proxy in run.proxies)]:
        assert not any(len(holds(content[shift:], every)) for shift in range(4))
        assert not any(text in content for text in texts_of_all)
