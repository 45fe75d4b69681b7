"""`read_counts` and `read_points`: from any source to counts on a public grid, or to points in d dimensions.

Rows without numbers, with infinities or outside the box are ignored (and counted as rows where the relation makes their
number public). Nothing is derived from the data but the result: box, grid and columns come from the caller and from
names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import ExactCounts, ExactPoints, Frame, GeoBox, Grid, StreamedPoints, Unit
from dpviz.domain.counts import LevelCounts
from dpviz.domain.parts import OTHER, Parts, divisions_of
from dpviz.domain.points import HowMany
from dpviz.domain.relation import ONE_RECORD
from dpviz.errors import InputError, show_name
from dpviz.ingest.batches import Table, Wanted
from dpviz.ingest.binning import CELL_BITS, Points, add_batch, cells_of, join_points, keyed_values, points_of
from dpviz.ingest.cities import parse_box
from dpviz.ingest.parts import survey_values
from dpviz.ingest.reading import Column, Progress, Reading, ReadingKeywords, list_keywords
from dpviz.ingest.reading_steps import Work, choose_pair, column_name
from dpviz.ingest.streaming import RowsHere, RowsOnWorkers, in_cube
from dpviz.ingest.tables import open_tables
from dpviz.ingest.units.own_levels import NOT_USED
from dpviz.ingest.units.person_cap import CappedRows, by_person, keep
from dpviz.ingest.units.person_keys import PersonHash
from dpviz.noise import NoiseSource

MOST_BATCHES = 2  # that are looked at for values beside a list


class CountKeywords(ReadingKeywords, total=False):
    """Keywords of `read_counts`."""

    side: int
    lon: Column | None
    lat: Column | None
    level: str | None
    level_scale: str


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

    `level`: a column in which every row says how much it may tell: the name or number of a level ("Strict", 6), or,
    with `level_scale="epsilon"`, an ε, which counts as the next smaller level. A row without a known level counts as
    the strictest; one that allows less than that is not used. Of a person the strictest of all rows holds.

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

    work = Work.begin(reading, choose, lambda _: parse_box(reading.box).frame)
    for note in _unlisted(reading):
        work.report.note(note)
    if work.is_spread:
        from dpviz.ingest.dask.engine import count_on_workers

        cells = count_on_workers(work.jobs, reading, noise, work.report, progress)
    else:
        cells = _count_here(work, grid, noise, progress)
    work.refuse_if_outside()
    work.report.note_total(int(cells.sum()))
    if unit.levels:
        return LevelCounts(grid, cells, unit=unit, report=work.report)
    return ExactCounts(
        grid, cells, relation=reading.adjacency, unit=unit, public_rows=work.public_rows, report=work.report
    )


def _count_here(work: Work, grid: Grid, noise: NoiseSource | None, progress: Progress | None) -> NDArray[np.int64]:
    cap = work.reading.unit.cap
    hashed = None if cap is None else PersonHash.draw(noise)
    parts = work.reading.parts
    kept = CappedRows() if parts is None or not parts.of_person else OnePartEach(parts)
    cells = np.zeros(grid.side * grid.side, dtype=np.int64)
    levels = len(work.reading.unit.levels)
    by_level = LevelRows(levels, len(cells), cap, hashed)
    for batch in work.batches(hashed, progress):
        if batch.levels is not None:
            cell_of, tally = cells_of(batch, grid)
            work.report.add(tally)
            by_level.add(batch.persons, batch.levels, cell_of)
        elif hashed is None:
            work.report.add(add_batch(batch, grid, cells))
        else:
            assert batch.persons is not None  # a table without the person column was refused
            # [P3] each row is judged alone
            cell_of, tally = cells_of(batch, grid)
            work.report.add(tally)
            kept.add(batch.persons[cell_of >= 0], keyed_values(batch, cell_of))
    if cap is not None and hashed is not None:
        kept.add_kept_to(cells, cap, hashed)
    if isinstance(kept, OnePartEach) and kept.exact_moved:
        work.report.note(f"{kept.exact_moved:,} persons have several values; the one first in the list counts.")
    if levels:
        return by_level.finish().reshape(levels, grid.side, grid.side)
    return cells.reshape(grid.side, grid.side)


class LevelRows:
    """Rows with the place of their level, counted by level; with persons gathered until all files were read."""

    def __init__(self, levels: int, cells: int, cap: int | None, hashed: PersonHash | None) -> None:
        self.exact_sheets = np.zeros((levels, cells), dtype=np.int64)
        self._cap, self._hashed = cap, hashed
        self._kept: list[tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.int64]]] = []

    def add(self, keys: NDArray[np.uint64] | None, places: NDArray[np.int64], cells: NDArray[np.int64]) -> None:
        """More rows; a cell of −1 lies outside the box. Those of a person outside still say the person's level."""
        if self._cap is None:
            self._count(places, cells)
        else:
            assert keys is not None  # a table without the person column was refused
            self._kept.append((keys, places, cells))

    def finish(self) -> NDArray[np.int64]:
        """The exact counts by level, flat."""
        if self._cap is not None and self._hashed is not None and self._kept:
            keys, places, cells = (np.concatenate(part) for part in zip(*self._kept, strict=True))
            self._kept = []
            for rows in by_person(keys):
                self._count_persons(keys[rows], places[rows], cells[rows])
        return self.exact_sheets

    def _count_persons(self, keys: NDArray[np.uint64], places: NDArray[np.int64], cells: NDArray[np.int64]) -> None:
        """Persons with all their rows: the strictest level that any of them says, and at most `cap` rows."""
        assert self._cap is not None and self._hashed is not None
        _, person = np.unique(keys.view([("first", np.uint64), ("second", np.uint64)]).ravel(), return_inverse=True)
        # [P2] one level a person; who allows less than the strictest level in one row is not used at all
        strict = np.where(places == NOT_USED, len(self.exact_sheets), places)
        strictest = np.zeros(int(person.max(initial=-1)) + 1, dtype=np.int64)
        np.maximum.at(strictest, person, strict)
        own = strictest[person]
        inside = (cells >= 0) & (own < len(self.exact_sheets))
        keys, own, cells = keys[inside], own[inside], cells[inside]
        kept = keep(keys, (cells,), self._cap, self._hashed)
        self._count(own[kept], cells[kept])

    def _count(self, places: NDArray[np.int64], cells: NDArray[np.int64]) -> None:
        # [P3] one row adds one record to one cell of one level's sheet
        used = (places >= 0) & (cells >= 0)
        np.add.at(self.exact_sheets, (places[used], cells[used]), 1)


