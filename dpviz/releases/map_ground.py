"""What lies under and over the cells of map.html in any city: land, water, streets, and names of places."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Final

import numpy as np

from dpviz.releases.drawing.ground import Box, box_of, ground_of, names_of_centers
from dpviz.releases.drawing.looks import LOOKS
from dpviz.releases.drawing.map_view import Place, Projection, draw_ground
from dpviz.releases.drawing.names import boxes_around, placed
from dpviz.releases.drawing.svg_canvas import SvgCanvas

if TYPE_CHECKING:
    from dpviz.releases.outcomes import Release

WIDE: Final = 1.5  # width over height that a map has at least: a portrait box shows what lies beside it
_LOOK = LOOKS["light"]
_HEAVY: Final = ' font-weight="600"'
_DASHED: Final = f'fill="none" stroke="{_LOOK.faint}" stroke-opacity=".7" stroke-dasharray="5 4"'
_LETTERED: Final = (
    f'fill="{_LOOK.name_ink}" stroke="{_LOOK.name_halo}" stroke-width="3" stroke-linejoin="round" paint-order="stroke" '
    'text-anchor="middle"'
)


@dataclass(frozen=True, kw_only=True)
class MapGround:
    """The drawing of the ground, in units where the public box begins at (0, 0) and has this width and height."""

    beneath: str
    names: str
    credit: str
    beside: float  # how far the drawing goes on to the west and to the east of the box
    near: list[str]  # of each center


def map_ground(release: Release, width: float, height: float) -> MapGround | None:
    """The ground of a release on a map; None where its axes are none."""
    box = box_of(release.frame)
    if box is None:
        return None
    beside = max(0.0, (WIDE * height - width) / 2)
    shown = _widened(box, beside / width)
    beside = (box[0] - shown[0]) / (box[2] - box[0]) * width  # less where the world ends
    city = ground_of(shown)
    place = Place(x=-beside, y=0.0, width=width + 2 * beside, height=height)
    to_page = Projection(box=shown, place=place)
    canvas = SvgCanvas(place.width, height, "")
    draw_ground(canvas, city, _LOOK, to_page)
    centers = to_page(release.raw_centers)
    corner = np.array([place.x, place.y])
    written = placed(
        city.places,
        to_page(np.column_stack([city.places.lon, city.places.lat])) - corner,
        (place.width, place.height),
        size=13.0,
        taken=boxes_around(centers - corner, 20.0),
    )
    names = "".join(
        f'<g transform="translate({name.x + place.x:.1f} {name.y:.1f})"><text font-size="{name.size:.0f}"'
        f"{_HEAVY if name.large else ''}>{escape(name.text)}</text></g>"
        for name in written
    )
    edge = f'<rect class=edge {_DASHED} width="{width:.1f}" height="{height:.1f}"/>'
    near = names_of_centers(city, release.raw_centers[:, 0], release.raw_centers[:, 1])
    return MapGround(
        beneath=canvas.fragment() + edge,
        names=f"<g class=names {_LETTERED}>{names}</g>",
        credit=city.credit,
        beside=beside,
        near=near,
    )


def _widened(box: Box, part: float) -> Box:
    west, south, east, north = box
    more = min(part * (east - west), west + 180.0, 180.0 - east)
    return west - more, south, east + more, north
