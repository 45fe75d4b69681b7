"""Files as they come: one row per way in which a file can be wrong, and what the reader makes of it.

A broken *file* is refused with one sentence; a broken *row* is ignored, and spoils no other row.
"""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpviz.errors import AmbiguousColumns, DpvizError, FileError, InputError, NothingInBox
from dpviz.ingest import read_counts

BOX = (-74.05, 40.70, -73.90, 40.80)
HEAD, ROW = b"lon,lat\n", b"-74.0,40.75\n"


def parquet(columns: dict[str, Any], **metadata: str) -> bytes:
    table = pa.table(columns)
    if metadata:
        table = table.replace_schema_metadata(metadata)
    buffer = io.BytesIO()
    pq.write_table(table, buffer)
    return buffer.getvalue()


def zstd(content: bytes) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as stream:
        stream.write(content)
    return bytes(sink.getvalue())


def spoiled(content: bytes, first: int, last: int) -> bytes:
    return content[:first] + bytes(byte ^ 0xFF for byte in content[first:last]) + content[last:]


MANY = HEAD + b"".join(b"-74.%05d,40.75\n" % i for i in range(20_000))
GOOD = parquet({"lon": [-74.0] * 100, "lat": [40.75] * 100})
POINT = {"type": "Feature", "geometry": {"type": "Point", "coordinates": [-74.0, 40.75]}, "properties": {}}
COLLECTION = json.dumps({"type": "FeatureCollection", "features": [POINT] * 50}).encode()
GPX = b'<?xml version="1.0"?><gpx><wpt lat="40.75" lon="-74.0"/></gpx>'
CRS = {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::2263"}}
LAUGHS = b'<!DOCTYPE gpx [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]><gpx><name>&b;</name></gpx>'
OUTSIDE = b'<!DOCTYPE gpx [<!ENTITY a SYSTEM "file:///etc/hostname">]><gpx><name>&a;</name></gpx>'

# name: (content, error, a word of its message)
REFUSED: dict[str, tuple[bytes, type[DpvizError], str]] = {
    "empty": (b"", FileError, "empty"),
    "blanks only": (b" \r\n\n", FileError, "empty"),
    "byte order mark only": (b"\xef\xbb\xbf", FileError, "empty"),
    "header only": (HEAD, NothingInBox, "no rows"),
    "empty gzip": (gzip.compress(b""), FileError, "empty"),
    "PDF": (b"%PDF-1.7\n%\xe2\xe3", FileError, "PDF"),
    "zip or workbook": (b"PK\x03\x04\x14\x00", FileError, "zip"),
    "empty zip": (b"PK\x05\x06" + bytes(18), FileError, "zip"),
    "old workbook": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", FileError, "Office"),
    "PNG": (b"\x89PNG\r\n\x1a\n", FileError, "picture"),
    "JPEG": (b"\xff\xd8\xff\xe0", FileError, "picture"),
    "web page": (b"<!DOCTYPE html>\n<html><body>404</body></html>", FileError, "web page"),
    "web page without a type": (b"\n <html><head>", FileError, "web page"),
    "SQLite, first bytes only": (b"SQLite format 3\x00", FileError, "database"),
    "Arrow, first bytes only": (b"ARROW1\x00\x00", FileError, "Arrow"),
    "shapefile without its other parts": (b"\x00\x00\x27\x0a" + bytes(96), FileError, ".shx"),
    "program": (b"\x7fELF\x02\x01\x01" + bytes(60), FileError, "binary"),
    "zeros": (bytes(1000), FileError, "binary"),
    "UTF-16": ("lon,lat\n-74,40.75\n".encode("utf-16"), FileError, "UTF-8"),
    "packed twice": (gzip.compress(gzip.compress(MANY)), FileError, "binary"),
    "gzip cut off": (gzip.compress(MANY)[:-9], FileError, "cut off"),
    "gzip cut in its head": (gzip.compress(MANY)[:12], FileError, "cut off"),
    "gzip spoiled": (spoiled(gzip.compress(MANY), 200, 300), FileError, "damaged"),
    "gzip with a tail": (gzip.compress(MANY) + b"tail", FileError, "damaged"),
    "zstd cut off": (zstd(MANY)[:-9], FileError, "cut off"),
    "zstd spoiled": (spoiled(zstd(MANY), 30, 200), FileError, "damaged"),
    "bzip2 cut off": (bz2.compress(MANY)[:-9], FileError, "cut off"),
    "xz cut off": (lzma.compress(MANY)[:-9], FileError, "cut off"),
    "Parquet, first bytes only": (b"PAR1", FileError, "Parquet"),
    "Parquet cut off": (GOOD[:-30], FileError, "cut-off"),
    "Parquet cut in the middle": (GOOD[: len(GOOD) // 2], FileError, "cut-off"),
    "Parquet spoiled pages": (spoiled(GOOD, 4, 60), FileError, "damaged"),
    "Parquet spoiled footer": (spoiled(GOOD, -60, -12), FileError, "damaged"),
    "Parquet without rows": (parquet({"lon": pa.array([], "f8"), "lat": pa.array([], "f8")}), NothingInBox, "no rows"),
    "Parquet of times": (parquet({"lon": pa.array([1], pa.timestamp("s")), "lat": [40.75]}), FileError, "numbers"),
    "Parquet of lists": (parquet({"lon": [[-74.0]], "lat": [40.75]}), FileError, "numbers"),
    "Parquet of truth values": (parquet({"lon": [True], "lat": [40.75]}), FileError, "numbers"),
    "Parquet without such columns": (parquet({"a": [1], "b": [2]}), AmbiguousColumns, "'a', 'b'"),
    "one column": (b"lon\n-74\n", FileError, "one column"),
    "one column of pairs": (b"lon lat\n-74 40.75\n", FileError, "one column"),
    "no such columns": (b"a,b\n-74,40.75\n", AmbiguousColumns, "'a', 'b'"),
    "no header": (ROW * 3, AmbiguousColumns, "column_1"),
    "two longitudes": (b"lon,lon,lat\n-74,-74,40.75\n", FileError, "2 columns"),
    "two pairs": (b"pickup_lon,pickup_lat,dropoff_lon,dropoff_lat\n-74,40.75,-74,40.75\n", AmbiguousColumns, "several"),
    "an endless line": (b"lon,lat" + b"x" * 70_000, FileError, "64 kB"),
    "swapped": (b"lon,lat\n40.75,-74\n", NothingInBox, "swapped"),
    "metres": (b"lon,lat\n583960,4507523\n", NothingInBox, "metres"),
    "elsewhere": (b"lon,lat\n2.35,48.85\n", NothingInBox, "box"),
    "texts only": (b"lon,lat\nhere,there\n", NothingInBox, "no row"),
    "JSON, not geo": (b'{"lon": -74.0, "lat": 40.75}', FileError, "GeoJSON"),
    "JSON list": (b"[[-74.0, 40.75]]", FileError, "GeoJSON"),
    "TopoJSON": (b'{"type": "Topology", "objects": {}}', FileError, "GeoJSON"),
    "JSON broken": (b'{"type": "FeatureCollection", "features": [{"type" "x"}]}', FileError, "GeoJSON"),
    "JSON too deep": (b'{"type":"FeatureCollection","features":[' + b"[" * 100_000, FileError, "GeoJSON"),
    "GeoJSON cut off": (COLLECTION[:-200], FileError, "cut off"),
    "GeoJSON cut between features": (COLLECTION[: COLLECTION.rindex(b", {")], FileError, "cut off"),
    "GeoJSON without features": (b'{"type": "FeatureCollection", "features": []}', NothingInBox, "no rows"),
    "GeoJSON in feet": (
        json.dumps({"type": "FeatureCollection", "crs": CRS, "features": [POINT]}).encode(),
        NothingInBox,  # degrees that say they are feet lie elsewhere
        "box",
    ),
    "GeoJSON of lines": (
        b'{"type":"Feature","properties":{},"geometry":{"type":"LineString","coordinates":[[-74,40.7],[-74,40.8]]}}',
        NothingInBox,
        "no row",
    ),
    "XML, not GPX": (b"<?xml version='1.0'?><svg/>", FileError, "GPX"),
    "KML cut off": (b"<kml><Document>", FileError, "cut off"),
    "GPX cut off": (GPX[:-8], FileError, "cut off"),
    "GPX without points": (b"<gpx></gpx>", NothingInBox, "no rows"),
    "a billion laughs": (LAUGHS, FileError, "entities"),
    "an outside entity": (OUTSIDE, FileError, "entities"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_broken_file_is_refused_with_one_sentence(case: str) -> None:
    content, error, word = REFUSED[case]
    with pytest.raises(error) as caught:
        read_counts(content, box=BOX, side=4)
    message = caught.value.message
    assert type(caught.value) is error and caught.value.exit_code == 2
    assert word in message and message.isprintable() and len(message) < 400 and message.endswith(".")
    assert caught.value.__cause__ is None and (caught.value.__suppress_context__ or caught.value.__context__ is None)


# name: (content, rows inside the box, all rows)
READ: dict[str, tuple[bytes, int, int]] = {
    "one row": (HEAD + ROW, 1, 1),
    "no end of the last line": (HEAD + ROW[:-1], 1, 1),
    "empty lines": (b"\n\n" + HEAD + b"\n" + ROW + b"\r\n\r\n" + ROW, 2, 2),
    "texts among numbers": (HEAD + b"here,there\n-,-\n--74,40.75\n-74.0.0,40.75\n0x10,1\n" + ROW, 1, 6),
    "numbers that are none": (HEAD + b"nan,40.75\n-74,inf\nInfinity,-inf\nNULL,\n,\n" + ROW, 1, 6),
    "huge numbers": (HEAD + b"1e999,40.75\n" + b"9" * 5000 + b",40.75\n-74e-999999999999,1\n" + ROW, 1, 4),
    "short rows": (HEAD + b"-74\n\n" + ROW + b"-74", 1, 3),
    "long rows": (HEAD + b"-74,40.75,1,2,3,4\n" + ROW, 2, 2),
    "a comma at the end": (HEAD + b"-74,40.75,\n", 1, 1),
    "spaces around": (b" lon , lat \n -74 ,\t40.75\t\n", 1, 1),
    "NUL bytes": (HEAD + b"-7\x004,40.75\n\x00\n" + ROW, 1, 3),
    "Latin letters of one byte": ("Straße,lon,lat\nÜ,-74,40.75\n".encode("latin-1"), 1, 1),
    "broken UTF-8 in a row": (b"name,lon,lat\n\xff\xfe\xc3,-74,40.75\n", 1, 1),
    "emoji": ("🛴,lon,lat\n🛵,-74,40.75\n".encode(), 1, 1),
    "line ends in quotes": (b'note,lon,lat\n"a\nb\r\n""c"", d",-74,40.75\n' + b"x,-74,40.75\n", 2, 2),
    "line end in the header's quotes": (b'"a\nnote",lon,lat\nx,-74,40.75\n', 1, 1),
    "quotes in the middle": (b'lon,lat,note\n-74,40.75,5" pipe\n-74,40.75,b\n', 2, 2),
    "a quote never closed": (b'lon,lat,note\n-74,40.75,"a\n-74,40.75,b\n', 2, 2),
    "a quote never closed, far from the end": (b'lon,lat,note\n-74,40.75,"a\n' + b"-74,40.75,b\n" * 9000, 9001, 9001),
    "text behind a quote": (b'lon,lat\n"-74"x,40.75\n"-74" ,40.75\n', 1, 2),
    "decimal commas": (b'lon;lat\n-74,0;40,75\n"-74,0";40.75\n', 2, 2),
    "thousands": (b'lon,lat\n"-74,000.5",40.75\n' + ROW, 1, 2),
    "hostile names": (b'"=cmd|\' /C calc\'!A0","\x1b[31m","<script>","../../etc",lon,lat\n1,2,3,4,-74,40.75\n', 1, 1),
    "twenty thousand columns": (b"a," * 20_000 + b"lon,lat\n" + b"," * 20_000 + ROW, 1, 1),
    "sep line": (b"sep=;\nlon;lat\n-74;40.75\n", 1, 1),
    "texts in Parquet": (parquet({"lon": ["-74", " -74,0 ", "x", None], "lat": [40.75, 40.75, 40.75, 1.0]}), 2, 4),
    "gaps in Parquet": (parquet({"lon": [-74.0, None], "lat": [40.75, 40.75]}), 1, 2),
    "whole numbers in Parquet": (parquet({"lon": [-74, 0], "lat": pa.array([40.75, 1], pa.float32())}), 1, 2),
    "nothing but gaps in Parquet": (parquet({"lon": pa.array([None, None]), "lat": [40.75, 1.0]}), 0, 2),
    "a name used twice elsewhere": (b"a,a,lon,lat\n1,1,-74,40.75\n", 1, 1),
    "features of many kinds": (
        b"\n".join(
            [
                json.dumps(POINT).encode(),
                b'{"type":"Feature","geometry":null,"properties":null}',
                b'{"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[]}}',
                b'{"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":["a",NaN]}}',
                b'{"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[1e999,-Infinity]}}',
                b'{"type":"Feature","properties":{},"geometry":{"type":"MultiPoint","coordinates":[[-74,40.75],[0,0]]}}',
                b'{"type":"Feature","properties":{},"geometry":"nowhere"}',
            ]
        ),
        2,
        8,
    ),
    "points without numbers in GPX": (b'<gpx><wpt lat="40.75" lon="-74"/><wpt lat="x"/><wpt/></gpx>', 1, 3),
}


@pytest.mark.parametrize("case", READ)
def test_a_broken_row_is_ignored_and_spoils_no_other(case: str) -> None:
    content, inside, rows = READ[case]
    counts = read_counts(content, box=BOX, side=4, strict=True)
    report = counts.report
    assert (counts.exact_total, report.exact_rows) == (inside, rows)
    assert read_counts(content, box=BOX, side=4, relation="replace", strict=True).public_rows == rows


@pytest.mark.parametrize("case", READ)
def test_the_same_rows_are_broken_in_every_compression(case: str) -> None:
    content, inside, rows = READ[case]
    if not content.startswith(b"PAR1"):
        report = read_counts(gzip.compress(content), box=BOX, side=4, strict=True).report
        assert (report.exact_inside, report.exact_rows) == (inside, rows)


def test_a_row_next_to_a_broken_row_counts_as_before() -> None:
    """What adding one record may change is the claim of the whole product: one cell, by one."""
    before = read_counts(HEAD + ROW * 3, box=BOX, side=4).to_numpy()
    for broken in (b'"\n', b'"x,"y\n', b",,,,\n", b"\x00\n", b"-74\n", b'5" pipe,3\n', b"\xff\xff,1\n"):
        after = read_counts(HEAD + ROW + broken + ROW * 2, box=BOX, side=4).to_numpy()
        assert (after == before).all(), broken


PLACES: dict[str, tuple[Any, str]] = {
    "missing file": ("{tmp}/none.csv", "Check the spelling"),
    "missing folder": ("{tmp}/none/", "Check the spelling"),
    "empty folder": ("{tmp}/empty", "no file of a known kind"),
    "glob without a file": ("{tmp}/*.parquet", "no file matches"),
    "a device": ("/dev/null", "ordinary file"),
    "a link to nothing": ("{tmp}/link.csv", "link"),
    "a very long name": ("x" * 5000, "Check the spelling"),
    "a NUL in the name": ("a\x00b", "NUL"),
    "no name": ("  ", "empty"),
    "no files": ([], "at least one"),
    "an unknown protocol": ("gopher://somewhere/a.csv", "protocol"),
    "a closed port": ("http://user:secret@127.0.0.1:9/a.csv?token=secret", "not reachable"),
    "a missing file address": ("file:///nowhere/a.csv", "not found"),
    "None": (None, "path"),
    "a number": (7, "path"),
    "a dictionary": ({"lon": [1]}, "path"),
    "a flat array": ([1.0, 2.0], "(n, 2)"),
    "pairs of unequal length": ([[1.0, 2.0], [1.0]], "(n, 2)"),
}


@pytest.mark.parametrize("case", PLACES)
def test_a_source_that_is_none_is_answered_with_what_to_give(case: str, tmp_path: Path) -> None:
    source, word = PLACES[case]
    (tmp_path / "empty").mkdir()
    (tmp_path / "link.csv").symlink_to(tmp_path / "gone.csv")
    if isinstance(source, str):
        source = source.replace("{tmp}", str(tmp_path))
    with pytest.raises(InputError) as caught:
        read_counts(source, box=BOX, side=4)
    message = caught.value.message
    assert word in message and len(message) < 400 and "secret" not in message and message.isprintable()


def test_a_file_that_may_not_be_read_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.csv").write_bytes(HEAD + ROW)

    def refuse(*_: Any, **__: Any) -> Any:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("dpviz.ingest.sources.open", refuse, raising=False)
    with pytest.raises(FileError, match="permissions"):
        read_counts(tmp_path / "a.csv", box=BOX, side=4)


def test_one_broken_file_in_a_folder_is_named(tmp_path: Path) -> None:
    pd.DataFrame({"lon": [-74.0], "lat": [40.75]}).to_parquet(tmp_path / "a.parquet")
    (tmp_path / "b.parquet").write_bytes(GOOD[:-30])
    with pytest.raises(FileError, match=r"b\.parquet"):
        read_counts(tmp_path, box=BOX, side=4)


def test_a_folder_of_several_schemas_is_read_where_the_columns_are_the_same(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(b"id,lon,lat\n1,-74,40.75\n")
    pd.DataFrame({"lat": ["40.75"], "lon": [-74.0], "more": [1]}).to_parquet(tmp_path / "b.parquet")
    assert read_counts(tmp_path, box=BOX, side=4).exact_total == 2
    (tmp_path / "c.csv").write_bytes(b"id,breite\n1,2\n")
    with pytest.raises(InputError, match=r"c\.csv"):
        read_counts(tmp_path, box=BOX, side=4)
    with pytest.raises(FileError, match=r"c\.csv has no column 'lon'"):
        read_counts(tmp_path, box=BOX, side=4, lon="lon", lat="lat")


def test_no_message_repeats_a_row() -> None:
    secret = b"12345.678,98765.432"
    for content in (HEAD + secret, gzip.compress(HEAD + secret)[:-4], b"a,b\n" + secret, HEAD + b'"' + secret):
        with pytest.raises(DpvizError) as caught:
            read_counts(content, box=BOX, side=4)
        assert "12345" not in caught.value.message and "98765" not in caught.value.message
