"""The page *Publications* in a browser: meters, a dialog, light and dark, at a desk and on a telephone."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import expect

import dpviz
from dpviz.domain import ExactCounts, GeoBox, Grid
from dpviz.ledger.ledger import Ledger
from dpviz.publishing.door import publish
from dpviz.publishing.registration import register
from dpviz.releases.about import About
from dpviz.releases.request import ReleaseRequest
from dpviz.ui.publications import words as say
from tests.browser.conftest import Opener, Server, serious, serving, settled, wide

pytestmark = pytest.mark.browser
BOX = GeoBox(-74.05, 40.70, -73.90, 40.80)


@pytest.fixture(scope="module")
def published(app: Server) -> Server:
    """Two releases of a data set of one's own, beside whatever other stories have left."""
    cells = np.zeros((32, 32), np.int64)
    cells[4:8, 4:8], cells[20:24, 22:26] = 400, 250
    ledger = Ledger(app.folder / "ledger.sqlite3")
    counts = ExactCounts.from_array(Grid(BOX, 32), cells)
    dataset = register("meters", counts, total=dpviz.Budget(epsilon=2.0), ledger=ledger, who="Ada", why="a story")
    for epsilon, title in ((0.5, "First map"), (1.0, "Better map")):
        request = ReleaseRequest(k=2, budget=dpviz.Budget(epsilon=epsilon), method="uniform_grid")
        publish(dataset, request, who="Ada", why="a story", about=About(title=title))
    return app


@pytest.mark.parametrize(("scheme", "width"), [("light", 1440), ("dark", 390)])
def test_a_release_is_superseded_on_a_page_that_is_accessible_and_fits(
    published: Server, visit: Opener, scheme: str, width: int
) -> None:
    found = visit(published, "/publications", scheme=scheme, width=width)
    page = found.page
    page.get_by_role("meter", name=re.compile("“meters”.*75 are spent")).wait_for()
    settled(page)
    assert not serious(page) and not wide(page)
    panel = page.locator("[class*=st-key-account_own-]").filter(has_text="First map")
    panel.get_by_role("combobox").scroll_into_view_if_needed()
    settled(page)  # an open list closes when the page moves
    panel.get_by_role("combobox").click()
    page.get_by_role("option", name=re.compile("First map")).click()
    settled(page)
    panel.get_by_role("button", name="Supersede …").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("textbox", name=say.WHY).wait_for()
    settled(page)
    assert not serious(page) and not wide(page)
    if width == 1440:
        return  # the telephone does it
    dialog.get_by_role("textbox", name=say.WHO).fill("Grace")
    dialog.get_by_role("textbox", name=say.WHY).fill("more detail was allowed")
    dialog.get_by_role("button", name=say.GO["supersede"]).click()
    page.get_by_text(say.DONE["supersede"].format(name="First map")).wait_for()
    panel.get_by_text("superseded by Better map").first.wait_for()
    assert not found.outside and not found.complaints


def test_the_first_visitor_of_a_server_may_open_any_page_by_its_address(
    project_root: Path, tmp_path: Path, visit: Opener
) -> None:
    with serving(project_root, "app.py", tmp_path) as server:
        page = visit(server, "/publications").page
        page.get_by_role("heading", name="Nothing has been registered yet").wait_for()
        settled(page)
        expect(page.locator("h1")).to_have_text(["What was published, and what is left"])
        expect(page.get_by_role("dialog")).to_have_count(0)
        page.close()
