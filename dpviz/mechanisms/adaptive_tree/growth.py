"""The public tree of square blocks over a grid, grown breadth first with vectors of noise of a few scales per depth.

Sparse ground spends its budget on few large cells, dense ground on many small ones. Where counts are large, the way
down costs little, so that most of the budget is left for the leaves.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import ExactCounts
from dpviz.mechanisms.adaptive_tree import _kernels
from dpviz.mechanisms.adaptive_tree.bisection import Bisection
from dpviz.mechanisms.adaptive_tree.budget import Ladder, scale_for
from dpviz.noise import NoiseSource

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
ROOT_SIDE = 4
RESIDUAL_SIDE = 1024
MOST_PIECES = 1 << 14  # points per depth


def children_of(side: int, nodes: Integers) -> Integers:
    """The four blocks inside each block of a grid of this side, together."""
    rows, cols = np.divmod(nodes, side)
    first = (2 * rows) * (2 * side) + 2 * cols
    inside: Integers = (first[:, None] + np.array([0, 1, 2 * side, 2 * side + 1])).ravel()
    return inside


class Pyramid:
    """Depth 0 has `roots` blocks a side, fewer where there are fewer cells. A node's code is row · side + col."""

    fan = 4

    def __init__(self, data: ExactCounts, roots: int = ROOT_SIDE) -> None:
        self.side = data.grid.side
        self.width = float(data.grid.frame.extent[0])
        self.height = float(data.grid.frame.extent[1])
        halvings = data.exact_halvings
        levels = [halvings[0], *(level for level in halvings[1:] if level.shape[0] >= roots)]
        self._exact_levels: list[Integers] = levels[::-1]
        self.depths = len(levels)

    def side_at(self, depth: int) -> int:
        """Blocks per side of the box at a depth."""
        return int(self._exact_levels[depth].shape[0])

    def exact_level(self, most: int) -> Integers:
        """The finest exact level with at most `most` blocks per side."""
        depth = max(i for i in range(self.depths) if self.side_at(i) <= max(most, self.side_at(0)))
        return self._exact_levels[depth]

    def roots(self) -> Integers:
        """All blocks of depth 0."""
        return np.arange(self._exact_levels[0].size)

    def children(self, depth: int, nodes: Integers) -> Integers:
        """The four blocks inside each block."""
        return children_of(self.side_at(depth), nodes)

    def exact_counts(self, depth: int, nodes: Integers) -> Integers:
        """The exact counts of blocks."""
        return self._exact_levels[depth].reshape(-1)[nodes]

    def pieces(self, depth: int, nodes: Integers) -> NDArray[np.float64]:
        """2×2 local points inside each block, (m, 4, 2); one for single cells, and where blocks are many and small."""
        side = self.side_at(depth)
        rows, cols = np.divmod(nodes, side)
        step = np.array([self.width, self.height]) / side
        middles = np.column_stack([cols + 0.5, side - rows - 0.5]) * step
        corners = np.array([[-1, -1], [-1, 1], [1, -1], [1, 1]])
        if depth + 1 == self.depths or len(nodes) > MOST_PIECES // 4:
            corners = np.zeros((1, 2))
        return middles[:, None, :] + corners * step / 4.0

    def boxes(self, depth: int, nodes: Integers) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """South-west and north-east corners of blocks, local, (m, 2) each."""
        side = self.side_at(depth)
        rows, cols = np.divmod(nodes, side)
        step = np.array([self.width, self.height]) / side
        return np.column_stack([cols, side - rows - 1]) * step, np.column_stack([cols + 1, side - rows]) * step

    def exact_clipped_sums(self, centers: NDArray[np.float64], radii: NDArray[np.float64], lattice: int) -> Integers:
        """[P7] Per part: the sum of the records' clipped integer offsets from the part's center, (k, 2).

        On grids finer than `RESIDUAL_SIDE` a record stands at the middle of its block of that side.
        """
        cells = self.exact_level(RESIDUAL_SIDE)
        xs, ys = self._middles(cells.shape[0])
        sums: Integers = _kernels.clipped_sums(cells, xs, ys, np.ascontiguousarray(centers), radii, lattice)
        return sums

    def exact_cost_difference(
        self, first: NDArray[np.float64], second: NDArray[np.float64], radius: float, lattice: int
    ) -> int:
        """[P6b] Σ over records of how much farther their nearest center of `second` is than that of `first`, squared,
        in clipped whole numbers. Records stand where they stand for `exact_clipped_sums`.
        """
        cells = self.exact_level(RESIDUAL_SIDE)
        xs, ys = self._middles(cells.shape[0])
        both = np.ascontiguousarray(first), np.ascontiguousarray(second)
        return int(_kernels.cost_difference(cells, xs, ys, *both, radius, lattice))

    def _middles(self, side: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Local places of columns, and of rows from the north."""
        steps = np.arange(side, dtype=np.float64) + 0.5
        return steps * (self.width / side), (side - steps) * (self.height / side)


PublicTree = Pyramid | Bisection  # a public tree of boxes with exact counts: `fan` children a node, `depths` depths
FINE_ENOUGH = 1e7
MOST_CHILDREN = 20_000  # a depth; utility and time only
MOST_TINY_CHILDREN = 4000  # the same where centers do not need cells so small


@dataclass(frozen=True, kw_only=True)
class Thresholds:
    """Below `stop` a node is counted again, below `last` it is split once more, else split and go on.

    Compared with (estimate · remaining budget / 6). Utility only. One pair for coarse depths, one for fine ones. From
    `easy_from` on a split is an easy step.
    """

    coarse: tuple[float, float]
    fine: tuple[float, float]
    fine_from: int  # the first depth that uses `fine`
    easy_from: float = np.inf
    tiny_from: float = np.inf  # the first depth whose children are tiny

    def most(self, depth: int) -> int:
        """The largest number of children of a depth."""
        return MOST_CHILDREN if depth < self.tiny_from else MOST_TINY_CHILDREN

    def at(self, depth: int) -> tuple[float, float]:
        return self.coarse if depth < self.fine_from else self.fine

    def for_strength(self, strength: float) -> Thresholds:
        """Raise the thresholds for huge n·ε, where finer cells are not worth their time."""
        factor = max(1.0, strength / FINE_ENOUGH)
        return replace(self, fine=(self.fine[0] * factor, self.fine[1] * factor))


@dataclass(frozen=True, kw_only=True)
class Drawn:
    """Noisy counts as sampled: their nodes and the variances of their noise."""

    at: Integers
    values: Floats
    variances: Floats


@dataclass(kw_only=True)
class Depth:
    """Nodes of one depth; noisy things only. Children of one node lie together, in blocks of `fan`."""

    nodes: Integers
    parents: Integers  # index of each block's parent in the depth above, (blocks,); empty at depth 0
    values: Floats  # noisy counts, (m,); a node that was counted twice has the average by inverse variance
    variances: Floats
    leaf: NDArray[np.bool_]
    drawn: list[Drawn] = field(default_factory=list)  # every count of the depth, before any averaging

    def __post_init__(self) -> None:
        if not self.drawn:
            everywhere = np.arange(len(self.nodes))
            self.drawn = [Drawn(at=everywhere, values=self.values.copy(), variances=self.variances.copy())]


def laplace_variance(scale: float) -> float:
    """Variance of discrete Laplace noise of this scale."""
    decay = float(np.exp(-1.0 / scale))
    return 2.0 * decay / (1.0 - decay) ** 2 if decay < 1.0 else 2.0 * scale * scale


def grow(data: PublicTree, ladder: Ladder, thresholds: Thresholds, noise: NoiseSource) -> list[Depth]:
    """[P4] [P5] The noisy tree. Decisions read noisy values and public numbers only."""
    roots = data.roots()
    scale = scale_for(ladder.spend_on_roots())
    values = noise.add_laplace(data.exact_counts(0, roots), scale).astype(np.float64)  # [P4]
    spread = np.full(len(roots), laplace_variance(scale))
    tree = [Depth(nodes=roots, parents=roots[:0], values=values, variances=spread, leaf=np.zeros(len(roots), bool))]
    alive = Alive(at=np.arange(len(roots)), easy=np.zeros(len(roots), np.int64), estimate=values, doubt=spread)
    for depth in range(data.depths):
        rests = np.array([float(ladder.rest(depth, easy)) for easy in range(depth + 1)])
        strength = np.maximum(alive.estimate, 0.0) * rests[alive.easy] / 6.0
        ends = _choose_ends(depth, data.depths, data.fan, thresholds, strength)
        _count_again(data, depth, tree[depth], alive.chosen(ends == STOP), ladder, noise)
        if depth + 1 == data.depths or not (ends != STOP).any():
            return tree
        below, alive = _split(
            data, depth, tree[depth].nodes, alive, ends, strength >= thresholds.easy_from, ladder, noise
        )
        tree.append(below)
    return tree


STOP, LAST, SPLIT = 0, 1, 2


@dataclass(frozen=True, kw_only=True)
class Alive:
    """Live nodes of one depth: their place, their number of easy steps, the estimates of their counts."""

    at: Integers
    easy: Integers
    estimate: Floats
    doubt: Floats

    def chosen(self, which: NDArray[np.bool_]) -> Alive:
        """Select nodes, grouped by equal budgets."""
        rows = np.flatnonzero(which)
        rows = rows[np.argsort(self.easy[rows], kind="stable")]
        return Alive(at=self.at[rows], easy=self.easy[rows], estimate=self.estimate[rows], doubt=self.doubt[rows])


def _choose_ends(depth: int, depths: int, fan: int, thresholds: Thresholds, strength: Floats) -> Integers:
    """Choose one of three actions for each live node; where too many would split, only the strongest do."""
    if depth + 1 == depths:
        return np.full(len(strength), STOP)
    stop, last = thresholds.at(depth)
    action = np.where(strength < stop, STOP, np.where(strength < last, LAST, SPLIT))
    if depth + 2 == depths:
        # These children can only stop: they get everything at once instead of in two counts.
        action = np.minimum(action, LAST)
    most = thresholds.most(depth) // fan
    if int((action != STOP).sum()) > most:
        action[np.argsort(-strength, kind="stable")[most:]] = STOP
    return action


def _count_noisily(
    exact: Integers, depth: int, easy: Integers, spend: Callable[[int], Fraction], noise: NoiseSource
) -> tuple[Floats, Floats]:
    """Noisy counts and variances of some nodes, or of all their children, ordered by easy steps.

    One vector of counts, perhaps empty, for every possible number of easy steps: the samples alone tell what every
    chain has spent.
    """
    times = len(exact) // max(len(easy), 1)
    noisy, variances, first = [], [], 0
    for steps, count in enumerate(np.bincount(easy, minlength=depth + 1)):
        scale, past = scale_for(spend(steps)), first + int(count) * times
        noisy.append(noise.add_laplace(exact[first:past], scale))
        variances.append(np.full(past - first, laplace_variance(scale)))
        first = past
    return np.concatenate(noisy).astype(np.float64), np.concatenate(variances)


def _count_again(data: PublicTree, depth: int, here: Depth, chosen: Alive, ladder: Ladder, noise: NoiseSource) -> None:
    """[P5] *stop*: count again with the whole remainder; average both counts by inverse variance."""
    exact = data.exact_counts(depth, here.nodes[chosen.at])
    again, second = _count_noisily(exact, depth, chosen.easy, lambda easy: ladder.rest(depth, easy), noise)
    here.drawn.append(Drawn(at=chosen.at, values=again.astype(np.float64), variances=second))
    first = here.variances[chosen.at]
    here.values[chosen.at] = (here.values[chosen.at] * second + again * first) / (first + second)
    here.variances[chosen.at] = first * second / (first + second)
    here.leaf[chosen.at] = True


def _split(
    data: PublicTree,
    depth: int,
    above: Integers,
    alive: Alive,
    ends: Integers,
    easily: NDArray[np.bool_],
    ladder: Ladder,
    noise: NoiseSource,
) -> tuple[Depth, Alive]:
    """[P5] *last split* and *split*: the next depth and its live nodes."""
    fan = data.fan
    last = alive.chosen(ends == LAST)
    hard, easy = alive.chosen((ends == SPLIT) & ~easily), alive.chosen((ends == SPLIT) & easily)
    parents = np.concatenate([last.at, hard.at, easy.at])
    nodes = data.children(depth, above[parents])
    exact = data.exact_counts(depth + 1, nodes)
    ended, hard_ended = len(last.at) * fan, (len(last.at) + len(hard.at)) * fan
    counted = [
        _count_noisily(exact[:ended], depth, last.easy, lambda steps: ladder.rest(depth, steps), noise),
        _count_noisily(
            exact[ended:hard_ended], depth, hard.easy, lambda steps: ladder.spend(depth, steps, easily=False), noise
        ),
        _count_noisily(
            exact[hard_ended:], depth, easy.easy, lambda steps: ladder.spend(depth, steps, easily=True), noise
        ),
    ]
    below = Depth(
        nodes=nodes,
        parents=parents,
        values=np.concatenate([values for values, _ in counted]),
        variances=np.concatenate([variances for _, variances in counted]),
        leaf=np.arange(len(nodes)) < ended,
    )
    fresh = np.arange(ended, len(nodes))
    prior = np.concatenate([hard.estimate, easy.estimate])
    prior_doubt = np.concatenate([hard.doubt, easy.doubt])
    estimate, doubt = _filter_counts(below.values[fresh], below.variances[fresh], prior, prior_doubt, fan)
    steps = np.repeat(np.concatenate([hard.easy, easy.easy + 1]), fan)
    return below, Alive(at=fresh, easy=steps, estimate=estimate, doubt=doubt)


def _filter_counts(
    values: Floats, variances: Floats, parent: Floats, parent_variance: Floats, fan: int
) -> tuple[Floats, Floats]:
    """Combine each first count with the prior from its parent, about a quarter. For decisions only."""
    floor = np.maximum(parent, 0.0)
    mean = np.repeat(floor / fan, fan)
    spread = np.repeat(floor**2 / fan * (1.0 - 1.0 / fan) / 4.0 + parent_variance / fan**2, fan)
    estimate = (values * spread + mean * variances) / (spread + variances)
    return estimate, spread * variances / (spread + variances)
