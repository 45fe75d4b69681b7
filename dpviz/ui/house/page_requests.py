"""The page *Requests*: what waits for a second person, and what became of the rest."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import streamlit as st

from dpviz.errors import DpvizError
from dpviz.hosting.desk import Desk
from dpviz.hosting.reading_process import RunningReading
from dpviz.labels.catalogue_rows import methods as catalogue_rows
from dpviz.language.speaking import figures, told
from dpviz.ledger.persons import Step, is_allowed
from dpviz.publishing import second_person as second
from dpviz.publishing.datasets import open_dataset
from dpviz.releases.release import NoAnswer, Release
from dpviz.ui.page_parts import elements, tables, words
from dpviz.ui.person import page_running
from dpviz.ui.person import words as say


def draw(desk: Desk) -> None:
    """The whole page."""
    st.title(say.REQUESTS_TITLE)
    elements.banner(say.REQUESTS_MODE, "dpv-preview")
    busy = page_running.finish_reading()
    found = second.requests(desk.ledger)
    open_ones = [one for one in found if one.state == second.WAITING or _is_unfinished(desk, one)]
    with st.container():
        page_running.draw_head(*(one.id for one in open_ones))
    st.header(say.WAITING)
    if not open_ones:
        st.markdown(say.NOTHING_WAITING)
    for one in open_ones:
        with st.container(border=True, key=f"request_{one.id}"):
            _waiting(desk, one, busy)
            page_running.draw_at(one.id)
    answered = [one for one in reversed(found) if one.state != second.WAITING]
    if answered:
        st.header(say.DECIDED)
        tables.show(_table(answered), caption=say.DECIDED)


def _is_unfinished(desk: Desk, one: second.ApprovalRequest) -> bool:
    """Approved, and something stopped the draw: whoever approves can have it made."""
    if one.state != second.APPROVED:
        return False
    charge = desk.ledger.charge(one.key)
    return charge is None or not charge.stored


def _waiting(desk: Desk, one: second.ApprovalRequest, busy: bool) -> None:
    st.subheader(words.as_text(_what(one), 300), anchor=False)
    st.markdown(words.as_text(say.ASKED_BY.format(who=one.who, day=one.created[:10], why=one.why), 500))
    dataset = open_dataset(one.dataset, ledger=desk.ledger)
    total, left = float(dataset.total.epsilon), float(dataset.remaining.epsilon)
    st.markdown(say.PRICE.format(cost=_parts(one.request.budget.epsilon, total), left=_parts(left, total)))
    if second.same_person(one.who, desk.person.name):
        st.caption(say.OWN_REQUEST)
        return
    if not is_allowed(desk.person, Step.DECIDE):
        st.caption(say.FOR_APPROVERS)
        return
    _decide(desk, one, busy)


def _parts(value: float, total: float) -> str:
    return figures(f"{100 * value / total:.1f}".removesuffix(".0"))


def _decide(desk: Desk, one: second.ApprovalRequest, busy: bool) -> None:
    how = desk.how(one.dataset)
    held = not desk.needs_reading(one)
    if not held and (how is None or not how.source):
        st.warning(words.as_text(say.UPLOADED.format(who=one.who), 400))
    reason = st.text_input(words.as_text(say.REASON.format(who=one.who), 200), key=f"reason_{one.id}", max_chars=300)
    with st.container(horizontal=True):
        can_publish = held or (how is not None and bool(how.source))
        label = say.APPROVE if one.state == second.WAITING else say.COMPLETE
        if st.button(label, type="primary", key=f"approve_{one.id}", disabled=busy or not can_publish):
            if held:
                _tried(lambda: _approved(desk.approve(one, None, reason)))
            else:
                page_running.begin_reading(
                    one.id,
                    one.dataset,
                    lambda: desk.begin_reading(one.dataset),
                    lambda reading: _approve(desk, one, reason, reading),
                )
        if one.state == second.WAITING and st.button(say.REFUSE, key=f"refuse_{one.id}", disabled=busy):
            _tried(lambda: _refused(desk.refuse(one, reason)))


def _approve(desk: Desk, one: second.ApprovalRequest, reason: str, reading: RunningReading) -> None:
    counts, _ = reading.counts()
    _approved(desk.approve(one, counts, reason))


def _approved(outcome: Release | NoAnswer) -> None:
    if isinstance(outcome, NoAnswer):
        page_running.say_later("warning", say.APPROVED_NO_ANSWER)
    else:
        page_running.say_later("success", say.APPROVED_DONE.format(name=f"{outcome.dataset}, {outcome.id[:8]}"))
    st.rerun()


def _refused(one: second.ApprovalRequest) -> None:
    page_running.say_later("success", say.REFUSED_DONE.format(who=one.who))
    st.rerun()


def _tried(step: Callable[[], None]) -> None:
    try:
        step()
    except DpvizError as problem:
        st.error(words.sentence(problem.message))


def _what(one: second.ApprovalRequest) -> str:
    titles = {str(row["name"]): told(str(row["title"])) for row in catalogue_rows()} | {"auto": say.AUTOMATIC}
    return say.WHAT.format(
        k=one.request.k,
        dataset=one.dataset,
        level=words.level_in_words(one.request.budget.epsilon),
        method=titles.get(one.request.method, one.request.method),
    )


def _table(answered: list[second.ApprovalRequest]) -> pd.DataFrame:
    rows = [
        (_what(one), one.who, say.STATES[one.state], one.decided_by, one.decided[:10], one.reason or "–")
        for one in answered
    ]
    return pd.DataFrame(rows, columns=list(say.DECIDED_COLUMNS))
