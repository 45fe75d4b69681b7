"""What lies beneath a map where the embedded map of New York does not: land, water, streets, names, a scale bar.

Where nothing is known of a box, lines of longitude and latitude are drawn. All of it follows from the public box alone.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, Final

from dpviz.basemap.added_maps import city_map
from dpviz.basemap.world import CityMap, Places, place_names, places, with_margin
from dpviz.domain.box import METRES_PER_DEGREE
from dpviz.drawing.ground import ground_of
from dpviz.drawing.looks import LOOKS
from dpviz.releases.paths import user_data_folder
from dpviz.ui.map import city_map as basemap
from dpviz.ui.map.view import Box, Namer
from dpviz.ui.page_parts import icons
from dpviz.ui.page_parts.theme import Theme, rgb

NAMES_AT_MOST: Final = 150  # a stage shows those of them that have room
LINES: Final = 5  # of degrees, about so many each way
HIGH: Final = 48  # pixels of a word's picture
_WIDE: Final = 192
_EDGE: Final = 0.02  # of the box: how far the words stay away from its border
_LARGE: Final = 100_000  # inhabitants of a place whose name is written larger
Corners = tuple[float, float, float, float]
Row = dict[str, Any]


def maps_folder() -> Path:
    """Where maps that the user added are kept."""
    return user_data_folder() / "maps"


def city_of(box: Box) -> CityMap | None:
    """The city map of a box; None where the embedded map covers it."""
    found, folder = basemap.load(), maps_folder()
    if found is not None and found.covers(box):
        return None
    return _city(box.corners, folder, folder.stat().st_mtime if folder.is_dir() else 0.0)


@lru_cache(maxsize=4)
def _city(corners: Corners, folder: Path, changed: float) -> CityMap:
    del changed  # a map that was added meanwhile is found
    return city_map(corners, folder)


def namer_of(box: Box) -> Namer:
    """How points in a box are called: by neighbourhoods of the embedded map, else by the places around them."""
    found = basemap.load()
    if found is not None and found.covers(box):
        return found.place_names
    known = _known(box.corners)
    return lambda lon, lat: place_names(known, lon, lat)


@lru_cache(maxsize=8)
def _known(corners: Corners) -> Places:
    return places().within(*with_margin(corners))


def has_map(box: Box) -> bool:
    """Whether land, water or streets lie beneath a box; else lines of degrees are drawn."""
    city = city_of(box)
    return city is None or bool(city.areas or city.lines)


def area_rows(box: Box, kind: str) -> list[Row]:
    """Areas of one kind beneath a box; `sea` is all of it, where anything is known."""
    city = city_of(box)
    if city is None or not (city.areas or city.lines):
        return []
    west, south, east, north = with_margin(city.box)
    sea = [[[west, south], [east, south], [east, north], [west, north]]]
    shapes = [[ring.round(5).tolist() for ring in polygon] for polygon in city.areas.get(kind, [])]
    return [{"polygon": shape, "tip": ""} for shape in ([sea] if kind == "sea" else shapes)]


def area_look(kind: str, theme: Theme) -> Row:
    """The look of areas of one kind."""
    look = LOOKS[theme.name]
    colour = {"land": look.land, "green": look.green}.get(kind, look.water)
    return {"get_polygon": "polygon", "get_fill_color": rgb(colour)}


def line_rows(box: Box, kind: str) -> list[Row]:
    """Streets, rails or streams of one kind beneath a box."""
    city = city_of(box)
    lines = [] if city is None else city.lines.get(kind, [])
    return [{"path": line.round(5).tolist(), "tip": ""} for line in lines]


def line_look(kind: str, theme: Theme) -> Row:
    """The look of lines of one kind."""
    colour, metres = LOOKS[theme.name].streets[kind]
    return {
        "get_path": "path",
        "get_color": rgb(colour),
        "get_width": metres,
        "width_units": "meters",
        "width_min_pixels": metres / 14,
        "width_max_pixels": 8,
        "joint_rounded": True,
    }


def name_rows(box: Box) -> list[Row]:
    """Names of places over the data, the largest first; a stage shows those that have room. Then the map's credit."""
    city = city_of(box)
    inside = (ground_of(box.corners) if city is None else city).places.within(*box.corners)
    rows: list[Row] = [
        {"p": [round(float(lon), 5), round(float(lat), 5)], "t": name, "large": int(people) >= _LARGE, "tip": ""}
        for name, lon, lat, people in islice(
            zip(inside.names, inside.lon, inside.lat, inside.inhabitants, strict=True), NAMES_AT_MOST
        )
    ]
    if city is not None:
        if has_map(box):  # else lines of degrees are drawn, with a scale of their own
            bar = scale(box)
            rows.append({"p": [round(value, 5) for value in bar.start], "t": bar.name, "scale": True, "tip": ""})
        rows.append({"p": [round(box.west, 5), round(box.south, 5)], "t": city.credit, "credit": True, "tip": ""})
    return rows


