"""A partition of the box into blocks with estimated counts: what one period of a series publishes for the next.

Protected: noisy numbers and public blocks only. A block is a depth and row · side + col there, as in `Pyramid`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz.errors import InputError
from dpviz.mechanisms.adaptive_tree.growth import Depth
from dpviz.mechanisms.adaptive_tree.pyramid import children_of

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
