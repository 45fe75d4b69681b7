"""The rows of one period, by a date column; the first periods of every person. Each row, each person, decides alone.

CSV and Parquet. A date column holds ISO dates or times (2026-03-14, 2026-03-14 08:30, 2026-03-14T08:30:00Z) or is of a
date type; the date as it is written counts, whatever its time zone. Rows without a date belong to no period.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import polars as pl
import pyarrow as pa

from dpviz.errors import FileError, InputError, show_name
from dpviz.ingest.conversions import person_keys, person_texts
from dpviz.ingest.formats.text_table import TextTable
from dpviz.ingest.sources import Place, find_places, unpacked
from dpviz.ingest.tables import open_place
from dpviz.ingest.units.person_keys import PersonHash

if TYPE_CHECKING:
    from dpviz.domain import ExactCounts, GeoBox, Unit
    from dpviz.noise import NoiseSource

RHYTHMS = ("day", "week", "month")


@dataclass(frozen=True, kw_only=True)
class PeriodRows:
    """Which rows of a source belong to a period, as a series states it. All of it is public.

    `earlier` are the published periods of the window that the source must hold too, where persons count in their first
    `at_most` periods alone.
    """

    label: str
    every: str
    time: str
    at_most: int | None = None
    window: str = ""
    earlier: tuple[str, ...] = ()

    def facts(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            "label": self.label,
            "every": self.every,
            "time": self.time,
            "at_most": self.at_most,
            "window": self.window,
            "earlier": list(self.earlier),
        }

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any]) -> PeriodRows:
        """The rows that `facts` wrote."""
        return cls(
            label=str(facts["label"]),
            every=str(facts["every"]),
            time=str(facts["time"]),
            at_most=facts["at_most"],
            window=str(facts["window"]),
            earlier=tuple(map(str, facts["earlier"])),
        )


def count_period(
    source: Any,
    wanted: PeriodRows,
    *,
    box: GeoBox,
    side: int,
    unit: Unit,
    lon: str | None = None,
    lat: str | None = None,
    noise: NoiseSource | None = None,
) -> tuple[ExactCounts, str]:
    """Count the rows of a period on the series' grid, and tell by which clock their times are written (`clock_of`)."""
    from dpviz.ingest import Reading, count_records

    if wanted.at_most is not None and wanted.earlier:
        missing = set(wanted.earlier).difference(labels_in(source, every=wanted.every, time=wanted.time))
        if missing:
            raise InputError(
                f"each person is counted in the first {wanted.at_most} periods in which they appear, and the files "
                f"hold no row of {min(missing)}, which is published already. Give the files of all periods of the "
                "window together."
            )
    if hasattr(source, "seek"):  # an upload is read twice
        source.seek(0)
    rows = rows_of_period(
        source,
        wanted.label,
        every=wanted.every,
        time=wanted.time,
        person=unit.person_column,
        at_most=wanted.at_most,
        window=wanted.window,
    )
    if not len(rows):
        raise InputError(
            f"no row of the files lies in {wanted.label} by its column {wanted.time!r}; check --period and --time."
        )
    clock = clock_of(rows, wanted.time)
    reading = Reading(
        source=rows,
        box=box,
        side=side,
        lon=lon,
        lat=lat,
        person=unit.person_column,
        cap=unit.cap,
        protect=None if unit.person_column else "record",
        strict=True,
    )
    return count_records(reading, noise=noise), clock


def rows_of_period(
    source: Any,
    label: str,
    *,
    every: str,
    time: str,
    person: str | None = None,
    at_most: int | None = None,
    window: str = "",
) -> pl.DataFrame:
    """The rows whose date lies in the period. All columns stay.

    With `at_most` a person's rows count in the first so many periods (whose labels begin with `window`) in which the
    person appears; the source must then hold all periods of the window so far.
    """
    if every not in RHYTHMS:
        raise InputError(f"every={every!r}: give 'day', 'week' or 'month'.")
    table = _read(source, time, person)
    if person is not None and person not in table.columns:
        shown = ", ".join(repr(show_name(name)) for name in table.columns[:30])
        raise InputError(f"there is no column {show_name(person)!r}; the columns are {shown}.")
    marked = table.with_columns(_labels(table, time, every).alias(_LABEL)).filter(pl.col(_LABEL).is_not_null())
    if at_most is not None:
        if person is None:
            raise InputError("at most so many periods per person needs a person column (--person).")
        # docs/proofs/series.md, section 5: by this person's own records alone; who one person is, as for the cap
        inside = marked.filter(pl.col(_LABEL).str.starts_with(window))
        keys = person_keys(inside[person].to_arrow(), PersonHash.draw(None), "the file", person)
        both = [pl.Series(name, keys[:, half]) for half, name in enumerate(_PERSON)]
        number = pl.col(_LABEL).rank("dense").over(_PERSON)
        marked = inside.with_columns(both).filter(number <= at_most).drop(_PERSON)
    return marked.filter(pl.col(_LABEL) == label).drop(_LABEL)


