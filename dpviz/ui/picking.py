"""A map that is also an input: it says which mark was clicked, forgets it at once, and keeps its zoom.

Streamlit dims every other mark for as long as a selection lasts. A selection belongs to a layer's id; so once a click
was taken in, the layers get new ids: the browser drops the selection, while the map's own key, and with it what the
user zoomed to, stays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from dpviz.ui import cache
from dpviz.ui.layers import Camera, CompactDeck, build_deck
from dpviz.ui.theme import Theme
from dpviz.ui.view import MapView


@dataclass(frozen=True, kw_only=True)
class Picked:
    """One click: the layer, the row of its data, and the row itself."""

    layer: str
    index: int
    row: Mapping[str, Any]


def draw(
    view: MapView,
    camera: Camera,
    theme: Theme,
    *,
    key: str,
    height: int,
    alt: str,
    cells: Sequence[Mapping[str, Any]] | None = None,
    content: object = None,
) -> Picked | None:
    """Draw the map; a click that nobody has taken in yet, once.

    With `content`, which stands for all that the view holds, the last few decks are kept and not built again.
    """
    turn = int(cache.get(f"turn-{key}", 0))
    suffix = f"~{turn}" if turn else ""

    def build() -> CompactDeck:
        deck = build_deck(view, camera, theme, cells)
        for layer in deck.layers:
            layer.id += suffix
        return deck.settle()

    deck = build() if content is None else cache.recent(f"deck-{key}", (content, camera, theme.name, suffix), build)
    event = st.pydeck_chart(deck, key=key, height=height, alt=alt, on_select="rerun")
    found = _click(event["selection"], suffix) if event else None
    if found is not None:
        cache.put(f"turn-{key}", turn + 1)
    return found


def _click(selection: Mapping[str, Any], suffix: str) -> Picked | None:
    """The first selected mark of the layers as they are named now."""
    for layer, rows in selection["objects"].items():
        name, _, turn = str(layer).partition("~")
        indices = selection["indices"].get(layer, [])
        if rows and indices and turn == suffix[1:]:
            return Picked(layer=name, index=int(indices[0]), row=rows[0])
    return None