# ---- lines of degrees, and the scale bar -------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Line:
    """One line and what stands at its end."""

    start: tuple[float, float]
    end: tuple[float, float]
    name: str


def round_step(span: float, parts: float) -> float:
    """The round number (1, 2 or 5 times a power of ten) next below a part of a span."""
    wanted = span / parts
    power = 10.0 ** math.floor(math.log10(wanted))
    return float(max(step * power for step in (1, 2, 5) if step * power <= wanted * (1 + 1e-9)))


def _between(low: float, high: float, above: str, below: str) -> list[tuple[float, str]]:
    """Round degrees, each as it is written."""
    step = round_step(high - low, LINES)
    found = (round(at * step, 9) for at in range(math.ceil(low / step + 1e-9), math.ceil(high / step - 1e-9)))
    return [(value, f"{abs(value):g}°" + (f" {above if value > 0 else below}" if value else "")) for value in found]


def meridians(box: Box) -> list[Line]:
    """Lines from south to north."""
    found = _between(box.west, box.east, "E", "W")
    return [Line(start=(lon, box.south), end=(lon, box.north), name=name) for lon, name in found]


def parallels(box: Box) -> list[Line]:
    """Lines from west to east."""
    found = _between(box.south, box.north, "N", "S")
    return [Line(start=(box.west, lat), end=(box.east, lat), name=name) for lat, name in found]


def scale(box: Box) -> Line:
    """A bar of a round length in the south-eastern corner."""
    wide, high = box.east - box.west, box.north - box.south
    lat = box.south + 4 * _EDGE * high
    to_degrees = METRES_PER_DEGREE * math.cos(math.radians(lat))
    metres = round_step(wide * to_degrees, LINES)
    end = box.east - _EDGE * wide
    name = f"{metres / 1000:g} km" if metres >= 1000 else f"{metres:g} m"
    return Line(start=(end - metres / to_degrees, lat), end=(end, lat), name=name)


def degrees(box: Box) -> list[Line]:
    """Lines each way, for boxes without a map."""
    return [] if has_map(box) else [*meridians(box), *parallels(box)]


def scales(box: Box) -> list[Line]:
    """The bar, for boxes that the embedded map does not cover."""
    return [] if city_of(box) is None else [scale(box)]


def word_rows(box: Box, theme: Theme) -> list[Row]:
    """Words at the lines, as pictures like all words on the maps; the number says where in one its place lies."""
    across, up = _EDGE * (box.east - box.west), _EDGE * (box.north - box.south)
    bar = scale(box)
    return [
        {
            "p": [round(value, 6) for value in place],
            "i": {
                "url": _word(text, anchor, theme),
                "width": _WIDE,
                "height": HIGH,
                "anchorX": anchor * _WIDE,
                "anchorY": HIGH / 2 + 15,
            },
            "tip": "",
        }
        for text, place, anchor in [
            *((line.name, (line.start[0], box.south + up), 0.5) for line in meridians(box)),
            *((line.name, (box.east - across / 4, line.start[1]), 1.0) for line in parallels(box)),
            (bar.name, bar.start, 0.0),
        ]
    ]


@lru_cache(maxsize=256)
def _word(text: str, anchor: float, theme: Theme) -> str:
    """Twice as large as it is shown, for sharp screens."""
    side = {0.0: "start", 0.5: "middle", 1.0: "end"}[anchor]
    at = 6 + anchor * (_WIDE - 12)
    style = f"font-family='system-ui, sans-serif' font-size='23' fill='{theme.text}' text-anchor='{side}'"
    return icons.data_uri(icons.svg(_WIDE, HIGH, f"<text x='{at:g}' y='{HIGH / 2 + 8:g}' {style}>{text}</text>"))
