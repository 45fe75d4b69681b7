"""The page *Publications*: budgets that are always visible, and the life of releases with who and why."""

from __future__ import annotations

from html import escape
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import dpviz
from dpviz.domain import ExactCounts, GeoBox, Grid, Unit
from dpviz.hosting import hosted_city
from dpviz.hosting.config import read_city
from dpviz.ledger.ledger import Ledger
from dpviz.ledger.persons import Person, Role
from dpviz.life.feed import find_releases
from dpviz.life.publications import publications
from dpviz.publishing.door import publish
from dpviz.publishing.registration import register
from dpviz.releases.about import About
from dpviz.releases.release import Release
from dpviz.releases.request import ReleaseRequest
from dpviz.ui.compare import release_list
from dpviz.ui.page_parts import words
from dpviz.ui.person import page_person
from dpviz.ui.publications import logic, words as say
from dpviz.ui.session import accounts
from tests.ui.test_compare_page import checked, drawn, told
from tests.ui.test_hosted_door import ENVIRONMENT, FILE

pytestmark = pytest.mark.filterwarnings("default")  # Streamlit's own warnings are its own affair
PATIENCE = 120
HOSTILE = "**b** <i>x</i>"


def counts() -> ExactCounts:
    cells = np.zeros((32, 32), np.int64)
    cells[4:8, 4:8], cells[20:24, 22:26] = 400, 250
    return ExactCounts.from_array(Grid(GeoBox(-74.05, 40.70, -73.90, 40.80), 32), cells)


@pytest.fixture
def ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ledger:
    """Two releases of one data set, 75 of 100 parts of its budget spent; another one of which nothing is published."""
    monkeypatch.setenv("DPVIZ_LEDGER", str(tmp_path / "ledger.sqlite3"))
    monkeypatch.setenv("DPVIZ_DATA", str(tmp_path))
    book = Ledger(tmp_path / "ledger.sqlite3")
    january = register("january", counts(), total=dpviz.Budget(epsilon=2.0), ledger=book, who="Ada", why=HOSTILE)
    for epsilon, title in ((0.5, "Where trips end"), (1.0, "")):
        request = ReleaseRequest(k=2, budget=dpviz.Budget(epsilon=epsilon), method="uniform_grid")
        publish(january, request, who="Ada", why="council", about=About(title=title))
    register("february", counts() + counts(), total=dpviz.Budget(epsilon=1.0), ledger=book)
    return book


@pytest.fixture
def page(ledger: Ledger, project_root: Path) -> AppTest:
    return opened(project_root)


def opened(root: Path) -> AppTest:
    app = AppTest.from_file(str(root / "app.py"), default_timeout=PATIENCE)
    app.run()
    return checked(app.switch_page("pages/publications.py").run())


UNITS = {
    "rides": Unit(),
    "riders": Unit(person_column="rider_id", cap=3),
    "counted": Unit(weight_column="trips"),
    "parcels": Unit(weight_column="kilos", weight_bound=8, weight_step=0.5),
    "couriers": Unit(person_column="courier", cap=2, weight_column="kilos", weight_bound=8),
}


