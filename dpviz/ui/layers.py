"""MapView → deck. Pure functions: the same view and theme give the same JSON, and nothing that is not in the view.

Three traps shape this file. A bare string property is read as an expression, hence `String`. A tooltip field that
one layer lacks prints its braces, hence `tip` in every row. The address of the map style must be one of our own,
or the browser asks a tile server.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pydeck as pdk

from dpviz.ui import icons
from dpviz.ui.theme import EXACT, PROTECTED, RING, SECOND, SITE, Theme, rgb
from dpviz.ui.view import Box, MapView, Marker, Pair

_TILE = 512  # map pixels of the whole world at zoom 0
_DIGITS = 6  # of a degree: 0.1 m
_COAST_ZOOM = 8.0  # further out the map of New York ends in the view; other maps have nothing to show there either
_ROOM = 3.0  # how much further out than the camera one may go, where a box is larger than that
_NUDGE = 1e-9  # of every part of the view: the browser applies only the parts that changed
String = pdk.types.String


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
) -> pdk.Deck:
    """Bottom-up: box, density, coreset, spreads, lines, non-private centers, private centers, sites."""
    layers = [
        *_frame(view, theme),
        *_density(view),
        *_forbidden(view),
        *_regions(view),
        *_dots(view, theme),
        *_spreads(view),
        *_lines(view, theme),
        *_arcs(view),
        *_ring(view),
        *_symbols("exact-centers", view.exact_centers, "exact"),
        *_centers(view),
        *_cells(cells),
        *_symbols("sites", view.sites, "site"),
    ]
    return CompactDeck(
        layers=layers,
        initial_view_state=camera.view_state(),
        views=[pdk.View(type="MapView", controller=True)],
        map_provider="mapbox",
        map_style=theme.style,
        tooltip={
            "text": "{tip}",
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

    def to_json(self) -> str:
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


def _frame(view: MapView, theme: Theme) -> list[pdk.Layer]:
    box = view.box
    ring = [[box.west, box.south], [box.east, box.south], [box.east, box.north], [box.west, box.north]]
    return [
        pdk.Layer(
            "PolygonLayer",
            [{"ring": ring, "tip": ""}],
            id="box",
            get_polygon="ring",
            filled=False,
            stroked=True,
            get_line_color=rgb(theme.line, 150),
            get_line_width=1,
            line_width_units=String("pixels"),
            line_width_min_pixels=1,
            pickable=False,
        )
    ]


def _density(view: MapView) -> list[pdk.Layer]:
    if view.exact_density is None:
        return []
    box = view.exact_density.box
    return [
        pdk.Layer(
            "BitmapLayer",
            None,
            id="exact-density",
            image=String(view.exact_density.url),
            bounds=[box.west, box.south, box.east, box.north],
            opacity=0.75,
            pickable=False,
        )
    ]


def _forbidden(view: MapView) -> list[pdk.Layer]:
    if not view.forbidden:
        return []
    rows = [{"ring": [ring.round(_DIGITS).tolist() for ring in polygon], "tip": ""} for polygon in view.forbidden]
    return [
        pdk.Layer(
            "PolygonLayer",
            rows,
            id="forbidden",
            get_polygon="ring",
            get_fill_color=rgb("#B00020", 50),
            get_line_color=rgb("#B00020", 220),
            get_line_width=2,
            line_width_units=String("pixels"),
            pickable=False,
        )
    ]


def _regions(view: MapView) -> list[pdk.Layer]:
    """Places with a stricter level, under the points: a faint ground and a clear border."""
    if not view.regions:
        return []
    rows = [
        {"ring": [ring.round(_DIGITS).tolist() for ring in shape.rings], "tip": shape.tip} for shape in view.regions
    ]
    return [
        pdk.Layer(
            "PolygonLayer",
            rows,
            id="regions",
            get_polygon="ring",
            get_fill_color=rgb(PROTECTED, 26),
            get_line_color=rgb(PROTECTED, 230),
            get_line_width=2,
            line_width_units=String("pixels"),
            pickable=True,
        )
    ]


def _cells(rows: Sequence[Mapping[str, Any]] | None) -> list[pdk.Layer]:
    """Invisible squares to click on."""
    if not rows:
        return []
    return [
        pdk.Layer(
            "PolygonLayer",
            list(rows),
            id="cells",
            get_polygon="ring",
            get_fill_color=[0, 0, 0, 0],
            stroked=False,
            pickable=True,
            auto_highlight=True,
            highlight_color=rgb(SITE, 90),
        )
    ]


def _dots(view: MapView, theme: Theme) -> list[pdk.Layer]:
    if view.dots is None or not len(view.dots):
        return []
    dots = view.dots
    rows = [
        {"p": [lon, lat], "r": radius, "tip": tip}
        for lon, lat, radius, tip in zip(
            dots.lon.round(_DIGITS).tolist(),
            dots.lat.round(_DIGITS).tolist(),
            view.radii_m().round(1).tolist(),
            dots.tips,
            strict=True,
        )
    ]
    return [
        pdk.Layer(
            "ScatterplotLayer",
            rows,
            id="coreset",
            get_position="p",
            get_radius="r",
            radius_units=String("meters"),
            radius_min_pixels=1.2,
            radius_max_pixels=40,
            get_fill_color=rgb(theme.dot, 235),
            stroked=True,
            get_line_color=rgb(theme.halo, 220),
            get_line_width=0.7,
            line_width_units=String("pixels"),
            pickable=True,
        )
    ]


def _spreads(view: MapView) -> list[pdk.Layer]:
    rows = [
        {"p": [marker.lon, marker.lat], "r": round(marker.spread_m, 1), "tip": marker.tip}
        for marker in view.centers
        if view.spreads and marker.spread_m
    ]
    if not rows:
        return []
    return [
        pdk.Layer(
            "ScatterplotLayer",
            rows,
            id="spreads",
            get_position="p",
            get_radius="r",
            radius_units=String("meters"),
            radius_min_pixels=20,
            get_fill_color=rgb(PROTECTED, 40),
            stroked=True,
            get_line_color=rgb(PROTECTED, 220),
            get_line_width=1.5,
            line_width_units=String("pixels"),
            pickable=False,
        )
    ]


def _line_rows(pairs: tuple[Pair, ...]) -> list[Mapping[str, Any]]:
    return [{"s": _point(pair.start), "e": _point(pair.end), "tip": pair.tip} for pair in pairs]


def _point(place: tuple[float, float]) -> list[float]:
    return [round(place[0], _DIGITS), round(place[1], _DIGITS)]


def _lines(view: MapView, theme: Theme) -> list[pdk.Layer]:
    layers = []
    for name, pairs in (("exact-pairs", view.exact_pairs), ("other-pairs", view.other_pairs)):
        if not pairs:
            continue
        for part, colour, width in (("halo", theme.halo, 5.5), ("line", theme.line, 2.5)):
            layers.append(
                pdk.Layer(
                    "LineLayer",
                    _line_rows(pairs),
                    id=f"{name}-{part}",
                    get_source_position="s",
                    get_target_position="e",
                    get_color=rgb(colour),
                    get_width=width,
                    width_units=String("pixels"),
                    pickable=part == "line",
                )
            )
    return layers


def _arcs(view: MapView) -> list[pdk.Layer]:
    layers = []
    for name, arcs, colour in (("exact-arcs", view.exact_arcs, EXACT), ("arcs", view.arcs, PROTECTED)):
        if arcs:
            layers.append(
                pdk.Layer(
                    "ArcLayer",
                    _line_rows(arcs),
                    id=name,
                    get_source_position="s",
                    get_target_position="e",
                    get_source_color=rgb(colour, 130),
                    get_target_color=rgb(colour),
                    get_width=4,
                    width_units=String("pixels"),
                    get_height=0.35,
                    get_tilt=25,
                    parameters={"depthWriteEnabled": False},  # numbers stay readable above the arcs
                    pickable=True,
                )
            )
    return layers


def _ring(view: MapView) -> list[pdk.Layer]:
    """Around the picked center and its partner."""
    rows = [
        {"p": _point((marker.lon, marker.lat)), "tip": ""}
        for marker in (*view.exact_centers, *view.centers, *view.other_centers)
        if marker.number == view.ringed_number
    ]
    if not rows:
        return []
    return [
        pdk.Layer(
            "ScatterplotLayer",
            rows,
            id="ring",
            get_position="p",
            get_radius=29 if view.other_centers else 25,
            radius_units=String("pixels"),
            filled=False,
            stroked=True,
            get_line_color=rgb(RING),
            get_line_width=4,
            line_width_units=String("pixels"),
            pickable=False,
        )
    ]


def _centers(view: MapView) -> list[pdk.Layer]:
    """Private centers; of two releases A hollow and wide, B filled inside it where both stand on one place."""
    if not view.other_centers:
        return _symbols("centers", view.centers, "protected")
    return [
        *_symbols("centers", view.centers, "hollow", pixels=46),
        *_symbols("other-centers", view.other_centers, "other"),
    ]


_SYMBOLS = {
    "protected": lambda label: icons.diamond(label),
    "hollow": lambda label: icons.diamond(label, hollow=True),
    "other": lambda label: icons.diamond(label, colour=SECOND),
    "exact": lambda label: icons.square(label),
    "site": lambda label: icons.pin(label, colour=SITE),
}


def _symbols(name: str, markers: tuple[Marker, ...], kind: str, *, pixels: int = 34) -> list[pdk.Layer]:
    if not markers:
        return []
    rows = []
    for marker in reversed(markers):  # number 1 on top
        picture = {
            "url": _SYMBOLS[kind](str(marker.number)),
            "width": icons.SYMBOL_PIXELS,
            "height": icons.SYMBOL_PIXELS,
            "anchorX": icons.SYMBOL_PIXELS // 2,
            "anchorY": icons.SYMBOL_PIXELS // 2,
        }
        rows.append({"p": _point((marker.lon, marker.lat)), "i": picture, "tip": marker.tip, "n": marker.number})
    return [
        pdk.Layer(
            "IconLayer",
            rows,
            id=name,
            get_position="p",
            get_icon="i",
            get_size=pixels - 4 if len(markers) > 12 else pixels,
            size_units=String("pixels"),
            pickable=True,
        )
    ]
