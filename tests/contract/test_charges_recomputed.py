"""The second computation: the price of a run, from what was drawn alone, against what its plan charged.

An audit by sampling cannot see a missing charge of 3 %; this can. Sensitivities are stated here once more, from the
proofs, not taken from the mechanisms.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
import pytest

from dpviz.domain import Adjacency, ExactCounts, GeoBox, Grid
from dpviz.mechanisms import catalogue
from dpviz.mechanisms.interface import Public
from dpviz.noise import decisions, replayable_source
from dpviz.privacy import Budget, epsilon_of_zcdp
from tests.oracles.recorded_source import Draw, RecordedSource

GRID = Grid(GeoBox(-74.05, 40.70, -73.90, 40.80), 64)
K = 3
RELATIONS = list(Adjacency)
Price = Callable[[Sequence[Draw], int], float]


def priced(draws: Sequence[Draw]) -> list[Draw]:
    """Only the draws that touch exact data; coins and whole numbers choose nothing about it."""
    return [draw for draw in draws if draw.kind in ("laplace", "gaussian", "select")]


def total_and_rest(draws: Sequence[Draw], touched: int) -> tuple[float, list[Draw]]:
    """Under add-remove the first draw buys the number of records; under replace that number is public."""
    listed = priced(draws)
    if touched == 2:
        return 0.0, listed
    first = listed[0]
    assert (first.kind, first.size) == ("laplace", 1) and first.scale is not None
    return 1 / first.scale, listed[1:]


def step_price(counts: Draw, sums: Draw, touched: int) -> float:
    """One noisy step of k-means in two dimensions: a record moves one count by 1 and two sums by the half-width."""
    assert counts.scale is not None and sums.scale is not None and (counts.size, sums.size) == (K, 2 * K)
    return touched * (1 / counts.scale + 2 * 2**14 / sums.scale)


def price_of_uniform_grid(draws: Sequence[Draw], touched: int) -> float:
    total, (cells,) = total_and_rest(draws, touched)
    assert cells.scale is not None
    return total + touched / cells.scale


def price_of_noisy_lloyd(draws: Sequence[Draw], touched: int) -> float:
    listed = priced(draws)
    return math.fsum(step_price(*pair, touched) for pair in zip(listed[::2], listed[1::2], strict=True))


def price_of_hybrid(draws: Sequence[Draw], touched: int) -> float:
    total, (cells, *step) = total_and_rest(draws, touched)
    assert cells.scale is not None
    return total + touched / cells.scale + (step_price(step[0], step[1], touched) if step else 0.0)


def price_of_genetic(draws: Sequence[Draw], touched: int) -> float:
    """Selections of minus the cost, which one record moves by the squared diagonal; in one direction if added."""
    total, selections = total_and_rest(draws, touched)
    extent = GRID.frame.extent / (GRID.frame.extent.max() / 2**12)
    diagonal = float((np.rint(extent) ** 2).sum())
    spent = 0.0
    for draw in selections:
        assert draw.kind == "select" and draw.epsilon is not None and draw.sensitivity is not None
        assert not (draw.monotone and touched == 2)
        spent += draw.epsilon * diagonal / draw.sensitivity
    return total + spent


def price_of_adaptive_tree(draws: Sequence[Draw], touched: int) -> float:
    """The dearest path: first counts down to a depth, then one more count with all that is left; then residuals.

    A live chain is known by its easy steps. Each depth draws, for every number of easy steps so far: second counts of
    nodes that stop; children of last splits; children of splits; children of splits by an easy step.
    """
    total, (roots, *rest) = total_and_rest(draws, touched)
    assert roots.scale is not None
    residual = [draw for draw in rest if draw.scale is not None and draw.scale >= 2**18]  # sums, in fine steps
    assert all(draw.size == 2 * K for draw in residual)
    left = rest[: len(rest) - len(residual)]
    live, dearest, depth = {0: 1 / roots.scale}, 0.0, 0
    while left:
        again, left = left[: depth + 1], left[depth + 1 :]
        kinds, left = [left[at * (depth + 1) : (at + 1) * (depth + 1)] for at in range(3)], left[3 * (depth + 1) :]
        below: dict[int, float] = {}
        for kind, group in enumerate((again, *kinds)):
            for easy, draw in enumerate(group):
                assert draw.scale is not None
                if draw.size:
                    spent = live[easy] + 1 / draw.scale
                    dearest = max(dearest, spent)
                    if kind >= 2:
                        after = easy + (kind == 3)
                        below[after] = max(below.get(after, 0.0), spent)
        live, depth = below, depth + 1
    clipped = math.fsum(2**20 / draw.scale for draw in residual if draw.scale is not None)
    return total + touched * (dearest + clipped)


PRICES: dict[str, Price] = {
    "uniform_grid": price_of_uniform_grid,
    "noisy_lloyd": price_of_noisy_lloyd,
    "hybrid": price_of_hybrid,
    "genetic": price_of_genetic,
    "adaptive_tree": price_of_adaptive_tree,
}


def exact_counts(relation: Adjacency, records: int) -> ExactCounts:
    generator = np.random.default_rng(records)
    middles = np.array([[12, 12], [48, 20], [28, 50]])
    points = middles[generator.integers(3, size=records)] + generator.normal(0, 3, (records, 2))
    cells = np.zeros((64, 64), np.int64)
    np.add.at(cells, tuple(np.clip(points.astype(int), 0, 63).T), 1)
    return ExactCounts.from_array(GRID, cells, relation=relation)


def charged_and_priced(name: str, relation: Adjacency, records: int, epsilon: float) -> tuple[list[float], float]:
    method, data = catalogue.get(name), exact_counts(relation, records)
    plan = method.plan(Public.of(data), k=K, budget=Budget(epsilon=epsilon))
    source = RecordedSource(replayable_source(11))
    method.run(data, plan, source)
    touched = 1 if relation is Adjacency.ADD_REMOVE_ONE else 2
    return [charge.epsilon for charge in plan.charges], PRICES[name](source.draws, touched)


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("name", PRICES)
@pytest.mark.parametrize(("records", "epsilon"), [(0, 0.5), (3000, 0.05), (3000, 2.0), (200_000, 0.5)])
def test_what_is_drawn_costs_what_was_charged(name: str, relation: Adjacency, records: int, epsilon: float) -> None:
    charges, price = charged_and_priced(name, relation, records, epsilon)
    assert price <= math.fsum(charges) * (1 + 1e-12)
    assert math.fsum(charges) <= epsilon * (1 + 1e-12)
    assert price >= 0.95 * epsilon  # and hardly anything is paid for and not used


def selections_by_rejection(draws: Sequence[Draw]) -> list[Draw]:
    """One draw for every selection that was kept: draws of one selection follow each other, and only the last counts.

    A candidate is thrown away only after a coin was tossed about it, so that an equal draw without a coin in between
    is another selection, and is counted.
    """
    kept: list[Draw] = []
    tossed = False
    for draw in draws:
        if draw.kind == "integers" and draw.size == decisions.WORDS:
            tossed = True
        elif draw.kind == "select":
            again = bool(kept) and tossed and (draw.epsilon, draw.monotone) == (kept[-1].epsilon, kept[-1].monotone)
            kept[-1:] = [draw] if again else [*kept[-1:], draw]
            tossed = False
    return kept


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("delta", [0.0, 1e-9])
def test_the_selections_of_peeled_balls_cost_no_more_than_its_budget(relation: Adjacency, delta: float) -> None:
    """Two selections a round of scores that one record moves by 1; the refinement's price depends on released radii.

    Attempts that end in a rejection release nothing and follow each other with one epsilon: together they are one
    selection (docs/proofs/peeled_balls.md, Rejection).
    """
    method, data = catalogue.get("peeled_balls"), exact_counts(relation, 200_000)
    budget = Budget(epsilon=0.5, delta=delta)
    source = RecordedSource(replayable_source(11))
    answer = method.run(data, method.plan(Public.of(data), k=K, budget=budget), source)
    touched = 1 if relation is Adjacency.ADD_REMOVE_ONE else 2
    total, _ = total_and_rest(source.draws, touched)
    accepted = selections_by_rejection(source.draws)
    assert len(accepted) == 2 * int(str(answer.constants["rounds"])) >= 10
    each = []
    for number, draw in enumerate(accepted):
        assert draw.epsilon is not None and draw.sensitivity == 1.0
        assert draw.monotone == (number % 2 == 1 and touched == 1)  # the count in a window only, and only if added
        each.append(draw.epsilon)
    basic = math.fsum(each)
    if delta:
        basic = min(basic, epsilon_of_zcdp(math.fsum(epsilon**2 / 8 for epsilon in each), delta))
    assert total + basic <= budget.epsilon
    assert total + basic >= 0.5 * budget.epsilon


@pytest.mark.parametrize("name", ["uniform_grid", "hybrid", "genetic", "adaptive_tree"])
def test_a_missing_three_percent_charge_is_caught(name: str) -> None:
    charges, price = charged_and_priced(name, Adjacency.ADD_REMOVE_ONE, 3000, 0.5)
    assert charges[0] == pytest.approx(0.03 * 0.5)
    assert price > math.fsum(charges[1:]) * (1 + 1e-9)


def test_half_the_noise_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    import dpviz.mechanisms.uniform_grid as grid

    monkeypatch.setattr(grid, "noise_scale", lambda sensitivity, epsilon: sensitivity / epsilon / 2)
    charges, price = charged_and_priced("uniform_grid", Adjacency.REPLACE_ONE, 3000, 0.5)
    assert price > 1.5 * math.fsum(charges)


def test_noise_for_add_remove_under_replace_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    import dpviz.mechanisms.baselines.noisy_lloyd as lloyd

    monkeypatch.setattr(lloyd, "histogram_l1", lambda relation, unit: 1)
    charges, price = charged_and_priced("noisy_lloyd", Adjacency.REPLACE_ONE, 3000, 0.5)
    assert price > 1.5 * math.fsum(charges)
