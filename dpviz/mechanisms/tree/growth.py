"""Growing the tree, breadth first: noise is drawn in vectors, two scales a depth.

Sparse ground spends its budget on few large cells, dense ground on many small ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from dpviz.mechanisms.tree.budget import Ladder, scale_for
from dpviz.noise import NoiseSource

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]


class Counted(Protocol):
    """Exact counts of the nodes of a public tree of boxes: `fan` children per node, `depths` depths."""

    fan: int
    depths: int

    def roots(self) -> Integers:
        """Codes of the nodes of depth 0."""
        ...

    def children(self, depth: int, nodes: Integers) -> Integers:
        """Codes at depth + 1 of the children, (len(nodes) · fan,), the children of one node together."""
        ...

    def exact_counts(self, depth: int, nodes: Integers) -> Integers: ...


FINE_ENOUGH = 1e7
MOST_CHILDREN = 20_000  # a depth; utility and time only


@dataclass(frozen=True, kw_only=True)
class Thresholds:
    """Below `stop` a node is counted again, below `last` it is split once more, else split and go on.

    Compared with (estimate · remaining budget / 6). Utility only. One pair for coarse depths, one for fine ones.
    """

    coarse: tuple[float, float]
    fine: tuple[float, float]
    fine_from: int  # the first depth that uses `fine`

    def at(self, depth: int) -> tuple[float, float]:
        return self.coarse if depth < self.fine_from else self.fine

    def for_strength(self, strength: float) -> Thresholds:
        """For huge n·ε, where every cell would be a leaf of its own, finer ones no longer pay for their time."""
        factor = max(1.0, strength / FINE_ENOUGH)
        return Thresholds(
            coarse=self.coarse, fine=(self.fine[0] * factor, self.fine[1] * factor), fine_from=self.fine_from
        )


@dataclass(kw_only=True)
class Depth:
    """Nodes of one depth; noisy things only. Children of one node lie together, in blocks of `fan`."""

    nodes: Integers
    parents: Integers  # index of each block's parent in the depth above, (blocks,); empty at depth 0
    values: Floats  # noisy counts, (m,)
    variances: Floats
    leaf: NDArray[np.bool_]


def laplace_variance(scale: float) -> float:
    """Variance of discrete Laplace noise of this scale."""
    decay = float(np.exp(-1.0 / scale))
    return 2.0 * decay / (1.0 - decay) ** 2 if decay < 1.0 else 2.0 * scale * scale


def grow(data: Counted, ladder: Ladder, thresholds: Thresholds, noise: NoiseSource) -> list[Depth]:
    """[P4] [P5] The noisy tree. Decisions read noisy values and public numbers only."""
    roots = data.roots()
    scale = scale_for(ladder.measure[0])
    values = (data.exact_counts(0, roots) + noise.laplace(scale, len(roots))).astype(np.float64)  # [P4]
    spread = np.full(len(roots), laplace_variance(scale))
    tree = [Depth(nodes=roots, parents=roots[:0], values=values, variances=spread, leaf=np.zeros(len(roots), bool))]
    alive = np.arange(len(roots))
    estimate, doubt = values.copy(), spread.copy()
    for depth in range(data.depths):
        here = tree[depth]
        ends = _stopping(depth, data.depths, data.fan, thresholds, ladder.rest[depth], estimate)
        _count_again(data, depth, here, alive[ends == STOP], ladder.rest[depth], noise)
        if depth + 1 == data.depths or not (ends != STOP).any():
            return tree
        last, onward = alive[ends == LAST], alive[ends == SPLIT]
        below, fresh = _split(data, depth, here.nodes, last, onward, ladder, noise)
        tree.append(below)
        prior, prior_doubt = estimate[ends == SPLIT], doubt[ends == SPLIT]
        estimate, doubt = _filtered(below.values[fresh], below.variances[fresh], prior, prior_doubt, data.fan)
        alive = fresh
    return tree


STOP, LAST, SPLIT = 0, 1, 2


def _stopping(depth: int, depths: int, fan: int, thresholds: Thresholds, rest: Fraction, estimate: Floats) -> Integers:
    """Which of the three actions each live node takes; where too many would split, only the strongest do."""
    if depth + 1 == depths:
        return np.full(len(estimate), STOP)
    strength = np.maximum(estimate, 0.0) * float(rest) / 6.0
    stop, last = thresholds.at(depth)
    action = np.where(strength < stop, STOP, np.where(strength < last, LAST, SPLIT))
    if depth + 2 == depths:
        # These children can only stop: they get everything at once instead of in two counts.
        action = np.minimum(action, LAST)
    most = MOST_CHILDREN // fan
    if int((action != STOP).sum()) > most:
        action[np.argsort(-strength, kind="stable")[most:]] = STOP
    return action


def _count_again(data: Counted, depth: int, here: Depth, chosen: Integers, rest: Fraction, noise: NoiseSource) -> None:
    """[P5] *stop*: a second count with all that is left, averaged with the first by inverse variance."""
    scale = scale_for(rest)
    again = data.exact_counts(depth, here.nodes[chosen]) + noise.laplace(scale, len(chosen))
    first, second = here.variances[chosen], laplace_variance(scale)
    here.values[chosen] = (here.values[chosen] * second + again * first) / (first + second)
    here.variances[chosen] = first * second / (first + second)
    here.leaf[chosen] = True


def _split(
    data: Counted,
    depth: int,
    above: Integers,
    last: Integers,
    onward: Integers,
    ladder: Ladder,
    noise: NoiseSource,
) -> tuple[Depth, Integers]:
    """[P5] *last split* and *split*: the next depth, and the indices of the children that live on."""
    parents = np.concatenate([last, onward])
    nodes = data.children(depth, above[parents])
    exact = data.exact_counts(depth + 1, nodes)
    ended = len(last) * data.fan
    whole, part = scale_for(ladder.rest[depth]), scale_for(ladder.measure[depth + 1])
    drawn = np.concatenate([noise.laplace(whole, ended), noise.laplace(part, len(nodes) - ended)])
    variances = np.full(len(nodes), laplace_variance(part))
    variances[:ended] = laplace_variance(whole)
    below = Depth(
        nodes=nodes,
        parents=parents,
        values=(exact + drawn).astype(np.float64),
        variances=variances,
        leaf=np.arange(len(nodes)) < ended,
    )
    return below, np.arange(ended, len(nodes))


def _filtered(
    values: Floats, variances: Floats, parent: Floats, parent_variance: Floats, fan: int
) -> tuple[Floats, Floats]:
    """Each first count against what its parent leads to expect: a quarter, give or take. For decisions only."""
    floor = np.maximum(parent, 0.0)
    mean = np.repeat(floor / fan, fan)
    spread = np.repeat(floor**2 / fan * (1.0 - 1.0 / fan) / 4.0 + parent_variance / fan**2, fan)
    estimate = (values * spread + mean * variances) / (spread + variances)
    return estimate, spread * variances / (spread + variances)
