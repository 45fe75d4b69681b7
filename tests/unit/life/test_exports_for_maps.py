"""The files for map programs keep the published formats: GeoParquet 1.0 and GeoJSON (RFC 7946), read here by hand."""

from __future__ import annotations

import io
import json
import math
import struct
from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpviz.domain import Centers, ExactCounts
from dpviz.privacy import Budget
from dpviz.publishing.mechanism_run import release
from dpviz.releases.release import Release
from dpviz.releases.tables import geo_facts, parquet_bytes

KINDS = {"Point", "LineString", "Polygon", "MultiPoint", "MultiLineString", "MultiPolygon", "GeometryCollection"}


def geoparquet_faults(content: bytes) -> Iterator[str]:
    """What the specification of GeoParquet 1.0.0 requires and this file lacks."""
    file = pq.ParquetFile(io.BytesIO(content))
    stated = (file.metadata.metadata or {}).get(b"geo")
    if stated is None:
        yield "no metadata `geo` of the file"
        return
    geo = json.loads(stated.decode("utf-8"))
    if geo.get("version") != "1.0.0":
        yield "version"
    columns = geo.get("columns")
    if not isinstance(columns, dict) or geo.get("primary_column") not in columns:
        yield "primary_column"
        return
    for name, facts in columns.items():
        place = file.schema_arrow.get_field_index(name)
        if place < 0 or file.schema.column(place).physical_type != "BYTE_ARRAY":
            yield f"{name} is no root column of bytes"
            return
        if file.schema.column(place).max_repetition_level:
            yield f"{name} is repeated"
        if facts.get("encoding") != "WKB":
            yield "encoding"
        kinds = facts.get("geometry_types")
        if not isinstance(kinds, list) or len(set(kinds)) < len(kinds) or not set(kinds) <= KINDS:
            yield "geometry_types"
        if not isinstance(facts.get("crs", {}), dict):  # left out it means longitude, latitude (OGC:CRS84)
            yield "crs"
        points = list(points_of(file.read([name])[name]))
        if any(kind != "Point" for kind, *_ in points) or (points and kinds != ["Point"]):
            yield "a geometry of another type"
        box = facts.get("bbox")
        if box is not None:
            if len(box) != 4 or not (box[0] <= box[2] and box[1] <= box[3]):
                yield "bbox"
            elif any(not (box[0] <= x <= box[2] and box[1] <= y <= box[3]) for _, x, y in points):
                yield "a point outside of bbox"


def points_of(column: pa.ChunkedArray) -> Iterator[tuple[str, float, float]]:
    for value in column.to_pylist():
        order = {0: ">", 1: "<"}[value[0]]
        (kind,) = struct.unpack(f"{order}I", value[1:5])
        assert len(value) == 21
        yield ("Point" if kind == 1 else str(kind), *struct.unpack(f"{order}dd", value[5:]))


@pytest.fixture
def made(counts: ExactCounts) -> Release:
    found = release(counts, k=3, budget=Budget(epsilon=1.0), seed=4)
    assert isinstance(found, Release)
    return found


def test_the_coreset_is_a_geoparquet_by_the_letter_of_the_specification(made: Release) -> None:
    content = made.files()["coreset.parquet"]
    assert list(geoparquet_faults(content)) == []
    table = pq.read_table(io.BytesIO(content))
    assert made.coreset is not None
    places = [(x, y) for _, x, y in points_of(table["geometry"])]
    assert places == list(made.coreset[["lon", "lat"]].itertuples(index=False, name=None))


def test_a_coreset_without_points_is_still_a_geoparquet(made: Release) -> None:
    none: dict[str, np.ndarray[Any, Any]] = {name: np.empty(0) for name in ("lon", "lat", "weight")}
    assert list(geoparquet_faults(parquet_bytes(none, made.frame))) == []
    assert "bbox" not in geo_facts("Point", [])["columns"]["geometry"]


PLANTED: dict[str, tuple[dict[str, Any], str]] = {
    "another version": ({"version": "0.4.0"}, "version"),
    "no such column": ({"primary_column": "shape"}, "primary_column"),
    "another encoding": ({"columns": {"geometry": {"encoding": "WKT", "geometry_types": ["Point"]}}}, "encoding"),
    "no types": ({"columns": {"geometry": {"encoding": "WKB"}}}, "geometry_types"),
    "wrong types": (
        {"columns": {"geometry": {"encoding": "WKB", "geometry_types": ["Polygon"]}}},
        "a geometry of another type",
    ),
    "a column of numbers": ({"columns": {"lon": {"encoding": "WKB"}}, "primary_column": "lon"}, "no root column"),
    "a wrong extent": (
        {"columns": {"geometry": {"encoding": "WKB", "geometry_types": ["Point"], "bbox": [0, 0, 1, 1]}}},
        "outside of bbox",
    ),
}


@pytest.mark.parametrize("case", PLANTED)
def test_a_fault_in_the_metadata_would_be_noticed(made: Release, case: str) -> None:
    change, fault = PLANTED[case]
    table = pq.read_table(io.BytesIO(made.files()["coreset.parquet"]))
    spoiled = json.loads(table.schema.metadata[b"geo"]) | change
    out = io.BytesIO()
    pq.write_table(table.replace_schema_metadata({"geo": json.dumps(spoiled)}), out)
    assert any(fault in found for found in geoparquet_faults(out.getvalue()))


@pytest.mark.parametrize("name", ["coreset.geojson", "centers.geojson"])
def test_geojson_keeps_rfc_7946(made: Release, name: str) -> None:
    def no_constants(word: str) -> float:
        raise ValueError(word)  # NaN and Infinity are no JSON

    collection = json.loads(made.files()[name].decode("utf-8"), parse_constant=no_constants)
    assert collection["type"] == "FeatureCollection" and "crs" not in collection
    for feature in collection["features"]:
        assert feature["type"] == "Feature" and feature["geometry"]["type"] == "Point"
        assert all(isinstance(value, float) for value in feature["properties"].values())
        longitude, latitude = feature["geometry"]["coordinates"]
        assert -180 <= longitude <= 180 and -90 <= latitude <= 90 and math.isfinite(feature["properties"]["weight"])


def test_the_heaviest_center_comes_first_in_every_file(made: Release) -> None:
    assert isinstance(made.protected_centers, Centers)
    weights = [f["properties"]["weight"] for f in json.loads(made.files()["centers.geojson"])["features"]]
    assert weights == sorted(weights, reverse=True) == made.centers["weight"].tolist()