class OnePartEach(CappedRows):
    """Rows of which each person's are in one part before the cap is held: the first, in the list's order, of theirs."""

    def __init__(self, parts: Parts) -> None:
        super().__init__()
        self.parts = parts
        self.exact_moved = 0  # persons with several values

    def add_kept_to(self, cells: NDArray[np.int64], cap: int, hashed: PersonHash) -> None:
        """Count the kept rows into flat cells of the sheet."""
        if self._keys:
            keys, found = np.concatenate(self._keys), np.concatenate(self._cells)
            self._keys, self._cells = [keys], [self._settled(keys, found).astype(found.dtype)]
        CappedRows.add_kept_to(self, cells, cap, hashed)

    def _settled(self, keys: NDArray[np.uint64], found: NDArray[Any]) -> NDArray[np.int64]:
        """[P2a] Each row in the first part of its person, by that person's rows alone; weights above cells stay."""
        weight, at = np.divmod(found.astype(np.int64), 1 << CELL_BITS)
        part, cell = self.parts.part_and_cell(at)
        person = np.unique(keys, axis=0, return_inverse=True)[1].reshape(-1)
        digits = self.parts.digits(part)
        for number, one in enumerate(self.parts.divisions):
            if one.of_person:
                first = np.full(int(person.max(initial=-1)) + 1, len(one.names), np.int64)
                np.minimum.at(first, person, digits[number])
                self.exact_moved += len(np.unique(person[digits[number] != first[person]]))
                digits[number] = first[person]
        settled = self.parts.cells_of(self.parts.number(digits), cell)
        return settled | weight << CELL_BITS


