"""The map of a box: what the user added for it, over the bundled world."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from dpviz.basemap import added_maps
from dpviz.basemap.drawn import Box, CityMap, with_margin
from dpviz.basemap.rings import Polygon, cut, softened
from dpviz.basemap.world import BLOCK_DEGREES, CREDIT, Places, ground, places

_FEW_CORNERS = 2_000  # rounding doubles them
_SAME_DEGREES = 0.01  # two names so near to each other are taken for one place


def city_map(box: Box, folder: Path | None = None) -> CityMap:
    """Coast, water and names around a box; streets and parks too where a map of it was added to `folder`."""
    around = with_margin(box)
    world = _softened(ground(*around), around)
    names = places().within(*around)
    own = None if folder is None else added_maps.best(box, folder)
    if own is None:
        areas = {kind: polygons for kind, polygons in world.items() if polygons}
        return CityMap(box=box, areas=areas, places=names, credit=CREDIT)
    areas = {kind: polygons for kind, polygons in own.areas.items() if polygons}
    drawn = own.areas.get("land", [])
    areas["land"] = drawn + _beyond(world["land"], _reach(own.box, drawn), around) if drawn else world["land"]
    areas["water"] = own.areas.get("water") or world["water"]
    return CityMap(
        box=box,
        areas=areas,
        lines=own.lines,
        places=_joined(own.places, names),
        credit=own.credit if own.credit in CREDIT else f"{own.credit}; {CREDIT}",
    )


def _softened(world: dict[str, list[Polygon]], around: Box) -> dict[str, list[Polygon]]:
    """Land and water with round corners where few are shown large; lakes of three corners, mostly bits of a narrow
    river, are left out.
    """
    found = {kind: [one for one in world[kind] if kind == "land" or len(one[0]) > 3] for kind in world}
    for _ in range(2):
        if sum(len(ring) for polygons in found.values() for one in polygons for ring in one) > _FEW_CORNERS:
            break
        found = {kind: [softened(one, around, BLOCK_DEGREES) for one in found[kind]] for kind in found}
    return found


def _reach(box: Box, land: list[Polygon]) -> Box:
    """As far as an added map tells land from sea: its file may end inside the box."""
    rings = [polygon[0] for polygon in land if len(polygon[0])]
    if not rings:
        return box
    corners = np.concatenate(rings)
    (west, south), (east, north) = corners.min(axis=0).tolist(), corners.max(axis=0).tolist()
    return west, south, east, north


def _beyond(polygons: list[Polygon], reach: Box, around: Box) -> list[Polygon]:
    """What of the world lies beside an added map: else the land would end where the file does."""
    west, south, east, north = reach
    beside = (
        (around[0], around[1], west, around[3]),
        (east, around[1], around[2], around[3]),
        (west, around[1], east, south),
        (west, north, east, around[3]),
    )
    strips = [strip for strip in beside if strip[0] < strip[2] and strip[1] < strip[3]]
    return [piece for strip in strips for polygon in polygons if (piece := cut(polygon, *strip))]


def _joined(first: Places, second: Places) -> Places:
    """All of the first, and of the second what the first does not name, in another language either."""
    here = {(round(x / _SAME_DEGREES), round(y / _SAME_DEGREES)) for x, y in zip(first.lon, first.lat, strict=True)}
    known = set(first.names)

    def is_new(name: str, x: float, y: float) -> bool:
        column, row = round(x / _SAME_DEGREES), round(y / _SAME_DEGREES)
        return name not in known and not any((column + i, row + j) in here for i in (-1, 0, 1) for j in (-1, 0, 1))

    rows = [at for at, place in enumerate(zip(second.names, second.lon, second.lat, strict=True)) if is_new(*place)]
    new = second.chosen(np.array(rows, dtype=np.int64))
    together = Places(
        names=first.names + new.names,
        lon=np.concatenate([first.lon, new.lon]),
        lat=np.concatenate([first.lat, new.lat]),
        inhabitants=np.concatenate([first.inhabitants, new.inhabitants]),
    )
    return together.chosen(np.argsort(-together.inhabitants, kind="stable"))
