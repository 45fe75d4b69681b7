"""Series on the page *Publications*: the next period in two clicks, the window's meter, the map of what changed."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import dpviz
from dpviz.domain import GeoBox, Unit
from dpviz.series.series import (
    Series,
    begin_series,
    counts_of_period,
    last_records,
    publish_period,
    records_of,
    remember_records,
)
from dpviz.ui.page_parts import words
from dpviz.ui.page_parts.theme import LIGHT
from dpviz.ui.publications import logic, words as say
from dpviz_research.synthetic_months import synthetic_months
from tests.ui.test_compare_page import checked, drawn, told

pytestmark = pytest.mark.filterwarnings("default")  # Streamlit's own warnings are its own affair
BOX = GeoBox(-74.10, 40.70, -73.90, 40.90)


@pytest.fixture(scope="module")
def rides(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three months; in March three times as many records of other people."""
    made = synthetic_months(persons=600, seed=3, months=3)
    table = pd.DataFrame({"rider": made.person, "lon": made.lon.round(6), "lat": made.lat.round(6)})
    table["day"] = [f"2026-{month:02d}-15" for month in made.month]
    march = table[table["day"] == "2026-03-15"]
    more = [march.assign(rider=march["rider"] + 10_000 * copy) for copy in (1, 2)]
    file = tmp_path_factory.mktemp("rides") / "rides.csv"
    pd.concat([table, *more]).to_csv(file, index=False)
    return file


@pytest.fixture
def begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rides: Path) -> Series:
    """A series of which two months are published."""
    monkeypatch.setenv("DPVIZ_LEDGER", str(tmp_path / "ledger.sqlite3"))
    monkeypatch.setenv("DPVIZ_DATA", str(tmp_path))
    series = begin_series(
        "trips <b>",
        people="riders",
        whole=dpviz.Budget(epsilon=4.0),
        box=BOX,
        k=2,
        side=64,
        unit=Unit(person_column="rider", cap=3),
        periods=3,
        first_share=0.5,
        ledger=tmp_path / "ledger.sqlite3",
        who="Ada",
        why="council",
    )
    for label in ("2026-01", "2026-02"):
        counts = counts_of_period(series, label, str(rides), time="day")
        publish_period(series, label, counts, who="Ada", why="council")
    remember_records(series, records_of([str(rides)], time="day"))
    return series


@pytest.fixture
def page(begun: Series, project_root: Path) -> AppTest:
    app = AppTest.from_file(str(project_root / "app.py"), default_timeout=120)
    app.run()
    return checked(app.switch_page("pages/publications.py").run())


def test_the_next_period_is_two_clicks_and_keeps_everything(page: AppTest, begun: Series) -> None:
    assert "March 2026, costs 25 of 100 parts" in told(page) and "75 of 100 parts spent" in drawn(page)
    assert "trips <b>, February 2026" not in drawn(page) and "trips &lt;b&gt;, February 2026" in drawn(page)
    page.button(key="next_series-0").click().run()
    page.button(key="period_go").click().run()
    checked(page)
    assert "March 2026" in page.success[0].value
    march = begun.published()[-1]
    assert march.period.label == "2026-03" and march.id is not None
    (charge,) = [one for one in begun.ledger.charges() if one.key == march.id]
    assert (charge.who, charge.why) == ("Ada", "March 2026 of the series")
    (card,) = logic.cards(begun.ledger)
    assert card.account.releases[0].about["period_end"] == "2026-03-31"
    assert words.parts_of_100(card.account.left, card.account.total) == "0" and not card.next_parts
    assert "All periods of 2026 are published; the next one has a budget of its own." in told(page)


def test_what_changed_is_drawn_and_told_from_releases_alone(page: AppTest, begun: Series, rides: Path) -> None:
    counts = counts_of_period(begun, "2026-03", str(rides), time="day")
    publish_period(begun, "2026-03", counts)
    (card,) = logic.cards(begun.ledger)
    after, before = logic.comparable(card)[:2]
    found = logic.changes_of(before, after)
    box = logic.box_of(begun)
    assert len(found.clear) and (found.clear["change"] > 0).any()
    assert f"{len(found.clear)} of {len(found.table)} areas changed" in logic.tell_changes(found)
    rows = logic.changes_table(found, box)
    assert list(rows.columns) == list(say.CHANGES_COLUMNS) and 0 < len(rows) <= logic.MOST_CHANGES
    drawing = logic.draw_changes(found, box, LIGHT)
    assert drawing.count(f'fill="{logic.MORE}"') == (found.clear["change"] > 0).sum()
    page.run()
    assert "areas changed by more than chance" in told(page)
    assert "not about the city" in told(page)  # beside the ranges


def test_nothing_is_charged_where_the_records_are_not_found(page: AppTest, begun: Series) -> None:
    spent = len(begun.ledger.charges())
    page.button(key="next_series-0").click().run()
    page.text_input(key="period_file_2026-03").set_value("/nowhere/rides.csv").run()
    page.button(key="period_go").click().run()
    assert len(page.error) == 1 and "--" not in page.error[0].value
    page.text_input(key="period_file_2026-03").set_value("").run()
    page.button(key="period_go").click().run()
    assert [error.value for error in page.error] == ["Say which file holds the records, and which column their dates."]
    assert len(begun.ledger.charges()) == spent and last_records(begun) is not None


@pytest.mark.parametrize(("every", "label"), [("month", "2026-01"), ("week", "2026-W01"), ("day", "2026-01-02")])
def test_a_first_period_is_suggested_by_the_calendar(every: str, label: str) -> None:
    assert logic.first_label(every, date(2026, 1, 2)) == label
