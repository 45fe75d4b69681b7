"""Public maps from files: rasters (.npy, .asc, GeoTIFF), tables of places, and points, lines and polygons through GDAL.

A feature counts by the column that is named, else a point as 1, a line by its length and a polygon by its area.
"""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from dpviz.basemap.extracts import read_shapes
from dpviz.domain import GeoBox, PlainBox
from dpviz.domain.overlap import Rectangles
from dpviz.domain.public_map import LONGEST_NAME, MOST_CELLS, PriorMap
from dpviz.errors import DpvizError, FileError, InputError, extra_needed, show_name
from dpviz.ingest.readers import read_counts

Floats = NDArray[np.float64]
SIDE = 1024  # cells a side that points and lines are counted on
POLYGON_SIDE = 512
_POLYGON = 3  # shapely's number of a kind: single points, lines and rings come before it
TABLES = (".csv", ".tsv", ".txt", ".parquet", ".geoparquet", ".arrow", ".feather", ".gz")
_SCALE, _TIE, _KEYS, _NO_DATA = 33550, 33922, 34735, 42113  # tags of GeoTIFF
_MODEL, _GEOGRAPHIC = 1024, 2


class PublicMap(PriorMap):
    """A public map of where people are likely to be; see `dpviz.release(prior=…)`. Never made from the records."""

    @classmethod
    def read(
        cls,
        file: str | Path,
        *,
        box: GeoBox | PlainBox | None = None,
        weight: str | None = None,
        layer: str | None = None,
        name: str = "",
    ) -> Self:
        """Read a map file inside a box; rasters that say where they lie need none.

        `weight`: a column of a vector file that says how much each feature counts, such as inhabitants; `layer`: the
        only one that counts.
        """
        path = Path(file)
        label = name or "".join(letter for letter in path.name if letter.isprintable())[:LONGEST_NAME]
        if not path.is_file():
            raise FileError(f"there is no file {show_name(path.name)}; give a public map.")
        ending = path.suffix.lower()
        try:
            if ending in _RASTERS:
                place, cells = _RASTERS[ending](path)
                return cls.from_array(_placed(place or box, path), cells, name=label)
            if box is None:
                raise InputError(f"{show_name(path.name)}: give the box of your records too (box=…).")
            if ending in TABLES:
                if weight is not None:
                    raise InputError("weight: a column of a GeoJSON, GeoPackage, Shapefile or FlatGeobuf file.")
                counted = read_counts(path, box=box, side=SIDE, protect="record").exact_cells
                return cls.from_array(box, counted, name=label)
            return cls.from_array(box, _features(path, _placed(box, path), weight, layer), name=label)
        except DpvizError:
            raise
        except (OSError, ValueError, TypeError, KeyError, SyntaxError, IndexError) as problem:
            raise FileError(
                f"{show_name(path.name)} cannot be read as a map ({type(problem).__name__}). Give an array (.npy), a "
                "raster (.asc, GeoTIFF in degrees), a table of places, or points, lines or polygons (GeoJSON, "
                "GeoPackage, Shapefile, FlatGeobuf)."
            ) from None


def _placed(box: GeoBox | PlainBox | None, path: Path) -> GeoBox:
    """The box, which has to be one on a map."""
    if not isinstance(box, GeoBox):
        raise InputError(f"{show_name(path.name)} does not say where it lies; give the box in degrees (box=…).")
    return box


def _read_array(path: Path) -> tuple[None, Floats]:
    found = np.load(path, allow_pickle=False, mmap_mode="r")
    if found.ndim != 2 or found.size > MOST_CELLS:
        raise InputError(f"{show_name(path.name)} has the shape {found.shape}; give rows and columns, north first.")
    return None, np.array(found, np.float64)


def _read_ascii(path: Path) -> tuple[GeoBox, Floats]:
    """An ESRI ASCII grid in degrees."""
    with open(path, encoding="ascii") as file:
        head: dict[str, float] = {}
        place = file.tell()
        while found := re.match(r"\s*([a-zA-Z_]+)\s+(\S+)\s*$", file.readline(200)):
            head[found.group(1).lower()] = float(found.group(2))
            place = file.tell()
        rows, cols = int(head["nrows"]), int(head["ncols"])
        if not 0 < rows * cols <= MOST_CELLS:
            raise InputError(f"{show_name(path.name)} has {rows:,} × {cols:,} cells; at most {MOST_CELLS:,} are read.")
        file.seek(place)
        values = np.fromstring(file.read(40 * rows * cols), sep=" ").reshape(rows, cols)
    size = head["cellsize"]
    west, south = (
        head[f"{axis}llcorner"] if f"{axis}llcorner" in head else head[f"{axis}llcenter"] - size / 2.0 for axis in "xy"
    )
    values[values == head.get("nodata_value", -9999.0)] = 0.0
    return GeoBox(west, south, west + cols * size, south + rows * size), values


