"""Any method in every part of a map: what each part sees, spends and gives back."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import numpy as np
import pytest

from dpviz.domain import Adjacency, Coreset, ExactCounts, GeoBox, Grid, Unit
from dpviz.domain.regions import Outline
from dpviz.errors import InputError, RelationNotProved
from dpviz.mechanisms import catalogue
from dpviz.mechanisms.interface import Answer, ExactData, NoAnswer, Plan, Public, Reason
from dpviz.mechanisms.regional import Regional, place_points
from dpviz.mechanisms.uniform_grid import UniformGrid
from dpviz.noise import NoiseSource, replayable_source
from dpviz.privacy import Budget, Region
from tests.oracles.recorded_source import RecordedSource

ROOT = Path(__file__).resolve().parents[3]
GRID = Grid(GeoBox(0.0, 0.0, 0.64, 0.64), 64)
WHOLE = Budget(epsilon=1.0)


def box_region(name: str, west: float, south: float, east: float, north: float, epsilon: float) -> Region:
    """A rectangle in cells from the south-west corner."""
    ring = tuple((x / 100, y / 100) for x, y in ((west, south), (east, south), (east, north), (west, north)))
    return Region(outline=Outline(name=name, polygons=((ring,),)), epsilon=epsilon)


REGIONS = (box_region("school", 8.3, 40.3, 20.7, 52.7, 0.2), box_region("clinic", 40.2, 10.2, 60.8, 30.8, 0.05))


def crowd(unit: Unit = Unit(), records: int = 5000) -> ExactCounts:  # noqa: B008
    generator = np.random.default_rng(3)
    cells = np.zeros((64, 64), np.int64)
    middles = np.array([[18, 14], [44, 50], [30, 30]])
    points = middles[generator.integers(3, size=records)] + generator.normal(0, 4, (records, 2))
    np.add.at(cells, tuple(np.clip(points.astype(int), 0, 63).T), 1)
    return ExactCounts(GRID, cells, unit=unit)


class Watching(UniformGrid):
    """uniform_grid that remembers what it was given."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[ExactCounts, Plan]] = []

    def run(self, data: ExactData, plan: Plan, noise: NoiseSource) -> Answer | NoAnswer:
        assert isinstance(data, ExactCounts)
        self.seen.append((data, plan))
        return super().run(data, plan, noise)


def watched(data: ExactCounts) -> list[tuple[ExactCounts, Plan]]:
    base = Watching()
    method = Regional(base, REGIONS)
    method.run(data, method.plan(Public.of(data), k=3, budget=WHOLE), replayable_source(1))
    return base.seen


def test_every_record_is_seen_by_exactly_one_part() -> None:
    data = crowd()
    assert sum(part.exact_total for part, _ in watched(data)) == data.exact_total
    one = np.zeros((64, 64), np.int64)
    for row in range(0, 64, 3):
        for column in range(0, 64, 3):
            one[:] = 0
            one[row, column] = 1
            parts = Regional(UniformGrid(), REGIONS).parts(Public.of(data), WHOLE)
            assert sorted(part.records(ExactCounts(GRID, one.copy())).exact_total for part in parts) == [0, 0, 1]


def test_neighbours_differ_in_one_part_only_and_by_one_record() -> None:
    data, added = crowd(), crowd().to_numpy()
    added[45, 50] += 1  # in the clinic
    before, after = watched(data), watched(ExactCounts(GRID, added))
    changed = [int(np.abs(b.exact_cells - a.exact_cells).sum()) for (b, _), (a, _) in zip(before, after, strict=True)]
    assert changed == [0, 0, 1]
    assert [plan for _, plan in before] == [plan for _, plan in after]


def test_every_part_spends_its_own_level_and_the_whole_the_largest() -> None:
    assert [plan.budget.epsilon for _, plan in watched(crowd())] == [1.0, 0.2, 0.05]
    plan = Regional(UniformGrid(), REGIONS).plan(Public.of(crowd()), k=3, budget=WHOLE)
    assert [(charge.epsilon, charge.delta) for charge in plan.charges] == [(1.0, 0.0)]


def test_what_is_drawn_in_a_part_costs_its_level() -> None:
    """The second computation: from the scales of the noise alone, part by part."""
    data = crowd()
    method = Regional(UniformGrid(), REGIONS)
    source = RecordedSource(replayable_source(11))
    method.run(data, method.plan(Public.of(data), k=3, budget=WHOLE), source)
    scales = [draw.scale for draw in source.draws if draw.kind == "laplace" and draw.scale is not None]
    prices = [1 / total + 1 / cells for total, cells in zip(scales[::2], scales[1::2], strict=True)]
    for price, level in zip(prices, (1.0, 0.2, 0.05), strict=True):
        assert 0.95 * level <= price <= level * (1 + 1e-12)


def test_a_persons_records_share_the_level_of_their_part() -> None:
    unit = Unit(person_column="rider", cap=4)
    seen = watched(crowd(unit))
    for (data, plan), level in zip(seen, (1.0, 0.2, 0.05), strict=True):
        assert data.unit == Unit()
        assert 4 * plan.budget.epsilon <= level
        assert plan.budget.epsilon == pytest.approx(level / 4)


