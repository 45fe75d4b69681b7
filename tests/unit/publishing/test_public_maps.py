"""A public map in requests: files, earlier releases, what is refused, and what release, label and store say of it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import dpviz
from dpviz.errors import InputError
from dpviz.labels.privacy_label import privacy_label

BOX = dpviz.GeoBox(11.0, 43.0, 11.2, 43.2)
GRID = dpviz.Grid(BOX, 64)
BUDGET = dpviz.Budget(epsilon=0.5)


def city(seed: int) -> np.ndarray:
    draw = np.random.default_rng(seed)
    places = draw.normal([0.4, 0.5], [0.08, 0.2], (20_000, 2))
    return np.histogram2d(places[:, 1], places[:, 0], bins=64, range=[[0, 1], [0, 1]])[0].astype(np.int64)


@pytest.fixture
def counts() -> dpviz.ExactCounts:
    return dpviz.ExactCounts.from_array(GRID, city(1))


def drawn(counts: dpviz.ExactCounts, **options: object) -> dpviz.Release:
    found = dpviz.release(counts, 4, BUDGET, seed=1, **options)  # type: ignore[call-overload]
    assert isinstance(found, dpviz.Release)
    return found


def test_name_and_digest_stand_in_request_document_and_label(counts: dpviz.ExactCounts, tmp_path: Path) -> None:
    last = dpviz.PublicMap.from_array(BOX, city(2), name="Inhabitants <2025>")
    release = drawn(counts, prior=last)
    release.save(tmp_path / "out")
    said = json.loads((tmp_path / "out" / "release.json").read_text())
    assert said["request"]["prior"] == {"name": "Inhabitants <2025>", "digest": last.digest}
    assert said["cells"]["quarters"] is True
    label = privacy_label(release)
    assert last.digest in label and "not made from the records" in label and "<2025>" not in label
    again = dpviz.Release.load(tmp_path / "out")
    assert again.request == release.request and again.request.prior == last
    np.testing.assert_array_equal(again.protected_cells.quarters, release.protected_cells.quarters)  # type: ignore[union-attr]
    area = (11.05, 43.05, 11.09, 43.13)
    assert again.count(area) == release.count(area)
    assert "share_south_west" in again.cells.columns  # type: ignore[union-attr]
    with pytest.raises(InputError, match="only its name and digest are known"):
        drawn(counts, prior=again.request.prior)


def test_without_a_map_nothing_is_said_of_one(counts: dpviz.ExactCounts, tmp_path: Path) -> None:
    release = drawn(counts)
    release.save(tmp_path / "out")
    said = json.loads((tmp_path / "out" / "release.json").read_text())
    assert "prior" not in said["request"] and "quarters" not in said["cells"]
    assert "public map" not in privacy_label(release)


def test_an_earlier_release_is_a_public_map(counts: dpviz.ExactCounts) -> None:
    earlier = drawn(dpviz.ExactCounts.from_array(GRID, city(2)), purpose="any question")
    found = dpviz.PublicMap.of(earlier)
    assert found.name == f"release {earlier.id[:12]}"
    shares = found.on(GRID.frame, 16)
    truth = city(2).reshape(16, 4, 16, 4).sum(axis=(1, 3)) / city(2).sum()
    assert np.abs(shares - truth).sum() / 2 < 0.1
    assert drawn(counts, prior=earlier).request.prior == found
    with pytest.raises(InputError, match="counted cells"):
        dpviz.PublicMap.of(dpviz.release(counts, 3, BUDGET, "genetic", seed=1))


def test_a_map_that_was_made_from_the_records_is_refused(counts: dpviz.ExactCounts) -> None:
    with pytest.raises(InputError, match="made from them"):
        drawn(counts, prior=dpviz.PublicMap.from_array(BOX, counts.to_numpy() * 3.0))
    assert drawn(counts, prior=dpviz.PublicMap.from_array(BOX, city(2) + 0.0))  # others of the same places


def test_it_takes_part_where_it_can(counts: dpviz.ExactCounts) -> None:
    last = dpviz.PublicMap.from_array(BOX, city(2))
    with pytest.raises(InputError, match="adaptive_tree"):
        drawn(counts, prior=last, method="uniform_grid")
    ring = [[11.0, 43.0], [11.1, 43.0], [11.1, 43.1], [11.0, 43.0]]
    shape = {"type": "Polygon", "coordinates": [ring]}
    regions = dpviz.read_regions(
        json.dumps({"type": "Feature", "properties": {"name": "r", "epsilon": 0.1}, "geometry": shape})
    )
    with pytest.raises(InputError, match="without regions"):
        drawn(counts, prior=last, regions=regions)
    with pytest.raises(InputError, match="no weight inside"):
        drawn(counts, prior=dpviz.PublicMap.from_array(dpviz.GeoBox(0, 0, 1, 1), [[1.0]]))


def test_publishing_keeps_it_and_the_same_request_costs_nothing(counts: dpviz.ExactCounts, tmp_path: Path) -> None:
    ledger = dpviz.Ledger(tmp_path / "ledger.sqlite3")
    data = dpviz.register("city", counts, total=dpviz.Budget(epsilon=2.0), ledger=ledger)
    last = dpviz.PublicMap.from_array(BOX, city(2))
    asked = dpviz.ReleaseRequest(k=4, budget=BUDGET, prior=last)
    first = dpviz.publish(data, asked)
    assert dpviz.publish(data, asked).id == first.id
    assert first.request.prior == last
    own = dpviz.ReleaseRequest(k=4, budget=BUDGET, prior=dpviz.PublicMap.from_array(BOX, counts.to_numpy()))
    with pytest.raises(InputError, match="Nothing was charged"):
        dpviz.publish(data, own, even_if_answered=True)
    assert data.remaining.epsilon == pytest.approx(1.5)
