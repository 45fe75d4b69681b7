"""Nothing exact leaves through the door: no file, message, ledger page or log holds a number computed from people."""

from __future__ import annotations

import logging
import os
import re
import threading
import time
import traceback
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpviz.domain import ExactCounts, ExactPoints, GeoBox, Grid
from dpviz.domain.report import ReadReport
from dpviz.errors import DpvizError, LedgerRefusal, UnledgeredRelease
from dpviz.ingest import read_counts, read_points
from dpviz.ledger.ledger import Ledger
from dpviz.mechanisms import catalogue
from dpviz.mechanisms.uniform_grid import UniformGrid
from dpviz.noise import NoiseSource, replayable_source
from dpviz.privacy import Budget
from dpviz.publishing import door
from dpviz.publishing.datasets import Dataset
from dpviz.publishing.door import publish, quote
from dpviz.publishing.mechanism_run import preview, release
from dpviz.publishing.registration import register
from dpviz.publishing.standin import make_standin
from dpviz.releases.about import About
from dpviz.releases.request import ReleaseRequest

BOX = GeoBox(-74.05, 40.70, -73.90, 40.80)
TELLING = 918_273_645  # records in one cell: a number that nothing else makes
REQUEST = ReleaseRequest(k=3, budget=Budget(epsilon=0.5), method="uniform_grid")


def telling_counts() -> ExactCounts:
    cells = np.zeros((16, 16), np.int64)
    cells[3, 5] = TELLING
    return ExactCounts.from_array(Grid(BOX, 16), cells)


def digits() -> re.Pattern[bytes]:
    return re.compile(rb"918[.,_ ]?273[.,_ ]?645(?!\d)")


def written_out(number: int) -> re.Pattern[bytes]:
    """The number with or without marks between its thousands."""
    return re.compile(rb"(?<!\d)" + f"{number:,}".replace(",", "[.,_ ]?").encode() + rb"(?!\d)")


def telling_report() -> ReadReport:
    """What became of the rows of a file, in numbers that nothing else makes."""
    report = ReadReport(columns=("lon", "lat"), reason="by their names", files=1, kinds=("CSV",), degrees=True)
    report.add(np.array([987_654_321 + TELLING, 876_543_219, 765_432_198, 0, 0, 0, 0, 0]))
    report.note_total(654_321_987)
    return report


@pytest.fixture
def dataset(tmp_path: Path) -> Dataset:
    return register("telling", telling_counts(), total=Budget(epsilon=2.0), ledger=tmp_path / "ledger.sqlite3")


def test_no_file_of_a_release_holds_an_exact_number() -> None:
    found = release(telling_counts(), 3, Budget(epsilon=0.5), "uniform_grid", seed=11)
    for name, content in found.files().items():
        assert not digits().search(content), name
    assert digits().search(str(TELLING).encode()), "the search must find what it looks for"


def test_the_ledger_file_holds_no_count_and_no_open_hash(dataset: Dataset, tmp_path: Path) -> None:
    with pytest.raises(LedgerRefusal):
        publish(dataset, ReleaseRequest(k=3, budget=Budget(epsilon=5.0), method="uniform_grid"))
    pages = b"".join(path.read_bytes() for path in tmp_path.glob("ledger.sqlite3*") if path.is_file())
    assert not digits().search(pages)
    other = Ledger(tmp_path / "other.sqlite3")
    assert telling_counts().keyed_digest(other.content_key) != dataset.row.content


def test_of_the_likeness_of_records_a_ledger_keeps_nothing_that_another_one_keeps(tmp_path: Path) -> None:
    """Sums and sizes are blinded by the ledger's key: who holds the file and not the key reads no number from it."""
    kept = []
    for name in ("one.sqlite3", "two.sqlite3"):
        ledger = Ledger(tmp_path / name)
        register("telling", telling_counts(), total=Budget(epsilon=1.0), ledger=ledger)
        (note,) = ledger.notes("likeness")
        kept.append(values_in(note.facts))
    assert len(kept[0]) > 60 and not kept[0] & kept[1]
    assert min(int(value) for value in kept[0] if isinstance(value, int)) > 2**32


