"""Exact bookkeeping of adaptive_tree: no chain of nodes spends more than its share, whatever the rounding."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, replace
from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray

from dpviz.domain import Adjacency, ExactCounts, Grid, PlainBox, Unit
from dpviz.mechanisms.adaptive_tree.budget import Ladder, Shares, charges_of, floor_float, per_record, scale_for
from dpviz.mechanisms.adaptive_tree.growth import Alive, Pyramid, grow
from dpviz.mechanisms.adaptive_tree.mechanism import ADAPTIVE_TREE, MAPS, POINTS, RECIPES, Recipe
from dpviz.mechanisms.interface import Public, Purpose
from dpviz.noise import replayable_source
from dpviz.noise.adding import Adding
from dpviz.privacy import Budget

SQUARE = PlainBox((0.0, 0.0), (1.0, 1.0))


def lumpy(side: int, total: int) -> ExactCounts:
    generator = np.random.default_rng(3)
    place = np.clip(generator.normal(0.4, 0.08, (total, 2)) * side, 0, side - 1).astype(int)
    cells = np.zeros((side, side), np.int64)
    np.add.at(cells, (place[:, 0], place[:, 1]), 1)
    return ExactCounts.from_array(Grid(SQUARE, side), cells)


class WatchedNoise(Adding):
    """Hands out replayable noise and writes down every scale, draw by draw."""

    kind, seed = "replayable", 0

    def __init__(self) -> None:
        self.source = replayable_source(0)
        self.scales: list[float] = []

    def laplace(self, scale: float, size: int) -> NDArray[np.int64]:
        self.scales.extend([scale] * size)
        return self.source.laplace(scale, size)


@dataclass
class WatchedPyramid:
    """A pyramid that writes down every node that is counted, in the order of the draws."""

    inner: Pyramid
    asked: list[tuple[int, int]] = field(default_factory=list)
    fan: int = 4

    def __post_init__(self) -> None:
        self.depths = self.inner.depths
        self.roots = self.inner.roots
        self.children = self.inner.children

    def exact_counts(self, depth: int, nodes: NDArray[np.int64]) -> NDArray[np.int64]:
        self.asked.extend((depth, int(node)) for node in nodes)
        return self.inner.exact_counts(depth, nodes)


class WildNoise(WatchedNoise):
    """Noise so wild that strong and weak nodes, and their budgets, lie in no order at all."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self.generator = np.random.default_rng(seed)

    def laplace(self, scale: float, size: int) -> NDArray[np.int64]:
        return super().laplace(scale, size) * self.generator.choice([-6, 6, 144], size)


