"""A partition of the box into blocks with estimated counts: what one period of a series publishes for the next.

Protected: noisy numbers and public blocks only. A block is a depth and row · side + col there, as in `Pyramid`.

The estimates come from noisy counts and earlier periods: a growth per root, then a scalar filter per cell. Its
constants were chosen on synthetic cities that no table of this project reports (research/dpviz_research/months.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz.errors import InputError
from dpviz.mechanisms.adaptive_tree.growth import Depth, children_of

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
DEEPEST = 12  # a grid of 16,384 cells a side
FAN = 4


@dataclass(frozen=True, kw_only=True, eq=False)
class Partition:
    """Cells that tile the box: depth, block, believed count and the variance of its error; all of shape (cells,)."""

    roots: int  # blocks per side at depth 0
    depth: Integers
    block: Integers
    count: Floats
    variance: Floats

    def __post_init__(self) -> None:
        shapes = {part.shape for part in (self.depth, self.block, self.count, self.variance)}
        if len(shapes) != 1 or not tiles(self.roots, self.depth, self.block):
            raise InputError("the cells of an earlier period do not tile the box; its release is damaged or edited.")
        if not (np.isfinite(self.count).all() and np.isfinite(self.variance).all() and (self.variance >= 0).all()):
            raise InputError("a cell of an earlier period has no finite count; its release is damaged or edited.")

    def __len__(self) -> int:
        return len(self.depth)

    def to_constants(self) -> dict[str, Any]:
        """Plain values for release.json; counts and variances to six digits, as the next period reads them."""
        return {
            "roots": self.roots,
            "depth": tuple(int(value) for value in self.depth),
            "block": tuple(int(value) for value in self.block),
            "count": tuple(float(f"{value:.6g}") for value in self.count),
            "variance": tuple(float(f"{value:.6g}") for value in self.variance),
        }

    @classmethod
    def from_constants(cls, values: Mapping[str, Any]) -> Partition:
        """The partition that `to_constants` wrote."""
        try:
            return cls(
                roots=int(values["roots"]),
                depth=np.asarray(values["depth"], dtype=np.int64),
                block=np.asarray(values["block"], dtype=np.int64),
                count=np.asarray(values["count"], dtype=np.float64),
                variance=np.asarray(values["variance"], dtype=np.float64),
            )
        except (KeyError, TypeError, ValueError):
            raise InputError("an earlier period holds no cells that can be read; its release is damaged.") from None


def tiles(roots: int, depth: Integers, block: Integers) -> bool:
    """Whether blocks are disjoint and cover the box."""
    if roots < 1 or not len(depth) or depth.min() < 0 or depth.max() > DEEPEST:
        return False
    side = roots * 2**depth
    if (block < 0).any() or (block >= side * side).any():
        return False
    rows, cols = np.divmod(block, side)
    finer = 2 ** (int(depth.max()) - depth)
    starts = _along_the_curve(rows * finer, cols * finer)
    order = np.argsort(starts)
    ends = starts[order] + finer[order] ** 2
    disjoint = bool((ends[:-1] <= starts[order][1:]).all())
    return disjoint and int((finer**2).sum()) == (roots * 2 ** int(depth.max())) ** 2


def _along_the_curve(rows: Integers, cols: Integers) -> Integers:
    """Position on the Z-order curve: the cells of any block are consecutive."""
    place = np.zeros_like(rows)
    for bit in range(24):
        place |= ((cols >> bit) & 1) << (2 * bit)
        place |= ((rows >> bit) & 1) << (2 * bit + 1)
    return place


def parents_of(roots: int, depth: int, block: Integers) -> Integers:
    """Blocks one depth up that hold these blocks."""
    side = roots * 2**depth
    rows, cols = np.divmod(block, side)
    above: Integers = (rows // 2) * (side // 2) + cols // 2
    return above


def ancestors(partition: Partition, at: int) -> Integers:
    """The block of depth `at` that holds each cell; −1 for cells that are larger than such blocks."""
    found = partition.block.copy()
    here = partition.depth.copy()
    for depth in range(int(here.max()), at, -1):
        deep = here == depth
        found[deep] = parents_of(partition.roots, depth, found[deep])
        here[deep] = depth - 1
    return np.where(here == at, found, -1)


def as_tree(partition: Partition) -> tuple[list[Depth], list[tuple[Floats, Floats]], Integers]:
    """The partition as depths of nodes with their sums, and the order in which its cells are the tree's leaves."""
    deepest, roots = int(partition.depth.max()), partition.roots
    tree: list[Depth] = []
    sums: list[tuple[Floats, Floats]] = []
    order: list[Integers] = []
    nodes, parents = np.arange(roots * roots), np.zeros(0, np.int64)
    for depth in range(deepest + 1):
        inside = ancestors(partition, depth)
        used = inside >= 0
        size = (roots * 2**depth) ** 2
        counts = _sum_at(nodes, inside[used], partition.count[used], size)
        spread = _sum_at(nodes, inside[used], partition.variance[used], size)
        cells = np.flatnonzero(partition.depth == depth)
        cells = cells[np.argsort(partition.block[cells])]
        leaf = np.isin(nodes, partition.block[cells])
        order.append(cells[np.searchsorted(partition.block[cells], nodes[leaf])])
        tree.append(Depth(nodes=nodes, parents=parents, values=counts, variances=spread, leaf=leaf))
        sums.append((counts, spread))
        parents = np.flatnonzero(~leaf)
        nodes = children_of(roots * 2**depth, nodes[parents])
    return tree, sums, np.concatenate(order)


