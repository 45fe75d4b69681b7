"""Lines of longitude and latitude and a scale bar, for boxes that no embedded map covers. From the public box alone."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import pydeck as pdk

from dpviz.domain.box import METRES_PER_DEGREE
from dpviz.ui.map import city_map
from dpviz.ui.map.scene import make_looks
from dpviz.ui.map.view import Box
from dpviz.ui.page_parts import icons
from dpviz.ui.page_parts.theme import Theme, rgb

LINES = 5  # about so many lines each way
_EDGE = 0.02  # of the box: how far the words stay away from its border
_DIGITS = 6
_WIDE, _HIGH = 192, 48  # pixels of a word's picture
Place = tuple[float, float]


@dataclass(frozen=True, kw_only=True)
class Line:
    """One line and what stands at its end."""

    start: Place
    end: Place
    name: str


def round_step(span: float, parts: float) -> float:
    """The round number (1, 2 or 5 times a power of ten) next below a part of a span."""
    wanted = span / parts
    power = 10.0 ** math.floor(math.log10(wanted))
    return float(max(step * power for step in (1, 2, 5) if step * power <= wanted * (1 + 1e-9)))


def _between(low: float, high: float) -> list[float]:
    step = round_step(high - low, LINES)
    return [round(number * step, 9) for number in range(math.ceil(low / step + 1e-9), math.ceil(high / step - 1e-9))]


def meridians(box: Box) -> list[Line]:
    """Lines from south to north."""
    return [
        Line(start=(lon, box.south), end=(lon, box.north), name=_degrees(lon, "E", "W"))
        for lon in _between(box.west, box.east)
    ]


def parallels(box: Box) -> list[Line]:
    """Lines from west to east."""
    return [
        Line(start=(box.west, lat), end=(box.east, lat), name=_degrees(lat, "N", "S"))
        for lat in _between(box.south, box.north)
    ]


def _degrees(value: float, above: str, below: str) -> str:
    return f"{abs(value):g}°" + (f" {above if value > 0 else below}" if value else "")


def scale(box: Box) -> Line:
    """A bar of a round length in the south-eastern corner."""
    wide, high = box.east - box.west, box.north - box.south
    lat = box.south + 4 * _EDGE * high
    to_degrees = METRES_PER_DEGREE * math.cos(math.radians(lat))
    metres = round_step(wide * to_degrees, LINES)
    end = box.east - _EDGE * wide
    return Line(start=(end - metres / to_degrees, lat), end=(end, lat), name=_length(metres))


def _length(metres: float) -> str:
    return f"{metres / 1000:g} km" if metres >= 1000 else f"{metres:g} m"


def layers(box: Box, theme: Theme, *, lines: bool = True) -> list[pdk.Layer]:
    """The frame's layers, the bar of scale alone without `lines`; none where the embedded map has land and water."""
    found = city_map.load()
    if found is not None and found.covers(box):
        return []
    bar = scale(box)
    if not lines:  # how long it is stands among the names of places
        return _lines("scale", [bar], rgb(theme.text), 3)
    across, up = _EDGE * (box.east - box.west), _EDGE * (box.north - box.south)
    names = [(line.name, (line.start[0], box.south + up), 0.5) for line in meridians(box)]
    names += [(line.name, (box.east - across / 4, line.start[1]), 1.0) for line in parallels(box)]
    return [
        *_lines("graticule", [*meridians(box), *parallels(box)], rgb(theme.line, 48), 1),
        *_lines("scale", [bar], rgb(theme.text), 3),
        *_names([*names, (bar.name, bar.start, 0.0)], theme),
    ]


def _lines(name: str, lines: list[Line], colour: list[int], width: int) -> list[pdk.Layer]:
    rows = [{"path": [_rounded(line.start), _rounded(line.end)], "tip": ""} for line in lines]
    return make_looks("PathLayer", name, rows, get_path="path", get_color=colour, get_width=width, width_units="pixels")


def _names(names: list[tuple[str, Place, float]], theme: Theme) -> list[pdk.Layer]:
    """Words as pictures, like all words on the maps; the number says where in the picture its place lies."""
    rows = []
    for text, place, anchor in names:
        picture = {"url": _word(text, anchor, theme), "width": _WIDE, "height": _HIGH, "anchorX": anchor * _WIDE}
        rows.append({"p": _rounded(place), "i": picture | {"anchorY": _HIGH / 2 + 15}, "tip": ""})
    return make_looks(
        "IconLayer", "graticule-names", rows, get_position="p", get_icon="i", get_size=_HIGH / 2, size_units="pixels"
    )


@lru_cache(maxsize=256)
def _word(text: str, anchor: float, theme: Theme) -> str:
    """Twice as large as it is shown, for sharp screens."""
    side = {0.0: "start", 0.5: "middle", 1.0: "end"}[anchor]
    at = 6 + anchor * (_WIDE - 12)
    style = f"font-family='system-ui, sans-serif' font-size='23' fill='{theme.text}' text-anchor='{side}'"
    return icons.data_uri(icons.svg(_WIDE, _HIGH, f"<text x='{at:g}' y='{_HIGH / 2 + 8:g}' {style}>{text}</text>"))


def _rounded(place: Place) -> list[float]:
    return [round(place[0], _DIGITS), round(place[1], _DIGITS)]
