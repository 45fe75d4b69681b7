"""No outside request on any page, and no serious finding of axe on any page, light and dark."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browser.conftest import Opener, Server, settled

pytestmark = pytest.mark.browser
PAGES = {
    "choose": "/",
    "compare": "/compare",
    "demo": "/demo?scene=1",
    "game": "/demo?scene=4",
    "published": "/demo?scene=5",
    "evidence": "/evidence",
}
WITH_MAP = {"choose", "demo", "published"}


@pytest.mark.parametrize("name", PAGES)
def test_a_page_asks_nobody_but_its_own_server(app: Server, visit: Opener, name: str) -> None:
    found = visit(app.url + PAGES[name])
    if name in WITH_MAP:
        found.page.wait_for_selector("canvas")
    settled(found.page)
    assert found.asked and not found.outside(app)
    assert any(url.startswith("ws://") for url in found.asked), "the log sees sockets too"
    assert not found.complaints, "the content policy had to stop something"


def test_the_log_would_see_an_outside_request(app: Server, visit: Opener) -> None:
    """The planted case: a picture of another host is noted, and the content policy stops it."""
    found = visit(app.url)
    found.page.evaluate("() => { new Image().src = 'http://tiles.example/1.png' }")
    found.page.wait_for_timeout(500)
    assert found.complaints or found.outside(app)


def test_the_analysts_page_is_quiet_too(analyst: Server, visit: Opener) -> None:
    found = visit(analyst.url)
    found.page.wait_for_selector("canvas")
    settled(found.page)
    assert not found.outside(analyst)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing_serious(app: Server, visit: Opener, name: str, scheme: str) -> None:
    page = visit(app.url + PAGES[name], scheme=scheme).page
    if name in WITH_MAP:
        page.wait_for_selector("canvas")
    settled(page)
    serious = [
        (fault["id"], [node["html"][:200] for node in fault["nodes"]])
        for fault in Axe().run(page).response["violations"]
        if fault["impact"] in ("serious", "critical")
    ]
    assert not serious
