"""The layers of a map view for a stage, bottom-up, each with the switches that show it and what its marks say.

Looks and rows come from marks.py and graticule.py. Coreset points, of which there may be many, come as columns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pydeck as pdk
from numpy.typing import NDArray

from dpviz.ui.map import graticule, marks, surroundings
from dpviz.ui.map.scene import Layer, Tip, column
from dpviz.ui.map.view import MapView, dot_radii_m
from dpviz.ui.page_parts import words
from dpviz.ui.page_parts.theme import Theme, rgb

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
SHOWS = {  # the switches of the legend that a layer needs; layers that are not named here are always shown
    "exact-density": ("density",),
    "regions": ("regions",),
    "coreset": ("coreset",),
    "counted": ("coreset", "cells"),
    "spreads": ("spread", "protected"),
    "exact-pairs-halo": ("pairs", "exact", "protected"),
    "exact-pairs-line": ("pairs", "exact", "protected"),
    "exact-arcs": ("exact",),
    "arcs": ("protected",),
    "exact-centers": ("exact",),
    "centers": ("protected",),
}


def layer(look: pdk.Layer) -> Layer:
    """A short layer: its rows are in its look."""
    return Layer(look=look, order=ORDER.index(look.id), shows=SHOWS.get(look.id, ()))


def base(view: MapView, theme: Theme) -> tuple[Layer, ...]:
    """What is the same at every stop: the frame of the public box, the exact density."""
    around = surroundings.layers(view.box, theme)
    looks = [
        *around,
        *marks.frame(view, theme),
        *marks.density(view),
        *graticule.layers(view.box, theme, lines=not around),
        *surroundings.names(view.box, theme),
        *marks.forbidden(view),
    ]
    return tuple(layer(look) for look in looks)


def of_stop(view: MapView, theme: Theme, cells: Sequence[Mapping[str, Any]] = ()) -> tuple[Layer, ...]:
    """What one stop shows: stricter places, points, centers of both kinds, lines between them, sites; and cells that
    can be clicked.
    """
    looks = [
        *marks.counted(view),
        *marks.shades(view),
        *marks.regions(view),
        *marks.spreads(view),
        *marks.lines(view, theme),
        *marks.flows(view),
        *marks.arcs(view),
        *marks.symbols("exact-centers", view.exact_centers, "exact"),
        *marks.centers(view),
        *marks.cells(cells),
        *marks.symbols("sites", view.sites, "site"),
    ]
    return (*coreset(view, theme), *(layer(look) for look in looks))


def coreset(view: MapView, theme: Theme) -> tuple[Layer, ...]:
    """Coreset points: the area is the weight. As many as there are: columns are cheap."""
    dots = view.dots
    if dots is None or not len(dots):
        return ()
    names, at = numbered(dots.places)
    look = pdk.Layer(
        "ScatterplotLayer",
        None,
        id="coreset",
        radius_units=marks.String("meters"),
        radius_min_pixels=1.2,
        radius_max_pixels=40,
        get_fill_color=rgb(theme.dot, 235),
        stroked=True,
        get_line_color=rgb(theme.halo, 220),
        get_line_width=0.7,
        line_width_units=marks.String("pixels"),
        pickable=True,
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


def numbered(names: Sequence[str | None]) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """The different names, and for each entry the index of its own."""
    known: dict[str, int] = {}
    at = np.fromiter((known.setdefault(name or "", len(known)) for name in names), np.int64, len(names))
    return tuple(known), at
