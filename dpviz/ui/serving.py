"""How the two apps are served: a strict content policy, no second way to a page, kernels loaded ahead of need.

`streamlit run app.py` finds the name `app` in the script, imports the script once for the server, and afterwards runs
it for every session; `a_session_is_drawing` tells the two apart.
"""

from __future__ import annotations

import base64
import gc
import hashlib
import re
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

import streamlit as st
from starlette.middleware import Middleware
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner import get_script_run_ctx

from dpviz.ui import runs

_FIRST_PARTS = (
    "DeckGlJsonChart",
    "webgl-device",
    "Html",
    "Slider",
    "ButtonGroup",
    "Selectbox",
    "NumberInput",
    "Button",
    "Radio",
    "Checkbox",
    "Autocomplete",
    "styled-components",
    "numbro",
    "defaultLocale",
)

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


def a_session_is_drawing() -> bool:
    """True while a browser session (or a test of one) runs the script; False when the server imports it."""
    return get_script_run_ctx(suppress_warning=True) is not None


def only_the_named_pages() -> None:
    """Switch off the older rule by which every file of `pages/` is a page of its own.

    Under that rule the first visitor of /compare would get the bare file without the frame, and a visitor of the
    analysts' server could call the curator's pages.
    """
    PagesManager.uses_pages_directory = False


def keep_to_named_pages_and_policy() -> list[Middleware]:
    """What every answer of the server passes through."""
    only_the_named_pages()
    runs.keep_apart()
    return [Middleware(ContentPolicy)]


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
    """A Link header naming the scripts of the map, empty where Streamlit's files are laid out otherwise.

    Streamlit's page learns only from the first run of a script that it has to draw a map, and then fetches and parses
    3 MB. Told with the page itself, the browser does that while the server still draws the first preview.
    """
    folder = Path(st.__file__).parent / "static" / "static"
    scripts = {path.name: path for path in (folder / "js").glob("*.js")}
    page = (folder.parent / "index.html").read_text(encoding="utf-8")
    wanted = [name for start in _FIRST_PARTS for name in scripts if name.startswith(f"{start}.")]
    for name in tuple(wanted):
        needed = re.findall(r'(?:from|import)"\./([\w.-]+\.js)"', scripts[name].read_text(encoding="utf-8"))
        wanted += [other for other in needed if other in scripts and other not in wanted and other not in page]
    styles = [path.name for path in (folder / "css").glob("DeckGlJsonChart.*.css")]
    links = [f"<./static/js/{name}>; rel=modulepreload; crossorigin" for name in wanted]
    return ", ".join(links + [f"<./static/css/{name}>; rel=preload; as=style; crossorigin" for name in styles])


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
        threading.Thread(target=_warm_up, args=(prepare,), name="warm-up", daemon=True).start()
        yield {}

    return lifespan


def _warm_up(prepare: Callable[[], None]) -> None:
    prepare()
    # Streamlit collects garbage after every run of a script; what is loaded by now need not be looked at again.
    gc.collect()
    gc.freeze()


def for_curators() -> None:
    """Load the code and the compiled kernels, and draw the map that every session begins with."""
    from dpviz.ui import basemap, choose_parts, choose_results, workspace

    assert choose_parts and choose_results
    basemap.load()
    workspace.OPENING.drawn()


def for_analysts() -> None:
    """Load the code and the solvers, and nothing that reads records."""
    from dpviz.clustering.warming import warm_up
    from dpviz.ui import basemap, compare_parts

    assert compare_parts
    basemap.load()
    warm_up()
