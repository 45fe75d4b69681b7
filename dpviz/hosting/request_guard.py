"""The access check of a hosted installation: who asks, by a sign-in or a web server in front, and with which roles.

The pages behind it read name and roles from two headers that only this check can set.
"""

from __future__ import annotations

import asyncio
import gc
import hmac
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from typing import Final
from urllib.parse import quote, urlencode

from starlette.requests import Request

from dpviz.hosting.config import Address, City, Limits, Provider, Proxy, person
from dpviz.hosting.identity import (
    CLOSED,
    HEALTH,
    KEY_HEADER,
    Application,
    Message,
    Receive,
    Send,
    asked_by_another_page,
    cookies_named,
    headers_of,
    note_that_a_door_stands,
    refuse,
    with_nosniff,
)
from dpviz.hosting.signing_in import BACK, SIGN_IN, SIGN_OUT, Refused, SignIn, Visit, Visits, checked_person, redirect
from dpviz.ledger.persons import Person, Role

PERSON_HEADER: Final = "x-dpviz-person"
ROLES_HEADER: Final = "x-dpviz-roles"
MOST_SOCKETS = 24  # of one person: a page has two
_CLEARED_AFTER = 0.5  # seconds
_OTHER_SIGN_INS = ("/auth/", "/oauth2callback")  # Streamlit's own
OnVisit = Callable[[Person], None]


