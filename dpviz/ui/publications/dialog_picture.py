"""The dialog that draws a release as a picture: appearance, title, kind of file, and what stands beside it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from dpviz.drawing.picture import picture
from dpviz.errors import DpvizError, InputError
from dpviz.language import ENGLISH
from dpviz.language.speaking import spoken_in
from dpviz.life.publications import Publication, stored_release
from dpviz.releases.release import Release
from dpviz.ui.page_parts import words
from dpviz.ui.publications import logic
from dpviz.ui.publications import words as say
from dpviz.ui.publications.page_state import Life
from dpviz.ui.session.session import here

_TYPES = {"png": "image/png", "svg": "image/svg+xml", "pdf": "application/pdf", "html": "text/html"}


def body(chosen: Publication, all_of_them: Sequence[Publication]) -> None:
    """Everything in the dialog."""
    st.markdown(say.PICTURE_NOTE)
    title = st.text_input(
        say.PICTURE_TITLE, value=str(chosen.about.get("title", "")), max_chars=160, key="picture_title"
    )
    one, two = st.columns(2)
    with one:
        style = st.selectbox(say.PICTURE_STYLE, list(say.PICTURE_STYLES), format_func=_style_words, key="picture_style")
    with two:
        kind = st.selectbox(say.PICTURE_KIND, list(say.PICTURE_KINDS), format_func=_kind_words, key="picture_kind")
    others = {one.id: one for one in all_of_them if one.id != chosen.id and one.folder is not None}
    beside = st.selectbox(
        say.PICTURE_BESIDE,
        ["", *others],
        format_func=lambda key: logic.name_of(others[key]) if key else say.PICTURE_ALONE,
        key="picture_beside",
    )
    life, asked = here().part(Life), (chosen.id, beside, style, kind, title)
    if st.button(say.PICTURE_DRAW, type="primary", key="picture_go"):
        try:
            with st.spinner(say.PICTURE_DRAW):
                life.picture = _drawn(chosen, others.get(str(beside)), str(kind), str(style), title)
                life.drawn_for = asked
        except DpvizError as problem:
            st.error(words.sentence(problem.message))
            return
    if life.drawn_for != asked:
        return
    if kind == "png":
        st.image(life.picture, width="stretch")
    st.download_button(
        say.PICTURE_SAVE,
        life.picture,
        file_name=f"map-{chosen.id[:8]}.{kind}",
        mime=_TYPES[str(kind)],
        on_click="ignore",
        icon=":material/download:",
        key="picture_save",
    )


def _style_words(name: str) -> str:
    return say.PICTURE_STYLES[name]


def _kind_words(name: str) -> str:
    return say.PICTURE_KINDS[name]


def _drawn(chosen: Publication, other: Publication | None, kind: str, style: str, title: str) -> bytes:
    shown = stored_release(chosen)
    beside = None if other is None else stored_release(other)
    if isinstance(shown, Release) and (beside is None or isinstance(beside, Release)):
        with spoken_in(ENGLISH):  # a picture is English as a whole
            return picture(shown, kind, beside=beside, style=style, title=title)
    raise InputError(say.PICTURE_NONE)
