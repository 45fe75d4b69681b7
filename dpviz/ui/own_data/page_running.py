"""A reading on a page: its progress, a way to cancel it, its errors, and what the next run of the page says of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

import streamlit as st

from dpviz.errors import DpvizError
from dpviz.hosting.desk import Desk
from dpviz.hosting.reading_process import RunningReading
from dpviz.language.speaking import told as _
from dpviz.ui.own_data.registration import own_words
from dpviz.ui.page_parts import words
from dpviz.ui.session.session import current_session


@dataclass(kw_only=True)
class Message:
    """What the next run of a page says, and at which place on it."""

    kind: Literal["error", "success", "warning", "info"] = "info"
    text: str = ""
    place: str = ""


def say_later(kind: Literal["error", "success", "warning", "info"], text: str, place: str = "") -> None:
    """Keep a message for the next run of the page, for its head or a place on it."""
    kept = current_session().part(Message)
    kept.kind, kept.text, kept.place = kind, text, place


def draw_message(place: str = "") -> None:
    """Draw the message that was kept for this place."""
    kept = current_session().part(Message)
    if kept.text and kept.place == place:
        getattr(st, kept.kind)(words.as_text(kept.text, 1000))
        kept.text = ""


def follow_reading(reading: RunningReading, name: str, place: str | None = None) -> None:
    """Show the progress of a reading until it ends. An interrupted run ends the reading.

    A click interrupts the run of a page, but not that of a dialog (`place` is None): there only closing it does.
    """
    text = words.as_text(_("Reading “{name}” …").format(name=name))
    shown = st.empty()
    with shown.container():
        bar = st.progress(0.0, text)
        if place is None:
            st.caption(_("Closing this window cancels the reading."))
        else:
            st.button(_("Cancel"), key="reading_cancel", on_click=_cancel, args=(reading, place))
    try:
        while not reading.wait(0.5):
            bar.progress(reading.share, text)
        shown.empty()  # a page goes on below it: nothing is left to cancel
    finally:
        reading.cancel()


def choose_source(desk: Desk, key: str, last: str = "") -> tuple[str, Any] | None:
    """Ask which of a house's data or which upload; no name while a file is awaited, None where there is neither."""
    most = desk.house.limits.upload_bytes(desk.person.roles) // 2**20
    by_upload = _("A file that I send (up to {most} MB)").format(most=words.whole(most))
    options = [*(source.name for source in desk.house.sources), *([by_upload] if most else [])]
    if not options:
        st.info(_("The administrator has named no data, and your role may not send files."))
        return None
    at = options.index(last) if last in options else 0
    source = str(st.selectbox(_("Where the records are"), options, index=at, key=f"{key}_source"))
    if source != by_upload:
        return source, None
    note = _("It is held in memory, in your session only; nothing of it is written to a disk.")
    upload = st.file_uploader(_("The file"), key=f"{key}_file", help=note)
    return "" if upload is None else source, upload


def _cancel(reading: RunningReading, place: str) -> None:
    """End it at once; the run that follows it may go on for a moment beside the new one."""
    reading.cancel()
    say_later("info", _("The reading was cancelled."), place)


@contextmanager
def shown_errors() -> Iterator[None]:
    """Show an error of this step as a sentence."""
    try:
        yield
    except DpvizError as problem:
        st.error(own_words(problem))
