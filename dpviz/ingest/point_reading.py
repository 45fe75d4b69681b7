"""`read_points`: from any source to points in d dimensions, such as pick-up and drop-off."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import Adjacency, ExactPoints, Frame, ReadReport, StreamedPoints, Unit
from dpviz.domain.relation import ONE_RECORD
from dpviz.domain.report import outside_everything
from dpviz.domain.streamed import HowMany
from dpviz.domain.traces import Traces
from dpviz.errors import InputError
from dpviz.ingest.batches import Table
from dpviz.ingest.binning import Points, join_points, points_of
from dpviz.ingest.formats.frame_table import on_workers
from dpviz.ingest.reading import Column, Progress, Reading, ReadingKeywords, list_keywords
from dpviz.ingest.reading_steps import (
    Job,
    choose_pair,
    column_name,
    each_batch,
    note_unused_counts,
    note_why_unusable,
    start_report,
    wanted_columns,
)
from dpviz.ingest.streaming import RowsHere, RowsOnWorkers
from dpviz.ingest.tables import open_tables
from dpviz.ingest.units.person_cap import by_person, keep
from dpviz.ingest.units.person_columns import settle_unit
from dpviz.ingest.units.person_keys import PersonHash
from dpviz.noise import NoiseSource


class PointKeywords(ReadingKeywords, total=False):
    """Keywords of `read_points`."""

    columns: Sequence[Column] | None
    frame: Frame | None
    box: Any
    boxes: Sequence[Any] | None
    stream: bool | None


@list_keywords(PointKeywords)
def read_points(
    source: Any,
    *,
    noise: NoiseSource | None = None,
    progress: Progress | None = None,
    **stated: Unpack[PointKeywords],
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
    reading: Reading,
    *,
    noise: NoiseSource | None = None,
    progress: Progress | None = None,
) -> ExactPoints:
    """The points of a reading, with its report. `noise` draws the coins of a person cap."""
    reading.refuse_without_frame()
    if reading.weight is not None and reading.person is not None:
        raise InputError("points are read with persons or with weights, not with both; leave out one of them.")
    unit = reading.unit
    tables = open_tables(reading.source, layer=reading.layer, query=reading.query, form=reading.form)
    chosen = [_columns(table, reading) for table in tables]
    settle_unit(tables, chosen, person=reading.person, stated=reading.protect)
    frame = reading.frame_of(chosen[0])
    report = start_report(tables, chosen[0], "named by the user" if reading.columns else "guessed", frame.metric == "m")
    note_unused_counts(report, tables, reading)
    jobs = [(table, wanted_columns(table, names, reading)) for table, names in zip(tables, chosen, strict=True)]
    hashed = None if unit.cap is None else PersonHash.draw(noise)
    if reading.streams and (hashed is None or _spread(reading, tables)):
        found = _streamed(jobs, reading, frame, report, progress, hashed)
        _refuse_if_outside(reading, report, tables, chosen[0], frame)
        report.note_total(found.exact_total)
        return found
    if _spread(reading, tables):
        from dpviz.ingest.dask.engine import points_on_workers

        raw, keys = points_on_workers(jobs, frame, hashed, reading.scheduler, report, progress)
    else:
        raw, keys = _gather_here(jobs, frame, hashed, report, progress)
    _refuse_if_outside(reading, report, tables, chosen[0], frame)
    persons = None
    if keys is not None and hashed is not None and unit.cap is not None:
        raw, persons = _capped(raw, keys, unit, hashed)
    report.note_total(len(raw))
    low, high = np.asarray(frame.low), np.asarray(frame.high)
    cube = np.clip((raw - low) / (high - low), 0.0, 1.0)
    rows = report.exact_rows if reading.adjacency is Adjacency.REPLACE_ONE else None
    return ExactPoints(
        frame, cube, relation=reading.adjacency, unit=unit, public_rows=rows, persons=persons, report=report
    )


def _spread(reading: Reading, tables: Sequence[Table]) -> bool:
    """Whether workers read all of it; what lies in this process's memory stays here."""
    return reading.engine == "dask" and all(on_workers(table) for table in tables)


def _streamed(
    jobs: Sequence[Job],
    reading: Reading,
    frame: Frame,
    report: ReadReport,
    progress: Progress | None,
    hashed: PersonHash | None,
) -> StreamedPoints:
    """Rows that stay where they are; this first look counts them, and holds a person cap on the workers."""
    rows: RowsHere
    if hashed is not None:
        from dpviz.ingest.dask.capped_workers import KeptOnWorkers

        cap = reading.unit.records
        rows = KeptOnWorkers(jobs, frame, reading.scheduler, progress, cap=cap, hashed=hashed)
    elif _spread(reading, [table for table, _ in jobs]):
        rows = RowsOnWorkers(jobs, frame, reading.scheduler, progress)
    else:
        rows = RowsHere(jobs, frame, progress)
    fingerprint = rows.first_look(report)
    public_rows = report.exact_rows if reading.adjacency is Adjacency.REPLACE_ONE else None
    return StreamedPoints(
        frame,
        rows,
        total=int(rows.asked(HowMany())[0]) if reading.unit != ONE_RECORD else report.exact_inside,
        fingerprint=fingerprint,
        relation=reading.adjacency,
        unit=reading.unit,
        public_rows=public_rows,
        report=report,
    )


def _refuse_if_outside(
    reading: Reading, report: ReadReport, tables: Sequence[Table], columns: tuple[str, ...], frame: Frame
) -> None:
    if not reading.strict:
        note_why_unusable(report, tables, columns)
    if report.exact_inside == 0 and not reading.strict:
        raise outside_everything(report, frame)


def _gather_here(
    jobs: Sequence[Job], frame: Frame, hashed: PersonHash | None, report: ReadReport, progress: Progress | None
) -> Points:
    found: list[Points] = []
    if frame.metric == "m":
        report.traces = Traces.empty(frame.dims // 2, with_persons=hashed is not None)
    for batch in each_batch(jobs, hashed, progress):
        if report.traces is not None:
            report.traces.add(batch.axes, batch.persons)
        points, tally = points_of(batch, frame)  # [P3] each row is judged alone
        found.append(points)
        report.add(tally)
    return join_points(found, frame.dims, hashed is not None)


def _capped(
    raw: NDArray[np.float64], keys: NDArray[np.uint64], unit: Unit, hashed: PersonHash
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """The kept rows in their order, and a code per row that tells persons apart."""
    kept: NDArray[np.bool_] = np.zeros(len(raw), dtype=np.bool_)
    for rows in by_person(keys):
        values = tuple(raw[rows, axis] for axis in range(raw.shape[1]))
        kept[rows] = keep(keys[rows], values, unit.records, hashed)
    codes = np.unique(keys[kept], axis=0, return_inverse=True)[1].reshape(-1).astype(np.int64)
    return raw[kept], codes


def _columns(table: Table, reading: Reading) -> tuple[str, ...]:
    frame = reading.frame
    if reading.columns is not None:
        return tuple(str(column_name(column, table)) for column in reading.columns)
    if frame is not None and (frame.metric != "m" or set(frame.names) <= set(table.names)):
        return frame.names
    guess = choose_pair(table, None, None)
    return (str(guess.lon), str(guess.lat))
