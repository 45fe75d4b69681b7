"""The common shape of every kind of file while it is read: a table with names that yields batches of rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from dpviz.errors import FileError, show_name
from dpviz.ingest.crs import to_degrees
from dpviz.ingest.sources import Place
from dpviz.ingest.units.person_keys import PersonHash
from dpviz.ingest.units.weights import Weights

BATCH_ROWS = 1 << 19


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Batch:
    """Some rows of a file: exact. `rows` counts all of them, the unusable ones (NaN in `axes`) included."""

    axes: tuple[NDArray[np.float64], ...]  # one array of `rows` numbers per coordinate
    persons: NDArray[np.uint64] | None  # (rows, 2): a key per row that tells persons apart
    rows: int
    done: float  # share of this table read so far
    steps: NDArray[np.int64] | None = None  # the weight of every row; an unusable row has NaN in `axes`
    cut: int = 0  # rows that weighed more than the bound


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """Which columns to read, and what becomes of them on the way.

    `columns` are numbers: the coordinates in order, and a weight behind them where there is one.
    """

    columns: tuple[str, ...]
    person: str | None = None
    hashed: PersonHash | None = None  # hides the names of persons
    weights: Weights | None = None
    crs: str | None = None

    @property
    def all(self) -> tuple[str, ...]:
        return self.columns if self.person is None else (*self.columns, self.person)


@dataclass(frozen=True, kw_only=True)
class Part:
    """A piece of one file for one worker: row groups of Parquet, or a range of bytes of plain text."""

    row_groups: tuple[int, ...] | None = None
    first_byte: int = 0
    last_byte: int | None = None


def settled(batch: Batch, wanted: Wanted) -> Batch:
    """A batch as a table gave it, with degrees for coordinates and whole steps for weights."""
    if wanted.weights is None and wanted.crs is None:
        return batch
    axes, steps, cut = batch.axes, None, 0
    if wanted.weights is not None:
        *coordinates, weight = axes
        steps = wanted.weights.steps(weight)
        axes = (np.where(steps < 0, np.nan, coordinates[0]), *coordinates[1:])
        cut = int(wanted.weights.cut(weight).sum())
    axes = to_degrees(axes, wanted.crs)
    return Batch(axes=axes, persons=batch.persons, rows=batch.rows, done=batch.done, steps=steps, cut=cut)


class Table(Protocol):
    """A file that was opened as records."""

    @property
    def label(self) -> str:
        """How messages call it."""
        ...

    @property
    def kind(self) -> str:
        """csv, parquet, geojson, gpx or memory."""
        ...

    @property
    def place(self) -> Place | None:
        """The file, or None for a table in memory."""
        ...

    @property
    def size(self) -> int:
        """Bytes (rows in memory), for progress; 0 where it is not known."""
        ...

    @property
    def names(self) -> tuple[str, ...]:
        """The columns, in the file's order; on maps of geometry `lon` and `lat` are two of them."""
        ...

    @property
    def geometry(self) -> tuple[str, str] | None:
        """The two columns that the kind of file itself says are longitude and latitude."""
        ...

    @property
    def crs(self) -> str | None:
        """The system of the coordinates, where the file states one that is not degrees."""
        ...

    @property
    def has_header(self) -> bool:
        """Whether the names stand in the file."""
        ...

    def batches(self, wanted: Wanted, part: Part | None = None) -> Iterator[Batch]:
        """The rows; the arrays of a batch are valid until the next one is asked for."""
        ...

    def parts(self, about_bytes: int) -> list[Part]:
        """Pieces that together are the whole table, each readable on its own."""
        ...


def check_columns(label: str, names: tuple[str, ...], wanted: tuple[str, ...]) -> None:
    """Refuse columns that are not there, or are there twice."""
    for column in wanted:
        found = names.count(column)
        if found == 0:
            shown = ", ".join(repr(show_name(name)) for name in names[:30]) or "none"
            more = f" and {len(names) - 30} more" if len(names) > 30 else ""
            raise FileError(
                f"{label} has no column {show_name(column)!r}. Its columns are {shown}{more}.",
                file=label,
                columns=names,
            )
        if found > 1:
            raise FileError(
                f"{label} has {found} columns called {show_name(column)!r}. Rename one of them.",
                file=label,
                columns=names,
            )
