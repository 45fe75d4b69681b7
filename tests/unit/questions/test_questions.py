from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dpviz
from dpviz.domain import ExactCounts, Grid
from dpviz.errors import InputError, NotOffered, UnledgeredRelease
from dpviz.privacy import Budget
from dpviz.publishing.mechanism_run import release
from dpviz.questions import _kernels, answers, redrawing
from dpviz.questions.areas import CIRCLE_CORNERS, Tiles, zones_of
from dpviz.questions.noise_model import NoiseModel
from dpviz.questions.redrawing import redrawn_cells
from dpviz.releases.release import Release
from tests.oracles import questions as oracles

BOX = dpviz.GeoBox(-74.05, 40.70, -73.90, 40.80)
WEST_HALF = (-74.05, 40.70, -73.975, 40.80)


def square(west: float, south: float, size: float = 0.02) -> list[list[list[float]]]:
    east, north = west + size, south + size
    return [[[west, south], [east, south], [east, north], [west, north], [west, south]]]


def feature(name: str, coordinates: Any) -> dict[str, Any]:
    return {
        "type": "Feature",
        "properties": {"name": name},
        "geometry": {"type": "Polygon", "coordinates": coordinates},
    }


ZONES = {
    "type": "FeatureCollection",
    "features": [feature("a", square(-74.0, 40.72)), feature("b", square(-73.95, 40.75))],
}


@pytest.fixture(scope="module")
def city() -> ExactCounts:
    rng = np.random.default_rng(7)
    hills = np.add.outer(np.arange(32.0), np.arange(32.0)) / 6.0
    return ExactCounts.from_array(Grid(BOX, 32), rng.poisson(np.exp(hills / 2.0)))


@pytest.fixture(scope="module")
def tree(city: ExactCounts) -> Release:
    found = release(city, 3, Budget(epsilon=1.0), "adaptive_tree", seed=1)
    assert isinstance(found, Release)
    return found


@pytest.fixture(scope="module")
def flat(city: ExactCounts) -> Release:
    found = release(city, 3, Budget(epsilon=1.0), "uniform_grid", seed=1)
    assert isinstance(found, Release)
    return found


@pytest.mark.parametrize("kind", ["tree", "flat"])
def test_cells_partition_the_box_and_add_up_to_the_total(kind: str, request: pytest.FixtureRequest) -> None:
    asked: Release = request.getfixturevalue(kind)
    cells = asked.cells
    assert cells is not None
    area = ((cells["east"] - cells["west"]) * (cells["north"] - cells["south"])).sum()
    assert area == pytest.approx(0.15 * 0.10)
    assert asked.total().estimate == pytest.approx(cells["count"].sum())
    assert {"node", "parent", "value", "variance", "charge"} <= set(asked.measurements.columns)  # type: ignore[union-attr]
    assert set(asked.measurements["charge"]) == {charge.name for charge in asked.charges}  # type: ignore[index]


def test_measurements_are_the_numbers_as_they_were_drawn(city: ExactCounts, tree: Release) -> None:
    """Every one is a whole number: exact counts with discrete noise, before any averaging."""
    table = tree.measurements
    assert table is not None and (table["value"] == table["value"].round()).all()
    truth = tree.protected_cells
    assert truth is not None and len(table) > len(truth.parent), "cells that stop are counted twice, and both are kept"


@pytest.mark.parametrize("kind", ["tree", "flat"])
def test_counts_are_the_least_squares_of_all_measurements(kind: str, request: pytest.FixtureRequest) -> None:
    cells = request.getfixturevalue(kind).protected_cells
    model = NoiseModel.of(cells)
    wanted, covariance = oracles.least_squares(cells.parent, model.value, model.precision)
    assert np.allclose(model.agreed(floor=False), wanted)
    share = np.random.default_rng(3).random(len(cells))
    variance, shared = model.variances(np.array([0, len(cells)]), np.arange(len(cells)), share)
    ordered = share[np.argsort(cells.cell)]  # the twin lists leaves by node
    assert variance[0] == pytest.approx(ordered @ covariance @ ordered)
    assert shared[0] == pytest.approx((ordered @ covariance).sum())
    assert np.allclose(np.sqrt(cells.spread[np.argsort(cells.cell)]), np.sqrt(np.diag(covariance)))


