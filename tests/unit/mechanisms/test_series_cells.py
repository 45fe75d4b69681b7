"""series_cells: what is drawn, what it costs, that blocks tile the box, and that the past helps."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from dpviz.domain import ExactCounts, GeoBox, Grid, Unit
from dpviz.errors import DpvizError, InputError, RelationNotProved
from dpviz.mechanisms.adaptive_tree.growth import Pyramid, children_of
from dpviz.mechanisms.adaptive_tree.partition import (
    BELIEFS,
    Cut,
    Partition,
    as_tree,
    choose_cut,
    merge_cells,
    predict_period,
    split_grown_cells,
    tiles,
    update_beliefs,
)
from dpviz.mechanisms.interface import Answer, Public
from dpviz.mechanisms.series_cells import Counting, Past, SeriesCells, count_blocks, past_of
from dpviz.noise import replayable_source
from dpviz.privacy import Budget, rho_within, verify
from tests.oracles.recorded_source import Draw, RecordedSource

SIDE = 64
GRID = Grid(GeoBox(-74.05, 40.70, -73.90, 40.80), SIDE)
PERSONS = Unit(person_column="rider", cap=3)


def city(records: int, seed: int = 0, unit: Unit = PERSONS) -> ExactCounts:
    generator = np.random.default_rng(seed)
    middles = np.array([[12, 12], [48, 20], [28, 50]])
    points = middles[generator.integers(3, size=records)] + generator.normal(0, 4, (records, 2))
    cells = np.zeros((SIDE, SIDE), np.int64)
    np.add.at(cells, tuple(np.clip(points.astype(int), 0, SIDE - 1).T), 1)
    return ExactCounts.from_array(GRID, cells, unit=unit)


def constants_of(method: SeriesCells, data: ExactCounts, budget: Budget, noise: Any) -> dict[str, Any]:
    answer = method.run(data, method.plan(Public.of(data), k=3, budget=budget), noise)
    assert isinstance(answer, Answer)
    return dict(answer.constants)


@pytest.fixture(scope="module")
def past() -> Past:
    constants = constants_of(SeriesCells(), city(20_000), Budget(epsilon=1.0), replayable_source(1))
    return past_of(constants, SIDE)


def draws_of(method: SeriesCells, data: ExactCounts, budget: Budget, seed: int = 5) -> list[Draw]:
    source = RecordedSource(replayable_source(seed))
    method.run(data, method.plan(Public.of(data), k=3, budget=budget), source)
    return source.draws


def test_a_later_period_draws_the_same_noise_whatever_its_records(past: Past) -> None:
    method, budget = SeriesCells(past), Budget(epsilon=0.1)
    empty = ExactCounts.from_array(GRID, np.zeros((SIDE, SIDE), np.int64), unit=PERSONS)
    assert draws_of(method, empty, budget) == draws_of(method, city(50_000, 9), budget)


def test_noise_that_empty_blocks_do_not_get_would_be_noticed(past: Past, monkeypatch: pytest.MonkeyPatch) -> None:
    import dpviz.mechanisms.series_cells as module

    def only_where_somebody_is(blocks: Pyramid, cut: Cut, counting: Counting, noise: Any) -> np.ndarray:
        exact = np.concatenate([blocks.exact_counts(int(d), cut.block[[i]]) for i, d in enumerate(cut.depth)])
        noisy = exact.astype(float)
        noisy[exact > 0] = noise.add_laplace(exact[exact > 0], counting.scale)
        return noisy

    monkeypatch.setattr(module, "count_blocks", only_where_somebody_is)
    with pytest.raises(AssertionError):
        test_a_later_period_draws_the_same_noise_whatever_its_records(past)


@pytest.mark.parametrize("epsilon", [0.01, 0.0272, 1.0, 4.0])
@pytest.mark.parametrize("unit", [Unit(), PERSONS], ids=["records", "persons"])
def test_what_a_later_period_draws_costs_what_it_charges(past: Past, epsilon: float, unit: Unit) -> None:
    (draw,) = draws_of(SeriesCells(past), city(20_000, 2, unit), Budget(epsilon=epsilon))
    assert draw.kind == "laplace" and draw.scale is not None
    price = Fraction(unit.records) / Fraction(draw.scale)  # all records of a unit may lie in one block
    assert Fraction(epsilon) * Fraction(999, 1000) <= price <= Fraction(epsilon)


@pytest.mark.parametrize("unit", [Unit(), PERSONS], ids=["records", "persons"])
def test_gaussian_noise_costs_the_rho_that_is_charged(past: Past, unit: Unit) -> None:
    budget, data = Budget(epsilon=0.3, delta=1e-6), city(20_000, 2, unit)
    method = SeriesCells(past)
    (charge,) = method.plan(Public.of(data), k=3, budget=budget).charges
    verify([charge], budget)
    (draw,) = draws_of(method, data, budget)
    assert draw.kind == "gaussian" and draw.scale is not None and charge.rho is not None
    assert 0.999 * charge.rho <= unit.records**2 / (2 * draw.scale**2) <= charge.rho
    assert charge.rho <= rho_within(budget)


def test_half_the_noise_would_be_noticed(past: Past, monkeypatch: pytest.MonkeyPatch) -> None:
    import dpviz.mechanisms.series_cells as module

    monkeypatch.setattr(module, "per_record", lambda charge, public: Fraction(charge.epsilon) * 2 / public.unit.records)
    with pytest.raises(AssertionError):
        test_what_a_later_period_draws_costs_what_it_charges(past, 1.0, PERSONS)


def test_a_cap_that_is_left_out_would_be_noticed(past: Past, monkeypatch: pytest.MonkeyPatch) -> None:
    import dpviz.mechanisms.series_cells as module

    monkeypatch.setattr(module, "per_record", lambda charge, public: Fraction(charge.epsilon))
    with pytest.raises(AssertionError):
        test_what_a_later_period_draws_costs_what_it_charges(past, 1.0, PERSONS)


def test_overlapping_blocks_are_refused_before_any_draw(past: Past) -> None:
    data = city(1000)
    counting = Counting.of(
        SeriesCells(past).plan(Public.of(data), k=3, budget=Budget(epsilon=1.0)).charges[0], Public.of(data)
    )
    roots = np.arange(16)
    twice = Cut(depth=np.append(np.zeros(16, int), 1), block=np.append(roots, 0), of_cell=np.zeros(0, int))
    missing = Cut(depth=np.zeros(15, int), block=roots[:15], of_cell=np.zeros(0, int))
    source = RecordedSource(replayable_source(1))
    for cut in (twice, missing):
        with pytest.raises(DpvizError, match="nothing was drawn"):
            count_blocks(Pyramid(data), cut, counting, source)
    assert source.draws == []


def random_partition(seed: int, splits: int = 30) -> Partition:
    generator = np.random.default_rng(seed)
    depth, block = np.zeros(16, np.int64), np.arange(16)
    for _ in range(splits):
        at = int(generator.integers(len(depth)))
        if depth[at] == 4:
            continue
        inside = children_of(4 * 2 ** int(depth[at]), block[[at]])
        depth = np.concatenate([np.delete(depth, at), np.full(4, depth[at] + 1)])
        block = np.concatenate([np.delete(block, at), inside])
    return Partition(
        roots=4,
        depth=depth,
        block=block,
        count=generator.uniform(0, 100, len(depth)),
        variance=generator.uniform(1, 50, len(depth)),
    )


@pytest.mark.parametrize("seed", range(20))
def test_every_way_of_cutting_tiles_the_box_and_one_cell_less_or_twice_does_not(seed: int) -> None:
    cells = random_partition(seed)
    assert tiles(4, cells.depth, cells.block)
    assert not tiles(4, cells.depth[1:], cells.block[1:])
    twice = np.append(np.arange(len(cells)), 0)
    assert not tiles(4, cells.depth[twice], cells.block[twice])
    moved = cells.block.copy()
    moved[0] = (moved[0] + 1) % (4 * 2 ** int(cells.depth[0])) ** 2
    assert not tiles(4, cells.depth, moved)


@pytest.mark.parametrize("seed", range(10))
def test_the_blocks_that_are_counted_always_tile_the_box(seed: int) -> None:
    cells = random_partition(seed)
    for noise_variance in (1e-6, 10.0, 1000.0, 1e9):
        prior = split_grown_cells(predict_period(cells, 1.0), 0.5, 5, BELIEFS)
        assert tiles(4, prior.depth, prior.block) and prior.count.sum() == pytest.approx(cells.count.sum())
        cut = choose_cut(prior, noise_variance, BELIEFS)
        assert tiles(4, cut.depth, cut.block)
        assert (cut.depth[cut.of_cell] <= prior.depth).all()
    assert len(cut.depth) == 16  # the noisiest counts are of whole roots


@pytest.mark.parametrize("seed", range(5))
def test_a_partition_as_a_tree_keeps_every_cell_and_every_sum(seed: int) -> None:
    cells = random_partition(seed)
    tree, sums, order = as_tree(cells)
    assert sorted(order) == list(range(len(cells)))
    assert sums[0][0].sum() == pytest.approx(cells.count.sum())
    counts = np.concatenate([found[0][here.leaf] for here, found in zip(tree, sums, strict=True)])
    assert np.allclose(counts, cells.count[order])
    fewer = merge_cells(cells, 40)
    assert len(fewer) <= 40 and fewer.count.sum() == pytest.approx(cells.count.sum())


def test_counts_without_noise_are_believed_and_none_is_below_zero() -> None:
    cells = random_partition(3)
    prior = predict_period(cells, 1.0)
    cut = choose_cut(prior, 1e-9, BELIEFS)
    truth = np.random.default_rng(0).integers(0, 200, len(cut.depth)).astype(float)
    after, _ = update_beliefs(prior, cut, truth, 1e-9, 1.0, BELIEFS)
    held = np.bincount(cut.of_cell, weights=after.count)
    assert np.allclose(held, truth, atol=1e-3)
    drowned, _ = update_beliefs(prior, cut, truth - 1e5, 1e-9, 1.0, BELIEFS)
    assert (drowned.count >= 0).all()


def test_the_past_makes_a_small_budget_enough() -> None:
    """The second month at a fiftieth of the budget: nearer with the past than by itself, and nearer than the past."""
    first, second = city(20_000, 1), city(26_000, 2)
    errors: dict[str, list[float]] = {"with": [], "alone": [], "stale": []}
    for seed in range(5):
        begun = past_of(constants_of(SeriesCells(), first, Budget(epsilon=1.0), replayable_source(seed)), SIDE)
        small = Budget(epsilon=0.05)
        for name, method in (("with", SeriesCells(begun)), ("alone", SeriesCells())):
            found = constants_of(method, second, small, replayable_source(100 + seed))
            errors[name].append(_error(past_of(found, SIDE).partition, second))
        errors["stale"].append(_error(begun.partition, second))
    assert np.mean(errors["with"]) < 0.8 * np.mean(errors["alone"])
    assert np.mean(errors["with"]) < 0.8 * np.mean(errors["stale"])


def _error(cells: Partition, data: ExactCounts) -> float:
    """Mean error over the 16 × 16 blocks of a public grid, cells spread evenly."""
    spread = np.zeros((SIDE, SIDE))
    for depth, block, count in zip(cells.depth, cells.block, cells.count, strict=True):
        side = 4 * 2 ** int(depth)
        row, col = divmod(int(block), side)
        wide = SIDE // side
        spread[row * wide : (row + 1) * wide, col * wide : (col + 1) * wide] = count / wide**2
    exact = data.to_numpy().reshape(16, 4, 16, 4).sum(axis=(1, 3))
    return float(np.abs(spread.reshape(16, 4, 16, 4).sum(axis=(1, 3)) - exact).mean())


def test_a_period_on_another_grid_and_under_replace_is_refused(past: Past) -> None:
    coarse = ExactCounts.from_array(Grid(GRID.box, 32), np.ones((32, 32), np.int64))
    with pytest.raises(InputError, match="side 64"):
        SeriesCells(past).plan(Public.of(coarse), k=3, budget=Budget(epsilon=1.0))
    replaced = ExactCounts.from_array(GRID, np.ones((SIDE, SIDE), np.int64), relation="replace")
    with pytest.raises(RelationNotProved):
        SeriesCells(past).plan(Public.of(replaced), k=3, budget=Budget(epsilon=1.0))


@pytest.mark.parametrize(
    "damage",
    [
        lambda cells: cells | {"depth": cells["depth"][1:]},
        lambda cells: cells | {"block": (-1, *cells["block"][1:])},
        lambda cells: cells | {"count": (float("nan"), *cells["count"][1:])},
        lambda cells: cells | {"variance": (-1.0, *cells["variance"][1:])},
        lambda cells: cells | {"depth": "deep"},
        lambda cells: {},
    ],
)
def test_damaged_cells_of_an_earlier_period_are_refused_in_one_sentence(past: Past, damage: Any) -> None:
    with pytest.raises(InputError, match="damaged"):
        past_of({"partition": damage(past.partition.to_constants()), "change_per_record": 1.0}, SIDE)


def test_a_release_of_another_method_is_no_past() -> None:
    with pytest.raises(InputError, match="series_cells"):
        past_of({"tree_share": 0.5}, SIDE)
