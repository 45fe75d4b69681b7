"""Where inside a leaf its records are likely to be, and how far a public map is believed. Post-processing only.

`smooth_pieces`: a surface that keeps the count of every leaf and is otherwise as smooth as possible. This is Tobler's
pycnophylactic interpolation (1979), on coarse grids first, so that few rounds reach far.

`leaning_pieces`, for series: each leaf takes the slope of the noisy counts of the four blocks of its own size around
it, per axis the smaller of the two differences, and none where their signs differ. With pieces of equal weight every
leaf on a slope is wrong in the same direction, and searches end in the wrong local minimum.

`Belief` has a public map beside the noisy counts. It says which share q of a node's records lies in each child; even
ground says 1/fan. At each depth the share 1/fan + t·(q − 1/fan) that fits the noisy counts best gives the trust t, 0 to
1: noise in counts has nothing to do with the map, so it does not bend t. The trust of the next depth says how the
inside of a leaf is divided between the map and a smooth surface.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from dpviz.mechanisms.adaptive_tree import _kernels
from dpviz.mechanisms.adaptive_tree.growth import Depth, Floats, Integers, Pyramid

FINEST = 256  # blocks per side; leaves that are no larger are taken as even
ROUNDS = 3  # on each grid


def smooth_pieces(
    tree: list[Depth], consistent: list[tuple[Floats, Floats]], blocks: Pyramid, belief: Belief | None = None
) -> list[tuple[Floats, Floats]]:
    """Per depth: the places of the pieces of its leaves, (m, pieces, 2), and each piece's share of its leaf.

    The pieces are those of `Pyramid.pieces`, each moved to where the surface has its share of the leaf's records.
    """
    across = min(FINEST, blocks.side_at(min(len(tree) + 1, blocks.depths - 1)))
    surface = smooth_surface(*leaf_grid(tree, consistent, blocks, across))
    if belief is not None:
        surface = belief.inside(tree, consistent, surface)
    return [
        _pieces(surface, here.nodes[here.leaf], blocks.pieces(depth, here.nodes[here.leaf]), blocks, depth)
        for depth, here in enumerate(tree)
    ]


def leaf_grid(
    tree: list[Depth], consistent: list[tuple[Floats, Floats]], blocks: Pyramid, across: int
) -> tuple[Integers, Floats]:
    """On a grid of so many blocks a side: a number for each leaf, that of its first block; its count, evenly spread.

    What lies in smaller leaves than a block is a leaf of that size.
    """
    owner = np.arange(across * across).reshape(across, across)
    even = np.zeros((across, across))
    for depth, here in enumerate(tree):
        side, nodes = blocks.side_at(depth), here.nodes[here.leaf]
        rows, cols = np.divmod(nodes, side)
        if side > across:
            times = side // across
            np.add.at(even, (rows // times, cols // times), consistent[depth][0][here.leaf])
            continue
        times = across // side
        within = np.arange(times)
        at = (rows[:, None, None] * times + within[:, None], cols[:, None, None] * times + within)
        owner[at] = (rows * times * across + cols * times)[:, None, None]
        even[at] = (consistent[depth][0][here.leaf] / times**2)[:, None, None]
    return owner, even


def smooth_surface(owner: Integers, even: Floats, rounds: int = ROUNDS) -> Floats:
    """The smoothed counts of the blocks, grid after grid, each beginning with what the coarser one found."""
    across, side = len(even), min(16, len(even))
    found: Floats = np.ones((side, side))
    while True:
        times = across // side
        coarse = owner[::times, ::times] // (across * times) * side + owner[::times, ::times] % across // times
        masses = even.reshape(side, times, side, times).sum(axis=(1, 3))
        sums = np.bincount(coarse.ravel(), weights=masses.ravel(), minlength=side * side)
        found = _kernels.smoothed(np.ascontiguousarray(coarse), sums, found, rounds)
        if side == across:
            return found
        found = np.repeat(np.repeat(found / 4.0, 2, axis=0), 2, axis=1)
        side *= 2


def _pieces(surface: Floats, nodes: Integers, even: Floats, blocks: Pyramid, depth: int) -> tuple[Floats, Floats]:
    """The pieces of some leaves of one depth, moved, and their shares."""
    pieces, side, across = even.shape[1], blocks.side_at(depth), len(surface)
    per_axis = 2 if pieces == 4 else 1
    shares = np.full((len(nodes), pieces), 1.0 / pieces)
    times = across // (side * per_axis)
    if not len(nodes) or times < 1 or times * per_axis == 1:
        return even, shares
    rows, cols = np.divmod(nodes, side)
    # The order of the pieces of `Pyramid.pieces`: west before east, in each south before north; rows run south.
    corners = [(1, 0), (0, 0), (1, 1), (0, 1)] if per_axis == 2 else [(0, 0)]
    held, places = np.empty((len(nodes), pieces)), even.copy()
    step = np.array([blocks.width, blocks.height]) / (side * per_axis)
    for piece, (south, east) in enumerate(corners):
        first_row, first_col = (rows * per_axis + south) * times, (cols * per_axis + east) * times
        held[:, piece], away = _kernels.held_by(surface, first_row, first_col, times)
        places[:, piece] += away * step
    whole = held.sum(axis=1, keepdims=True)
    return places, np.where(whole > 0.0, held / np.where(whole > 0.0, whole, 1.0), shares)


FINEST_SLOPES = 1024  # blocks per side beyond which leaves are taken as even


def leaning_pieces(
    tree: list[Depth], consistent: list[tuple[Floats, Floats]], blocks: Pyramid
) -> list[tuple[Floats, Floats]]:
    """Per depth: the places of the pieces of its leaves, (m, pieces, 2), and each piece's share of its leaf."""
    across = blocks.side_at(0)
    counts = np.zeros((across, across))
    leaning = []
    for depth, here in enumerate(tree):
        if depth > 0 and across < FINEST_SLOPES:
            counts = np.repeat(np.repeat(counts / 4.0, 2, axis=0), 2, axis=1)
            across *= 2
        nodes = here.nodes[here.leaf]
        placed = blocks.pieces(depth, nodes)
        shares = np.full(placed.shape[:2], 1.0 / placed.shape[1])
        if blocks.side_at(depth) == across:
            counts.reshape(-1)[here.nodes] = consistent[depth][0]
            if placed.shape[1] == 4 and len(nodes):
                east, north = slopes(counts, nodes)
                # The order of the pieces of `Pyramid.pieces`: west before east, in each south before north.
                west_east = np.stack([1.0 - east, 1.0 + east], axis=1)
                south_north = np.stack([1.0 - north, 1.0 + north], axis=1)
                shares = (west_east[:, :, None] * south_north[:, None, :]).reshape(-1, 4) / 4.0
        leaning.append((placed, shares))
    return leaning


