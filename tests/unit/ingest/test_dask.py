"""Counting on Dask workers gives the same bits as counting here, whoever dies on the way."""

from __future__ import annotations

import gzip
import os
import signal
import socket
import ssl
import subprocess
import sys
import warnings
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import dask
import dask.dataframe
import numpy as np
import pandas as pd
import psutil
import pytest
from distributed import Client, LocalCluster, Security

import dpviz
from dpviz.errors import FileError, InputError, NothingInBox
from dpviz.ingest import read_counts, read_points
from dpviz.ingest.batches import Wanted
from dpviz.ingest.dask import engine as dask_engine, workers
from dpviz.ingest.formats.text_table import TextTable
from dpviz.ingest.sources import Place
from dpviz.ingest.tables import open_tables
from dpviz.noise import replayable_source

pytestmark = pytest.mark.filterwarnings("ignore::dpviz.ingest.dask.workers.ClusterWarning")  # its own tests: at the end

BOX = (-74.05, 40.70, -73.90, 40.80)
SIDE = 256
ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    with LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        processes=True,
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",
        memory_limit=0,
        silence_logs=50,
    ) as cluster:
        yield str(cluster.scheduler_address)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("trips")
    rng = np.random.default_rng(11)
    lon, lat = rng.uniform(-74.06, -73.89, 60_000), rng.uniform(40.69, 40.81, 60_000)
    lon[::1000] = np.nan
    trips = pd.DataFrame({"who": rng.integers(0, 900, 60_000), "lon": lon, "lat": lat})
    (place / "month=1").mkdir()
    trips[:20_000].to_parquet(place / "month=1" / "a.parquet", row_group_size=1500)
    trips[20_000:40_000].to_csv(place / "b.csv", index=False, lineterminator="\r\n")
    trips[40_000:50_000].to_csv(place / "c.csv", index=False, quoting=1)
    (place / "d.csv.gz").write_bytes(gzip.compress(trips[50_000:].to_csv(index=False).encode()))
    return place


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_engine, "PIECE_BYTES", 20_000)
    monkeypatch.setattr(dask_engine, "_HISTOGRAMS_READ", 0)  # many tasks, although the files are small


@pytest.mark.slow
def test_counts_and_report_are_those_of_the_local_engine(folder: Path, scheduler: str) -> None:
    here = read_counts(folder, box=BOX, side=SIDE, relation="replace")
    seen: list[tuple[int, int]] = []
    there = read_counts(
        folder,
        box=BOX,
        side=SIDE,
        relation="replace",
        engine="dask",
        scheduler=scheduler,
        progress=lambda done, total: seen.append((done, total)),
    )
    assert (here.to_numpy() == there.to_numpy()).all() and here.public_rows == there.public_rows == 60_000
    report, other = here.report, there.report
    assert (report.exact_inside, report.exact_unusable) == (other.exact_inside, other.exact_unusable)
    assert len(seen) > 4 and seen[-1][0] <= seen[-1][1]


@pytest.mark.slow
def test_a_worker_killed_in_the_middle_changes_nothing(folder: Path, scheduler: str) -> None:
    here = read_counts(folder, box=BOX, side=SIDE)
    killed: list[int] = []

    def kill_one(done: int, total: int) -> None:
        if not killed:
            with Client(scheduler) as client:
                victim = min(client.run(os.getpid).values())
            killed.append(victim)
            os.kill(victim, signal.SIGKILL)

    there = read_counts(folder, box=BOX, side=SIDE, engine="dask", scheduler=scheduler, progress=kill_one)
    assert killed and (here.to_numpy() == there.to_numpy()).all()


