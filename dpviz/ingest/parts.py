"""The part of each row, by that row alone: its time in a stated zone, or its value in a public list.

A time with an offset (…Z, …+02:00) is turned into the stated zone, one without is taken as it is written. Proof:
docs/proofs/parts.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any, Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from dpviz.domain import Grid
from dpviz.domain.parts import DAYS, OTHER, Division, Parts, spelled
from dpviz.errors import InputError, show_name
from dpviz.ingest.conversions import person_texts

Integers = NDArray[np.int64]
Truths = NDArray[np.bool_]
_TIME: Final = (
    r"^[ \t]*(?P<year>\d{4})-?(?P<month>\d{2})-?(?P<day>\d{2})"
    r"(?:[Tt ](?P<hour>\d{2})(?::?(?P<minute>\d{2})(?::?(?P<second>\d{2})(?:[.,]\d+)?)?)?"
    r" ?(?P<offset>[zZ]|(?P<sign>[+-])(?P<away_hours>\d{2})(?::?(?P<away_minutes>\d{2}))?)?)?[ \t]*$"
)
_A_SECOND: Final = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
# Times that every calendar and time zone can tell: from the year 2 up to 9998, in seconds from 1970.
_FIRST, _PAST = (int(np.datetime64(day, "s").astype(np.int64)) for day in ("0002-01-01", "9998-01-01"))
LEAST_SURVEYED: Final = 100


def sheet_places(
    axes: tuple[NDArray[np.float64], ...], columns: Sequence[Any], parts: Parts
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """[P1] [P2] The middle of each row's one cell of the sheet; NaN for a row without a part, outside where it is."""
    digits = [part_of(column, division) for column, division in zip(columns, parts.divisions, strict=True)]
    part, cell = parts.number(digits), Grid(parts.box, parts.side).cells(*axes)
    at, sheet = parts.cells_of(part, cell), parts.sheet
    row, column = np.divmod(at, sheet.side)
    x, y = (column + 0.5) * sheet.cell_width, (sheet.side - row - 0.5) * sheet.cell_height
    unknown = (part < 0) | ~np.isfinite(axes[0]) | ~np.isfinite(axes[1])
    beyond = np.where(unknown, np.nan, -1.0)  # a place outside of the sheet, or none
    return np.where(at >= 0, x, beyond), np.where(at >= 0, y, beyond)


def check_zone(zone: str) -> None:
    """Refuse what is no time zone."""
    try:
        ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError):
        raise InputError(f"zone={zone!r} is no time zone; give one such as 'Europe/Rome' or 'UTC'.") from None


def part_of(column: Any, division: Division, label: str = "the table") -> Integers:
    """[P1] The part of each row of a column, by that row alone; -1 where it has none."""
    column = _whole(column)
    return _part_of_times(column, division) if division.is_time else _part_of_values(column, division, label)


def _whole(column: Any) -> Any:
    """One array of a column in pieces."""
    if not isinstance(column, pa.ChunkedArray):
        return column
    return pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], column.type)


def _part_of_values(column: Any, division: Division, label: str) -> Integers:
    """[P1] The place of each row's value in the public list; the last one, `other`, for what is not in it."""
    known = {spelled(value): place for place, value in enumerate(division.values)}
    values, at = values_of(column, label, division.by)
    places = np.array([known.get(spelled(value), len(known)) for value in values] + [len(known)], np.int64)
    return places[at]


def values_of(column: Any, label: str, name: str) -> tuple[list[str], Integers]:
    """The different values of a column as texts, and the place of each row's among them; -1 where it has none."""
    column = _whole(column)
    if pa.types.is_binary(column.type) or pa.types.is_large_binary(column.type):  # as separated text comes
        texts = column.cast(pa.large_binary())
    else:
        texts = _whole(person_texts(column, label, name).cast(pa.large_string()))
    encoded = texts.dictionary_encode()
    found = [value if isinstance(value, str) else _decoded(value) for value in encoded.dictionary.to_pylist()]
    return found, encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)


def _decoded(value: bytes) -> str:
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return value.decode("latin-1")


def survey_values(columns: Iterable[Any], label: str, division: Division) -> tuple[str, ...]:
    """The values of a column that its list does not hold, the frequent ones first; refuse one that tells rows apart.

    For the curator: it reads many rows together.
    """
    rows, found = 0, Counter[str]()
    for column in columns:
        values, at = values_of(column, label, division.by)
        rows += int((at >= 0).sum())
        found.update(dict(zip(values, np.bincount(at[at >= 0], minlength=len(values)).tolist(), strict=True)))
    if rows >= LEAST_SURVEYED and 2 * len(found) > rows:
        raise InputError(
            f"column {show_name(division.by)!r} of {label} holds {len(found):,} values in {rows:,} rows: nearly every "
            "row has one of its own, so that it tells records apart and groups none. Name a column of groups."
        )
    listed = {spelled(value) for value in division.values} | {OTHER}
    return tuple(value for value, _ in found.most_common() if spelled(value) not in listed)


