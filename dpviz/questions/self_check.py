"""How far off a release's own model of its cells is: it asks itself what it already knows. Post-processing.

The finest families of cells are taken for one cell each, and some areas are asked of these coarser cells and of the
cells themselves. What lies between the two answers, beyond noise, is what the model of the inside of cells has to
explain, one size up. The factor that it needs to explain it in 90 of 100 areas says whether records of this release
lie along streets and shores, where errors add up, or are strewn.

A release of few cells shows little of itself: there ground is more uneven than its own check says. Both dependences
were fitted on one half of the data sets of dpviz_research/coverage.py.
"""

from __future__ import annotations

import numpy as np

from dpviz.domain import CellTree
from dpviz.domain.overlap import Overlaps, cut_by_boxes, of_pairs
from dpviz.questions.noise_model import (
    LARGEST_FAMILY,
    Floats,
    Integers,
    NoiseModel,
    border_factor,
    cut_variance,
    sum_cuts,
    tilted,
    unevenness,
)

AREAS = 300
SMALLEST, LARGEST = 5e-4, 0.15  # shares of the box
FEWEST = 15  # areas that tell more than noise
NINETY = 1.645
WITHOUT = 0.7  # the factor where nothing can be told: what releases of cities usually find
EXPONENT, FEW_CELLS, LEVEL = 0.7, -0.15, 3.9  # of the factor found, of the number of cells, and of both together
LEAST, MOST = 0.5, 4.0
_PLASTIC, _GOLDEN = 1.324717957244746, 0.6180339887498949  # evenly spread places and sizes, the same for everybody


def model_factor(model: NoiseModel, rho: Floats, lean: Floats) -> float:
    """What the variance inside cells is to be multiplied with."""
    wanted = LEVEL * _found(model, rho, lean) ** EXPONENT * len(model.tree) ** FEW_CELLS
    return float(np.clip(wanted, LEAST, MOST))


def check_areas(frame_low: Floats, frame_high: Floats) -> tuple[Floats, Floats]:
    """Rectangles of many sizes anywhere in the box: their lower and upper corners, (areas, 2)."""
    at = np.arange(1, AREAS + 1)
    size = SMALLEST * (LARGEST / SMALLEST) ** (at * _GOLDEN % 1.0)
    shape = np.exp(0.8 * (at * _GOLDEN**2 % 1.0) - 0.4)
    wide = np.minimum(np.sqrt(size) * shape, 0.95)
    tall = np.minimum(size / wide, 0.95)
    x, y = (at / _PLASTIC % 1.0) * (1.0 - wide), (at / _PLASTIC**2 % 1.0) * (1.0 - tall)
    extent = frame_high - frame_low
    low, high = np.column_stack([x, y]), np.column_stack([x + wide, y + tall])
    return frame_low + low * extent, frame_low + high * extent


def _found(model: NoiseModel, rho: Floats, lean: Floats) -> float:
    """The factor by which coarser cells would hold what finer ones say in 90 of 100 areas.

    Areas are asked of the coarser cells that they cut, and of the cells in these: all others say the same twice.
    """
    tree = model.tree
    node, owner = _families(tree)
    count = np.bincount(owner, weights=tree.count).astype(np.float64)
    areas = check_areas(np.asarray(tree.frame.low), np.asarray(tree.frame.high))
    coarse = cut_by_boxes(*areas, tree.low[node], tree.high[node])
    row, inside = _members(coarse, owner)
    zone = coarse.zone[row]
    order = np.argsort(zone * len(owner) + inside, kind="stable")
    fine = of_pairs(*areas, tree.low[tree.cell], tree.high[tree.cell], zone[order], inside[order])
    fine_share = tilted(fine.share, fine.middle, lean[fine.cell])
    apart = _sums(coarse.zone, coarse.share * count[coarse.cell]) - _sums(fine.zone, fine_share * tree.count[fine.cell])
    noise, _ = model.variances(*_between(coarse.share[row], fine, fine_share, zone, inside, len(owner)))
    above, cells = _spread(coarse, coarse.share, unevenness(model, node), count)
    below, _ = _spread(fine, fine_share, rho, tree.count)
    unknown = np.maximum(above - below, 0.0) * border_factor(cells)
    telling = unknown > 0.2 * noise
    if int(telling.sum()) < FEWEST:
        return WITHOUT
    # The least factor with which 90 of 100 differences are within their range.
    needed = np.maximum((apart[telling] / NINETY) ** 2 - noise[telling], 0.0) / unknown[telling]
    return float(np.clip(np.quantile(needed, 0.9), 0.01, 100.0))


def _sums(zone: Integers, values: Floats) -> Floats:
    """The values of each area, added up."""
    return np.bincount(zone, weights=values, minlength=AREAS).astype(np.float64)


def _members(coarse: Overlaps, owner: Integers) -> tuple[Integers, Integers]:
    """The cells of each coarser one: which row they belong to, and which cell it is."""
    by_owner = np.argsort(owner, kind="stable")
    size = np.bincount(owner)
    first = np.cumsum(size) - size
    times = size[coarse.cell]
    row = np.repeat(np.arange(len(times)), times)
    place = np.arange(len(row)) + (first[coarse.cell] - np.cumsum(times) + times)[row]
    return row, by_owner[place]


def _between(
    coarse_share: Floats, fine: Overlaps, fine_share: Floats, zone: Integers, inside: Integers, cells: int
) -> tuple[Integers, Integers, Floats]:
    """Of each area the cells of the coarser ones that it cuts, with the coarser one's share minus the cell's own.

    Where the rows of each area begin, the cells of those rows, the shares. `zone` and `inside`: the area and the cell
    of each coarser share.
    """
    keys = np.concatenate([zone * cells + inside, fine.zone * cells + fine.cell])
    rows, at = np.unique(keys, return_inverse=True)
    share = np.bincount(at, weights=np.concatenate([coarse_share, -fine_share]), minlength=len(rows))
    start = np.searchsorted(rows, np.arange(AREAS + 1) * cells).astype(np.int64)
    return start, rows % cells, share.astype(np.float64)


def _families(tree: CellTree) -> tuple[Integers, Integers]:
    """The coarser cells, and for each cell the coarser one that it belongs to: families of cells become one."""
    nodes = len(tree.parent)
    children = np.bincount(tree.parent[tree.parent >= 0], minlength=nodes)
    above = tree.parent[tree.cell]
    cells = np.bincount(above[above >= 0], minlength=nodes)
    whole = (children == cells) & (children > 0) & (children <= LARGEST_FAMILY)
    node, owner = np.unique(np.where((above >= 0) & whole[above], above, tree.cell), return_inverse=True)
    return node.astype(np.int64), owner.astype(np.int64)


def _spread(met: Overlaps, share: Floats, rho: Floats, count: Floats) -> tuple[Floats, Floats]:
    """The variance that cut cells add to each area, and how many cells it comes from."""
    return sum_cuts(met.zone, cut_variance(share, rho[met.cell], np.maximum(count[met.cell], 0.0)), AREAS)
