"""The city beneath a map for boxes that the embedded map of New York does not cover: land, water, streets, names."""

from __future__ import annotations

from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, Final

import pydeck as pdk

from dpviz.basemap.box_map import city_map
from dpviz.basemap.drawn import AREAS, LINES, CityMap, with_margin
from dpviz.basemap.world import Places, place_names, places
from dpviz.drawing.ground import ground_of
from dpviz.releases.paths import user_data_folder
from dpviz.ui.map import city_map as basemap
from dpviz.ui.map import graticule
from dpviz.ui.map.scene import make_looks
from dpviz.ui.map.view import Box, Namer
from dpviz.ui.page_parts.theme import Theme, rgb

NAMES_AT_MOST: Final = 150  # a stage shows those of them that have room
_LARGE: Final = 100_000  # inhabitants of a place whose name is written larger
_GREEN: Final = {"light": "#DFE9D3", "dark": "#26332B"}
_WATER: Final = {"light": "#D3E3ED", "dark": "#0F1B2A"}
_STREETS: Final = {  # colour in light and dark, width in metres, least width in pixels
    "stream": ("#C6DEEA", "#152434", 6, 0.6),
    "rail": ("#C2C2C0", "#3B4148", 4, 0.5),
    "street": ("#FFFFFF", "#2E343B", 7, 0.4),
    "road": ("#FFFFFF", "#373E46", 10, 0.8),
    "main road": ("#F6E6B8", "#4B4531", 14, 1.1),
    "motorway": ("#EFCB8E", "#5E4E2E", 18, 1.4),
}
ORDER: Final = ("city-sea", *(f"city-{kind}" for kind in (*AREAS, *LINES)))
NAMES: Final = "city-names"


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


def layers(box: Box, theme: Theme) -> list[pdk.Layer]:
    """The city's layers, bottom-up, without its names."""
    city = city_of(box)
    if city is None or not (city.areas or city.lines):
        return []
    west, south, east, north = with_margin(city.box)
    found = _areas("city-sea", [[[[west, south], [east, south], [east, north], [west, north]]]], _WATER[theme.name])
    colours = {"land": theme.land, "green": _GREEN[theme.name], "water": _WATER[theme.name]}
    for kind in AREAS:
        shapes = [[ring.round(5).tolist() for ring in polygon] for polygon in city.areas.get(kind, [])]
        found += _areas(f"city-{kind}", shapes, colours[kind])
    for kind in LINES:
        found += _paths(kind, [line.round(5).tolist() for line in city.lines.get(kind, [])], theme)
    return found


def names(box: Box, theme: Theme) -> list[pdk.Layer]:
    """The names of places over the data, the largest first, of which a stage shows those that have room; and whom the
    map is owed to.
    """
    city = city_of(box)
    known = ground_of((box.west, box.south, box.east, box.north)).places if city is None else city.places
    inside = known.within(box.west, box.south, box.east, box.north)
    places = zip(inside.names, inside.lon, inside.lat, inside.inhabitants, strict=True)
    rows: list[dict[str, Any]] = [
        {"p": [round(float(lon), 5), round(float(lat), 5)], "t": name, "large": int(people) >= _LARGE, "tip": ""}
        for name, lon, lat, people in islice(places, NAMES_AT_MOST)
    ]
    if city is not None:
        if city.areas or city.lines:  # else lines of degrees are drawn, with a scale of their own
            bar = graticule.scale(box)
            rows.append({"p": [round(value, 5) for value in bar.start], "t": bar.name, "scale": True, "tip": ""})
        rows.append({"p": [round(box.west, 5), round(box.south, 5)], "t": city.credit, "credit": True, "tip": ""})
    return make_looks("TextLayer", NAMES, rows, ink=theme.text, halo=theme.land)


def _areas(name: str, shapes: list[Any], colour: str) -> list[pdk.Layer]:
    rows = [{"polygon": shape, "tip": ""} for shape in shapes]
    return make_looks("SolidPolygonLayer", name, rows, get_polygon="polygon", get_fill_color=rgb(colour))


def _paths(kind: str, paths: list[Any], theme: Theme) -> list[pdk.Layer]:
    light, dark, metres, pixels = _STREETS[kind]
    return make_looks(
        "PathLayer",
        f"city-{kind}",
        [{"path": path, "tip": ""} for path in paths],
        get_path="path",
        get_color=rgb(light if theme.name == "light" else dark),
        get_width=metres,
        width_units="meters",
        width_min_pixels=pixels,
        width_max_pixels=8,
        joint_rounded=True,
    )
