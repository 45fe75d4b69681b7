"""The address of Choose: a copied one opens the same screen, a bad one falls back with one sentence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from dpviz.ui.session import address
from dpviz.ui.session.session import Session
from dpviz.ui.session.state import ChooseState
from tests.ui.stages import news

pytestmark = pytest.mark.filterwarnings("default")
FULL = {
    "level": "Strict",
    "k": "3",
    "method": "uniform_grid",
    "days": "week",
    "hour": "17",
    "watched": "Queens",
    "shift": "250",
}


def run(root: Path, **query: str) -> AppTest:
    app = AppTest.from_file(str(root / "app.py"), default_timeout=120)
    for name, value in query.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception, [error.message for error in app.exception]
    return app


def held(app: AppTest) -> dict[str, str]:
    """The address as the page left it."""
    return {key: value[0] if isinstance(value, list) else value for key, value in app.query_params.items()}


def shown(app: AppTest) -> tuple[Any, ...]:
    session: Session = app.session_state["dpviz"]
    chosen = session.chosen
    names = ("data", "days", "hour", "watched", "k", "method", "accept_value", "accept_measure")
    return (chosen.level.name, *(getattr(chosen, name) for name in names))


def test_an_address_with_everything_opens_that_screen_and_keeps_its_words(project_root: Path) -> None:
    app = run(project_root, **FULL)
    assert shown(app) == ("Strict", "city", 7, 17, "Queens", 3, "uniform_grid", 250.0, "shift")
    assert held(app) == FULL
    assert not app.info
    html = " ".join(element.proto.body for element in app.get("html"))
    assert "one week, 17:00–18:00" in html
    assert any("Points outside Queens" in str(one) for one in news(app)["figures"])


def test_what_is_chosen_on_the_page_stands_in_the_address_and_the_usual_does_not(project_root: Path) -> None:
    app = run(project_root)
    assert held(app) == {}
    app.selectbox(key="hour").set_value(4).run()
    app.button_group(key="days").set_value(1).run()
    assert held(app) == {"days": "day", "hour": "4"}
    copy = run(project_root, **held(app))
    assert shown(copy) == shown(app)
    app.selectbox(key="data").set_value("trips").run()
    assert not app.exception and held(app) == {"data": "trips"}
    copy = run(project_root, data="trips")
    assert copy.selectbox(key="data").value == "trips"


@pytest.mark.parametrize(
    ("query", "parts"),
    [
        ({"level": "Nonsense"}, ("level",)),
        ({"k": "999", "days": "year", "hour": "-1"}, ("number of clusters", "number of days", "time of day")),
        ({"method": "<script>", "data": "theirs"}, ("method", "data set")),
        ({"watched": "Atlantis", "error": "nan"}, ("watched area", "limit of error")),
        ({"hour": "²"}, ("time of day",)),
    ],
)
def test_a_bad_address_opens_the_usual_screen_with_one_plain_sentence(
    project_root: Path, query: dict[str, str], parts: tuple[str, ...]
) -> None:
    app = run(project_root, **query)
    assert shown(app) == shown(run(project_root))
    (told,) = [info.value for info in app.info]
    assert all(part in told for part in parts)
    assert not any(value in told for value in query.values() if len(value) > 3), "foreign text is not repeated"
    app.number_input(key="k").set_value(4).run()
    assert not app.info, "told until something is chosen"


def test_small_slips_are_understood(project_root: Path) -> None:
    app = run(project_root, level="strict", method="uniform_grid")
    assert (shown(app)[0], shown(app)[6]) == ("Strict", "uniform_grid")
    assert not app.info


def test_own_data_never_stand_in_an_address() -> None:
    """That they are looked at does, so that a reload opens them again; which they are and where does not."""
    chosen = ChooseState(data="own", days=7, hour=3, watched="Queens", watched_box="1, 2, 3, 4", accept_value=5)
    assert address.written(chosen) == {"data": "own", "error": "5"}


def test_every_part_of_an_address_has_a_word(project_root: Path) -> None:
    assert all(address.complaint((key,)) for key in address.KEYS)


def test_coming_back_from_another_page_finds_what_was_chosen(project_root: Path) -> None:
    app = run(project_root, days="week", hour="17")
    app.switch_page("pages/evidence.py").run()
    app.switch_page("pages/choose.py").run()
    assert not app.exception and shown(app)[1:4] == ("city", 7, 17)
