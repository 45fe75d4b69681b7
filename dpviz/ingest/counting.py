"""`read_counts`: from any source to counts on a public grid, in one pass.

Rows without numbers, with infinities or outside the box are ignored (and counted as rows where the relation makes their
number public). Nothing is derived from the data but the counts: the box, the grid and the columns come from the caller
and from names.
"""

from __future__ import annotations

from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import ExactCounts, Grid
from dpviz.ingest.batches import Table
from dpviz.ingest.binning import add_batch, cells_of, keyed_values
from dpviz.ingest.reading import Column, Progress, Reading, ReadingKeywords, list_keywords
from dpviz.ingest.reading_steps import Work, choose_pair
from dpviz.ingest.units.person_cap import CappedRows
from dpviz.ingest.units.person_keys import PersonHash
from dpviz.noise import NoiseSource


class CountKeywords(ReadingKeywords, total=False):
    """Keywords of `read_counts`."""

    side: int
    lon: Column | None
    lat: Column | None


@list_keywords(CountKeywords)
def read_counts(
    source: Any,
    *,
    box: Any,
    noise: NoiseSource | None = None,
    progress: Progress | None = None,
    **stated: Unpack[CountKeywords],
) -> ExactCounts:
    """Count the records of a source on a public grid.

    `source`: a path, glob, folder, URL, upload, a list of these, a DataFrame or an array of shape (n, 2).
    `box`: public; a GeoBox, four numbers, "W,S,E,N" or a built-in city. `lon`, `lat`: columns, guessed from the
    names where that leaves no doubt. `engine="dask"` spreads files over the workers of `scheduler`, or over own ones
    on this machine. `person` and `cap`: at most `cap` records of each person are kept;
    `protect="record"` says that single rows are protected: a file in which a column may tell persons apart is read
    only with one of the two.

    `weight`: a column that says how many a row stands for, in whole multiples of `weight_step`; say what is protected:
    a whole row of weight at most `weight_bound` (larger ones are cut), or, with `weight_unit="record"`, each step of
    weight, as in a table that counts records. `crs`: how coordinates are written that are no degrees: "EPSG:2263" and
    the like (needs pyproj), "E7", "0-360" or "swapped". `layer`: which layer of a
    GeoPackage, sheet of a workbook or table of a database, where there are several; `query`: of an SQLite database.

    `separator`, `decimal` ("." or ","), `header`: how separated text is written. Its first line has to name the columns
    that are read; without such a line say header=False with separator and decimal, and count columns (lon="column_1").

    A source without a row inside the box is refused unless `strict`. `progress(done, total)` is told bytes.
    `counts.report` says, for the curator alone, what became of the rows.
    """
    return count_records(Reading(source=source, box=box, **stated), noise=noise, progress=progress)


def count_records(
    reading: Reading, *, noise: NoiseSource | None = None, progress: Progress | None = None
) -> ExactCounts:
    """The counts of a reading, with its report. `noise` draws the coins of a person cap."""
    grid, unit = reading.grid, reading.unit

    def choose(table: Table) -> tuple[tuple[str, ...], str]:
        guess = choose_pair(table, reading.lon, reading.lat)
        return (str(guess.lon), str(guess.lat)), guess.reason

    work = Work.begin(reading, choose, lambda _: grid.frame)
    if work.is_spread:
        from dpviz.ingest.dask.engine import count_on_workers

        cells = count_on_workers(work.jobs, reading, noise, work.report, progress)
    else:
        cells = _count_here(work, grid, noise, progress)
    work.refuse_if_outside()
    work.report.note_total(int(cells.sum()))
    return ExactCounts(
        grid, cells, relation=reading.adjacency, unit=unit, public_rows=work.public_rows, report=work.report
    )


def _count_here(work: Work, grid: Grid, noise: NoiseSource | None, progress: Progress | None) -> NDArray[np.int64]:
    cap = work.reading.unit.cap
    hashed = None if cap is None else PersonHash.draw(noise)
    kept = CappedRows()
    cells = np.zeros(grid.side * grid.side, dtype=np.int64)
    for batch in work.batches(hashed, progress):
        if hashed is None:
            work.report.add(add_batch(batch, grid, cells))
        else:
            assert batch.persons is not None  # a table without the person column was refused
            # [P3] each row is judged alone
            cell_of, tally = cells_of(batch, grid)
            work.report.add(tally)
            kept.add(batch.persons[cell_of >= 0], keyed_values(batch, cell_of))
    if cap is not None and hashed is not None:
        kept.add_kept_to(cells, cap, hashed)
    return cells.reshape(grid.side, grid.side)
