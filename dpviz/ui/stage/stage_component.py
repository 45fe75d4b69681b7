"""The one component of our own, and the two ways in which a page speaks with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import streamlit as st

from dpviz.domain import compiles_now
from dpviz.language import speaking
from dpviz.language.speaking import told as _
from dpviz.ui.map.scene import Scene, Values
from dpviz.ui.page_parts import words
from dpviz.ui.stage import component_files, wire


@dataclass(frozen=True, kw_only=True)
class Heard:
    """A report of the browser. `turn` is that of the scene it showed."""

    turn: int = -1
    level: int | None = None
    shown: frozenset[str] | None = None  # the switches of the legend that are on
    center: int | None = None  # the picked center
    picks: int = 0  # how often something was picked here
    open: frozenset[str] = frozenset()  # the drawers that are open
    wish: Mapping[str, Any] | None = None  # once: what a button on the stage asks of the server
    hit: Mapping[str, Any] | None = None  # once: another mark that was clicked (layer, index, row)


HEARD_NOTHING = Heard()
Callback = Callable[[], None]


@lru_cache
def mount_component(name: str, script: str, style: str) -> Any:
    """Register a component of ours at the first script run: before that there is no server."""
    return st.components.v2.component(f"{component_files.NAME}.{name}", js=script, css=style, isolate_styles=False)


def _component() -> Any:
    return mount_component("stage", "stage.js", "stage.css")


def place(
    stage: str,
    part: str,
    *,
    odds: Sequence[Values] = (),
    help: str = "",
    turn: int | None = None,
    level: int | None = None,
    shown: frozenset[str] | None = None,
    height: int | None = None,
) -> None:
    """Place a part of a stage on the page. A dial needs the odds of its stops. A picture with a height stands alone,
    without legend and figures.
    """
    given: dict[str, Any] = {"words": words.STAGE_PARTS[part] | ({"help": help} if help else {})}
    if part == "picture" and compiles_now():
        given["words"] |= {"coming": _("First use on this computer: preparing, once, for up to half a minute …")}
    if height is not None:
        given["height"] = height
    if odds:
        given["stops"] = odds
    wanted = {"level": level, "shown": None if shown is None else sorted(shown)}
    if turn is not None:
        wanted["turn"] = turn
    _component()(
        key=f"{stage}-{part}",
        data={
            "stage": stage,
            "place": part,
            "given": given,
            "wanted": wanted,
            "gone": _(
                "The program behind this page has stopped or cannot be reached. What you see is "
                "still right, but nothing new can be computed or published. Whoever started it "
                "can start it again; this page then goes on by itself."
            ),
            "spoken": speaking.language(),
        },
    )


def show(
    scene: Scene | bytes,
    *,
    key: str,
    turn: int = 0,
    level: int = 1,
    on_wish: Callback | None = None,
    on_hit: Callback | None = None,
) -> Heard:
    """Send the maps of all stops to a stage, and return what the browser reported since.

    The browser obeys the level and switches of the page only when `turn` changes: increase it to move the stage. A
    scene that is already encoded (`wire.scene`) is sent as it is.
    """
    return heard(
        _component()(
            key=f"{key}-scene",
            data=scene if isinstance(scene, bytes) else wire.scene(scene, stage=key, turn=turn, level=level),
            height=1,
            on_state_change=ignore_change,
            on_wish_change=on_wish or ignore_change,
            on_hit_change=on_hit or ignore_change,
        )
    )


def read_heard(key: str) -> Heard:
    """Read what the browser reported last, before the scene is drawn in this run. Works in callbacks."""
    return heard(st.session_state.get(f"{key}-scene") or {})


def news(found: Values, *, key: str) -> None:
    """Send the figures that grow to a stage."""
    _component()(key=f"{key}-news", data=wire.news(found, stage=key), height=1)


def heard(answer: Any) -> Heard:
    """Parse a report of the browser; ignore values of a wrong type."""
    state = answer.get("state") or {}
    level, center = state.get("level"), state.get("center")
    shown = state.get("shown")
    return Heard(
        turn=state["turn"] if isinstance(state.get("turn"), int) else -1,
        level=level if isinstance(level, int) else None,
        shown=None if not isinstance(shown, list) else frozenset(map(str, shown)),
        center=center if isinstance(center, int) else None,
        picks=state["picks"] if isinstance(state.get("picks"), int) else 0,
        open=frozenset(map(str, state.get("open") or ())),
        wish=answer.get("wish"),
        hit=answer.get("hit"),
    )


def ignore_change() -> None:
    """Do nothing. Streamlit keeps only state that has a callback."""
