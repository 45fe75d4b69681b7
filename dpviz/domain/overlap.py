"""The rectangles that each zone overlaps, with the exact share of their area, in one pass over zones and cells."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import _kernels
from dpviz.errors import InputError

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
FINEST_BUCKETS = 256
MOST_BUCKETS = 16  # that a rectangle lies in on average: large ones lie upon each other, in coarser buckets
ZONE_BUCKETS = 64
LONG_RING = 2048  # corners; longer rings are halved first, so that no strip walks along all of them
MOST_HALVINGS = 16

Rings = Sequence[tuple[Floats, float]]  # corners (m, 2) without the closing one, and +1 for an outline, −1 for a hole


@dataclass(frozen=True, kw_only=True, eq=False)
class Overlaps:
    """One row per pair of a zone and a rectangle that overlap, ordered by zone."""

    zone: Integers
    cell: Integers
    share: Floats  # of the rectangle's area
    middle: Floats  # (rows, 2): where the overlap is centered, −1 to 1 across the rectangle

    def starts(self, zones: int) -> Integers:
        """Where the rows of each zone begin, (zones + 1,)."""
        return np.searchsorted(self.zone, np.arange(zones + 1)).astype(np.int64)

    def chosen(self, rows: NDArray[np.bool_]) -> Overlaps:
        """Select rows."""
        return Overlaps(zone=self.zone[rows], cell=self.cell[rows], share=self.share[rows], middle=self.middle[rows])


@dataclass(frozen=True, kw_only=True, eq=False)
class Rectangles:
    """Rectangles in a box, sorted into the buckets of a coarse grid."""

    low: Floats  # (m, 2)
    high: Floats
    side: int
    bucket_start: Integers
    bucket_cells: Integers
    box: tuple[float, float, float, float]

    @classmethod
    def of(cls, low: Floats, high: Floats, box: tuple[float, float, float, float]) -> Rectangles:
        """`box`: west, south, east, north of the space that is cut into buckets."""
        side = min(FINEST_BUCKETS, 1 << (max(1, math.isqrt(len(low))) - 1).bit_length())
        first, spans = _spans(low, high, box, side)
        while side > 1 and int(spans.prod(axis=1).sum()) > MOST_BUCKETS * len(low):
            side //= 2
            first, spans = _spans(low, high, box, side)
        times = spans.prod(axis=1)
        cells = np.repeat(np.arange(len(low)), times)
        within = np.arange(int(times.sum())) - np.repeat(np.cumsum(times) - times, times)
        wide = np.repeat(spans[:, 0], times)
        bucket = (first[cells, 1] + within // wide) * side + first[cells, 0] + within % wide
        order = np.argsort(bucket, kind="stable")
        return cls(
            low=np.ascontiguousarray(low),
            high=np.ascontiguousarray(high),
            side=side,
            bucket_start=np.searchsorted(bucket[order], np.arange(side * side + 1)).astype(np.int64),
            bucket_cells=cells[order],
            box=box,
        )

    def met_by(self, zones: Sequence[Rings]) -> Overlaps:
        """The overlap of every zone, given as rings with signs, with every rectangle."""
        split = [[piece for ring, sign in rings for piece in _halved(ring, sign)] for rings in zones]
        corners, ring_start, signs, zone_start = packed(split)
        zone, cell, shares = _kernels.overlaps(
            corners[0], corners[1], ring_start, signs, zone_start, self.low, self.high, self.bucket_start,
            self.bucket_cells, self.side, *self.box,
        )  # fmt: skip
        return Overlaps(zone=zone, cell=cell, share=shares[:, 0].copy(), middle=shares[:, 1:].copy())


def _spans(low: Floats, high: Floats, box: tuple[float, float, float, float], side: int) -> tuple[Integers, Integers]:
    """The first bucket of each rectangle along both axes, and in how many it lies."""
    origin = np.array(box[:2])
    size = (np.array(box[2:]) - origin) / side
    first = np.clip(np.floor((low - origin) / size), 0, side - 1).astype(np.int64)
    last = np.clip(np.ceil((high - origin) / size) - 1, first, side - 1).astype(np.int64)
    return first, last - first + 1


def cut_by_boxes(low: Floats, high: Floats, cell_low: Floats, cell_high: Floats) -> Overlaps:
    """The cells that rectangular zones, (zones, 2), cut; cells that lie wholly in a zone are left out."""
    zone = cell = np.zeros(0, np.int64)
    if len(low):
        boxes = [np.ascontiguousarray(corners) for corners in (low, high, cell_low, cell_high)]
        zone, cell = _kernels.cut_by_boxes(*boxes, ZONE_BUCKETS)
    return _shared(low, high, cell_low, cell_high, zone, cell)


def of_pairs(
    low: Floats, high: Floats, cell_low: Floats, cell_high: Floats, zone: Integers, cell: Integers
) -> Overlaps:
    """The overlaps of these pairs of a rectangle and a cell, in their order; pairs that do not meet are left out."""
    begin, end = np.maximum(low[zone], cell_low[cell]), np.minimum(high[zone], cell_high[cell])
    met = (begin[:, 0] < end[:, 0]) & (begin[:, 1] < end[:, 1])
    return _shared(low, high, cell_low, cell_high, zone[met], cell[met])


def _shared(low: Floats, high: Floats, cell_low: Floats, cell_high: Floats, zone: Integers, cell: Integers) -> Overlaps:
    """The overlaps of pairs that meet."""
    left, right = cell_low[cell], cell_high[cell]
    begin, end = np.maximum(low[zone], left), np.minimum(high[zone], right)
    part = (end - begin) / (right - left)
    return Overlaps(
        zone=zone, cell=cell, share=part[:, 0] * part[:, 1], middle=(begin + end - left - right) / (right - left)
    )


def packed(zones: Sequence[Rings]) -> tuple[Floats, Integers, Floats, Integers]:
    """Corners (2, m), where rings begin, their signs, where zones begin."""
    rings = [ring for zone in zones for ring, _ in zone]
    return (
        np.ascontiguousarray(np.concatenate([np.empty((0, 2)), *rings]).T),
        np.cumsum([0, *(len(ring) for ring in rings)]).astype(np.int64),
        np.array([sign for zone in zones for _, sign in zone], dtype=np.float64),
        np.cumsum([0, *(len(zone) for zone in zones)]).astype(np.int64),
    )


def crossing_ring(zones: Sequence[Rings]) -> int | None:
    """The first zone one of whose rings crosses itself."""
    corners, ring_start, _, zone_start = packed(zones)
    ring = int(_kernels.first_crossing(corners[0], corners[1], ring_start))
    if ring < -1:
        raise InputError("the outlines of the areas are too intricate to be answered in bounded time; simplify them.")
    return None if ring < 0 else int(np.searchsorted(zone_start, ring, side="right")) - 1


def signed_areas(zones: Sequence[Rings]) -> Floats:
    """The area of every zone without its holes, (zones,)."""
    corners, ring_start, signs, zone_start = packed(zones)
    areas = np.abs(_kernels.ring_areas(corners[0], corners[1], ring_start)) * signs
    summed = np.concatenate([[0.0], np.cumsum(areas)])
    return np.diff(summed[zone_start])


def _halved(ring: Floats, sign: float, left: int = MOST_HALVINGS) -> list[tuple[Floats, float]]:
    """Cut a long ring into rings of at most about `LONG_RING` corners, along the axis that cuts fewer edges."""
    if len(ring) <= LONG_RING or left == 0:
        return [(ring, sign)]
    middles = (ring.min(axis=0) + ring.max(axis=0)) / 2.0  # a median may lie at the end of a comb and halve nothing
    above_middle = ring > middles
    axis = int(np.argmin((above_middle != np.roll(above_middle, 1, axis=0)).sum(axis=0)))
    x, y = np.ascontiguousarray(ring.T)
    pieces = []
    # A piece may lie on the other side of nothing: rings that keep their turn keep the sign of their area.
    for above in (False, True):
        cut = np.column_stack(_kernels.clip_half(x, y, axis == 0, float(middles[axis]), above))
        if len(cut) >= 3:
            pieces += _halved(cut, sign, left - 1)
    return pieces
