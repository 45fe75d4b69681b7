"""What kind of file this is, decided by its first bytes; the ending of its name only breaks ties."""

from __future__ import annotations

import re
import struct
import zipfile
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import BinaryIO, Final

from dpviz.basemap.extracts import root_of
from dpviz.errors import FileError
from dpviz.extensions import Extension, extensions

ZIP = b"PK\x03\x04"


@dataclass(frozen=True)
class Kind:
    """A kind of file."""

    name: str
    shown: str  # how messages call it; empty for the second of a pair
    endings: tuple[str, ...] = ()  # of names in a folder; GDAL wants to see the first one
    magic: bytes | None = None  # how a file begins, where that alone decides


KINDS = (
    Kind("csv", "CSV or TSV (also .gz, .zst, .bz2, .xz, .lz4)", (".csv", ".tsv", ".tab", ".psv")),
    Kind("parquet", "Parquet, GeoParquet", (".parquet", ".pq", ".parq", ".geoparquet"), b"PAR1"),
    Kind("geojson", "GeoJSON points", (".geojson", ".json", ".geojsonl", ".geojsons", ".jsonl", ".ndjson")),
    Kind("gpx", "GPX", (".gpx",)),
    Kind("arrow", "Arrow", (".arrow", ".feather"), b"ARROW1"),
    Kind("sqlite", "SQLite", (".sqlite", ".db")),
    Kind("xlsx", "Excel", (".xlsx",)),
    Kind("gpkg", "GeoPackage", (".gpkg",)),
    Kind("shapefile", "Shapefile", (".shp",), b"\x00\x00\x27\x0a"),
    Kind("kml", "KML", (".kml",)),
    Kind("kmz", "", (".kmz",)),
    Kind("fgb", "FlatGeobuf", (".fgb",), b"fgb\x03"),
    Kind("gtfs", "GTFS (its stops)"),
    Kind("mobility", "GBFS, MDS"),
    Kind("duckdb", "DuckDB"),
)
SUPPORTED = ", ".join(kind.shown for kind in KINDS if kind.shown)
DATA_ENDINGS = tuple(ending for kind in KINDS for ending in kind.endings)
TRIPS: Final = "trips"
MOBILITY_LISTS: Final = (TRIPS, "status_changes", "events", "vehicles_status", "stations", "bikes", "vehicles", "stops")
PACKED_ENDINGS = (".gz", ".gzip", ".zst", ".zstd", ".bz2", ".xz", ".lz4")


def foreign_readers() -> dict[str, Extension]:
    """Readers of other packages, by the ending of a file's name: functions from a stream to Arrow record batches."""
    return extensions("dpviz.formats", tuple(ending[1:] for ending in (*DATA_ENDINGS, *PACKED_ENDINGS)))


def _is_known(ending: str) -> bool:
    return ending in DATA_ENDINGS or ending[1:] in foreign_readers()


_PACKED = {
    b"\x1f\x8b": "gzip",
    b"\x28\xb5\x2f\xfd": "zstd",
    b"BZh": "bzip2",
    b"\xfd7zXZ\x00": "xz",
    b"\x04\x22\x4d\x18": "lz4",
}
_FOREIGN = {
    b"PARE": "an encrypted Parquet file; decrypt it first",
    b"\x1f\x9d": "packed by the old program compress (.Z); unpack it (gzip -d) or pack it as .gz",
    b"\x02\x21\x4c\x18": "packed by an old LZ4; unpack it (lz4 -d) or pack it as .gz",
    b"\xff\x06\x00\x00sNaPpY": "packed by Snappy; unpack it or pack it as .gz",
    b"\xff\xfe\x00\x00": "written in UTF-32; save it as UTF-8",
    b"\x00\x00\xfe\xff": "written in UTF-32; save it as UTF-8",
    b"%PDF": "a PDF document",
    b"PK\x05\x06": "an empty zip archive",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"GIF8": "a picture",
    b"\xd0\xcf\x11\xe0": "an old Office document; save the sheet as CSV",
    b"FEA1": "a Feather file of the first version; save it as Arrow or Parquet",
    b"Obj\x01": "an Avro file; save it as Parquet",
    b"ORC": "an ORC file; save it as Parquet",
    b"\x89HDF": "an HDF5 file; save it as CSV or Parquet",
    b"7z\xbc\xaf": "a 7z archive; unpack it",
    b"Rar!": "a RAR archive; unpack it",
}


def packing(head: bytes) -> str | None:
    """The name of the compression of a file that starts like this, or None."""
    return next((name for magic, name in _PACKED.items() if head.startswith(magic)), None)


