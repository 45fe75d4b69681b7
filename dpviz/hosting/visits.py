"""Who is signed in on this server: in memory, for some hours, ended by signing out. A restart asks again."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass, field
from typing import Any

from dpviz.hosting.roles import Person

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
MOST = 10_000
MOST_OF_ONE = 50  # browsers of one person; who signs in again and again ends their own visits, not those of others


@dataclass(eq=False, kw_only=True)
class Visit:
    """One person in one browser, until a moment of the machine's clock."""

    person: Person
    until: float
    over: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def left(self) -> float:
        """Seconds."""
        return 0.0 if self.over.is_set() else max(0.0, self.until - time.monotonic())

    def end(self) -> None:
        """Signed out: open sockets are closed."""
        self.over.set()

    def listening(self, receive: Receive) -> Receive:
        """What comes in, as long as the visit lasts; then the caller is gone, whatever its browser does."""

        async def receive_until_over() -> Message:
            if not self.left:
                return _GONE
            heard, ended = asyncio.ensure_future(receive()), asyncio.ensure_future(self.over.wait())
            try:
                await asyncio.wait({heard, ended}, timeout=self.left, return_when=asyncio.FIRST_COMPLETED)
                return heard.result() if heard.done() else _GONE
            finally:
                heard.cancel()
                ended.cancel()

        return receive_until_over


_GONE: Message = {"type": "websocket.disconnect", "code": 1008, "reason": ""}


class Visits:
    """All visits by the secret in the browser's cookie."""

    def __init__(self, hours: float) -> None:
        self._seconds = hours * 3600
        self._visits: OrderedDict[str, Visit] = OrderedDict()

    def begin(self, person: Person) -> str:
        """A secret for the browser of this person."""
        for old in [key for key, visit in self._visits.items() if not visit.left]:
            self.end(old)
        own = [key for key, visit in self._visits.items() if visit.person.name == person.name]
        for oldest in own[: max(0, len(own) - MOST_OF_ONE + 1)]:
            self.end(oldest)
        while len(self._visits) >= MOST:
            self.end(next(iter(self._visits)))
        key = secrets.token_urlsafe(32)
        self._visits[key] = Visit(person=person, until=time.monotonic() + self._seconds)
        return key

    def find(self, key: str) -> Visit | None:
        """The visit of this secret, while it lasts. A look-up by hash: no prefix of a secret can be tried out."""
        found = self._visits.get(key)
        return found if found is not None and found.left else None

    def end(self, key: str) -> None:
        """Sign out."""
        found = self._visits.pop(key, None)
        if found is not None:
            found.end()
