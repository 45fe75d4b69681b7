"""`read_counts`: from any source to counts on a public grid, in one pass.

Rows without numbers, with infinities or outside the box are ignored (and counted as rows where the relation makes their
number public). Nothing is derived from the data but the counts: the box, the grid and the columns come from the caller
and from names.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import Adjacency, ExactCounts, GeoBox, Grid, Unit
from dpviz.errors import NothingInBox
from dpviz.ingest.binning import add_batch, cells_of
from dpviz.ingest.boxes import parse_box
from dpviz.ingest.jobs import (
    Column,
    Job,
    Progress,
    check_request,
    choose_pair,
    each_batch,
    start_report,
    wanted_columns,
)
from dpviz.ingest.person_cap import CappedRows
from dpviz.ingest.person_keys import PersonHash
from dpviz.ingest.report import ReadReport, outside_everything
from dpviz.ingest.tables import open_tables
from dpviz.noise import NoiseSource


def read_counts(
    source: Any,
    *,
    box: Any,
    side: int = 1024,
    lon: Column | None = None,
    lat: Column | None = None,
    engine: str = "local",
    scheduler: str | None = None,
    relation: str | Adjacency = Adjacency.ADD_REMOVE_ONE,
    person: str | None = None,
    cap: int | None = None,
    noise: NoiseSource | None = None,
    strict: bool = False,
    progress: Progress | None = None,
) -> ExactCounts:
    """Count the records of a source on a public grid.

    `source`: a path, glob, folder, URL, upload, a list of these, a DataFrame or an array of shape (n, 2).
    `box`: public; a GeoBox, four numbers, "W,S,E,N" or a built-in city. `lon`, `lat`: columns, guessed from the
    names where that leaves no doubt. `engine="dask"` spreads files over the workers
    of `scheduler`, or over own ones on this machine. `person` and `cap`: at most `cap` records of each
    person are kept. A source without a row inside the box is refused unless `strict`. `progress(done, total)` is
    told bytes.
    """
    counts, _ = read_counts_with_report(
        source,
        box=box,
        side=side,
        lon=lon,
        lat=lat,
        engine=engine,
        scheduler=scheduler,
        relation=relation,
        person=person,
        cap=cap,
        noise=noise,
        strict=strict,
        progress=progress,
    )
    return counts


def read_counts_with_report(
    source: Any,
    *,
    box: Any,
    side: int = 1024,
    lon: Column | None = None,
    lat: Column | None = None,
    engine: str = "local",
    scheduler: str | None = None,
    relation: str | Adjacency = Adjacency.ADD_REMOVE_ONE,
    person: str | None = None,
    cap: int | None = None,
    noise: NoiseSource | None = None,
    strict: bool = False,
    progress: Progress | None = None,
) -> tuple[ExactCounts, ReadReport]:
    """As `read_counts`, with the hints for the curator's eyes."""
    grid = Grid(parse_box(box), side)
    request = check_request(relation, person, cap, engine, scheduler)
    tables = open_tables(source)
    guesses = [choose_pair(table, lon, lat) for table in tables]
    pairs = [(str(guess.lon), str(guess.lat)) for guess in guesses]
    report = start_report(tables, pairs[0], guesses[0].reason, isinstance(grid.box, GeoBox))
    jobs = [(table, wanted_columns(pair, request)) for table, pair in zip(tables, pairs, strict=True)]
    if engine == "dask" and all(table.place is not None for table in tables):
        from dpviz.ingest.dask_engine import count_on_workers

        cells = count_on_workers(jobs, grid, request.unit, scheduler, noise, report, progress)
    else:
        cells = _count_here(jobs, grid, request.unit, noise, report, progress)
    if report.exact_inside == 0 and not strict:
        raise NothingInBox(outside_everything(report, grid.frame))
    rows = report.exact_rows if request.relation is Adjacency.REPLACE_ONE else None
    counts = ExactCounts(grid, cells, relation=request.relation, unit=request.unit, public_rows=rows)
    return counts, report


def _count_here(
    jobs: Sequence[Job],
    grid: Grid,
    unit: Unit,
    noise: NoiseSource | None,
    report: ReadReport,
    progress: Progress | None,
) -> NDArray[np.int64]:
    hashed = None if unit.cap is None else PersonHash.draw(noise)
    kept = CappedRows()
    cells = np.zeros(grid.side * grid.side, dtype=np.int64)
    for batch in each_batch(jobs, hashed, progress):
        if hashed is None:
            report.add(add_batch(batch, grid, cells))
        else:
            assert batch.persons is not None  # a table without the person column was refused
            # [P3] each row is judged alone
            cell_of, tally = cells_of(batch, grid)
            report.add(tally)
            inside = cell_of >= 0
            kept.add(batch.persons[inside], cell_of[inside])
    if unit.cap is not None and hashed is not None:
        kept.add_kept_to(cells, unit.cap, hashed)
    return cells.reshape(grid.side, grid.side)
