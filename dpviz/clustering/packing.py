"""Centers spread over a box without a look at any data (Su et al. 2016, section 4.1.1)."""

import numpy as np
from numpy.typing import ArrayLike

from dpviz.clustering.checks import Floats, checked_count
from dpviz.errors import InputError

_TRIES = 100  # failed draws in a row after which a radius counts as too large
_HALVINGS = 20


def sphere_packing_start(k: int, low: ArrayLike, high: ArrayLike, *, seed: int) -> Floats:
    """k random centers, each at least a from the border and 2a from the others, with a as large as a search
    finds.

    An axis without extent holds every center at its only value and does not limit the radius.
    """
    k = checked_count(k)
    below = np.atleast_1d(np.asarray(low, dtype=np.float64))
    above = np.atleast_1d(np.asarray(high, dtype=np.float64))
    if below.shape != above.shape or below.ndim != 1 or not (below <= above).all():
        raise InputError("low, high: give one lower and one upper bound per axis, low ≤ high")
    extent = above - below
    wide = extent > 0.0
    rng = np.random.default_rng(seed & (2**64 - 1))
    if not wide.any():
        return np.tile(below, (k, 1))
    too_large, radius = float(extent[wide].min()) / 2.0, 0.0
    centers = below + rng.random((k, below.size)) * extent
    for _ in range(_HALVINGS):
        middle = (radius + too_large) / 2.0
        attempt = _pack(k, below, above, np.where(wide, middle, 0.0), middle, rng)
        if attempt is None:
            too_large = middle
        else:
            radius, centers = middle, attempt
    return centers


def _pack(
    k: int, below: Floats, above: Floats, margin: Floats, radius: float, rng: np.random.Generator
) -> Floats | None:
    """k centers with this radius, or None after too many failed draws for one of them."""
    inside, span = below + margin, np.maximum(above - below - 2.0 * margin, 0.0)
    centers = np.empty((k, below.size))
    for placed in range(k):
        draws = inside + rng.random((_TRIES, below.size)) * span
        gaps = draws[:, None, :] - centers[None, :placed, :]
        apart = (np.einsum("tcd,tcd->tc", gaps, gaps) >= 4.0 * radius * radius).all(axis=1)
        if not apart.any():
            return None
        centers[placed] = draws[int(np.argmax(apart))]
    return centers
