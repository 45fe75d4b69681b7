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
from dpviz.language.speaking import figures, told, told as _
from dpviz.ledger.persons import Step, is_allowed
from dpviz.publishing import approvals as second
from dpviz.publishing.audit_log import AUDIT_LOG, Event, as_csv, as_rows, events
from dpviz.publishing.datasets import open_dataset
from dpviz.releases.release import NoAnswer
from dpviz.ui.own_data.page_running import draw_message, follow_reading, say_later, shown_errors
from dpviz.ui.page_parts import elements, tables, words


def draw(desk: Desk) -> None:
    """The whole page."""
    st.title(_("Requests"))
    rule = _("Who approves sees what would leave, at which price, and why; never a record. Who asked cannot approve.")
    elements.banner((_("A second pair of eyes"), rule), "dpv-preview")
    draw_message()
    found = second.requests(desk.ledger)
    open_ones = [one for one in found if one.state == second.WAITING or _is_unfinished(desk, one)]
    st.header(_("Waiting for an answer"))
    if not open_ones:
        st.markdown(_("Nothing is waiting."))
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
        st.header(_("Answered"))
        tables.show(_table(answered), caption=_("Answered"))
    if approve is not None:  # last: Streamlit forgets controls that a run leaves out
        approve()


def _is_unfinished(desk: Desk, one: second.ApprovalRequest) -> bool:
    """Approved, and something stopped the draw: whoever approves can have it made."""
    charge = desk.ledger.charge(one.key)
    return one.state == second.APPROVED and (charge is None or not charge.stored)


def _waiting(desk: Desk, one: second.ApprovalRequest) -> str | None:
    """Draw a request; give the reason of who has just approved it."""
    st.subheader(words.as_text(_what(one), 300), anchor=False)
    asked = _("{who} asks on {day}: {why}").format(who=one.who, day=one.created[:10], why=one.why)
    st.markdown(words.as_text(asked, 500))
    dataset = open_dataset(one.dataset, ledger=desk.ledger)
    total = float(dataset.total.epsilon)
    cost, left = (
        figures(f"{100 * value / total:.1f}".removesuffix(".0"))
        for value in (one.request.budget.epsilon, float(dataset.remaining.epsilon))
    )
    st.markdown(_("It costs {cost} of 100 parts of the budget; {left} are left.").format(cost=cost, left=left))
    if second.same_person(one.who, desk.person.name):
        st.caption(_("You asked for this: somebody else decides."))
    elif not is_allowed(desk.person, Step.DECIDE):
        st.caption(_("Approvers decide on it."))
    else:
        return _decide(desk, one)
    return None


def _decide(desk: Desk, one: second.ApprovalRequest) -> str | None:
    how = desk.how(one.dataset)
    can_publish = not desk.needs_reading(one) or (how is not None and bool(how.source))
    if not can_publish:
        again = _(
            "The records came as a file, and this program was started again since. {who} has to open the file on the "
            "page Data and ask again."
        )
        st.warning(words.as_text(again.format(who=one.who), 400))
    label = words.as_text(_("A word to {who}").format(who=one.who), 200)
    reason = st.text_input(label, key=f"reason_{one.id}", max_chars=300)
    is_refused = False
    with st.container(horizontal=True):
        label = _("Approve and publish") if one.state == second.WAITING else _("Publish what was approved")
        is_approved = st.button(label, type="primary", key=f"approve_{one.id}", disabled=not can_publish)
        if one.state == second.WAITING:
            is_refused = st.button(_("Refuse"), key=f"refuse_{one.id}")
    if is_refused:
        with shown_errors():
            desk.refuse(one, reason)
            say_later("success", _("Refused. {who} reads your reason on this page.").format(who=one.who))
            st.rerun()
    return reason if is_approved else None


def _approve(desk: Desk, one: second.ApprovalRequest, reason: str, place: Any) -> None:
    with place, shown_errors():
        counts = None
        if desk.needs_reading(one):
            reading = desk.begin_reading(one.dataset)
            follow_reading(reading, one.dataset, one.id)
            counts = reading.counts()[0]
        outcome = desk.approve(one, counts, reason)
        if isinstance(outcome, NoAnswer):
            say_later("warning", _("Approved. The method had no answer at this budget; the charge stays."))
        else:
            name = f"{outcome.dataset}, {outcome.id[:8]}"
            say_later("success", _("Approved and published: {name}.").format(name=name))
        st.rerun()


def _what(one: second.ApprovalRequest) -> str:
    method = _("the automatic method") if one.request.method == "auto" else told(method_title(one.request.method))
    return _("{k} centers of “{dataset}” at {level}, with {method}.").format(
        k=one.request.k, dataset=one.dataset, level=words.level_in_words(one.request.budget.epsilon), method=method
    )


def _table(answered: list[second.ApprovalRequest]) -> pd.DataFrame:
    rows = [
        (_what(one), one.who, told(one.state), one.decided_by, one.decided[:10], one.reason or "–") for one in answered
    ]
    return pd.DataFrame(rows, columns=list(_(("What", "Asked by", "Answer", "By", "On", "Reason"))))


# ---- the audit log -----------------------------------------------------------------------------------------------


_SHOWN = 200


def draw_audit_log(desk: Desk) -> None:
    """The page *Audit log*: everything that somebody did, to read and to take away."""
    st.title(_("Audit log"))
    chained = _("From the ledger, whose rows are chained: a changed or missing one is noticed.")
    elements.banner((_("Everything that somebody did"), chained), "dpv-preview")
    found = events(desk.ledger)
    chosen = st.selectbox(_("Person"), [_("everybody"), *sorted({event.who for event in found})], key="audit_who")
    if chosen != _("everybody"):
        found = [event for event in found if event.who == chosen]
    with st.container(horizontal=True):
        elements.draw_download(_("Take away as CSV"), as_csv(found), "audit-log.csv", icon=False)
        told = json.dumps(as_rows(found), indent=1, ensure_ascii=False)
        elements.draw_download(_("Take away as JSON"), told, "audit-log.json", icon=False)
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
    heads = list(_(("When", "Who", "What", "Concerns", "Charged", "Why")))
    tables.show(pd.DataFrame(rows, columns=heads), caption=_("Audit log"))
    shown = _("The last {shown} of {all}.").format(shown=words.whole(len(latest)), all=words.whole(len(found)))
    st.caption(words.as_text(shown))


def _about(event: Event) -> str:
    """What it was about; a request by the beginning of its number."""
    kind, _blank, number = event.subject.partition(" ")
    if kind == "request" and event.release:
        return _("request {number}").format(number=number[:8])
    return event.subject or event.release[:8]
