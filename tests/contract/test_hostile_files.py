"""Files that readers stumble over: one true sentence for each, or the right counts; and a fuzz of every kind."""

from __future__ import annotations

import io
import json
import lzma
import os
import random
import struct
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpviz.errors import DpvizError, FileError, InputError, NothingInBox
from dpviz.ingest import read_counts

BOX = (-74.05, 40.70, -73.90, 40.80)
LON, LAT = [-74.0 + i / 2000 for i in range(60)], [40.72 + i / 3000 for i in range(60)]
CSV = ("lon,lat\n" + "".join(f"{x},{y}\n" for x, y in zip(LON, LAT, strict=True))).encode()


def parquet(columns: dict[str, Any], **metadata: str) -> bytes:
    out = io.BytesIO()
    table = pa.table(columns)
    pq.write_table(table.replace_schema_metadata(metadata) if metadata else table, out)
    return out.getvalue()


def lz4(content: bytes) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "lz4") as stream:
        stream.write(content)
    return bytes(sink.getvalue())


def read(source: Any, **stated: Any) -> Any:
    return read_counts(source, box=BOX, side=16, **stated)


PLAIN = read(CSV).to_numpy()

# name: (content, a word of the sentence)
REFUSED: dict[str, tuple[bytes, str]] = {
    "encrypted Parquet": (b"PARE" + bytes(64) + b"PARE", "encrypted"),
    "compress (.Z)": (b"\x1f\x9d\x90" + bytes(64), "gzip -d"),
    "old LZ4": (b"\x02\x21\x4c\x18" + bytes(64), "lz4"),
    "Snappy": (b"\xff\x06\x00\x00sNaPpY" + bytes(64), "Snappy"),
    "UTF-32": (CSV.decode().encode("utf-32"), "UTF-32"),
    "UTF-32, the other way": (b"\x00\x00\xfe\xff" + CSV.decode().encode("utf-32-be"), "UTF-32"),
    "LZ4 cut off": (lz4(CSV)[:-20], "cut off"),
    "random bytes": (random.Random(1).randbytes(5000), "binary"),
    "a NUL in the first line": (b"lon,l\x00at\n-74,40.75\n", "binary"),
    "a field of 200,000 letters": (b'"' + b"x" * 200_000 + b'",lat\n1,2\n', "64 kB"),
    "degrees, minutes and seconds": (b"lon,lat\n" + "74°00'21\"W,40°42'46\"N\n".encode() * 9, "minutes"),
    "the same with blanks": (b"lon;lat\n" + b"W 74 00 21;N 40 42 46\n" * 9, "minutes"),
    "random bytes whose first line has no NUL": (random.Random(0).randbytes(3000), "binary"),
    "points as WKT": (b"id;geom\n" + b"1;POINT (-74.0 40.75)\n" * 9, "ST_X"),
    "points as EWKB in hexadecimal digits": (
        b"id,geom\n" + b"1,0101000020E61000000000000000805BC00000000000604440\n" * 9,
        "ST_X",
    ),
    "the same in one column": (b"geom\n" + b"0101000020E61000000000000000805BC00000000000604440\n" * 9, "ST_X"),
    "the same cut off": (b"id,geom\n" + b"1,0101000020E61000000000000000\n" * 9, "ST_X"),
    "truncated WKB": (parquet({"g": pa.array([b"\x01\x01\x00\x00\x00abc"] * 9, pa.binary())}), "whole points"),
}


def test_texts_that_hold_no_points_are_not_taken_for_points() -> None:
    with pytest.raises(InputError, match="the columns are 'id', 'name'"):
        read(b"id,name\n" + b"0101001,a point of interest\n" * 9)


def test_rows_whose_weights_cannot_be_used_are_not_blamed_on_coordinates_alone() -> None:
    for weight in (b"-1", b"nan", b""):
        with pytest.raises(NothingInBox, match="a weight of 0 or more"):
            read(b"lon,lat,w\n" + (b"-74.0,40.75," + weight + b"\n") * 9, weight="w", weight_unit="record")


@pytest.mark.parametrize("name", REFUSED)
def test_each_is_refused_with_one_true_sentence(name: str) -> None:
    content, word = REFUSED[name]
    with pytest.raises(InputError, match=word) as caught:
        read(content)
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 600


def test_lz4_is_read() -> None:
    assert (read(lz4(CSV)).to_numpy() == PLAIN).all()


def point(x: float, y: float, srid: int | None = None) -> bytes:
    if srid is None:
        return struct.pack("<BIdd", 1, 1, x, y)
    return struct.pack("<BIIdd", 1, 1 | 0x20000000, srid, x, y)


def geometry(*, srid: int | None = None, crs: Any = None, points: Any = None) -> bytes:
    stored = [point(x, y, srid) for x, y in points or zip(LON, LAT, strict=True)]
    facts: dict[str, Any] = {"encoding": "WKB"} | ({} if crs is None else {"crs": crs})
    geo = json.dumps({"primary_column": "g", "columns": {"g": facts}})
    return parquet({"g": pa.array(stored, pa.binary())}, geo=geo)


def in_feet() -> list[tuple[float, float]]:
    from pyproj import Transformer

    there = Transformer.from_crs("EPSG:4326", "EPSG:2263", always_xy=True)
    return [there.transform(x, y) for x, y in zip(LON, LAT, strict=True)]


def named(code: int) -> dict[str, Any]:
    return {"type": "ProjectedCRS", "id": {"authority": "EPSG", "code": code}}


