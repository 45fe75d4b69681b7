"""The 90 % radii of adaptive_tree hold what they say, and a planted wrong radius does not."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from dpviz.clustering import assign
from dpviz.domain import Coreset, ExactCounts, Grid, PlainBox
from dpviz.errors import NotOffered
from dpviz.ingest.synthetic import SYNTHETIC_BOX, synthetic_city
from dpviz.mechanisms.adaptive_tree import ADAPTIVE_TREE
from dpviz.mechanisms.exact_view import weighted_local
from dpviz.mechanisms.interface import Public
from dpviz.mechanisms.uncertainty import uncertainty_radii
from dpviz.noise import replayable_source
from dpviz.privacy import Budget

DRAWS = 25
CASES = (("peer", 1, 0.05), ("peer", 5, 0.05), ("peer", 5, 0.5), ("suburbs", 5, 0.1), ("suburbs", 10, 0.2))


def city(kind: str) -> ExactCounts:
    grid = Grid(SYNTHETIC_BOX, 256)
    points = synthetic_city(100_000, 3, kind)
    flat = grid.cells(points[:, 0], points[:, 1])
    return ExactCounts.from_array(grid, np.bincount(flat, minlength=256 * 256).reshape(256, 256))


def misses(kind: str, k: int, epsilon: float) -> NDArray[np.float64]:
    """Distance from each center to the exact mean of its records, in units of its radius, all draws together."""
    data = city(kind)
    positions, counts = weighted_local(data)
    plan = ADAPTIVE_TREE.plan(Public.of(data), k=k, budget=Budget(epsilon=epsilon))
    found = []
    for seed in range(DRAWS):
        answer = ADAPTIVE_TREE.run(data, plan, replayable_source(seed))
        assert answer.centers is not None
        centers = answer.centers.positions
        labels = assign(positions, centers)
        held = np.bincount(labels, counts, minlength=k)
        sums = np.column_stack([np.bincount(labels, counts * positions[:, axis], minlength=k) for axis in (0, 1)])
        away = np.linalg.norm(centers - sums / np.maximum(held, 1)[:, None], axis=1)
        radii = answer.constants["center_radii_90"]
        assert isinstance(radii, tuple)
        found.append((away / np.array(radii))[held > 0])
    return np.concatenate(found)


@pytest.mark.statistical
@pytest.mark.slow
def test_ninety_percent_radii_cover_about_ninety_percent() -> None:
    ratios = np.concatenate([misses(*case) for case in CASES])
    assert 0.85 <= (ratios <= 1.0).mean() <= 0.95
    assert (2.0 * ratios <= 1.0).mean() < 0.85, "radii half as long must fail"


def test_radii_need_variances() -> None:
    frame = PlainBox((0.0, 0.0), (1.0, 1.0)).frame
    bare = Coreset(frame=frame, positions=np.full((3, 2), 0.5), weights=np.ones(3))
    with pytest.raises(NotOffered, match="variances"):
        uncertainty_radii(bare, np.full((1, 2), 0.5))


def test_a_center_without_weight_is_as_uncertain_as_the_box_is_wide() -> None:
    frame = PlainBox((0.0, 0.0), (3.0, 4.0)).frame
    coreset = Coreset(frame=frame, positions=np.full((3, 2), 0.5), weights=np.ones(3), variances=np.ones(3))
    radii = uncertainty_radii(coreset, np.array([[0.4, 0.4], [2.9, 3.9]]))
    assert radii[1] == pytest.approx(5.0)
    assert radii[0] < 5.0
