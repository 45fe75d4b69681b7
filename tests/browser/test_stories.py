"""Stories of the three users in a real Chromium."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Page

from tests.browser.conftest import Opener, Server, settled

pytestmark = pytest.mark.browser
MAP = "[data-testid=stDeckGlJsonChart]"


def pixels(page: Page, selector: str = MAP) -> np.ndarray:
    picture = Image.open(io.BytesIO(page.locator(selector).first.screenshot()))
    return np.asarray(picture.convert("RGB")).astype(int)


def colours(picture: np.ndarray) -> int:
    return len(np.unique(picture.reshape(-1, 3), axis=0))


def differs(one: np.ndarray, other: np.ndarray) -> float:
    """Share of clearly different pixels."""
    return float((np.abs(one - other).max(axis=2) > 24).mean())


def the_map(page: Page) -> np.ndarray:
    page.wait_for_selector(f"{MAP} canvas")
    settled(page)
    return pixels(page)


def odds(page: Page) -> str:
    return page.locator(".dpv-odds strong").inner_text()


def test_the_map_is_drawn_and_has_land_points_and_centers(app: Server, visit: Opener) -> None:
    picture = the_map(visit(app.url).page)
    assert colours(picture) > 100
    assert (np.abs(picture - [0, 0x72, 0xB2]).max(axis=2) < 12).sum() > 300, "no blue diamonds"


def test_the_keyboard_moves_the_slider_and_the_view_stays(app: Server, visit: Opener) -> None:
    page = visit(app.url).page
    the_map(page)
    page.get_by_role("button", name="Zoom in").first.click()
    zoomed = the_map(page)
    page.locator("input[type=range]").first.focus()
    said = odds(page)
    page.keyboard.press("ArrowRight")
    page.wait_for_function("said => document.querySelector('.dpv-odds strong').innerText !== said", arg=said)
    assert "level=Careful" in page.url
    stricter = the_map(page)
    assert 0.0005 < differs(zoomed, stricter) < 0.2, "the points change, the land stays where it was"
    page.get_by_role("button", name="Reset view").click()
    assert differs(the_map(page), stricter) > 0.02, "the whole city is back"


def test_a_new_user_publishes_in_four_clicks(app: Server, visit: Opener, tmp_path: Path) -> None:
    page = visit(app.url + "/?level=Strict").page
    the_map(page)
    page.get_by_role("button", name="Publish this level").click()
    page.get_by_label("Type the level").fill("strict")
    page.get_by_role("button", name="Publish", exact=True).click()
    button = page.get_by_role("button", name="Download the release")
    button.wait_for()
    with page.expect_download() as waiting:
        button.click()
    waiting.value.save_as(tmp_path / "release.zip")
    names = zipfile.ZipFile(tmp_path / "release.zip").namelist()
    assert {"release.json", "PRIVACY.md", "map.html"} <= {Path(name).name for name in names}


def test_the_wrong_word_publishes_nothing(app: Server, visit: Opener) -> None:
    page = visit(app.url + "/?level=Strictest").page
    the_map(page)
    page.get_by_role("button", name="Publish this level").click()
    page.get_by_label("Type the level").fill("Sharpest")
    page.get_by_role("button", name="Publish", exact=True).click()
    page.get_by_text("Type Strictest to go on.").wait_for()


def test_a_presenter_goes_through_the_scenes_by_key(app: Server, visit: Opener) -> None:
    page = visit(app.url + "/demo").page
    page.get_by_text("Scene 1 of 5").wait_for()
    settled(page)
    page.keyboard.press("PageDown")
    page.get_by_text("Scene 2 of 5").wait_for()
    assert "scene=2" in page.url


def test_the_audience_plays_and_the_machine_too(app: Server, visit: Opener) -> None:
    page = visit(app.url + "/demo?scene=4").page
    page.get_by_role("button", name="The left one").click()
    page.get_by_text("of 1. The dial promises").wait_for()
    page.get_by_role("button", name="Let a machine play").click()
    page.get_by_text("The machine was right").wait_for()


def test_an_analyst_sees_releases_and_places_sites(analyst: Server, visit: Opener) -> None:
    page = visit(analyst.url).page
    assert colours(the_map(page)) > 30
    page.get_by_role("tab", name="Try out sites").click()
    page.get_by_role("button", name="Suggest sites").click()
    page.get_by_text("Average distance to a site").first.wait_for()


@pytest.mark.parametrize("path", ["/choose", "/demo", "/app"])
def test_the_analysts_server_has_no_other_page(analyst: Server, visit: Opener, path: str) -> None:
    page = visit(analyst.url + path).page
    settled(page)
    assert page.locator("h1").all_inner_texts() == ["Compare what was published"]
    assert page.get_by_text("Use your own data").count() == 0


@pytest.mark.parametrize("width", [390, 1024])
def test_nothing_is_wider_than_the_screen(app: Server, visit: Opener, width: int) -> None:
    page = visit(app.url, width=width, height=800).page
    settled(page)
    widths = page.evaluate("() => [document.querySelector('[data-testid=stMain]').scrollWidth, window.innerWidth]")
    assert widths[0] <= widths[1]


BAD_FILES = {
    "empty.csv": b"",
    "heading.csv": b"pickup_longitude,pickup_latitude\n",
    "no-places.csv": b"a,b\n1,2\n",
    "words.csv": b"lon,lat\nhere,there\n",
    "two-pairs.csv": b"start_lon,start_lat,end_lon,end_lat\n1,2,3,4\n",
    "broken.parquet": b"PAR1 this is no parquet file PAR1",
    "picture.png": b"\x89PNG\r\n\x1a\n\x00\x00",
    "broken.geojson": b'{"type": "FeatureCollection", "features": [',
}


def test_every_malformed_upload_gets_one_sentence_and_nothing_breaks(app: Server, visit: Opener) -> None:
    page = visit(app.url).page
    the_map(page)
    page.get_by_role("button", name="Use your own data").click()
    dialog = page.get_by_role("dialog")
    for name, content in BAD_FILES.items():
        dialog.locator("input[type=file]").set_input_files({"name": name, "mimeType": "text/plain", "buffer": content})
        dialog.get_by_text(name).first.wait_for()
        settled(page)
        button = dialog.get_by_role("button", name="Open these data")
        if button.count():
            button.click()
            settled(page)
        said = dialog.get_by_role("alert").all_inner_texts()
        assert len(said) == 1, (name, said)
        assert "Traceback" not in said[0] and "redacted" not in said[0], (name, said)
    assert odds(page)


def test_own_data_go_from_a_file_to_a_published_release(app: Server, visit: Opener) -> None:
    generator = np.random.default_rng(5)
    places = np.concatenate(
        [generator.normal((13.4, 52.5), 0.01, (3000, 2)), generator.normal((13.3, 52.45), 0.01, (2000, 2))]
    )
    text = "Start_Lon,Start_Lat\n" + "\n".join(f"{lon:.6f},{lat:.6f}" for lon, lat in places)
    page = visit(app.url).page
    the_map(page)
    page.get_by_role("button", name="Use your own data").click()
    dialog = page.get_by_role("dialog")
    dialog.locator("input[type=file]").set_input_files(
        {"name": "rides.csv", "mimeType": "text/csv", "buffer": text.encode()}
    )
    dialog.get_by_text("Found in the file").wait_for()
    dialog.get_by_role("combobox", name="Public box").click()
    page.get_by_role("option", name="Berlin").click()
    settled(page)
    dialog.get_by_role("button", name="Open these data").click()
    page.get_by_text("What you see here is not protected").wait_for()
    the_map(page)
    page.get_by_role("button", name="Publish this level").click()
    page.get_by_text("Of 100 parts of the budget").first.wait_for()
    page.get_by_label("Type the level").fill("Balanced")
    page.get_by_role("button", name="Publish", exact=True).click()
    page.get_by_text("Published.", exact=True).wait_for()
