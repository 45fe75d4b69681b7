"""The tree of halvings over streamed records: exact counts and sums are queried piece by piece.

A table holds the exact counts of all boxes some turns below a few boxes. When the tree needs boxes deeper than the
tables reach, the records are read once more, for those boxes alone. A table has at most 2^22 numbers, so memory does
not grow with the number of records. Every number is a sum of whole numbers over records, hence equal to that of
`Bisection`.

Proof: docs/proofs/adaptive_tree.md, section "Records that stay where they are".
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import StreamedPoints
from dpviz.mechanisms.adaptive_tree import _kernels
from dpviz.mechanisms.adaptive_tree.bisection import ROOT_TURNS, TURNS_PER_AXIS, Bisection, halving_order
from dpviz.mechanisms.adaptive_tree.rulers import Rulers

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
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
