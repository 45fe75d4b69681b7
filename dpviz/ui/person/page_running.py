"""A reading under way, on the page: how far it is, a way to cancel it, and what is done when it has ended.

Progress, the way out and what went wrong stand where the click was made. The reading is a program of its own, and it
hangs on the session: with a closed tab it ends too.
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


def begin(place: str, name: str, start: Callable[[], RunningReading], then: Callable[[RunningReading], None]) -> None:
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
    """Said by the next run of the page, at its head or at a place on it."""
    kept = current_session().part(Desktop)
    kept.kind, kept.text, kept.place = kind, text, place


def settle() -> bool:
    """Before anything is drawn: what comes after a reading that has ended. Whether one is under way."""
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


def head(*places: str) -> None:
    """At the head of a page: what belongs to none of the places that follow."""
    kept = current_session().part(Desktop)
    if kept.place not in places:
        _say(kept)
    if kept.running is not None and kept.running.place not in places:
        st.fragment(run_every=_SECONDS)(_watch)()


def at(place: str) -> None:
    """At a place on the page: what there is to say there, and the reading that was begun there."""
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
