"""What people wait for: a preview with fast noise and a release with secure noise, on grids already counted."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from dpviz.domain import ExactCounts, Grid
from dpviz.ingest.synthetic import SYNTHETIC_BOX, synthetic_city
from dpviz.privacy import Budget
from dpviz.releases import preview, release

Rows = list[dict[str, Any]]
CLUSTERS = 5
SIZES = ((1_000_000, 1024), (11_840_000, 4096))  # records, cells a side
EPSILONS = (0.05, 0.5, 4.0)
DRAWS, QUICK_DRAWS = 7, 3


def previews(*, quick: bool = False) -> Rows:
    """CPU seconds of one draw, all threads together: middle and largest of some, after a first one that compiles."""
    rows: Rows = []
    for records, side in SIZES[: 1 if quick else None]:
        counts = made_up(records, side)
        for epsilon in EPSILONS:
            budget = Budget(epsilon=epsilon)
            for what, draw in (("preview", preview), ("release", release)):
                seconds = _timed(partial(draw, counts, CLUSTERS, budget), QUICK_DRAWS if quick else DRAWS)
                rows.append(
                    {
                        "what": what,
                        "records": records,
                        "side": side,
                        "k": CLUSTERS,
                        "epsilon": epsilon,
                        "median_cpu_seconds": round(float(np.median(seconds)), 3),
                        "largest_cpu_seconds": round(max(seconds), 3),
                        "draws": len(seconds),
                    }
                )
    return rows


def made_up(records: int, side: int) -> ExactCounts:
    """A made-up city, counted."""
    places = synthetic_city(records, 1, "peer")
    grid = Grid(SYNTHETIC_BOX, side)
    flat = grid.cells(places[:, 0], places[:, 1])
    return ExactCounts.from_array(grid, np.bincount(flat[flat >= 0], minlength=side * side).reshape(side, side))


def _timed(draw: Callable[[], object], times: int) -> list[float]:
    draw()
    seconds = []
    for _ in range(times):
        started = time.process_time()
        draw()
        seconds.append(time.process_time() - started)
    return seconds