def dearest_path(
    data: ExactCounts, ladder: Ladder, noise: WatchedNoise | None = None, recipe: Recipe = MAPS
) -> tuple[Fraction, int]:
    """The largest exact sum of spends from a root to a deepest counted node, and how many such paths there are."""
    noise, counted = noise or WatchedNoise(), WatchedPyramid(Pyramid(data, recipe.roots))
    grow(counted, ladder, recipe.thresholds, noise)
    assert len(noise.scales) == len(counted.asked)
    spent: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
    for node, scale in zip(counted.asked, noise.scales, strict=True):
        spent[node] += 1 / Fraction(scale)
    paths = dict(spent)
    inner: set[tuple[int, int]] = set()
    for depth, code in sorted(spent):
        if depth:
            side = counted.inner.side_at(depth)
            above = (depth - 1, (code // side // 2) * (side // 2) + code % side // 2)
            inner.add(above)
            paths[depth, code] += paths[above]
    ends = [total for node, total in paths.items() if node not in inner]
    return max(ends), len(ends)


@pytest.mark.parametrize("epsilon", [0.001, 0.1, 1 / 3, 0.7, 2.0, 11.0])
@pytest.mark.parametrize("side", [1, 2, 4, 64, 256])
@pytest.mark.parametrize("strength", [1e2, 1e5])
@pytest.mark.parametrize("purpose", Purpose)
def test_every_root_to_leaf_path_spends_at_most_its_share(
    epsilon: float, side: int, strength: float, purpose: Purpose
) -> None:
    share = Fraction(epsilon) * Fraction(97, 100)
    recipe = RECIPES[purpose]
    data = lumpy(side, 20_000)
    most, paths = dearest_path(data, recipe.ladder(share, strength, 3), recipe=recipe)
    assert paths >= min(side, recipe.roots) ** 2
    assert most <= share
    assert most >= share * Fraction(999_999, 1_000_000), "a path leaves budget unused"


def test_a_ladder_that_forgets_to_subtract_is_caught() -> None:
    data = lumpy(64, 20_000)
    assert dearest_path(data, MAPS.ladder(Fraction(1), 1e5, 3))[0] <= 1
    assert dearest_path(data, Forgetful(**vars(MAPS.ladder(Fraction(1), 1e5, 3))))[0] > 1


class Forgetful(Ladder):
    """A ladder that does not subtract what was spent."""

    def rest(self, depth: int, easy: int) -> Fraction:
        return super().rest(0, 0)


class Confused(Ladder):
    """A ladder that takes an easy step for granted, so that a dear one is subtracted as a cheap one."""

    def rest(self, depth: int, easy: int) -> Fraction:
        return super().rest(depth, depth)


def test_a_ladder_that_mistakes_dear_steps_for_easy_ones_is_caught() -> None:
    assert dearest_path(lumpy(64, 20_000), Confused(**vars(MAPS.ladder(Fraction(1), 1e5, 3))))[0] > 1


def test_no_path_overspends_when_budgets_lie_in_no_order() -> None:
    data, share = lumpy(256, 20_000), Fraction(1)
    for seed in range(3):
        assert dearest_path(data, MAPS.ladder(share, 1e5, 3), WildNoise(seed))[0] <= share


def test_nodes_that_are_not_grouped_by_their_budgets_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    def unordered(self: Alive, which: NDArray[np.bool_]) -> Alive:
        rows = np.flatnonzero(which)
        return Alive(at=self.at[rows], easy=self.easy[rows], estimate=self.estimate[rows], doubt=self.doubt[rows])

    monkeypatch.setattr(Alive, "chosen", unordered)
    data, share = lumpy(256, 20_000), Fraction(1)
    assert max(dearest_path(data, MAPS.ladder(share, 1e5, 3), WildNoise(seed))[0] for seed in range(3)) > share


def test_both_kinds_of_steps_are_taken_where_counts_are_both_large_and_small() -> None:
    noise, ladder = WatchedNoise(), MAPS.ladder(Fraction(1), 1e5, 3)
    grow(Pyramid(lumpy(256, 20_000)), ladder, MAPS.thresholds, noise)
    for easily in (True, False):
        possible = {
            scale_for(ladder.spend(depth, easy, easily=easily)) for depth in range(7) for easy in range(depth + 1)
        }
        assert possible & set(noise.scales)


def test_depths_of_tiny_cells_have_few_children(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dpviz.mechanisms.adaptive_tree.growth.MOST_TINY_CHILDREN", 40)
    blocks, ladder = Pyramid(lumpy(256, 400_000)), MAPS.ladder(Fraction(4), 1e6, 3)
    sizes = [
        [len(depth.nodes) for depth in grow(blocks, ladder, replace(MAPS.thresholds, tiny_from=first), WatchedNoise())]
        for first in (4, np.inf)
    ]
    assert sizes[0][:5] == sizes[1][:5]
    assert max(sizes[0][5:]) <= 40 < min(sizes[1][5:])


@pytest.mark.parametrize(
    "spend", [Fraction(1, 3), Fraction(0.1), Fraction(7, 10**9), Fraction(10**9, 7), Fraction(2, 7)]
)
@pytest.mark.parametrize("sensitivity", [1, 1 << 20])
def test_a_scale_never_costs_more_than_its_spend(spend: Fraction, sensitivity: int) -> None:
    scale = Fraction(scale_for(spend, sensitivity))
    assert Fraction(sensitivity) / scale <= spend
    assert Fraction(sensitivity) / scale >= spend * (1 - Fraction(1, 2**50))


def test_a_spend_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="above 0"):
        scale_for(Fraction(0))


def test_floor_float_never_rounds_up() -> None:
    for value in (Fraction(1, 3), Fraction(2, 3), Fraction(1, 10), Fraction(0.1), Fraction(10**17 + 1)):
        assert Fraction(floor_float(value)) <= value


def public(relation: Adjacency, unit: Unit) -> Public:
    rows = 1000 if relation is Adjacency.REPLACE_ONE else None
    return Public(frame=SQUARE.frame, side=64, relation=relation, unit=unit, public_rows=rows)


@pytest.mark.parametrize("epsilon", [0.05, 0.1, 1 / 3, 0.7, 4.0, 100.0])
@pytest.mark.parametrize(
    ("relation", "unit", "records"),
    [
        (Adjacency.ADD_REMOVE_ONE, Unit(), 1),
        (Adjacency.ADD_REMOVE_ONE, Unit(person_column="rider", cap=3), 3),
        (Adjacency.REPLACE_ONE, Unit(), 2),
    ],
)
def test_the_charges_add_up_to_at_most_the_budget(
    epsilon: float, relation: Adjacency, unit: Unit, records: int
) -> None:
    seen = public(relation, unit)
    charges = charges_of(Budget(epsilon=epsilon), seen)
    assert sum(Fraction(charge.epsilon) for charge in charges) <= Fraction(epsilon)
    assert sum(per_record(charge, seen) for charge in charges) * records <= Fraction(epsilon)
    assert sum(charge.epsilon for charge in charges) == pytest.approx(epsilon)
    assert len(charges) == (1 if relation is Adjacency.REPLACE_ONE else 2)


@pytest.mark.parametrize("strength", [0.0, 1.0, 1e3, 1e5, 1e9])
@pytest.mark.parametrize("k", [1, 2, 10, 256, 4096])
def test_the_shares_never_exceed_the_whole(strength: float, k: int) -> None:
    whole = Fraction(0.1)
    shares = Shares.of(whole, MAPS.residual_shares(strength, k))
    assert shares.tree + sum(shares.residual, Fraction(0)) == whole


def test_along_many_axes_two_rounds_take_most_and_less_where_counts_of_areas_matter() -> None:
    along = [POINTS.residual_shares(1e4, 4, Purpose.CENTERS, dims) for dims in (2, 5, 6, 1000)]
    assert along[0] == along[1]
    assert along[2] == along[3] == (Fraction(35, 100), Fraction(35, 100))
    assert sum(MAPS.residual_shares(1e4, 4, Purpose.BALANCED, 9)) <= Fraction(1, 5)
    assert MAPS.residual_shares(1e4, 4, Purpose.ANY_QUESTION, 9) == ()


def test_shares_beyond_the_whole_are_refused() -> None:
    with pytest.raises(ValueError, match="at most the whole"):
        Shares(whole=Fraction(1), tree=Fraction(3, 4), residual=(Fraction(1, 2),))


@pytest.mark.parametrize("k", [1, 3])
def test_a_run_draws_only_what_its_plan_charges(k: int) -> None:
    data = lumpy(64, 20_000)
    plan = ADAPTIVE_TREE.plan(Public.of(data), k=k, budget=Budget(epsilon=0.5))
    noise = WatchedNoise()
    answer = ADAPTIVE_TREE.run(data, plan, noise)
    assert 1 / Fraction(noise.scales[0]) <= Fraction(plan.charges[0].epsilon)
    rounds = answer.constants["residual_shares"]
    assert isinstance(rounds, tuple)
    last = noise.scales[len(noise.scales) - 2 * k :]
    assert len(set(last)) == 1
    assert Fraction(1 << 20) / Fraction(last[0]) <= Fraction(plan.charges[1].epsilon) * Fraction(81, 100)
    assert len(rounds) == 1
