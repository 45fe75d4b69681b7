"""Options of commands that read records, or count them in parts, as groups for `with_options`; and the reading."""

from __future__ import annotations

import sys
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import dpviz
from dpviz.cli.parameters.options import Decimal, Header, Separator, degrees_box, in_file, in_privacy
from dpviz.cli.terminal.printing import reading_progress, say
from dpviz.errors import InputError

if TYPE_CHECKING:
    from dpviz.domain.parts import Division, Parts
    from dpviz.ingest import Reading


DEFAULT_RELATION = "add-remove"
MOST_LOOKED_AT = 1_000_000  # rows, to see whether a column can be a person
_OF_FILES = (
    *("lon", "lat", "columns", "person", "cap", "weight", "weight_unit", "weight_bound", "crs", "layer", "query"),
    *("level_column", "separator", "decimal", "header", "scheduler"),
)

in_parts = partial(typer.Option, rich_help_panel="Parts")


@dataclass(frozen=True, kw_only=True)
class SourceOptions:
    """Where records are and what their columns mean."""

    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE",
            help="CSV, Parquet, GeoJSON, GPX, Excel, GeoPackage and others, folders, globs or URLs; - for standard "
            "input; one .npz file of 'dpviz count'; or a built-in city: nyc-taxi, nyc-trips.",
        ),
    ]
    lon: Annotated[str | None, in_file("--lon", help="The column that holds longitudes; guessed from its name.")] = None
    lat: Annotated[str | None, in_file("--lat", help="The column that holds latitudes; guessed from its name.")] = None
    columns: Annotated[
        str | None,
        in_file(
            help="The columns of trips with both ends, in pairs, longitude first, with commas between: each row is "
            "then one point in four dimensions. They need no --side."
        ),
    ] = None
    engine: Annotated[str, in_file(help="local, or dask for many files on many machines.")] = "local"
    scheduler: Annotated[
        str | None,
        in_file(
            help="Address of a Dask scheduler, such as tls://host:8786; without it dask starts workers on this machine."
        ),
    ] = None
    person: Annotated[
        str | None, in_privacy(help="A column that tells persons apart: the promise is then per person. Needs --cap.")
    ] = None
    cap: Annotated[int | None, in_privacy(help="At most this many records are kept per person. Needs --person.")] = None
    protect: Annotated[
        str | None,
        in_privacy(
            "--unit",
            help="record: single rows are protected. Asked for where a column may tell persons apart and --person is "
            "not given ('dpviz units FILE' shows them).",
        ),
    ] = None

    weight: Annotated[
        str | None,
        in_privacy(
            help="A column that says how many a row stands for; say with --weight-bound or --weight-unit what that "
            "means for the promise."
        ),
    ] = None
    weight_unit: Annotated[
        str | None,
        in_privacy(
            help="record: each unit of weight is protected, as in a table that counts records. row: a whole row; "
            "without --weight, each row is one record whatever its columns say."
        ),
    ] = None
    weight_bound: Annotated[
        float | None, in_privacy(help="A row is protected with all its weight, of which at most this is counted.")
    ] = None
    weight_step: Annotated[float, in_privacy(help="Weights are counted in whole multiples of this.")] = 1.0
    level_column: Annotated[
        str | None,
        in_privacy(
            help="A column in which every row says how much it may tell: names or numbers of levels. The level or "
            "epsilon of the release is then the most that is told about anybody."
        ),
    ] = None
    level_scale: Annotated[str, in_privacy(help="level, or epsilon where the column of levels holds epsilons.")] = (
        "level"
    )
    crs: Annotated[
        str | None,
        in_file(help="How coordinates are written that are no degrees: EPSG:2263 and the like, E7, 0-360 or swapped."),
    ] = None

    layer: Annotated[
        str | None,
        in_file(
            help="Which layer of a GeoPackage, sheet of a workbook or table of a database, where there are several."
        ),
    ] = None
    query: Annotated[str | None, in_file(help="A SELECT on an SQLite database, in place of a table.")] = None

    separator: Separator = None
    decimal: Decimal = None
    header: Header = None

    @property
    def builtin(self) -> bool:
        """Whether a built-in city is asked for, and no file of that name is here."""
        from dpviz.ingest import BUILTIN_CITIES

        return len(self.files) == 1 and self.files[0] in BUILTIN_CITIES and not Path(self.files[0]).exists()

    @property
    def counted(self) -> bool:
        """Whether a file of 'dpviz count' is given, which is read already."""
        return any(file.lower().endswith(".npz") for file in self.files)

    def given(self, *names: str) -> str:
        """Those of these options that were typed, as they are typed."""
        return ", ".join(f"--{name.replace('_', '-')}" for name in names if getattr(self, name, None) is not None)


@dataclass(frozen=True, kw_only=True)
class ReadingOptions(SourceOptions):
    """All that is stated about a reading."""

    box: Annotated[
        str | None,
        in_file(
            help="The public box: west,south,east,north in degrees, or a city such as 'New York'. Never read it off "
            "the data. Built-in cities and .npz files bring their own."
        ),
    ] = None
    side: Annotated[int, in_file(help="Cells along each side of the public grid, a power of two.")] = 1024
    relation: Annotated[
        str, in_privacy(help="add-remove keeps the number of records secret; replace makes it public.")
    ] = DEFAULT_RELATION
    strict: Annotated[bool, in_file("--strict", help="Go on even when no row lies inside the box.")] = False


