"""Regions: what their polygons cover, how they are read, and what hostile files get told."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from dpviz.domain import GeoBox, Grid
from dpviz.domain.regions import MOST_CORNERS, Area, Outline
from dpviz.domain.relation import Unit
from dpviz.errors import InputError
from dpviz.privacy import Adjacency, Guarantee, Region, RegionLevel, level_numbers, read_regions
from dpviz.privacy.regions import cell_parts, checked_regions

BOX = GeoBox(-74.05, 40.70, -73.90, 40.80)
FRAME = BOX.frame
SQUARE = [[-74.0, 40.72], [-73.95, 40.72], [-73.95, 40.75], [-74.0, 40.75], [-74.0, 40.72]]


def feature(ring: Any = None, kind: str = "Polygon", **properties: Any) -> dict[str, Any]:
    coordinates = [SQUARE if ring is None else ring]
    return {
        "type": "Feature",
        "properties": properties,
        "geometry": {"type": kind, "coordinates": coordinates if kind == "Polygon" else [coordinates]},
    }


def geojson(*features: Any) -> str:
    return json.dumps({"type": "FeatureCollection", "features": list(features)})


def square(name: str, west: float, south: float, east: float, north: float, epsilon: float) -> Region:
    ring = ((west, south), (east, south), (east, north), (west, north))
    return Region(outline=Outline(name=name, polygons=((ring,),)), epsilon=epsilon)


# What a region covers

coordinate = st.floats(-0.2, 1.2)
corners = st.lists(st.tuples(coordinate, coordinate), min_size=3, max_size=8)


@settings(max_examples=60, deadline=None)
@given(rings=st.lists(corners, min_size=1, max_size=2), seed=st.integers(0, 2**20), side=st.sampled_from([1, 8, 32]))
def test_every_point_inside_a_region_lies_in_a_cell_of_it(
    rings: list[list[tuple[float, float]]], seed: int, side: int
) -> None:
    """Against the point-in-polygon of the map room, written by somebody else."""
    low, high = np.asarray(FRAME.low), np.asarray(FRAME.high)
    raw = [np.asarray(ring) * (high - low) + low for ring in rings]
    outline = Outline(name="A", polygons=(tuple(tuple(map(tuple, ring.tolist())) for ring in raw),))
    points = np.random.default_rng(seed).uniform(low, high, (500, 2))
    near = raw[0][np.random.default_rng(seed).integers(len(raw[0]), size=100)]
    points = np.concatenate([points, near + np.random.default_rng(seed).normal(0, 1e-5, (100, 2))])
    inside = Area(name="A", rings=tuple(raw)).contains(points[:, 0], points[:, 1])
    cells = Grid(BOX, side).cells(points[:, 0], points[:, 1])
    covered = outline.touched(FRAME, side).ravel()
    assert covered[cells[inside & (cells >= 0)]].all()


def test_a_region_covers_no_cell_that_it_does_not_meet() -> None:
    covered = Outline(name="A", polygons=(((tuple(map(tuple, SQUARE[:-1]))),),)).touched(FRAME, 64)
    rows, columns = np.nonzero(covered)
    west, north = -74.05 + 0.15 * columns / 64, 40.80 - 0.1 * rows / 64
    east, south = west + 0.15 / 64, north - 0.1 / 64
    reach = 1e-6
    assert ((east > -74.0 - reach) & (west < -73.95 + reach)).all()
    assert ((north > 40.72 - reach) & (south < 40.75 + reach)).all()
    assert covered.sum() >= (0.05 / 0.15 * 64) * (0.03 / 0.1 * 64)


def test_a_hole_is_not_inside_and_overlapping_polygons_are() -> None:
    outer = ((-74.04, 40.71), (-73.91, 40.71), (-73.91, 40.79), (-74.04, 40.79))
    hole = ((-74.0, 40.73), (-73.95, 40.73), (-73.95, 40.77), (-74.0, 40.77))
    with_hole = Outline(name="A", polygons=((outer, hole),)).touched(FRAME, 64)
    twice = Outline(name="A", polygons=((outer,), (hole,))).touched(FRAME, 64)
    assert not with_hole[32, 32] and twice[32, 32]


def test_a_cell_belongs_to_the_strictest_region_that_touches_it() -> None:
    loose, strict = (
        square("loose", -74.02, 40.72, -73.95, 40.78, 0.5),
        square("strict", -73.97, 40.74, -73.92, 40.76, 0.1),
    )
    for regions in ((loose, strict), (strict, loose)):
        parts = cell_parts(regions, FRAME, 64)
        touched = strict.outline.touched(FRAME, 64)
        assert {regions[index].name for index in np.unique(parts[touched])} == {"strict"}
        rest = loose.outline.touched(FRAME, 64) & ~touched
        assert {regions[index].name for index in np.unique(parts[rest])} == {"loose"}


def test_a_region_outside_the_box_is_refused() -> None:
    with pytest.raises(InputError, match="outside the public box"):
        cell_parts((square("Paris", 2.2, 48.8, 2.4, 48.9, 0.1),), FRAME, 64)


# GeoJSON


def test_regions_are_read_with_name_epsilon_or_level() -> None:
    first, second, third = read_regions(
        geojson(feature(name="Hospital", epsilon=0.1), feature(level=7), feature(kind="MultiPolygon", name="École")),
        default=0.2,
    )
    assert (first.name, first.epsilon) == ("Hospital", 0.1)
    assert (second.name, second.epsilon) == ("region 2", 0.05)
    assert (third.name, third.epsilon) == ("École", 0.2)
    assert Region.from_facts(json.loads(json.dumps(first.facts()))) == first
    assert read_regions(("\ufeff" + geojson(feature(epsilon=1))).encode())[0].epsilon == 1.0
    assert read_regions(json.dumps(feature(epsilon=1)))[0].name == "region 1"


HOSTILE: list[tuple[str, str | bytes]] = [
    ("not a GeoJSON text", "not json"),
    ("not a GeoJSON text", b"\xff\xfe\x00"),
    ("not a GeoJSON text", "[" * 100_000),
    ("not a GeoJSON text", "1" * 10_000),
    ("FeatureCollection", "[]"),
    ("FeatureCollection", "null"),
    ("FeatureCollection", '{"type": "FeatureCollection", "features": 3}'),
    ("0 features", geojson()),
    ("51 features", geojson(*[feature(epsilon=1)] * 51)),
    ("no GeoJSON Feature", geojson(3)),
    ("no geometry", geojson({"type": "Feature", "geometry": None})),
    ("no geometry", geojson({"type": "Feature", "properties": [1], "geometry": {"type": "Polygon"}})),
    ("Polygon or MultiPolygon", geojson(feature(kind="Point", epsilon=1))),
    ("nested", geojson({"type": "Feature", "geometry": {"type": "Polygon", "coordinates": []}})),
    ("nested", geojson({"type": "Feature", "geometry": {"type": "Polygon", "coordinates": {"a": 1}}})),
    ("longitude, latitude", geojson(feature([[1, 2], [3, "x"], [4, 5], [1, 2]], epsilon=1))),
    ("longitude, latitude", geojson(feature([[1, 2], [3, True], [4, 5], [1, 2]], epsilon=1))),
    ("order is longitude", geojson(feature([[40.7, -100.0], [40.8, -74], [40.8, -73], [40.7, -100.0]], epsilon=1))),
    ("order is longitude", geojson(feature([[10**400, 1], [1, 2], [3, 4], [10**400, 1]], epsilon=1))),
    ("4 corners", geojson(feature([[1, 2], [3, 4], [1, 2]], epsilon=1))),
    ("equal to the first", geojson(feature([[1, 2], [3, 4], [5, 6], [7, 8]], epsilon=1))),
    ("NaN", geojson(feature(epsilon=float("nan")))),
    ("Infinity", geojson(feature(epsilon=float("inf")))),
    ("epsilon", geojson(feature(epsilon=0))),
    ("epsilon", geojson(feature(epsilon=-1))),
    ("epsilon", geojson(feature(epsilon="0.1"))),
    ("epsilon", geojson(feature(epsilon=True))),
    ("epsilon", geojson(feature(epsilon=10**400))),
    ("epsilon", geojson(feature()).replace('"properties": {}', '"properties": {"epsilon": 1e999}')),
    ("protects nobody", geojson(feature(epsilon=1e5))),
    (f"levels go from {level_numbers()}", geojson(feature(level=0))),
    (f"levels go from {level_numbers()}", geojson(feature(level=2.5))),
    (f"levels go from {level_numbers()}", geojson(feature(level=[1]))),
    ("both an epsilon and a level", geojson(feature(level=1, epsilon=1))),
    ("says no level", geojson(feature(name="A"))),
    ("same name", geojson(feature(name="A", level=1), feature(name="a", level=1))),
    ("cannot name a region", geojson(feature(name="<script>", level=1))),
    ("cannot name a region", geojson(feature(name="**bold**", level=1))),
    ("cannot name a region", geojson(feature(name="", level=1))),
    ("cannot name a region", geojson(feature(name="x" * 61, level=1))),
    ("cannot name a region", geojson(feature(name=["A"], level=1))),
    ("cannot name a region", geojson(feature(name="a\u202eb", level=1))),
    ("cannot name a region", geojson(feature(name="a\nb", level=1))),
    ("cannot be named", geojson(feature(name="Elsewhere", level=1))),
    ("same property twice", '{"type": "Feature", "type": "Feature"}'),
    (
        "coordinate system",
        json.dumps({"type": "FeatureCollection", "features": [feature(level=1)], "crs": {"name": "EPSG:2263"}}),
    ),
    ("corners", geojson(feature([[0, 0], *[[i / 1e6, 1] for i in range(MOST_CORNERS + 1)], [0, 0]], level=1))),
    ("larger than", " " * (8 * 2**20 + 1)),
]


@pytest.mark.parametrize(("words", "content"), HOSTILE, ids=[f"{i}-{words}" for i, (words, _) in enumerate(HOSTILE)])
def test_what_is_no_region_says_why(words: str, content: str | bytes) -> None:
    with pytest.raises(InputError, match=words):
        read_regions(content)


@pytest.mark.parametrize("value", [None, 3, "A", ["A"], object()])
def test_what_is_no_list_of_regions_is_refused(value: Any) -> None:
    with pytest.raises(InputError, match="list of regions"):
        checked_regions(value)


# The guarantee


def test_the_guarantee_says_every_level_the_largest_and_the_sum_for_a_move() -> None:
    levels = (RegionLevel(name="Hospital", epsilon=0.1), RegionLevel(name="School", epsilon=0.2))
    promise = Guarantee(epsilon=1.0, delta=0.0, adjacency=Adjacency.ADD_REMOVE_ONE, unit=Unit(), regions=levels)
    assert str(promise) == (
        "Differentially private with epsilon = 1 for adding or removing one record anywhere, and with epsilon = 0.1 in "
        "Hospital, epsilon = 0.2 in School; for a record that moves, with the sum of the epsilons of where from and "
        "where to, at most 2."
    )
    assert promise.moved("Hospital", "School").epsilon == pytest.approx(0.3)
    assert promise.moved("Hospital", "Hospital").epsilon == pytest.approx(0.2)
    assert promise.moved(None, "Hospital").epsilon == pytest.approx(1.1)
    assert Guarantee.from_dict(json.loads(json.dumps(promise.to_dict()))) == promise


def test_a_guarantee_without_regions_is_written_as_before() -> None:
    plain = Guarantee(epsilon=1.0, delta=0.0, adjacency=Adjacency.ADD_REMOVE_ONE, unit=Unit())
    assert str(plain) == "Differentially private with epsilon = 1 for adding or removing one record."
    assert set(plain.to_dict()) == {"epsilon", "delta", "adjacency", "unit"}


def test_the_sentence_says_the_delta_of_a_record_that_moves_and_never_too_little() -> None:
    regions = (RegionLevel(name="Hospital", epsilon=0.1),)
    for delta in (1e-9, 3.3e-7):
        guarantee = Guarantee(
            epsilon=1.0, delta=delta, adjacency=Adjacency.ADD_REMOVE_ONE, unit=Unit(), regions=regions
        )
        told = float(str(guarantee).rsplit("delta at most ", 1)[1].rstrip("."))
        largest = max(guarantee.moved(left, to).delta for left in (None, "Hospital") for to in (None, "Hospital"))
        assert largest <= told <= 1.01 * largest
