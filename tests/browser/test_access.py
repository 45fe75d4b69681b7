"""Narrow screens, pages at 200 % and 400 %, stillness where it is asked for, and the keyboard alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from dpviz.domain import ExactCounts, GeoBox, Grid
from dpviz.drawing.picture import picture
from dpviz.privacy import Budget
from dpviz.publishing.mechanism_run import release
from dpviz.releases.release import Release
from tests.browser.conftest import Opener, Server, serious, settled, wide
from tests.browser.steps import holds

pytestmark = pytest.mark.browser
BOX = GeoBox(-74.05, 40.70, -73.90, 40.80)
SIZES = [(320, 640), (640, 400)]  # a small telephone, also a desk's screen at 400 %; a desk's screen at 200 %
FOCUSED = """() => {
  let at = document.activeElement;
  while (at && at.shadowRoot && at.shadowRoot.activeElement) at = at.shadowRoot.activeElement;
  const look = getComputedStyle(at);
  return { tag: at.tagName, link: at.dataset.testid || '', outline: look.outlineStyle };
}"""
NAME = """(() => { let at = document.activeElement;
  while (at && at.shadowRoot && at.shadowRoot.activeElement) at = at.shadowRoot.activeElement; return at; })()"""


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    cells = np.random.default_rng(1).poisson(5.0, size=(32, 32))
    found = release(ExactCounts.from_array(Grid(BOX, 32), cells), 5, Budget(epsilon=0.5), "uniform_grid", seed=1)
    assert isinstance(found, Release)
    folder = tmp_path_factory.mktemp("access")
    (folder / "picture.html").write_bytes(picture(found, "html"))
    return {"map": found.save(folder / "out") / "map.html", "picture": folder / "picture.html"}


@pytest.fixture(params=SIZES, ids=lambda size: f"{size[0]} wide")
def narrow(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    context = browser.new_context(
        viewport={"width": request.param[0], "height": request.param[1]}, reduced_motion="reduce"
    )
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("name", ["map", "picture"])
def test_pages_that_stand_alone_fit_stand_still_and_have_no_fault(
    narrow: Page, pages: dict[str, Path], name: str
) -> None:
    narrow.goto(pages[name].as_uri())
    found = Axe().run(narrow)
    assert found.violations_count == 0, found.generate_report()
    holds(lambda: narrow.evaluate("() => document.documentElement.scrollWidth <= innerWidth"))
    holds(lambda: narrow.evaluate("() => document.getAnimations().every(one => one.playState !== 'running')"))


@pytest.mark.parametrize("path", ["/", "/compare", "/publications", "/demo", "/evidence"])
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]} wide")
def test_every_page_fits_a_narrow_screen(app: Server, visit: Opener, path: str, size: tuple[int, int]) -> None:
    page = visit(app, path, width=size[0], height=size[1]).page
    settled(page)
    assert serious(page) == []
    assert not wide(page)


def test_the_keyboard_alone_reaches_everything_by_name_and_shows_where_it_is(app: Server, visit: Opener) -> None:
    page = visit(app).page
    page.wait_for_selector(".dpv-map[data-drawn]")
    settled(page)
    protocol = page.context.new_cdp_session(page)
    protocol.send("Accessibility.enable")
    met, unnamed, unseen = [], [], []
    for _ in range(80):
        page.keyboard.press("Tab")
        focused = page.evaluate(FOCUSED)
        if focused["tag"] == "BODY":
            break
        element = protocol.send("Runtime.evaluate", {"expression": NAME})["result"]["objectId"]
        answer = protocol.send("Accessibility.getPartialAXTree", {"objectId": element, "fetchRelatives": False})
        node = answer["nodes"][0]
        name = node.get("name", {}).get("value", "")
        met.append((node["role"]["value"], name))
        if not name and node["role"]["value"] != "main":  # the page itself, which scrolls
            unnamed.append(focused)
        if (focused["tag"] == "CANVAS" or focused["link"] == "stTopNavLink") and focused["outline"] == "none":
            unseen.append(focused)
    assert unnamed == [] and unseen == []
    assert ("slider", "How much privacy?") in met and ("button", "Zoom in") in met
    assert any(role == "application" and name.startswith("Map") for role, name in met)
