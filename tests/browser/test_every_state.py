"""Every state of every page, light and dark: no outside request, nothing that axe finds serious, nothing too wide.

One visitor walks through all states of a page, so that no state is opened twice.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from dpviz.ui.compare import words as say
from dpviz.ui.demo import words as demo_words
from dpviz.ui.evidence import words as evidence_words
from tests.browser.conftest import Opener, Server, Visit, serious, settled, wide
from tests.browser.steps import MAP, ask_to_publish, close_dialog, move, open_own

pytestmark = pytest.mark.browser
Steps = dict[str, Callable[[Page], None]]  # the walk itself waits after each until the page is at rest
LOOKS = [("light", 1440), ("dark", 390)]
WIDTHS = (1440, 1024, 390)
LAST_SCENE = len(demo_words.SCENES)


# ---- Choose ----------------------------------------------------------------------------------------------------


def _with_map(page: Page) -> None:
    page.wait_for_selector(f"{MAP} canvas")


def _popover(name: str) -> Callable[[Page], None]:
    def click(page: Page) -> None:
        page.keyboard.press("Escape")
        page.get_by_role("button", name=name, exact=True).click()
        page.locator("[data-testid=stPopoverBody]").wait_for()

    return click


def _layers(page: Page) -> None:
    page.get_by_role("button", name="Layers", exact=True).click()
    page.locator(".dpv-help ul").wait_for()


def _stricter_places(page: Page) -> None:
    page.locator("[data-testid=stPopoverBody]").get_by_text("Stricter places", exact=True).click()
    page.get_by_text("Places by name").first.wait_for()


def _drawers_of_choose(page: Page) -> None:
    page.keyboard.press("Escape")
    for name in ("All levels as a table", "What could be published", "Read the map as a table"):
        page.get_by_text(name, exact=True).click()
        settled(page)


def _publish(page: Page) -> None:
    ask_to_publish(page)


def _own(page: Page) -> None:
    close_dialog(page)
    page.get_by_role("button", name="Use your own data").click()
    page.get_by_role("dialog").wait_for()


def _no_answer(page: Page) -> None:
    close_dialog(page)
    page.goto(page.url.split("?")[0] + "?days=day&hour=4&method=peeled_balls")
    move(page, "ArrowRight", 3)
    page.get_by_text("No map at").wait_for()


def _preview(page: Page) -> None:
    open_own(page, 2000)


CHOOSE: Steps = {
    "first": _with_map,
    "layers": _layers,
    "details": _popover("Details"),
    "stricter places": _stricter_places,
    "tables": _drawers_of_choose,
    "publish": _publish,
    "own data": _own,
    "no answer": _no_answer,
    "preview of own data": _preview,
}

# ---- Compare, Evidence, Demo -----------------------------------------------------------------------------------


def _first_of_compare(page: Page) -> None:
    """Nothing published yet, or the examples that the walk before this one made on the same server."""
    page.get_by_role("button", name="Show two examples").first.or_(page.locator(f"{MAP} canvas")).first.wait_for()


def _examples(page: Page) -> None:
    if not page.locator(MAP).count():
        page.get_by_role("button", name="Show two examples").first.click()
    _with_map(page)


def _tab(name: str) -> Callable[[Page], None]:
    def click(page: Page) -> None:
        page.get_by_role("tab", name=name).click()

    return click


def _one_map(page: Page) -> None:
    page.get_by_text(say.WAYS["one"], exact=True).click()


def _suggest(page: Page) -> None:
    page.get_by_role("button", name="Suggest sites").click()
    page.get_by_text(say.AVERAGE_WAY).first.wait_for()


def _labels(page: Page) -> None:
    for drawer in page.locator("[data-testid=stExpander] summary").all():
        drawer.click()


def _scene(number: int) -> Callable[[Page], None]:
    def go(page: Page) -> None:
        if number > 1:
            page.locator(".her-dot").nth(number - 1).dispatch_event("click")  # hidden on a telephone
        page.locator(f".her[data-scene={demo_words.SCENES[number - 1].name}]").wait_for()

    return go


COMPARE: Steps = {
    "first": _first_of_compare,
    "two maps": _examples,
    "one map": _one_map,
    "sites": _tab(say.TABS["sites"]),
    "suggested sites": _suggest,
    "files": _tab(say.TABS["files"]),
    "labels": _labels,
}
EVIDENCE: Steps = {"first": lambda page: None} | {tab: _tab(tab) for tab in evidence_words.TABS[1:]}
SCENES: Steps = {f"scene {number}": _scene(number) for number in (1, 7, 8, LAST_SCENE)}  # the others have its look
WALKS = {"/": CHOOSE, "/compare": COMPARE, "/evidence": EVIDENCE, "/demo": SCENES}


@pytest.mark.parametrize(("scheme", "width"), LOOKS)
@pytest.mark.parametrize("path", WALKS)
def test_every_state_is_quiet_accessible_and_fits(
    fresh: Server, visit: Opener, path: str, scheme: str, width: int
) -> None:
    found = visit(fresh, path, scheme=scheme, width=width)
    page = found.page
    faults: list[tuple[object, ...]] = []
    for at, (name, go) in enumerate(WALKS[path].items()):
        go(page)
        settled(page)
        faults += [(name, width, *fault) for fault in serious(page)]
        for other in WIDTHS:
            resized(page, other)
            faults += [(name, other, "too wide")] if wide(page) else []
            if at == 0 and other != width:
                faults += [(name, other, *fault) for fault in serious(page)]
        resized(page, width)
    assert not faults
    assert found.asked and not found.outside and any(url.startswith("ws://") for url in found.asked)
    assert not found.complaints, "the content policy had to stop something"


def resized(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def test_the_log_would_see_an_outside_request(fresh: Server, visit: Opener) -> None:
    """The planted case: a picture of another host is noted, and the content policy stops it."""
    found = visit(fresh, "/evidence")
    found.page.evaluate("() => { new Image().src = 'http://tiles.example/1.png' }")
    found.page.wait_for_function("() => performance.getEntriesByName('http://tiles.example/1.png').length", polling=50)
    assert found.complaints or found.outside


def test_the_walk_would_see_a_fault_and_a_page_too_wide(fresh: Server, visit: Opener) -> None:
    """The planted case: a button without a name, and a line that does not fit."""
    page = visit(fresh, "/evidence").page
    settled(page)
    assert not serious(page) and not wide(page)
    page.evaluate(
        "() => document.querySelector('h1').insertAdjacentHTML('afterend', "
        "'<button></button><p style=\"width:3000px\">wide</p>')"
    )
    assert [name for name, _ in serious(page)] == ["button-name"] and wide(page)


def test_the_first_and_last_scene_are_a_key_away(fresh: Server, visit: Opener) -> None:
    page = visit(fresh, f"/demo?scene={LAST_SCENE}").page
    for key, scene in (("", demo_words.SCENES[-1]), ("Home", demo_words.SCENES[0]), ("End", demo_words.SCENES[-1])):
        if key:
            page.keyboard.press(key)
        page.locator(f".her[data-scene={scene.name}]").wait_for()


def test_the_analysts_page_is_quiet_and_accessible(analyst: Server, visit: Opener) -> None:
    found: Visit = visit(analyst)
    _with_map(found.page)
    settled(found.page)
    expect(found.page.locator("h1")).to_have_text(["Compare what was published"])
    assert not serious(found.page) and not found.outside and not found.complaints
