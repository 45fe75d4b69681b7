"""Releases for map programs of others: lonboard and folium where installed, kepler.gl as a file."""

from __future__ import annotations

import json
import sys
from importlib.util import find_spec
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import dpviz
from dpviz.domain import ExactCounts, GeoBox, Grid
from dpviz.domain.box import plain_frame
from dpviz.drawing.picture import kind_of_name, picture
from dpviz.errors import InputError, NotOffered


@pytest.fixture(scope="module")
def release() -> dpviz.Release:
    cells = np.zeros((32, 32), np.int64)
    cells[4:8, 4:8], cells[20:24, 22:26] = 400, 250
    counts = ExactCounts.from_array(Grid(GeoBox(-74.05, 40.70, -73.90, 40.80), 32), cells)
    made = dpviz.release(counts, k=2, budget=dpviz.Budget(epsilon=2.0), method="uniform_grid", seed=1)
    assert isinstance(made, dpviz.Release)
    return made


@pytest.fixture(scope="module")
def trips() -> dpviz.Release:
    made = dpviz.release(dpviz.builtin("nyc-trips"), k=2, budget=dpviz.Budget(epsilon=1.0), seed=3)
    assert isinstance(made, dpviz.Release)
    return made


class Noted:
    """Stands in for a class of another library and notes what it was made of."""

    def __init__(self, *given: Any, **named: Any) -> None:
        self.given, self.named, self.added = given, named, list[Any]()

    from_geopandas = classmethod(lambda cls, *given, **named: cls(*given, **named))

    def add_to(self, other: Noted) -> None:
        other.added.append(self)

    def fit_bounds(self, bounds: Any) -> None:
        self.named["bounds"] = bounds


def stand_in(monkeypatch: pytest.MonkeyPatch, name: str, *classes: str) -> None:
    """A module with these classes, so that the code is tried where the library is not installed."""
    made = ModuleType(name)
    for one in classes:
        setattr(made, one, type(one, (Noted,), {}))
    monkeypatch.setitem(sys.modules, name, made)


def test_lonboard_gets_the_shaded_ground_and_the_centers_and_no_base_map(
    release: dpviz.Release, trips: dpviz.Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(monkeypatch, "lonboard", "Map", "PolygonLayer", "ScatterplotLayer", "PathLayer")
    made = release.to_lonboard()
    ground, centers = made.given[0]
    assert made.named == {"basemap": None} and type(ground).__name__ == "PolygonLayer"
    assert ground.named["get_fill_color"].shape == (len(ground.given[0]), 4) and len(centers.given[0]) == 2
    (lines,) = trips.to_lonboard().given[0]
    assert type(lines).__name__ == "PathLayer" and set(lines.given[0].geom_type) == {"LineString"}


def test_folium_gets_the_same(release: dpviz.Release, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(monkeypatch, "folium", "Map", "GeoJson", "Circle")
    made = release.to_folium()
    ground, centers = made.added
    assert made.named["tiles"] is None and made.named["bounds"] == [[40.70, -74.05], [40.80, -73.90]]
    style = ground.named["style_function"]({"properties": {"shade": 7}})
    assert style["fillOpacity"] == 0.9 and style["stroke"] is False and len(centers.given[0]) == 2


@pytest.mark.skipif(find_spec("lonboard") is None, reason="lonboard is not installed")
@pytest.mark.filterwarnings("default")
def test_lonboard_itself_takes_it(release: dpviz.Release) -> None:
    assert [type(layer).__name__ for layer in release.to_lonboard().layers] == ["PolygonLayer", "ScatterplotLayer"]


@pytest.mark.skipif(find_spec("folium") is None, reason="folium is not installed")
@pytest.mark.filterwarnings("default")
def test_folium_itself_takes_it(release: dpviz.Release) -> None:
    assert "leaflet" in release.to_folium().get_root().render().lower()


def test_a_library_that_is_missing_is_named(release: dpviz.Release, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, call in (("lonboard", release.to_lonboard), ("folium", release.to_folium)):
        monkeypatch.setitem(sys.modules, name, None)
        with pytest.raises(InputError, match=f"pip install {name}"):
            call()


def test_kepler_gets_cells_centers_and_the_promise(release: dpviz.Release, trips: dpviz.Release) -> None:
    assert kind_of_name("map.json") == "json"
    made = json.loads(picture(release, "json"))
    cells, centers = (one["data"] for one in made["datasets"])
    assert release.cells is not None and 0 < len(cells["allData"]) <= len(release.cells)
    assert [field["name"] for field in cells["fields"]] == ["_geojson", "records", "per_km2"]
    assert sum(row[1] for row in cells["allData"]) == pytest.approx(10_400, rel=0.05)
    assert [row[0]["geometry"]["type"] for row in centers["allData"]] == ["Point", "Point"]
    assert made["config"]["config"]["mapStyle"] == {"styleType": "no_map"}
    assert made["info"]["description"] == str(release.guarantee)
    ids = {one["data"]["id"] for one in made["datasets"]}
    assert {layer["config"]["dataId"] for layer in made["config"]["config"]["visState"]["layers"]} == ids
    (lines,) = json.loads(picture(trips, "json"))["datasets"]
    assert {row[0]["geometry"]["type"] for row in lines["data"]["allData"]} == {"LineString"}


def test_what_is_no_map_is_refused() -> None:
    frame = plain_frame((0.0, 0.0, 0.0), (1.0, 1.0, 1.0))
    counts = dpviz.ExactPoints.from_array(frame, np.random.default_rng(0).uniform(0, 1, (500, 3)))
    made = dpviz.release(counts, k=2, budget=dpviz.Budget(epsilon=2.0), seed=1)
    assert isinstance(made, dpviz.Release)
    with pytest.raises(NotOffered, match="other axes"):
        made.to_lonboard()
