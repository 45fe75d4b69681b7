"""Plain-numpy twins of the kernels, and the one table of pairs that tests and benchmarks share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz.mechanisms.adaptive_tree import _kernels

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]


def clipped_sums(cells: Integers, xs: Floats, ys: Floats, centers: Floats, radii: Floats, lattice: int) -> Integers:
    """Every cell on its own: nearest center, rounded offset, scaled back into the diamond, weighted, added up."""
    sums = np.zeros((len(centers), 2), dtype=np.int64)
    for row, col in zip(*np.nonzero(cells), strict=True):
        place = np.array([xs[col], ys[row]])
        part = int(np.argmin(((centers - place) ** 2).sum(axis=1)))
        sums[part] += int(cells[row, col]) * clipped((place - centers[part]) * (lattice / radii[part]), lattice)
    return sums


def clipped_point_sums(points: Floats, centers: Floats, radii: Floats, lattice: int) -> Integers:
    """Every point on its own, in any number of dimensions."""
    sums = np.zeros(centers.shape, dtype=np.int64)
    for place in points:
        part = int(np.argmin(((centers - place) ** 2).sum(axis=1)))
        sums[part] += clipped((place - centers[part]) * (lattice / radii[part]), lattice)
    return sums


def cost_difference(
    cells: Integers, xs: Floats, ys: Floats, first: Floats, second: Floats, radius: float, lattice: int
) -> int:
    """Every cell on its own: the difference of its two squared distances, rounded, clipped, weighted, added up."""
    total = 0
    for row, col in zip(*np.nonzero(cells), strict=True):
        place = np.array([xs[col], ys[row]])
        near, far = (float(((centers - place) ** 2).sum(axis=1).min()) for centers in (first, second))
        steps = np.nan_to_num((far - near) * (lattice / radius), nan=-lattice)
        total += int(cells[row, col]) * int(np.clip(np.rint(steps), -lattice, lattice))
    return total


def clipped(offset: Floats, lattice: int) -> Integers:
    """Rounded to integers, then scaled down towards zero until the absolute values add up to at most `lattice`."""
    limit = 65536.0 * lattice
    numbers = np.where(np.isnan(offset), -limit, np.clip(offset, -limit, limit))
    steps = [int(value) for value in np.rint(numbers)]
    length = sum(abs(value) for value in steps)
    if length > lattice:
        steps = [(abs(value) * lattice // length) * (1 if value >= 0 else -1) for value in steps]
    return np.array(steps, dtype=np.int64)


def smoothed(owner: Integers, sums: Floats, found: Floats, rounds: int) -> Floats:
    """Rounds of averaging over a block and its four neighbours, and of scaling every leaf back to its sum."""
    for _ in range(rounds):
        framed = np.pad(found, 1, mode="edge")
        around = framed[:-2, 1:-1] + framed[2:, 1:-1] + framed[1:-1, :-2] + framed[1:-1, 2:]
        mean = (found + around) / 5.0
        held = np.bincount(owner.ravel(), weights=mean.ravel(), minlength=mean.size)
        found = mean * np.divide(sums, held, out=np.zeros(mean.size), where=held > 0.0)[owner]
    return found


def held_by(surface: Floats, rows: Integers, cols: Integers, times: int) -> tuple[Floats, Floats]:
    """Sums of squares of blocks, and their mean places, east and north of the middle, as shares of the square."""
    held, away = np.zeros(len(rows)), np.zeros((len(rows), 2))
    steps = (np.arange(times) + 0.5) / times - 0.5
    for at, (row, col) in enumerate(zip(rows, cols, strict=True)):
        part = surface[row : row + times, col : col + times]
        held[at] = part.sum()
        if held[at] > 0.0:
            away[at] = (part.sum(axis=0) @ steps) / held[at], -(part.sum(axis=1) @ steps) / held[at]
    return held, away


TWINS: tuple[tuple[str, Callable[..., Any], Callable[..., Any]], ...] = (
    ("clipped_sums", _kernels.clipped_sums, clipped_sums),
    ("cost_difference", _kernels.cost_difference, cost_difference),
    ("clipped_point_sums", _kernels.clipped_point_sums, clipped_point_sums),
    ("smoothed", _kernels.smoothed, smoothed),
    ("held_by", _kernels.held_by, held_by),
)
