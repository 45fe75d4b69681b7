"""Batches of rows to cells of a public grid, or to points of a public frame.

A tally is five numbers: rows, rows inside, rows without finite numbers, rows inside if longitude and latitude were
swapped, rows beyond 180 degrees. Workers send tallies as plain arrays; the curator's process adds them to its report.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import Frame, Grid
from dpviz.ingest._kernels import add_to_cells, find_cells
from dpviz.ingest.batches import Batch

Tally = NDArray[np.int64]
Points = tuple[NDArray[np.float64], NDArray[np.uint64] | None]  # (n, d) raw coordinates, (n, 2) keys of persons


def add_batch(batch: Batch, grid: Grid, cells: NDArray[np.int64]) -> Tally:
    """Add the rows of a batch to flat cells."""
    tally = np.zeros(4, dtype=np.int64)
    low, high = grid.frame.low, grid.frame.high
    add_to_cells(batch.axes[0], batch.axes[1], low[0], high[0], low[1], high[1], grid.side, cells, tally)
    return np.concatenate([[batch.rows], tally])


def cells_of(batch: Batch, grid: Grid) -> tuple[NDArray[np.int64], Tally]:
    """The flat cell of every row of a batch, −1 outside."""
    tally = np.zeros(4, dtype=np.int64)
    found = np.empty(batch.rows, dtype=np.int64)
    low, high = grid.frame.low, grid.frame.high
    find_cells(batch.axes[0], batch.axes[1], low[0], high[0], low[1], high[1], grid.side, found, tally)
    return found, np.concatenate([[batch.rows], tally])


def points_of(batch: Batch, frame: Frame) -> tuple[Points, Tally]:
    """The rows of a batch that lie inside the frame in every coordinate."""
    values = np.column_stack(batch.axes)
    low, high = np.asarray(frame.low), np.asarray(frame.high)
    with np.errstate(invalid="ignore"):
        inside = ((values >= low) & (values < high)).all(axis=1)
    finite = np.isfinite(values).all(axis=1)
    left = values[finite & ~inside]
    swapped: NDArray[np.bool_] = np.zeros(len(left), dtype=np.bool_)
    if frame.dims % 2 == 0:
        turned = left.reshape(len(left), frame.dims // 2, 2)[:, :, ::-1].reshape(left.shape)
        swapped |= ((turned >= low) & (turned < high)).all(axis=1)
    beyond = (np.abs(left) > 180.0).any(axis=1) & ~swapped
    counts = (batch.rows, inside.sum(), batch.rows - finite.sum(), swapped.sum(), beyond.sum())
    return (values[inside], None if batch.persons is None else batch.persons[inside]), np.array(counts, np.int64)


def join_points(found: list[Points], dims: int, with_persons: bool) -> Points:
    """Pieces of points in one array, and of keys in another."""
    raw = np.concatenate([np.empty((0, dims)), *(values for values, _ in found)])
    if not with_persons:
        return raw, None
    none = np.empty((0, 2), dtype=np.uint64)
    return raw, np.concatenate([none, *(none if keys is None else keys for _, keys in found)])
