"""Map files of a user, read through GDAL: tiles, OpenStreetMap extracts, GeoPackage, Shapefile, GeoJSON, FlatGeobuf.

Tags say what a feature is: those of OpenStreetMap, of common tile schemes, and of shapefiles cut from OpenStreetMap.
Before GDAL opens a file it is checked: it must hold its own content and point to no address or other file. GDAL decides
by content, and some of its formats (VRT, WFS, OAPIF, pipelines) are such pointers.
"""

from __future__ import annotations

import importlib
import math
import re
import warnings
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from dpviz.basemap.rings import Polygon
from dpviz.basemap.world import LINES, Box, CityMap, Places, count_corners, with_margin
from dpviz.errors import FileError, InputError, show_name

NO_ADDRESS: Final = {"CPL_VSIL_CURL_ALLOWED_EXTENSIONS": ".no-address"}  # GDAL's own way to the network is shut
_POINTERS: Final = (b"<ogr", b"<vrt", b"<wms", b"<wfs", b"<gdal", b"gdal_streamed_alg", b"gdalg")
_HEAD: Final = 1 << 16
_MOST_MEMBERS: Final = 10_000
_APART: Final = "!;"  # GDAL's libraries take what follows for another file
_BEFORE_ROOT = re.compile(rb"(?:\s+|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^>\[]*(?:\[.*?\])?\s*>)*", re.DOTALL)
MOST_CORNERS: Final = 600_000  # of a whole map: about what a browser draws without a stutter
_TAGS: Final = (
    *("highway", "railway", "waterway", "natural", "landuse", "leisure", "water", "place", "aeroway"),
    *("kind", "pmap:kind", "class", "subclass", "fclass", "type"),
)
JOINERS: Final = "\u200c\u200d"  # parts of words in many scripts
LONGEST_NAME: Final = 60
LONGEST_CREDIT: Final = 200
_NAMES: Final = ("name", "name:en", "NAME", "Name")
_LINE_KINDS: Final = {
    "motorway": ("motorway", "motorway_link", "trunk", "trunk_link", "highway"),
    "main road": ("primary", "primary_link", "major_road"),
    "road": ("secondary", "secondary_link", "tertiary", "tertiary_link", "medium_road"),
    "street": ("residential", "unclassified", "living_street", "pedestrian", "minor_road", "minor", "road"),
    "rail": ("rail", "light_rail", "tram", "subway", "narrow_gauge", "monorail"),
    "stream": ("river", "canal", "stream"),
}
_AREA_KINDS: Final = {
    "water": ("water", "riverbank", "reservoir", "basin", "lake", "pond", "dock", "river", "bay", "ocean", "sea"),
    "green": (
        *("park", "garden", "golf_course", "nature_reserve", "forest", "wood", "grass", "grassland", "meadow"),
        *("recreation_ground", "cemetery", "village_green", "scrub", "heath", "common", "allotments", "orchard"),
    ),
    "land": ("earth", "island", "islet"),
}
# Layers of tiles that nothing is drawn of: reading them would take most of the time.
_NEVER_DRAWN: Final = frozenset(
    {"building", "buildings", "building_part", "poi", "pois", "boundary", "boundaries", "mask", "housenumber"}
    | {"addresses", "aerodrome_label", "mountain_peak"}
)
_STREET_LAYERS: Final = ("roads", "streets", "transportation", "lines")
_LAYER_KINDS: Final = {"water": "water", "earth": "land"}  # layers of tiles whose features carry no tag
_PLACE_RANKS: Final = {
    **{"city": 1_000_000, "town": 50_000, "borough": 40_000, "suburb": 20_000, "quarter": 8_000, "village": 5_000},
    **{"neighbourhood": 3_000, "neighborhood": 3_000, "hamlet": 500, "locality": 100, "island": 1_000},
}
_LINE_OF = {tag: kind for kind, tags in _LINE_KINDS.items() for tag in tags}
_AREA_OF = {tag: kind for kind, tags in _AREA_KINDS.items() for tag in tags}
OPENSTREETMAP: Final = "© OpenStreetMap contributors (ODbL)"


