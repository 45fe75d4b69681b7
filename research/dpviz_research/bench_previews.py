"""What people wait for: a preview with fast noise and a release with secure noise, on grids already counted; all levels
of a number of centers, as a screen draws them in the background; and the answer without protection beside them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz.clustering import GridTable, KMeansResult, solve_kmeans
from dpviz.domain import ExactCounts, Grid
from dpviz.evaluation import evaluate, exact_reference
from dpviz.ingest.cities import load_counts
from dpviz.privacy import LEVELS, Budget
from dpviz.publishing.mechanism_run import preview, release
from dpviz_research.synthetic import SYNTHETIC_BOX, synthetic_city

Rows = list[dict[str, Any]]
Counts = NDArray[np.int64]
CLUSTERS = 5
SIZES = ((1_000_000, 1024), (11_840_000, 4096))  # records, cells a side
EPSILONS = (0.05, 0.5, 4.0)
DRAWS, QUICK_DRAWS = 7, 3
CENTERS = (5, 10, 20)
SEARCHES = 8  # on all cells, which the answer without protection is held to


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
                        **_told(seconds),
                    }
                )
    return rows + all_levels(quick=quick) + without_protection(quick=quick)


def all_levels(*, quick: bool = False) -> Rows:
    """CPU seconds of a preview at every level of the embedded month, each beside the exact answer, which is known."""
    month, rows = load_counts(), []
    for k in CENTERS[: 1 if quick else None]:
        reference = exact_reference(month, k)

        def draw(k: int = k, reference: KMeansResult = reference) -> None:
            for level in LEVELS:
                evaluate(month, preview(month, k, Budget(epsilon=level.epsilon)), reference=reference)

        seconds = _timed(draw, QUICK_DRAWS if quick else DRAWS)
        rows.append({"what": f"{len(LEVELS)} levels of the embedded month", "k": k, **_told(seconds)})
    return rows


def without_protection(*, quick: bool = False) -> Rows:
    """CPU seconds of the exact answer, and how far it lies above the best that it or searches on all cells found."""
    rows: Rows = []
    for name, counts in places().items():
        row, column = np.nonzero(counts)
        points = np.column_stack([column + 0.5, len(counts) - row - 0.5])
        for k in CENTERS[: 1 if quick else None]:
            seeds = iter(range(1 + DRAWS))
            costs: list[float] = []

            def draw(
                counts: Counts = counts, k: int = k, seeds: Iterator[int] = seeds, costs: list[float] = costs
            ) -> None:
                table = GridTable.of(counts, cell_width=1.0, cell_height=1.0)
                costs.append(table.solve(k, seed=next(seeds)).cost)

            seconds = _timed(draw, QUICK_DRAWS if quick else DRAWS)
            weights = counts[row, column].astype(np.float64)
            known = [solve_kmeans(points, weights, k, seed=seed).cost for seed in range(1 if quick else SEARCHES)]
            above = np.array(costs) / min(*costs, *known) - 1.0
            rows.append(
                {
                    "what": f"without protection: {name}",
                    "side": len(counts),
                    "k": k,
                    **_told(seconds),
                    "median_above_best": float(f"{np.median(above):.2g}"),
                    "largest_above_best": float(f"{above.max():.2g}"),
                    "searches_on_cells_above_best": float(f"{max(known) / min(*costs, *known) - 1.0:.2g}"),
                }
            )
    return rows


def places() -> dict[str, Counts]:
    """Grids of different character: dense, a town that fills little of its box, towns far apart, few places."""
    draw = np.random.default_rng(3)
    city = synthetic_city(300_000, 1, "peer")
    low, high = city.min(axis=0), city.max(axis=0)
    unit = (city - low) / (high - low)
    towns = draw.uniform(0.02, 0.98, (60, 2))
    shares = draw.pareto(1.0, 60) + 0.05
    held = draw.multinomial(200_000, shares / shares.sum())
    far_apart = np.concatenate([draw.normal(town, 0.002, (n, 2)) for town, n in zip(towns, held, strict=True)])
    venues = np.clip(draw.normal(0.5, 0.12, (8000, 2)), 0.0, 1.0)
    visits = draw.pareto(1.2, 8000) + 0.05
    checked_in = np.repeat(venues, draw.multinomial(300_000, visits / visits.sum()), axis=0)
    return {
        "the embedded month": np.ascontiguousarray(load_counts().exact_cells),
        "a city": _counted(unit, 1024),
        "a city in a twentieth of its box": _counted(0.4 + 0.05 * unit, 1024),
        "a city in a hundredth of its box": _counted(0.4 + 0.01 * unit, 4096),
        "60 towns": _counted(far_apart, 2048),
        "check-ins at 8,000 places": _counted(checked_in, 1024),
    }


def _counted(unit: NDArray[np.float64], side: int) -> Counts:
    column, row = np.clip((unit * side).astype(np.int64), 0, side - 1).T
    return np.bincount(row * side + column, minlength=side * side).reshape(side, side)


def _told(seconds: list[float]) -> dict[str, float]:
    return {
        "median_cpu_seconds": round(float(np.median(seconds)), 3),
        "largest_cpu_seconds": round(max(seconds), 3),
        "draws": len(seconds),
    }


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
