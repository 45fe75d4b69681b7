"""A map alone on a stage: for pages without the slider of *Choose*. It zooms, names and picks in the browser."""

from __future__ import annotations

import streamlit as st

from dpviz.ui.map import alone
from dpviz.ui.map.alone import Asked
from dpviz.ui.map.view import MapView
from dpviz.ui.page_parts.theme import Theme
from dpviz.ui.stage import wire
from dpviz.ui.stage.stage_component import Heard, place, show


def draw_map(
    view: MapView, theme: Theme, *, key: str, height: int = 560, asked: Asked | None = None, turn: int = 0
) -> Heard:
    """Draw a view. `told(key)` says beforehand, and the answer afterwards, what was picked or clicked.

    A picked center that the page sets is obeyed where `turn` is another one than before.
    """
    return draw_encoded(encoded(view, theme, key=key, asked=asked, turn=turn), key=key, height=height)


def encoded(view: MapView, theme: Theme, *, key: str, asked: Asked | None = None, turn: int = 0) -> bytes:
    """The map as the browser takes it, which a page may keep."""
    return wire.scene(alone.scene(view, theme, asked or Asked(), key=key), stage=key, turn=turn, level=1)


def draw_encoded(data: bytes, *, key: str, height: int = 560) -> Heard:
    """Draw what `encoded` made under the same key."""
    with st.container(key=f"{key}_stage", gap=None):
        place(key, "picture", height=height)
        return show(data, key=key)
