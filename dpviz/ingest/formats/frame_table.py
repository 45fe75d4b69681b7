"""Tables of other libraries, read in pieces: Arrow streams, polars lazy frames, data sets, Dask frames; H3 cells.

Anything with Arrow's PyCapsule interface is such a table. Only wanted columns are requested where the library can.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from dpviz.errors import FileError, InputError, extra_needed, show_name
from dpviz.ingest.batches import BATCH_ROWS, Batch, FileTable, Part, Table, Wanted, point_columns
from dpviz.ingest.columns import guess_columns
from dpviz.ingest.formats.kinds import foreign_readers
from dpviz.ingest.sources import Place, explain_file_errors, unpacked

_NAMED = re.compile(r"(h3|hex|hexid|hexagon|h3index|h3cell|h3id|h3hex|h3address)((r|res|level)?\d{1,2})?")
Pieces = Iterator[pa.RecordBatch]


class FrameTable(Table):
    """Columns by name, and pieces of the wanted ones.

    A column of points in well-known binary, or of H3 cells, is two columns more.
    """

    def __init__(self, label: str, schema: pa.Schema, pieces: Callable[[Sequence[str]], Pieces]) -> None:
        self.label, self.schema, self._pieces = label, schema, pieces
        self.points = {}
        for each in schema:
            if _holds_points(each.type.storage_type if isinstance(each.type, pa.BaseExtensionType) else each.type):
                self.points |= point_columns(each.name)
        hexagons = None if self.points else hexagon_column(schema.names)
        self._cells = {} if hexagons is None else {f"{hexagons}.lon": (hexagons, 0), f"{hexagons}.lat": (hexagons, 1)}
        made = (*self.points, *self._cells)
        self.names = (*schema.names, *made)
        self.geometry = (made[0], made[1]) if len(made) == 2 else None

    def read(self, wanted: Wanted, part: Part | None) -> Iterator[Batch]:
        for whole in self._told(self._pieces(self.stored(wanted))):
            for start in range(0, whole.num_rows, BATCH_ROWS):
                piece = whole.slice(start, BATCH_ROWS)
                yield self.batch(partial(_column, piece), piece.num_rows, wanted)

    def stored(self, wanted: Wanted) -> list[str]:
        return list(dict.fromkeys(self._cells.get(name, (name, 0))[0] for name in super().stored(wanted)))

    def numbers(self, column: Callable[[str], Any], name: str) -> NDArray[np.float64]:
        if name not in self._cells:
            return super().numbers(column, name)
        stored, axis = self._cells[name]
        return middles(column(stored), self.label, stored)[axis]

    def _told(self, pieces: Pieces) -> Pieces:
        """The pieces; what the other library cannot give is said in a sentence, without what it holds."""
        with _computed(self.label):
            yield from pieces


@contextmanager
def _computed(label: str) -> Iterator[None]:
    """What another library finds wrong with its own frame, without what it says about the rows."""
    try:
        yield
    except InputError:
        raise
    except Exception as error:
        raise FileError(
            f"{label} cannot be computed: its library says {type(error).__name__}. Compute it first, and give the "
            "result."
        ) from None


class DaskFrame(FrameTable):
    """A Dask data frame: its pieces are counted where they lie, or here one after the other."""

    def __init__(self, frame: Any) -> None:
        self.frame = frame
        with _computed("the Dask frame"):
            empty = pa.Table.from_pandas(frame.head(0, npartitions=1), preserve_index=False)
        super().__init__("the Dask frame", empty.schema, self._one_by_one)

    def delayed(self, wanted: Wanted) -> list[Any]:
        """Its pieces for the workers, with the wanted columns alone."""
        return list(self.frame[self.stored(wanted)].to_delayed())

    def _one_by_one(self, names: Sequence[str]) -> Pieces:
        with extra_needed():
            dask: Any = importlib.import_module("dask")
        for part in self.frame[list(names)].to_delayed():
            (found,) = dask.compute(part, scheduler="synchronous")
            yield from pa.Table.from_pandas(found, preserve_index=False).to_batches()


def _holds_points(kind: pa.DataType) -> bool:
    """Well-known binary, or the two layouts of points in GeoArrow: a struct of x and y, or two numbers in a row."""
    if pa.types.is_struct(kind):
        return {"x", "y"} <= {str(field.name) for field in kind}
    if pa.types.is_fixed_size_list(kind):
        return bool(kind.list_size == 2 and pa.types.is_floating(kind.value_type))
    return bool(pa.types.is_binary(kind) or pa.types.is_large_binary(kind))


def _column(piece: pa.RecordBatch, name: str) -> pa.Array:
    column = piece.column(piece.schema.get_field_index(name))
    return column.storage if isinstance(column, pa.ExtensionArray) else column


def frame_table(source: Any) -> FrameTable | None:
    """The table that an object of another library is, or None."""
    module = type(source).__module__.split(".")[0]
    if module in ("dask", "dask_expr") and hasattr(source, "to_delayed") and hasattr(source, "columns"):
        return DaskFrame(source)
    if module == "polars" and hasattr(source, "collect_schema") and hasattr(source, "collect"):
        return _from_lazy(source)
    if module == "pyarrow" and hasattr(source, "scanner") and hasattr(source, "schema"):
        return FrameTable("the data set", source.schema, lambda names: source.scanner(columns=list(names)).to_batches())
    if hasattr(source, "__arrow_c_stream__"):
        return _from_stream(source)
    if hasattr(source, "__arrow_c_array__"):
        return _from_array(source)
    return None


def _from_lazy(frame: Any) -> FrameTable:
    """A polars lazy frame, collected for the wanted columns alone."""
    with _computed("the lazy frame"):
        empty = frame.head(0).collect().to_arrow()

    def pieces(names: Sequence[str]) -> Pieces:
        yield from frame.select(list(names)).collect().to_arrow().to_batches(max_chunksize=BATCH_ROWS)

    return FrameTable("the lazy frame", empty.schema, pieces)


def _from_stream(source: Any) -> FrameTable:
    """Anything with Arrow's PyCapsule interface. A reader that can be read once is read once."""
    kept: list[Any] = []  # what was opened for its schema

    def reader() -> Any:
        if kept:
            return kept.pop()
        try:
            return pa.RecordBatchReader.from_stream(source)
        except (pa.ArrowException, TypeError, ValueError):
            raise InputError(
                f"the Arrow stream of {type(source).__name__} cannot be read: it was read before, or it holds no "
                "columns. Give a fresh one, or a table."
            ) from None

    first = reader()
    kept.append(first)

    def pieces(names: Sequence[str]) -> Pieces:
        with reader() as opened:
            for piece in opened:
                yield piece.select(list(names))

    return FrameTable(f"the {type(source).__name__}", first.schema, pieces)


