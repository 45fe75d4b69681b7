"""Areas of parts that may overlap, such as all places within 500 m of one of eight stations: ground counts once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dpviz.domain.overlap import Overlaps, Rectangles, Rings

Floats = NDArray[np.float64]
LOOKS = 16  # places per axis in a rectangle that several parts cut


def joined_overlaps(rectangles: Rectangles, zones: Sequence[Sequence[Rings]]) -> Overlaps:
    """The overlap of every zone with every rectangle: exact where one part meets it, else from 16 × 16 places in it."""
    owner = np.repeat(np.arange(len(zones)), [len(parts) for parts in zones])
    parts = [rings for zone in zones for rings in zone]
    met = rectangles.met_by(parts)
    keys = owner[met.zone] * len(rectangles.low) + met.cell
    pairs, first, at, times = np.unique(keys, return_index=True, return_inverse=True, return_counts=True)
    share, middle = met.share[first], met.middle[first].copy()
    largest = np.zeros(len(pairs))
    np.maximum.at(largest, at, met.share)
    for pair in np.flatnonzero(times > 1):
        if largest[pair] >= 1.0:
            share[pair], middle[pair] = 1.0, 0.0
            continue
        cell = int(met.cell[first[pair]])
        rows = np.flatnonzero(at == pair) if len(at) < 4096 else first[pair] + np.flatnonzero(at[first[pair] :] == pair)
        share[pair], middle[pair] = _seen(rectangles, cell, [parts[int(met.zone[row])] for row in rows])
    zone, cell_of = np.divmod(pairs, len(rectangles.low))
    kept = share > 0.0
    return Overlaps(zone=zone[kept], cell=cell_of[kept], share=share[kept], middle=middle[kept])


def _seen(rectangles: Rectangles, cell: int, parts: Sequence[Rings]) -> tuple[float, Floats]:
    """The share of a rectangle in any of the parts, and where it is centered, −1 to 1."""
    across = (np.arange(LOOKS) + 0.5) / LOOKS
    inside = np.stack(np.meshgrid(across, across, indexing="ij"), axis=-1).reshape(-1, 2)
    low, high = rectangles.low[cell], rectangles.high[cell]
    places = low + inside * (high - low)
    found = np.zeros(len(places), dtype=np.bool_)
    for rings in parts:
        odd = np.zeros(len(places), dtype=np.bool_)
        for ring, _ in rings:
            odd ^= _within(ring, places)
        found |= odd
    if not found.any():
        return 0.0, np.zeros(2)
    return float(found.mean()), 2.0 * inside[found].mean(axis=0) - 1.0


def _within(ring: Floats, places: Floats) -> NDArray[np.bool_]:
    """Which places have an odd number of edges of the ring to their east."""
    ax, ay = ring.T[:, :, None]
    bx, by = np.roll(ring, -1, axis=0).T[:, :, None]
    x, y = places.T[:, None, :]
    with np.errstate(divide="ignore", invalid="ignore"):
        crossed = ((ay > y) != (by > y)) & (x < ax + (y - ay) * ((bx - ax) / (by - ay)))
    odd: NDArray[np.bool_] = crossed.sum(axis=0) % 2 == 1
    return odd