def is_packed_name(name: str) -> bool:
    """Whether a file says by its name that it is compressed."""
    return PurePosixPath(name.lower()).suffix in PACKED_ENDINGS


def may_be_text(name: str) -> bool:
    """Whether a file's name does not contradict that it holds separated text."""
    ending = _ending(name)
    return ending in KINDS[0].endings or not _is_known(ending)


def is_data_name(name: str) -> bool:
    """Whether a file in a folder looks like records by its name."""
    return not name.startswith((".", "_")) and _is_known(_ending(name))


def _ending(name: str) -> str:
    """The ending of a file's name, behind that of a compression."""
    path = PurePosixPath(name.lower())
    return PurePosixPath(path.stem).suffix if path.suffix in PACKED_ENDINGS else path.suffix


def kind_of_archive(stream: BinaryIO, label: str) -> str:
    """What a zip archive is: a workbook, a zipped shapefile, KMZ; refused otherwise."""
    try:
        with zipfile.ZipFile(stream) as archive:
            names = [name.lower() for name in archive.namelist()]
    except (zipfile.BadZipFile, ValueError, RuntimeError, struct.error):
        raise FileError(f"{label} is a zip archive that is damaged or cut off. Copy it again.", file=label) from None
    for kind, found in (
        ("xlsx", "xl/workbook.xml" in names),
        ("shapefile", any(name.endswith(".shp") for name in names)),
        ("kmz", any(name.endswith(".kml") for name in names)),
        ("gtfs", "stops.txt" in names),
    ):
        if found:
            return kind
    raise FileError(
        f"{label} is a zip archive without a workbook, a shapefile or KML in it; unpack it. dpviz reads {SUPPORTED}.",
        file=label,
    )


def _is_noise(line: bytes) -> bool:
    """Whether control characters, in Latin-1 where it is no UTF-8, are a tenth of a line; one NUL is enough."""
    controls = sum(byte < 32 and byte not in b"\t\f\x0b\x1a\x1c\x1d\x1e\x1f" for byte in line)
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        controls += sum(0x80 <= byte < 0xA0 for byte in line)
    return controls * 10 > len(line) or b"\x00" in line


def _is_feed(head: bytes) -> bool:
    """Whether the beginning of a JSON document is that of a feed of shared mobility and of no GeoJSON."""
    start = head[:4096].lstrip()
    named = any(f'"{name}"'.encode() in start for name in MOBILITY_LISTS)
    marks = [start.find(mark) for mark in (b'"data"', b'"version"', b'"last_updated"')]
    first = min((at for at in marks if at >= 0), default=-1)
    typed = start.find(b'"type"')  # the first word of GeoJSON; inside a feed it comes later
    return start.startswith(b"{") and named and first >= 0 and (typed < 0 or first < typed)


def kind_of(head: bytes, label: str) -> str:
    """The name of a kind in `KINDS`, from the first bytes of the (unpacked) content.

    For a format of another package it is the ending of the file's name, with the dot.
    """
    for kind in KINDS:
        if kind.magic is not None and head.startswith(kind.magic):
            return kind.name
    if head.startswith(b"SQLite format 3"):
        return "gpkg" if head[68:72] in (b"GPKG", b"GP10", b"GP11") else "sqlite"
    if head[8:12] == b"DUCK":
        return "duckdb"
    if _ending(label)[1:] in foreign_readers():
        return _ending(label)
    for magic, what in _FOREIGN.items():
        if head.startswith(magic):
            raise FileError(f"{label} is {what}. dpviz reads {SUPPORTED}.", file=label)
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise FileError(f"{label} is written in UTF-16. Save it as UTF-8.", file=label)
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if not text:
        raise FileError(f"{label} is empty. Give a file with records: {SUPPORTED}.", file=label)
    if text.startswith((b"{", b"[")):
        return "mobility" if _is_feed(text) else "geojson"
    if text.startswith(b"<"):
        low = text[:4096].lower()
        if b"<html" in low or b"<!doctype html" in low:
            raise FileError(
                f"{label} is a web page, not a file of records (often the page of a failed download). "
                f"dpviz reads {SUPPORTED}.",
                file=label,
            )
        return "kml" if root_of(text).rpartition(b":")[2] == b"kml" else "gpx"
    first = re.split(rb"[\r\n]", text[:4096], maxsplit=1)[0]  # of text: names of columns; what follows are records
    if _is_noise(first):
        raise FileError(f"{label} is binary and of no known kind. dpviz reads {SUPPORTED}.", file=label)
    return "csv"
