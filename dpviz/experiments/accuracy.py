"""`bench accuracy`: adaptive_tree beside references written for the benchmark, paired draws, one run. Curator only.

    python -m dpviz.experiments.accuracy --n 100000 --k 5 10 --epsilon 0.1 0.5 --draws 12 --out FOLDER

measures some of the cells and writes accuracy.csv, accuracy.png and two records for the page *Evidence*.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpviz.clustering import cost, solve_kmeans
from dpviz.domain import ExactCounts
from dpviz.experiments.evaluation import exact_reference
from dpviz.experiments.papers.records import write_record
from dpviz.experiments.references import REFERENCES, Problem, Reference
from dpviz.ingest.cities import load_counts
from dpviz.ingest.synthetic import subsample
from dpviz.mechanisms.catalogue import get
from dpviz.mechanisms.exact_view import weighted_local
from dpviz.mechanisms.interface import Answer, Mechanism, Public
from dpviz.noise import replayable_source
from dpviz.privacy import Budget

Floats = NDArray[np.float64]
OURS = "adaptive_tree"
FULL = {"n": (100_000, 1_000_000, 10_000_000), "k": (1, 5, 10, 20), "epsilon": (0.05, 0.1, 0.2, 0.5, 1.0, 2.0)}
QUICK = {"n": (100_000,), "k": (1, 5), "epsilon": (0.1, 1.0)}
LEAST_ERROR = 1e-8  # an error at or below this counts as this in geometric means
RESAMPLES = 400
SEARCHES = 4


@dataclass(frozen=True, kw_only=True)
class Cell:
    """One method in one cell of the benchmark. Exact, curator only."""

    data: str
    n: int
    k: int
    epsilon: float
    method: str
    rival: bool
    errors: tuple[float, ...]  # cost / best cost − 1, one per draw; draws of one index share a seed
    seconds: float  # CPU seconds per draw

    @property
    def median(self) -> float:
        return float(np.median(self.errors))

    def row(self) -> dict[str, Any]:
        """Plain numbers with a 95 % bootstrap interval of the median."""
        low, high = median_interval(np.array(self.errors))
        plain = {name: value for name, value in asdict(self).items() if name != "errors"}
        return plain | {
            "draws": len(self.errors),
            "median": self.median,
            "low": low,
            "high": high,
            "mean": float(np.mean(self.errors)),
        }


def run_accuracy(
    *,
    quick: bool = False,
    out: Path | None = None,
    draws: int | None = None,
    cells_of: Mapping[str, Sequence[Any]] | None = None,
) -> dict[str, Any]:
    """The whole table (or the cells of n × k × ε asked for) as plain data; with `out`, also files there."""
    grid = cells_of or (QUICK if quick else FULL)
    count = draws or (6 if quick else 30)
    cells = list(measure(load_counts(), "nyc-taxi", grid, [get(OURS)], REFERENCES, count))
    table = pd.DataFrame([cell.row() for cell in cells])
    result = {
        "exact": True,
        "draws": count,
        "summary": summary(cells),
        "cells": table.to_dict(orient="records"),
    }
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        table.to_csv(out / "accuracy.csv", index=False)
        draw_figure(table, out / "accuracy.png")
        write_evidence(result, grid, out)
    return result


def write_evidence(
    result: Mapping[str, Any], grid: Mapping[str, Sequence[Any]], out: Path, measured_at: str | None = None
) -> list[Path]:
    """Two records for the page *Evidence*: every cell, and the geometric means over cells."""
    asked = " ".join(f"--{axis} {' '.join(map(str, grid[axis]))}" for axis in ("n", "k", "epsilon"))
    origin: dict[str, Any] = {
        "command": f"python -m dpviz.experiments.accuracy {asked} --draws {result['draws']} --out docs/evidence",
        "seed": f"draws 0 to {result['draws'] - 1}, replayable noise",
        "data": "nyc-taxi, n drop-offs drawn with replacement, seed 0",
        "measured_at": measured_at,
    }
    columns = ("data", "n", "k", "epsilon", "method", "rival", "median", "low", "high", "draws", "seconds")
    return [
        write_record(
            out / "accuracy.json",
            title="Accuracy on maps",
            what=(
                "Error = cost of the centers on the exact records, over the lowest cost that long searches without "
                "protection find, minus 1. `low` and `high`: 95 % bootstrap interval of the median. Limits (rival: no) "
                "are not private or know the best centers."
            ),
            kind="accuracy",
            rows=[{column: cell[column] for column in columns} for cell in result["cells"]],
            **origin,
        ),
        write_record(
            out / "accuracy-summary.json",
            title="Accuracy on maps: geometric means over cells",
            what=(
                "How many times the median error of adaptive_tree another method has, with a 95 % interval from "
                "resampled paired draws. Above 1: adaptive_tree is more accurate."
            ),
            kind="table",
            rows=[{"method": method, **values} for method, values in result["summary"].items()],
            **origin,
        ),
    ]


def accuracy(*, quick: bool = False) -> list[dict[str, Any]]:
    """The table as rows for `bench accuracy`: one per method and cell, then one per method over all cells."""
    result = run_accuracy(quick=quick)
    rows: list[dict[str, Any]] = list(result["cells"])
    rows += [{"data": "all cells", "method": method, **values} for method, values in result["summary"].items()]
    return rows


def measure(
    city: ExactCounts,
    name: str,
    grid: Mapping[str, Sequence[Any]],
    methods: Sequence[Mechanism],
    references: Sequence[Reference],
    draws: int,
) -> Iterator[Cell]:
    """Every method and reference in every cell of n × k × ε on samples of a city."""
    for n in grid["n"]:
        data = subsample(city, n, seed=0)
        for k in grid["k"]:
            problem = problem_of(data, k)
            for epsilon in grid["epsilon"]:
                place = {"data": name, "n": n, "k": k, "epsilon": epsilon}
                for method in methods:
                    yield _timed(problem, place, method.info.name, True, draws, _ours(problem, method, epsilon))
                for reference in references:
                    yield _timed(
                        problem, place, reference.name, reference.rival, draws, _theirs(problem, reference, epsilon)
                    )


def problem_of(data: ExactCounts, k: int) -> Problem:
    """The exact side of a cell: occupied cells and the best centers that several long searches find.

    A yardstick that misses the optimum by a hair would turn small errors into negative ones.
    """
    positions, weights = weighted_local(data)
    mass = weights.astype(np.float64)
    found = [exact_reference(data, k)]
    if k > 1:
        hard = {"starts": 48, "refine": 6, "swaps": 80, "repeats": 3}
        found += [solve_kmeans(positions, mass, k, seed=seed, **hard) for seed in range(SEARCHES)]
    return Problem(
        exact_counts=data,
        exact_positions=positions,
        exact_weights=mass,
        exact_best=min(found, key=lambda result: result.cost),
        k=k,
    )


def _ours(problem: Problem, method: Mechanism, epsilon: float) -> Any:
    public = Public.of(problem.exact_counts)
    plan = method.plan(public, k=problem.k, budget=Budget(epsilon=epsilon))

    def centers(seed: int) -> Floats:
        answer = method.run(problem.exact_counts, plan, replayable_source(seed))
        if not isinstance(answer, Answer) or answer.centers is None:
            return np.tile(problem.extent / 2, (problem.k, 1))
        return answer.centers.positions

    return centers


def _theirs(problem: Problem, reference: Reference, epsilon: float) -> Any:
    return lambda seed: reference.run(problem, epsilon, np.random.default_rng(seed))


def _timed(problem: Problem, place: dict[str, Any], method: str, rival: bool, draws: int, centers: Any) -> Cell:
    errors: list[float] = []
    spent = 0.0
    for seed in range(draws):
        started = time.process_time()
        found = centers(seed)
        spent += time.process_time() - started
        errors.append(cost(problem.exact_positions, problem.exact_weights, found) / problem.exact_best.cost - 1.0)
    return Cell(**place, method=method, rival=rival, errors=tuple(errors), seconds=spent / draws)


def median_interval(errors: Floats, level: float = 0.95) -> tuple[float, float]:
    """Bootstrap interval of the median."""
    generator = np.random.default_rng(0)
    medians = np.median(generator.choice(errors, (RESAMPLES, len(errors))), axis=1)
    tail = (1.0 - level) / 2.0
    return float(np.quantile(medians, tail)), float(np.quantile(medians, 1.0 - tail))


def summary(cells: Sequence[Cell]) -> dict[str, Any]:
    """Geometric mean over cells of (other's median / ours), with an interval from resampled paired draws."""
    ours = {(c.data, c.n, c.k, c.epsilon): c for c in cells if c.method == OURS}
    result: dict[str, Any] = {}
    for method in dict.fromkeys(c.method for c in cells if c.method != OURS):
        pairs = [(c, ours[c.data, c.n, c.k, c.epsilon]) for c in cells if c.method == method]
        generator = np.random.default_rng(0)
        size = len(pairs[0][0].errors)
        samples = generator.integers(0, size, (RESAMPLES, size))
        ratios = np.array([_ratios(theirs, mine, samples) for theirs, mine in pairs])
        plain = [_log(theirs.median) - _log(mine.median) for theirs, mine in pairs]
        logs = ratios.mean(axis=0)
        result[method] = {
            "rival": pairs[0][0].rival,
            "times_our_error": math.exp(float(np.mean(plain))),
            "low": math.exp(float(np.quantile(logs, 0.025))),
            "high": math.exp(float(np.quantile(logs, 0.975))),
            "cells": len(pairs),
            "cells_lower_than_ours": int(sum(value < 0 for value in plain)),
            "cells_significantly_lower_than_ours": int((np.quantile(ratios, 0.975, axis=1) < 0).sum()),
        }
    return result


def _ratios(theirs: Cell, mine: Cell, samples: NDArray[np.int64]) -> Floats:
    medians = [np.median(np.array(cell.errors)[samples], axis=1) for cell in (theirs, mine)]
    logs: Floats = np.log(np.maximum(medians[0], LEAST_ERROR)) - np.log(np.maximum(medians[1], LEAST_ERROR))
    return logs


def _log(error: float) -> float:
    return math.log(max(error, LEAST_ERROR))


def draw_figure(table: pd.DataFrame, path: Path) -> None:
    """Median error against ε, one panel per (n, k)."""
    from matplotlib.figure import Figure

    sizes, numbers = sorted(table["n"].unique()), sorted(table["k"].unique())
    figure = Figure(figsize=(3.4 * len(numbers), 2.8 * len(sizes)), layout="constrained")
    axes = figure.subplots(len(sizes), len(numbers), squeeze=False)
    for i, n in enumerate(sizes):
        for j, k in enumerate(numbers):
            panel = axes[i][j]
            for method, rows in table[(table["n"] == n) & (table["k"] == k)].groupby("method", sort=False):
                heavy = 2.2 if method == OURS else 1.0
                panel.loglog(
                    rows["epsilon"], 100 * rows["median"].clip(lower=LEAST_ERROR), label=str(method), linewidth=heavy
                )
            panel.set_title(f"n = {n:,}, k = {k}", fontsize=9)
            panel.set_xlabel("ε")
            panel.set_ylabel("median error in %")
    axes[0][0].legend(fontsize=6)
    figure.savefig(path, dpi=130)


def main() -> None:
    """Measure the cells asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    for axis, kind in (("n", int), ("k", int), ("epsilon", float)):
        parser.add_argument(f"--{axis}", nargs="+", type=kind, default=list(FULL[axis]))
    parser.add_argument("--draws", type=int, default=30)
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    wanted = {axis: getattr(arguments, axis) for axis in ("n", "k", "epsilon")}
    result = run_accuracy(cells_of=wanted, draws=arguments.draws, out=arguments.out)
    print(json.dumps(result["summary"], indent=1))


if __name__ == "__main__":
    main()
