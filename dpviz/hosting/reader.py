"""A subprocess that reads one file and ends, so that a hostile file exhausts only its own memory and time.

`reading_process` sends a line of JSON and an upload. The answer is lines of JSON, then the exact counts as bytes.
"""

from __future__ import annotations

import io
import json
import os
import sys
import warnings
from typing import TYPE_CHECKING, Any, BinaryIO

from dpviz.errors import DpvizError, FileError, InputError

if TYPE_CHECKING:
    from dpviz.ingest.sources import Place

TOO_LARGE = "needs more memory than a reading may take here ({memory_mb:,} MB). Give it in parts."


_COMPILED = 16 * 2**20  # bytes of one file: the compiler keeps what it made


def main(heard: BinaryIO, answer: BinaryIO) -> None:
    """Answer one question: the columns of a file, or its counts."""
    asked = json.loads(heard.readline())
    _limit_memory(int(asked["memory_mb"]), writes_little=not asked["is_own"])
    try:
        source = asked["place"] if asked["upload"] is None else _upload(heard, asked["upload"], asked["bytes"])
        _refuse_size(source, asked)
        if asked["what"] == "columns":
            found = look_at_columns(source)
            if not found["is_named"]:  # its first line may be a record: nobody chooses from it
                raise FileError(f"{found['label']} has no line of column names. Add one, and send the file again.")
            _say(answer, columns=found)
        else:
            _count(source, asked, answer)
    except MemoryError:
        _say(answer, error=f"{_name(asked)} {TOO_LARGE.format(memory_mb=asked['memory_mb'])}")
    except DpvizError as problem:
        text = problem.message if asked["is_own"] else _without_place(problem.message, asked)
        _say(answer, error=text, suggested_crs=problem.values.get("suggested_crs"))
    except Exception as error:  # its text may hold a row
        _say(answer, error=f"{_name(asked)} could not be read ({type(error).__name__}).")


def _limit_memory(megabytes: int, *, writes_little: bool) -> None:
    try:
        import resource
    except ImportError:  # where the system has no such limits the starter's clock is the only one
        return
    resource.setrlimit(resource.RLIMIT_DATA, (megabytes * 2**20, megabytes * 2**20))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # no image of exact data on the disk
    if writes_little:
        resource.setrlimit(resource.RLIMIT_FSIZE, (_COMPILED, _COMPILED))  # nothing large but what is compiled


def _upload(heard: BinaryIO, name: str, length: int) -> io.BytesIO:
    content = io.BytesIO(heard.read(length))
    content.name = name
    return content


def _refuse_ways_out(source: Any, places: list[Place]) -> None:
    """Refuse links that lead out of a named folder: whoever can write there must not reach other files."""
    if not isinstance(source, str) or not os.path.isdir(source):
        return
    home = os.path.join(os.path.realpath(source), "")
    for place in places:
        if place.path is not None and not os.path.realpath(place.path).startswith(home):
            raise FileError(f"{place.label} is a link that leads out of its folder. Put the file itself there.")


def _refuse_size(source: Any, asked: dict[str, Any]) -> None:
    """Refuse too many bytes, or too many rows where a file states them, before reading."""
    from dpviz.ingest.sources import find_places

    places = find_places(source)
    if not asked["is_own"]:
        _refuse_ways_out(source, places)
    size = sum(place.size() for place in places)
    if size > asked["file_mb"] * 2**20:
        raise FileError(
            f"the data have {size / 2**20:,.0f} MB; a reading takes {asked['file_mb']:,} MB at most here. Give fewer."
        )
    rows = 0
    for place in (place for place in places if place.kind() == "parquet"):
        import pyarrow.parquet as parquet

        with place.open() as stream:
            rows += parquet.ParquetFile(stream).metadata.num_rows
    if rows > asked["rows"]:
        raise FileError(f"the data state {rows:,} rows; a reading takes {asked['rows']:,} at most here.")
    if hasattr(source, "seek"):
        source.seek(0)