def slopes(counts: Floats, nodes: Integers) -> tuple[Floats, Floats]:
    """How much more of a leaf lies in its eastern and northern half, as a share of half its count, −½ to ½.

    On even ground that rises by s from block to block, the halves of a block of count c hold (1 ± s/(4c)) · c/2.
    """
    rows, cols = np.divmod(nodes, counts.shape[0])
    framed = np.pad(counts, 1, mode="edge")
    middle = framed[rows + 1, cols + 1]
    east = _smaller(framed[rows + 1, cols + 2] - middle, middle - framed[rows + 1, cols])
    north = _smaller(framed[rows, cols + 1] - middle, middle - framed[rows + 2, cols + 1])
    scale = np.where(middle > 0.0, middle, np.inf)
    return np.clip(east / scale, -2.0, 2.0) / 4.0, np.clip(north / scale, -2.0, 2.0) / 4.0


def _smaller(one: Floats, other: Floats) -> Floats:
    """The smaller of two differences of one sign; 0 where they disagree."""
    agree = np.sign(one) == np.sign(other)
    return np.where(agree, np.sign(one) * np.minimum(np.abs(one), np.abs(other)), 0.0)


Consistent = list[tuple[Floats, Floats]]  # per depth: counts of the nodes, and their variances
FIRST = 0.5  # what is believed of a map before any count
DOUBT = 4.0  # in standard deviations, squared: how fast a depth departs from the trust of the one above
SPREAD = 0.1  # of a child's share around its part of even ground, squared and times fan²: weighs families, no more


