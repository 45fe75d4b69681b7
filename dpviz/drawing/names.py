"""Which names of places are written on a map, and where: the largest first, none on another or on what is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpviz.basemap.world import Places
from dpviz.drawing.canvas import Points, text_width

Taken = tuple[float, float, float, float]  # left, top, right, bottom
LARGE = 100_000  # inhabitants: written larger


@dataclass(frozen=True, kw_only=True)
class Written:
    """One name in its place: the middle of the line that its letters stand on."""

    text: str
    x: float
    y: float
    size: float
    large: bool


def placed(
    places: Places,
    at: Points,
    room: tuple[float, float],
    *,
    size: float,
    taken: Sequence[Taken] = (),
    most: int = 40,
) -> list[Written]:
    """The names that fit in a map of this width and height; `taken` is kept free for what stands over them."""
    used = list(taken)
    found: list[Written] = []
    largest = int(places.inhabitants.max(initial=0))
    for name, (x, y), people in zip(places.names, at.tolist(), places.inhabitants.tolist(), strict=True):
        large = people >= LARGE and people >= largest / 4
        letters = size * (1.28 if large else 1.0)
        half, gap = text_width(name, letters, bold=large) / 2, 0.3 * letters
        for down in (0.35, 1.6, -0.9):
            line = y + down * letters
            box = (x - half - gap, line - letters, x + half + gap, line + 0.35 * letters)
            if box[0] < 0 or box[1] < 0 or box[2] > room[0] or box[3] > room[1]:
                continue
            if not any(box[0] < b[2] and box[2] > b[0] and box[1] < b[3] and box[3] > b[1] for b in used):
                used.append(box)
                found.append(Written(text=name, x=x, y=line, size=letters, large=large))
                break
        if len(found) >= most:
            break
    return found


def boxes_around(at: Points, half: float) -> list[Taken]:
    """What marks of one size keep free."""
    return [(float(x - half), float(y - half), float(x + half), float(y + half)) for x, y in np.asarray(at)]
