"""Feldman, Xiang, Zhu, Rus 2017: Table 2 and Figures 5 and 6, for both variants of peeled_balls.

The paper's data are 11,840,734 taxi pick-ups of January 2015 that are not shipped here; the synthetic peer city has the
same size, box and shape. Its sub-mechanism and relation differ from `practical` (replace, n public, against add-remove,
n secret): printed values stand beside ours as what the paper reports.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dpviz.clustering import GridTable, solve_kmeans
from dpviz.domain import Adjacency, ExactCounts, Grid
from dpviz.ingest import builtin
from dpviz.mechanisms.catalogue import get
from dpviz.mechanisms.interface import Answer, Public
from dpviz.mechanisms.peeled_balls.paper_mechanism import lattice_side
from dpviz.noise import replayable_source
from dpviz.privacy import Budget
from dpviz_research.papers import figures
from dpviz_research.papers.records import Row, checksum, write_figure, write_table
from dpviz_research.synthetic import SYNTHETIC_BOX, subsample, synthetic_chunks

Floats = NDArray[np.float64]

DELTA = 1e-9
SIZES = (100_000, 500_000, 1_000_000)
CLUSTERS = (1, 5, 10)
PRINTED = {
    (1, 100_000): 0.02,
    (1, 500_000): 0.01,
    (1, 1_000_000): 0.007,
    (5, 100_000): 0.8,
    (5, 500_000): 0.3,
    (5, 1_000_000): 0.15,
    (10, 100_000): 3.5,
    (10, 500_000): 1.0,
    (10, 1_000_000): 0.6,
}
VARIANTS = {
    "practical": ("peeled_balls", Adjacency.ADD_REMOVE_ONE),
    "paper": ("peeled_balls_paper", Adjacency.REPLACE_ONE),
}
GOOD_ERROR = 0.5  # an answer counts when its relative error is at most this …
GOOD_SHARE = 0.9  # … and a level is feasible when this share of the draws count
STEP = 1.25  # between the levels that are tried
SEED = 20_170


@dataclass(frozen=True, kw_only=True)
class Problem:
    """One data set and number of clusters with the exact reference. Exact, curator only."""

    name: str
    k: int
    exact_counts: ExactCounts
    exact_table: GridTable
    exact_cost: float

    @property
    def records(self) -> int:
        """How many records there are; public in a benchmark on public data."""
        return self.exact_counts.exact_total


@cache
def city_counts(name: str, records: int) -> ExactCounts:
    """The first `records` of the peer city on the paper's grid (section 5.2), or a sample of the embedded city."""
    if name == "nyc-taxi":
        return subsample(builtin("nyc-taxi"), records, seed=1)
    grid = Grid(SYNTHETIC_BOX, lattice_side(records, 2, 4096))
    cells = np.zeros(grid.side**2, np.int64)
    for chunk in synthetic_chunks(records, seed=0):
        cells += np.bincount(grid.cells(chunk[:, 0], chunk[:, 1]), minlength=len(cells))
    return ExactCounts.from_array(grid, cells.reshape(grid.side, grid.side))


@cache
def problem_of(name: str, records: int, k: int) -> Problem:
    """Data and reference; remembered, since every level asks for it."""
    counts = city_counts(name, records)
    grid = counts.grid
    table = GridTable.of(counts.exact_cells, cell_width=grid.cell_width, cell_height=grid.cell_height)
    cost = table.solve(k, seed=0).cost
    return Problem(name=name, k=k, exact_counts=counts, exact_table=table, exact_cost=cost)


def under(counts: ExactCounts, relation: Adjacency) -> ExactCounts:
    """The same records, registered with another relation."""
    return ExactCounts.from_array(counts.grid, counts.exact_cells, relation=relation)


