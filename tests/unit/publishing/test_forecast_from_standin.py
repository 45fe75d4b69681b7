"""The forecast of strict mode looks at the stand-in only, costs nothing, and its band holds real draws."""

from __future__ import annotations

import numpy as np
import pytest

from dpviz.clustering import GridTable, kmeans_on_grid
from dpviz.domain import ExactCounts, Grid
from dpviz.errors import InputError
from dpviz.ledger.ledger import Ledger
from dpviz.mechanisms.adaptive_tree.mechanism import ADAPTIVE_TREE
from dpviz.mechanisms.interface import Answer, Public
from dpviz.noise import replayable_source
from dpviz.privacy import Budget
from dpviz.publishing.mechanism_run import release
from dpviz.publishing.registration import register
from dpviz.publishing.standin import forecast_from_standin, make_standin
from dpviz.releases.release import Release
from dpviz_research.synthetic import SYNTHETIC_BOX, synthetic_city

SIDE = 128


def city(n: int = 60_000) -> ExactCounts:
    grid = Grid(SYNTHETIC_BOX, SIDE)
    places = synthetic_city(n, 5, "peer")
    flat = grid.cells(places[:, 0], places[:, 1])
    cells = np.bincount(flat[flat >= 0], minlength=SIDE**2).reshape(SIDE, SIDE)
    return ExactCounts.from_array(grid, cells)


def standin_of(data: ExactCounts, epsilon: float = 1.0) -> Release:
    found = release(data, 1, Budget(epsilon=epsilon), "adaptive_tree", seed=3)
    assert isinstance(found, Release)
    return found


def real_errors(data: ExactCounts, k: int, epsilon: float, draws: int) -> np.ndarray:
    width, height = data.grid.cell_width, data.grid.cell_height
    table = GridTable.of(data.exact_cells, cell_width=width, cell_height=height)
    best = min(
        kmeans_on_grid(data.exact_cells, k, cell_width=width, cell_height=height, seed=seed).cost for seed in range(4)
    )
    plan = ADAPTIVE_TREE.plan(Public.of(data), k=k, budget=Budget(epsilon=epsilon))
    costs = []
    for seed in range(draws):
        answer = ADAPTIVE_TREE.run(data, plan, replayable_source(seed))
        assert isinstance(answer, Answer) and answer.centers is not None
        costs.append(table.summarise(answer.centers.positions)[0])
    errors: np.ndarray = np.array(costs) / best - 1.0
    return errors


@pytest.mark.parametrize(("k", "epsilon"), [(1, 0.05), (5, 0.05), (8, 0.1)])
def test_the_band_from_the_stand_in_is_about_where_real_errors_are(k: int, epsilon: float) -> None:
    data = city()
    found = forecast_from_standin(standin_of(data), k=k, budget=Budget(epsilon=epsilon), method="adaptive_tree")
    assert found is not None and found.method == "adaptive_tree"
    errors = real_errors(data, k, epsilon, 16)
    assert found.low <= found.expected <= found.high
    assert 1 / 5 < np.median(errors) / found.expected < 5
    assert np.mean((errors >= found.low / 2) & (errors <= 2 * found.high)) >= 0.7
    planted = 30 * found.expected
    assert not 1 / 5 < np.median(errors) / planted < 5, "a forecast thirty times too high must fail"


def test_a_forecast_spends_nothing_and_is_the_same_again(counts: ExactCounts, ledger: Ledger) -> None:
    dataset = register("strict", counts, total=Budget(epsilon=2.0), ledger=ledger, standin_share=0.25)
    standin = make_standin(dataset)
    assert isinstance(standin, Release)
    before = dataset.remaining
    first = forecast_from_standin(standin, k=3, budget=Budget(epsilon=0.5), draws=4)
    again = forecast_from_standin(standin, k=3, budget=Budget(epsilon=0.5), draws=4)
    assert first is not None and first == again
    assert dataset.remaining == before


def test_more_budget_promises_a_smaller_error() -> None:
    standin = standin_of(city(20_000))
    expected = []
    for epsilon in (0.02, 0.2, 2.0):
        found = forecast_from_standin(standin, k=3, budget=Budget(epsilon=epsilon), method="adaptive_tree", draws=6)
        assert found is not None
        expected.append(found.expected)
    assert expected == sorted(expected, reverse=True)


def test_a_method_that_would_give_no_answer_has_no_forecast() -> None:
    standin = standin_of(city(300), epsilon=1.0)
    assert forecast_from_standin(standin, k=10, budget=Budget(epsilon=0.01), method="peeled_balls", draws=3) is None


def test_a_method_without_centers_is_searched_on_its_coreset() -> None:
    found = forecast_from_standin(
        standin_of(city(20_000)), k=3, budget=Budget(epsilon=2.0), method="centred_lines", draws=2
    )
    assert found is not None and 0.0 <= found.low <= found.high


@pytest.mark.parametrize("draws", [0, -1, 2.5, True])
def test_a_number_of_draws_is_whole_and_above_nothing(draws: object) -> None:
    with pytest.raises(InputError, match="whole number of draws"):
        forecast_from_standin(standin_of(city(300)), k=1, budget=Budget(epsilon=1.0), draws=draws)  # type: ignore[arg-type]
