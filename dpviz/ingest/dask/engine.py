"""Counting on many workers: pieces of files to partial histograms, added pairwise where they lie, one result fetched.

The arithmetic and the rules are those of the local engine, so the result is the same to the bit, whatever the pieces,
their order or the workers that die on the way (Dask computes lost pieces again; every task is a function of its
arguments alone). Workers belong to the curator: they see exact data, keep it in memory only, and send plain arrays.
"""

from __future__ import annotations

import importlib
import operator
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from dpviz.domain import Frame, Grid, ReadReport
from dpviz.domain.report import TALLY
from dpviz.ingest.batches import Batch, Part, Wanted, settled
from dpviz.ingest.binning import Points, Tally, add_batch, cells_of, join_points, keyed_values, points_of
from dpviz.ingest.dask.workers import workers_at
from dpviz.ingest.formats.frame_table import DaskFrame, FrameTable
from dpviz.ingest.reading import Progress, Reading
from dpviz.ingest.reading_steps import Job
from dpviz.ingest.sources import Place
from dpviz.ingest.tables import open_place
from dpviz.ingest.units.person_cap import KeyedCells, bucket_of, count_kept
from dpviz.ingest.units.person_keys import PersonHash
from dpviz.noise import NoiseSource

PIECE_BYTES = 64 << 20
_TASKS_PER_WORKER = 8
BUCKETS_PER_WORKER = 4
_HISTOGRAMS_READ = 4  # a task reads four times as many bytes as its histogram has
_FIRST = 1  # before the counting that waits: parts that are not added up would all stay in memory to the end


@dataclass(frozen=True, kw_only=True)
class Piece:
    """What a task reads in one go: a part of one file. `size` (bytes) balances the tasks and tells progress."""

    place: Place
    wanted: Wanted
    part: Part
    size: int

    def batches(self) -> Iterator[Batch]:
        """Its rows."""
        for batch in open_place(self.place).batches(self.wanted, self.part):
            yield settled(batch, self.wanted)


@dataclass(frozen=True, kw_only=True)
class FramePiece:
    """A piece of a Dask frame, on the worker that has it."""

    rows: Any
    label: str
    schema: Any
    wanted: Wanted
    size: int = 1

    def batches(self) -> Iterator[Batch]:
        """Its rows."""

        def pieces(names: Sequence[str]) -> Iterator[Any]:
            yield from pa.Table.from_pandas(self.rows, preserve_index=False).select(list(names)).to_batches()

        for batch in FrameTable(self.label, self.schema, pieces).batches(self.wanted):
            yield settled(batch, self.wanted)


@dataclass(frozen=True, kw_only=True)
class Cluster:
    """Where pieces of files and of Dask frames are given out as tasks."""

    client: Any
    workers: int
    hashed: PersonHash | None

    def ask(
        self, jobs: Sequence[Job], function: Callable[..., Any], *, least: int = 0, **options: Any
    ) -> tuple[list[Any], list[list[Any]]]:
        """A task for each group of pieces, and the groups. `function` takes a group."""
        files = [(table, wanted) for table, wanted in jobs if not isinstance(table, DaskFrame)]
        groups: list[list[Any]] = list(_groups(files, self.hashed, self.workers, least=least)) if files else []
        tasks: list[Any] = self.client.map(function, groups, pure=False, **options)
        for table, wanted in jobs:
            if isinstance(table, DaskFrame):
                wanted = replace(wanted, hashed=self.hashed)
                piece = FramePiece(rows=None, label=table.label, schema=table.schema, wanted=wanted)
                for rows in self.client.compute(table.delayed(wanted)):
                    groups.append([piece])
                    tasks.append(self.client.submit(_of_frame, rows, function, piece, options, pure=False))
        return tasks, groups


def _of_frame(rows: Any, function: Callable[..., Any], piece: FramePiece, options: dict[str, Any]) -> Any:
    return function([replace(piece, rows=rows)], **options)


