"""Feldman, Xiang, Zhu, Rus 2017: Figures 3 and 4, running time against N, with the fitted slope of log t on log N.

The paper's machine, language (Python 2.7) and sub-mechanism differ: its slopes and its hour stand here as what it
reports. Like for like are our `paper` variant and its brute-force twin (section 4.2).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from dpviz.domain import Adjacency, ExactCounts, ExactPoints
from dpviz.ingest.cities import load_points
from dpviz.mechanisms.catalogue import get
from dpviz.mechanisms.interface import ExactData, Public
from dpviz.mechanisms.peeled_balls.small_ball import all_radii, sums_by_force, sums_on_grid
from dpviz.noise import replayable_source
from dpviz.privacy import Budget
from dpviz_research.papers import figures
from dpviz_research.papers.feldman2017 import DELTA, SEED, VARIANTS, city_counts, under
from dpviz_research.papers.records import Row, checksum, write_figure, write_table

EPSILON_2D, EPSILON_4D = 0.8, 1.0  # as printed
PRINTED_SLOPES = {1: 1.6, 5: 1.7}
BRUTE = "GOOD-RADIUS, all pairs (4.2)"
TABLE = "GOOD-RADIUS, summed areas (4.3)"


def figure_3(*, out: Path, quick: bool, data: Path | None) -> list[Path]:
    """Two dimensions: both variants, and the step that dominates the paper's time by both of its implementations."""
    sizes = (10_000, 100_000, 1_000_000) if quick else (10_000, 100_000, 1_000_000, 3_000_000, 11_840_734)
    rows = list(mechanism_rows(sizes, repeats=2 if quick else 3))
    rows += radius_rows((1_000, 2_000, 4_000) if quick else (1_000, 2_000, 4_000, 8_000, 100_000, 1_000_000))
    return finish(rows, out / "ipsn17-fig3", "two dimensions")


def figure_4(*, out: Path, quick: bool, data: Path | None) -> list[Path]:
    """Four dimensions: simulated trips drawn around the embedded ones."""
    sizes = (10_000, 100_000) if quick else (10_000, 100_000, 300_000, 1_000_000)
    rows = []
    for records in sizes:
        for relation in Adjacency:
            trips = simulated_trips(records, relation)
            for variant, (name, wanted) in VARIANTS.items():
                if relation is not wanted or (variant == "paper" and records > 100_000):
                    continue  # the blocks of section 4.5 take the same time each: no need to run a hundred of them
                for k in (1, 5):
                    rows.append(timed_run(trips, name, variant, k, EPSILON_4D, records, repeats=2))
    return finish(rows, out / "ipsn17-fig4", "four dimensions")


def simulated_trips(records: int, relation: Adjacency) -> ExactPoints:
    """Trips of the embedded city drawn with replacement and moved by about 100 m."""
    known = load_points("nyc-trips")
    rng = np.random.default_rng(SEED)
    cube = known.exact_cube[rng.integers(len(known.exact_cube), size=records)]
    moved = np.clip(cube + rng.normal(0.0, 0.01, cube.shape), 0.0, np.nextafter(1.0, 0.0))
    rows = records if relation is Adjacency.REPLACE_ONE else None
    return ExactPoints(known.frame, moved, relation=relation, public_rows=rows)


def mechanism_rows(sizes: tuple[int, ...], *, repeats: int) -> Iterator[Row]:
    """Whole runs of both variants on counts that are built already."""
    for records in sizes:
        counts = city_counts("peer", records)
        for variant, (name, relation) in VARIANTS.items():
            for k in (1, 5):
                yield timed_run(under(counts, relation), name, variant, k, EPSILON_2D, records, repeats=repeats)


def timed_run(data: ExactData, name: str, what: str, k: int, epsilon: float, records: int, *, repeats: int) -> Row:
    """The smallest of a few CPU times of one run; the first, which compiles, is thrown away."""
    method = get(name)
    plan = method.plan(Public.of(data), k=k, budget=Budget(epsilon=epsilon, delta=DELTA))
    found: list[Any] = []
    seconds = least_seconds(lambda: found.append(method.run(data, plan, replayable_source(SEED))), repeats + 1)
    constants = found[-1].constants
    return {
        "what": what,
        "k": k,
        "records": records,
        "cpu_seconds": seconds,
        "epsilon": epsilon,
        "delta": DELTA,
        "rounds": constants.get("rounds"),
        "answer": type(found[-1]).__name__,
        "repeats": repeats,
        "seed": SEED,
        "data_checksum": checksum(data),
    }


def least_seconds(job: Callable[[], Any], repeats: int) -> float:
    """The smallest CPU time of a few calls."""
    times = []
    for _ in range(repeats):
        started = time.process_time()
        job()
        times.append(time.process_time() - started)
    return min(times)


def radius_rows(sizes: tuple[int, ...]) -> Iterator[Row]:
    """L(r) for all radii at the first round's t, k = 5, by both implementations."""
    for records in sizes:
        counts: ExactCounts = city_counts("peer", records)
        cells = counts.exact_cells
        positions = np.argwhere(cells).astype(np.int64)
        held = cells[positions[:, 0], positions[:, 1]]
        t, radii = 3 * records // 40, all_radii(counts.grid.side, 2)
        jobs: dict[str, Callable[[], Any]] = {TABLE: partial(sums_on_grid, cells, t, radii)}
        if records <= 8_000:
            jobs[BRUTE] = partial(sums_by_force, positions, held, t, radii)
        for what, job in jobs.items():
            job()
            seconds = least_seconds(job, 2)
            yield {"what": what, "k": 5, "records": records, "cpu_seconds": seconds, "seed": SEED}


def slope(rows: list[Row]) -> float:
    """The slope of log time on log N."""
    x = np.log([row["records"] for row in rows])
    y = np.log([max(row["cpu_seconds"], 1e-6) for row in rows])
    return float(np.polyfit(x, y, 1)[0])


def finish(rows: list[Row], stem: Path, where: str) -> list[Path]:
    """Figure and table, the fitted slope in every row of a line."""
    figure, (panel,) = figures.panels(1, width=6.5, height=4.0)
    lines = list(dict.fromkeys((row["what"], row["k"]) for row in rows))
    for look, (what, k) in zip(figures.LOOKS, lines, strict=False):
        part = [row for row in rows if (row["what"], row["k"]) == (what, k)]
        answered = [row for row in part if row.get("answer") != "NoAnswer"]
        fitted = slope(answered) if len(answered) > 1 else None
        for row in part:
            row["slope"] = fitted
            row["printed_slope"] = PRINTED_SLOPES.get(k) if what == "paper" else None
        said = "" if fitted is None else f", slope {fitted:.2f}"
        seconds = [max(row["cpu_seconds"], 1e-4) for row in part]
        figures.line(panel, [row["records"] for row in part], seconds, look, f"{what}, k = {k}{said}")
    figures.logarithmic(panel)
    panel.set_xlabel("records N")
    panel.set_ylabel("CPU seconds, one thread")
    panel.set_title(f"Running time in {where} (the paper reports slopes 1.6 for k = 1, 1.7 for k = 5)", fontsize=8)
    figures.legend(figure, [panel], columns=2)
    return [write_table(rows, stem.with_suffix(".csv")), *write_figure(figure, stem)]
