"""Exact points in d dimensions, kept in the unit cube of a public frame; and points that stay where they are.

Of those each query runs on the pieces, and the answers are added. Only sums of whole numbers come back, so the result
is the same to the bit however the records are split, ordered or placed on machines.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpviz.domain._exact import Exact, exact_html
from dpviz.domain.box import Frame, GeoBox, Grid, PlainBox
from dpviz.domain.counts import ExactCounts
from dpviz.domain.relation import ONE_RECORD, Adjacency, Unit
from dpviz.domain.report import ReadReport
from dpviz.errors import InputError

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
_LANES = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x27D4EB2F165667C5)


class ExactPoints(Exact):
    """Records as points: exact, for the curator only. Rows outside the frame are ignored (files), or clipped
    (estimator). `cap_is_stated`: as of `ExactCounts`.
    """

    __slots__ = ("_cube", "_persons", "cap_is_stated", "frame", "public_rows", "relation", "report", "unit")

    def __init__(
        self,
        frame: Frame,
        cube: NDArray[np.float64],
        *,
        relation: Adjacency = Adjacency.ADD_REMOVE_ONE,
        unit: Unit = ONE_RECORD,
        public_rows: int | None = None,
        persons: NDArray[np.int64] | None = None,
        report: ReadReport | None = None,
        cap_is_stated: bool = False,
    ) -> None:
        self.report = report
        self.cap_is_stated = cap_is_stated
        self.frame = frame
        self.relation = relation
        self.unit = unit
        self.public_rows = public_rows
        self._cube = cube
        self._cube.flags.writeable = False
        self._persons = persons

    @classmethod
    def from_array(
        cls,
        frame: Frame,
        raw: ArrayLike,
        *,
        relation: str | Adjacency = Adjacency.ADD_REMOVE_ONE,
        unit: Unit = ONE_RECORD,
        outside: str = "ignore",
        persons: NDArray[np.int64] | None = None,
        radius: float | None = None,
    ) -> ExactPoints:
        """Points from an (n, d) array in raw coordinates. NaN and infinite rows are ignored under both rules.

        A unit with a person needs `persons`, one whole number a row: without it no cap can be checked. That rows with a
        weight bound stand repeated at most so often is your statement; the label of a release says that it is one.
        `radius` is that of a public ball around the middle of the frame, in local coordinates: rows beyond it are
        outside, too.
        """
        relation = Adjacency.parse(relation)
        values = np.asarray(raw, dtype=np.float64)
        if values.ndim != 2 or values.shape[1] != frame.dims:
            raise InputError(f"the array has shape {values.shape}; this frame needs (n, {frame.dims}).")
        if relation is Adjacency.REPLACE_ONE and unit != ONE_RECORD:
            raise InputError("the relation 'replace' cannot be used with persons or weights; use 'add-remove'.")
        low, high = np.asarray(frame.low), np.asarray(frame.high)
        keep = np.asarray(np.isfinite(values).all(axis=1))
        if outside == "ignore":
            with np.errstate(invalid="ignore"):
                keep &= ((values >= low) & (values < high)).all(axis=1)
        elif outside != "clip":
            raise InputError(f"outside={outside!r}: use 'ignore' or 'clip'.")
        cube = np.clip((values[keep] - low) / (high - low), 0.0, 1.0)
        if radius is not None:
            offsets = (cube - 0.5) * frame.extent
            longer = np.sqrt((offsets**2).sum(axis=1)) / checked_radius(radius)
            if outside == "ignore":
                cube, keep[keep] = cube[longer <= 1.0], longer <= 1.0
            else:
                cube = np.clip(0.5 + offsets / np.maximum(longer, 1.0)[:, None] / frame.extent, 0.0, 1.0)
        kept_persons = None if persons is None else _checked_persons(persons, len(values))[keep]
        if unit.cap is not None and kept_persons is None:
            raise InputError(
                f"these points promise {unit}, and nothing says whose each row is; give persons=, one whole number a "
                "row, or read them with read_points(…, person=…, cap=…).",
                cap=unit.cap,
            )
        most = 0 if kept_persons is None else np.unique(kept_persons, return_counts=True)[1].max(initial=0)
        if unit.cap is not None and most > unit.cap:
            raise InputError(
                f"a person has more records in the box than the cap of {unit.cap} allows; from_array keeps all it is "
                "given. read_points(…, person=…, cap=…) keeps at most that many of each.",
                cap=unit.cap,
            )
        return cls(
            frame,
            cube,
            relation=relation,
            unit=unit,
            public_rows=len(values) if relation is Adjacency.REPLACE_ONE else None,
            persons=kept_persons,
            cap_is_stated=unit.weight_bound is not None,
        )

    @property
    def exact_cube(self) -> NDArray[np.float64]:
        """The points in the unit cube, (n, d), read-only: for mechanisms and curator-side code."""
        return self._cube

    @property
    def exact_persons(self) -> NDArray[np.int64] | None:
        """A code per record that tells persons apart, when a person column was given."""
        return self._persons

    @property
    def exact_total(self) -> int:
        return len(self._cube)

    @property
    def exact_nowhere(self) -> int:
        return 0 if self.public_rows is None else self.public_rows - self.exact_total

    def exact_local(self) -> NDArray[np.float64]:
        """The points in local coordinates (metres on maps), (n, d)."""
        return self.exact_cube * self.frame.extent

    def to_numpy(self) -> NDArray[np.float64]:
        """The points in raw coordinates. For the curator."""
        return self.frame.to_raw(self.exact_local())

    def to_counts(self, side: int) -> ExactCounts:
        """The same records on a grid, for methods in two dimensions; a point on the high edge is in the last cell."""
        grid = grid_of(self.frame, side)
        cell = np.minimum((self._cube * side).astype(np.int64), side - 1)
        flat = (side - 1 - cell[:, 1]) * side + cell[:, 0]
        cells = np.bincount(flat, minlength=side * side).reshape(side, side).astype(np.int64)
        return ExactCounts(
            grid,
            cells,
            relation=self.relation,
            unit=self.unit,
            public_rows=self.public_rows,
            cap_is_stated=self.cap_is_stated,
        )

    def keyed_digest(self, key: bytes) -> str:
        """A keyed hash of the content, whatever the order of the rows; for the ledger only."""
        digest = hashlib.blake2b(key=key, digest_size=16)
        digest.update(repr((self.frame, self.relation.value, str(self.unit), self.public_rows)).encode())
        order = np.lexsort(self._cube.T[::-1])
        digest.update(np.ascontiguousarray(self._cube[order]).tobytes())
        return digest.hexdigest()

    def _repr_html_(self) -> str:
        return exact_html(f"Exact points in {self.frame.dims} dimensions", self.frame, self.relation, self.unit)

    def __repr__(self) -> str:
        return f"<ExactPoints {self.frame.dims}-D, {self.relation.value}, {self.unit}: exact, curator only>"


def checked_radius(radius: float) -> float:
    """The radius of a public ball."""
    if isinstance(radius, bool) or not isinstance(radius, int | float | np.floating) or not 0.0 < radius < np.inf:
        raise InputError(f"radius={radius!r}: give a number above 0, known without looking at the rows.", radius=radius)
    return float(radius)


def _checked_persons(persons: ArrayLike, rows: int) -> NDArray[np.int64]:
    """One whole number a row. Texts and numbers with decimals are for read_points, which knows what one person is."""
    codes = np.asarray(persons)
    if codes.shape != (rows,) or codes.dtype.kind not in "iu":
        raise InputError(
            f"persons has shape {codes.shape} and holds {codes.dtype}; give one whole number for each of the rows, "
            "the same for all rows of one person."
        )
    return codes.astype(np.int64)


def grid_of(frame: Frame, side: int) -> Grid:
    """The public grid over a frame of two dimensions."""
    if frame.dims != 2:
        raise InputError(f"a grid of counts needs 2 dimensions; these points have {frame.dims}.")
    low, high = frame.low, frame.high
    if frame.metric == "m":
        return Grid(GeoBox(low[0], low[1], high[0], high[1]), side)
    return Grid(PlainBox((low[0], low[1]), (high[0], high[1])), side)


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
