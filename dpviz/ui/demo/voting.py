"""Opens and closes the page of votes, and knows what it has counted. The page runs as a program of its own.

It belongs to a presenter, not to one load of the presenter's page: whoever reloads has a key in the browser, and takes
it up again. Where nobody looks at it any more it ends by itself.
"""

from __future__ import annotations

import contextlib
import json
import secrets
import subprocess
import sys
import threading
import time
import weakref
from pathlib import Path
from typing import Any

import segno

_ROOT = Path(__file__).resolve().parents[3]
PATIENCE = 20.0  # seconds until the page of votes must have said its address
UNSEEN = 180.0  # seconds without a look of its presenter until it ends; a hidden tab looks once a minute
_rooms: dict[str, Room] = {}  # the open ones, by the key that their presenter has


class Room:
    """One running page of votes."""

    def __init__(self, address: str | None) -> None:
        self.key = secrets.token_urlsafe(16)
        self.address = ""
        self.counts: dict[str, Any] = {"round": -1, "votes": [0, 0]}
        self.seen = time.monotonic()
        self._started = threading.Event()
        command = [sys.executable, "-m", "dpviz.ui.demo.ballot_box", *([address] if address else [])]
        self.process = subprocess.Popen(
            command, cwd=_ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        weakref.finalize(self, _end, self.process)
        _rooms[self.key] = self
        for work in (_listen, _watch):
            threading.Thread(target=work, args=(weakref.ref(self), self.process), daemon=True).start()
        self._started.wait(PATIENCE)

    @property
    def is_open(self) -> bool:
        """Whether telephones can vote now."""
        return self.process.poll() is None

    def say(self, told: dict[str, Any]) -> None:
        """A line to the program: which round is on, for which it empties the box once, or that the box is emptied."""
        assert self.process.stdin is not None
        with contextlib.suppress(OSError):
            self.process.stdin.write(json.dumps(told) + "\n")
            self.process.stdin.flush()

    def close(self) -> None:
        """End the program; its address answers nobody any more."""
        _rooms.pop(self.key, None)
        _end(self.process)

    def hear(self, line: str) -> None:
        """A line from the program."""
        said = json.loads(line)
        if "address" in said:
            self.address = str(said["address"])
            self._started.set()
        else:
            self.counts = {"round": int(said["round"]), "votes": [int(part) for part in said["votes"]]}


class Ballots:
    """The votes of one presenter, as one load of the page sees them."""

    def __init__(self, address: str | None = None) -> None:
        self._bound = address  # for tests; otherwise the program finds this machine's own
        self._room: Room | None = None

    @property
    def is_open(self) -> bool:
        """Whether telephones can vote now."""
        return self._room is not None and self._room.is_open

    def open(self, round_number: int) -> None:
        """Start the program where it does not run, and empty the box for this round."""
        if self._room is None or not self._room.is_open:
            self._room = Room(self._bound)
        self._room.say({"round": round_number})

    def resume(self, key: str, round_number: int) -> None:
        """Take up the page of votes that this key belongs to; nothing where it has ended."""
        found = _rooms.get(key)
        if found is not None and found.is_open:
            self._room = found
            found.say({"round": round_number})

    def empty(self) -> None:
        """Discard the votes of this round; telephones may vote again."""
        if self._room is not None:
            self._room.say({"empty": True})

    def close(self) -> None:
        """End the program."""
        if self._room is not None:
            self._room.close()
        self._room = None

    def told(self) -> dict[str, Any] | None:
        """What the stage shows: the address, its code to photograph, and the votes; the key for a reload."""
        room = self._room
        if room is None or not room.is_open or not room.address:
            return None
        room.seen = time.monotonic()
        return {"address": room.address, "code": draw_square_code(room.address), "key": room.key, **room.counts}


def draw_square_code(text: str) -> list[str]:
    """Return the rows of a QR code, '1' for dark, without the empty margin: nobody has to type the address."""
    return ["".join(map(str, row)) for row in segno.make_qr(text, error="l", boost_error=False).matrix]


def _listen(room: weakref.ref[Room], process: subprocess.Popen[str]) -> None:
    assert process.stdout is not None
    with process.stdout as lines:
        for line in lines:
            found = room()
            if found is None:
                return
            found.hear(line)
            del found


def _watch(room: weakref.ref[Room], process: subprocess.Popen[str]) -> None:
    """End a page of votes whose presenter is gone."""
    while process.poll() is None:
        found = room()
        if found is None or time.monotonic() - found.seen > UNSEEN:
            if found is not None:
                found.close()
            return
        del found
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=UNSEEN / 20)


def _end(process: subprocess.Popen[str]) -> None:
    with contextlib.suppress(OSError):
        if process.stdin is not None:
            process.stdin.close()  # the program ends with its input
    process.terminate()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(timeout=5)
