"""The noise of a release's cells: what the tree's measurements say together, and the exact variance of any sum.

Each leaf starts with the variance s of its own measurements, joined by inverse variance. At an inner node with children
c: a = Σ s_c, x_v known from its children; s = 1/(1/a + 1/r) with its own measurement of variance r. A question Σ f·x
moves up as (β, τ): β = Σ β_c s_c / a is what one more record in v adds to it, τ = Σ(β_c² s_c + τ_c) − (Σ β_c s_c)²/a is
what v's count cannot explain. At the top its variance is β² s + τ.

Inside a cell only the count is known; how its records may lie is a stated model, learned from the release itself.
The share of a cell's records that lies in a part with the share f of its area is taken to be random with mean f, tilted
towards the cell's mean. A quarter of a cell varies by 3ρ/16: ρ says how unevenly records lie, 0 on even ground, 1 where
all stand in one quarter. Quarters of quarters vary in the same way, so that smaller parts vary more for their size.
ρ is read off how unequal siblings are in this very release, with the noise taken out of their variance, depth by depth.
Whole numbers of records add f·(1 − f) a record.

Records on lines: where coordinates are rounded, or are whole numbers, records stand on lines along the axes, and all
cells of a column hold them at the same places across. A border along an axis then cuts every cell of the column wrongly
in the same direction, and errors add up instead of evening out. Whether a release is of such records is seen in it: the
differences between the halves of cells, column by column, add up to squares that are larger than the sum of their own.

The model checks itself on what the release already knows. The finest families of cells are taken for one cell each, and
some areas are asked of these coarser cells and of the cells themselves. What lies between the two answers, beyond
noise, is what the model of the inside of cells has to explain, one size up. The factor that it needs to explain it in
90 of 100 areas says whether records of this release lie along streets and shores, where errors add up, or are strewn. A
release of few cells shows little of itself: there ground is more uneven than its own check says. Both dependences were
fitted on one half of the data sets of dpviz_research/coverage.py.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import CellTree
from dpviz.domain.overlap import Overlaps, cut_by_boxes, of_pairs
from dpviz.questions import _kernels

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
NINETY = 1.645  # the normal quantile
LEAST_RHO, MOST_RHO = 0.01, 0.6
FIRST, FIRST_DOUBT = 0.15, 0.1  # what is taken to be so before a release has said anything
STEP_DOUBT = 0.05  # from one depth to the next
LARGEST_FAMILY = 16
ONE_CELL, MANY_CELLS = 0.3, 2.0  # chosen on one half of the data sets of dpviz_research/coverage.py
MANY_STACKED = 3.5  # cells on the same ground, of several sizes, err together; chosen on the embedded trips
# Of what is taken to be so before a depth has spoken, and from depth to depth.
LINES_FIRST_DOUBT, LINES_STEP_DOUBT = 0.1, 0.3
# One depth further down halves differ more, up to four times as much. Chosen on rounded places of other steps.
GROWTH = 2.0
LEAST_TOLD = 0.1  # less is what cities show whose density changes from side to side
STRAIGHT = 1e-6

AREAS = 300
SMALLEST, LARGEST = 5e-4, 0.15  # shares of the box
FEWEST = 15  # areas that tell more than noise
WITHOUT = 0.7  # the factor where nothing can be told: what releases of cities usually find
EXPONENT, FEW_CELLS, LEVEL = 0.7, -0.15, 3.9  # of the factor found, of the number of cells, and of both together
LEAST, MOST = 0.5, 4.0
_PLASTIC, _GOLDEN = 1.324717957244746, 0.6180339887498949  # evenly spread places and sizes, the same for everybody


@dataclass(frozen=True, kw_only=True, eq=False)
class NoiseModel:
    """All passes that do not depend on a question."""

    tree: CellTree
    value: Floats  # (nodes,): the node's own measurements joined
    precision: Floats  # 1/variance of it; 0 where it has none
    best: Floats  # with all below it
    spread: Floats
    children: Floats  # the sum of its children's `spread`

    @classmethod
    def of(cls, tree: CellTree) -> NoiseModel:
        """Join the measurements of every node and pass them upwards."""
        nodes = len(tree.parent)
        precision = np.bincount(tree.node, weights=1.0 / tree.variance, minlength=nodes).astype(np.float64)
        summed = np.bincount(tree.node, weights=tree.value / tree.variance, minlength=nodes)
        value = np.divide(summed, precision, out=np.zeros(nodes), where=precision > 0.0)
        best, spread, children = _kernels.pooled(tree.parent, value, precision)
        return cls(tree=tree, value=value, precision=precision, best=best, spread=spread, children=children)

    @cached_property
    def families(self) -> tuple[Integers, Integers]:
        """Where the children of each node begin in an order of all children, and that order."""
        parent = self.tree.parent
        below = np.flatnonzero(parent >= 0)
        order = below[np.argsort(parent[below], kind="stable")]
        return np.searchsorted(parent[order], np.arange(len(parent) + 1)).astype(np.int64), order

    def agreed(self, floor: bool = True) -> Floats:
        """Counts of all nodes that add up; with `floor`, none below 0."""
        first, order = self.families
        found: Floats = _kernels.agreed(self.tree.parent, self.best, self.spread, self.children, first, order, floor)
        return found

    def variances(self, zone_start: Integers, cell: Integers, share: Floats) -> tuple[Floats, Floats]:
        """Of Σ share · count over each zone's cells: the variance, and the covariance with the count of everything."""
        return _kernels.zone_variances(  # type: ignore[no-any-return]
            self.tree.parent, self.spread, self.children, zone_start, self.tree.cell[cell], share
        )

    @cached_property
    def total_variance(self) -> float:
        """The variance of the count of everything."""
        return float(self.spread[self.tree.parent < 0].sum())


