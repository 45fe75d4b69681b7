from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest

from dpviz.domain import ExactCounts, ExactPoints, GeoBox, Grid, Unit
from dpviz.domain.box import plain_frame
from dpviz.errors import InputError, LedgerRefusal, NothingInBox, UnledgeredRelease
from dpviz.ledger.ledger import Ledger
from dpviz.privacy import Budget
from dpviz.publishing.datasets import Dataset, SameContentWarning, demonstration_dataset, open_dataset, refuse_if_empty
from dpviz.publishing.door import publish
from dpviz.publishing.mechanism_run import release
from dpviz.publishing.registration import register, register_or_open
from dpviz.releases.request import ReleaseRequest

REQUEST = ReleaseRequest(k=3, budget=Budget(epsilon=0.5), method="uniform_grid")
TOTAL = Budget(epsilon=2.0, delta=1e-6)


def test_registering_the_same_again_gives_the_same_dataset(dataset: Dataset, counts: ExactCounts) -> None:
    again = register("trips", counts, total=TOTAL, ledger=dataset.ledger)
    assert again.row == dataset.row
    assert len(dataset.ledger.datasets()) == 1


def test_changed_content_under_an_old_name_is_refused(dataset: Dataset, other_counts: ExactCounts) -> None:
    with pytest.raises(LedgerRefusal, match="not those that were registered"):
        register("trips", other_counts, total=TOTAL, ledger=dataset.ledger)
    with pytest.raises(LedgerRefusal, match="not those that were registered"):
        open_dataset("trips", other_counts, ledger=dataset.ledger)


def test_one_record_more_is_changed_content(dataset: Dataset, counts: ExactCounts) -> None:
    cells = counts.to_numpy()
    cells[0, 0] += 1
    with pytest.raises(LedgerRefusal) as refused:
        open_dataset("trips", ExactCounts.from_array(counts.grid, cells), ledger=dataset.ledger)
    assert str(int(cells.sum())) not in str(refused.value)


def test_as_many_records_in_other_places_are_changed_content(
    dataset: Dataset, counts: ExactCounts, tmp_path: Path
) -> None:
    cells = counts.to_numpy()
    for moved in (cells.T, cells[::-1], np.roll(cells, 1), np.roll(cells, 1, axis=0), cells[:, ::-1][::-1]):
        assert (moved != cells).any() and sorted(moved.ravel()) == sorted(cells.ravel())
        with pytest.raises(LedgerRefusal, match="not those that were registered"):
            open_dataset("trips", ExactCounts.from_array(counts.grid, moved.copy()), ledger=dataset.ledger)
    frame = plain_frame([0.0, 0.0], [1.0, 1.0])
    cube = np.random.default_rng(3).random((300, 2))
    ledger = Ledger(tmp_path / "points.sqlite3")
    register("points", ExactPoints.from_array(frame, cube), total=TOTAL, ledger=ledger)
    nudged, turned = cube.copy(), cube[:, ::-1].copy()
    nudged[7, 1] += 1e-9
    for other in (nudged, turned, np.column_stack([cube[:, 0], np.roll(cube[:, 1], 1)])):
        with pytest.raises(LedgerRefusal, match="not those that were registered"):
            open_dataset("points", ExactPoints.from_array(frame, other), ledger=ledger)
    assert open_dataset("points", ExactPoints.from_array(frame, cube[::-1]), ledger=ledger).data is not None


def test_identical_content_under_a_new_name_needs_a_reason_and_warns(dataset: Dataset, counts: ExactCounts) -> None:
    with pytest.raises(LedgerRefusal, match="'trips'"):
        register("trips again", counts, total=TOTAL, ledger=dataset.ledger)
    assert len(dataset.ledger.datasets()) == 1
    with pytest.warns(SameContentWarning, match="'trips'"):
        second = register("trips again", counts, total=TOTAL, ledger=dataset.ledger, other_people="a test")
    assert second.notice is not None and "add up" in second.notice


def test_a_dataset_keeps_its_relation_unit_and_grid(dataset: Dataset, counts: ExactCounts) -> None:
    cells = counts.to_numpy()
    others = [
        ExactCounts.from_array(counts.grid, cells, relation="replace"),
        ExactCounts.from_array(counts.grid, cells, unit=Unit(person_column="rider", cap=3)),
        counts.coarsened(16),
        ExactCounts.from_array(Grid(GeoBox(-74.0, 40.70, -73.90, 40.80), 32), cells),
    ]
    for other in others:
        with pytest.raises(LedgerRefusal, match="keeps them"):
            open_dataset("trips", other, ledger=dataset.ledger)


def test_a_dataset_keeps_its_total(dataset: Dataset, counts: ExactCounts) -> None:
    with pytest.raises(LedgerRefusal, match="total of epsilon 2"):
        register("trips", counts, total=Budget(epsilon=3.0), ledger=dataset.ledger)


