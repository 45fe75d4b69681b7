"""The access check at home: a request shows the secret of this start. Types and helpers of both access checks.

The address in the terminal carries the secret; the first visit exchanges it for a cookie. Requests of other origins are
refused, because a cookie does not know ports. Knows nothing of Streamlit.
"""

from __future__ import annotations

import hmac
import os
import re
import secrets
from collections.abc import Awaitable, Callable, MutableMapping
from html import escape
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode

from dpviz.errors import InputError

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Headers = list[tuple[bytes, bytes]]
Application = Callable[[Message, Receive, Send], Awaitable[None]]

KEY: Final = "key"  # the name of the secret in the address
GIVEN_KEY: Final = "DPVIZ_START_KEY"  # a starter may choose the secret, so that it can open the address itself
SHORTEST_KEY: Final = 32
KEY_HEADER: Final = "x-dpviz-key"  # how a web server in front of this one shows the secret
_LOOPBACK = re.compile(r"(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?")
LOOPBACK_ADDRESSES = ("localhost", "127.0.0.1", "::1")
HEALTH = "/_stcore/health"  # says "ok", and that only: for whoever waits until the server is up
CLOSED = ("/_stcore/metrics", "/_stcore/agent", "/_stcore/script-health-check")


def key_of_this_start() -> str:
    """The secret that the starter handed over in the environment, or a new one; nobody who is started later sees it."""
    given = os.environ.pop(GIVEN_KEY, "")
    if given and len(given) < SHORTEST_KEY:
        raise InputError(f"{GIVEN_KEY} holds {len(given)} characters; give {SHORTEST_KEY} or more, or leave it out.")
    return given or secrets.token_urlsafe(32)


def refuse_other_addresses(address: str | None) -> None:
    """Without a sign-in this server answers its own machine only."""
    if (address or "").strip().strip("[]").lower() not in LOOPBACK_ADDRESSES:
        given = f"the server address {address!r}" if address else "an empty server address"
        raise InputError(
            f"{given} would let other machines in, and this app asks nobody who they are. Leave the address out, or "
            "give 127.0.0.1; from another machine use a tunnel: ssh -L 8501:127.0.0.1:8501 HOST.",
            address=address,
        )


def checked_public_address(given: str) -> str:
    """The host (with its port, where it has one) under which a web server in front of this one is reached."""
    if not given:
        return ""
    found = re.fullmatch(r"https://([a-z0-9.-]+(?::\d{1,5})?)/?", given.strip().lower())
    if found is None:
        raise InputError(f"the public address {given!r} is none; give it as in https://maps.city.example, with https.")
    return found.group(1)


_standing: list[str] = []


def note_that_a_door_stands(kind: str) -> None:
    """Told by the check in front when the server puts it there."""
    _standing.append(kind)


def has_a_door() -> bool:
    """Whether this process has a check in front: a server that was started past it shows nothing."""
    return bool(_standing)


class Doorkeeper:
    """Lets through who shows the secret of this start, from this server's own pages, by a name of this machine."""

    def __init__(self, app: Application, *, key: str, public_address: str = "") -> None:
        self.app = app
        self._key = key
        self._public_host = checked_public_address(public_address)
        self._cookie = secrets.token_urlsafe(32)
        note_that_a_door_stands("home")

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = headers_of(scope)
        path = str(scope.get("path", ""))
        if not self._is_asked_by_name(headers) or asked_by_another_page(headers):
            await refuse(scope, send, 403, "This app answers only its own pages, on this machine.")
        elif any(path.startswith(closed) for closed in CLOSED):
            await refuse(scope, send, 404, "There is nothing here.")
        elif scope["type"] == "http" and scope["method"] == "GET" and self._shows_the_key(scope):
            await self._welcome(scope, send)  # known or not: the secret does not stay in the address
        elif path == HEALTH or self._is_known(scope, headers):
            await self.app(scope, receive, with_nosniff(send))
        else:
            await refuse(scope, send, 403, WORDS)

    def _is_asked_by_name(self, headers: dict[str, str]) -> bool:
        """Another name that was made to lead here would make a foreign page look like ours."""
        host = headers.get("host", "").lower()
        return _LOOPBACK.fullmatch(host) is not None or (bool(self._public_host) and host == self._public_host)

    def _cookie_name(self, scope: Message) -> str:
        """Cookies of one host are shared by its ports: two servers of one person need two names."""
        server = scope.get("server")
        return f"dpviz-{server[1] if server else 0}"

    def _is_known(self, scope: Message, headers: dict[str, str]) -> bool:
        if self._public_host and hmac.compare_digest(headers.get(KEY_HEADER, "").encode(), self._key.encode()):
            return True
        shown = cookies_named(self._cookie_name(scope), headers)
        return any(hmac.compare_digest(value.encode(), self._cookie.encode()) for value in shown)

    def _shows_the_key(self, scope: Message) -> bool:
        return hmac.compare_digest(dict(_query(scope)).get(KEY, "").encode(), self._key.encode())

    async def _welcome(self, scope: Message, send: Send) -> None:
        """A cookie, and the same address without the secret in it."""
        rest = urlencode([(name, value) for name, value in _query(scope) if name != KEY])
        path = "/" + str(scope.get("path", "/")).lstrip("/\\")  # never the name of another host
        headers = [
            (b"location", (path + (f"?{rest}" if rest else "")).encode("latin-1", "replace")),
            (b"set-cookie", f"{self._cookie_name(scope)}={self._cookie}; Path=/; HttpOnly; SameSite=Strict".encode()),
            (b"cache-control", b"no-store"),
            (b"referrer-policy", b"no-referrer"),
            (b"content-length", b"0"),
        ]
        await send({"type": "http.response.start", "status": 303, "headers": headers})
        await send({"type": "http.response.body", "body": b""})


