"""Where inside a leaf its records are likely to be: a leaf on a slope leans uphill.

A leaf knows its noisy count only. Pieces of equal weight put its mean in the middle; where a city slopes, every leaf on
the slope is then wrong in the same direction, and searches end in the wrong basin. So each leaf takes the slope of the
noisy counts of the four blocks of its own size around it, per axis the smaller of the two sides' differences, and none
where they disagree: a lone peak or a hollow leans nowhere. Post-processing only.

Smoothing a whole surface towards the neighbours did better still on one city and clearly worse on others, whose sharp
peaks drew everything around them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpviz.mechanisms.adaptive_tree.growth import Depth
from dpviz.mechanisms.adaptive_tree.pyramid import Pyramid

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
FINEST = 1024  # blocks per side beyond which leaves are taken as even


def leaning_pieces(
    tree: list[Depth], consistent: list[tuple[Floats, Floats]], blocks: Pyramid
) -> list[tuple[Floats, Floats]]:
    """Per depth: the places of the pieces of its leaves, (m, pieces, 2), and each piece's share of its leaf."""
    across = blocks.side_at(0)
    counts = np.zeros((across, across))
    leaning = []
    for depth, here in enumerate(tree):
        if depth > 0 and across < FINEST:
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
    least: Floats = np.where(agree, np.sign(one) * np.minimum(np.abs(one), np.abs(other)), 0.0)
    return least
