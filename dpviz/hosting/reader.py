"""A subprocess that reads one file and ends, so that a hostile file can exhaust only its own memory and time.

`reading_process` starts it and sends one line of JSON, then the bytes of an upload if there is one. It answers with
lines of JSON (progress, errors), then with the exact counts as bytes. Only its parent process reads them.
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
    _limit_memory(int(asked["memory_mb"]))
    try:
        source = asked["place"] if asked["upload"] is None else _upload(heard, asked["upload"], asked["bytes"])
        _refuse_size(source, asked)
        if asked["what"] == "columns":
            _say(answer, columns=_columns(source))
        else:
            _count(source, asked, answer)
    except MemoryError:
        _say(answer, error=f"{_name(asked)} {TOO_LARGE.format(memory_mb=asked['memory_mb'])}")
    except DpvizError as problem:
        _say(answer, error=_without_place(problem.message, asked))
    except Exception as error:  # its text may hold a row
        _say(answer, error=f"{_name(asked)} could not be read ({type(error).__name__}).")


def _limit_memory(megabytes: int) -> None:
    try:
        import resource
    except ImportError:  # where the system has no such limits the starter's clock is the only one
        return
    resource.setrlimit(resource.RLIMIT_DATA, (megabytes * 2**20, megabytes * 2**20))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # no image of exact data on the disk
    resource.setrlimit(resource.RLIMIT_FSIZE, (_COMPILED, _COMPILED))  # and nothing large but what is compiled


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
    _refuse_ways_out(source, places)
    size = sum(place.size() for place in places)
    if size > asked["file_mb"] * 2**20:
        raise FileError(
            f"the data have {size / 2**20:,.0f} MB; a reading takes {asked['file_mb']:,} MB at most here. Give fewer."
        )
    rows = 0
    for place in places:
        if place.kind() == "parquet":
            import pyarrow.parquet as parquet

            with place.open() as stream:
                rows += parquet.ParquetFile(stream).metadata.num_rows
    if rows > asked["rows"]:
        raise FileError(f"the data state {rows:,} rows; a reading takes {asked['rows']:,} at most here.")
    if hasattr(source, "seek"):
        source.seek(0)


def _columns(source: Any) -> dict[str, Any]:
    from dpviz.ingest import guess_columns
    from dpviz.ingest.tables import open_tables

    table = open_tables(source)[0]
    if table.kind == "csv" and not table.has_header:  # its first line may be a record: nobody chooses from it
        raise FileError(f"{table.label} has no line of column names. Add one, and send the file again.")
    if table.geometry is not None:
        return {"names": [], "found": True, "lon": "", "lat": ""}
    guess = guess_columns(table.names)
    return {"names": list(table.names), "found": bool(guess.found), "lon": guess.lon or "", "lat": guess.lat or ""}


def _count(source: Any, asked: dict[str, Any], answer: BinaryIO) -> None:
    from dpviz.domain import GeoBox, Unit
    from dpviz.ingest import read_counts
    from dpviz.ingest.periods import PeriodRows, count_period
    from dpviz.noise import replayable_source

    def progress(done: int, total: int) -> None:
        _say(answer, done=done, total=total)

    wish, clock = asked["wish"], ""
    box, lon, lat = GeoBox.parse(wish["box"]), wish["lon"] or None, wish["lat"] or None
    person, cap = wish["person"] or None, wish["cap"] or None
    coins = replayable_source(int(asked["coins"])) if person else None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if "period" in wish:
            rows, unit = PeriodRows.from_facts(wish["period"]), Unit(person_column=person, cap=cap)
            counts, clock = count_period(
                source, rows, box=box, side=wish["side"], unit=unit, lon=lon, lat=lat, noise=coins
            )
        else:
            counts = read_counts(
                source,
                box=box,
                side=wish["side"],
                lon=lon,
                lat=lat,
                person=person,
                cap=cap,
                weight_unit="row",
                protect=None if person else "record",
                strict=wish["strict"],
                noise=coins,
                progress=progress,
            )
    report = counts.report
    if report is not None and report.exact_rows > asked["rows"]:
        raise InputError(f"the data have more than {asked['rows']:,} rows, the most that a reading takes here.")
    traces = None if report is None else report.traces
    found = counts.to_numpy().astype("<i8").tobytes() + (b"" if traces is None else traces.exact_bytes())
    hints = [] if wish["strict"] or report is None else list(report.hints)
    _say(answer, bytes=len(found), unit=counts.unit.facts(), hints=hints, clock=clock)
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
    if not place:
        return text
    for part in (place, place.rsplit("/", 1)[0] if "/" in place else place):
        text = text.replace(part, asked["name"]) if len(part) > 1 else text
    return text


if __name__ == "__main__":
    main(sys.stdin.buffer, sys.stdout.buffer)