def unevenness(model: NoiseModel, nodes: NDArray[np.int64]) -> Floats:
    """ρ of the nodes, as if each were a cell: a filter over the depths, from large cells to small ones."""
    depths = range(int(model.tree.depth.max(initial=0)) + 1)
    rho = filter_depths((_of_depth(model, depth) for depth in depths), FIRST, FIRST_DOUBT, STEP_DOUBT)
    found: Floats = np.clip(rho[np.maximum(model.tree.depth[nodes], 0) + 1], LEAST_RHO, MOST_RHO)
    return found


def filter_depths(seen: Iterable[tuple[float, float]], first: float, doubt: float, step: float) -> Floats:
    """Filter what each depth says and the variance of that, from large cells to small ones; one value more at the end.

    A cell is cut into what would have been the next depth.
    """
    values, variance = [first], doubt**2
    for value, error in seen:
        variance += step**2
        values.append(values[-1] + variance / (variance + error) * (value - values[-1]))
        variance = 1.0 / (1.0 / variance + 1.0 / error)
    return np.array([*values[1:], values[-1]])


def _of_depth(model: NoiseModel, depth: int) -> tuple[float, float]:
    """ρ from the families whose children have this depth, and the variance of that."""
    first, order = model.families
    size = np.diff(first)
    heads = np.flatnonzero((size > 1) & (size <= LARGEST_FAMILY))
    heads = heads[model.tree.depth[order[first[heads]]] == depth]
    summed, trust = 0.0, 1e-12
    for fan in np.unique(size[heads]):
        chosen = heads[size[heads] == fan]
        family = order[first[chosen][:, None] + np.arange(fan)]
        values, noise = model.best[family], model.spread[family]
        whole, free = values.sum(axis=1), 1.0 - 1.0 / fan
        seen = ((values - whole[:, None] / fan) ** 2).sum(axis=1)
        # E Σ(x_c − mean)² = free·(Σ noise + X²·ρ + X): noise, uneven ground, whole records.
        square = np.maximum(whole**2 - noise.sum(axis=1), 0.0) * free
        rest = (noise.sum(axis=1) + np.maximum(whole, 0.0)) * free
        usable = (whole > 0.0) & (square > 0.1 * rest)
        weight = np.where(usable, (fan - 1.0) / 2.0 / (rest / np.maximum(square, 1e-9) + FIRST) ** 2, 0.0)
        summed += float((weight * (seen - rest) / np.where(usable, square, 1.0)).sum())
        trust += float(weight.sum())
    return summed / trust, 1.0 / trust


def scatter(share: Floats, rho: Floats) -> Floats:
    """The variance of the share of a cell's records in a part with this share of its area.

    A quarter varies by 3ρ/16; each further quartering multiplies what density may be by the same law.
    """
    least = np.minimum(share, 1.0 - share)
    quarterings = -np.log(np.maximum(least, 1e-12)) / np.log(4.0)
    found: Floats = least**2 * np.expm1(quarterings * np.log1p(3.0 * rho))
    return found


def halves(rho: Floats) -> Floats:
    """The variance of the difference between the halves of a cell, as a share of its records."""
    return np.expm1(0.5 * np.log1p(3.0 * rho))


def border_factor(cells: Floats, stacked: bool = False) -> Floats:
    """What a border through this many cells adds to the sum of their variances.

    A border often runs along a street or a shore, and then errs in the same direction in one cell after the other. A
    single cell errs less than its variance says in 90 of 100 cases, and far more in the others.
    """
    many = MANY_STACKED if stacked else MANY_CELLS
    return ONE_CELL + (many - ONE_CELL) * (1.0 - 1.0 / np.maximum(cells, 1.0))


def cut_variance(share: Floats, rho: Floats, held: Floats) -> Floats:
    """The variance of the records in a share of each cell: uneven ground, and whole records."""
    return scatter(share, rho) * held**2 + share * (1.0 - share) * held


def sum_cuts(zone: Integers, cut: Floats, zones: int) -> tuple[Floats, Floats]:
    """The variance that cut ground adds to each zone, and how many pieces of like size it comes from."""
    alone = np.bincount(zone, weights=cut, minlength=zones).astype(np.float64)
    return alone, alone**2 / np.maximum(np.bincount(zone, weights=cut**2, minlength=zones), 1e-300)


def border_variance(zone: Integers, cut: Floats, zones: int, stacked: bool) -> Floats:
    """The variance that cut ground adds to each zone, with what a border through it adds."""
    alone, cells = sum_cuts(zone, cut, zones)
    return alone * border_factor(cells, stacked)


def tilted(share: Floats, middle: Floats, lean: Floats) -> Floats:
    """The share of a cell's records in a part of it, where density rises evenly towards the side of the cell's mean.

    `middle`: where the part is centered, and `lean`: where the records are, both −1 to 1 across the cell.
    """
    slope = np.clip(3.0 * lean, -0.75, 0.75)
    return np.where(share < 1.0, np.clip(share * (1.0 + (slope * middle).sum(axis=1)), 0.0, 1.0), share)


def togetherness(model: NoiseModel, nodes: Integers, rho: Floats) -> Floats:
    """What the halves of each cell have in common with those of its column or row, in units of their variance.

    A filter over the depths, from large cells to small ones, as that of `unevenness`, whose result is `rho`.
    """
    told = filter_depths(_lines_by_depth(model), 0.0, LINES_FIRST_DOUBT, LINES_STEP_DOUBT)
    found = told[np.maximum(model.tree.depth[nodes], 0) + 1]
    return np.where(found < LEAST_TOLD, 0.0, np.minimum(GROWTH * found, 1.0 / halves(rho)))


def _lines_by_depth(model: NoiseModel) -> list[tuple[float, float]]:
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
