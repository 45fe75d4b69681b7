"""Points, cells and measurements as files (CSV, Parquet, GeoJSON) and the way back: the same values, the same bytes."""

from __future__ import annotations

import csv
import io
import json
import struct
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from dpviz.domain import CellTree, Frame
from dpviz.domain.cell_tree import MOST_NODES, QUARTERS, box_names
from dpviz.domain.trip_ends import are_trips, both_frames
from dpviz.errors import InputError, StoreError
from dpviz.releases.spreadsheets import csv_text

if TYPE_CHECKING:
    from dpviz.releases.release import Release

Floats = NDArray[np.float64]
Columns = dict[str, Floats]
CELLS, MEASUREMENTS, CELLS_GEOJSON = "cells.parquet", "measurements.parquet", "cells.geojson"
END_FILES = (  # of trips: the cells and measurements of the map of each end
    ("start_cells.parquet", "start_measurements.parquet"),
    ("end_cells.parquet", "end_measurements.parquet"),
)
_MOST_OUTLINES = 5_000  # cells with an outline of their own in the files; more would make them heavy
_GROUP = 1 << 20  # rows


def columns_of(frame: Frame, raw: Floats, weights: Floats, variances: Floats | None = None) -> Columns:
    """Coordinates by name, weight, and the weight's variance where the public noise scales tell it."""
    columns = {name: raw[:, axis] for axis, name in enumerate(frame.names)}
    columns["weight"] = weights
    if variances is not None:
        columns["variance"] = variances
    return columns


def point_columns(release: Release) -> dict[str, Columns]:
    """The columns of the centers, and of the coreset where there is one."""
    found = {"centers": columns_of(release.frame, release.raw_centers, release.center_weights)}
    if release.raw_coreset is not None and release.coreset_weights is not None:
        found["coreset"] = columns_of(
            release.frame, release.raw_coreset, release.coreset_weights, release.coreset_variances
        )
    return found


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
    if not _on_map(frame):
        return _parquet(columns)
    longitudes, latitudes = (columns[name] for name in frame.names)
    # Well-known binary: byte order, kind 1, two doubles, all little-endian.
    points = [struct.pack("<BIdd", 1, 1, *place) for place in zip(longitudes.tolist(), latitudes.tolist(), strict=True)]
    corners = [edge(axis) for edge in (np.min, np.max) for axis in (longitudes, latitudes)] if points else []
    return _parquet(columns, points, geo_facts("Point", corners))


def geo_facts(kind: str, corners: Sequence[float]) -> dict[str, Any]:
    """The metadata of a GeoParquet 1.0, with the extent (where there is any) for programs that zoom.

    No coordinate system named means longitude and latitude in degrees (OGC:CRS84), by the format's rule.
    """
    column: dict[str, Any] = {"encoding": "WKB", "geometry_types": [kind]}
    if len(corners):
        column |= {"bbox": [float(value) for value in corners]}
    return {"version": "1.0.0", "primary_column": "geometry", "columns": {"geometry": column}}


def geojson_bytes(frame: Frame, columns: Columns) -> bytes | None:
    """Points on maps; lines from pick-up to drop-off for pairs of places; None where coordinates are no degrees."""
    if frame.metric != "m" or frame.dims not in (2, 4):
        return None
    names = list(columns)[: frame.dims]
    features = []
    for index in range(len(columns["weight"])):
        place = [float(columns[name][index]) for name in names]
        properties = {name: float(values[index]) for name, values in columns.items() if name not in names}
        if frame.dims == 2:
            features.append(_feature("Point", place, properties))
        else:
            features.append(_feature("LineString", [place[:2], place[2:]], properties))
    return _feature_file(features)


def cell_files(tree: CellTree) -> dict[str, bytes]:
    """Both tables, and outlines for other programs where the cells are few."""
    files = {CELLS: _cells_parquet(tree), MEASUREMENTS: _measurements_parquet(tree)}
    if _on_map(tree.frame) and len(tree) <= _MOST_OUTLINES:
        files[CELLS_GEOJSON] = _geojson(tree)
    return files


