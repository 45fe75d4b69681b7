"""The page *Demo*: the story on its stage, a component of our own, and the page of votes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import streamlit as st

from dpviz.language import speaking
from dpviz.ui.demo import story, words as say
from dpviz.ui.demo.voting import Ballots
from dpviz.ui.session.session import current_session
from dpviz.ui.stage.stage_component import mount_component

EVERY = 1.0  # seconds between two looks at the votes


def draw() -> None:
    """The whole page: nothing but the stage. Its buttons ask the server to open or close the page of votes."""
    session = current_session()
    ballots = session.part(Ballots)
    language = speaking.first_of(st.query_params.get("lang"), session.language)  # of the address, or of other screens
    component = mount_component("theatre", "component.js", "theatre.css")
    component(
        key="theatre",
        data={"kind": "story", "story": _story(language), "scene": _scene()},
        on_said_change=lambda: obey(st.session_state["theatre"].get("said"), ballots),
    )

    @st.fragment(run_every=EVERY if ballots.is_open else None)
    def votes() -> None:
        component(key="theatre-votes", data={"kind": "ballot", "ballot": ballots.told()}, height=1)

    votes()


def _scene() -> int | None:
    """The scene that the address names, counted from 1; None where it names none."""
    try:
        number = int(st.query_params.get("scene", "")) - 1
    except ValueError:
        return None
    return min(max(number, 0), len(say.SCENES) - 1)


@lru_cache(maxsize=4)
def _story(language: str) -> dict[str, Any]:
    """Public data and words only, so that all sessions may share it."""
    return {**story.document(language), "phones": True}


def obey(said: Mapping[str, Any] | None, ballots: Ballots) -> None:
    """Open votes for a round, take up again those of before a reload, discard them, or close the page of votes."""
    if not isinstance(said, Mapping):
        return
    if isinstance(said.get("key"), str) and isinstance(said.get("round"), int):
        ballots.resume(said["key"], said["round"])
    elif said.get("phones") is True and isinstance(said.get("round"), int):
        ballots.open(said["round"])
    elif said.get("empty") is True:
        ballots.empty()
    elif said.get("phones") is False:
        ballots.close()
