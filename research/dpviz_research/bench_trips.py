"""Trips in four dimensions through two Dask workers: a whole release, its speed, the workers' memory, the same bits.

As `bench_billion`, with four columns: pick-up and drop-off of made-up trips. A release asks for sums several times, and
each time all rows are read again, so memory does not grow with them. What the workers arrive at is compared with the
local engine, which reads every file once and takes each answer as many times as the files are listed: answers are
sums over records, so that is what it would find by reading the whole list.
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
from numpy.typing import NDArray

from dpviz.domain import StreamedPoints
from dpviz.domain.points import FingerprintAsked, Question
from dpviz.errors import InputError
from dpviz.ingest import read_points
from dpviz.ingest.dask.workers import workers_started
from dpviz.privacy import Budget
from dpviz.publishing.mechanism_run import preview
from dpviz_research.bench_billion import LARGEST_PART, PARTS, QUICK, ROW_GROUP, SEED, USUAL, WORKERS, Rows
from dpviz_research.memory import WorkerMemory, peak_megabytes
from dpviz_research.synthetic import SYNTHETIC_BOX, synthetic_chunks

ENDS = ("pickup_lon", "pickup_lat", "dropoff_lon", "dropoff_lat")
K, EPSILON = 10, 1.0


class TakenOften:
    """The rows of some files, as if the files were listed `times` times."""

    def __init__(self, once: StreamedPoints, times: int) -> None:
        self.once, self.times = once, times

    def asked(self, question: Question) -> NDArray[np.int64]:
        """A sum over records, as often as they are listed."""
        return self.once.exact_sum(question) * self.times

    def gathered(self) -> NDArray[np.float64]:
        """Nothing here asks for all rows."""
        raise InputError("these rows stand for many; ask them for sums.")


def billion_trips(*, quick: bool = False, records: int | None = None) -> Rows:
    """One row for the files listed once, one for all of them, one for each tenth of that run's time."""
    asked = records if records is not None else QUICK if quick else USUAL
    if asked < PARTS:
        raise InputError(f"--records {asked}: give {PARTS} or more.")
    times = -(-asked // (PARTS * LARGEST_PART))
    with tempfile.TemporaryDirectory(prefix="dpviz-bench-") as folder:
        parts = write_trips(Path(folder), asked // (PARTS * times))
        once = points(parts, stream=True)
        rows, memory = [], None
        for number in dict.fromkeys((1, times)):
            row, memory = released(parts, number, once)
            rows.append(row)
    assert memory is not None
    rows[-1]["largest_worker_against_once"] = round(rows[-1]["largest_worker_mb"] / rows[0]["largest_worker_mb"], 3)
    return [*rows, *memory.tenths()]


def write_trips(folder: Path, size: int) -> list[Path]:
    """Trips between neighbours in the list of a synthetic city's records, one Parquet file for `size` of them."""
    paths = []
    for number, ends in enumerate(synthetic_chunks(2 * PARTS * size, SEED, chunk=2 * size)):
        path = folder / f"part-{number:02d}.parquet"
        columns = np.ascontiguousarray(ends.reshape(size, 4).T)
        pq.write_table(pa.table(dict(zip(ENDS, columns, strict=True))), path, row_group_size=ROW_GROUP)
        paths.append(path)
    return paths


def points(listed: Sequence[Path], **engine: Any) -> StreamedPoints:
    """The trips of these files, which stay where they are."""
    found = read_points([str(path) for path in listed], columns=ENDS, box=SYNTHETIC_BOX, protect="record", **engine)
    assert isinstance(found, StreamedPoints)
    return found


def centers(trips: StreamedPoints) -> NDArray[np.float64]:
    """A replayable release's centers."""
    answer = preview(trips, K, Budget(epsilon=EPSILON), "adaptive_tree", seed=SEED)
    return np.asarray(answer.centers)  # type: ignore[union-attr]  # by far enough records for an answer


def released(parts: Sequence[Path], times: int, once: StreamedPoints) -> tuple[dict[str, Any], WorkerMemory]:
    """One release through fresh workers, beside the same one made here."""
    with workers_started(WORKERS) as client:
        before = sum(client.run(time.process_time).values())
        with WorkerMemory(client) as memory:
            started, cpu = time.perf_counter(), time.process_time()
            trips = points(list(parts) * times, engine="dask", scheduler=client.scheduler.address)
            found = centers(trips)
            seconds, own_cpu = time.perf_counter() - started, time.process_time() - cpu
        rows = trips.exact_total
        del trips  # it holds a connection to the workers
        cpu = sum(client.run(time.process_time).values()) - before + own_cpu
        largest = max(client.run(peak_megabytes).values())
    alike = StreamedPoints(
        once.frame,
        TakenOften(once, times),
        total=once.exact_total * times,
        fingerprint=once.exact_sum(FingerprintAsked()) * times,
        relation=once.relation,
        unit=once.unit,
    )
    return {
        "what": f"the files listed {times} times" if times > 1 else "the files listed once",
        "records": rows,
        "all_counted": rows == sum(pq.read_metadata(path).num_rows for path in parts) * times,
        "identical_to_local": bool(np.array_equal(found, centers(alike))),
        "seconds": round(seconds, 1),
        "cpu_seconds": round(cpu, 1),
        "cpu_microseconds_per_record": round(1e6 * cpu / rows, 2),
        "largest_worker_mb": round(largest),
    }, memory
