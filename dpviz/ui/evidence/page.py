"""The page *Evidence* on screen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import streamlit as st

from dpviz.language import ENGLISH, speaking
from dpviz.language.speaking import told as _
from dpviz.privacy import LEVELS
from dpviz.ui.evidence import logic, short
from dpviz.ui.evidence import words as say
from dpviz.ui.evidence.logic import Record
from dpviz.ui.page_parts import elements, icons, plain_documents, tables, words
from dpviz.ui.session.session import current_theme

LONG = 12  # rows of a table that is shown at once


def draw() -> None:
    """The whole page."""
    st.title(say.TITLE)
    elements.banner(words.MODE_EVIDENCE, "dpv-demo")
    st.html(Path(__file__).with_name("page.css"))
    for tab, draw in zip(st.tabs(list(say.TABS), key="evidence_tabs", on_change="rerun"), _TABS, strict=True):
        with tab:
            if tab.open:
                draw()


def _short() -> None:
    st.markdown(
        _(
            "**The claim:** any map comes out almost as often with one person’s records as "
            "without them; how nearly, the level says. So at a strict level a map can tell "
            "much about a city and next to nothing about one person in it."
        )
    )
    for answer in short.answers(current_theme()):
        st.header(answer.question)
        st.markdown(answer.sentence)
        st.html(short.show_both_sizes(answer.drawing, answer.narrow, answer.alt))
        st.caption(answer.caption)
        with st.expander(_("Details: the table behind it")):
            for caption, table in answer.tables:
                if len(answer.tables) > 1:
                    st.markdown(f"**{caption}**")
                tables.show(table, caption=caption)


def _methods() -> None:
    st.markdown(
        _(
            "Most methods follow a published paper; a few are our own, and the column "
            "*Paper* says so. For each there is a mathematical proof that it protects. "
            "*Checked* means that a second reader compared proof and program."
        )
    )
    tables.show(logic.list_methods(), caption=say.TABS[1])
    with st.expander(say.PROOFS):
        pages = logic.list_proofs()
        title = st.selectbox(_("Method, and who read its proof last"), list(pages), key="proof_of", width=420)
        text = logic.read_document(pages[title].removeprefix("docs/"))
        _original(say.ORIGINAL_PAGE)
        st.markdown(say.NO_PAGE.format(name=pages[title]) if text is None else text)


def _errors() -> None:
    found = [record for record in logic.read_records() if record.kind not in logic.AUDIT_KINDS]
    _records([record for record in found if record.name in logic.FIRST_RECORDS], say.NO_RECORDS)
    others = [record for record in found if record.name not in logic.FIRST_RECORDS]
    if others:
        st.header(_("More records"))
    for record in others:
        with st.expander(record.called):
            _record(record)


def _audits() -> None:
    st.markdown(
        _(
            "In an audit we attack one of our own methods many times, with two files that "
            "differ in one record. So we find out how much its answers give away at least. "
            "Each such number is wrong in at most one audit of 1,000. If it is more than "
            "the method promises, there is a fault. If it is less, that proves nothing by "
            "itself. So beside it stands the most that these two files could give away in "
            "the runs we saw, computed from the random changes. As far as these runs show, "
            "the truth for the two files lies between. Faults are also put in on purpose, "
            "to see that audits find them."
        )
    )
    _records(
        [record for record in logic.read_records() if record.kind in logic.AUDIT_KINDS],
        _(
            "This copy holds no recorded attacks on the methods yet. A technician can make "
            "one: `python -m dpviz audit METHOD`."
        ),
    )


def _promise() -> None:
    with st.container(key="document"):
        for name in say.PAGES:
            _document(name)


def _records(found: Sequence[Record], nothing: str) -> None:
    if not found:
        st.info(nothing)
    for record in found:
        st.header(record.called)
        _record(record)


def _show_table(record: Record) -> None:
    tables.show(record.table(), caption=record.called, numbers=record.numbers)


def _record(record: Record) -> None:
    if what := logic.tell_without_symbols(record):
        _original(_("Described as it was recorded."))
        st.markdown(what)
    if record.kind == "accuracy":
        _accuracy(record)
    elif record.kind == "audit" and len(record.rows) > LONG:
        _audit(record)
    elif record.kind == "planted":
        tables.show(logic.planted_summary(record), caption=record.called, numbers=say.PLANTED_COLUMNS[1:3])
        with st.expander(_("Details: all faults put in on purpose, and what found each")):
            _show_table(record)
    elif record.kind in logic.LONG_KINDS:
        with st.expander(_("Details: file by file")):
            _show_table(record)
    else:
        _show_table(record)
    st.html(logic.format_provenance(record, say.MADE))
    with st.expander(say.DETAILS):
        if plain_documents.has_symbols(record.what):
            st.markdown(record.what)
        st.markdown(
            _(
                "*Privacy budget* (ε): how much may be given away at most. *Failure chance* "
                "(δ): how likely the promise may fail. Smaller protects more, for both."
            )
        )
        st.html(logic.format_provenance(record, say.MADE_DETAILS))


def _original(said: str) -> None:
    """In other languages than English: that what follows is."""
    if speaking.language() != ENGLISH:
        st.caption(said)


def _audit(record: Record) -> None:
    attacks = words.whole(len(record.rows))
    summary = _("{attacks} attacks, the strongest on each method").format(attacks=attacks)
    st.caption(summary)
    tables.show(logic.audit_summary(record), caption=summary, numbers=say.AUDIT_COLUMNS[1:6])
    with st.expander(_("Details: all {attacks} attacks").format(attacks=attacks)):
        _show_table(record)


def _accuracy(record: Record) -> None:
    cells = dict(logic.split_cells(record))
    name = st.selectbox(_("Data, records and clusters"), list(cells), key=f"cell_{record.name}", width=420)
    rows = cells[name]
    chart = logic.accuracy_chart(rows, current_theme(), narrow=elements.on_telephone())
    st.html(icons.picture(*chart, max_width="860px"))
    levels = {float(row["epsilon"]) for row in rows} <= {level.epsilon for level in LEVELS}
    st.caption(
        _(
            "Upwards: how much worse than without protection; each line up means several "
            "times as much as the line below. Across: {across}, with more privacy to the "
            "right. A triangle at the bottom: too little to be shown."
        ).format(
            across=_("the levels of the slider, from 1 (protects least) to {levels} (most)").format(levels=len(LEVELS))
            if levels
            else _("the privacy budgets of the paper")
        )
    )
    with st.expander(_("Read as a table")):
        part = replace(record, rows=tuple(rows))
        tables.show(part.table(), caption=f"{record.called}: {name}", numbers=part.numbers)


def _document(name: str) -> None:
    text = logic.read_document(name)
    if text is None:
        st.info(say.NO_PAGE.format(name=name))
        return
    st.header(say.PAGES[name])
    _original(say.ORIGINAL_PAGE)
    st.markdown(plain_documents.without_symbols(text))
    with st.expander(_("Details: the whole page, with its symbols")):
        st.markdown(text)


_TABS: tuple[Callable[[], None], ...] = (_short, _methods, _errors, _audits, _promise)
