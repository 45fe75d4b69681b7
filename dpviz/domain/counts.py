"""Exact counts on a grid: a file of records before any protection."""

from __future__ import annotations

import hashlib

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpviz.domain import _kernels
from dpviz.domain._exact import Exact, exact_html
from dpviz.domain.box import Grid
from dpviz.domain.relation import ONE_RECORD, Adjacency, Unit
from dpviz.domain.report import ReadReport
from dpviz.domain.traces import Traces
from dpviz.errors import FrameMismatch, InputError


class ExactCounts(Exact):
    """How many records lie in each cell: exact, for the curator only, mergeable by `+`.

    Under REPLACE_ONE `public_rows` is the number of all rows of the file, which that relation makes public; rows
    outside the box then live in a public "nowhere" cell at infinite distance (`exact_nowhere` of them). `report`, of
    counts that were read from a source, says what became of its rows. `cap_is_stated`: the counts were handed in
    finished, so that the cap of their unit is the curator's statement; the label of a release says so.
    """

    __slots__ = (
        "__weakref__",
        "_cells",
        "_halvings",
        "_total",
        "cap_is_stated",
        "grid",
        "public_rows",
        "relation",
        "report",
        "unit",
    )

    cap_is_stated: bool
    grid: Grid
    relation: Adjacency
    unit: Unit
    public_rows: int | None
    report: ReadReport | None

    def __init__(
        self,
        grid: Grid,
        cells: NDArray[np.int64],
        *,
        relation: Adjacency = Adjacency.ADD_REMOVE_ONE,
        unit: Unit = ONE_RECORD,
        public_rows: int | None = None,
        report: ReadReport | None = None,
        cap_is_stated: bool = False,
    ) -> None:
        self.report = report
        self.cap_is_stated = cap_is_stated
        self.grid = grid
        self.relation = relation
        self.unit = unit
        self.public_rows = public_rows
        self._cells = cells
        self._cells.flags.writeable = False
        self._total: int | None = None
        self._halvings: tuple[NDArray[np.int64], ...] | None = None

    @classmethod
    def from_array(
        cls,
        grid: Grid,
        array: ArrayLike,
        *,
        relation: str | Adjacency = Adjacency.ADD_REMOVE_ONE,
        unit: Unit = ONE_RECORD,
        public_rows: int | None = None,
    ) -> ExactCounts:
        """Counts from a (side, side) array of whole numbers ≥ 0, row 0 = north.

        With a cap or a bound in `unit`, these counts hold at most so many records of one person (or weight of one
        row): your statement, which counts alone cannot show. The label of a release says that it is one.
        """
        relation = Adjacency.parse(relation)
        given = np.asarray(array)
        if given.shape != (grid.side, grid.side):
            raise InputError(f"the array has shape {given.shape}; this grid needs ({grid.side}, {grid.side}).")
        if given.dtype.kind not in "iufb":
            raise InputError(f"the array holds {given.dtype}; counts are whole numbers.")
        cells = given.astype(np.int64)
        if given.dtype.kind == "f" and not (np.isfinite(given).all() and (cells == given).all()):
            raise InputError("the array holds fractions, NaN or infinities; counts are whole numbers.")
        if (cells < 0).any():
            raise InputError("the array holds negative numbers; counts are 0 or more.")
        if relation is Adjacency.REPLACE_ONE:
            if unit != ONE_RECORD:
                raise InputError("the relation 'replace' cannot be used with persons or weights; use 'add-remove'.")
            if public_rows is None:
                public_rows = int(cells.sum())
            if public_rows < int(cells.sum()):
                raise InputError("public_rows must count all rows of the file, those outside the box included.")
        elif public_rows is not None:
            raise InputError("public_rows belongs to the relation 'replace'; under 'add-remove' it is secret.")
        stated = unit.holds_several
        return cls(grid, cells, relation=relation, unit=unit, public_rows=public_rows, cap_is_stated=stated)

    def to_numpy(self) -> NDArray[np.int64]:
        """A copy of the exact counts, (side, side), row 0 = north. For the curator."""
        return self._cells.copy()

    @property
    def exact_cells(self) -> NDArray[np.int64]:
        """The exact counts themselves, read-only: for mechanisms and curator-side code."""
        return self._cells

    @property
    def exact_total(self) -> int:
        if self._total is None:  # the cells never change
            self._total = int(self._cells.sum())
        return self._total

    @property
    def exact_nowhere(self) -> int:
        """Rows of the file outside the box, under REPLACE_ONE; 0 otherwise (they do not exist there)."""
        return 0 if self.public_rows is None else self.public_rows - self.exact_total

    @property
    def exact_halvings(self) -> tuple[NDArray[np.int64], ...]:
        """The exact counts, those of 2×2 blocks of cells, of blocks of these, and so on while the side is even.

        Computed once and cached, because every run needs them.
        """
        if self._halvings is None:
            levels = [self._cells]
            while levels[-1].shape[0] % 2 == 0:
                levels.append(_kernels.halve(levels[-1]))
                levels[-1].flags.writeable = False
            self._halvings = tuple(levels)
        return self._halvings

    def coarsened(self, side: int) -> ExactCounts:
        """The same records on a coarser grid of this box."""
        factor = self.grid.side // side
        grid = Grid(self.grid.box, side)
        cells = self._cells.reshape(side, factor, side, factor).sum(axis=(1, 3))
        return ExactCounts(
            grid,
            cells,
            relation=self.relation,
            unit=self.unit,
            public_rows=self.public_rows,
            report=self.report,
            cap_is_stated=self.cap_is_stated,
        )

    def keyed_digest(self, key: bytes) -> str:
        """A keyed hash of the content, for the ledger only."""
        digest = hashlib.blake2b(key=key, digest_size=16)
        digest.update(repr((self.grid, self.relation.value, str(self.unit), self.public_rows)).encode())
        digest.update(np.ascontiguousarray(self._cells).tobytes())
        return digest.hexdigest()

    def __add__(self, other: ExactCounts) -> ExactCounts:
        if not isinstance(other, ExactCounts):
            return NotImplemented
        if (self.grid, self.relation, self.unit) != (other.grid, other.relation, other.unit):
            raise FrameMismatch("counts can be added only on the same box, grid, relation and unit of protection.")
        rows = None if self.public_rows is None or other.public_rows is None else self.public_rows + other.public_rows
        return ExactCounts(
            self.grid,
            self._cells + other._cells,
            relation=self.relation,
            unit=self.unit,
            public_rows=rows,
            report=None if self.report is None or other.report is None else self.report + other.report,
            # a person may stand in both: that the sum keeps the cap is the curator's statement
            cap_is_stated=self.unit.holds_several,
        )

    def _repr_html_(self) -> str:
        return exact_html(
            f"Exact counts on {self.grid.side}×{self.grid.side} cells", self.grid.frame, self.relation, self.unit
        )

    def __repr__(self) -> str:
        return (
            f"<ExactCounts {self.grid.side}x{self.grid.side}, {self.relation.value}, {self.unit}: exact, curator only>"
        )


