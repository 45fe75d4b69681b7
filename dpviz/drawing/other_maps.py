"""A release for map programs of others: layers for lonboard and folium, a saved map for kepler.gl.

No base map is asked for. The same ground is painted as in pictures of dpviz, in the same shades. Lonboard and folium
are used where they are installed; their pages fetch scripts of their own. A kepler.gl map is a file, and an export.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import numpy as np

from dpviz.drawing.density import counted_cells, shade_cells
from dpviz.drawing.looks import SHADE_OPACITY, find_look
from dpviz.errors import InputError, NotOffered, extra_needed
from dpviz.extensions import Extension
from dpviz.questions.data_frames import as_geodataframe
from dpviz.releases.release import Release

_LOOK: Final = find_look("light")
_SIZE_M: Final = 200.0


@contextmanager
def _installed(name: str) -> Iterator[None]:
    """Wrap the import of a library that no extra of dpviz brings."""
    try:
        yield
    except ModuleNotFoundError:
        raise InputError(f"this needs {name}, which is not installed: python -m pip install {name}") from None


def _shaded_boxes(release: Release) -> tuple[Any, list[tuple[int, int, int, int]]]:
    """The painted cells as a GeoDataFrame, and a colour for each."""
    with extra_needed():
        geopandas: Any = importlib.import_module("geopandas")
        shapely: Any = importlib.import_module("shapely")
    boxes = shade_cells([release.protected_cells])[0][0]
    shapes = shapely.box(*boxes.low.T, *boxes.high.T)
    palette = [(*bytes.fromhex(one.lstrip("#")), round(255 * opaque)) for one, opaque in _palette()]
    table = geopandas.GeoDataFrame({"shade": boxes.shade + 1}, geometry=shapes, crs="EPSG:4326")
    return table, [palette[shade] for shade in boxes.shade.tolist()]


def _palette() -> list[tuple[str, float]]:
    return list(zip(_LOOK.cells, SHADE_OPACITY, strict=True))


def _refuse_no_map(release: Release) -> None:
    if release.frame.metric != "m" or release.frame.dims not in (2, 4):
        raise NotOffered("only places on a map and trips between them can be drawn; this release has other axes.")


def lonboard_map(release: Release) -> Any:
    """A lonboard map: the counted ground in shades, and the centers; of trips the lines of the centers."""
    _refuse_no_map(release)
    with _installed("lonboard"):
        lonboard: Any = importlib.import_module("lonboard")
    centers = as_geodataframe(release)
    center = list(bytes.fromhex(_LOOK.center.lstrip("#")))
    if release.frame.dims == 4:
        lines = lonboard.PathLayer.from_geopandas(centers, get_color=center, width_min_pixels=3)
        return lonboard.Map([lines], basemap=None)
    layers = [lonboard.ScatterplotLayer.from_geopandas(centers, get_fill_color=center, radius_min_pixels=5)]
    if release.protected_cells is not None:
        ground, colours = _shaded_boxes(release)
        paint = np.array(colours, dtype=np.uint8).reshape(-1, 4)
        layers.insert(0, lonboard.PolygonLayer.from_geopandas(ground, get_fill_color=paint, stroked=False))
    return lonboard.Map(layers, basemap=None)


def folium_map(release: Release) -> Any:
    """A folium map without a base map: the counted ground in shades, and the centers."""
    _refuse_no_map(release)
    with _installed("folium"):
        folium: Any = importlib.import_module("folium")
    centers = as_geodataframe(release)
    (west, south), (east, north) = release.frame.low[:2], release.frame.high[:2]
    found = folium.Map(tiles=None)
    if release.protected_cells is not None and release.frame.dims == 2:
        palette = _palette()

        def style(feature: Any) -> dict[str, Any]:
            colour, opaque = palette[feature["properties"]["shade"] - 1]
            return {"fillColor": colour, "fillOpacity": opaque, "stroke": False}

        folium.GeoJson(_shaded_boxes(release)[0], style_function=style).add_to(found)
    marker = folium.Circle(radius=_SIZE_M, color=_LOOK.center, fill=True)
    folium.GeoJson(centers, marker=marker, style_function=lambda _: {"color": _LOOK.center}).add_to(found)
    found.fit_bounds([[south, west], [north, east]])
    return found


def kepler_map(release: Release) -> bytes:
    """A map to be opened by kepler.gl (Add data): counted cells, coloured by density, and centers."""
    _refuse_no_map(release)
    title = str(release.about.get("title") or "Where people gather")
    (west, south), (east, north) = release.frame.low[:2], release.frame.high[:2]
    sets, layers = [], []
    if release.protected_cells is not None and release.frame.dims == 2:
        low, high, density, count = (part.tolist() for part in counted_cells(release.protected_cells))
        rows = [
            [_outline(*corners), round(held, 1), round(dense, 1)]
            for *corners, held, dense in zip(low, high, count, density, strict=True)
        ]
        sets.append(_kepler_set("cells", "Records", rows, ("records", "per_km2")))
        layers.append(_kepler_layer("cells", "Records", "per_km2"))
    shapes = json.loads(as_geodataframe(release).to_json())["features"]
    points = [[{**one, "properties": {}}, round(one["properties"]["weight"], 1)] for one in shapes]
    sets.append(_kepler_set("centers", "Centers", points, ("weight",)))
    layers.insert(0, _kepler_layer("centers", "Centers", None))
    middle = {"longitude": (west + east) / 2, "latitude": (south + north) / 2}
    zoom = float(np.log2(360.0 / max(east - west, north - south, 1e-6)))
    state = {"visState": {"layers": layers}, "mapState": {**middle, "zoom": zoom}}
    config = {"version": "v1", "config": state | {"mapStyle": {"styleType": "no_map"}}}
    info = {"app": "kepler.gl", "source": "dpviz", "title": title, "description": str(release.guarantee)}
    return json.dumps({"datasets": sets, "config": config, "info": info}, ensure_ascii=False).encode("utf-8")


def _outline(low: list[float], high: list[float]) -> dict[str, Any]:
    (west, south), (east, north) = low, high
    ring = [[west, south], [east, south], [east, north], [west, north], [west, south]]
    return {"type": "Feature", "properties": {}, "geometry": {"type": "Polygon", "coordinates": [ring]}}


def _kepler_set(name: str, label: str, rows: list[Any], numbers: tuple[str, ...]) -> dict[str, Any]:
    fields = [{"name": "_geojson", "type": "geojson", "format": ""}]
    fields += [{"name": number, "type": "real", "format": ""} for number in numbers]
    return {"version": "v1", "data": {"id": name, "label": label, "allData": rows, "fields": fields}}


def _kepler_layer(name: str, label: str, colour_field: str | None) -> dict[str, Any]:
    flat = list(bytes.fromhex(_LOOK.center.lstrip("#")))
    shades = {"name": "dpviz", "type": "sequential", "category": "Custom", "colors": list(_LOOK.cells)}
    visual = {"opacity": 0.8, "filled": True, "stroked": False, "colorRange": shades, "radius": 20}
    columns = {"geojson": "_geojson"}
    config = {"dataId": name, "label": label, "color": flat, "columns": columns, "isVisible": True, "visConfig": visual}
    field = None if colour_field is None else {"name": colour_field, "type": "real"}
    channels = {"colorField": field, "colorScale": "quantile"}
    return {"id": name, "type": "geojson", "config": config, "visualChannels": channels}


# Exports of dpviz itself, of the same form as those of other packages.
OWN_EXPORTS: Final = {"json": Extension(name="json", value=kepler_map, package="dpviz, for kepler.gl")}
