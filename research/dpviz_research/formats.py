"""Every kind of file that is read: made, read and counted, with what became of its rows and the time that it took.

python -m dpviz_research.formats --out docs/evidence

The same made rides are written by the libraries that people write such files with; each file is a real one. Every row
but one in a hundred lies in the box, and every hundredth has no place, where a format can say so.
"""

from __future__ import annotations

import importlib
import json
import sqlite3
import struct
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
from numpy.typing import NDArray

from dpviz.ingest import read_counts
from dpviz_research.papers.records import read_options, write_record

BOX = (-74.05, 40.70, -73.90, 40.80)
ROWS = 100_000
_SEED = 16
Read = tuple[Any, dict[str, Any]]  # a source and how it is to be read
Maker = Callable[[pd.DataFrame, Path], Read]


def rides(rows: int) -> pd.DataFrame:
    """Made rides around three places of the box; one in a hundred begins outside of it."""
    draw = np.random.default_rng(_SEED)
    middle = np.array([[-73.985, 40.755], [-73.995, 40.725], [-73.955, 40.775]])[draw.integers(0, 3, rows)]
    place = np.clip(middle + draw.normal(0.0, 0.008, (rows, 2)), np.array(BOX[:2]) + 1e-4, np.array(BOX[2:]) - 1e-4)
    place[::100] = -73.5, 40.6
    rider = [f"r{number}" for number in draw.integers(0, rows // 5, rows)]
    return pd.DataFrame({"lon": place[:, 0].round(6), "lat": place[:, 1].round(6), "rider": rider})


def _points(table: pd.DataFrame, srid: int = 0) -> pa.Array:
    head = struct.pack("<BI", 1, 0x20000001) + struct.pack("<I", srid) if srid else struct.pack("<BI", 1, 1)
    pairs = zip(table["lon"], table["lat"], strict=True)
    return pa.array([head + struct.pack("<dd", x, y) for x, y in pairs], pa.binary())


def _turned(table: pd.DataFrame, system: str) -> pd.DataFrame:
    from pyproj import Transformer

    x, y = Transformer.from_crs("EPSG:4326", system, always_xy=True).transform(table["lon"], table["lat"])
    return table.assign(lon=x, lat=y)


def _csv(table: pd.DataFrame, folder: Path) -> Read:
    file = folder / "rides.csv"
    table.to_csv(file, index=False)
    return file, {}


def _csv_bare(table: pd.DataFrame, folder: Path) -> Read:
    file = folder / "bare.csv"
    table.to_csv(file, index=False, header=False)
    return file, {"header": False, "separator": ",", "decimal": ".", "lon": "column_1", "lat": "column_2"}


def _csv_as(name: str, change: Callable[[pd.DataFrame], pd.DataFrame], crs: str) -> Maker:
    def make(table: pd.DataFrame, folder: Path) -> Read:
        file = folder / f"{name}.csv"
        change(table).to_csv(file, index=False)
        return file, {"crs": crs}

    return make


def _csv_counted(table: pd.DataFrame, folder: Path) -> Read:
    file = folder / "counted.csv"
    near = table.assign(lon=table["lon"].round(3), lat=table["lat"].round(3))
    near.groupby(["lon", "lat"]).size().rename("trips").reset_index().to_csv(file, index=False)
    return file, {"weight": "trips", "weight_unit": "record"}


def _hexagons(table: pd.DataFrame, folder: Path) -> Read:
    import h3

    file = folder / "cells.csv"
    pairs = zip(table["lat"], table["lon"], strict=True)
    pd.DataFrame({"h3": [h3.latlng_to_cell(lat, lon, 9) for lat, lon in pairs]}).to_csv(file, index=False)
    return file, {}


def _parquet(table: pd.DataFrame, folder: Path) -> Read:
    file = folder / "rides.parquet"
    pq.write_table(pa.Table.from_pandas(table, preserve_index=False), file)
    return file, {}


def _geoparquet(system: dict[str, Any] | None) -> Maker:
    def make(table: pd.DataFrame, folder: Path) -> Read:
        file = folder / "geo.parquet"
        column = {"encoding": "WKB", "geometry_types": ["Point"]} | ({} if system is None else {"crs": system})
        facts = {"version": "1.1.0", "primary_column": "geometry", "columns": {"geometry": column}}
        made = pa.table({"rider": table["rider"], "geometry": _points(table)})
        pq.write_table(made.replace_schema_metadata({"geo": json.dumps(facts)}), file)
        return file, {}

    return make


def _ewkb(table: pd.DataFrame, folder: Path) -> Read:
    file = folder / "ewkb.parquet"
    made = pa.table({"rider": table["rider"], "geometry": _points(_turned(table, "EPSG:2263"), srid=2263)})
    pq.write_table(made, file)
    return file, {}


def _arrow(table: pd.DataFrame, folder: Path) -> Read:
    file = folder / "rides.feather"
    feather.write_feather(table, file)
    return file, {}


def _gdal(name: str, driver: str, system: str = "EPSG:4326") -> Maker:
    def make(table: pd.DataFrame, folder: Path) -> Read:
        from pyogrio import write_arrow

        placed = table if system == "EPSG:4326" else _turned(table, system)
        made = pa.table({"rider": table["rider"], "geometry": _points(placed)})
        stated = {"geometry_name": "geometry", "geometry_type": "Point", "crs": system}
        write_arrow(made, folder / name, driver=driver, **stated)
        return folder / name, {}

    return make


def _workbook(table: pd.DataFrame, folder: Path) -> Read:
    from pyogrio import write_arrow

    made = pa.Table.from_pandas(table, preserve_index=False)
    write_arrow(made, folder / "rides.xlsx", driver="XLSX", geometry_name=None, geometry_type=None)
    return folder / "rides.xlsx", {}


def _zipped(endings: tuple[str, ...], make: Maker, name: str) -> Maker:
    def zipped(table: pd.DataFrame, folder: Path) -> Read:
        first, _ = make(table, folder)
        with zipfile.ZipFile(folder / name, "w", zipfile.ZIP_DEFLATED) as archive:
            for part in sorted(folder.glob(f"{Path(first).stem}.*")):
                if part.suffix in endings:
                    archive.write(part, "doc.kml" if part.suffix == ".kml" else part.name)
        return folder / name, {}

    return zipped


def _geojson(table: pd.DataFrame, folder: Path) -> Read:
    """Points, one MultiPoint for every ten of them, and a null geometry for every hundredth."""
    features: list[Any] = []
    places: list[list[float]] = table[["lon", "lat"]].to_numpy().tolist()
    for at in range(0, len(places), 20):
        features += [{"type": "Point", "coordinates": place} for place in places[at : at + 10]]
        features.append({"type": "MultiPoint", "coordinates": places[at + 10 : at + 20]})
    nothing: list[Any] = [None] * (len(places) // 100)
    file = folder / "rides.geojson"
    shapes = [{"type": "Feature", "properties": {}, "geometry": one} for one in (*features, *nothing)]
    file.write_text(json.dumps({"type": "FeatureCollection", "features": shapes}), encoding="utf-8")
    return file, {}


def _gpx(table: pd.DataFrame, folder: Path) -> Read:
    file = folder / "track.gpx"
    pairs = zip(table["lon"], table["lat"], strict=True)
    points = "".join(f'<trkpt lat="{lat}" lon="{lon}"/>' for lon, lat in pairs)
    start = '<?xml version="1.0"?><gpx version="1.1" creator="dpviz" xmlns="http://www.topografix.com/GPX/1/1">'
    file.write_text(f"{start}<trk><trkseg>{points}</trkseg></trk></gpx>", encoding="utf-8")
    return file, {}


def _sqlite(table: pd.DataFrame, folder: Path) -> Read:
    file = folder / "rides.sqlite"
    connection = sqlite3.connect(file)
    table.to_sql("rides", connection, index=False)
    connection.close()
    return file, {"query": "SELECT lon, lat FROM rides"}


def _duckdb(table: pd.DataFrame, folder: Path) -> Read:
    import duckdb

    with duckdb.connect(folder / "rides.duckdb") as connection:
        connection.register("given", table)
        connection.execute("CREATE TABLE rides AS SELECT * FROM given")
    return folder / "rides.duckdb", {"query": "SELECT lon, lat FROM rides"}


def _postgres(address: str) -> Maker:
    def make(table: pd.DataFrame, folder: Path) -> Read:
        library = importlib.import_module("psycopg")
        with library.connect(address) as connection:
            connection.execute("DROP TABLE IF EXISTS dpviz_rides")
            connection.execute("CREATE TABLE dpviz_rides (lon double precision, lat double precision, rider text)")
            with connection.cursor() as cursor, cursor.copy("COPY dpviz_rides FROM STDIN") as copy:
                for row in table.itertuples(index=False):
                    copy.write_row(row)
        return address, {"query": "SELECT lon, lat FROM dpviz_rides"}

    return make


def _feed(name: str, wrap: Callable[[list[dict[str, Any]]], Any], entry: Callable[..., Any], **read: Any) -> Maker:
    def make(table: pd.DataFrame, folder: Path) -> Read:
        file = folder / f"{name}.json"
        entries = [entry(*row) for row in table.itertuples(index=False)]
        file.write_text(json.dumps(wrap(entries)), encoding="utf-8")
        return file, read

    return make


def _at(lon: float, lat: float) -> dict[str, float]:
    return {"lat": lat, "lng": lon}


def _gtfs(table: pd.DataFrame, folder: Path) -> Read:
    stops = pd.DataFrame({"stop_id": table.index, "stop_lat": table["lat"], "stop_lon": table["lon"]})
    with zipfile.ZipFile(folder / "timetable.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("stops.txt", stops.to_csv(index=False))
        archive.writestr("agency.txt", "agency_id,agency_name\n1,Town\n")
    return folder / "timetable.zip", {}


_NAD83 = {"type": "GeographicCRS", "name": "NAD83", "id": {"authority": "EPSG", "code": 4269}}
_ETRS89 = {"type": "GeographicCRS", "name": "ETRS89", "id": {"authority": "EPSG", "code": 4258}}
MAKERS: dict[str, Maker] = {
    "CSV": _csv,
    "CSV without a header": _csv_bare,
    'CSV in feet, `crs="EPSG:2263"`': _csv_as("feet", lambda table: _turned(table, "EPSG:2263"), "EPSG:2263"),
    'CSV in whole numbers, `crs="E7"`': _csv_as("e7", lambda table: _scaled(table), "E7"),
    'CSV with longitudes to 360, `crs="0-360"`': _csv_as(
        "wrapped", lambda table: table.assign(lon=table["lon"] + 360), "0-360"
    ),
    'CSV with latitude first, `crs="swapped"`': _csv_as(
        "swapped", lambda table: table.rename(columns={"lon": "lat", "lat": "lon"}), "swapped"
    ),
    'CSV of counts a place, `weight_unit="record"`': _csv_counted,
    "CSV of H3 cells": _hexagons,
    "Parquet": _parquet,
    "GeoParquet, NAD83": _geoparquet(_NAD83),
    "GeoParquet, ETRS89": _geoparquet(_ETRS89),
    "Parquet with EWKB in EPSG:2263": _ewkb,
    "Arrow (Feather)": _arrow,
    "Excel workbook": _workbook,
    "GeoPackage": _gdal("rides.gpkg", "GPKG"),
    "GeoPackage in EPSG:2263": _gdal("feet.gpkg", "GPKG", "EPSG:2263"),
    "Shapefile, zipped": _zipped(
        (".shp", ".shx", ".dbf", ".prj"), _gdal("rides.shp", "ESRI Shapefile"), "rides-shp.zip"
    ),
    "KML": _gdal("rides.kml", "KML"),
    "KMZ": _zipped((".kml",), _gdal("rides.kml", "KML"), "rides.kmz"),
    "FlatGeobuf": _gdal("rides.fgb", "FlatGeobuf"),
    "GeoJSON, half of it MultiPoints, some null": _geojson,
    "GPX track": _gpx,
    "SQLite, by a query": _sqlite,
    "DuckDB, by a query": _duckdb,
    "MDS trips, where they start": _feed(
        "trips",
        lambda rows: {"version": "1.2.0", "data": {"trips": rows}},
        lambda lon, lat, rider: {"device_id": rider, "start_location": _at(lon, lat), "end_location": _at(0, 0)},
        lon="start_lon",
        lat="start_lat",
    ),
    "MDS status changes": _feed(
        "changes",
        lambda rows: {"version": "1.2.0", "data": {"status_changes": rows}},
        lambda lon, lat, rider: {
            "device_id": rider,
            "event_location": {"type": "Feature", "geometry": {"type": "Point", "coordinates": [lon, lat]}},
        },
    ),
    "GBFS vehicles": _feed(
        "vehicles",
        lambda rows: {"last_updated": 1, "ttl": 60, "version": "3.0", "data": {"vehicles": rows}},
        lambda lon, lat, rider: {"vehicle_id": rider, "lat": lat, "lon": lon},
    ),
    "GTFS timetable, its stops": _gtfs,
}


def _scaled(table: pd.DataFrame) -> pd.DataFrame:
    return table.assign(lon=(table["lon"] * 1e7).round().astype(int), lat=(table["lat"] * 1e7).round().astype(int))


def rows(many: int = ROWS, postgres: str = "") -> Iterator[dict[str, Any]]:
    """A row for every kind of file. Time is that of a second reading: what a library takes to load is not in it."""
    table = rides(many)
    inside = _inside(table)
    makers = MAKERS | ({"PostgreSQL, by a query": _postgres(postgres)} if postgres else {})
    for name, make in makers.items():
        with tempfile.TemporaryDirectory(prefix="dpviz-formats-") as folder:
            source, stated = make(table, Path(folder))
            settings: dict[str, Any] = {"box": BOX, "side": 256, "protect": "record"} | stated
            if "weight" in stated:
                settings.pop("protect")
            read_counts(source, **settings)
            began = time.process_time()
            counts = read_counts(source, **settings)
            spent = time.process_time() - began
            assert counts.report is not None
            yield {
                "file": name,
                "bytes": None if source == postgres else Path(source).stat().st_size,
                "rows read": counts.report.exact_rows,
                "rows used": counts.report.exact_rows - counts.report.exact_outside - counts.report.exact_unusable,
                "outside": counts.report.exact_outside,
                "without a place": counts.report.exact_unusable,
                "records": counts.exact_total,
                "records in the box": inside,
                "CPU seconds": round(spent, 3),
            }


def _inside(table: pd.DataFrame) -> int:
    west, south, east, north = BOX
    place: NDArray[np.float64] = table[["lon", "lat"]].to_numpy()
    return int(((place >= (west, south)) & (place < (east, north))).all(axis=1).sum())


def main() -> None:
    """Measure and write the record."""
    given = read_options(__doc__, postgres="")  # the address of an empty database, which gets one table
    write_record(
        given.out / "formats.json",
        title="Files that are read",
        what=(
            f"{ROWS:,} made rides, written in every kind of file and read again: what became of the rows, and the "
            "processor's time for a second reading."
        ),
        kind="table",
        rows=list(rows(postgres=given.postgres)),
        command="python -m dpviz_research.formats --out docs/evidence",
        seed=f"rides made with seed {_SEED}",
        data="made rides around three places of New York's box",
    )


if __name__ == "__main__":
    main()
