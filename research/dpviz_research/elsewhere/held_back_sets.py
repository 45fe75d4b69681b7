"""Data sets that no constant of this project was or may be chosen on: only the benchmark itself may import this.

A test holds the two lists apart (research/tests/test_elsewhere.py). Places in the unit square; n and a seed.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Maker = Callable[[int, int], Floats]
VENUES = 3000
CROSSINGS, ROADS = 40, 90
ROAD_WIDTH = 0.0004  # of the box: some metres
EQUAL = 50
FAR_SHARE = 0.03


def check_ins(n: int, seed: int) -> Floats:
    """Every record stands exactly at one of 3,000 venues; few of them are visited by very many."""
    layout, draw = np.random.default_rng([31, 1]), np.random.default_rng([seed, 1])
    middles = layout.random((12, 2)) * 0.8 + 0.1
    venues = middles[layout.integers(0, 12, VENUES)] + layout.normal(0.0, 0.05, (VENUES, 2))
    venues[::10] = layout.random((len(venues[::10]), 2))
    popular = 1.0 / np.arange(1, VENUES + 1)
    return _inside(venues)[draw.choice(VENUES, n, p=popular / popular.sum())]


def road_traces(n: int, seed: int) -> Floats:
    """Places along straight roads between crossings, some roads much busier than others."""
    layout, draw = np.random.default_rng([31, 2]), np.random.default_rng([seed, 2])
    crossings = layout.random((CROSSINGS, 2)) * 0.9 + 0.05
    start = layout.integers(0, CROSSINGS, ROADS)
    squared = ((crossings[start][:, None] - crossings[None]) ** 2).sum(axis=2)
    end = np.argsort(squared, axis=1)[np.arange(ROADS), layout.integers(1, 6, ROADS)]
    busy = layout.pareto(1.2, ROADS) + 0.2
    road = draw.choice(ROADS, n, p=busy / busy.sum())
    along = draw.random((n, 1))
    places = crossings[start[road]] * (1.0 - along) + crossings[end[road]] * along
    return _inside(places + draw.normal(0.0, ROAD_WIDTH, (n, 2)))


def equal_clusters(n: int, seed: int) -> Floats:
    """Fifty round clusters of equal size and spread, some close to each other."""
    layout, draw = np.random.default_rng([31, 3]), np.random.default_rng([seed, 3])
    middles = layout.random((EQUAL, 2)) * 0.88 + 0.06
    return _inside(middles[draw.integers(0, EQUAL, n)] + draw.normal(0.0, 0.014, (n, 2)))


def far_cluster(n: int, seed: int) -> Floats:
    """A town in one corner of a wide box, and three records of a hundred in a place far away."""
    layout, draw = np.random.default_rng([31, 4]), np.random.default_rng([seed, 4])
    middles = layout.random((9, 2)) * 0.22 + 0.06
    sizes = layout.dirichlet(np.full(9, 2.0))
    spreads = layout.uniform(0.008, 0.03, 9)
    part = draw.choice(9, n, p=sizes)
    places = middles[part] + draw.normal(0.0, 1.0, (n, 2)) * spreads[part, None]
    far = draw.random(n) < FAR_SHARE
    places[far] = np.array([0.93, 0.9]) + draw.normal(0.0, 0.006, (int(far.sum()), 2))
    return _inside(places)


def _inside(places: Floats) -> Floats:
    return np.clip(places, 0.0, np.nextafter(1.0, 0.0))


HELD_BACK: dict[str, Maker] = {
    "check-ins": check_ins,
    "road traces": road_traces,
    "equal clusters": equal_clusters,
    "far cluster": far_cluster,
}
