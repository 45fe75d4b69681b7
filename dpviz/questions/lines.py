"""Records on lines: how far the halves of cells err together along a straight border. Post-processing.

Where coordinates are rounded, or are whole numbers, records stand on lines along the axes, and all cells of a column
hold them at the same places across. A border along an axis then cuts every cell of the column wrongly in the same
direction, and errors add up instead of evening out. Whether a release is of such records is seen in it: the differences
between the halves of cells, column by column, add up to squares that are larger than the sum of their own squares.
"""

from __future__ import annotations

import numpy as np

from dpviz.domain.overlap import Overlaps
from dpviz.questions.noise_model import LARGEST_FAMILY, Floats, Integers, NoiseModel, filter_depths, halves, unevenness

FIRST_DOUBT, STEP_DOUBT = 0.1, 0.3  # of what is taken to be so before a depth has spoken, and from depth to depth
# One depth further down halves differ more, up to four times as much. Chosen on rounded places of other steps.
GROWTH = 2.0
LEAST_TOLD = 0.1  # less is what cities show whose density changes from side to side
STRAIGHT = 1e-6


def togetherness(model: NoiseModel, nodes: Integers, rho: Floats) -> Floats:
    """What the halves of each cell have in common with those of its column or row, in units of their variance.

    A filter over the depths, from large cells to small ones, as that of `unevenness`, whose result is `rho`.
    """
    told = filter_depths(_by_depth(model), 0.0, FIRST_DOUBT, STEP_DOUBT)
    found = told[np.maximum(model.tree.depth[nodes], 0) + 1]
    return np.where(found < LEAST_TOLD, 0.0, np.minimum(GROWTH * found, 1.0 / halves(rho)))


def _by_depth(model: NoiseModel) -> list[tuple[float, float]]:
    """The correlation from the families whose children have each depth, and the variance of that."""
    tree = model.tree
    first, order = model.families
    size = np.diff(first)
    heads = np.flatnonzero((size > 1) & (size <= LARGEST_FAMILY))
    depth = tree.depth[order[first[heads]]]
    owner = np.repeat(np.arange(len(heads)), size[heads])
    child = order[np.repeat(first[heads] - np.cumsum(size[heads]) + size[heads], size[heads]) + np.arange(len(owner))]
    whole = np.maximum(np.bincount(owner, weights=model.best[child], minlength=len(heads)), 0.0)
    noise = np.bincount(owner, weights=model.spread[child], minlength=len(heads))
    uneven = whole * np.sqrt(halves(unevenness(model, heads)))
    middle = (tree.low + tree.high) / 2.0
    depths = int(tree.depth.max(initial=0)) + 1
    apart, together, doubted = np.zeros(depths), np.full(depths, 1e-12), np.full(depths, 1e-12)
    for axis in range(2):
        side = np.sign(middle[child, axis] - middle[heads[owner], axis])
        differ = np.bincount(owner, weights=side * model.best[child], minlength=len(heads)).astype(np.float64)
        column, of_column = _columns(depth, tree.low[heads, axis])
        for sums, values in ((apart, differ), (together, uneven)):
            sums += np.bincount(of_column, weights=_cross(column, values), minlength=depths)
        doubted += np.bincount(of_column, weights=2.0 * _cross(column, uneven**2 + whole + noise), minlength=depths)
    return [(float(apart[at] / together[at]), float(doubted[at] / together[at] ** 2)) for at in range(depths)]


def _cross(group: Integers, values: Floats) -> Floats:
    """Of each group: the square of its sum without the squares of its members."""
    whole, own = np.bincount(group, weights=values), np.bincount(group, weights=values**2)
    return (whole**2 - own).astype(np.float64)


def added(met: Overlaps, zones: int, shared: Floats) -> Floats:
    """What errors in the same direction add to the variance of each zone, side by side of it.

    `shared`, per row: the part of the variance of a cut cell that it has in common with its column or row.
    """
    cut = (met.share < 1.0 - STRAIGHT) & (shared > 0.0)
    total = np.zeros(zones)
    for axis in range(2):
        # A straight cut across a whole cell leaves a part that reaches from one side of the cell to the other.
        away = met.middle[:, axis]
        straight = (
            cut & (np.abs(met.middle[:, 1 - axis]) < STRAIGHT) & (np.abs(np.abs(away) - 1.0 + met.share) < STRAIGHT)
        )
        side = 2 * met.zone[straight] + (away[straight] > 0.0)
        root = np.sqrt(shared[straight])
        whole = np.bincount(side, weights=root, minlength=2 * zones) ** 2
        total += (whole - np.bincount(side, weights=root**2, minlength=2 * zones)).reshape(zones, 2).sum(axis=1)
    return total


def of_columns(group: Integers, depth: Integers, begins: Floats, shared: Floats, groups: int) -> Floats:
    """What errors in the same direction add to the variance of each group, column by column of it.

    Per row: its group, the depth of its cell and where that begins, and what it has in common with its column.
    """
    column, of_column = _columns(group * (int(depth.max(initial=0)) + 2) + depth + 1, begins)
    summed = _cross(column, np.sqrt(shared))
    owner = of_column // (int(depth.max(initial=0)) + 2)
    return np.bincount(owner, weights=summed, minlength=groups).astype(np.float64)


def _columns(kind: Integers, begins: Floats) -> tuple[Integers, Integers]:
    """A number for each row, the same for the same kind and beginning, and the kind of each such number."""
    places, at = np.unique(begins, return_inverse=True)
    keys, column = np.unique(kind * len(places) + at, return_inverse=True)
    return column.astype(np.int64), keys // max(len(places), 1)