def values_in(facts: Any) -> set[Any]:
    """All numbers and texts in nested facts, the names left out."""
    if isinstance(facts, dict | list):
        parts = facts.values() if isinstance(facts, dict) else facts
        return {value for part in parts for value in values_in(part)}
    return {facts}


def test_what_publishing_is_said_to_cost_and_to_give_hangs_on_public_facts_alone(tmp_path: Path) -> None:
    """An approver and everybody who looks over a shoulder may see the quote of a dataset whose size is secret."""
    few, many = (
        register(
            f"{size}",
            ExactCounts.from_array(Grid(BOX, 16), np.full((16, 16), size)),
            total=Budget(epsilon=2.0),
            ledger=tmp_path / "ledger.sqlite3",
        )
        for size in (1, 40_000)
    )
    for method in ("auto", "uniform_grid", "noisy_lloyd"):
        request = replace(REQUEST, method=method)
        assert quote(few, request) == quote(many, request)
        assert quote(few, request).expected is None


def test_no_hash_of_the_source_leaves_the_house(dataset: Dataset) -> None:
    found = publish(dataset, REQUEST)
    everything = b"".join(found.files().values())
    for secret in (dataset.row.content, dataset.ledger.content_key.hex()):
        assert secret.encode() not in everything


def test_releases_say_neither_when_nor_how_long(dataset: Dataset) -> None:
    text = publish(dataset, REQUEST).files()["release.json"].decode()
    assert not re.search(r"seconds|duration|created|\d{4}-\d{2}-\d{2}T", text)


