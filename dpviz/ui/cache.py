"""What one browser session keeps.

Everything lives in Streamlit's session state, which no other session can reach and which is dropped with the tab.
`st.cache_data` and `st.cache_resource` are shared by all users and are used for public things only.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any, TypeVar, cast

import streamlit as st

from dpviz.ui.layers import Camera, camera_for
from dpviz.ui.theme import Theme, theme_named
from dpviz.ui.view import Box

Kept = TypeVar("Kept")
_PREFIX = "_dpviz_"
MAP_SIZE = (820, 580)  # pixels that a wide map has at least; the browser does not tell


def keep(name: str, make: Callable[[], Kept]) -> Kept:
    """A value of this session, made the first time it is asked for."""
    key = _PREFIX + name
    if key not in st.session_state:
        st.session_state[key] = make()
    found: Kept = st.session_state[key]
    return found


def put(name: str, value: Any) -> None:
    """Set a value of this session."""
    st.session_state[_PREFIX + name] = value


def get(name: str, default: Any = None) -> Any:
    """A value of this session, or the default."""
    return st.session_state.get(_PREFIX + name, default)


def values() -> Mapping[str, Any]:
    """The values of this session's widgets by key; as they are, for a copy of all of them takes a millisecond."""
    return cast("Mapping[str, Any]", st.session_state)


def theme() -> Theme:
    """The appearance that the browser shows now."""
    return theme_named(st.context.theme.type)


def last(name: str, key: object, make: Callable[[], Kept]) -> Kept:
    """The latest value of this name, made again when its key changes: a cache of one."""
    found = get(f"last-{name}")
    if found is None or found[0] != key:
        found = (key, make())
        put(f"last-{name}", found)
    kept: Kept = found[1]
    return kept


def recent(name: str, key: object, make: Callable[[], Kept], *, most: int = 16) -> Kept:
    """One of the last few values of this name, made where there is none of this key."""
    kept: OrderedDict[object, Kept] = keep(f"recent-{name}", OrderedDict)
    if key not in kept:
        kept[key] = make()
    kept.move_to_end(key)
    while len(kept) > most:
        kept.popitem(last=False)
    return kept[key]


def camera(place: str, box: Box, *, size: tuple[int, int] = MAP_SIZE) -> Camera:
    """Where a map looks; constant until a button moves it, so that a rerun keeps what the user zoomed to."""
    return keep(f"camera-{place}", lambda: home_camera(box, size))


def move_camera(
    place: str,
    box: Box,
    lon: float | None = None,
    lat: float | None = None,
    zoom: float | None = None,
    *,
    size: tuple[int, int] = MAP_SIZE,
) -> None:
    """Look elsewhere, or at the whole box again."""
    before, home = camera(place, box, size=size), home_camera(box, size)
    put(
        f"camera-{place}",
        Camera(
            lon=home.lon if lon is None else lon,
            lat=home.lat if lat is None else lat,
            zoom=home.zoom if zoom is None else zoom,
            turn=before.turn + 1,
        ),
    )


def home_camera(box: Box, size: tuple[int, int] = MAP_SIZE) -> Camera:
    """The camera that shows the whole box; closer to the edge on a telephone."""
    agent = str(st.context.headers.get("User-Agent", ""))
    return camera_for(box, width=350 if "Mobi" in agent else size[0], height=size[1])
