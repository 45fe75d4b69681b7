"""Exact points that stay where they are: each query runs on the pieces, and the answers are added.

Only sums of whole numbers come back, so the result is the same to the bit however the records are split, ordered or
placed on machines.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from dpviz.domain.box import Frame
from dpviz.domain.counts import ExactCounts
from dpviz.domain.points import ExactPoints, grid_of
from dpviz.domain.relation import ONE_RECORD, Adjacency, Unit
from dpviz.domain.report import ReadReport

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
_LANES = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x27D4EB2F165667C5)


class Question(Protocol):
    """A query: a sum over records of whole numbers that each depend on one record."""

    def empty(self) -> Integers:
        """The answer for no records."""
        ...

    def add(self, cube: Floats, answer: Integers) -> None:
        """Add the contribution of these records (in the unit cube, (n, d))."""
        ...


class Rows(Protocol):
    """The place of the records: workers, or a file that is read again."""

    def asked(self, question: Question) -> Integers:
        """The answer over all records."""
        ...

    def gathered(self) -> Floats:
        """Fetch all records, in the unit cube; refused if they are too many."""
        ...


class StreamedPoints(ExactPoints):
    """Records that are read again for each query, on workers or here, and never held in memory together.

    Methods that ask for sums (`adaptive_tree`, and so `auto`, and those that take counts of a map) work on any number
    of records. Other methods are refused, whatever the number (it is secret). `exact_cube` gathers the records, for the
    curator.
    """

    __slots__ = ("_fingerprint", "_rows", "_total")

    def __init__(
        self,
        frame: Frame,
        rows: Rows,
        *,
        total: int,
        fingerprint: Integers,
        relation: Adjacency = Adjacency.ADD_REMOVE_ONE,
        unit: Unit = ONE_RECORD,
        public_rows: int | None = None,
        report: ReadReport | None = None,
    ) -> None:
        nothing = np.empty((0, frame.dims))
        super().__init__(frame, nothing, relation=relation, unit=unit, public_rows=public_rows, report=report)
        self._rows = rows
        self._total = total
        self._fingerprint = fingerprint

    def exact_sum(self, question: Question) -> Integers:
        """The answer to one question, over all records."""
        return self._rows.asked(question)

    @property
    def exact_cube(self) -> Floats:
        if len(self._cube) != self._total:
            self._cube = self._rows.gathered()
            self._cube.flags.writeable = False
        return self._cube

    @property
    def exact_total(self) -> int:
        return self._total

    def to_counts(self, side: int) -> ExactCounts:
        grid = grid_of(self.frame, side)
        cells = self.exact_sum(CellsAsked(side=side)).reshape(side, side)
        return ExactCounts(grid, cells, relation=self.relation, unit=self.unit, public_rows=self.public_rows)

    def keyed_digest(self, key: bytes) -> str:
        """A keyed hash of the content, whatever the order of the rows; another one than that of gathered points."""
        digest = hashlib.blake2b(key=key, digest_size=16)
        facts = ("streamed", self.frame, self.relation.value, str(self.unit), self.public_rows, self._total)
        digest.update(repr(facts).encode())
        digest.update(self._fingerprint.tobytes())
        return digest.hexdigest()


@dataclass(frozen=True, kw_only=True)
class CellsAsked:
    """How many records lie in each cell of a grid, row 0 = north."""

    side: int

    def empty(self) -> Integers:
        return np.zeros(self.side * self.side, np.int64)

    def add(self, cube: Floats, answer: Integers) -> None:
        cell = np.minimum((cube * self.side).astype(np.int64), self.side - 1)
        np.add.at(answer, (self.side - 1 - cell[:, 1]) * self.side + cell[:, 0], 1)


@dataclass(frozen=True, kw_only=True)
class HowMany:
    """How many records there are, each as often as it weighs."""

    def empty(self) -> Integers:
        return np.zeros(1, np.int64)

    def add(self, cube: Floats, answer: Integers) -> None:
        answer[0] += len(cube)


@dataclass(frozen=True, kw_only=True)
class FingerprintAsked:
    """A fingerprint of the content that does not depend on the order of the records."""

    def empty(self) -> Integers:
        return np.zeros(len(_LANES), np.int64)

    def add(self, cube: Floats, answer: Integers) -> None:
        bits: NDArray[np.uint64] = np.ascontiguousarray(cube + 0.0).view(np.uint64)  # -0.0 is 0.0
        sums = np.empty(len(_LANES), np.uint64)
        for lane, start in enumerate(_LANES):
            mixed = np.full(len(bits), start, np.uint64)
            for column in bits.T:
                mixed = _scrambled(mixed ^ column)
            sums[lane] = mixed.sum(dtype=np.uint64)
        answer += sums.view(np.int64)  # as arrays, which wrap around in silence


def _scrambled(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Mix every word (the finalizer of SplitMix64)."""
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    scrambled: Any = words ^ (words >> np.uint64(31))
    return np.asarray(scrambled, dtype=np.uint64)
