"""Walks through the real pages of a hosted house: each way to a charge, with who may take it."""

from __future__ import annotations

import json
import time
import types
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

import dpviz
from dpviz.domain import ExactCounts, GeoBox, Grid
from dpviz.errors import LedgerRefusal, NotYourRole
from dpviz.hosting import hosted_city
from dpviz.hosting.desk import Desk
from dpviz.ingest import read_counts
from dpviz.ledger.ledger import Ledger
from dpviz.ledger.persons import Person, Role
from dpviz.privacy import Budget
from dpviz.publishing import approvals as second
from dpviz.releases.request import ReleaseRequest
from dpviz.series.series import Series, begin_series, publish_period
from dpviz.ui.own_data.registration import source_of
from dpviz.ui.person import words as hosted
from tests.ui.parts import confirm_publishing
from tests.ui.test_compare_page import checked
from tests.ui.test_hosted_door import ENVIRONMENT, FILE

pytestmark = pytest.mark.filterwarnings("default")  # Streamlit's own warnings are its own affair
BOX = GeoBox(-74.05, 40.70, -73.90, 40.80)
REQUEST = ReleaseRequest(k=2, budget=Budget(epsilon=0.5), method="uniform_grid")
SignIn = Callable[..., None]
ALWAYS = '[publishing]\nsecond_person = "always"\n'


def some_counts(seed: int = 0, side: int = 16) -> ExactCounts:
    return ExactCounts.from_array(Grid(BOX, side), np.random.default_rng(seed).poisson(3.0, (side, side)))


@pytest.fixture
def sign_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, project_root: Path) -> Iterator[SignIn]:
    """Make this process a hosted one, and sign somebody in: what the check in front tells the pages."""
    (tmp_path / "taxi").mkdir()
    monkeypatch.setenv("DPVIZ_LEDGER", str(tmp_path / "ledger.sqlite3"))
    monkeypatch.setenv("DPVIZ_DATA", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(project_root))  # for the program that reads

    rerun = st.rerun
    monkeypatch.setattr(st, "rerun", lambda **_: rerun())  # the test's browser runs whole pages, no fragments

    def enter(name: str, *roles: Role, always: bool = False) -> None:
        text = FILE.replace("[sign_in]", (ALWAYS if always else "") + "[sign_in]")
        (tmp_path / "city.toml").write_text(text, encoding="utf-8")
        for variable, value in (ENVIRONMENT | {"DPVIZ_CITY": str(tmp_path / "city.toml")}).items():
            monkeypatch.setenv(variable, value)
        told = {"person": name, "roles": ",".join(roles)}
        monkeypatch.setattr(st, "user", types.SimpleNamespace(get=told.get))
        hosted_city.city.cache_clear()

    yield enter
    hosted_city.city.cache_clear()


def page(project_root: Path, name: str) -> AppTest:
    app = AppTest.from_file(str(project_root / "city_app.py"), default_timeout=120)
    app.run()
    return go_to(app, name)


def go_to(app: AppTest, name: str) -> AppTest:
    return checked(app.switch_page(f"pages/{name}.py").run())


def read(app: AppTest) -> AppTest:
    """Run the page again until its reading has ended."""
    for _ in range(300):
        if not [one for one in app.button if one.key == "reading_cancel"]:
            return checked(app)
        time.sleep(0.2)
        app.run()
    raise AssertionError("the reading has not ended")


@pytest.fixture
def series(tmp_path: Path, rides: Path) -> Series:
    return begin_series(
        "trips",
        people="riders",
        whole=Budget(epsilon=4.0),
        box=BOX,
        k=2,
        side=16,
        periods=3,
        first_share=0.5,
        ledger=tmp_path / "ledger.sqlite3",
        who="Ada",
        why="council",
    )


