"""The page *Data* of a hosted house: open registered data, and register new ones. No path is typed anywhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import pandas as pd
import streamlit as st

from dpviz.errors import DpvizError, InputError
from dpviz.hosting.desk import Desk, Ruled, Terms
from dpviz.hosting.reading_process import Given, RunningReading, Wish
from dpviz.hosting.roles import Role
from dpviz.language.speaking import as_now, told
from dpviz.ledger.persons import Step, is_allowed
from dpviz.privacy import LEVELS, Budget, level_by_name
from dpviz.publishing.datasets import DEFAULT_TOTAL_DELTA
from dpviz.publishing.populations import populations
from dpviz.publishing.record_similarity import LikelySamePeople
from dpviz.ui.own_data import dialog_box, dialog_unit, unit_choice
from dpviz.ui.own_data import words as own_data_words
from dpviz.ui.own_data.registration import source_of
from dpviz.ui.page_parts import elements, tables, words
from dpviz.ui.person import page_running
from dpviz.ui.person import words as say
from dpviz.ui.session.accounts import accounts
from dpviz.ui.session.session import current_session, current_theme

_OPEN, _REGISTER = "data_open", "data_register"  # where a reading is asked for


@dataclass(kw_only=True)
class Looked:
    """The file whose columns were looked at last, by name and size, and what was found."""

    about: tuple[str, int] | None = None
    columns: Mapping[str, Any] = field(default_factory=dict)
    alike: tuple[str, ...] = ()  # data sets that the records of `alike_name` look like, by the last refusal
    alike_name: str = ""


def draw(desk: Desk) -> None:
    """The whole page."""
    st.title(say.DATA_TITLE)
    title, text = say.DATA_MODE
    elements.banner((title.format(city=desk.house.name), text), "dpv-preview")
    busy = page_running.finish_reading()
    with st.container():
        page_running.draw_head(_OPEN, _REGISTER, _RULES)
    _registered(desk, busy)  # while something is read too: Streamlit forgets controls that a run leaves out
    page_running.draw_at(_OPEN)
    if is_allowed(desk.person, Step.REGISTER):
        _register(desk, busy)
        page_running.draw_at(_REGISTER)
        _draw_rules(desk)


def _registered(desk: Desk, busy: bool) -> None:
    st.header(say.REGISTERED)
    listed = accounts(desk.ledger)
    if not listed:
        people = ", ".join(sorted(desk.house.roles[Role.STEWARD].people | desk.house.roles[Role.STEWARD].groups))
        is_steward = is_allowed(desk.person, Step.REGISTER)
        st.markdown(
            say.NOTHING_REGISTERED if is_steward else words.as_text(say.NOTHING_TO_OPEN.format(people=people), 300)
        )
        return
    rows = [
        (one.dataset, one.unit, one.left_parts, say.YES if desk.needs_second_person(one.dataset) else say.NO, one.who)
        for one in listed
    ]
    tables.show(pd.DataFrame(rows, columns=list(say.REGISTERED_COLUMNS)), caption=say.REGISTERED)
    chosen = st.selectbox(say.OPEN_WHICH, [one.dataset for one in listed], key="data_open")
    how = desk.how(str(chosen))
    upload = None
    if how is not None and not how.source:
        upload = st.file_uploader(words.as_text(say.SEND_AGAIN.format(file=how.file)), key="data_again")
    lacks_file = how is not None and not how.source and not upload
    if st.button(say.OPEN, type="primary", key="data_go", disabled=busy or lacks_file):
        name = str(chosen)
        page_running.begin_reading(
            _OPEN, name, lambda: desk.begin_reading(name, upload), lambda reading: _open(desk, name, reading)
        )


def _open(desk: Desk, name: str, reading: RunningReading) -> None:
    counts, hints = reading.counts()
    dataset = desk.opened(name, counts)
    current_session().open_own(
        replace(source_of(dataset, counts, who=desk.person), notes=() if dataset.has_standin else hints)
    )
    st.switch_page("pages/choose.py")


# ---- a new data set --------------------------------------------------------------------------------------------


def _register(desk: Desk, busy: bool) -> None:
    st.header(say.REGISTER)
    st.markdown(say.REGISTER_NOTE)
    most = desk.house.limits.upload_bytes(desk.person.roles) // 2**20
    by_upload = say.SOURCE_UPLOAD.format(most=words.whole(most))
    options = [*(source.name for source in desk.house.sources), *([by_upload] if most else [])]
    if not options:
        st.info(say.SOURCE_NONE)
        return
    source = str(st.selectbox(say.SOURCE, options, key="data_source"))
    upload = None
    if source == by_upload:
        upload = st.file_uploader(say.UPLOAD, key="data_file", help=say.UPLOAD_NOTE)
        if upload is None:
            return
    try:
        given = desk.given(source=source, upload=upload)
    except DpvizError as problem:
        st.error(words.sentence(problem.message))
        return
    looked = current_session().part(Looked)
    about = (given.name, len(given.content or b""))
    if looked.about != about:
        if st.button(say.LOOK, key="data_look", disabled=busy):
            page_running.begin_reading(
                _REGISTER,
                given.name,
                lambda: desk.reading(given, None),
                lambda reading: _remember_columns(about, reading),
            )
        return
    _terms(desk, given, looked.columns, busy)


def _remember_columns(about: tuple[str, int], reading: RunningReading) -> None:
    looked = current_session().part(Looked)
    looked.about, looked.columns = about, reading.columns()


def _terms(desk: Desk, given: Given, columns: Mapping[str, Any], busy: bool) -> None:
    left, right = st.columns(2, gap="medium")
    with left:
        lon, lat = _coordinates(columns)
        box = dialog_box.choose(current_theme().name, takes_maps=False)
        unit = _unit(list(columns["names"]), lon, lat)
    with right:
        name = st.text_input(say.NAME, value=given.name, key=f"data_name_{given.name}")
        population, when, total = _budget(desk)
        share = 0 if population else st.slider(say.STRICT, 0, 90, 0, 5, key="data_strict")
    second = True
    if desk.always_needs_second_person:
        st.caption(say.SECOND_ALWAYS)
    else:
        second = st.checkbox(say.SECOND, value=True, key="data_second")
    why = st.text_input(say.WHY, key="data_why", max_chars=300)
    looked = current_session().part(Looked)
    same, other = dialog_unit.ask_people(looked.alike if looked.alike_name == name else ())
    if (
        not st.button(say.REGISTER_GO, type="primary", key="data_register", disabled=busy or unit is None)
        or unit is None
    ):
        return
    person, cap = unit
    wish = Wish(box=box, lon=lon, lat=lat, person=person, cap=cap, strict=share > 0)
    terms = Terms(
        name=name,
        total=total,
        why=why,
        standin_share=share / 100,
        second_person=second,
        population=population,
        when=when,
        same_people=same,
        other_people=other,
    )
    if not why.strip():
        st.error(say.WHY_MISSING)
        return
    page_running.begin_reading(
        _REGISTER,
        given.name,
        lambda: desk.reading(given, wish),
        lambda reading: _enter(desk, given, wish, terms, reading),
    )


def _enter(desk: Desk, given: Given, wish: Wish, terms: Terms, reading: RunningReading) -> None:
    looked = current_session().part(Looked)
    try:
        dataset, hints = desk.register(given, wish, reading, terms)
    except LikelySamePeople as alike:
        looked.alike, looked.alike_name = tuple(alike.values["alike"]), terms.name
        raise InputError(own_data_words.OWN_ALIKE_ANSWER) from None
    looked.about, looked.alike = None, ()
    page_running.say_later("success", " ".join([say.REGISTERED_DONE.format(name=dataset.name), *hints]), _REGISTER)


def _coordinates(columns: Mapping[str, Any]) -> tuple[str, str]:
    names = list(columns["names"])
    if not names:
        return "", ""
    options = ["", *names]
    one, two = st.columns(2)
    with one:
        lon = st.selectbox(say.LON, options, index=options.index(columns["lon"] or ""), key="data_lon")
    with two:
        lat = st.selectbox(say.LAT, options, index=options.index(columns["lat"] or ""), key="data_lat")
    return str(lon), str(lat)


def _unit(names: list[str], lon: str, lat: str) -> tuple[str, int] | None:
    """A person column and a cap, or neither; None while nobody has said it. The names alone decide what is asked."""
    found = dialog_unit.ask(unit_choice.by_names(names, lon, lat))
    return None if found is None else (found[0] or "", found[1] or 0)


def _budget(desk: Desk) -> tuple[str, str, Budget]:
    """The population with the time of the records, or a budget of its own."""
    known = [one.name for one in populations(ledger=desk.ledger)]
    population = ""
    if known:
        called = {"": say.POPULATION_NONE} | {name: name for name in known}
        names = list(called)
        population = st.selectbox(say.POPULATION, names, format_func=lambda name: called[name], key="data_population")
    if population:
        return population, st.text_input(say.WHEN, key="data_when"), Budget(epsilon=1.0)
    one, two = st.columns(2)
    with one:
        times = st.number_input(say.TIMES, min_value=1, max_value=100, value=4, key="data_times")
    with two:
        names = [level.name for level in LEVELS]
        level = st.selectbox(say.LEVEL, names, index=3, format_func=as_now(told), key="data_level")
    epsilon = min(100.0, times * level_by_name(str(level)).epsilon)
    return "", "", Budget(epsilon=epsilon, delta=DEFAULT_TOTAL_DELTA)


# ---- what needs a second person ----------------------------------------------------------------------------------


_RULES = "rules"  # where the page says what became of a click here


def _draw_rules(desk: Desk) -> None:
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
        _make_rule(desk, free)
    else:
        st.caption(say.RULE_ALL)
    page_running.draw_at(_RULES)


def _make_rule(desk: Desk, free: dict[str, Ruled]) -> None:
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
    page_running.say_later("success", say.RULE_DONE.format(name=chosen), _RULES)
    st.rerun()
