"""The page *Evidence*: three answers in short; then the promise, its limits, and all that lies behind them."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from dpviz.language import ENGLISH, speaking
from dpviz.language.speaking import told as _
from dpviz.ui.evidence import logic, short, words as say
from dpviz.ui.page_parts import elements, plain_documents, tables, words
from dpviz.ui.session.session import current_theme


def draw() -> None:
    """The whole page."""
    st.title(_("What this rests on"))
    elements.banner(words.MODE_EVIDENCE, "dpv-demo")
    st.html(Path(__file__).with_name("page.css"))
    for tab, part in zip(st.tabs(list(say.TABS), key="evidence_tabs", on_change="rerun"), (_short, _all), strict=True):
        with tab:
            if tab.open:
                part()


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
        st.html(answer.picture)
        st.caption(answer.caption)
        with st.expander(_("Details: the table behind it")):
            for caption, table in answer.tables:
                if len(answer.tables) > 1:
                    st.markdown(f"**{caption}**")
                tables.show(table, caption=caption)


def _all() -> None:
    with st.container(key="document"):
        with st.expander(_("Details: methods, their proofs, and how to audit them")):
            page = elements.choose(st.selectbox, _("Page"), logic.list_documents(), key="evidence_page", width=520)
            _original(_("This page of the documentation."))
            st.markdown(logic.read_document(page))
        with st.expander(_("Details: everything that was measured")):
            _record()
        for name, title in say.PAGES.items():
            text = logic.read_document(name)
            st.header(title)
            _original(_("This page of the documentation."))
            st.markdown(plain_documents.without_symbols(text))
            with st.expander(_("Details: the whole page, with its symbols")):
                st.markdown(text)


def _record() -> None:
    """One measurement as it was recorded."""
    found = logic.read_records()
    titles = {name: found[name].called for name in (*say.TITLES, *found)}
    record = found[elements.choose(st.selectbox, _("Measurement"), titles, key="evidence_record", width=520)]
    _original(_("Described as it was recorded."))
    st.markdown(record.what)
    tables.show(record.table(), caption=record.called, numbers=record.numbers)
    st.html(record.origin())


def _original(said: str) -> None:
    """In other languages than English: that what follows is."""
    if speaking.language() != ENGLISH:
        st.caption(said)
