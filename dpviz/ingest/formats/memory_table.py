"""Tables that are in memory already: pandas and polars frames, Arrow tables, arrays of shape (n, 2)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from dpviz.domain.frames import is_pandas_frame, pandas_missing
from dpviz.errors import InputError
from dpviz.ingest.batches import BATCH_ROWS, Batch, Part, Wanted, check_columns
from dpviz.ingest.conversions import numbers_of, person_keys
from dpviz.ingest.sources import Place

if TYPE_CHECKING:
    import pandas as pd


class MemoryTable:
    """Columns by name, each turned into an Arrow column when it is asked for."""

    kind = "memory"
    has_header = True
    crs: str | None = None
    place: Place | None = None
    well_known: tuple[str, ...] = ()  # the columns that are made of points
    counting: tuple[str, ...] = ()  # columns that hold values of cells, whatever their names

    def __init__(
        self,
        label: str,
        names: Sequence[str],
        rows: int,
        column: Callable[[int], pa.Array | pa.ChunkedArray | NDArray[Any]],
        geometry: tuple[str, str] | None = None,
    ) -> None:
        self.label = label
        self.names = tuple(names)
        self.rows = self.size = rows
        self.geometry = geometry
        self._column = column

    def batches(self, wanted: Wanted, part: Part | None = None) -> Iterator[Batch]:
        check_columns(self.label, self.names, wanted.all)
        found = {name: self._column(self.names.index(name)) for name in wanted.all}
        for start in range(0, self.rows, BATCH_ROWS):
            piece = {name: _rows_of(column, start) for name, column in found.items()}
            size = min(BATCH_ROWS, self.rows - start)
            keys = None
            if wanted.person is not None and wanted.hashed is not None:
                keys = person_keys(piece[wanted.person], wanted.hashed, self.label, wanted.person)
            axes = tuple(numbers_of(piece[name], self.label, name) for name in wanted.columns)
            yield Batch(axes=axes, persons=keys, rows=size, done=(start + size) / self.rows)

    def column_at(self, place: int) -> pa.Array | pa.ChunkedArray | NDArray[Any]:
        """A whole column, by its place."""
        return self._column(place)

    def arrow(self, name: str) -> pa.Array | pa.ChunkedArray:
        """A whole column, by its name."""
        column = _rows_of(self._column(self.names.index(name)), 0, self.rows)
        return column if isinstance(column, pa.ChunkedArray) else pa.chunked_array([column])

    def parts(self, about_bytes: int) -> list[Part]:
        return [Part()]


def _rows_of(
    column: pa.Array | pa.ChunkedArray | NDArray[Any], start: int, rows: int = BATCH_ROWS
) -> pa.Array | pa.ChunkedArray:
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
        frame = source
        return MemoryTable("the DataFrame", list(frame.columns), len(frame), lambda i: frame.to_series(i).to_arrow())
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
    names = ("lon", "lat") if array.shape[1] == 2 else tuple(f"x{i}" for i in range(array.shape[1]))
    pair = ("lon", "lat") if array.shape[1] == 2 else None

    def column(i: int) -> pa.Array | NDArray[Any]:
        if array.dtype.kind in "iuf":
            return array[:, i]
        return texts_of(array[:, i].tolist())

    return MemoryTable("the array", names, len(array), column, pair)


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


def texts_of(values: list[Any]) -> pa.Array:
    """A column of mixed values as texts, so that one rule reads them all."""

    missing = pandas_missing()

    def text(value: Any) -> str | None:
        if value is None or value is missing or (isinstance(value, float) and value != value):
            return None
        if isinstance(value, bool | np.bool_):
            return ""
        if isinstance(value, bytes):
            return value.decode("latin-1")
        if isinstance(value, float) and value.is_integer() and abs(value) < 2.0**63:
            return str(int(value))
        return str(value).encode("utf-8", "replace").decode()

    return pa.array([text(value) for value in values], pa.large_string())
