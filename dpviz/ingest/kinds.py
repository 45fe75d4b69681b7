"""What kind of file this is, decided by its first bytes; the ending of its name only breaks ties."""

from __future__ import annotations

from pathlib import PurePosixPath

from dpviz.errors import FileError

SUPPORTED = "CSV or TSV (also .gz, .zst), Parquet, GeoParquet, GeoJSON points, GPX"
DATA_ENDINGS = (
    ".csv", ".tsv", ".tab", ".psv", ".parquet", ".pq", ".parq", ".geoparquet",
    ".geojson", ".json", ".geojsonl", ".geojsons", ".jsonl", ".ndjson", ".gpx",
)  # fmt: skip
PACKED_ENDINGS = (".gz", ".gzip", ".zst", ".zstd", ".bz2", ".xz")

_PACKED = {b"\x1f\x8b": "gzip", b"\x28\xb5\x2f\xfd": "zstd", b"BZh": "bzip2", b"\xfd7zXZ\x00": "xz"}
_FOREIGN = {
    b"%PDF": "a PDF document",
    b"PK\x03\x04": "a zip archive or an Excel workbook; unpack it, or save the sheet as CSV",
    b"PK\x05\x06": "an empty zip archive",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"GIF8": "a picture",
    b"\xd0\xcf\x11\xe0": "an old Office document; save the sheet as CSV",
    b"SQLite format 3": "an SQLite database (a GeoPackage is one too); export the points as CSV",
    b"ARROW1": "an Arrow file; save it as Parquet",
    b"Obj\x01": "an Avro file; save it as Parquet",
    b"ORC": "an ORC file; save it as Parquet",
    b"\x89HDF": "an HDF5 file; save it as CSV or Parquet",
    b"7z\xbc\xaf": "a 7z archive; unpack it",
    b"Rar!": "a RAR archive; unpack it",
    b"\x00\x00\x27\x0a": "a shapefile; save its points as GeoJSON",
}


def packing(head: bytes) -> str | None:
    """The name of the compression of a file that starts like this, or None."""
    return next((name for magic, name in _PACKED.items() if head.startswith(magic)), None)


def is_data_name(name: str) -> bool:
    """Whether a file in a folder looks like records by its name."""
    path = PurePosixPath(name.lower())
    if path.name.startswith((".", "_")):
        return False
    ending = path.suffix
    if ending in PACKED_ENDINGS:
        ending = PurePosixPath(path.stem).suffix
    return ending in DATA_ENDINGS


def kind_of(head: bytes, label: str) -> str:
    """`parquet`, `geojson`, `gpx` or `csv`, from the first bytes of the (unpacked) content."""
    if head.startswith(b"PAR1"):
        return "parquet"
    for magic, what in _FOREIGN.items():
        if head.startswith(magic):
            raise FileError(f"{label} is {what}. dpviz reads {SUPPORTED}.", file=label)
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise FileError(f"{label} is written in UTF-16. Save it as UTF-8.", file=label)
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if not text:
        raise FileError(f"{label} is empty. Give a file with records: {SUPPORTED}.", file=label)
    if text.startswith((b"{", b"[")):
        return "geojson"
    if text.startswith(b"<"):
        low = text[:4096].lower()
        if b"<html" in low or b"<!doctype html" in low:
            raise FileError(
                f"{label} is a web page, not a file of records (often the page of a failed download). "
                f"dpviz reads {SUPPORTED}.",
                file=label,
            )
        return "gpx"
    if b"\x00" in text[:4096].split(b"\n", 1)[0] or text[:4096].count(b"\x00") > len(text[:4096]) // 10:
        raise FileError(f"{label} is binary and of no known kind. dpviz reads {SUPPORTED}.", file=label)
    return "csv"
