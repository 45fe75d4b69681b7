"""Columns of any type to float64 coordinates in degrees and to texts of person ids: one rule for every kind of file.

Degrees of NAD83, ETRS89, GDA and the like differ from WGS 84 by a few metres and are taken as they are; PROJ (pyproj)
converts other systems. E7, longitudes from 0 to 360 and swapped columns are converted on request and never guessed.
"""

from __future__ import annotations

import importlib
import json
import math
import re
import sys
from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from dpviz.errors import FileError, InputError, extra_needed, show_name
from dpviz.ingest._kernels import POWERS, read_numbers
from dpviz.ingest.units.person_keys import PersonHash

Axes = tuple[NDArray[np.float64], ...]
DEGREES = "degrees"  # stated as such, whatever the file says of itself
NAMED = {"e7": "degrees times ten million", "0-360": "longitudes from 0 to 360", "swapped": "latitude first"}
# Geographic systems that are WGS 84 to within a few metres, by their EPSG code.
_DEGREES = {"4326", "4979", "4269", "4258", "4617", "4283", "7844", "4167", "6318", "6319", "4937", "9000", "7912"}
_CRS84 = {"OGC:CRS84", "OGC:CRS84H", "OGC:CRS83", "OGC:CRS27"}
_NUMBER = re.compile(rb"[-+]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:[eE][-+]?\d+)?")
_LONGEST = 400  # bytes of a number
_TEXT = pa.large_string()


def _plain(column: pa.Array) -> NDArray[np.float64]:
    """A column of floats as it lies in memory, NaN where a value is missing. (Arrow's own way loads pandas.)"""
    if column.null_count:
        column = pc.fill_null(column, float("nan"))
    kind = np.float32 if pa.types.is_float32(column.type) else np.float64
    values = column.buffers()[1]
    if values is None or not len(column):
        return np.empty(0)
    found = np.frombuffer(values, kind, count=len(column), offset=column.offset * np.dtype(kind).itemsize)
    return np.asarray(found, dtype=np.float64)


def numbers_of(column: pa.Array, label: str, name: str) -> NDArray[np.float64]:
    """The column as float64; what is missing or no number is NaN. Texts are read as in a CSV file."""
    kind = column.type
    if pa.types.is_dictionary(kind):
        column = column.cast(kind.value_type)
        kind = column.type
    if pa.types.is_float64(kind) or pa.types.is_float32(kind):
        return _plain(column)
    if pa.types.is_float16(kind):
        return np.asarray(column.to_numpy(zero_copy_only=False), dtype=np.float64)
    if pa.types.is_integer(kind) or pa.types.is_decimal(kind):
        return numbers_of(column.cast(pa.float64(), safe=False), label, name)
    if pa.types.is_null(kind):
        return np.full(len(column), np.nan)
    if pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
        return numbers_in_text(*slices_of(column))
    raise FileError(
        f"column {show_name(name)!r} of {label} holds {kind}; coordinates are numbers. Name other columns.",
        file=label,
        column=name,
    )


def numbers_in_text(data: NDArray[np.uint8], begins: NDArray[np.int64], ends: NDArray[np.int64]) -> NDArray[np.float64]:
    """The numbers written in slices of a buffer, NaN where there is none."""
    values = np.empty(len(begins), dtype=np.float64)
    undecided = np.empty(len(begins), dtype=np.bool_)
    read_numbers(data, begins, ends, True, POWERS, values, undecided)
    for row in np.flatnonzero(undecided):
        values[row] = plain_number(data[begins[row] : ends[row]].tobytes())
    return values


def plain_number(text: bytes, comma: bool = True) -> float:
    """What Python makes of a text that the kernel leaves open; NaN for what is no number."""
    number = _NUMBER.fullmatch(text.strip(b" \t"))
    if number is None or len(number[0]) > _LONGEST or (b"," in number[0] and not comma):
        return math.nan
    return float(number[0].replace(b",", b"."))


