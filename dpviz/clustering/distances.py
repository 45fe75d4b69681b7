"""Distances to centers, matching of centers, checks of arguments, many points merged into few."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpviz.clustering import _kernels, _plane_kernels
from dpviz.errors import InputError

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class KMeansResult:
    """Centers, heaviest first; as protected as the points they were computed from."""

    centers: NDArray[np.float64]  # (k, d)
    weights: NDArray[np.float64]  # (k,) summed weight of the points nearest to each center; may be negative
    cost: float  # Σ w·dist² for k-means, Σ w·dist for k-median


def checked_points(points: ArrayLike, name: str = "points") -> Floats:
    """Check points: a finite (m, d) float64 array with d ≥ 1; m may be 0."""
    array = np.ascontiguousarray(points, dtype=np.float64)
    if array.ndim != 2 or array.shape[1] < 1:
        raise InputError(f"{name}: an array of shape {array.shape} was given; rows of coordinates (m, d) are needed")
    if not np.isfinite(array).all():
        raise InputError(f"{name}: NaN or infinity was given; remove such rows first")
    return array


def checked_weights(weights: ArrayLike, size: int) -> Floats:
    """Check weights: one finite number for each of `size` points; negative weights are allowed."""
    array = np.ascontiguousarray(weights, dtype=np.float64)
    if array.shape != (size,):
        raise InputError(f"weights: shape {array.shape} was given for {size} points; one weight per point is needed")
    if not np.isfinite(array).all():
        raise InputError("weights: NaN or infinity was given; finite numbers are needed")
    return array


def checked_count(k: int) -> int:
    """Check a number of centers, at least 1."""
    if int(k) != k or k < 1:
        raise InputError(f"k: {k} was given; a whole number of centers, at least 1, is needed")
    return int(k)


def checked_bounds(points: Floats, low: ArrayLike | None, high: ArrayLike | None) -> tuple[Floats, Floats]:
    """Check bounds per axis; a missing bound is taken from the points, whose box weighted means never leave."""
    axes = points.shape[1]
    columns = points.T if len(points) else np.zeros((axes, 1))  # along the rows numpy takes ten times as long
    below, above = (
        np.array([end(column) for column in columns] if given is None else np.broadcast_to(given, (axes,)), np.float64)
        for given, end in ((low, np.min), (high, np.max))
    )
    if low is not None and high is not None and not (below <= above).all():
        raise InputError("low, high: some lower bound exceeds its upper bound; give low ≤ high on every axis")
    return below, np.maximum(below, above)


def by_axis(points: Floats) -> Floats:
    """Transpose points to (d, m), the layout of the kernels."""
    return np.ascontiguousarray(points.T)


def nearest(points: Floats, centers: Floats) -> tuple[NDArray[np.int64], Floats]:
    """Index of the nearest center and squared distance to it, for checked arrays."""
    size, axes = points.shape
    labels, squared = np.empty(size, np.int32 if axes == 2 else np.int64), np.empty(size)
    _kernels.nearest(by_axis(points), centers, labels, squared)
    return labels.astype(np.int64), squared


def _pair(points: ArrayLike, centers: ArrayLike) -> tuple[Floats, Floats]:
    rows, sites = checked_points(points), checked_points(centers, "centers")
    if sites.shape[0] == 0 or sites.shape[1] != rows.shape[1]:
        raise InputError(
            f"centers: shape {sites.shape} was given for points of shape {rows.shape}; "
            "at least one center with as many coordinates as the points is needed"
        )
    return rows, sites


def assign(points: ArrayLike, centers: ArrayLike) -> NDArray[np.int64]:
    """Index of the nearest center of each point; ties go to the lowest index."""
    return nearest(*_pair(points, centers))[0]


def cost(points: ArrayLike, weights: ArrayLike, centers: ArrayLike, power: int = 2) -> float:
    """Σ w·dist² (power 2) or Σ w·dist (power 1) to the nearest center."""
    if power not in (1, 2):
        raise InputError(f"power: {power} was given; 2 (k-means) or 1 (k-median) is needed")
    rows, sites = _pair(points, centers)
    mass = checked_weights(weights, rows.shape[0])
    squared = nearest(rows, sites)[1]
    # Not mass @ squared: for long vectors that wakes the threads of a BLAS, which spin on a busy machine.
    return float((mass * (squared if power == 2 else np.sqrt(squared))).sum())


def average_distance(points: ArrayLike, weights: ArrayLike, sites: ArrayLike) -> float:
    """Mean distance from a unit of weight to its nearest site; 0 for a total weight of 0 or less."""
    total = float(checked_weights(weights, checked_points(points).shape[0]).sum())
    return cost(points, weights, sites, power=1) / total if total > 0.0 else 0.0


def match_centers(first: ArrayLike, second: ArrayLike) -> list[tuple[int, int]]:
    """Match rows of `first` and `second`: pairs (i, j) with the smallest sum of squared distances, by rising i."""
    left, right = checked_points(first, "first"), checked_points(second, "second")
    if left.shape[1] != right.shape[1]:
        raise InputError(f"first, second: {left.shape[1]} and {right.shape[1]} coordinates given; make them equal")
    squared = np.zeros((left.shape[0], right.shape[0]))
    for axis in range(left.shape[1]):
        squared += (left[:, axis, None] - right[None, :, axis]) ** 2
    if left.shape[0] <= right.shape[0]:
        return [(row, int(column)) for row, column in enumerate(_cheapest_columns(squared))]
    return sorted((int(row), column) for column, row in enumerate(_cheapest_columns(squared.T)))


def _cheapest_columns(costs: NDArray[np.float64]) -> NDArray[np.int64]:
    """Assign a column to every row at the smallest total cost, by shortest augmenting paths (Kuhn, Munkres).

    The same as scipy's linear_sum_assignment, whose import takes 0.2 s at every start of the app.
    Column 0 is a virtual start of each search.
    """
    rows, columns = costs.shape
    row_price, column_price = np.zeros(rows), np.zeros(columns + 1)
    owner = np.full(columns + 1, -1)  # which row holds a column
    came_from = np.zeros(columns + 1, dtype=np.int64)
    for row in range(rows):
        owner[0], column = row, 0
        reach, closed = np.full(columns + 1, np.inf), np.zeros(columns + 1, dtype=bool)
        while owner[column] >= 0:
            closed[column] = True
            step = costs[owner[column]] - row_price[owner[column]] - column_price[1:]
            nearer = ~closed[1:] & (step < reach[1:])
            reach[1:][nearer], came_from[1:][nearer] = step[nearer], column
            column = int(np.argmin(np.where(closed, np.inf, reach)))
            rise = reach[column]
            row_price[owner[closed]] += rise
            column_price[closed] -= rise
            reach[~closed] -= rise
        while column:
            owner[column], column = owner[came_from[column]], int(came_from[column])
    found = np.empty(rows, dtype=np.int64)
    held = np.flatnonzero(owner[1:] >= 0)
    found[owner[1:][held]] = held
    return found


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
        # Moments are about the cell's plain mean: the quotient then adds a small correction to a sound number.
        middle = np.bincount(cell, weights=column, minlength=size) / members
        offset = column - middle[cell]
        signed = np.bincount(cell, weights=mass * offset, minlength=size)
        unsigned = np.bincount(cell, weights=np.abs(mass) * offset, minlength=size)
        shift = np.where(sound, signed / np.where(sound, total, 1.0), unsigned / np.where(gross > 0.0, gross, 1.0))
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
    # The grids form one ladder: width h gives ⌈extent/h⌉ cells per axis. Gallop down from one cell, then bisect.
    fits, fails = float(extent.max()), 0.0
    while fits > extent.max() / _FINEST:
        if not _at_most(rows, low, extent, _sides(extent, fits * 0.5), limit):
            fails = fits * 0.5
            break
        fits *= 0.5
    while fails and fits / fails > 1.005:
        middle = fails * float(np.sqrt(fits / fails))
        if _at_most(rows, low, extent, _sides(extent, middle), limit):
            fits = middle
        else:
            fails = middle
    best = _sides(extent, fits)
    if fails:
        # Where several axes gain a cell at once (equal extents, many axes), let as many of them as fit go first.
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
    return bool(_plane_kernels.at_most(np.ascontiguousarray(rows), low, scale, sides, int(cells), limit))


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
