"""The page *Evidence* on screen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import streamlit as st

from dpviz.language import ENGLISH, speaking
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
    st.markdown(say.CLAIM)
    for answer in short.answers(current_theme()):
        st.header(answer.question)
        st.markdown(answer.sentence)
        st.html(short.show_both_sizes(answer.drawing, answer.narrow, answer.alt))
        st.caption(answer.caption)
        with st.expander(say.BEHIND):
            for caption, table in answer.tables:
                if len(answer.tables) > 1:
                    st.markdown(f"**{caption}**")
                tables.show(table, caption=caption)


def _methods() -> None:
    st.markdown(say.METHODS_NOTE)
    tables.show(logic.list_methods(), caption=say.TABS[1])
    with st.expander(say.PROOFS):
        pages = logic.list_proofs()
        title = st.selectbox(say.PROOF_OF, list(pages), key="proof_of", width=420)
        text = logic.read_document(pages[title].removeprefix("docs/"))
        _original(say.ORIGINAL_PAGE)
        st.markdown(say.NO_PAGE.format(name=pages[title]) if text is None else text)


def _errors() -> None:
    found = [record for record in logic.read_records() if record.kind not in logic.AUDIT_KINDS]
    _records([record for record in found if record.name in logic.FIRST_RECORDS], say.NO_RECORDS)
    others = [record for record in found if record.name not in logic.FIRST_RECORDS]
    if others:
        st.header(say.MORE_RECORDS)
    for record in others:
        with st.expander(record.called):
            _record(record)


def _audits() -> None:
    st.markdown(say.AUDITS_NOTE)
    _records([record for record in logic.read_records() if record.kind in logic.AUDIT_KINDS], say.NO_AUDITS)


def _promise() -> None:
    with st.container(key="document"):
        for name in say.PAGES:
            _document(name)


def method_errors() -> None:
    """Error curves of the methods on demonstration data, for readers who compare releases."""
    st.html(Path(__file__).with_name("page.css"))
    st.markdown(say.METHODS_ON_DEMONSTRATION_DATA)
    _records([record for record in logic.read_records() if record.kind == "accuracy"], say.NO_RECORDS)


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
        _original(say.ORIGINAL)
        st.markdown(what)
    if record.kind == "accuracy":
        _accuracy(record)
    elif record.kind == "audit" and len(record.rows) > LONG:
        _audit(record)
    elif record.kind == "planted":
        tables.show(logic.planted_summary(record), caption=record.called, numbers=say.PLANTED_COLUMNS[1:3])
        with st.expander(say.PLANTED_ALL):
            _show_table(record)
    elif record.kind in logic.LONG_KINDS:
        with st.expander(say.WALKED_ALL):
            _show_table(record)
    else:
        _show_table(record)
    st.html(logic.format_provenance(record, say.MADE))
    with st.expander(say.DETAILS):
        if plain_documents.has_symbols(record.what):
            st.markdown(record.what)
        st.markdown(say.DETAILS_COLUMNS)
        st.html(logic.format_provenance(record, say.MADE_DETAILS))


def _original(said: str) -> None:
    """In other languages than English: that what follows is."""
    if speaking.language() != ENGLISH:
        st.caption(said)


def _audit(record: Record) -> None:
    attacks = words.whole(len(record.rows))
    summary = say.AUDIT_SUMMARY.format(attacks=attacks)
    st.caption(summary)
    tables.show(logic.audit_summary(record), caption=summary, numbers=say.AUDIT_COLUMNS[1:6])
    with st.expander(say.AUDIT_ALL.format(attacks=attacks)):
        _show_table(record)


def _accuracy(record: Record) -> None:
    cells = dict(logic.split_cells(record))
    name = st.selectbox(say.CELL, list(cells), key=f"cell_{record.name}", width=420)
    rows = cells[name]
    chart = logic.accuracy_chart(rows, current_theme(), narrow=elements.on_telephone())
    st.html(icons.picture(*chart, max_width="860px"))
    levels = {float(row["epsilon"]) for row in rows} <= {level.epsilon for level in LEVELS}
    st.caption(
        say.CHART_NOTE.format(across=say.CHART_LEVELS.format(levels=len(LEVELS)) if levels else say.CHART_BUDGETS)
    )
    with st.expander(words.TABLE_NUMBERS):
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
    with st.expander(say.DETAILS_PAGE):
        st.markdown(text)


_TABS: tuple[Callable[[], None], ...] = (_short, _methods, _errors, _audits, _promise)
