"""A file with a date column to counts apart for every hour, weekday, month, day or week: CSV, Parquet, frames.

Every row for itself: a time with an offset (…Z, …+02:00) is turned into the stated zone, one without is taken as it is
written. Proof: docs/proofs/by_time.md.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import date
from typing import Any, Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from dpviz.domain import ExactCounts, GeoBox, Grid
from dpviz.domain.report import TALLY
from dpviz.domain.time_parts import DAYS, TimeParts
from dpviz.errors import FileError, InputError, NothingInBox, show_name
from dpviz.ingest.boxes import parse_box
from dpviz.ingest.cities import BUILTIN_BOX, BUILTIN_SIDE, load_counts
from dpviz.ingest.conversions import numbers_of
from dpviz.ingest.formats.memory_table import pandas_column
from dpviz.ingest.formats.text_table import TextTable
from dpviz.ingest.reading_steps import choose_pair, refuse_to_guess_weights, start_report
from dpviz.ingest.sources import TextForm, find_places, is_places, unpacked
from dpviz.ingest.tables import open_place, open_tables
from dpviz.ingest.units.person_columns import settle_unit

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


def read_by_time(
    source: Any,
    *,
    box: Any,
    side: int,
    time: str,
    by: str = "hour",
    zone: str = "UTC",
    days: tuple[str, str] = ("", ""),
    lon: str | None = None,
    lat: str | None = None,
    protect: str | None = None,
    separator: str | None = None,
    decimal: str | None = None,
    header: bool | None = None,
    strict: bool = False,
) -> tuple[ExactCounts, TimeParts]:
    """Counts of every hour, weekday, month, day or week on one sheet, and its public layout.

    Single records are protected. Days and weeks are those of the stated `days`, first and last; rows of other days are
    left out. `zone` is the time zone that the parts are told in, such as "Europe/Rome". `Release.by_time` reads what
    was made with `parts`.
    """
    found = parse_box(box)
    if not isinstance(found, GeoBox):
        raise InputError("parts of time are counted on a map; give the box in degrees.")
    try:
        ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError):
        raise InputError(f"zone={zone!r} is no time zone; give one such as 'Europe/Rome' or 'UTC'.") from None
    parts = TimeParts(box=found, side=side, by=by, zone=zone, first=days[0], last=days[1])
    form = TextForm(separator=separator, decimal=decimal, header=header)
    tables = open_tables(source, form=form)
    guesses = [choose_pair(table, lon, lat) for table in tables]
    pairs = [(str(guess.lon), str(guess.lat)) for guess in guesses]
    settle_unit(tables, pairs, person=None, stated=protect)
    for table in tables:
        refuse_to_guess_weights(table)
    report = start_report(tables, pairs[0], guesses[0].reason, degrees=True)
    sheet = np.zeros(parts.sheet.side**2, dtype=np.int64)
    for rows, pair in zip(_frames(source, [(*pair, time) for pair in pairs], form), pairs, strict=True):
        x, y = (numbers_of(pandas_column(rows[name]), "the table", name) for name in pair)
        part = part_of(rows[time], parts)  # [P1]
        cell = Grid(parts.box, parts.side).cells(x, y)
        usable = np.isfinite(x) & np.isfinite(y) & (part >= 0)
        at = parts.cells_of(part, cell)
        np.add.at(sheet, at[at >= 0], 1)  # [P2] one row, one cell
        tally = dict.fromkeys(TALLY, 0)
        tally |= {"rows": len(rows), "inside": int((at >= 0).sum()), "missing": int((~usable).sum())}
        report.add(np.array([tally[name] for name in TALLY], dtype=np.int64))
    report.note_total(int(sheet.sum()))
    if report.exact_inside == 0 and not strict:
        raise NothingInBox("no row has a time and a place inside the box; check the columns and the box.")
    side_of_sheet = parts.sheet.side
    return ExactCounts(parts.sheet, sheet.reshape(side_of_sheet, side_of_sheet), report=report), parts


def builtin_by_hour(name: str = "nyc-taxi") -> tuple[ExactCounts, TimeParts]:
    """The built-in drop-offs by hour on one sheet: public data, as they come."""
    parts = TimeParts(box=BUILTIN_BOX, side=BUILTIN_SIDE, by="hour", zone="America/New_York")
    if name != "nyc-taxi":
        raise InputError(f"{name!r} has no times; nyc-taxi is the built-in city that is counted by hour.")
    side = parts.sheet.side
    sheet = np.zeros((side, side), dtype=np.int64)
    for hour in range(len(parts.names)):
        row, column = parts.corner(hour)
        sheet[row : row + parts.side, column : column + parts.side] = load_counts(name, hours=[hour]).exact_cells
    return ExactCounts.from_array(parts.sheet, sheet), parts


def part_of(times: pd.Series, parts: TimeParts) -> NDArray[np.int64]:
    """[P1] The part of each row's time, by that row alone; -1 where it has none."""
    column = pandas_column(times)
    kind = column.type
    if pa.types.is_timestamp(kind):
        seconds, moment, known = _instants(column)
        zoned = np.full(len(seconds), kind.tz is not None)
    elif pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        raise InputError(f"column {show_name(str(times.name))!r} holds numbers; give times such as 2026-03-14 08:30.")
    else:
        seconds, moment, known = _written(column.cast(pa.large_string()))
        zoned = moment
    known &= (seconds >= _FIRST) & (seconds < _PAST)
    found = np.full(len(seconds), -1, dtype=np.int64)
    for turned, zone in ((False, None), (True, parts.zone)):
        rows = np.flatnonzero(known & (zoned == turned))
        local = pd.DatetimeIndex(seconds[rows].astype("datetime64[s]"), tz="UTC").tz_convert(zone)
        if parts.begins is None:
            number = {"hour": local.hour, "weekday": local.day_of_week, "month": local.month - 1}[parts.by]
            found[rows] = number.to_numpy(np.int64)
        else:
            day = local.tz_localize(None).to_numpy().astype("datetime64[D]").astype(np.int64)
            found[rows] = _of_period(day, parts)
    return found


