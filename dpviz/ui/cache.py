"""What one browser session keeps: its data sources, their previews, its view of the map.

Everything lives in Streamlit's session state, which no other session can reach and which is dropped with the tab.
`st.cache_data` and `st.cache_resource` are shared by all users and are used for public things only.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import streamlit as st

from dpviz.ui import methods, sources
from dpviz.ui.layers import Camera, camera_for
from dpviz.ui.preview import Previews
from dpviz.ui.sources import Mode, Source
from dpviz.ui.theme import Theme, theme_named

Kept = TypeVar("Kept")
_PREFIX = "_dpviz_"


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


def values() -> dict[str, Any]:
    """The values of this session's widgets by key."""
    return {str(key): value for key, value in st.session_state.items()}


def theme() -> Theme:
    """The appearance that the browser shows now."""
    return theme_named(st.context.theme.type)


def own_source() -> Source | None:
    """The curator's own data, once opened in this session."""
    found: Source | None = get("own")
    return found


def current_source(hour: int | None) -> Source:
    """What the page *Choose* looks at."""
    own = own_source()
    if own is not None:
        return own
    return keep(f"city-{hour}", lambda: sources.city(hour))


def previews(source: Source) -> Previews:
    """The previews of a source in this session."""
    return keep(f"previews-{source.id}", lambda: Previews(source.exact_data, budget_of=methods.budget_of))


def last(name: str, key: object, make: Callable[[], Kept]) -> Kept:
    """The latest value of this name, made again when its key changes: a cache of one."""
    found = get(f"last-{name}")
    if found is None or found[0] != key:
        found = (key, make())
        put(f"last-{name}", found)
    kept: Kept = found[1]
    return kept


def camera(source: Source) -> Camera:
    """Where the map looks; constant until a button moves it, so that a rerun keeps what the user zoomed to."""
    return keep(f"camera-{_place(source)}", lambda: _first_camera(source))


def move_camera(source: Source, lon: float | None = None, lat: float | None = None, zoom: float | None = None) -> None:
    """Look elsewhere, or at the whole box again."""
    before = camera(source)
    home = _first_camera(source)
    put(
        f"camera-{_place(source)}",
        Camera(
            lon=home.lon if lon is None else lon,
            lat=home.lat if lat is None else lat,
            zoom=home.zoom if zoom is None else zoom,
            turn=before.turn + 1,
        ),
    )


def camera_home(source: Source) -> Camera:
    """The camera that shows the whole box."""
    return _first_camera(source)


def _place(source: Source) -> str:
    return sources.CITY if source.mode is Mode.DEMONSTRATION else source.id


def _first_camera(source: Source) -> Camera:
    agent = str(st.context.headers.get("User-Agent", ""))
    return camera_for(source.box, width=360 if "Mobi" in agent else 820)
