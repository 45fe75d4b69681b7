"""Feeds of shared mobility, timetables and DuckDB files: every record is found at its place, and bad ones are told."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from dpviz.errors import AmbiguousColumns, FileError
from dpviz.ingest import read_counts
from dpviz.ingest.units.person_columns import UnitNotChosen

BOX = (11.0, 43.0, 12.0, 44.0)


def _feed(folder: Path, document: Any, name: str = "feed.json") -> Path:
    file = folder / name
    file.write_text(document if isinstance(document, str) else json.dumps(document))
    return file


def _total(source: Any, **stated: Any) -> int:
    return read_counts(source, box=BOX, side=16, protect="record", **stated).exact_total


def _feature(lon: float, lat: float) -> dict[str, Any]:
    return {"type": "Feature", "properties": {"timestamp": 1}, "geometry": {"type": "Point", "coordinates": [lon, lat]}}


def test_mds_trips_have_two_ends_and_are_asked_which(tmp_path: Path) -> None:
    routed = {
        "trip_id": "a",
        "route": {"type": "FeatureCollection", "features": [_feature(11.2, 43.2), _feature(11.9, 43.9)]},
    }
    ended = {"trip_id": "b", "start_location": {"lat": 43.5, "lng": 11.5}, "end_location": {"lat": 50.0, "lng": 11.5}}
    file = _feed(tmp_path, {"version": "1.2.0", "data": {"trips": [routed, ended, {"trip_id": "c"}, 7]}})
    with pytest.raises(AmbiguousColumns, match="several pairs"):
        _total(file)
    assert _total(file, lon="start_lon", lat="start_lat") == 2
    assert _total(file, lon="end_lon", lat="end_lat") == 1


def test_mds_status_changes_and_events_lie_at_one_place(tmp_path: Path) -> None:
    changes = [{"device_id": at, "event_location": _feature(11.1 + at / 10, 43.5)} for at in range(5)]
    file = _feed(tmp_path, {"version": "1.0.0", "data": {"status_changes": changes}})
    with pytest.raises(UnitNotChosen):
        read_counts(file, box=BOX, side=16)
    assert _total(file) == 5
    assert read_counts(file, box=BOX, side=16, person="device_id", cap=1).exact_total == 5
    events = {"version": "2.0.0", "events": [{"event_id": "x", "location": {"lat": 43.5, "lng": 11.5}}]}
    assert _total(_feed(tmp_path, events, "events.json")) == 1


@pytest.mark.parametrize("kind", ["stations", "bikes", "vehicles"])
def test_gbfs_is_read(tmp_path: Path, kind: str) -> None:
    entries = [
        {"name": "Duomo", "lat": 43.77, "lon": 11.25},
        {"name": "away", "lat": 1.0, "lon": 1.0},
        {"name": "lost"},
    ]
    file = _feed(tmp_path, {"last_updated": 1, "ttl": 60, "version": "2.3", "data": {kind: entries}})
    counts = read_counts(file, box=BOX, side=16, protect="record")
    assert counts.report is not None
    assert (counts.report.exact_rows, counts.exact_total, counts.report.exact_unusable) == (3, 1, 1)


def test_a_broken_feed_is_told_in_a_sentence(tmp_path: Path) -> None:
    for text in ('{"version": "1", "data": {"trips": [', '{"version": "1", "data": {"trips": 7}, "stations": null}'):
        with pytest.raises(FileError, match=r"feed\.json"):
            _total(_feed(tmp_path, text))


def test_geojson_with_such_words_stays_geojson(tmp_path: Path) -> None:
    shape = _feature(11.5, 43.5) | {"properties": {"data": 1, "trips": 3, "version": 2}}
    counts = read_counts(
        _feed(tmp_path, {"type": "FeatureCollection", "features": [shape]}), box=BOX, side=16, weight_unit="row"
    )
    assert counts.exact_total == 1


def test_the_stops_of_a_timetable_are_read(tmp_path: Path) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("stops.txt", "stop_id,stop_name,stop_lat,stop_lon\n1,A,43.5,11.5\n2,B,43.6,11.6\n3,C,,\n")
        archive.writestr("routes.txt", "route_id\n1\n")
    file = tmp_path / "gtfs.zip"
    file.write_bytes(packed.getvalue())
    assert _total(file) == 2 and _total(packed.getvalue()) == 2


def test_a_duckdb_file_is_read_by_table_and_by_query_and_reads_nothing_else(tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    file, secret = tmp_path / "city.duckdb", tmp_path / "other.csv"
    secret.write_text("lon,lat\n11.5,43.5\n")
    with duckdb.connect(str(file)) as connection:
        connection.execute("CREATE TABLE trips AS SELECT 11.5 AS lon, 43.5 AS lat FROM range(7)")
        connection.execute("CREATE TABLE other AS SELECT 1 AS a")
    with pytest.raises(FileError, match="tables 'other', 'trips'"):
        _total(file)
    assert _total(file, layer="trips") == 7
    assert _total(file, query="SELECT lon, lat FROM trips LIMIT 3") == 3
    for query in (f"SELECT * FROM read_csv('{secret}')", "DROP TABLE trips", "SELECT nothing"):
        with pytest.raises(FileError, match="the query cannot be run"):
            _total(file, query=query)
    assert _total(file, layer="trips") == 7
    broken = tmp_path / "broken.duckdb"
    broken.write_bytes(b"12345678DUCK" + bytes(100))
    with pytest.raises(FileError, match="DuckDB"):
        _total(broken)
