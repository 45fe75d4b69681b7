"""Regions through the door: one charge, one key, and files that say every level."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from dpviz.domain import ExactCounts
from dpviz.domain.regions import Outline
from dpviz.errors import DpvizError, InputError, LedgerRefusal
from dpviz.labels.privacy_label import privacy_label
from dpviz.privacy import Budget, Region
from dpviz.publishing.datasets import Dataset
from dpviz.publishing.door import publish, quote
from dpviz.publishing.mechanism_run import preview, release
from dpviz.releases import load
from dpviz.releases.document import schema
from dpviz.releases.release import NoAnswer, Release
from dpviz.releases.request import ReleaseRequest

BUDGET = Budget(epsilon=1.0)


def region(name: str = "Hospital", epsilon: float = 0.1, east: float = -73.95) -> Region:
    ring = ((-74.0, 40.72), (east, 40.72), (east, 40.75), (-74.0, 40.75))
    return Region(outline=Outline(name=name, polygons=((ring,),)), epsilon=epsilon)


def asked(*regions: Region, method: str = "uniform_grid") -> ReleaseRequest:
    return ReleaseRequest(k=3, budget=BUDGET, method=method, regions=regions)


def test_regions_are_part_of_the_key_and_requests_without_them_keep_theirs() -> None:
    keys = {
        asked(*regions).key("trips")
        for regions in [
            (),
            (region(),),
            (region(epsilon=0.2),),
            (region("School"),),
            (region(east=-73.96),),
            (region(), region("School")),
            (region("School"), region()),
        ]
    }
    assert len(keys) == 7
    assert asked(region()) == asked(region()) and asked(region()).key("trips") == asked(region()).key("trips")
    assert "regions" not in asked().facts()


def test_a_region_that_is_less_strict_than_the_rest_is_refused() -> None:
    with pytest.raises(InputError, match="a region is stricter"):
        asked(region(epsilon=1.5))
    with pytest.raises(InputError, match="list of regions"):
        ReleaseRequest(k=3, budget=BUDGET, regions="Hospital")  # type: ignore[arg-type]


def test_the_ledger_is_charged_the_largest_level_once(dataset: Dataset) -> None:
    before = dataset.remaining
    request = asked(region(), region("School", 0.3, east=-73.98))
    assert float(quote(dataset, request).cost.epsilon) == 1.0
    first, second = publish(dataset, request), publish(dataset, request)
    assert first.files() == second.files()
    assert float((before - dataset.remaining).epsilon) == 1.0
    assert publish(dataset, asked(*request.regions, method="regional:uniform_grid")).id == first.id
    with pytest.raises(LedgerRefusal):
        publish(dataset, asked(region(epsilon=0.05))) and publish(dataset, asked(region(epsilon=0.06)))


def test_a_stored_release_comes_back_whole_and_says_every_level(dataset: Dataset, tmp_path: Path) -> None:
    found = publish(dataset, asked(region(), region("School", 0.3, east=-73.98)))
    assert isinstance(found, Release)
    again = load(found.save(tmp_path / "copy"))
    assert again.request.regions == asked(region(), region("School", 0.3, east=-73.98)).regions
    assert again.guarantee == found.guarantee and again.files() == found.files()
    assert [(level.name, level.epsilon) for level in again.guarantee.regions] == [("Hospital", 0.1), ("School", 0.3)]
    document = json.loads(found.files()["release.json"])
    jsonschema.validate(document, schema())
    said = document["guarantee"]["regions"]
    assert said["elsewhere"] == 1.0
    moves = {tuple(move["parts"]): move["epsilon"] for move in said["moves"]}
    assert moves["elsewhere", "Hospital"] == pytest.approx(1.1)
    assert moves["Hospital", "School"] == pytest.approx(0.4)
    assert moves["Hospital", "Hospital"] == pytest.approx(0.2)
    assert moves["elsewhere", "elsewhere"] == pytest.approx(2.0)


def test_the_label_says_every_level_the_largest_and_the_sums(dataset: Dataset) -> None:
    label = privacy_label(publish(dataset, asked(region(), region("zone_3", 0.3, east=-73.98))))
    for words in (
        "epsilon = 0.1 in Hospital",
        "| elsewhere | 1 | 2 | |",
        "| Hospital | 0.1 | 0.2 | 1.1 |",
        "| zone\\_3 | 0.3 | 0.6 | 1.3 |",
        "is in the data is right at most 74 times in 100",
        "epsilon is 1 for the first guess, and at most 2 for the second",
        "protected less, since what both parts give away adds up: such a guess is right at most 89 times in 100",
        "easier to guess whether it lay inside the region or elsewhere",
    ):
        assert words in label


def test_the_map_outlines_every_region(dataset: Dataset) -> None:
    page = publish(dataset, asked(region())).files()["map.html"].decode()
    assert "<g class=regions>" in page and "Hospital: epsilon 0.1" in page
    assert page.count(">Stricter level<") == 1
    assert "<g class=regions>" not in publish(dataset, asked()).files()["map.html"].decode()


def test_a_charge_left_by_a_crash_is_completed_with_its_regions(
    dataset: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = dataset.remaining
    with monkeypatch.context() as patch:
        patch.setattr("dpviz.mechanisms.regional.unite_answers", lambda *_: 1 / 0)
        with pytest.raises(DpvizError, match="failed inside"):
            publish(dataset, asked(region()))
    found = publish(dataset, asked(region()))
    assert isinstance(found, Release) and found.method == "regional:uniform_grid"
    assert float((before - dataset.remaining).epsilon) == 1.0


def test_a_release_without_regions_says_nothing_of_them(dataset: Dataset) -> None:
    found = publish(dataset, asked())
    assert "egion" not in privacy_label(found)
    assert "regions" not in found.files()["release.json"].decode()


def test_a_part_without_an_answer_is_named_in_the_label(counts: ExactCounts) -> None:
    """peeled_balls refuses parts with too few records for their level."""
    found = release(counts, 3, BUDGET, "peeled_balls", seed=1, regions=[region(epsilon=0.001)])
    label = privacy_label(found)
    assert isinstance(found, NoAnswer) or "No answer for Hospital: too few records" in label


def test_previews_take_regions_and_methods_without_them_are_refused(counts: ExactCounts) -> None:
    assert preview(counts, 3, BUDGET, seed=1, regions=[region()]).request.regions == (region(),)
    with pytest.raises(InputError, match="needs regions"):
        preview(counts, 3, BUDGET, "regional:uniform_grid", seed=1)
    with pytest.raises(InputError, match="coreset"):
        preview(counts, 3, BUDGET, "genetic", seed=1, regions=[region()])
