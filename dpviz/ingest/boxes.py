"""Boxes as users write them: a GeoBox, four numbers, `W,S,E,N`, or a city's name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dpviz.domain import GeoBox, PlainBox
from dpviz.errors import InputError

SMALLEST_TOWN = 15_000  # inhabitants; smaller places share their names with too many others
LARGE_TOWN = 1_000_000
TOWN_BOX_M, LARGE_BOX_M = 16_000.0, 32_000.0


def parse_box(box: Any) -> GeoBox | PlainBox:
    """The public box; an error that says how to write one."""
    if isinstance(box, GeoBox | PlainBox):
        return box
    if isinstance(box, str):
        return _from_text(box)
    if isinstance(box, Sequence | np.ndarray) and len(box) == 4:
        return GeoBox(*box)
    raise InputError(
        f"box={box!r} is not a box; give dpviz.GeoBox(west, south, east, north), four numbers in that order, "
        "or the name of a built-in city.",
    )


def _from_text(text: str) -> GeoBox:
    if any(c.isdigit() for c in text) and ("," in text or ";" in text):
        return GeoBox.parse(text)
    from dpviz.ingest.cities import BUILTIN_BOX, BUILTIN_CITIES, CITY_BOXES

    wanted = _plain(text)
    if wanted in {_plain(name) for name in BUILTIN_CITIES}:
        return BUILTIN_BOX
    for name, box in CITY_BOXES.items():
        if _plain(name) == wanted:
            return box
    town = _box_of_town(text)
    if town is not None:
        return town
    known = "; ".join(sorted(CITY_BOXES))
    raise InputError(f"box {text!r} is neither west,south,east,north nor a known city. Known are: {known}.", box=text)


def _box_of_town(text: str) -> GeoBox | None:
    """A square around a town of the bundled names: public, and made without a look at any record."""
    from dpviz.basemap import world

    found = world.called(text)
    if not len(found) or found.inhabitants[0] < SMALLEST_TOWN:
        return None
    across_m = LARGE_BOX_M if found.inhabitants[0] >= LARGE_TOWN else TOWN_BOX_M
    return GeoBox(*world.box_around(found.lon[0], found.lat[0], across_m=across_m))


def _plain(name: str) -> str:
    return "".join(c for c in name.casefold() if c.isalnum())
