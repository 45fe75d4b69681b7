"""The public tree of boxes for points in any number of dimensions: each depth halves every box along one axis.

The axis is the one along which boxes are longest (a public rule), so boxes stay as cubic as the frame allows; or, where
noisy counts along the axes were bought, the one along which records differ most by these. A record is its path of
turns, the bits of one integer; records are sorted once and a box is a range of them.

Rulers: in many dimensions a tree has budget for about ten halvings, and most axes are halved once or never. The noisy
counts of `STRIPES` stripes of each axis say which axis to halve next, and where inside a box its records are likely to
be. All but `StripesAsked` and the two functions that count is post-processing.

Streamed records: a table holds the exact counts of all boxes some turns below a few boxes, at most 2^22 numbers. When
the tree needs deeper boxes, the records are read once more, for those boxes alone. Every number is a sum of whole
numbers over records, hence equal to that of `Bisection`.

Proof: docs/proofs/adaptive_tree.md, steps P4a and P6 and section "Records that stay where they are".
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import ExactCounts, ExactPoints, Frame, StreamedPoints
from dpviz.mechanisms.adaptive_tree import _kernels
from dpviz.mechanisms.adaptive_tree.budget import scale_for
from dpviz.noise import NoiseSource

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
STRIPES = 32  # of each axis, a power of two: boxes end at their edges
EVEN = 0.02  # share of records believed to lie evenly along an axis, whatever its counts say
LEAST_TOTAL = 1.0
TINY = 1e-300


@dataclass(frozen=True, kw_only=True)
class StripesAsked:
    """Query: records in each stripe of each axis, (d · STRIPES,); a record counts once per axis."""

    dims: int

    def empty(self) -> Integers:
        return np.zeros(self.dims * STRIPES, np.int64)

    def add(self, cube: Floats, answer: Integers) -> None:
        stripes = np.clip((cube * STRIPES).astype(np.int64), 0, STRIPES - 1)
        for axis in range(self.dims):
            answer[axis * STRIPES : (axis + 1) * STRIPES] += np.bincount(stripes[:, axis], minlength=STRIPES)


def exact_stripes(data: ExactPoints) -> Integers:
    """Exact counts of stripes, of records in memory or streamed."""
    asked = StripesAsked(dims=data.frame.dims)
    if isinstance(data, StreamedPoints):
        return data.exact_sum(asked)
    answer = asked.empty()
    asked.add(data.exact_cube, answer)
    return answer


def measure_rulers(
    data: ExactCounts | ExactPoints, spend: Fraction, noisy_total: float, noise: NoiseSource
) -> Rulers | None:
    """[P4a] Count stripes with noise: a record is in one stripe of each axis, so the L1 sensitivity is d."""
    if isinstance(data, ExactCounts) or not spend:
        return None
    dims = data.frame.dims
    scale = scale_for(spend, dims)
    noisy = noise.add_laplace(exact_stripes(data), scale)
    return Rulers.of(noisy.reshape(dims, STRIPES).astype(np.float64), noisy_total, 2.0 * scale**2)


@dataclass(frozen=True, kw_only=True, eq=False)
class Rulers:
    """Per axis of the unit cube the sums of share, share · place and share · place² up to each edge of a stripe."""

    sums: Floats  # (3, d, STRIPES + 1)

    @classmethod
    def of(cls, noisy: Floats, noisy_total: float, variance: float = 0.0) -> Rulers:
        """From noisy counts and the variance of each: smoothed, every axis adding up to the noisy number of records."""
        total = max(noisy_total, LEAST_TOTAL)
        shares = smooth_counts(noisy, total, variance) / total
        shares = (1.0 - EVEN) * shares + EVEN / STRIPES
        middles = (np.arange(STRIPES) + 0.5) / STRIPES
        moments = np.stack([shares, shares * middles, shares * (middles**2 + 1.0 / (12.0 * STRIPES**2))])
        return cls(sums=np.concatenate([np.zeros((3, len(noisy), 1)), np.cumsum(moments, axis=2)], axis=2))

    def inside(self, axis: int, first: Integers, past: Integers) -> tuple[Floats, Floats, Floats]:
        """Share, mean and standard deviation of records between two edges of stripes of an axis."""
        share, moment, squared = self.sums[:, axis, past] - self.sums[:, axis, first]
        mean = moment / share
        return share, mean, np.sqrt(np.maximum(squared / share - mean**2, 0.0))

    def variance_left(self, axis: int, turns: int) -> float:
        """Variance left along an axis, in the unit cube, after this number of halvings."""
        known = min(turns, STRIPES.bit_length() - 1)
        edges = np.arange(0, STRIPES + 1, STRIPES >> known)
        share, _, spread = self.inside(axis, edges[:-1], edges[1:])
        return float(share @ spread**2) / 4.0 ** (turns - known)

    def halving_order(self, extent: Floats, turns: int, turns_per_axis: int) -> tuple[int, ...]:
        """Choose the axis of each turn: the one with the most variance left, ties to the lowest axis."""
        used = [0] * len(extent)
        left = [self.variance_left(axis, 0) * float(extent[axis]) ** 2 for axis in range(len(extent))]
        order = []
        for _ in range(turns):
            axis = int(np.argmax(left))
            order.append(axis)
            used[axis] += 1
            wide = float(extent[axis]) ** 2
            left[axis] = self.variance_left(axis, used[axis]) * wide if used[axis] < turns_per_axis else -1.0
        return tuple(order)


def smooth_counts(noisy: Floats, total: float, variance: float) -> Floats:
    """Remove likely noise from counts of stripes; none below 0, each axis adding up to the total, (d, S).

    From the whole axis down, the mass of a part goes to its two halves evenly, but for the difference of their noisy
    counts beyond its own variance.
    """
    levels = [noisy]
    while levels[-1].shape[1] > 1:
        levels.append(levels[-1].reshape(len(noisy), -1, 2).sum(axis=2))
    held = np.full((len(noisy), 1), total)
    for counts in levels[-2::-1]:
        halves = counts.reshape(len(noisy), -1, 2)
        seen = halves[:, :, 0] - halves[:, :, 1]
        doubt = 2.0 * variance * noisy.shape[1] / counts.shape[1]
        kept = seen * np.maximum(0.0, 1.0 - doubt / np.maximum(seen**2, TINY))
        kept = np.clip(kept, -held, held)
        held = np.stack([(held + kept) / 2.0, (held - kept) / 2.0], axis=2).reshape(len(noisy), -1)
    return held


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


TABLE_TURNS = 22


class StreamedBisection(Bisection):
    """`Bisection` for streamed records."""

    def __init__(self, data: StreamedPoints, rulers: Rulers | None = None) -> None:
        self.frame = data.frame
        self.rulers = rulers
        self.axes = halving_order(data.frame, rulers)
        self.depths = len(self.axes) - ROOT_TURNS + 1
        self._data = data
        self._exact_tables: list[ExactTable] = []

    def exact_counts(self, depth: int, nodes: Integers) -> Integers:
        """The exact number of records in each box."""
        turns = ROOT_TURNS + depth
        if len(nodes) == 0:
            return np.zeros(0, np.int64)
        for table in reversed(self._exact_tables):
            if table.reaches(turns, nodes):
                return table.exact_counts(turns, nodes)
        asked = self._paths_below(turns, nodes)
        self._exact_tables = [*self._exact_tables[-1:], ExactTable.of(asked, self._data.exact_sum(asked))]
        return self._exact_tables[-1].exact_counts(turns, nodes)

    def exact_clipped_sums(self, centers: Floats, radii: Floats, lattice: int) -> Integers:
        """[P7] Per part: the sum of the records' clipped integer offsets from the part's center, (k, d)."""
        asked = SumsAsked(extent=self.frame.extent, centers=np.ascontiguousarray(centers), radii=radii, lattice=lattice)
        return self._data.exact_sum(asked)

    def _paths_below(self, turns: int, nodes: Integers) -> PathsAsked:
        """The query for these boxes, or for the whole box where its table reaches them."""
        if turns <= TABLE_TURNS and not self._exact_tables:
            turns, roots = 0, np.zeros(1, np.int64)
        else:
            roots = np.unique(nodes)
        room = TABLE_TURNS - int(np.ceil(np.log2(max(len(roots), 1))))
        return PathsAsked(axes=self.axes, first=turns, roots=roots, further=max(0, min(room, len(self.axes) - turns)))


@dataclass(frozen=True, kw_only=True, eq=False)
class PathsAsked:
    """Query: records by their path of `further` turns below boxes that lie `first` turns deep."""

    axes: tuple[int, ...]
    first: int
    roots: Integers  # sorted codes
    further: int

    def empty(self) -> Integers:
        return np.zeros(len(self.roots) << self.further, np.int64)

    def add(self, cube: Floats, answer: Integers) -> None:
        used = dict.fromkeys(self.axes, 0)
        shifts = []
        for axis in self.axes:
            used[axis] += 1
            shifts.append(TURNS_PER_AXIS - used[axis])
        _kernels.add_paths(
            np.ascontiguousarray(cube),
            np.array(self.axes),
            np.array(shifts),
            (1 << TURNS_PER_AXIS) - 1,
            self.first,
            self.roots,
            self.further,
            answer,
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class SumsAsked:
    """[P7] Query: clipped integer offsets from the nearest center, summed per part."""

    extent: Floats
    centers: Floats
    radii: Floats
    lattice: int

    def empty(self) -> Integers:
        return np.zeros(self.centers.shape, np.int64)

    def add(self, cube: Floats, answer: Integers) -> None:
        local = np.ascontiguousarray(cube * self.extent)
        answer += _kernels.clipped_point_sums(local, self.centers, self.radii, self.lattice)


@dataclass(frozen=True, kw_only=True, eq=False)
class ExactTable:
    """The answer to `PathsAsked` as cumulative sums: the count of any box below is a difference."""

    asked: PathsAsked
    exact_reached: Integers  # records in all boxes before each one, and the total

    @classmethod
    def of(cls, asked: PathsAsked, counts: Integers) -> ExactTable:
        return cls(asked=asked, exact_reached=np.concatenate([[0], np.cumsum(counts)]))

    def reaches(self, turns: int, nodes: Integers) -> bool:
        """Whether all these boxes lie in the table."""
        below = turns - self.asked.first
        if not 0 <= below <= self.asked.further:
            return False
        return bool(np.isin(nodes >> below, self.asked.roots).all())

    def exact_counts(self, turns: int, nodes: Integers) -> Integers:
        below = turns - self.asked.first
        left = self.asked.further - below
        place = np.searchsorted(self.asked.roots, nodes >> below)
        start = ((place << below) | (nodes & ((1 << below) - 1))) << left
        counts: Integers = self.exact_reached[start + (1 << left)] - self.exact_reached[start]
        return counts