def test_coresets_come_back_to_where_their_parts_are() -> None:
    """With hardly any noise, what is published equals what is there, part by part."""
    data = crowd()
    regions = (box_region("school", 8.3, 40.3, 20.7, 52.7, 100.0),)
    method = Regional(catalogue.get("adaptive_tree"), regions)
    answer = method.run(data, method.plan(Public.of(data), k=3, budget=Budget(epsilon=100.0)), replayable_source(2))
    assert isinstance(answer, Answer) and answer.coreset is not None
    frame = GRID.frame
    raw = frame.to_raw(answer.coreset.positions)
    cells = GRID.cells(np.minimum(raw[:, 0], 0.6399999), np.minimum(raw[:, 1], 0.6399999))
    found = np.bincount(cells, weights=answer.coreset.weights, minlength=64 * 64).reshape(64, 64)
    exact = data.exact_cells
    inside = regions[0].outline.touched(frame, 64)
    assert found[inside].sum() == pytest.approx(exact[inside].sum(), rel=0.02)
    assert found.sum() == pytest.approx(exact.sum(), rel=0.02)
    middle = (answer.coreset.positions * answer.coreset.weights[:, None]).sum(axis=0) / answer.coreset.weights.sum()
    x, y = GRID.local_centers()
    exact_middle = np.array([exact.sum(axis=0) @ x, exact.sum(axis=1) @ y]) / exact.sum()
    assert np.abs(middle - exact_middle).max() < 0.02 * frame.extent[0]


def test_points_that_stray_from_their_part_move_back_or_are_dropped() -> None:
    part = Regional(UniformGrid(), REGIONS).parts(Public.of(crowd()), WHOLE)[1]
    width = part.grid.cell_width
    near, far = np.argwhere(part.cells)[-1], (15.0 * width, 0.0)
    place = np.array([near[1] + 0.5, part.grid.side - near[0] - 0.5]) * width
    outside = place - np.array([0.0, 1.2 * width])
    positions = np.array([place, outside, far, far + np.array([0.1, 0.1]) * width])
    weights = np.array([5.0, 2.0, 1.0, 1.0])
    moved = place_points(Coreset(frame=part.grid.frame, positions=positions, weights=weights), part, GRID.frame)
    shift = np.asarray(part.grid.frame.low)
    assert moved.weights.tolist() == [5.0, 2.0]
    assert np.allclose(moved.positions[0], place + shift) and np.allclose(moved.positions[1], place + shift)


def test_a_region_hidden_under_stricter_ones_has_no_part_of_its_own() -> None:
    hidden = box_region("hidden", 45, 15, 50, 20, 0.5)
    parts = Regional(UniformGrid(), (*REGIONS, hidden)).parts(Public.of(crowd()), WHOLE)
    assert [part.name for part in parts] == ["elsewhere", "school", "clinic"]


def test_a_region_as_large_as_the_box_leaves_nothing_elsewhere() -> None:
    parts = Regional(UniformGrid(), (box_region("all", -1, -1, 65, 65, 0.5),)).parts(Public.of(crowd()), WHOLE)
    assert [part.name for part in parts] == ["all"]


class Silent(UniformGrid):
    """Has no answer at budgets below a level."""

    def __init__(self, below: float) -> None:
        super().__init__()
        self.below = below

    def run(self, data: ExactData, plan: Plan, noise: NoiseSource) -> Answer | NoAnswer:
        answer = super().run(data, plan, noise)
        return NoAnswer(reason=Reason.TOO_FEW_RECORDS) if plan.budget.epsilon < self.below else answer


def test_a_part_without_an_answer_is_named_and_only_all_together_are_none() -> None:
    data = crowd()
    for below, missing in ((0.1, ["clinic"]), (2.0, ["elsewhere", "school", "clinic"])):
        method = Regional(Silent(below), REGIONS)
        answer = method.run(data, method.plan(Public.of(data), k=3, budget=WHOLE), replayable_source(1))
        assert isinstance(answer, NoAnswer) == (len(missing) == 3)
        parts = answer.constants["parts"]
        assert isinstance(parts, tuple)
        assert [part["name"] for part in parts if isinstance(part, dict) and part["answer"] is False] == missing


class Approximate(UniformGrid):
    """Says that it needs a delta."""

    info = dataclasses.replace(UniformGrid.info, needs_delta=True)


def test_what_is_not_proved_is_refused_with_words() -> None:
    with pytest.raises(RelationNotProved, match="add-remove"):
        replaced = ExactCounts.from_array(GRID, crowd().to_numpy(), relation=Adjacency.REPLACE_ONE)
        Regional(UniformGrid(), REGIONS).plan(Public.of(replaced), k=3, budget=WHOLE)
    with pytest.raises(RelationNotProved, match="cap"):
        unit = Unit(person_column="rider", cap=2)
        Regional(Approximate(), REGIONS).plan(Public.of(crowd(unit)), k=3, budget=Budget(epsilon=1.0, delta=1e-9))
    with pytest.raises(InputError, match="needs regions"):
        catalogue.get("regional:uniform_grid").plan(Public.of(crowd()), k=3, budget=WHOLE)
    with pytest.raises(InputError, match="coreset"):
        catalogue.get("regional:genetic")
    with pytest.raises(InputError, match="stricter"):
        Regional(UniformGrid(), (box_region("loose", 1, 1, 5, 5, 2.0),)).plan(Public.of(crowd()), k=3, budget=WHOLE)


def test_auto_with_regions_is_a_method_with_a_coreset() -> None:
    found = catalogue.choose_with_regions("auto", REGIONS, Public.of(crowd()), k=5, budget=WHOLE)
    assert found.info.name.startswith("regional:") and found.info.gives_coreset


def test_the_steps_of_the_proof_are_the_steps_of_the_code() -> None:
    tag = re.compile(r"\[P\d+\]")
    proof = (ROOT / "docs" / "proofs" / "regional.md").read_text(encoding="utf-8")
    code = (ROOT / "dpviz" / "mechanisms" / "regional.py").read_text(encoding="utf-8")
    assert set(tag.findall(proof)) == set(tag.findall(code)) == {f"[P{step}]" for step in range(1, 6)}
    for heading in ("## Precondition", "## Pseudocode", "## Postcondition", "## Proof", "## Fresh reader's record"):
        assert heading in proof
