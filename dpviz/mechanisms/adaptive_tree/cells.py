"""A grown tree as the protected tables that a release holds. Post-processing of noisy counts and public boxes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import CellTree, Frame
from dpviz.domain.cell_tree import TOP
from dpviz.mechanisms.adaptive_tree.bisection import Bisection
from dpviz.mechanisms.adaptive_tree.growth import Depth
from dpviz.mechanisms.adaptive_tree.pyramid import Pyramid

Floats = NDArray[np.float64]
COUNTING, TREE = 0, 1  # which charge paid


def cell_tree(
    frame: Frame,
    tree: list[Depth],
    consistent: list[tuple[Floats, Floats]],
    counts: Pyramid | Bisection,
    means: Floats,
    *,
    total: tuple[float, float] | None,
    charges: tuple[str, ...],
) -> CellTree:
    """Nodes depth by depth, below one for the whole box where the number of records was bought.

    `means`, (leaves, d) in local coordinates, are in the order of the leaves, depth by depth.
    """
    first = 0 if total is None else 1
    sizes = [len(here.nodes) for here in tree]
    starts = first + np.cumsum([0, *sizes])
    boxes = [counts.boxes(depth, here.nodes) for depth, here in enumerate(tree)]
    top = np.full(sizes[0], TOP if total is None else 0)
    parents = [top] + [
        np.repeat(starts[depth - 1] + here.parents, counts.fan) for depth, here in enumerate(tree) if depth > 0
    ]
    drawn = [(starts[depth], part) for depth, here in enumerate(tree) for part in here.drawn]
    nodes = [start + part.at for start, part in drawn]
    values, variances = [part.values for _, part in drawn], [part.variances for _, part in drawn]
    depths = [np.full(size, depth) for depth, size in enumerate(sizes)]
    lows, highs = [low for low, _ in boxes], [high for _, high in boxes]
    if total is not None:
        parents.insert(0, np.array([TOP]))
        depths.insert(0, np.array([-1]))
        lows.insert(0, np.zeros((1, frame.dims)))
        highs.insert(0, frame.extent[None, :])
        nodes.insert(0, np.array([0]))
        values.insert(0, np.array([total[0]]))
        variances.insert(0, np.array([total[1]]))
    leaves = [np.flatnonzero(here.leaf) for here in tree]
    paid = np.full(sum(len(part) for part in nodes), len(charges) - 1)
    paid[:first] = COUNTING
    return CellTree(
        frame=frame,
        low=raw_inside(frame, np.concatenate(lows)),
        high=raw_inside(frame, np.concatenate(highs)),
        parent=np.concatenate(parents).astype(np.int64),
        depth=np.concatenate(depths).astype(np.int64),
        node=np.concatenate(nodes).astype(np.int64),
        value=np.concatenate(values),
        variance=np.concatenate(variances),
        charge=paid.astype(np.int64),
        charges=charges,
        cell=np.concatenate([start + leaf for start, leaf in zip(starts, leaves, strict=False)]).astype(np.int64),
        count=np.concatenate([found[0][leaf] for found, leaf in zip(consistent, leaves, strict=True)]),
        spread=np.concatenate([found[1][leaf] for found, leaf in zip(consistent, leaves, strict=True)]),
        mean=raw_inside(frame, means),
    )


def raw_inside(frame: Frame, local: Floats) -> Floats:
    """Raw coordinates inside the public box; rounding on the way cannot leave it."""
    return np.clip(frame.to_raw(local), np.asarray(frame.low), np.asarray(frame.high))
