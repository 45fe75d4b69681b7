"""The short layers of a map, each from the part of the view that it draws; map/layers.py puts them together.

A bare string property is read as an expression, hence `String`. A row's `tip` is what its mark says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import pydeck as pdk

from dpviz.ui.map.view import MapView, Marker, Pair, Picture
from dpviz.ui.page_parts import icons
from dpviz.ui.page_parts.theme import EXACT, PROTECTED, SECOND, SITE, Theme, rgb

_DIGITS = 6  # of a degree: 0.1 m
String = pdk.types.String


def frame(view: MapView, theme: Theme) -> list[pdk.Layer]:
    """The public box: four lines, which the browser draws with the program of the shifts and has no other to make."""
    box = view.box
    corners = [(box.west, box.south), (box.east, box.south), (box.east, box.north), (box.west, box.north)]
    return [
        pdk.Layer(
            "LineLayer",
            [{"s": list(start), "e": list(end), "tip": ""} for start, end in pairwise([*corners, corners[0]])],
            id="box",
            get_source_position="s",
            get_target_position="e",
            get_color=rgb(theme.line, 150),
            get_width=1,
            width_units=String("pixels"),
            pickable=False,
        )
    ]


def density(view: MapView) -> list[pdk.Layer]:
    """The exact records as one picture."""
    return _picture("exact-density", view.exact_density, opacity=0.75)


def counted(view: MapView) -> list[pdk.Layer]:
    """What a release counted as one picture, with sharp borders however close one looks."""
    return _picture("counted", view.counted, texture_parameters={"minFilter": "nearest", "magFilter": "nearest"})


def _picture(name: str, picture: Picture | None, **look: Any) -> list[pdk.Layer]:
    if picture is None:
        return []
    box = picture.box
    bounds = [box.west, box.south, box.east, box.north]
    return [pdk.Layer("BitmapLayer", None, id=name, image=String(picture.url), bounds=bounds, pickable=False, **look)]


def shades(view: MapView) -> list[pdk.Layer]:
    """Areas, darker where more records are on the same ground."""
    if not view.shades:
        return []
    rows = [
        {
            "ring": [ring.round(_DIGITS).tolist() for ring in shade.rings],
            "c": rgb(PROTECTED, round(12 + 200 * shade.strength)),
            "tip": shade.tip,
        }
        for shade in view.shades
    ]
    return [
        pdk.Layer(
            "PolygonLayer",
            rows,
            id="shades",
            get_polygon="ring",
            get_fill_color="c",
            get_line_color=rgb(PROTECTED, 160),
            get_line_width=1,
            line_width_units=String("pixels"),
            pickable=True,
            auto_highlight=True,
            highlight_color=rgb(SITE, 90),
        )
    ]


def flows(view: MapView) -> list[pdk.Layer]:
    """Trips between areas: the wider an arc, the more of them; it runs from light to dark."""
    if not view.flows:
        return []
    rows = [
        {
            "s": _point(flow.start),
            "e": _point(flow.end),
            "w": round(1.5 + 9.0 * flow.strength, 1),
            "c": rgb(SECOND, round(90 + 150 * flow.strength)),
            "b": rgb(SITE, round(50 + 120 * flow.strength)),
            "tip": flow.tip,
        }
        for flow in view.flows
    ]
    return [
        pdk.Layer(
            "ArcLayer",
            rows,
            id="flows",
            get_source_position="s",
            get_target_position="e",
            get_source_color="b",
            get_target_color="c",
            get_width="w",
            width_units=String("pixels"),
            get_height=0.4,
            get_tilt=20,
            parameters={"depthWriteEnabled": False},
            pickable=True,
        )
    ]


def forbidden(view: MapView) -> list[pdk.Layer]:
    """Where no site may stand."""
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


def regions(view: MapView) -> list[pdk.Layer]:
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


def cells(rows: Sequence[Mapping[str, Any]]) -> list[pdk.Layer]:
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


def spreads(view: MapView) -> list[pdk.Layer]:
    """How far noise alone may have moved the centers."""
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


def lines(view: MapView, theme: Theme) -> list[pdk.Layer]:
    """From each center to its partner, with a halo that keeps them visible over points."""
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


def arcs(view: MapView) -> list[pdk.Layer]:
    """Groups of trips, from pick-up to drop-off."""
    layers = []
    for name, pairs, colour in (("exact-arcs", view.exact_arcs, EXACT), ("arcs", view.arcs, PROTECTED)):
        if pairs:
            layers.append(
                pdk.Layer(
                    "ArcLayer",
                    _line_rows(pairs),
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


def centers(view: MapView) -> list[pdk.Layer]:
    """Private centers; of two releases A hollow and wide, B filled inside it where both stand on one place."""
    if not view.other_centers:
        return symbols("centers", view.centers, "protected")
    return [
        *symbols("centers", view.centers, "hollow", pixels=46),
        *symbols("other-centers", view.other_centers, "other"),
    ]


_SYMBOLS = {
    "protected": lambda label: icons.diamond(label),
    "hollow": lambda label: icons.diamond(label, hollow=True),
    "other": lambda label: icons.diamond(label, colour=SECOND),
    "exact": lambda label: icons.square(label),
    "site": lambda label: icons.pin(label, colour=SITE),
}


def symbols(name: str, markers: tuple[Marker, ...], kind: str, *, pixels: int = 34) -> list[pdk.Layer]:
    """Centers or sites as pictures with their numbers inside."""
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
