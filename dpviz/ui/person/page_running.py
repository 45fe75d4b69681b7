"""A reading of records on the page: its progress, a button to cancel it, and the step that follows it.

Progress and errors appear where the reading was started. The subprocess belongs to the session and ends with it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from dpviz.errors import DpvizError
from dpviz.hosting.reading_process import RunningReading
from dpviz.ui.page_parts import words
from dpviz.ui.person import words as say
from dpviz.ui.session.session import current_session

_SECONDS = 0.5


@dataclass(frozen=True, kw_only=True)
class Running:
    """What is read, what comes after it, and the place on the page where it was asked for."""

    name: str
    reading: RunningReading
    then: Callable[[RunningReading], None]
    place: str


@dataclass(kw_only=True)
class Desktop:
    """What a session keeps of its readings: the one under way, and what the next run of the page says, and where."""

    running: Running | None = None
    kind: str = ""  # error, success, warning or info
    text: str = ""
    place: str = ""


def begin_reading(
    place: str, name: str, start: Callable[[], RunningReading], then: Callable[[RunningReading], None]
) -> None:
    """Start a reading; one at a time in a session."""
    kept = current_session().part(Desktop)
    if kept.running is not None:
        kept.running.reading.cancel()
    try:
        kept.running = Running(name=name, reading=start(), then=then, place=place)
    except DpvizError as problem:
        st.error(words.sentence(problem.message))
        return
    st.rerun()


def say_later(kind: str, text: str, place: str = "") -> None:
    """Keep a message for the next run of the page, at its head or at a place on it."""
    kept = current_session().part(Desktop)
    kept.kind, kept.text, kept.place = kind, text, place


def finish_reading() -> bool:
    """Run the step that follows an ended reading, before anything is drawn. Returns whether a reading is running."""
    kept = current_session().part(Desktop)
    running = kept.running
    if running is None:
        return False
    if not running.reading.is_done:
        return True
    kept.running = None
    try:
        running.then(running.reading)
    except DpvizError as problem:
        kind = "info" if running.reading.was_cancelled else "error"
        say_later(kind, words.sentence(problem.message), running.place)
    return False


def draw_head(*places: str) -> None:
    """Draw, at the head of a page, what belongs to none of these places."""
    kept = current_session().part(Desktop)
    if kept.place not in places:
        _say(kept)
    if kept.running is not None and kept.running.place not in places:
        st.fragment(run_every=_SECONDS)(_watch)()


def draw_at(place: str) -> None:
    """Draw the message and the reading that belong to this place on the page."""
    kept = current_session().part(Desktop)
    if kept.place == place:
        _say(kept)
    if kept.running is not None and kept.running.place == place:
        st.fragment(run_every=_SECONDS)(_watch)()


def _say(kept: Desktop) -> None:
    if kept.text:
        shown = {"error": st.error, "success": st.success, "warning": st.warning, "info": st.info}
        shown[kept.kind](words.as_text(kept.text, 1000))
        kept.kind = kept.text = kept.place = ""


def _watch() -> None:
    running = current_session().part(Desktop).running
    if running is None or running.reading.is_done:
        st.rerun()
    st.progress(running.reading.share, words.as_text(say.READING.format(name=running.name)))
    st.button(say.CANCEL, key="hosted_cancel", on_click=running.reading.cancel)
