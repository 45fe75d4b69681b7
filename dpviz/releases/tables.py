"""Weighted points as files: CSV, Parquet, GeoJSON; and the way back. The same points give the same bytes."""

from __future__ import annotations

import csv
import io
import json
import struct
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from dpviz.domain import Frame
from dpviz.errors import StoreError
from dpviz.releases.spreadsheets import csv_text

Floats = NDArray[np.float64]
Columns = dict[str, Floats]
# No coordinate system named means longitude and latitude in degrees (OGC:CRS84), by the format's rule.
_GEO_COLUMN: dict[str, Any] = {"encoding": "WKB", "geometry_types": ["Point"]}


def columns_of(frame: Frame, raw: Floats, weights: Floats, variances: Floats | None = None) -> Columns:
    """Coordinates by name, weight, and the weight's variance where the public noise scales tell it."""
    columns = {name: raw[:, axis] for axis, name in enumerate(frame.names)}
    columns["weight"] = weights
    if variances is not None:
        columns["variance"] = variances
    return columns


def csv_bytes(columns: Columns) -> bytes:
    """CSV with full precision. A column's name that a spreadsheet would run gets an apostrophe in front."""
    rows = ([float(value) for value in row] for row in zip(*columns.values(), strict=True))
    return csv_text(list(columns), rows).encode("utf-8")


def parse_csv(content: bytes, width: int, *, what: str) -> Floats:
    """The numbers of a file written by `csv_bytes`, (m, width); the names of columns come from release.json."""
    try:
        rows = list(csv.reader(io.StringIO(content.decode("utf-8"))))[1:]
        values = np.array([[float(cell) for cell in row] for row in rows], dtype=np.float64).reshape(len(rows), width)
    except ValueError:
        raise StoreError(
            f"{what} does not hold {width} numbers in every row; the file was damaged or edited."
        ) from None
    if not np.isfinite(values).all():
        raise StoreError(f"{what} holds NaN or infinity; the file was damaged or edited.")
    return values


def parquet_bytes(columns: Columns, frame: Frame) -> bytes:
    """Parquet without the writer's environment; GeoParquet 1.0 for points on maps, with a column `geometry`."""
    out = io.BytesIO()
    fields = {name: pa.array(values) for name, values in columns.items()}
    metadata = None
    if frame.metric == "m" and frame.dims == 2:
        longitudes, latitudes = (columns[name] for name in frame.names)
        fields["geometry"] = pa.array(point_geometries(longitudes, latitudes), pa.binary())
        metadata = {"geo": json.dumps(geo_facts(longitudes, latitudes), separators=(",", ":"))}
    table = pa.table(fields).replace_schema_metadata(metadata)
    pq.write_table(table, out, compression="snappy")  # the one that every reader has, those in browsers too
    return out.getvalue()


def geo_facts(longitudes: Floats, latitudes: Floats) -> dict[str, Any]:
    """The metadata of a GeoParquet 1.0, with the extent of the points (where there are any) for programs that zoom."""
    column = dict(_GEO_COLUMN)
    if len(longitudes):
        corners = (longitudes.min(), latitudes.min(), longitudes.max(), latitudes.max())
        column |= {"bbox": [float(value) for value in corners]}
    return {"version": "1.0.0", "primary_column": "geometry", "columns": {"geometry": column}}


def point_geometries(x: Floats, y: Floats) -> list[bytes]:
    """Points as well-known binary: byte order, kind 1, two doubles, all little-endian."""
    return [struct.pack("<BIdd", 1, 1, *place) for place in zip(x.tolist(), y.tolist(), strict=True)]


def geojson_bytes(frame: Frame, columns: Columns) -> bytes | None:
    """Points on maps; lines from pick-up to drop-off for pairs of places; None where coordinates are no degrees."""
    if frame.metric != "m" or frame.dims not in (2, 4):
        return None
    names = list(columns)[: frame.dims]
    features = []
    for index in range(len(columns["weight"])):
        place = [float(columns[name][index]) for name in names]
        geometry: dict[str, Any] = (
            {"type": "Point", "coordinates": place}
            if frame.dims == 2
            else {"type": "LineString", "coordinates": [place[:2], place[2:]]}
        )
        properties = {name: float(values[index]) for name, values in columns.items() if name not in names}
        features.append({"type": "Feature", "geometry": geometry, "properties": properties})
    collection = {"type": "FeatureCollection", "features": features}
    return (json.dumps(collection, separators=(",", ":"), allow_nan=False) + "\n").encode("utf-8")
