"""A public map beside the counts of a tree: believed as far as they agree with it, and of no effect without one."""

from __future__ import annotations

import numpy as np
import pytest

from dpviz.domain import ExactCounts, GeoBox, Grid
from dpviz.domain.public_map import PriorMap
from dpviz.errors import InputError
from dpviz.mechanisms.adaptive_tree import mechanism
from dpviz.mechanisms.adaptive_tree.mechanism import ADAPTIVE_TREE, AdaptiveTree
from dpviz.mechanisms.adaptive_tree.surface import Belief
from dpviz.mechanisms.interface import Answer, Public, Purpose
from dpviz.noise import replayable_source
from dpviz.privacy import Budget
from dpviz.questions.answers import Asked
from dpviz.questions.areas import zones_of

BOX = GeoBox(11.0, 43.0, 11.2, 43.2)
SIDE = 128
GRID = Grid(BOX, SIDE)


def city(seed: int, records: int = 60_000) -> np.ndarray:
    """Counts along the streets of a layout that is always the same."""
    layout, draw = np.random.default_rng(5), np.random.default_rng(seed)
    places = np.zeros((SIDE, SIDE))
    for row, busy in zip(layout.integers(0, SIDE, 14), layout.pareto(1.0, 14) + 0.2, strict=True):
        places[row] += busy * np.exp(-(((np.arange(SIDE) - layout.integers(20, 108)) / 25.0) ** 2))
        places[:, layout.integers(0, SIDE)] += busy * 0.4
    return draw.multinomial(records, (places / places.sum()).ravel()).reshape(SIDE, SIDE)


def run(cells: np.ndarray, prior: PriorMap | None, seed: int, purpose: Purpose = Purpose.ANY_QUESTION) -> Answer:
    data = ExactCounts.from_array(GRID, cells)
    method = AdaptiveTree(purpose=purpose, prior=prior)
    answer = method.run(data, method.plan(Public.of(data), k=5, budget=Budget(epsilon=0.3)), replayable_source(seed))
    assert isinstance(answer, Answer)
    return answer


def areas_error(answer: Answer, cells: np.ndarray) -> float:
    """Mean error of counts of small areas whose edges are edges of cells."""
    assert answer.cells is not None
    draw, boxes, truth = np.random.default_rng(3), [], []
    for _ in range(80):
        row, col, tall, wide = (*draw.integers(0, 100, 2), *draw.integers(3, 20, 2))
        step = 0.2 / SIDE
        north = BOX.north - row * step
        boxes.append((BOX.west + col * step, north - tall * step, BOX.west + (col + wide) * step, north))
        truth.append(cells[row : row + tall, col : col + wide].sum())
    found = Asked(tree=answer.cells).spreads(zones_of(boxes, GRID.frame))
    return float(np.abs(found.estimate - np.array(truth)).mean())


@pytest.fixture
def beliefs(monkeypatch: pytest.MonkeyPatch) -> list[Belief]:
    """Every belief that a run makes."""
    made: list[Belief] = []

    def kept(**given: object) -> Belief:
        made.append(Belief(**given))  # type: ignore[arg-type]
        return made[-1]

    monkeypatch.setattr(mechanism, "Belief", kept)
    return made


def test_a_map_of_the_same_city_is_believed_and_helps(beliefs: list[Belief]) -> None:
    cells, last = city(1), PriorMap.from_array(BOX, city(2))
    ratios = [
        areas_error(run(cells, last, seed), cells) / areas_error(run(cells, None, seed), cells) for seed in (1, 2)
    ]
    assert np.mean(ratios) < 0.9
    assert min(beliefs[0].trust.values()) > 0.7


def test_a_map_of_another_city_is_hardly_believed_and_does_no_harm(beliefs: list[Belief]) -> None:
    cells, wrong = city(1), PriorMap.from_array(BOX, city(2)[::-1].T)
    ratios = [
        areas_error(run(cells, wrong, seed), cells) / areas_error(run(cells, None, seed), cells) for seed in (1, 2)
    ]
    assert np.mean(ratios) < 1.06
    assert max(beliefs[0].trust.values()) < 0.35


def test_what_is_drawn_before_the_search_does_not_depend_on_the_map() -> None:
    cells, last = city(1), PriorMap.from_array(BOX, city(2))
    with_map, without = run(cells, last, 7).cells, run(cells, None, 7).cells
    assert with_map is not None and without is not None
    for name in ("node", "value", "variance", "count", "spread", "cell"):
        np.testing.assert_array_equal(getattr(with_map, name), getattr(without, name))
    assert without.quarters is None and with_map.quarters is not None
    np.testing.assert_allclose(with_map.quarters.sum(axis=1), 1.0)
    with_map.check()


def test_the_inside_of_a_leaf_keeps_its_count(beliefs: list[Belief]) -> None:
    answer = run(city(1), PriorMap.from_array(BOX, city(2)), 3)
    assert answer.cells is not None
    assert beliefs[0].surface.sum() == pytest.approx(answer.cells.count.sum())
    assert (beliefs[0].surface >= 0.0).all()


def test_centers_answer_with_a_map_too() -> None:
    found = run(city(1), PriorMap.from_array(BOX, city(2)), 4, Purpose.CENTERS)
    assert found.centers is not None and len(found.centers.positions) == 5


def test_a_map_on_other_ground_and_another_grid_is_laid_upon_the_box() -> None:
    frame = GRID.frame
    even = PriorMap.from_array(BOX, np.ones((7, 3))).on(frame, 16)
    np.testing.assert_allclose(even, np.full((16, 16), 1 / 256))
    corner = PriorMap.from_array(GeoBox(11.0, 43.1, 11.1, 43.2), [[1.0, 0.0], [0.0, 0.0]]).on(frame, 4)
    # Of the four quarters the map knows one; the others get the mean density of that.
    assert corner[0, 0] == pytest.approx(0.25) and max(corner[0, 1], corner[1, 0]) < 1e-9
    assert corner[3, 3] == pytest.approx(1 / 16) and corner.sum() == pytest.approx(1.0)
    with pytest.raises(InputError, match="no weight inside"):
        PriorMap.from_array(GeoBox(0.0, 0.0, 1.0, 1.0), np.ones((2, 2))).on(frame, 8)


@pytest.mark.parametrize("array", [[[]], [1.0, 2.0], [[-1.0, 2.0]], [[np.inf]], [[0.0, 0.0]], [["a"]]])
def test_what_is_no_map_is_refused(array: object) -> None:
    with pytest.raises(InputError):
        PriorMap.from_array(BOX, array)  # type: ignore[arg-type]


def test_the_digest_names_the_weights_and_where_they_lie() -> None:
    one, doubled = PriorMap.from_array(BOX, [[1.0, 3.0]]), PriorMap.from_array(BOX, [[2.0, 6.0]])
    moved = PriorMap.from_array(GeoBox(11.0, 43.0, 11.2, 43.3), [[1.0, 3.0]])
    assert one.digest == doubled.digest and len({one.digest, moved.digest}) == 2
    assert one == doubled and ADAPTIVE_TREE.with_prior(one).prior == one
