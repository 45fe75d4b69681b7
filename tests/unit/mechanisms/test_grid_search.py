"""The grids of Su et al. draw the same noise whichever search follows, and the guided one finds lower costs on it."""

from __future__ import annotations

import numpy as np
import pytest

from dpviz.clustering import cost
from dpviz.domain import ExactCounts, GeoBox, Grid
from dpviz.mechanisms.catalogue import get
from dpviz.mechanisms.interface import Answer, Public
from dpviz.noise import replayable_source
from dpviz.privacy import Budget

SIDE, K = 64, 12


def many_towns() -> ExactCounts:
    generator = np.random.default_rng(3)
    middles = generator.random((K, 2)) * 0.8 * SIDE + 0.1 * SIDE
    places = middles[generator.integers(0, K, 40_000)] + generator.normal(0.0, 0.8, (40_000, 2))
    cells = np.zeros((SIDE, SIDE), np.int64)
    np.add.at(cells, tuple(np.clip(places.astype(int), 0, SIDE - 1).T), 1)
    return ExactCounts.from_array(Grid(GeoBox(0.0, 0.0, 0.1, 0.1), SIDE), cells)


@pytest.mark.parametrize("name", ["uniform_grid", "hybrid"])
def test_both_searches_see_the_same_noise_and_the_guided_one_ends_lower(name: str) -> None:
    data = many_towns()
    answers = []
    for method in (get(name), get(f"{name}_paper")):
        assert method.info.name in (name, f"{name}_paper") and method.info.proof == name
        plan = method.plan(Public.of(data), k=K, budget=Budget(epsilon=0.5))
        answer = method.run(data, plan, replayable_source(1))
        assert isinstance(answer, Answer) and answer.coreset is not None and answer.centers is not None
        answers.append(answer)
    ours, printed = answers
    assert np.array_equal(ours.coreset.weights, printed.coreset.weights)
    grid = data.grid
    rows, columns = np.nonzero(data.exact_cells)
    places = np.column_stack([(columns + 0.5) * grid.cell_width, (SIDE - rows - 0.5) * grid.cell_height])
    costs = [cost(places, data.exact_cells[rows, columns].astype(float), one.centers.positions) for one in answers]
    assert costs[0] < 0.8 * costs[1]
