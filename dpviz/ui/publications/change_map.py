"""The map of what changed between two periods, as a drawing: clear changes in colour, what may be chance in grey."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz.basemap.world import places
from dpviz.series.changes import Changes
from dpviz.ui.map import charts, city_map, surroundings
from dpviz.ui.map.view import Box
from dpviz.ui.page_parts import icons
from dpviz.ui.page_parts.theme import EXACT, PROTECTED, Theme
from dpviz.ui.publications import words as say

WIDTH, HIGHEST = 640.0, 520.0
MORE, FEWER = PROTECTED, EXACT  # told apart by people who see fewer colours, and by the sign in each area
MOST_NAMES = 16
SIGN_FROM = 22.0  # units: an area smaller than this has no room for its sign


def drawing(changes: Changes, box: Box, theme: Theme) -> str:
    """The box with every area that was compared; the stronger its colour, the larger the change on equal ground."""
    height = charts.small_height(box, WIDTH)
    table = changes.table
    x = ((table["west"] - box.west) / (box.east - box.west) * WIDTH).to_numpy()
    y = ((box.north - table["north"]) / (box.north - box.south) * height).to_numpy()
    wide = ((table["east"] - table["west"]) / (box.east - box.west) * WIDTH).to_numpy()
    tall = ((table["north"] - table["south"]) / (box.north - box.south) * height).to_numpy()
    change, clear = table["change"].to_numpy(), table["clear"].to_numpy(dtype=bool)
    dense = np.abs(change) / (wide * tall)
    most = float(dense[clear].max()) if clear.any() else 1.0
    parts = [f'<rect width="{WIDTH:g}" height="{height:.1f}" fill="{theme.land}"/>', _water(box, height, theme)]
    quiet = "".join(_path(*one) for one in zip(x[~clear], y[~clear], wide[~clear], tall[~clear], strict=True))
    parts.append(f'<path d="{quiet}" fill="{theme.empty}" fill-opacity=".12" stroke="{theme.grid}" stroke-width=".7"/>')
    for at in np.flatnonzero(clear):
        colour = MORE if change[at] > 0 else FEWER
        strength = 0.3 + 0.55 * float(np.sqrt(dense[at] / most))
        shape = _path(x[at], y[at], wide[at], tall[at])
        parts.append(f'<path d="{shape}" fill="{colour}" fill-opacity="{strength:.2f}" stroke="{colour}"/>')
        if min(wide[at], tall[at]) >= SIGN_FROM:
            parts.append(_sign(x[at] + wide[at] / 2, y[at] + tall[at] / 2, change[at] > 0, theme))
    parts.append(_names(box, height, theme))
    return icons.svg(WIDTH, round(height, 1), "".join(parts))


def width_on_page(box: Box) -> str:
    """As wide as its column, and never higher than a screen."""
    return f"{min(WIDTH, WIDTH * HIGHEST / charts.small_height(box, WIDTH)):.0f}px"


def key(theme: Theme) -> str:
    """What the colours mean, as HTML."""
    entries = ((MORE, say.CHANGES_MORE), (FEWER, say.CHANGES_FEWER), (theme.empty, say.CHANGES_CHANCE))
    return "".join(
        f"<span class='dpv-key'><i style='background:{colour}'></i>{label}</span> " for colour, label in entries
    )


def _path(x: float, y: float, wide: float, tall: float) -> str:
    return f"M{x:.1f} {y:.1f}h{wide:.1f}v{tall:.1f}h{-wide:.1f}z"


def _sign(x: float, y: float, more: bool, theme: Theme) -> str:
    return (
        f'<text x="{x:.1f}" y="{y + 5:.1f}" text-anchor="middle" font-size="15" font-weight="700" '
        f'fill="{theme.text}">{"+" if more else "−"}</text>'
    )


def _water(box: Box, height: float, theme: Theme) -> str:
    """Water of the embedded map, or the sea and lakes around another city."""
    found = city_map.load()
    if found is not None and found.covers(box):
        path = found.water_path(box, WIDTH, height)
        return f'<path d="{path}" fill="{theme.water}" fill-rule="evenodd"/>'
    city = surroundings.city_of(box)
    if city is None or not city.areas:
        return ""
    shapes = {
        kind: "".join(_ring(ring, box, height) for polygon in city.areas.get(kind, []) for ring in polygon)
        for kind in ("land", "water")
    }
    sea = f'<rect width="{WIDTH:g}" height="{height:.1f}" fill="{theme.water}"/>' if shapes["land"] else ""
    land = f'<path d="{shapes["land"]}" fill="{theme.land}" fill-rule="evenodd"/>'
    return f'{sea}{land}<path d="{shapes["water"]}" fill="{theme.water}" fill-rule="evenodd"/>'


def _ring(ring: NDArray[Any], box: Box, height: float) -> str:
    x = np.clip((ring[:, 0] - box.west) / (box.east - box.west) * WIDTH, -9, WIDTH + 9)
    y = np.clip((box.north - ring[:, 1]) / (box.north - box.south) * height, -9, height + 9)
    points = list(dict.fromkeys(f"{a:.0f} {b:.0f}" for a, b in zip(x, y, strict=True)))
    return "M" + "L".join(points) + "Z" if len(points) > 2 else ""


def _names(box: Box, height: float, theme: Theme) -> str:
    """A few names that do not touch each other, so that a place can be found."""
    taken: list[tuple[float, float, float]] = []
    shown = []
    for name, lon, lat in _known_names(box):
        x = (lon - box.west) / (box.east - box.west) * WIDTH
        y = (box.north - lat) / (box.north - box.south) * height
        half = len(name) * 3.6 + 6
        inside = half < x < WIDTH - half and 14 < y < height - 6
        if inside and all(abs(x - left) > half + other or abs(y - up) > 22 for left, up, other in taken):
            taken.append((x, y, half))
            shown.append(
                f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="middle" font-size="12.5" fill="{theme.text}" '
                f'stroke="{theme.land}" stroke-width="3" paint-order="stroke">{escape(name)}</text>'
            )
        if len(taken) == MOST_NAMES:
            break
    return "".join(shown)


def _known_names(box: Box) -> Iterator[tuple[str, float, float]]:
    """Neighbourhoods of the embedded map, the largest first; other cities' places by their people."""
    found = city_map.load()
    if found is not None and found.covers(box):
        yield from ((one.name, float(one.label[0]), float(one.label[1])) for one in found.neighbourhoods if one.borough)
        return
    known = places().within(box.west, box.south, box.east, box.north)
    for name, lon, lat in zip(known.names, known.lon, known.lat, strict=True):
        yield str(name), float(lon), float(lat)
