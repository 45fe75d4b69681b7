"""Comparing releases and trying out sites, from published things alone."""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import dpviz
from dpviz.domain import ExactCounts, Frame, GeoBox, Grid
from dpviz.errors import InputError
from dpviz.life.feed import Shelf, find_releases
from dpviz.questions.answers import TOO_COARSE, Estimate
from dpviz.ui.compare import logic as compare, pair_tables, release_list, siting, words as say
from dpviz.ui.compare.siting import Site
from dpviz.ui.map.city_map import rectangle
from dpviz.ui.map.view import Box
from dpviz.ui.page_parts import words


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


def the_demand(folder: Path) -> siting.Demand:
    found = siting.demand_of(find_releases([folder]).releases[0])
    assert found is not None
    return found


def test_a_broken_folder_does_not_hide_the_others(shelf_folder: Path) -> None:
    found = find_releases([shelf_folder])
    assert len(found.releases) == 2 and found.unreadable == ("broken",)


def test_a_folder_that_is_itself_a_release_is_a_shelf_of_one(shelf_folder: Path) -> None:
    assert len(find_releases([shelf_folder / "r0"]).releases) == 1
    assert find_releases([shelf_folder / "nothing"]).releases == ()


def test_the_title_names_the_level_in_words(shelf_folder: Path) -> None:
    titles = [compare.title(release) for release in find_releases([shelf_folder]).releases]
    assert any("Very detailed" in title for title in titles) and any("Careful" in title for title in titles)


def test_pairs_share_numbers_and_state_their_distance(shelf_folder: Path) -> None:
    a, b = find_releases([shelf_folder]).releases
    match = compare.match_pairs(a, compare.centers_of(a, 3, "k-means"), b, compare.centers_of(b, 2, "k-median"))
    table = pair_tables.pairs_table(match)
    assert len(match.pairs) == 2 and len(table) == 3
    assert (table["Apart"] == "–").sum() == 1


def test_sites_in_the_middle_of_the_crowds_are_nearer_than_sites_far_off(shelf_folder: Path) -> None:
    demand = the_demand(shelf_folder)
    good, bad = siting.suggest_sites(demand, 2, None), [Site(lon=0.001, lat=0.001)]
    near, far = siting.reach(demand, good), siting.reach(demand, bad)
    assert near is not None and far is not None and near.average_m < far.average_m / 2
    assert siting.reach(demand, []) is None


def test_more_sites_leave_those_that_stand_and_serve_those_who_are_far(shelf_folder: Path) -> None:
    demand = the_demand(shelf_folder)
    first, second = siting.suggest_sites(demand, 2, None)
    standing = [replace(first, stands=True)]
    (more,) = siting.suggest_sites(demand, 1, None, standing)
    assert abs(more.lon - second.lon) < 0.005 and abs(more.lat - second.lat) < 0.005


def test_a_plan_has_ranges_and_a_site_that_is_too_small_is_named(shelf_folder: Path) -> None:
    demand = the_demand(shelf_folder)
    sites = [replace(site, capacity=10.0) for site in siting.suggest_sites(demand, 2, None)]
    found = siting.estimate_ranges(demand, sites)
    assert found is not None
    assert found.average.low < found.average.estimate < found.average.high
    assert set(found.within) == set(siting.WITHIN_M)
    assert [number for number, _, _ in siting.find_overfull(sites, found)] == [1, 2]
    large = [replace(site, capacity=1e9) for site in sites]
    assert siting.find_overfull(large, found) == []


def test_both_ends_of_a_range_and_the_number_in_it_are_told_apart() -> None:
    found = Estimate(area="", estimate=0.1716, low=0.1711, high=0.1722)
    assert siting.tell_range("near", found, words.percent) == ("near", "17.2 %", "17.1 % to 17.2 %")
    way = Estimate(area="", estimate=1003.2, low=1001.9, high=1004.4)
    assert siting.tell_range("way", way, words.distance) == ("way", "1.003 km", "1.002 km to 1.004 km")
    wide = replace(found, low=0.1, high=0.3)
    assert siting.tell_range("near", wide, words.percent, "good")[1:] == ("17 %", "10 % to 30 %; good")
    assert siting.tell_range("near", replace(wide, note=TOO_COARSE), words.percent)[1] == "–"


