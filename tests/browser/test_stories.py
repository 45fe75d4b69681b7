"""Stories of the three users in a real Chromium."""

from __future__ import annotations

import numpy as np
import pytest
from playwright.sync_api import expect

from dpviz.ui.compare import words as compare_words
from tests.browser.conftest import Opener, Server, Visit, settled
from tests.browser.steps import MAP, close_dialog, odds, open_list, picture

pytestmark = pytest.mark.browser


def test_an_analyst_sees_releases_and_places_sites(analyst: Server, visit: Opener) -> None:
    page = visit(analyst).page
    page.wait_for_selector(f"{MAP} canvas")
    assert len(np.unique(picture(page).reshape(-1, 3), axis=0)) > 30
    page.get_by_role("tab", name="Try out sites").click()
    page.get_by_role("button", name="Suggest sites").click()
    page.get_by_text("Average distance to a site").first.wait_for()


@pytest.mark.parametrize("path", ["/choose", "/demo", "/app"])
def test_the_analysts_server_has_no_other_page(analyst: Server, visit: Opener, path: str) -> None:
    page = visit(analyst, path).page
    page.get_by_role("tab", name=compare_words.TABS["maps"]).wait_for()
    expect(page.locator("h1")).to_have_text(["Compare what was published"])
    expect(page.get_by_text("Use your own data")).to_have_count(0)


BAD_FILES = {
    "heading.csv": b"pickup_longitude,pickup_latitude\n",
    "no-places.csv": b"a,b\n1,2\n",
    "words.csv": b"lon,lat\nhere,there\n",
    "two-pairs.csv": b"start_lon,start_lat,end_lon,end_lat\n1,2,3,4\n",
    "empty.csv": b"",
    "broken.parquet": b"PAR1 this is no parquet file PAR1",
    "picture.png": b"\x89PNG\r\n\x1a\n\x00\x00",
    "broken.geojson": b'{"type": "FeatureCollection", "features": [',
}


REFUSED_OR_OFFERED = """() => {
  const dialog = document.querySelector('[role=dialog]');
  const refused = dialog.querySelector('[role=alert]') !== null;
  const offered = [...dialog.querySelectorAll('button')].some(button => button.innerText.includes('Open these data'));
  return refused !== offered;
}"""


def test_every_malformed_upload_gets_one_sentence_and_nothing_breaks(desk: Visit) -> None:
    page = desk.page
    page.get_by_role("button", name="Use your own data").click()
    dialog = page.get_by_role("dialog")
    open_list(page, dialog.get_by_role("combobox", name="Public box"))
    page.get_by_role("option", name="Berlin").click()
    settled(page)
    heard = set()
    for name, content in BAD_FILES.items():
        begun = page.evaluate("() => noted.begun")
        dialog.locator("input[type=file]").first.set_input_files(
            {"name": name, "mimeType": "text/plain", "buffer": content}
        )
        dialog.get_by_text(name).first.wait_for()
        page.wait_for_function("before => noted.begun > before", arg=begun)  # its name stands there before it has come
        settled(page)
        page.wait_for_function(REFUSED_OR_OFFERED)  # never both: what was said of the file before is gone
        button = dialog.get_by_role("button", name="Open these data")
        if button.count():
            button.click()
            dialog.get_by_role("alert").wait_for()
        (said,) = dialog.get_by_role("alert").all_inner_texts()
        assert not any(word in said for word in ("Traceback", "redacted", "Box")), (name, said)
        heard.add(said)
    assert len(heard) == len(BAD_FILES), "each has a sentence of its own"
    close_dialog(page)
    assert odds(page)