def test_the_passes_agree_with_their_twins(tree: Release) -> None:
    assert tree.protected_cells is not None
    model = NoiseModel.of(tree.protected_cells)
    first, order = model.families
    given = (tree.protected_cells.parent, model.best, model.spread, model.children, first, order, True)
    assert np.allclose(_kernels.agreed(*given), oracles.agreed(*given))
    assert np.allclose(model.agreed()[tree.protected_cells.cell], tree.protected_cells.count)


def test_halves_add_up_to_the_whole_and_shares_to_one(tree: Release) -> None:
    east_half = (-73.975, 40.70, -73.90, 40.80)
    halves = [tree.count(WEST_HALF), tree.count(east_half)]
    assert halves[0].estimate + halves[1].estimate == pytest.approx(tree.total().estimate)
    assert tree.share(WEST_HALF).estimate + tree.share(east_half).estimate == pytest.approx(1.0)
    assert all(half.low <= half.estimate <= half.high for half in halves)
    whole = tree.share((-74.05, 40.70, -73.90, 40.80))
    assert whole.low == pytest.approx(1.0), "the share of everything is known"


def test_one_area_can_be_given_in_many_ways(tree: Release, tmp_path: Path) -> None:
    west, south, east, north = -74.0, 40.72, -73.98, 40.74
    (tmp_path / "zones.geojson").write_text(json.dumps(feature("a", square(west, south))), encoding="utf-8")

    class Shape:
        __geo_interface__ = feature("a", square(west, south))["geometry"]

    forms = [
        (west, south, east, north),
        dpviz.GeoBox(west, south, east, north),
        feature("a", square(west, south)),
        feature("a", square(west, south))["geometry"],
        json.dumps(feature("a", square(west, south))),
        tmp_path / "zones.geojson",
        Shape(),
        f"{west},{south},{east},{north}",
    ]
    found = [tree.count(form) for form in forms]
    assert len({round(one.estimate, 6) for one in found}) == 1
    assert len({round(one.high, 6) for one in found}) == 1


def test_a_table_has_a_row_for_each_area(tree: Release) -> None:
    table = tree.table(ZONES)
    assert list(table.columns) == ["area", "estimate", "low", "high", "note"]
    assert table["area"].tolist() == ["a", "b"]
    assert table.loc[0, "estimate"] == pytest.approx(tree.count(ZONES["features"][0]).estimate)
    assert tree.table({"north": (-74.0, 40.76, -73.95, 40.79)})["area"].tolist() == ["north"]
    assert tree.table(ZONES, shares=True)["high"].max() <= 1.0


@pytest.mark.parametrize("tiles", ["squares:3000", "hexagons:3000"])
def test_tiles_cover_the_box_once(tree: Release, tiles: str) -> None:
    assert tree.table(tiles)["estimate"].sum() == pytest.approx(tree.total().estimate)


def test_names_of_the_built_in_map_are_areas(tree: Release) -> None:
    named = tree.table("neighbourhoods")
    assert len(named) > 30
    first = str(named.loc[0, "area"])
    assert tree.count(first.lower()).estimate == pytest.approx(float(named.loc[0, "estimate"]))


def test_ground_that_lies_in_two_of_several_areas_counts_once(tree: Release) -> None:
    left, right = (-74.0, 40.72, -73.96, 40.76), (-73.98, 40.72, -73.94, 40.76)
    whole = tree.count((-74.0, 40.72, -73.94, 40.76))
    assert tree.count([left, right]).estimate == pytest.approx(whole.estimate, rel=0.02)
    assert tree.count([left, left]).estimate == pytest.approx(tree.count(left).estimate, rel=0.02)
    near = [dpviz.Circle(lon=-73.97, lat=40.75, radius_m=800.0), dpviz.Circle(lon=-73.965, lat=40.75, radius_m=800.0)]
    both, alone = tree.count(near), [tree.count(one) for one in near]
    assert max(one.estimate for one in alone) < both.estimate < sum(one.estimate for one in alone)