def slices_of(column: pa.Array, kind: Any = _TEXT) -> tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.int64]]:
    """The texts (or values of this binary kind) of a column as slices of one buffer; missing ones are empty."""
    texts: Any = column.cast(kind)
    if texts.null_count:
        texts = pc.fill_null(texts, pa.scalar(b"", kind))
    _, offsets, content = texts.buffers()
    if len(texts) == 0 or content is None:
        empty = np.zeros(len(texts), dtype=np.int64)
        return np.zeros(1, dtype=np.uint8), empty, empty
    places = np.frombuffer(offsets, dtype=np.int64)[texts.offset : texts.offset + len(texts) + 1]
    return np.frombuffer(content, dtype=np.uint8), places[:-1], places[1:]


def person_keys(column: pa.Array, hashed: PersonHash, label: str, name: str) -> NDArray[np.uint64]:
    """A key per row. The numbers 7 and 7.0 and the text "7" are one person, the text "7.0" is another one.

    All rows that have no id are one person.
    """
    try:
        data, begins, ends = slices_of(person_texts(column, label, name))
    except pa.ArrowException:
        raise FileError(
            f"column {show_name(name)!r} of {label} holds {column.type}; a person id is one text or number.", file=label
        ) from None
    return hashed.keys(data, begins, ends)


def person_texts(column: pa.Array, label: str, name: str) -> pa.Array:
    """The ids as what the keys are made of: numbers with a point as the texts of what they are."""
    kind = column.type
    if pa.types.is_dictionary(kind):
        column = column.cast(kind.value_type)
        kind = column.type
    if pa.types.is_nested(kind):
        raise FileError(
            f"column {show_name(name)!r} of {label} holds {kind}; a person id is one text or number.", file=label
        )
    if pa.types.is_floating(kind):
        column = _texts_of_floats(column)
    elif pa.types.is_binary(kind) or pa.types.is_large_binary(kind) or pa.types.is_fixed_size_binary(kind):
        column = pa.array([None if value is None else value.hex() for value in column.to_pylist()], pa.large_string())
    return column


def _texts_of_floats(column: pa.Array) -> pa.Array:
    wide = column.cast(pa.float64())
    values = np.asarray(wide.to_numpy(zero_copy_only=False))
    missing = np.isnan(values)
    with np.errstate(invalid="ignore"):
        whole = (values == np.floor(values)) & (np.abs(values) < 2.0**63)
    if bool((whole | missing).all()):
        return pa.array(np.where(missing, 0, values).astype(np.int64), mask=missing).cast(pa.large_string())
    texts = [str(int(value)) if is_whole else repr(float(value)) for value, is_whole in zip(values, whole, strict=True)]
    return pa.array(texts, pa.large_string(), mask=missing)


def texts_of(values: list[Any]) -> pa.Array:
    """A column of mixed values as texts, so that one rule reads them all."""

    missing = getattr(sys.modules.get("pandas"), "NA", None)  # who passes it has imported pandas

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


def point_axis(column: pa.Array, axis: int) -> NDArray[np.float64]:
    """x or y of a column of points: well-known binary, or one of the two layouts of GeoArrow."""
    if pa.types.is_struct(column.type):
        part = column.flatten()[column.type.get_field_index("xy"[axis])]
        return np.asarray(part.to_numpy(zero_copy_only=False), dtype=np.float64)
    if pa.types.is_fixed_size_list(column.type):
        filled = pc.if_else(column.is_null(), pa.scalar([None, None], column.type), column)
        values = filled.flatten().to_numpy(zero_copy_only=False).reshape(-1, 2)
        return np.ascontiguousarray(values[:, axis], dtype=np.float64)
    return _well_known_point(column, axis)


