"""Parts on the command line: the options, and the way from files to counts of all parts on one sheet."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import dpviz
from dpviz.cli.parameters.options import degrees_box
from dpviz.cli.parameters.reading import ReadingOptions, read_records
from dpviz.cli.terminal.printing import say
from dpviz.errors import InputError

if TYPE_CHECKING:
    from dpviz.domain.parts import Division, Parts

in_parts = partial(typer.Option, rich_help_panel="Parts")


@dataclass(frozen=True, kw_only=True)
class PartOptions:
    """Whether and how a release is divided, by time or by a column."""

    by: Annotated[
        list[str] | None,
        in_parts(
            help="All parts in one release, at the price of one: hour, weekday, month, or day and week of a stated "
            "period (needs --time and --zone; nyc-taxi is divided by hour), or a column with --values. Twice for a "
            "part of every pair."
        ),
    ] = None
    values: Annotated[
        list[str] | None,
        in_parts(
            help="The public values of a column of --by, with commas between, or a file with one a line; all others "
            "are the part 'other'. Once for each such column, in their order. Never read them off the data."
        ),
    ] = None
    of_person: Annotated[
        list[str] | None,
        in_parts(
            help="A column of --by whose value belongs to the person, such as member or guest: each person is then in "
            "one part, and of several values the one that comes first in --values counts. Needs --person."
        ),
    ] = None
    time: Annotated[str | None, in_parts(help="The column of dates and times.")] = None
    zone: Annotated[
        str | None,
        in_parts(
            help="The time zone that parts are told in, such as Europe/Rome; times without an offset are taken as "
            "written."
        ),
    ] = None
    days: Annotated[
        str,
        in_parts(
            help="The period of --by day or week: 2026-03 or 2026-03-01..2026-03-31. It is public: never read it off "
            "the data."
        ),
    ] = ""

    def check(self) -> None:
        """Refuse options that say nothing without --by."""
        given = [name for name in ("time", "zone", "days", "values", "of_person") if getattr(self, name)]
        if not self.by and given:
            raise InputError(
                f"--{given[0].replace('_', '-')} divides a release; say how with --by hour, weekday, month, day or "
                "week, or with --by COLUMN --values."
            )

    def divisions(self) -> tuple[Division, ...]:
        """What the options state."""
        from dpviz.domain.parts import TIMES, divisions_of
        from dpviz.releases.about import period_of

        by, lists = self.by or [], [_listed(text) for text in self.values or []]
        columns = by if len(lists) == len(by) else [name for name in by if name not in TIMES]
        if len(lists) > len(columns):
            raise InputError(f"--values is given {len(lists)} times; give it once for each column of --by.")
        stated = dict(zip(columns, lists, strict=False))
        return divisions_of(
            by, stated, zone=self.zone or "UTC", days=period_of(self.days), of_person=self.of_person or ()
        )


def read_parts(
    asked: ReadingOptions, options: PartOptions, *, strict: bool, ledger: dpviz.Ledger | None
) -> tuple[dpviz.ExactCounts, Parts]:
    """Counts of all parts on one sheet, and its public layout; what became of the rows is told as everywhere."""
    from dpviz.domain.parts import Parts
    from dpviz.ingest.cities import builtin_by_hour

    if asked.builtin:
        if options.by != ["hour"] or options.time or options.zone or options.days or options.values:
            raise InputError(f"{asked.files[0]} is divided by hour alone: give --by hour and nothing more about parts.")
        return builtin_by_hour(asked.files[0])
    if asked.counted:
        raise InputError("a file of 'dpviz count' holds no parts; give the file that it was made of.")
    if asked.columns is not None:
        raise InputError("parts are counted on a map of one place a record; leave out --columns.")
    divisions = options.divisions()
    by_time = any(one.is_time for one in divisions)
    needed = {"--box": asked.box} | ({"--time": options.time, "--zone": options.zone} if by_time else {})
    if missing := [name for name, value in needed.items() if value is None]:
        raise InputError(
            f"give {' and '.join(missing)}: the public box"
            + (
                ", the column of times, and the time zone that parts are told in, such as --time started_at --zone "
                "Europe/Rome."
                if by_time
                else "."
            )
        )
    box = degrees_box(str(asked.box), "parts are counted on a map; give the box in degrees.")
    parts = Parts(box=box, side=asked.side, divisions=divisions)
    counts = read_records(asked, ledger=ledger, said=not strict, strict=strict, parts=parts, time=options.time)
    assert isinstance(counts, dpviz.ExactCounts)
    if not strict:
        where = f", in the time of {parts.zone}" if parts.zone else ""
        say(f"dpviz: counted apart for {len(parts.names)} {parts.word}s by {parts.by}{where}.")
    return counts, parts


def _listed(text: str) -> list[str]:
    """Values as they are typed, or the lines of a file."""
    place = Path(text)
    if "," in text or not place.is_file():
        return text.split(",")
    try:
        lines = place.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError):
        raise InputError(f"{place.name!r} cannot be read; give a file of text with one value a line.") from None
    return [value for line in lines if line.strip() for value in line.split(",")]
