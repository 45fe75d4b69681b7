"""How the two apps are served: access check, content policy, static files from memory, code loaded ahead of need."""

from __future__ import annotations

import base64
import contextlib
import gc
import hashlib
import os
import re
import tempfile
import threading
import webbrowser
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import lru_cache
from html import escape
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import streamlit as st
from starlette.formparsers import MultiPartParser
from starlette.middleware import Middleware
from starlette.routing import BaseRoute, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from dpviz.errors import InputError
from dpviz.hosting import identity
from dpviz.hosting.identity import KEY, Headers, Message, Receive, Send
from dpviz.ui.serving.prompt_answers import answer_promptly
from dpviz.ui.stage import component_files

_FIRST_PARTS = (
    "BidiComponent",
    "Html",
    "ButtonGroup",
    "Selectbox",
    "NumberInput",
    "Button",
    "Radio",
    "Autocomplete",
    "styled-components",
    "numbro",
    "defaultLocale",
)
_STAGE = "./_stcore/bidi-components/dpviz.stage/"


def routes() -> list[BaseRoute]:
    """List our own routes: a socket that stays open for as long as the server runs."""
    return [WebSocketRoute("/dpviz/alive", _alive)]


async def _alive(line: WebSocket) -> None:
    """Hold a silent socket open. A page whose socket closes tells its visitor that the server has ended."""
    await line.accept()
    with contextlib.suppress(WebSocketDisconnect):
        while True:
            await line.receive_text()


def at_the_door(public_address: str = "") -> list[Middleware]:
    """List the middleware of an app at home; `public_address` is that of a web server with a sign-in in front."""
    component_files.announce()
    try:
        identity.refuse_other_addresses(st.get_option("server.address"))
        identity.checked_public_address(public_address)
    except InputError as refused:
        raise SystemExit(f"dpviz: {refused}") from None
    keep_uploads_in_memory()
    return [Middleware(identity.Doorkeeper, key=start_key(), public_address=public_address), *behind_the_door()]


def behind_the_door() -> list[Middleware]:
    """List the middleware behind every access check."""
    return [Middleware(KeptFiles), Middleware(ContentPolicy)]


def keep_uploads_in_memory() -> None:
    """Starlette writes an upload above one megabyte to the disk of temporary files, where others may find it."""
    MultiPartParser.spool_max_size = (int(st.get_option("server.maxUploadSize")) + 1) * 1024 * 1024


@lru_cache(maxsize=1)
def start_key() -> str:
    """The secret of this start, for the address and for the check of who asks."""
    return identity.key_of_this_start()


@lru_cache(maxsize=1)
def content_policy() -> str:
    """Everything from this server only; the one inline script of Streamlit's page by its hash."""
    page = (Path(st.__file__).parent / "static" / "index.html").read_text(encoding="utf-8")
    scripts = re.findall(r"<script(?![^>]*\bsrc=)[^>]*>(.*?)</script>", page, flags=re.DOTALL)
    hashes = [base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts]
    listed = " ".join(f"'sha256-{digest}'" for digest in hashes)
    return (
        "default-src 'self'; "
        f"script-src 'self' 'wasm-unsafe-eval' {listed}; "
        "style-src 'self' 'unsafe-inline'; "
        "img-src 'self' data: blob:; "
        "font-src 'self' data:; "
        "worker-src 'self' blob:; "
        "connect-src 'self' data: blob:; "
        "object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'"
    )


@lru_cache(maxsize=1)
def early_hints() -> str:
    """A Link header naming the scripts of the stage and of the controls.

    Streamlit's page learns only from the first run of a script what it has to draw, and then fetches and parses the
    scripts for it. Told with the page itself, the browser does that while the server still draws the first preview.
    Streamlit's own scripts are named as far as its files are laid out as they are today.
    """
    folder = Path(st.__file__).parent / "static" / "static"
    scripts = {path.name: path for path in (folder / "js").glob("*.js")}
    page = (folder.parent / "index.html").read_text(encoding="utf-8")
    wanted = [name for start in _FIRST_PARTS for name in scripts if name.startswith(f"{start}.")]
    for name in tuple(wanted):
        needed = re.findall(r'(?:from|import)"\./([\w.-]+\.js)"', scripts[name].read_text(encoding="utf-8"))
        wanted += [other for other in needed if other in scripts and other not in wanted and other not in page]
    ours = [f"{_STAGE}{path.name}" for path in sorted(component_files.SCRIPTS.glob("*.js"))]
    addresses = [*ours, *(f"./static/js/{name}" for name in wanted)]
    return ", ".join(f"<{address}>; rel=modulepreload; crossorigin" for address in addresses)


class ContentPolicy:
    """Adds the policy to every answer: the browser itself then refuses any other host."""

    def __init__(self, app: Any) -> None:
        self.app = app

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        await self.app(scope, receive, identity.with_headers(send, _policy) if scope["type"] == "http" else send)