def draw(problem: Problem, variant: str, epsilon: float, draws: int) -> tuple[Floats, NDArray[np.int64]]:
    """Relative errors (infinite where there was no answer) and coreset sizes (0 there), (draws,) each."""
    name, relation = VARIANTS[variant]
    method, data = get(name), under(problem.exact_counts, relation)
    plan = method.plan(Public.of(data), k=problem.k, budget=Budget(epsilon=epsilon, delta=DELTA))
    errors, sizes = np.full(draws, np.inf), np.zeros(draws, np.int64)
    for index in range(draws):
        answer = method.run(data, plan, replayable_source(SEED + index))
        if not isinstance(answer, Answer) or answer.coreset is None:
            continue
        coreset = answer.coreset
        found = solve_kmeans(
            coreset.positions, coreset.weights, problem.k, seed=index, low=np.zeros(2), high=coreset.frame.extent
        )
        errors[index] = problem.exact_table.summarise(found.centers)[0] / problem.exact_cost - 1
        sizes[index] = len(coreset)
    return errors, sizes


def feasible(problem: Problem, variant: str, epsilon: float, draws: int) -> bool:
    """Whether enough draws answer well enough. Stops as soon as too many did not."""
    allowed = math.floor((1 - GOOD_SHARE) * draws + 1e-9)
    bad = 0
    for start in range(0, draws, 10):
        many = min(10, draws - start)
        bad += int((draw(problem, variant, epsilon, many)[0] > GOOD_ERROR).sum())
        if bad > allowed:
            return False
    return True


def least_feasible(problem: Problem, variant: str, draws: int) -> float | None:
    """The smallest feasible ε on a ladder of steps of 25 %, by bisection; None where not even ε = 20 is."""
    ladder = [20.0 / STEP**step for step in range(60)]  # down to 0.00004
    if not feasible(problem, variant, ladder[0], draws):
        return None
    low, high = 0, len(ladder) - 1  # ladder[low] is feasible, ladder[high] is not looked at yet
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if feasible(problem, variant, ladder[middle], draws) else (low, middle)
    return ladder[low]


def table_2(*, out: Path, quick: bool, data: Path | None) -> list[Path]:
    """Minimum feasible ε for every (k, N), both variants, beside the printed value."""
    rows = list(table_2_rows(draws=10 if quick else 30, cities=("peer", "nyc-taxi")))
    figure, axes = figures.panels(len(CLUSTERS), columns=3, width=3.6, height=3.2)
    for panel, k in zip(axes, CLUSTERS, strict=True):
        panel.plot(
            SIZES, [PRINTED[k, n] for n in SIZES], "o", color="#B00000", mfc="none", ms=9, label="paper, printed"
        )
        lines = {(row["variant"], row["data"]): None for row in rows}
        for look, (variant, city) in zip(figures.LOOKS, lines, strict=False):
            found = [row for row in rows if (row["variant"], row["data"], row["k"]) == (variant, city, k)]
            shown = [(row["records"], row["least_epsilon"]) for row in found if row["least_epsilon"] is not None]
            if shown:
                figures.line(panel, [x for x, _ in shown], [y for _, y in shown], look, f"{variant}, {city}")
        figures.logarithmic(panel)
        panel.set_title(f"k = {k}", fontsize=9)
        panel.set_xlabel("records N")
    axes[0].set_ylabel("smallest ε with 9 of 10 good answers")
    figures.legend(figure, axes, columns=3)
    return [write_table(rows, out / "ipsn17-table2.csv"), *write_figure(figure, out / "ipsn17-table2")]


def table_2_rows(*, draws: int, cities: Sequence[str]) -> Iterator[Row]:
    """One row per variant, city, k and N."""
    for city in cities:
        for k in CLUSTERS:
            for records in SIZES:
                problem = problem_of(city, records, k)
                for variant in VARIANTS:
                    found = least_feasible(problem, variant, draws)
                    printed = PRINTED[k, records]
                    yield {
                        "variant": variant,
                        "data": city,
                        "k": k,
                        "records": records,
                        "least_epsilon": found,
                        "printed_epsilon": printed,
                        "printed_over_ours": None if found is None else printed / found,
                        "relation": VARIANTS[variant][1].value,
                        "delta": DELTA,
                        "draws": draws,
                        "seed": SEED,
                        "side": problem.exact_counts.grid.side,
                        "data_checksum": checksum(problem.exact_counts),
                    }


