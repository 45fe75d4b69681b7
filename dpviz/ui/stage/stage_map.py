"""A map alone on a stage, without the slider of *Choose*: a scene with one stop. The browser zooms, names and picks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from dpviz.ui.map import layers
from dpviz.ui.map.scene import Scene, Spot, Stop
from dpviz.ui.map.view import Box, MapView
from dpviz.ui.page_parts import words
from dpviz.ui.page_parts.theme import Theme
from dpviz.ui.stage import wire
from dpviz.ui.stage.stage_component import Heard, place, show


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
    seen: dict[int, Spot] = {}
    for marker in (*view.centers, *view.other_centers):
        name = words.center_name(marker.number, marker.place)
        spot = Spot(number=marker.number, name=name, lon=marker.lon, lat=marker.lat, around=ends.get(marker.number))
        seen.setdefault(marker.number, spot)
    return tuple(seen[number] for number in sorted(seen))


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