def end_files(ends: tuple[CellTree, CellTree]) -> dict[str, bytes]:
    """Both tables of the map of each end of trips."""
    files: dict[str, bytes] = {}
    for tree, (cells, measurements) in zip(ends, END_FILES, strict=True):
        files |= {cells: _cells_parquet(tree), measurements: _measurements_parquet(tree)}
    return files


def parse_ends(frame: Frame, said: list[dict[str, Any]], files: Mapping[str, bytes]) -> tuple[CellTree, CellTree]:
    """The maps of both ends that these files hold; refused where they do not fit what release.json says."""
    if not are_trips(frame):
        raise StoreError("release.json lists maps of two ends, which only trips have; the folder was edited.")
    first, second = (
        parse_cells(plane, facts_of_one, files[cells], files[measurements], names=(cells, measurements))
        for plane, facts_of_one, (cells, measurements) in zip(both_frames(frame), said, END_FILES, strict=True)
    )
    return first, second


def cell_facts(tree: CellTree) -> dict[str, Any]:
    """What release.json says about them."""
    return {
        "cells": len(tree),
        "measurements": len(tree.value),
        "charges": list(tree.charges),
        "pieces": tree.pieces,
        "sampled": tree.sampled,
        **({} if tree.quarters is None else {"quarters": True}),
        **({} if not tree.common else {"common": tree.common}),
    }


def parse_cells(
    frame: Frame,
    said: dict[str, Any],
    cells: bytes,
    measurements: bytes,
    *,
    names: tuple[str, str] = (CELLS, MEASUREMENTS),
) -> CellTree:
    """The cells that these files hold; refused where they do not fit what release.json says."""
    cells_name, measurements_name = names
    lows, highs = box_names(frame)
    measured = _columns(
        measurements, ["node", "parent", "depth", *lows, *highs, "value", "variance", "charge"], measurements_name
    )
    quarters = QUARTERS if said.get("quarters") else ()
    means = [f"mean_{name}" for name in frame.names]
    found = _columns(cells, ["node", "count", "variance", *means, *quarters], cells_name)
    if len(found["node"]) != said["cells"] or len(measured["node"]) != said["measurements"]:
        raise StoreError(
            f"{cells_name} or {measurements_name} does not have the number of rows that release.json says; copy the "
            "folder again."
        )
    node = measured["node"].astype(np.int64)
    _, first = np.unique(node, return_index=True)
    if len(first) and int(node.max()) + 1 != len(first):
        raise StoreError(
            f"{measurements_name} leaves out a node; the file was damaged or edited. Copy the folder again."
        )
    try:
        tree = CellTree(
            frame=frame,
            low=np.column_stack([measured[name][first] for name in lows]),
            high=np.column_stack([measured[name][first] for name in highs]),
            parent=measured["parent"][first].astype(np.int64),
            depth=measured["depth"][first].astype(np.int64),
            node=node,
            value=measured["value"],
            variance=measured["variance"],
            charge=measured["charge"].astype(np.int64),
            charges=tuple(str(name) for name in said["charges"]),
            cell=found["node"].astype(np.int64),
            count=found["count"],
            spread=found["variance"],
            mean=np.column_stack([found[name] for name in means]),
            pieces=bool(said["pieces"]),
            sampled=float(said["sampled"]),
            common=float(said.get("common", 0.0)),
            quarters=np.column_stack([found[name] for name in quarters]) if quarters else None,
        )
        tree.check()
    except InputError as error:
        raise StoreError(f"{error.message.rstrip('.')}; the folder was damaged or edited. Copy it again.") from None
    return tree


