"""Rows that are read again for each question, in this process or on workers.

A worker returns an array whose size does not depend on the number of rows; the arrays are added on the workers.
"""

from __future__ import annotations

import os
import weakref
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import Frame, ReadReport
from dpviz.domain.points import FingerprintAsked, Question
from dpviz.domain.report import TALLY
from dpviz.errors import InputError
from dpviz.ingest.batches import Batch
from dpviz.ingest.binning import MOST_POINTS, Tally, points_of
from dpviz.ingest.reading import Progress
from dpviz.ingest.reading_steps import Job, each_batch

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


class RowsHere:
    """Rows of files and frames that this process reads."""

    def __init__(self, jobs: Sequence[Job], frame: Frame, progress: Progress | None) -> None:
        self.jobs, self.frame, self.progress = jobs, frame, progress
        self._as_found = self._files()

    def _files(self) -> list[tuple[int, int]]:
        """Size and time of every local file: one reading must find what the one before found."""
        paths = [table.place.path for table, _ in self.jobs if table.place is not None]
        facts = [os.stat(path) for path in dict.fromkeys(paths) if path is not None and os.path.exists(path)]
        return [(fact.st_size, fact.st_mtime_ns) for fact in facts]

    def refuse_if_changed(self) -> None:
        """Records are read several times, and have to be the same each time."""
        if self._files() != self._as_found:
            raise InputError("the files changed while they were read. Read them again with dpviz.read_points.")

    def first_look(self, report: ReadReport) -> Integers:
        """The fingerprint of the content; the report is told what became of the rows."""
        return self._asked(FingerprintAsked(), report)

    def asked(self, question: Question) -> Integers:
        """The answer over all rows."""
        self.refuse_if_changed()
        answer = self._asked(question, None)
        self.refuse_if_changed()
        return answer

    def gathered(self) -> Floats:
        """All rows inside the frame, in their order."""
        self.refuse_if_changed()
        found: list[Floats] = [np.empty((0, self.frame.dims))]
        rows = 0
        for batch in each_batch(self.jobs, None, None):
            (raw, _), _ = points_of(batch, self.frame)
            found.append(in_cube(raw, self.frame))
            rows += len(raw)
            if rows > MOST_POINTS:
                raise InputError(
                    "these are too many records to hold in one place, as this method or question needs; use "
                    "method='adaptive_tree' (or 'auto'), which asks the records where they are."
                )
        self.refuse_if_changed()
        return np.concatenate(found)

    def _asked(self, question: Question, report: ReadReport | None) -> Integers:
        answer, tally = _answer(each_batch(self.jobs, None, self.progress), self.frame, question)
        if report is not None:
            report.add(tally)
        return answer


class RowsOnWorkers(RowsHere):
    """Rows that the workers of a scheduler read; they stay connected until this is no longer used."""

    def __init__(self, jobs: Sequence[Job], frame: Frame, scheduler: str | None, progress: Progress | None) -> None:
        super().__init__(jobs, frame, progress)
        self.scheduler = scheduler
        self._stack = ExitStack()
        self._connected: tuple[Any, int] | None = None

    def _asked(self, question: Question, report: ReadReport | None) -> Integers:
        from dpviz.ingest.dask.engine import Cluster, answer_of

        client, workers = self._workers()
        cluster = Cluster(client=client, workers=workers, hashed=None)
        size = max(1, question.empty().nbytes)
        return answer_of(
            cluster, self.jobs, ask_pieces, size, report, self.progress, frame=self.frame, question=question
        )

    def _workers(self) -> tuple[Any, int]:
        from dpviz.ingest.dask.workers import workers_at

        if self._connected is None:
            self._connected = self._stack.enter_context(workers_at(self.scheduler))
            weakref.finalize(self, self._stack.close)
        return self._connected


def in_cube(raw: Floats, frame: Frame) -> Floats:
    """Rows inside the frame, in the unit cube."""
    low, high = np.asarray(frame.low), np.asarray(frame.high)
    cube: Floats = raw - low
    cube /= high - low
    return np.clip(cube, 0.0, 1.0, out=cube)


def ask_pieces(group: Sequence[Any], frame: Frame, question: Question) -> tuple[Integers, Tally]:
    """On a worker: the answer over some pieces of files, and what became of their rows."""
    return _answer((batch for piece in group for batch in piece.batches()), frame, question)


def _answer(batches: Iterable[Batch], frame: Frame, question: Question) -> tuple[Integers, Tally]:
    answer = question.empty()
    tally = np.zeros(len(TALLY), dtype=np.int64)
    for batch in batches:
        (raw, _), seen = points_of(batch, frame)
        question.add(in_cube(raw, frame), answer)
        tally += seen
    return answer, tally
