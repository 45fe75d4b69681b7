"""Areas that a release is asked about: boxes, circles, polygons, GeoJSON, named neighbourhoods, squares, hexagons, H3.

All of them become rings in the raw coordinates of the release. Everything here is about public outlines.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz.basemap.embedded import builtin_basemap, named_areas
from dpviz.basemap.world import plain
from dpviz.domain import Frame, GeoBox
from dpviz.domain.box import METRES_PER_DEGREE
from dpviz.domain.overlap import Rings, crossing_ring, signed_areas
from dpviz.domain.trip_ends import told_ends
from dpviz.errors import InputError
from dpviz.questions.geojson_areas import areas_of_geojson, areas_of_text

Floats = NDArray[np.float64]
CIRCLE_CORNERS = 256
MOST_AREAS = 1_000_000
LEAST_AREA = 1e-13  # of the public box: what rounding makes of corners on a line
NEIGHBOURHOODS = "neighbourhoods"
TILINGS = ("squares", "hexagons", "h3")


@dataclass(frozen=True, kw_only=True)
class Zone:
    """One named area: closed outlines and holes, raw coordinates, the closing corner left out."""

    name: str
    rings: Rings
    parts: tuple[Rings, ...] = ()  # where several areas that may overlap count as one


@dataclass(frozen=True, kw_only=True)
class Circle:
    """A circle on the map (in plain units: around x, y with the radius in the box's units)."""

    lon: float
    lat: float
    radius_m: float

    def __post_init__(self) -> None:
        numbers = (self.lon, self.lat, self.radius_m)
        if (
            not all(isinstance(number, int | float) and math.isfinite(number) for number in numbers)
            or self.radius_m <= 0
        ):
            raise InputError(
                f"Circle(lon={self.lon!r}, lat={self.lat!r}, radius_m={self.radius_m!r}): give three numbers, the "
                "radius above 0."
            )


@dataclass(frozen=True, kw_only=True)
class Tiles:
    """The public box cut into equal tiles: squares or hexagons of a width in metres, or H3 cells of a resolution."""

    kind: str
    size: float

    def __post_init__(self) -> None:
        fits = (
            self.kind in TILINGS and isinstance(self.size, int | float) and math.isfinite(self.size) and self.size >= 0
        )
        if not fits or (self.size == 0 and self.kind != "h3"):
            raise InputError(
                f"Tiles(kind={self.kind!r}, size={self.size!r}): kind is squares or hexagons with a width in metres "
                "above 0, or h3 with a resolution from 0 to 15."
            )

    @classmethod
    def parse(cls, text: str) -> Tiles | None:
        """Read `squares:500`, `hexagons:500` or `h3:9`; None for other text."""
        kind, _, size = text.partition(":")
        if kind.strip().lower() not in TILINGS:
            return None
        try:
            return cls(kind=kind.strip().lower(), size=float(size))
        except ValueError:
            raise InputError(f"{text!r}: write {kind}:SIZE, such as squares:500, hexagons:500 or h3:9.") from None


def zones_of(areas: Any, frame: Frame) -> list[Zone]:
    """Every area that was given, in order, checked: not empty, not crossing itself, in the release's coordinates."""
    if frame.dims != 2:
        raise InputError(
            f"areas lie in a plane, and this release has {frame.dims} dimensions; name one end of its trips "
            f"({told_ends(frame)}), or ask for flows."
        )
    zones = list(_zones(areas, frame))
    if not zones:
        raise InputError("no area was given; give a box, a circle, a polygon, GeoJSON, or a list of these.")
    if len(zones) > MOST_AREAS:
        raise InputError(f"{len(zones):,} areas were given; at most {MOST_AREAS:,} are answered at once.")
    _check_outlines(zones, frame)
    return zones


def united_zone(zones: Sequence[Zone]) -> Zone:
    """Several areas as one; ground that lies in more than one of them counts once."""
    rings = tuple(ring for zone in zones for ring in zone.rings)
    return Zone(name=f"{len(zones)} areas", rings=rings, parts=tuple(zone.rings for zone in zones))


def _zones(areas: Any, frame: Frame) -> Iterable[Zone]:
    if isinstance(areas, Zone):
        yield areas
    elif isinstance(areas, GeoBox):
        yield _box_zone(areas.as_tuple(), "box")
    elif isinstance(areas, Circle):
        yield _circle_zone(areas, frame)
    elif isinstance(areas, Tiles):
        yield from _tiles(areas, frame)
    elif isinstance(areas, Path):
        yield from _file_zones(areas)
    elif isinstance(areas, str):
        yield from _worded(areas, frame)
    elif isinstance(areas, Mapping) and "type" in areas:
        yield from _from_geojson(areas)
    elif isinstance(areas, Mapping):
        for name, area in areas.items():
            yield Zone(name=str(name), rings=tuple(ring for zone in _zones(area, frame) for ring in zone.rings))
    elif hasattr(areas, "__geo_interface__"):
        yield from _from_geojson(_in_degrees(areas).__geo_interface__)
    elif _is_box(areas):
        yield _box_zone(tuple(float(value) for value in areas), "box")
    elif isinstance(areas, Iterable):
        for number, area in enumerate(areas, start=1):
            for zone in _zones(area, frame):
                yield Zone(
                    name=f"{zone.name} {number}" if zone.name in ("box", "circle", "area") else zone.name,
                    rings=zone.rings,
                )
    else:
        raise InputError(
            f"an area cannot be a {type(areas).__name__}; give a box (west, south, east, north), a dpviz.Circle, "
            "a polygon, GeoJSON, the name of a neighbourhood, or a list of these."
        )


def _from_geojson(document: Any) -> Iterable[Zone]:
    return (Zone(name=name, rings=rings) for name, rings in areas_of_geojson(document))


def _file_zones(path: Path) -> Iterable[Zone]:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read the areas {path.name!r}: {error.strerror or type(error).__name__}.") from None
    return [Zone(name=name, rings=rings) for name, rings in areas_of_text(content)]


def _worded(text: str, frame: Frame) -> Iterable[Zone]:
    """GeoJSON text, a file's name, four numbers, tiles, or names of the built-in city."""
    tiles = Tiles.parse(text)
    if tiles is not None:
        return _tiles(tiles, frame)
    if text.lstrip().startswith("{"):
        return [Zone(name=name, rings=rings) for name, rings in areas_of_text(text)]
    if text.lower().endswith((".geojson", ".json")):
        return _file_zones(Path(text))
    numbers = text.replace(";", ",").split(",")
    if len(numbers) == 4:
        try:
            return [_box_zone(tuple(float(number) for number in numbers), "box")]
        except ValueError:
            pass
    return _neighbourhoods(text, frame)


def _neighbourhoods(text: str, frame: Frame) -> list[Zone]:
    if builtin_basemap(frame) is None:
        raise InputError(
            f"{text[:80]!r} names no area: names are known only where the built-in map is (New York). Give a box, a "
            "circle, a polygon, a GeoJSON file, squares:500 or hexagons:500."
        )
    west, south, east, north = (*frame.low, *frame.high)
    known = [
        area
        for area in named_areas()
        if area.bounds[0] < east and area.bounds[2] > west and area.bounds[1] < north and area.bounds[3] > south
    ]
    wanted = [area for area in known if text == NEIGHBOURHOODS or plain_name(area.name) == plain_name(text)]
    if not wanted:
        names = {plain_name(area.name): area.name for area in known}
        like = difflib.get_close_matches(plain_name(text), names, n=3) or list(names)[:3]
        some = ", ".join(names[name] for name in like)
        raise InputError(
            f"there is no neighbourhood {text[:80]!r} inside the public box; known are {some} and "
            f"{max(len(known) - 3, 0)} more (ask for {NEIGHBOURHOODS!r} to see all)."
        )
    return [Zone(name=area.name, rings=nested(area.rings)) for area in wanted]


def plain_name(name: str) -> str:
    """A name as anybody can type it: without accents, with one kind of hyphen, apostrophe and letter."""
    return " ".join(plain(name.translate(str.maketrans("–—‐‑’‘", "----''"))).split())


def nested(rings: Sequence[Floats]) -> Rings:
    """Outlines and holes told apart: a ring inside an odd number of others is a hole."""
    if len(rings) == 1:
        return ((rings[0], 1.0),)
    signs = []
    for at, ring in enumerate(rings):
        depth = sum(are_within(other, ring[:1])[0] for place, other in enumerate(rings) if place != at)
        signs.append((ring, -1.0 if depth % 2 else 1.0))
    return tuple(signs)


def are_within(ring: Floats, places: Floats) -> NDArray[np.bool_]:
    """Which places have an odd number of edges of the ring to their east."""
    ax, ay = ring.T[:, :, None]
    bx, by = np.roll(ring, -1, axis=0).T[:, :, None]
    x, y = places.T[:, None, :]
    with np.errstate(divide="ignore", invalid="ignore"):
        crossed = ((ay > y) != (by > y)) & (x < ax + (y - ay) * ((bx - ax) / (by - ay)))
    odd: NDArray[np.bool_] = crossed.sum(axis=0) % 2 == 1
    return odd


def _is_box(areas: Any) -> bool:
    try:
        numbers = list(areas) if isinstance(areas, Sequence | np.ndarray) else []
    except TypeError:
        return False
    return len(numbers) == 4 and all(isinstance(number, int | float | np.number) for number in numbers)


def _box_zone(box: tuple[float, ...], name: str) -> Zone:
    west, south, east, north = box
    if not all(math.isfinite(value) for value in box) or west >= east or south >= north:
        raise InputError(
            f"the box {west:g}, {south:g}, {east:g}, {north:g} is empty; the order is west, south, east, north."
        )
    return Zone(name=name, rings=((np.array([[west, south], [east, south], [east, north], [west, north]]), 1.0),))


def _circle_zone(circle: Circle, frame: Frame) -> Zone:
    """A polygon of as many corners as nobody can tell from a circle, with the circle's area."""
    turns = np.arange(CIRCLE_CORNERS) * (2.0 * np.pi / CIRCLE_CORNERS)
    wider = math.sqrt(np.pi / (CIRCLE_CORNERS / 2.0 * math.sin(2.0 * np.pi / CIRCLE_CORNERS)))
    middle = np.array([circle.lon, circle.lat])
    away = np.abs(np.array([frame.low, frame.high]) - middle).max(axis=0) * np.asarray(frame.scale)
    radius = min(circle.radius_m * wider, 2.0 * float(np.linalg.norm(away)))  # a wider one holds no more of the box
    ring = np.column_stack([np.cos(turns), np.sin(turns)]) * radius / np.asarray(frame.scale)
    return Zone(name="circle", rings=((ring + middle, 1.0),))


def _tiles(tiles: Tiles, frame: Frame) -> list[Zone]:
    if tiles.kind == "h3":
        return _h3_zones(int(tiles.size), frame)
    wide, tall = frame.extent
    size = float(tiles.size)
    step = np.array([size, size]) if tiles.kind == "squares" else np.array([size, size * math.sqrt(3.0) / 2.0])
    columns, rows = (
        max(1, math.ceil(length / stride - 1e-9)) for length, stride in zip((wide, tall), step, strict=True)
    )
    if columns * rows > MOST_AREAS:
        raise InputError(f"tiles of {size:g} m are {columns * rows:,} in this box; give larger ones.")
    if tiles.kind == "squares":
        corners, more, shift = np.array([[0.0, 0.0], [size, 0.0], [size, size], [0.0, size]]), 0, 0.0
    else:
        turns = np.pi / 6.0 + np.arange(6) * np.pi / 3.0
        corners, more, shift = np.column_stack([np.cos(turns), np.sin(turns)]) * (size / math.sqrt(3.0)), 1, 0.5
    starts = {
        f"{column + 1}-{row + 1}": np.array([(column + shift * (row % 2)) * size, row * step[1]])
        for row in range(rows + more)
        for column in range(columns + more)
    }
    return [Zone(name=name, rings=((frame.to_raw(corners + start), 1.0),)) for name, start in starts.items()]


def _h3_zones(resolution: int, frame: Frame) -> list[Zone]:
    try:
        import h3
    except ImportError:
        raise InputError(
            "H3 cells need the package h3 (pip install h3); without it ask for hexagons of a width in metres: "
            "hexagons:500."
        ) from None
    if not 0 <= resolution <= 15:
        raise InputError(f"h3:{resolution}: the resolution is a whole number from 0 to 15.")
    (west, south), (east, north) = frame.low, frame.high
    outline = h3.LatLngPoly([(south, west), (south, east), (north, east), (north, west)])
    if (east - west) * (north - south) * METRES_PER_DEGREE**2 / h3.average_hexagon_area(resolution, "m^2") > MOST_AREAS:
        raise InputError(f"h3:{resolution} are more than {MOST_AREAS:,} cells in this box; give a smaller resolution.")
    return [
        Zone(name=cell, rings=((np.array([(lon, lat) for lat, lon in h3.cell_to_boundary(cell)]), 1.0),))
        for cell in sorted(h3.polygon_to_cells_experimental(outline, resolution, contain="overlap"))
    ]


def _in_degrees(table: Any) -> Any:
    """A GeoDataFrame in longitude and latitude; anything else as it is."""
    system = getattr(table, "crs", None)
    if system is None or not hasattr(table, "to_crs"):
        return table
    return table if "4326" in str(system) or "CRS84" in str(system) else table.to_crs(4326)


def _check_outlines(zones: Sequence[Zone], frame: Frame) -> None:
    for zone in zones:
        if not zone.rings or any(len(ring) < 3 for ring, _ in zone.rings):
            raise InputError(
                f"the area {zone.name!r} is empty or has a ring of fewer than 3 corners; leave it out or mend it."
            )
        for ring, _ in zone.rings:
            if not np.isfinite(ring).all():
                raise InputError(f"the area {zone.name!r} has a corner that is no number; mend it.")
    rings = [zone.rings for zone in zones]
    crossed = crossing_ring(rings)
    if crossed is not None:
        raise InputError(
            f"the outline of the area {zones[crossed].name!r} crosses itself; mend it where it was drawn (in shapely: "
            "make_valid, in QGIS: Fix geometries)."
        )
    empty = np.flatnonzero(~(signed_areas(rings) > LEAST_AREA * np.prod(np.subtract(frame.high, frame.low))))
    if len(empty):
        raise InputError(
            f"the area {zones[int(empty[0])].name!r} has no area (its corners lie on a line); leave it out or mend it."
        )
    if frame.metric == "m":
        _check_degrees(zones, frame)
    _check_inside(zones, frame)


def _check_degrees(zones: Sequence[Zone], frame: Frame) -> None:
    for zone in zones:
        corners = np.concatenate([ring for ring, _ in zone.rings])
        if (np.abs(corners) > 360.0).any():
            farthest = corners[np.abs(corners).argmax() // 2].round(1).tolist()
            raise InputError(
                f"the corners of {zone.name!r} are no degrees (one is {farthest}); the areas are in a projection: "
                "export them in longitude and latitude (WGS 84, EPSG:4326)."
            )
        if any((np.abs(np.diff(ring[:, 0], append=ring[0, 0])) > 180.0).any() for ring, _ in zone.rings):
            raise InputError(
                f"the area {zone.name!r} crosses the date line; cut it there into two polygons, one on each side."
            )


def _check_inside(zones: Sequence[Zone], frame: Frame) -> None:
    """Areas of which none meets the public box are a mistake of coordinates; single ones are answered as outside."""
    low, high = np.asarray(frame.low), np.asarray(frame.high)
    corners = [np.concatenate([ring for ring, _ in zone.rings]) for zone in zones]
    if any(((part.max(axis=0) > low) & (part.min(axis=0) < high)).all() for part in corners):
        return
    swapped = any(((part[:, ::-1].max(axis=0) > low) & (part[:, ::-1].min(axis=0) < high)).all() for part in corners)
    box = ", ".join(f"{value:g}" for value in (*frame.low, *frame.high))
    hint = (
        "with its two axes swapped it would lie inside: write longitude first, then latitude"
        if swapped
        else "check its coordinates (longitude, latitude in degrees)"
        if frame.metric == "m"
        else "check its coordinates"
    )
    which = "the area lies" if len(zones) == 1 else f"none of the {len(zones):,} areas lies"
    raise InputError(f"{which} {'outside' if len(zones) == 1 else 'inside'} the public box ({box}); {hint}.")
