"""Everybody's own level on the screen: the form proposes the column, the reading carries it, the budget is told."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import dpviz
from dpviz.domain.counts import LevelCounts
from dpviz.hosting.desk import Terms
from dpviz.hosting.reading_process import Wish
from dpviz.ui.choose import scene
from dpviz.ui.own_data.registration import list_known, open_file, reopen_file
from dpviz.ui.session import methods, regions, state

BOX = "11.2,43.74,11.3,43.81"


@pytest.fixture
def file(rides: Callable[[str, list[str]], Path]) -> Path:
    return rides("consent", ["Detailed", "Strict", ""])


def form() -> None:
    import streamlit as st

    from dpviz.ui.own_data import dialog_form

    st.text(str(dialog_form.choose_level(["lon", "lat", "floor_level", "privacy_epsilon"], ("lon", "lat"))))
    st.text(str(dialog_form.choose_level(["lon", "lat", "speed"], ("lon", "lat"))))


def test_the_form_proposes_a_column_by_its_name_and_asks_nothing_where_none_fits() -> None:
    app = AppTest.from_function(form).run()
    assert [one.value for one in app.text] == ["('', '')", "('', '')"]
    app.selectbox(key="own_level").set_value("privacy_epsilon").run()
    assert app.text[0].value == "('privacy_epsilon', 'epsilon')"
    app.radio(key="own_level_scale").set_value("level").run()
    assert app.text[0].value == "('privacy_epsilon', 'level')"


def test_a_file_with_a_column_of_levels_is_opened_and_opened_again(file: Path) -> None:
    wish = Wish(box=BOX, lon="lon", lat="lat", level="consent", level_scale="level")
    assert Wish.from_facts(wish.facts()) == wish
    source = open_file(str(file), wish, Terms(name="rides", total=dpviz.Budget(epsilon=2.0)))
    data = source.exact_data
    assert isinstance(data, LevelCounts) and data.unit.level_column == "consent"
    assert data.exact_by_level.sum() == data.exact_total == 3000
    assert methods.offered(data) == [] and not regions.possible(data)
    again = reopen_file(list_known()[0]).exact_data
    assert isinstance(again, LevelCounts) and (again.exact_by_level == data.exact_by_level).all()
    told = {one["name"]: one for one in scene.odds(source, state.AUTO, 2.0)}
    assert "Strict 53" in told["Detailed"]["after"] and "Strict 53" not in told["Strict"]["after"]
    assert told["Detailed"]["budget"] == told["Strict"]["budget"] == (0.0, 1.0)  # one release uses it up


def bar() -> None:
    from types import SimpleNamespace
    from unittest.mock import patch

    import pandas as pd

    import dpviz
    from dpviz.ui.choose import page_controls
    from dpviz.ui.session.preview import Drawn

    rows = pd.DataFrame({"lon": [11.25] * 10_000, "lat": [43.77] * 10_000, "said": ["Detailed", "Strict"] * 5000})
    counts = dpviz.read_counts(rows, box=(11.2, 43.74, 11.3, 43.81), side=32, level="said")
    known = Drawn.__new__(Drawn)
    release = dpviz.release(counts, k=2, budget=dpviz.Budget(epsilon=0.5), seed=1)
    object.__setattr__(known, "release", release)
    with patch.object(page_controls.workspace, "looked_at", return_value=known):
        page_controls._own_levels(SimpleNamespace(chosen=None), SimpleNamespace(exact_data=counts))


def test_shares_of_levels_are_told_with_what_they_may_be_off() -> None:
    told = AppTest.from_function(bar).run()
    assert not told.exception
    said = dict(re.findall(r"(\w+) \d+ ± (\d+)", told.caption[-1].value))
    # 1.645 standard deviations of 16 Laplace numbers of scale 1 / (.05 · .5) and 1 / (.05 · .1), of some 10,000
    assert 2 <= int(said["Detailed"]) <= 6 and int(said["Strict"]) in range(5 * int(said["Detailed"]) - 5, 31)