def test_a_method_that_fails_with_exact_data_in_its_text_says_none_of_it(
    dataset: Dataset, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(self: Any, data: ExactCounts, plan: Any, noise: Any) -> Any:
        raise ValueError(f"cannot handle {data.exact_cells.max()} records")

    with monkeypatch.context() as patched, caplog.at_level(logging.DEBUG):
        patched.setattr(UniformGrid, "run", broken)
        with pytest.raises(DpvizError) as failed:
            publish(dataset, REQUEST)
    told = "".join(traceback.format_exception(failed.value)) + caplog.text + repr(failed.value.values)
    assert not digits().search(told.encode())
    assert "ValueError" in str(failed.value) and len(dataset.charges) == 1
    assert publish(dataset, REQUEST).status == "published"
    assert len(dataset.charges) == 1


def test_every_error_of_the_door_is_silent_about_the_records(dataset: Dataset) -> None:
    from dataclasses import replace

    cells = telling_counts().to_numpy()
    cells[0, 0] = 1
    changed = ExactCounts.from_array(Grid(BOX, 16), cells)
    attempts: list[Any] = [
        lambda: publish(dataset, ReleaseRequest(k=3, budget=Budget(epsilon=5.0), method="uniform_grid")),
        lambda: publish(replace(dataset, data=changed), REQUEST),
        lambda: publish(replace(dataset, data=None), REQUEST),
        lambda: register("telling", changed, total=Budget(epsilon=2.0), ledger=dataset.ledger),
        lambda: publish(dataset, ReleaseRequest(k=3, budget=Budget(epsilon=0.5), method="magic")),
        lambda: publish(telling_counts(), REQUEST),  # type: ignore[arg-type]
    ]
    for attempt in attempts:
        with pytest.raises(DpvizError) as failed:
            attempt()
        told = "".join(traceback.format_exception(failed.value)) + repr(failed.value.values)
        assert not digits().search(told.encode())


def test_the_door_refuses_any_source_but_the_secure_one(dataset: Dataset, monkeypatch: pytest.MonkeyPatch) -> None:
    def seeded() -> NoiseSource:
        return replayable_source(1)

    monkeypatch.setattr(door, "secure_source", seeded)
    with pytest.raises(UnledgeredRelease, match="secure source only"):
        publish(dataset, REQUEST)
    assert dataset.charges == []


def test_the_charge_is_in_the_ledger_before_the_first_random_number(
    dataset: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest, seen = UniformGrid.run, []

    def watched(self: Any, data: Any, plan: Any, noise: Any) -> Any:
        seen.append(len(Ledger(dataset.ledger.path).charges()))
        return honest(self, data, plan, noise)

    monkeypatch.setattr(UniformGrid, "run", watched)
    publish(dataset, REQUEST)
    assert seen == [1]


def test_a_rerun_draws_nothing_and_spends_nothing(dataset: Dataset, monkeypatch: pytest.MonkeyPatch) -> None:
    first = publish(dataset, REQUEST)
    monkeypatch.setattr(UniformGrid, "run", lambda *_: pytest.fail("drawn twice"))
    for _ in range(3):
        again = publish(dataset, REQUEST)
        assert again.files() == first.files() and again.id == first.id
    assert len(dataset.charges) == 1


def test_auto_and_the_method_it_means_are_one_release(dataset: Dataset, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "choose", lambda name, public, **_: catalogue.get("uniform_grid"))
    first = publish(dataset, ReleaseRequest(k=3, budget=Budget(epsilon=0.5)))
    assert first.files() == publish(dataset, REQUEST).files()
    monkeypatch.setattr(catalogue, "choose", lambda name, public, **_: pytest.fail("a stored request is not planned"))
    assert first.files() == publish(dataset, ReleaseRequest(k=3, budget=Budget(epsilon=0.5))).files()
    assert len(dataset.charges) == 1


def test_a_new_choice_of_auto_does_not_charge_an_old_request_again(
    dataset: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    request = ReleaseRequest(k=3, budget=Budget(epsilon=0.5))
    with monkeypatch.context() as patched:
        patched.setattr(catalogue, "choose", lambda name, public, **_: catalogue.get("uniform_grid"))
        patched.setattr(door, "write_folder", lambda *_, **__: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            publish(dataset, request)
    # Charged and not stored; meanwhile a newer version would choose another method for `auto`.
    completed = publish(dataset, request)
    assert completed.method == "uniform_grid" and len(dataset.charges) == 1


def test_a_charge_left_by_a_crash_does_not_pay_for_a_run_that_costs_more(
    dataset: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    request = ReleaseRequest(k=3, budget=Budget(epsilon=0.5, delta=1e-9), method="uniform_grid")  # charged as pure
    with monkeypatch.context() as patched:
        patched.setattr(door, "write_folder", lambda *_, **__: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            publish(dataset, request)
    honest = UniformGrid.plan

    def dearer(self: Any, public: Any, *, k: int, budget: Budget) -> Any:
        plan = honest(self, public, k=k, budget=budget)
        return replace(plan, charges=(replace(plan.charges[0], delta=budget.delta), *plan.charges[1:]))

    with monkeypatch.context() as patched:
        patched.setattr(UniformGrid, "plan", dearer)
        patched.setattr(UniformGrid, "run", lambda *_: pytest.fail("drawn for less than it costs"))
        with pytest.raises(LedgerRefusal, match="version"):
            publish(dataset, request)
    assert publish(dataset, request).status == "published" and len(dataset.charges) == 1


def test_eight_threads_with_the_same_request_run_it_once(dataset: Dataset, monkeypatch: pytest.MonkeyPatch) -> None:
    honest, runs = UniformGrid.run, []

    def counted(self: Any, data: Any, plan: Any, noise: Any) -> Any:
        runs.append(1)
        time.sleep(0)
        return honest(self, data, plan, noise)

    monkeypatch.setattr(UniformGrid, "run", counted)
    gate, found = threading.Barrier(8), []

    def work() -> None:
        gate.wait()
        found.append(publish(dataset, REQUEST).files())

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(runs) == 1 and len(found) == 8 and all(files == found[0] for files in found)


def hostile_counts() -> dict[str, ExactCounts]:
    empty, one, corner = (np.zeros((16, 16), np.int64) for _ in range(3))
    one[7, 7] = 1
    corner[15, 0] = 3_000_000
    grid = Grid(BOX, 16)
    return {
        name: ExactCounts.from_array(grid, cells)
        for name, cells in {"empty": empty, "one": one, "corner": corner}.items()
    }


@pytest.mark.parametrize("name", ["empty", "one", "corner"])
def test_whatever_a_valid_file_holds_goes_through_the_door(name: str, tmp_path: Path) -> None:
    dataset = register(name, hostile_counts()[name], total=Budget(epsilon=1.0), ledger=tmp_path / "ledger.sqlite3")
    for k in (1, 40):
        found = publish(dataset, ReleaseRequest(k=k, budget=Budget(epsilon=0.5), method="uniform_grid"))
        assert len(found.centers) == k  # type: ignore[union-attr]
        assert set(os.listdir(dataset.ledger.folder_of(found.id))) == set(found.files())


def test_what_became_of_the_rows_of_a_file_changes_no_byte_of_a_release(tmp_path: Path) -> None:
    rows = [f"{-74.04 + 0.0001 * (i % 1300):.4f},{40.71 + 0.0001 * (i % 701):.4f}" for i in range(4_321)]
    outside, unusable = ["0.5,0.5"] * 777, [","] * 55
    (tmp_path / "trips.csv").write_text("\n".join(["lon,lat", *rows, *outside, *unusable]), encoding="utf-8")
    budget = Budget(epsilon=0.5)
    counts = read_counts(tmp_path / "trips.csv", box=BOX, side=32)
    points = read_points(tmp_path / "trips.csv", columns=("lon", "lat"), box=BOX)
    for read, silent in (
        (counts, ExactCounts.from_array(counts.grid, counts.to_numpy())),
        (points, ExactPoints(points.frame, points.exact_cube.copy())),
    ):
        assert read.report is not None and read.report.exact_rows == 5_153 and silent.report is None
        for method in ("auto", "uniform_grid", "noisy_lloyd", "sample_aggregate"):
            assert (
                release(read, 2, budget, method, seed=5).files() == release(silent, 2, budget, method, seed=5).files()
            )


def test_no_file_of_a_publication_holds_a_number_of_the_report(tmp_path: Path) -> None:
    counts, report = telling_counts(), telling_report()
    counts.report = report
    dataset = register("telling", counts, total=Budget(epsilon=2.0), ledger=tmp_path / "ledger.sqlite3")
    publish(dataset, REQUEST, about=About(title="Trips", publisher="A city"))
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(written) > 8  # the folder, its feed and the ledger
    numbers = [report.exact_rows, report.exact_inside, report.exact_outside, report.exact_unusable, report.exact_total]
    assert min(numbers) > 10**8 and len(set(numbers)) == len(numbers)
    for path in written:
        for number in numbers:
            assert not written_out(number).search(path.read_bytes()), path.name


def test_nothing_is_said_of_the_records_while_they_are_read_drawn_and_published(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str], recwarn: Any
) -> None:
    """Logs of every level, both outputs of the process and warnings: a server keeps them, and others read them."""
    numbers = {"rows": 53_579, "inside": 21_347, "outside": 17_753, "unusable": 14_479}
    rows = ["-74.0,40.75"] * numbers["inside"] + ["1,1"] * numbers["outside"] + [","] * numbers["unusable"]
    (tmp_path / "trips.csv").write_text("\n".join(["lon,lat", *rows]), encoding="utf-8")
    caplog.set_level(1)
    counts = read_counts(tmp_path / "trips.csv", box=BOX, side=16)
    assert counts.report is not None and counts.report.exact_rows == numbers["rows"]
    points = read_points(tmp_path / "trips.csv", columns=("lon", "lat"), box=BOX)
    for name in ("auto", "uniform_grid", "noisy_lloyd", "hybrid", "sample_aggregate", "subsampled:uniform_grid"):
        for data in (counts, points):
            preview(data, 2, Budget(epsilon=0.5), name)
            release(data, 2, Budget(epsilon=0.5), name)
    for at, data in enumerate((counts, points)):
        dataset = register(f"trips {at}", data, total=Budget(epsilon=2.0), ledger=tmp_path / "l.db", standin_share=0.2)
        make_standin(dataset)
        publish(dataset, REQUEST)
        quote(dataset, replace(REQUEST, k=4))
    said = capfd.readouterr()
    usual = vars(logging.makeLogRecord({})).keys() - {"args"}
    logged = [
        f"{record.getMessage()} { {name: value for name, value in vars(record).items() if name not in usual} }"
        for record in caplog.records
    ]
    everything = "\n".join([said.out, said.err, *logged, *(str(warning.message) for warning in recwarn)]).encode()
    assert not [number for number in numbers.values() if written_out(number).search(everything)]
    assert not [record.name for record in caplog.records if record.name.startswith("dpviz")]