def test_a_circle_has_the_area_of_a_circle(tree: Release) -> None:
    (zone,) = zones_of(dpviz.Circle(lon=-73.97, lat=40.75, radius_m=1000.0), tree.frame)
    ring = zone.rings[0][0]
    local = tree.frame.to_local(ring)
    x, y = local.T
    area = abs((x * np.roll(y, -1) - np.roll(x, -1) * y).sum()) / 2.0
    assert len(ring) == CIRCLE_CORNERS and area == pytest.approx(np.pi * 1e6, rel=1e-9)


def test_a_circle_around_everything_holds_everything(tree: Release) -> None:
    assert tree.count(dpviz.Circle(lon=-73.97, lat=40.75, radius_m=1e9)).estimate == pytest.approx(
        tree.total().estimate
    )


def test_an_area_finer_than_the_cells_is_too_coarse_to_say(city: ExactCounts) -> None:
    weak = release(city, 1, Budget(epsilon=0.001), "adaptive_tree", seed=1)
    assert isinstance(weak, Release)
    assert weak.count(dpviz.Circle(lon=-73.97, lat=40.75, radius_m=20.0)).note == "too coarse to say"


def test_areas_beyond_the_box_say_so(tree: Release) -> None:
    table = tree.table([(-74.1, 40.71, -74.0, 40.75), (10.0, 50.0, 11.0, 51.0)])
    assert table.loc[0, "note"].startswith("partly outside")
    assert table.loc[1, "note"] == "outside the public box" and np.isnan(table.loc[1, "estimate"])


BOW = [[[-74.0, 40.71], [-73.95, 40.75], [-73.95, 40.71], [-74.0, 40.75], [-74.0, 40.71]]]


@pytest.mark.parametrize(
    ("area", "said"),
    [
        ((10.0, 50.0, 11.0, 51.0), "outside the public box"),
        ((40.71, -74.0, 40.75, -73.95), "swapped"),
        ((-74.0, 40.75, -74.0, 40.75), "west, south, east, north"),
        (feature("x", BOW), "crosses itself"),
        (feature("x", []), "empty"),
        (feature("x", [[[-74.0, 40.71], [-73.99, 40.71]]]), "3 corners"),
        (feature("x", [[[-74.0, 40.71], [-73.99, 40.71], [-73.98, 40.71], [-74.0, 40.71]]]), "on a line"),
        (feature("x", [[[-74.0, 40.71], [-73.98, 40.72], [-73.96, 40.73], [-74.0, 40.71]]]), "on a line"),
        ({"type": "Feature", "properties": {}, "geometry": None}, "no geometry"),
        ({"type": "Point", "coordinates": [-74.0, 40.71]}, "Polygon"),
        (feature("x", square(-8_238_310.0, 4_970_071.0, 5000.0)), "no degrees"),
        (feature("x", [[[179.0, 40.0], [-179.0, 40.0], [-179.0, 41.0], [179.0, 41.0], [179.0, 40.0]]]), "date line"),
        ({**ZONES, "crs": {"properties": {"name": "EPSG:3857"}}}, "another coordinate system"),
        ([], "no area"),
        ("Nowhereville", "no neighbourhood"),
        ("Chelsea Hudson", "known are Chelsea–Hudson Yards"),
        ("squares:none", "squares:500"),
        ("zones.geojson", "cannot read"),
        ("{broken", "not a GeoJSON"),
        (7, "cannot be a int"),
        ("squares:0.5", "give larger ones"),
    ],
)
def test_a_bad_area_gets_one_sentence_that_says_what_to_do(tree: Release, area: Any, said: str) -> None:
    with pytest.raises(InputError, match=said) as caught:
        tree.table(area)
    assert "\n" not in caught.value.message and caught.value.message.endswith(".")


def test_a_name_can_be_typed_on_any_keyboard(tree: Release) -> None:
    assert tree.count("chelsea-hudson yards") == tree.count("Chelsea–Hudson Yards")


