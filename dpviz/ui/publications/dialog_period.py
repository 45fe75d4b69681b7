"""The dialog that publishes a period of a series: who, why and where its records lie stand there from the last one."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial

import streamlit as st

from dpviz.errors import DpvizError
from dpviz.hosting.desk import Desk
from dpviz.hosting.reading_process import HowRead
from dpviz.language.speaking import told as _
from dpviz.ledger.ledger import Ledger
from dpviz.publishing.approvals import ApprovalRequest, NeedsApproval, Refused
from dpviz.releases.release import NoAnswer
from dpviz.series.series import (
    Records,
    Series,
    budget_of_next,
    counts_of_period,
    last_records,
    open_series,
    publish_period,
    records_of,
    remember_records,
)
from dpviz.ui.own_data.page_running import follow_reading, say_later, shown_errors
from dpviz.ui.own_data.registration import own_words
from dpviz.ui.page_parts import words
from dpviz.ui.person import page_person
from dpviz.ui.person import words as hosted
from dpviz.ui.publications import series_logic
from dpviz.ui.publications import words as say
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
    title = say.FIRST_TITLE.format(name=shown)
    if label is not None:
        title = say.NEXT_TITLE.format(period=words.period(label), name=shown)
    desk = page_person.desk_or_none()
    body = _body if desk is None else partial(_body_in_house, desk)
    open_dialog(title, body, series, label, on_dismiss=_close)


def _close() -> None:
    current_session().part(Life).series = ""


def _chosen(series: Series, label: str | None) -> str:
    """The next period; the first one is typed."""
    st.markdown(
        _(
            "Box, centers, unit, cap and budget are those of the series. Records of other "
            "periods in the file are not used. Once published it cannot be taken back, and "
            "what it costs stays spent."
        )
    )
    if label is not None:
        return label
    suggested = series_logic.first_label(series.every, datetime.now(UTC).date())
    return st.text_input(say.NEXT_PERIOD, value=suggested, help=say.NEXT_PERIOD_HELP, key="period_label").strip()


def _body(series: Series, label: str | None) -> None:
    chosen = _chosen(series, label)
    cost = _cost(series, chosen)
    if cost is None:
        return
    before = last_records(series)
    path = st.text_input(
        say.NEXT_FILE, value=before.files[0] if before else "", help=say.NEXT_FILE_HELP, key=f"period_file_{chosen}"
    )
    time = _ask_time(chosen, before.time if before else "")
    who = st.text_input(say.WHO, value=_usual_name(series), help=say.WHO_HELP, key="period_who", max_chars=100)
    why = _ask_why(chosen)
    st.caption(cost)
    if not st.button(say.NEXT_GO.format(period=words.period(chosen)), type="primary", key="period_go"):
        return
    missing = _missing(path, time, who, why)
    if missing:
        st.error(missing)
        return
    places = before is not None and path.strip() == before.files[0]
    records = records_of(
        before.files if before is not None and places else [path.strip()],
        time=time.strip(),
        lon=before.lon if before is not None and places else None,
        lat=before.lat if before is not None and places else None,
    )
    _publish(series, chosen, records, who, why)


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
    if isinstance(needed, NeedsApproval):
        if needed.waiting is not None:
            st.success(hosted.ASK_DONE)
            return
        st.info(words.as_text(hosted.ASK_NOTE.format(dataset=f"{series.name} {chosen}"), 300))
    before = _last_reading(desk, series)
    most = desk.house.limits.upload_bytes(desk.person.roles) // 2**20
    by_upload = hosted.SOURCE_UPLOAD.format(most=words.whole(most))
    options = [*(source.name for source in desk.house.sources), *([by_upload] if most else [])]
    if not options:
        st.info(hosted.SOURCE_NONE)
        return
    last = "" if before is None else before.source
    at = options.index(last) if last in options else 0
    source = str(st.selectbox(hosted.SOURCE, options, index=at, key=f"period_source_{chosen}"))
    upload = None
    if source == by_upload:
        upload = st.file_uploader(hosted.UPLOAD, key=f"period_upload_{chosen}", help=hosted.UPLOAD_NOTE)
    rows = None if before is None else before.wish.period
    time = _ask_time(chosen, "" if rows is None else rows.time)
    why = _ask_why(chosen)
    st.caption(cost)
    go = hosted.ASK_GO if isinstance(needed, NeedsApproval) else say.NEXT_GO.format(period=words.period(chosen))
    if not st.button(go, type="primary", key="period_go"):
        return
    missing = _missing("" if (source == by_upload and upload is None) else source, time, desk.person.name, why)
    if missing:
        st.error(missing)
        return
    lon, lat = (before.wish.lon, before.wish.lat) if before is not None and last == source else ("", "")
    try:
        given = desk.given(source=source, upload=upload)
        wish = desk.wish_of_period(series, chosen, time=time.strip(), lon=lon, lat=lat)
    except DpvizError as problem:
        st.error(own_words(problem))
        return

    with shown_errors():
        reading = desk.reading(given, wish)
        follow_reading(reading, given.name)
        outcome = desk.publish_period(series, chosen, given, wish, reading, why)
        told = {"period": words.period(chosen), "name": series.name}
        if isinstance(outcome, ApprovalRequest):
            say_later("success", hosted.ASK_DONE)
        elif isinstance(outcome, NoAnswer):
            say_later("warning", say.NEXT_NO_ANSWER.format(**told))
        else:
            say_later("success", say.NEXT_DONE.format(**told))
        _close()
        st.rerun()


def _ask_time(label: str, usual: str) -> str:
    return st.text_input(say.NEXT_TIME, value=usual, help=say.NEXT_TIME_HELP, key=f"period_time_{label}")


def _ask_why(label: str) -> str:
    usual = _("{period} of the series").format(period=words.period(label))
    return st.text_input(say.WHY, value=usual, help=say.WHY_HELP, key=f"period_why_{label}", max_chars=300)


def _last_reading(desk: Desk, series: Series) -> HowRead | None:
    """How the last period was read in this house; None where none was."""
    found = (desk.how(one.dataset) for one in reversed(series.published()))
    return next((how for how in found if how is not None), None)


def _publish(series: Series, label: str, records: Records, who: str, why: str) -> None:
    source = records.files[0] if len(records.files) == 1 else list(records.files)
    try:
        with st.spinner(_("Reading and publishing …")):
            counts = counts_of_period(series, label, source, time=records.time, lon=records.lon, lat=records.lat)
            answer = publish_period(series, label, counts, who=who, why=why)
            remember_records(series, records, who=who)
    except DpvizError as problem:
        st.error(own_words(problem))
        return
    life = current_session().part(Life)
    life.who = who
    told = say.NEXT_NO_ANSWER if isinstance(answer, NoAnswer) else say.NEXT_DONE
    done = told.format(period=words.period(label), name=words.as_text(series.name))
    life.done = " ".join([done, *map(words.sentence, [] if counts.report is None else list(counts.report.hints))])
    _close()
    st.rerun()


def _cost(series: Series, label: str) -> str | None:
    """What it will cost, in words; None where the period cannot be published, which is said."""
    from dpviz.publishing.populations import spent_in_window
    from dpviz.series.series import find_period

    try:
        window = find_period(series, label).window
        epsilon = budget_of_next(series, label).epsilon
    except DpvizError as problem:
        st.error(own_words(problem))
        return None
    whole = series.people.whole.epsilon
    left = max(whole - spent_in_window(series.people, window, ledger=series.ledger).epsilon - epsilon, 0.0)
    return _("It costs {parts} of 100 parts of the budget; {left} will be left.").format(
        parts=words.parts_of_100(epsilon, whole), left=words.parts_of_100(left, whole)
    )


def _missing(path: str, time: str, who: str, why: str) -> str:
    if not path.strip() or not time.strip():
        return say.NEXT_MISSING
    return say.WHO_MISSING if not who.strip() else say.WHY_MISSING if not why.strip() else ""


def _usual_name(series: Series) -> str:
    """Who published last: in this session, or of this series."""
    charges = [one.who for one in series.ledger.charges() if one.request.period is not None]
    return current_session().part(Life).who or (charges[-1] if charges else "")
