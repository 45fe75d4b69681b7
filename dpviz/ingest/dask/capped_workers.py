"""A person cap on points that stay on workers: rows meet by person there, and those that are kept stay there.

The rows travel between workers once, in buckets that follow from the person's key alone; each bucket keeps at most
`cap` rows of every person by the rule of the local engine, so the kept rows are the same to the bit. Questions are then
asked of the buckets. Neither rows nor keys come to the client.

Proof: docs/proofs/person_cap.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import Frame, ReadReport
from dpviz.domain.points import FingerprintAsked, Question
from dpviz.domain.report import TALLY
from dpviz.errors import InputError
from dpviz.ingest.binning import MOST_POINTS, Tally, join_points, points_of
from dpviz.ingest.dask.engine import BUCKETS_PER_WORKER, Cluster, as_read, finished, meet, summed
from dpviz.ingest.reading import Progress
from dpviz.ingest.reading_steps import Job
from dpviz.ingest.streaming import RowsOnWorkers, in_cube
from dpviz.ingest.units.person_cap import bucket_of, by_person, keep
from dpviz.ingest.units.person_keys import PersonHash

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
KeyedRows = tuple[NDArray[np.uint64], Floats]


class KeptOnWorkers(RowsOnWorkers):
    """Rows of which at most `cap` of each person are kept, in the memory of the workers of a scheduler."""

    def __init__(
        self,
        jobs: Sequence[Job],
        frame: Frame,
        scheduler: str | None,
        progress: Progress | None,
        *,
        cap: int,
        hashed: PersonHash,
    ) -> None:
        super().__init__(jobs, frame, scheduler, progress)
        self.cap, self.hashed = cap, hashed
        self._kept: list[Any] = []

    def first_look(self, report: ReadReport) -> Integers:
        """Lets the rows meet by person; then the fingerprint of those that are kept."""
        client, workers = self._workers()
        buckets = BUCKETS_PER_WORKER * workers
        cluster = Cluster(client=client, workers=workers, hashed=self.hashed)
        tasks, groups = cluster.ask(self.jobs, split_points, frame=self.frame, buckets=buckets)
        split = [part for _, _, part in as_read(client, tasks, groups, report, self.progress)]
        of_bucket = meet(client, split, buckets)
        self._kept = client.map(keep_bucket, of_bucket, frame=self.frame, cap=self.cap, hashed=self.hashed, pure=False)
        return self.asked(FingerprintAsked())

    def gathered(self) -> Floats:
        """All kept rows here, in no order."""
        if self.asked_for_size() > MOST_POINTS:
            raise InputError(
                "these are too many records to hold in one place, as this method or question needs; use "
                "method='adaptive_tree' (or 'auto'), which asks the records where they are."
            )
        client, _ = self._workers()
        return np.concatenate(client.gather(self._kept))

    def asked_for_size(self) -> int:
        """How many rows are kept."""
        client, _ = self._workers()
        return sum(client.gather(client.map(len, self._kept, pure=False)))

    def _asked(self, question: Question, report: ReadReport | None) -> Integers:
        client, _ = self._workers()
        tasks = client.map(ask_kept, self._kept, question=question, pure=False)
        answer = summed(client, ((worker, part) for _, worker, _, part in finished(client, tasks)))
        return question.empty() if answer is None else answer


def split_points(group: Sequence[Any], frame: Frame, buckets: int) -> tuple[list[KeyedRows], Tally]:
    """On a worker: the rows of some pieces inside the frame, apart by bucket, and what became of the others."""
    found = []
    tally = np.zeros(len(TALLY), dtype=np.int64)
    for piece in group:
        for batch in piece.batches():
            points, seen = points_of(batch, frame)  # [P3] each row is judged alone
            found.append(points)
            tally += seen
    raw, keys = join_points(found, frame.dims, True)
    assert keys is not None
    # [P4] a fixed function of the key alone
    which = bucket_of(keys, buckets)
    order = np.argsort(which, kind="stable")
    edges = np.cumsum(np.bincount(which, minlength=buckets))[:-1]
    return list(zip(np.split(keys[order], edges), np.split(raw[order], edges), strict=True)), tally


def keep_bucket(pieces: Sequence[KeyedRows], frame: Frame, cap: int, hashed: PersonHash) -> Floats:
    """On a worker: the kept rows of all persons of one bucket, in the unit cube."""
    keys = np.concatenate([each for each, _ in pieces])
    raw = np.concatenate([rows for _, rows in pieces])
    kept: NDArray[np.bool_] = np.zeros(len(raw), dtype=np.bool_)
    for rows in by_person(keys):
        values = tuple(raw[rows, axis] for axis in range(frame.dims))
        kept[rows] = keep(keys[rows], values, cap, hashed)  # [P5] [P6]
    return in_cube(raw[kept], frame)  # [P7] what is kept, and no key


def ask_kept(cube: Floats, question: Question) -> tuple[Integers, None]:
    """On a worker: the answer over the kept rows of one bucket."""
    answer = question.empty()
    question.add(cube, answer)
    return answer, None
