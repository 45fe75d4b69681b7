"""The start page as its users meet it: the first minutes of a stranger, the telephone, the keyboard, their own data."""

from __future__ import annotations

import os
import re
import signal
import time
import zipfile
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import PATIENCE_MS, Opener, Server, Visit, settled
from tests.browser.steps import (
    MAP,
    ask_for_own,
    ask_to_publish,
    choose,
    close_dialog,
    holds,
    move,
    open_details,
    open_own,
    picture,
    readers,
)

pytestmark = pytest.mark.browser
BLUE = (0, 0x72, 0xB2)


def differs(one: np.ndarray, other: np.ndarray) -> float:
    """Share of clearly different pixels."""
    return float((np.abs(one - other).max(axis=2) > 24).mean())


def figure(page: Page, name: str) -> float:
    cell = page.locator(".dpv-figures > div", has_text=name).first
    return float(re.sub(r"[^\d.]", "", cell.locator(".value").inner_text()))


def test_a_stranger_publishes_within_two_minutes_and_six_clicks(app: Server, browser: Browser) -> None:
    """In a browser that has fetched nothing yet."""
    started, clicks = time.monotonic(), 0
    context = browser.new_context(viewport={"width": 1440, "height": 900}, accept_downloads=True)
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    page.goto(app.address())

    def click(mark: Locator) -> None:
        nonlocal clicks
        mark.click()
        clicks += 1

    page.wait_for_selector(f"{MAP} canvas")
    rail = page.locator("input[type=range]").first
    across = (
        page.locator(".dpv-ticks i")
        .nth(4)
        .evaluate(
            """tick => {
            const rail = document.querySelector("input[type=range]");
            return tick.getBoundingClientRect().x + 1 - rail.getBoundingClientRect().x;
        }"""
        )
    )
    rail.click(position={"x": across, "y": 2})  # waits until nothing moves under the mouse
    clicks += 1
    page.locator(".dpv-level", has_text="Careful").wait_for()
    click(page.get_by_role("button", name="Publish this level"))
    for step in ("Step 2", "Step 3"):
        click(page.get_by_role("button", name="Next", exact=True))
        page.get_by_text(step).wait_for()
    field = page.get_by_label("Type the level")
    click(field)
    field.press_sequentially("careful")
    click(page.get_by_role("button", name="Publish", exact=True))
    button = page.get_by_role("button", name="Download the release")
    with page.expect_download():
        click(button)
    context.close()
    assert clicks <= 7  # two of them turn the steps of the dialog
    assert time.monotonic() - started < 120


def test_a_step_before_the_first_map_counts(app: Server, browser: Browser) -> None:
    """The slider stands before the map does: who moves it at once and publishes is asked about the level they see."""
    with closing(browser.new_context(viewport={"width": 1440, "height": 900})) as context:
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        page.add_init_script("""
          const watch = new MutationObserver(() => {
            const rail = document.querySelector('input[type=range]');
            if (!rail) return;
            watch.disconnect();
            rail.value = 5;
            rail.dispatchEvent(new Event('input', { bubbles: true }));
          });
          watch.observe(document, { subtree: true, childList: true });
        """)
        page.goto(app.address())
        ask_to_publish(page)
        page.get_by_label("Type the level’s name to confirm: Careful").wait_for()


def test_the_map_is_drawn_and_has_land_points_and_centers(desk: Visit) -> None:
    pixels = picture(desk.page)
    assert len(np.unique(pixels.reshape(-1, 3), axis=0)) > 100
    assert (np.abs(pixels - BLUE).max(axis=2) < 12).sum() > 300, "no blue diamonds"