@pytest.fixture
def units(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ledger:
    """A dataset of every kind of unit."""
    monkeypatch.setenv("DPVIZ_LEDGER", str(tmp_path / "ledger.sqlite3"))
    monkeypatch.setenv("DPVIZ_DATA", str(tmp_path))
    book = Ledger(tmp_path / "ledger.sqlite3")
    for number, (name, unit) in enumerate(UNITS.items()):
        cells = np.random.default_rng(number).poisson(20, (4, 4))
        data = ExactCounts.from_array(Grid(GeoBox(-74.05, 40.70, -73.90, 40.80), 4), cells, unit=unit)
        register(name, data, total=dpviz.Budget(epsilon=1.0), ledger=book)
    return book


def test_a_dataset_of_any_unit_stands_on_the_page_of_publications(units: Ledger, project_root: Path) -> None:
    assert {row.name: row.unit for row in units.datasets()} == UNITS
    app = opened(project_root)
    text = drawn(app) + told(app)
    assert all(escape(words.unit_told(unit)) in text for unit in UNITS.values())
    assert text.count("role='meter'") == len(UNITS)


def test_a_dataset_of_any_unit_stands_on_the_hosted_page_of_data(
    units: Ledger, project_root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "taxi").mkdir()
    (tmp_path / "city.toml").write_text(FILE, encoding="utf-8")
    city = read_city(tmp_path / "city.toml", ENVIRONMENT)
    monkeypatch.setattr(hosted_city, "city", lambda: city)
    anna = Person(name="anna@city.example", roles=frozenset({Role.STEWARD}))
    monkeypatch.setattr(page_person, "current_person", lambda: anna)
    app = AppTest.from_file(str(project_root / "city_app.py"), default_timeout=PATIENCE)
    app.run()
    text = drawn(checked(app.switch_page("pages/data.py").run()))
    assert all(escape(words.unit_told(unit)) in text for unit in UNITS.values())
    (which,) = (box for box in app.selectbox if box.key == "data_open")
    assert set(which.options) == set(UNITS)


def test_budgets_are_told_of_100_and_with_what_they_still_allow(ledger: Ledger) -> None:
    february, january = accounts.accounts(ledger)
    assert (january.spent_parts, january.left_parts) == ("75", "25") and "“Balanced”" in january.suffices
    assert (february.spent_parts, february.left_parts) == ("0", "100") and "“Detailed”" in february.suffices
    meter = logic.draw_meter(january)
    assert "role='meter'" in meter and "aria-valuenow='75'" in meter and "of a budget of 2 in all" in meter
    assert accounts.Account(**{**vars(january), "left": 0.0}).suffices == words.SUFFICES_NOT


def test_releases_are_listed_with_title_date_level_author_reason_and_state(ledger: Ledger) -> None:
    january = accounts.accounts(ledger)[1]
    rows = logic.make_table(january.releases, january.releases)
    assert list(rows.columns) == list(say.COLUMNS)
    latest, first = rows.itertuples(index=False, name=None)
    day = january.releases[0].created[:10]
    assert latest == ("2 centers, Uniform grid", day, "Detailed", "1", "Ada", "council", "published")
    assert first[0] == "Where trips end" and first[2] == "Balanced"


def test_the_page_shows_every_meter_at_once_and_takes_no_text_for_markup(page: AppTest) -> None:
    assert drawn(page).count("role='meter'") == 2
    assert "**b**" not in told(page) and "<i>x" not in told(page).replace("\\<i\\>x", "")
    assert "Where trips end" in drawn(page) and "Nothing of it has been published." in told(page)


def test_a_withdrawal_asks_who_and_why_and_is_told_to_readers(page: AppTest, ledger: Ledger) -> None:
    chosen = accounts.accounts(ledger)[1].releases[0]
    page.button(key="withdraw_own-1").click().run()
    page.button(key="life_go").click().run()
    assert [error.value for error in page.error] == [say.WHO_MISSING]
    page.text_input(key="life_by").input("Grace")
    page.button(key="life_go").click().run()
    assert [error.value for error in page.error] == [say.WHY_MISSING]
    assert {one.state for one in publications(ledger)} == {"published"}, "nothing is written before both are said"
    page.text_input(key="life_why").input("wrong month")
    page.text_input(key="life_notice").input("Wait for the {next} one.")
    page.button(key="life_go").click().run()
    checked(page)
    assert "is withdrawn" in page.success[0].value
    after = next(one for one in publications(ledger) if one.id == chosen.id)
    assert (after.state, after.notice) == ("withdrawn", "Wait for the {next} one.")
    assert float(ledger.remaining("january").epsilon) == 0.5, "nothing is refunded"
    assert page.button(key="withdraw_own-1").disabled and "withdrawn: Wait for" in drawn(page)
    found = find_releases([ledger.store])
    sentence = release_list.tell_news(next(one for one in found.releases if one.id == chosen.id), found)[0]
    withdrawn = "A was withdrawn by its publisher and should no longer be used. "
    assert sentence.format(which="A") == withdrawn + words.as_text(after.notice)


def test_another_release_takes_the_place_of_one_and_readers_hear_its_name(page: AppTest, ledger: Ledger) -> None:
    latest, first = accounts.accounts(ledger)[1].releases
    page.selectbox(key="publication_own-1_2").set_value(first.id).run()
    page.button(key="supersede_own-1").click().run()
    assert page.selectbox(key="life_heir").options == [logic.name_of(latest)]
    page.text_input(key="life_by").input("Grace")
    page.text_input(key="life_why").input("more detail was allowed")
    page.button(key="life_go").click().run()
    checked(page)
    assert f"superseded by {logic.title_of(latest)}" in drawn(page)
    found = find_releases([ledger.store])
    sentence = release_list.tell_news(next(one for one in found.releases if one.id == first.id), found)[0]
    assert release_list.name_releases(found.releases)[latest.id] in sentence and latest.id[:6] not in sentence


def test_other_words_are_a_further_version_and_cost_nothing(page: AppTest, ledger: Ledger) -> None:
    page.button(key="correct_own-1").click().run()
    page.text_input(key="life_title").input("Where trips end, in more detail")
    page.text_input(key="life_by").input("Grace")
    page.text_input(key="life_why").input("a title was missing")
    page.button(key="life_go").click().run()
    checked(page)
    january = accounts.accounts(ledger)[1]
    assert january.left == 0.5 and len(january.releases) == 3
    newest = next(one for one in january.releases if one.version == 2)
    assert logic.name_of(newest).startswith("Where trips end, in more detail · Detailed · ")
    assert logic.name_of(newest).endswith("version 2")


def test_a_release_is_downloaded_again_and_shown_in_compare(page: AppTest, ledger: Ledger) -> None:
    assert len(page.get("download_button")) == 1
    latest, first = accounts.accounts(ledger)[1].releases
    page.button(key="compare_own-1").click().run()
    checked(page)
    assert page.title[0].value == "Compare what was published"
    assert [box.value for box in page.selectbox[:2]] == [latest.id, first.id]


def test_a_damaged_release_is_said_and_the_page_stays_up(ledger: Ledger, project_root: Path) -> None:
    latest = accounts.accounts(ledger)[1].releases[0]
    (ledger.folder_of(latest.id) / "centers.csv").write_text("lon,lat,weight\n0,0,1\n", encoding="utf-8")
    page = opened(project_root)
    assert len(page.error) == 1 and drawn(page).count("role='meter'") == 2


def test_an_empty_ledger_says_what_to_do_and_leaves_no_file(
    project_root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DPVIZ_LEDGER", str(tmp_path / "none.sqlite3"))
    app = opened(project_root)
    assert app.header[0].value == "Nothing has been registered yet" and not list(tmp_path.glob("none*"))


def test_a_file_that_is_no_ledger_is_said_in_one_sentence(
    project_root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "trips.csv").write_text("lon,lat\n1,2\n", encoding="utf-8")
    monkeypatch.setenv("DPVIZ_LEDGER", str(tmp_path / "trips.csv"))
    assert len(opened(project_root).error) == 1


def test_a_release_of_somebody_unknown_is_not_called_published(ledger: Ledger, tmp_path: Path) -> None:
    from dpviz.ui.compare import logic as compare

    (release,) = [one for one in find_releases([ledger.store]).releases if one.about.get("title")]
    assert isinstance(release, Release) and compare.warnings_about(release) == []
    assert compare.title(release).startswith("Where trips end · Balanced")
    for key in tmp_path.glob("signing-key*"):
        key.unlink()
    (stranger,) = [one for one in find_releases([ledger.store]).releases if one.id == release.id]
    assert compare.warnings_about(stranger) == [
        (
            "{which}: this computer does not know who signed it. Ask the publisher for the key in another way, and "
            "check the release with the command “dpviz verify”."
        )
    ]
