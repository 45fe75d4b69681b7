"""The page *Requests*: what waits for a second person, and what became of the rest."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from dpviz.hosting.desk import Desk
from dpviz.labels.catalogue_rows import method_title
from dpviz.language import speaking, translated
from dpviz.language.speaking import figures, told
from dpviz.ledger.persons import Step, is_allowed
from dpviz.publishing import approvals as second
from dpviz.publishing.audit_log import AUDIT_LOG, Event, as_csv, as_rows, events
from dpviz.publishing.datasets import open_dataset
from dpviz.releases.release import NoAnswer
from dpviz.ui.own_data.page_running import draw_message, follow_reading, say_later, shown_errors
from dpviz.ui.page_parts import elements, tables, words
from dpviz.ui.person import words as say


def draw(desk: Desk) -> None:
    """The whole page."""
    st.title(say.REQUESTS_TITLE)
    elements.banner(say.REQUESTS_MODE, "dpv-preview")
    draw_message()
    found = second.requests(desk.ledger)
    open_ones = [one for one in found if one.state == second.WAITING or _is_unfinished(desk, one)]
    st.header(say.WAITING)
    if not open_ones:
        st.markdown(say.NOTHING_WAITING)
    approve = None
    for one in open_ones:
        place = st.container(border=True, key=f"request_{one.id}")
        with place:
            reason = _waiting(desk, one)
            draw_message(one.id)
        if reason is not None:
            approve = partial(_approve, desk, one, reason, place)
    answered = [one for one in reversed(found) if one.state != second.WAITING]
    if answered:
        st.header(say.DECIDED)
        tables.show(_table(answered), caption=say.DECIDED)
    if approve is not None:  # last: Streamlit forgets controls that a run leaves out
        approve()


def _is_unfinished(desk: Desk, one: second.ApprovalRequest) -> bool:
    """Approved, and something stopped the draw: whoever approves can have it made."""
    charge = desk.ledger.charge(one.key)
    return one.state == second.APPROVED and (charge is None or not charge.stored)


def _waiting(desk: Desk, one: second.ApprovalRequest) -> str | None:
    """Draw a request; give the reason of who has just approved it."""
    st.subheader(words.as_text(_what(one), 300), anchor=False)
    st.markdown(words.as_text(say.ASKED_BY.format(who=one.who, day=one.created[:10], why=one.why), 500))
    dataset = open_dataset(one.dataset, ledger=desk.ledger)
    total = float(dataset.total.epsilon)
    cost, left = (
        figures(f"{100 * value / total:.1f}".removesuffix(".0"))
        for value in (one.request.budget.epsilon, float(dataset.remaining.epsilon))
    )
    st.markdown(say.PRICE.format(cost=cost, left=left))
    if second.same_person(one.who, desk.person.name):
        st.caption(say.OWN_REQUEST)
    elif not is_allowed(desk.person, Step.DECIDE):
        st.caption(say.FOR_APPROVERS)
    else:
        return _decide(desk, one)
    return None


def _decide(desk: Desk, one: second.ApprovalRequest) -> str | None:
    how = desk.how(one.dataset)
    can_publish = not desk.needs_reading(one) or (how is not None and bool(how.source))
    if not can_publish:
        st.warning(words.as_text(say.UPLOADED.format(who=one.who), 400))
    reason = st.text_input(words.as_text(say.REASON.format(who=one.who), 200), key=f"reason_{one.id}", max_chars=300)
    is_refused = False
    with st.container(horizontal=True):
        label = say.APPROVE if one.state == second.WAITING else say.COMPLETE
        is_approved = st.button(label, type="primary", key=f"approve_{one.id}", disabled=not can_publish)
        if one.state == second.WAITING:
            is_refused = st.button(say.REFUSE, key=f"refuse_{one.id}")
    if is_refused:
        with shown_errors():
            desk.refuse(one, reason)
            say_later("success", say.REFUSED_DONE.format(who=one.who))
            st.rerun()
    return reason if is_approved else None


def _approve(desk: Desk, one: second.ApprovalRequest, reason: str, place: Any) -> None:
    with place, shown_errors():
        counts = None
        if desk.needs_reading(one):
            reading = desk.begin_reading(one.dataset)
            follow_reading(reading, one.dataset, one.id)
            counts, _ = reading.counts()
        outcome = desk.approve(one, counts, reason)
        if isinstance(outcome, NoAnswer):
            say_later("warning", say.APPROVED_NO_ANSWER)
        else:
            say_later("success", say.APPROVED_DONE.format(name=f"{outcome.dataset}, {outcome.id[:8]}"))
        st.rerun()


def _what(one: second.ApprovalRequest) -> str:
    method = say.AUTOMATIC if one.request.method == "auto" else told(method_title(one.request.method))
    return say.WHAT.format(
        k=one.request.k, dataset=one.dataset, level=words.level_in_words(one.request.budget.epsilon), method=method
    )


def _table(answered: list[second.ApprovalRequest]) -> pd.DataFrame:
    rows = [
        (_what(one), one.who, told(one.state), one.decided_by, one.decided[:10], one.reason or "–") for one in answered
    ]
    return pd.DataFrame(rows, columns=list(say.DECIDED_COLUMNS))


# ---- the audit log -----------------------------------------------------------------------------------------------


_SHOWN = 200


def draw_audit_log(desk: Desk) -> None:
    """The page *Audit log*: everything that somebody did, to read and to take away."""
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
