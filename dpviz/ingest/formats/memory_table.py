"""Tables that are in memory already: pandas and polars frames, Arrow tables, arrays of shape (n, 2)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from dpviz.domain.frames import is_pandas_frame
from dpviz.errors import InputError
from dpviz.ingest.batches import BATCH_ROWS, Batch, Part, Table, Wanted
from dpviz.ingest.conversions import texts_of

if TYPE_CHECKING:
    import pandas as pd


Column: TypeAlias = "pa.Array | pa.ChunkedArray | NDArray[Any]"


class MemoryTable(Table):
    """Columns by name, each turned into an Arrow column when it is asked for."""

    def __init__(
        self,
        label: str,
        names: Sequence[str],
        rows: int,
        column_at: Callable[[int], Column],
        geometry: tuple[str, str] | None = None,
    ) -> None:
        self.label, self.names, self.size, self.geometry = label, tuple(names), rows, geometry
        self.column_at = column_at  # a whole column, by its place

    def read(self, wanted: Wanted, part: Part | None) -> Iterator[Batch]:
        found = {name: self.column_at(self.names.index(name)) for name in wanted.all}
        for start in range(0, self.size, BATCH_ROWS):
            piece = {name: _rows_of(column, start) for name, column in found.items()}
            rows = min(BATCH_ROWS, self.size - start)
            yield self.batch(piece.__getitem__, rows, wanted, (start + rows) / self.size)

    def arrow(self, name: str) -> pa.ChunkedArray:
        """A whole column, by its name."""
        column = _rows_of(self.column_at(self.names.index(name)), 0, self.size)
        return column if isinstance(column, pa.ChunkedArray) else pa.chunked_array([column])


def _rows_of(column: Column, start: int, rows: int = BATCH_ROWS) -> pa.Array | pa.ChunkedArray:
    """One batch of a column. That of an array is copied now, batch by batch, so that it is still near when counted."""
    if isinstance(column, np.ndarray):
        piece = np.ascontiguousarray(column[start : start + rows], dtype=np.float64)
        return pa.Array.from_buffers(pa.float64(), len(piece), [None, pa.py_buffer(piece)])  # pa.array loads pandas
    return column.slice(start, rows)


def table_in_memory(source: Any) -> MemoryTable:
    """The table that `source` is, or an error that says what is accepted."""
    if is_pandas_frame(source):
        names = [str(name) for name in source.columns]
        return MemoryTable("the DataFrame", names, len(source), lambda i: pandas_column(source.iloc[:, i]))
    module = type(source).__module__.split(".")[0]
    if module == "polars" and hasattr(source, "to_arrow") and hasattr(source, "columns"):
        return MemoryTable("the DataFrame", list(source.columns), len(source), lambda i: source.to_series(i).to_arrow())
    if isinstance(source, pa.Table):
        return MemoryTable("the table", source.column_names, source.num_rows, lambda i: source.column(i))
    return _from_array(source)


def _from_array(source: Any) -> MemoryTable:
    try:
        array = np.asarray(source)
    except ValueError:
        array = np.empty(0, dtype=object)
    if array.ndim != 2 or array.dtype.kind not in "iufOUS":
        given = (
            f"an array of shape {array.shape} and type {array.dtype}" if array.ndim else f"a {type(source).__name__}"
        )
        raise InputError(
            f"{given} cannot be read; give an array of shape (n, 2) of numbers, longitude first, a path, a list of "
            "paths, or a frame (pandas, polars, GeoPandas, DuckDB relation, Dask, Arrow, xarray)."
        )
    pair = ("lon", "lat") if array.shape[1] == 2 else None

    def column(i: int) -> Column:
        return array[:, i] if array.dtype.kind in "iuf" else texts_of(array[:, i].tolist())

    return MemoryTable("the array", pair or [f"x{i}" for i in range(array.shape[1])], len(array), column, pair)


def pandas_column(series: pd.Series[Any]) -> pa.Array | pa.ChunkedArray:
    """A column of a pandas table; one of mixed values as texts."""
    if series.dtype.kind in "iu" and isinstance(series.dtype, np.dtype):
        return pa.array(series.to_numpy())
    if series.dtype.kind == "f" and isinstance(series.dtype, np.dtype):
        return pa.array(np.ascontiguousarray(series.to_numpy()))
    if series.dtype == object:
        return texts_of(series.tolist())
    try:
        return pa.array(series)  # categories become an Arrow dictionary, in which values may be missing
    except (pa.ArrowException, TypeError):
        return texts_of(series.tolist())