def headers_of(scope: Message) -> dict[str, str]:
    """Names in small letters; of a name that comes twice nothing is believed."""
    found: dict[str, str] = {}
    for raw_name, raw_value in scope.get("headers", []):
        name, value = raw_name.decode("latin-1").lower(), raw_value.decode("latin-1")
        if name == "cookie" and name in found:  # browsers may send several lines of cookies
            found[name] += "; " + value
        else:
            found[name] = "" if name in found else value
    return found


def cookies_named(name: str, headers: dict[str, str]) -> list[str]:
    """The values of our cookie, whatever else the browser sends.

    Another port of this machine may leave cookies for the same host, of any shape and of this name: one that is not
    ours must lock nobody out.
    """
    pairs = (part.partition("=") for part in headers.get("cookie", "").split(";"))
    return [value.strip() for found, _, value in pairs if found.strip() == name]


def _query(scope: Message) -> list[tuple[str, str]]:
    return parse_qsl(scope.get("query_string", b"").decode("latin-1"), keep_blank_values=True)


def asked_by_another_page(headers: dict[str, str]) -> bool:
    """Whether a browser says that a page of another origin (host and port) asks; following a link is no such asking."""
    origin = headers.get("origin")
    if origin is not None:
        host = headers.get("host", "").lower()
        return origin.lower() not in (f"http://{host}", f"https://{host}")
    site = headers.get("sec-fetch-site", "none")
    follows_a_link = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
    return site not in ("same-origin", "none") and not follows_a_link


def with_headers(send: Send, further: Callable[[Headers], Headers]) -> Send:
    """Add headers, chosen by those that an answer has, to its start."""

    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = list(message.get("headers", []))
            message = {**message, "headers": headers + further(headers)}
        await send(message)

    return send_with_headers


def with_nosniff(send: Send) -> Send:
    """Every answer says that its kind is meant."""
    return with_headers(send, lambda _: [(b"x-content-type-options", b"nosniff")])


NO_DOOR: Final = "This server was started past the check of who asks. Start it with: dpviz app, or dpviz serve."
WORDS: Final = (
    "This page opens with the address that dpviz showed in the terminal when it started (it ends in ?key=…). "
    "If dpviz was started again since, open the new address once; then reload this page."
)
_PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>dpviz</title>
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<body style="font:1.1rem/1.6 system-ui,sans-serif;max-width:36rem;margin:15vh auto;padding:0 1.2rem">
<h1 style="font-size:1.4rem">{title}</h1><p>{words}</p></body></html>"""


async def refuse(scope: Message, send: Send, status: int, words: str, title: str = "dpviz asks who you are") -> None:
    """A page of one sentence; a socket is closed."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": ""})
        return
    body = _PAGE.format(words=escape(words), title=escape(title)).encode()
    headers = [
        (b"content-type", b"text/html; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
        (b"content-security-policy", b"default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"),
        (b"x-content-type-options", b"nosniff"),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})
