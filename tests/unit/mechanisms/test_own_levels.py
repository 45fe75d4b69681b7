"""own_levels answers whatever the data are, is close to the truth where it should be, and takes nothing else."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import dpviz
from dpviz.domain import ExactCounts, GeoBox, Grid, Unit
from dpviz.domain.counts import LevelCounts
from dpviz.errors import InputError, LedgerRefusal, RelationNotProved
from dpviz.ledger.rows import Amount
from dpviz.privacy import Budget

LEVELS = (4.0, 1.0, 0.2, 0.05)
UNIT = Unit(level_column="choice", levels=LEVELS)
SIDE = 64
BOX = GeoBox(0.0, 0.0, 0.1, 0.1)


def city(
    records: int, shares: tuple[float, ...] = (0.1, 0.4, 0.4, 0.1), side: int = SIDE, seed: int = 0
) -> LevelCounts:
    rng = np.random.default_rng(seed)
    centers = np.array([[0.2, 0.2], [0.75, 0.3], [0.45, 0.8]])[rng.integers(3, size=records)]
    places = np.clip((centers + rng.normal(0, 0.05, (records, 2))) * side, 0, side - 1).astype(int)
    sheets = np.zeros((len(LEVELS), side, side), np.int64)
    np.add.at(sheets, (rng.choice(len(LEVELS), records, p=shares), *places.T), 1)
    return LevelCounts(Grid(BOX, side), sheets, unit=UNIT)


def released(data: LevelCounts, epsilon: float = 4.0, **more: object) -> dpviz.Release:
    found = dpviz.release(data, 3, Budget(epsilon=epsilon), seed=1, **more)  # type: ignore[arg-type]
    assert isinstance(found, dpviz.Release)
    return found


def test_the_map_is_one_of_records_and_not_of_willingness() -> None:
    data = city(60_000)
    found = released(data)
    assert found.method == "own_levels"
    assert found.noisy_total == pytest.approx(60_000, rel=0.1)
    assert dpviz.evaluate(data, found).relative_error < 0.005
    told = found.count((0.0, 0.0, 0.05, 0.05))
    exact = int(data.exact_cells[SIDE // 2 :, : SIDE // 2].sum())
    assert told.low < exact < told.high
    coarse = np.array(found.constants["coarse_records_by_level"])
    assert coarse.sum(axis=1)[:3] == pytest.approx([6000, 24_000, 24_000], rel=0.15)


@pytest.mark.parametrize("records", [0, 1, 40])
@pytest.mark.parametrize("side", [1, 2, 64])
def test_hardly_any_records_and_any_grid_are_answered(records: int, side: int) -> None:
    found = released(city(records, side=side))
    assert len(found.centers) == 3 and np.isfinite(found.coreset.to_numpy()).all()
    released(city(records, side=side), 0.01, purpose="any question").count((0.01, 0.01, 0.06, 0.06))


@pytest.mark.parametrize("shares", [(1.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0)])
def test_everybody_may_choose_the_same(shares: tuple[float, ...]) -> None:
    assert released(city(50_000, shares)).noisy_total == pytest.approx(50_000, rel=0.5)


def test_other_methods_refuse_levels_and_this_one_refuses_all_else() -> None:
    data = city(100)
    with pytest.raises(RelationNotProved, match="levels"):
        dpviz.release(data, 3, Budget(epsilon=1.0), "adaptive_tree")
    with pytest.raises(InputError, match="level='choice'"):
        dpviz.release(ExactCounts(data.grid, data.exact_cells.copy()), 3, Budget(epsilon=1.0), "own_levels")
    with pytest.raises(InputError, match="at most"):
        dpviz.release(data, 3, Budget(epsilon=4.5))
    with pytest.raises(InputError, match="stricter regions"):
        text = (
            '{"type":"Polygon","coordinates":[[[0,0],[0.02,0],[0.02,0.02],[0,0]]],'
            '"properties":{"name":"a","epsilon":0.1}}'
        )
        feature = text.replace('{"type":"Polygon"', '{"type":"Feature","geometry":{"type":"Polygon"').replace(
            ']],"properties"', ']]},"properties"'
        )
        dpviz.release(data, 3, Budget(epsilon=1.0), regions=dpviz.read_regions(feature))


def test_a_release_is_published_once_for_what_everybody_allows(tmp_path: Path) -> None:
    data, ledger = city(5000), dpviz.Ledger(tmp_path / "ledger.sqlite3")
    dataset = dpviz.register("choices", data, total=Budget(epsilon=1.0), ledger=ledger)
    found = dpviz.publish(dataset, dpviz.ReleaseRequest(k=3, budget=Budget(epsilon=0.5)))
    assert isinstance(found, dpviz.Release) and found.guarantee.unit == UNIT and found.guarantee.epsilon == 0.5
    found.save(tmp_path / "out")
    again = dpviz.Release.load(tmp_path / "out")
    assert isinstance(again, dpviz.Release) and again.guarantee == found.guarantee
    assert again.count((0, 0, 0.05, 0.05)) == found.count((0, 0, 0.05, 0.05))
    assert dataset.remaining.epsilon == 0
    with pytest.raises(LedgerRefusal):
        dpviz.publish(dataset, dpviz.ReleaseRequest(k=4, budget=Budget(epsilon=0.05)), even_if_answered=True)
    assert dpviz.publish(dataset, dpviz.ReleaseRequest(k=3, budget=Budget(epsilon=0.5))).id == found.id


@pytest.mark.parametrize(
    ("ceiling", "total", "charged"),
    [(4.0, 4.0, 4.0), (0.5, 4.0, 4.0), (0.5, 8.0, 4.0), (0.025, 4.0, 2.0), (1.0, 0.5, 1.0), (0.05, 0.05, 0.05)],
)
def test_the_level_that_loses_the_largest_part_of_its_total_decides(
    ceiling: float, total: float, charged: float
) -> None:
    found = Amount.of_levels(Budget(epsilon=ceiling), LEVELS, Amount.of(Budget(epsilon=total)))
    assert float(found.epsilon) == charged
