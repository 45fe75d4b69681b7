"""The city beneath a map for boxes that the embedded map of New York does not cover: land, water, streets, names."""

from __future__ import annotations

from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, Final

from dpviz.basemap.added_maps import city_map
from dpviz.basemap.world import CityMap, Places, place_names, places, with_margin
from dpviz.drawing.ground import ground_of
from dpviz.drawing.looks import LOOKS
from dpviz.releases.paths import user_data_folder
from dpviz.ui.map import city_map as basemap
from dpviz.ui.map import graticule
from dpviz.ui.map.view import Box, Namer
from dpviz.ui.page_parts.theme import Theme, rgb

NAMES_AT_MOST: Final = 150  # a stage shows those of them that have room
_LARGE: Final = 100_000  # inhabitants of a place whose name is written larger


def maps_folder() -> Path:
    """Where maps that the user added are kept."""
    return user_data_folder() / "maps"


def city_of(box: Box) -> CityMap | None:
    """The city map of a box; None where the embedded map covers it."""
    found = basemap.load()
    if found is not None and found.covers(box):
        return None
    folder = maps_folder()
    return _city((box.west, box.south, box.east, box.north), folder, folder.stat().st_mtime if folder.is_dir() else 0.0)


@lru_cache(maxsize=4)
def _city(corners: tuple[float, float, float, float], folder: Path, changed: float) -> CityMap:
    del changed  # a map that was added meanwhile is found
    return city_map(corners, folder)


def namer_of(box: Box) -> Namer:
    """How points in a box are called: by neighbourhoods of the embedded map, else by the places around them."""
    found = basemap.load()
    if found is not None and found.covers(box):
        return found.place_names
    known = _known((box.west, box.south, box.east, box.north))
    return lambda lon, lat: place_names(known, lon, lat)


@lru_cache(maxsize=8)
def _known(corners: tuple[float, float, float, float]) -> Places:
    return places().within(*with_margin(corners))


def has_map(box: Box) -> bool:
    """Whether land, water or streets lie beneath a box; else lines of degrees are drawn."""
    city = city_of(box)
    return city is None or bool(city.areas or city.lines)


def area_rows(box: Box, kind: str) -> list[dict[str, Any]]:
    """Areas of one kind beneath a box; `sea` is all of it, where anything is known."""
    city = city_of(box)
    if city is None or not (city.areas or city.lines):
        return []
    west, south, east, north = with_margin(city.box)
    sea = [[[west, south], [east, south], [east, north], [west, north]]]
    shapes = [[ring.round(5).tolist() for ring in polygon] for polygon in city.areas.get(kind, [])]
    return [{"polygon": shape, "tip": ""} for shape in ([sea] if kind == "sea" else shapes)]


def area_colour(kind: str, theme: Theme) -> str:
    """The colour of areas of one kind."""
    look = LOOKS[theme.name]
    return {"land": look.land, "green": look.green}.get(kind, look.water)


def line_rows(box: Box, kind: str) -> list[dict[str, Any]]:
    """Streets, rails or streams of one kind beneath a box."""
    city = city_of(box)
    lines = [] if city is None else city.lines.get(kind, [])
    return [{"path": line.round(5).tolist(), "tip": ""} for line in lines]


def line_look(kind: str, theme: Theme) -> dict[str, Any]:
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


def name_rows(box: Box) -> list[dict[str, Any]]:
    """Names of places over the data, the largest first; a stage shows those that have room. Then the map's credit."""
    city = city_of(box)
    corners = (box.west, box.south, box.east, box.north)
    inside = (ground_of(corners) if city is None else city).places.within(*corners)
    rows: list[dict[str, Any]] = [
        {"p": [round(float(lon), 5), round(float(lat), 5)], "t": name, "large": int(people) >= _LARGE, "tip": ""}
        for name, lon, lat, people in islice(
            zip(inside.names, inside.lon, inside.lat, inside.inhabitants, strict=True), NAMES_AT_MOST
        )
    ]
    if city is not None:
        if has_map(box):  # else lines of degrees are drawn, with a scale of their own
            bar = graticule.scale(box)
            rows.append({"p": [round(value, 5) for value in bar.start], "t": bar.name, "scale": True, "tip": ""})
        rows.append({"p": [round(box.west, 5), round(box.south, 5)], "t": city.credit, "credit": True, "tip": ""})
    return rows
