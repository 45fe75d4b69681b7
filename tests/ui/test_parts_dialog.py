"""A map for each group or hour on the screen: the form, the reading in its own process, what to expect, publishing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import dpviz
from dpviz.domain.parts import Division, Parts
from dpviz.hosting.desk import Terms
from dpviz.hosting.reading_process import Wish
from dpviz.publishing.datasets import looked_at_through_standin
from dpviz.ui.own_data.registration import list_known, open_file, reopen_file
from dpviz.ui.session.sources import Mode

BOX = dpviz.GeoBox(11.20, 43.74, 11.30, 43.81)


@pytest.fixture
def file(rides: Callable[[str, list[str]], Path]) -> Path:
    return rides("plan", ["member", "guest", "x"])


def form() -> None:
    import streamlit as st

    from dpviz.errors import InputError
    from dpviz.ui.own_data import dialog_form

    try:
        parts, time = dialog_form.choose_parts(
            ["lon", "lat", "plan", "when"], ("lon", "lat"), box="11.2,43.74,11.3,43.81", unit=("rider", 3)
        )
    except InputError as problem:
        st.error(problem.message)
        return
    st.text("none" if parts is None else f"{parts.facts()} {time}")


def test_the_form_asks_for_a_column_and_a_public_list() -> None:
    app = AppTest.from_function(form).run()
    assert app.text[0].value == "none"
    app.selectbox(key="own_parts").set_value("plan").run()
    assert "Name the groups" in app.error[0].value
    app.text_input(key="own_parts_values").set_value("member, guest").run()
    app.checkbox(key="own_parts_person").check().run()
    assert "'values': ['member', 'guest'], 'of_person': True" in app.text[0].value
    app.text_input(key="own_parts_values").set_value("member, Member").run()
    assert "two spellings" in app.error[0].value
    app.selectbox(key="own_parts").set_value("when").run()
    app.selectbox(key="own_parts_by").set_value("hour").run()
    app.text_input(key="own_parts_zone").set_value("Europe/Rome").run()
    assert "'by': 'hour', 'zone': 'Europe/Rome'" in app.text[0].value and app.text[0].value.endswith(" when")
    app.text_input(key="own_parts_zone").set_value("Florence").run()
    assert "no time zone" in app.error[0].value


@pytest.mark.parametrize("share", [0.0, 0.3])
def test_own_data_are_opened_by_parts_and_published_so(file: Path, share: float) -> None:
    parts = Parts(box=BOX, side=64, divisions=(Division(by="plan", values=("member", "guest")),))
    wish = Wish(box="11.2,43.74,11.3,43.81", parts=parts, side=64)
    assert Wish.from_facts(wish.facts()) == wish
    terms = Terms(name="rides", total=dpviz.Budget(epsilon=4.0), standin_share=share)
    source = open_file(file, wish, terms)
    assert source.parts == parts and source.mode is (Mode.STRICT if share else Mode.PREVIEW)
    assert source.exact_data.grid.side == 64 and (share > 0 or source.exact_data.exact_total == 3000)
    assert any("3 maps by plan" in fact for fact in source.facts)
    request = dpviz.ReleaseRequest(k=2, budget=dpviz.Budget(epsilon=1.0), parts=source.parts)
    made = dpviz.publish(source.dataset, request)
    assert isinstance(made, dpviz.Release) and made.part("guest").total().estimate == pytest.approx(1000, abs=120)
    again = reopen_file(list_known()[0])
    assert again.parts == parts and looked_at_through_standin("rides") is (share > 0)
