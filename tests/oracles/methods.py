"""Plain twins of the compiled loops that one method uses: each does the same in numpy or plain Python."""

from __future__ import annotations

import itertools

import numpy as np

from dpviz.mechanisms.baselines._kernels import CEILING


def lattice_costs(points, multiplicity, candidates):
    """The same in plain numpy and whole numbers without an end."""
    return np.array(
        [
            min(
                CEILING,
                sum(least * times for least, times in zip(nearest.tolist(), multiplicity.tolist(), strict=True)),
            )
            for nearest in (((points[:, None] - chosen[None]) ** 2).sum(axis=2).min(axis=1) for chosen in candidates)
        ],
        dtype=np.int64,
    )


def block_centers(points, starts, k, steps, fallback):
    """The same in plain numpy."""
    out = []
    for first, last in itertools.pairwise(starts):
        rows = points[first:last]
        if not len(rows):
            out.append(fallback.copy())
            continue
        centers = [rows[0]]
        gap = ((rows - rows[0]) ** 2).sum(axis=1)
        while len(centers) < k:
            centers.append(rows[int(np.argmax(gap))])
            gap = np.minimum(gap, ((rows - centers[-1]) ** 2).sum(axis=1))
        centers = np.array(centers)
        for _ in range(steps):
            labels = ((rows[:, None] - centers[None]) ** 2).sum(axis=2).argmin(axis=1)
            for j in range(k):
                if (labels == j).any():
                    centers[j] = rows[labels == j].mean(axis=0)
        out.append(centers)
    return np.array(out)


def nearest_squared(points, centers):
    """The same in plain numpy."""
    return ((points[:, None] - centers[None]) ** 2).sum(axis=2).min(axis=1)


def line_counts(points, multiplicity, centers, lines, edges):
    """The same in plain numpy."""
    part = ((points[:, None] - centers[None]) ** 2).sum(axis=2).argmin(axis=1)
    offset = (points - centers[part]).astype(np.float64)
    along = np.zeros((len(points), len(lines)))
    for axis in range(points.shape[1]):
        along += offset[:, axis, None] * lines[None, :, axis]
    line = np.abs(along).argmax(axis=1)
    signed = along[np.arange(len(points)), line]
    interval = (np.abs(signed)[:, None] >= edges[part]).sum(axis=1)
    out = np.zeros((len(centers), len(lines), 2, edges.shape[1] + 1), np.int64)
    np.add.at(out, (part, line, (signed >= 0).astype(np.int64), interval), multiplicity)
    return out


def covered_counts(points, multiplicity, unit, radius_squared, low, sides):
    """Records within the radius of every vertex of the whole grid, flat, in plain Python."""
    out = []
    for digits in itertools.product(*[range(side) for side in sides]):
        place = (np.array(digits) + low) * unit
        inside = ((points - place) ** 2).sum(axis=1) <= radius_squared
        out.append(int(multiplicity[inside].sum()))
    return np.array(out, np.int64)


def swap_costs(squared, weights, chosen):
    """The same in plain numpy."""
    out = np.zeros((len(chosen), len(squared)), np.int64)
    for x in range(len(chosen)):
        for y in range(len(squared)):
            swapped = np.append(np.delete(chosen, x), y)
            out[x, y] = (weights * squared[:, swapped].min(axis=1)).sum()
    return out