def _of_period(day: Integers, parts: TimeParts) -> Integers:
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


def _frames(source: Any, columns: list[tuple[str, str, str]], form: TextForm) -> list[pd.DataFrame]:
    if not is_places(source):
        if not isinstance(source, pd.DataFrame):
            raise InputError("give a file, or a pandas DataFrame with a column of times.")
        return [_chosen(source, columns[0], "the table")]
    found = []
    for place, wanted in zip(find_places(source), columns, strict=True):
        table = open_place(replace(place, form=form))
        if table.kind not in ("csv", "parquet"):
            raise FileError(
                f"{place.label} is {table.kind}; parts of time are read from CSV and Parquet.", file=place.label
            )
        if isinstance(table, TextTable):
            table.refuse_unless_named(wanted)
            _check_named(table.names, wanted, place.label)
            found.append(_texts(table, wanted))
            continue
        _check_named(table.names, wanted, place.label)
        try:
            with unpacked(place) as (stream, _):
                rows = pd.read_parquet(stream)
        except (ValueError, OSError):
            raise FileError(f"{place.label} cannot be read by its times; give CSV, or another Parquet file.") from None
        found.append(_chosen(rows, wanted, place.label))
    return found


def _texts(table: TextTable, wanted: tuple[str, str, str]) -> pd.DataFrame:
    """The coordinates as numbers and the times as texts, by the rules of all separated text: each row by itself."""
    lon, lat, time = wanted
    if time in (lon, lat):
        raise InputError(f"the column of times {show_name(time)!r} is also a coordinate; name another column.")
    found = [
        pd.DataFrame({lon: numbers[0], lat: numbers[1], time: pd.Series(texts.to_numpy(zero_copy_only=False))})
        for numbers, texts in table.texts((lon, lat), time)
    ]
    return pd.concat(found, ignore_index=True) if found else pd.DataFrame({name: [] for name in wanted}, dtype=object)


def _chosen(rows: pd.DataFrame, wanted: tuple[str, str, str], label: str) -> pd.DataFrame:
    _check_named(rows.columns, wanted, label)
    return rows[list(dict.fromkeys(wanted))]


def _check_named(names: Iterable[str], wanted: tuple[str, ...], label: str) -> None:
    present = [str(name) for name in names]
    missing = [name for name in wanted if name not in present]
    if missing:
        shown = ", ".join(repr(show_name(name)) for name in present[:30])
        raise FileError(f"{label} has no column {show_name(missing[0])!r}. Its columns are {shown}.", file=label)
