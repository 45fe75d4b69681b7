"""What people send, bounded before a byte is read: one upload by the sender's role, and all that lies here of a person.

A file that was sent lies in the memory of this program until the page that sent it is closed, or the file taken back.
Each one may be as large as the role allows; without a second limit somebody could send them one after the other.
"""

from __future__ import annotations

import time
from collections import defaultdict
from typing import Final

from dpviz.hosting.config import Limits
from dpviz.hosting.identity import Application, Message, Receive, Send, headers_of, refuse
from dpviz.hosting.roles import Person

PATH: Final = "/_stcore/upload_file"
AT_ONCE: Final = 4  # uploads of the largest size that may lie here of one person
GRACE: Final = 30.0  # seconds: a page that lost its socket may come back within ten, and has its files then
_FRAME: Final = 64 * 1024  # of a form around the file
_LONGEST_NUMBER: Final = 15


class Uploads:
    """Lets uploads through, and counts what lies here by person."""

    def __init__(self, limits: Limits, house: str) -> None:
        self._limits, self._house = limits, house
        self._lying: defaultdict[str, dict[object, int]] = defaultdict(dict)  # by person: bytes by place or by request
        self._left: dict[str, float] = {}

    def came(self, name: str) -> None:
        """Somebody opened a socket: what a closed page held is gone, if that was long enough ago."""
        left = self._left.pop(name, None)
        if left is not None and time.monotonic() - left > GRACE:
            self._lying.pop(name, None)

    def left(self, name: str) -> None:
        """The last socket of somebody was closed."""
        if self._lying.get(name):
            self._left[name] = time.monotonic()
        else:
            self._lying.pop(name, None)

    async def answer(self, app: Application, scope: Message, receive: Receive, send: Send, asks: Person) -> None:
        """An upload, or the taking back of one."""
        if scope["method"] not in ("PUT", "DELETE"):
            await app(scope, receive, send)
            return
        lying, place, flying = self._lying[asks.name], str(scope["path"]), object()
        most = self._limits.upload_bytes(asks.roles)
        allowance = most + _FRAME if most else 0
        status = 0

        async def send_and_note(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = int(message["status"])
            await send(message)

        if scope["method"] == "DELETE":
            await app(scope, receive, send_and_note)
            if 200 <= status < 300:
                lying.pop(place, None)
            return
        size = _stated(scope)
        if size is None or size > allowance:
            await refuse(scope, send, 413, f"Your role may send {most // 2**20} MB here.", self._house)
            return
        if sum(lying.values()) + size > AT_ONCE * allowance:
            told = f"{AT_ONCE} times what your role may send lies here already. Close the page for a minute."
            await refuse(scope, send, 413, told, self._house)
            return
        lying[flying] = size
        try:
            await app(scope, _cut_off(receive, size), send_and_note)
        finally:
            del lying[flying]
            if 200 <= status < 300:
                lying[place] = size


def _stated(scope: Message) -> int | None:
    """The size that is said in front of the body."""
    text = headers_of(scope).get("content-length", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _LONGEST_NUMBER else None


def _cut_off(receive: Receive, allowance: int) -> Receive:
    seen = 0

    async def receive_so_much() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        return message if seen <= allowance else {"type": "http.disconnect"}

    return receive_so_much