def test_suggested_sites_keep_out_of_the_forbidden_area(shelf_folder: Path) -> None:
    demand = the_demand(shelf_folder)
    site = siting.suggest_sites(demand, 1, None)[0]
    area = rectangle("x", Box(west=site.lon - 0.01, south=site.lat - 0.01, east=site.lon + 0.01, north=site.lat + 0.01))
    assert siting.find_forbidden([site], area) == [1]
    assert siting.find_forbidden(siting.suggest_sites(demand, 1, area), area) == []


def test_sites_survive_a_round_trip_through_geojson() -> None:
    box, sites = Box(west=0, south=0, east=1, north=1), [Site(lon=0.25, lat=0.5), Site(lon=0.75, lat=0.125)]
    assert siting.from_geojson(siting.to_geojson(sites), box) == sites


NO_GEOJSON = (
    "",
    "[]",
    "{}",
    '{"type": "FeatureCollection", "features": []}',
    '{"type": "FeatureCollection", "features": [1]}',
    "[" * 100_000,
)


@pytest.mark.parametrize("text", NO_GEOJSON)
def test_a_file_that_is_no_geojson_is_refused_in_one_sentence(text: str) -> None:
    with pytest.raises(InputError):
        siting.from_geojson(text, Box(west=0, south=0, east=1, north=1))


def test_unfinished_rows_and_places_outside_are_no_sites() -> None:
    table = pd.DataFrame({"lon": [0.5, None, 9.0], "lat": [0.5, 0.5, 0.5]})
    assert siting.sites_of_table(table, Box(west=0, south=0, east=1, north=1)) == ([Site(lon=0.5, lat=0.5)], 1)


def test_centers_are_exported_as_points(shelf_folder: Path) -> None:
    release = find_releases([shelf_folder]).releases[0]
    document = json.loads(pair_tables.centers_geojson(release, release.centers))
    assert len(document["features"]) == 2


def test_a_stand_in_is_not_on_the_analysts_shelf(tmp_path: Path) -> None:
    """It is protected, but it was bought to be looked at by the curator."""
    from dpviz.ledger.ledger import Ledger
    from dpviz.publishing.registration import register

    cells = np.zeros((32, 32), np.int64)
    cells[4:8, 4:8] = 400
    counts = ExactCounts.from_array(Grid(GeoBox(0.0, 0.0, 0.1, 0.1), 32), cells)
    ledger = Ledger(tmp_path / "ledger.sqlite3")
    dataset = register("mine", counts, total=dpviz.Budget(epsilon=4.0), ledger=ledger, standin_share=0.25)
    assert dataset.has_standin and list(ledger.store.glob("*/release.json"))
    assert find_releases([ledger.store]).releases == ()


def test_sites_are_weighed_with_negative_points_as_they_are() -> None:
    """Two equal crowds 6 km apart; a negative point beside the second takes half of it back."""
    release = made()
    frame = release.frame
    here, there = [0.02, 0.02], [0.08, 0.02]
    demand = siting.Demand(
        name="x",
        frame=frame,
        raw=np.array([here, there, there]),
        weights=np.array([100.0, 100.0, -50.0]),
        release=release,
    )
    found = siting.reach(demand, [Site(lon=here[0], lat=here[1])])
    assert found is not None
    far = float(np.linalg.norm(frame.to_local(np.array(there)) - frame.to_local(np.array(here))))
    assert found.average_m == pytest.approx(far / 3)
    assert dict(found.within)[500] == pytest.approx(2 / 3)
    assert found.median_m == 0.0


def made() -> dpviz.Release:
    cells = np.zeros((32, 32), np.int64)
    cells[4:8, 4:8], cells[20:24, 22:26] = 400, 250
    counts = ExactCounts.from_array(Grid(GeoBox(0.0, 0.0, 0.1, 0.1), 32), cells)
    budget = dpviz.Budget(epsilon=2.0)
    return dpviz.release(counts, k=2, budget=budget, method="uniform_grid", seed=1)


def test_a_release_opened_from_its_zip_is_the_release_of_the_folder() -> None:
    release = made()
    assert release_list.open_zip(release.zip_bytes()).files() == release.files()
    found = Shelf().with_opened([release])
    assert len(found.with_opened([release]).releases) == 1


BAD_ZIPS = {
    "nothing": {},
    "no release": {"readme.txt": b"hello"},
    "damaged": {"release.json": b"{"},
    "climbing": {"../release.json": b"{}"},
    "deep": {"release.json": b"[" * 100_000},
}