class TracedCounts(ExactCounts):
    """Exact counts with traces but without a report: from a file of counts or from another process."""

    __slots__ = ("traces",)

    traces: Traces

    @classmethod
    def of(cls, counts: ExactCounts, traces: Traces) -> TracedCounts | LevelCounts:
        """The same counts with these traces."""
        if isinstance(counts, LevelCounts):
            counts.traces = traces
            return counts
        traced = cls(
            counts.grid,
            counts.exact_cells,
            relation=counts.relation,
            unit=counts.unit,
            public_rows=counts.public_rows,
            cap_is_stated=counts.cap_is_stated,
        )
        traced.traces = traces
        return traced


class LevelCounts(ExactCounts):
    """Exact counts of records that chose their own level: one sheet for each level of the unit, loosest first.

    As `ExactCounts` they are the sum of the sheets.
    """

    __slots__ = ("_by_level", "traces")

    traces: Traces | None

    def __init__(
        self,
        grid: Grid,
        by_level: NDArray[np.int64],
        *,
        unit: Unit,
        report: ReadReport | None = None,
        cap_is_stated: bool = False,
    ) -> None:
        if by_level.shape != (len(unit.levels), grid.side, grid.side) or not unit.levels or (by_level < 0).any():
            raise InputError(f"counts by level are {len(unit.levels)} sheets of {grid.side}x{grid.side} whole numbers.")
        super().__init__(grid, by_level.sum(axis=0), unit=unit, report=report, cap_is_stated=cap_is_stated)
        self._by_level = by_level
        self._by_level.flags.writeable = False
        self.traces = None if report is None else report.traces

    @property
    def exact_by_level(self) -> NDArray[np.int64]:
        """The exact counts of each level, (levels, side, side), read-only."""
        return self._by_level

    def coarsened(self, side: int) -> LevelCounts:
        """The same records on a coarser grid of this box."""
        factor = self.grid.side // side
        sheets = self._by_level.reshape(-1, side, factor, side, factor).sum(axis=(2, 4))
        return self._again(Grid(self.grid.box, side), sheets, self.report, self.cap_is_stated)

    def keyed_digest(self, key: bytes) -> str:
        """A keyed hash of the content, for the ledger only."""
        digest = hashlib.blake2b(super().keyed_digest(key).encode(), key=key, digest_size=16)
        digest.update(np.ascontiguousarray(self._by_level).tobytes())
        return digest.hexdigest()

    def __add__(self, other: ExactCounts) -> ExactCounts:
        both = super().__add__(other)
        if not isinstance(other, LevelCounts):  # an equal unit has the same levels
            return NotImplemented
        return self._again(self.grid, self._by_level + other._by_level, both.report, both.cap_is_stated)

    def _again(self, grid: Grid, sheets: NDArray[np.int64], report: ReadReport | None, stated: bool) -> LevelCounts:
        found = LevelCounts(grid, sheets, unit=self.unit, report=report, cap_is_stated=stated)
        found.traces = self.traces if report is None else report.traces
        return found