@dataclass(kw_only=True, eq=False)
class Belief:
    """The map on the blocks of a pyramid, and what is believed of it by depth, as far as that is learned."""

    blocks: Pyramid
    shares: Floats  # of the finest level, (side, side)
    trust: dict[int, float] = field(default_factory=dict)
    surface: Floats = field(default_factory=lambda: np.ones((1, 1)))  # what `inside` made last

    def learn(self, tree: list[Depth], consistent: Consistent) -> None:
        """Learn from the counts of each depth below the first, and the estimates of their parents."""
        for depth in range(1, len(tree)):
            values, variances = consistent[depth - 1]
            at = tree[depth].parents
            self.trust[depth] = self._of_depth(depth, tree[depth], values[at], variances[at])

    def _of_depth(self, depth: int, here: Depth, above: Floats, doubt: Floats) -> float:
        fan, side = self.blocks.fan, self.blocks.side_at(depth)
        usual = self.trust.get(depth - 1, FIRST)
        if side > len(self.shares):
            return usual
        times = len(self.shares) // side
        level = self.shares.reshape(side, times, side, times).sum(axis=(1, 3))
        held = level.reshape(-1)[here.nodes].reshape(-1, fan)
        whole = held.sum(axis=1, keepdims=True)
        tilt = np.divide(held, whole, out=np.full(held.shape, 1.0 / fan), where=whole > 0.0) - 1.0 / fan
        m = np.maximum(above, 0.0)[:, None]
        tilt = m * tilt
        noise = here.variances.reshape(-1, fan) + doubt[:, None] / fan**2 + m / fan
        apart = here.values.reshape(-1, fan) - m / fan
        weight = 1.0 / (noise + SPREAD * m**2 / fan**2)
        along, known = float((weight * apart * tilt).sum()), float((weight * tilt**2).sum())
        return float(np.clip((along + DOUBT * usual) / (known + DOUBT), 0.0, 1.0))

    def inside(self, tree: list[Depth], consistent: Consistent, surface: Floats) -> Floats:
        """A surface on the map's blocks: in each leaf the map and the smooth surface, each with its share."""
        across, blocks = len(self.shares), self.blocks
        owner, even = leaf_grid(tree, consistent, blocks, across)
        names, trust = owner.ravel(), np.zeros(owner.size)
        for depth, here in enumerate(tree):
            side = blocks.side_at(depth)
            if side <= across and self.trust:
                rows, cols = np.divmod(here.nodes[here.leaf], side)
                believed = self.trust[min(depth + 1, max(self.trust))]
                trust[(rows * across + cols) * (across // side)] = believed
        trust = trust[names]
        counts = np.bincount(names, weights=even.ravel(), minlength=owner.size)[names]
        times = across // len(surface)
        smooth = np.repeat(np.repeat(surface, times, axis=0), times, axis=1)
        found = np.zeros(owner.size)
        for part, share in ((self.shares.ravel(), trust), (smooth.ravel(), 1.0 - trust)):
            whole = np.bincount(names, weights=part, minlength=owner.size)[names]
            scaled = np.divide(counts * part, whole, out=np.zeros(owner.size), where=whole > 0.0)
            found += share * np.where(whole > 0.0, scaled, even.ravel())
        self.surface = found.reshape(owner.shape)
        return self.surface

    def quarters(self, tree: list[Depth]) -> Floats:
        """The shares of the quarters of each leaf on that surface, (leaves, 4), as `CellTree.quarters` has them."""
        across, found = len(self.surface), []
        for depth, here in enumerate(tree):
            nodes, side = here.nodes[here.leaf], self.blocks.side_at(depth)
            held = np.full((len(nodes), 4), 1.0)
            if 2 * side <= across:
                rows, cols = np.divmod(nodes, side)
                times = across // (2 * side)
                for at, (south, east) in enumerate(((1, 0), (0, 0), (1, 1), (0, 1))):
                    first = (2 * rows + south) * times, (2 * cols + east) * times
                    held[:, at] = _kernels.held_by(self.surface, *first, times)[0]
            whole = held.sum(axis=1, keepdims=True)
            found.append(np.divide(held, whole, out=np.full(held.shape, 0.25), where=whole > 0.0))
        return np.concatenate(found)
