"""Opens and closes the page of votes, and knows what it has counted. The page runs as a program of its own."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import threading
import weakref
from pathlib import Path
from typing import Any

from dpviz.ui.demo.square_code import square_code

_ROOT = Path(__file__).resolve().parents[3]
PATIENCE = 20.0  # seconds until the page of votes must have said its address


class Ballots:
    """The votes of one presenter."""

    def __init__(self, address: str | None = None) -> None:
        self._bound = address  # for tests; otherwise the program finds this machine's own
        self._process: subprocess.Popen[str] | None = None
        self._address = ""
        self._counts: dict[str, Any] = {"round": -1, "votes": [0, 0]}
        self._started = threading.Event()

    @property
    def is_open(self) -> bool:
        """Whether telephones can vote now."""
        return self._process is not None and self._process.poll() is None

    def open(self, round_number: int) -> None:
        """Start the program where it does not run, and empty the box for this round."""
        if not self.is_open:
            self._start()
        assert self._process is not None and self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.write(json.dumps({"round": round_number}) + "\n")
            self._process.stdin.flush()

    def _start(self) -> None:
        command = [sys.executable, "-m", "dpviz.ui.demo.ballot_box", *([self._bound] if self._bound else [])]
        self._started.clear()
        self._process = subprocess.Popen(
            command, cwd=_ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        weakref.finalize(self, _end, self._process)
        threading.Thread(target=_listen, args=(weakref.ref(self), self._process), daemon=True).start()
        self._started.wait(PATIENCE)

    def close(self) -> None:
        """End the program; its address answers nobody any more."""
        if self._process is not None:
            _end(self._process)
        self._process, self._address = None, ""
        self._counts = {"round": -1, "votes": [0, 0]}

    def told(self) -> dict[str, Any] | None:
        """What the stage shows: the address, its code to photograph, and the votes."""
        if not self.is_open or not self._address:
            return None
        return {"address": self._address, "code": square_code(self._address), **self._counts}

    def hear(self, line: str) -> None:
        """A line from the program."""
        said = json.loads(line)
        if "address" in said:
            self._address = str(said["address"])
            self._started.set()
        else:
            self._counts = {"round": int(said["round"]), "votes": [int(part) for part in said["votes"]]}


def _listen(ballots: weakref.ref[Ballots], process: subprocess.Popen[str]) -> None:
    assert process.stdout is not None
    with process.stdout as lines:
        for line in lines:
            found = ballots()
            if found is None or found._process is not process:
                return
            found.hear(line)
            del found  # so that a presenter who is gone is really gone


def _end(process: subprocess.Popen[str]) -> None:
    with contextlib.suppress(OSError):
        if process.stdin is not None:
            process.stdin.close()  # the program ends with its input
    process.terminate()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(timeout=5)
