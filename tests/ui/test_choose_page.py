"""The page Choose: what it hands to its stage, and what becomes of a click in whatever company it comes."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from dpviz.domain import ExactCounts, GeoBox, Grid
from dpviz.ledger.ledger import Ledger
from dpviz.privacy import LEVELS, Budget
from dpviz.publishing.door import find_answer, publish
from dpviz.publishing.registration import register
from dpviz.releases.request import ReleaseRequest
from dpviz.ui.choose import page
from dpviz.ui.session import workspace
from dpviz.ui.session.session import Session
from dpviz.ui.session.workspace import Opened
from tests.ui.parts import asked_of, confirm_publishing
from tests.ui.stages import Browser, layer_names, news, places, scene, stop
from tests.ui.test_pages import html, run

pytestmark = pytest.mark.filterwarnings("default")  # Streamlit's own warnings are its own affair
PATIENCE = 120


def session(app: AppTest) -> Session:
    found: Session = app.session_state["dpviz"]
    return found


def named(app: AppTest, label: str) -> Any:
    return next(button for button in app.button if button.label == label)


def told(app: AppTest, browser: Browser, **said: Any) -> None:
    """The browser tells something of its stage; only the part that draws itself is run."""
    browser.says(turn=session(app).turn, **said)
    with asked_of("living", app):
        app.run()
    assert not app.exception, [error.message for error in app.exception]


@pytest.fixture(scope="module")
def opened(project_root: Path) -> AppTest:
    """The page as everybody finds it; not to be changed."""
    return run(project_root)


@pytest.fixture
def app(project_root: Path) -> AppTest:
    return run(project_root)


@pytest.fixture
def browser(monkeypatch: pytest.MonkeyPatch) -> Browser:
    return Browser(monkeypatch)


def test_choose_opens_on_the_city_with_slider_odds_and_map(opened: AppTest) -> None:
    dial = places(opened)["dial"]
    assert dial["wanted"]["level"] == 4
    assert [one["name"] for one in dial["given"]["stops"]] == [level.name for level in LEVELS]
    assert dial["given"]["stops"][3]["right"] == "63 times in 100"
    assert "Demonstration data" in html(opened)
    assert {"counted", "centers", "exact-centers"} <= layer_names(stop(opened, 4))
    assert set(places(opened)) == {"dial", "picture", "curves", "accepted", "drawers"}


def test_the_level_comes_from_the_address(project_root: Path) -> None:
    app = run(project_root, level="Strict")
    assert places(app)["dial"]["wanted"]["level"] == 6 and stop(app, 6) is not None


def test_an_address_with_nonsense_opens_the_default(project_root: Path) -> None:
    app = run(project_root, level="Nonsense", k="999")
    assert places(app)["dial"]["wanted"]["level"] == 4


def test_switched_off_layers_leave_the_page(app: AppTest, browser: Browser) -> None:
    told(app, browser, level=4, shown=frozenset({"protected", "pairs"}))
    found = layer_names(scene(app))
    assert "centers" in found and not [name for name in found if name.startswith("exact") or name == "coreset"]


def test_a_layer_that_was_never_sent_comes_when_it_is_asked_for(app: AppTest, browser: Browser) -> None:
    assert "exact-density" not in layer_names(scene(app))
    told(app, browser, level=4, shown=frozenset({"density"}))
    assert "exact-density" in layer_names(scene(app))


def test_a_known_step_changes_the_address_and_sends_no_picture_again(app: AppTest, browser: Browser) -> None:
    previews = workspace.previews
    made = session(app).part(Opened).previews["nyc-taxi", ()]
    for level in LEVELS:
        made.main(page.scene.setting_of(replace(session(app).chosen, level=level)))
    told(app, browser, level=4)
    before = scene(app)["id"]
    told(app, browser, level=6)
    assert scene(app)["id"] == before and session(app).chosen.level.name == "Strict"
    assert app.query_params["level"] in ("Strict", ["Strict"])
    assert previews is workspace.previews


def test_a_level_that_was_never_computed_comes_in_the_run_in_which_it_is_asked_for(
    app: AppTest, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dpviz.ui.session.preview.Previews.prepare", lambda *given: None)  # no background
    app.number_input(key="k").set_value(3).run()
    assert stop(app, 6) is None
    told(app, browser, level=6)
    assert len(stop(app, 6)["centers"]) == 3


def test_going_back_to_a_level_shows_the_same_preview(app: AppTest, browser: Browser) -> None:
    before = stop(app, 4)["centers"]
    told(app, browser, level=6)
    told(app, browser, level=4)
    assert stop(app, 4)["centers"] == before


def test_figures_curves_and_the_levels_table_cover_all_levels(opened: AppTest) -> None:
    found = news(opened)
    assert [row[0] for row in found["levels"]["rows"]] == [level.name for level in LEVELS]
    assert "Right guesses of 100, at most" in found["levels"]["heads"]
    assert [len(curve["middle"]) for curve in found["curves"]] == [len(LEVELS)] * 2
    assert "Points on the protected map" in str(found["figures"][3])


def test_the_maps_content_can_be_read_as_tables(opened: AppTest) -> None:
    centers, near = stop(opened, 4)["tables"]
    assert "Unprotected center near" in centers["heads"] and near["heads"][0] == "Neighbourhood"
    assert [row[0] for row in centers["rows"]] == ["1", "2", "3", "4", "5"]
    assert "Center 2, near" in stop(opened, 4)["told"]["2"]
    assert "from its unprotected partner" in stop(opened, 4)["told"]["2"]


def test_no_greek_letter_is_on_the_page_outside_the_details(opened: AppTest) -> None:
    staged = [{**one, "column": None} for one in (scene(opened), news(opened))]
    seen = html(opened) + str(staged) + str(places(opened)) + " ".join(element.value for element in opened.caption)
    assert not {letter for letter in seen if "α" <= letter.lower() <= "ω"}


def test_the_details_follow_the_level(app: AppTest, browser: Browser) -> None:
    app.session_state["details_open"] = True
    app.run()
    assert f"<b>Level</b>: Balanced (4 of {len(LEVELS)})" in html(app)
    told(app, browser, level=6)
    assert f"<b>Level</b>: Strict (6 of {len(LEVELS)})" in html(app)


def test_the_page_opens_on_all_trips_and_one_night_is_one_choice_away(app: AppTest) -> None:
    assert "one month, all day: 10,229,193 trips" in html(app)
    app.selectbox(key="hour").set_value(4).run()
    app.button_group(key="days").set_value(1).run()
    assert not app.exception and "one day, 04:00–05:00" in html(app)


# ---- what is clicked takes effect ---------------------------------------------------------------------------------


def test_publish_opens_its_dialog_when_the_click_comes_with_the_part_that_draws_itself(app: AppTest) -> None:
    with asked_of("living", app):
        named(app, "Publish this level …").click().run()
    assert not app.exception and app.button(key="publish_next")


def test_a_control_is_obeyed_when_its_change_comes_with_the_part_that_draws_itself(app: AppTest) -> None:
    with asked_of("living", app):
        app.number_input(key="k").set_value(3).run()
    assert not app.exception and len(stop(app, 4)["centers"]) == 3


def test_the_dialog_is_about_the_level_that_the_browser_has_told_last(app: AppTest, browser: Browser) -> None:
    browser.says(level=5)
    named(app, "Publish this level …").click().run()
    assert confirm_publishing(app).text_input(
        key="publish_word"
    ).label == "Type the level’s name to confirm: {level}".format(level="Careful")


@pytest.mark.parametrize(("label", "name"), [("Publish this level …", "publish"), ("Use your own data", "own")])
def test_the_clock_stands_still_while_a_dialog_is_open(
    app: AppTest, monkeypatch: pytest.MonkeyPatch, label: str, name: str
) -> None:
    """A tick that begins as a dialog's run ends would leave on screen what that run took away: an earlier refusal."""
    every: list[float | None] = []
    real = st.fragment

    def noted(*given: Any, **options: Any) -> Any:
        every.append(options["run_every"])
        return real(*given, **options)

    monkeypatch.setattr(st, "fragment", noted)
    monkeypatch.setattr(page.figures, "is_settled", lambda *given: False)  # further draws are made all the time
    app.run()
    named(app, label).click().run()
    assert session(app).dialog == name
    session(app).close_dialog()
    app.run()
    assert not app.exception and every == [page._CLOCK_SECONDS, None, page._CLOCK_SECONDS]


