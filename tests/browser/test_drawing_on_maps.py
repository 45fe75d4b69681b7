"""What is drawn by hand on a map: a stricter place, corner by corner, and the public box, dragged."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Opener, Server, settled
from tests.browser.steps import MAP, open_details, open_list, picture, rides

pytestmark = pytest.mark.browser


def corners(page: Page, sheet: Locator, *places: tuple[float, float]) -> list[tuple[float, float]]:
    """Shares of a sheet's width and height as places on the screen."""
    sheet.scroll_into_view_if_needed()
    settled(page)
    box = sheet.bounding_box()
    assert box is not None
    return [(box["x"] + x * box["width"], box["y"] + y * box["height"]) for x, y in places]


def test_a_stricter_place_is_drawn_corner_by_corner_and_outlined_on_the_map(app: Server, visit: Opener) -> None:
    page = visit(app).page
    page.wait_for_selector(".dpv-map[data-drawn]")
    before = picture(page)
    open_details(page)
    page.get_by_text("Stricter places", exact=True).click()
    page.get_by_text("Or mark them on the map").click()
    sheet = page.locator(".dpv-sheet-over")
    for x, y in corners(page, sheet, (0.3, 0.3), (0.6, 0.3), (0.6, 0.7)):
        page.mouse.click(x, y)
    expect(page.locator(".dpv-sheet-over circle"), "corners before the area is closed").to_have_count(3)
    page.keyboard.press("Enter")
    page.locator(".dpv-sheet-over .dpv-sheet-name", has_text="1").wait_for()
    settled(page)
    page.keyboard.press("Escape")
    page.get_by_text("Stricter level in:").first.wait_for()
    settled(page)
    assert (abs(picture(page) - before).sum(axis=2) > 30).mean() > 0.002, "an outline that can be seen"


def test_the_public_box_is_dragged_on_the_map_and_taken(app: Server, visit: Opener) -> None:
    page = visit(app).page
    page.wait_for_selector(f"{MAP} canvas")
    page.get_by_role("button", name="Use your own data").click()
    dialog = page.get_by_role("dialog")
    dialog.locator("input[type=file]").first.set_input_files(
        {"name": "dragged.csv", "mimeType": "text/csv", "buffer": rides(3000)}
    )
    dialog.get_by_text("were found by the file’s heading").wait_for()
    open_list(page, dialog.get_by_role("combobox", name="Public box"))
    page.get_by_role("option", name="Berlin").click()
    note = dialog.get_by_text(re.compile("The public box .* wide"))
    told = note.inner_text()
    (x, y), (to_x, to_y) = corners(page, dialog.locator(".dpv-sheet-over"), (0.3, 0.25), (0.7, 0.75))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move((x + to_x) / 2, (y + to_y) / 2, steps=3)
    page.mouse.move(to_x, to_y, steps=3)
    page.mouse.up()
    page.wait_for_function(
        "told => ![...document.querySelectorAll('[role=dialog] p')].some(part => part.innerText === told)", arg=told
    )
    settled(page)
    box = [float(value) for value in re.findall(r"-?\d+\.?\d*", note.inner_text())[:4]]
    assert len(box) == 4 and box[0] < box[2] and box[1] < box[3]
    dialog.get_by_role("button", name="Open these data").click()
    page.get_by_text("What you see here is not protected").wait_for()
    page.get_by_text(re.compile(r"3,000 rows read .* used")).first.wait_for()
