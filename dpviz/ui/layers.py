"""MapView → deck. Pure functions: the same view and theme give the same JSON, and nothing that is not in the view.

Two traps shape this file. Streamlit applies only the parts of a view that changed. The address of the map style must
be one of our own, or the browser asks a tile server. The layers themselves are in marks.py.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pydeck as pdk

from dpviz.ui import graticule, marks, tips
from dpviz.ui.theme import Theme
from dpviz.ui.view import Box, MapView

_TILE = 512  # map pixels of the whole world at zoom 0
_DIGITS = 6  # of a degree: 0.1 m
_COAST_ZOOM = 8.0  # further out the map of New York ends in the view; other maps have nothing to show there either
_ROOM = 3.0  # how much further out than the camera one may go, where a box is larger than that
_NUDGE = 1e-9  # of every part of the view: the browser applies only the parts that changed


@dataclass(frozen=True, kw_only=True)
class Camera:
    """Where the map looks. `turn` counts deliberate moves: the same camera again must differ by an invisible amount."""

    lon: float
    lat: float
    zoom: float
    turn: int = 0

    def view_state(self) -> pdk.ViewState:
        return pdk.ViewState(
            longitude=round(self.lon, _DIGITS) + self.turn * _NUDGE,
            latitude=round(self.lat, _DIGITS) + self.turn * _NUDGE,
            zoom=self.zoom + self.turn * _NUDGE,
            min_zoom=max(0.0, min(_COAST_ZOOM, self.zoom - _ROOM)),
            max_zoom=18,
            pitch=0,
            bearing=0,
        )


def camera_for(box: Box, *, width: int = 880, height: int = 560) -> Camera:
    """The camera that shows the whole box on a map of this many pixels."""
    lon, lat = box.middle

    def mercator(latitude: float) -> float:
        return math.degrees(math.log(math.tan(math.pi / 4 + math.radians(latitude) / 2)))

    wide = (box.east - box.west) / 360 * _TILE
    high = (mercator(box.north) - mercator(box.south)) / 360 * _TILE
    zoom = math.log2(min(width / wide, height / high)) - 0.03
    return Camera(lon=lon, lat=lat, zoom=round(min(max(zoom, 0), 17), 2))


def build_deck(
    view: MapView,
    camera: Camera,
    theme: Theme,
    cells: Sequence[Mapping[str, Any]] | None = None,
) -> CompactDeck:
    """Bottom-up: box, density, coreset, spreads, lines, non-private centers, private centers, sites."""
    said = tips.share(() if view.dots is None else view.dots.tips)
    layers = [
        *marks.frame(view, theme),
        *marks.density(view),
        *graticule.layers(view.box, theme),
        *marks.forbidden(view),
        *marks.regions(view),
        *marks.dots(view, theme, said),
        *marks.spreads(view),
        *marks.lines(view, theme),
        *marks.arcs(view),
        *marks.ring(view),
        *marks.symbols("exact-centers", view.exact_centers, "exact"),
        *marks.centers(view),
        *marks.cells(cells),
        *marks.symbols("sites", view.sites, "site"),
    ]
    return CompactDeck(
        layers=layers,
        initial_view_state=camera.view_state(),
        views=[pdk.View(type="MapView", controller=True)],
        map_provider="mapbox",
        map_style=theme.style,
        tooltip={
            "html": tips.template(said),
            "style": {
                "backgroundColor": "#16202A",
                "color": "#FFFFFF",
                "fontSize": "13px",
                "fontFamily": "system-ui, sans-serif",
                "borderRadius": "6px",
                "padding": "6px 9px",
                "maxWidth": "220px",
                "marginLeft": "-90px",  # around the pointer: at the map's edge less of it is cut off
                "marginTop": "18px",
            },
        },
    )


class CompactDeck(pdk.Deck):  # type: ignore[misc]
    """A deck whose JSON is made fast and has no blanks: it is sent again at every step of the slider.

    pydeck walks through every row in Python; rows that are plain data already need not be walked.
    """

    _settled: str | None = None

    def settle(self) -> CompactDeck:
        """Make the JSON now; the deck keeps it and must not change any more."""
        self._settled = self.to_json()
        return self

    def to_json(self) -> str:
        if self._settled is not None:
            return self._settled
        held = [(layer, layer.data) for layer in self.layers]
        try:
            for layer, _ in held:
                layer.data = None
            document = json.loads(super().to_json())
        finally:
            for layer, rows in held:
                layer.data = rows
        for described, (_, rows) in zip(document["layers"], held, strict=True):
            if rows is not None:
                described["data"] = rows
        return json.dumps(document, separators=(",", ":"), ensure_ascii=False)