def _well_known_point(column: pa.Array, axis: int) -> NDArray[np.float64]:
    """x or y of points in well-known binary; NaN for what is missing or no point."""
    data, begins, ends = slices_of(column, pa.large_binary())
    values = np.full(len(begins), np.nan)
    long_enough = np.flatnonzero(ends - begins >= 21)
    for order, little in (("<", 1), (">", 0)):
        rows = long_enough[data[begins[long_enough]] == little]
        if len(rows) == 0:
            continue
        kinds = _gather(data, begins[rows] + 1, 4).view(f"{order}u4").ravel()
        with_srid = (kinds & 0x20000000) != 0
        points = np.isin(kinds & 0x1FFFFFFF, (1, 1001, 2001, 3001))
        first = begins[rows] + 5 + 4 * with_srid
        fits = points & (first + 16 <= ends[rows])
        pairs = [_gather(data, first[fits] + 8 * at, 8).view(f"{order}f8").ravel() for at in (0, 1)]
        systems = np.zeros(len(rows), dtype=np.int64)
        systems[with_srid] = _gather(data, begins[rows[with_srid]] + 5, 4).view(f"{order}u4").ravel()
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


def checked_crs(text: str | None) -> str | None:
    """A conversion that was asked for, in its short spelling; None where nothing is to be converted."""
    if text is None:
        return None
    if not isinstance(text, str) or not text.strip():
        raise InputError(f"crs={text!r}: give a name such as 'EPSG:2263', or one of {', '.join(map(repr, NAMED))}.")
    plain = text.strip()
    if plain.casefold() in NAMED:
        return plain.casefold()
    if is_degrees(plain) or plain.casefold() == DEGREES:
        return DEGREES
    _transformer(plain)  # refused now, not at the first row
    return plain


def is_degrees(crs: str) -> bool:
    """Whether the name of a system means degrees that need no conversion."""
    upper = crs.upper().replace("URN:OGC:DEF:CRS:", "").replace("::", ":")
    if upper in _CRS84 or upper == "WGS84":
        return True
    authority, _, code = upper.rpartition(":")
    if authority.split(":")[0] in ("EPSG", "") and code.isdigit():
        return code in _DEGREES
    return "CRS84" in upper


def stated_system(crs: Any) -> str | None:
    """The system that a file states as PROJJSON, if it is none of degrees: by its code, or in full."""
    if not isinstance(crs, dict):
        return None
    known = crs.get("id")
    if isinstance(known, dict) and known.get("code") is not None:
        named = f"{known.get('authority')}:{known['code']}"
        return None if is_degrees(named) else named
    return None if str(crs.get("type", "")).startswith("Geographic") else json.dumps(crs)


def to_degrees(axes: Axes, crs: str | None) -> Axes:
    """Every pair of axes, longitude first, in degrees; rows that cannot be converted become NaN."""
    if crs is None or crs == DEGREES:
        return axes
    found: list[NDArray[np.float64]] = []
    for x, y in zip(axes[::2], axes[1::2], strict=True):
        found += _pair(x, y, crs)
    return tuple(found)


def _pair(x: NDArray[np.float64], y: NDArray[np.float64], crs: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    if crs == "swapped":
        return y, x
    if crs == "e7":
        return x / 1e7, y / 1e7
    if crs == "0-360":
        return np.where(x > 180.0, x - 360.0, x), y
    lon, lat = _transformer(crs).transform(x, y, errcheck=False)
    lon, lat = np.asarray(lon, dtype=np.float64), np.asarray(lat, dtype=np.float64)
    wrong = ~(np.isfinite(lon) & np.isfinite(lat))
    return np.where(wrong, np.nan, lon), np.where(wrong, np.nan, lat)


@cache
def _transformer(crs: str) -> Any:
    with extra_needed():
        proj: Any = importlib.import_module("pyproj")
    try:
        return proj.Transformer.from_crs(proj.CRS.from_user_input(crs), "EPSG:4326", always_xy=True)
    except proj.exceptions.ProjError:
        raise InputError(
            f"crs={show_name(crs)[:60]!r} is not known; give a name such as 'EPSG:2263', or one of "
            f"{', '.join(map(repr, NAMED))}.",
            suggested_crs="EPSG",  # another code of this kind
        ) from None
