"""How the two apps are served: a strict content policy, no second way to a page, kernels loaded ahead of need.

`streamlit run app.py` finds the name `app` in the script, imports the script once for the server, and afterwards runs
it as the main program for every session.
"""

from __future__ import annotations

import base64
import contextlib
import gc
import hashlib
import os
import re
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

import streamlit as st
from starlette.formparsers import MultiPartParser
from starlette.middleware import Middleware
from starlette.routing import BaseRoute, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from dpviz.errors import InputError
from dpviz.hosting import identity
from dpviz.ui.serving import start_address
from dpviz.ui.serving.prompt_answers import answer_promptly
from dpviz.ui.serving.static_files import KeptFiles, Message, Receive, Send
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
    """What the server answers beside Streamlit: a line that is open for as long as the program runs."""
    return [WebSocketRoute("/dpviz/alive", _alive)]


async def _alive(line: WebSocket) -> None:
    """A page whose line breaks says in its own words that the program is gone. Nothing is ever said on it."""
    await line.accept()
    with contextlib.suppress(WebSocketDisconnect):
        while True:
            await line.receive_text()


def at_the_door(public_address: str = "") -> list[Middleware]:
    """What every answer of the server passes through; `public_address` is that of a web server with a sign-in."""
    component_files.announce()
    try:
        identity.refuse_other_addresses(st.get_option("server.address"))
        identity.checked_public_address(public_address)
    except InputError as refused:
        raise SystemExit(f"dpviz: {refused}") from None
    keep_uploads_in_memory()
    return [Middleware(identity.Doorkeeper, key=start_key(), public_address=public_address), *behind_the_door()]


def behind_the_door() -> list[Middleware]:
    """What every answer passes through, whoever keeps the door."""
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
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_with_policy(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = list(message.get("headers", []))
                headers.append((b"content-security-policy", content_policy().encode()))
                headers.append((b"referrer-policy", b"no-referrer"))
                if early_hints() and dict(headers).get(b"content-type", b"").startswith(b"text/html"):
                    headers.append((b"link", early_hints().encode()))
                message = {**message, "headers": headers}
            await send(message)

        await self.app(scope, receive, send_with_policy)


Lifespan = Callable[[Any], AbstractAsyncContextManager[dict[str, Any]]]


def warmed_up(prepare: Callable[[], None]) -> Lifespan:
    """Do the slow first steps in a thread while the browser still opens."""

    @asynccontextmanager
    async def lifespan(app: Any) -> AsyncIterator[dict[str, Any]]:
        answer_promptly()
        start_address.announce(str(st.get_option("server.address")), int(st.get_option("server.port")), start_key())
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
    from dpviz.ui.compare import page as compare_page
    from dpviz.ui.compare import precomputed
    from dpviz.ui.map import city_map

    city_map.load()
    warm_up()
    precomputed.begin()
    if os.environ.get("DPVIZ_RELEASES"):
        compare_page.prepare([Path(os.environ["DPVIZ_RELEASES"])])
