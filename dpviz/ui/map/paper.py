"""A map to draw on: the ground and the names around a box as one picture, and which degrees it shows. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from dpviz.drawing.ground import ground_of
from dpviz.drawing.looks import LOOKS
from dpviz.drawing.map_view import Place, Projection, aspect_of, draw_ground
from dpviz.drawing.names import placed
from dpviz.drawing.svg_canvas import SvgCanvas
from dpviz.ui.map.view import Box

WIDE, HIGH = 760.0, 460.0
Degrees = tuple[float, float, float, float]


@dataclass(frozen=True, kw_only=True)
class Paper:
    """The picture, its size, and west, south, east, north of what it shows."""

    svg: str
    width: float
    height: float
    shown: Degrees


@lru_cache(maxsize=8)
def paper_of(box: Box, appearance: str, around: float) -> Paper:
    """The box with some ground on every side, `around` times its own size; no line of it is drawn."""
    shown = shown_around(box, around)
    look = LOOKS["dark" if appearance == "dark" else "light"]
    place = Place(x=0.0, y=0.0, width=WIDE, height=HIGH)
    canvas = SvgCanvas(WIDE, HIGH, "A map to draw on")
    to_page, city = Projection(box=shown, place=place), ground_of(shown)
    canvas.clip((0.0, 0.0, WIDE, HIGH))
    draw_ground(canvas, city, look, to_page)
    at = to_page(np.column_stack([city.places.lon, city.places.lat]))
    for name in placed(city.places, at, (WIDE, HIGH), size=12.0, most=24):
        canvas.words(
            name.text, name.x, name.y, name.size, look.name_ink, bold=name.large, anchor="middle", halo=look.name_halo
        )
    canvas.clip(None)
    return Paper(svg=canvas.document(), width=WIDE, height=HIGH, shown=shown)


def shown_around(box: Box, around: float) -> Degrees:
    """The box with ground around it, in the shape of the picture."""
    wide, high = (1 + 2 * around) * (box.east - box.west), (1 + 2 * around) * (box.north - box.south)
    aspect = aspect_of((box.west, box.south, box.east, box.north))
    if aspect < WIDE / HIGH:
        wide *= WIDE / HIGH / aspect
    else:
        high *= aspect / (WIDE / HIGH)
    lon, lat = (box.west + box.east) / 2, (box.south + box.north) / 2
    return (
        max(lon - wide / 2, -180.0),
        max(lat - high / 2, -89.9),
        min(lon + wide / 2, 180.0),
        min(lat + high / 2, 89.9),
    )
