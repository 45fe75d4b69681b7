"""Which table an object in memory is: frames of pandas, polars, GeoPandas, Dask and Arrow, shapes, grids, arrays."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from dpviz.domain.protected import is_pandas_frame
from dpviz.errors import InputError, extra_needed
from dpviz.ingest.batches import BATCH_ROWS, Batch, Part, Table, Wanted
from dpviz.ingest.conversions import is_degrees, texts_of
from dpviz.ingest.formats.frame_table import FrameTable, frame_table, hexagon_column, middles

if TYPE_CHECKING:
    import pandas as pd


POINT = 0  # what shapely calls the type of a point
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


def _rows_of(column: Column, start: int, rows: int = BATCH_ROWS) -> pa.Array:
    """One batch of a column. That of an array is copied now, batch by batch, so that it is still near when counted."""
    if isinstance(column, np.ndarray):
        piece = np.ascontiguousarray(column[start : start + rows], dtype=np.float64)
        return pa.Array.from_buffers(pa.float64(), len(piece), [None, pa.py_buffer(piece)])  # pa.array loads pandas
    found = column.slice(start, rows)
    return found.combine_chunks() if isinstance(found, pa.ChunkedArray) else found


def _of_pandas(frame: pd.DataFrame, label: str = "the DataFrame") -> MemoryTable:
    return MemoryTable(label, list(map(str, frame.columns)), len(frame), lambda i: pandas_column(frame.iloc[:, i]))


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


def tables_of(source: Any) -> list[Table]:
    """The tables that objects in memory are; a list of frames is several."""
    listed = isinstance(source, list | tuple) and source
    several = listed and all(is_pandas_frame(each) or hasattr(each, "__arrow_c_stream__") for each in source)
    return [_table_of(each) for each in (source if several else [source])]


def _table_of(source: Any) -> Table:
    module = type(source).__module__.split(".")[0]
    shapes = _shapes_of(source, module)
    if shapes is not None:
        return _points_of(source, shapes)
    if module == "xarray":
        return _grid_of(source)
    if is_pandas_frame(source):
        return _with_hexagons(_of_pandas(source))
    if isinstance(source, pa.Table):
        framed = FrameTable("the table", source.schema, lambda names: iter(source.select(list(names)).to_batches()))
        whole = MemoryTable("the table", source.column_names, source.num_rows, source.column)
        return framed if framed.geometry is not None else whole
    if module == "polars" and hasattr(source, "to_arrow") and hasattr(source, "columns"):
        table = MemoryTable("the DataFrame", source.columns, len(source), lambda i: source.to_series(i).to_arrow())
        return _with_hexagons(table)
    return frame_table(source) or _from_array(source)


def _shapes_of(source: Any, module: str) -> NDArray[Any] | None:
    """The shapes of a GeoDataFrame, a GeoSeries, one shapely geometry, or a list or array of them; else None."""
    if module == "geopandas" and hasattr(source, "set_crs"):
        try:
            shapes: NDArray[Any] = np.asarray(source.geometry.array)
        except AttributeError:
            raise InputError("the GeoDataFrame has no geometry column; choose one with frame.set_geometry.") from None
        return shapes
    if module == "shapely":
        return np.asarray(list(getattr(source, "geoms", [source])), dtype=object)
    listed = isinstance(source, list | tuple) or (isinstance(source, np.ndarray) and source.ndim == 1)
    if listed and len(source) and type(source[0]).__module__.split(".")[0] == "shapely":
        return np.asarray(source, dtype=object)
    return None


def _points_of(source: Any, shapes: NDArray[Any]) -> MemoryTable:
    """Points as two columns beside those of their frame; other shapes have no one place and are unusable rows."""
    import pandas as pd

    with extra_needed():
        shapely: Any = importlib.import_module("shapely")
    kinds = shapely.get_type_id(shapes)
    if len(shapes) and not (kinds == POINT).any():
        raise InputError(
            "none of these shapes is a point; give points, such as frame.set_geometry(frame.representative_point())."
        )
    pair = ("geometry.x", "geometry.y")
    whole = (kinds == POINT) & ~shapely.is_empty(shapes)
    places = np.full((2, len(shapes)), np.nan)
    places[:, whole] = shapely.get_x(shapes[whole]), shapely.get_y(shapes[whole])
    label = {"geopandas": "the GeoDataFrame"}.get(type(source).__module__.split(".")[0], "the list of points")
    inner: MemoryTable | None = None
    if is_pandas_frame(source):
        inner = _of_pandas(pd.DataFrame(source.drop(columns=source.geometry.name)))

    def column(i: int) -> Column:
        return places[i] if i < 2 else inner.column_at(i - 2) if inner is not None else places[0]

    names = (*pair, *(() if inner is None else inner.names))
    table = MemoryTable(label, names, len(shapes), column, pair)
    crs = getattr(source, "crs", None)
    if crs is not None and not crs.is_geographic:
        named = crs.to_wkt() if (found := crs.to_authority()) is None else ":".join(found)
        table.crs = None if is_degrees(named) else str(named)
    table.made_of_points = pair
    return table


def _grid_of(source: Any) -> MemoryTable:
    """An xarray grid: a row per cell, with its coordinates and values. A Dataset of one dimension is a frame."""
    import pandas as pd

    if not source.sizes:
        raise InputError("the xarray object has no dimension; give a grid with longitudes and latitudes.")
    frame = (source.to_dataset(name=source.name or "count") if hasattr(source, "to_dataset") else source).to_dataframe()
    is_list = len(source.sizes) == 1 and hasattr(source, "data_vars")
    table = _of_pandas(frame.reset_index(), "the Dataset" if is_list else "the grid")
    if not is_list:
        table.counting = tuple(str(name) for name in frame.columns if pd.api.types.is_numeric_dtype(frame[name]))
    return table


def _with_hexagons(table: MemoryTable) -> MemoryTable:
    """The same table, with the middles of its H3 cells where those are its only places."""
    name = hexagon_column(table.names)
    if name is None:
        return table
    stored, count, pair = table.column_at, len(table.names), (f"{name}.lon", f"{name}.lat")
    place = table.names.index(name)

    def column(i: int) -> Column:
        return stored(i) if i < count else middles(stored(place), table.label, name)[i - count]

    return MemoryTable(table.label, (*table.names, *pair), table.size, column, pair)
