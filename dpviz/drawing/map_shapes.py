"""One map of map.html as pieces of SVG: ground, cells, points, centers, stricter places, names over them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from html import escape
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import Frame
from dpviz.drawing.density import ShadedBoxes
from dpviz.drawing.ground import Box, box_of, ground_of, names_of_centers
from dpviz.drawing.looks import LOOKS, Look
from dpviz.drawing.map_view import Projection, boxes_around, draw_cells, draw_ground, fit_names
from dpviz.drawing.map_voices import Tell, Voices
from dpviz.drawing.svg_canvas import SvgCanvas, ring_path
from dpviz.labels import sentences as say
from dpviz.language.speaking import figures
from dpviz.releases.release import Release

Floats = NDArray[np.float64]
WIDE: Final = 1.5  # width over height that a map has at least: a portrait box shows what lies beside it
WIDTH = 1000.0  # of the longer side, in units of the drawing
_LARGEST_DOT, _SMALLEST_DOT = 16.0, 0.6
_DIAMOND = 15.0
_GROUND = ("park", "cemetery", "airport", "water")  # in the order of drawing, on land


def variable(name: str, colour: str) -> str:
    """A CSS variable with this colour as fallback; the dark style sets it."""
    return f"var(--{name.replace(' ', '-')}, {colour})"


_VARIABLES: Final = {field: field for field in ("land", "sea", "water", "green", "faint")} | {
    "name_ink": "name",
    "name_halo": "halo",
}


def _by_name(look: Look) -> Look:
    """The same look, with CSS variables for its colours."""
    named: dict[str, Any] = {field: variable(name, getattr(look, field)) for field, name in _VARIABLES.items()}
    named["streets"] = {kind: (variable(kind, colour), wide) for kind, (colour, wide) in look.streets.items()}
    named["cells"] = tuple(variable(f"cell {shade}", colour) for shade, colour in enumerate(look.cells))
    return replace(look, **named)


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
    named = {name: getattr(dark, field) for field, name in _VARIABLES.items()}
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
    to_page = Projection(box=shown, width=width + 2 * beside, height=height)
    canvas = SvgCanvas(to_page.width, height, "")
    draw_ground(canvas, city, LOOK, to_page)
    names = "".join(  # a group each: the script keeps their size at every zoom
        f'<g transform="translate({name.x - beside:.1f} {name.y:.1f})"><text font-size="{name.size:.0f}"'
        f"{_HEAVY if name.large else ''}>{escape(name.text)}</text></g>"
        for name in fit_names(
            city.places,
            to_page(np.column_stack([city.places.lon, city.places.lat])),
            (to_page.width, height),
            size=13.0,
            taken=boxes_around(to_page(raw_centers), 20.0),
        )
    )
    return MapGround(
        beneath=f'<g transform="translate({-beside:.1f} 0)">{canvas.fragment()}</g>'
        f'<rect class=edge {_DASHED} width="{width:.1f}" height="{height:.1f}"/>',
        names=f"<g class=names {_LETTERED}>{names}</g>",
        credit=city.credit,
        beside=beside,
        near=names_of_centers(city, raw_centers[:, 0], raw_centers[:, 1]),
    )


def _widened(box: Box, part: float) -> Box:
    west, south, east, north = box
    more = min(part * (east - west), west + 180.0, 180.0 - east)
    return west - more, south, east + more, north


def drawing_size(frame: Frame, axes: tuple[int, int | None]) -> tuple[float, float]:
    """Width and height of a map, in units of the drawing."""
    if axes[1] is None or axes[1] >= frame.dims:
        return WIDTH, WIDTH / 8
    wide, high = float(frame.extent[axes[0]]), float(frame.extent[axes[1]])
    return wide * WIDTH / max(wide, high), high * WIDTH / max(wide, high)


def figure_of(
    ground: MapGround | None,
    shapes: Sequence[str],
    size: tuple[float, float],
    name: str,
    voices: Voices,
    label: Tell,
    caption: Tell | None = None,
) -> str:
    """Shapes on their ground, with a label, a caption and the credit of the map. A telephone shows the box alone."""
    width, height = size
    beside = 0.0 if ground is None else ground.beside
    wide = width + 2 * beside
    beneath = f'<rect class=land width="{width:.1f}" height="{height:.1f}"/>' if ground is None else ground.beneath
    body = f'<g clip-path="url(#{name})">' + "\n".join([beneath, *shapes]) + "</g>"
    edge = f'<clipPath id={name}><rect x="{-beside:.1f}" width="{wide:.1f}" height="{height:.1f}"/></clipPath>'
    said = voices.said(caption or label)
    if ground is not None:
        credit = ground.credit
        said += f" {voices.said(lambda: say.MAP_CREDIT.format(credit=credit))}"
    return (
        f"<figure><svg class=map role=img tabindex=0 {voices.labelled(label)} "
        f'viewBox="{-beside:.1f} 0 {wide:.1f} {height:.1f}" data-narrow="0 0 {width:.1f} {height:.1f}" '
        f'style="max-width:calc(80vh * {wide / height:.3f})" preserveAspectRatio="xMidYMid meet">\n{edge}\n{body}\n'
        "</svg>"
        f"<figcaption>{said}</figcaption></figure>"
    )


def cells_group(cells: ShadedBoxes, size: tuple[float, float], box: Box) -> str:
    """The cells of one map in their shades. `box` is what the drawing shows, in the coordinates of the cells."""
    canvas = SvgCanvas(*size, "")
    draw_cells(canvas, LOOK, Projection(box=box, width=size[0], height=size[1]), cells)
    return f"<g class=cells>{canvas.fragment()}</g>"


def in_drawing(positions: Floats, axes: tuple[int, int | None], scale: float, height: float) -> Floats:
    """Places in the drawing: x to the right, y down."""
    x = positions[:, axes[0]] * scale
    y = height - positions[:, axes[1]] * scale if axes[1] is not None else np.full(len(positions), height / 2)
    return np.column_stack([x, y])


def dots_of(drawn: Floats, weights: Floats) -> Iterator[str]:
    """Area stands for weight; a weight below zero is a hollow ring."""
    heaviest = float(np.abs(weights).max()) if len(weights) else 0.0
    if heaviest == 0.0:
        return
    # Few heavy points may be large; where there are many, they shrink so that the map stays readable.
    largest = _LARGEST_DOT / max(1.0, (len(weights) / 200) ** 0.4)
    for index in np.argsort(-np.abs(weights), kind="stable"):
        x, y = drawn[index]
        radius = max(_SMALLEST_DOT, largest * float(np.sqrt(abs(weights[index]) / heaviest)))
        hollow = " class=below" if weights[index] < 0 else ""
        yield f'<circle{hollow} cx="{x:.1f}" cy="{y:.1f}" r="{radius:.2f}"/>'


def diamonds_of(release: Release, drawn: Floats, near: Sequence[str], voices: Voices) -> Iterator[str]:
    """Numbered diamonds, the heaviest center on top."""
    size = _DIAMOND if len(drawn) <= 30 else _DIAMOND / 2
    for index in reversed(range(len(drawn))):
        x, y = drawn[index]
        place = ", ".join(
            f"{name} {value:.5f}" for name, value in zip(release.frame.names, release.raw_centers[index], strict=True)
        )
        said = {"number": index + 1, "near": near[index], "place": place}
        tip = voices.tip(partial(_tip, said, float(release.center_weights[index])))
        label = f"<text>{index + 1}</text>" if size == _DIAMOND else ""
        yield (
            f'<g transform="translate({x:.1f} {y:.1f})">{tip}'
            f'<path d="M0 {-size}L{size} 0L0 {size}L{-size} 0Z"/>{label}</g>'
        )


def _tip(said: Mapping[str, Any], weight: float) -> str:
    return (say.TIP_CENTER_NEAR if said["near"] else say.TIP_CENTER).format(**said, count=figures(f"{weight:,.0f}"))


def given_ground(
    frame: Frame, axes: tuple[int, int], basemap: Mapping[str, Any], scale: float, height: float
) -> Iterator[str]:
    """Parks, airports and water on land, as far as they touch the box."""
    pair = list(axes)
    low, units = np.asarray(frame.low)[pair], np.asarray(frame.scale)[pair]
    extent = frame.extent[pair]
    for kind in _GROUND:
        for polygon in basemap.get(kind, []):
            rings = [(np.asarray(ring, dtype=np.float64)[:, :2] - low) * units for ring in polygon]
            near = [ring for ring in rings if (ring.max(axis=0) >= 0).all() and (ring.min(axis=0) <= extent).all()]
            if near:
                path = "".join(ring_path(in_drawing(ring, (0, 1), scale, height)) for ring in near)
                yield f'<path class={kind} fill-rule="evenodd" d="{path}"/>'


def outlines_of(release: Release, scale: float, height: float) -> Iterator[str]:
    """Regions with a level of their own; their outlines are public."""
    for region in release.request.regions:
        tip = escape(f"{region.name}: epsilon {region.epsilon:g}")
        for polygon in region.outline.polygons:
            rings = (in_drawing(release.frame.to_local(np.asarray(ring)), (0, 1), scale, height) for ring in polygon)
            path = "".join(ring_path(ring) for ring in rings)
            yield f'<path fill-rule="evenodd" d="{path}"><title>{tip}</title></path>'