def look_at_columns(source: Any) -> dict[str, Any]:
    """The names of the columns with a guess which hold the place, from the first line alone, never from a record."""
    from dpviz.ingest import guess_columns
    from dpviz.ingest.tables import open_tables

    table = open_tables(source)[0]
    names = list(table.names) if table.geometry is None else []
    guess = guess_columns(names)
    return {
        "label": table.label,
        "is_named": table.kind != "csv" or table.has_header,
        "names": names,
        "found": table.geometry is not None or bool(guess.found),
        "lon": guess.lon or "",
        "lat": guess.lat or "",
    }


def _count(source: Any, asked: dict[str, Any], answer: BinaryIO) -> None:
    from dpviz.domain import GeoBox, Unit
    from dpviz.domain.counts import LevelCounts
    from dpviz.hosting.reading_process import Wish
    from dpviz.ingest import Reading, count_records
    from dpviz.ingest.periods import count_period
    from dpviz.ingest.units.own_levels import LEVEL
    from dpviz.noise import replayable_source
    from dpviz.publishing.own_track import hidden_places, read_track

    def progress(done: int, total: int) -> None:
        _say(answer, done=done, total=total)

    wish, clock = Wish.from_facts(asked["wish"]), ""
    box, lon, lat = GeoBox.parse(wish.box), wish.lon or None, wish.lat or None
    person, cap = wish.person or None, wish.cap or None
    coins = replayable_source(int(asked["coins"])) if person else None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if wish.period is not None:
            unit = Unit(person_column=person, cap=cap)
            counts, clock = count_period(
                source, wish.period, box=box, side=wish.side, unit=unit, lon=lon, lat=lat, noise=coins
            )
        elif wish.window:
            hidden = hidden_places(wish.hidden.splitlines(), box=box)
            counts = read_track(source, box=box, window=wish.window, regions=hidden)
        else:
            reading = Reading(
                source=source,
                box=box,
                side=wish.side,
                lon=lon,
                lat=lat,
                person=person,
                cap=cap,
                weight_unit="row",
                protect=None if person else "record",
                crs=wish.crs or None,
                separator=wish.form.separator,
                decimal=wish.form.decimal,
                header=wish.form.header,
                strict=wish.strict,
                parts=wish.parts,
                time=wish.time or None,
                level=wish.level or None,
                level_scale=wish.level_scale or LEVEL,
            )
            counts = count_records(reading, noise=coins, progress=progress)
    report = counts.report
    if report is not None and report.exact_rows > asked["rows"]:
        raise InputError(f"the data have more than {asked['rows']:,} rows, the most that a reading takes here.")
    traces = None if report is None else report.traces
    sheets = counts.exact_by_level if isinstance(counts, LevelCounts) else counts.exact_cells
    found = sheets.astype("<i8").tobytes() + (b"" if traces is None else traces.exact_bytes())
    shown, hints = {}, []
    if report is not None and not wish.strict:
        shown = {"sentence": report.sentence, "suggested_crs": report.suggested_crs, "inside": report.exact_inside}
        hints = list(report.hints)
    _say(answer, bytes=len(found), unit=counts.unit.facts(), hints=hints, clock=clock, report=shown)
    answer.write(found)
    answer.flush()


def _say(answer: BinaryIO, **told: Any) -> None:
    answer.write(json.dumps(told).encode() + b"\n")
    answer.flush()


def _name(asked: dict[str, Any]) -> str:
    return f"“{asked['name']}”"


def _without_place(text: str, asked: dict[str, Any]) -> str:
    """Replace paths of named data in an error by their name: people who may choose data need not know where it is."""
    place = asked["place"]
    for part in (place, place.rpartition("/")[0]):
        text = text.replace(part, asked["name"]) if len(part) > 1 else text
    return text


if __name__ == "__main__":
    main(sys.stdin.buffer, sys.stdout.buffer)
