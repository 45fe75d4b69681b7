"""The layers of every map in one table, bottom-up: what draws each, with which data, how it looks and what shows it.

Coreset points, of which there may be many, come as columns; all other layers are rows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from functools import partial
from itertools import pairwise
from typing import Any, Final, NamedTuple

import numpy as np
import pydeck as pdk
from numpy.typing import NDArray

from dpviz.basemap.world import AREAS, LINES
from dpviz.drawing.looks import LOOKS
from dpviz.language.speaking import told as _
from dpviz.ui.map import surroundings
from dpviz.ui.map.scene import Layer, Tip, column
from dpviz.ui.map.view import MapView, Marker, Pair, Picture, dot_radii_m
from dpviz.ui.page_parts import icons, words
from dpviz.ui.page_parts.theme import EXACT, PROTECTED, SECOND, SITE, Theme, rgb

Row = Mapping[str, Any]
Look = dict[str, Any]
_DIGITS: Final = 6  # of a degree: 0.1 m
_PLAIN_TEXTS: Final = ("image", "ink", "halo")
_BETWEEN: Final[Look] = {"get_source_position": "s", "get_target_position": "e", "width_units": "pixels"}
_ICON: Final[Look] = {"get_position": "p", "get_icon": "i", "size_units": "pixels"}
_RING: Final[Look] = {"get_polygon": "ring"}
_HIGHLIGHT: Final[Look] = {"auto_highlight": True, "highlight_color": rgb(SITE, 90)}


class LayerKind(NamedTuple):
    """One layer of a map: its deck.gl class, its data, its look, and the part of a view whose switches show it.

    `rows` are plain data, each with the `tip` of its mark; without rows nothing is drawn. None: the look says it all.
    """

    id: str  # it says `exact` where it was computed from people
    draws: str
    part: str  # a field of the view, or nothing
    rows: Callable[[MapView, Theme], Sequence[Row] | None]
    look: Callable[[MapView, Theme], Look]
    picks: bool = False  # whether a mark says something
    in_base: bool = False  # the same at every stop


def base(view: MapView, theme: Theme) -> tuple[Layer, ...]:
    """What is the same at every stop: the public map, the frame of the public box, the exact density."""
    return _make_layers(view, theme, in_base=True)


def of_stop(view: MapView, theme: Theme) -> tuple[Layer, ...]:
    """What one stop shows: places, points, centers of both kinds, lines between them, sites, cells to click."""
    return _make_layers(view, theme, in_base=False)


def _make_layers(view: MapView, theme: Theme, *, in_base: bool) -> tuple[Layer, ...]:
    switches = {field.name: field.metadata.get("switches", ()) for field in fields(view)}
    found = []
    for order, kind in enumerate(LAYERS):
        if kind.in_base is not in_base:
            continue
        rows = kind.rows(view, theme)
        if rows is None or rows:
            plain = {  # pydeck reads a bare string as an expression, so units and other plain texts are wrapped
                key: pdk.types.String(value) if key.endswith("_units") or key in _PLAIN_TEXTS else value
                for key, value in kind.look(view, theme).items()
            }
            look = pdk.Layer(kind.draws, rows, id=kind.id, pickable=kind.picks, **plain)
            columns, tip = _dot_columns(view) if kind.id == "coreset" else ({}, None)
            found.append(Layer(look=look, order=order, shows=switches.get(kind.part, ()), columns=columns, tip=tip))
    return tuple(found)


def _dot_columns(view: MapView) -> tuple[dict[str, Any], Tip | None]:
    """Place and size of coreset points, and what they say; the area of a dot is its weight."""
    dots = view.dots
    assert dots is not None
    known: dict[str, int] = {}
    at = np.fromiter((known.setdefault(name or "", len(known)) for name in dots.places), np.int64, len(dots))
    return {"getPosition": column(dots.lon, dots.lat), "getRadius": column(dot_radii_m(dots, view.box))}, Tip(
        text=_("Stands for about {{count}} {unit}s").format(unit=dots.unit),
        numbers=column(dots.weight),
        places=column(at),
        names=tuple(known),
        elsewhere=words.ELSEWHERE,
    )


# ---- data ------------------------------------------------------------------------------------------------------


def _point(place: tuple[float, float]) -> list[float]:
    return [round(place[0], _DIGITS), round(place[1], _DIGITS)]


def _frame(view: MapView, theme: Theme) -> list[Row]:
    """The public box as four lines: the browser has compiled that program for the shifts anyway."""
    box = view.box
    corners = [[box.west, box.south], [box.east, box.south], [box.east, box.north], [box.west, box.north]]
    return [{"s": start, "e": end, "tip": ""} for start, end in pairwise([*corners, corners[0]])]


def _path_rows(lines: Sequence[surroundings.Line]) -> list[Row]:
    return [{"path": [_point(line.start), _point(line.end)], "tip": ""} for line in lines]


def _ring_row(rings: Sequence[NDArray[np.float64]], tip: str) -> dict[str, Any]:
    return {"ring": [ring.round(_DIGITS).tolist() for ring in rings], "tip": tip}


def _pair_rows(part: str) -> Callable[[MapView, Theme], list[Row]]:
    """From each center to its partner, or from pick-up to drop-off."""

    def rows(view: MapView, theme: Theme) -> list[Row]:
        pairs: Sequence[Pair] = getattr(view, part)
        return [{"s": _point(pair.start), "e": _point(pair.end), "tip": pair.tip} for pair in pairs]

    return rows


def _flow_rows(view: MapView, theme: Theme) -> list[Row]:
    return [
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


def _symbol_rows(markers: Sequence[Marker], draw: Callable[[str], str]) -> list[Row]:
    """Centers or sites as pictures with their numbers inside, number 1 on top."""
    side, anchor = icons.SYMBOL_PIXELS, icons.SYMBOL_PIXELS // 2
    return [
        {
            "p": _point((marker.lon, marker.lat)),
            "i": {"url": draw(str(marker.number)), "width": side, "height": side, "anchorX": anchor, "anchorY": anchor},
            "tip": marker.tip,
            "n": marker.number,
        }
        for marker in reversed(markers)
    ]


# ---- looks -----------------------------------------------------------------------------------------------------


def _area_look(colour: str, ground: int, border: int) -> Look:
    """A faint ground and a clear border."""
    return _RING | {
        "get_fill_color": rgb(colour, ground),
        "get_line_color": rgb(colour, border),
        "get_line_width": 2,
        "line_width_units": "pixels",
    }


def _disc_look(fill: list[int], line: list[int], **look: Any) -> Look:
    return {
        "radius_units": "meters",
        "get_fill_color": fill,
        "stroked": True,
        "get_line_color": line,
        "line_width_units": "pixels",
        **look,
    }


def _line_look(colour: list[int], width: float) -> Look:
    return _BETWEEN | {"get_color": colour, "get_width": width}


def _path_look(colour: list[int], width: float) -> Look:
    return {"get_path": "path", "get_color": colour, "get_width": width, "width_units": "pixels"}


def _arc_look(start: Any, end: Any, **look: Any) -> Look:
    """Arcs that leave the numbers above them readable."""
    colours = {"get_source_color": start, "get_target_color": end}
    return _BETWEEN | {"parameters": {"depthWriteEnabled": False}, **colours, **look}


def _symbol_look(markers: Sequence[Marker], pixels: int = 34) -> Look:
    return _ICON | {"get_size": pixels - 4 if len(markers) > 12 else pixels}


# ---- the table -------------------------------------------------------------------------------------------------


def _city(kind: str, draws: str, rows: Callable[..., Sequence[Row]], look: Callable[..., Look]) -> LayerKind:
    """Areas or lines of the city beneath."""
    return LayerKind(
        f"city-{kind}",
        draws,
        "",
        lambda view, theme: rows(view.box, kind),
        lambda view, theme: look(kind, theme),
        in_base=True,
    )


def _picture(part: str, *, in_base: bool = False, **more: Any) -> LayerKind:
    """A picture laid over its box."""

    def look(view: MapView, theme: Theme) -> Look:
        picture: Picture = getattr(view, part)
        return {"image": picture.url, "bounds": [*picture.box.corners], **more}

    def rows(view: MapView, theme: Theme) -> Sequence[Row] | None:
        return () if getattr(view, part) is None else None

    return LayerKind(part.replace("_", "-"), "BitmapLayer", part, rows, look, in_base=in_base)


def _pairs(part: str) -> tuple[LayerKind, LayerKind]:
    """Lines with a halo that keeps them visible over points."""
    name, rows = part.replace("_", "-"), _pair_rows(part)
    return (
        LayerKind(f"{name}-halo", "LineLayer", part, rows, lambda view, theme: _line_look(rgb(theme.halo), 5.5)),
        LayerKind(
            f"{name}-line", "LineLayer", part, rows, lambda view, theme: _line_look(rgb(theme.line), 2.5), picks=True
        ),
    )


def _arcs(part: str, colour: str) -> LayerKind:
    """Groups of trips."""
    look = _arc_look(rgb(colour, 130), rgb(colour), get_tilt=25, get_width=4, get_height=0.35)
    return LayerKind(part.replace("_", "-"), "ArcLayer", part, _pair_rows(part), lambda view, theme: look, picks=True)


def _symbols(part: str, draw: Callable[[str], str]) -> LayerKind:
    """Centers or sites as pictures with their numbers inside."""
    return LayerKind(
        part.replace("_", "-"),
        "IconLayer",
        part,
        lambda view, theme: _symbol_rows(getattr(view, part), draw),
        lambda view, theme: _symbol_look(getattr(view, part)),
        picks=True,
    )


LAYERS: Final = (
    *(_city(kind, "SolidPolygonLayer", surroundings.area_rows, surroundings.area_look) for kind in ("sea", *AREAS)),
    *(_city(kind, "PathLayer", surroundings.line_rows, surroundings.line_look) for kind in LINES),
    LayerKind("box", "LineLayer", "", _frame, lambda view, theme: _line_look(rgb(theme.line, 150), 1), in_base=True),
    _picture("exact_density", in_base=True, opacity=0.75),
    _picture("counted", texture_parameters={"minFilter": "nearest", "magFilter": "nearest"}),
    LayerKind(  # darker where more records are on the same ground
        "shades",
        "PolygonLayer",
        "shades",
        lambda view, theme: [
            _ring_row(shade.rings, shade.tip) | {"c": rgb(PROTECTED, round(12 + 200 * shade.strength))}
            for shade in view.shades
        ],
        lambda view, theme: _area_look(PROTECTED, 0, 160) | {"get_fill_color": "c", "get_line_width": 1} | _HIGHLIGHT,
        picks=True,
    ),
    LayerKind(
        "graticule",
        "PathLayer",
        "",
        lambda view, theme: _path_rows(surroundings.degrees(view.box)),
        lambda view, theme: _path_look(rgb(theme.line, 48), 1),
        in_base=True,
    ),
    LayerKind(
        "scale",
        "PathLayer",
        "",
        lambda view, theme: _path_rows(surroundings.scales(view.box)),
        lambda view, theme: _path_look(rgb(theme.text), 3),
        in_base=True,
    ),
    LayerKind(
        "graticule-names",
        "IconLayer",
        "",
        lambda view, theme: [] if surroundings.has_map(view.box) else surroundings.word_rows(view.box, theme),
        lambda view, theme: _ICON | {"get_size": surroundings.HIGH / 2},
        in_base=True,
    ),
    LayerKind(
        "forbidden",
        "PolygonLayer",
        "forbidden",
        lambda view, theme: [_ring_row(rings, "") for rings in view.forbidden],
        lambda view, theme: _area_look("#B00020", 50, 220),
        in_base=True,
    ),
    LayerKind(
        "regions",
        "PolygonLayer",
        "regions",
        lambda view, theme: [_ring_row(shape.rings, shape.tip) for shape in view.regions],
        lambda view, theme: _area_look(PROTECTED, 26, 230),
        picks=True,
    ),
    LayerKind(
        "coreset",
        "ScatterplotLayer",
        "dots",
        lambda view, theme: None if view.dots is not None and len(view.dots) else (),
        lambda view, theme: _disc_look(
            rgb(theme.dot, 235), rgb(theme.halo, 220), get_line_width=0.7, radius_min_pixels=1.2, radius_max_pixels=40
        ),
        picks=True,
    ),
    LayerKind(  # how far noise alone may have moved the centers
        "spreads",
        "ScatterplotLayer",
        "spreads",
        lambda view, theme: [
            {"p": [marker.lon, marker.lat], "r": round(marker.spread_m, 1), "tip": marker.tip}
            for marker in view.centers
            if view.spreads and marker.spread_m
        ],
        lambda view, theme: (
            _disc_look(rgb(PROTECTED, 40), rgb(PROTECTED, 220), get_line_width=1.5, radius_min_pixels=20)
            | {"get_position": "p", "get_radius": "r"}
        ),
    ),
    LayerKind(
        "city-names",
        "TextLayer",
        "",
        lambda view, theme: surroundings.name_rows(view.box),
        lambda view, theme: {"ink": theme.text, "halo": theme.land},
        in_base=True,
    ),
    *_pairs("exact_pairs"),
    *_pairs("other_pairs"),
    LayerKind(  # the wider an arc, the more trips; it runs from light to dark
        "flows",
        "ArcLayer",
        "flows",
        _flow_rows,
        lambda view, theme: _arc_look("b", "c", get_width="w", get_tilt=20, get_height=0.4),
        picks=True,
    ),
    _arcs("exact_arcs", EXACT),
    _arcs("arcs", PROTECTED),
    _symbols("exact_centers", icons.square),
    LayerKind(  # of two releases A hollow and wide, B filled inside it where both stand on one place
        "centers",
        "IconLayer",
        "centers",
        lambda view, theme: _symbol_rows(view.centers, partial(icons.diamond, hollow=bool(view.other_centers))),
        lambda view, theme: _symbol_look(view.centers, 46 if view.other_centers else 34),
        picks=True,
    ),
    _symbols("other_centers", partial(icons.diamond, colour=SECOND)),
    LayerKind(
        "cells",
        "PolygonLayer",
        "cells",
        lambda view, theme: view.cells,
        lambda view, theme: _RING | {"get_fill_color": [0, 0, 0, 0], "stroked": False} | _HIGHLIGHT,
        picks=True,
    ),
    _symbols("sites", partial(icons.pin, colour=SITE)),
)


def legend_key(kind: str, theme: Theme) -> str:
    """Draw the picture beside a switch of the legend; its words are `words.LAYERS`."""
    shades = LOOKS[theme.name].cells
    drawings = {
        "coreset": f'<circle cx="9" cy="9" r="5" fill="{theme.dot}" stroke="{theme.halo}" stroke-width="1.5"/>',
        "cells": f'<path d="M1 1H9V9H1Z" fill="{shades[2]}"/>'
        f'<path d="M9 1H17V9H9Z" fill="{shades[6]}"/>'
        f'<path d="M1 9H17V17H1Z" fill="{shades[4]}"/>',
        "protected": f'<path d="M9 1 L17 9 L9 17 L1 9 Z" fill="{PROTECTED}" stroke="#fff" stroke-width="1"/>',
        "exact": f'<path d="M2 2 H16 V16 H2 Z" fill="{EXACT}" stroke="#fff" stroke-width="1"/>',
        "pairs": f'<path d="M2 14 L16 4" stroke="{theme.line}" stroke-width="2.5"/>',
        "density": f'<path d="M1 1H17V17H1Z" fill="{SECOND}" opacity=".35"/><path d="M6 5H13V13H6Z" fill="{SECOND}"/>',
        "spread": f'<circle cx="9" cy="9" r="7" fill="{PROTECTED}" fill-opacity=".25" stroke="{PROTECTED}"/>',
        "regions": f'<path d="M2 4 L13 1 L17 13 L5 17 Z" fill="{PROTECTED}" fill-opacity=".15" '
        f'stroke="{PROTECTED}" stroke-width="2"/>',
    }
    return icons.data_uri(icons.svg(18, 18, drawings[kind]))
