"""`read_points`: from any source to points in d dimensions, such as pick-up and drop-off."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import ExactPoints, Frame, StreamedPoints, Unit
from dpviz.domain.relation import ONE_RECORD
from dpviz.domain.streamed import HowMany
from dpviz.errors import InputError
from dpviz.ingest.batches import Table
from dpviz.ingest.binning import Points, join_points, points_of
from dpviz.ingest.reading import Column, Progress, Reading, ReadingKeywords, list_keywords
from dpviz.ingest.reading_steps import Work, choose_pair, column_name
from dpviz.ingest.streaming import RowsHere, RowsOnWorkers, in_cube
from dpviz.ingest.units.person_cap import by_person, keep
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
        frame,
        cube,
        relation=reading.adjacency,
        unit=unit,
        public_rows=work.public_rows,
        persons=persons,
        report=report,
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
