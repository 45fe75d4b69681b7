"""The story on its stage: every key of a clicker and of a keyboard, the game, the questions, the presenter's window."""

from __future__ import annotations

import re
import urllib.request
from collections.abc import Iterator
from http.cookiejar import CookieJar
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from dpviz.language import languages
from dpviz.ui.demo import story, words as say
from tests.browser.conftest import Opener, Server, serious

NAMES = [scene.name for scene in say.SCENES]
GAME, DIAL = NAMES.index("game"), NAMES.index("dial")


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("demo") / "demo.html"
    path.write_text(story.offline_page(), encoding="utf-8")
    return path


@pytest.fixture
def stage(browser: Browser, file: Path) -> Iterator[Page]:
    """The one file, opened as from a stick, by somebody who asked for less motion."""
    page = browser.new_page(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(file.as_uri())
    page.locator(".her h1").wait_for()
    yield page
    page.close()
    assert set(asked) == {file.as_uri()}, "the file asks for nothing but itself"


def stands(page: Page, place: tuple[str, int]) -> None:
    """Wait until this scene and step are shown."""
    scene, beat = place
    expect(page.locator(f".her[data-scene={scene}][data-beat='{beat}']")).to_be_attached()


def becomes(page: Page, expression: str, value: object = True) -> None:
    """Wait until an expression of the page's script has this value."""
    page.wait_for_function(f"value => ({expression}) === value", arg=value)


def go(page: Page, scene: int, beat: int = 0) -> None:
    page.evaluate("([scene, beat]) => theatre.go(scene, beat)", [scene, beat])


ALL = [(scene.name, beat) for scene in say.SCENES for beat in range(len(scene.beats))]


@pytest.mark.parametrize("keys", [("PageDown", "PageUp"), ("ArrowRight", "ArrowLeft"), ("ArrowDown", "ArrowUp")])
def test_a_clicker_walks_through_all_and_back(stage: Page, keys: tuple[str, str]) -> None:
    for place in ALL[1:]:
        stage.keyboard.press(keys[0])
        stands(stage, place)
    stage.keyboard.press(keys[0])
    stands(stage, ALL[-1])
    for place in reversed(ALL[:-1]):
        stage.keyboard.press(keys[1])
        stands(stage, place)


def test_space_home_end_black_and_full_screen(stage: Page) -> None:
    stage.keyboard.press(" ")
    stands(stage, ALL[1])
    stage.keyboard.press("End")
    stands(stage, (NAMES[-1], 0))
    stage.keyboard.press("Home")
    stands(stage, (NAMES[0], 0))
    stage.keyboard.press("b")
    expect(stage.locator(".her-black")).to_be_visible()
    stage.keyboard.press("Escape")
    expect(stage.locator(".her-black")).to_be_hidden()
    stage.keyboard.press("f")
    stage.locator(".her:fullscreen").wait_for()
    stage.keyboard.press("f")
    stage.locator(".her:not(:fullscreen)").wait_for()


def test_the_start_key_of_a_clicker_fills_the_screen_and_a_step_ends_the_black(stage: Page) -> None:
    stage.keyboard.press("F5")
    stage.locator(".her:fullscreen").wait_for()
    stage.keyboard.press(".")
    stage.keyboard.press("PageDown")
    expect(stage.locator(".her-black"), "the first press brings the picture back").to_be_hidden()
    stands(stage, ALL[0])
    stage.keyboard.press("PageDown")
    stands(stage, ALL[1])
    stage.reload()
    stage.locator(".her h1").wait_for()
    stands(stage, ALL[1])  # the page reads where it stood after its heading is there
    stage.goto(stage.url + f"#{DIAL + 1}")
    stage.reload()
    stage.locator(".her h1").wait_for()
    expect(stage.locator(".her[data-scene=dial]")).to_be_visible()
    stage.keyboard.press("PageDown")
    stage.get_by_role("button", name="Deutsch").click()
    stage.reload()
    expect(stage.locator(".her[data-scene=keeps][lang=de] h1")).to_have_text("Was die Stadt behält")


def test_no_key_of_a_clicker_turns_the_dial(stage: Page) -> None:
    """Focus in the dial, by mouse or by keyboard: the keys still change the scene, and the level stays."""
    for touch in ("click", "focus"):
        go(stage, DIAL)
        stop = stage.locator(".her-dial button").nth(2)
        stop.click()
        if touch == "focus":
            stop.focus()
        becomes(stage, "theatre.stop", 2)
        for key, scene in (("PageDown", DIAL + 1), ("PageUp", DIAL), ("ArrowLeft", GAME), ("ArrowRight", DIAL)):
            stage.keyboard.press(key)
            expect(stage.locator(f".her[data-scene={NAMES[scene]}]")).to_be_visible()
        becomes(stage, "theatre.stop", 2)


def test_the_dial_can_be_turned_by_keyboard(stage: Page) -> None:
    go(stage, DIAL)
    stage.locator(".her-dial button").nth(6).focus()
    stage.keyboard.press("Enter")
    becomes(stage, "theatre.stop", 6)
    expect(stage.locator(".her[data-scene=dial]")).to_be_visible()


def test_hands_are_counted_the_computer_plays_and_start_again_means_again(stage: Page) -> None:
    go(stage, GAME)
    stage.locator(".her-hands button").nth(1).click(click_count=3)
    expect(stage.locator(".her-count").first).to_have_text("3")
    stage.locator(".her-guess").nth(1).click()  # more hands said: in
    becomes(stage, "theatre.state.play.said", 1)
    expect(stage.locator(".her-tally")).to_contain_text("of 1")
    stage.get_by_role("button", name=say.UI["next_round"]).click()
    stage.get_by_role("button", name=say.UI["machine"]).click()
    expect(stage.locator(".her-tally")).to_contain_text("1,000")
    stage.get_by_role("button", name=say.UI["again"]).click()
    stands(stage, ALL[0])
    go(stage, GAME)
    expect(stage.locator(".her-tally")).to_contain_text("0 of 0")
    expect(stage.locator(".her-tally")).to_contain_text(say.UI["computer_not"])


def test_without_protection_everybody_wins(stage: Page) -> None:
    go(stage, GAME)
    stage.locator(".her-dial button").first.click()
    for played in range(1, 4):
        row = stage.locator(".her-table tbody tr").first.locator("td").all_inner_texts()
        stage.locator(".her-guess").nth(0 if row[0] != row[1] else 1).click()
        expect(stage.locator(".her-tally")).to_contain_text(f"{played} of {played}")
        stage.get_by_role("button", name=say.UI["next_round"]).click()
    go(stage, DIAL)
    expect(stage.locator(".her-odds")).to_contain_text(say.UI["promised_none"])
    expect(stage.locator(".her-text")).not_to_contain_text("best guesser")


def test_a_suspicion_moves_only_a_little(stage: Page) -> None:
    stage.keyboard.press("q")
    stage.get_by_text(say.QUESTIONS[-1][0]).click()
    told = stage.locator(".her-belief")
    expect(told).to_contain_text(re.compile("9[34] %"))
    bounds = stage.locator(".her-beliefs tbody td").all_inner_texts()
    assert "100" not in bounds and bounds[1] == "99.8", "90 beforehand is never certainty afterwards"
    stage.locator("#her-prior").focus()
    stage.keyboard.press("ArrowLeft")
    expect(told).to_contain_text("89 %")
    stands(stage, ALL[0])  # in the questions arrows belong to the questions
    stage.keyboard.press("PageDown")
    stands(stage, ALL[1])
    expect(stage.locator(".her-questions[open]")).to_have_count(0)


def test_the_presenter_sees_notes_and_steers(stage: Page) -> None:
    with stage.expect_popup() as opened:
        stage.keyboard.press("n")
    notes = opened.value
    notes.get_by_text(say.SCENES[0].beats[0].say).wait_for()
    expect(notes.locator("#clock")).to_have_text(re.compile("^0:"))
    expect(stage.locator(".her"), "notes are not for the audience").not_to_contain_text(say.SCENES[0].beats[0].say)
    notes.keyboard.press("PageDown")
    notes.get_by_text(say.SCENES[0].beats[1].say).wait_for()
    stands(stage, ALL[1])
    notes.close()


def test_another_language_is_a_click_away(stage: Page) -> None:
    stage.get_by_role("button", name="Deutsch").click()
    expect(stage.locator("h1")).to_have_text("Finde sie")
    expect(stage.locator(".her")).to_have_attribute("lang", "de")
    expect(stage.locator(".her-big")).to_contain_text("50.020")


@pytest.mark.parametrize(("width", "height"), [(1920, 1080), (390, 844)])
def test_every_step_is_accessible_and_fits(stage: Page, width: int, height: int) -> None:
    stage.set_viewport_size({"width": width, "height": height})
    for number, scene in enumerate(say.SCENES):
        go(stage, number, len(scene.beats) - 1)
        assert not serious(stage), scene.name
        becomes(stage, "document.documentElement.scrollWidth <= innerWidth")
        for language in languages() if width > 1000 else ():
            stage.evaluate("language => theatre.speak(language)", language)
            small = stage.evaluate(
                "[...document.querySelectorAll('.her-text p, .her h1')]"
                ".map(p => parseFloat(getComputedStyle(p).fontSize))"
            )
            assert min(small) >= 32, f"{scene.name}, {language}: text that the last row cannot read"
            becomes(stage, "(p => p.scrollHeight <= p.clientHeight + 1)(document.querySelector('.her-panel'))")
        stage.evaluate("theatre.speak('en')")


def test_votes_by_phone_go_on_after_a_reload_of_the_presenters_page(fresh: Server, visit: Opener) -> None:
    page = visit(fresh, f"/demo?scene={GAME + 1}").page
    page.get_by_role("button", name=say.UI["phones_on"]).click()
    address = str(page.locator(".her-code").get_attribute("aria-label"))
    phone = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
    phone.open(address).read()
    number = page.evaluate("JSON.parse(sessionStorage.getItem('dpviz-find-her')).play.round")
    phone.open(f"{address}/vote", data=f"round={number}&in=1".encode())
    counted = page.locator(".her-count").first
    expect(counted).to_have_text("1")
    page.reload()
    expect(page.locator(".her-code")).to_have_attribute("aria-label", address)
    expect(counted).to_have_text("1")
    phone.open(f"{address}/vote", data=f"round={number}&in=0".encode())
    expect(counted).to_have_text("0")
    page.get_by_role("button", name=say.UI["phones_empty"]).click()
    expect(page.locator(".her-count").nth(1)).to_have_text("0")
    phone.open(f"{address}/vote", data=f"round={number}&in=1".encode())
    expect(counted).to_have_text("1")
    page.locator(".her-dial button").nth(2).click()  # another map: votes for the one before count no more
    expect(page.locator(".her-count").nth(1)).to_have_text("0")
    phone.open(f"{address}/vote", data=f"round={number + 1}&in=1".encode())
    expect(counted).to_have_text("1")
    page.get_by_role("button", name=say.UI["phones_off"]).click()
    page.get_by_role("button", name=say.UI["phones_on"]).wait_for()
    page.reload()
    page.get_by_role("button", name=say.UI["phones_on"]).wait_for()
    expect(page.locator(".her-code"), "what was ended stays ended").to_have_count(0)


@pytest.mark.parametrize("language", languages())
def test_the_words_of_the_dial_are_as_large_on_a_telephone_as_those_of_other_scenes(
    browser: Browser, tmp_path: Path, language: str
) -> None:
    path = tmp_path / "demo.html"
    path.write_text(story.offline_page(language), encoding="utf-8")
    page = browser.new_page(viewport={"width": 390, "height": 844}, reduced_motion="reduce")
    page.goto(path.as_uri())
    page.locator(".her h1").wait_for()
    for stop in (0, 4, 7):
        go(page, DIAL)
        page.locator(".her-dial button").nth(stop).click()
        becomes(page, "parseFloat(getComputedStyle(document.querySelector('.her-text p')).fontSize) >= 16")
        becomes(page, "(p => p.scrollHeight <= p.clientHeight + 1)(document.querySelector('.her-panel'))")
    page.close()
