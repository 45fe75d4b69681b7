"""Parquet, GeoParquet and Arrow (Feather): numbers, texts that hold numbers, fields of structs, and points in WKB."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from dpviz.errors import FileError
from dpviz.ingest.batches import BATCH_ROWS, Batch, FileTable, Part, Wanted, point_columns
from dpviz.ingest.conversions import stated_system
from dpviz.ingest.formats.kinds import packing
from dpviz.ingest.sources import Place, explain_file_errors, unpacked

_DAMAGED = "a damaged or cut-off Parquet file. Copy or download it again."


class ParquetTable(FileTable):
    """One Parquet file. Only its schema is read until rows are asked for."""

    def __init__(self, place: Place, kind: str) -> None:
        super().__init__(place, kind)
        with _open_parquet(place) as file:
            schema, facts = file.schema_arrow, file.metadata
            self.rows = int(facts.num_rows)
            self.group_bytes = [facts.row_group(i).total_byte_size for i in range(facts.num_row_groups)]
        self.points, self.names = _columns_of(schema, structs=True)
        self.geometry = self._read_geo((schema.metadata or {}).get(b"geo"))

    def read(self, wanted: Wanted, part: Part | None) -> Iterator[Batch]:
        groups = None if part is None or part.row_groups is None else list(part.row_groups)
        seen = 0
        with _open_parquet(self.place) as file:
            for piece in file.iter_batches(BATCH_ROWS, groups, self.stored(wanted), use_threads=True):
                seen += piece.num_rows
                yield self.batch(_column_in(piece), piece.num_rows, wanted, seen / max(self.rows, 1))

    def parts(self, about_bytes: int) -> list[Part]:
        parts: list[Part] = []
        groups: list[int] = []
        size = 0
        for index, stored in enumerate(self.group_bytes):
            groups.append(index)
            size += stored
            if size >= about_bytes:
                parts.append(Part(row_groups=tuple(groups)))
                groups, size = [], 0
        return [*parts, Part(row_groups=tuple(groups))] if groups else parts

    def _read_geo(self, stated: bytes | None) -> tuple[str, str] | None:
        if stated is None:
            return None
        try:
            geo = json.loads(stated)
            column = str(geo["primary_column"])
            facts = geo["columns"][column]
        except (ValueError, KeyError, TypeError):
            return None
        self.crs = stated_system(facts.get("crs"))
        chosen = (f"{column}.x", f"{column}.y")
        return chosen if set(chosen) <= set(self.names) else None


@contextmanager
def _open_parquet(place: Place) -> Iterator[Any]:
    """Open a Parquet file; an error becomes one sentence without its content."""
    with explain_file_errors(place.label), ExitStack() as open_files:
        try:
            raw: Any = open_files.enter_context(closing(place.open()))
            if packing(raw.read(8)):  # a packed Parquet file cannot be read in pieces
                with unpacked(place) as (stream, _):
                    raw = io.BytesIO(stream.read())
            raw.seek(0)
            yield pq.ParquetFile(raw, pre_buffer=False)
        except (pa.ArrowException, OSError) as error:
            if isinstance(error, PermissionError):
                raise
            closed = "crypt" in str(error)
            what = "an encrypted Parquet file. Decrypt it first." if closed else _DAMAGED
            raise FileError(f"{place.label} is {what}", file=place.label) from None


def _columns_of(schema: pa.Schema, *, structs: bool) -> tuple[dict[str, tuple[str, int]], tuple[str, ...]]:
    """The columns that are made of points, and the names of all."""
    points: dict[str, tuple[str, int]] = {}
    names: list[str] = []
    for each in schema:
        if structs and pa.types.is_struct(each.type):
            names += [f"{each.name}.{inner.name}" for inner in each.type]
            continue
        made = point_columns(each.name) if each.type in (pa.binary(), pa.large_binary()) else {}
        points |= made
        names += [each.name, *made]
    return points, tuple(names)


def _column_in(piece: pa.RecordBatch) -> Any:
    """The columns of a piece by name, fields of structs among them."""

    def column(name: str) -> pa.Array:
        place = piece.schema.get_field_index(name)
        if place >= 0:
            return piece.column(place)
        outer, inner = name.split(".", 1)
        struct = piece.column(piece.schema.get_field_index(outer))
        return struct.flatten()[struct.type.get_field_index(inner)]

    return column


class ArrowTable(FileTable):
    """One Arrow IPC file, which is what Feather is today."""

    def __init__(self, place: Place, kind: str) -> None:
        super().__init__(place, kind)
        with self._opened() as file:
            self.points, self.names = _columns_of(file.schema, structs=False)
        self.geometry = ("geometry.x", "geometry.y") if "geometry.x" in self.points else None

    def read(self, wanted: Wanted, part: Part | None) -> Iterator[Batch]:
        with self._opened() as file:
            for number in range(file.num_record_batches):
                whole = file.get_batch(number)
                for start in range(0, whole.num_rows, BATCH_ROWS):
                    piece = whole.slice(start, BATCH_ROWS)
                    yield self.batch(piece.column, piece.num_rows, wanted, (number + 1) / file.num_record_batches)

    @contextmanager
    def _opened(self) -> Iterator[Any]:
        with explain_file_errors(self.label), self.place.open() as raw:
            try:
                yield pa.ipc.open_file(pa.PythonFile(raw, mode="r"))
            except (pa.ArrowException, OSError):
                raise FileError(
                    f"{self.label} is a damaged or cut-off Arrow file. Copy or write it again.", file=self.label
                ) from None