def figure_5(*, out: Path, quick: bool, data: Path | None) -> list[Path]:
    """Error and coreset size against ε, per k and N."""
    draws, sizes = (6, SIZES[:1]) if quick else (30, SIZES)
    levels = [0.01, 0.05, 0.2, 1.0, 4.0] if quick else [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0]
    rows = [
        described(problem_of("peer", records, k), variant, epsilon, draws)
        for k in CLUSTERS
        for records in sizes
        for variant in VARIANTS
        for epsilon in levels
    ]
    figure, axes = figures.panels(2 * len(CLUSTERS), columns=3, width=3.6, height=3.0)
    for column, k in enumerate(CLUSTERS):
        lines = [(variant, records) for variant in VARIANTS for records in sizes]
        for look, (variant, records) in zip(figures.LOOKS, lines, strict=False):
            part = [r for r in rows if (r["k"], r["variant"], r["records"]) == (k, variant, records) and r["answers"]]
            x, label = [r["epsilon"] for r in part], f"{variant}, N = {records:,}"
            if part:
                figures.line(axes[column], x, [max(r["median_error"], 1e-6) for r in part], look, label)
                figures.line(axes[len(CLUSTERS) + column], x, [r["median_size"] for r in part], look, label)
        axes[column].set_title(f"k = {k}", fontsize=9)
        figures.logarithmic(axes[column])
        figures.logarithmic(axes[len(CLUSTERS) + column], y=False)
        axes[len(CLUSTERS) + column].set_xlabel("ε")
    axes[0].set_ylabel("median relative error")
    axes[len(CLUSTERS)].set_ylabel("coreset points")
    figures.legend(figure, axes, columns=3)
    return [write_table(rows, out / "ipsn17-fig5.csv"), *write_figure(figure, out / "ipsn17-fig5")]


def figure_6(*, out: Path, quick: bool, data: Path | None) -> list[Path]:
    """Error against the number of clusters at N = 1,000,000, per ε."""
    draws, clusters = (6, (1, 5, 10)) if quick else (30, tuple(range(1, 11)))
    records = 100_000 if quick else 1_000_000
    rows = [
        described(problem_of("peer", records, k), variant, epsilon, draws)
        for variant in VARIANTS
        for epsilon in ((0.1, 0.5) if variant == "practical" else (1.0, 4.0))
        for k in clusters
    ]
    figure, (panel,) = figures.panels(1, width=5.5, height=3.6)
    for look, key in zip(figures.LOOKS, dict.fromkeys((r["variant"], r["epsilon"]) for r in rows), strict=False):
        part = [r for r in rows if (r["variant"], r["epsilon"]) == key and r["answers"]]
        if part:
            errors = [max(r["median_error"], 1e-6) for r in part]
            figures.line(panel, [r["k"] for r in part], errors, look, f"{key[0]}, ε = {key[1]:g}")
    figures.logarithmic(panel, x=False)
    panel.set_xlabel("clusters k")
    panel.set_ylabel("median relative error")
    figures.legend(figure, [panel], columns=2)
    return [write_table(rows, out / "ipsn17-fig6.csv"), *write_figure(figure, out / "ipsn17-fig6")]


def described(problem: Problem, variant: str, epsilon: float, draws: int) -> Row:
    """One cell as a row."""
    errors, sizes = draw(problem, variant, epsilon, draws)
    answered = np.isfinite(errors)
    return {
        "variant": variant,
        "data": problem.name,
        "k": problem.k,
        "records": problem.records,
        "epsilon": epsilon,
        "delta": DELTA,
        "draws": draws,
        "answers": int(answered.sum()),
        "median_error": float(np.median(errors[answered])) if answered.any() else None,
        "mean_error": float(np.mean(errors[answered])) if answered.any() else None,
        "median_size": float(np.median(sizes[answered])) if answered.any() else None,
        "seed": SEED,
        "data_checksum": checksum(problem.exact_counts),
    }
