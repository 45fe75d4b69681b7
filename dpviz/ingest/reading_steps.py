"""Steps that both readers share: choose columns per table, yield batches with progress, begin a report."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from dpviz.domain import Adjacency, Frame, ReadReport
from dpviz.domain.report import outside_everything
from dpviz.domain.traces import Traces
from dpviz.errors import AmbiguousColumns, FileError, InputError, show_name
from dpviz.ingest.batches import Batch, Table, Wanted, settled
from dpviz.ingest.columns import Guess, choose_columns, counting_columns
from dpviz.ingest.conversions import checked_crs
from dpviz.ingest.formats.frame_table import on_workers
from dpviz.ingest.formats.text_table import TextTable
from dpviz.ingest.reading import Column, Progress, Reading
from dpviz.ingest.sources import HEAD, explain_file_errors, unpacked
from dpviz.ingest.tables import open_tables
from dpviz.ingest.units.person_columns import settle_unit
from dpviz.ingest.units.person_keys import PersonHash
from dpviz.ingest.units.weights import Weights

_SHAPES = re.compile(
    r"\bPOINT\s*(?:ZM|[ZM])?\s*\(|\b(?:01[0-9A-F]{2}0000[02468A][0-9A-F]|00[02468A][0-9A-F]0000[0-9A-F]{2})[0-9A-F]{8,}\b",
    re.I,
)
_DEGREES_MINUTES = re.compile(r"\d\s*[°º]\s*\d|\d+[dD:]\s?\d+['′:]|[NSEW]\s*\d+ \d+ \d|\d+ \d+ [\d.]+\s*[NSEW]\b")

Job = tuple[Table, Wanted]


def each_batch(jobs: Sequence[Job], hashed: PersonHash | None, progress: Progress | None) -> Iterator[Batch]:
    """All batches of all tables, with progress told in bytes (rows for tables in memory)."""
    sizes = [max(table.size, 1) for table, _ in jobs]
    before, total = 0, sum(sizes)
    for (table, wanted), size in zip(jobs, sizes, strict=True):
        for batch in table.batches(replace(wanted, hashed=hashed)):
            yield settled(batch, wanted)
            if progress is not None:
                progress(before + int(size * batch.done), total)
        before += size
    if progress is not None:
        progress(total, total)


def choose_pair(table: Table, lon: Column | None, lat: Column | None) -> Guess:
    """The two coordinate columns of a table."""
    named = column_name(lon, table), column_name(lat, table)
    if isinstance(table, TextTable):
        table.refuse_unless_named([name for name in named if name is not None])
    try:
        return choose_columns(table.label, table.names, table.geometry, *named, table.has_header)
    except (AmbiguousColumns, FileError):
        if named != (None, None) or not _SHAPES.search(_beginning(table)):
            raise
        raise FileError(
            f"{table.label} holds its points as text in one column, in WKT or WKB (POINT(…), 0101…). Write longitude "
            "and latitude in two columns; a database makes them with ST_X(…) and ST_Y(…).",
            columns=table.names,
        ) from None


def _beginning(table: Table) -> str:
    """The first bytes of separated text; empty for other kinds."""
    if table.place is None or table.kind != "csv":
        return ""
    with explain_file_errors(table.label), unpacked(table.place) as (stream, _):
        return stream.read(HEAD).decode("utf-8", "replace")


def column_name(column: Column | None, table: Table) -> str | None:
    """A column by its name, or by its place counted from 0, as in an array."""
    if column is None or isinstance(column, str):
        return column
    if isinstance(column, bool) or not isinstance(column, int | np.integer):
        raise InputError(f"column {column!r} is neither a name nor a place counted from 0.")
    if not 0 <= column < len(table.names):
        raise InputError(f"{table.label} has {len(table.names)} columns; there is no column {column}, counted from 0.")
    if isinstance(table, TextTable) and not (table.knows_names or table.is_counted):
        raise AmbiguousColumns(
            f"the first line of {table.label} may be names or a record: a place in it does not say. Name columns by "
            "their names, or say header=True (--header).",
            candidates=(),
        )
    return table.names[column]


def wanted_columns(table: Table, columns: tuple[str, ...], reading: Reading) -> Wanted:
    """The columns to read from one table, each for one purpose."""
    person, weight, level = reading.person, reading.weight, reading.level
    for name, what in ((person, "person"), (weight, "weight"), (level, "level")):
        if name is not None and name in columns:
            raise InputError(f"the {what} column {name!r} is also a coordinate; name another column.", column=name)
    if person is not None and person == weight:
        raise InputError(f"the person column {person!r} is also the weight; name another column.", column=person)
    if level is not None and level == person:
        raise InputError(f"the level column {level!r} is also the person; name another column.", column=level)
    if weight is None and reading.weight_unit is None:
        refuse_to_guess_weights(table)
    for name in reading.divided_by:
        if name in (*columns, weight):
            what = "a coordinate" if name in columns else "the weight"
            raise InputError(f"the column {show_name(name)!r} divides, and is also {what}; name another one.")
    return Wanted(
        columns=columns if weight is None else (*columns, weight),
        person=person,
        weights=Weights.of(reading.unit),
        crs=reading.crs if reading.crs is not None else checked_crs(table.crs),
        attributes=(*reading.divided_by, *(() if level is None else (level,))),
        parts=reading.parts,
        levels=reading.own_levels,
    )


def refuse_to_guess_weights(table: Table) -> None:
    """Refuse a table with a counting column unless the caller says what a row stands for."""
    found = counting_columns(table.names) or table.counting
    if found:
        raise AmbiguousColumns(
            f"{table.label} has a column {show_name(found[0])!r}: does a row stand for several records? Say what it "
            f"means: weight={show_name(found[0])!r} with weight_unit='record' (each unit of it is one record) or with "
            "weight_bound=W (a row is protected with a weight of at most W), or weight_unit='row' alone (each row is "
            "one record, whatever the column says). On the command line: --weight, --weight-unit, --weight-bound.",
            candidates=(),
            columns=table.names,
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class Work:
    """What both readers find out before they read a row: which columns of which tables, in which public frame."""

    reading: Reading
    jobs: list[Job]
    columns: tuple[str, ...]  # of the first table
    frame: Frame
    report: ReadReport

    @classmethod
    def begin(
        cls,
        reading: Reading,
        choose: Callable[[Table], tuple[tuple[str, ...], str]],
        frame_of: Callable[[tuple[str, ...]], Frame],
    ) -> Work:
        """Open the tables and choose the columns of each; `choose` says why as well."""
        tables = open_tables(reading.source, layer=reading.layer, query=reading.query, form=reading.form)
        chosen = [choose(table) for table in tables]
        names = [columns for columns, _ in chosen]
        settle_unit(tables, names, person=reading.person, stated=reading.protect)
        frame = frame_of(names[0])
        report = ReadReport(
            columns=names[0],
            reason=chosen[0][1],
            files=len(tables),
            kinds=tuple(sorted({table.kind for table in tables})),
            degrees=frame.metric == "m",
        )
        report.by_level = reading.level is not None
        if reading.weight is None and reading.weight_unit == "row":
            for name in dict.fromkeys(name for table in tables for name in counting_columns(table.names)):
                report.note(f"Each row counts as one record; the column {show_name(name)!r} is not used.")
        jobs = [(table, wanted_columns(table, columns, reading)) for table, columns in zip(tables, names, strict=True)]
        return cls(reading=reading, jobs=jobs, columns=names[0], frame=frame, report=report)

    @property
    def is_spread(self) -> bool:
        """Whether workers read all of it; what lies in this process's memory stays here."""
        return self.reading.engine == "dask" and all(on_workers(table) for table, _ in self.jobs)

    @property
    def public_rows(self) -> int | None:
        """How many rows were read, where the relation makes that public."""
        return self.report.exact_rows if self.reading.adjacency is Adjacency.REPLACE_ONE else None

    def batches(self, hashed: PersonHash | None, progress: Progress | None) -> Iterator[Batch]:
        """All rows, read here; where they lie on a map, the report takes their traces."""
        traces = None
        if self.frame.metric == "m":
            traces = self.report.traces = Traces.empty(self.frame.dims // 2, with_persons=hashed is not None)
        for batch in each_batch(self.jobs, hashed, progress):
            if traces is not None:
                traces.add(batch.axes if batch.places is None else batch.places, batch.persons)
            yield batch

    def refuse_if_outside(self) -> None:
        """Refuse a source without a row in the frame; note why rows are unusable."""
        if self.reading.strict:
            return
        if self.report.exact_unusable * 2 > self.report.exact_rows:
            self._note_why_unusable()
        if self.report.exact_inside == 0:
            raise outside_everything(self.report, self.frame)

    def _note_why_unusable(self) -> None:
        """Note what the beginning of the files holds instead of numbers."""
        for table, _ in self.jobs:
            if set(self.columns) & {*table.points, *table.made_of_points}:
                self.report.note("The geometry column holds something else than whole points in well-known binary.")
                return
            if _DEGREES_MINUTES.search(_beginning(table)):
                self.report.note(
                    "Coordinates are written in degrees, minutes and seconds; write them as decimal degrees."
                )
                return
