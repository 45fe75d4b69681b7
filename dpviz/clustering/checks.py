"""Checks of arguments of public functions; internal functions trust their arrays."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpviz.errors import InputError

Floats = NDArray[np.float64]


def checked_points(points: ArrayLike, name: str = "points") -> Floats:
    """A finite (m, d) float64 array with d ≥ 1; m may be 0."""
    array = np.ascontiguousarray(points, dtype=np.float64)
    if array.ndim != 2 or array.shape[1] < 1:
        raise InputError(f"{name}: an array of shape {array.shape} was given; rows of coordinates (m, d) are needed")
    if not np.isfinite(array).all():
        raise InputError(f"{name}: NaN or infinity was given; remove such rows first")
    return array


def checked_weights(weights: ArrayLike, size: int) -> Floats:
    """One finite weight for each of `size` points; negative ones are fine."""
    array = np.ascontiguousarray(weights, dtype=np.float64)
    if array.shape != (size,):
        raise InputError(f"weights: shape {array.shape} was given for {size} points; one weight per point is needed")
    if not np.isfinite(array).all():
        raise InputError("weights: NaN or infinity was given; finite numbers are needed")
    return array


def checked_count(k: int) -> int:
    """A number of centers ≥ 1."""
    if int(k) != k or k < 1:
        raise InputError(f"k: {k} was given; a whole number of centers, at least 1, is needed")
    return int(k)


def checked_bounds(points: Floats, low: ArrayLike | None, high: ArrayLike | None) -> tuple[Floats, Floats]:
    """Bounds per axis; a missing one is taken from the points (weighted means never leave their box
    anyway).
    """
    axes = points.shape[1]
    nothing = points.shape[0] == 0
    # Axis by axis: along the rows numpy takes ten times as long.
    below = np.zeros(axes) if nothing else np.array([column.min() for column in points.T])
    above = np.zeros(axes) if nothing else np.array([column.max() for column in points.T])
    if low is not None:
        below = np.array(np.broadcast_to(np.asarray(low, dtype=np.float64), (axes,)))
    if high is not None:
        above = np.array(np.broadcast_to(np.asarray(high, dtype=np.float64), (axes,)))
    if low is not None and high is not None and not (below <= above).all():
        raise InputError("low, high: some lower bound exceeds its upper bound; give low ≤ high on every axis")
    return below, np.maximum(below, above)
