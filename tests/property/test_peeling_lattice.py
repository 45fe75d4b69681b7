"""peeled_balls above two dimensions: boxes, removal and parts against plain loops; neighbours stay neighbours."""

from __future__ import annotations

import numpy as np
import pytest

from dpviz.domain import Adjacency, ExactPoints
from dpviz.domain.box import plain_frame
from dpviz.mechanisms import interface
from dpviz.mechanisms.interface import Answer, Public
from dpviz.mechanisms.peeled_balls._block_kernels import clipped_moments
from dpviz.mechanisms.peeled_balls.mechanism import PEELED_BALLS
from dpviz.mechanisms.peeled_balls.schedule import CELLS, MOST_BOXES, LatticePeeler, ladder_of_cuts, on_lattice
from dpviz.noise import replayable_source
from dpviz.privacy import Budget


def some_cube(rng: np.random.Generator, records: int, dims: int) -> np.ndarray:
    cube = rng.random((records, dims)) ** rng.integers(1, 4)
    steps = int(rng.integers(2, 200))
    return np.floor(cube * steps) / steps  # ties and corners


def frame_of(dims: int) -> object:
    return plain_frame([0.0] * dims, [float(1 + axis) for axis in range(dims)])


def test_box_counts_and_their_middles_agree_with_plain_loops() -> None:
    rng = np.random.default_rng(1)
    for _ in range(25):
        dims = int(rng.integers(3, 5))
        cube = some_cube(rng, int(rng.integers(1, 60)), dims)
        state = LatticePeeler(frame_of(dims), cube)
        rung = int(rng.integers(len(state.cuts) - 4, len(state.cuts)))
        cuts = state.cuts[rung]
        counts: dict[int, int] = {}
        for placement in range(dims + 1):
            for row in cube:
                box = [int(value * cuts + placement / (dims + 1)) for value in row]
                flat = int(np.ravel_multi_index(box, (cuts + 1,) * dims))
                at = placement * (cuts + 1) ** dims + flat
                counts[at] = counts.get(at, 0) + 1
        scores = state.exact_scores(rung, 7)
        assert scores.sum() == sum(min(7, held) for held in counts.values())
        assert all(scores[at] == min(7, held) for at, held in counts.items())
        assert state.exact_largest()[rung] == max(counts.values())
        fullest = max(counts, key=lambda at: counts[at])
        middle = state.center(rung, fullest) / (2 * CELLS)
        placement, flat = divmod(fullest, (cuts + 1) ** dims)
        box = np.array(np.unravel_index(flat, (cuts + 1,) * dims))
        assert np.allclose(middle, np.clip((box + 0.5 - placement / (dims + 1)) / cuts, 0, 1), atol=1e-5)


def test_removal_takes_the_nearest_in_a_public_order_and_the_tables_follow() -> None:
    rng = np.random.default_rng(2)
    for _ in range(40):
        dims = int(rng.integers(3, 6))
        cube = some_cube(rng, int(rng.integers(1, 80)), dims)
        state = LatticePeeler(frame_of(dims), cube)
        for _ in range(3):
            center = state.center(len(state.cuts) - 1 - int(rng.integers(3)), int(rng.integers(4)))
            weight = int(rng.integers(0, 30))
            lattice = on_lattice(cube).astype(np.int64)
            squared = (((2 * lattice + 1 - center) * state.steps) ** 2).sum(axis=1)
            order = np.lexsort((*cube.T[::-1], squared))
            expected = cube[order[weight:]]
            state.remove(center, weight)
            cube = state.cube
            assert sorted(map(tuple, cube)) == sorted(map(tuple, expected))
            again = LatticePeeler(frame_of(dims), cube)
            assert all(np.array_equal(a, b) for a, b in zip(state.tables, again.tables, strict=True))