def _part_of_times(column: Any, division: Division) -> Integers:
    """[P1] The part of each row's time, by that row alone; -1 where it has none."""
    import pandas as pd

    kind = column.type
    if pa.types.is_timestamp(kind):
        seconds, moment, known = _instants(column)
        zoned = np.full(len(seconds), kind.tz is not None)
    elif pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        raise InputError("the column of times holds numbers; give times such as 2026-03-14 08:30.")
    else:
        seconds, moment, known = _written(_plain_texts(column))
        zoned = moment
    known &= (seconds >= _FIRST) & (seconds < _PAST)
    found = np.full(len(seconds), -1, dtype=np.int64)
    for turned, zone in ((False, None), (True, division.zone)):
        rows = np.flatnonzero(known & (zoned == turned))
        local = pd.DatetimeIndex(seconds[rows].astype("datetime64[s]"), tz="UTC").tz_convert(zone)
        if division.begins is None:
            number = {"hour": local.hour, "weekday": local.day_of_week, "month": local.month - 1}[division.by]
            found[rows] = number.to_numpy(np.int64)
        else:
            day = local.tz_localize(None).to_numpy().astype("datetime64[D]").astype(np.int64)
            found[rows] = _of_period(day, division)
    return found


def _plain_texts(column: Any) -> Any:
    """Times as texts; of separated text, a byte that is no ASCII becomes a question mark."""
    if not pa.types.is_large_binary(column.type):
        return column.cast(pa.large_string())
    _, offsets, content = column.buffers()
    letters = np.frombuffer(content or b"", np.uint8)
    plain = np.where(letters < 128, letters, ord("?")).astype(np.uint8)
    return pa.Array.from_buffers(pa.large_string(), len(column), [None, offsets, pa.py_buffer(plain)])


def _of_period(day: Integers, parts: Division) -> Integers:
    """[P1] The part of each day (counted from 1970) of the stated period; -1 outside of it."""
    stated = (date.fromisoformat(parts.first), date.fromisoformat(parts.last), parts.begins)
    first, last, begins = (int(np.datetime64(text, "D").astype(np.int64)) for text in stated)
    inside = (day >= first) & (day <= last)
    return np.where(inside, (day - begins) // DAYS[parts.by], -1)


def _instants(column: Any) -> tuple[Integers, Truths, Truths]:
    """Whole seconds of a column of times, whether each is one, and the same again."""
    numbers = column.cast(pa.int64()).fill_null(0).to_numpy(zero_copy_only=False).astype(np.int64)
    known = column.is_valid().to_numpy(zero_copy_only=False).astype(np.bool_)
    return numbers // _A_SECOND[column.type.unit], known, known.copy()


def _written(texts: Any) -> tuple[Integers, Truths, Truths]:
    """Whole seconds of written times, which of them state an offset (then since 1970 in UTC), and which are times.

    Whole numbers of a pattern that is fixed beforehand: what one row holds cannot change how another one is read.
    """
    held = pc.extract_regex(texts, pattern=_TIME)
    if isinstance(held, pa.ChunkedArray):
        held = held.combine_chunks()
    known = held.is_valid().to_numpy(zero_copy_only=False).astype(np.bool_)

    def field(name: str) -> Any:
        return pc.struct_field(held, name).fill_null("")

    def number(name: str) -> Integers:
        digits = field(name)
        filled = pc.if_else(pc.equal(digits, ""), "0", digits)
        found: Integers = filled.cast(pa.int64()).to_numpy(zero_copy_only=False)
        return found

    def said(name: str, value: str) -> Truths:
        return np.asarray(pc.equal(field(name), value).to_numpy(zero_copy_only=False), dtype=np.bool_)

    year, month, day = number("year"), number("month"), number("day")
    hour, minute, second = number("hour"), number("minute"), number("second")
    away = number("away_hours") * 60 + number("away_minutes")
    known &= (month >= 1) & (month <= 12) & (hour < 24) & (minute < 60) & (second < 60)
    known &= (number("away_hours") < 24) & (number("away_minutes") < 60)
    months = np.where(known, (year - 1970) * 12 + month - 1, 0).astype("datetime64[M]")
    days = months.astype("datetime64[D]") + (day - 1)
    known &= (day >= 1) & (days.astype("datetime64[M]") == months)
    seconds = days.astype(np.int64) * 86400 + hour * 3600 + minute * 60 + second
    return seconds - 60 * np.where(said("sign", "-"), -away, away), ~said("offset", ""), known
