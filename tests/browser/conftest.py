"""A server of our own and a Chromium without a way out."""

from __future__ import annotations

import contextlib
import os
import secrets
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
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, BrowserContext, Page, TimeoutError, expect, sync_playwright
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

FLAGS = [
    "--no-sandbox",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--ignore-gpu-blocklist",
    "--disable-gpu-compositing",  # as a browser without a graphics card does: only the map is drawn by the emulated one
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE_MS = 120_000
expect.set_options(timeout=PATIENCE_MS)
QUIET_MS = 300  # longer than Streamlit waits before it sends what was typed or dragged
FEW_TRIES = "tests.browser.few_tries"
HERE = Path(__file__).parent
STILL = (HERE / "still.js").read_text(encoding="utf-8")
UNREST = """() => ({
  ...noted, now: performance.now(),
  script: document.querySelector('[data-testid=stApp]')?.dataset.testScriptState,
  stale: [...document.querySelectorAll('[data-stale=true]')].map(part => part.innerText.slice(0, 80)),
  busy: [...document.querySelectorAll('[data-testid=stSpinner], [data-testid=stSkeleton]')].map(part => part.innerText),
  page: document.body.innerText.slice(0, 1500),
})"""


def _noting() -> str:
    """The script that watches a page: tests wait for the page itself, not for a time that will surely do."""
    script = (HERE / "noting.js").read_text(encoding="utf-8")
    for message, names in (
        (ForwardMsg, ("NEW_SESSION", "FILE_URLS_RESPONSE")),
        (BackMsg, ("RERUN_SCRIPT", "FILE_URLS_REQUEST")),
    ):
        for name in names:
            script = script.replace(name, str(getattr(message, f"{name}_FIELD_NUMBER")))
    return script


NOTING = _noting()


@dataclass
class Server:
    """A running app."""

    url: str
    folder: Path
    process: int
    key: str  # of this start: the address that the terminal shows ends in it

    def address(self, path: str = "/") -> str:
        """The address of a page for somebody who has not been here."""
        return f"{self.url}{path}{'&' if '?' in path else '?'}key={self.key}"


@dataclass
class Visit:
    """An open page and every address it asked for, sockets included."""

    page: Page
    server: Server
    asked: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    @property
    def outside(self) -> list[str]:
        """Addresses of other hosts; data and blob addresses need no host."""
        own = urlsplit(self.server.url).netloc
        return [
            url for url in self.asked if urlsplit(url).scheme not in ("data", "blob") and urlsplit(url).netloc != own
        ]


def free_port() -> int:
    """A port that the system just gave out: two test processes do not get the same one."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def serving(root: Path, script: str, folder: Path, program: str = "streamlit", **environment: str) -> Iterator[Server]:
    port = free_port()
    command = [sys.executable, "-m", program, "run", script, "--server.port", str(port)]
    key = secrets.token_urlsafe(32)
    settings = {**os.environ, "DPVIZ_LEDGER": str(folder / "ledger.sqlite3"), "DPVIZ_START_KEY": key, **environment}
    with open(folder / "server.txt", "w", encoding="utf-8") as log:
        process = subprocess.Popen(command, cwd=root, env=settings, stdout=log, stderr=log)
    url = f"http://127.0.0.1:{port}"
    try:
        _wait_until_up(url, process, folder / "server.txt")
        yield Server(url=url, folder=folder, process=process.pid, key=key)
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
    with serving(project_root, "app.py", tmp_path_factory.mktemp("app"), FEW_TRIES) as server:
        yield server


@pytest.fixture(scope="session")
def fresh(project_root: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """An app on which nothing is published but Compare's two examples."""
    with serving(project_root, "app.py", tmp_path_factory.mktemp("fresh"), FEW_TRIES) as server:
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


@pytest.fixture(scope="session")
def context(browser: Browser) -> Iterator[BrowserContext]:
    """One browser profile: what the first page fetched, the next ones have. To the server every page is a stranger."""
    opened = browser.new_context(viewport={"width": 1440, "height": 900}, accept_downloads=True)
    opened.set_default_timeout(PATIENCE_MS)
    opened.add_init_script(NOTING)
    yield opened
    opened.close()


def opened(
    context: BrowserContext,
    server: Server,
    path: str = "/",
    *,
    width: int = 1440,
    height: int = 900,
    scheme: str = "light",
    selector: str = "h1",
) -> Visit:
    """A new page of this server, every request of it noted."""
    found = Visit(page=context.new_page(), server=server)
    found.page.set_viewport_size({"width": width, "height": height})
    found.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    found.page.on("request", lambda request: found.asked.append(request.url))
    found.page.on("websocket", lambda socket: found.asked.append(socket.url))
    found.page.on(
        "console", lambda said: found.complaints.append(said.text) if "Content Security" in said.text else None
    )
    found.page.goto(server.address(path))
    found.page.wait_for_selector(selector)
    return found


@pytest.fixture
def visit(context: BrowserContext) -> Iterator[Opener]:
    """Open a page as a new visitor."""
    visits: list[Visit] = []

    def opener(server: Server, path: str = "/", **look: object) -> Visit:
        visits.append(opened(context, server, path, **look))  # type: ignore[arg-type]
        return visits[-1]

    yield opener
    for found in visits:
        found.page.close()


@pytest.fixture(scope="session")
def desks() -> Iterator[list[Visit]]:
    """Start pages that are kept open; one at most."""
    kept: list[Visit] = []
    yield kept
    for found in kept:
        found.page.close()


@pytest.fixture
def desk(app: Server, context: BrowserContext, desks: list[Visit]) -> Visit:
    """The start page as everybody finds it. It stays open for the next test if that one finds it so too."""
    if not (desks and _untouched(desks[0])):
        for found in desks:
            found.page.close()
        desks[:] = [opened(context, app)]
    page = desks[0].page
    page.wait_for_selector(".dpv-map[data-drawn]")
    settled(page)
    return desks[0]


def _untouched(found: Visit) -> bool:
    """Nothing chosen, nothing open, nothing picked."""
    page = found.page
    page.set_viewport_size({"width": 1440, "height": 900})
    settled(page)
    changed = page.locator("[role=dialog], .dpv-picked:not([hidden]), .dpv-stage details[open]").count()
    return page.url.rstrip("/") == found.server.url and not changed and not found.complaints


def settled(page: Page) -> None:
    """Wait until no script runs, every question to the server is answered, and page and map have stopped changing.

    Counted from now: the page takes a moment until it sends a click.
    """
    page.evaluate("() => { noted.changed = performance.now() }")
    try:
        page.wait_for_function(STILL, arg=QUIET_MS, polling=50)
    except TimeoutError as error:
        raise AssertionError(f"the page does not come to rest: {page.evaluate(UNREST)}") from error


def serious(page: Page) -> list[tuple[str, list[str]]]:
    """What axe finds serious or critical."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    found = page.evaluate("() => axe.run({ resultTypes: ['violations'] }).then(results => results.violations)")
    return [
        (fault["id"], [node["html"][:200] for node in fault["nodes"]])
        for fault in found
        if fault["impact"] in ("serious", "critical")
    ]


FITS = """() => {
  const tables = innerWidth > 640 ? [...document.querySelectorAll('.dvn-scroller')] : [];
  const fits = [document.querySelector('[data-testid=stMain]'), ...tables];
  return fits.every(part => part.scrollWidth <= part.clientWidth + 1);
}"""


def wide(page: Page) -> bool:
    """Whether the page has to be moved sideways, or, on a desk's screen, a table; maps and tables shrink by and by."""
    try:
        page.wait_for_function(FITS, timeout=5000, polling=50)
    except TimeoutError:
        return True
    return False