def labels_in(source: Any, *, every: str, time: str) -> list[str]:
    """The periods that occur in a source, in their order. Exact: for the curator."""
    table = _read(source, time)
    found = table.select(_labels(table, time, every).alias(_LABEL)).drop_nulls().unique().sort(_LABEL)
    return [str(label) for label in found[_LABEL]]


def clock_of(rows: pl.DataFrame, time: str) -> str:
    """By which clock these times are written: the name of a time zone, "offsets" where texts have some, or "".

    One file with two clocks has no one clock: it counts as written with offsets.
    """
    kind = rows.schema[time]
    if isinstance(kind, pl.Datetime):
        return kind.time_zone or ""
    if kind != pl.String:
        return ""
    ends = rows.get_column(time).str.strip_chars().str.extract(_OFFSET, 1).unique().to_list()
    found = {"" if end is None else "UTC" if end in _ZERO else "offsets" for end in ends}
    return found.pop() if len(found) == 1 else "offsets"


_OFFSET = r"^\d{4}-\d\d-\d\d[T ].*?([Zz]|[+-]\d\d:?(?:\d\d)?)$"
_ZERO = ("Z", "z", "+00", "+0000", "+00:00", "-00:00")
_LABEL = "the period of the row"
_PERSON = ("the person of the row", "the person of the row, further")


def _labels(table: pl.DataFrame, time: str, every: str) -> pl.Expr:
    """A row's period: 2026-03-14, 2026-W11 or 2026-03; null where its date cannot be read."""
    kind = table.schema[time]
    if kind.is_temporal() and kind not in (pl.Time, pl.Duration):
        date = pl.col(time).dt.date()
    elif kind == pl.String:
        date = pl.col(time).str.strip_chars().str.slice(0, 10).str.to_date("%Y-%m-%d", strict=False)
    else:
        raise InputError(
            f"column {show_name(time)!r} holds {kind}; give a column of dates, such as 2026-03-14 (--time COLUMN)."
        )
    formats = {"day": "%Y-%m-%d", "week": "%G-W%V", "month": "%Y-%m"}
    return date.dt.strftime(formats[every])


def _read(source: Any, time: str, person: str | None = None) -> pl.DataFrame:
    places = find_places(source)
    parts = [_ids_as_texts(_read_one(place, time), person, place.label) for place in places]
    for place, part in zip(places, parts, strict=True):
        if time not in part.columns:
            shown = ", ".join(repr(show_name(name)) for name in part.columns[:30])
            raise FileError(
                f"{place.label} has no column {show_name(time)!r}. Its columns are {shown}.", file=place.label
            )
    try:
        return pl.concat(parts, how="diagonal_relaxed")
    except pl.exceptions.PolarsError:
        raise FileError("the files hold columns of one name and different kinds; give files of one layout.") from None


def _ids_as_texts(table: pl.DataFrame, person: str | None, label: str) -> pl.DataFrame:
    """Before files are put together: beside a file that holds ids as floats, long whole ids would be made one."""
    if person is None or person not in table.columns:
        return table
    texts = person_texts(table[person].to_arrow(), label, person)
    try:
        return table.with_columns(pl.Series(person, texts.cast(pa.large_string())))
    except pa.ArrowException:
        raise FileError(
            f"column {show_name(person)!r} of {label} holds {texts.type}; a person id is one text or number.",
            file=label,
        ) from None


def _read_one(place: Place, time: str) -> pl.DataFrame:
    table = open_place(place)
    try:
        if table.kind == "parquet":
            with place.open() as stream:
                return pl.read_parquet(stream.read())
        if isinstance(table, TextTable):
            table.refuse_unless_named((time,))
            with unpacked(place) as (packed, _):
                content = packed.read()[table.names_begin :]
            return pl.read_csv(content, infer_schema=False, truncate_ragged_lines=True, separator=chr(table.separator))
    except pl.exceptions.PolarsError as error:
        raise FileError(
            f"{place.label} cannot be read by its dates ({type(error).__name__}); give CSV with a line of names, or "
            "Parquet.",
            file=place.label,
        ) from None
    raise FileError(f"{place.label} is {table.kind}; periods are read from CSV and Parquet.", file=place.label)