class Adding:
    """A client that notes who is asked to add what."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str, str | None]] = []

    def submit(self, _: Any, first: Any, second: Any, *, workers: Any = None, **options: Any) -> Any:
        near = None if workers is None else workers[0]
        assert near is None or (options["priority"] > 0 and options["allow_other_workers"])
        self.asked.append((first.name, second.name, near))
        return Part(f"({first.name}+{second.name})")


class Part:
    def __init__(self, name: str) -> None:
        self.name = name

    def result(self) -> str:
        return self.name


def test_sums_grow_on_the_worker_that_holds_them_and_meet_at_the_end() -> None:
    client = Adding()
    parts = ((worker, Part(f"{worker}{i}")) for i, worker in enumerate("ABAACB"))
    assert dask_engine.summed(client, parts) == "((B1+B5)+(((A0+A2)+A3)+C4))"  # type: ignore[comparison-overlap]
    assert [near for *_, near in client.asked] == ["A", "A", "B", None, None]
    assert dask_engine.summed(client, iter(())) is None


@pytest.mark.slow
@pytest.mark.parametrize("cap", [1, 7, 10**6])
def test_the_cap_is_over_all_files_and_keeps_the_same_records(folder: Path, scheduler: str, cap: int) -> None:
    here, there = (
        read_counts(folder, box=BOX, side=SIDE, person="who", cap=cap, noise=replayable_source(3), **engine)
        for engine in ({}, {"engine": "dask", "scheduler": scheduler})
    )
    assert (here.to_numpy() == there.to_numpy()).all()
    assert here.unit == there.unit and (cap > 1 or here.exact_total == 900)


@pytest.mark.slow
def test_points_come_in_the_order_of_the_files(folder: Path, scheduler: str) -> None:
    for capped in ({}, {"person": "who", "cap": 2}):
        here = read_points(folder, box=BOX, noise=replayable_source(4), **capped)
        there = read_points(
            folder, box=BOX, noise=replayable_source(4), engine="dask", scheduler=scheduler, stream=False, **capped
        )
        assert (here.exact_cube == there.exact_cube).all()
        if here.exact_persons is not None:
            assert (here.exact_persons == there.exact_persons).all()


@pytest.mark.slow
@pytest.mark.parametrize("cap", [1, 7])
def test_a_cap_on_points_is_held_on_the_workers_and_keeps_the_same_records(
    folder: Path, scheduler: str, cap: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Persons stand in several files; neither their rows nor their keys come here, and a release has the same bits."""
    asked = {"box": BOX, "person": "who", "cap": cap}
    here = read_points(folder, noise=replayable_source(4), **asked)
    there = read_points(folder, noise=replayable_source(4), engine="dask", scheduler=scheduler, **asked)
    assert there.exact_total == here.exact_total and here.unit == there.unit
    monkeypatch.setattr(there._rows, "gathered", lambda: pytest.fail("rows were gathered"))  # type: ignore[attr-defined]
    budget = dpviz.Budget(epsilon=2.0)
    one, other = (dpviz.release(data, 3, budget, "adaptive_tree", seed=1) for data in (here, there))
    assert isinstance(one, dpviz.Release) and isinstance(other, dpviz.Release)
    assert (one.raw_centers == other.raw_centers).all() and one.guarantee == other.guarantee
    monkeypatch.undo()
    assert (np.sort(here.exact_cube, axis=0) == np.sort(there.exact_cube, axis=0)).all()


@pytest.mark.slow
def test_errors_of_workers_are_those_of_the_local_engine(tmp_path: Path, scheduler: str) -> None:
    pd.DataFrame({"lon": [-74.0] * 9, "lat": [40.75] * 9}).to_parquet(tmp_path / "a.parquet", row_group_size=3)
    whole = (tmp_path / "a.parquet").read_bytes()
    (tmp_path / "a.parquet").write_bytes(whole[:4] + bytes(100) + whole[104:])
    with pytest.raises(FileError, match="damaged"):
        read_counts(tmp_path, box=BOX, side=4, engine="dask", scheduler=scheduler)
    (tmp_path / "a.parquet").write_bytes(whole)
    with pytest.raises(NothingInBox):
        read_counts(tmp_path, box=(1, 2, 3, 4), side=4, engine="dask", scheduler=scheduler)