def test_a_handle_with_swapped_records_cannot_publish(dataset: Dataset, other_counts: ExactCounts) -> None:
    from dataclasses import replace

    forged = replace(dataset, data=other_counts)
    with pytest.raises(LedgerRefusal, match="not those that were registered"):
        publish(forged, REQUEST)
    assert dataset.charges == []


def test_without_records_only_what_is_stored_is_given(dataset: Dataset) -> None:
    first = publish(dataset, REQUEST)
    opened = open_dataset("trips", ledger=dataset.ledger)
    assert publish(opened, REQUEST).files() == first.files()
    with pytest.raises(InputError, match="without its records"):
        publish(opened, ReleaseRequest(k=4, budget=Budget(epsilon=0.5), method="uniform_grid"))


def test_an_unknown_name_says_how_to_register(ledger: Ledger) -> None:
    with pytest.raises(InputError, match="--total"):
        open_dataset("nobody", ledger=ledger)


@pytest.mark.parametrize(
    "name",
    [
        "../../etc/passwd",
        "..",
        "/",
        "C:\\Users\\ada\\trips",
        "con",
        "a b; rm -rf ~",
        "<script>alert(1)</script>",
        "=HYPERLINK(1)",
        "поездки",
        "東京のタクシー",
        "رحلات",
        "é" * 200,
        "'; DROP TABLE charges; --",
    ],
)
def test_a_hostile_name_stays_a_name_and_never_becomes_a_path(name: str, counts: ExactCounts, tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "inner" / "ledger.sqlite3")
    dataset = register(name, counts, total=TOTAL, ledger=ledger)
    release = publish(dataset, REQUEST)
    assert release.dataset == dataset.name
    assert open_dataset(name, ledger=ledger).charges
    assert {path.name for path in tmp_path.iterdir()} == {"inner"}
    assert {path.name for path in ledger.store.iterdir()} == {release.id}


@pytest.mark.parametrize(
    "name", ["", "   ", "a\x00b", "a\nb", "tab\there", "x" * 300, "\u202egpj.exe", "\ud800", 7, None]
)
def test_a_name_that_cannot_be_printed_is_refused(name: object, counts: ExactCounts, ledger: Ledger) -> None:
    with pytest.raises(InputError, match="name"):
        register(name, counts, total=TOTAL, ledger=ledger)  # type: ignore[arg-type]
    assert ledger.datasets() == []


def test_two_spellings_of_one_letter_are_one_name(
    dataset: Dataset, counts: ExactCounts, other_counts: ExactCounts
) -> None:
    register("cafe\u0301", other_counts, total=TOTAL, ledger=dataset.ledger)
    assert open_dataset("caf\u00e9", ledger=dataset.ledger).row.name == "caf\u00e9"


def test_an_unknown_file_gets_just_what_its_request_costs(counts: ExactCounts, ledger: Ledger) -> None:
    dataset = register_or_open("trips.parquet", counts, request=REQUEST, ledger=ledger)
    publish(dataset, REQUEST)
    assert dataset.remaining.epsilon == 0
    again = register_or_open("trips.parquet", counts, request=REQUEST, ledger=ledger)
    publish(again, REQUEST)
    other = ReleaseRequest(k=4, budget=Budget(epsilon=0.5), method="uniform_grid")
    with pytest.raises(LedgerRefusal):
        publish(register_or_open("trips.parquet", counts, request=other, ledger=ledger), other)


def test_a_stated_total_is_kept_for_an_unknown_file(counts: ExactCounts, ledger: Ledger) -> None:
    dataset = register_or_open("trips.csv", counts, request=REQUEST, total=Budget(epsilon=3.0), ledger=ledger)
    assert dataset.total.epsilon == 3
    with pytest.raises(LedgerRefusal, match="total"):
        register_or_open("trips.csv", counts, request=REQUEST, total=Budget(epsilon=4.0), ledger=ledger)


def test_a_request_that_cannot_be_run_registers_nothing(counts: ExactCounts, ledger: Ledger) -> None:
    with pytest.raises(InputError):
        register_or_open(
            "trips.csv", counts, request=ReleaseRequest(k=3, budget=Budget(epsilon=1.0), method="magic"), ledger=ledger
        )
    assert ledger.datasets() == []


def test_a_file_without_a_row_in_the_box_is_refused_before_the_door(counts: ExactCounts, ledger: Ledger) -> None:
    empty = ExactCounts.from_array(counts.grid, np.zeros((32, 32), np.int64))
    with pytest.raises(NothingInBox, match="--lon") as refused:
        register_or_open("empty", empty, request=REQUEST, ledger=ledger)
    assert refused.value.exit_code == 2
    assert ledger.datasets() == []


