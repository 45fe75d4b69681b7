"""The ground of map.html: land, water and streets under the cells, names of places over them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from html import escape
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import Frame
from dpviz.drawing.ground import Box, box_of, ground_of, names_of_centers
from dpviz.drawing.looks import LOOKS, Look
from dpviz.drawing.map_view import Place, Projection, boxes_around, draw_ground, fit_names
from dpviz.drawing.svg_canvas import SvgCanvas

Floats = NDArray[np.float64]
WIDE: Final = 1.5  # width over height that a map has at least: a portrait box shows what lies beside it


def variable(name: str, colour: str) -> str:
    """A CSS variable with this colour as fallback; the dark style sets it."""
    return f"var(--{name.replace(' ', '-')}, {colour})"


def _by_name(look: Look) -> Look:
    """The same look, with CSS variables for its colours."""
    return replace(
        look,
        land=variable("land", look.land),
        sea=variable("sea", look.sea),
        water=variable("water", look.water),
        green=variable("green", look.green),
        faint=variable("faint", look.faint),
        name_ink=variable("name", look.name_ink),
        name_halo=variable("halo", look.name_halo),
        streets={kind: (variable(kind, colour), wide) for kind, (colour, wide) in look.streets.items()},
        cells=tuple(variable(f"cell {shade}", colour) for shade, colour in enumerate(look.cells)),
    )


LOOK: Final[Look] = _by_name(LOOKS["light"])
_DASHED: Final = f'fill="none" stroke="{LOOK.faint}" stroke-opacity=".7" stroke-dasharray="5 4"'
_LETTERED: Final = (
    f'fill="{LOOK.name_ink}" stroke="{LOOK.name_halo}" stroke-width="3" '
    'stroke-linejoin="round" paint-order="stroke" text-anchor="middle"'
)
_HEAVY: Final = ' font-weight="600"'


def dark_colours() -> str:
    """CSS declarations that give the variables the colours of the dark look."""
    dark = LOOKS["dark"]
    named = {"land": dark.land, "sea": dark.sea, "water": dark.water, "green": dark.green, "faint": dark.faint}
    named |= {"name": dark.name_ink, "halo": dark.name_halo}
    named |= {kind: colour for kind, (colour, _) in dark.streets.items()}
    named |= {f"cell {shade}": colour for shade, colour in enumerate(dark.cells)}
    return " ".join(f"--{name.replace(' ', '-')}: {colour};" for name, colour in named.items())


@dataclass(frozen=True, kw_only=True)
class MapGround:
    """The drawing of the ground, in units where the public box begins at (0, 0) and has this width and height."""

    beneath: str
    names: str
    credit: str
    beside: float  # width of the strips drawn west and east of the box
    near: list[str]  # of each center


def map_ground(frame: Frame, raw_centers: Floats, width: float, height: float) -> MapGround | None:
    """The ground of a plane and of the centers in it; None where it is no map."""
    box = box_of(frame)
    if box is None:
        return None
    beside = max(0.0, (WIDE * height - width) / 2)
    shown = _widened(box, beside / width)
    beside = (box[0] - shown[0]) / (box[2] - box[0]) * width  # less where the world ends
    city = ground_of(shown)
    place = Place(x=-beside, y=0.0, width=width + 2 * beside, height=height)
    to_page = Projection(box=shown, place=place)
    canvas = SvgCanvas(place.width, height, "")
    draw_ground(canvas, city, LOOK, to_page)
    centers = to_page(raw_centers)
    names = "".join(  # a group each: the script keeps their size at every zoom
        f'<g transform="translate({name.x + place.x:.1f} {name.y:.1f})"><text font-size="{name.size:.0f}"'
        f"{_HEAVY if name.large else ''}>{escape(name.text)}</text></g>"
        for name in fit_names(
            city.places,
            to_page(np.column_stack([city.places.lon, city.places.lat])) - (place.x, place.y),
            (place.width, place.height),
            size=13.0,
            taken=boxes_around(centers - (place.x, place.y), 20.0),
        )
    )
    edge = f'<rect class=edge {_DASHED} width="{width:.1f}" height="{height:.1f}"/>'
    return MapGround(
        beneath=canvas.fragment() + edge,
        names=f"<g class=names {_LETTERED}>{names}</g>",
        credit=city.credit,
        beside=beside,
        near=names_of_centers(city, raw_centers[:, 0], raw_centers[:, 1]),
    )


def _widened(box: Box, part: float) -> Box:
    west, south, east, north = box
    more = min(part * (east - west), west + 180.0, 180.0 - east)
    return west - more, south, east + more, north
