"""The page *Demo*: the story on its stage."""

from __future__ import annotations

import streamlit as st

from dpviz.language import speaking
from dpviz.ui.demo import page_theatre
from dpviz.ui.demo import words as say
from dpviz.ui.demo.voting import Ballots
from dpviz.ui.session.session import here


def draw() -> None:
    """The whole page: nothing but the stage."""
    page_theatre.show(_language(), _scene(), here().part(Ballots))


def _scene() -> int | None:
    """The scene that the address names, counted from 1; None where it names none."""
    try:
        number = int(st.query_params.get("scene", "")) - 1
    except ValueError:
        return None
    return min(max(number, 0), len(say.SCENES) - 1)


def _language() -> str:
    """That of the address, else the one that the other screens speak."""
    return speaking.first_of(st.query_params.get("lang"), here().language)
