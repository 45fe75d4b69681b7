"""[P6] [P7] of docs/proofs/peeled_balls.md: noisy sums and counts of the records nearest to each ball center."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpviz.clustering import GridTable
from dpviz.domain import Adjacency, Grid
from dpviz.mechanisms.peeling.schedule import Spending
from dpviz.noise import NoiseSource
from dpviz.privacy import noise_scale
from dpviz.privacy.composition import scale_of_gaussian

SPREAD_SHARE = 0.5  # utility only: how far a part's mean is expected from the ball's center, in ball radii


def refined(
    table: GridTable,
    grid: Grid,
    positions: NDArray[np.float64],
    radii: NDArray[np.float64],
    weights: NDArray[np.float64],
    spend: Spending,
    relation: Adjacency,
    noise: NoiseSource,
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """[P6] [P7] Merge equal centers, measure every part, move and weigh the points: positions, weights, variances."""
    positions, radii, weights = merged(positions, radii, weights)
    anchors = np.column_stack(  # column and row of each center, whole numbers, public once the centers are
        [np.floor(positions[:, 0] / grid.cell_width), np.floor(grid.side - positions[:, 1] / grid.cell_height)]
    ).astype(np.int64)
    anchors = np.clip(anchors, 0, grid.side - 1)
    exact = table.part_moments(positions)  # counts, sums of column and of row indices: every part, empty or not
    reach = part_reach(positions, anchors, grid)
    parts = len(positions)
    counts = exact[:, 0]
    sums = exact[:, 1:] - counts[:, None] * anchors
    length = np.maximum(1, np.ceil(np.hypot(reach[:, 0], reach[:, 1]))).astype(np.int64)
    noisy = np.empty((parts, 3))
    scales = np.empty(parts)
    for part in range(parts):
        vector = np.array([length[part] * counts[part], sums[part, 0], sums[part, 1]], np.int64)
        if spend.refine_rho is not None:
            touched = np.sqrt(2.0) if relation is Adjacency.ADD_REMOVE_ONE else 2.0
            scale = scale_of_gaussian(float(touched * length[part]), spend.refine_rho)
            drawn = noise.gaussian(scale, 3)
            scales[part] = scale
        else:
            once = float(length[part] + reach[part].sum())
            touched = once if relation is Adjacency.ADD_REMOVE_ONE else 2 * once
            scale = noise_scale(touched, spend.refine_epsilon)
            drawn = noise.laplace(scale, 3)
            scales[part] = scale * np.sqrt(2.0)
        noisy[part] = vector + drawn
    noisy_counts = noisy[:, 0] / length
    variances = np.square(scales / length)
    placed = moved(positions, radii, weights, noisy_counts, noisy[:, 1:], anchors, scales, grid)
    return placed, np.maximum(noisy_counts, 0.0), np.asarray(variances, np.float64)


def merged(
    positions: NDArray[np.float64], radii: NDArray[np.float64], weights: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Balls with one center become one point with their weights added."""
    unique, inverse = np.unique(np.round(positions, 6), axis=0, return_inverse=True)
    inverse = inverse.ravel()
    summed = np.bincount(inverse, weights, minlength=len(unique)).astype(np.float64)
    largest = np.zeros(len(unique))
    np.maximum.at(largest, inverse, radii)
    return unique, largest, summed


def part_reach(positions: NDArray[np.float64], anchors: NDArray[np.int64], grid: Grid) -> NDArray[np.int64]:
    """A public bound on |column − anchor| and |row − anchor| inside each Voronoi part, in cells.

    Found on a coarse public lattice: every cell lies within one block of a block center, and a block belongs to all
    parts whose center could be the nearest one for some cell in it.
    """
    blocks = min(grid.side, 64)
    size = grid.side // blocks
    width, height = grid.cell_width * size, grid.cell_height * size
    x = (np.arange(blocks) + 0.5) * width
    y = grid.frame.extent[1] - (np.arange(blocks) + 0.5) * height
    slack = np.hypot(width, height)  # twice the half diagonal: from the block's center to its cell and back
    distance = np.hypot(x[None, :, None] - positions[:, 0], y[:, None, None] - positions[:, 1])
    nearest = distance.min(axis=2, keepdims=True)
    possible = distance <= nearest + slack * 1.000001
    reach = np.zeros((len(positions), 2), np.int64)
    first = np.arange(blocks) * size
    last = first + size - 1
    for part in range(len(positions)):
        rows, columns = np.nonzero(possible[:, :, part])
        if not len(rows):
            continue
        for axis, block in ((0, columns), (1, rows)):
            low, high = first[block.min()], last[block.max()]
            reach[part, axis] = max(abs(int(low) - anchors[part, axis]), abs(int(high) - anchors[part, axis]))
    return reach


def moved(
    positions: NDArray[np.float64],
    radii: NDArray[np.float64],
    weights: NDArray[np.float64],
    noisy_counts: NDArray[np.float64],
    noisy_sums: NDArray[np.float64],
    anchors: NDArray[np.int64],
    scales: NDArray[np.float64],
    grid: Grid,
) -> NDArray[np.float64]:
    """Post-processing: each point moves towards its part's noisy mean as far as that mean can be trusted."""
    size = np.maximum(noisy_counts, np.maximum(weights * 0.1, 1.0))
    cell = np.array([grid.cell_width, grid.cell_height])
    mean_cells = anchors + 0.5 + noisy_sums / size[:, None]
    mean = np.column_stack([mean_cells[:, 0] * cell[0], grid.frame.extent[1] - mean_cells[:, 1] * cell[1]])
    spread = (SPREAD_SHARE * radii) ** 2
    uncertain = (scales / size * cell.max()) ** 2
    trust = spread / (spread + uncertain)
    found: NDArray[np.float64] = np.clip(positions + trust[:, None] * (mean - positions), 0.0, grid.frame.extent)
    return found
