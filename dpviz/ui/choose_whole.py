"""Whether the page *Choose* is drawn as it was asked for, so that no click is lost where only parts are drawn again.

A step of the slider draws parts of the page instead of the whole of it. Streamlit sends what was clicked in the same
moment as one message, which may bear the name of one part, and a run of the whole page may be cut short by the next
request. Then the rest of the page would stay as it was: a dialog that was asked for does not open, a level that was
chosen by a button is not gone to. So a run of the whole page notes, at its end, what it was asked to show. Wherever
parts are to be drawn again and the note is missing or another one, the whole page is drawn.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import streamlit as st
from streamlit.errors import StreamlitAPIException
from streamlit.runtime.scriptrunner import get_script_run_ctx

from dpviz.ui import cache, elements

# What is shown by the whole page alone. The level and the layers of the map are shown by parts too.
_KEYS = ("data", "days", "hour", "watched", "watched_box", "k", "method", "region_names", "region_level", "region_file")
_GONE_TO = ("level", "days", "hour", "method")  # controls that buttons may set
_DRAWN = "whole_page"


@contextlib.contextmanager
def page() -> Iterator[None]:
    """Around a run of the whole page. One that is cut short leaves no note; one that fails is not tried for ever."""
    cache.put(_DRAWN, None)
    try:
        yield
    except Exception:
        cache.put(_DRAWN, _asked_for())
        raise
    cache.put(_DRAWN, _asked_for())


def is_drawn() -> bool:
    """Whether the last run of the whole page reached its end, and showed what is asked for now."""
    drawn: dict[str, Any] | None = cache.get(_DRAWN)
    return (
        drawn is not None
        and all(drawn.get(key) == value for key, value in _asked_for().items())
        and not any(cache.get(f"go_to_{key}") for key in _GONE_TO)
    )


def _asked_for() -> dict[str, Any]:
    """The values of the controls that are on the page, and which dialog lies over it."""
    values = cache.values()
    return {key: values[key] for key in _KEYS if key in values} | {"dialog": elements.open_dialog()}


def only(*parts: str) -> None:
    """For callbacks: draw these parts again instead of the one that was touched, where the rest is as it should be.

    Where the touch came in company of a wish for the whole page, that draws the parts too: nothing is to be done.
    """
    if not _is_of_parts():
        return
    if is_drawn():
        with contextlib.suppress(StreamlitAPIException):  # a part that is not on the page: then all of it
            st.rerun(parts)
    st.rerun()


def complete() -> None:
    """For parts: where one is drawn without the rest of the page and the rest is not as it should be, draw it all."""
    if _is_of_parts() and not is_drawn():
        st.rerun()


def _is_of_parts() -> bool:
    """Whether this run is one of parts only."""
    context = get_script_run_ctx()
    return context is not None and bool(context.fragment_ids_this_run)


def go_to(wanted: dict[str, object]) -> None:
    """For callbacks of buttons: set controls at the start of the next run, which is one of the whole page.

    A callback is called with every run that a click comes with, whichever part that run draws, and also where the
    button meanwhile has another name. Asking a button whether it was clicked loses the click in both cases.
    """
    for key, value in wanted.items():
        cache.put(f"go_to_{key}", (value,))
    st.rerun()


def gone_to() -> None:
    """Set the controls that a button asked for; a control that stands on the page already cannot be set."""
    for key in _GONE_TO:
        wanted = cache.get(f"go_to_{key}")
        if wanted is not None:
            st.session_state[key] = wanted[0]
            cache.put(f"go_to_{key}", None)


def open_dialog(name: str) -> None:
    """For callbacks of buttons: open this dialog, which the whole page draws."""
    elements.ask_for_dialog(name)
    st.rerun()
