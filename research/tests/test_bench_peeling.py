"""The benchmark of peeled_balls: rows that say what was run, on maps that are what their names say."""

from __future__ import annotations

import numpy as np
import pytest

from dpviz.noise import replayable_source
from dpviz_research import bench_peeling
from dpviz_research.hostile_counts import HOSTILE

RECORDS, SIDE = 60_000, 64


def test_a_row_of_a_run_has_the_first_run_and_later_ones() -> None:
    counts = bench_peeling.peer_counts(RECORDS, SIDE)
    (row,) = bench_peeling.of_a_run("whole run", counts, 2, 1.0, replayable_source(1), repeats=2, records=RECORDS)
    assert row["answer"] and row["rounds"] > 2 and row["records"] == RECORDS and row["noise"] == "replayable"
    assert 0 < row["wall_least_ms"] <= row["wall_median_ms"] and row["first_wall_ms"] > 0


def test_the_steps_of_a_run_are_told_apart() -> None:
    steps = [row["step"] for row in bench_peeling.where_time_goes(bench_peeling.peer_counts(RECORDS, SIDE), 2)]
    assert {"largest windows", "groups of scores", "removal", "refinement", "working copy"} <= set(steps)


def test_engine_and_twin_are_compared_on_the_same_noise() -> None:
    engine, twin = bench_peeling.against_twin(bench_peeling.peer_counts(RECORDS, SIDE))
    assert engine["same_centers"] and twin["same_centers"] and engine["times_slower"] == 1.0


def test_from_arrays_to_both_sets_of_centers_adds_up() -> None:
    *steps, whole = bench_peeling.from_arrays(RECORDS, SIDE, repeats=1)
    assert whole["step"] == "all of it" and len(steps) == 4
    assert whole["cpu_least_ms"] == pytest.approx(sum(step["cpu_least_ms"] for step in steps), abs=0.5)


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_maps_hold_about_the_records_asked_for(name: str) -> None:
    cells = HOSTILE[name](64, 40_000)
    assert cells.shape == (64, 64) and cells.dtype == np.int64 and cells.min() >= 0
    assert 0.8 * 40_000 <= cells.sum() <= 1.2 * 40_000
