"""Formats that people have: the same points from every one of them, as files and as uploads."""

from __future__ import annotations

import sqlite3
import struct
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.feather as feather
import pytest

from dpviz.errors import AmbiguousColumns, FileError, InputError
from dpviz.ingest import read_counts, read_points

BOX = (-74.05, 40.70, -73.90, 40.80)
LON = [-74.0 + i / 2000 for i in range(60)]
LAT = [40.72 + i / 3000 for i in range(60)]
WHO = [f"r{i % 7}" for i in range(60)]
DRIVERS = {"gpkg": "GPKG", "shp": "ESRI Shapefile", "kml": "KML", "fgb": "FlatGeobuf"}


def read(source: Any, **stated: Any) -> Any:
    return read_counts(source, box=BOX, side=16, **stated)


PLAIN = read(np.column_stack([LON, LAT])).to_numpy()


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same 60 points in every format; written by the libraries that people write them with."""
    from pyogrio import write_arrow

    place = tmp_path_factory.mktemp("formats")
    points = [struct.pack("<BIdd", 1, 1, x, y) for x, y in zip(LON, LAT, strict=True)]
    table = pa.table({"who": WHO, "geometry": pa.array(points, pa.binary())})
    for ending, driver in DRIVERS.items():
        named = {"geometry_name": "geometry", "geometry_type": "Point", "crs": "EPSG:4326"}
        write_arrow(table, place / f"t.{ending}", driver=driver, **named)
    with zipfile.ZipFile(place / "t.kmz", "w") as archive:
        archive.write(place / "t.kml", "doc.kml")
    plain = pa.table({"lon": LON, "lat": LAT, "who": WHO})
    write_arrow(plain, place / "t.xlsx", driver="XLSX", geometry_name=None, geometry_type=None)
    with zipfile.ZipFile(place / "shp.zip", "w") as archive:
        for part in sorted(place.glob("t.*")):
            if part.suffix in (".shp", ".shx", ".dbf", ".prj"):
                archive.write(part, f"inner/{part.name}")
    feather.write_feather(plain, place / "t.arrow", compression="zstd")
    feather.write_feather(table.rename_columns(["who", "geometry"]), place / "geo.feather")
    with sqlite3.connect(place / "t.sqlite") as connection:
        connection.execute("CREATE TABLE trips (lon REAL, lat REAL, who TEXT)")
        connection.executemany("INSERT INTO trips VALUES (?, ?, ?)", zip(LON, LAT, WHO, strict=True))
        connection.execute("CREATE TABLE notes (text TEXT)")
    connection.close()
    return place


NAMES = ["t.gpkg", "t.shp", "shp.zip", "t.kml", "t.kmz", "t.fgb", "t.xlsx", "t.arrow", "geo.feather"]


@pytest.mark.parametrize("name", NAMES)
def test_every_format_gives_the_same_counts_by_path_and_as_an_upload(name: str, files: Path) -> None:
    assert (read(files / name).to_numpy() == PLAIN).all()
    if name != "t.shp":  # a shapefile alone is a part of one
        assert (read((files / name).read_bytes()).to_numpy() == PLAIN).all()


@pytest.mark.parametrize("name", ["t.gpkg", "t.xlsx", "t.arrow", "t.kml"])
def test_their_columns_tell_persons_apart(name: str, files: Path) -> None:
    assert read(files / name, person="who", cap=2).exact_total == 14


def test_a_database_is_asked_which_table_and_takes_a_query(files: Path) -> None:
    base = files / "t.sqlite"
    with pytest.raises(FileError, match="'notes', 'trips'"):
        read(base)
    assert (read(base, layer="trips").to_numpy() == PLAIN).all()
    assert (read(base.read_bytes(), layer="trips").to_numpy() == PLAIN).all()
    half = read(base, query="SELECT lon AS lng, lat FROM trips WHERE who < 'r3';")
    assert 0 < half.exact_total < 60
    before = base.read_bytes()
    for query in ("DROP TABLE trips", "DELETE FROM trips", "SELECT nothing", "SELECT 1; DROP TABLE trips", ""):
        with pytest.raises(InputError):
            read(base, query=query)
    assert base.read_bytes() == before
    with pytest.raises(InputError, match="not both"):
        read(base, query="SELECT 1", layer="trips")


def test_layers_are_named_when_there_are_several(files: Path, tmp_path: Path) -> None:
    from pyogrio import write_arrow

    point = pa.array([struct.pack("<BIdd", 1, 1, -74.0, 40.75)], pa.binary())
    for layer in ("one", "two"):
        table = pa.table({"geometry": point})
        facts = {"geometry_name": "geometry", "geometry_type": "Point", "crs": "EPSG:4326"}
        write_arrow(table, tmp_path / "b.gpkg", layer=layer, append=layer == "two", driver="GPKG", **facts)
    with pytest.raises(FileError, match="'one', 'two'"):
        read(tmp_path / "b.gpkg")
    assert read(tmp_path / "b.gpkg", layer="two").exact_total == 1
    with pytest.raises(FileError, match="no layer 'three'"):
        read(tmp_path / "b.gpkg", layer="three")


def test_projected_files_are_converted(tmp_path: Path) -> None:
    from pyogrio import write_arrow
    from pyproj import Transformer

    there = Transformer.from_crs("EPSG:4326", "EPSG:2263", always_xy=True)
    points = [struct.pack("<BIdd", 1, 1, *there.transform(x, y)) for x, y in zip(LON, LAT, strict=True)]
    table = pa.table({"geometry": pa.array(points, pa.binary())})
    for ending in ("gpkg", "shp"):
        facts = {"geometry_name": "geometry", "geometry_type": "Point", "crs": "EPSG:2263"}
        write_arrow(table, tmp_path / f"feet.{ending}", driver=DRIVERS[ending], **facts)
        assert np.abs(read(tmp_path / f"feet.{ending}").to_numpy() - PLAIN).sum() <= 4
    found = read_points(tmp_path / "feet.gpkg", box=BOX)
    assert np.allclose(found.frame.to_raw(found.exact_local())[:, 0], LON, atol=1e-6)


def test_the_dask_engine_reads_them_too(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a worker does, without a cluster: the piece is opened again from its place."""
    from dpviz.ingest.tables import open_place, open_tables

    for name, layer in (("t.gpkg", None), ("t.sqlite", "trips")):
        (table,) = open_tables(files / name, layer=layer)
        assert table.place is not None and table.parts(1 << 20)
        assert open_place(table.place).names == table.names


def test_broken_ones_end_in_one_sentence(files: Path, tmp_path: Path) -> None:
    for name in (*NAMES, "t.sqlite"):
        content = (files / name).read_bytes()
        for cut in (20, len(content) // 2, len(content) - 30):
            broken = tmp_path / f"broken-{cut}-{name}"
            broken.write_bytes(content[:cut])
            try:
                assert read(broken, strict=True).exact_total <= 60
            except (FileError, AmbiguousColumns, InputError) as error:
                assert "\n" not in error.message and len(error.message) < 900, name
    with pytest.raises(FileError, match="without a workbook"):
        with zipfile.ZipFile(tmp_path / "other.zip", "w") as archive:
            archive.writestr("readme.txt", "hello")
        read(tmp_path / "other.zip")
    with pytest.raises(FileError, match="DuckDB"):
        read(b"12345678DUCK" + bytes(100))