def test_large_histograms_are_made_for_many_bytes_only(folder: Path) -> None:
    tables = open_tables(folder)
    jobs = [(table, Wanted(columns=("lon", "lat"))) for table in tables]
    whole = sum(max(table.size, 1) for table in tables)
    many, few, fewest = (dask_engine._groups(jobs, None, 2, least=bytes_) for bytes_ in (0, whole // 5, 100 * whole))
    assert 8 < len(many) <= 16 and 2 < len(few) <= 5 and len(fewest) == 2
    for groups in (many, few, fewest):  # nothing is lost, nothing is there twice
        assert sorted(str(piece) for group in groups for piece in group) == sorted(str(p) for g in many for p in g)
    sizes = [sum(piece.size for piece in group) for group in fewest]
    assert max(sizes) < 0.8 * sum(sizes)


def test_a_scheduler_that_does_not_answer_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "CONNECT_SECONDS", 0.3)
    for address in ("tcp://127.0.0.1:9", "nonsense://"):
        with pytest.raises(InputError, match="no Dask scheduler answers"):
            read_counts(folder, box=BOX, side=4, engine="dask", scheduler=address)
    with pytest.raises(InputError, match="name none: set"):
        read_counts(folder, box=BOX, side=4, engine="dask", scheduler="tls://127.0.0.1:9")


def test_tables_in_memory_need_no_workers() -> None:
    assert read_counts(np.array([[-74.0, 40.75]]), box=BOX, side=1, engine="dask").exact_total == 1


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("last", [True, False])
def test_pieces_of_a_text_hold_every_line_once(end: str, last: bool) -> None:
    """Cut at every byte: a line belongs to the piece in which it begins."""
    rows = [f"{i % 7},{'9' * (i % 5)},{i}" for i in range(30)]
    text = end.join(["a,lon,lat", *rows]) + (end if last else "")
    table = TextTable(Place(label="x", path="x", content=text.encode()))
    wanted = Wanted(columns=("lat", "a"))

    def rows_of(part: Any) -> list[tuple[float, ...]]:
        return [
            row for batch in table.batches(wanted, part) for row in zip(*(a.tolist() for a in batch.axes), strict=True)
        ]

    whole = rows_of(None)
    assert len(whole) == 30
    for size in (1, 2, 3, 5, 8, 13, 50, 400):
        edges = [*range(0, len(text), size), len(text)]
        parts = [dask_engine.Part(first_byte=a, last_byte=b) for a, b in pairwise(edges)]
        assert [row for part in parts for row in rows_of(part)] == whole, size


@pytest.mark.slow
def test_own_workers_listen_on_this_machine_alone_and_are_gone_afterwards(folder: Path) -> None:
    before = {child.pid for child in psutil.Process().children(recursive=True)}
    others = _listening([psutil.Process(), *psutil.Process().children(recursive=True)])  # of the other tests' cluster
    addresses: set[str] = set()
    started: set[int] = set()
    strangers: list[str] = []

    def look(done: int, total: int) -> None:
        if not started:
            family = [psutil.Process(), *psutil.Process().children(recursive=True)]
            started.update({process.pid for process in family} - before)
            new = _listening(family) - others
            addresses.update(address for address, _ in new)
            strangers.extend(_said_to_a_stranger(port) for _, port in new)

    here = read_counts(folder, box=BOX, side=SIDE)
    there = read_counts(folder, box=BOX, side=SIDE, engine="dask", progress=look)
    assert (here.to_numpy() == there.to_numpy()).all()
    assert addresses == {"127.0.0.1"} and len(started) > 2
    # Each port of scheduler, workers and nannies wants a certificate, or serves pages and has none.
    assert strangers and set(strangers) <= {"a certificate is wanted", "no TLS and not found"}, strangers
    assert strangers.count("a certificate is wanted") >= 3
    assert {child.pid for child in psutil.Process().children(recursive=True)} <= before


def test_who_hangs_up_on_own_workers_leaves_no_error_behind() -> None:
    credentials = workers._unshaken(Security).temporary()
    for role in ("scheduler", "client", "worker"):
        for given in (credentials.get_listen_args(role), credentials.get_connection_args(role)):
            assert given["ssl_context"].options & ssl.OP_IGNORE_UNEXPECTED_EOF, role
            assert given["ssl_context"].verify_mode is ssl.CERT_REQUIRED


@pytest.mark.slow
def test_a_plain_script_without_a_guard_may_use_workers(folder: Path) -> None:
    """Workers that were started by `multiprocessing` would run the script again."""
    lines = [
        "import dpviz",
        "print('once')",
        f"counts = dpviz.read_counts({str(folder)!r}, box={BOX!r}, side=8, engine='dask')",
        "print(counts.exact_total)",
    ]
    (folder.parent / "script.py").write_text("\n".join(lines))
    done = subprocess.run(
        [sys.executable, str(folder.parent / "script.py")],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["once", str(read_counts(folder, box=BOX, side=8).exact_total)]
    assert done.stderr == ""


def _listening(family: list[psutil.Process]) -> set[tuple[str, int]]:
    return {
        (each.laddr.ip, each.laddr.port)
        for process in family
        for each in process.net_connections("inet")
        if each.status == "LISTEN"
    }


def _said_to_a_stranger(port: int) -> str:
    """What somebody without the credentials of this start gets."""
    anybody = ssl.create_default_context()
    anybody.check_hostname, anybody.verify_mode = False, ssl.CERT_NONE
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=1) as line, anybody.wrap_socket(line) as locked:
            return f"let in: {locked.recv(100)!r}"
    except OSError as refused:  # a server of pages waits for more words until the time is over
        if "CERTIFICATE_REQUIRED" in str(refused).upper():
            return "a certificate is wanted"
    with socket.create_connection(("127.0.0.1", port), timeout=10) as line:
        line.sendall(b"GET /info/main/workers.html HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        answer = line.recv(200)
        return "no TLS and not found" if answer.startswith(b"HTTP/1.1 404") else f"no TLS: {answer!r}"


def test_a_named_scheduler_without_tls_is_taken_with_a_warning(folder: Path, scheduler: str) -> None:
    with pytest.warns(workers.ClusterWarning, match="without TLS"):
        read_counts(folder / "b.csv", box=BOX, side=4, engine="dask", scheduler=scheduler)


def test_a_scheduler_whose_address_leaves_tls_open_is_refused(folder: Path) -> None:
    with pytest.raises(InputError, match=r"tls://localhost:8786.*tcp://localhost:8786"):
        read_counts(folder, box=BOX, side=4, engine="dask", scheduler="localhost:8786")


@pytest.mark.parametrize(("limit", "spill", "said"), [(1 << 30, 0.7, True), (1 << 30, False, False), (0, 0.7, False)])
def test_workers_that_would_write_records_to_disk_are_told_of(limit: int, spill: float | bool, said: bool) -> None:
    worker = SimpleNamespace(memory_manager=SimpleNamespace(memory_limit=limit))
    client = SimpleNamespace(run=lambda ask: {"tcp://a:1": ask(dask_worker=worker)})
    with (
        dask.config.set({"distributed.worker.memory.spill": spill, "distributed.worker.memory.target": False}),
        warnings.catch_warnings(record=True) as heard,
    ):
        warnings.simplefilter("always")
        workers._say_if_it_spills(client, "tls://x")
    assert [str(each.message).partition(" what")[0] for each in heard] == (
        ["workers of the scheduler at tls://x write to disk"] if said else []
    )


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "tls://127.0.0.1:9"])
def test_a_scheduler_that_does_not_answer_leaves_the_process_as_it_was(address: str) -> None:
    """A client that failed must not stay Dask's default: every later computation of the process would wait for it."""
    frame = dask.dataframe.from_pandas(pd.DataFrame({"lon": [-74.0], "lat": [40.75]}), npartitions=1)
    with pytest.raises(InputError), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        read_counts(frame, box=BOX, side=SIDE, engine="dask", scheduler=address)
    assert dask.config.get("scheduler", None) is None
    assert read_counts(frame, box=BOX, side=SIDE).exact_total == 1
