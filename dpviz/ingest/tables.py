"""From a source to opened tables of the right kind, and their first rows for the curator."""

from __future__ import annotations

import contextlib
import csv
import io
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow.parquet as pq

from dpviz.errors import DpvizError, InputError
from dpviz.ingest.batches import Table, Wanted
from dpviz.ingest.formats.database_table import DuckTable, PostgresTable, SqliteTable
from dpviz.ingest.formats.frame_table import ForeignFile, HexagonFile, hexagon_column
from dpviz.ingest.formats.geo_table import GeoTable
from dpviz.ingest.formats.geojson_table import GeoJsonTable, MobilityTable
from dpviz.ingest.formats.gpx_table import GpxTable
from dpviz.ingest.formats.memory_table import tables_of
from dpviz.ingest.formats.parquet_table import ArrowTable, ParquetTable
from dpviz.ingest.formats.text_table import COUNTED_NAMES, TextTable, open_stops
from dpviz.ingest.sources import HEAD, Place, TextForm, explain_file_errors, find_places, is_places, unpacked

_MOST_LETTERS = 40  # of a value in a first row
# Who opens a file of each of `kinds.KINDS`, and a database by its address.
READERS: dict[str, Callable[[Place, str], Table]] = {
    "csv": TextTable,
    "parquet": ParquetTable,
    "geojson": GeoJsonTable,
    "gpx": GpxTable,
    "arrow": ArrowTable,
    "sqlite": SqliteTable,
    **dict.fromkeys(("xlsx", "gpkg", "shapefile", "kml", "kmz", "fgb"), GeoTable),
    "gtfs": open_stops,
    "mobility": MobilityTable,
    "duckdb": DuckTable,
    "postgresql": PostgresTable,
}
HEXAGON_KINDS = ("csv", "parquet")


def open_tables(
    source: Any, *, layer: str | None = None, query: str | None = None, form: TextForm | None = None
) -> list[Table]:
    """Every table of the source: one per file, or the one in memory.

    `layer`, `query`: of files that hold several. `form`: how separated text is written.
    """
    stated = TextForm() if form is None else form
    if not is_places(source):
        found = tables_of(source)
    else:
        found = [open_place(replace(place, layer=layer, query=query, form=stated)) for place in find_places(source)]
    if stated != TextForm() and all(table.kind != "csv" for table in found):
        raise InputError(
            f"{found[0].label} is no separated text (CSV); leave out separator, decimal and header (--separator, "
            "--decimal, --header)."
        )
    return found


def open_place(place: Place) -> Table:
    """The table that a file holds, by its content; one whose only places are H3 cells has their middles as columns."""
    kind = "postgresql" if place.is_database else "csv" if place.is_stated_text else place.kind()
    table = READERS.get(kind, ForeignFile)(place, kind)
    if kind in HEXAGON_KINDS and hexagon_column(table.names) is not None and table.has_header:
        return HexagonFile(place, kind, table.names)
    return table


def first_rows(table: Table, many: int = 5) -> list[dict[str, str]]:
    """The first rows of a table, by column, as text; no rows where the kind of file shows none cheaply.

    Exact. What is given is for the curator alone and is neither kept nor logged.
    """
    place = table.place
    if isinstance(table, TextTable) and place is not None:
        with explain_file_errors(table.label), unpacked(place) as (stream, _):
            head = stream.read(HEAD)
        named = table.has_header or table.is_counted
        names, head = (table.names, head[table.first_byte :]) if named else (COUNTED_NAMES, head)
        lines = csv.reader(io.StringIO(head.decode("utf-8", "replace")), delimiter=chr(table.separator))
        rows = [row for _, row in zip(range(4 * many), lines, strict=False) if row][:many]
        return [dict(zip(names, map(_short, row), strict=False)) for row in rows]
    if table.kind == "parquet" and place is not None:
        with place.open() as stream:
            found: Any = next((one.to_pylist() for one in pq.ParquetFile(stream).iter_batches(batch_size=many)), [])
        return [{str(name): _short(value) for name, value in row.items()} for row in found]
    return _coordinates(table, many)


def _coordinates(table: Table, many: int) -> list[dict[str, str]]:
    """Of other kinds: the coordinates that their geometry holds."""
    if table.geometry is None:
        return []
    with contextlib.suppress(DpvizError):
        for batch in table.batches(Wanted(columns=table.geometry)):
            pairs = np.column_stack([axis[:many] for axis in batch.axes])
            return [dict(zip(table.geometry, (f"{x:g}" for x in pair), strict=True)) for pair in pairs.tolist()]
    return []


def _short(value: Any) -> str:
    text = "" if value is None else str(value)
    plain = "".join(letter if letter.isprintable() else "?" for letter in text)
    return plain if len(plain) <= _MOST_LETTERS else plain[: _MOST_LETTERS - 1] + "…"