def test_a_count_below_one_is_told_as_a_count_and_a_share_as_a_share(tree: Release) -> None:
    tiny = (-73.985, 40.75, -73.98499, 40.75001)
    assert "%" not in str(replace(tree.count(tiny), estimate=0.275, low=0.0, high=0.999))
    assert "%" in str(tree.share(tiny))


def test_searches_and_costs_work_on_the_cells_not_on_the_merged_points(tree: Release) -> None:
    assert tree.protected_cells is not None
    assert tree.cost(tree.centers) != pytest.approx(0.0)
    assert len(tree.centers_for(7)) == 7
    narrow = tree.protected_cells
    heaviest = narrow.mean[int(np.argmax(narrow.count))]
    assert (
        np.linalg.norm(
            tree.frame.to_local(tree.centers_for(200)[["lon", "lat"]].to_numpy()) - tree.frame.to_local(heaviest),
            axis=1,
        ).min()
        < 2000
    )


def test_a_release_without_cells_says_that_it_has_no_error_to_give(city: ExactCounts) -> None:
    found = release(city, 2, Budget(epsilon=1.0), "noisy_lloyd", seed=1)
    assert isinstance(found, Release) and found.cells is None and found.measurements is None
    for ask in (lambda: found.count(WEST_HALF), found.total, lambda: found.redraw(2)):
        with pytest.raises(NotOffered, match="cells"):
            ask()


def test_redrawn_releases_vary_like_the_noise_and_are_never_stored(tree: Release, tmp_path: Path) -> None:
    drawn = tree.redraw(3)
    assert drawn[0].count(WEST_HALF).estimate != drawn[1].count(WEST_HALF).estimate
    alone = redrawing.redrawn_centers(tree, 3, tree.request.k)
    assert all(np.array_equal(one.raw_centers, centers) for one, centers in zip(drawn, alone, strict=True))
    assert [one.id for one in drawn] == [one.id for one in tree.redraw(3)]
    assert len(drawn[0].centers) == 3
    with pytest.raises(UnledgeredRelease, match="synthetic"):
        drawn[0].save(tmp_path / "out")
    with pytest.raises(InputError, match="whole number"):
        tree.redraw(0)


def test_redrawn_totals_have_the_variance_that_the_release_states(flat: Release) -> None:
    assert flat.protected_cells is not None
    model = NoiseModel.of(flat.protected_cells)
    totals = [float(redrawn_cells(model, seed).count.sum()) for seed in range(300)]
    assert np.var(totals) == pytest.approx(model.total_variance, rel=0.35)


@pytest.mark.parametrize("method", ["subsampled:adaptive_tree", "hybrid"])
def test_wrapped_methods_hold_their_cells_too(city: ExactCounts, method: str, tmp_path: Path) -> None:
    found = release(city, 2, Budget(epsilon=1.0), method, seed=1)
    assert isinstance(found, Release)
    exact = city.exact_total
    assert found.total().low <= 1.1 * exact and found.total().high >= 0.9 * exact
    loaded = Release.load(found.save(tmp_path / "out"))
    assert loaded.count(WEST_HALF) == found.count(WEST_HALF)


def test_regions_keep_the_cells_of_every_part(city: ExactCounts) -> None:
    text = json.dumps({"type": "FeatureCollection", "features": [feature("A", square(-74.0, 40.72, 0.04))]})
    document = json.loads(text)
    document["features"][0]["properties"]["epsilon"] = 0.2
    regions = dpviz.read_regions(json.dumps(document))
    found = release(city, 2, Budget(epsilon=1.0), seed=1, regions=regions)
    assert isinstance(found, Release)
    assert abs(found.total().estimate / city.exact_total - 1.0) < 0.05
    inside = found.count(document["features"][0])
    assert inside.low < inside.high