def _from_array(source: Any) -> FrameTable:
    """One piece with Arrow's PyCapsule interface."""
    label = f"the {type(source).__name__}"
    try:
        piece = pa.record_batch(source)
    except (pa.ArrowException, TypeError, ValueError):
        raise InputError(
            f"{label} holds no columns. Give a table with a column of longitudes and one of latitudes."
        ) from None
    return FrameTable(label, piece.schema, lambda names: iter([piece.select(list(names))]))


def on_workers(table: Table) -> bool:
    """Whether workers can read this table themselves: a file that they can open, or a Dask frame."""
    return table.place is not None or isinstance(table, DaskFrame)


class ForeignFile(FrameTable, FileTable):
    """A file that another package reads, as record batches of one schema."""

    def __init__(self, place: Place, kind: str) -> None:
        FileTable.__init__(self, place, kind)
        first = next(self._all_pieces(), None)
        if first is None:
            raise FileError(f"{place.label} holds no records.", file=place.label)
        FrameTable.__init__(
            self, place.label, first.schema, lambda names: (one.select(list(names)) for one in self._all_pieces())
        )

    def _all_pieces(self) -> Pieces:
        reader = foreign_readers()[self.kind[1:]]
        with (
            reader.named_failures(f"{self.label}: "),
            explain_file_errors(self.label),
            unpacked(self.place) as (stream, _),
        ):
            for piece in reader.value(stream):
                if not isinstance(piece, pa.RecordBatch):
                    raise TypeError
                yield piece


class HexagonFile(FrameTable, FileTable):
    """A CSV or Parquet file whose places are H3 cells. Every column is text until it is read as numbers."""

    def __init__(self, place: Place, kind: str, names: Sequence[str]) -> None:
        schema = pa.schema([(name, pa.string()) for name in names])
        FrameTable.__init__(self, place.label, schema, self._of_csv if kind == "csv" else self._of_parquet)
        FileTable.__init__(self, place, kind)

    def _of_csv(self, names: Sequence[str]) -> Pieces:
        import pyarrow.csv as pacsv

        options = pacsv.ConvertOptions(column_types=dict.fromkeys(names, pa.string()), include_columns=list(names))
        with self._broken(), unpacked(self.place) as (stream, _):
            yield from pacsv.open_csv(stream, convert_options=options)

    def _of_parquet(self, names: Sequence[str]) -> Pieces:
        with self._broken(), self.place.open() as raw:
            yield from pq.ParquetFile(raw).iter_batches(columns=list(names))

    @contextmanager
    def _broken(self) -> Iterator[Any]:
        with explain_file_errors(self.label):
            try:
                yield
            except pa.ArrowException:
                raise FileError(
                    f"{self.label} cannot be read as a table with a column of H3 cells; every row needs the same "
                    "number of columns.",
                    file=self.label,
                ) from None


def hexagon_column(names: Sequence[str]) -> str | None:
    """The column that holds H3 cells by its name, in a table without a pair of coordinates."""
    if guess_columns(names).candidates:
        return None
    found = [name for name in names if _NAMED.fullmatch(re.sub(r"[\W_]+", "", name.casefold()))]
    return found[0] if len(found) == 1 else None


def middles(column: pa.Array, label: str, name: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Longitude and latitude of the middle of every cell; NaN for what is no cell."""
    with extra_needed():
        library: Any = importlib.import_module("h3.api.basic_int")
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    coded, kind = pc.dictionary_encode(column), column.type
    if pa.types.is_integer(kind):
        cells = [None if value is None else int(value) for value in coded.dictionary.to_pylist()]
    elif pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
        cells = [_cell_of(text) for text in coded.dictionary.to_pylist()]
    else:
        raise FileError(
            f"column {show_name(name)!r} of {label} holds {kind}; an H3 cell is a text such as '892a100d2c7ffff', or "
            "a whole number of 64 bits.",
            column=name,
        )
    places = np.full((len(cells) + 1, 2), np.nan)
    for at, cell in enumerate(cells):
        if cell is not None and library.is_valid_cell(cell):
            places[at] = library.cell_to_latlng(cell)[::-1]
    which = coded.indices.fill_null(len(cells)).to_numpy(zero_copy_only=False)
    return places[which, 0], places[which, 1]


def _cell_of(text: str | None) -> int | None:
    """A cell written in hexadecimal, or as a whole number in a text."""
    try:
        plain = (text or "").strip()
        return int(plain) if len(plain) > 16 and plain.isdigit() else int(plain, 16)
    except ValueError:
        return None
