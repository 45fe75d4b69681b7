# mypy: ignore-errors
# mypy: ignore-errors
"""Compiled loops of the variant as printed: counts of square balls, the sum of the t largest. Twin: small_ball.py."""

import numba
import numpy as np


@numba.njit(nogil=True, cache=True)
def summed_area(cells):
    """table[i, j] = the records in the first i rows and j columns (Feldman et al. 2017, section 4.3, step 2)."""
    rows, columns = cells.shape
    table = np.zeros((rows + 1, columns + 1), np.int64)
    for i in range(rows):
        running = np.int64(0)
        for j in range(columns):
            running += cells[i, j]
            table[i + 1, j + 1] = table[i, j + 1] + running
    return table


@numba.njit(nogil=True, cache=True)
def square_balls(table, rows, columns, radius, limit, out):
    """out[i] = min(limit, records within `radius` cells of occupied cell i in both directions)."""
    side = table.shape[0] - 1
    for i in range(rows.size):
        top, bottom = max(0, rows[i] - radius), min(side, rows[i] + radius + 1)
        left, right = max(0, columns[i] - radius), min(side, columns[i] + radius + 1)
        held = table[bottom, right] - table[top, right] - table[bottom, left] + table[top, left]
        out[i] = min(limit, held)


@numba.njit(nogil=True, cache=True)
def sum_of_largest(values, counts, t):
    """The sum of the t largest values, value i occurring counts[i] times; missing ones are zeros. values in 0 … limit.

    Bisection on the value: the largest v such that at least t values are v or more.
    """
    low, high = np.int64(0), np.int64(0)
    for i in range(values.size):
        high = max(high, values[i])
    high += 1
    while high - low > 1:
        middle = (low + high) >> 1
        held = np.int64(0)
        for i in range(values.size):
            if values[i] >= middle:
                held += counts[i]
        if held >= t:
            low = middle
        else:
            high = middle
    above, total = np.int64(0), np.int64(0)
    for i in range(values.size):
        if values[i] > low:
            above += counts[i]
            total += counts[i] * values[i]
    return total + (t - above) * low
