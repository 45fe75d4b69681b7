"""What Blocki, Grigorescu and Mukherjee state, measured: samples stand for the whole, groups get (Tε, δ_T)."""

from __future__ import annotations

import numpy as np
import pytest

from dpviz.domain import ExactCounts, Grid, PlainBox
from dpviz.privacy import Budget
from dpviz_research.papers.blocki2021 import PLAIN, SMALL_DELTA, group_rows, sample_rows, without_replacement

pytestmark = pytest.mark.paper


@pytest.fixture(scope="module")
def town() -> ExactCounts:
    rng = np.random.default_rng(4)
    middles = rng.uniform(8, 56, (5, 2))
    rows = np.clip(middles[rng.integers(5, size=200_000)] + rng.normal(size=(200_000, 2)) * 3, 0, 63).astype(int)
    cells = np.bincount(rows[:, 0] * 64 + rows[:, 1], minlength=64 * 64).reshape(64, 64)
    return ExactCounts.from_array(Grid(PlainBox((0.0, 0.0), (64.0, 64.0)), 64), cells)


def test_a_sample_holds_so_many_different_records(town: ExactCounts) -> None:
    sample = without_replacement(town, 5_000, seed=1)
    assert sample.exact_total == sample.public_rows == 5_000
    assert (sample.exact_cells <= town.exact_cells).all()


def test_the_cost_of_a_sample_s_centers_falls_toward_the_optimum_as_it_grows(town: ExactCounts) -> None:
    rows = list(sample_rows(town, (300, 30_000), 3))
    for objective in ("k-means", "k-median"):
        for method in (PLAIN, "adaptive_tree"):
            few, many = (
                next(
                    row["excess_median"]
                    for row in rows
                    if (row["objective"], row["method"], row["sample"]) == (objective, method, size)
                )
                for size in (300, 30_000)
            )
            assert many < few / 2
            assert many < 0.02


def test_a_sample_amplifies_and_the_row_says_how_much(town: ExactCounts) -> None:
    row = next(row for row in sample_rows(town, (2_000,), 1) if row["method"] == "uniform_grid")
    assert row["epsilon_of_whole_run"] == pytest.approx(np.log1p(0.01 * (np.e - 1)), rel=1e-6)


def test_large_groups_get_far_less_than_g_times_epsilon_at_a_negligible_delta() -> None:
    rows = list(group_rows(Budget(epsilon=1.0)))
    by = {(row["way"], row["sample"], row["g"]): row for row in rows if row["way"] != "tail"}
    for drawn in (1_000, 10_000, 100_000):
        row = by["T of the group", drawn, 1_000]
        assert row["epsilon"] < 1_000 / 5 and row["delta"] <= SMALL_DELTA


def test_the_naive_bound_is_never_better_than_the_best_one() -> None:
    rows = list(group_rows(Budget(epsilon=4.2)))
    naive = {row["g"]: row["epsilon"] for row in rows if row["way"] == "naive"}
    best = [row for row in rows if row["way"] == "best"]
    assert best and all(row["epsilon"] <= naive[row["g"]] for row in best)


def test_delta_of_t_falls_as_t_grows() -> None:
    tails = [row for row in group_rows(Budget(epsilon=1.0)) if row["way"] == "tail" and row["g"] == 100]
    for drawn in {row["sample"] for row in tails}:
        deltas = [row["delta"] for row in tails if row["sample"] == drawn]
        assert deltas == sorted(deltas, reverse=True) and deltas[0] > 0 and len(deltas) > 5