@pytest.fixture
def rides(sign_in: SignIn, tmp_path: Path) -> Path:
    """The file of the named source: one record per row, of two months."""
    chance = np.random.default_rng(1)
    rows = [
        f"{lon:.6f},{lat:.6f},2026-{1 + number % 2:02d}-1{number % 9}"
        for number, (lon, lat) in enumerate(chance.uniform((-74.05, 40.7), (-73.9, 40.8), (3000, 2)))
    ]
    file = tmp_path / "taxi" / "rides.csv"
    file.write_text("lon,lat,day\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return file


def ask_for_january(app: AppTest) -> AppTest:
    app.button(key="next_series-0").click().run()
    app.text_input(key="period_label").set_value("2026-01").run()
    assert not [one for one in app.text_input if "file" in str(one.key) or "who" in str(one.key)]
    app.selectbox(key="period_2026-01_source").set_value("Taxi").run()
    app.text_input(key="period_time_2026-01").set_value("day").run()
    app.button(key="period_go").click().run()
    return read(app)


def test_an_approver_publishes_no_period_on_the_page(sign_in: SignIn, series: Series, project_root: Path) -> None:
    sign_in("ada@city.example", Role.APPROVER)
    shown = page(project_root, "publications")
    assert "trips" in [one.value for one in shown.header]
    assert not [one for one in shown.button if one.key == "next_series-0"]
    with pytest.raises(NotYourRole, match="signed-in"):  # whatever a page or a helper hands over
        publish_period(series, "2026-03", some_counts(), who="anna@city.example", why="x")
    ada = Person(name="ada@city.example", roles=frozenset({Role.APPROVER}))
    with pytest.raises(NotYourRole, match="for a publisher"):
        publish_period(series, "2026-03", some_counts(), who=ada, why="x")
    assert Ledger().charges() == [] and Ledger().datasets() == []


def test_a_publisher_publishes_a_period_from_a_named_source(
    sign_in: SignIn, series: Series, project_root: Path
) -> None:
    sign_in("piet@city.example", Role.PUBLISHER)
    shown = ask_for_january(page(project_root, "publications"))
    assert [one.value for one in shown.success] == ["January 2026 of “trips” is published."]
    (charge,) = Ledger().charges()
    assert (charge.who, charge.dataset, charge.stored) == ("piet@city.example", "trips 2026-01", True)
    shown.button(key="next_series-0").click().run()  # the next one is known by the last one
    assert shown.text_input(key="period_time_2026-02").value == "day"
    shown.button(key="period_go").click().run()
    read(shown)
    assert [one.period.label for one in series.published()] == ["2026-01", "2026-02"]
    assert "taxi" not in json.dumps([dict(note.facts) for note in Ledger().notes()])  # no path of the server


def test_in_an_always_house_a_period_is_asked_for_and_somebody_else_publishes_it(
    sign_in: SignIn, series: Series, project_root: Path
) -> None:
    sign_in("piet@city.example", Role.PUBLISHER, Role.APPROVER, always=True)
    shown = ask_for_january(page(project_root, "publications"))
    assert [one.value for one in shown.success] == [hosted.ASK_DONE] and Ledger().charges() == []
    shown.button(key="next_series-0").click().run()
    shown.text_input(key="period_label").set_value("2026-01").run()
    assert [one.value for one in shown.success] == [hosted.ASK_DONE]  # once is enough
    (asked,) = second.requests(Ledger())
    own = page(project_root, "requests")
    assert not [one for one in own.button if one.key == f"approve_{asked.id}"]
    sign_in("ada@city.example", Role.APPROVER, always=True)
    desk = page(project_root, "requests")
    desk.button(key=f"approve_{asked.id}").click().run()
    read(desk)
    assert [one.value[:22] for one in desk.success] == ["Approved and published"]
    (charge,) = Ledger().charges()
    assert (charge.who, charge.stored) == ("piet@city.example", True)
    assert [one.period.label for one in series.published()] == ["2026-01"]


def test_an_always_house_binds_what_the_command_line_registered(sign_in: SignIn, tmp_path: Path) -> None:
    dataset = dpviz.register("march", some_counts(), total=Budget(epsilon=2.0), who="root")
    sign_in("piet@city.example", Role.PUBLISHER, always=True)
    found = hosted_city.city()
    assert found is not None
    piet = Desk(found, Person(name="piet@city.example", roles=frozenset({Role.PUBLISHER})), Ledger())
    assert piet.needs_second_person("march")
    with pytest.raises(LedgerRefusal, match="second person"):
        piet.publish(dataset, REQUEST)
    with pytest.raises(LedgerRefusal, match="second person"):
        dpviz.publish(dataset, REQUEST, who=piet.person)
    assert Ledger().charges() == []
    ada = Desk(found, Person(name="ada@city.example", roles=frozenset({Role.APPROVER})), Ledger())
    ada.approve(piet.ask(dataset, REQUEST, "cycling"), some_counts())
    assert [charge.who for charge in Ledger().charges()] == ["piet@city.example"]


def told_word(app: AppTest, key: str) -> list[str]:
    return [str(one.key) for one in app.button if str(one.key) == key]


def test_a_steward_registers_with_a_stand_in_and_a_publisher_publishes(
    sign_in: SignIn, rides: Path, project_root: Path
) -> None:
    sign_in("anna@city.example", Role.STEWARD)
    data = page(project_root, "data")
    data.button(key="data_look").click().run()
    read(data)
    (box,) = [one for one in data.text_input if str(one.key).startswith("own_box_")]
    box.set_value("-74.05, 40.70, -73.90, 40.80").run()
    data.checkbox(key="own_strict").check().run()
    data.checkbox(key="data_second").set_value(False).run()
    data.text_input(key="data_why").set_value("cycling plan").run()
    data.button(key="data_register").click().run()
    read(data)
    assert [one.value for one in data.success] == ["“Taxi” is registered under your name."]
    (bought,) = Ledger().charges()
    assert (bought.who, bought.purpose, bought.stored) == ("anna@city.example", "stand-in", True)
    sign_in("piet@city.example", Role.PUBLISHER)
    data = page(project_root, "data")
    assert not told_word(data, "data_look") and not told_word(data, "data_register")
    data.button(key="data_go").click().run()
    choose = go_to(read(data), "choose")  # where the page has gone
    (publish,) = [one for one in choose.button if one.label == "Publish this level …"]
    publish.click().run()
    confirm_publishing(choose).text_input(key="publish_word").set_value("Balanced").run()
    choose.button(key="publish_go").click().run()
    checked(choose)
    assert [(one.who, one.purpose) for one in Ledger().charges()] == [
        ("anna@city.example", "stand-in"),
        ("piet@city.example", "balanced"),
    ]


def test_in_an_always_house_the_page_asks_for_a_data_set_of_the_command_line_too(
    sign_in: SignIn, rides: Path, project_root: Path
) -> None:
    named = read_counts(str(rides), box=BOX, side=1024, lon="lon", lat="lat", protect="record", strict=True)
    dataset = dpviz.register("march", named, total=Budget(epsilon=2.0), who="root")
    sign_in("piet@city.example", Role.PUBLISHER, always=True)
    data = page(project_root, "data")
    data.button(key="data_go").click().run()
    assert "was not registered here" in checked(data).error[0].value  # the page does not know where its records lie
    home = source_of(dataset, named)
    data.session_state["dpviz"].open_own(home)
    choose = go_to(data, "choose")
    (publish,) = [one for one in choose.button if one.label == "Publish this level …"]
    publish.click().run()
    choose.button(key="publish_next").click().run()
    assert not told_word(choose, "publish_go") and not told_word(choose, "publish_next")
    choose.text_input(key="publish_why").set_value("cycling plan").run()
    choose.button(key="publish_ask").click().run()
    assert [one.value for one in checked(choose).success] == [hosted.ASK_DONE]
    (asked,) = second.requests(Ledger())
    assert (asked.who, asked.dataset) == ("piet@city.example", "march") and Ledger().charges() == []


def test_words_and_states_are_changed_by_who_may_under_their_name(sign_in: SignIn, project_root: Path) -> None:
    dataset = dpviz.register("march", some_counts(), total=Budget(epsilon=2.0), who="root")
    for k in (2, 3):
        dpviz.publish(dataset, replace(REQUEST, k=k), who="root")
    sign_in("ada@city.example", Role.APPROVER)
    shown = page(project_root, "publications")
    steps = {str(one.key): one.disabled for one in shown.button if "_own-0" in str(one.key)}
    assert {key for key, disabled in steps.items() if disabled} == {
        "correct_own-0",
        "supersede_own-0",
        "withdraw_own-0",
    }
    sign_in("piet@city.example", Role.PUBLISHER, always=True)
    shown = page(project_root, "publications")
    for step, kind in (("correct", "version"), ("supersede", "superseded")):
        shown.button(key=f"{step}_own-0").click().run()
        assert not [one for one in shown.text_input if one.key == "life_by"]  # the sign-in says who
        shown.text_input(key="life_why").set_value("a better one").run()
        shown.button(key="life_go").click().run()
        checked(shown)
        assert [note.who for note in Ledger().notes(kind)][-1] == "piet@city.example"
    assert len(Ledger().charges()) == 2
