"""Polygons as lists of rings: packed small, unpacked, cut to a box.

A polygon is its outer ring and then its holes, each (m, 2) of (lon, lat) with the closing corner left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

Ring = NDArray[np.float64]
Polygon = tuple[Ring, ...]
STEP: Final = 1e-3  # degrees of the whole numbers in a packed file: some 100 m


def pack(polygons: Sequence[Polygon]) -> bytes:
    """Whole steps as differences, low bytes and high bytes apart, which compresses best."""
    rings: list[NDArray[np.int64]] = []
    outer: list[bool] = []
    for polygon in polygons:
        for number, ring in enumerate(polygon):
            corners = np.round(ring / STEP).astype(np.int64)
            moved = np.ones(len(corners), dtype=np.bool_)
            moved[1:] = (np.diff(corners, axis=0) != 0).any(axis=1)
            if moved.sum() >= 3:
                rings.append(corners[moved])
                outer.append(number == 0)
            elif number == 0:
                break  # the holes of nothing
    lengths = np.array([len(ring) for ring in rings], dtype="<u4")
    starts = np.array([ring[0] for ring in rings], dtype="<i4").reshape(-1, 2)
    steps = np.concatenate([np.diff(ring, axis=0) for ring in rings]) if rings else np.zeros((0, 2), dtype=np.int64)
    if steps.size and np.abs(steps).max() >= 1 << 15:
        raise ValueError("a side of a ring is longer than a block of the map")
    folded = ((steps << 1) ^ (steps >> 63)).astype("<u2")
    parts = [
        np.uint32(len(rings)).tobytes(),
        np.packbits(np.array(outer, dtype=np.bool_)).tobytes(),
        lengths.tobytes(),
        starts.tobytes(),
    ]
    for shift in (0, 8):
        parts += [((folded[:, axis] >> shift) & 255).astype(np.uint8).tobytes() for axis in (0, 1)]
    return b"".join(parts)


def unpack(packed: bytes) -> list[Polygon]:
    """What was packed."""
    count = int(np.frombuffer(packed, dtype="<u4", count=1)[0])
    flags = -(-count // 8)
    outer = np.unpackbits(np.frombuffer(packed, dtype=np.uint8, count=flags, offset=4), count=count).astype(bool)
    place = 4 + flags
    lengths = np.frombuffer(packed, dtype="<u4", count=count, offset=place).astype(np.int64)
    place += 4 * count
    starts = np.frombuffer(packed, dtype="<i4", count=2 * count, offset=place).astype(np.int64).reshape(-1, 2)
    place += 8 * count
    total = int((lengths - 1).sum())
    columns = np.frombuffer(packed, dtype=np.uint8, count=4 * total, offset=place).astype(np.int64).reshape(4, total)
    folded = np.stack([columns[0] | columns[2] << 8, columns[1] | columns[3] << 8], axis=1)
    steps = (folded >> 1) ^ -(folded & 1)
    polygons: list[list[Ring]] = []
    first = 0
    for number in range(count):
        last = first + int(lengths[number]) - 1
        ring = np.concatenate([starts[number : number + 1], starts[number] + np.cumsum(steps[first:last], axis=0)])
        first = last
        if outer[number]:
            polygons.append([])
        polygons[-1].append(ring * STEP)
    return [tuple(rings) for rings in polygons]


def cut(polygon: Polygon, west: float, south: float, east: float, north: float) -> Polygon:
    """The part inside a box; parts that hang together only outside it are joined along its border, unseen."""
    outer = polygon[0]
    (low_x, low_y), (high_x, high_y) = outer.min(axis=0), outer.max(axis=0)
    if low_x >= west and high_x <= east and low_y >= south and high_y <= north:
        return polygon
    if high_x < west or low_x > east or high_y < south or low_y > north:
        return ()
    kept = []
    for number, ring in enumerate(polygon):
        for axis, edge, above in ((0, west, True), (0, east, False), (1, south, True), (1, north, False)):
            ring = half(ring, axis, edge, above=above)
        if len(ring) >= 3:
            kept.append(ring)
        elif number == 0:
            return ()
    return tuple(kept)


def softened(polygon: Polygon, edges: Sequence[float], every: float) -> Polygon:
    """The same with its corners rounded off, for a coarse shore that is drawn large.

    Corners on `edges`, and on whole multiples of `every` degrees, stay: there a map was cut, and its pieces must meet.
    """
    return tuple(_rounder(ring, edges, every) for ring in polygon)


def _rounder(ring: Ring, edges: Sequence[float], every: float) -> Ring:
    """Every corner replaced by two, a quarter of the way to its neighbours (Chaikin 1974)."""
    cuts = np.isin(ring, edges) | (np.abs(ring / every - np.round(ring / every)) * every < STEP / 100)
    stays = cuts.any(axis=1)
    two = np.stack([0.75 * ring + 0.25 * np.roll(ring, shift, axis=0) for shift in (1, -1)], axis=1)
    two[stays, 0] = ring[stays]
    return np.asarray(two[np.stack([np.ones(len(ring), dtype=np.bool_), ~stays], axis=1)])


def half(ring: Ring, axis: int, edge: float, *, above: bool) -> Ring:
    """A ring on one side of a line (Sutherland and Hodgman 1974)."""
    along = ring[:, axis]
    inside = along >= edge if above else along <= edge
    if inside.all() or not inside.any():
        return ring if len(ring) and inside.all() else ring[:0]
    following = np.roll(ring, -1, axis=0)
    crosses = inside != np.roll(inside, -1)
    span = np.where(crosses, following[:, axis] - along, 1.0)
    corners = ring + ((edge - along) / span)[:, None] * (following - ring)
    corners[:, axis] = edge
    both = np.stack([ring, corners], axis=1).reshape(-1, 2)
    return np.asarray(both[np.stack([inside, crosses], axis=1).reshape(-1)])
