"""A release in which noise left no record anywhere is stored and read like any other."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import dpviz
from dpviz import Budget, ExactCounts, GeoBox, Grid, Release


def test_a_release_without_a_single_point_is_saved_and_loaded(tmp_path: Path) -> None:
    empty = ExactCounts.from_array(Grid(GeoBox(-74.05, 40.70, -73.90, 40.80), 4), np.zeros((4, 4), np.int64))
    found = [dpviz.release(empty, 1, Budget(epsilon=50.0), "adaptive_tree", seed=seed) for seed in range(5)]
    pointless = [
        one for one in found if isinstance(one, Release) and one.raw_coreset is not None and not len(one.raw_coreset)
    ]
    assert pointless  # hardly any noise, so that no cell holds anything
    for number, one in enumerate(pointless):
        one.save(tmp_path / str(number))
        assert Release.load(tmp_path / str(number)).files() == one.files()
