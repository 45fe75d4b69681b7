"""The dialog that publishes a period of a series: who, why and where its records lie stand there from the last one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial

import streamlit as st

from dpviz.hosting.desk import Desk
from dpviz.language.speaking import told as _
from dpviz.ledger.ledger import Ledger
from dpviz.publishing.approvals import ApprovalRequest, NeedsApproval, Refused
from dpviz.publishing.populations import spent_in_window
from dpviz.releases.release import NoAnswer, Release
from dpviz.series.series import (
    Series,
    budget_of_next,
    counts_of_period,
    find_period,
    last_records,
    open_series,
    publish_period,
    records_of,
    remember_records,
)
from dpviz.ui.own_data.page_running import choose_source, follow_reading, say_later, shown_errors
from dpviz.ui.page_parts import words
from dpviz.ui.person import page_person, words as hosted
from dpviz.ui.publications import logic, words as say
from dpviz.ui.publications.logic import Life
from dpviz.ui.session.session import current_session, open_dialog


def ask_for(series: str) -> None:
    """Open the dialog for this series. It is remembered, because a run of the whole page closes dialogs."""
    current_session().part(Life).series = series


def draw(ledger: Ledger) -> None:
    """The dialog that is open."""
    name = current_session().part(Life).series
    if not name:
        return
    series = open_series(name, ledger=ledger)
    label = series.next_label()
    shown = words.as_text(series.name)
    title = _("Publish the first period of “{name}”").format(name=shown)
    if label is not None:
        title = _("Publish {period} of “{name}”").format(period=words.period(label), name=shown)
    desk = page_person.desk_or_none()
    open_dialog(title, _body if desk is None else partial(_body_in_house, desk), series, label, on_dismiss=_close)


def _close() -> None:
    current_session().part(Life).series = ""


def _chosen(series: Series, label: str | None) -> str:
    """The next period; the first one is typed."""
    st.markdown(
        _(
            "Box, centers, unit, cap and budget are those of the series. Records of other periods in the file are not "
            "used. Once published it cannot be taken back, and what it costs stays spent."
        )
    )
    if label is not None:
        return label
    suggested = logic.first_label(series.every, datetime.now(UTC).date())
    return st.text_input(
        _("Period"), value=suggested, help=_("Such as 2026-03, 2026-W11 or 2026-03-14."), key="period_label"
    ).strip()


def _body(series: Series, label: str | None) -> None:
    chosen = _chosen(series, label)
    cost = _cost(series, chosen)
    if cost is None:
        return
    before = last_records(series)
    path = st.text_input(
        _("File or folder on this computer"),
        value=before.files[0] if before else "",
        help=_("CSV or Parquet, with one record per row."),
        key=f"period_file_{chosen}",
    ).strip()
    go = say.NEXT_GO.format(period=words.period(chosen))
    asked = _ask(chosen, cost, go, path, before.time if before else "", usual_name=_usual_name(series))
    if asked is None:
        return
    time, who, why = asked
    known = before is not None and path == before.files[0]
    records = replace(before, time=time) if before is not None and known else records_of([path], time=time)
    source = records.files[0] if len(records.files) == 1 else list(records.files)
    with shown_errors():
        with st.spinner(_("Reading and publishing …")):
            counts = counts_of_period(series, chosen, source, time=time, lon=records.lon, lat=records.lat)
            answer = publish_period(series, chosen, counts, who=who, why=why)
            remember_records(series, records, who=who)
        current_session().part(Life).who = who
        _done(series, chosen, answer, () if counts.report is None else counts.report.hints)


def _body_in_house(desk: Desk, series: Series, label: str | None) -> None:
    """The same in a hosted house: the signed-in person, and named data or an upload instead of a path."""
    chosen = _chosen(series, label)
    cost = _cost(series, chosen)
    if cost is None:
        return
    needed = desk.what_a_period_needs(series, chosen)
    if isinstance(needed, Refused):
        st.info(hosted.NOT_PUBLISHER)
        return
    go = say.NEXT_GO.format(period=words.period(chosen))
    if isinstance(needed, NeedsApproval):
        if needed.waiting is not None:
            st.success(hosted.ASK_DONE)
            return
        st.info(words.as_text(hosted.ASK_NOTE.format(dataset=f"{series.name} {chosen}"), 300))
        go = hosted.ASK_GO
    how = (desk.how(one.dataset) for one in reversed(series.published()))
    before = next((one for one in how if one is not None), None)  # how the last period was read in this house
    found = choose_source(desk, f"period_{chosen}", "" if before is None else before.source)
    if found is None:
        return
    source, upload = found
    rows = None if before is None else before.wish.period
    asked = _ask(chosen, cost, go, source, "" if rows is None else rows.time, name=desk.person.name)
    if asked is None:
        return
    time, _who, why = asked
    lon, lat = (before.wish.lon, before.wish.lat) if before is not None and before.source == source else ("", "")
    with shown_errors():
        given = desk.given(source=source, upload=upload)
        wish = desk.wish_of_period(series, chosen, time=time, lon=lon, lat=lat)
        reading = desk.reading(given, wish)
        follow_reading(reading, given.name)
        _done(series, chosen, desk.publish_period(series, chosen, given, wish, reading, why))


def _ask(
    label: str, cost: str, go: str, source: str, usual: str, *, name: str | None = None, usual_name: str = ""
) -> tuple[str, str, str] | None:
    """The column of dates, who (asked for where no `name` is known) and why; None until all is said and confirmed."""
    time = st.text_input(
        _("Column of dates"),
        value=usual,
        help=_("Dates such as 2026-03-14; each record belongs to the period of its own."),
        key=f"period_time_{label}",
    ).strip()
    who = name or st.text_input(say.WHO, value=usual_name, help=say.WHO_HELP, key="period_who", max_chars=100)
    reason = _("{period} of the series").format(period=words.period(label))
    why = st.text_input(say.WHY, value=reason, help=say.WHY_HELP, key=f"period_why_{label}", max_chars=300)
    st.caption(cost)
    if not st.button(go, type="primary", key="period_go"):
        return None
    if source and time and who.strip() and why.strip():
        return time, who, why
    st.error(
        _("Say which file holds the records, and which column their dates.")
        if not source or not time
        else say.WHO_MISSING
        if not who.strip()
        else say.WHY_MISSING
    )
    return None


def _done(series: Series, label: str, outcome: Release | NoAnswer | ApprovalRequest, hints: Sequence[str] = ()) -> None:
    """Close the dialog; the next run of the page says what became of it."""
    told = (
        _("{period} of “{name}” was charged, and its budget was too small for an answer.")
        if isinstance(outcome, NoAnswer)
        else _("{period} of “{name}” is published.")
    )
    said = " ".join([told.format(period=words.period(label), name=series.name), *map(words.sentence, hints)])
    is_asked = isinstance(outcome, ApprovalRequest)
    say_later("warning" if isinstance(outcome, NoAnswer) else "success", hosted.ASK_DONE if is_asked else said)
    _close()
    st.rerun()


def _cost(series: Series, label: str) -> str | None:
    """What it will cost, in words; None where the period cannot be published, which is said."""
    told = None
    with shown_errors():
        window, whole = find_period(series, label).window, series.people.whole.epsilon
        epsilon = budget_of_next(series, label).epsilon
        left = max(whole - spent_in_window(series.people, window, ledger=series.ledger).epsilon - epsilon, 0.0)
        told = _("It costs {parts} of 100 parts of the budget; {left} will be left.").format(
            parts=words.parts_of_100(epsilon, whole), left=words.parts_of_100(left, whole)
        )
    return told


def _usual_name(series: Series) -> str:
    """Who published last: in this session, or of this series."""
    charges = [one.who for one in series.ledger.charges() if one.request.period is not None]
    return current_session().part(Life).who or (charges[-1] if charges else "")
