"""The layers of a map view for a stage, bottom-up, each with the switches that show it and what its marks say.

Coreset points, of which there may be many, come as columns; all other layers are rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pydeck as pdk
from numpy.typing import NDArray

from dpviz.ui.map import graticule, surroundings
from dpviz.ui.map.scene import Layer, Tip, column, make_looks
from dpviz.ui.map.view import NEEDS, MapView, Marker, Pair, Picture, dot_radii_m
from dpviz.ui.page_parts import icons, words
from dpviz.ui.page_parts.theme import EXACT, PROTECTED, SECOND, SITE, Theme, rgb

Looks = list[pdk.Layer]
Row = Mapping[str, Any]
_DIGITS = 6  # of a degree: 0.1 m
ORDER = (
    *surroundings.ORDER,
    "box",
    "exact-density",
    "counted",
    "shades",
    "graticule",
    "scale",
    "graticule-names",
    "forbidden",
    "regions",
    "coreset",
    "spreads",
    surroundings.NAMES,
    "exact-pairs-halo",
    "exact-pairs-line",
    "other-pairs-halo",
    "other-pairs-line",
    "flows",
    "exact-arcs",
    "arcs",
    "exact-centers",
    "centers",
    "other-centers",
    "cells",
    "sites",
)
SHOWS = {  # the switches that a layer needs
    **{field.replace("_", "-"): needs for field, needs in NEEDS.items()},
    "coreset": NEEDS["dots"],
    "spreads": ("spread", "protected"),
    "exact-pairs-halo": NEEDS["exact_pairs"],
    "exact-pairs-line": NEEDS["exact_pairs"],
}
_BETWEEN: dict[str, Any] = {"get_source_position": "s", "get_target_position": "e", "width_units": "pixels"}
_ARC: dict[str, Any] = {"get_tilt": 25, "parameters": {"depthWriteEnabled": False}}  # numbers stay readable above arcs
_SHARP = {"minFilter": "nearest", "magFilter": "nearest"}
_HIGHLIGHT = {"auto_highlight": True, "highlight_color": rgb(SITE, 90)}
_SYMBOLS = {
    "protected": lambda label: icons.diamond(label),
    "hollow": lambda label: icons.diamond(label, hollow=True),
    "other": lambda label: icons.diamond(label, colour=SECOND),
    "exact": lambda label: icons.square(label),
    "site": lambda label: icons.pin(label, colour=SITE),
}


def base(view: MapView, theme: Theme) -> tuple[Layer, ...]:
    """What is the same at every stop: the frame of the public box, the exact density."""
    around = surroundings.layers(view.box, theme)
    looks = [
        *around,
        *_frame(view, theme),
        *_picture("exact-density", view.exact_density, opacity=0.75),
        *graticule.layers(view.box, theme, lines=not around),
        *surroundings.names(view.box, theme),
        *_areas("forbidden", [(rings, "") for rings in view.forbidden], "#B00020", (50, 220), picks=False),
    ]
    return tuple(_layer(look) for look in looks)


def of_stop(view: MapView, theme: Theme, cells: Sequence[Row] = ()) -> tuple[Layer, ...]:
    """What one stop shows: stricter places, points, centers of both kinds, lines between them, sites; and cells that
    can be clicked.
    """
    looks = [
        *_picture("counted", view.counted, texture_parameters=_SHARP),
        *_shades(view),
        *_areas("regions", [(shape.rings, shape.tip) for shape in view.regions], PROTECTED, (26, 230), picks=True),
        *_spreads(view),
        *_pairs("exact-pairs", view.exact_pairs, theme),
        *_pairs("other-pairs", view.other_pairs, theme),
        *_flows(view),
        *_arcs("exact-arcs", view.exact_arcs, EXACT),
        *_arcs("arcs", view.arcs, PROTECTED),
        *_symbols("exact-centers", view.exact_centers, "exact"),
        *_centers(view),
        *make_looks(
            "PolygonLayer",
            "cells",
            list(cells),
            picks=True,
            get_polygon="ring",
            get_fill_color=[0, 0, 0, 0],
            stroked=False,
            **_HIGHLIGHT,
        ),
        *_symbols("sites", view.sites, "site"),
    ]
    return (*_coreset(view, theme), *(_layer(look) for look in looks))


def _layer(look: pdk.Layer) -> Layer:
    return Layer(look=look, order=ORDER.index(look.id), shows=SHOWS.get(look.id, ()))


def _coreset(view: MapView, theme: Theme) -> tuple[Layer, ...]:
    """Coreset points: the area is the weight. As many as there are: columns are cheap."""
    dots = view.dots
    if dots is None or not len(dots):
        return ()
    names, at = _numbered(dots.places)
    (look,) = make_looks(
        "ScatterplotLayer",
        "coreset",
        None,
        picks=True,
        radius_units="meters",
        radius_min_pixels=1.2,
        radius_max_pixels=40,
        get_fill_color=rgb(theme.dot, 235),
        stroked=True,
        get_line_color=rgb(theme.halo, 220),
        get_line_width=0.7,
        line_width_units="pixels",
    )
    tip = Tip(
        text=words.TIP_POINT.format(unit=dots.unit),
        numbers=column(dots.weight),
        places=column(at),
        names=names,
        elsewhere=words.ELSEWHERE,
    )
    columns = {"getPosition": column(dots.lon, dots.lat), "getRadius": column(dot_radii_m(dots, view.box))}
    return (Layer(look=look, order=ORDER.index("coreset"), shows=SHOWS["coreset"], columns=columns, tip=tip),)


def _numbered(names: Sequence[str | None]) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """The different names, and for each entry the index of its own."""
    known: dict[str, int] = {}
    at = np.fromiter((known.setdefault(name or "", len(known)) for name in names), np.int64, len(names))
    return tuple(known), at


def _frame(view: MapView, theme: Theme) -> Looks:
    """The public box as four lines: the browser has compiled that program for the shifts anyway."""
    box = view.box
    corners = [(box.west, box.south), (box.east, box.south), (box.east, box.north), (box.west, box.north)]
    rows = [{"s": list(start), "e": list(end), "tip": ""} for start, end in pairwise([*corners, corners[0]])]
    return make_looks("LineLayer", "box", rows, get_color=rgb(theme.line, 150), get_width=1, **_BETWEEN)


def _picture(name: str, picture: Picture | None, **look: Any) -> Looks:
    if picture is None:
        return []
    box = picture.box
    return make_looks(
        "BitmapLayer", name, None, image=picture.url, bounds=[box.west, box.south, box.east, box.north], **look
    )


def _shades(view: MapView) -> Looks:
    """Areas, darker where more records are on the same ground."""
    rows = [
        _ring(shade.rings, shade.tip) | {"c": rgb(PROTECTED, round(12 + 200 * shade.strength))} for shade in view.shades
    ]
    return make_looks(
        "PolygonLayer",
        "shades",
        rows,
        picks=True,
        get_polygon="ring",
        get_fill_color="c",
        get_line_color=rgb(PROTECTED, 160),
        get_line_width=1,
        line_width_units="pixels",
        **_HIGHLIGHT,
    )


def _areas(
    name: str,
    shapes: Sequence[tuple[Sequence[NDArray[np.float64]], str]],
    colour: str,
    opaque: tuple[int, int],
    *,
    picks: bool,
) -> Looks:
    """Areas under the points: a faint ground and a clear border."""
    return make_looks(
        "PolygonLayer",
        name,
        [_ring(rings, tip) for rings, tip in shapes],
        picks=picks,
        get_polygon="ring",
        get_fill_color=rgb(colour, opaque[0]),
        get_line_color=rgb(colour, opaque[1]),
        get_line_width=2,
        line_width_units="pixels",
    )


def _ring(rings: Sequence[NDArray[np.float64]], tip: str) -> dict[str, Any]:
    return {"ring": [ring.round(_DIGITS).tolist() for ring in rings], "tip": tip}


def _spreads(view: MapView) -> Looks:
    """How far noise alone may have moved the centers."""
    rows = [
        {"p": [marker.lon, marker.lat], "r": round(marker.spread_m, 1), "tip": marker.tip}
        for marker in view.centers
        if view.spreads and marker.spread_m
    ]
    return make_looks(
        "ScatterplotLayer",
        "spreads",
        rows,
        get_position="p",
        get_radius="r",
        radius_units="meters",
        radius_min_pixels=20,
        get_fill_color=rgb(PROTECTED, 40),
        stroked=True,
        get_line_color=rgb(PROTECTED, 220),
        get_line_width=1.5,
        line_width_units="pixels",
    )


def _point(place: tuple[float, float]) -> list[float]:
    return [round(place[0], _DIGITS), round(place[1], _DIGITS)]


def _line_rows(pairs: Sequence[Pair]) -> list[Row]:
    return [{"s": _point(pair.start), "e": _point(pair.end), "tip": pair.tip} for pair in pairs]


def _pairs(name: str, pairs: Sequence[Pair], theme: Theme) -> Looks:
    """From each center to its partner, with a halo that keeps the lines visible over points."""
    rows = _line_rows(pairs)
    return [
        *make_looks("LineLayer", f"{name}-halo", rows, get_color=rgb(theme.halo), get_width=5.5, **_BETWEEN),
        *make_looks(
            "LineLayer", f"{name}-line", rows, picks=True, get_color=rgb(theme.line), get_width=2.5, **_BETWEEN
        ),
    ]


def _flows(view: MapView) -> Looks:
    """Trips between areas: the wider an arc, the more of them; it runs from light to dark."""
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
    options = _BETWEEN | _ARC | {"get_tilt": 20, "get_height": 0.4}
    return make_looks(
        "ArcLayer", "flows", rows, picks=True, get_source_color="b", get_target_color="c", get_width="w", **options
    )


def _arcs(name: str, pairs: Sequence[Pair], colour: str) -> Looks:
    """Groups of trips, from pick-up to drop-off."""
    options = _BETWEEN | _ARC | {"get_width": 4, "get_height": 0.35}
    source, target = rgb(colour, 130), rgb(colour)
    rows = _line_rows(pairs)
    return make_looks("ArcLayer", name, rows, picks=True, get_source_color=source, get_target_color=target, **options)


def _centers(view: MapView) -> Looks:
    """Protected centers; of two releases A hollow and wide, B filled inside it where both stand on one place."""
    if not view.other_centers:
        return _symbols("centers", view.centers, "protected")
    return [
        *_symbols("centers", view.centers, "hollow", pixels=46),
        *_symbols("other-centers", view.other_centers, "other"),
    ]


def _symbols(name: str, markers: Sequence[Marker], kind: str, *, pixels: int = 34) -> Looks:
    """Centers or sites as pictures with their numbers inside."""
    side, anchor = icons.SYMBOL_PIXELS, icons.SYMBOL_PIXELS // 2
    rows = []
    for marker in reversed(markers):  # number 1 on top
        url = _SYMBOLS[kind](str(marker.number))
        picture = {"url": url, "width": side, "height": side, "anchorX": anchor, "anchorY": anchor}
        rows.append({"p": _point((marker.lon, marker.lat)), "i": picture, "tip": marker.tip, "n": marker.number})
    size = pixels - 4 if len(markers) > 12 else pixels
    return make_looks(
        "IconLayer", name, rows, picks=True, get_position="p", get_icon="i", get_size=size, size_units="pixels"
    )