def test_a_refused_file_takes_away_nothing_that_was_said_of_the_data(app: AppTest, tmp_path: Path) -> None:
    broken = tmp_path / "broken.parquet"
    broken.write_bytes(b"PAR1 this is no parquet file PAR1")
    named(app, "Use your own data").click().run()
    app.selectbox(key="own_city").set_value("Berlin").run()
    app.number_input(key="own_times").set_value(5).run()
    app.checkbox(key="own_strict").check().run()
    app.text_input(key="own_path").set_value(str(broken)).run()
    assert [error.value for error in app.error] and not [one for one in app.button if one.key == "own_go"]
    app.text_input(key="own_path").set_value("").run()
    assert not app.exception and not app.error
    assert app.selectbox(key="own_city").value == "Berlin" and app.number_input(key="own_times").value == 5
    assert app.checkbox(key="own_strict").value, "the next file would be looked at as it is"


def test_a_tick_that_was_under_way_when_a_dialog_opened_leaves_it_as_it_is(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page.figures, "is_settled", lambda *given: False)
    named(app, "Publish this level …").click().run()
    monkeypatch.setattr(page.figures, "is_settled", lambda *given: True)
    with asked_of("living", app):
        app.run()
    assert not app.exception and not app.get("selectbox"), "the part alone"


