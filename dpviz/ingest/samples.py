"""The first rows of a source as they stand there: exact, for the curator's eyes before anything is opened."""

from __future__ import annotations

import csv
import io
from typing import Any, Final

import numpy as np
import pyarrow.parquet as pq

from dpviz.errors import DpvizError
from dpviz.ingest.batches import Table, Wanted
from dpviz.ingest.formats.text_table import COUNTED_NAMES, TextTable
from dpviz.ingest.sources import HEAD, unpacked
from dpviz.ingest.sources import reading as reading_of

MOST_LETTERS: Final = 40  # of a value


def first_rows(table: Table, many: int = 5) -> list[dict[str, str]]:
    """The first rows of a table, by column, as text; no rows where the kind of file shows none cheaply.

    Exact. What is given is for the curator alone and is neither kept nor logged.
    """
    place = table.place
    if isinstance(table, TextTable) and place is not None:
        with reading_of(table.label), unpacked(place) as (stream, _):
            head = stream.read(HEAD)
        named = table.has_header or table.is_counted
        names, head = (table.names, head[table.first_byte :]) if named else (COUNTED_NAMES, head)
        lines = csv.reader(io.StringIO(head.decode("utf-8", "replace")), delimiter=chr(table.separator))
        rows = [row for _, row in zip(range(4 * many), lines, strict=False) if row][:many]
        return [dict(zip(names, map(_short, row), strict=False)) for row in rows]
    if table.kind == "parquet" and place is not None:
        with place.open() as stream:
            for batch in pq.ParquetFile(stream).iter_batches(batch_size=many):
                return [{str(name): _short(value) for name, value in row.items()} for row in batch.to_pylist()]
        return []
    return _coordinates(table, many)


def _coordinates(table: Table, many: int) -> list[dict[str, str]]:
    """Of other kinds: the coordinates that their geometry holds."""
    if table.geometry is None:
        return []
    try:
        for batch in table.batches(Wanted(columns=table.geometry)):
            pairs = np.column_stack([axis[:many] for axis in batch.axes])
            return [dict(zip(table.geometry, (f"{x:g}" for x in pair), strict=True)) for pair in pairs.tolist()]
    except DpvizError:
        return []
    return []


def _short(value: Any) -> str:
    text = "" if value is None else str(value)
    plain = "".join(letter if letter.isprintable() else "?" for letter in text)
    return plain if len(plain) <= MOST_LETTERS else plain[: MOST_LETTERS - 1] + "…"