def test_neighbours_stay_neighbours_above_two_dimensions() -> None:
    rng = np.random.default_rng(3)
    for _ in range(300):
        cube = some_cube(rng, int(rng.integers(1, 25)), 3)
        files = [cube, np.vstack([cube, rng.random((1, 3))]), np.vstack([cube, rng.random((1, 3))])]
        center, weight = rng.integers(0, 2 * CELLS, 3), int(rng.integers(0, 12))
        left = []
        for rows in files:
            state = LatticePeeler(frame_of(3), rows)
            state.remove(center, weight)
            left.append({tuple(row) for row in state.cube} | {("n", len(state.cube))})
        less, grown, swapped = ({row for row in rows if row[0] != "n"} for rows in left)
        assert less <= grown and len(grown - less) <= 1
        assert len(grown - swapped) <= 1 and len(swapped - grown) <= 1


def test_clipped_moments_agree_with_plain_numpy() -> None:
    rng = np.random.default_rng(4)
    for _ in range(30):
        dims, parts = int(rng.integers(3, 6)), int(rng.integers(1, 7))
        lattice = rng.integers(0, CELLS, (int(rng.integers(0, 50)), dims)).astype(np.int32)
        centers = rng.integers(0, 2 * CELLS + 1, (parts, dims))
        steps = rng.integers(1, 512, dims)
        anchors, reach = centers // 2, rng.integers(0, CELLS, (parts, dims))
        moments = np.zeros((parts, dims + 1), np.int64)
        clipped_moments(lattice, centers, steps, anchors, reach, moments)
        gaps = (2 * lattice.astype(np.int64)[:, None, :] + 1 - centers[None]) * steps
        nearest = (gaps**2).sum(axis=2).argmin(axis=1)
        for part in range(parts):
            offsets = np.clip(lattice[nearest == part] - anchors[part], -reach[part], reach[part])
            assert moments[part].tolist() == [len(offsets), *offsets.sum(axis=0).tolist()]


@pytest.mark.parametrize("dims", range(3, 9))
def test_the_ladder_of_every_dimension_fits_in_memory_and_has_several_rungs(dims: int) -> None:
    rungs = ladder_of_cuts(dims)
    assert len(rungs) >= 4 and rungs[-1] == 1 and (rungs[0] + 1) ** dims <= MOST_BOXES


@pytest.mark.parametrize("relation", list(Adjacency))
@pytest.mark.parametrize("delta", [0.0, 1e-9])
def test_two_crowds_of_trips_are_found(relation: Adjacency, delta: float) -> None:
    rng = np.random.default_rng(5)
    middles = np.array([[0.2, 0.2, 0.7, 0.7], [0.8, 0.6, 0.2, 0.3]])
    cube = np.clip(middles[rng.integers(2, size=20_000)] + rng.normal(0, 0.04, (20_000, 4)), 0, 0.999)
    rows = 20_000 if relation is Adjacency.REPLACE_ONE else None
    data = ExactPoints(plain_frame([0.0] * 4, [1.0] * 4), cube, relation=relation, public_rows=rows)
    plan = PEELED_BALLS.plan(Public.of(data), k=2, budget=Budget(epsilon=2.0, delta=delta))
    answer = PEELED_BALLS.run(data, plan, replayable_source(2))
    assert isinstance(answer, Answer) and answer.coreset is not None
    near = np.abs(answer.coreset.positions[:, None, :] - middles[None, :, :]).max(axis=2).min(axis=1)
    assert np.average(near, weights=answer.coreset.weights) < 0.08
    assert abs(answer.coreset.weights.sum() / 20_000 - 1) < 0.05


def test_a_run_survives_whatever_the_noisy_number_of_records_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interface, "least_epsilon", lambda public: 0.0)  # such noise is refused before it comes here
    cube = np.random.default_rng(6).random((50, 3))
    data = ExactPoints(plain_frame([0.0] * 3, [1.0] * 3), cube)
    plan = PEELED_BALLS.plan(Public.of(data), k=1, budget=Budget(epsilon=1e-8))
    answers = [PEELED_BALLS.run(data, plan, replayable_source(seed)) for seed in range(12)]
    largest = max(int(str(answer.constants["noisy_total"])) for answer in answers)
    assert largest > 2**31  # heavier balls than the tables can hold