def count_on_workers(
    jobs: Sequence[Job], reading: Reading, noise: NoiseSource | None, report: ReadReport, progress: Progress | None
) -> NDArray[np.int64]:
    """The counts of all files, (side, side)."""
    grid, unit = reading.grid, reading.unit
    hashed = None if unit.cap is None else PersonHash.draw(noise)
    with workers_at(reading.scheduler) as (client, workers):
        histogram = 8 * grid.side * grid.side
        cluster = Cluster(client=client, workers=workers, hashed=hashed)
        if hashed is None:
            tasks, groups = cluster.ask(jobs, _count, least=_HISTOGRAMS_READ * histogram, grid=grid)
            parts = ((worker, part) for _, worker, part in as_read(client, tasks, groups, report, progress))
        else:
            buckets = BUCKETS_PER_WORKER * workers
            tasks, groups = cluster.ask(jobs, _split, grid=grid, buckets=buckets)
            split = [part for _, _, part in as_read(client, tasks, groups, report, progress)]
            size = grid.side * grid.side
            of_bucket = meet(client, split, buckets)
            del split, tasks
            counted = client.map(_count_bucket, of_bucket, size=size, cap=unit.records, hashed=hashed, pure=False)
            parts = ((worker, part) for _, worker, _, part in finished(client, counted))
        total = summed(client, parts)
    cells = np.zeros(grid.side * grid.side, dtype=np.int64) if total is None else total
    return cells.reshape(grid.side, grid.side)


def answer_of(
    cluster: Cluster,
    jobs: Sequence[Job],
    function: Callable[..., Any],
    size: int,
    report: ReadReport | None,
    progress: Progress | None,
    **options: Any,
) -> NDArray[np.int64]:
    """What `function` finds over all pieces, added on the workers; answers have `size` bytes."""
    tasks, groups = cluster.ask(jobs, function, least=_HISTOGRAMS_READ * size, **options)
    told = ReadReport(columns=(), reason="", files=0, kinds=(), degrees=False) if report is None else report
    total = summed(
        cluster.client, ((worker, part) for _, worker, part in as_read(cluster.client, tasks, groups, told, progress))
    )
    empty: NDArray[np.int64] = options["question"].empty()
    return empty if total is None else total


def points_on_workers(
    jobs: Sequence[Job],
    frame: Frame,
    hashed: PersonHash | None,
    scheduler: str | None,
    report: ReadReport,
    progress: Progress | None,
) -> Points:
    """The points of all files, in the order of the files."""
    with workers_at(scheduler) as (client, workers):
        tasks, groups = Cluster(client=client, workers=workers, hashed=hashed).ask(jobs, _gather, frame=frame)
        found = {place: part.result() for place, _, part in as_read(client, tasks, groups, report, progress)}
    return join_points([found[place] for place in sorted(found)], frame.dims, hashed is not None)


def _count(group: Sequence[Piece], grid: Grid) -> tuple[NDArray[np.int64], Tally]:
    cells = np.zeros(grid.side * grid.side, dtype=np.int64)
    tally = np.zeros(len(TALLY), dtype=np.int64)
    for piece in group:
        for batch in piece.batches():
            tally += add_batch(batch, grid, cells)
    return cells, tally


def _split(group: Sequence[Piece], grid: Grid, buckets: int) -> tuple[list[KeyedCells], Tally]:
    """The rows inside the box, apart by bucket: all rows of a person, wherever they stand, go to one bucket."""
    keys: list[NDArray[np.uint64]] = [np.empty((0, 2), dtype=np.uint64)]
    cells: list[NDArray[np.int64] | NDArray[np.int32]] = [np.empty(0, dtype=np.int32)]
    tally = np.zeros(len(TALLY), dtype=np.int64)
    for piece in group:
        for batch in piece.batches():
            cell_of, seen = cells_of(batch, grid)
            tally += seen
            inside = cell_of >= 0
            if batch.persons is not None:
                keys.append(batch.persons[inside])
                cells.append(keyed_values(batch, cell_of))
    all_keys, all_cells = np.concatenate(keys), np.concatenate(cells)
    which = bucket_of(all_keys, buckets)
    order = np.argsort(which, kind="stable")
    edges = np.cumsum(np.bincount(which, minlength=buckets))[:-1]
    return list(zip(np.split(all_keys[order], edges), np.split(all_cells[order], edges), strict=True)), tally


def _count_bucket(
    pieces: Sequence[KeyedCells], size: int, cap: int, hashed: PersonHash
) -> tuple[NDArray[np.int64], None]:
    cells = np.zeros(size, dtype=np.int64)
    count_kept(np.concatenate([keys for keys, _ in pieces]), np.concatenate([c for _, c in pieces]), cap, hashed, cells)
    return cells, None


