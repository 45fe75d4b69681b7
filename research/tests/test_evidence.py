"""The measurements behind the page Evidence, on tiny settings."""

from __future__ import annotations

import numpy as np

from dpviz.domain import Adjacency, ExactCounts, Grid, PlainBox
from dpviz.mechanisms.catalogue import get
from dpviz_research import evidence_rows


def small_town() -> ExactCounts:
    cells = np.zeros((32, 32), np.int64)
    cells[4:8, 4:8] = 300
    cells[20:24, 24:28] = 200
    return ExactCounts.from_array(Grid(PlainBox((0.0, 0.0), (1.0, 1.0)), 32), cells)


def test_every_method_on_the_map_takes_maps_with_a_secret_number_of_records() -> None:
    methods = list(evidence_rows.on_the_map())
    assert {"adaptive_tree", "uniform_grid", "subsampled:adaptive_tree"} <= {method.info.name for method in methods}
    assert all(Adjacency.ADD_REMOVE_ONE in method.info.adjacencies for method in methods)


def test_errors_fall_with_the_level_and_no_answer_is_not_an_error() -> None:
    town = small_town()
    best = 1e9
    loose, asked = evidence_rows.draws_of(town, get("uniform_grid"), 2, 4.0, best, most=4)
    assert len(loose) == asked == 4
    tight, _ = evidence_rows.draws_of(town, get("uniform_grid"), 2, 0.01, best, most=4)
    assert np.median(loose) <= np.median(tight)
    assert min(loose) >= evidence_rows.LEAST


def test_a_slow_method_gets_three_draws() -> None:
    found, asked = evidence_rows.draws_of(small_town(), get("uniform_grid"), 2, 1.0, 1.0, most=50, patience=0.0)
    assert asked == len(found) == 3


def test_the_table_for_persons_never_promises_more_than_the_naive_bound() -> None:
    rows = evidence_rows.group_privacy_rows()
    assert rows and all(row["epsilon"] <= row["without_a_sample"] for row in rows)
