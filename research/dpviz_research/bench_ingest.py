"""Reading and counting one file by each engine, beside what others do with the same file. One process per engine.

A process of its own tells the memory of that engine alone; it is warmed up on a small table first. The result travels
back as a checksum: all engines must give the same counts.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars
from numpy.typing import NDArray

from dpviz.domain import Grid
from dpviz.errors import DpvizError
from dpviz.ingest import read_counts
from dpviz_research import own_environment
from dpviz_research.memory import peak_megabytes
from dpviz_research.synthetic import SYNTHETIC_BOX, synthetic_city

Rows = list[dict[str, Any]]
Cells = NDArray[np.int64]
DASK_WORKERS = 2

# The file each engine reads; the first is what the others are compared with.
ENGINES = (
    ("polars and numpy", "parquet"),
    ("pandas and numpy", "parquet"),
    ("pandas and numpy", "csv"),
    ("dpviz local", "parquet"),
    ("dpviz local", "csv"),
    ("dpviz dask", "parquet"),
    ("dpviz dask", "csv"),
)


def ingest(*, quick: bool = False) -> Rows:
    """Seconds (the least of some runs), CPU seconds and highest memory by engine, on one synthetic city."""
    records, side, repeats = (1_000_000, 1024, 1) if quick else (12_700_000, 4096, 3)
    with tempfile.TemporaryDirectory(prefix="dpviz-bench-") as folder:
        points = synthetic_city(records, seed=1)
        table = polars.DataFrame({"lon": points[:, 0], "lat": points[:, 1]})
        table.write_parquet(Path(folder) / "city.parquet")
        table.write_csv(Path(folder) / "city.csv")
        right = checksum(binned(points[:, 0], points[:, 1], side))
        del points, table
        rows = [best_of(engine, Path(folder) / f"city.{kind}", side, repeats, right=right) for engine, kind in ENGINES]
    for row in rows:
        row["cpu_against_first"] = round(row["cpu_seconds"] / rows[0]["cpu_seconds"], 2)  # machines are shared
    return rows


def best_of(engine: str, path: Path, side: int, repeats: int, *, right: str) -> dict[str, Any]:
    """One line of the table; every run is a new process."""
    runs = [in_own_process(engine, path, side) for _ in range(repeats)]
    return {
        "engine": engine,
        "file": path.suffix[1:],
        "seconds": round(min(run["seconds"] for run in runs), 3),
        "cpu_seconds": round(min(run["cpu_seconds"] for run in runs), 3),
        "peak_mb": round(max(run["peak_mb"] for run in runs)),
        "before_mb": round(min(run["before_mb"] for run in runs)),
        "largest_worker_mb": round(max(run["largest_worker_mb"] for run in runs)),
        "identical": all(run["checksum"] == right for run in runs),
    }


def in_own_process(engine: str, path: Path, side: int) -> dict[str, Any]:
    """What `measured` says in a new Python."""
    code = "import sys; from dpviz_research.bench_ingest import tell; tell(*sys.argv[1:])"
    done = subprocess.run(
        [sys.executable, "-c", code, engine, str(path), str(side)],
        env=own_environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        check=False,
    )
    if done.returncode:
        raise DpvizError(f"the process that measures {engine!r} ended with code {done.returncode}.")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def tell(engine: str, path: str, side: str) -> None:
    """`measured` for the process that asked."""
    print(json.dumps(measured(engine, path, side)))


def measured(engine: str, path: str, side: str) -> dict[str, Any]:
    """Time, memory and checksum of one reading in this process."""
    readers: dict[str, Callable[[str, int], tuple[Cells, float, float, float]]] = {
        "polars and numpy": with_polars,
        "pandas and numpy": with_pandas,
        "dpviz local": with_local,
        "dpviz dask": with_dask,
    }
    warm_up()
    before = peak_megabytes()
    cells, seconds, cpu, largest = readers[engine](path, int(side))
    return {
        "seconds": seconds,
        "cpu_seconds": cpu,
        "peak_mb": peak_megabytes(),
        "before_mb": before,
        "largest_worker_mb": largest,
        "checksum": checksum(cells),
    }


def with_polars(path: str, side: int) -> tuple[Cells, float, float, float]:
    """Read the two columns, bin them: the floor."""

    def job() -> Cells:
        table = polars.read_parquet(path, columns=["lon", "lat"])
        return binned(table["lon"].to_numpy(), table["lat"].to_numpy(), side)

    return clocked(job)


def with_pandas(path: str, side: int) -> tuple[Cells, float, float, float]:
    """What one would type."""
    import pandas

    def job() -> Cells:
        if path.endswith(".csv"):
            table = pandas.read_csv(path, usecols=["lon", "lat"])
        else:
            table = pandas.read_parquet(path, columns=["lon", "lat"])
        return binned(table["lon"].to_numpy(), table["lat"].to_numpy(), side)

    return clocked(job)


def with_local(path: str, side: int) -> tuple[Cells, float, float, float]:
    """The local engine."""
    return clocked(lambda: counted(path, side))


def with_dask(path: str, side: int) -> tuple[Cells, float, float, float]:
    """The Dask engine on two own workers that are up already; their CPU time and memory too."""
    from dpviz.ingest.dask.workers import workers_started

    with workers_started(DASK_WORKERS) as client:
        client.run(warm_up)
        before = sum(client.run(time.process_time).values())
        cells, seconds, cpu, _ = clocked(lambda: counted(path, side, engine="dask", scheduler=client.scheduler.address))
        cpu += sum(client.run(time.process_time).values()) - before
        return cells, seconds, cpu, max(client.run(peak_megabytes).values())


def warm_up() -> None:
    """Load compiled code, as in a process that has counted before."""
    read_counts(np.array([[-74.0, 40.75]]), box=SYNTHETIC_BOX, side=2)


def counted(path: str, side: int, **engine: Any) -> Cells:
    """By dpviz."""
    return read_counts(path, box=SYNTHETIC_BOX, side=side, lon="lon", lat="lat", **engine).to_numpy()


def binned(lon: NDArray[np.float64], lat: NDArray[np.float64], side: int) -> Cells:
    """By the grid's own arithmetic in numpy."""
    cells = Grid(SYNTHETIC_BOX, side).cells(lon, lat)
    return np.bincount(cells[cells >= 0], minlength=side * side).reshape(side, side)


def clocked(job: Callable[[], Cells]) -> tuple[Cells, float, float, float]:
    """Result, wall seconds, CPU seconds of this process, no workers."""
    wall, cpu = time.perf_counter(), time.process_time()
    cells = job()
    return cells, time.perf_counter() - wall, time.process_time() - cpu, 0.0


def checksum(cells: Cells) -> str:
    """Equal for equal counts, whatever the integer type."""
    return hashlib.sha256(np.ascontiguousarray(cells, dtype="<i8").tobytes()).hexdigest()