def _gather(group: Sequence[Piece], frame: Frame) -> tuple[Points, Tally]:
    found: list[Points] = []
    tally = np.zeros(len(TALLY), dtype=np.int64)
    for piece in group:
        for batch in piece.batches():
            points, seen = points_of(batch, frame)
            found.append(points)
            tally += seen
    return join_points(found, frame.dims, bool(group) and group[0].wanted.person is not None), tally


def as_read(
    client: Any, tasks: list[Any], groups: Sequence[Sequence[Piece]], report: ReadReport, progress: Progress | None
) -> Iterator[tuple[int, str, Any]]:
    """(number of the group, worker, its result left there), as they are done; tallies go to the report."""
    total = max(sum(piece.size for group in groups for piece in group), 1)
    done = 0
    for number, worker, tally, part in finished(client, tasks):
        report.add(tally)
        done += sum(piece.size for piece in groups[number])
        yield number, worker, part
        del part
        if progress is not None:
            progress(min(done, total), total)


def finished(client: Any, tasks: list[Any]) -> Iterator[tuple[int, str, Any, Any]]:
    """(number, worker, second thing, first thing left on the worker) of each task of two results, as they are done."""
    toolkit: Any = importlib.import_module("distributed")
    told = client.map(_told, tasks, pure=False, priority=_FIRST)
    parts = client.map(operator.getitem, tasks, [0] * len(tasks), pure=False, priority=_FIRST)
    tasks.clear()  # what is not held here is freed on the workers once it is added up
    place = {each.key: number for number, each in enumerate(told)}
    for each, (tally, worker) in toolkit.as_completed(told, with_results=True, loop=client.loop):
        number = place[each.key]
        part, parts[number] = parts[number], None
        yield number, worker, tally, part
        del part


def meet(client: Any, split: list[Any], buckets: int) -> list[list[Any]]:
    """Of rows that tasks dealt into buckets, what lies in each: the rows of one person, wherever they stood, meet."""
    # [P4] the global shuffle: one bucket, one task
    shuffled = [client.map(operator.getitem, [rows] * buckets, range(buckets), pure=False) for rows in split]
    split.clear()
    return [list(pieces) for pieces in zip(*shuffled, strict=True)]


def _told(result: tuple[Any, Any]) -> tuple[Any, str]:
    """The second of two results, and the worker on which they lie."""
    toolkit: Any = importlib.import_module("distributed")
    return result[1], str(toolkit.get_worker().address)


def summed(client: Any, parts: Iterator[tuple[str, Any]]) -> NDArray[np.int64] | None:
    """The sum of arrays that lie on workers: at once where they lie, so that few wait, then over all workers."""
    sums: dict[str, Any] = {}
    for worker, part in parts:
        before = sums.pop(worker, None)
        if before is not None:
            # The worker is a wish only: another one takes over when it dies.
            part = client.submit(
                operator.add, before, part, pure=False, priority=_FIRST, workers=[worker], allow_other_workers=True
            )
        sums[worker] = part
        del part, before
    waiting = list(sums.values())
    sums.clear()
    while len(waiting) > 1:
        first, second = waiting.pop(0), waiting.pop(0)
        waiting.append(client.submit(operator.add, first, second, pure=False))
        del first, second
    return waiting[0].result() if waiting else None


def _groups(jobs: Sequence[Job], hashed: PersonHash | None, workers: int, *, least: int = 0) -> list[list[Piece]]:
    """The pieces of all files in their order, in groups of about the same number of bytes, one per task.

    A task has at least `least` bytes where that leaves every worker one: each makes a histogram that must be added.
    """
    pieces: list[Piece] = []
    for table, wanted in jobs:
        parts = table.parts(PIECE_BYTES)
        for part in parts:
            assert table.place is not None
            size = max(table.size // len(parts), 1)
            pieces.append(Piece(place=table.place, wanted=replace(wanted, hashed=hashed), part=part, size=size))
    worth = max(workers, sum(piece.size for piece in pieces) // least) if least else len(pieces)
    tasks = max(1, min(len(pieces), _TASKS_PER_WORKER * workers, worth))
    ends = np.cumsum([piece.size for piece in pieces], dtype=np.float64)
    which = np.minimum((ends - ends[0] / 2) / ends[-1] * tasks, tasks - 1).astype(np.int64) if pieces else []
    groups: list[list[Piece]] = [[] for _ in range(tasks)]
    for piece, group in zip(pieces, which, strict=True):
        groups[group].append(piece)
    return [group for group in groups if group]
