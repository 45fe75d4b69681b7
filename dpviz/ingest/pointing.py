"""`read_points`: from any source to points in d dimensions, such as pick-up and drop-off."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import Adjacency, ExactPoints, Frame, GeoBox, Unit
from dpviz.errors import InputError, NothingInBox
from dpviz.ingest.batches import Table
from dpviz.ingest.binning import Points, join_points, points_of
from dpviz.ingest.boxes import parse_box
from dpviz.ingest.jobs import (
    Column,
    Job,
    Progress,
    check_request,
    choose_pair,
    column_name,
    each_batch,
    start_report,
    wanted_columns,
)
from dpviz.ingest.person_cap import by_person, keep
from dpviz.ingest.person_keys import PersonHash
from dpviz.ingest.report import ReadReport, outside_everything
from dpviz.ingest.tables import open_tables
from dpviz.noise import NoiseSource


def read_points(
    source: Any,
    *,
    columns: Sequence[Column] | None = None,
    frame: Frame | None = None,
    box: Any = None,
    boxes: Sequence[Any] | None = None,
    engine: str = "local",
    scheduler: str | None = None,
    relation: str | Adjacency = Adjacency.ADD_REMOVE_ONE,
    person: str | None = None,
    cap: int | None = None,
    noise: NoiseSource | None = None,
    strict: bool = False,
    progress: Progress | None = None,
) -> ExactPoints:
    """The records of a source as points in a public frame.

    Say the frame in one of three ways: `frame` (any dimensions; `columns` default to its names), `box` (every pair of
    `columns`, longitude first, lies in it) or `boxes` (one per pair). Without `columns`, one pair is guessed from the
    names. Everything else is as in `read_counts`; a row that lies outside in any coordinate is ignored.
    """
    points, _ = read_points_with_report(
        source,
        columns=columns,
        frame=frame,
        box=box,
        boxes=boxes,
        engine=engine,
        scheduler=scheduler,
        relation=relation,
        person=person,
        cap=cap,
        noise=noise,
        strict=strict,
        progress=progress,
    )
    return points


def read_points_with_report(
    source: Any,
    *,
    columns: Sequence[Column] | None = None,
    frame: Frame | None = None,
    box: Any = None,
    boxes: Sequence[Any] | None = None,
    engine: str = "local",
    scheduler: str | None = None,
    relation: str | Adjacency = Adjacency.ADD_REMOVE_ONE,
    person: str | None = None,
    cap: int | None = None,
    noise: NoiseSource | None = None,
    strict: bool = False,
    progress: Progress | None = None,
) -> tuple[ExactPoints, ReadReport]:
    """As `read_points`, with the hints for the curator's eyes."""
    request = check_request(relation, person, cap, engine, scheduler)
    _check_columns_given(columns, frame, box, boxes)
    tables = open_tables(source)
    chosen = [_columns(table, columns, frame) for table in tables]
    frame = _frame(chosen[0], columns, frame, box, boxes)
    report = start_report(tables, chosen[0], "named by the user" if columns else "guessed", frame.metric == "m")
    jobs = [(table, wanted_columns(names, request)) for table, names in zip(tables, chosen, strict=True)]
    hashed = None if request.unit.cap is None else PersonHash.draw(noise)
    if engine == "dask" and all(table.place is not None for table in tables):
        from dpviz.ingest.dask_engine import points_on_workers

        raw, keys = points_on_workers(jobs, frame, hashed, scheduler, report, progress)
    else:
        raw, keys = _gather_here(jobs, frame, hashed, report, progress)
    if report.exact_inside == 0 and not strict:
        raise NothingInBox(outside_everything(report, frame))
    persons = None
    if keys is not None and hashed is not None and request.unit.cap is not None:
        raw, persons = _capped(raw, keys, request.unit, hashed)
    low, high = np.asarray(frame.low), np.asarray(frame.high)
    cube = np.clip((raw - low) / (high - low), 0.0, 1.0)
    rows = report.exact_rows if request.relation is Adjacency.REPLACE_ONE else None
    points = ExactPoints(frame, cube, relation=request.relation, unit=request.unit, public_rows=rows, persons=persons)
    return points, report


def _gather_here(
    jobs: Sequence[Job], frame: Frame, hashed: PersonHash | None, report: ReadReport, progress: Progress | None
) -> Points:
    found: list[Points] = []
    for batch in each_batch(jobs, hashed, progress):
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


def _check_columns_given(
    columns: Sequence[Column] | None, frame: Frame | None, box: Any, boxes: Sequence[Any] | None
) -> None:
    if sum(given is not None for given in (frame, box, boxes)) != 1:
        raise InputError("give one of frame, box and boxes: the public bounds of the points.")
    if columns is None:
        return
    if isinstance(columns, str) or len(columns) == 0 or len(set(columns)) != len(columns):
        raise InputError(f"columns={columns!r}: give a list of different columns, such as ['lon', 'lat'].")
    if frame is not None and len(columns) != frame.dims:
        raise InputError(f"{len(columns)} columns are given for a frame of {frame.dims} dimensions.")
    if frame is None and len(columns) % 2:
        raise InputError("columns come in pairs, longitude first, when a box is given.")
    if boxes is not None and 2 * len(boxes) != len(columns):
        raise InputError(f"{len(boxes)} boxes are given for {len(columns)} columns; one box for every two columns.")


def _columns(table: Table, columns: Sequence[Column] | None, frame: Frame | None) -> tuple[str, ...]:
    if columns is not None:
        return tuple(str(column_name(column, table)) for column in columns)
    if frame is not None and (frame.metric != "m" or set(frame.names) <= set(table.names)):
        return frame.names
    guess = choose_pair(table, None, None)
    return (str(guess.lon), str(guess.lat))


def _frame(
    names: tuple[str, ...], columns: Sequence[Column] | None, frame: Frame | None, box: Any, boxes: Sequence[Any] | None
) -> Frame:
    if frame is not None:
        if frame.dims != len(names):
            raise InputError(
                f"the frame has {frame.dims} dimensions; {len(names)} columns were found. Name the columns."
            )
        return frame
    pairs = len(names) // 2
    each = [parse_box(one) for one in boxes] if boxes is not None else [parse_box(box)] * pairs
    if len(each) != pairs:
        raise InputError(f"{len(each)} boxes are given for {pairs} pair of columns; one box for every pair.")
    frames = [one.frame for one in each]
    named = frames[0].names if pairs == 1 else names
    return Frame(
        names=named,
        low=tuple(value for one in frames for value in one.low),
        high=tuple(value for one in frames for value in one.high),
        scale=tuple(value for one in frames for value in one.scale),
        metric="m" if all(isinstance(one, GeoBox) for one in each) else "units",
    )
