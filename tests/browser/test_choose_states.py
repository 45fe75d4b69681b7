"""The start page as its users meet it: the first minutes of a stranger, every state, the telephone, the keyboard."""

from __future__ import annotations

import io
import re
import time
import uuid
from collections.abc import Callable

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from PIL import Image
from playwright.sync_api import Locator, Page

from tests.browser.conftest import Opener, Server, settled

pytestmark = pytest.mark.browser
MAP = "[data-testid=stDeckGlJsonChart]"
BLUE = (0, 0x72, 0xB2)


def opened(visit: Opener, url: str, **look: object) -> Page:
    page = visit(url, **look).page  # type: ignore[arg-type]
    page.wait_for_selector(f"{MAP} canvas")
    settled(page)
    return page


def picture(page: Page) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(page.locator(MAP).screenshot())).convert("RGB")).astype(int)


def figure(page: Page, name: str) -> float:
    cell = page.locator(".dpv-figures > div", has_text=name).first
    return float(re.sub(r"[^\d.]", "", cell.locator(".value").inner_text()))


def choose(page: Page, label: str, option: str) -> None:
    page.get_by_role("combobox", name=label).click()
    page.get_by_role("option", name=option, exact=True).click()
    settled(page)


def move(page: Page, key: str, times: int) -> None:
    page.locator("input[type=range]").first.focus()
    for _ in range(times):
        said = page.locator(".dpv-odds strong").inner_text()
        page.keyboard.press(key)
        page.wait_for_function("said => document.querySelector('.dpv-odds strong').innerText !== said", arg=said)
    settled(page)


def rides(records: int) -> bytes:
    generator = np.random.default_rng(5)
    middle = np.where(generator.random((records, 1)) < 0.6, [[13.4, 52.5]], [[13.3, 52.45]])
    places = generator.normal(middle, 0.01)
    lines = [f"{lon:.6f},{lat:.6f}" for lon, lat in places]
    return ("lon,lat\n" + "\n".join(lines)).encode()


def open_own(page: Page, records: int) -> None:
    name = f"rides-{uuid.uuid4().hex[:8]}.csv"
    page.get_by_role("button", name="Use your own data").click()
    dialog = page.get_by_role("dialog")
    dialog.wait_for()
    settled(page)
    dialog.locator("input[type=file]").set_input_files({"name": name, "mimeType": "text/csv", "buffer": rides(records)})
    dialog.get_by_text("Found in the file").wait_for()
    dialog.get_by_role("combobox", name="Public box").click()
    page.get_by_role("option", name="Berlin").click()
    settled(page)
    dialog.get_by_role("button", name="Open these data").click()
    page.get_by_text("What you see here is not protected").wait_for()
    settled(page)


def test_a_stranger_publishes_within_two_minutes_and_six_clicks(app: Server, visit: Opener) -> None:
    started, clicks = time.monotonic(), 0
    page = visit(app.url).page

    def click(mark: Locator) -> None:
        nonlocal clicks
        mark.click()
        clicks += 1

    page.wait_for_selector(f"{MAP} canvas")
    tick = page.locator(".dpv-ticks i").nth(4).bounding_box()
    rail = page.locator("input[type=range]").first.bounding_box()
    assert tick is not None and rail is not None
    page.mouse.click(tick["x"] + 1, rail["y"] + rail["height"] / 2)
    clicks += 1
    page.get_by_text("Careful", exact=True).first.wait_for()
    click(page.get_by_role("button", name="Publish this level"))
    field = page.get_by_label("Type the level")
    click(field)
    field.press_sequentially("careful")
    click(page.get_by_role("button", name="Publish", exact=True))
    button = page.get_by_role("button", name="Download the release")
    with page.expect_download():
        click(button)
    assert clicks <= 6
    assert time.monotonic() - started < 120


