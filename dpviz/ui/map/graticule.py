"""Lines of longitude and latitude and a scale bar, for boxes that no embedded map covers. From the public box alone."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from dpviz.domain.box import METRES_PER_DEGREE
from dpviz.ui.map.view import Box
from dpviz.ui.page_parts import icons
from dpviz.ui.page_parts.theme import Theme

LINES = 5  # about so many lines each way
_EDGE = 0.02  # of the box: how far the words stay away from its border
_WIDE, HIGH = 192, 48  # pixels of a word's picture
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
    return Line(
        start=(end - metres / to_degrees, lat),
        end=(end, lat),
        name=f"{metres / 1000:g} km" if metres >= 1000 else f"{metres:g} m",
    )


def name_rows(box: Box, theme: Theme) -> list[dict[str, Any]]:
    """Words as pictures, like all words on the maps; the number says where in the picture its place lies."""
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