def test_the_price_of_privacy_is_visible_at_first_sight(app: Server, visit: Opener) -> None:
    """On the trips of one night; those of a month are so many that hardly anything is lost."""
    page = visit(app).page
    choose(page, "Time of day", "04:00–05:00")
    page.get_by_text("day", exact=True).click()
    settled(page)
    move(page, "ArrowLeft", 3)
    sharp = picture(page)
    points, error = figure(page, "Points on the protected map"), figure(page, "How much worse the centers fit")
    move(page, "ArrowRight", 6)
    strict = picture(page)
    holds(lambda: figure(page, "Points on the protected map") < points / 5)
    holds(lambda: figure(page, "How much worse the centers fit") > 10 * error)
    assert differs(sharp, strict) > 0.02


def test_the_keyboard_moves_the_slider_and_the_view_stays(desk: Visit) -> None:
    page = desk.page
    page.get_by_role("button", name="Zoom in").first.click()
    zoomed = picture(page)
    move(page, "ArrowRight", 1)
    expect(page).to_have_url(re.compile("level=Careful"))
    stricter = picture(page)
    assert 0.0005 < differs(zoomed, stricter) < 0.2, "the points change, the land stays where it was"
    page.get_by_role("button", name="Reset view").click()
    assert differs(picture(page), stricter) > 0.02, "the whole city is back"
    move(page, "ArrowLeft", 1)


def test_slider_odds_map_and_figures_fit_one_screen(desk: Visit) -> None:
    page = desk.page
    for found in (page.locator("input[type=range]").first, page.locator(".dpv-odds"), page.locator(MAP)):
        box = found.bounding_box()
        assert box is not None and box["y"] >= 0 and box["y"] + box["height"] <= 900
    values = page.locator(".dpv-figures .value").last.bounding_box()
    assert values is not None and values["y"] + values["height"] <= 900


def test_on_a_telephone_slider_odds_and_map_come_first(desk: Visit) -> None:
    page = desk.page
    page.set_viewport_size({"width": 390, "height": 844})
    settled(page)
    marks = [
        page.locator("input[type=range]").first,
        page.locator(".dpv-odds"),
        page.locator(MAP),
        page.locator(".dpv-figures").first,
        page.get_by_role("button", name="Publish this level"),
        page.get_by_role("button", name="Use your own data"),
        page.get_by_role("combobox", name="Data"),
    ]
    tops = [box["y"] for mark in marks if (box := mark.bounding_box()) is not None]
    assert len(tops) == len(marks) and tops == sorted(tops)
    box = page.locator(MAP).bounding_box()
    assert box is not None and box["y"] + box["height"] <= 2 * 844
    assert tops[-2] < 2 * 844, "the ways on are within two screens"


def test_a_center_clicked_on_the_map_marks_its_row(desk: Visit) -> None:
    page = desk.page
    blue = (np.abs(picture(page) - BLUE).max(axis=2) < 10)[60:]  # below the buttons
    rows, columns = np.nonzero(blue)
    right = columns > columns.max() - 4
    box = page.locator(MAP).bounding_box()
    assert box is not None
    at = box["x"] + columns.max() - 14, box["y"] + 60 + int(np.median(rows[right]))
    page.mouse.move(*at, steps=5)
    page.get_by_text(re.compile(r"^Protected center \d+")).wait_for()  # the tooltip
    page.mouse.click(*at)
    line = page.locator(".dpv-picked")
    line.wait_for()
    number = re.search(r"Center (\d+)", line.inner_text())
    assert number is not None
    page.get_by_role("rowheader", name=f"→ {number.group(1)}", exact=True).wait_for()
    assert (np.abs(picture(page) - [0x16, 0x20, 0x2A]).max(axis=2) < 24).sum() > 500, "the other marks stay as they are"
    page.get_by_role("button", name="Reset view").click()
    line.wait_for(state="hidden")
    page.get_by_text("Read the map as a table", exact=True).click()
    settled(page)


