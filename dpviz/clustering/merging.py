"""Merge many points into few: centroids of the cells of a regular grid."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpviz.clustering import _merging_kernels
from dpviz.clustering.distances import Floats, checked_points, checked_weights
from dpviz.errors import InputError

_FINEST = 1 << 20  # cells per axis beyond which points count as the same place
_MARKED = 1 << 22  # cells that may have a mark each


def merge_points(points: ArrayLike, weights: ArrayLike, *, limit: int) -> tuple[Floats, Floats]:
    """Merge points into at most `limit` weighted centroids on the finest regular grid over their own box that fits.

    The total weight is kept, and for positive weights the first moment of every cell too. In a cell of mixed signs
    whose weights nearly cancel the point sits at the mean by absolute weight; no quotient of small differences is
    formed. At most `limit` points come back unchanged.
    """
    rows, (mass,) = _merge(points, limit, weights)
    return rows, mass


def merge_with_variances(
    points: ArrayLike, weights: ArrayLike, variances: ArrayLike, *, limit: int
) -> tuple[Floats, Floats, Floats]:
    """`merge_points`, with the variances of the weights summed by cell."""
    rows, (mass, spread) = _merge(points, limit, weights, variances)
    return rows, mass, spread


def _merge(points: ArrayLike, limit: int, *columns: ArrayLike) -> tuple[Floats, list[Floats]]:
    """Merged points and the sums of columns; the first column holds the weights."""
    if limit < 1:
        raise InputError(f"limit: {limit} was given; at least 1 is needed")
    rows = checked_points(points)
    values = [checked_weights(column, rows.shape[0]) for column in columns]
    if rows.shape[0] <= limit:
        return rows.copy(), [column.copy() for column in values]
    cell = _cells(rows, limit)
    size = int(cell.max()) + 1
    return _centroids(rows, values[0], cell, size), [_summed(column, cell, size) for column in values]


def _summed(values: Floats, cell: NDArray[np.int64], size: int) -> Floats:
    return np.asarray(np.bincount(cell, weights=values, minlength=size), dtype=np.float64)


def _centroids(rows: Floats, mass: Floats, cell: NDArray[np.int64], size: int) -> Floats:
    total = np.bincount(cell, weights=mass, minlength=size)
    gross = np.bincount(cell, weights=np.abs(mass), minlength=size)
    members = np.bincount(cell, minlength=size)
    sound = (total >= 0.5 * gross) & (total > 0.0)
    result = np.empty((size, rows.shape[1]))
    for axis, column in enumerate(rows.T):
        # Moments are taken about the cell's plain mean: the quotient then adds a small correction to a sound
        # number.
        middle = np.bincount(cell, weights=column, minlength=size) / members
        offset = column - middle[cell]
        signed = np.bincount(cell, weights=mass * offset, minlength=size)
        unsigned = np.bincount(cell, weights=np.abs(mass) * offset, minlength=size)
        shift = np.where(
            sound,
            signed / np.where(sound, total, 1.0),
            unsigned / np.where(gross > 0.0, gross, 1.0),
        )
        below, above = np.full(size, np.inf), np.full(size, -np.inf)
        np.minimum.at(below, cell, column)
        np.maximum.at(above, cell, column)
        result[:, axis] = np.clip(middle + shift, below, above)
    return result


def _cells(rows: Floats, limit: int) -> NDArray[np.int64]:
    """Number the cells of the finest grid with at most `limit` occupied cells, 0 … (occupied − 1)."""
    low = rows.min(axis=0)
    extent = rows.max(axis=0) - low
    if not (extent > 0.0).any():
        return np.zeros(rows.shape[0], dtype=np.int64)
    # The grids form one ladder: width h gives ⌈extent/h⌉ cells per axis. Gallop down from one cell, then
    # bisect.
    fits = float(extent.max())
    step = 0.5
    fails = 0.0
    while fits > extent.max() / _FINEST:
        if not _at_most(rows, low, extent, _sides(extent, fits * step), limit):
            fails = fits * step
            break
        fits *= step
    while fails and fits / fails > 1.005:
        middle = fails * float(np.sqrt(fits / fails))
        if _at_most(rows, low, extent, _sides(extent, middle), limit):
            fits = middle
        else:
            fails = middle
    best = _sides(extent, fits)
    if fails:
        # Where several axes gain a cell at once (equal extents, many axes), let as many of them as fit go
        # first.
        now, then = best, _sides(extent, fails)
        gaining = np.flatnonzero(then > now)
        few, many = 0, gaining.size
        while many - few > 1:
            middle_count = (few + many) // 2
            sides = now.copy()
            sides[gaining[:middle_count]] = then[gaining[:middle_count]]
            if _at_most(rows, low, extent, sides, limit):
                few, best = middle_count, sides
            else:
                many = middle_count
    number = _numbered(rows, low, extent, best, limit)
    assert number is not None  # one cell always fits
    return number


def _sides(extent: Floats, width: float) -> NDArray[np.int64]:
    return np.maximum(np.ceil(extent / width - 1e-9), 1.0).astype(np.int64)


def _at_most(rows: Floats, low: Floats, extent: Floats, sides: NDArray[np.int64], limit: int) -> bool:
    """Whether at most `limit` cells are occupied."""
    cells = float(sides.astype(np.float64).prod())
    if cells > _MARKED:
        return _numbered(rows, low, extent, sides, limit) is not None
    scale = sides / np.where(extent > 0.0, extent, 1.0)
    return bool(_merging_kernels.at_most(np.ascontiguousarray(rows), low, scale, sides, int(cells), limit))


def _numbered(
    rows: Floats, low: Floats, extent: Floats, sides: NDArray[np.int64], limit: int
) -> NDArray[np.int64] | None:
    """Cell numbers without gaps, or None when more than `limit` cells are occupied."""
    key = np.zeros(rows.shape[0], dtype=np.int64)
    cells = 1
    for axis in range(rows.shape[1]):
        side = int(sides[axis])
        if side == 1:
            continue
        if cells * side >= 1 << 62:
            key = np.unique(key, return_inverse=True)[1].astype(np.int64)
            cells = int(key.max()) + 1
            if cells > limit:
                return None
        place = ((rows[:, axis] - low[axis]) * (side / extent[axis])).astype(np.int64)
        key = key * side + np.minimum(place, side - 1)
        cells *= side
    if cells <= _MARKED:
        occupied = np.zeros(cells, dtype=bool)
        occupied[key] = True
        if int(np.count_nonzero(occupied)) > limit:
            return None
        number = np.cumsum(occupied, dtype=np.int64) - 1
        return number[key]
    found, number = np.unique(key, return_inverse=True)
    return None if found.size > limit else number.astype(np.int64)
