"""The files of a page are read once a server: scripts, styles and fonts are answered from memory.

A page is made of more than a hundred of them. Read anew for every visitor, each from the disk through a thread and some
packed each time, they cost a server of two cores about a second before the visitor's own session begins.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from typing import Any, Final

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

_FOLDERS: Final = ("/static/", "/_stcore/bidi-components/")  # files of installed packages: they change with them only
_ASKS_FOR_MORE: Final = {b"range", b"origin", b"if-none-match", b"if-modified-since"}
_MOST_BYTES: Final = 48 * 2**20


@dataclass(frozen=True)
class Answer:
    """A whole answer as it was given."""

    start: Message
    body: bytes


class KeptFiles:
    """Behind the check of who asks: what was answered once for a file is answered again without a look at the disk."""

    def __init__(self, app: Any) -> None:
        self.app = app
        self._kept: dict[tuple[str, bytes], Answer] = {}
        self._room = _MOST_BYTES

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        key = _key(scope)
        if key is None:
            await self.app(scope, receive, send)
        elif key in self._kept:
            answer = self._kept[key]
            await send({**answer.start, "headers": list(answer.start["headers"])})
            await send({"type": "http.response.body", "body": answer.body})
        else:
            await self._note(key, scope, receive, send)

    async def _note(self, key: tuple[str, bytes], scope: Message, receive: Receive, send: Send) -> None:
        start: list[Message] = []
        parts: list[bytes] = []
        whole = False

        async def noting(message: Message) -> None:
            nonlocal whole
            if message["type"] == "http.response.start":
                start.append(message)
            elif message["type"] == "http.response.body":
                parts.append(bytes(message.get("body", b"")))
                whole = not message.get("more_body", False)
            await send(message)

        await self.app(scope, receive, noting)
        size = sum(map(len, parts))
        if whole and len(start) == 1 and _is_for_all(start[0]) and size <= self._room:
            self._room -= size
            self._kept[key] = Answer(start[0], b"".join(parts))


def _key(scope: Message) -> tuple[str, bytes] | None:
    """What an answer depends on; nothing for a request whose answer is its own."""
    if scope["type"] != "http" or scope["method"] != "GET" or scope.get("query_string"):
        return None
    if not str(scope["path"]).startswith(_FOLDERS):
        return None
    headers = dict(scope.get("headers", []))
    if _ASKS_FOR_MORE & headers.keys():
        return None
    return str(scope["path"]), headers.get(b"accept-encoding", b"")


def _is_for_all(start: Message) -> bool:
    """Whether an answer says of itself that anybody may get the same."""
    headers = dict(start.get("headers", []))
    return start["status"] == 200 and b"public" in headers.get(b"cache-control", b"") and b"set-cookie" not in headers