class HostedDoor:
    """Lets in whom the house knows, to the pages of their roles."""

    def __init__(
        self, app: Application, *, city: City, address: Address, admitted: frozenset[Role], on_visit: OnVisit
    ) -> None:
        self.app = app
        note_that_a_door_stands("house")
        self._city, self._address, self._admitted, self._on_visit = city, address, admitted, on_visit
        self._sockets: Counter[str] = Counter()
        self._clearing = False
        self._uploads = Uploads(city.limits, city.name)
        self._cookie = "__Host-dpviz" if address.is_encrypted else f"dpviz-{address.port}"
        self._visits: Visits | None = None
        self._sign_in: SignIn | None = None
        if isinstance(city.sign_in, Provider):
            self._visits = Visits(city.sign_in.hours)
            self._sign_in = SignIn(city.sign_in, address)
            self._steps = self._sign_in.with_session(self._step)

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers, path = headers_of(scope), str(scope.get("path", ""))
        if path == HEALTH and "origin" not in headers and scope["type"] == "http":
            await self.app(_without_identity(scope), receive, with_nosniff(send))
        elif headers.get("host", "").lower() != self._address.host or self._is_foreign(headers):
            await refuse(scope, send, 403, f"This page is {self._address.public}.", self._city.name)
        elif any(path.startswith(closed) for closed in (*CLOSED, *_OTHER_SIGN_INS)):
            await refuse(scope, send, 404, "There is nothing here.", self._city.name)
        elif self._sign_in is not None and path in (SIGN_IN, BACK, SIGN_OUT) and scope["type"] == "http":
            await self._steps(scope, receive, send)
        else:
            await self._admit(scope, receive, send, headers)

    def _is_foreign(self, headers: dict[str, str]) -> bool:
        origin = headers.get("origin")
        return asked_by_another_page(headers) if origin is None else origin.lower() != self._address.public

    # ---- who asks ----

    async def _admit(self, scope: Message, receive: Receive, send: Send, headers: dict[str, str]) -> None:
        visit = self._visit(headers)
        asks = self._named_by_proxy(headers) if visit is None else visit.person
        if asks is None:
            await self._ask_who(scope, send)
        elif not asks.roles & self._admitted:
            await refuse(scope, send, 403, self._no_role(asks), self._city.name)
        elif scope["type"] == "websocket":
            await self._socket(scope, receive, send, asks, visit)
        elif str(scope.get("path", "")).startswith(UPLOAD_PATH):
            await self._uploads.answer(self.app, _with_identity(scope, asks), receive, with_nosniff(send), asks)
        else:
            await self.app(_with_identity(scope, asks), receive, with_nosniff(send))

    def _visit(self, headers: dict[str, str]) -> Visit | None:
        if self._visits is None:
            return None
        found = {self._visits.find(shown) for shown in cookies_named(self._cookie, headers)} - {None}
        return found.pop() if len(found) == 1 else None  # of two visits nobody says which one is meant

    def _named_by_proxy(self, headers: dict[str, str]) -> Person | None:
        proxy = self._city.sign_in
        if not isinstance(proxy, Proxy):
            return None
        if not hmac.compare_digest(headers.get(KEY_HEADER, "").encode(), proxy.secret.encode()):
            return None
        try:
            name = checked_person(headers.get(proxy.person_header, ""))
        except Refused:
            return None
        groups = map(str.strip, headers.get(proxy.groups_header, "").split(","))
        found = person(name, filter(None, groups), self._city.roles)
        self._on_visit(found)
        return found

    async def _ask_who(self, scope: Message, send: Send) -> None:
        is_page = scope["type"] == "http" and scope["method"] in ("GET", "HEAD") and "." not in str(scope["path"])
        if self._sign_in is not None and is_page and not str(scope["path"]).startswith("/_stcore"):
            query = scope.get("query_string", b"").decode("latin-1")
            to = str(scope["path"]) + (f"?{query}" if query else "")
            await redirect(f"{SIGN_IN}?{urlencode({'to': to})}")(scope, _nothing, send)
        else:
            await refuse(scope, send, 401, "Sign in first: open the first page of this address.", self._city.name)

    def _no_role(self, asks: Person) -> str:
        other = self._city.curators if self._address is self._city.analysts else self._city.analysts
        where = f" Your pages are at {other.public}." if asks.roles else " Ask the steward for a role."
        return f"You are signed in as {asks.name}, and these pages are not for you.{where}"

    # ---- the steps of a sign-in ----

    async def _step(self, scope: Message, receive: Receive, send: Send) -> None:
        assert self._sign_in is not None and self._visits is not None
        request, headers = Request(scope, receive), headers_of(scope)
        shown = cookies_named(self._cookie, headers)
        if scope["path"] == SIGN_IN:
            answer = await self._sign_in.away(request)
        elif scope["path"] == SIGN_OUT and headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
            await refuse(scope, send, 403, "A page of another address asked to sign you out. You are still signed in.")
            return
        elif scope["path"] == SIGN_OUT:
            self._end(shown)
            await refuse(scope, send, 200, "You are signed out here. Your provider may still know you.", "Signed out")
            return
        else:
            try:
                name, groups, to = await self._sign_in.back(request)
            except Refused as refused:
                print(f"dpviz: a sign-in failed: {refused}", file=sys.stderr, flush=True)
                told = "The sign-in did not name you. Open the first page again to try once more."
                await refuse(scope, send, 403, told)
                return
            found = person(name, groups, self._city.roles)
            self._on_visit(found)
            self._end(shown)  # a secret from before the sign-in counts no more
            answer = redirect(to)
            answer.set_cookie(
                self._cookie,
                self._visits.begin(found),
                httponly=True,
                samesite="lax",
                secure=self._address.is_encrypted,
            )
        await answer(scope, receive, with_nosniff(send))

    def _end(self, shown: list[str]) -> None:
        assert self._visits is not None
        for key in shown:
            self._visits.end(key)

    # ---- what one person may take ----

    async def _socket(self, scope: Message, receive: Receive, send: Send, asks: Person, visit: Visit | None) -> None:
        if self._sockets[asks.name] >= MOST_SOCKETS:
            await refuse(scope, send, 429, "")
            return
        if visit is None:  # the web server in front is asked again by and by: roles end, and so do pages
            visit = Visit(person=asks, until=time.monotonic() + 3600 * self._city.sign_in.hours)
        self._sockets[asks.name] += 1
        self._uploads.came(asks.name)
        try:
            await self.app(_with_identity(scope, asks), visit.listening(receive), send)
        finally:
            self._sockets[asks.name] -= 1
            if not self._sockets[asks.name]:
                del self._sockets[asks.name]  # names without sockets are forgotten
                self._uploads.left(asks.name)
            self._clear_soon()

    def _clear_soon(self) -> None:
        """What came of a frame that was never finished lies in a ring of objects of the server's library.

        Python lets go of rings when enough small things were made meanwhile; a few large pieces do not count, and
        sockets opened and closed in turn would fill the memory. With a library that lets go of them this can end.
        """
        if not self._clearing:
            self._clearing = True
            asyncio.get_running_loop().call_later(_CLEARED_AFTER, self._clear)

    def _clear(self) -> None:
        self._clearing = False
        gc.collect()


async def _nothing() -> Message:
    return {"type": "http.disconnect"}


def _without_identity(scope: Message) -> Message:
    """What is said about the person from outside is not believed."""
    own = (PERSON_HEADER.encode(), ROLES_HEADER.encode(), KEY_HEADER.encode())
    return {**scope, "headers": [pair for pair in scope.get("headers", []) if pair[0].lower() not in own]}


def _with_identity(scope: Message, asks: Person) -> Message:
    """Name and roles for the pages behind the door."""
    plain = _without_identity(scope)
    name = PERSON_HEADER.encode(), quote(asks.name, safe="@.").encode()
    roles = ROLES_HEADER.encode(), ",".join(sorted(asks.roles)).encode()
    return {**plain, "headers": [*plain["headers"], name, roles]}


# ---- uploads: bounded by role before a byte is read, and by what already lies here of a person -------------------


UPLOAD_PATH: Final = "/_stcore/upload_file"
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
