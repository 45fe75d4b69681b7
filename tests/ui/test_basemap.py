"""The public map: rings are closed where a file wants them closed, and holes stay holes."""

from __future__ import annotations

import numpy as np
import pytest

from dpviz.ui.map import city_map
from dpviz.ui.map.view import Box


def packed(corners: list[tuple[int, int]]) -> list[int]:
    """Corners in whole 1e-5 degrees as the file has them: a corner, then differences."""
    places = np.array(corners)
    return np.concatenate([places[:1], np.diff(places, axis=0)]).ravel().tolist()


OUTER = [(0, 0), (10_000, 0), (10_000, 10_000), (0, 10_000)]
HOLE = [(4_000, 4_000), (6_000, 4_000), (6_000, 6_000), (4_000, 6_000)]
PARK = [(1_000, 1_000), (9_000, 1_000), (9_000, 9_000), (1_000, 9_000)]


@pytest.fixture(scope="module")
def drawn() -> city_map.Basemap:
    ring = {"name": "Ring", "borough": "B", "label": [0.01, 0.01], "shape": [[packed(OUTER), packed(HOLE)]]}
    inner = {"name": "Inner", "borough": "B", "label": [0.05, 0.05], "shape": [[packed(HOLE)]]}
    water = [[packed(OUTER), packed(HOLE)]]
    document = {
        "neighbourhoods": [inner, ring],  # the ring is painted last and must not cover what lies in its hole
        "counties": [],
        "drawn": {"water": water, "park": [[packed(PARK), packed(HOLE)]]},
    }
    return city_map.parse(document)


def test_what_lies_in_a_hole_keeps_its_name(drawn: city_map.Basemap) -> None:
    assert drawn.place_names([0.05, 0.02], [0.05, 0.02]) == ["Inner", "Ring"]


def test_an_area_with_a_hole_does_not_contain_it(drawn: city_map.Basemap) -> None:
    area = drawn.neighbourhood("Ring")
    assert area.contains([0.02, 0.05], [0.02, 0.05]).tolist() == [True, False]
    assert [len(polygon) for polygon in area.polygons] == [2] and len(area.rings) == 2


def test_geojson_rings_are_closed_and_holes_are_kept(drawn: city_map.Basemap) -> None:
    for found in (drawn.geojson(drawn.box), real().geojson(real().box)):
        for feature in found["features"]:
            for ring in feature["geometry"]["coordinates"]:
                assert len(ring) >= 4 and ring[0] == ring[-1]
    kinds = {feature["properties"]["kind"]: feature for feature in drawn.geojson(drawn.box)["features"]}
    assert len(kinds["park"]["geometry"]["coordinates"]) == 2 and len(kinds["water"]["geometry"]["coordinates"]) == 2


def real() -> city_map.Basemap:
    found = city_map.load()
    assert found is not None
    return found


def test_the_islands_of_the_embedded_city_are_no_water() -> None:
    """Roosevelt Island and Governors Island lie in the river, Times Square on land, the Hudson is water."""
    box = Box(west=-74.05, south=40.68, east=-73.90, north=40.80)
    places = {(-73.9512, 40.7605): False, (-74.0168, 40.6895): False, (-73.9855, 40.758): False, (-74.018, 40.75): True}
    for (lon, lat), wet in places.items():
        crossings = 0
        for rings in real().water:
            for ring in rings:
                x, y = ring[:, 0], ring[:, 1]
                a, b = np.roll(x, -1), np.roll(y, -1)
                spans = (y > lat) != (b > lat)
                with np.errstate(divide="ignore", invalid="ignore"):
                    at = x + (lat - y) / (b - y) * (a - x)
                crossings += int((spans & (at > lon)).sum())
        assert (crossings % 2 == 1) == wet, (lon, lat)
    assert "M" in real().water_path(box, 100, 100)
