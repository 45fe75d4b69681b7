"""One map of a release on a canvas: ground, cells by how many records lie on equal ground, names, centers, scale."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from dpviz.basemap.world import CityMap, Places
from dpviz.domain.box import METRES_PER_DEGREE
from dpviz.drawing.density import ShadedBoxes
from dpviz.drawing.ground import Box, ground_of
from dpviz.drawing.looks import SHADE_OPACITY, Look
from dpviz.drawing.svg_canvas import Points, SvgCanvas, rectangle, text_width
from dpviz.releases.release import Release

_ON_TOP: Final = ("main road", "motorway", "stream")  # drawn once more over the cells, faintly: they orient
_LEAST_LINE: Final = {"street": 0.25, "rail": 0.4, "stream": 0.5, "road": 0.5, "main road": 0.8, "motorway": 1.0}
_NO_STREETS_ABOVE_M: Final = 60_000.0  # of the map's width: single streets would be a grey veil
DIAMOND: Final = 11.0
_LARGE: Final = 100_000  # inhabitants of a place: written larger
Taken = tuple[float, float, float, float]  # left, top, right, bottom


def draw_map(canvas: SvgCanvas, release: Release, look: Look, to_page: Projection, cells: ShadedBoxes) -> None:
    """The whole map inside its place."""
    city, place = ground_of(to_page.box), (0.0, 0.0, to_page.width, to_page.height)
    canvas.clip(place)
    draw_ground(canvas, city, look, to_page)
    draw_cells(canvas, look, to_page, cells)
    _streets(canvas, city, look, to_page, on_top=True)
    _regions(canvas, release, look, to_page)
    marks = to_page(release.raw_centers[:, :2])
    size = DIAMOND * look.letters * (1.0 if len(marks) <= 30 else 0.5)
    taken = [*boxes_around(marks, size * 1.25), _scale(canvas, look, to_page)]
    write_names(canvas, city, look, to_page, size=12.5 * look.letters, taken=taken)
    draw_centers(canvas, look, marks, size)
    canvas.clip(None)
    around = rectangle(*place)
    canvas.lines([np.vstack([around, around[:1]])], look.edge, 1.0)


def write_names(
    canvas: SvgCanvas,
    city: CityMap,
    look: Look,
    to_page: Projection,
    *,
    size: float,
    taken: Sequence[Taken] = (),
    most: int = 40,
) -> None:
    """The names of places that fit on the map; `taken` stays free, on the page."""
    at = to_page(np.column_stack([city.places.lon, city.places.lat]))
    for name in fit_names(city.places, at, (to_page.width, to_page.height), size=size, taken=taken, most=most):
        ink, halo = look.name_ink, look.name_halo
        canvas.words(name.text, name.x, name.y, name.size, ink, bold=name.large, anchor="middle", halo=halo)


@dataclass(frozen=True, kw_only=True)
class _WrittenName:
    """One name in its place: the middle of the line that its letters stand on."""

    text: str
    x: float
    y: float
    size: float
    large: bool


def fit_names(
    places: Places, at: Points, room: tuple[float, float], *, size: float, taken: Sequence[Taken] = (), most: int = 40
) -> list[_WrittenName]:
    """The names that fit in a map of this width and height; `taken` is kept free for what stands over them."""
    used = list(taken)
    found: list[_WrittenName] = []
    largest = int(places.inhabitants.max(initial=0))
    for name, (x, y), people in zip(places.names, at.tolist(), places.inhabitants.tolist(), strict=True):
        large = people >= _LARGE and people >= largest / 4
        letters = size * (1.28 if large else 1.0)
        half, gap = text_width(name, letters, bold=large) / 2, 0.3 * letters
        for down in (0.35, 1.6, -0.9):
            line = y + down * letters
            box = (x - half - gap, line - letters, x + half + gap, line + 0.35 * letters)
            if box[0] < 0 or box[1] < 0 or box[2] > room[0] or box[3] > room[1]:
                continue
            if not any(box[0] < b[2] and box[2] > b[0] and box[1] < b[3] and box[3] > b[1] for b in used):
                used.append(box)
                found.append(_WrittenName(text=name, x=x, y=line, size=letters, large=large))
                break
        if len(found) >= most:
            break
    return found


def boxes_around(at: Points, half: float) -> list[Taken]:
    """What marks of one size keep free."""
    return [(float(x - half), float(y - half), float(x + half), float(y + half)) for x, y in np.asarray(at)]


def draw_centers(canvas: SvgCanvas, look: Look, marks: Points, size: float) -> None:
    """Numbered diamonds, the first on top; a border makes each stand out on every shade. Many have no numbers."""
    for number, (x, y) in reversed(list(enumerate(np.asarray(marks).tolist(), start=1))):
        for side, colour in ((size + 2.2, look.center_ink), (size, look.center)):
            canvas.areas([np.array([[x, y - side], [x + side, y], [x, y + side], [x - side, y]])], colour)
        if len(marks) <= 30:
            canvas.words(str(number), x, y + 0.36 * size, size, look.center_ink, bold=True, anchor="middle")


@dataclass(frozen=True, kw_only=True)
class Projection:
    """Degrees to units of a page that shows the box alone, in the one metric of the box."""

    box: Box
    width: float
    height: float

    @classmethod
    def wide(cls, box: Box, width: float) -> Projection:
        """A page of this width, as high as the box is on the ground."""
        return cls(box=box, width=width, height=width / aspect_of(box))

    def __call__(self, raw: Points) -> Points:
        west, south, east, north = self.box
        x = (raw[:, 0] - west) / (east - west) * self.width
        return np.column_stack([x, (north - raw[:, 1]) / (north - south) * self.height])

    @property
    def metre(self) -> float:
        """How long a metre is on the page."""
        return self.width / width_m(self.box)


def width_m(box: Box) -> float:
    """How wide a box is at its middle."""
    return (box[2] - box[0]) * METRES_PER_DEGREE * math.cos(math.radians((box[1] + box[3]) / 2))


def aspect_of(box: Box) -> float:
    """Width over height on the ground."""
    return width_m(box) / ((box[3] - box[1]) * METRES_PER_DEGREE)


def draw_ground(canvas: SvgCanvas, city: CityMap, look: Look, to_page: Projection) -> None:
    """Sea, land, green, water and streets."""
    known = city.areas.get("land") or city.areas.get("water")
    canvas.areas([rectangle(0.0, 0.0, to_page.width, to_page.height)], look.sea if known else look.land)
    for kind, colour in (("land", look.land), ("green", look.green), ("water", look.water)):
        for polygon in city.areas.get(kind, []):
            rings = [to_page(ring) for ring in polygon]
            if _touches(rings[0], to_page):
                canvas.areas(rings, colour)
    _streets(canvas, city, look, to_page, on_top=False)


def _touches(ring: Points, page: Projection) -> bool:
    return bool((ring.min(axis=0) < (page.width, page.height)).all() and (ring.max(axis=0) > 0.0).all())


def _streets(canvas: SvgCanvas, city: CityMap, look: Look, to_page: Projection, *, on_top: bool) -> None:
    if width_m(to_page.box) > _NO_STREETS_ABOVE_M and on_top:
        return
    for kind, (colour, metres) in look.streets.items():
        if on_top and kind not in _ON_TOP:
            continue
        inside = [path for path in map(to_page, city.lines.get(kind, [])) if _touches(path, to_page)]
        if inside:
            wide = min(max(metres * to_page.metre, _LEAST_LINE[kind] * look.letters), 7.0)
            canvas.lines(inside, colour, wide * (0.7 if on_top else 1.0), opacity=0.5 if on_top else 1.0)


def draw_cells(canvas: SvgCanvas, look: Look, to_page: Projection, cells: ShadedBoxes) -> None:
    """The cells in their shades."""
    north_west = to_page(np.column_stack([cells.low[:, 0], cells.high[:, 1]]))
    south_east = to_page(np.column_stack([cells.high[:, 0], cells.low[:, 1]]))
    for shade, (colour, opacity) in enumerate(zip(look.cells, SHADE_OPACITY, strict=True)):
        here = cells.shade == shade
        rings = [
            np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])
            for (x0, y0), (x1, y1) in zip(north_west[here].tolist(), south_east[here].tolist(), strict=True)
        ]
        if rings:
            canvas.areas(rings, colour, opacity=opacity, sharp=True)


def _regions(canvas: SvgCanvas, release: Release, look: Look, to_page: Projection) -> None:
    """Regions with a level of their own: their outlines are public."""
    for region in release.request.regions:
        for polygon in region.outline.polygons:
            rings = [to_page(np.asarray(ring, dtype=np.float64)) for ring in polygon]
            canvas.lines([np.vstack([ring, ring[:1]]) for ring in rings], look.name_halo, 4.0)
            canvas.lines([np.vstack([ring, ring[:1]]) for ring in rings], look.center, 2.0)


def _scale(canvas: SvgCanvas, look: Look, to_page: Projection) -> Taken:
    """A bar of a round length in the corner; what it keeps free."""
    wanted = width_m(to_page.box) / 5
    power = 10.0 ** math.floor(math.log10(wanted))
    metres = max(step * power for step in (1, 2, 5) if step * power <= wanted * (1 + 1e-9))
    long = metres * to_page.metre
    x, y = to_page.width - 14 - long, to_page.height - 14
    bar = np.array([[x, y - 5], [x, y], [x + long, y], [x + long, y - 5]])
    canvas.lines([bar], look.name_halo, 4.5)
    canvas.lines([bar], look.name_ink, 1.8)
    said = f"{metres / 1000:g} km" if metres >= 1000 else f"{metres:g} m"
    size = 11.5 * look.letters
    canvas.words(said, x + long / 2, y - 6, size, look.name_ink, anchor="middle", halo=look.name_halo)
    return (x - 6, y - 8 - size, x + long + 6, to_page.height)
