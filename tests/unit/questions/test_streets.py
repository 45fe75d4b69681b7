"""Records by street: lengths decide inside cells, ranges hold, and cells that say nothing of a street say so."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dpviz
from dpviz.errors import InputError, NotOffered

shapely = pytest.importorskip("shapely")
BOX = dpviz.GeoBox(11.0, 43.0, 11.1, 43.08)


def grid_of_streets() -> dict[str, Any]:
    """Nine streets from west to east, nine from south to north."""
    across = [[[11.002, y], [11.098, y]] for y in np.linspace(43.004, 43.076, 9)]
    up = [[[x, 43.002], [x, 43.078]] for x in np.linspace(11.005, 11.095, 9)]
    features = [
        {
            "type": "Feature",
            "properties": {"name": f"street {at}"},
            "geometry": {"type": "LineString", "coordinates": line},
        }
        for at, line in enumerate([*across, *up])
    ]
    return {"type": "FeatureCollection", "features": features}


@pytest.fixture(scope="module")
def city() -> tuple[dpviz.ExactCounts, np.ndarray]:
    """Counts of records on these streets, some busier than others, and how many are nearest to each."""
    draw = np.random.default_rng(4)
    lines = [np.array(one["geometry"]["coordinates"]) for one in grid_of_streets()["features"]]
    busy = np.exp(draw.normal(0.0, 0.6, len(lines)))
    which = draw.choice(len(lines), 60_000, p=busy / busy.sum())
    along = draw.random((60_000, 1))
    ends = np.array(lines)[which]
    places = ends[:, 0] * (1.0 - along) + ends[:, 1] * along + draw.normal(0.0, 2e-5, (60_000, 2))
    counts = dpviz.read_counts(places, box=BOX, side=512)
    frame = counts.grid.frame
    local = np.array([shapely.linestrings(frame.to_local(line)) for line in lines])
    near = shapely.STRtree(local).nearest(shapely.points(frame.to_local(places)))
    return counts, np.bincount(near, minlength=len(lines))


def test_ranges_hold_the_records_nearest_to_each_street(city: tuple[dpviz.ExactCounts, np.ndarray]) -> None:
    counts, truth = city
    for epsilon in (0.2, 2.0):
        release = dpviz.release(counts, 3, dpviz.Budget(epsilon=epsilon), seed=5, purpose="any question")
        found = release.streets(grid_of_streets())
        assert list(found.columns) == ["street", "length_m", "estimate", "low", "high", "note"]
        assert list(found["street"]) == [f"street {at}" for at in range(18)]
        assert found["estimate"].sum() == pytest.approx(release.total().estimate, rel=1e-6)
        assert ((found["low"] <= truth) & (truth <= found["high"])).mean() >= 0.85
    assert np.corrcoef(found["estimate"], truth)[0, 1] > 0.95
    assert (found["note"] == "").all()


def test_cells_that_say_nothing_of_single_streets_say_so(city: tuple[dpviz.ExactCounts, np.ndarray]) -> None:
    release = dpviz.release(city[0], 3, dpviz.Budget(epsilon=0.5), seed=1)
    beside = grid_of_streets()
    line = beside["features"][3]["geometry"]["coordinates"]
    for at in range(6):
        near = [[x, y + (at + 1) * 2e-5] for x, y in line]
        beside["features"].append(
            {"type": "Feature", "properties": {}, "geometry": {"type": "LineString", "coordinates": near}}
        )
    found = release.streets(json.dumps(beside))
    assert (found["note"].iloc[18:] != "").all() and found["street"].iloc[20] == ""


def test_map_files_and_what_is_no_street(city: tuple[dpviz.ExactCounts, np.ndarray], tmp_path: Path) -> None:
    release = dpviz.release(city[0], 3, dpviz.Budget(epsilon=0.5), seed=1)
    streets = grid_of_streets()
    streets["features"][0]["properties"]["highway"] = "residential"
    streets["features"][1]["properties"]["highway"] = "primary"
    file = tmp_path / "streets.geojson"
    file.write_text(json.dumps(streets))
    assert list(release.streets(file)["street"]) == ["street 0", "street 1"]  # the others are not said to be streets
    with pytest.raises(InputError, match="no GeoJSON"):
        release.streets({"type": "nothing"})
    with pytest.raises(InputError, match="0 streets"):
        release.streets({"type": "LineString", "coordinates": [[0, 0], [1, 1]]})
    plain = dpviz.ExactCounts.from_array(dpviz.Grid(dpviz.PlainBox((0.0, 0.0), (1.0, 1.0)), 8), np.full((8, 8), 9))
    with pytest.raises(NotOffered, match="on a map"):
        dpviz.release(plain, 2, dpviz.Budget(epsilon=1.0), seed=1).streets(streets)
