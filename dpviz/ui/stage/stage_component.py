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
from dpviz.ui.map import layers
from dpviz.ui.map.scene import Scene, Spot, Stop, Values
from dpviz.ui.map.view import Box, MapView
from dpviz.ui.page_parts import words
from dpviz.ui.page_parts.theme import Theme
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


@lru_cache
def mount_component(name: str = "stage", script: str = "stage.js", style: str = "stage.css") -> Any:
    """Register a component of ours at the first script run: before that there is no server."""
    return st.components.v2.component(f"{component_files.NAME}.{name}", js=script, css=style, isolate_styles=False)


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
    given: Values = {"words": words.STAGE_PARTS[part] | ({"help": help} if help else {})}
    if part == "picture" and compiles_now():
        given["words"] |= {"coming": _("First use on this computer: preparing, once, for up to half a minute …")}
    if height is not None:
        given["height"] = height
    if odds:
        given["stops"] = odds
    wanted = {"level": level, "shown": None if shown is None else sorted(shown)}
    gone = _(
        "The program behind this page has stopped or cannot be reached. What you see is still right, but nothing new "
        "can be computed or published. Whoever started it can start it again; this page then goes on by itself."
    )
    mount_component()(
        key=f"{stage}-{part}",
        data={
            "stage": stage,
            "place": part,
            "given": given,
            "wanted": wanted if turn is None else wanted | {"turn": turn},
            "gone": gone,
            "spoken": speaking.language(),
        },
    )


def show(data: bytes, *, key: str, on_wish: Callable[[], None] | None = None) -> Heard:
    """Send the maps of all stops, as `wire.scene` writes them, and return what the browser reported since.

    The browser obeys the level and switches of the page only when `turn` changes: increase it to move the stage.
    """
    return heard(
        mount_component()(
            key=f"{key}-scene",
            data=data,
            height=1,
            on_state_change=ignore_change,
            on_wish_change=on_wish or ignore_change,
            on_hit_change=ignore_change,
        )
    )


def read_heard(key: str) -> Heard:
    """Read what the browser reported last, before the scene is drawn in this run. Works in callbacks."""
    return heard(st.session_state.get(f"{key}-scene") or {})


def news(found: Values, *, key: str) -> None:
    """Send the figures that grow to a stage."""
    mount_component()(key=f"{key}-news", data=wire.news(found, stage=key), height=1)


def heard(answer: Any) -> Heard:
    """Parse a report of the browser; ignore values of a wrong type."""
    state = answer.get("state") or {}

    def whole(name: str) -> int | None:
        return state[name] if isinstance(state.get(name), int) else None

    shown, turn = state.get("shown"), whole("turn")
    return Heard(
        turn=-1 if turn is None else turn,
        level=whole("level"),
        shown=None if not isinstance(shown, list) else frozenset(map(str, shown)),
        center=whole("center"),
        picks=whole("picks") or 0,
        open=frozenset(map(str, state.get("open") or ())),
        wish=answer.get("wish"),
        hit=answer.get("hit"),
    )


def ignore_change() -> None:
    """Do nothing. Streamlit keeps only state that has a callback."""


# ---- a map alone, without the slider of Choose: a scene with one stop ---------------------------------------------


@dataclass(frozen=True, kw_only=True)
class MapOptions:
    """How a map alone is drawn: what it says to a screen reader, and what it shares with other maps."""

    alt: str = ""  # empty: what the view says of itself
    place: str = ""  # maps of one place look at the same place; empty: a place of its own
    together: str = ""  # maps of one name show the same picked center
    picked: int | None = None
    spots: Sequence[Spot] | None = None  # what one can zoom to; None: the view's centers


def scene_of_map(view: MapView, theme: Theme, options: MapOptions, *, key: str) -> Scene:
    """Everything that the view holds, with nothing to switch off."""
    markers = (*view.centers, *view.other_centers)
    spots = spots_of(view) if options.spots is None else tuple(options.spots)
    base, marks = layers.base(view, theme), layers.of_stop(view, theme)
    return Scene(
        about=f"{key} {view.place}",
        place=options.place or key,
        box=view.box,
        stops=(
            Stop(
                layers=marks,
                alt=options.alt or view.alt,
                centers=spots,
                told={marker.number: marker.tip for marker in reversed(markers)},
            ),
        ),
        base=base,
        shown=frozenset(name for layer in (*base, *marks) for name in layer.shows),
        ground=theme.style.lstrip("/"),
        hits=bool(view.cells),
        together=options.together,
        picked=options.picked,
    )


def spots_of(view: MapView) -> tuple[Spot, ...]:
    """The centers, each by its number and place; of a pair both ends are seen at once."""
    ends = {pair.number: _around(pair.start, pair.end) for pair in view.other_pairs}
    markers = {marker.number: marker for marker in (*view.other_centers, *view.centers)}
    return tuple(
        Spot(
            number=number,
            name=words.center_name(number, marker.place),
            lon=marker.lon,
            lat=marker.lat,
            around=ends.get(number),
        )
        for number, marker in sorted(markers.items(), key=lambda held: held[0])
    )


def _around(one: tuple[float, float], other: tuple[float, float]) -> Box:
    """Both ends with some room."""
    lon, lat = (one[0] + other[0]) / 2, (one[1] + other[1]) / 2
    reach = max(abs(one[0] - other[0]), abs(one[1] - other[1]), 1e-4) * 1.6
    return Box(west=lon - reach, south=lat - reach, east=lon + reach, north=lat + reach)


def draw_map(view: MapView, theme: Theme, *, key: str, height: int = 560, options: MapOptions | None = None) -> Heard:
    """Draw a view. `read_heard(key)` says beforehand, and the answer afterwards, what was picked or clicked."""
    return draw_encoded(encoded(view, theme, key=key, options=options), key=key, height=height)


def encoded(view: MapView, theme: Theme, *, key: str, options: MapOptions | None = None, turn: int = 0) -> bytes:
    """The map as the browser takes it, which a page may keep. A picked center is obeyed where `turn` is a new one."""
    return wire.scene(scene_of_map(view, theme, options or MapOptions(), key=key), stage=key, turn=turn, level=1)


def draw_encoded(data: bytes, *, key: str, height: int = 560) -> Heard:
    """Draw what `encoded` made under the same key."""
    with st.container(key=f"{key}_stage", gap=None):
        place(key, "picture", height=height)
        return show(data, key=key)
