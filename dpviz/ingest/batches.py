"""The common shape of every kind of file while it is read: a table with names that yields batches of rows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz.domain.parts import Parts
from dpviz.errors import FileError, show_name
from dpviz.ingest.conversions import numbers_of, person_keys, point_axis, texts_of, to_degrees
from dpviz.ingest.parts import sheet_places
from dpviz.ingest.sources import Place
from dpviz.ingest.units.own_levels import OwnLevels
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
    levels: NDArray[np.int64] | None = None  # the place of every row's own level
    cut: int = 0  # rows that weighed more than the bound, or stated no known level
    attributes: tuple[Any, ...] = ()  # Arrow columns of what is public in form besides the place, such as a group
    places: tuple[NDArray[np.float64], ...] | None = None  # the coordinates, where `axes` lie on a sheet of parts


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
    attributes: tuple[str, ...] = ()
    parts: Parts | None = None  # by the first of the attributes, one for each division
    levels: OwnLevels | None = None  # by the last of the attributes

    @property
    def all(self) -> tuple[str, ...]:
        texts = self.attributes if self.person is None else (self.person, *self.attributes)
        return (*self.columns, *dict.fromkeys(texts))


@dataclass(frozen=True, kw_only=True)
class Part:
    """A piece of one file for one worker: row groups of Parquet, or a range of bytes of plain text."""

    row_groups: tuple[int, ...] | None = None
    first_byte: int = 0
    last_byte: int | None = None


def settled(batch: Batch, wanted: Wanted) -> Batch:
    """A batch as a table gave it: degrees for coordinates, whole steps for weights, places on a sheet of parts."""
    if (wanted.weights, wanted.crs, wanted.parts, wanted.levels) == (None,) * 4:
        return batch
    axes, steps, cut = batch.axes, None, 0
    if wanted.weights is not None:
        *coordinates, weight = axes
        steps = wanted.weights.steps(weight)
        axes = (np.where(steps < 0, np.nan, coordinates[0]), *coordinates[1:])
        cut = int(wanted.weights.cut(weight).sum())
    axes = to_degrees(axes, wanted.crs)
    places = levels = None
    if wanted.levels is not None:
        levels, cut = wanted.levels.places(batch.attributes[-1])
    if wanted.parts is not None:
        places, axes = axes, sheet_places(axes, batch.attributes, wanted.parts)
    return replace(batch, axes=axes, places=places, steps=steps, levels=levels, cut=cut)


class Table(ABC):
    """A source that was opened as records. A kind of file is a subclass that knows its columns and yields its rows."""

    kind = "memory"  # else a name of `kinds.KINDS`
    label = ""  # how messages call it
    names: tuple[str, ...] = ()  # the columns, in the file's order
    place: Place | None = None  # the file
    size = 0  # bytes (rows in memory), for progress; 0 where it is not known
    geometry: tuple[str, str] | None = None  # the columns that the kind of file itself says are longitude and latitude
    crs: str | None = None  # the system of the coordinates, where the file states one that is not degrees
    has_header = True  # whether the names stand in the file
    points: Mapping[str, tuple[str, int]] = MappingProxyType({})  # x or y of a column of points
    made_of_points: tuple[str, ...] = ()  # columns that were made of points before
    counting: tuple[str, ...] = ()  # columns that hold values of cells, whatever their names

    @property
    def shown_names(self) -> tuple[str, ...]:
        """The columns that the curator chooses from."""
        return self.names

    def batches(self, wanted: Wanted, part: Part | None = None) -> Iterator[Batch]:
        """Yield the rows; the arrays of a batch are valid until the next one is asked for."""
        self.check(wanted.all)
        yield from self.read(wanted, part)

    def check(self, columns: Sequence[str]) -> None:
        """Refuse columns that are not there, or are there twice."""
        for column in columns:
            if (found := self.names.count(column)) == 1:
                continue
            problem = f"has {found} columns called {show_name(column)!r}. Rename one of them."
            if found == 0:
                shown = ", ".join(repr(show_name(name)) for name in self.names[:30]) or "none"
                more = f" and {len(self.names) - 30} more" if len(self.names) > 30 else ""
                problem = f"has no column {show_name(column)!r}. Its columns are {shown}{more}."
            raise FileError(f"{self.label} {problem}", file=self.label, columns=self.names)

    @abstractmethod
    def read(self, wanted: Wanted, part: Part | None) -> Iterator[Batch]:
        """Yield the rows of columns that are there."""

    def parts(self, about_bytes: int) -> list[Part]:
        """Pieces that together are the whole table, each readable on its own."""
        return [Part()]

    def stored(self, wanted: Wanted) -> list[str]:
        """The columns that have to be read, each once."""
        return list(dict.fromkeys(self.points.get(name, (name, 0))[0] for name in wanted.all))

    def numbers(self, column: Callable[[str], Any], name: str) -> NDArray[np.float64]:
        """A column as float64; `column` gives what is stored."""
        if name not in self.points:
            return numbers_of(column(name), self.label, name)
        stored, axis = self.points[name]
        return point_axis(column(stored), axis)

    def batch(self, column: Callable[[str], Any], rows: int, wanted: Wanted, done: float = 0.0) -> Batch:
        """Some rows; `column` gives the Arrow column that is stored under a name."""
        keys = None
        if wanted.person is not None and wanted.hashed is not None:
            keys = person_keys(column(wanted.person), wanted.hashed, self.label, wanted.person)
        return Batch(
            axes=tuple(self.numbers(column, name) for name in wanted.columns),
            persons=keys,
            rows=rows,
            done=min(done, 1.0),
            attributes=tuple(column(self.points.get(name, (name, 0))[0]) for name in wanted.attributes),
        )

    def batch_of_rows(self, rows: Sequence[Sequence[Any]], wanted: Wanted, done: float = 0.0) -> Batch:
        """Some rows of Python values, in the order of `wanted.all`."""
        columns = {name: texts_of([row[at] for row in rows]) for at, name in enumerate(wanted.all)}
        return self.batch(columns.__getitem__, len(rows), wanted, done)


class FileTable(Table):
    """A table in a file."""

    place: Place

    def __init__(self, place: Place, kind: str) -> None:
        self.place, self.kind, self.label, self.size = place, kind, place.label, place.size()


def point_columns(name: str) -> dict[str, tuple[str, int]]:
    """The two columns that a column of points is made into."""
    return {f"{name}.x": (name, 0), f"{name}.y": (name, 1)}