class PartKeywords(ReadingKeywords, total=False):
    """Keywords of `read_parts`."""

    lon: Column | None
    lat: Column | None
    time: str | None


@list_keywords(PartKeywords)
def read_parts(
    source: Any,
    *,
    box: Any,
    side: int,
    by: str | Sequence[str] = "hour",
    values: Any = None,
    zone: str = "UTC",
    days: tuple[str, str] = ("", ""),
    of_person: Sequence[str] = (),
    noise: NoiseSource | None = None,
    progress: Progress | None = None,
    **stated: Unpack[PartKeywords],
) -> tuple[ExactCounts, Parts]:
    """Counts of every part on one sheet, and its public layout: all parts are released at the price of one.

    `by`: "hour", "weekday", "month", "day" or "week", of the column `time` in the stated `zone`; or a column with the
    public list of its `values`, such as "member,guest"; or two of these. Values that are not listed, and none, are the
    part "other". Days and weeks are those of the stated `days`, first and last; rows of other days are left out.

    With `person` and `cap` at most so many records of a person are kept in all parts together. `of_person` names
    columns whose value belongs to the person: a person with several is in the one that comes first in the list.

    Everything else is as in `read_counts`. Give the layout to the release (`parts=`); `Release.parts` reads it.
    """
    found = parse_box(box)
    if not isinstance(found, GeoBox):
        raise InputError("parts are counted on a map; give the box in degrees.")
    named = [of_person] if isinstance(of_person, str) else of_person
    parts = Parts(box=found, side=side, divisions=divisions_of(by, values, zone=zone, days=days, of_person=named))
    reading = Reading(source=source, box=found, side=side, parts=parts, **stated)
    return count_records(reading, noise=noise, progress=progress), parts


def _unlisted(reading: Reading) -> Iterator[str]:
    """A note for the curator on each column with values that its list does not hold, from the first rows."""
    divisions = () if reading.parts is None or reading.strict else reading.parts.divisions
    if hasattr(reading.source, "read"):  # an upload or standard input: read once
        return
    for division in (one for one in divisions if not one.is_time):
        for table in open_tables(reading.source, layer=reading.layer, query=reading.query, form=reading.form):
            batches = table.batches(Wanted(columns=(), attributes=(division.by,)))
            columns = (batch.attributes[0] for batch in islice(batches, MOST_BATCHES))
            if others := survey_values(columns, table.label, division):
                shown = ", ".join(repr(show_name(value)) for value in others[:5])
                yield (
                    f"Values of {show_name(division.by)!r} that are not in the list count as {OTHER!r}: {shown}"
                    f"{f' and {len(others) - 5:,} more' if len(others) > 5 else ''}."
                )


class PointKeywords(ReadingKeywords, total=False):
    """Keywords of `read_points`."""

    columns: Sequence[Column] | None
    frame: Frame | None
    box: Any
    boxes: Sequence[Any] | None
    stream: bool | None


@list_keywords(PointKeywords)
def read_points(
    source: Any, *, noise: NoiseSource | None = None, progress: Progress | None = None, **stated: Unpack[PointKeywords]
) -> ExactPoints:
    """The records of a source as points in a public frame.

    Say the frame in one of three ways: `frame` (any dimensions; `columns` default to its names), `box` (every pair of
    `columns`, longitude first, lies in it) or `boxes` (one per pair). Without `columns`, one pair is guessed from the
    names. Everything else is as in `read_counts`; a row that lies outside in any coordinate is ignored.

    `stream`: the rows are not kept but read again for each question of a method, so that memory does not grow with
    their number; what is released is the same. With `engine="dask"` that is so, and the rows never leave the workers;
    with a person cap the rows of each person meet there, and those that are kept stay in the workers' memory.
    """
    return gather_points(Reading(source=source, **stated), noise=noise, progress=progress)


