"""A reading is a program of its own: the same counts, and whatever a file does, it does to that program alone."""

from __future__ import annotations

import dataclasses
import gc
import io
import os
import time
import zipfile
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pyarrow.parquet as parquet
import pytest

from dpviz.errors import DpvizError
from dpviz.hosting.config import Limits
from dpviz.hosting.reading_process import OWN_LIMITS, Given, RunningReading, Wish
from dpviz.ingest import read_counts
from dpviz.ledger.ledger import Ledger
from dpviz.ui.own_data import page_running

BOX = "-74.05,40.7,-73.9,40.8"
WISH = Wish(box=BOX, lon="lon", lat="lat", side=64)
ROWS = b"lon,lat\n" + b"-73.987654,40.751234\n" * 2000


def billions() -> bytes:
    """A small file that states many rows."""
    table = pa.table({"lon": np.full(4_000_000, -74.0), "lat": np.full(4_000_000, 40.75)})
    file = io.BytesIO()
    parquet.write_table(table, file, compression="zstd")
    return file.getvalue()


def bomb() -> bytes:
    """A workbook of some kilobytes that unpacks to a gigabyte."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        with archive.open("xl/workbook.xml", "w", force_zip64=True) as inside:
            for _ in range(64):
                inside.write(b" " * 2**24)
    return file.getvalue()


@pytest.fixture(autouse=True)
def house(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, project_root: Path) -> None:
    monkeypatch.setenv("DPVIZ_LEDGER", str(tmp_path / "ledger.sqlite3"))
    monkeypatch.setenv("PYTHONPATH", str(project_root))


def test_it_counts_what_a_reading_here_counts() -> None:
    reading = RunningReading(Given(name="a.csv", content=ROWS), WISH, Limits())
    counts, hints = reading.counts()
    here = read_counts(io.BytesIO(ROWS), box=BOX, side=64, lon="lon", lat="lat", protect="record")
    key = b"k" * 32
    assert counts.keyed_digest(key) == here.keyed_digest(key) and hints == tuple(
        here.report.hints if here.report else ()
    )


@pytest.mark.parametrize("strict", [False, True])
def test_a_file_that_is_looked_at_through_its_stand_in_gives_a_steward_no_hint(strict: bool) -> None:
    """Hints hang on the records: that most of them look swapped is exact."""
    rows = ROWS + b"40.751234,-73.987654\n" * 3000
    counts, hints = RunningReading(
        Given(name="a.csv", content=rows), dataclasses.replace(WISH, strict=strict), Limits()
    ).counts()
    assert bool(hints) is not strict and counts.report is None and counts.exact_total == 2000


def test_a_person_cap_keeps_the_same_rows_each_time_and_needs_no_ledger_there(tmp_path: Path) -> None:
    rows = b"lon,lat,rider\n" + b"".join(b"-73.98%02d,40.75,%d\n" % (i % 100, i % 7) for i in range(3000))
    wish = Wish(box=BOX, lon="lon", lat="lat", person="rider", cap=2, side=64)
    coins = Ledger(tmp_path / "ledger.sqlite3").cap_source()
    counts, _ = RunningReading(Given(name="a.csv", content=rows), wish, Limits(), coins.seed or 0).counts()
    here = read_counts(io.BytesIO(rows), box=BOX, side=64, lon="lon", lat="lat", person="rider", cap=2, noise=coins)
    assert counts.exact_total == 14 and counts.keyed_digest(b"k" * 32) == here.keyed_digest(b"k" * 32)


def test_limits_are_looked_at_before_the_work(tmp_path: Path) -> None:
    large = tmp_path / "large.csv"
    large.write_bytes(ROWS)
    os.truncate(large, 3 * 2**20)
    os.mkfifo(tmp_path / "pipe.csv")
    for given, limits, said in (
        (Given(name="b.parquet", content=billions()), Limits(rows=10**6), "4,000,000 rows"),
        (Given(name="Taxi", place=str(large)), Limits(file_mb=2), "3 MB"),
        (Given(name="Taxi", place=str(tmp_path / "pipe.csv")), Limits(), "ordinary file"),
        (Given(name="Taxi", place="/dev/zero"), Limits(), "ordinary file"),
    ):
        with pytest.raises(DpvizError, match=said) as refused:
            RunningReading(given, WISH, limits).counts()
        assert str(tmp_path) not in str(refused.value)  # where the administrator's data lie


def test_a_bomb_ends_in_one_sentence_within_its_memory() -> None:
    content = bomb()
    assert len(content) < 2 * 2**20
    with pytest.raises(DpvizError):
        RunningReading(Given(name="trips.xlsx", content=content), None, Limits(memory_mb=600, seconds=60)).columns()


def test_time_is_up_and_cancelled_and_forgotten_readings_end() -> None:
    slow = Given(name="b.parquet", content=billions())
    with pytest.raises(DpvizError, match="longer than 0 seconds"):
        RunningReading(slow, WISH, Limits(seconds=0)).counts()
    cancelled = RunningReading(slow, WISH, Limits())
    cancelled.cancel()
    with pytest.raises(DpvizError, match="cancelled"):
        cancelled.counts()
    forgotten = RunningReading(slow, WISH, Limits())
    program = forgotten._program
    del forgotten
    gc.collect()
    assert program.wait(timeout=20) != 0


def test_no_more_readings_at_once_than_the_house_allows() -> None:
    limits = Limits(readings_at_once=1)
    first = RunningReading(Given(name="a.csv", content=ROWS), WISH, limits)
    with pytest.raises(DpvizError, match="under way"):
        RunningReading(Given(name="a.csv", content=ROWS), WISH, limits)
    first.cancel()
    deadline = time.monotonic() + 20
    while not first.is_done and time.monotonic() < deadline:
        first.wait(0.1)
    RunningReading(Given(name="a.csv", content=ROWS), WISH, limits).cancel()


def test_an_interrupted_run_of_a_page_ends_its_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    """What Streamlit does where somebody clicks on Cancel, closes the dialog or closes the tab."""

    class Interrupted(BaseException):
        pass

    def interrupt(*_: object) -> None:
        raise Interrupted

    for place in ("register", None):
        reading = RunningReading(Given(name="b.parquet", content=billions()), WISH, Limits())
        monkeypatch.setattr(page_running.st, "progress", lambda *_: SimpleNamespace(progress=interrupt))
        monkeypatch.setattr(reading, "wait", lambda seconds: False)
        with pytest.raises(Interrupted):
            page_running.follow_reading(reading, "b.parquet", place)
        assert reading._program.wait(timeout=20) != 0


def test_a_reading_at_home_follows_links_and_names_the_path(tmp_path: Path) -> None:
    """A hosted house refuses both; at home the curator chose the place."""
    folder = tmp_path / "rides"
    folder.mkdir()
    (tmp_path / "a.csv").write_bytes(ROWS)
    (folder / "a.csv").symlink_to(tmp_path / "a.csv")
    for is_own in (True, False):
        reading = RunningReading(Given(name="rides", place=str(folder), is_own=is_own), WISH, OWN_LIMITS)
        if is_own:
            assert reading.counts()[0].exact_total == 2000 and reading.report["inside"] == 2000
        else:
            with pytest.raises(DpvizError, match="leads out of its folder"):
                reading.counts()
    missing = str(tmp_path / "b.csv")
    with pytest.raises(DpvizError, match="there is no file") as refused:
        RunningReading(Given(name="b.csv", place=missing, is_own=True), WISH, OWN_LIMITS).counts()
    assert missing in str(refused.value)


def test_facts_of_a_reading_are_those_of_older_ledgers_and_come_back() -> None:
    old = {"box": BOX, "lon": "lon", "lat": "lat", "person": "", "cap": 0, "side": 64, "strict": False}
    assert WISH.facts() == old and Wish.from_facts(old) == WISH
    own = dataclasses.replace(WISH, crs="swapped", separator=";", decimal=",")
    assert Wish.from_facts(own.facts()) == own and own.form.header is False
