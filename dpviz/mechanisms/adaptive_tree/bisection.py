"""The public tree of boxes for points in any number of dimensions: each depth halves every box along one axis.

The axis is the one along which boxes are longest (a public rule), so boxes stay as cubic as the frame allows; or, where
noisy counts along the axes were bought, the one along which records differ most by these. A record is its path of
turns, the bits of one integer; records are sorted once and a box is a range of them.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import ExactPoints, Frame
from dpviz.mechanisms.adaptive_tree import _kernels
from dpviz.mechanisms.adaptive_tree.rulers import STRIPES, Rulers

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
ROOT_TURNS = 4
MOST_TURNS = 48
TURNS_PER_AXIS = 12
MOST_PIECES = 1 << 13  # points per depth, up to `SIMPLE_AXES` dimensions, and fewer in more
SIMPLE_AXES = 12
TURNS_BY_RULERS = (
    2  # an axis that was halved more often is narrow in a box, which then is no longer like all of the axis
)


class Bisection:
    """Depth 0 holds the boxes after `ROOT_TURNS` halvings; a node's code is its path of turns, 1 for the upper half."""

    fan = 2

    def __init__(self, data: ExactPoints, rulers: Rulers | None = None) -> None:
        self.frame = data.frame
        self.rulers = rulers
        self.axes = halving_order(data.frame, rulers)
        self.depths = len(self.axes) - ROOT_TURNS + 1
        self._exact_local = np.ascontiguousarray(data.exact_local())
        self._exact_paths = np.sort(paths(data.exact_cube, self.axes))

    def roots(self) -> Integers:
        """All boxes after the first turns."""
        return np.arange(1 << ROOT_TURNS)

    def children(self, depth: int, nodes: Integers) -> Integers:
        """The lower and the upper half of each box."""
        halves: Integers = (2 * nodes[:, None] + np.array([0, 1])).ravel()
        return halves

    def exact_counts(self, depth: int, nodes: Integers) -> Integers:
        """The exact number of records in each box."""
        below = len(self.axes) - ROOT_TURNS - depth
        first = np.searchsorted(self._exact_paths, nodes << below)
        past = np.searchsorted(self._exact_paths, (nodes + 1) << below)
        return (past - first).astype(np.int64)

    def pieces(self, depth: int, nodes: Integers) -> Floats:
        """Local points inside each box, to both sides of its middle along its longest sides, (m, 2^sides, d).

        As many sides as the number of boxes allows: all of them on small trees, one at least. Evenly filled sides
        have points a quarter in from their ends; those that the rulers know, a standard deviation from their mean.
        """
        low, size = self._cube_boxes(depth, nodes)
        lower, upper = low + size / 4.0, low + size * 0.75
        for axis in range(self.frame.dims):
            if self.rulers is None or size[axis] < 0.5**TURNS_BY_RULERS:
                continue
            first = np.rint(low[:, axis] * STRIPES).astype(np.int64)
            _, mean, spread = self.rulers.inside(axis, first, first + round(float(size[axis]) * STRIPES))
            lower[:, axis] = np.maximum(mean - spread, low[:, axis])
            upper[:, axis] = np.minimum(mean + spread, low[:, axis] + size[axis])
        middles, reach = (lower + upper) / 2.0 * self.frame.extent, (upper - lower) / 2.0 * self.frame.extent
        sides = reach.mean(axis=0) if len(nodes) else size * self.frame.extent
        most = MOST_PIECES * SIMPLE_AXES / max(self.frame.dims, SIMPLE_AXES)
        room = max(1, int(math.log2(max(most / max(len(nodes), 1), 2.0))))
        longest = np.argsort(-sides, kind="stable")[:room]
        signs = np.zeros((1 << len(longest), self.frame.dims))
        for bit, axis in enumerate(longest):
            signs[:, axis] = np.where(np.arange(len(signs)) >> bit & 1, 1.0, -1.0)
        return middles[:, None, :] + signs * reach[:, None, :]

    def boxes(self, depth: int, nodes: Integers) -> tuple[Floats, Floats]:
        """Lower and upper corners of boxes, local, (m, d) each."""
        low, size = self._cube_boxes(depth, nodes)
        return low * self.frame.extent, (low + size) * self.frame.extent

    def _cube_boxes(self, depth: int, nodes: Integers) -> tuple[Floats, Floats]:
        """Lower corners in the unit cube, (m, d), and the size of the boxes of this depth, (d,)."""
        turns = ROOT_TURNS + depth
        low = np.zeros((len(nodes), self.frame.dims))
        size = np.ones(self.frame.dims)
        for turn in range(turns):
            axis = self.axes[turn]
            size[axis] /= 2.0
            low[:, axis] += ((nodes >> (turns - 1 - turn)) & 1) * size[axis]
        return low, size

    def exact_clipped_sums(self, centers: Floats, radii: Floats, lattice: int) -> Integers:
        """[P7] Per part: the sum of the records' clipped integer offsets from the part's center, (k, d)."""
        sums: Integers = _kernels.clipped_point_sums(self._exact_local, np.ascontiguousarray(centers), radii, lattice)
        return sums


def halving_order(frame: Frame, rulers: Rulers | None = None) -> tuple[int, ...]:
    """Which axis each turn halves: the longest side left, ties to the lowest axis; or as the rulers say. Public."""
    turns = max(min(MOST_TURNS, TURNS_PER_AXIS * frame.dims), ROOT_TURNS)
    if rulers is not None:
        return rulers.halving_order(frame.extent, turns, TURNS_PER_AXIS)
    sides = frame.extent.copy()
    left = np.full(frame.dims, TURNS_PER_AXIS)
    order = []
    for _ in range(turns):
        axis = int(np.argmax(np.where(left > 0, sides, 0.0)))
        order.append(axis)
        sides[axis] /= 2.0
        left[axis] -= 1
    return tuple(order)


def paths(cube: Floats, axes: tuple[int, ...]) -> Integers:
    """The turns of every point of the unit cube as the bits of one integer, first turn highest."""
    steps = np.minimum((cube * (1 << TURNS_PER_AXIS)).astype(np.int64), (1 << TURNS_PER_AXIS) - 1)
    used = np.zeros(cube.shape[1], np.int64)
    path = np.zeros(len(cube), np.int64)
    for axis in axes:
        used[axis] += 1
        path = (path << 1) | ((steps[:, axis] >> (TURNS_PER_AXIS - used[axis])) & 1)
    return path
