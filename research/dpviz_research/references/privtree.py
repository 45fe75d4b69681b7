"""PrivTree (Zhang, Xiao, Xie 2016): split while a biased noisy count stays above a threshold, then count the leaves."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dpviz_research.references.problem import Problem

Floats = NDArray[np.float64]
FAN = 4


def privtree(problem: Problem, epsilon: float, generator: np.random.Generator, *, signed: bool = False) -> Floats:
    """Half of ε for the splits, half for the leaves, threshold 0; leaves as 2×2 points like ours, the guided search.

    `signed`: on the counts as they are, not on those above 0 alone.
    """
    scale = (2 * FAN - 1) / ((FAN - 1) * epsilon / 2)
    decay = scale * math.log(FAN)
    levels = [problem.exact_counts.exact_cells.astype(np.float64)]
    while levels[-1].shape[0] > 1:
        half = levels[-1].shape[0] // 2
        levels.append(levels[-1].reshape(half, 2, half, 2).sum(axis=(1, 3)))
    levels.reverse()
    rows, cols = np.zeros(1, np.int64), np.zeros(1, np.int64)
    points, weights = [], []
    for depth, level in enumerate(levels):
        counts = level[rows, cols]
        biased = np.maximum(counts - depth * decay, -decay)
        split = biased + generator.laplace(0.0, scale, len(counts)) > 0.0
        if depth + 1 == len(levels):
            split[:] = False
        side = level.shape[0]
        step = problem.extent / side
        ended = ~split
        middles = np.column_stack([(cols[ended] + 0.5) * step[0], (side - rows[ended] - 0.5) * step[1]])
        noisy = counts[ended] + generator.laplace(0.0, 2.0 / epsilon, int(ended.sum()))
        corners = np.array([[-1, -1], [-1, 1], [1, -1], [1, 1]]) * step / 4
        points.append((middles[:, None, :] + corners).reshape(-1, 2))
        weights.append(np.repeat((noisy if signed else np.maximum(noisy, 0.0)) / FAN, FAN))
        if not split.any():
            break
        rows = (2 * rows[split][:, None] + np.array([0, 0, 1, 1])).ravel()
        cols = (2 * cols[split][:, None] + np.array([0, 1, 0, 1])).ravel()
    return problem.solve(np.concatenate(points), np.concatenate(weights))
