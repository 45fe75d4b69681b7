"""After a residual round: centers stand at corrected means of their own parts, and borders move with the crowd."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from dpviz.clustering import assign, cost, improve_kmeans, lloyd
from dpviz.domain import ExactCounts, Grid, PlainBox
from dpviz.mechanisms.adaptive_tree import residual
from dpviz.mechanisms.adaptive_tree.growth import Pyramid
from dpviz.mechanisms.adaptive_tree.residual import Synopsis, correct_centers, residual_round, settle_centers
from dpviz.noise import replayable_source

EXTENT = np.array([1.0, 1.0])
SQUARE = PlainBox((0.0, 0.0), (1.0, 1.0))


def two_hills(side: int, blur: bool) -> tuple[np.ndarray, np.ndarray]:
    """Cell middles and masses; with `blur` every block of 8×8 cells is even, as large leaves show it."""
    middles = (np.arange(side) + 0.5) / side
    x, y = np.meshgrid(middles, middles)
    mass = np.exp(-((x - 0.3) ** 2) / 0.01 - (y - 0.4) ** 2 / 0.02) + 0.6 * np.exp(
        -((x - 0.55) ** 2 + (y - 0.6) ** 2) / 0.008
    )
    if blur:
        blocks = mass.reshape(side // 8, 8, side // 8, 8).mean(axis=(1, 3))
        mass = np.kron(blocks, np.ones((8, 8)))
    return np.column_stack([x.ravel(), y.ravel()]), mass.ravel()


def synopsis_of(points: np.ndarray, mass: np.ndarray) -> Synopsis:
    return Synopsis(positions=points, weights=mass, variances=np.ones(len(mass)))


def test_centers_are_the_corrected_means_of_their_own_parts() -> None:
    points, mass = two_hills(64, blur=True)
    start, _ = lloyd(points, mass, np.array([[0.2, 0.2], [0.7, 0.7]]), 100)
    shifts = np.array([[0.01, -0.02], [-0.015, 0.005]])
    moved, centers = correct_centers(synopsis_of(points, mass), start, shifts, EXTENT)
    labels = assign(points, centers)
    for j in range(2):
        inside = labels == j
        mean = mass[inside] @ points[inside] / mass[inside].sum()
        np.testing.assert_allclose(centers[j], mean + shifts[j], atol=1e-5)
        np.testing.assert_allclose(moved.positions[inside], points[inside] + shifts[j])


def test_true_corrections_bring_centers_nearer_than_moving_the_points_first() -> None:
    points, truth = two_hills(64, blur=False)
    _, seen = two_hills(64, blur=True)
    best, _ = lloyd(points, truth, np.array([[0.2, 0.2], [0.7, 0.7]]), 300)
    start, _ = lloyd(points, seen, best, 300)
    labels = assign(points, start)
    shifts = np.array(
        [truth[labels == j] @ points[labels == j] / truth[labels == j].sum() - start[j] for j in range(2)]
    )
    _, centers = correct_centers(synopsis_of(points, seen), start, shifts, EXTENT)
    moved_first, _ = lloyd(points + shifts[labels], seen, start, 300)
    away = [np.linalg.norm(found - best) for found in (start, moved_first, centers)]
    assert away[2] < 0.5 * away[1] < away[0]


def test_wild_corrections_leave_centers_inside_the_box() -> None:
    points, mass = two_hills(16, blur=False)
    _, centers = correct_centers(synopsis_of(points, mass), np.full((3, 2), 0.5), np.full((3, 2), 7.0), EXTENT)
    assert (centers >= 0).all() and (centers <= 1).all()


def test_no_correction_is_longer_than_its_clip() -> None:
    """A part of almost no weight under heavy noise: the quotient must not fling its center away."""
    cells = np.zeros((16, 16), np.int64)
    cells[3, 3] = 5
    blocks = Pyramid(ExactCounts.from_array(Grid(SQUARE, 16), cells))
    places = np.array([[0.2, 0.8], [0.25, 0.85], [0.8, 0.2]])
    thin = Synopsis(positions=places, weights=np.array([5.0, 1e-9, 1e-9]), variances=np.full(3, 1e4))
    centers = np.array([[0.2, 0.8], [0.7, 0.3]])
    for seed in range(20):
        shifts, left = residual_round(blocks, thin, centers, Fraction(1, 1000), replayable_source(seed))
        assert (np.abs(shifts).sum(axis=1) <= 0.3).all()
        assert ((left >= 0) & (left <= 1)).all()


def test_on_strong_data_means_are_corrected_and_borders_stay() -> None:
    points, mass = two_hills(64, blur=True)
    start, _ = lloyd(points, mass, np.array([[0.2, 0.2], [0.7, 0.7]]), 300)
    shifts = np.array([[0.001, -0.002], [-0.0015, 0.0005]])
    moved, centers = settle_centers(synopsis_of(points, mass), start, shifts, EXTENT)
    labels = assign(points, start)
    still = np.flatnonzero((moved.positions == points).all(axis=1))
    for j in range(2):
        inside = labels == j
        mean = mass[inside] @ moved.positions[inside] / mass[inside].sum()
        np.testing.assert_allclose(mean, mass[inside] @ points[inside] / mass[inside].sum() + shifts[j], atol=1e-12)
        assert mass[inside & np.isin(np.arange(len(mass)), still)].sum() > 0.3 * mass[inside].sum()
    border = np.argsort(np.abs(np.diff(np.linalg.norm(points[:, None] - start[None], axis=2), axis=1)).ravel())[:50]
    assert np.isin(border, still).all()
    found, _ = lloyd(moved.positions, mass, centers, 300)
    np.testing.assert_allclose(found, centers, atol=1e-6)


def test_true_corrections_on_strong_data_lead_to_the_best_centers() -> None:
    points, truth = two_hills(64, blur=False)
    best, _ = lloyd(points, truth, np.array([[0.2, 0.2], [0.7, 0.7]]), 300)
    best = improve_kmeans(points, truth, best, low=np.zeros(2), high=EXTENT)
    seen = truth * np.random.default_rng(0).normal(1.0, 0.05, len(truth))
    start, _ = lloyd(points, seen, best, 300)
    labels = assign(points, start)
    shifts = np.array(
        [truth[labels == j] @ points[labels == j] / truth[labels == j].sum() - start[j] for j in range(2)]
    )
    _, centers = settle_centers(synopsis_of(points, seen), start, shifts, EXTENT)
    before, after, least = (cost(points, truth, found) for found in (start, centers, best))
    assert after - least < 0.2 * (before - least)


def test_wild_or_empty_corrections_on_strong_data_leave_centers_inside_the_box() -> None:
    points, mass = two_hills(16, blur=False)
    for weights in (mass, np.zeros_like(mass)):
        _, centers = settle_centers(synopsis_of(points, weights), np.full((3, 2), 0.5), np.full((3, 2), 7.0), EXTENT)
        assert (centers >= 0).all() and (centers <= 1).all()


def test_the_radius_is_the_one_of_least_risk_by_its_definition() -> None:
    generator = np.random.default_rng(4)
    for size in (1, 2, 40, 900):
        offsets = generator.normal(0.0, 1.0, (size, 2)) ** 3
        offsets[0] = 0.0
        reach = np.abs(offsets).sum(axis=1)
        weights, error = generator.exponential(5.0, size), generator.exponential(2.0, size)
        found = residual.best_radius(offsets, reach, weights, error, 0.3)
        candidates = np.unique(np.quantile(reach, np.linspace(0.02, 1.0, residual.RADII)))
        candidates = candidates[candidates > 0.0]
        length = np.sqrt((offsets**2).sum(axis=1))
        left = np.maximum(1.0 - candidates[:, None] / np.maximum(reach, 1e-300)[None, :], 0.0) * length
        risk = left**2 @ error + (residual.MODEL_ERROR * (left @ weights)) ** 2 + 4.0 * (candidates / 0.3) ** 2
        if len(candidates) == 0:
            assert found == 1.0
        else:
            assert found == pytest.approx(candidates[np.argmin(risk)])


def test_a_part_without_points_has_a_radius_above_0() -> None:
    none = np.zeros(0)
    assert residual.best_radius(np.zeros((0, 2)), none, none, none, 0.3) == 1.0
