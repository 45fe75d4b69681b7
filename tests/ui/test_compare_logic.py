"""Comparing releases and trying out sites, from published things alone."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import dpviz
from dpviz.domain import ExactCounts, GeoBox, Grid
from dpviz.errors import InputError
from dpviz.ui import compare, facility
from dpviz.ui.basemap import rectangle
from dpviz.ui.facility import Site
from dpviz.ui.view import Box


@pytest.fixture(scope="module")
def shelf_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("releases")
    cells = np.zeros((32, 32), np.int64)
    cells[4:8, 4:8], cells[20:24, 22:26] = 400, 250
    counts = ExactCounts.from_array(Grid(GeoBox(0.0, 0.0, 0.1, 0.1), 32), cells)
    for number, epsilon in enumerate((2.0, 0.2)):
        dpviz.release(counts, k=2, budget=dpviz.Budget(epsilon=epsilon), method="uniform_grid", seed=number).save(
            folder / f"r{number}"
        )
    (folder / "broken").mkdir()
    (folder / "broken" / "release.json").write_text("{")
    return folder


def test_a_broken_folder_does_not_hide_the_others(shelf_folder: Path) -> None:
    shelf = compare.find([shelf_folder])
    assert len(shelf.releases) == 2 and shelf.unreadable == ("broken",)


def test_a_folder_that_is_itself_a_release_is_a_shelf_of_one(shelf_folder: Path) -> None:
    assert len(compare.find([shelf_folder / "r0"]).releases) == 1
    assert compare.find([shelf_folder / "nothing"]).releases == ()


def test_the_title_names_the_level_in_words(shelf_folder: Path) -> None:
    titles = [compare.title(release) for release in compare.find([shelf_folder]).releases]
    assert any("Very detailed" in title for title in titles) and any("Careful" in title for title in titles)


def test_pairs_share_numbers_and_state_their_distance(shelf_folder: Path) -> None:
    a, b = compare.find([shelf_folder]).releases
    match = compare.matched(a, compare.centers_of(a, 3, "k-means"), b, compare.centers_of(b, 2, "k-median"))
    table = compare.pairs_table(match)
    assert len(match.pairs) == 2 and len(table) == 3
    assert (table["Apart"] == "–").sum() == 1


def test_sites_in_the_middle_of_the_crowds_are_nearer_than_sites_far_off(shelf_folder: Path) -> None:
    release = compare.find([shelf_folder]).releases[0]
    good, bad = facility.suggested(release, 2, None), [Site(lon=0.001, lat=0.001)]
    near, far = facility.reach(release, good), facility.reach(release, bad)
    assert near is not None and far is not None and near.average_m < far.average_m / 2
    assert facility.reach(release, []) is None


def test_suggested_sites_keep_out_of_the_forbidden_area(shelf_folder: Path) -> None:
    release = compare.find([shelf_folder]).releases[0]
    site = facility.suggested(release, 1, None)[0]
    area = rectangle("x", Box(west=site.lon - 0.01, south=site.lat - 0.01, east=site.lon + 0.01, north=site.lat + 0.01))
    assert facility.in_forbidden([site], area) == [1]
    assert facility.in_forbidden(facility.suggested(release, 1, area), area) == []


def test_sites_survive_a_round_trip_through_geojson() -> None:
    box, sites = Box(west=0, south=0, east=1, north=1), [Site(lon=0.25, lat=0.5), Site(lon=0.75, lat=0.125)]
    assert facility.from_geojson(facility.to_geojson(sites), box) == sites


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"type": "FeatureCollection", "features": [1]}', "[" * 100_000])
def test_a_file_that_is_no_geojson_is_refused_in_one_sentence(text: str) -> None:
    with pytest.raises(InputError):
        facility.from_geojson(text, Box(west=0, south=0, east=1, north=1))


def test_unfinished_rows_and_places_outside_are_no_sites() -> None:
    table = pd.DataFrame({"lon": [0.5, None, 9.0], "lat": [0.5, 0.5, 0.5]})
    assert facility.sites_of_table(table, Box(west=0, south=0, east=1, north=1)) == [Site(lon=0.5, lat=0.5)]


def test_centers_are_exported_as_points(shelf_folder: Path) -> None:
    release = compare.find([shelf_folder]).releases[0]
    document = json.loads(compare.centers_geojson(release, release.centers))
    assert len(document["features"]) == 2


def test_a_stand_in_is_not_on_the_analysts_shelf(tmp_path: Path) -> None:
    """It is protected, but it was bought to be looked at by the curator."""
    from dpviz.releases import Ledger, register

    cells = np.zeros((32, 32), np.int64)
    cells[4:8, 4:8] = 400
    counts = ExactCounts.from_array(Grid(GeoBox(0.0, 0.0, 0.1, 0.1), 32), cells)
    ledger = Ledger(tmp_path / "ledger.sqlite3")
    dataset = register("mine", counts, total=dpviz.Budget(epsilon=4.0), ledger=ledger, standin_share=0.25)
    assert dataset.has_standin and list(ledger.store.glob("*/release.json"))
    assert compare.find([ledger.store]).releases == ()