def test_a_page_that_was_cut_short_is_completed_by_the_part_that_draws_itself(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(page.page_controls, "limits", lambda *given: st.stop())
        named(app, "Publish this level …").click().run()
    assert not [one for one in app.button if one.key == "publish_next"], "the planted case: it was cut short"
    with asked_of("living", app):
        app.run()
    assert not app.exception and app.button(key="publish_next")


def test_a_page_that_fails_is_not_drawn_again_by_itself(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*given: Any) -> None:
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setattr(page.page_controls, "limits", fail)
        app.run()
    assert app.exception
    with asked_of("living", app):
        app.run()
    assert not app.exception and not app.get("selectbox"), "the part alone"


def test_what_the_background_finds_while_the_page_is_drawn_is_waited_for(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Asked after the scene was made, a background that ended meanwhile would leave the page as it was for good."""
    asked: list[str] = []
    for where, name in ((page.figures, "is_settled"), (page.stage, "show")):
        real = getattr(where, name)

        def noted(*given: Any, real: Any = real, name: str = name, **options: Any) -> Any:
            asked.append(name)
            return real(*given, **options)

        monkeypatch.setattr(where, name, noted)
    app.run()
    assert asked.index("is_settled") < asked.index("show")


def test_what_a_browser_says_of_controls_that_were_drawn_anew_is_not_heard(app: AppTest, browser: Browser) -> None:
    """A clock sends what the browser knew before the server set something: it must not set it back."""
    session(app).set(k=7)
    app.run()
    assert len(stop(app, 4)["centers"]) == 7
    browser.says(turn=0, level=6)
    with asked_of("living", app):
        app.run()
    assert session(app).chosen.level.name == "Balanced" and session(app).chosen.k == 7


def test_a_wish_of_the_stage_is_fulfilled(project_root: Path, browser: Browser) -> None:
    app = run(project_root, level="Strictest", method="peeled_balls", days="day", hour="4")
    reason = stop(app, 7)["reason"]
    assert "No map at “Strictest”" in reason["title"]
    wish = next(way["wish"] for way in reason["ways"] if way["wish"])
    browser.says(turn=session(app).turn, level=7, wish=wish)
    with contextlib.suppress(KeyError):
        app.session_state["dpviz"] = session(app)
    _fulfil_in(app)
    app.run()
    assert not app.exception and session(app).chosen.method == "auto" and stop(app, 7)["reason"] is None


def _fulfil_in(app: AppTest) -> None:
    """The callback that Streamlit calls for a wish, in the session of this page."""
    found = session(app)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(page, "current_session", lambda: found)
        page._fulfil()


@pytest.mark.parametrize("wish", [{"method": "rm"}, {"days": 400, "hour": "x"}, {"level": 3}, {}])
def test_a_wish_for_something_else_changes_nothing(app: AppTest, browser: Browser, wish: dict[str, Any]) -> None:
    before = session(app).chosen
    browser.says(wish=wish)
    _fulfil_in(app)
    assert session(app).chosen == before


@pytest.fixture(autouse=True)
def _nothing_is_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr("dpviz.ui.own_data.registration.place", lambda: tmp_path / "opened.json")
    yield


def test_a_file_without_names_asks_how_its_rows_are_written_and_offers_no_record(app: AppTest, tmp_path: Path) -> None:
    rows = tmp_path / "rows.csv"
    rows.write_text("".join(f"{13.3 + i / 1000:.4f};{52.5:.2f}\n".replace(".", ",") for i in range(60)))
    named(app, "Use your own data").click().run()
    app.text_input(key="own_path").set_value(str(rows)).run()
    assert not app.exception and not app.error
    assert not [one for one in app.selectbox if one.key == "own_lon"]
    assert app.selectbox(key="own_separator").value is None
    app.selectbox(key="own_separator").set_value(";").run()
    app.selectbox(key="own_decimal").set_value(",").run()
    offered = app.selectbox(key="own_lon").options
    assert offered[:3] == ["", "column_1", "column_2"] and not any("13" in name and "," in name for name in offered)
    app.selectbox(key="own_lon").set_value("column_1").run()
    app.selectbox(key="own_lat").set_value("column_2").run()
    app.selectbox(key="own_city").set_value("Berlin").run()
    next(one for one in app.button if one.key == "own_go").click().run()
    assert not app.exception and not app.error
    assert Ledger().dataset("rows.csv") is not None


def test_what_a_stored_release_answers_is_offered_before_it_is_paid_for(app: AppTest, tmp_path: Path) -> None:
    box = GeoBox(13.3, 52.45, 13.5, 52.6)
    counts = ExactCounts.from_array(Grid(box, 32), np.full((32, 32), 40))
    dataset = register("rides", counts, total=Budget(epsilon=20.0, delta=1e-6))
    first = publish(dataset, ReleaseRequest(k=5, budget=Budget(epsilon=4.0)))
    answer = find_answer(dataset, ReleaseRequest(k=8, budget=Budget(epsilon=0.5)))
    assert answer is not None and answer.release.id == first.id

    def dialog(answer: object) -> None:
        import streamlit as st

        from dpviz.ui.choose.dialog_publish import _goes_on_although_answered

        st.session_state.goes_on = _goes_on_although_answered(answer, 8)  # type: ignore[arg-type]

    small = AppTest.from_function(dialog, args=(answer,), default_timeout=60).run()
    assert not small.exception and "8 centers" in small.info[0].value and "at no cost" in small.info[0].value
    assert not small.session_state.goes_on
    small.toggle[0].set_value(True).run()
    assert not small.exception and small.html
    small.checkbox[0].check().run()
    assert small.session_state.goes_on