def read_extract(path: Path, box: Box, *, credit: str = "") -> CityMap:
    """The part of a map file around a box."""
    pyogrio, shapely = _libraries()
    around = with_margin(box)
    tolerance = max(around[2] - around[0], around[3] - around[1]) / 8_000
    areas: dict[str, list[Polygon]] = {}
    lines: dict[str, list[NDArray[np.float64]]] = {}
    named: dict[tuple[str, int, int], tuple[str, float, float, int]] = {}
    layers = [layer for layer in _layers(pyogrio, path) if layer.lower() not in _NEVER_DRAWN]
    for layer, columns, whole, _ in read_shapes(path, around, (*_TAGS, *_NAMES, "population"), layers):
        for row, shape in enumerate(shapely.simplify(whole, tolerance)):
            tags, called = _tags_of(columns, row), _name_of(columns, row)
            _sort_in(shapely, shape, tags, layer, areas, lines)
            rank = next((_PLACE_RANKS[tag] for tag in tags if tag in _PLACE_RANKS), 0)
            if called and rank and shape.geom_type == "Point":
                people = _whole(columns["population"][row]) if "population" in columns else 0
                key = (called, round(shape.x * 100), round(shape.y * 100))  # tiles repeat what they share
                named.setdefault(key, (called, shape.x, shape.y, people or rank))
    if not areas and not lines and not named:
        reached = [_extent(pyogrio, path, layer) for layer in layers]
        raise InputError(_nothing(path, box, [extent for extent in reached if extent is not None]))
    rows = sorted(named.values(), key=lambda row: -row[3])
    places = Places(
        names=tuple(row[0] for row in rows),
        lon=np.array([row[1] for row in rows], dtype=np.float64),
        lat=np.array([row[2] for row in rows], dtype=np.float64),
        inhabitants=np.array([row[3] for row in rows], dtype=np.int64),
    )
    _thin_out(areas, lines)
    return CityMap(
        box=box, areas=areas, lines=lines, places=places, credit=tidy_name(credit, LONGEST_CREDIT) or OPENSTREETMAP
    )


def _libraries() -> tuple[Any, Any]:
    try:
        return shut_network(importlib.import_module("pyogrio")), importlib.import_module("shapely")
    except ImportError:
        raise InputError(
            "reading map files needs pyogrio and shapely, which are not installed. Type: pip install 'dpviz[geo]' "
            "(in a checkout: .venv/bin/python -m pip install pyogrio pyproj shapely)."
        ) from None


def _layers(pyogrio: Any, path: Path) -> list[str]:
    if not path.is_file():
        raise FileError(f"there is no map file {str(path)!r}.")
    refuse_name(path)
    refuse_pointers(path, show_name(path.name))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return [str(name) for name, kind in pyogrio.list_layers(path) if kind is not None or name]
    except Exception as problem:
        raise FileError(
            f"{show_name(path.name)} cannot be read as a map ({type(problem).__name__}). Give a PMTiles, MBTiles, "
            ".osm.pbf, GeoPackage, Shapefile, GeoJSON or FlatGeobuf file; if it is one, it may be damaged: "
            "fetch it again."
        ) from None


def _extent(pyogrio: Any, path: Path, layer: str) -> Box | None:
    try:
        found = pyogrio.read_info(path, layer=layer)
        bounds, crs = found.get("total_bounds"), found.get("crs")
    except Exception:  # an extent is only for the sentence that says what the file covers
        return None
    if bounds is None or not all(math.isfinite(value) for value in bounds):
        return None
    west, south, east, north = (float(value) for value in bounds)
    if crs and not _in_degrees(crs):
        west, south, east, north = _turned(crs, "EPSG:4326", (west, south, east, north))
    return west, south, east, north


def _in_degrees(crs: str) -> bool:
    return bool(importlib.import_module("pyproj").CRS.from_user_input(crs).is_geographic)


def _turned(source: str, target: str, box: Box) -> Box:
    pyproj = importlib.import_module("pyproj")
    turned = pyproj.Transformer.from_crs(source, target, always_xy=True).transform_bounds(*box)
    west, south, east, north = (float(value) for value in turned)
    return west, south, east, north


