"""Whatever the door refuses, it refuses before the charge; what it charged, it can make."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpviz.__main__ import main
from dpviz.domain import Adjacency, ExactCounts, ExactPoints, GeoBox, Grid, Unit
from dpviz.domain.box import plain_frame
from dpviz.domain.regions import Outline
from dpviz.errors import CHARGED, DpvizError, InputError
from dpviz.mechanisms import catalogue
from dpviz.mechanisms.interface import ExactData, Mechanism, Public, least_epsilon
from dpviz.noise import replayable_source
from dpviz.noise.checks import rounded_up
from dpviz.privacy import Budget, Region
from dpviz.publishing import door
from dpviz.publishing.datasets import Dataset
from dpviz.publishing.door import publish
from dpviz.publishing.registration import register
from dpviz.releases.release import Release
from dpviz.releases.request import ReleaseRequest

GRID = Grid(GeoBox(-74.05, 40.70, -73.90, 40.80), 32)
RING = ((-74.0, 40.72), (-73.98, 40.72), (-73.98, 40.74), (-74.0, 40.74), (-74.0, 40.72))
METHODS = [*catalogue.METHODS, catalogue.get("subsampled:uniform_grid")]


def hospital(epsilon: float) -> Region:
    return Region(outline=Outline(name="Hospital", polygons=((RING,),)), epsilon=epsilon)


def dataset_in(folder: Path) -> Dataset:
    cells = np.random.default_rng(1).poisson(4.0, (32, 32))
    counts = ExactCounts.from_array(GRID, cells)
    return register("trips", counts, total=Budget(epsilon=100.0, delta=1e-4), ledger=folder / "ledger.sqlite3")


def asked(epsilon: float, delta: float = 0.0, *, method: str = "uniform_grid", region: float | None = None) -> Any:
    regions = () if region is None else (hospital(region),)
    return ReleaseRequest(k=2, budget=Budget(epsilon=epsilon, delta=delta), method=method, regions=regions)


@pytest.mark.parametrize(
    ("epsilon", "delta", "region", "method", "says"),
    [
        (50.5, 0.0, 0.5, "uniform_grid", "at most 50"),
        (100.0, 0.0, 0.5, "adaptive_tree", "at most 50"),
        (20.0, 1e-6, 0.5, "peeled_balls", "delta"),
        (1e-300, 0.0, None, "uniform_grid", "epsilon"),
        (1e-300, 0.0, None, "auto", "epsilon"),
        (1e-9, 0.0, None, "noisy_lloyd", "epsilon"),
        (0.5, 0.0, 1e-12, "uniform_grid", "epsilon"),
    ],
)
def test_what_cannot_be_made_is_refused_in_a_sentence_and_costs_nothing(
    tmp_path: Path, epsilon: float, delta: float, region: float | None, method: str, says: str
) -> None:
    dataset = dataset_in(tmp_path)
    with pytest.raises(InputError, match=says) as refused:
        publish(dataset, asked(epsilon, delta, method=method, region=region))
    assert refused.value.exit_code == 2 and "defect" not in str(refused.value)
    assert dataset.charges == []


def test_a_move_between_regions_at_the_largest_level_can_be_stated_and_made(tmp_path: Path) -> None:
    found = publish(dataset_in(tmp_path), asked(50.0, region=0.5))
    assert isinstance(found, Release) and found.guarantee.moved(None, None).epsilon == 100.0


def test_a_basemap_that_cannot_be_drawn_is_refused_before_the_charge(tmp_path: Path) -> None:
    dataset = dataset_in(tmp_path)
    with pytest.raises(DpvizError, match="Nothing was charged"):
        publish(dataset, asked(0.5), basemap={"type": "FeatureCollection", "features": 7})
    assert dataset.charges == []


def test_the_command_line_ends_with_two_only_where_nothing_was_charged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "trips.csv").write_text("lon,lat\n" + "".join(f"{-74.0 + i * 1e-4},{40.72}\n" for i in range(200)))
    words = ["release", str(tmp_path / "trips.csv"), "--box=-74.05,40.70,-73.90,40.80", "--k", "2", "--side", "32"]
    words += ["--epsilon", "1e-300", "--ledger", str(tmp_path / "ledger"), "--out", str(tmp_path / "out")]
    monkeypatch.setattr(sys, "argv", ["dpviz", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2 and "epsilon=1e-300" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_an_error_after_the_charge_says_that_it_was_charged_and_is_no_two(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dataset = dataset_in(tmp_path)

    def full(*_: Any, **__: Any) -> None:
        raise DpvizError("the disk is full.")

    monkeypatch.setattr(door, "write_folder", full)
    with pytest.raises(DpvizError) as failed:
        publish(dataset, asked(0.5))
    assert len(dataset.charges) == 1
    assert failed.value.exit_code == CHARGED


def data_for(method: Mechanism, relation: Adjacency, dims: int, records: int) -> ExactData:
    box = plain_frame((0.0,) * dims, (1.0,) * dims)
    points = np.random.default_rng(dims).random((records, dims)) * 0.99
    found = ExactPoints.from_array(box, points, relation=relation)
    return found.to_counts(64) if method.info.takes == "counts" else found


def extremes() -> Iterator[tuple[Mechanism, Adjacency, int, int, int]]:
    for method in METHODS:
        low, high = method.info.dims
        for relation in sorted(method.info.adjacencies):
            for dims in sorted({max(2, low), min(12, high)}):
                yield method, relation, dims, 300, 2
            yield method, relation, max(2, low), 0, 64


@pytest.mark.parametrize(("method", "relation", "dims", "records", "k"), list(extremes()))
def test_every_method_can_draw_its_noise_at_the_least_epsilon(
    method: Mechanism, relation: Adjacency, dims: int, records: int, k: int
) -> None:
    data = data_for(method, relation, dims, records)
    public = Public.of(data)
    budget = Budget(epsilon=least_epsilon(public), delta=1e-9 if method.info.needs_delta else 0.0)
    method.run(data, method.plan(public, k=k, budget=budget), replayable_source(3))
    with pytest.raises(InputError, match="epsilon"):
        method.plan(public, k=k, budget=Budget(epsilon=budget.epsilon * 0.99, delta=budget.delta))


def test_averages_of_very_many_numbers_say_beforehand_what_they_need() -> None:
    """sample_aggregate divides ε among k·d averages: its noise alone grows with both."""
    method = catalogue.get("sample_aggregate")
    data = data_for(method, Adjacency.ADD_REMOVE_ONE, 12, 40)
    with pytest.raises(InputError, match="give at least epsilon") as refused:
        method.plan(Public.of(data), k=256, budget=Budget(epsilon=1e-6))
    enough = Budget(epsilon=float(str(refused.value.values["least"])))
    method.run(data, method.plan(Public.of(data), k=256, budget=enough), replayable_source(3))


def test_the_least_epsilon_is_that_of_one_record() -> None:
    counts = ExactCounts(GRID, np.zeros((32, 32), np.int64), unit=Unit(person_column="rider", cap=50))
    assert least_epsilon(Public.of(counts)) == pytest.approx(50 * 1e-6)
    assert rounded_up(1 / 1e-6 * 2**20) > 0  # a sum in the finest steps in use still has a scale
