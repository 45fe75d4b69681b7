"""The page *Evidence* on screen."""

from __future__ import annotations

import streamlit as st

from dpviz.ui import cache, compare_words, elements, evidence, words
from dpviz.ui.evidence import Record


def page() -> None:
    """The whole page."""
    st.title(words.EVIDENCE_TITLE)
    elements.banner(words.MODE_EVIDENCE, "dpv-demo")
    found = evidence.records()
    names = [words.EVIDENCE_METHODS, words.EVIDENCE_RECORDS, words.EVIDENCE_AUDITS, words.EVIDENCE_PROMISE]
    tabs = st.tabs(names)
    with tabs[0]:
        st.markdown(words.EVIDENCE_METHODS_NOTE)
        st.table(evidence.catalogue(), hide_index=True)
    with tabs[1]:
        _records([record for record in found if record.kind != "audit"], words.EVIDENCE_NO_RECORDS)
    with tabs[2]:
        st.markdown(words.EVIDENCE_AUDITS_NOTE)
        _records([record for record in found if record.kind == "audit"], words.EVIDENCE_NO_AUDITS)
    with tabs[3]:
        _document("PROMISE.md")
        _document("LIMITS.md")


def method_errors() -> None:
    """Error curves of the methods on demonstration data, for readers who compare releases."""
    st.markdown(compare_words.METHODS_NOTE)
    found = [record for record in evidence.records() if record.kind == "accuracy"]
    _records(found, words.EVIDENCE_NO_RECORDS)


def _records(found: list[Record], nothing: str) -> None:
    if not found:
        st.info(nothing)
        return
    for record in found:
        st.header(record.title)
        if record.what:
            st.markdown(record.what)
        if record.kind == "accuracy":
            _accuracy(record)
        else:
            st.table(record.table(), hide_index=True)
        if record.provenance:
            st.caption(" · ".join(f"{key}: {value}" for key, value in record.provenance.items()))


def _accuracy(record: Record) -> None:
    cells = dict(evidence.cells(record))
    name = st.selectbox(words.EVIDENCE_CELL, list(cells), key=f"cell_{record.name}")
    rows = cells[name]
    st.html(evidence.picture(*evidence.accuracy_chart(rows, cache.theme())))
    with st.expander(words.TABLE_NUMBERS):
        part = Record(**{**record.__dict__, "rows": tuple(rows)})
        st.table(part.table(), hide_index=True)


def _document(name: str) -> None:
    text = evidence.document(name)
    if text is None:
        st.info(words.EVIDENCE_NO_PAGE.format(name=name))
        return
    st.header(words.EVIDENCE_PAGES[name])
    st.markdown(text)
