"""The frame of an app around its pages. A page that is opened without it draws nothing and runs again with it.

Until an app has called `st.navigation`, Streamlit serves each file in `pages/` to anybody, on each server.
"""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from dpviz.hosting import identity

_AROUND = "dpviz-frame"


def begin() -> None:
    """Mark the frame, before the app lists its pages. Stop the run if no access check stands in front of the server."""
    if st.context.headers and not identity.has_a_door():  # a browser's request that passed no access check
        st.error(identity.NO_DOOR)
        st.stop()
    st.session_state[_AROUND] = True


def titles() -> Mapping[str, str]:
    """Return the titles of the pages in this browser's language."""
    from dpviz.ui.page_parts import words
    from dpviz.ui.session.session import current_session

    current_session()
    return words.PAGE_TITLES


def languages(page: str) -> None:
    """Draw a button for each other language. The page *Demo* has a switch of its own."""
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
    """Run again with the frame if there is none, and speak the browser's language; called first in each page's file.

    `path` keeps the page's address known.
    """
    from dpviz.ui.session.session import current_session

    if not st.session_state.get(_AROUND):
        pages = [st.Page(_nothing, title="dpviz", default=True)]
        if path:
            pages.append(st.Page(_nothing, title=path, url_path=path))
        st.navigation(pages, position="hidden")
        st.rerun()
    current_session()


def _nothing() -> None:
    """A page without anything on it."""
