"""Records on lines (rounded coordinates, whole numbers): ranges hold because a release sees that its columns agree."""

from __future__ import annotations

import numpy as np
import pytest

from dpviz.clustering import assign
from dpviz.domain import ExactCounts, GeoBox, Grid
from dpviz.domain.overlap import Rectangles
from dpviz.mechanisms.exact_view import weighted_local
from dpviz.privacy import Budget
from dpviz.publishing.mechanism_run import release
from dpviz.questions import noise_model
from dpviz.questions.answers import Asked
from dpviz.questions.areas import zones_of
from dpviz.questions.centers import center_radii
from dpviz.releases.release import Release

BOX = GeoBox(-74.05, 40.70, -73.90, 40.80)
SIDE, STEP = 512, 13


def places(step: int) -> ExactCounts:
    """Two groups on a grid of 512 cells a side, on every `step`-th column and row alone."""
    draw = np.random.default_rng(4)
    spots = np.concatenate([draw.normal([200, 240], 70, (50_000, 2)), draw.normal([350, 300], 40, (30_000, 2))])
    spots = (np.round(spots / step) * step).astype(np.int64)
    spots = spots[((spots >= 0) & (spots < SIDE)).all(axis=1)]
    exact = np.bincount(spots @ np.array([1, SIDE]), minlength=SIDE**2).reshape(SIDE, SIDE)
    return ExactCounts.from_array(Grid(BOX, SIDE), exact)


def made(data: ExactCounts, k: int = 3, seed: int = 1, purpose: str = "centers") -> Release:
    found = release(data, k, Budget(epsilon=0.5), "adaptive_tree", seed=seed, purpose=purpose)
    assert isinstance(found, Release)
    return found


def held(found: Release, data: ExactCounts) -> float:
    """How many of 200 areas of some tenth of the box lie in their range; a new reading of the release each time."""
    draw, cells = np.random.default_rng(7), data.to_numpy()
    sizes = draw.integers(120, 220, (200, 2))
    corners = (draw.random((200, 2)) * (SIDE - sizes)).astype(np.int64)
    truth = np.array(
        [cells[y : y + tall, x : x + wide].sum() for (x, y), (wide, tall) in zip(corners, sizes, strict=True)]
    )
    first = np.array([BOX.west, BOX.north]) + corners * [0.15 / SIDE, -0.1 / SIDE]
    last = first + sizes * [0.15 / SIDE, -0.1 / SIDE]
    areas = [(west, south, east, north) for (west, north), (east, south) in zip(first, last, strict=True)]
    assert found.protected_cells is not None
    table = Asked(tree=found.protected_cells).counts(zones_of(areas, found.frame))
    return float(((table["low"] <= truth) & (truth <= table["high"])).mean())


def test_ranges_hold_where_records_stand_on_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    data = places(STEP)
    found = made(data)
    checked = held(found, data)
    assert checked >= 0.85
    monkeypatch.setattr(noise_model, "GROWTH", 0.0)
    assert held(found, data) < min(0.8, checked - 0.1), "the planted case: every cell errs by itself"


def test_columns_agree_on_lines_and_not_on_even_ground() -> None:
    on_lines, even = (made(places(step)).protected_cells for step in (STEP, 1))
    assert on_lines is not None and even is not None
    assert np.median(Asked(tree=on_lines).together) > 0.5
    assert np.median(Asked(tree=even).together) == 0.0


def test_trips_seen_from_one_end_are_not_taken_for_lines() -> None:
    tree = made(places(STEP)).protected_cells
    assert tree is not None
    assert not Asked(tree=tree, stacked=True).together.any()


def test_only_straight_cuts_of_one_side_add_up() -> None:
    low = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    cells = Rectangles.of(low, low + 1.0, (0.0, 0.0, 2.0, 2.0))
    box = [(np.array([[0.25, 0.0], [1.5, 0.0], [1.5, 2.0], [0.25, 2.0]]), 1.0)]
    slanted = [(np.array([[0.25, 0.0], [1.5, 0.0], [1.75, 2.0], [0.5, 2.0]]), 1.0)]
    met = cells.met_by([box, slanted])
    shared = np.array([1.0, 4.0, 9.0, 16.0])[met.cell]
    # West (1 + 2)² and east (3 + 4)², less the squares of each.
    assert noise_model.added(met, 2, shared).tolist() == pytest.approx([9.0 - 5.0 + 49.0 - 25.0, 0.0])


def test_columns_of_one_group_add_up() -> None:
    group, depth = np.array([0, 0, 0, 1]), np.array([3, 3, 4, 3])
    found = noise_model.of_columns(group, depth, np.full(4, 0.5), np.array([1.0, 4.0, 9.0, 16.0]), 2)
    assert found.tolist() == pytest.approx([4.0, 0.0])


def test_radii_of_centers_know_of_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    data = places(STEP)
    positions, counts = weighted_local(data)
    drawn = [made(data, k=8, seed=seed, purpose="any question") for seed in range(3)]

    def radii(found: Release) -> np.ndarray:
        assert found.protected_cells is not None
        centers = found.protected_centers.positions
        return center_radii(Asked(tree=found.protected_cells), centers, np.ones(len(centers)))

    def away(found: Release) -> np.ndarray:
        centers = found.protected_centers.positions
        labels = assign(positions, centers)
        weight = np.maximum(np.bincount(labels, counts, len(centers)), 1)
        sums = np.column_stack([np.bincount(labels, counts * positions[:, axis], len(centers)) for axis in (0, 1)])
        return np.asarray(np.linalg.norm(centers - sums / weight[:, None], axis=1))

    told = np.concatenate([radii(found) for found in drawn])
    assert (np.concatenate([away(found) for found in drawn]) <= told).mean() >= 0.85
    monkeypatch.setattr(noise_model, "GROWTH", 0.0)
    alone = np.concatenate([radii(found) for found in drawn])
    assert np.median(alone / told) < 0.95, "the planted case: every cell errs by itself"
