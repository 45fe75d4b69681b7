"""The registry of benchmarks: `python -m dpviz bench NAME`. Each gives rows; each compares things within one run."""

from __future__ import annotations

import csv
from collections.abc import Callable
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import Any

from dpviz.errors import InputError

Rows = list[dict[str, Any]]

# name: (module, function, what it measures). A function takes `quick` and gives rows; it is imported when asked for.
BENCHMARKS: dict[str, tuple[str, str, str]] = {
    "noise": ("dpviz_research.bench_basics", "noise", "time of each kind of draw, secure and replayable"),
    "kmeans": (
        "dpviz_research.bench_basics",
        "kmeans",
        "non-private k-means of the embedded city against scikit-learn",
    ),
    "ingest": (
        "dpviz_research.bench_ingest",
        "ingest",
        "reading and counting a file by engine, each in a process of its own: seconds, memory, identical",
    ),
    "billion": (
        "dpviz_research.bench_billion",
        "billion",
        "simulated records streamed through two Dask workers, their memory meanwhile; 1.6 GB of temporary files",
    ),
    "billion_trips": (
        "dpviz_research.bench_trips",
        "billion_trips",
        "a release of simulated trips in four dimensions through two Dask workers; 3.2 GB of temporary files",
    ),
    "methods": ("dpviz_research.bench_basics", "methods", "every method on the embedded city: seconds and error"),
    "previews": (
        "dpviz_research.bench_previews",
        "previews",
        "what people wait for, in CPU seconds: previews, releases, all levels at once, the answer without protection",
    ),
    "levels": ("dpviz_research.bench_levels", "levels", "error and shift at every level, on both built-in data"),
    "peeled_balls": ("dpviz_research.bench_peeling", "peeled_balls", "times of peeled_balls against its naive twin"),
    "questions": (
        "dpviz_research.bench_questions",
        "questions",
        "errors of counts of areas, each purpose of adaptive_tree against grids and PrivTree",
    ),
    "first_use": (
        "dpviz_research.bench_first_use",
        "first_use",
        "the first release and map, everything to be compiled",
    ),
    "ledger": ("dpviz_research.bench_ledger", "ledger", "charges and opening, beside the plain first format"),
    "accuracy": ("dpviz_research.accuracy", "accuracy", "errors of methods and references over sizes, k and levels"),
    "elsewhere": (
        "dpviz_research.elsewhere.__main__",
        "elsewhere",
        "errors on raw records of seven data sets, four of them never used for a constant: every cell won and lost",
    ),
}


def run_benchmark(name: str, *, quick: bool = False, out: Path | None = None, records: int | None = None) -> Rows:
    """Run one benchmark; with `out` its rows are written there as CSV too. `records`: a size, where one can be set."""
    if name not in BENCHMARKS:
        raise InputError(f"benchmark {name!r} is not known; use one of {', '.join(BENCHMARKS)}.")
    module, function, _ = BENCHMARKS[name]
    job: Callable[..., Rows] = getattr(import_module(module), function)
    if records is not None and "records" not in signature(job).parameters:
        raise InputError(f"benchmark {name!r} has sizes of its own; leave out --records.")
    rows = job(quick=quick) if records is None else job(quick=quick, records=records)
    if out is not None:
        write_rows(rows, out / f"bench_{name}.csv")
    return rows


def write_rows(rows: Rows, path: Path) -> Path:
    """Rows as CSV, columns in order of first appearance."""
    path.parent.mkdir(parents=True, exist_ok=True)
    columns = list(dict.fromkeys(column for row in rows for column in row))
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, columns)
        writer.writeheader()
        writer.writerows(rows)
    return path
