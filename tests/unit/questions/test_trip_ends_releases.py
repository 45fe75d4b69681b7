"""Releases of trips with a map of each end: bought by name or for questions, stored, loaded and asked."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest
from typer.testing import CliRunner

import dpviz
from dpviz.__main__ import app
from dpviz.cli.asking import read_sites
from dpviz.errors import InputError, StoreError
from dpviz.privacy import Budget
from dpviz.publishing.door import publish
from dpviz.publishing.mechanism_run import release
from dpviz.publishing.registration import register
from dpviz.questions.areas import Circle
from dpviz.releases import load
from dpviz.releases.document import schema
from dpviz.releases.release import Release
from dpviz.releases.request import ReleaseRequest

METHOD = "ends:adaptive_tree"
MAP_FILES = {"start_cells.parquet", "start_measurements.parquet", "end_cells.parquet", "end_measurements.parquet"}
QUARTERS = {"north-east": (-73.975, 40.75, -73.90, 40.80)}


@pytest.fixture(scope="module")
def trips() -> Release:
    found = release(dpviz.builtin("nyc-trips"), 4, Budget(epsilon=2.0), METHOD, seed=1)
    assert isinstance(found, Release)
    return found


def test_maps_go_through_the_door_with_one_charge_and_the_same_request_gives_the_same_bytes(tmp_path: Path) -> None:
    dataset = register(
        "trips", dpviz.builtin("nyc-trips"), total=Budget(epsilon=4.0), ledger=tmp_path / "ledger.sqlite3"
    )
    found = publish(dataset, ReleaseRequest(k=4, budget=Budget(epsilon=1.0), method=METHOD))
    assert isinstance(found, Release)
    assert (found.method, found.status, found.noise) == (METHOD, "published", "secure")
    assert found.guarantee.epsilon == 1.0 and set(found.files()) >= MAP_FILES
    again = load(found.save(tmp_path / "out"))
    assert again.files() == found.files() == publish(dataset, found.request).files()
    assert len(dataset.charges) == 1
    assert again.share(QUARTERS["north-east"], end="pickup") == found.share(QUARTERS["north-east"], end="pickup")


def test_automatic_releases_for_questions_buy_them() -> None:
    for purpose in ("balanced", "any question"):
        found = release(dpviz.builtin("nyc-trips"), 4, Budget(epsilon=2.0), seed=1, purpose=purpose)
        assert isinstance(found, Release) and found.method == METHOD and set(found.files()) >= MAP_FILES


@pytest.mark.parametrize("method", ["auto", "adaptive_tree"])
def test_other_methods_buy_no_maps(method: str) -> None:
    found = release(dpviz.builtin("nyc-trips"), 4, Budget(epsilon=2.0), method, seed=1)
    assert isinstance(found, Release) and not found.method.startswith("ends:")
    assert found.end_cells("pickup") is None and not MAP_FILES & set(found.files())
    assert "ends" not in json.loads(found.files()["release.json"])


def test_an_end_is_asked_of_its_own_map_and_a_loaded_folder_says_the_same(trips: Release, tmp_path: Path) -> None:
    assert trips.method.startswith("ends:") and trips.constants["ends_share"] == 0.4
    document = json.loads(trips.files()["release.json"])
    jsonschema.validate(document, schema(), cls=jsonschema.Draft202012Validator)
    assert [part["charges"] for part in document["ends"]] == [[charge.name for charge in trips.charges]] * 2
    again = Release.load(trips.save(tmp_path / "out"))
    assert replace(again, loaded_files=None).files() == trips.files()
    for end in ("pickup", "dropoff"):
        cells, loaded = trips.end_cells(end), again.end_cells(end)
        assert cells is not None and cells.equals(loaded) and {"west", "count", "variance"} <= set(cells.columns)
        assert again.count(QUARTERS["north-east"], end=end) == trips.count(QUARTERS["north-east"], end=end)
    drawn = trips.redraw(1)[0].count(QUARTERS["north-east"], end="pickup").estimate
    assert drawn != trips.count(QUARTERS["north-east"], end="pickup").estimate


def test_a_release_without_maps_of_its_ends_still_answers(trips: Release) -> None:
    old = replace(trips, protected_ends=None, _kept={})
    wide, own = (found.count(QUARTERS["north-east"], end="pickup") for found in (old, trips))
    assert old.end_cells("pickup") is None and wide.estimate == pytest.approx(own.estimate, rel=0.1)
    near = [Circle(lon=float(row[0]), lat=float(row[1]), radius_m=500.0) for row in trips.raw_centers]
    wide_near, own_near = (found.share(near, end="pickup") for found in (old, trips))
    assert wide_near.high - wide_near.low > own_near.high - own_near.low  # small areas are what the maps are for


@pytest.mark.parametrize("name", ["start_cells.parquet", "end_measurements.parquet"])
def test_a_changed_or_missing_map_of_an_end_is_refused(trips: Release, tmp_path: Path, name: str) -> None:
    folder = trips.save(tmp_path / "out")
    content = (folder / name).read_bytes()
    (folder / name).write_bytes(content[:-9] + b"x" + content[-8:])
    with pytest.raises(StoreError, match=name):
        Release.load(folder)
    (folder / name).unlink()
    with pytest.raises(StoreError, match=name):
        Release.load(folder)


def test_the_command_line_asks_for_plans_of_sites_one_end_and_flows(trips: Release, tmp_path: Path) -> None:
    folder, plan = trips.save(tmp_path / "out"), tmp_path / "sites.csv"
    plan.write_text("lon,lat,capacity\n-73.99,40.75,10\n-73.97,40.76,\n", encoding="utf-8")

    def asked(*words: str) -> tuple[int, str]:
        found = CliRunner().invoke(app, ["ask", str(folder), *words])
        return found.exit_code, found.output

    told = json.loads(asked("--sites", str(plan), "--end", "pickup", "--json")[1])
    assert (
        told["distance_m"]["estimate"] == trips.distance_to([(-73.99, 40.75), (-73.97, 40.76)], end="pickup").estimate
    )
    assert [site["too_small"] for site in told["sites"]] == [True, False] and told["sites"][1]["capacity"] is None
    assert "more than it can serve" in asked("--sites", str(plan), "--end", "dropoff")[1]
    flows = json.loads(asked("--areas", "squares:6000", "--flows", "--json")[1])["flows"]
    assert {"origin", "destination", "low", "high"} <= set(flows[0])
    assert asked("--flows")[0] == 2 and asked("--sites", str(plan), "--shares")[0] == 2
    swapped = tmp_path / "swapped.csv"
    swapped.write_text("lat,lon\n-73.99,40.75\n", encoding="utf-8")
    with pytest.raises(InputError, match="swapped"):
        read_sites(swapped, trips.frame)
    swapped.write_text("x;y\n1;2\n", encoding="utf-8")
    with pytest.raises(InputError, match="lon"):
        read_sites(swapped, trips.frame)


def test_a_folder_edited_by_hand_is_refused_with_what_does_not_fit(trips: Release, tmp_path: Path) -> None:
    path = trips.save(tmp_path / "out") / "release.json"
    whole = json.loads(path.read_text(encoding="utf-8"))
    for room, name, value in (("request", "k", 6), ("guarantee", "relation", "replace"), ("noise", "seed", 9)):
        path.write_text(json.dumps(whole | {room: whole[room] | {name: value}}), encoding="utf-8")
        with pytest.raises(StoreError, match="its id was made of"):
            Release.load(path.parent)
