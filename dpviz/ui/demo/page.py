"""The page *Demo*: the story on its stage, a component of our own, and the page of votes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import streamlit as st

from dpviz.language import speaking
from dpviz.ui.demo import story
from dpviz.ui.demo import words as say
from dpviz.ui.demo.voting import Ballots
from dpviz.ui.session.session import current_session
from dpviz.ui.stage.stage_component import mount_component


def draw() -> None:
    """The whole page: nothing but the stage."""
    draw_stage(_language(), _scene(), current_session().part(Ballots))


def _scene() -> int | None:
    """The scene that the address names, counted from 1; None where it names none."""
    try:
        number = int(st.query_params.get("scene", "")) - 1
    except ValueError:
        return None
    return min(max(number, 0), len(say.SCENES) - 1)


def _language() -> str:
    """That of the address, else the one that the other screens speak."""
    return speaking.first_of(st.query_params.get("lang"), current_session().language)


EVERY = 1.0  # seconds between two looks at the votes


def _component() -> Any:
    return mount_component("theatre", "component.js", "theatre.css")


@lru_cache(maxsize=4)
def _story(language: str) -> dict[str, Any]:
    """Public data and words only, so that all sessions may share it."""
    return {**story.document(language), "phones": True}


def draw_stage(language: str, scene: int | None, ballots: Ballots) -> None:
    """The stage, and what its buttons ask of the server: to open or close the page of votes."""
    _component()(
        key="theatre",
        data={"kind": "story", "story": _story(language), "scene": scene},
        on_said_change=lambda: obey(st.session_state["theatre"].get("said"), ballots),
    )
    _votes(ballots)


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


def _votes(ballots: Ballots) -> None:
    @st.fragment(run_every=EVERY if ballots.is_open else None)
    def votes() -> None:
        _component()(key="theatre-votes", data={"kind": "ballot", "ballot": ballots.told()}, height=1)

    votes()