def _policy(headers: Headers) -> Headers:
    found = [(b"content-security-policy", content_policy().encode()), (b"referrer-policy", b"no-referrer")]
    is_page = dict(headers).get(b"content-type", b"").startswith(b"text/html")
    return [*found, (b"link", early_hints().encode())] if is_page and early_hints() else found


Lifespan = Callable[[Any], AbstractAsyncContextManager[dict[str, Any]]]


def warmed_up(prepare: Callable[[], None]) -> Lifespan:
    """Return a lifespan that warms the process up in a thread while the browser opens."""

    @asynccontextmanager
    async def lifespan(app: Any) -> AsyncIterator[dict[str, Any]]:
        answer_promptly()
        announce_address(str(st.get_option("server.address")), int(st.get_option("server.port")), start_key())
        threading.Thread(target=warm_up, args=(prepare,), name="warm-up", daemon=True).start()
        yield {}

    return lifespan


def warm_up(prepare: Callable[[], None]) -> None:
    """What is slow the first time, done before anybody asks."""
    prepare()
    # Streamlit collects garbage after every run of a script; what is loaded by now need not be looked at again.
    gc.collect()
    gc.freeze()


def for_curators() -> None:
    """Load the code and the compiled kernels, and draw the map that every session begins with."""
    from dpviz.ui.choose import page as choose_page
    from dpviz.ui.map import city_map
    from dpviz.ui.session import workspace

    assert choose_page
    city_map.load()
    workspace.OPENING.drawn()


def for_analysts() -> None:
    """Load the code, the solvers and what was published; nothing that reads records."""
    from dpviz.clustering.gridded import warm_up
    from dpviz.ui.compare import page as compare_page, precomputed
    from dpviz.ui.map import city_map

    city_map.load()
    warm_up()
    precomputed.start_precomputing()
    if os.environ.get("DPVIZ_RELEASES"):
        compare_page.prepare([Path(os.environ["DPVIZ_RELEASES"])])


# ---- the address of this start -----------------------------------------------------------------------------------


OPEN_BROWSER: Final = "DPVIZ_OPEN_BROWSER"  # set by a starter that knows of a screen
_KEPT_SECONDS = 60.0  # how long a slow browser may take to read the page that leads it on


def announce_address(address: str, port: int, key: str) -> None:
    """Say where the app is; open it where the starter asked for that."""
    url = f"http://{f'[{address}]' if ':' in address else address}:{port}/?{KEY}={quote(key)}"
    print(f"dpviz: open {url}\ndpviz: the address holds the key of this start; show it to nobody.", flush=True)
    if os.environ.pop(OPEN_BROWSER, ""):
        open_in_browser(url)


def open_in_browser(url: str) -> None:
    """By a page on disk that only its owner can read: a browser's command line is seen by everybody on the machine."""
    descriptor, name = tempfile.mkstemp(prefix="dpviz-", suffix=".html")  # with permissions for the owner alone
    with open(descriptor, "w", encoding="utf-8") as file:
        file.write(
            f'<!doctype html><meta http-equiv="refresh" content="0;url={escape(url)}"><a href="{escape(url)}">dpviz'
        )
    path = Path(name)
    forget = threading.Timer(_KEPT_SECONDS, path.unlink, kwargs={"missing_ok": True})
    forget.daemon = True
    forget.start()
    webbrowser.open(path.as_uri())


# ---- static files, answered from memory --------------------------------------------------------------------------


_FOLDERS: Final = ("/static/", "/_stcore/bidi-components/")  # files of installed packages: they change with them only
_ASKS_FOR_MORE: Final = {b"range", b"origin", b"if-none-match", b"if-modified-since"}
_MOST_BYTES: Final = 48 * 2**20


class KeptFiles:
    """Serve static files from memory after the first request; stands behind the access check."""

    def __init__(self, app: Any) -> None:
        self.app = app
        self._kept: dict[tuple[str, bytes], tuple[Message, bytes]] = {}  # whole answers as they were given
        self._room = _MOST_BYTES

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        key = _key_of_answer(scope)
        if key is None:
            await self.app(scope, receive, send)
        elif key in self._kept:
            start, body = self._kept[key]
            await send({**start, "headers": list(start["headers"])})
            await send({"type": "http.response.body", "body": body})
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
            self._kept[key] = (start[0], b"".join(parts))


def _key_of_answer(scope: Message) -> tuple[str, bytes] | None:
    """Return the cache key of a request; None where the answer must not be shared."""
    if scope["type"] != "http" or scope["method"] != "GET" or scope.get("query_string"):
        return None
    if not str(scope["path"]).startswith(_FOLDERS):
        return None
    headers = dict(scope.get("headers", []))
    if _ASKS_FOR_MORE & headers.keys():
        return None
    return str(scope["path"]), headers.get(b"accept-encoding", b"")


def _is_for_all(start: Message) -> bool:
    """Whether an answer is marked as public and sets no cookie."""
    headers = dict(start.get("headers", []))
    return start["status"] == 200 and b"public" in headers.get(b"cache-control", b"") and b"set-cookie" not in headers
