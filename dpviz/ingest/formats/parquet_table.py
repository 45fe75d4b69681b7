"""Parquet and GeoParquet: numbers, texts that hold numbers, fields of structs, and points in WKB."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from dpviz.errors import FileError
from dpviz.ingest.batches import BATCH_ROWS, Batch, Part, Wanted, check_columns
from dpviz.ingest.conversions import numbers_of, person_keys
from dpviz.ingest.crs import is_degrees, stated_system, to_degrees
from dpviz.ingest.formats.kinds import packing
from dpviz.ingest.sources import Place, explain_file_errors, unpacked


class ParquetTable:
    """One Parquet file. Only its schema is read until rows are asked for."""

    kind = "parquet"
    has_header = True
    crs: str | None = None

    def __init__(self, place: Place) -> None:
        self.place: Place | None = place
        self._place = place
        self.label = place.label
        self.size = place.size()
        with _open_parquet(self._place) as file:
            schema = file.schema_arrow
            self.rows = int(file.metadata.num_rows)
            self.group_rows = [file.metadata.row_group(i).num_rows for i in range(file.metadata.num_row_groups)]
            self.group_bytes = [file.metadata.row_group(i).total_byte_size for i in range(len(self.group_rows))]
        self.well_known: dict[str, tuple[str, int]] = {}
        names: list[str] = []
        for each in schema:
            if pa.types.is_struct(each.type):
                names += [f"{each.name}.{inner.name}" for inner in each.type]
            elif pa.types.is_binary(each.type) or pa.types.is_large_binary(each.type):
                self.well_known |= {f"{each.name}.x": (each.name, 0), f"{each.name}.y": (each.name, 1)}
                names += [each.name, f"{each.name}.x", f"{each.name}.y"]
            else:
                names.append(each.name)
        self.names = tuple(names)
        self.geometry = self._read_geo((schema.metadata or {}).get(b"geo"))

    def batches(self, wanted: Wanted, part: Part | None = None) -> Iterator[Batch]:
        check_columns(self.label, self.names, wanted.all)
        stored = [self.well_known[name][0] if name in self.well_known else name for name in wanted.all]
        groups = None if part is None or part.row_groups is None else list(part.row_groups)
        seen = 0
        with _open_parquet(self._place) as file:
            pieces = file.iter_batches(
                batch_size=BATCH_ROWS, row_groups=groups, columns=list(dict.fromkeys(stored)), use_threads=True
            )
            for piece in pieces:
                seen += piece.num_rows
                axes = tuple(self._numbers(piece, name) for name in wanted.columns)
                keys = None
                if wanted.person is not None and wanted.hashed is not None:
                    keys = person_keys(_column(piece, wanted.person), wanted.hashed, self.label, wanted.person)
                yield Batch(axes=axes, persons=keys, rows=piece.num_rows, done=seen / max(self.rows, 1))

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
        if groups:
            parts.append(Part(row_groups=tuple(groups)))
        return parts

    def _numbers(self, piece: pa.RecordBatch, name: str) -> NDArray[np.float64]:
        if name in self.well_known:
            column, axis = self.well_known[name]
            return well_known_point(_column(piece, column), axis)
        return numbers_of(_column(piece, name), self.label, name)

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
            if "crypt" in str(error):
                text = f"{place.label} is an encrypted Parquet file. Decrypt it first."
            elif isinstance(error, PermissionError):
                raise
            else:
                text = f"{place.label} is a damaged or cut-off Parquet file. Copy or download it again."
            raise FileError(text, file=place.label) from None


def _column(piece: pa.RecordBatch, name: str) -> pa.Array:
    place = piece.schema.get_field_index(name)
    if place >= 0:
        return piece.column(place)
    outer, inner = name.split(".", 1)
    struct = piece.column(piece.schema.get_field_index(outer))
    return struct.flatten()[struct.type.get_field_index(inner)]


def well_known_point(column: pa.Array, axis: int) -> NDArray[np.float64]:
    """x or y of points in well-known binary; NaN for what is missing or no point."""
    wide = column.cast(pa.large_binary())
    values = np.full(len(wide), np.nan)
    _, offsets, content = wide.buffers()
    if len(wide) == 0 or content is None:
        return values
    places = np.frombuffer(offsets, dtype=np.int64)[wide.offset : wide.offset + len(wide) + 1]
    data = np.frombuffer(content, dtype=np.uint8)
    long_enough = np.flatnonzero((np.diff(places) >= 21) & ~np.asarray(wide.is_null()))
    for order, little in (("<", 1), (">", 0)):
        rows = long_enough[data[places[long_enough]] == little]
        if len(rows) == 0:
            continue
        kinds = _gather(data, places[rows] + 1, 4).view(f"{order}u4").ravel()
        with_srid = (kinds & 0x20000000) != 0
        points = np.isin(kinds & 0x1FFFFFFF, (1, 1001, 2001, 3001))
        first = places[rows] + 5 + 4 * with_srid
        fits = points & (first + 16 <= places[rows + 1])
        pairs = [_gather(data, first[fits] + 8 * at, 8).view(f"{order}f8").ravel() for at in (0, 1)]
        systems = np.zeros(len(rows), dtype=np.int64)
        systems[with_srid] = _gather(data, places[rows[with_srid]] + 5, 4).view(f"{order}u4").ravel()
        values[rows[fits]] = _in_degrees(pairs[0].astype(float), pairs[1].astype(float), systems[fits])[axis]
    return values


def _in_degrees(
    x: NDArray[np.float64], y: NDArray[np.float64], systems: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Points that each say in which system they stand (EWKB); 0 says nothing."""
    for system in np.unique(systems):
        if system != 0 and not is_degrees(f"EPSG:{system}"):
            rows = systems == system
            x[rows], y[rows] = to_degrees((x[rows], y[rows]), f"EPSG:{system}")
    return x, y


def _gather(data: NDArray[np.uint8], starts: NDArray[np.int64], size: int) -> NDArray[np.uint8]:
    return np.ascontiguousarray(data[starts[:, None] + np.arange(size)])
