# mypy: ignore-errors
"""Compiled loops of `surface`: deterministic, without the GIL, each with a plain twin in tests/oracles/tree.py."""

import numpy as np
from numba import njit


@njit(nogil=True, cache=True)
def smoothed(owner, sums, found, rounds):
    """Rounds of: the mean of a block and its four neighbours, then every leaf scaled back to its sum. Edges repeat."""
    side = found.shape[0]
    held = np.empty(side * side)
    mean = np.empty((side, side))
    for _ in range(rounds):
        held[:] = 0.0
        for row in range(side):
            north, south = max(row - 1, 0), min(row + 1, side - 1)
            for col in range(side):
                west, east = max(col - 1, 0), min(col + 1, side - 1)
                around = found[north, col] + found[south, col] + found[row, west] + found[row, east]
                mean[row, col] = (found[row, col] + around) / 5.0
                held[owner[row, col]] += mean[row, col]
        for leaf in range(side * side):
            held[leaf] = sums[leaf] / held[leaf] if held[leaf] > 0.0 else 0.0
        for row in range(side):
            for col in range(side):
                mean[row, col] *= held[owner[row, col]]
        found, mean = mean, np.empty((side, side))
    return found


@njit(nogil=True, cache=True)
def held_by(surface, rows, cols, times):
    """Of each square of times × times blocks with this first block: its sum, and its mean place, −½ to ½ across it."""
    many = rows.shape[0]
    held = np.zeros(many)
    away = np.zeros((many, 2))
    for at in range(many):
        for south in range(times):
            for east in range(times):
                value = surface[rows[at] + south, cols[at] + east]
                held[at] += value
                away[at, 0] += value * ((east + 0.5) / times - 0.5)
                away[at, 1] += value * (0.5 - (south + 0.5) / times)
        if held[at] > 0.0:
            away[at] /= held[at]
    return held, away