def _read_tiff(path: Path) -> tuple[GeoBox, Floats]:
    """A GeoTIFF of one band in degrees, as population and density maps are handed out."""
    with extra_needed():
        image_module: Any = importlib.import_module("PIL.Image")
    image_module.MAX_IMAGE_PIXELS = MOST_CELLS
    with image_module.open(path, formats=("TIFF",)) as image:
        tags = image.tag_v2
        keys = np.array(tags.get(_KEYS, ()), np.int64)[4:].reshape(-1, 4)
        if dict(zip(keys[:, 0], keys[:, 3], strict=True)).get(_MODEL) != _GEOGRAPHIC or _TIE not in tags:
            raise InputError(f"{show_name(path.name)} is not in degrees; project it first (gdalwarp -t_srs EPSG:4326).")
        wide, tall = (float(size) for size in tags[_SCALE][:2])
        col, row, _, lon, lat = (float(value) for value in tags[_TIE][:5])
        cells = np.array(image, np.float64)
        nothing = tags.get(_NO_DATA)
    if cells.ndim != 2:
        raise InputError(f"{show_name(path.name)} has several bands; give one with a single number per cell.")
    if nothing is not None:
        cells[cells == np.float32(str(nothing).strip("\0 "))] = 0.0
    west, north = lon - col * wide, lat + row * tall
    rows, cols = cells.shape
    return GeoBox(west, north - rows * tall, west + cols * wide, north), np.where(np.isfinite(cells), cells, 0.0)


_RASTERS: dict[str, Any] = {".npy": _read_array, ".asc": _read_ascii, ".tif": _read_tiff, ".tiff": _read_tiff}


def _features(path: Path, box: GeoBox, weight: str | None, layer: str | None) -> Floats:
    """Points, lines and polygons on a grid over the box; what lies outside of it counts for nothing."""
    shapely: Any = importlib.import_module("shapely")
    corners = box.as_tuple()
    low, high = np.array(corners[:2]), np.array(corners[2:])
    found = np.zeros((SIDE, SIDE))
    layers = None if layer is None else [layer]
    for _, columns, shapes, kept in read_shapes(path, corners, [weight] if weight else [], layers):
        if weight and weight not in columns:
            raise InputError(f"{show_name(path.name)} has no column {weight!r}; name one of its columns.")
        weights = None if weight is None else np.array([_number(value) for value in columns[weight]]) * kept
        parts, owner = shapely.get_parts(shapes, return_index=True)
        kinds = shapely.get_dimensions(parts)
        same = (kinds == shapely.get_dimensions(shapes)[owner]) & (shapely.get_type_id(parts) <= _POLYGON)
        parts, owner, kinds = parts[same], owner[same], kinds[same]
        size = np.where(kinds == 2, shapely.area(parts), np.where(kinds == 1, shapely.length(parts), 1.0))
        if weights is not None:
            whole = np.bincount(owner, weights=size, minlength=len(shapes))[owner]
            size = np.divide(weights[owner] * size, whole, out=np.zeros(len(size)), where=whole > 0.0)
        for kind, spread in enumerate((_points, _lines, _polygons)):
            chosen = np.flatnonzero((kinds == kind) & (size > 0.0))
            if len(chosen):
                spread(shapely, parts[chosen], size[chosen], low, high, found)
    return found


def _number(value: Any) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        return 0.0
    return number if 0.0 <= number < np.inf else 0.0


def _count(places: Floats, weights: Floats, low: Floats, high: Floats, found: Floats) -> None:
    at = np.clip((places - low) / (high - low) * SIDE, 0, SIDE - 1).astype(np.int64)
    np.add.at(found, (SIDE - 1 - at[:, 1], at[:, 0]), weights)


def _points(shapely: Any, parts: Any, weights: Floats, low: Floats, high: Floats, found: Floats) -> None:
    _count(shapely.get_coordinates(parts), weights, low, high, found)


def _lines(shapely: Any, parts: Any, weights: Floats, low: Floats, high: Floats, found: Floats) -> None:
    """Places along each line, at most half a cell apart."""
    many = np.maximum(np.ceil(shapely.length(parts) / float((high - low).min()) * 2 * SIDE), 1).astype(np.int64)
    line = np.repeat(np.arange(len(parts)), many)
    step = np.arange(len(line)) - np.repeat(np.cumsum(many) - many, many)
    places = shapely.line_interpolate_point(parts[line], (step + 0.5) / many[line], normalized=True)
    _count(shapely.get_coordinates(places), (weights / many)[line], low, high, found)


def _polygons(shapely: Any, parts: Any, weights: Floats, low: Floats, high: Floats, found: Floats) -> None:
    """Each polygon evenly over its ground."""
    edges = [np.linspace(low[axis], high[axis], POLYGON_SIDE + 1) for axis in (0, 1)]
    south_west = np.stack(np.meshgrid(edges[0][:-1], edges[1][:-1]), axis=-1).reshape(-1, 2)
    north_east = np.stack(np.meshgrid(edges[0][1:], edges[1][1:]), axis=-1).reshape(-1, 2)
    rings = [
        [(shapely.get_coordinates(part.exterior)[:-1], 1.0)]
        + [(shapely.get_coordinates(hole)[:-1], -1.0) for hole in part.interiors]
        for part in parts
    ]
    met = Rectangles.of(south_west, north_east, (*low, *high)).met_by(rings)
    whole = np.bincount(met.zone, weights=met.share, minlength=len(parts))
    per_cell = np.divide(weights, whole, out=np.zeros(len(parts)), where=whole > 0.0)[met.zone] * met.share
    held = np.bincount(met.cell, weights=per_cell, minlength=POLYGON_SIDE**2).reshape(POLYGON_SIDE, POLYGON_SIDE)
    times = SIDE // POLYGON_SIDE
    found += np.repeat(np.repeat(held[::-1], times, axis=0), times, axis=1) / times**2