def _tags_of(columns: dict[str, Any], row: int) -> list[str]:
    return [str(columns[tag][row]) for tag in _TAGS if tag in columns and columns[tag][row]]


def _name_of(columns: dict[str, Any], row: int) -> str:
    return tidy_name(next((str(columns[name][row]) for name in _NAMES if name in columns and columns[name][row]), ""))


def _kind_of(tags: list[str], kinds: dict[str, str]) -> str | None:
    return next((kinds[tag] for tag in tags if tag in kinds), None)


def read_shapes(
    path: Path, box: Box, wanted: Sequence[str], layers: Sequence[str] | None = None
) -> Iterator[tuple[str, dict[str, Any], Any, NDArray[np.float64]]]:
    """(layer, columns by name, shapes in degrees cut to the box, what share of each that is) of some layers, or all."""
    pyogrio, shapely = _libraries()
    found = _layers(pyogrio, path)
    for layer in found if layers is None else layers:
        if layer not in found:
            raise InputError(f"{show_name(path.name)} has no layer {layer!r}; it has {', '.join(found)}.")
        columns, shapes, kept = _cut_layer(pyogrio, shapely, path, layer, box, wanted)
        there = np.flatnonzero(~(shapely.is_missing(shapes) | shapely.is_empty(shapes)))
        if len(there):
            yield layer, {column: values[there] for column, values in columns.items()}, shapes[there], kept[there]


def read_streets(path: Path, box: Box) -> tuple[list[str], list[Any]]:
    """Names and lines of a map file, cut to the box: those that tags call streets, or all where none are told apart."""
    pyogrio, shapely = _libraries()
    layers = [name for name in _layers(pyogrio, path) if name in _STREET_LAYERS] or None
    names: list[str] = []
    lines: list[Any] = []
    for _, columns, shapes, _ in read_shapes(path, box, (*_TAGS, *_NAMES), layers):
        kinds = [_kind_of(_tags_of(columns, row), _LINE_OF) for row in range(len(shapes))]
        for row in np.flatnonzero(shapely.get_dimensions(shapes) == 1):
            if kinds[row] not in (None, "rail", "stream") or not any(kinds):
                names.append(_name_of(columns, int(row)))
                lines.append(shapes[row])
    return names, lines


