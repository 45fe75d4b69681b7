"""A level that is known, a layer that is hidden: the picture changes before a message passes on the page's socket."""

from __future__ import annotations

import io
from collections.abc import Callable

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Page, Route

from tests.browser.conftest import Opener, Server, settled
from tests.browser.steps import MAP, picture

pytestmark = pytest.mark.browser
QUICK = "/?k=4&method=noisy_lloyd"  # the quickest method: all its draws are waited for
WATCH = """() => {  // a picture can be seen by the second frame after it was drawn
  const map = document.querySelector('.dpv-map');
  window.seen = new Promise(resolve => {
    let begun = 0;
    for (const kind of ['keydown', 'pointerdown'])
      addEventListener(kind, event => { begun ||= event.timeStamp }, { capture: true, once: true });
    const drawing = new MutationObserver(() => {
      if (!begun) return;
      drawing.disconnect();
      requestAnimationFrame(() => requestAnimationFrame(() => resolve([begun, performance.now()])));
    });
    drawing.observe(map, { attributes: true, attributeFilter: ['data-drawn'] });
  });
}"""


def _pixels(page: Page) -> np.ndarray:
    """The map as it is at this moment."""
    return np.asarray(Image.open(io.BytesIO(page.locator(MAP).screenshot())).convert("RGB")).astype(int)


def _step(page: Page, act: Callable[[], None]) -> tuple[int, int]:
    """Messages from an act to its picture, and after it. The picture is another one, and stays."""
    _silent(page)
    before = picture(page)
    page.evaluate(WATCH)
    act()
    begun, seen = page.evaluate("() => window.seen")
    there = _pixels(page)
    after = picture(page)
    assert (before != there).any(), "the map had not changed when it said so"
    assert (there == after).all(), "the map went on changing"
    frames = [at for at in page.evaluate("() => noted.frames") if at >= begun]
    return sum(at <= seen for at in frames), sum(at > seen for at in frames)


def _known(page: Page) -> None:
    """Every level is there and all its draws are made: the clock that brings them, once a second, has stopped."""
    page.wait_for_selector(f"{MAP} canvas")
    _silent(page)
    page.locator("input[type=range]").first.focus()


def _silent(page: Page) -> None:
    settled(page)
    page.wait_for_function("() => performance.now() - noted.frames.at(-1) > 1500", polling=50)


def test_a_known_step_and_a_hidden_layer_are_shown_before_a_word_with_the_server(app: Server, visit: Opener) -> None:
    page = visit(app, QUICK).page
    _known(page)
    for key in ("ArrowRight", "ArrowLeft", "ArrowLeft", "ArrowLeft"):
        before, after = _step(page, lambda key=key: page.keyboard.press(key))
        assert before == 0, f"{before} messages before the map of a known level"
        assert after, "the server hears of the level afterwards"
    page.get_by_role("button", name="Layers", exact=True).click()
    before, _ = _step(page, lambda: page.get_by_role("checkbox", name="Unprotected centers").click())
    assert before == 0, f"{before} messages before a layer was hidden"


def test_the_watch_would_see_a_stage_that_asks_first(app: Server, visit: Opener) -> None:
    """The planted case: a slider that tells the server at once."""

    def asking(route: Route) -> None:
        text = route.fetch().text()
        assert "this.report(this.stop === null)" in text
        route.fulfill(
            body=text.replace("this.report(this.stop === null)", "this.report(true)"), content_type="text/javascript"
        )

    context = visit(app).page.context
    context.route("**/stage*.js", asking)
    try:
        page = visit(app, QUICK).page
        _known(page)
        assert _step(page, lambda: page.keyboard.press("ArrowRight"))[0]
    finally:
        context.unroute("**/stage*.js", asking)
