"""Simulated records streamed through two Dask workers: speed, memory meanwhile, and a result that is checked.

A synthetic city is written as Parquet parts, at most 16 of 6.25 million records (1.6 GB in the temporary folder); more
records are the same parts listed again. They are read by the public `read_counts(engine="dask", scheduler=…)`. Two
runs, the first over a tenth of the parts: memory is flat when the larger worker of the second needs no more.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from dpviz.domain import ExactCounts
from dpviz.errors import InputError
from dpviz.ingest import read_counts
from dpviz.ingest.dask.workers import workers_started
from dpviz_research.memory import WorkerMemory, peak_megabytes
from dpviz_research.synthetic import SYNTHETIC_BOX, synthetic_chunks

Rows = list[dict[str, Any]]

WORKERS = 2
PARTS, LARGEST_PART = 16, 6_250_000
ROW_GROUP = 1 << 20
USUAL, QUICK = 100_000_000, 8_000_000
SIDE, QUICK_SIDE = 4096, 1024
SEED = 1


def billion(*, quick: bool = False, records: int | None = None) -> Rows:
    """One row for a tenth of the records, one for all of them, one for each tenth of that run's time."""
    asked = records if records is not None else QUICK if quick else USUAL
    if asked < PARTS:
        raise InputError(f"--records {asked}: give {PARTS} or more.")
    side = QUICK_SIDE if quick else SIDE
    times = -(-asked // (PARTS * LARGEST_PART))
    with tempfile.TemporaryDirectory(prefix="dpviz-bench-") as folder:
        parts = write_parts(Path(folder), asked // (PARTS * times))
        listed = parts * times
        tenth = listed[: max(1, len(listed) // 10)]
        small, _ = streamed("a tenth of the records", tenth, side)
        large, memory = streamed("all records", listed, side)
    large["largest_worker_against_a_tenth"] = round(large["largest_worker_mb"] / small["largest_worker_mb"], 3)
    return [small, large, *memory.tenths()]


def write_parts(folder: Path, size: int) -> list[Path]:
    """The city in parts of `size` records, one Parquet file each."""
    paths = []
    for number, points in enumerate(synthetic_chunks(PARTS * size, SEED, chunk=size)):
        path = folder / f"part-{number:02d}.parquet"
        table = pa.table({"lon": np.ascontiguousarray(points[:, 0]), "lat": np.ascontiguousarray(points[:, 1])})
        pq.write_table(table, path, row_group_size=ROW_GROUP)
        paths.append(path)
    return paths


def streamed(what: str, listed: Sequence[Path], side: int) -> tuple[dict[str, Any], WorkerMemory]:
    """One run on fresh workers. The result is compared with the local engine's, cell by cell."""
    rows = sum(pq.read_metadata(path).num_rows for path in listed)
    with workers_started(WORKERS) as client:
        before = sum(client.run(time.process_time).values())
        with WorkerMemory(client) as memory:
            started, cpu = time.perf_counter(), time.process_time()
            counts = counted(listed, side, engine="dask", scheduler=client.scheduler.address)
            seconds, own_cpu = time.perf_counter() - started, time.process_time() - cpu
        worker_cpu = sum(client.run(time.process_time).values()) - before
        largest = max(client.run(peak_megabytes).values())
    cells = counts.to_numpy()
    return {
        "what": what,
        "records": int(cells.sum()),
        "all_counted": int(cells.sum()) == rows,
        "identical_to_local": bool(np.array_equal(cells, expected(listed, side))),
        "seconds": round(seconds, 1),
        "cpu_seconds": round(worker_cpu + own_cpu, 1),
        "records_per_second": round(rows / seconds),
        "records_per_cpu_second": round(rows / (worker_cpu + own_cpu)),
        "largest_worker_mb": round(largest),
    }, memory


def expected(listed: Sequence[Path], side: int) -> np.ndarray[Any, Any]:
    """The local engine's counts: each file read once, times how often it is listed."""
    often: dict[int, list[Path]] = {}
    for path in dict.fromkeys(listed):
        often.setdefault(list(listed).count(path), []).append(path)
    total = np.zeros((side, side), dtype=np.int64)
    for number, paths in often.items():
        total += number * counted(paths, side, engine="local").to_numpy()
    return total


def counted(paths: Sequence[Path], side: int, **engine: Any) -> ExactCounts:
    """The parts on the grid of the synthetic city."""
    return read_counts([str(path) for path in paths], box=SYNTHETIC_BOX, side=side, lon="lon", lat="lat", **engine)