def read_records(
    asked: SourceOptions, *, ledger: dpviz.Ledger | None = None, said: bool = True, **stated: Any
) -> dpviz.ExactCounts | dpviz.ExactPoints:
    """Exact data of the files, of a file of counts, or of a built-in city; persons are capped with the ledger's coins.

    What became of the rows goes to standard error, for the curator; in strict mode (`said` is False) nothing does.
    `stated` fills in, or overrules, what the options leave open: the box of a release, for example.
    """
    if asked.builtin:
        return _builtin(asked)
    if asked.counted:
        return _counted(asked)
    from dpviz.ingest import Reading, count_records, gather_points
    from dpviz.ingest.units.person_columns import kept_sentence

    facts = {field.name: getattr(asked, field.name) for field in fields(asked) if field.name != "files"}
    facts |= {"columns": _names_in(asked), "level": facts.pop("level_column")} | stated
    if facts.get("box") is None and facts.get("frame") is None:
        raise InputError(
            "give the public box: --box west,south,east,north (such as -74.05,40.70,-73.90,40.80) or --box 'New York'. "
            "It is never taken from the data."
        )
    reading = Reading(source=records_of(asked.files), **facts)
    if reading.person is not None and said and not getattr(asked, "strict", False):
        _refuse_no_person(reading, reading.person)
    noise = None if ledger is None or reading.person is None else ledger.cap_source()
    with reading_progress() as progress:
        read = count_records if reading.columns is None else gather_points
        counts: dpviz.ExactCounts | dpviz.ExactPoints = read(reading, noise=noise, progress=progress)
    if said and counts.report is not None:
        lines = [counts.report.sentence, *counts.report.hints]
        if reading.cap is not None and reading.person is not None:
            inside = counts.report.exact_inside
            lines.insert(1, kept_sentence(counts.exact_total, inside, cap=reading.cap, column=reading.person))
        for line in lines:
            say(f"dpviz: {line}")
    return counts


def _names_in(asked: SourceOptions) -> list[str] | None:
    """The columns of points with several ends, as they are typed with commas."""
    if asked.columns is None:
        return None
    if asked.given("lon", "lat"):
        raise InputError(f"--columns names all coordinates; leave out {asked.given('lon', 'lat')}.")
    names = [name.strip() for name in asked.columns.split(",")]
    if len(names) < 2 or len(names) % 2 or not all(names):
        raise InputError(
            f"--columns {asked.columns!r}: give columns in pairs, longitude first, such as "
            "pickup_lon,pickup_lat,dropoff_lon,dropoff_lat."
        )
    return names


def _refuse_no_person(reading: Reading, person: str) -> None:
    """Refuse a person column that the first rows show to be implausible: it would protect nobody."""
    from dpviz.ingest.units.person_columns import refuse_implausible_person

    once = hasattr(reading.source, "read")  # standard input
    if once or reading.layer is not None or reading.query is not None:
        return
    lon, lat = (None if place is None else str(place) for place in (reading.lon, reading.lat))
    refuse_implausible_person(reading.source, person, lon=lon, lat=lat, most_rows=MOST_LOOKED_AT, form=reading.form)


def records_of(files: list[str]) -> Any:
    """Paths as they are typed; a single hyphen is standard input."""
    if "-" not in files:
        return files if len(files) > 1 else files[0]
    if len(files) > 1:
        raise InputError("standard input (-) is read alone; give files or the hyphen.")
    if sys.stdin is None or sys.stdin.isatty():
        raise InputError("nothing is sent to standard input; write: … | dpviz COMMAND - …, or give a file.")
    return sys.stdin.buffer


def report_of(data: dpviz.ExactCounts | dpviz.ExactPoints, *, said: bool = True) -> dict[str, Any]:
    """What became of the rows as JSON values, for the curator; nothing in strict mode, or where nothing was read."""
    return {} if data.report is None or not said else {"report": data.report.to_dict()}


def _builtin(asked: SourceOptions) -> dpviz.ExactCounts | dpviz.ExactPoints:
    named = asked.given(*_OF_FILES)
    _refuse_other_units(asked)
    if named or getattr(asked, "relation", DEFAULT_RELATION) != DEFAULT_RELATION:
        raise InputError(f"{asked.files[0]} is built in, one record a row; leave out {named or '--relation'}.")
    if asked.given("box") and sys.stderr.isatty():
        say(f"{asked.files[0]} is built in and brings its own box and grid; --box and --side are not used.")
    found: dpviz.ExactCounts | dpviz.ExactPoints = dpviz.builtin(asked.files[0])
    return found


def _counted(asked: SourceOptions) -> dpviz.ExactCounts:
    from dpviz.ingest import load_saved_counts

    named = asked.given("box", *_OF_FILES)
    if len(asked.files) > 1 or named:
        raise InputError(
            "a file of 'dpviz count' holds counts that are ready, with their box and grid: give it alone"
            + (f" and without {named}." if named else ".")
        )
    counts = load_saved_counts(asked.files[0])
    _refuse_other_units(asked)
    if asked.protect is not None and counts.unit.cap is not None:
        raise InputError(f"these counts protect {counts.unit}, not a record; leave out --unit.")
    if getattr(asked, "relation", DEFAULT_RELATION) not in (DEFAULT_RELATION, counts.relation.value):
        raise InputError(f"these counts were made with the relation {counts.relation.value!r}; leave out --relation.")
    return counts


def _refuse_other_units(asked: SourceOptions) -> None:
    if asked.protect not in (None, "record"):
        raise InputError(
            f"--unit {asked.protect}: give 'record', or a person column and a cap (--person COLUMN --cap M)."
        )


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
