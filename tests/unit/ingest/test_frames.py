"""Frames of every library that a data scientist holds in hand are counted like the table they were made of."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import dask.dataframe
import duckdb
import geopandas
import h3
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.dataset
import pytest
import shapely
import xarray

from dpviz.errors import AmbiguousColumns, FileError, InputError
from dpviz.ingest import read_counts, read_points

BOX = (-74.05, 40.70, -73.90, 40.80)
SIDE = 64


class OnePiece:
    """What has the interface of one array, and none of a stream."""

    def __init__(self, trips: pd.DataFrame) -> None:
        self.piece = pa.RecordBatch.from_pandas(trips)

    def __arrow_c_array__(self, requested_schema: Any = None) -> Any:
        return self.piece.__arrow_c_array__(requested_schema)


class OneColumn(OnePiece):
    """As a lone column gives it."""

    def __arrow_c_array__(self, requested_schema: Any = None) -> Any:
        return self.piece.column(0).__arrow_c_array__(requested_schema)


def made() -> pd.DataFrame:
    rng = np.random.default_rng(3)
    lon, lat = rng.uniform(-74.06, -73.89, 2000), rng.uniform(40.69, 40.81, 2000)
    return pd.DataFrame({"number": np.arange(2000), "lon": lon, "lat": lat})


TRIPS = made()
EXPECTED = read_counts(TRIPS, box=BOX, side=SIDE).to_numpy()


def geo(trips: pd.DataFrame) -> Any:
    return geopandas.GeoDataFrame(
        trips[["number"]], geometry=geopandas.points_from_xy(trips["lon"], trips["lat"]), crs=4326
    )


KINDS: dict[str, Callable[[pd.DataFrame], Any]] = {
    "GeoDataFrame": geo,
    "GeoDataFrame in feet": lambda trips: geo(trips).to_crs(2263),
    "GeoSeries": lambda trips: geo(trips).geometry,
    "list of shapely points": lambda trips: list(geo(trips).geometry),
    "array of shapely points": lambda trips: np.asarray(geo(trips).geometry.array),
    "one shapely geometry": lambda trips: shapely.MultiPoint(trips[["lon", "lat"]].to_numpy()),
    "GeoArrow, WKB": lambda trips: geo(trips).to_arrow(),
    "GeoArrow, numbers in a row": lambda trips: geo(trips).to_arrow(geometry_encoding="geoarrow"),
    "GeoArrow, numbers apart": lambda trips: geo(trips).to_arrow(geometry_encoding="geoarrow", interleaved=False),
    "DuckDB relation": lambda trips: duckdb.from_df(trips),
    "DuckDB relation, decimals": lambda trips: duckdb.from_df(trips).project(
        "lon::decimal(18, 15) lon, lat::decimal(18, 15) lat"
    ),
    "polars lazy frame": lambda trips: pl.from_pandas(trips).lazy().filter(pl.col("number") >= 0),
    "Arrow reader": lambda trips: pa.Table.from_pandas(trips).to_reader(),
    "Arrow record batch": pa.RecordBatch.from_pandas,
    "Arrow data set": lambda trips: pyarrow.dataset.dataset(pa.Table.from_pandas(trips)),
    "xarray Dataset of records": lambda trips: trips.to_xarray(),
    "one piece of Arrow": OnePiece,
    "Dask frame": lambda trips: dask.dataframe.from_pandas(trips, npartitions=3),
    "list of frames": lambda trips: [trips[:700], pl.from_pandas(trips[700:])],
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_frame_gives_the_same_counts(kind: str) -> None:
    counts = read_counts(KINDS[kind](TRIPS), box=BOX, side=SIDE)
    apart = np.abs(counts.to_numpy() - EXPECTED).sum()
    assert apart == 0 if kind != "DuckDB relation, decimals" else apart < 4
    assert counts.report is not None and counts.report.exact_rows == 2000


def test_points_in_more_dimensions_come_from_frames_too() -> None:
    both = TRIPS.assign(lon2=TRIPS["lon"], lat2=TRIPS["lat"])
    columns = ["lon", "lat", "lon2", "lat2"]
    here = read_points(both, columns=columns, box=BOX).to_numpy()
    for frame in (duckdb.from_df(both), pl.from_pandas(both).lazy(), dask.dataframe.from_pandas(both, npartitions=2)):
        assert (read_points(frame, columns=columns, box=BOX).to_numpy() == here).all()


@pytest.mark.slow
def test_a_dask_frame_is_counted_on_workers_with_weights_and_with_persons() -> None:
    from dpviz.noise import replayable_source

    table = TRIPS.assign(who=TRIPS["number"] % 50, weight=TRIPS["number"] % 5)
    frame = dask.dataframe.from_pandas(table, npartitions=5)
    ways: tuple[dict[str, Any], ...] = ({"weight": "weight", "weight_bound": 3}, {"person": "who", "cap": 4})
    for way in ways:
        kept = {**way, "protect": None} if "person" in way else way
        kept = {"weight_unit": "row", **kept} if "person" in way else kept
        here = read_counts(table, box=BOX, side=SIDE, noise=replayable_source(1), **kept)
        there = read_counts(frame, box=BOX, side=SIDE, noise=replayable_source(1), engine="dask", **kept)
        assert (here.to_numpy() == there.to_numpy()).all() and here.unit == there.unit


def cells() -> pd.DataFrame:
    names = [h3.latlng_to_cell(lat, lon, 9) for lon, lat in zip(TRIPS["lon"], TRIPS["lat"], strict=True)]
    return pd.Series(names).value_counts().rename_axis("h3_09").reset_index(name="count")


def test_tables_of_h3_cells_are_read_at_the_middles_of_the_cells(tmp_path: Path) -> None:
    table = cells()
    lat, lon = zip(*(h3.cell_to_latlng(name) for name in table["h3_09"]), strict=True)
    plain = pd.DataFrame({"lon": lon, "lat": lat, "count": table["count"]})
    expected = read_counts(plain, box=BOX, side=SIDE, weight="count", weight_unit="record").to_numpy()
    table.to_csv(tmp_path / "cells.csv", index=False)
    table.to_parquet(tmp_path / "cells.parquet")
    whole_numbers = table.assign(h3_09=table["h3_09"].map(h3.str_to_int))
    sources = (table, whole_numbers, pl.from_pandas(table), duckdb.from_df(table), tmp_path / "cells.csv",
               tmp_path / "cells.parquet")  # fmt: skip
    for source in sources:
        counts = read_counts(source, box=BOX, side=SIDE, weight="count", weight_unit="record")
        assert (counts.to_numpy() == expected).all()
    with pytest.raises(AmbiguousColumns, match="stand for several records"):
        read_counts(table, box=BOX, side=SIDE)
    spoiled = pd.DataFrame({"h3": ["", "no cell", None, "892a100d2c7ffff"]})
    found = read_counts(spoiled, box=BOX, side=SIDE)
    assert found.report is not None and (found.report.exact_rows, found.report.exact_unusable) == (4, 3)


def test_a_grid_of_values_is_asked_about_and_then_weighs() -> None:
    middles = {
        "lat": 40.70 + (np.arange(SIDE) + 0.5) * 0.1 / SIDE,
        "lon": -74.05 + (np.arange(SIDE) + 0.5) * 0.15 / SIDE,
    }
    grid = xarray.DataArray(EXPECTED[::-1], dims=("lat", "lon"), coords=middles, name="pickups")
    for source in (grid, grid.to_dataset()):
        with pytest.raises(AmbiguousColumns, match="pickups"):
            read_counts(source, box=BOX, side=SIDE)
        counts = read_counts(source, box=BOX, side=SIDE, weight="pickups", weight_unit="record")
        assert (counts.to_numpy() == EXPECTED).all()


SPOILED: dict[str, tuple[Callable[[], Any], str]] = {
    "areas": (lambda: geopandas.GeoSeries([shapely.box(0, 0, 1, 1)]), "none of these shapes is a point"),
    "a GeoDataFrame without geometry": (lambda: geopandas.GeoDataFrame({"a": [1]}), "no geometry column"),
    "a grid without dimensions": (lambda: xarray.DataArray(3.0), "no dimension"),
    "a lazy frame that fails": (lambda: pl.LazyFrame({"lon": [1.0]}).select(pl.col("zz")), "cannot be computed"),
    "a frame that fails later": (
        lambda: pl.LazyFrame({"lon": ["x"], "lat": ["y"]}).with_columns(pl.col("lon", "lat").cast(pl.Float64)),
        "cannot be computed",
    ),
    "one column": (lambda: duckdb.sql("select 1 a"), "one column only"),
    "a number": (lambda: 5, "a int cannot be read"),
    "a lone column": (lambda: OneColumn(TRIPS), "holds no columns"),
    "a dictionary": (lambda: {"lon": [1.0], "lat": [2.0]}, "a dict cannot be read"),
}


@pytest.mark.parametrize("name", SPOILED)
def test_a_frame_that_cannot_be_read_is_one_sentence(name: str) -> None:
    build, said = SPOILED[name]
    with pytest.raises((InputError, FileError), match=said) as caught:
        read_counts(build(), box=BOX, side=SIDE)
    assert "\n" not in str(caught.value)