def test_centers_are_searched_for_again_to_see_whether_they_stay(tree: Release) -> None:
    table = tree.center_table(redraws=5)
    assert list(table.columns) == ["lon", "lat", "weight", "radius_90_m", "stayed", "moved_90_m"]
    assert table["stayed"].between(0.0, 1.0).all() and (table["moved_90_m"] >= 0.0).all()
    alone = release_of_one_place()
    assert (alone.center_table(redraws=5)["stayed"] == 1.0).all(), "one clear place stays"


def release_of_one_place() -> Release:
    cells = np.zeros((32, 32), np.int64)
    cells[8, 8] = 100_000
    found = release(ExactCounts.from_array(Grid(BOX, 32), cells), 1, Budget(epsilon=1.0), "adaptive_tree", seed=1)
    assert isinstance(found, Release)
    return found


def test_ranges_hold_along_a_street_because_a_release_checks_its_own_model(monkeypatch: pytest.MonkeyPatch) -> None:
    draw = np.random.default_rng(0)
    along = draw.random(60_000) * 256
    lines = np.clip(np.column_stack([along, 40.0 + 0.6 * along + draw.normal(0.0, 1.0, 60_000)]), 0.0, 255.0)
    exact = np.bincount(lines.astype(np.int64) @ np.array([1, 256]), minlength=256**2).reshape(256, 256)
    city = ExactCounts.from_array(Grid(BOX, 256), exact)
    found = release(city, 3, Budget(epsilon=2.0), "adaptive_tree", seed=1)
    corners = draw.integers(0, 200, (200, 2))
    sizes = draw.integers(8, 56, (200, 2))
    truth = np.array(
        [exact[y : y + tall, x : x + wide].sum() for (x, y), (wide, tall) in zip(corners, sizes, strict=True)]
    )
    low = np.array([BOX.west, BOX.north]) + corners * [0.15 / 256, -0.1 / 256]
    high = low + sizes * [0.15 / 256, -0.1 / 256]
    areas = [(west, south, east, north) for (west, north), (east, south) in zip(low, high, strict=True)]

    def held() -> float:
        table = found.table(areas)
        return float(((table["low"] <= truth) & (truth <= table["high"])).mean())

    checked = held()
    assert 0.85 <= checked <= 0.99
    monkeypatch.setattr("dpviz.questions.noise_model.LEVEL", 0.0)
    monkeypatch.setattr("dpviz.questions.noise_model.LEAST", 0.0)
    found._kept.clear()
    assert held() < checked - 0.02, "the planted case: nothing is unknown inside cells"


def test_distances_to_sites_have_ranges_and_sites_share_all_records(tree: Release, city: ExactCounts) -> None:
    sites = [(-74.0, 40.72), (-73.93, 40.78)]
    found = tree.distance_to(sites)
    rows, columns = np.indices((32, 32))
    places = np.column_stack(
        [BOX.west + (columns.ravel() + 0.5) / 32 * 0.15, BOX.north - (rows.ravel() + 0.5) / 32 * 0.1]
    )
    local, own = tree.frame.to_local(places), tree.frame.to_local(sites)
    exact = (
        np.linalg.norm(local[:, None] - own[None], axis=2).min(axis=1) @ city.to_numpy().ravel() / city.to_numpy().sum()
    )
    assert found.low < exact < found.high
    assert found.estimate == pytest.approx(exact, rel=0.02)
    table = tree.served_by(sites)
    assert table["estimate"].sum() == pytest.approx(tree.total().estimate, rel=1e-6)
    assert (table["low"] < table["estimate"]).all() and (table["estimate"] < table["high"]).all()


def test_areas_counted_in_parts_are_counted_the_same(monkeypatch: pytest.MonkeyPatch, tree: Release) -> None:
    """Memory does not grow with the number of areas, and no number depends on what was counted with it."""
    tiles = Tiles(kind="squares", size=900.0)
    whole = tree.table(tiles)
    parts: list[int] = []
    real = answers.Asked._spreads
    monkeypatch.setattr(answers, "PAIRS_AT_ONCE", 50)
    monkeypatch.setattr(answers.Asked, "_spreads", lambda self, zones: parts.append(len(zones)) or real(self, zones))
    assert tree.table(tiles).equals(whole) and len(parts) > 5 and sum(parts) == len(whole)
