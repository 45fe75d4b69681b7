"""What both readers share: the request checked once, columns chosen per table, batches with progress."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from dpviz.domain import Adjacency, Unit
from dpviz.errors import InputError
from dpviz.ingest.batches import Batch, Table, Wanted
from dpviz.ingest.columns import Guess, choose_columns
from dpviz.ingest.person_keys import PersonHash
from dpviz.ingest.report import ReadReport

Progress = Callable[[int, int], None]
Column = str | int
Job = tuple[Table, Wanted]


@dataclass(frozen=True, kw_only=True)
class Request:
    """How to read, whatever the table."""

    relation: Adjacency
    unit: Unit


def each_batch(jobs: Sequence[Job], hashed: PersonHash | None, progress: Progress | None) -> Iterator[Batch]:
    """All batches of all tables, with progress told in bytes (rows for tables in memory)."""
    sizes = [max(table.size, 1) for table, _ in jobs]
    before, total = 0, sum(sizes)
    for (table, wanted), size in zip(jobs, sizes, strict=True):
        for batch in table.batches(replace(wanted, hashed=hashed)):
            yield batch
            if progress is not None:
                progress(before + int(size * batch.done), total)
        before += size
    if progress is not None:
        progress(total, total)


def check_request(
    relation: str | Adjacency, person: str | None, cap: int | None, engine: str, scheduler: str | None
) -> Request:
    """Refuse combinations that mean nothing, before any file is opened."""
    relation = Adjacency.parse(relation)
    unit = Unit(person_column=person, cap=cap)
    if relation is Adjacency.REPLACE_ONE and cap is not None:
        raise InputError("the relation 'replace' cannot be used with a person column; use 'add-remove'.")
    if engine not in ("local", "dask"):
        raise InputError(f"engine={engine!r} is not known; use 'local' or 'dask'.", engine=engine)
    if scheduler is not None and engine != "dask":
        raise InputError("scheduler is given without engine='dask'.", scheduler=scheduler)
    return Request(relation=relation, unit=unit)


def choose_pair(table: Table, lon: Column | None, lat: Column | None) -> Guess:
    """The two coordinate columns of a table."""
    return choose_columns(
        table.label, table.names, table.geometry, column_name(lon, table), column_name(lat, table), table.has_header
    )


def column_name(column: Column | None, table: Table) -> str | None:
    """A column by its name, or by its place counted from 0, as in an array."""
    if column is None or isinstance(column, str):
        return column
    if isinstance(column, bool) or not isinstance(column, int | np.integer):
        raise InputError(f"column {column!r} is neither a name nor a place counted from 0.")
    if not 0 <= column < len(table.names):
        raise InputError(f"{table.label} has {len(table.names)} columns; there is no column {column}, counted from 0.")
    return table.names[column]


def wanted_columns(columns: tuple[str, ...], request: Request) -> Wanted:
    """The columns to read from one table."""
    person = request.unit.person_column
    if person in columns:
        raise InputError(f"the person column {person!r} is also a coordinate; name another column.", person=person)
    return Wanted(columns=columns, person=person)


def start_report(tables: Sequence[Table], columns: tuple[str, ...], reason: str, degrees: bool) -> ReadReport:
    """An empty report about these tables."""
    return ReadReport(
        columns=columns,
        reason=reason,
        files=len(tables),
        kinds=tuple(sorted({table.kind for table in tables})),
        degrees=degrees,
    )
