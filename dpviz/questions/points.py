"""Cells as weighted points, unmerged: what searches and costs work on. Post-processing."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dpviz.clustering import Ground
from dpviz.domain import CellTree

Floats = NDArray[np.float64]
MOST_POINTS = 1 << 16
MOST_SIDES = 2


def cell_points(tree: CellTree) -> tuple[Floats, Floats]:
    """Local places and weights. A cell becomes points a quarter in from the ends of its longest sides, around its mean.

    As many sides as the number of cells allows; a method whose cells stand for their middles has one point each.
    """
    frame = tree.frame
    low, high = frame.to_local(tree.low[tree.cell]), frame.to_local(tree.high[tree.cell])
    mean = frame.to_local(tree.mean)
    sides = high - low
    room = int(math.log2(max(MOST_POINTS / max(len(mean), 1), 1.0)))
    many = min(room, frame.dims if frame.dims > MOST_SIDES else MOST_SIDES, frame.dims) if tree.pieces else 0
    if many == 0:
        return np.clip(mean, 0.0, frame.extent), tree.count.copy()
    longest = np.argsort(-sides, axis=1, kind="stable")[:, :many]
    signs = np.where(np.arange(1 << many)[:, None] >> np.arange(many) & 1, 1.0, -1.0)
    corners = np.zeros((len(mean), 1 << many, frame.dims))
    rows = np.arange(len(mean))
    for bit in range(many):
        axis = longest[:, bit]
        # A mean close to a side leaves less room: the points stay inside the cell.
        gap = np.minimum(mean[rows, axis] - low[rows, axis], high[rows, axis] - mean[rows, axis])
        reach = np.clip(gap, 0.0, sides[rows, axis] / 4.0)
        corners[rows, :, axis] = reach[:, None] * signs[:, bit]
    places = np.clip((mean[:, None, :] + corners).reshape(-1, frame.dims), 0.0, frame.extent)
    return places, np.repeat(tree.count / (1 << many), 1 << many)


def ground_of(tree: CellTree, points: int) -> Ground:
    """What was measured of each cell itself, for searches that are not led astray by empty ground.

    `points`: how many points `cell_points` makes of all cells.
    """
    nodes = len(tree.parent)
    precision = np.bincount(tree.node, weights=1.0 / tree.variance, minlength=nodes)[tree.cell]
    summed = np.bincount(tree.node, weights=tree.value / tree.variance, minlength=nodes)[tree.cell]
    known = np.maximum(precision, 1e-300)
    return Ground(
        places=tree.frame.to_local(tree.mean),
        values=np.where(precision > 0.0, summed / known, tree.count),
        variances=1.0 / known,
        sizes=np.maximum(tree.depth[tree.cell], 0),
        owner=np.repeat(np.arange(len(tree.cell)), points // max(len(tree.cell), 1)),
    )
