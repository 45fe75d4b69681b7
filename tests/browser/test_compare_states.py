"""Compare at work: by mouse, by keyboard alone, and with nothing to show."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, expect

import dpviz
from dpviz.domain import ExactCounts, GeoBox, Grid
from dpviz.releases.release import Release
from dpviz.ui.compare import words as say
from tests.browser.conftest import Opener, Server, serious, serving, settled
from tests.browser.steps import MAP, changed, picture

pytestmark = pytest.mark.browser
SITE = np.array([0x7A, 0x3E, 0x9D])
SECOND = np.array([0xB0, 0x36, 0x7A])


@pytest.fixture(scope="module")
def empty(project_root: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """An analysts' server over an empty folder."""
    own, folder = tmp_path_factory.mktemp("own"), tmp_path_factory.mktemp("nothing")
    with serving(project_root, "analyst_app.py", own, DPVIZ_RELEASES=str(folder)) as server:
        yield server


@pytest.fixture(scope="module")
def zipped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    cells = np.zeros((32, 32), np.int64)
    cells[4:8, 4:8], cells[20:24, 22:26] = 400, 250
    counts = ExactCounts.from_array(Grid(GeoBox(-74.05, 40.70, -73.90, 40.80), 32), cells)
    made = dpviz.release(counts, k=2, budget=dpviz.Budget(epsilon=2.0), method="uniform_grid", seed=1)
    assert isinstance(made, Release)
    path = tmp_path_factory.mktemp("zip") / "release.zip"
    path.write_bytes(made.zip_bytes())
    return path


def spots(pixels: np.ndarray, colour: np.ndarray) -> np.ndarray:
    """Pixels of a colour, (n, 2) as x and y."""
    return np.argwhere(np.abs(pixels - colour).max(axis=2) < 14)[:, ::-1]


def _examples(page: Page) -> None:
    """Two examples on the page; a test before this one may have published them on the same server."""
    button = page.get_by_role("button", name="Show two examples").first
    button.or_(page.locator(MAP)).first.wait_for()
    if button.count():
        button.click()
    page.wait_for_selector(f"{MAP} canvas")
    settled(page)


def _open(name: str) -> Callable[[Page], None]:
    def click(page: Page) -> None:
        page.get_by_role("tab", name=name).click()
        settled(page)

    return click


def test_an_empty_folder_says_so_and_opens_a_release_file(empty: Server, visit: Opener, zipped: Path) -> None:
    found = visit(empty)
    found.page.get_by_text("Nothing has been published yet").wait_for()
    expect(
        found.page.get_by_role("button", name="Show two examples"), "an analysts' server has no records"
    ).to_have_count(0)
    assert not serious(found.page)
    files = found.page.locator("input[type=file]")
    files.set_input_files({"name": "other.zip", "mimeType": "application/zip", "buffer": b"no zip"})
    found.page.get_by_text(say.BAD_ZIP).wait_for()
    files.set_input_files(zipped)
    found.page.wait_for_selector(f"{MAP} canvas")
    settled(found.page)
    assert not serious(found.page) and not found.outside


def test_a_click_on_the_map_ticks_the_row_and_a_ticked_row_is_ringed(fresh: Server, visit: Opener) -> None:
    page = visit(fresh, "/compare").page
    settled(page)
    _examples(page)
    page.wait_for_selector(f"{MAP} canvas")
    settled(page)
    before = picture(page, 1)
    x, y = spots(before, SECOND)[0]
    page.locator(MAP).nth(1).click(position={"x": float(x), "y": float(y) + 3})
    page.locator(".dpv-picked:visible").first.wait_for()
    page.mouse.move(5, 5)
    settled(page)
    ring = np.array([0xE6, 0xA1, 0x00])
    assert len(spots(picture(page), ring)) > 50 and len(spots(picture(page, 1), ring)) > 50, "both maps ring the pair"
    after = picture(page, 1)
    assert len(spots(after, SECOND)) > 0.8 * len(spots(before, SECOND)), "nothing else is dimmed"


def test_sites_are_added_by_mouse_and_the_zoom_stays(fresh: Server, visit: Opener) -> None:
    page = visit(fresh, "/compare").page
    settled(page)
    _examples(page)
    _open(say.TABS["sites"])(page)
    page.wait_for_selector(f"{MAP} canvas")
    page.get_by_role("button", name="Zoom in").first.click()
    settled(page)
    zoomed = picture(page)
    page.locator(MAP).first.click(position={"x": 300, "y": 300})
    page.get_by_text(say.AVERAGE_WAY).first.wait_for()
    page.mouse.move(5, 5)
    settled(page)
    one = picture(page)
    assert len(spots(one, SITE)) > 100
    assert changed(zoomed, one) < 0.05, "the map moved"
    page.locator(MAP).first.click(position={"x": 420, "y": 220})
    page.get_by_text(["a good plan with ", "k}: ", "distance}"][0] + "2").or_(
        page.get_by_text("as good as the suggested plan")
    ).first.wait_for()
    page.mouse.move(5, 5)
    settled(page)
    assert len(spots(picture(page), SITE)) > 1.6 * len(spots(one, SITE))
    for number in (1, 2):
        page.get_by_role("button", name="Remember this plan").click()
        settled(page)
        if number == 1:
            page.get_by_role("button", name="Suggest sites").click()
            settled(page)
    plans = page.locator(".dpv-table").filter(has=page.locator("caption", has_text=say.PLANS))
    expect(plans.locator("tbody tr"), "two plans to compare").to_have_count(2)


def test_sites_are_added_by_keyboard_alone(fresh: Server, visit: Opener) -> None:
    page = visit(fresh, "/compare").page
    settled(page)
    button = page.get_by_role("button", name="Show two examples").first
    button.or_(page.locator(MAP)).first.wait_for()
    if button.count():
        button.focus()
        page.keyboard.press("Enter")
        page.wait_for_selector(f"{MAP} canvas")
        settled(page)
    for here, there in (("maps", "areas"), ("areas", "sites")):  # a page that is drawn again takes the focus away
        page.get_by_role("tab", name=say.TABS[here]).press("ArrowRight")
        expect(page.get_by_role("tab", name=say.TABS[there])).to_be_focused()
    page.get_by_role("tab", name=say.TABS["sites"]).press("Enter")
    page.get_by_text("No site yet. Add one to read how far the records are from it.").wait_for()
    settled(page)
    page.get_by_label("Add a site near").focus()
    page.keyboard.type("Sunnys")
    page.keyboard.press("Enter")
    page.get_by_text(say.AVERAGE_WAY).first.wait_for()
    settled(page)
    assert len(spots(picture(page), SITE)) > 100
