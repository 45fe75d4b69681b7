"""Counts of boxes on the ground that they share, as records a pixel: what many boxes say of the same ground adds up."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def on_pixels(low: Floats, high: Floats, count: Floats, side: int) -> Floats:
    """Records a pixel, (side, side) with the north first; each box spreads its count evenly over the pixels it fills.

    Boxes are given in the unit square. Four corners a box, summed up twice: as fast for large boxes as for small ones.
    """
    first = np.clip(np.floor(low * side + 0.5).astype(np.int64), 0, side - 1)
    past = np.clip(np.floor(high * side + 0.5).astype(np.int64), first + 1, side)
    value = count / (past - first).prod(axis=1)
    corners = np.zeros((side + 1, side + 1))
    for columns, rows, sign in (
        (first, first, 1.0),
        (past, past, 1.0),
        (first, past, -1.0),
        (past, first, -1.0),
    ):
        np.add.at(corners, (rows[:, 1], columns[:, 0]), sign * value)
    found: Floats = corners.cumsum(axis=0).cumsum(axis=1)[:side, :side][::-1]
    return found


def in_strips(ground: Floats) -> tuple[Floats, Floats, Floats]:
    """Pixels with the north first as few boxes: low and high corners in the unit square, and their counts.

    Neighbours in a row with the same number become one box; pixels where nothing is become none.
    """
    side = len(ground)
    quiet = ground <= 1e-9 * max(float(ground.max(initial=0.0)), 1e-300)
    begins = np.ones(ground.shape, dtype=bool)
    begins[:, 1:] = ~np.isclose(ground[:, 1:], ground[:, :-1], rtol=1e-6, atol=0.0)
    row, column = np.nonzero(begins)
    wide = np.diff(np.append(row * side + column, side * side))
    kept = ~quiet[row, column]
    row, column, wide = row[kept], column[kept], wide[kept]
    low = np.column_stack([column, side - 1 - row]) / side
    high = np.column_stack([column + wide, side - row]) / side
    count: Floats = ground[row, column] * wide
    return low.astype(np.float64), high.astype(np.float64), count