def test_degrees_of_other_continents_are_degrees() -> None:
    for code in (4326, 4269, 4258):  # WGS 84, NAD83, ETRS89
        crs = {"type": "GeographicCRS", "id": {"authority": "EPSG", "code": code}}
        assert (read(geometry(crs=crs)).to_numpy() == PLAIN).all()
        assert (read(geometry(srid=code)).to_numpy() == PLAIN).all()
    assert (read(geometry(crs={"type": "GeographicCRS", "name": "somebody's"})).to_numpy() == PLAIN).all()


def test_projected_coordinates_are_converted_and_never_misread() -> None:
    from pyproj import CRS

    feet = in_feet()
    without_code = CRS.from_epsg(2263).to_json_dict()
    del without_code["id"]
    geojson = {
        "type": "FeatureCollection",
        "crs": {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::2263"}},
        "features": [
            {"type": "Feature", "properties": {}, "geometry": {"type": "Point", "coordinates": list(pair)}}
            for pair in feet
        ],
    }
    sources = {
        "by its code": geometry(crs=named(2263), points=feet),
        "without a code": geometry(crs=without_code, points=feet),
        "EWKB": geometry(srid=2263, points=feet),
        "GeoJSON": json.dumps(geojson).encode(),
    }
    for name, content in sources.items():
        assert np.abs(read(content).to_numpy() - PLAIN).sum() <= 4, name  # rounding at the edges of cells
    text = ("x,y\n" + "".join(f"{x},{y}\n" for x, y in feet)).encode()
    with pytest.raises(NothingInBox, match="map projection"):
        read(text)
    assert np.abs(read(text, crs="EPSG:2263").to_numpy() - PLAIN).sum() <= 4
    for wrong in ("EPSG:0", "no such system", "", 7):
        with pytest.raises(InputError, match="crs="):
            read(text, crs=wrong)
    assert read(geometry(crs=named(2263)), crs="EPSG:4326").exact_total == 60  # the user knows better than the file


@pytest.mark.parametrize("kind", ["loop", "pipe", "device", "folder of pipes"])
def test_what_is_no_file_is_refused_and_never_waited_for(kind: str, tmp_path: Path) -> None:
    given = tmp_path / "t.csv"
    if kind == "loop":
        given.symlink_to(given)
        word = "to itself"
    elif kind == "device":
        given, word = Path("/dev/null"), "not an ordinary file"
    else:
        os.mkfifo(given)
        given, word = (given, "not an ordinary file") if kind == "pipe" else (tmp_path, "no file of a known kind")
    with pytest.raises(FileError, match=word):
        read(given)


def test_a_link_to_itself_in_a_folder_is_said(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(CSV)
    (tmp_path / "b.csv").symlink_to(tmp_path / "b.csv")
    with pytest.raises(FileError, match="leads to itself"):
        read(tmp_path)


GPX = b'<?xml version="1.0"?><gpx>' + b'<wpt lat="40.75" lon="-74.0"/>' * 20 + b"</gpx>"
POINTS = [{"type": "Feature", "properties": {"a": 1}, "geometry": {"type": "Point", "coordinates": [-74.0, 40.75]}}]
BASES: dict[str, bytes] = {
    "csv": CSV,
    "quoted": CSV.replace(b"lon,lat\n", b'"lon","lat","what"\n').replace(b"\n-", b',"a ""b"" c"\n-'),
    "semicolons": b"sep=;\n" + CSV.replace(b",", b";").replace(b".", b","),
    "no header": CSV[8:],
    "gzip": zlib.compress(CSV, wbits=31),
    "xz": lzma.compress(CSV),
    "lz4": lz4(CSV),
    "parquet": parquet({"lon": LON, "lat": LAT}),
    "text parquet": parquet({"lon": [str(x) for x in LON], "lat": [str(y) for y in LAT]}),
    "wkb": geometry(),
    "ewkb": geometry(srid=4326),
    "geojson": json.dumps({"type": "FeatureCollection", "features": POINTS * 20}).encode(),
    "json lines": b"\n".join(json.dumps(POINTS[0]).encode() for _ in range(20)),
    "gpx": GPX,
}
SPICES = [
    b"\x00",
    b"\xff\xfe",
    b'"',
    b"\r",
    b"\n\n",
    b"{",
    b"]",
    b"<",
    b"1e999",
    b"nan",
    b",,,,",
    b"\x1a",
    b"\xe2\x80",
    b"-",
]


def spoiled(content: bytes, chance: random.Random) -> bytes:
    """One to three accidents of a file: cut, flipped, doubled, moved, spiced or emptied pieces."""
    for _ in range(chance.randint(1, 3)):
        if len(content) < 4:
            return content
        a, b = sorted(chance.sample(range(len(content)), 2))
        accident = chance.randrange(7)
        if accident == 0:
            content = content[:a]
        elif accident == 1:
            content = content[:a] + bytes([content[a] ^ (1 << chance.randrange(8))]) + content[a + 1 :]
        elif accident == 2:
            content = content[:b] + content[a:b] + content[b:]
        elif accident == 3:
            content = content[b:] + content[a:b] + content[:a]
        elif accident == 4:
            content = content[:a] + chance.choice(SPICES) + content[a:]
        elif accident == 5:
            content = content[:a] + bytes(min(b - a, 40)) + content[b:]
        else:
            content = content[:a] + chance.randbytes(min(b - a, 40)) + content[a + min(b - a, 40) :]
    return content


@pytest.mark.parametrize("name", BASES)
def test_thirty_accidents_of_a_file_end_in_counts_or_in_one_sentence(name: str) -> None:
    chance = random.Random(f"accidents of {name}")
    for number in range(30):
        content = spoiled(BASES[name], chance)
        try:
            counts = read(content, strict=True)
        except DpvizError as error:
            assert error.exit_code == 2 and "\n" not in error.message and len(error.message) < 1500, number
            assert "unexpected" not in error.message
        else:
            assert 0 <= counts.exact_total <= counts.report.exact_rows * 2**20