@pytest.mark.parametrize("name", BAD_ZIPS)
def test_a_zip_that_is_no_release_is_refused_in_one_sentence(name: str) -> None:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for file, data in BAD_ZIPS[name].items():
            archive.writestr(file, data)
    with pytest.raises(InputError, match="no release file"):
        release_list.open_zip(content.getvalue())


def test_bytes_that_are_no_zip_are_refused_in_one_sentence() -> None:
    with pytest.raises(InputError, match="no release file"):
        release_list.open_zip(b"PK\x03\x04 this is no zip")


def test_a_changed_release_in_a_zip_is_refused() -> None:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for file, data in made().files().items():
            archive.writestr(file, data.replace(b"1", b"2") if file == "centers.csv" else data)
    with pytest.raises(InputError, match="no release file"):
        release_list.open_zip(content.getvalue())


def test_a_zip_that_unpacks_to_too_much_is_refused_before_it_is_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(release_list, "LARGEST", 1000)
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("release.json", b"0" * 100_000)
    with pytest.raises(InputError, match="no release file"):
        release_list.open_zip(content.getvalue())


def test_an_answer_that_is_none_is_listed_apart(tmp_path: Path) -> None:
    from dpviz.releases.release import NoAnswer

    counts = ExactCounts.from_array(Grid(GeoBox(0.0, 0.0, 0.1, 0.1), 32), np.zeros((32, 32), np.int64))
    none = dpviz.release(counts, k=5, budget=dpviz.Budget(epsilon=0.05), method="peeled_balls", seed=1)
    assert isinstance(none, NoAnswer)
    none.save(tmp_path / "none")
    found = find_releases([tmp_path])
    assert found.releases == () and [one.id for one in found.no_answers] == [none.id]
    assert "too few records" in compare.title_of_none(found.no_answers[0])


def test_a_data_sets_name_stays_on_one_line_and_short() -> None:
    release = replace(made(), dataset="a\u202eb\n" + "x" * 300)
    assert compare.dataset_name(release).isprintable() and len(compare.dataset_name(release)) <= say.LONGEST_NAME


def test_seeded_and_unledgered_releases_carry_a_warning(shelf_folder: Path) -> None:
    release = find_releases([shelf_folder]).releases[0]
    assert compare.warnings_about(release) == [
        (
            "{which}: made with a known seed, for tests. Whoever knows the seed can take the noise away, so this is "
            "not protected."
        )
    ]
    assert compare.warnings_about(replace(release, noise="secure")) == [
        "{which}: made outside any ledger. Nobody has added up what else was made from the same records."
    ]
    assert compare.warnings_about(replace(release, noise="secure", status="published")) == []


def test_centers_only_releases_fix_the_number_of_centers(shelf_folder: Path) -> None:
    a, b = find_releases([shelf_folder]).releases
    only = replace(b, raw_coreset=None, coreset_weights=None, coreset_variances=None)
    assert compare.asked_k(a, b) is None and compare.asked_k(a, only) == 2
    assert siting.demand_of(only) is None
    assert compare.centers_of(only, 2, "k-median").equals(only.centers)


def test_trips_are_paired_by_both_ends_and_served_at_either() -> None:
    from dpviz.domain import ExactPoints

    generator = np.random.default_rng(3)
    ends = np.concatenate([generator.normal((0.02, 0.02, 0.08, 0.08), 0.004, (3000, 4))] * 2)
    names = ("pickup_lon", "pickup_lat", "dropoff_lon", "dropoff_lat")
    frame = Frame(names=names, low=(0.0,) * 4, high=(0.1,) * 4, scale=(111_320.0,) * 4, metric="m")
    points = ExactPoints.from_array(frame, ends.clip(0, 0.0999))
    a, b = (dpviz.release(points, k=2, budget=dpviz.Budget(epsilon=e), seed=1) for e in (4.0, 1.0))
    match = compare.match_pairs(a, a.centers, b, b.centers)
    assert len(match.starts_m) == len(match.pairs) == 2
    assert {"Pick-ups apart", "Drop-offs apart"} <= set(pair_tables.pairs_table(match).columns)
    for end, place in (("pick-up", 0.02), ("drop-off", 0.08)):
        demand = siting.demand_of(a, end)
        assert demand is not None
        site = siting.suggest_sites(demand, 1, None)[0]
        assert site.lon == pytest.approx(place, abs=0.005) and site.lat == pytest.approx(place, abs=0.005)
