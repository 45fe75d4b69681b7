"""Where inside a leaf its records are likely to be, for searches and for counts of areas. Post-processing only.

`smooth_pieces`: a surface that keeps the count of every leaf and is otherwise as smooth as possible. This is Tobler's
pycnophylactic interpolation (1979), on coarse grids first, so that few rounds reach far.

`leaning_pieces`, for series: each leaf takes the slope of the noisy counts of the four blocks of its own size around
it, per axis the smaller of the two differences, and none where their signs differ. With pieces of equal weight every
leaf on a slope is wrong in the same direction, and searches end in the wrong local minimum.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dpviz.mechanisms.adaptive_tree import _kernels
from dpviz.mechanisms.adaptive_tree.growth import Depth
from dpviz.mechanisms.adaptive_tree.pyramid import Pyramid

if TYPE_CHECKING:
    from dpviz.mechanisms.adaptive_tree.prior import Belief

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
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
