"""Batches of rows to cells of a public grid, or to points of a public frame.

A tally is a number for each name of `dpviz.domain.report.TALLY`: rows, rows inside, rows without finite numbers, and
rows that hint at a mistake. Workers send tallies as plain arrays; the curator's process adds them to its report.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import Frame, Grid
from dpviz.errors import InputError
from dpviz.ingest._kernels import add_to_cells, find_cells
from dpviz.ingest.batches import Batch

CELL_BITS = 32
MOST_POINTS = 1 << 27  # of one batch, as rows of their own
Tally = NDArray[np.int64]
Points = tuple[NDArray[np.float64], NDArray[np.uint64] | None]  # (n, d) raw coordinates, (n, 2) keys of persons


def add_batch(batch: Batch, grid: Grid, cells: NDArray[np.int64]) -> Tally:
    """Add the rows of a batch to flat cells, each as often as it weighs."""
    if batch.steps is not None:
        found, tally = cells_of(batch, grid)
        inside = found >= 0
        np.add.at(cells, found[inside], batch.steps[inside])  # [P3] as many records in the row's cell
        return tally
    seen = np.zeros(4, dtype=np.int64)
    low, high = grid.frame.low, grid.frame.high
    add_to_cells(batch.axes[0], batch.axes[1], low[0], high[0], low[1], high[1], grid.side, cells, seen)
    return _tally(batch, grid.frame, seen)


def cells_of(batch: Batch, grid: Grid) -> tuple[NDArray[np.int64], Tally]:
    """The flat cell of every row of a batch, −1 outside."""
    seen = np.zeros(4, dtype=np.int64)
    found = np.empty(batch.rows, dtype=np.int64)
    low, high = grid.frame.low, grid.frame.high
    find_cells(batch.axes[0], batch.axes[1], low[0], high[0], low[1], high[1], grid.side, found, seen)
    return found, _tally(batch, grid.frame, seen)


def keyed_values(batch: Batch, cells: NDArray[np.int64]) -> NDArray[np.int64] | NDArray[np.int32]:
    """The cells of a batch without those outside, and the weight above the cell where there is one.

    This is what the person cap orders and chooses among.
    """
    inside = cells >= 0
    if batch.steps is None:
        return cells[inside].astype(np.int32)
    return cells[inside] | (batch.steps[inside] << CELL_BITS)


def _tally(batch: Batch, frame: Frame, seen: NDArray[np.int64]) -> Tally:
    """All numbers of a tally; the rarer mistakes are looked for only where coordinates lie beyond all degrees."""
    scaled = wrapped = 0
    if seen[3] and frame.metric == "m" and frame.dims == 2:
        x, y = batch.axes[0], batch.axes[1]
        with np.errstate(invalid="ignore"):
            scaled = int(_within(x / 1e7, y / 1e7, frame).sum())
            wrapped = int(_within(x - 360.0, y, frame).sum())
    return np.array([batch.rows, *seen, scaled, wrapped, batch.cut], dtype=np.int64)


def _within(x: NDArray[np.float64], y: NDArray[np.float64], frame: Frame) -> NDArray[np.bool_]:
    low, high = frame.low, frame.high
    inside: NDArray[np.bool_] = (x >= low[0]) & (x < high[0]) & (y >= low[1]) & (y < high[1])
    return inside


def points_of(batch: Batch, frame: Frame) -> tuple[Points, Tally]:
    """The rows of a batch that lie inside the frame in every coordinate."""
    inside = np.ones(batch.rows, dtype=np.bool_)
    with np.errstate(invalid="ignore"):
        for column, low, high in zip(batch.axes, frame.low, frame.high, strict=True):
            inside &= (column >= low) & (column < high)
    counts = _points_tally(batch, frame, inside)
    keys = None if batch.persons is None else batch.persons[inside]
    values = np.column_stack(batch.axes if inside.all() else [column[inside] for column in batch.axes])
    if batch.steps is not None:  # [P3] as many records in the row's place
        steps = batch.steps[inside]
        if int(steps.sum()) > MOST_POINTS:
            raise InputError("these weights stand for too many points; give a larger weight_step, or count on a grid.")
        values = np.repeat(values, steps, axis=0)
    return (values, keys), counts


def _points_tally(batch: Batch, frame: Frame, inside: NDArray[np.bool_]) -> Tally:
    """What became of the rows of a batch; those outside are looked at for swapped and for projected coordinates."""
    outside = np.column_stack([column[~inside] for column in batch.axes])
    left = outside[np.isfinite(outside).all(axis=1)]
    swapped: NDArray[np.bool_] = np.zeros(len(left), dtype=np.bool_)
    if frame.dims % 2 == 0:
        turned = left.reshape(len(left), frame.dims // 2, 2)[:, :, ::-1].reshape(left.shape)
        swapped |= ((turned >= frame.low) & (turned < frame.high)).all(axis=1)
    beyond = (np.abs(left) > 180.0).any(axis=1) & ~swapped
    invalid = len(outside) - len(left)
    found = (batch.rows, inside.sum(), invalid, swapped.sum(), beyond.sum(), 0, 0, batch.cut)
    return np.array(found, dtype=np.int64)


def join_points(found: list[Points], dims: int, with_persons: bool) -> Points:
    """Pieces of points in one array, and of keys in another."""
    raw = np.concatenate([np.empty((0, dims)), *(values for values, _ in found)])
    if not with_persons:
        return raw, None
    none = np.empty((0, 2), dtype=np.uint64)
    return raw, np.concatenate([none, *(none if keys is None else keys for _, keys in found)])
