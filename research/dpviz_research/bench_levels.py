"""What each level of the slider costs on public data: the numbers of the README."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from dpviz.domain import ExactCounts, GeoBox, Grid
from dpviz.evaluation import evaluate, exact_reference
from dpviz.ingest import builtin
from dpviz.privacy import LEVELS, Budget, out_of_100
from dpviz.publishing.mechanism_run import release
from dpviz.releases.release import NoAnswer

Rows = list[dict[str, Any]]
CLUSTERS = 5
TRIP_SIDE = 1024  # the grid for the sample of trips


def levels(*, quick: bool = False) -> Rows:
    """Median error and shift of `auto` at every level, for the whole embedded city and for a sample of its trips."""
    return [row for name, counts in _cities().items() for row in _rows(name, counts, draws=5 if quick else 21)]


def _cities() -> dict[str, ExactCounts]:
    trips = builtin("nyc-trips")
    ends = trips.to_numpy()[:, 2:]
    box = GeoBox(west=trips.frame.low[2], south=trips.frame.low[3], east=trips.frame.high[2], north=trips.frame.high[3])
    grid = Grid(box, TRIP_SIDE)
    cells = np.bincount(grid.cells(ends[:, 0], ends[:, 1]), minlength=TRIP_SIDE**2).reshape(TRIP_SIDE, TRIP_SIDE)
    return {"nyc-taxi": builtin("nyc-taxi"), "nyc-trips, drop-offs": ExactCounts.from_array(grid, cells)}


def _rows(name: str, counts: ExactCounts, *, draws: int) -> Rows:
    reference = exact_reference(counts, CLUSTERS)
    rows = []
    for level in LEVELS:
        errors, shifts, seconds, used = [], [], [], ""
        for _ in range(draws):
            started = time.process_time()
            answer = release(counts, k=CLUSTERS, budget=Budget(epsilon=level.epsilon))
            seconds.append(time.process_time() - started)
            assert not isinstance(answer, NoAnswer)  # auto always answers
            found = evaluate(counts, answer, reference=reference)
            errors.append(found.relative_error)
            shifts.append(found.shift_m)
            used = answer.method
        rows.append(
            {
                "data": name,
                "records": counts.exact_total,
                "level": level.number,
                "epsilon": level.epsilon,
                "right_of_100": out_of_100(level.epsilon),
                "method": used,
                "median_error": float(f"{np.median(errors):.2g}"),
                "error_of_9_in_10": float(f"{np.quantile(errors, 0.9):.2g}"),
                "median_shift_m": float(f"{np.median(shifts):.2g}"),
                "median_cpu_seconds": round(float(np.median(seconds)), 3),
                "draws": draws,
            }
        )
    return rows