def gather_points(
    reading: Reading, *, noise: NoiseSource | None = None, progress: Progress | None = None
) -> ExactPoints:
    """The points of a reading, with its report. `noise` draws the coins of a person cap."""
    reading.refuse_without_frame()
    if reading.weight is not None and reading.person is not None:
        raise InputError("points are read with persons or with weights, not with both; leave out one of them.")
    if reading.level is not None:
        raise InputError("a column of levels is read for counts on a map; leave it out, or count on a grid.")
    unit = reading.unit
    work = Work.begin(reading, partial(_columns, reading), reading.frame_of)
    frame, report = work.frame, work.report
    hashed = None if unit.cap is None else PersonHash.draw(noise)
    if reading.streams and (hashed is None or work.is_spread):
        return _streamed(work, progress, hashed)
    if work.is_spread:
        from dpviz.ingest.dask.engine import points_on_workers

        raw, keys = points_on_workers(work.jobs, frame, hashed, reading.scheduler, report, progress)
    else:
        found: list[Points] = []
        for batch in work.batches(hashed, progress):
            points, tally = points_of(batch, frame)  # [P3] each row is judged alone
            found.append(points)
            report.add(tally)
        raw, keys = join_points(found, frame.dims, hashed is not None)
    work.refuse_if_outside()
    persons = None
    if keys is not None and hashed is not None:
        raw, persons = _capped(raw, keys, unit, hashed)
    report.note_total(len(raw))
    cube = in_cube(raw, frame)
    return ExactPoints(
        frame, cube, relation=reading.adjacency, unit=unit, public_rows=work.public_rows, persons=persons, report=report
    )


def _streamed(work: Work, progress: Progress | None, hashed: PersonHash | None) -> StreamedPoints:
    """Rows that stay where they are; this first look counts them, and holds a person cap on the workers."""
    reading, report, rows = work.reading, work.report, RowsHere(work.jobs, work.frame, progress)
    if hashed is not None:
        from dpviz.ingest.dask.capped_workers import KeptOnWorkers

        cap = reading.unit.records
        rows = KeptOnWorkers(work.jobs, work.frame, reading.scheduler, progress, cap=cap, hashed=hashed)
    elif work.is_spread:
        rows = RowsOnWorkers(work.jobs, work.frame, reading.scheduler, progress)
    fingerprint = rows.first_look(report)
    total = int(rows.asked(HowMany())[0]) if reading.unit != ONE_RECORD else report.exact_inside
    work.refuse_if_outside()
    report.note_total(total)
    return StreamedPoints(
        work.frame,
        rows,
        total=total,
        fingerprint=fingerprint,
        relation=reading.adjacency,
        unit=reading.unit,
        public_rows=work.public_rows,
        report=report,
    )


def _capped(
    raw: NDArray[np.float64], keys: NDArray[np.uint64], unit: Unit, hashed: PersonHash
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """The kept rows in their order, and a code per row that tells persons apart."""
    kept: NDArray[np.bool_] = np.zeros(len(raw), dtype=np.bool_)
    for rows in by_person(keys):
        kept[rows] = keep(keys[rows], tuple(raw[rows].T), unit.records, hashed)
    return raw[kept], np.unique(keys[kept], axis=0, return_inverse=True)[1].reshape(-1).astype(np.int64)


def _columns(reading: Reading, table: Table) -> tuple[tuple[str, ...], str]:
    """The columns of a table, and why these."""
    frame = reading.frame
    if reading.columns is not None:
        return tuple(str(column_name(column, table)) for column in reading.columns), "named by the user"
    if frame is not None and (frame.metric != "m" or set(frame.names) <= set(table.names)):
        return frame.names, "guessed"
    guess = choose_pair(table, None, None)
    return (str(guess.lon), str(guess.lat)), "guessed"
