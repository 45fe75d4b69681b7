"""The map of what changed between two periods, as a drawing: clear changes in colour, what may be chance in grey."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from dpviz.drawing.canvas import rectangle
from dpviz.drawing.ground import ground_of
from dpviz.drawing.looks import LOOKS
from dpviz.drawing.map_view import Place, Projection, boxes_around, draw_ground, write_names
from dpviz.drawing.svg_canvas import SvgCanvas
from dpviz.series.changes import Changes
from dpviz.ui.map import charts
from dpviz.ui.map.view import Box
from dpviz.ui.page_parts.theme import ADDED, PROTECTED, Theme
from dpviz.ui.publications import words as say

WIDTH, HIGHEST = 640.0, 520.0
MORE, FEWER = PROTECTED, ADDED  # told apart by people who see fewer colours, and by the sign in each area
FAINTEST = 0.05  # of a wide area with a small change: a map is not to drown in it
SIGN_FROM = 22.0  # units: an area smaller than this has no room for its sign


def drawing(changes: Changes, box: Box, theme: Theme) -> str:
    """The box with every area that was compared; the stronger its colour, the larger the change on equal ground."""
    corners = (box.west, box.south, box.east, box.north)
    place = Place(x=0.0, y=0.0, width=WIDTH, height=charts.small_height(box, WIDTH))
    to_page, city = Projection(box=corners, place=place), ground_of(corners)
    look = replace(LOOKS["light"], land=theme.land, green=theme.land, sea=theme.water, water=theme.water, streets={})
    look = replace(look, name_ink=theme.text, name_halo=theme.land)
    table = changes.table
    left, top = to_page(table[["west", "north"]].to_numpy()).T
    right, bottom = to_page(table[["east", "south"]].to_numpy()).T
    areas = [rectangle(*area) for area in zip(left, top, right - left, bottom - top, strict=True)]
    change, clear = table["change"].to_numpy(), table["clear"].to_numpy(dtype=bool)
    dense = np.abs(change) / ((right - left) * (bottom - top))
    most = float(dense[clear].max()) if clear.any() else 1.0
    canvas = SvgCanvas(WIDTH, place.height, "")
    draw_ground(canvas, city, look, to_page)
    quiet = [area for area, is_clear in zip(areas, clear, strict=True) if not is_clear]
    canvas.areas(quiet, theme.empty, opacity=0.12)
    canvas.lines([np.vstack([area, area[:1]]) for area in quiet], theme.grid, 0.7)
    signed = []
    for at in np.flatnonzero(clear):
        colour = MORE if change[at] > 0 else FEWER
        canvas.areas([areas[at]], colour, opacity=max(FAINTEST, 0.85 * float(np.sqrt(dense[at] / most))))
        canvas.lines([np.vstack([areas[at], areas[at][:1]])], colour, 1.0)
        if min(right[at] - left[at], bottom[at] - top[at]) >= SIGN_FROM:
            x, y = areas[at].mean(axis=0)
            canvas.words("+" if change[at] > 0 else "−", x, y + 5, 15, theme.text, bold=True, anchor="middle")
            signed.append((x, y))
    write_names(canvas, city, look, to_page, size=12.5, taken=boxes_around(np.array(signed), 8.0), most=16)
    return canvas.document()


def width_on_page(box: Box) -> str:
    """As wide as its column, and never higher than a screen."""
    return f"{min(WIDTH, WIDTH * HIGHEST / charts.small_height(box, WIDTH)):.0f}px"


def key(theme: Theme) -> str:
    """What the colours mean, as HTML."""
    return charts.color_key(((MORE, say.CHANGES_MORE), (FEWER, say.CHANGES_FEWER), (theme.empty, say.CHANGES_CHANCE)))
