"""A map to draw on: the public box, dragged; or areas, corner by corner. What is drawn is public."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

from dpviz.drawing.ground import ground_of
from dpviz.drawing.looks import LOOKS
from dpviz.drawing.map_view import Projection, aspect_of, draw_ground, write_names
from dpviz.drawing.svg_canvas import SvgCanvas
from dpviz.language.speaking import told as _
from dpviz.ui.map.view import Box, write_features
from dpviz.ui.stage.stage_component import ignore_change, mount_component

MOST_AREAS, MOST_CORNERS = 50, 500
WIDE, HIGH = 760.0, 460.0
Ring = tuple[tuple[float, float], ...]
Degrees = tuple[float, float, float, float]


def draw_box(box: Box, appearance: str, *, key: str) -> Box | None:
    """The box that was dragged on the map around `box`; None where nothing was."""
    found: Any = _drawn(box, appearance, "box", around=0.6, key=key).get("box")
    if not _numbers(found, 4):
        return None
    west, south, east, north = (float(value) for value in found)
    return Box(west=west, south=south, east=east, north=north) if west < east and south < north else None


def draw_areas(box: Box, appearance: str, *, key: str) -> tuple[Ring, ...]:
    """The areas that were drawn on the map of the box, each as its corners (lon, lat)."""
    found = _drawn(box, appearance, "areas", around=0.05, key=key).get("areas")
    rings: list[Any] = found if isinstance(found, list) else []
    return tuple(
        tuple((float(lon), float(lat)) for lon, lat in ring)
        for ring in rings[:MOST_AREAS]
        if isinstance(ring, list) and 3 <= len(ring) <= MOST_CORNERS and all(_numbers(corner, 2) for corner in ring)
    )


def as_geojson(rings: tuple[Ring, ...]) -> str:
    """Drawn areas as a file of outlines, named by their numbers."""
    return write_features(
        ({"name": _("Drawn place {number}").format(number=at)}, "Polygon", [[*map(list, ring), list(ring[0])]])
        for at, ring in enumerate(rings, start=1)
    )


def _drawn(box: Box, appearance: str, mode: str, *, around: float, key: str) -> dict[str, Any]:
    svg, shown = paper_of(box, appearance, around)
    answer = mount_component("drawing", "drawing.js", "drawing.css")(
        key=key,
        data={
            "sheet": f"{key} {mode} {shown} {appearance}",
            "svg": svg,
            "width": WIDE,
            "height": HIGH,
            "shown": shown,
            "mode": mode,
            "box": box.corners,
            "words": {
                "box": _("Drag on the map to mark the box."),
                "areas": _("Click the corners of an area; click the first one again, or press Enter, to close it."),
                "close": _("Close the area"),
                "undo": _("Take back"),
                "clear": _("Clear all"),
            },
        },
        on_box_change=ignore_change,
        on_areas_change=ignore_change,
    )
    return {name: answer.get(name) for name in ("box", "areas")}


def _numbers(values: Any, many: int) -> bool:
    return (
        isinstance(values, list)
        and len(values) == many
        and all(isinstance(value, int | float) and math.isfinite(value) for value in values)
    )


@lru_cache(maxsize=8)
def paper_of(box: Box, appearance: str, around: float) -> tuple[str, Degrees]:
    """The box with some ground on every side, `around` times its own size, as SVG; and what the picture shows."""
    shown = _shown_around(box, around)
    look = LOOKS["dark" if appearance == "dark" else "light"]
    canvas = SvgCanvas(WIDE, HIGH, "A map to draw on")
    to_page, city = Projection(box=shown, width=WIDE, height=HIGH), ground_of(shown)
    canvas.clip((0.0, 0.0, WIDE, HIGH))
    draw_ground(canvas, city, look, to_page)
    write_names(canvas, city, look, to_page, size=12.0, most=24)
    canvas.clip(None)
    return canvas.document(), shown


def _shown_around(box: Box, around: float) -> Degrees:
    """The box with ground around it, in the shape of the picture."""
    wide, high = (1 + 2 * around) * (box.east - box.west), (1 + 2 * around) * (box.north - box.south)
    aspect = aspect_of(box.corners)
    if aspect < WIDE / HIGH:
        wide *= WIDE / HIGH / aspect
    else:
        high *= aspect / (WIDE / HIGH)
    lon, lat = box.middle
    return (
        max(lon - wide / 2, -180.0),
        max(lat - high / 2, -89.9),
        min(lon + wide / 2, 180.0),
        min(lat + high / 2, 89.9),
    )
