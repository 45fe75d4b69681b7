"""What is clicked on *Choose* takes effect, in whatever company and under whatever name the click reaches the server.

AppTest sends a click as one request for the whole page and finishes every run. A browser also sends it under the name
of a part, beside what changed in the same moment; and a run of the whole page is cut short by the next request for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from dpviz.privacy import LEVELS
from dpviz.ui import choose_map, choose_parts, choose_results, words
from dpviz.ui import choose_words as say
from dpviz.ui.preview import Drawn, Previews, Setting
from tests.ui.test_pages import asked_of, charts, html, run, step

pytestmark = pytest.mark.filterwarnings("default")  # Streamlit's own warnings are its own affair


def named(app: AppTest, label: str) -> Any:
    return next(button for button in app.button if button.label == label)


@pytest.fixture
def app(project_root: Path) -> Iterator[AppTest]:
    yield run(project_root)


def cut_short(app: AppTest, monkeypatch: pytest.MonkeyPatch, where: Any, name: str) -> None:
    """A run that ends where this piece of the page would be drawn."""
    with monkeypatch.context() as patch:
        patch.setattr(where, name, lambda *given, **options: st.stop())
        app.run()


@pytest.mark.parametrize("part", [choose_parts.DETAILS, choose_parts.CURVES, choose_parts.ANSWER])
def test_publish_opens_its_dialog_whichever_part_the_click_comes_with(app: AppTest, part: str) -> None:
    with asked_of(part, app):
        named(app, words.PUBLISH).click().run()
    assert not app.exception and app.text_input(key="publish_word")


def test_a_control_of_the_whole_page_is_obeyed_whichever_part_its_change_comes_with(app: AppTest) -> None:
    with asked_of(choose_parts.DETAILS, app):
        app.number_input(key="k").set_value(3).run()
    assert not app.exception
    (centers,) = [layer for layer in charts(app)[0]["layers"] if layer["id"] == "centers"]
    assert len(centers["data"]) == 3


def test_go_to_goes_there_whichever_part_the_click_comes_with(project_root: Path) -> None:
    app = no_answer(project_root)
    with asked_of(choose_parts.DETAILS, app):
        named(app, say.ACCEPT_GO.format(level="Sharpest")).click().run()
    assert not app.exception and app.select_slider(key="level").value == "Sharpest"


def no_answer(root: Path) -> AppTest:
    """A level without an answer, where the only other one that is known is the sharpest."""
    app = run(root, level="Sharpest")
    app.selectbox(key="method").set_value("peeled_balls").run()
    step(app, "Strictest")
    app.run()
    assert not app.exception and not charts(app)
    return app


def test_go_to_goes_where_it_said_although_a_nearer_level_is_known_by_now(
    project_root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Previews] = []
    monkeypatch.setattr(Previews, "prepare", lambda previews, *given: made.append(previews))  # no background
    app = no_answer(project_root)
    button = named(app, say.ACCEPT_GO.format(level="Sharpest"))
    assert isinstance(made[-1].main(Setting(method="peeled_balls", k=5, level=LEVELS[1].number)), Drawn)
    button.click().run()
    assert not app.exception and app.select_slider(key="level").value == "Sharpest"


def test_a_step_of_the_slider_completes_a_page_that_was_cut_short(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    app.number_input(key="k").set_value(3)
    cut_short(app, monkeypatch, choose_results, "drawers")
    step(app, "Careful")
    assert not app.exception and app.get("select_slider") and app.get("expander"), "all of the page"
    step(app, "Balanced")
    assert not app.exception and charts(app) and not app.get("select_slider"), "parts again"


def test_a_step_that_comes_with_a_wish_for_the_whole_page_draws_all_of_it(app: AppTest) -> None:
    """A run of the whole page has stopped all clocks by the time it calls anybody: it must reach its end."""
    app.select_slider(key="level").set_value("Careful").run()
    assert not app.exception and charts(app) and app.get("select_slider"), "all of the page"


def test_a_dialog_that_was_asked_for_opens_although_the_slider_moved_before_it_was_drawn(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    named(app, words.PUBLISH).click()
    cut_short(app, monkeypatch, choose_parts.publishing, "open_dialog")
    step(app, "Careful")
    assert not app.exception and app.text_input(key="publish_word").label == say.PUBLISH_CONFIRM.format(level="Careful")


def test_a_part_that_is_drawn_again_by_itself_completes_the_page(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    named(app, words.PUBLISH).click()
    cut_short(app, monkeypatch, choose_parts.publishing, "open_dialog")
    with asked_of(choose_parts.CURVES, app):
        app.run()
    assert not app.exception and app.text_input(key="publish_word") and charts(app)


def test_a_part_keeps_its_name_where_the_legend_is_missing(project_root: Path) -> None:
    """A click is sent with the name of its part, and dropped where there is no such part any more."""
    app = run(project_root, level="Sharpest")
    app.selectbox(key="method").set_value("peeled_balls").run()
    before = [app._fragment_storage.resolve_target(part) for part in (choose_parts.ANSWER, choose_parts.FIGURES)]
    step(app, "Strictest")
    assert not app.exception and not charts(app) and "dpv-figures" not in html(app)
    assert before == [
        app._fragment_storage.resolve_target(part) for part in (choose_parts.ANSWER, choose_parts.FIGURES)
    ]


def test_a_page_that_fails_is_not_drawn_again_by_its_parts(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*given: Any) -> None:
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setattr(choose_results, "drawers", fail)
        app.run()
    assert app.exception
    step(app, "Careful")
    assert not app.exception and not app.get("select_slider")


def test_what_the_background_finds_while_the_page_is_drawn_is_waited_for(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Asked after the map was drawn, a background that ended meanwhile would leave the page as it was for good."""
    asked: list[str] = []
    for where, name in ((choose_results, "is_settled"), (choose_map, "answer")):
        real = getattr(where, name)

        def noted(*given: Any, real: Any = real, name: str = name, **options: Any) -> Any:
            asked.append(name)
            return real(*given, **options)

        monkeypatch.setattr(where, name, noted)
    app.run()
    assert asked.index("is_settled") < asked.index("answer")