def test_a_copied_address_opens_the_same_screen(desk: Visit, visit: Opener) -> None:
    """Moved by key, in parts of the page and in the whole of it; gone back by the browser's own button."""
    page = desk.page
    move(page, "ArrowRight", 1)
    page.get_by_text("week", exact=True).click()
    settled(page)
    choose(page, "Time of day", "17:00–18:00")
    open_details(page)
    choose(page, "Watched area", "Queens")
    page.keyboard.press("Escape")
    page.get_by_text("metres of shift", exact=True).click()
    settled(page)
    wanted = ("level=Careful", "days=week", "hour=17", "watched=Queens", "shift=1")
    page.wait_for_url(lambda url: all(part in url for part in wanted))
    copy = visit(desk.server, page.url.removeprefix(desk.server.url)).page
    copy.wait_for_selector(f"{MAP} canvas")
    settled(copy)
    expect(copy).to_have_url(page.url)
    expect(copy.locator(".dpv-mode")).to_contain_text("one week, 17:00–18:00")
    wanted = _chosen(page)
    holds(lambda: _chosen(copy) == wanted)
    page.go_back()
    page.wait_for_function("() => !location.search.includes('shift')")
    settled(page)
    expect(page).to_have_url(re.compile("watched=Queens"))
    holds(lambda: "% error" in _chosen(page)[-1])


def _chosen(page: Page) -> list[str]:
    """What the page shows that does not depend on a draw."""
    ticked = page.evaluate("() => [...document.querySelectorAll('input:checked')].map(e => e.labels[0].innerText)")
    fields = ("Data", "Time of day")
    return [
        page.locator(".dpv-mode").inner_text(),
        page.locator(".dpv-odds strong").inner_text(),
        *(page.get_by_role("combobox", name=name).first.inner_text() for name in fields),
        page.get_by_role("spinbutton", name="Clusters").input_value(),
        page.locator("[data-variant=segmented_control][aria-checked=true]").inner_text(),
        ", ".join(ticked),
    ]


def test_the_figures_fill_up_after_a_step_of_the_slider(app: Server, visit: Opener) -> None:
    page = visit(app, "/?k=4&method=noisy_lloyd").page  # the quickest method: many tries are waited for
    page.wait_for_selector(f"{MAP} canvas")
    move(page, "ArrowRight", 1)
    page.locator(".dpv-figures .note", has_text="9 of 10 tries").first.wait_for()


def test_the_clock_waits_until_a_dialog_is_closed_and_then_completes_the_figures(app: Server, visit: Opener) -> None:
    page = visit(app, "/?k=3&method=noisy_lloyd").page
    page.wait_for_selector(f"{MAP} canvas")
    page.get_by_role("button", name="Publish this level").click()
    page.get_by_role("dialog").wait_for()
    settled(page)
    page.wait_for_function("() => performance.now() - noted.frames.at(-1) > 1500", polling=50)  # longer than a tick
    for step in ("Step 2", "Step 3"):
        page.get_by_role("button", name="Next", exact=True).click()
        page.get_by_text(step).wait_for()
    page.get_by_label("Type the level").fill("balanced")
    page.get_by_role("button", name="Publish", exact=True).click()
    page.get_by_role("button", name="Download the release").wait_for()
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    page.get_by_role("dialog").wait_for(state="detached")
    page.wait_for_function("() => document.body.innerText.includes('90 of 100 tries')")
    page.locator(".dpv-figures .note", has_text="drawing again").first.wait_for(state="detached")
    settled(page)
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_the_wrong_word_publishes_nothing(desk: Visit) -> None:
    page = desk.page
    ask_to_publish(page)
    page.get_by_label("Type the level").fill("Sharpest")
    page.get_by_role("button", name="Publish", exact=True).click()
    page.get_by_text("Type Balanced to go on.").wait_for()
    expect(page.get_by_role("button", name="Download the release")).to_have_count(0)
    close_dialog(page)


