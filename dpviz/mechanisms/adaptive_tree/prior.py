"""A public map beside noisy counts, believed as far as the counts of this very release agree with it. Post-processing.

The map says which share q of a node's records lies in each child; even ground says 1/fan. At each depth the share
1/fan + t·(q − 1/fan) that fits the noisy counts best gives the trust t, 0 to 1: noise in counts has nothing to do with
the map, so it does not bend t. A map of another city gets a trust near 0, last year's release one near 1. The trust of
the next depth says how the inside of a leaf is divided between the map and a smooth surface.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from dpviz.mechanisms.adaptive_tree import _kernels
from dpviz.mechanisms.adaptive_tree.growth import Depth
from dpviz.mechanisms.adaptive_tree.pyramid import Pyramid
from dpviz.mechanisms.adaptive_tree.surface import leaf_grid

Floats = NDArray[np.float64]
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
