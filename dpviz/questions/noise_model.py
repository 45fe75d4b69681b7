"""The noise of a release's cells: what the tree's measurements say together, and the exact variance of any sum.

Each leaf starts with the variance s of its own measurements, joined by inverse variance. At an inner node with children
c: a = Σ s_c, x_v known from its children; s = 1/(1/a + 1/r) with its own measurement of variance r. A question Σ f·x
moves up as (β, τ): β = Σ β_c s_c / a is what one more record in v adds to it, τ = Σ(β_c² s_c + τ_c) − (Σ β_c s_c)²/a is
what v's count cannot explain. At the top its variance is β² s + τ.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import CellTree
from dpviz.questions import _kernels

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


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
