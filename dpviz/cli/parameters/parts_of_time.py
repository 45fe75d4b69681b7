"""Parts of time on the command line: the options, and the way from files with a date column to counts of all parts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

import dpviz
from dpviz.cli.parameters.reading import DEFAULT_RELATION, ReadingOptions, records_of
from dpviz.cli.terminal.printing import progress, say
from dpviz.errors import InputError

if TYPE_CHECKING:
    from dpviz.domain.time_parts import TimeParts

TIME = "Time"


@dataclass(frozen=True, kw_only=True)
class TimeOptions:
    """Whether and how a release is divided by time."""

    by: Annotated[
        str | None,
        typer.Option(
            help="All parts of time in one release, at the price of one: hour, weekday, month, or day and week of a "
            "stated period. Needs --time and --zone; nyc-taxi is divided by hour.",
            rich_help_panel=TIME,
        ),
    ] = None
    time: Annotated[str | None, typer.Option(help="The column of dates and times.", rich_help_panel=TIME)] = None
    zone: Annotated[
        str | None,
        typer.Option(
            help="The time zone that parts are told in, such as Europe/Rome; times without an offset are taken as "
            "written.",
            rich_help_panel=TIME,
        ),
    ] = None
    days: Annotated[
        str,
        typer.Option(
            help="The period of --by day or week: 2026-03 or 2026-03-01..2026-03-31. It is public: never read it off "
            "the data.",
            rich_help_panel=TIME,
        ),
    ] = ""

    def check(self) -> None:
        """Refuse options that say nothing without --by."""
        given = [name for name in ("time", "zone", "days") if getattr(self, name)]
        if self.by is None and given:
            raise InputError(
                f"--{given[0]} divides a release by time; say how with --by hour, weekday, month, day or week."
            )


def read_parts(asked: ReadingOptions, times: TimeOptions, *, strict: bool) -> tuple[dpviz.ExactCounts, TimeParts]:
    """Counts of all parts on one sheet, and its public layout; what became of the rows is told as everywhere."""
    from dpviz.ingest.by_time import builtin_by_hour, read_by_time
    from dpviz.releases.about import period_of

    assert times.by is not None
    refused = asked.given(
        "person", "cap", "weight", "weight_unit", "weight_bound", "crs", "layer", "query", "scheduler"
    )
    if refused or asked.relation != DEFAULT_RELATION or asked.engine != "local":
        raise InputError(
            "parts of time are counted from single records on this machine; leave out "
            f"{refused or '--relation and --engine'}."
        )
    if asked.builtin:
        if times.by != "hour" or times.time or times.zone or times.days:
            raise InputError(f"{asked.files[0]} is divided by hour alone: give --by hour and nothing more about time.")
        return builtin_by_hour(asked.files[0])
    if asked.counted:
        raise InputError("a file of 'dpviz count' holds no times; give the file that it was made of.")
    if asked.box is None or times.time is None or times.zone is None:
        needed = {"--box": asked.box, "--time": times.time, "--zone": times.zone}
        raise InputError(
            f"give {' and '.join(name for name, value in needed.items() if value is None)}: the public box, the column "
            "of times, and the time zone that parts are told in, such as --time started_at --zone Europe/Rome."
        )
    with progress("reading"):
        counts, parts = read_by_time(
            records_of(asked.files),
            box=asked.box,
            side=asked.side,
            time=times.time,
            by=times.by,
            zone=times.zone,
            days=period_of(times.days),
            lon=asked.lon,
            lat=asked.lat,
            protect=asked.protect,
            separator=asked.separator,
            decimal=asked.decimal,
            header=asked.header,
            strict=strict,
        )
    if counts.report is not None:  # the ledger compares them with those of the same file without times
        plain = dpviz.read_counts(
            records_of(asked.files),
            box=asked.box,
            side=1,
            lon=asked.lon,
            lat=asked.lat,
            protect="record",
            weight_unit="row",
            strict=True,
        )
        counts.report.traces = None if plain.report is None else plain.report.traces
    if not strict and counts.report is not None:
        say(f"dpviz: {counts.report.sentence}")
        say(f"dpviz: counted apart for {len(parts.names)} {parts.by}s, in the time of {parts.zone}.")
    return counts, parts
