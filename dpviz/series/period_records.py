"""The records of a period: read by the series' own box, grid, unit and cap. Where they lie is kept for the next one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dpviz.domain import ExactCounts
from dpviz.errors import InputError
from dpviz.ledger.rows import person_at_work
from dpviz.releases.period import ALWAYS, OFFSETS, window_of
from dpviz.series.series import Series, all_series

if TYPE_CHECKING:
    from dpviz.ingest.periods import PeriodRows

READING = "series reading"
_CLOCK = "series clock"  # the kind of the notes on the column of dates and its time zone


@dataclass(frozen=True, kw_only=True)
class Records:
    """Where the records of a series lie, and which columns hold their dates and places (guessed where None)."""

    files: tuple[str, ...]
    time: str
    lon: str | None = None
    lat: str | None = None


def rows_of_series(series: Series, label: str, time: str) -> PeriodRows:
    """Which rows of a source are a period of this series."""
    from dpviz.ingest.periods import PeriodRows

    people = series.people
    window = window_of(label, people.window)
    published = [one.period for one in series.published()]
    return PeriodRows(
        label=label,
        every=series.every,
        time=time,
        at_most=people.at_most,
        window="" if window == ALWAYS else window,
        earlier=tuple(sorted({one.label for one in published if one.window == window and one.label < label})),
    )


def counts_of_period(
    series: Series, label: str, source: Any, *, time: str, lon: str | None = None, lat: str | None = None
) -> ExactCounts:
    """The rows whose date lies in the period, capped with the ledger's coins where persons are protected."""
    from dpviz.ingest.periods import count_period

    counts, clock = count_period(
        source,
        rows_of_series(series, label, time),
        box=series.box,
        side=series.side,
        unit=series.people.unit,
        lon=lon,
        lat=lat,
        noise=series.ledger.cap_source(),
    )
    refuse_another_time_stamp(series, label, time, clock)
    return counts


def refuse_another_time_stamp(series: Series, label: str, time: str, clock: str) -> None:
    """A record has one time stamp: by two columns, or two clocks, it could lie in two periods (series.md, section 2).

    Noted with its period before anything is published; what was read and not published binds nobody.
    """
    people = series.people
    if not people.together.disjoint and people.at_most is None:
        return  # periods add up, whoever stands in them
    alike = [one for one in all_series(ledger=series.ledger) if one.people.name == people.name]
    for column, other in filter(None, map(_time_stamp, alike)):
        if column != time:
            raise InputError(
                f"the periods of the population {people.name!r} are told by the column {column!r}, and {time!r} is "
                "another one: by two columns a record could lie in two periods. Give --time "
                f"{column}, or name the column so if it is the same in other files."
            )
        if other not in (None, clock):
            raise InputError(
                f"the times in {time!r} are {_clock_in_words(clock)}, and those of the periods published before were "
                f"{_clock_in_words(str(other))}: by two clocks a record could lie in two periods. Give files whose "
                "times are as they were."
            )
    facts = {"time": time, "clock": clock, "period": label}
    noted = series.ledger.notes(_CLOCK, series.name)
    if not noted or dict(noted[-1].facts) != facts:
        series.ledger.note(_CLOCK, series.name, facts)


def _time_stamp(series: Series) -> tuple[str, str | None] | None:
    """The column of dates by which a series is read, and its clock where known; None before its first period."""
    published = {one.period.label for one in series.published()}
    notes = [note.facts for note in series.ledger.notes(_CLOCK, series.name)]
    # Notes of before name no period.
    counted = [facts for facts in notes if published and facts.get("period") in {None, *published}]
    if counted:
        return str(counted[-1]["time"]), str(counted[-1]["clock"])
    records = last_records(series)
    return None if records is None else (records.time, None)


def _clock_in_words(clock: str) -> str:
    return {"": "without a time zone", OFFSETS: "written with their offsets"}.get(clock, f"in the time zone {clock}")


def records_of(files: Sequence[str], *, time: str, lon: str | None = None, lat: str | None = None) -> Records:
    """These files under their full names, so that they are found again from another folder."""
    full = tuple(file if "://" in file else str(Path(file).expanduser().absolute()) for file in files)
    return Records(files=full, time=time, lon=lon, lat=lat)


def remember_records(series: Series, records: Records, *, who: str = "") -> None:
    """Note where the records lie, for the next period. The note stays in the ledger and is not published."""
    if last_records(series) != records:
        series.ledger.note(READING, series.name, asdict(records), who=person_at_work(who))


def last_records(series: Series) -> Records | None:
    """Where the records of the last period lay; None before the first."""
    notes = series.ledger.notes(READING, series.name)
    if not notes:
        return None
    facts = notes[-1].facts
    return Records(files=tuple(facts["files"]), time=str(facts["time"]), lon=facts["lon"], lat=facts["lat"])
