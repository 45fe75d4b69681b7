"""What a server really sends: every frame of the page's socket and every answer is read, and nothing exact is in it.

A test of the chart's JSON sees what the code hands to Streamlit; this one sees what leaves the process.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, Response, WebSocket

import dpviz
from dpviz.domain import ExactCounts, GeoBox, Grid
from dpviz.evaluation import exact_reference
from dpviz.releases.release import Release
from dpviz.ui.compare import words as say
from dpviz.ui.page_parts import words
from dpviz.ui.session import sources, state
from tests.browser.conftest import NOTING, PATIENCE_MS, Server, serving, settled

pytestmark = pytest.mark.browser
# Cell → an exact count. Each crowd has uneven cells, no two in a row or column: its exact center lies in none of the
# grid's public places.
CROWDS = {(5, 6): 40_009, (6, 7): 13_007, (21, 24): 25_013, (22, 23): 9_011, (12, 15): 17_011, (13, 17): 5_003}
K = 3


@dataclass
class Wire:
    """Everything that came to one browser page."""

    page: Page
    frames: list[bytes] = field(default_factory=list)
    answers: list[bytes] = field(default_factory=list)

    def listen(self) -> None:
        """Before the page is opened."""
        self.page.on("websocket", self._socket)
        self.page.on("response", self._answer)

    def _socket(self, socket: WebSocket) -> None:
        socket.on("framereceived", self._frame)

    def _frame(self, payload: bytes | str) -> None:
        self.frames.append(payload if isinstance(payload, bytes) else payload.encode())

    def _answer(self, response: Response) -> None:
        if "/static/" not in response.url and response.request.resource_type in ("fetch", "xhr", "document"):
            self.answers.append(response.body())

    def holds(self, text: str) -> bool:
        """Whether this text came, in a frame or in an answer; a number only where no further digit follows."""
        wanted = re.compile(rb"(?<![\d.])" + re.escape(text.encode()) + rb"(?!\d)")
        return any(wanted.search(part) for part in (*self.frames, *self.answers))


Listener = Callable[[str], Wire]


@pytest.fixture
def wire(browser: Browser) -> Iterator[Listener]:
    contexts = []

    def open_page(url: str) -> Wire:
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        contexts.append(context)
        context.set_default_timeout(PATIENCE_MS)
        context.add_init_script(NOTING)
        found = Wire(page=context.new_page())
        found.listen()
        found.page.goto(url)
        found.page.wait_for_selector("h1")
        settled(found.page)
        return found

    yield open_page
    for context in contexts:
        context.close()


def spellings(number: float) -> list[str]:
    """How a coordinate or a count may be written on a page."""
    if float(number).is_integer():
        return [f"{int(number)}", f"{int(number):,}"]
    return sorted({repr(round(number, digits)) for digits in (5, 6, 7, 9)})


def crowded() -> ExactCounts:
    cells = np.zeros((32, 32), np.int64)
    for place, crowd in CROWDS.items():
        cells[place] = crowd
    return ExactCounts.from_array(Grid(GeoBox(-74.05, 40.70, -73.90, 40.80), 32), cells)


@pytest.fixture(scope="module")
def secrets() -> list[float]:
    """Exact counts, their sum, and the coordinates of the exact centers."""
    raw = crowded().grid.frame.to_raw(exact_reference(crowded(), K).centers)
    return [*map(float, CROWDS.values()), float(sum(CROWDS.values())), *raw.ravel().tolist()]


@pytest.fixture(scope="module")
def analyst(project_root: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder, own = tmp_path_factory.mktemp("published"), tmp_path_factory.mktemp("own")
    for number, epsilon in enumerate((0.02, 0.01)):
        made = dpviz.release(crowded(), k=K, budget=dpviz.Budget(epsilon=epsilon), method="uniform_grid", seed=number)
        assert isinstance(made, Release) and made.coreset_weights is not None
        assert not set(np.round(made.coreset_weights)) & set(CROWDS.values()), "here no noise is zero by chance"
        made.save(folder / str(number))
    with serving(project_root, "analyst_app.py", own, DPVIZ_RELEASES=str(folder)) as server:
        yield server


def test_no_exact_number_comes_to_an_analysts_browser(analyst: Server, wire: Listener, secrets: list[float]) -> None:
    """Through every tab, both ways of showing, another number of centers, and suggested sites."""
    found = wire(analyst.address())
    page = found.page
    page.wait_for_selector("canvas")
    page.get_by_text(say.WAYS["one"], exact=True).click()
    settled(page)
    page.get_by_label("Centers to look for").fill("5")
    page.keyboard.press("Enter")
    settled(page)
    for tab in ("sites", "files"):
        page.get_by_role("tab", name=say.TABS[tab]).click()
        settled(page)
        if tab == "sites":
            page.get_by_role("button", name="Suggest sites").click()
            settled(page)
    assert len(found.frames) > 50 and sum(map(len, found.frames)) > 200_000, "the socket was not read"
    assert any(b"deckGlJsonChart" in part or b"IconLayer" in part for part in found.frames), "no map came"
    leaked = [spelling for secret in secrets for spelling in spellings(secret) if found.holds(spelling)]
    assert not leaked


def test_the_reader_would_see_an_exact_center_and_a_switched_off_layer_is_not_sent(app: Server, wire: Listener) -> None:
    """The planted case: on the curator's page the exact centers do come; once their layer is off, they come no more."""
    counts = sources.city(**state.NIGHT).exact_data  # of a month, protected centers lie on the exact ones
    assert isinstance(counts, ExactCounts)
    places = counts.grid.frame.to_raw(exact_reference(counts, state.DEFAULT_K).centers)
    spelled = [[repr(round(float(value), 6)) for value in place] for place in places]
    found = wire(app.address("/?days=day&hour=4"))
    page = found.page
    page.wait_for_selector("canvas")
    settled(page)
    assert all(found.holds(text) for place in spelled for text in place), "the reader does not see what is sent"
    page.get_by_role("button", name=words.STAGE_PARTS["picture"]["layers"], exact=True).click()
    page.get_by_role("checkbox", name=words.LAYERS["exact"][0]).click()
    settled(page)
    found.frames.clear()
    page.get_by_role("checkbox", name=words.LAYERS["coreset"][0]).click()
    settled(page)
    assert any(b"IconLayer" in part for part in found.frames), "no new map came"
    # Both coordinates of a center: one alone may equal that of a protected center by chance.
    assert not [place for place in spelled if all(found.holds(text) for text in place)]
