"""Data sets on which constants of this project were, or may be, chosen. Places in the unit square; n and a seed."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from dpviz.ingest.cities import load_counts
from dpviz_research.synthetic import SYNTHETIC_BOX, CityKind, subsample, synthetic_city

Floats = NDArray[np.float64]
Maker = Callable[[int, int], Floats]


def embedded_city(n: int, seed: int) -> Floats:
    """Drop-offs drawn from the embedded city, spread evenly inside the cells they fell in."""
    cells = subsample(load_counts(), n, seed).exact_cells
    rows, columns = np.nonzero(cells)
    times, side = cells[rows, columns], len(cells)
    shift = np.random.default_rng([seed, 11]).random((n, 2))
    return np.column_stack(
        [(np.repeat(columns, times) + shift[:, 0]) / side, (np.repeat(side - 1 - rows, times) + shift[:, 1]) / side]
    )


def dense_city(n: int, seed: int) -> Floats:
    """Streets, hot spots, boroughs and an airport."""
    return _made(n, seed, "peer")


def sparse_suburbs(n: int, seed: int) -> Floats:
    """A core, two airports, and forty suburbs whose sizes fall off slowly."""
    return _made(n, seed, "suburbs")


def _made(n: int, seed: int, kind: CityKind) -> Floats:
    box = SYNTHETIC_BOX
    low, high = np.array([box.west, box.south]), np.array([box.east, box.north])
    places: Floats = (synthetic_city(n, seed, kind) - low) / (high - low)
    return places


USED: dict[str, Maker] = {"embedded city": embedded_city, "dense city": dense_city, "sparse suburbs": sparse_suburbs}
