"""The page *Data* of a hosted house: open registered data, and register new ones. No path is typed anywhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from dpviz.errors import DpvizError
from dpviz.hosting.desk import Desk, Ruled, Terms
from dpviz.hosting.reading_process import Given, Wish
from dpviz.language.speaking import told as _
from dpviz.ledger.persons import Role, Step, is_allowed
from dpviz.privacy import Budget
from dpviz.publishing.populations import populations
from dpviz.publishing.record_similarity import LikelySamePeople
from dpviz.ui.own_data import dialog_box, dialog_form, words as own_data_words
from dpviz.ui.own_data.page_running import choose_source, draw_message, follow_reading, say_later, shown_errors
from dpviz.ui.own_data.registration import source_of
from dpviz.ui.page_parts import elements, tables, words
from dpviz.ui.session.accounts import accounts
from dpviz.ui.session.session import current_session, current_theme

_OPEN, _REGISTER, _RULES = "open", "register", "rules"  # places on the page that say what became of a click there
Later = Callable[[], None] | None  # a reading, which begins when the whole page is drawn


@dataclass(kw_only=True)
class Looked:
    """The file whose columns were looked at last, by name and size, and what was found."""

    about: tuple[str, int] | None = None
    columns: Mapping[str, Any] = field(default_factory=dict)
    alike: tuple[str, ...] = ()  # data sets that the records of `alike_name` look like, by the last refusal
    alike_name: str = ""


def draw(desk: Desk) -> None:
    """The whole page."""
    st.title(_("Data"))
    title = _("Data of {city}")
    text = _("Named by the administrator, or sent by a steward. Opened data stay in your session and end with its tab.")
    elements.banner((title.format(city=desk.house.name), text), "dpv-preview")
    draw_message()
    opening, registering = _registered(desk), None
    below_open, below_register = st.container(), st.container()
    with below_open:
        draw_message(_OPEN)
    if is_allowed(desk.person, Step.REGISTER):
        with below_register:
            registering = _register(desk)
            draw_message(_REGISTER)
        _draw_rules(desk)
    for place, later in ((below_open, opening), (below_register, registering)):
        if later is not None:  # last: Streamlit forgets controls that a run leaves out
            with place, shown_errors():
                later()


def _registered(desk: Desk) -> Later:
    st.header(_("Registered data"))
    listed = accounts(desk.ledger)
    if not listed:
        people = ", ".join(sorted(desk.house.roles[Role.STEWARD].people | desk.house.roles[Role.STEWARD].groups))
        is_steward = is_allowed(desk.person, Step.REGISTER)
        st.markdown(
            _("Nothing is registered yet. A steward registers data below.")
            if is_steward
            else words.as_text(
                _("Nothing is registered yet. Ask the steward ({people}) to register data.").format(people=people), 300
            )
        )
        return None
    rows = [
        (
            one.dataset,
            one.unit,
            one.left_parts,
            _("needed") if desk.needs_second_person(one.dataset) else _("not needed"),
            one.who,
        )
        for one in listed
    ]
    heads = list(_(("Data", "Protects", "Left of 100 parts", "Second person", "Registered by")))
    tables.show(pd.DataFrame(rows, columns=heads), caption=_("Registered data"))
    chosen = st.selectbox(_("Open"), [one.dataset for one in listed], key="data_open")
    how = desk.how(str(chosen))
    upload = None
    if how is not None and not how.source:
        upload = st.file_uploader(
            words.as_text(_("The file “{file}”, as it was registered").format(file=how.file)), key="data_again"
        )
    lacks_file = how is not None and not how.source and not upload
    is_asked = st.button(_("Open and choose a level"), type="primary", key="data_go", disabled=lacks_file)
    return partial(_open, desk, str(chosen), upload) if is_asked else None


def _open(desk: Desk, name: str, upload: Any) -> None:
    reading = desk.begin_reading(name, upload)
    follow_reading(reading, name, _OPEN)
    counts, hints = reading.counts()
    dataset, how = desk.opened(name, counts), desk.how(name)
    current_session().open_own(
        replace(
            source_of(dataset, counts, parts=None if how is None else how.wish.parts, who=desk.person),
            notes=() if dataset.has_standin else hints,
        )
    )
    st.switch_page("pages/choose.py")


# ---- a new data set --------------------------------------------------------------------------------------------


def _register(desk: Desk) -> Later:
    st.header(_("Register data"))
    st.markdown(
        _(
            "A data set gets its box, its unit and its budget once and keeps them. State "
            "them without looking at the records."
        )
    )
    chosen = choose_source(desk, "data")
    if chosen is None or not chosen[0]:
        return None
    try:
        given = desk.given(source=chosen[0], upload=chosen[1])
    except DpvizError as problem:
        st.error(words.sentence(problem.message))
        return None
    looked = current_session().part(Looked)
    about = (given.name, len(given.content or b""))
    if looked.about == about:
        return _ask_terms(desk, given, looked.columns)
    return (
        partial(_look, desk, given, about) if st.button(_("Read the names of the columns"), key="data_look") else None
    )


def _look(desk: Desk, given: Given, about: tuple[str, int]) -> None:
    reading = desk.reading(given, None)
    follow_reading(reading, given.name, _REGISTER)
    looked = current_session().part(Looked)
    looked.about, looked.columns = about, reading.columns()
    st.rerun()


def _ask_terms(desk: Desk, given: Given, columns: Mapping[str, Any]) -> Later:
    left, right = st.columns(2, gap="medium")
    with left:
        lon, lat = dialog_form.choose_columns(columns, columns["names"])
        box = dialog_box.choose(current_theme().name, takes_maps=False)
        unit = dialog_form.ask_unit(dialog_form.by_names(columns["names"], lon, lat))  # their names alone decide
        with shown_errors():
            level = dialog_form.choose_level(columns["names"], (lon, lat, *(unit or ())[:1]))
            parts, time = None, ""
            if not level[0]:
                parts, time = dialog_form.choose_parts(columns["names"], (lon, lat), box=box, unit=unit)
    with right:
        name = st.text_input(own_data_words.OWN_NAME, value=given.name, key=f"data_name_{given.name}")
        population, when, total = _budget(desk)
        share = 0.0 if population else dialog_form.choose_strict()
    second = True
    if desk.always_needs_second_person:
        st.caption(_("In this house everything that is published needs a second person."))
    else:
        rule = _("Whatever is published of it needs a second person. This stays so.")
        second = st.checkbox(rule, value=True, key="data_second")
    why = st.text_input(_("Why (the ledger keeps it)"), key="data_why", max_chars=300)
    looked = current_session().part(Looked)
    same, other = dialog_form.ask_people(looked.alike if looked.alike_name == name else ())
    if not st.button(_("Register"), type="primary", key="data_register", disabled=unit is None) or unit is None:
        return None
    wish = Wish(box=box, lon=lon, lat=lat, person=unit[0], cap=unit[1], strict=share > 0, time=time, parts=parts)
    wish = replace(wish, level=level[0], level_scale=level[1])
    terms = Terms(
        name=name,
        total=total,
        why=why,
        standin_share=share,
        second_person=second,
        population=population,
        when=when,
        same_people=same,
        other_people=other,
    )
    if not why.strip():
        st.error(_("Say why: the ledger keeps it."))
        return None
    return partial(_enter, desk, given, wish, terms)


def _enter(desk: Desk, given: Given, wish: Wish, terms: Terms) -> None:
    reading = desk.reading(given, wish)
    follow_reading(reading, given.name, _REGISTER)
    looked = current_session().part(Looked)
    try:
        dataset, hints = desk.register(given, wish, reading, terms)
        looked.about, looked.alike = None, ()
        say_later(
            "success",
            " ".join([_("“{name}” is registered under your name.").format(name=dataset.name), *hints]),
            _REGISTER,
        )
    except LikelySamePeople as alike:
        looked.alike, looked.alike_name = tuple(alike.values["alike"]), terms.name
        say_later("error", own_data_words.OWN_ALIKE_ANSWER, _REGISTER)
    st.rerun()


def _budget(desk: Desk) -> tuple[str, str, Budget]:
    """The population with the time of the records, or a budget of its own."""
    known = [one.name for one in populations(ledger=desk.ledger)]
    population = ""
    if known:
        called = {"": _("none: a budget of its own")} | {name: name for name in known}
        population = elements.choose(st.selectbox, _("Population"), called, key="data_population")
    if population:
        return (
            population,
            st.text_input(_("When the records are from, such as 2026-03"), key="data_when"),
            Budget(epsilon=1.0),
        )
    return "", "", dialog_form.choose_total()


# ---- what needs a second person ----------------------------------------------------------------------------------


def _draw_rules(desk: Desk) -> None:
    """The section, for a steward."""
    listed = desk.ruled()
    if not listed:
        return
    st.header(_("A second person"))
    if desk.always_needs_second_person:
        st.markdown(_("In this house everything that is published needs a second person; nobody has to make a rule."))
        return
    st.markdown(
        _(
            "Of what has the rule nothing leaves the house that nobody else approved; of a "
            "population, nothing of any of its data. A rule stays once it is made."
        )
    )
    rows = [
        (
            one.name,
            _("population") if one.is_population else _("data set"),
            _("needed") if one.needed else _("not needed"),
        )
        for one in listed
    ]
    tables.show(pd.DataFrame(rows, columns=list(_(("Name", "Kind", "Second person")))), caption=_("A second person"))
    free = {one.name: one for one in listed if not one.needed}
    if free:
        _make_rule(desk, free)
    else:
        st.caption(_("Everything that is registered has the rule."))
    draw_message(_RULES)


def _make_rule(desk: Desk, free: dict[str, Ruled]) -> None:
    population = _("population “{name}”")
    names = {name: population.format(name=name) if one.is_population else name for name, one in free.items()}
    chosen = elements.choose(st.selectbox, _("From now on for"), names, key="rule_which")
    why = st.text_input(_("Why the rule is made (the ledger keeps it)"), key="rule_why", max_chars=300)
    if not st.button(_("Ask for a second person"), key="rule_go"):
        return
    with shown_errors():
        desk.require_second_person(chosen, why)
        say_later(
            "success",
            _("From now on whatever is published of “{name}” needs a second person.").format(name=chosen),
            _RULES,
        )
        st.rerun()
