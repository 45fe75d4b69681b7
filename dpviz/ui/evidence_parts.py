"""The page *Evidence* on screen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import streamlit as st

from dpviz.privacy import LEVELS
from dpviz.ui import cache, compare_words, elements, evidence, plain, tables, words
from dpviz.ui import evidence_words as say
from dpviz.ui.evidence import Record

LONG = 12  # rows of a table that is shown at once


def page() -> None:
    """The whole page."""
    st.title(say.TITLE)
    elements.banner(words.MODE_EVIDENCE, "dpv-demo")
    st.html(evidence.CSS)
    for tab, draw in zip(st.tabs(list(say.TABS), key="evidence_tabs", on_change="rerun"), _TABS, strict=True):
        with tab:
            if tab.open:
                draw()


def _methods() -> None:
    st.markdown(say.METHODS_NOTE)
    tables.show(evidence.catalogue(), caption=say.TABS[0])


def _errors() -> None:
    found = [record for record in evidence.records() if record.kind != "audit"]
    first = [record for record in found if record.name in say.FIRST_RECORDS]
    _records(first, say.NO_RECORDS)
    others = [record for record in found if record not in first]
    if others:
        st.header(say.MORE_RECORDS)
    for record in others:
        with st.expander(record.title):
            _record(record)


def _audits() -> None:
    st.markdown(say.AUDITS_NOTE)
    _records([record for record in evidence.records() if record.kind == "audit"], say.NO_AUDITS)


def _promise() -> None:
    with st.container(key="document"):
        for name in say.PAGES:
            _document(name)


def method_errors() -> None:
    """Error curves of the methods on demonstration data, for readers who compare releases."""
    st.html(evidence.CSS)
    st.markdown(compare_words.METHODS_NOTE)
    found = [record for record in evidence.records() if record.kind == "accuracy"]
    _records(found, say.NO_RECORDS)


def _records(found: Sequence[Record], nothing: str) -> None:
    if not found:
        st.info(nothing)
    for record in found:
        st.header(record.title)
        _record(record)


def _record(record: Record) -> None:
    if what := evidence.in_words(record):
        st.markdown(what)
    if record.kind == "accuracy":
        _accuracy(record)
    elif record.kind == "audit" and len(record.rows) > LONG:
        _audit(record)
    else:
        tables.show(record.table(), caption=record.title, numbers=record.numbers)
    st.html(evidence.made(record, say.MADE))
    with st.expander(say.DETAILS):
        if plain.has_symbols(record.what):
            st.markdown(record.what)
        st.markdown(say.DETAILS_COLUMNS)
        st.html(evidence.made(record, say.MADE_DETAILS))


def _audit(record: Record) -> None:
    attacks = len(record.rows)
    summary = say.AUDIT_SUMMARY.format(attacks=attacks)
    st.caption(summary)
    tables.show(evidence.audit_summary(record), caption=summary, numbers=say.AUDIT_COLUMNS[1:5])
    with st.expander(say.AUDIT_ALL.format(attacks=attacks)):
        tables.show(record.table(), caption=record.title, numbers=record.numbers)


def _accuracy(record: Record) -> None:
    cells = dict(evidence.cells(record))
    name = st.selectbox(say.CELL, list(cells), key=f"cell_{record.name}", width=420)
    rows = cells[name]
    chart = evidence.accuracy_chart(rows, cache.theme(), narrow=elements.on_telephone())
    st.html(evidence.picture(*chart))
    budgets = {float(row["epsilon"]) for row in rows}
    levels = budgets <= {level.epsilon for level in LEVELS}
    across = say.CHART_LEVELS if levels else say.CHART_BUDGETS
    st.caption(say.CHART_NOTE.format(across=across))
    with st.expander(words.TABLE_NUMBERS):
        part = replace(record, rows=tuple(rows))
        tables.show(part.table(), caption=f"{record.title}: {name}", numbers=part.numbers)


def _document(name: str) -> None:
    text = evidence.document(name)
    if text is None:
        st.info(say.NO_PAGE.format(name=name))
        return
    st.header(say.PAGES[name])
    st.markdown(plain.without_symbols(text))
    with st.expander(say.DETAILS_PAGE):
        st.markdown(text)


_TABS: tuple[Callable[[], None], ...] = (_methods, _errors, _audits, _promise)
