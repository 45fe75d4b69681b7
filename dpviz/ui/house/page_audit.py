"""The page *Audit log*: everything that somebody did, to read and to take away."""

from __future__ import annotations

import json

import pandas as pd
import streamlit as st

from dpviz.hosting.desk import Desk
from dpviz.language import speaking, translated
from dpviz.publishing.audit_log import AUDIT_LOG, Event, as_csv, as_rows, events
from dpviz.ui.page_parts import elements, tables, words
from dpviz.ui.person import words as say

_SHOWN = 200


def draw(desk: Desk) -> None:
    """The whole page."""
    st.title(say.AUDIT_TITLE)
    elements.banner(say.AUDIT_MODE, "dpv-preview")
    found = events(desk.ledger)
    chosen = st.selectbox(say.AUDIT_WHO, [say.AUDIT_ALL, *sorted({event.who for event in found})], key="audit_who")
    if chosen != say.AUDIT_ALL:
        found = [event for event in found if event.who == chosen]
    with st.container(horizontal=True):
        elements.draw_download(say.AUDIT_CSV, as_csv(found), "audit-log.csv", icon=False)
        told = json.dumps(as_rows(found), indent=1, ensure_ascii=False)
        elements.draw_download(say.AUDIT_JSON, told, "audit-log.json", icon=False)
    latest = list(reversed(found))[:_SHOWN]
    rows = [
        (
            event.when[:19].replace("T", " "),
            event.who,
            translated(event.what, speaking.language(), AUDIT_LOG),
            _about(event),
            event.charged or "–",
            event.why or "–",
        )
        for event in latest
    ]
    tables.show(pd.DataFrame(rows, columns=list(say.AUDIT_COLUMNS)), caption=say.AUDIT_TITLE)
    st.caption(words.as_text(say.AUDIT_SHOWN.format(shown=words.whole(len(latest)), all=words.whole(len(found)))))


def _about(event: Event) -> str:
    """What it was about; a request by the beginning of its number."""
    kind, _, number = event.subject.partition(" ")
    if kind == "request" and event.release:
        return say.REQUEST.format(number=number[:8])
    return event.subject or event.release[:8]
