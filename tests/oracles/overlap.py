"""Plain-numpy twins of the kernels, and the one table of pairs that tests and benchmarks share."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import _kernels

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def halve(cells: Integers) -> Integers:
    """Sums of 2×2 blocks."""
    side = cells.shape[0] // 2
    sums: Integers = cells.reshape(side, 2, side, 2).sum(axis=(1, 3))
    return sums


def clipped_area(ring: Floats, low: Floats, high: Floats) -> float:
    """The signed area of a ring inside a rectangle: along every edge, the clamped height over the bottom."""
    total = 0.0
    for (ax, ay), (bx, by) in zip(ring, np.roll(ring, -1, axis=0), strict=True):
        if ax == bx:
            continue
        # Cut the edge where it meets the four sides; between cuts the clamped curve is straight.
        cuts = [0.0, 1.0, *((side - ax) / (bx - ax) for side in (low[0], high[0]))]
        if ay != by:
            cuts += [(side - ay) / (by - ay) for side in (low[1], high[1])]
        stops = np.unique(np.clip(cuts, 0.0, 1.0))
        x = np.clip(ax + stops * (bx - ax), low[0], high[0])
        y = np.clip(ay + stops * (by - ay), low[1], high[1]) - low[1]
        total -= float(((x[1:] - x[:-1]) * (y[1:] + y[:-1]) / 2.0).sum())
    return total


def ring_areas(xs: Floats, ys: Floats, ring_start: Integers) -> Floats:
    """Shoelace formula, ring by ring."""
    return np.array([_shoelace(xs[first:past], ys[first:past]) for first, past in pairwise(ring_start)])


def _shoelace(x: Floats, y: Floats) -> float:
    return float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum() / 2.0)


def cut_by_boxes(box_low: Floats, box_high: Floats, low: Floats, high: Floats, side: int) -> tuple[Integers, Integers]:
    """Every zone beside every cell; `side` is how finely the kernel sorts zones first."""
    met = ((low < box_high[:, None]) & (high > box_low[:, None])).all(axis=2)
    whole = ((low >= box_low[:, None]) & (high <= box_high[:, None])).all(axis=2)
    zone, cell = np.nonzero(met & ~whole)
    return zone.astype(np.int64), cell.astype(np.int64)


def mark_places(x: Floats, y: Floats, found: Integers, whole: bool) -> None:
    """Traces of places, one record after the other, in Python's own whole numbers."""
    for place in zip(x.tolist(), y.tolist(), strict=True):
        east, north = (value * 10000.0 + 4000000.38196601125 for value in place)
        if 0 <= east < 8e6 and 0 <= north < 8e6:
            chosen = math.floor(east) * 0x9E3779B1 % 2**32 < 2**28
            _mark(math.floor(east), math.floor(north), found, whole, chosen)


def mark_keys(keys: NDArray[np.uint64], found: Integers) -> None:
    """Traces of persons, one record after the other."""
    for first, second in keys.tolist():
        _mark(first, second + 1, found, True, None)


def _mark(first: int, second: int, found: Integers, whole: bool, chosen: bool | None) -> None:
    word = (first * 0x9E3779B97F4A7C15 + (second % 2**64) * 0xC2B2AE3D27D4EB4F) % 2**64
    word ^= word >> 32
    word = word * 0xD6E8FEB86659FD93 % 2**64
    word ^= word >> 29
    found[0, word % 512] += whole
    chosen = word >> 60 == 0 if chosen is None else chosen
    for sample in (1, 2, 3):
        if chosen and (word >> 40) % 16 ** (sample - 1) == 0:
            found[sample, (word >> 9 * sample) % 512] += 1


TWINS: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "cut_by_boxes": (_kernels.cut_by_boxes, cut_by_boxes),
    "halve": (_kernels.halve, halve),
    "mark_keys": (_kernels.mark_keys, mark_keys),
    "mark_places": (_kernels.mark_places, mark_places),
    "ring_areas": (_kernels.ring_areas, ring_areas),
}
