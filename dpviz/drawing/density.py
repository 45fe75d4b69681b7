"""The one scale of density for all pictures: which ground is painted, in which shade, and where each shade begins.

Every shade holds an equal share of the records. The emptiest ground is not painted: it is mostly noise, over water too.
Computed from protected counts alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import CellTree

Floats = NDArray[np.float64]
SHADES: Final = 7
_LEFT_OUT: Final = 0.01  # share of all records on ground that is not painted
_LEFT_OUT_OF_TRIPS: Final = 0.06  # more: many boxes of trips lie on the same empty ground
_PIXELS_OF_TRIPS: Final = 256  # along a side
_NEARLY_EQUAL: Final = 1.0 + 1e-6  # equal ground gets one shade, whatever the rounding


@dataclass(frozen=True, kw_only=True, eq=False)
class ShadedBoxes:
    """Boxes to paint with their shade, 0 for the faintest, and the records per km² at which each shade begins."""

    low: Floats
    high: Floats
    shade: NDArray[np.int64]
    begins: tuple[float, ...]


def density_scale(density: Floats, count: Floats, left_out: float = _LEFT_OUT) -> Floats:
    """The density at which each shade begins; none where nothing was counted."""
    if not len(density):
        return np.zeros(0)
    order = np.argsort(density, kind="stable")
    held = np.cumsum(count[order])
    begins: Floats = density[order][
        np.minimum(np.searchsorted(held, held[-1] * np.maximum(np.arange(SHADES) / SHADES, left_out)), len(order) - 1)
    ]
    return begins


def find_shades(density: Floats, begins: Floats) -> NDArray[np.int64]:
    """The shade of each density; -1 where nothing is painted."""
    return np.searchsorted(begins, density * _NEARLY_EQUAL, side="right").astype(np.int64) - 1


def counted_cells(tree: CellTree) -> tuple[Floats, Floats, Floats, Floats]:
    """Cells of a plane that are not mostly noise: low and high corners, records per km², and records."""
    low, high, count = tree.low[tree.cell], tree.high[tree.cell], tree.count
    km2 = (tree.frame.to_local(high) - tree.frame.to_local(low)).prod(axis=1) / 1e6
    seen = (count > 0.0) & (count >= np.sqrt(tree.spread)) & (km2 > 0.0)
    return low[seen], high[seen], count[seen] / km2[seen], count[seen]


def shade_cells(trees: Sequence[CellTree | None]) -> tuple[list[ShadedBoxes], tuple[float, ...]]:
    """The cells of several maps in one scale; corners in the coordinates of the frame."""
    nothing = np.zeros((0, 2)), np.zeros((0, 2)), np.zeros(0), np.zeros(0)
    drawn = [nothing if tree is None else counted_cells(tree) for tree in trees]
    densities, counts = (np.concatenate([cells[at] for cells in drawn]) for at in (2, 3))
    begins = density_scale(densities, counts)
    return [_painted(low, high, find_shades(density, begins), begins) for low, high, density, _ in drawn], tuple(
        begins.tolist()
    )


def _painted(low: Floats, high: Floats, shade: NDArray[np.int64], begins: Floats) -> ShadedBoxes:
    seen = shade >= 0
    return ShadedBoxes(low=low[seen], high=high[seen], shade=shade[seen], begins=tuple(begins.tolist()))


def shade_end_of_trips(tree: CellTree, axes: slice) -> ShadedBoxes:
    """What all cells of trips say of the ground at one end; corners in the unit square."""
    ground = ground_of_trips(tree, axes)
    begins = trips_scale(ground)
    low, high, shade = merge_rows(find_shades(ground, begins))
    return _painted(low, high, shade, begins)


def trips_scale(ground: Floats) -> Floats:
    """The density at which each shade begins on pixels that all trips share."""
    values = ground[ground > 0.0]
    return density_scale(values, values, _LEFT_OUT_OF_TRIPS)


def ground_of_trips(tree: CellTree, axes: slice) -> Floats:
    """Records per km² on pixels, the north first. What many boxes say of the same ground adds up."""
    extent = tree.frame.extent[axes]
    low, high = (tree.frame.to_local(ends[tree.cell])[:, axes] / extent for ends in (tree.low, tree.high))
    seen = tree.count > 0.0
    ground = spread_on_pixels(low[seen], high[seen], tree.count[seen], _PIXELS_OF_TRIPS)
    ground[ground <= 1e-9 * max(float(ground.max(initial=0.0)), 1e-300)] = 0.0
    return ground / (float(np.prod(extent)) / ground.size / 1e6)


def spread_on_pixels(low: Floats, high: Floats, count: Floats, side: int) -> Floats:
    """Records a pixel, (side, side) with the north first; each box spreads its count evenly over the pixels it fills.

    Boxes are given in the unit square. Four corners a box, summed up twice: as fast for large boxes as for small ones.
    """
    first = np.clip(np.floor(low * side + 0.5).astype(np.int64), 0, side - 1)
    past = np.clip(np.floor(high * side + 0.5).astype(np.int64), first + 1, side)
    value = count / (past - first).prod(axis=1)
    corners = np.zeros((side + 1, side + 1))
    for columns, rows, sign in ((first, first, 1.0), (past, past, 1.0), (first, past, -1.0), (past, first, -1.0)):
        np.add.at(corners, (rows[:, 1], columns[:, 0]), sign * value)
    found: Floats = corners.cumsum(axis=0).cumsum(axis=1)[:side, :side][::-1]
    return found


def merge_rows(shades: NDArray[np.int64]) -> tuple[Floats, Floats, NDArray[np.int64]]:
    """Pixels with the north first as few boxes of the unit square: neighbours of one shade in a row become one."""
    side = len(shades)
    begins = np.ones(shades.shape, dtype=bool)
    begins[:, 1:] = shades[:, 1:] != shades[:, :-1]
    row, column = np.nonzero(begins)
    wide = np.diff(np.append(row * side + column, side * side))
    low = np.column_stack([column, side - 1 - row]) / side
    return low, np.column_stack([column + wide, side - row]) / side, shades[row, column]
