"""Made-up maps that make `peeled_balls` work hard: every one breaks something that a fast path hopes for."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Cells = NDArray[np.int64]


def _in_cell(side: int, records: int) -> Cells:
    cells = np.zeros((side, side), np.int64)
    cells[side // 3, side // 5] = records
    return cells


def _everywhere(side: int, records: int) -> Cells:
    return np.full((side, side), max(1, records // side**2), np.int64)


def _far_corners(side: int, records: int) -> Cells:
    cells = np.zeros((side, side), np.int64)
    cells[0, 0] = cells[0, -1] = cells[-1, 0] = cells[-1, -1] = records // 4
    return cells


def _diagonal(side: int, records: int) -> Cells:
    cells = np.zeros((side, side), np.int64)
    np.fill_diagonal(cells, max(1, records // side))
    return cells


def _one_row(side: int, records: int) -> Cells:
    cells = np.zeros((side, side), np.int64)
    cells[side // 2] = max(1, records // side)
    return cells


def _ring(side: int, records: int) -> Cells:
    """All records equally far from the middle: one removal meets them all as ties or nearly so."""
    y, x = np.indices((side, side))
    distance = np.hypot(x - side / 2 + 0.5, y - side / 2 + 0.5)
    on = np.abs(distance - side / 3) < 1.0
    return np.asarray(on * max(1, records // int(on.sum())), np.int64)


def _chessboard(side: int, records: int) -> Cells:
    y, x = np.indices((side, side))
    return np.asarray((x + y) % 2 * max(1, 2 * records // side**2), np.int64)


def _lattice_of_heaps(side: int, records: int) -> Cells:
    """Equal heaps in every tile: no window stands out, so that no bound leaves any of them uncounted."""
    cells = np.zeros((side, side), np.int64)
    step = max(1, side // 128)
    cells[step // 2 :: step, step // 2 :: step] = max(1, records // len(range(step // 2, side, step)) ** 2)
    return cells


def _dust(side: int, records: int) -> Cells:
    """Single records anywhere, and half of all in one cell."""
    rng = np.random.default_rng(1)
    cells = np.bincount(rng.integers(side * side, size=records // 2), minlength=side * side).reshape(side, side)
    cells[side // 4, side // 4] += records // 2
    return cells.astype(np.int64)


HOSTILE: dict[str, Callable[[int, int], Cells]] = {
    "all in one cell": _in_cell,
    "the same everywhere": _everywhere,
    "four far corners": _far_corners,
    "a diagonal": _diagonal,
    "one row": _one_row,
    "a ring": _ring,
    "a chessboard": _chessboard,
    "equal heaps": _lattice_of_heaps,
    "dust and one cell": _dust,
}