def test_a_level_without_an_answer_says_why_and_offers_ways_out(desk: Visit) -> None:
    page = desk.page
    choose(page, "Time of day", "04:00–05:00")
    page.get_by_text("day", exact=True).click()
    settled(page)
    open_details(page)
    choose(page, "Method", "Peeled balls")
    page.keyboard.press("Escape")
    move(page, "ArrowRight", 3)
    page.get_by_text("No map at “Strictest” with this method").wait_for()
    page.get_by_text("there are too few records for so much privacy").wait_for()
    page.get_by_role("button", name=re.compile("^Go to ")).first.wait_for()
    page.get_by_role("button", name="Publish this level").click()
    page.get_by_role("button", name="Next", exact=True).click()
    page.get_by_role("dialog").get_by_text("In the preview this level gave no map").wait_for()
    page.keyboard.press("Escape")
    page.get_by_role("dialog").wait_for(state="detached")
    page.get_by_role("button", name="Use the automatic method").click()
    page.wait_for_selector(f"{MAP} canvas")


def test_twenty_records_are_told_to_be_too_few(app: Server, visit: Opener) -> None:
    page = visit(app).page
    open_own(page, 20)
    page.get_by_text("These records are too few").wait_for()
    open_details(page)
    choose(page, "Method", "Peeled balls")
    page.keyboard.press("Escape")
    page.get_by_text("This data set is too small for every level").wait_for()


def test_own_data_are_refused_beyond_their_budget_and_published_within_it(app: Server, visit: Opener) -> None:
    page = visit(app).page
    open_own(page, 3000, "Start_Lon,Start_Lat")
    move(page, "ArrowLeft", 3)
    page.get_by_role("button", name="Publish this level").click()
    said = page.get_by_role("dialog").get_by_role("alert").inner_text()
    assert "it takes 200, and 100 are left: 100 are missing" in said
    expect(page.get_by_role("button", name="Publish", exact=True)).to_have_count(0)
    close_dialog(page)
    move(page, "ArrowRight", 3)
    page.get_by_role("button", name="Publish this level").click()
    page.get_by_role("button", name="Next", exact=True).click()
    page.get_by_text("Of the privacy budget of").first.wait_for()
    page.get_by_role("button", name="Next", exact=True).click()
    page.get_by_label("Type the level").fill("Balanced")
    page.get_by_role("button", name="Publish", exact=True).click()
    page.get_by_text("Published.", exact=True).wait_for()


def test_closing_the_dialog_cancels_the_reading_of_own_data(app: Server, visit: Opener) -> None:
    page = visit(app).page
    ask_for_own(page, 3000)
    while not (found := readers(app.process)):
        page.wait_for_timeout(20)
    (reader,) = found
    os.kill(reader, signal.SIGSTOP)  # it takes as long as the test wants
    page.get_by_text("Closing this window cancels the reading.").wait_for()
    expect(page.get_by_role("progressbar")).to_be_visible()
    close_dialog(page)
    deadline = time.monotonic() + 10
    while readers(app.process) and time.monotonic() < deadline:
        page.wait_for_timeout(50)
    assert readers(app.process) == []
    expect(page.get_by_text("What you see here is not protected")).to_have_count(0)


def test_the_keyboard_alone_is_enough_to_publish(desk: Visit, tmp_path: Path) -> None:
    page = desk.page

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
    page.locator(".dpv-level", has_text="Careful").wait_for()
    settled(page)
    tab_to("Publish this level")
    page.keyboard.press("Enter")
    for step in ("Step 2", "Step 3"):
        tab_to("Next")
        page.keyboard.press("Enter")
        page.get_by_text(step).wait_for()
    tab_to("Type the level")
    page.keyboard.type("Careful")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Download the release").wait_for()
    tab_to("Download the release")
    with page.expect_download() as waiting:
        page.keyboard.press("Enter")
    waiting.value.save_as(tmp_path / "release.zip")
    names = zipfile.ZipFile(tmp_path / "release.zip").namelist()
    assert {"release.json", "PRIVACY.md", "map.html"} <= {Path(name).name for name in names}
    close_dialog(page)
    move(page, "ArrowLeft", 1)
