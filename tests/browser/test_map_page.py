"""map.html stands alone: it opens from a folder, asks nobody for anything, zooms and pans by mouse, button and key."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import Browser, Page, expect

from dpviz.domain import ExactCounts, GeoBox, Grid
from dpviz.drawing.film import film
from dpviz.ingest import read_parts
from dpviz.privacy import Budget
from dpviz.publishing.mechanism_run import release
from dpviz.questions.parts import PartsView
from dpviz.releases.release import Release
from tests.browser.steps import holds

pytestmark = pytest.mark.browser
BOX = GeoBox(-74.05, 40.70, -73.90, 40.80)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    cells = np.random.default_rng(1).poisson(5.0, size=(32, 32))
    found = release(ExactCounts.from_array(Grid(BOX, 32), cells), 5, Budget(epsilon=0.5), "uniform_grid", seed=1)
    return found.save(tmp_path_factory.mktemp("map") / "out")


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1000, "height": 900})
    yield context.new_page()
    context.close()


def view(page: Page) -> list[float]:
    text = page.locator("svg.map").get_attribute("viewBox") or ""
    return [float(part) for part in text.split(" ")]


def test_the_page_asks_for_nothing_but_itself_and_says_nothing_wrong(page: Page, folder: Path) -> None:
    asked: list[str] = []
    complaints: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto((folder / "map.html").as_uri())
    page.get_by_role("button", name="Zoom in").click()
    assert asked == [(folder / "map.html").as_uri()]
    assert complaints == []


def test_buttons_keys_and_mouse_move_the_view(page: Page, folder: Path) -> None:
    page.goto((folder / "map.html").as_uri())
    home = view(page)
    page.get_by_role("button", name="Zoom in").click()
    holds(lambda: view(page)[2] < home[2])
    closer = view(page)
    page.locator("svg.map").focus()
    page.keyboard.press("ArrowRight")
    holds(lambda: view(page)[0] > closer[0])
    page.mouse.move(400, 600)
    page.mouse.wheel(0, -300)
    holds(lambda: view(page)[2] < closer[2])
    dragged_from = view(page)
    page.mouse.down()
    page.mouse.move(340, 560)
    page.mouse.up()
    holds(lambda: view(page)[0] > dragged_from[0])
    page.get_by_role("button", name="Reset view").click()
    holds(lambda: view(page) == pytest.approx(home))


def test_the_page_fits_a_telephone(page: Page, folder: Path) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto((folder / "map.html").as_uri())
    page.wait_for_function("() => document.documentElement.scrollWidth <= 390")


OVERLAPS = """() => {
  const marks = [...document.querySelectorAll('.names > g, .centers > g')];
  const shown = marks.filter(mark => mark.style.display !== 'none');
  const boxes = shown.map(mark => (mark.querySelector('text') || mark).getBoundingClientRect());
  let count = 0;
  boxes.forEach((one, at) => boxes.slice(at + 1).forEach(other => {
    if (one.left < other.right - 1 && other.left < one.right - 1 && one.top + 2 < other.bottom - 2
        && other.top + 2 < one.bottom - 2) count += 1;
  }));
  return [shown.length, count];
}"""


@pytest.mark.parametrize("width", [390, 1440])
def test_names_on_the_map_can_be_read_at_every_size_and_keep_clear_of_each_other(
    page: Page, folder: Path, width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    page.goto((folder / "map.html").as_uri())
    for _ in range(3):
        shown, overlaps = page.evaluate(OVERLAPS)
        assert shown >= 8 and overlaps == 0
        high = page.locator(".names > g:visible text").first.bounding_box()
        assert high is not None and 11 <= high["height"] <= 22, "as large as the words around the map, at every zoom"
        page.get_by_role("button", name="Zoom in").click()


def test_the_map_is_dark_where_the_page_is(browser: Browser, folder: Path) -> None:
    fills = {}
    for scheme in ("light", "dark"):
        context = browser.new_context(color_scheme=scheme)
        page = context.new_page()
        page.goto((folder / "map.html").as_uri())
        said = page.locator("svg.map path").first.evaluate("mark => getComputedStyle(mark).fill")
        fills[scheme] = sum(int(part) for part in said.removeprefix("rgb(").removesuffix(")").split(","))
        context.close()
    assert fills["dark"] < 200 < 600 < fills["light"]


def test_a_finger_scrolls_past_the_map_until_it_is_zoomed(page: Page, folder: Path) -> None:
    page.goto((folder / "map.html").as_uri())
    expect(page.locator("svg.map")).to_have_css("touch-action", "pan-y")
    page.get_by_role("button", name="Zoom in").click()
    expect(page.locator("svg.map")).to_have_css("touch-action", "none")


def test_the_page_has_no_accessibility_fault(page: Page, folder: Path) -> None:
    from axe_playwright_python.sync_playwright import Axe

    page.goto((folder / "map.html").as_uri())
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


@pytest.fixture(scope="module")
def film_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rng = np.random.default_rng(3)
    hours = rng.integers(0, 24, 6000)
    times = pd.to_datetime("2026-02-02") + pd.to_timedelta(hours, unit="h")
    places = rng.normal((-73.98, 40.75), 0.01, (6000, 2))
    rows = pd.DataFrame({"lon": places[:, 0], "lat": places[:, 1], "when": times.strftime("%Y-%m-%d %H:%M:%S")})
    counts, parts = read_parts(rows, box=BOX, side=32, time="when", zone="America/New_York")
    found = release(counts, 3, Budget(epsilon=1.0), "adaptive_tree", seed=2)
    assert isinstance(found, Release)
    path = tmp_path_factory.mktemp("film") / "film.html"
    path.write_bytes(film(PartsView(found, parts), title="A day </script> <b>"))
    return path


def test_a_film_plays_shows_two_parts_and_the_curve_of_a_square(page: Page, film_page: Path) -> None:
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(film_page.as_uri())

    def expect_part_alone(part: str) -> None:
        expect(page.locator(f"#first g.part[data-part='{part}']:visible")).not_to_have_count(0)
        expect(page.locator(f"#first g.part:visible:not([data-part='{part}'])")).to_have_count(0)

    expect_part_alone(page.locator("#part").input_value())
    expect(page.locator("#rows tr")).to_have_count(24)
    expect(page.locator("#curve .bar")).to_have_count(24)
    page.locator("#part").fill("5")
    expect_part_alone("5")
    expect(page.locator("#curve .bar.now")).to_have_count(1)
    whole_box = page.locator("#rows").text_content()
    page.locator("#first svg").click()
    expect(page.locator("#where")).to_have_text("In the chosen square")
    expect(page.locator(".square")).to_have_count(1)
    expect(page.locator("#rows")).not_to_have_text(whole_box or "")
    page.locator("#two").check()
    expect(page.locator(".maps svg")).to_have_count(2)
    expect(page.locator("#curve .bar.too")).to_have_count(1)
    page.get_by_role("button", name="Play").click()
    expect(page.locator("#first g.part[data-part='5']").first).to_be_hidden()
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    assert complaints == []
