"""The unit of protection in the dialog *Use your own data*: asked where a column may identify persons, never guessed.

The curator sees what the columns hold; in a strict preview only their names are used. If the records resemble another
data set, the dialog also asks whether the people are the same.
"""

from __future__ import annotations

from typing import Any

import streamlit as st

from dpviz.ingest.sources import TextForm
from dpviz.language.speaking import as_now
from dpviz.ui.own_data import unit_choice
from dpviz.ui.own_data import words as own_data_words
from dpviz.ui.own_data.unit_choice import Candidate
from dpviz.ui.page_parts import words
from dpviz.ui.session.session import current_session

Unit = tuple[str | None, int | None]  # a person column and a cap, or neither


def choose(given: Any, *, lon: str, lat: str, strict: bool, form: TextForm | None = None) -> Unit | None:
    """The unit of protection; None while the curator has not said it."""
    if given is None:
        return None, None
    key = (getattr(given, "file_id", None) or str(given), lon, lat, strict, form)
    with st.spinner(own_data_words.OWN_LOOKING):
        found = current_session().recent(
            "own_units",
            key,
            lambda: unit_choice.candidates(given, lon=lon, lat=lat, strict=strict, form=form),
            most=1,
        )
    return ask(found)


def ask(found: list[Candidate]) -> Unit | None:
    """The question about these columns; None while nobody has answered it."""
    able = {one.name: one for one in found if one.able}
    unit = st.radio(
        own_data_words.OWN_UNIT,
        ["record", "person"],
        index=None if able else 0,
        format_func={"record": own_data_words.OWN_UNIT_RECORD, "person": own_data_words.OWN_UNIT_PERSON}.get,
        horizontal=True,
        key=f"own_unit_{bool(able)}",
        disabled=not able,
    )
    best = next(iter(able.values()), None)
    if best is None:
        st.caption(own_data_words.OWN_NO_PERSONS)
        return None, None
    if unit is None:
        st.caption(best.proposal)
        return None
    if unit == "record":
        st.caption(best.record)
        return None, None
    return _person(able, [one for one in found if not one.able])


def _person(able: dict[str, Candidate], others: list[Candidate]) -> Unit:
    one, two = st.columns(2)
    with one:
        person = st.selectbox(own_data_words.OWN_PERSON, list(able), key="own_person")
    chosen = able[str(person)]
    with two:
        cap = st.number_input(
            own_data_words.OWN_CAP, min_value=1, max_value=1000, value=chosen.advised_cap, key=f"own_cap_{person}"
        )
    for sentence in (chosen.kept(int(cap)), unit_choice.refused(others)):
        if sentence:
            st.caption(sentence)
    return chosen.name, int(cap)


def ask_people(alike: tuple[str, ...]) -> tuple[str, str]:
    """Whether these are the people of a data set that they look like: its name, or why they are others."""
    if not alike:
        return "", ""
    st.warning(words.as_text(own_data_words.OWN_ALIKE.format(names="”, “".join(alike[:3])), 600))
    answers = [*alike, ""]
    called = {name: own_data_words.OWN_ALIKE_SAME.format(name=name) for name in alike} | {
        "": own_data_words.OWN_ALIKE_OTHER
    }
    answer = st.radio(
        own_data_words.OWN_ALIKE_ANSWER,
        answers,
        index=None,
        format_func=as_now(lambda name: called[name]),
        key="own_people",
    )
    if answer is None or answer:
        return str(answer or ""), ""
    return "", st.text_input(own_data_words.OWN_ALIKE_WHY, key="own_other_people", max_chars=300)
