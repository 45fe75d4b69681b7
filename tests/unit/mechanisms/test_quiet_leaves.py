"""What noise puts on wide empty ground does not decide where the centers of a small town lie."""

from __future__ import annotations

import numpy as np
import pytest

from dpviz.clustering import GridTable
from dpviz.domain import ExactCounts, Grid, PlainBox
from dpviz.mechanisms import adaptive_tree
from dpviz.mechanisms.adaptive_tree import ADAPTIVE_TREE
from dpviz.mechanisms.interface import Public
from dpviz.noise import replayable_source
from dpviz.privacy import Budget

SIDE, TOWNS, DRAWS, GROUPS = 256, 3, 5, 8


def town_in_a_corner(layout: int) -> ExactCounts:
    """Eight groups in a corner of the box, and four records of a hundred in a place far away."""
    generator = np.random.default_rng([17, layout])
    middles = generator.random((GROUPS, 2)) * 0.2 + np.array([0.72, 0.06])
    spreads = generator.uniform(0.006, 0.03, (GROUPS, 1))
    part = generator.choice(GROUPS, 100_000, p=generator.dirichlet(np.full(GROUPS, 2.0)))
    places = middles[part] + generator.normal(size=(100_000, 2)) * spreads[part]
    places[:4000] = np.array([0.1, 0.9]) + generator.normal(0.0, 0.008, (4000, 2))
    cells = np.clip((places * SIDE).astype(int), 0, SIDE - 1)
    counts = np.zeros((SIDE, SIDE), np.int64)
    np.add.at(counts, (SIDE - 1 - cells[:, 1], cells[:, 0]), 1)
    return ExactCounts.from_array(Grid(PlainBox((0.0, 0.0), (1.0, 1.0)), SIDE), counts)


def mean_error() -> float:
    found = []
    for layout in range(TOWNS):
        data = town_in_a_corner(layout)
        grid = data.grid
        table = GridTable.of(data.exact_cells, cell_width=grid.cell_width, cell_height=grid.cell_height)
        best = min(table.solve(GROUPS + 1, seed=seed).cost for seed in range(2))
        plan = ADAPTIVE_TREE.plan(Public.of(data), k=GROUPS + 1, budget=Budget(epsilon=0.2))
        for draw in range(DRAWS):
            answer = ADAPTIVE_TREE.run(data, plan, replayable_source(draw))
            assert answer.centers is not None
            found.append(table.summarise(answer.centers.positions)[0] / best - 1.0)
    return float(np.mean(found))


def test_noise_on_empty_ground_does_not_hide_groups_of_a_small_town(monkeypatch: pytest.MonkeyPatch) -> None:
    error = mean_error()
    monkeypatch.setattr(adaptive_tree, "QUIET", 0.0)
    assert error < 0.75 * mean_error()