def _sum_at(nodes: Integers, inside: Integers, values: Floats, size: int) -> Floats:
    """Sums of values by block, for these nodes."""
    known, place = np.unique(inside, return_inverse=True)
    totals = np.bincount(place, weights=values, minlength=len(known))
    where = np.searchsorted(known, nodes)
    where[where == len(known)] = 0
    return np.where(known[where] == nodes, totals[where], 0.0) if len(known) else np.zeros(len(nodes))


def leaves_of(tree: list[Depth], sums: list[tuple[Floats, Floats]], roots: int) -> Partition:
    """The leaves of a grown tree with their consistent counts."""
    leaf = [here.leaf for here in tree]
    return Partition(
        roots=roots,
        depth=np.concatenate([np.full(int(which.sum()), depth) for depth, which in enumerate(leaf)]),
        block=np.concatenate([here.nodes[which] for here, which in zip(tree, leaf, strict=True)]),
        count=np.concatenate([found[0][which] for found, which in zip(sums, leaf, strict=True)]),
        variance=np.concatenate([found[1][which] for found, which in zip(sums, leaf, strict=True)]),
    )


def merge_cells(partition: Partition, most: int) -> Partition:
    """At most about `most` cells: sibling cells with the fewest records become one again."""
    while len(partition) > most:
        above = np.full(len(partition), -1)
        for depth in np.unique(partition.depth[partition.depth > 0]):
            at = partition.depth == depth
            above[at] = parents_of(partition.roots, int(depth), partition.block[at])
        key = np.where(above >= 0, (partition.depth - 1) * (1 << 40) + above, -1)
        families, place, size = np.unique(key, return_inverse=True, return_counts=True)
        whole = np.flatnonzero((size == FAN) & (families >= 0))
        if not len(whole):
            return partition
        totals = np.bincount(place, weights=partition.count, minlength=len(families))[whole]
        wanted = -(-(len(partition) - most) // (FAN - 1))
        chosen = whole[np.argsort(totals, kind="stable")[:wanted]]
        gone = np.isin(place, chosen)
        spread = np.bincount(place, weights=partition.variance, minlength=len(families))
        counts = np.bincount(place, weights=partition.count, minlength=len(families))
        depth_of, block_of = np.divmod(families[chosen], 1 << 40)
        partition = Partition(
            roots=partition.roots,
            depth=np.concatenate([partition.depth[~gone], depth_of]),
            block=np.concatenate([partition.block[~gone], block_of]),
            count=np.concatenate([partition.count[~gone], counts[chosen]]),
            variance=np.concatenate([partition.variance[~gone], spread[chosen]]),
        )
    return partition


@dataclass(frozen=True, kw_only=True)
class Beliefs:
    """Utility constants of the filter; the privacy guarantee does not depend on them."""

    change: float = (
        1.0  # variance of a cell's change from period to period, per record in it, before anything is learned
    )
    change_range: tuple[float, float] = (0.3, 1e4)
    learning: float = 0.2  # how far one period moves the believed change
    most_learned: float = 4.0  # of what is not clear beyond chance, at most this much per record is learned from
    growth: float = 0.1  # of the whole city from period to period, one standard deviation
    root_growth: float = 0.06  # of a root against the city
    coarse: float = 4.0  # cells are counted together while their variances sum to at most this many times the noise's
    split_from: float = 2.0  # (count · budget of a record / 6) above which a cell is split further
    most_cells: int = 4096


BELIEFS = Beliefs()
SURE = 3.0  # standard deviations of chance beyond which a change is believed at once; utility only


@dataclass(frozen=True, kw_only=True, eq=False)
class Cut:
    """The disjoint blocks to count in this period, and the block of each cell."""

    depth: Integers  # (blocks,)
    block: Integers
    of_cell: Integers  # (cells,)


def predict_period(past: Partition, change: float) -> Partition:
    """Predict a period before it is counted: the same counts with larger variances."""
    return replace(past, variance=past.variance + change * np.maximum(past.count, 1.0))


def split_grown_cells(prior: Partition, spend: float, depths: int, beliefs: Beliefs) -> Partition:
    """Split cells that hold many records for this period's budget into four."""
    grown = (np.maximum(prior.count, 0.0) * spend / 6.0 >= beliefs.split_from) & (prior.depth + 1 < depths)
    room = max(beliefs.most_cells - len(prior), 0) // 3
    if int(grown.sum()) > room:
        strongest = np.argsort(-prior.count * grown, kind="stable")[:room]
        grown = np.isin(np.arange(len(prior)), strongest) & grown
    if not grown.any():
        return prior
    parts = [(prior.depth[~grown], prior.block[~grown], prior.count[~grown], prior.variance[~grown])]
    for depth in np.unique(prior.depth[grown]):
        rows = np.flatnonzero(grown & (prior.depth == depth))
        share = np.repeat(prior.count[rows] / 4.0, 4)
        # A child holds a quarter, give or take: the prior that a growing tree uses as well (growth.py).
        doubt = np.repeat(prior.variance[rows] / 16.0, 4) + 0.75 * share**2
        blocks = children_of(prior.roots * 2 ** int(depth), prior.block[rows])
        parts.append((np.full(len(blocks), depth + 1), blocks, share, doubt))
    depth, block, count, variance = (np.concatenate(column) for column in zip(*parts, strict=True))
    return Partition(roots=prior.roots, depth=depth, block=block, count=count, variance=variance)


def choose_cut(prior: Partition, noise_variance: float, beliefs: Beliefs) -> Cut:
    """Choose the blocks to count, from the roots down; a block stays whole where the noise exceeds its uncertainty."""
    cells = len(prior)
    depth, block = np.full(cells, -1), np.full(cells, -1)
    for level in range(int(prior.depth.max()) + 1):
        inside = ancestors(prior, level)
        open_ = np.flatnonzero((depth < 0) & (inside >= 0))
        if not len(open_):
            continue
        known, place = np.unique(inside[open_], return_inverse=True)
        doubt = np.bincount(place, weights=prior.variance[open_], minlength=len(known))
        stop = (doubt[place] <= beliefs.coarse * noise_variance) | (prior.depth[open_] == level)
        depth[open_[stop]], block[open_[stop]] = level, known[place[stop]]
    key, of_cell = np.unique(depth * (1 << 40) + block, return_inverse=True)
    at, blocks = np.divmod(key, 1 << 40)
    return Cut(depth=at, block=blocks, of_cell=of_cell)


def update_beliefs(
    prior: Partition, cut: Cut, noisy: Floats, noise_variance: float, change: float, beliefs: Beliefs
) -> tuple[Partition, float]:
    """Update the estimates by this period's noisy counts, and the expected change of the next period."""
    blocks = len(noisy)

    def by_block(values: Floats) -> Floats:
        return np.bincount(cut.of_cell, weights=values, minlength=blocks).astype(np.float64)

    positive = np.maximum(prior.count, 0.0)
    doubt = by_block(prior.variance) + noise_variance
    grown, uncertain = _fit_growth(prior, cut, noisy - by_block(prior.count), by_block(positive), doubt, beliefs)
    count = prior.count + positive * grown
    surprise = noisy - by_block(count)
    size = by_block(np.maximum(prior.count, 1.0))
    clear, learned = _learn_change(surprise, doubt, size, change, beliefs)
    if clear > change:  # a period that is clearly unlike the last is believed to be
        prior = predict_period(prior, clear - change)
        doubt = by_block(prior.variance) + noise_variance
    gain = prior.variance / doubt[cut.of_cell]
    believed = np.maximum(by_block(count) + (1.0 - noise_variance / doubt) * surprise, 0.0)
    variance = prior.variance * (1.0 - gain) + positive**2 * uncertain * (1.0 - gain) ** 2
    count = np.maximum(count + gain * surprise[cut.of_cell], 0.0)
    # A block's cells add up to what is believed of the block, although none is below 0.
    held = by_block(count)
    count = count * (believed / np.where(held > 0.0, held, 1.0))[cut.of_cell]
    return replace(prior, count=count, variance=variance), learned


def _learn_change(
    surprise: Floats, doubt: Floats, size: Floats, change: float, beliefs: Beliefs
) -> tuple[float, float]:
    """Change per record beyond chance in this period, and the expected change of the next."""
    whole = float(size.sum())
    seen = float((surprise**2 - doubt).sum()) / whole + change
    chance = float(np.sqrt(2.0 * (doubt**2).sum())) / whole
    least, most = beliefs.change_range
    clear = float(np.clip(seen - SURE * chance, least, most))
    usual = float(np.clip(seen, least, beliefs.most_learned))
    learned = (1.0 - beliefs.learning) * min(change, beliefs.most_learned) + beliefs.learning * usual
    return clear, max(learned, clear)


def _fit_growth(
    prior: Partition, cut: Cut, surprise: Floats, size: Floats, doubt: Floats, beliefs: Beliefs
) -> tuple[Floats, Floats]:
    """Fit the relative growth of each cell's root and its variance, by a small Bayesian regression."""
    root_of_cell = ancestors(prior, 0)
    root = np.zeros(len(size), np.int64)
    root[cut.of_cell] = root_of_cell
    roots = prior.roots**2
    weights = np.zeros((len(size), 1 + roots))
    weights[:, 0] = size
    weights[np.arange(len(size)), 1 + root] = size
    before = np.diag(np.concatenate([[beliefs.growth**-2.0], np.full(roots, beliefs.root_growth**-2.0)]))
    scaled = weights.T / doubt
    spread = np.linalg.inv(scaled @ weights + before)
    found = spread @ (scaled @ surprise)
    of_root = found[0] + found[1:]
    uncertain = spread[0, 0] + np.diag(spread)[1:] + 2.0 * spread[0, 1:]
    return of_root[root_of_cell], uncertain[root_of_cell]
