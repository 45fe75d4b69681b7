"""A release as frames of other libraries holds the numbers of its own tables."""

from __future__ import annotations

import numpy as np
import pytest

import dpviz
from dpviz.errors import InputError, NotOffered


@pytest.fixture(scope="module")
def release() -> dpviz.Release:
    rng = np.random.default_rng(1)
    rows = rng.normal([-73.98, 40.75], 0.01, size=(4000, 2))
    counts = dpviz.read_counts(rows, box="New York, Manhattan", side=64)
    return dpviz.release(counts, 3, dpviz.Budget(epsilon=1.0), seed=2)


def test_tables_with_geometry_and_of_polars_are_those_of_pandas(release: dpviz.Release) -> None:
    for what in ("centers", "coreset", "cells", "measurements"):
        table = getattr(release, what)
        with_shapes, polars = release.to_geodataframe(what), release.to_polars(what)
        assert len(with_shapes) == len(polars) == len(table)
        assert with_shapes.crs.to_epsg() == 4326 and "epsilon" in with_shapes.attrs["guarantee"]
        for name in table.columns:
            assert (polars[name].to_numpy() == table[name].to_numpy()).all()
    centers = release.to_geodataframe()
    assert (centers.geometry.x == release.centers["lon"]).all()
    low, high = release.frame.low, release.frame.high
    assert np.allclose(release.to_geodataframe("cells").total_bounds, [*low, *high])


def test_a_grid_holds_estimates_with_their_ranges(release: dpviz.Release) -> None:
    grid = release.to_xarray(side=8)
    assert grid["estimate"].dims == ("lat", "lon") and grid.sizes == {"lat": 8, "lon": 8}
    assert (grid["low"] <= grid["estimate"]).all() and (grid["estimate"] <= grid["high"]).all()
    box = release.frame
    west, north = box.low[0], box.high[1]
    corner = (west, north - (box.high[1] - box.low[1]) / 8, west + (box.high[0] - box.low[0]) / 8, north)
    assert float(grid["estimate"][-1, 0]) == pytest.approx(release.count(corner).estimate, abs=1e-6)


def test_what_is_not_offered_is_said(release: dpviz.Release) -> None:
    with pytest.raises(InputError, match="give one of 'centers'"):
        release.to_polars("everything")
    with pytest.raises(InputError, match="whole number from 1 to 256"):
        release.to_xarray(side=0)
    trips = dpviz.release(dpviz.builtin("nyc-trips"), 2, dpviz.Budget(epsilon=1.0), seed=1)
    assert set(trips.to_geodataframe().geometry.geom_type) == {"LineString"}
    with pytest.raises(NotOffered, match="two dimensions"):
        trips.to_xarray()
    with pytest.raises(NotOffered, match="places on a map"):
        trips.to_geodataframe("cells")
