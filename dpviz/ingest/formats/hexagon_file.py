"""CSV and Parquet files whose places are H3 cells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.parquet as pq

from dpviz.errors import FileError
from dpviz.ingest.formats.frame_table import FrameTable, Pieces
from dpviz.ingest.sources import Place, reading, unpacked


class HexagonFile(FrameTable):
    """One such file; every column is text until it is asked for as numbers."""

    def __init__(self, place: Place, kind: str, names: Sequence[str]) -> None:
        self._place = place
        self._packed = kind
        schema = pa.schema([(name, pa.string()) for name in names])
        super().__init__(place.label, schema, self._of_csv if kind == "csv" else self._of_parquet)
        self.kind = kind
        self.place = place
        self.size = place.size()

    def _of_csv(self, names: Sequence[str]) -> Pieces:
        kept = {name: pa.string() for name in names}
        options = pacsv.ConvertOptions(column_types=kept, include_columns=list(names))
        with self._broken(), unpacked(self._place) as (stream, _):
            yield from pacsv.open_csv(stream, convert_options=options)

    def _of_parquet(self, names: Sequence[str]) -> Pieces:
        with self._broken(), self._place.open() as raw:
            yield from pq.ParquetFile(raw).iter_batches(columns=list(names))

    @contextmanager
    def _broken(self) -> Iterator[Any]:
        with reading(self.label):
            try:
                yield
            except pa.ArrowException:
                raise FileError(
                    f"{self.label} cannot be read as a table with a column of H3 cells; every row needs the same "
                    "number of columns.",
                    file=self.label,
                ) from None
