"""Walks through the real pages of a hosted house: each way to a charge, with who may take it."""

from __future__ import annotations

import types
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

import dpviz
from dpviz.domain import ExactCounts, GeoBox, Grid
from dpviz.errors import LedgerRefusal, NotYourRole
from dpviz.privacy import Budget
from dpviz.releases import Ledger, ReleaseRequest, begin_series, publish_period
from dpviz.ui.hosting import house
from dpviz.ui.hosting.desk import Desk
from dpviz.ui.hosting.roles import Person, Role
from tests.ui.test_hosted_door import ENVIRONMENT, FILE

pytestmark = pytest.mark.filterwarnings("default")  # Streamlit's own warnings are its own affair
BOX = GeoBox(-74.05, 40.70, -73.90, 40.80)
REQUEST = ReleaseRequest(k=2, budget=Budget(epsilon=0.5), method="uniform_grid")
SignIn = Callable[..., None]
ALWAYS = '[publishing]\nsecond_person = "always"\n'


def some_counts(seed: int = 0, side: int = 16) -> ExactCounts:
    return ExactCounts.from_array(Grid(BOX, side), np.random.default_rng(seed).poisson(3.0, (side, side)))


@pytest.fixture
def sign_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SignIn:
    """Make this process a hosted one, and sign somebody in: what the check in front tells the pages."""
    (tmp_path / "taxi").mkdir()
    monkeypatch.setenv("DPVIZ_LEDGER", str(tmp_path / "ledger.sqlite3"))
    monkeypatch.setenv("DPVIZ_DATA", str(tmp_path))

    def enter(name: str, *roles: Role, always: bool = False) -> None:
        text = FILE.replace("[sign_in]", (ALWAYS if always else "") + "[sign_in]")
        (tmp_path / "city.toml").write_text(text, encoding="utf-8")
        for variable, value in (ENVIRONMENT | {"DPVIZ_CITY": str(tmp_path / "city.toml")}).items():
            monkeypatch.setenv(variable, value)
        told = {"person": name, "roles": ",".join(roles)}
        monkeypatch.setattr(st, "user", types.SimpleNamespace(get=told.get))
        house.city.cache_clear()

    yield enter
    house.city.cache_clear()


def page(project_root: Path, name: str) -> AppTest:
    app = AppTest.from_file(str(project_root / "city_app.py"), default_timeout=120)
    app.run()
    app = app.switch_page(f"pages/{name}.py").run()
    assert not app.exception, app.exception
    return app


@pytest.fixture
def series(tmp_path: Path) -> dpviz.releases.Series:
    return begin_series(
        "trips",
        people="riders",
        whole=Budget(epsilon=4.0),
        box=BOX,
        k=2,
        side=16,
        periods=3,
        ledger=tmp_path / "ledger.sqlite3",
        who="Ada",
        why="council",
    )


def test_an_approver_publishes_no_period_on_the_page(
    sign_in: SignIn, series: dpviz.releases.Series, project_root: Path
) -> None:
    sign_in("ada@city.example", Role.APPROVER)
    shown = page(project_root, "publications")
    assert "trips" in [one.value for one in shown.header]
    assert not [one for one in shown.button if one.key == "next_series-0"]
    with pytest.raises(NotYourRole, match="signed-in"):  # whatever a page or a helper hands over
        publish_period(series, "2026-03", some_counts(), who="anna@city.example", why="x")
    with pytest.raises(NotYourRole, match="for a publisher"):
        publish_period(
            series, "2026-03", some_counts(), who=Person(name="ada@city.example", roles=frozenset({Role.APPROVER}))
        )
    assert Ledger().charges() == [] and Ledger().datasets() == []


def test_an_always_house_binds_what_the_command_line_registered(sign_in: SignIn, tmp_path: Path) -> None:
    dataset = dpviz.register("march", some_counts(), total=Budget(epsilon=2.0), who="root")
    sign_in("piet@city.example", Role.PUBLISHER, always=True)
    found = house.city()
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