def _cells_parquet(tree: CellTree) -> bytes:
    lows, highs = box_names(tree.frame)
    columns: dict[str, Any] = {"node": tree.cell.astype(np.int32), "depth": tree.depth[tree.cell].astype(np.int16)}
    for names, ends in ((lows, tree.low), (highs, tree.high)):
        columns |= {name: ends[tree.cell, axis] for axis, name in enumerate(names)}
    columns |= {"count": tree.count, "variance": tree.spread}
    columns |= {f"mean_{name}": tree.mean[:, axis] for axis, name in enumerate(tree.frame.names)}
    columns |= tree.quarter_columns()
    if _on_map(tree.frame) and len(tree) <= _MOST_OUTLINES:
        low, high = tree.low[tree.cell].tolist(), tree.high[tree.cell].tolist()
        outlines = [  # well-known binary polygons: byte order, kind 3, one ring of five corners
            struct.pack("<BIII10d", 1, 3, 1, 5, w, s, e, s, e, n, w, n, w, s)
            for (w, s), (e, n) in zip(low, high, strict=True)
        ]
        return _parquet(columns, outlines, geo_facts("Polygon", [*tree.frame.low, *tree.frame.high]))
    return _parquet(columns)


def _measurements_parquet(tree: CellTree) -> bytes:
    lows, highs = box_names(tree.frame)
    order = np.argsort(tree.node, kind="stable")
    node = tree.node[order]
    columns: dict[str, Any] = {
        "node": node.astype(np.int32),
        "parent": tree.parent[node].astype(np.int32),
        "depth": tree.depth[node].astype(np.int16),
    }
    for names, ends in ((lows, tree.low), (highs, tree.high)):
        columns |= {name: ends[node, axis] for axis, name in enumerate(names)}
    columns |= {
        "value": tree.value[order],
        "variance": tree.variance[order],
        "charge": tree.charge[order].astype(np.int8),
    }
    return _parquet(columns)


def _parquet(
    columns: Mapping[str, Any], geometries: Sequence[bytes] | None = None, geo: Mapping[str, Any] | None = None
) -> bytes:
    out = io.BytesIO()
    fields = {name: pa.array(values) for name, values in columns.items()}
    if geometries is not None:
        fields["geometry"] = pa.array(geometries, pa.binary())
    metadata = None if geo is None else {"geo": json.dumps(geo, separators=(",", ":"))}
    table = pa.table(fields).replace_schema_metadata(metadata)
    # Snappy and dictionaries are what every reader has, those in browsers too. Few boxes' ends and variances differ.
    pq.write_table(table, out, compression="snappy", use_dictionary=True, row_group_size=_GROUP)
    return out.getvalue()


def _columns(content: bytes, names: list[str], what: str) -> dict[str, Floats]:
    try:
        file = pq.ParquetFile(io.BytesIO(content))
        if file.metadata.num_rows > 2 * MOST_NODES:
            raise StoreError(f"{what} has more rows than any release; it was not written by dpviz.")
        table = file.read(columns=names)
        return {name: np.asarray(table[name].to_numpy(zero_copy_only=False), dtype=np.float64) for name in names}
    except (pa.ArrowException, KeyError, ValueError, TypeError, OSError):
        raise StoreError(f"{what} is not the table that a release has; the file was damaged or edited.") from None


def _on_map(frame: Frame) -> bool:
    return frame.metric == "m" and frame.dims == 2


def _geojson(tree: CellTree) -> bytes:
    features = []
    low, high = tree.low[tree.cell].tolist(), tree.high[tree.cell].tolist()
    for (w, s), (e, n), count, spread in zip(low, high, tree.count.tolist(), tree.spread.tolist(), strict=True):
        ring = [[w, s], [e, s], [e, n], [w, n], [w, s]]
        features.append(_feature("Polygon", [ring], {"count": count, "variance": spread}))
    return _feature_file(features)


def _feature(kind: str, coordinates: list[Any], properties: dict[str, float]) -> dict[str, Any]:
    return {"type": "Feature", "geometry": {"type": kind, "coordinates": coordinates}, "properties": properties}


def _feature_file(features: list[dict[str, Any]]) -> bytes:
    collection = {"type": "FeatureCollection", "features": features}
    return (json.dumps(collection, separators=(",", ":"), allow_nan=False) + "\n").encode("utf-8")
