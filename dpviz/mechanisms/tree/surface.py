"""Where inside a leaf its records are likely to be: the density of its neighbours goes on inside it.

A leaf knows its noisy count only. Four points of equal weight put its mean in the middle; where a city slopes, every
leaf on the slope is then wrong in the same direction, and at large n·ε this, not noise, was most of the error. So a
surface is laid over the released counts from the top down: at each depth measured nodes keep their counts, and the
cells inside leaves are smoothed towards their neighbours while each leaf keeps its mass. Post-processing only.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpviz.mechanisms.tree._kernels import settle
from dpviz.mechanisms.tree.growth import Depth
from dpviz.mechanisms.tree.pyramid import MOST_PIECES, Pyramid

Floats = NDArray[np.float64]
SURFACE_SIDE = 256  # cells per side beyond which leaves are small enough to be even
ROUNDS = 10


def shaped_pieces(
    tree: list[Depth], consistent: list[tuple[Floats, Floats]], blocks: Pyramid
) -> list[tuple[Floats, Floats]]:
    """Per depth: the places of the pieces of its leaves, (m, pieces, 2), and each piece's share of its leaf."""
    side = max(min(SURFACE_SIDE, blocks.side), blocks.side_at(0))
    cells = surface(tree, [values for values, _ in consistent], blocks, side)
    xs = (np.arange(side, dtype=np.float64) + 0.5) * (blocks.width / side)
    ys = (side - np.arange(side, dtype=np.float64) - 0.5) * (blocks.height / side)
    shaped = []
    for depth, here in enumerate(tree):
        nodes = here.nodes[here.leaf]
        if 2 * blocks.side_at(depth) > side or not len(nodes):
            placed = blocks.pieces(depth, nodes)
            shaped.append((placed, np.full(placed.shape[:2], 1.0 / placed.shape[1])))
            continue
        cut = 1 if len(nodes) > MOST_PIECES // 4 else 2
        mass, places = _gathered(cells, xs, ys, cut * blocks.side_at(depth))
        rows, cols = np.divmod(nodes, blocks.side_at(depth))
        corners = np.arange(cut)
        at = cut * rows[:, None, None] + corners[:, None], cut * cols[:, None, None] + corners
        held = mass[at].reshape(len(nodes), cut * cut)
        whole = held.sum(axis=1, keepdims=True)
        even = np.full_like(held, 1.0 / (cut * cut))
        shares = np.where(whole > 0.0, held / np.where(whole > 0.0, whole, 1.0), even)
        shaped.append((places[at].reshape(len(nodes), cut * cut, 2), shares))
    return shaped


def surface(tree: list[Depth], counts: list[Floats], blocks: Pyramid, side: int) -> Floats:
    """A mass ≥ 0 for each of side × side cells that agrees with every measured node."""
    across = blocks.side_at(0)
    masses = np.zeros((across, across))
    leaf_of = np.full((across, across), -1)
    held = np.zeros(0)
    depth = 0
    while True:
        if depth < len(tree):
            here = tree[depth]
            masses.reshape(-1)[here.nodes] = counts[depth]
        if len(held):
            settle(masses, leaf_of, held, ROUNDS)
        if across >= side:
            return masses
        if depth < len(tree):
            leaf_of.reshape(-1)[here.nodes[here.leaf]] = len(held) + np.arange(int(here.leaf.sum()))
            held = np.concatenate([held, counts[depth][here.leaf]])
        masses = np.repeat(np.repeat(masses / 4.0, 2, axis=0), 2, axis=1)
        leaf_of = np.repeat(np.repeat(leaf_of, 2, axis=0), 2, axis=1)
        across, depth = 2 * across, depth + 1


def _gathered(cells: Floats, xs: Floats, ys: Floats, across: int) -> tuple[Floats, Floats]:
    """The mass of each of across × across blocks of cells, and its middle of mass (the block's own where empty)."""
    size = cells.shape[0] // across
    blocked = cells.reshape(across, size, across, size)
    by_row, by_col = blocked.sum(axis=3), blocked.sum(axis=1)
    mass = by_row.sum(axis=1)
    middle_x, middle_y = xs.reshape(across, size), ys.reshape(across, size)
    filled = np.where(mass > 0.0, mass, 1.0)
    x = np.where(mass > 0.0, np.einsum("rcj,cj->rc", by_col, middle_x) / filled, middle_x.mean(axis=1)[None, :])
    y = np.where(mass > 0.0, np.einsum("ric,ri->rc", by_row, middle_y) / filled, middle_y.mean(axis=1)[:, None])
    return mass, np.stack([x, y], axis=2)