def test_the_price_of_privacy_is_visible_at_first_sight(app: Server, visit: Opener) -> None:
    page = opened(visit, app.url)
    move(page, "ArrowLeft", 3)
    sharp = picture(page)
    points, outside, error = (figure(page, name) for name in ("Points in", "Points outside", "Added"))
    move(page, "ArrowRight", 6)
    strict = picture(page)
    assert figure(page, "Points in") < points / 5
    assert figure(page, "Points outside") < outside
    assert figure(page, "Added") > 10 * error
    assert float((np.abs(sharp - strict).max(axis=2) > 24).mean()) > 0.02


def test_slider_odds_map_and_figures_fit_one_screen(app: Server, visit: Opener) -> None:
    page = opened(visit, app.url)
    for found in (page.locator("input[type=range]").first, page.locator(".dpv-odds"), page.locator(MAP)):
        box = found.bounding_box()
        assert box is not None and box["y"] >= 0 and box["y"] + box["height"] <= 900
    values = page.locator(".dpv-figures .value").last.bounding_box()
    assert values is not None and values["y"] + values["height"] <= 900


def test_on_a_telephone_slider_odds_and_map_come_first(app: Server, visit: Opener) -> None:
    page = opened(visit, app.url, width=390, height=844)
    marks = [
        page.locator("input[type=range]").first,
        page.locator(".dpv-odds"),
        page.locator(MAP),
        page.locator(".dpv-figures").first,
        page.get_by_role("combobox", name="Data"),
        page.get_by_role("button", name="Publish this level"),
    ]
    tops = [box["y"] for mark in marks if (box := mark.bounding_box()) is not None]
    assert len(tops) == len(marks) and tops == sorted(tops)
    box = page.locator(MAP).bounding_box()
    assert box is not None and box["y"] + box["height"] <= 2 * 844


def test_a_center_clicked_on_the_map_marks_its_row(app: Server, visit: Opener) -> None:
    page = opened(visit, app.url)
    blue = (np.abs(picture(page) - BLUE).max(axis=2) < 10)[60:]  # below the buttons
    rows, columns = np.nonzero(blue)
    right = columns > columns.max() - 4
    box = page.locator(MAP).bounding_box()
    assert box is not None
    at = box["x"] + columns.max() - 14, box["y"] + 60 + int(np.median(rows[right]))
    page.mouse.move(*at, steps=5)
    page.get_by_text(re.compile(r"^Private center \d+")).wait_for()  # the tooltip
    page.mouse.click(*at)
    line = page.locator(".dpv-picked")
    line.wait_for()
    number = re.search(r"Center (\d+)", line.inner_text())
    assert number is not None
    page.get_by_role("rowheader", name=f"→ {number.group(1)}", exact=True).wait_for()
    assert (np.abs(picture(page) - [0x11, 0x11, 0x11]).max(axis=2) < 24).sum() > 500, "the other marks stay as they are"
    page.get_by_role("button", name="Reset view").click()
    line.wait_for(state="detached")


def test_a_dialog_stays_open_when_the_page_completes_its_figures(app: Server, visit: Opener) -> None:
    page = visit(app.url + "/?k=3").page
    page.wait_for_selector(f"{MAP} canvas")
    page.get_by_role("button", name="Publish this level").click()
    page.get_by_role("dialog").wait_for()
    page.wait_for_function("() => document.body.innerText.includes('90 of 100 draws')")
    page.wait_for_timeout(2500)
    page.get_by_label("Type the level").fill("balanced")
    page.get_by_role("button", name="Publish", exact=True).click()
    page.get_by_role("button", name="Download the release").wait_for()
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    page.get_by_role("dialog").wait_for(state="detached")
    settled(page)
    assert page.get_by_role("dialog").count() == 0


