"""The frame of an app around its pages, and what a page does that was opened without it.

Streamlit makes pages of its own of a folder `pages/` beside the script, until the app's list of pages has been drawn
once. The first visitor of a server who opens /compare directly would get the bare file, and on the analysts' server the
curator's pages could be opened that way. So a page that finds no frame around itself draws nothing: it has Streamlit
know that there is a list of pages, and the run begins anew with the frame.
"""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from dpviz.hosting import identity

_AROUND = "dpviz-frame"


def begin() -> None:
    """In the script of the app, before its list of pages. Drawn for nobody where the check in front is missing."""
    if st.context.headers and not identity.has_a_door():  # a browser asks, and nobody asked it who it is
        st.error(identity.NO_DOOR)
        st.stop()
    st.session_state[_AROUND] = True


def titles() -> Mapping[str, str]:
    """What the pages are called in this browser's language."""
    from dpviz.ui.page_parts import words
    from dpviz.ui.session.session import current_session

    current_session()
    return words.PAGE_TITLES


def languages(page: str) -> None:
    """The way to the other languages, in the corner of every page; the stage of the story has a switch of its own."""
    from dpviz.language import languages, name_of, speaking
    from dpviz.ui.session.session import current_session

    session = current_session()
    if page == "demo":
        return
    with st.container(key="language", horizontal=True, width="content"):
        for name in languages():
            if name != speaking.language():
                st.button(name_of(name), key=f"speak_{name}", type="tertiary", on_click=session.speak, args=(name,))


def needed(path: str = "") -> None:
    """In the file of a page, before anything is drawn; `path` is the page's own, so that its address stays known."""
    if not st.session_state.get(_AROUND):
        pages = [st.Page(_nothing, title="dpviz", default=True)]
        if path:
            pages.append(st.Page(_nothing, title=path, url_path=path))
        st.navigation(pages, position="hidden")
        st.rerun()


def _nothing() -> None:
    """A page without anything on it."""
