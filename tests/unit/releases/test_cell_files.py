from __future__ import annotations

import io
import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpviz.domain import ExactCounts, GeoBox, Grid
from dpviz.errors import StoreError
from dpviz.privacy import Budget
from dpviz.publishing.mechanism_run import release
from dpviz.releases.document import PROOF, read_document
from dpviz.releases.release import Release
from dpviz.releases.tables import CELLS, MEASUREMENTS, parse_cells


@pytest.fixture(scope="module")
def made() -> Release:
    rng = np.random.default_rng(7)
    counts = ExactCounts.from_array(Grid(GeoBox(-74.05, 40.70, -73.90, 40.80), 32), rng.poisson(4.0, size=(32, 32)))
    found = release(counts, 2, Budget(epsilon=1.0), "adaptive_tree", seed=1)
    assert isinstance(found, Release)
    return found


def test_a_loaded_release_answers_as_the_saved_one(made: Release, tmp_path: Path) -> None:
    loaded = Release.load(made.save(tmp_path / "out"))
    area = (-74.0, 40.71, -73.95, 40.77)
    assert loaded.count(area) == made.count(area)
    assert loaded.centers_for(4).equals(made.centers_for(4))
    assert loaded.cells.equals(made.cells) and len(loaded.measurements) == len(made.measurements)  # type: ignore


def test_cells_are_a_geoparquet_and_a_geojson_where_they_are_few(made: Release) -> None:
    files = made.files()
    facts = json.loads(pq.ParquetFile(io.BytesIO(files[CELLS])).schema_arrow.metadata[b"geo"])
    assert facts["columns"]["geometry"]["geometry_types"] == ["Polygon"]
    first = pq.read_table(io.BytesIO(files[CELLS])).column("geometry")[0].as_py()
    assert len(first) == 93 and first[:5] == b"\x01\x03\x00\x00\x00"
    features = json.loads(files["cells.geojson"])["features"]
    assert len(features) == len(made.cells)  # type: ignore[arg-type]


def test_a_folder_of_the_first_version_still_loads(made: Release) -> None:
    files = dict(made.files())
    for name in (CELLS, MEASUREMENTS, "cells.geojson", "datapackage.json", PROOF):
        files.pop(name, None)
    document = json.loads(files["release.json"])
    document["files"] = {name: digest for name, digest in document["files"].items() if name in files}
    document["schema_version"] = 1
    del document["cells"]
    files["release.json"] = json.dumps(document).encode()
    loaded = read_document(files)
    assert isinstance(loaded, Release) and loaded.cells is None
    assert len(loaded.centers_for(3)) == 3, "searches then work on the coreset"


def changed(content: bytes, column: str, values: object) -> bytes:
    table = pq.read_table(io.BytesIO(content))
    at = table.column_names.index(column)
    out = io.BytesIO()
    pq.write_table(table.set_column(at, column, pa.array(values)), out)
    return out.getvalue()


def test_tables_that_do_not_fit_are_refused_with_what_does_not_fit(made: Release) -> None:
    files, frame = made.files(), made.frame
    said = json.loads(files["release.json"])["cells"]
    size, many = said["measurements"], said["cells"]
    planted = {
        "not finite": (changed(files[CELLS], "count", np.full(many, np.nan)), files[MEASUREMENTS]),
        "variance": (files[CELLS], changed(files[MEASUREMENTS], "variance", np.zeros(size))),
        "outside the public box": (files[CELLS], changed(files[MEASUREMENTS], "west", np.full(size, -80.0))),
        "parent": (files[CELLS], changed(files[MEASUREMENTS], "parent", np.full(size, 10**6))),
        "leaves out a node": (files[CELLS], changed(files[MEASUREMENTS], "node", np.full(size, 7))),
        "charge": (files[CELLS], changed(files[MEASUREMENTS], "charge", np.full(size, 9))),
        "listed twice": (
            changed(files[CELLS], "node", np.full(many, int(made.cells["node"].iloc[0]))),
            files[MEASUREMENTS],
        ),  # type: ignore[index]
        "not the table": (b"PAR1", files[MEASUREMENTS]),
    }
    for words, (cells, measurements) in planted.items():
        with pytest.raises(StoreError, match=words):
            parse_cells(frame, said, cells, measurements)
    with pytest.raises(StoreError, match="number of rows"):
        parse_cells(frame, {**said, "cells": many + 1}, files[CELLS], files[MEASUREMENTS])


def test_thirty_thousand_cells_stay_below_three_megabytes() -> None:
    from dpviz.domain import Coreset, ExactCounts, Grid
    from dpviz.mechanisms.interface import Plan
    from dpviz.mechanisms.uniform_grid import grid_cells
    from dpviz.privacy import Charge
    from dpviz.releases.tables import cell_files

    frame = GeoBox(-74.05, 40.70, -73.90, 40.80).frame
    side = 173
    rng = np.random.default_rng(1)
    middles = (np.indices((side, side)).reshape(2, -1).T + 0.5) / side * frame.extent
    coreset = Coreset(
        frame=frame, positions=middles, weights=rng.normal(100, 30, side**2), variances=rng.random(side**2) + 1
    )
    grid = ExactCounts.from_array(Grid(GeoBox(-74.05, 40.70, -73.90, 40.80), 2), np.ones((2, 2), np.int64))
    charges = (Charge(name="total", epsilon=0.5), Charge(name="counts", epsilon=0.5))
    plan = Plan(method="uniform_grid", k=2, budget=Budget(epsilon=1.0), charges=charges)
    tree = grid_cells(grid, coreset, 3_000_000, plan)
    assert sum(len(content) for content in cell_files(tree).values()) < 3 * 2**20
