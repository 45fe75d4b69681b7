"""Columns of H3 cells as places: the middle of each cell, in degrees. Through h3, which the extra `geo` brings."""

from __future__ import annotations

import importlib
import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from dpviz.errors import FileError, extra_needed, show_name
from dpviz.ingest.columns import guess_columns

_NAMED = re.compile(r"(h3|hex|hexid|hexagon|h3index|h3cell|h3id|h3hex|h3address)((r|res|level)?\d{1,2})?")


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
    column = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    coded = pc.dictionary_encode(column)
    kind = column.type
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
            lat, lon = library.cell_to_latlng(cell)
            places[at] = lon, lat
    which = coded.indices.fill_null(len(cells)).to_numpy(zero_copy_only=False)
    return places[which, 0], places[which, 1]


def _cell_of(text: str | None) -> int | None:
    """A cell written in hexadecimal, or as a whole number in a text."""
    try:
        plain = (text or "").strip()
        return int(plain) if len(plain) > 16 and plain.isdigit() else int(plain, 16)
    except ValueError:
        return None