def _cut_layer(
    pyogrio: Any, shapely: Any, path: Path, layer: str, around: Box, names: Sequence[str]
) -> tuple[dict[str, Any], Any, NDArray[np.float64]]:
    """Columns of a layer by name, its shapes in degrees, cut to the box, and the share of each that is left."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            info = pyogrio.read_info(path, layer=layer)
            fields = [str(name) for name in info["fields"]]
            wanted = [name for name in names if name in fields]
            crs = info.get("crs") or "EPSG:4326"
            degrees = _in_degrees(crs)
            window = around if degrees else _turned("EPSG:4326", crs, around)
            meta, _, wkb, columns = pyogrio.raw.read(path, layer=layer, columns=wanted, bbox=window)
        except Exception as problem:
            raise FileError(
                f"the layer {layer!r} of {show_name(path.name)} cannot be read ({type(problem).__name__}); the file "
                "may be damaged: fetch it again."
            ) from None
    by_name = dict(zip([str(name) for name in meta["fields"]], columns, strict=True))
    whole = shapely.from_wkb(wkb, on_invalid="ignore")
    if not degrees:
        turn = importlib.import_module("pyproj").Transformer.from_crs(crs, "EPSG:4326", always_xy=True)
        whole = shapely.transform(whole, lambda xy: np.column_stack(turn.transform(xy[:, 0], xy[:, 1])))
    shapes = shapely.clip_by_rect(whole, *around)
    areal = shapely.area(whole) > 0.0
    size, left = (np.where(areal, shapely.area(one), shapely.length(one)) for one in (whole, shapes))
    kept: NDArray[np.float64] = np.divide(left, size, out=np.ones(len(whole)), where=size > 0.0)
    return by_name, shapes, kept


def tidy_name(text: str, longest: int = LONGEST_NAME) -> str:
    """A name as it may be written on a map: one line, no sign that cannot be seen or that turns what follows round."""
    plain = "".join(letter if letter.isprintable() or letter in JOINERS else " " for letter in text[: 20 * longest])
    line = " ".join(plain.split())
    return line if len(line) <= longest else line[: longest - 1] + "…"


def _whole(value: Any) -> int:
    try:
        return max(int(float(value)), 0)
    except (TypeError, ValueError, OverflowError):
        return 0


def _sort_in(
    shapely: Any,
    shape: Any,
    tags: list[str],
    layer: str,
    areas: dict[str, list[Polygon]],
    lines: dict[str, list[NDArray[np.float64]]],
) -> None:
    """A shape to the areas or lines that its tags name; what no tag names is not drawn."""
    for part in shapely.get_parts(shape):
        if part.geom_type == "Polygon" and (kind := _kind_of(tags, _AREA_OF) or _LAYER_KINDS.get(layer.lower())):
            rings = (part.exterior, *part.interiors)
            areas.setdefault(kind, []).append(tuple(shapely.get_coordinates(ring)[:-1] for ring in rings))
        elif part.geom_type == "LineString" and (kind := _kind_of(tags, _LINE_OF)):
            lines.setdefault(kind, []).append(shapely.get_coordinates(part))


def _thin_out(areas: dict[str, list[Polygon]], lines: dict[str, list[NDArray[np.float64]]]) -> None:
    """The smallest streets go first where a map has more than a browser carries."""
    for kind in ("street", "stream", "rail", "road"):
        if count_corners(areas, lines) <= MOST_CORNERS:
            return
        lines.pop(kind, None)
    if count_corners(areas, lines) > MOST_CORNERS:
        areas.pop("green", None)


def _nothing(path: Path, box: Box, reached: list[Box]) -> str:
    asked = ", ".join(f"{value:g}" for value in box)
    if not reached:
        return f"{show_name(path.name)} has nothing to draw inside the box {asked}. Is it a map of another city?"
    low, high = np.min(reached, axis=0)[:2], np.max(reached, axis=0)[2:]
    covers = ", ".join(f"{value:.2f}" for value in (*low, *high))
    return (
        f"{show_name(path.name)} covers {covers} (west, south, east, north) and has nothing to draw inside the box "
        f"{asked}. Give the extract of this city, or this city's box."
    )


def root_of(text: bytes) -> bytes:
    """The name of the first element of an XML text, in small letters; empty where there is none."""
    start = _BEFORE_ROOT.match(text)
    found = re.match(rb"<([\w.:-]+)", text[start.end() if start else 0 :])
    return found.group(1).lower() if found else b""


def refuse_pointers(path: Path, label: str) -> None:
    """An error where a file, or a member of an archive, tells GDAL to open something else."""
    try:
        heads = _heads(path)
    except (OSError, zipfile.BadZipFile, RuntimeError, ValueError, EOFError):
        return  # what cannot be read is told by who reads it
    texts = [head.partition(b"\0")[0].lower() for head in heads]  # GDAL knows them by what stands before the first NUL
    if any(pointer in text for text in texts for pointer in _POINTERS):
        raise FileError(
            f"{label} points to other files or addresses instead of holding its own content; give the file itself.",
            file=label,
        )


def refuse_name(path: Path) -> None:
    """An error where GDAL would take a part of the name for another file."""
    if set(_APART) & set(str(path)):
        raise FileError(
            f"the path of {show_name(path.name)} holds ! or ;, behind which the map library looks for another file: "
            "rename it."
        )


def shut_network(pyogrio: Any) -> Any:
    """The library, without its own way to the network."""
    pyogrio.set_gdal_config_options(NO_ADDRESS)
    return pyogrio


def _heads(path: Path) -> list[bytes]:
    with open(path, "rb") as file:
        heads = [file.read(_HEAD)]
    if heads[0].startswith(b"PK"):
        with zipfile.ZipFile(path) as archive:
            for member in archive.infolist()[:_MOST_MEMBERS]:
                with archive.open(member) as part:
                    heads.append(part.read(_HEAD))
    return heads


assert set(_LINE_KINDS) == set(LINES)
