"""map.html stands alone: it opens from a folder, asks nobody for anything, zooms and pans by mouse, button and key."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Page

from dpviz.domain import ExactCounts, GeoBox, Grid
from dpviz.privacy import Budget
from dpviz.releases import release

pytestmark = pytest.mark.browser
BOX = GeoBox(-74.05, 40.70, -73.90, 40.80)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    cells = np.random.default_rng(1).poisson(5.0, size=(32, 32))
    found = release(ExactCounts.from_array(Grid(BOX, 32), cells), 5, Budget(epsilon=0.5), "uniform_grid", seed=1)
    return found.save(tmp_path_factory.mktemp("map") / "out")


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1000, "height": 900})
    yield context.new_page()
    context.close()


def view(page: Page) -> list[float]:
    text = page.locator("svg.map").get_attribute("viewBox") or ""
    return [float(part) for part in text.split(" ")]


def test_the_page_asks_for_nothing_but_itself_and_says_nothing_wrong(page: Page, folder: Path) -> None:
    asked: list[str] = []
    complaints: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto((folder / "map.html").as_uri())
    page.get_by_role("button", name="Zoom in").click()
    assert asked == [(folder / "map.html").as_uri()]
    assert complaints == []


def test_buttons_keys_and_mouse_move_the_view(page: Page, folder: Path) -> None:
    page.goto((folder / "map.html").as_uri())
    home = view(page)
    page.get_by_role("button", name="Zoom in").click()
    closer = view(page)
    assert closer[2] < home[2]
    page.locator("svg.map").focus()
    page.keyboard.press("ArrowRight")
    assert view(page)[0] > closer[0]
    page.mouse.move(400, 600)
    page.mouse.wheel(0, -300)
    assert view(page)[2] < closer[2]
    dragged_from = view(page)
    page.mouse.down()
    page.mouse.move(340, 560)
    page.mouse.up()
    assert view(page)[0] > dragged_from[0]
    page.get_by_role("button", name="Reset view").click()
    assert view(page) == pytest.approx(home)


def test_the_page_fits_a_telephone(page: Page, folder: Path) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto((folder / "map.html").as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_the_page_has_no_accessibility_fault(page: Page, folder: Path) -> None:
    from axe_playwright_python.sync_playwright import Axe

    page.goto((folder / "map.html").as_uri())
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
