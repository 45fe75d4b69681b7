"""A pick between two clusterings that the synopsis cannot tell apart: when it is bought, and what it finds."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from dpviz.clustering import alternatives, cost, solve_kmeans
from dpviz.domain import ExactCounts, Grid, PlainBox
from dpviz.mechanisms.adaptive_tree import mechanism
from dpviz.mechanisms.adaptive_tree.budget import Shares
from dpviz.mechanisms.adaptive_tree.growth import Pyramid
from dpviz.mechanisms.adaptive_tree.mechanism import ADAPTIVE_TREE
from dpviz.mechanisms.adaptive_tree.residual import Pick, Synopsis, plan_pick
from dpviz.mechanisms.interface import Answer, Public
from dpviz.noise import NoiseSource, replayable_source
from dpviz.privacy import Budget

EXTENT = np.array([1.0, 1.0])
SQUARE = PlainBox((0.0, 0.0), (1.0, 1.0))
SIDE = 64
PAIRS = ((0.2, 0.2), (0.2, 0.3), (0.8, 0.7), (0.8, 0.8))


def four_places(south: int, north: int) -> np.ndarray:
    """Two pairs of places; the heavier pair is the one that three centers have to tell apart."""
    cells = np.zeros((SIDE, SIDE), np.int64)
    for (x, y), count in zip(PAIRS, (south, south, north, north), strict=True):
        cells[SIDE - 1 - int(y * SIDE), int(x * SIDE)] = count
    return cells


def seen(cells: np.ndarray, deviation: float) -> Synopsis:
    rows, columns = np.nonzero(cells)
    places = np.column_stack([(columns + 0.5) / SIDE, (SIDE - rows - 0.5) / SIDE])
    return Synopsis(
        positions=places, weights=cells[rows, columns].astype(np.float64), variances=np.full(len(rows), deviation**2)
    )


def found_on(synopsis: Synopsis) -> np.ndarray:
    return solve_kmeans(synopsis.positions, synopsis.weights, 3, seed=0).centers


def pyramid(cells: np.ndarray) -> Pyramid:
    return Pyramid(ExactCounts.from_array(Grid(SQUARE, SIDE), cells))


def test_alternatives_are_the_clusterings_that_other_noise_would_have_shown() -> None:
    synopsis = seen(four_places(1000, 1010), deviation=100.0)
    found = found_on(synopsis)
    box = {"low": np.zeros(2), "high": EXTENT}
    both = alternatives(synopsis.positions, synopsis.weights, synopsis.variances, found, seed=3, **box)
    costs = [cost(synopsis.positions, synopsis.weights, one) for one in both]
    assert len(both) == 2 and costs == sorted(costs)
    sure = seen(four_places(1000, 1010), deviation=1e-3)
    assert len(alternatives(sure.positions, sure.weights, sure.variances, found, seed=3, **box)) == 1


@pytest.mark.parametrize("heavier", ["south", "north"])
def test_a_pick_finds_the_clustering_that_records_prefer(heavier: str) -> None:
    synopsis = seen(four_places(10_000, 10_010), deviation=1000.0)
    truth = four_places(11_000, 9_000) if heavier == "south" else four_places(9_000, 11_000)
    pick = plan_pick(synopsis, found_on(synopsis), Fraction(1), 5, EXTENT)
    assert pick is not None and 0 < pick.spend < 1
    records = seen(truth, 1.0)
    for seed in range(5):
        chosen = pick.made(pyramid(truth), replayable_source(seed))
        assert cost(records.positions, records.weights, chosen) == pytest.approx(
            min(cost(records.positions, records.weights, one) for one in (pick.first, pick.second))
        )


def test_nothing_is_bought_where_the_synopsis_is_sure_or_holds_too_little() -> None:
    sure = seen(four_places(10_000, 12_000), deviation=10.0)
    assert plan_pick(sure, found_on(sure), Fraction(1), 5, EXTENT) is None
    doubtful = seen(four_places(10_000, 10_010), deviation=1000.0)
    nothing = replace(doubtful, weights=np.zeros(4))
    assert plan_pick(nothing, found_on(doubtful), Fraction(1), 5, EXTENT) is None


@pytest.mark.parametrize("width", [1e-100, 1e-81, 1e-75, 1e40, 1e78, 1e90, 1e150])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_boxes_of_any_size_get_an_answer(width: float) -> None:
    cells = np.zeros((32, 32), np.int64)
    cells[3::8, 2::7] = 500 + 40 * np.arange(4)[:, None] * np.arange(5)
    data = ExactCounts.from_array(Grid(PlainBox((0.0, 0.0), (width, width)), 32), cells, relation="add-remove")
    plan = ADAPTIVE_TREE.plan(Public.of(data), k=9, budget=Budget(epsilon=8.0))
    found = ADAPTIVE_TREE.run(data, plan, replayable_source(3)).centers
    assert found is not None and found.positions.shape == (9, 2)


def test_a_number_that_is_far_off_says_no_more_than_one_that_is_just_off() -> None:
    synopsis = seen(four_places(10_000, 10_010), deviation=1000.0)
    pick = plan_pick(synopsis, found_on(synopsis), Fraction(1), 5, EXTENT)
    assert pick is not None
    sure = replace(pick, gap=pick.gap + 1e9)

    class Wild:
        def exact_cost_difference(self, first: np.ndarray, second: np.ndarray, radius: float, lattice: int) -> int:
            return -(2**60)

    np.testing.assert_array_equal(sure.made(Wild(), replayable_source(0)), pick.first)


def test_a_pick_pays_from_the_first_round() -> None:
    shares = Shares.of(Fraction(1), (Fraction(9, 20),))
    paid = shares.with_pick(Fraction(1, 10))
    assert paid.residual == (Fraction(7, 20),) and paid.pick == Fraction(1, 10)
    assert paid.tree + paid.pick + sum(paid.residual) == 1
    with pytest.raises(ValueError, match="add up"):
        replace(shares, pick=Fraction(1, 10))
    with pytest.raises(ValueError, match="above 0"):
        shares.with_pick(Fraction(9, 20))


def test_what_a_pick_cost_is_told_with_the_release(monkeypatch: pytest.MonkeyPatch) -> None:
    data = ExactCounts.from_array(Grid(SQUARE, SIDE), four_places(10_000, 10_010))
    plan = ADAPTIVE_TREE.plan(Public.of(data), k=8, budget=Budget(epsilon=1.0))
    spent: list[Fraction] = []

    def asked(synopsis: Synopsis, centers: np.ndarray, budget: Fraction, seed: int, extent: np.ndarray) -> Pick | None:
        spent.append(budget)
        return Pick(first=centers, second=centers[::-1], spend=budget / 4, radius=1.0, gap=0.0, expected=0.0, doubt=1.0)

    def run(noise: NoiseSource) -> Answer:
        answer = ADAPTIVE_TREE.run(data, plan, noise)
        assert isinstance(answer, Answer)
        return answer

    monkeypatch.setattr(mechanism, "plan_pick", asked)
    constants = run(replayable_source(1)).constants
    whole = Fraction(plan.charges[-1].epsilon)
    assert constants["pick_share"] == pytest.approx(float(spent[0] / 4 / whole))
    assert constants["residual_shares"] == pytest.approx((float(spent[0] * 3 / 4 / whole),))
    monkeypatch.setattr(mechanism, "plan_pick", lambda *_: None)
    assert "pick_share" not in run(replayable_source(1)).constants


def test_one_center_is_never_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mechanism, "plan_pick", lambda *_: pytest.fail("it was asked"))
    data = ExactCounts.from_array(Grid(SQUARE, SIDE), four_places(10_000, 10_010))
    plan = ADAPTIVE_TREE.plan(Public.of(data), k=1, budget=Budget(epsilon=1.0))
    ADAPTIVE_TREE.run(data, plan, replayable_source(1))


def test_a_few_centers_are_compared_where_the_synopsis_cannot_tell() -> None:
    data = ExactCounts.from_array(Grid(SQUARE, SIDE), four_places(4_000, 4_003))
    plan = ADAPTIVE_TREE.plan(Public.of(data), k=3, budget=Budget(epsilon=0.5))
    bought = []
    for seed in range(12):
        answer = ADAPTIVE_TREE.run(data, plan, replayable_source(seed))
        assert isinstance(answer, Answer)
        bought.append("pick_share" in answer.constants)
    assert any(bought)
