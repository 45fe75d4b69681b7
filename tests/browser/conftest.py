"""A server of our own and a Chromium without a way out."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, sync_playwright

FLAGS = [
    "--no-sandbox",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--ignore-gpu-blocklist",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE_MS = 120_000


@dataclass
class Server:
    """A running app."""

    url: str
    folder: Path
    process: int


@dataclass
class Visit:
    """An open page and every address it asked for, sockets included."""

    page: Page
    asked: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def outside(self, server: Server) -> list[str]:
        """Addresses of other hosts; data and blob addresses need no host."""
        own = urlsplit(server.url).netloc
        return [
            url for url in self.asked if urlsplit(url).scheme not in ("data", "blob") and urlsplit(url).netloc != own
        ]


def free_port() -> int:
    """A port that the system just gave out: two test processes do not get the same one."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def serving(root: Path, script: str, folder: Path, **environment: str) -> Iterator[Server]:
    port = free_port()
    command = [sys.executable, "-m", "streamlit", "run", script, "--server.port", str(port)]
    settings = {**os.environ, "DPVIZ_LEDGER": str(folder / "ledger.sqlite3"), **environment}
    with open(folder / "server.txt", "w", encoding="utf-8") as log:
        process = subprocess.Popen(command, cwd=root, env=settings, stdout=log, stderr=log)
    url = f"http://127.0.0.1:{port}"
    try:
        _wait_until_up(url, process, folder / "server.txt")
        yield Server(url=url, folder=folder, process=process.pid)
    finally:
        process.terminate()
        try:
            process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()


def _wait_until_up(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and process.poll() is None:
        with contextlib.suppress(OSError), urllib.request.urlopen(url + "/_stcore/health", timeout=5) as answer:
            if answer.status == 200:
                return
        time.sleep(0.05)
    raise RuntimeError("the app did not start:\n" + log.read_text(encoding="utf-8")[-2000:])


@pytest.fixture(scope="session")
def app(project_root: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(project_root, "app.py", tmp_path_factory.mktemp("app")) as server:
        yield server


@pytest.fixture(scope="session")
def analyst(project_root: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    import dpviz
    from dpviz.domain import ExactCounts, GeoBox, Grid

    folder = tmp_path_factory.mktemp("published")
    cells = np.zeros((32, 32), np.int64)
    cells[4:8, 4:8], cells[20:24, 22:26] = 400, 250
    counts = ExactCounts.from_array(Grid(GeoBox(-74.05, 40.70, -73.90, 40.80), 32), cells)
    for number, epsilon in enumerate((2.0, 0.2)):
        made = dpviz.release(counts, k=2, budget=dpviz.Budget(epsilon=epsilon), method="uniform_grid", seed=number)
        made.save(folder / f"r{number}")
    own = tmp_path_factory.mktemp("analyst")
    with serving(project_root, "analyst_app.py", own, DPVIZ_RELEASES=str(folder)) as server:
        yield server


@pytest.fixture(scope="session")
def browser(chromium_path: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium_path, args=FLAGS)
        yield opened
        opened.close()


Opener = Callable[..., Visit]


@pytest.fixture
def visit(browser: Browser) -> Iterator[Opener]:
    """Open an address in a fresh browser session and note every request."""
    contexts = []

    def opener(url: str, *, width: int = 1440, height: int = 900, scheme: str = "light", selector: str = "h1") -> Visit:
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme=scheme,  # type: ignore[arg-type]
            accept_downloads=True,
        )
        contexts.append(context)
        context.set_default_timeout(PATIENCE_MS)
        found = Visit(page=context.new_page())
        found.page.on("request", lambda request: found.asked.append(request.url))
        found.page.on("websocket", lambda socket: found.asked.append(socket.url))
        found.page.on(
            "console", lambda said: found.complaints.append(said.text) if "Content Security" in said.text else None
        )
        found.page.goto(url)
        found.page.wait_for_selector(selector)
        return found

    yield opener
    for context in contexts:
        context.close()


def settled(page: Page) -> None:
    """Wait until no script runs and the map has drawn."""
    page.wait_for_function("() => !document.querySelector('[data-testid=stStatusWidget]')", polling=100)
    page.wait_for_timeout(1500)