def test_a_level_without_an_answer_says_why_and_offers_ways_out(app: Server, visit: Opener) -> None:
    page = opened(visit, app.url)
    choose(page, "Method", "Peeled balls")
    move(page, "ArrowRight", 3)
    page.get_by_text("No map at “Strictest” with this method").wait_for()
    page.get_by_text("there are too few records for so much privacy").wait_for()
    page.get_by_role("button", name=re.compile("^Go to ")).first.wait_for()
    page.get_by_role("button", name="Publish this level").click()
    page.get_by_role("dialog").get_by_text("In the preview this level gave no map").wait_for()
    page.keyboard.press("Escape")
    page.get_by_role("dialog").wait_for(state="detached")
    page.get_by_role("button", name="Use the automatic method").click()
    page.wait_for_selector(f"{MAP} canvas")


def test_twenty_records_are_told_to_be_too_few(app: Server, visit: Opener) -> None:
    page = opened(visit, app.url)
    open_own(page, 20)
    page.get_by_text("These records are too few").wait_for()
    choose(page, "Method", "Peeled balls")
    page.get_by_text("This data set is too small for every level").wait_for()


def test_a_refusal_says_requested_remaining_and_missing(app: Server, visit: Opener) -> None:
    page = opened(visit, app.url)
    open_own(page, 3000)
    move(page, "ArrowLeft", 3)
    page.get_by_role("button", name="Publish this level").click()
    said = page.get_by_role("dialog").get_by_role("alert").inner_text()
    assert "200 are asked for, 100 are left, 100 are missing" in said
    assert page.get_by_role("button", name="Publish", exact=True).count() == 0


def _publish(page: Page) -> None:
    page.get_by_role("button", name="Publish this level").click()
    page.get_by_label("Type the level").wait_for()


def _own(page: Page) -> None:
    page.get_by_role("button", name="Use your own data").click()
    page.get_by_role("dialog").wait_for()


def _details(page: Page) -> None:
    page.get_by_role("button", name="Details").click()


def _places(page: Page) -> None:
    page.get_by_role("button", name="Stricter places").click()


def _tables(page: Page) -> None:
    for name in ("All levels as a table", "What could be published", "Read the map as a table"):
        page.get_by_text(name, exact=True).click()
        settled(page)


def _no_answer(page: Page) -> None:
    choose(page, "Method", "Peeled balls")
    move(page, "ArrowRight", 3)
    page.get_by_text("No map at").wait_for()


def _preview(page: Page) -> None:
    open_own(page, 2000)


STATES: dict[str, Callable[[Page], None]] = {
    "publish": _publish,
    "own": _own,
    "details": _details,
    "places": _places,
    "tables": _tables,
    "no answer": _no_answer,
    "preview": _preview,
}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("state", STATES)
def test_axe_finds_nothing_serious_in_any_state(app: Server, visit: Opener, state: str, scheme: str) -> None:
    page = opened(visit, app.url, scheme=scheme)
    STATES[state](page)
    settled(page)
    serious = [
        (fault["id"], [node["html"][:200] for node in fault["nodes"]])
        for fault in Axe().run(page).response["violations"]
        if fault["impact"] in ("serious", "critical")
    ]
    assert not serious


def test_the_keyboard_alone_is_enough_to_publish(app: Server, visit: Opener) -> None:
    page = opened(visit, app.url)

    def tab_to(name: str) -> None:
        for _ in range(80):
            page.keyboard.press("Tab")
            there = page.evaluate(
                "() => { const e = document.activeElement; return (e.getAttribute('aria-label') || '') + ' ' + "
                "(e.labels && e.labels[0] ? e.labels[0].innerText : '') + ' ' + e.innerText }"
            )
            if name in there:
                return
        raise AssertionError(f"no way to {name} by Tab")

    page.locator("input[type=range]").first.focus()
    page.keyboard.press("ArrowRight")
    page.get_by_text("Careful", exact=True).first.wait_for()
    settled(page)
    tab_to("Publish this level")
    page.keyboard.press("Enter")
    page.get_by_label("Type the level").wait_for()
    tab_to("Type the level")
    page.keyboard.type("Careful")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Download the release").wait_for()
    page.keyboard.press("Escape")
    page.get_by_role("dialog").wait_for(state="detached")