def test_strict_lets_an_empty_file_through_the_door(counts: ExactCounts, ledger: Ledger) -> None:
    empty = ExactCounts.from_array(counts.grid, np.zeros((32, 32), np.int64))
    dataset = register_or_open("empty", empty, request=REQUEST, ledger=ledger, strict=True)
    assert publish(dataset, REQUEST).status == "published"


def test_a_file_with_one_record_is_not_refused(counts: ExactCounts) -> None:
    cells = np.zeros((32, 32), np.int64)
    cells[3, 4] = 1
    refuse_if_empty(ExactCounts.from_array(counts.grid, cells))


def test_points_are_registered_too(ledger: Ledger) -> None:
    frame = plain_frame((0.0,) * 4, (1.0,) * 4)
    points = ExactPoints.from_array(frame, np.random.default_rng(3).random((500, 4)))
    dataset = register("trips 4-D", points, total=TOTAL, ledger=ledger)
    found = publish(dataset, REQUEST)
    assert list(found.centers.columns) == ["x0", "x1", "x2", "x3", "weight"]


def test_demonstration_data_are_marked_and_ample(counts: ExactCounts, tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "demo.sqlite3", demonstration=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        dataset = demonstration_dataset("nyc-taxi", counts, ledger=ledger)
        again = demonstration_dataset("nyc-taxi", counts.coarsened(16), ledger=ledger)
    assert dataset.total.epsilon == 10_000
    assert again.name != dataset.name and again.name.startswith("nyc-taxi (side 16")
    found = publish(dataset, REQUEST)
    assert found.demonstration and "demonstration" in found.files()["PRIVACY.md"].decode().lower()


def test_own_data_cannot_use_the_demonstration_ledger(counts: ExactCounts, ledger: Ledger, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="demonstration"):
        register("mine", counts, total=TOTAL, ledger=Ledger(tmp_path / "demo.sqlite3", demonstration=True))
    with pytest.raises(InputError, match="demonstration"):
        demonstration_dataset("nyc-taxi", counts, ledger=ledger)


def test_a_release_made_outside_is_refused_by_the_door(dataset: Dataset, counts: ExactCounts) -> None:
    for seed in (None, 4):
        outside = release(counts, 3, Budget(epsilon=0.5), method="uniform_grid", seed=seed)
        with pytest.raises(UnledgeredRelease, match=r"release\.request"):
            publish(dataset, outside)  # type: ignore[arg-type]
    assert dataset.charges == []


@pytest.mark.parametrize("wrong", [None, "trips", 5])
def test_what_is_no_request_or_no_dataset_is_refused(dataset: Dataset, wrong: object) -> None:
    with pytest.raises(InputError):
        publish(dataset, wrong)  # type: ignore[arg-type]
    with pytest.raises(InputError):
        publish(wrong, REQUEST)  # type: ignore[arg-type]


def test_neither_hash_nor_records_are_in_what_is_printed(dataset: Dataset) -> None:
    shown = repr(dataset) + repr(dataset.row) + repr(dataset.ledger) + repr(dataset.charges)
    assert dataset.row.content not in shown
    assert dataset.ledger.content_key.hex() not in shown


def test_a_capped_file_read_again_with_the_ledgers_coins_is_the_same_dataset(ledger: Ledger) -> None:
    import pandas as pd

    from dpviz.ingest import read_counts

    rng = np.random.default_rng(2)
    trips = pd.DataFrame(
        {
            "lon": rng.uniform(-74.04, -73.91, 3000),
            "lat": rng.uniform(40.71, 40.79, 3000),
            "rider": rng.integers(0, 50, 3000),
        }
    )
    box = GeoBox(-74.05, 40.70, -73.90, 40.80)

    def read(**more: object) -> ExactCounts:
        return read_counts(trips, box=box, side=32, lon="lon", lat="lat", person="rider", cap=3, **more)  # type: ignore[arg-type]

    dataset = register("riders", read(noise=ledger.cap_source()), total=TOTAL, ledger=ledger)
    again = open_dataset("riders", read(noise=Ledger(ledger.path).cap_source()), ledger=ledger)
    assert again.row == dataset.row
    with pytest.raises(LedgerRefusal, match="cap_source"):
        open_dataset("riders", read(), ledger=ledger)


@pytest.mark.parametrize("names", [("weight", "x"), ("x", "x"), ("x", "variance"), ("x", "\ud800")])
def test_names_of_columns_that_no_file_could_hold_are_refused_before_the_ledger(
    names: tuple[str, str], ledger: Ledger
) -> None:
    frame = plain_frame((0.0, 0.0), (1.0, 1.0), names=names)
    points = ExactPoints.from_array(frame, np.random.default_rng(3).random((50, 2)))
    with pytest.raises(InputError, match="columns"):
        register("names", points, total=TOTAL, ledger=ledger)
    with pytest.raises(InputError, match="columns"):
        release(points, 2, Budget(epsilon=0.5))
    assert ledger.datasets() == []
