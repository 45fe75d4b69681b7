"""Maps anywhere: the bundled world, map files that a user adds, names of points."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from dpviz.__main__ import app
from dpviz.basemap import added_maps, extracts, world
from dpviz.basemap.added_maps import city_map
from dpviz.basemap.world import CityMap, distinguish_names, place_names, with_margin
from dpviz.errors import DpvizError, FileError, InputError
from dpviz.ingest import parse_box

SAN_FRANCISCO = (-122.52, 37.70, -122.35, 37.83)
TOWN = (10.0, 50.0, 10.1, 50.1)


def inside(polygons: list[tuple[np.ndarray, ...]], lon: float, lat: float) -> bool:
    """Whether a point lies in an odd number of rings."""
    odd = False
    for polygon in polygons:
        for ring in polygon:
            x, y = ring.T
            x1, y1 = np.roll(ring, -1, axis=0).T
            crosses = (y > lat) != (y1 > lat)
            odd ^= bool((lon < x + (lat - y) * (x1 - x) / np.where(crosses, y1 - y, 1))[crosses].sum() % 2)
    return odd


@pytest.mark.parametrize(
    ("box", "ashore", "afloat"),
    [
        (SAN_FRANCISCO, (-122.44, 37.76), (-122.51, 37.80)),
        ((24.8, 60.1, 25.1, 60.25), (24.94, 60.175), (25.0, 60.12)),
        ((28.85, 40.95, 29.15, 41.15), (28.95, 41.02), (29.02, 40.98)),
        ((151.1, -33.95, 151.35, -33.75), (151.15, -33.9), (151.33, -33.88)),
    ],
)
def test_the_bundled_world_tells_land_from_sea(
    box: added_maps.Box, ashore: tuple[float, float], afloat: tuple[float, float]
) -> None:
    found = city_map(box)
    assert inside(found.areas["land"], *ashore) and not inside(found.areas["land"], *afloat)
    assert 0 < found.corners < 5_000 and len(found.places) > 5
    assert "OpenStreetMap" in found.credit and "GeoNames" in found.credit


def test_everything_drawn_lies_in_what_the_map_shows() -> None:
    west, south, east, north = with_margin(SAN_FRANCISCO)
    for polygons in city_map(SAN_FRANCISCO).areas.values():
        corners = np.concatenate([ring for polygon in polygons for ring in polygon])
        assert (corners >= (west - 1e-9, south - 1e-9)).all() and (corners <= (east + 1e-9, north + 1e-9)).all()


@pytest.mark.parametrize(
    "box", [(-180.0, -90.0, -179.0, -89.0), (179.0, 89.0, 180.0, 90.0), (-30.0, 30.0, -29.9, 30.1)]
)
def test_the_edges_of_the_world_and_the_open_sea_are_maps_too(box: added_maps.Box) -> None:
    assert city_map(box).corners >= 0


def test_points_are_named_by_what_is_near_and_else_by_distance_and_direction() -> None:
    places = city_map(SAN_FRANCISCO).places
    at, off, out = place_names(places, [-122.4332, -122.515, -122.0], [37.7502, 37.745, 36.0])
    assert at == "Noe Valley" and out is None
    assert off is not None and " km " in off and " of " in off


def test_two_points_of_one_name_are_told_apart_by_where_they_lie() -> None:
    names = distinguish_names(
        ["Chinatown", "Noe Valley", None, "Chinatown", None], [0.01, 1, 2, -0.01, 2], [0, 1, 2, 0, 2]
    )
    assert names == ["Chinatown, east", "Noe Valley", None, "Chinatown, west", None]


def test_a_city_is_found_by_the_name_that_people_type() -> None:
    assert world.search("zurich").names[0] == "Zürich"
    assert world.search("San Franc").names[0] == "San Francisco"
    assert len(world.search("")) == len(world.search("no such town anywhere")) == 0


@pytest.mark.parametrize(
    ("typed", "town"),
    [
        ("Wien", "Vienna"),
        ("roma", "Rome"),
        ("Muenchen", "Munich"),
        ("Köln", "Köln"),
        ("Praha", "Prague"),
        ("Bienne", "Biel/Bienne"),
        ("東京", "Tokyo"),
        ("Sevilla", "Sevilla"),
    ],
)
def test_towns_are_found_by_what_they_are_called_at_home_and_elsewhere(typed: str, town: str) -> None:
    found = world.called(typed)
    assert found.names[0] == town and found.inhabitants[0] > 40_000
    assert world.search(typed).names[0] == town


def test_a_box_may_be_a_towns_name_and_holds_the_town() -> None:
    box = parse_box("Firenze")
    assert box.west < 11.25 < box.east and box.south < 43.77 < box.north
    assert 15_000 < (box.north - box.south) * 111_320 < 17_000
    with pytest.raises(InputError, match="neither"):
        parse_box("No Such Town")


def feature(kind: str, coordinates: object, **tags: object) -> dict[str, object]:
    return {"type": "Feature", "properties": tags, "geometry": {"type": kind, "coordinates": coordinates}}


@pytest.fixture
def extract(tmp_path: Path) -> Path:
    """A small town: a lake with an island, a park, roads of several kinds, a name; and something far away."""
    lake = [[[10.02, 50.02], [10.05, 50.02], [10.05, 50.05], [10.02, 50.05], [10.02, 50.02]]]
    island = [[10.03, 50.03], [10.04, 50.03], [10.04, 50.04], [10.03, 50.03]]
    features = [
        feature("Polygon", [*lake, island], natural="water", name="Lake"),
        feature("Polygon", [[[10.06, 50.06], [10.08, 50.06], [10.08, 50.08], [10.06, 50.06]]], leisure="park"),
        feature("LineString", [[9.0, 50.05], [11.0, 50.05]], highway="primary"),
        feature("LineString", [[10.01, 50.0], [10.01, 50.1]], highway="residential"),
        feature("LineString", [[10.01, 50.0], [10.02, 50.1]], highway="footway"),
        feature("Point", [10.07, 50.03], place="town", name="Middle\nTown", population="12000"),
        feature("Point", [30.0, 10.0], place="city", name="Elsewhere"),
    ]
    path = tmp_path / "town.geojson"
    path.write_text(json.dumps({"type": "FeatureCollection", "features": features}), encoding="utf-8")
    return path


def test_an_added_map_is_cut_to_its_box_sorted_by_kind_and_found_again(extract: Path, tmp_path: Path) -> None:
    folder = tmp_path / "maps"
    added = added_maps.add(extract, TOWN, folder=folder, credit="© the town")
    found = city_map(TOWN, folder)
    assert [len(found.lines[kind]) for kind in ("main road", "street", "motorway")] == [1, 1, 0]
    assert len(found.areas["water"][0]) == 2 and len(found.areas["green"]) == 1
    assert found.lines["main road"][0][:, 0].min() >= with_margin(TOWN)[0] - 1e-9
    assert "Middle Town" in found.places.names and "Elsewhere" not in found.places.names
    assert found.credit.startswith("© the town; ") and added.name == "town"
    assert city_map((10.02, 50.02, 10.08, 50.08), folder).lines["street"]
    assert not city_map((12.0, 50.0, 12.1, 50.1), folder).lines


def test_beside_a_map_file_that_ends_inside_the_box_the_land_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    west, south, east, north = box = (11.15, 43.71, 11.35, 43.85)
    square = np.array([[11.2, 43.74], [11.3, 43.74], [11.3, 43.81], [11.2, 43.81]])
    own = CityMap(box=box, areas={"land": [(square,)]}, places=world.places().within(0, 0, 0, 0), credit="nobody")
    monkeypatch.setattr(added_maps, "best", lambda box, folder: own)
    land = city_map(box, tmp_path).areas["land"]
    for lon in np.linspace(west + 0.003, east - 0.003, 9):
        for lat in np.linspace(south + 0.003, north - 0.003, 9):
            assert inside(land, lon, lat), (lon, lat)
    assert len([polygon for polygon in land if polygon[0] is square]) == 1


def test_adding_again_replaces_and_a_damaged_map_is_none(extract: Path, tmp_path: Path) -> None:
    folder = tmp_path / "maps"
    added_maps.add(extract, TOWN, folder=folder)
    added = added_maps.add(extract, TOWN, folder=folder)
    assert [row.name for row in added_maps.listed(folder)] == ["town"] and len(list(folder.iterdir())) == 1
    added.path.write_bytes(added.path.read_bytes()[:200])
    assert added_maps.listed(folder) == [] and added_maps.best(TOWN, folder) is None


@pytest.mark.parametrize("content", [b"", b"\x00\x01 no map", b'{"type": "FeatureCollection", "features": [{'])
def test_a_broken_map_file_is_said_and_nothing_is_kept(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "broken.geojson"
    path.write_bytes(content)
    with pytest.raises(FileError, match=r"broken\.geojson cannot be read as a map"):
        added_maps.add(path, TOWN, folder=tmp_path / "maps")
    assert not (tmp_path / "maps").exists()


def test_a_map_of_another_city_says_what_it_covers(extract: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"covers 9.00, 10.00, 30.00, 50.10 .* this city's box"):
        added_maps.add(extract, (-3.0, 40.0, -2.9, 40.1), folder=tmp_path)


def test_without_the_extra_the_sentence_names_it(monkeypatch: pytest.MonkeyPatch, extract: Path) -> None:
    def missing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(extracts.importlib, "import_module", missing)
    with pytest.raises(InputError, match=r"dpviz\[geo\]"):
        extracts.read_extract(extract, TOWN)


def test_streets_go_first_where_a_map_is_too_large(extract: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extracts, "MOST_CORNERS", 13)
    found = extracts.read_extract(extract, TOWN)
    assert "street" not in found.lines and "main road" in found.lines


def test_the_command_line_adds_lists_and_removes(
    extract: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DPVIZ_DATA", str(tmp_path / "data"))
    run = CliRunner()
    said = run.invoke(app, ["basemap", "add", str(extract), "--box", "10,50,10.1,50.1", "--name", "Town"])
    assert said.exit_code == 0 and "Added 'Town'" in said.stdout
    listed = json.loads(run.invoke(app, ["basemap", "list", "--json"]).stdout)
    assert listed == [{"name": "Town", "box": list(TOWN), "credit": "© OpenStreetMap contributors (ODbL)"}]
    wrong = run.invoke(app, ["basemap", "remove", "Village"])
    assert isinstance(wrong.exception, DpvizError) and "'Town'" in str(wrong.exception)
    assert "Removed" in run.invoke(app, ["basemap", "remove", "Town"]).stdout
    assert "No map was added yet" in run.invoke(app, ["basemap", "list"]).stdout


def test_names_of_a_map_file_are_one_visible_line() -> None:
    assert extracts.tidy_name("a\x07b\u202e c\n d") == "a b c d"
    assert len(extracts.tidy_name("<b>" + "x" * 5000)) == extracts.LONGEST_NAME
    assert extracts.tidy_name("Praça do Comércio 東京") == "Praça do Comércio 東京"
