"""On the page *Data* of a hosted house: of which populations and data sets nothing is published by one person alone."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from dpviz.errors import DpvizError
from dpviz.hosting.desk import Desk, Ruled
from dpviz.ui.page_parts import tables, words
from dpviz.ui.person import page_running
from dpviz.ui.person import words as say

PLACE = "rules"  # where the page says what became of a click here


def draw(desk: Desk) -> None:
    """The section, for a steward."""
    listed = desk.ruled()
    if not listed:
        return
    st.header(say.RULES)
    if desk.always_needs_second_person:
        st.markdown(say.RULE_ALWAYS)
        return
    st.markdown(say.RULES_NOTE)
    rows = [
        (one.name, say.RULE_POPULATION if one.is_population else say.RULE_DATA, say.YES if one.needed else say.NO)
        for one in listed
    ]
    tables.show(pd.DataFrame(rows, columns=list(say.RULES_COLUMNS)), caption=say.RULES)
    free = {one.name: one for one in listed if not one.needed}
    if free:
        _make(desk, free)
    else:
        st.caption(say.RULE_ALL)
    page_running.at(PLACE)


def _make(desk: Desk, free: dict[str, Ruled]) -> None:
    chosen = st.selectbox(
        say.RULE_WHICH,
        list(free),
        format_func=lambda name: say.RULE_OF.format(name=name) if free[name].is_population else name,
        key="rule_which",
    )
    why = st.text_input(say.RULE_WHY, key="rule_why", max_chars=300)
    if not st.button(say.RULE_GO, key="rule_go"):
        return
    try:
        desk.require_second_person(str(chosen), why)
    except DpvizError as problem:
        st.error(words.sentence(problem.message))
        return
    page_running.say_later("success", say.RULE_DONE.format(name=chosen), PLACE)
    st.rerun()
