"""`bench accuracy`: adaptive_tree beside references written for the benchmark, paired draws, one run. Curator only.

    python -m dpviz_research.accuracy --n 100000 --k 5 10 --epsilon 0.1 0.5 --draws 12 --out FOLDER

measures some of the cells and writes accuracy.csv, accuracy.png and records for the page *Evidence*. Without axes: the
whole table, 72 cells of 30 draws, about an hour of one core. `bench accuracy` measures a part of it in minutes.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpviz.domain import ExactCounts
from dpviz.ingest.cities import load_counts
from dpviz.mechanisms.catalogue import get
from dpviz.mechanisms.interface import Answer, Mechanism, Public
from dpviz.noise import replayable_source
from dpviz.privacy import Budget
from dpviz_research.accuracy_report import draw_figure, draws_of, median_interval, summary, write_evidence
from dpviz_research.papers.records import commit
from dpviz_research.peers import peers
from dpviz_research.references import REFERENCES, Problem, Reference
from dpviz_research.search_misses import missed
from dpviz_research.synthetic import subsample
from dpviz_research.yardstick import Yardstick

Floats = NDArray[np.float64]
Draw = Callable[[int], Floats]
OURS = "adaptive_tree"
FULL = {"n": (100_000, 1_000_000, 10_000_000), "k": (1, 5, 10, 20), "epsilon": (0.05, 0.1, 0.2, 0.5, 1.0, 2.0)}
SHORT = {"n": (100_000, 1_000_000), "k": (1, 5, 10, 20), "epsilon": (0.1, 1.0)}
QUICK = {"n": (100_000,), "k": (1, 5), "epsilon": (0.1, 1.0)}


@dataclass(frozen=True, kw_only=True)
class Cell:
    """One method in one cell of the benchmark. Exact, curator only."""

    data: str
    n: int
    k: int
    epsilon: float
    method: str
    rival: bool
    errors: tuple[float, ...]  # cost / best known cost − 1, one per draw; draws of one index share a seed
    seconds: float  # CPU seconds per draw, those of a peer's own process and its start included

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
    peer_python: str | None = None,
    seed: int = 0,
) -> dict[str, Any]:
    """The cells of n × k × ε asked for as plain data; with `out`, also files there, renewed after every n.

    Another `seed` is another sample of the city and other draws.
    """
    grid = cells_of or (QUICK if quick else SHORT)
    count = draws or (6 if quick else 10)
    measured_at = commit()
    cells: list[Cell] = []
    result: dict[str, Any] = {}
    for n in grid["n"]:
        part = {**grid, "n": (n,)}
        cells += measure(load_counts(), "nyc-taxi", part, [get(OURS)], (*REFERENCES, *peers(peer_python)), count, seed)
        result = {"exact": True, "draws": count, "summary": summary(cells), "cells": [cell.row() for cell in cells]}
        if out is not None:
            so_far = {**grid, "n": tuple(size for size in grid["n"] if size <= n)}
            _write(result | {"seed": seed}, so_far, out, measured_at)
    return result


def _write(result: Mapping[str, Any], grid: Mapping[str, Sequence[Any]], out: Path, measured_at: str) -> None:
    out.mkdir(parents=True, exist_ok=True)
    table = pd.DataFrame(result["cells"])
    table.to_csv(out / "accuracy.csv", index=False, float_format="%.6g", lineterminator="\n")
    draw_figure(table, out / "accuracy.png")
    write_evidence(result, grid, out, measured_at)


def accuracy(*, quick: bool = False) -> list[dict[str, Any]]:
    """A part of the table for `bench accuracy`: one row per method and cell, one per method over all cells, and how
    often the search misses.
    """
    result = run_accuracy(quick=quick)
    rows: list[dict[str, Any]] = list(result["cells"])
    rows += [{"data": "all cells", "method": method, **values} for method, values in result["summary"].items()]
    grid = QUICK if quick else SHORT
    rows += [{"data": "search on the synopsis", "method": OURS, **row} for row in missed(grid, 1 if quick else 2)]
    return rows


def measure(
    city: ExactCounts,
    name: str,
    grid: Mapping[str, Sequence[Any]],
    methods: Sequence[Mechanism],
    references: Sequence[Reference],
    draws: int,
    seed: int = 0,
) -> Iterator[Cell]:
    """Every method and reference in every cell of n × k × ε on samples of a city.

    All answers for one n and k come first; then all that come close are polished, so that the yardstick is the best
    that anybody found. Limits that need the best centers come last.
    """
    for n in grid["n"]:
        data = subsample(city, n, seed=seed)
        seeds = draws_of(seed, draws)
        for k in grid["k"]:
            yardstick = Yardstick(data, k)
            problem = problem_of(data, yardstick)
            answers: dict[tuple[float, str], _Answers] = {}
            for epsilon in grid["epsilon"]:
                for method in methods:
                    answers[epsilon, method.info.name] = _drawn(True, seeds, _ours(problem, method, epsilon))
                for reference in references:
                    if not reference.needs_best:
                        known = answers.get((grid["epsilon"][0], reference.name))
                        answers[epsilon, reference.name] = (
                            known
                            if known is not None and not reference.uses_epsilon
                            else _drawn(reference.rival, seeds, _theirs(problem, reference, epsilon))
                        )
            _polish(yardstick, answers)
            problem = problem_of(data, yardstick)
            for epsilon in grid["epsilon"]:
                for reference in references:
                    if reference.needs_best:
                        drawn = _drawn(reference.rival, seeds, _theirs(problem, reference, epsilon))
                        answers[epsilon, reference.name] = drawn
            order = [method.info.name for method in methods] + [reference.name for reference in references]
            place = {"data": name, "n": n, "k": k}
            yield from _cells(
                place, [(epsilon, one) for epsilon in grid["epsilon"] for one in order], answers, yardstick
            )


@dataclass(frozen=True, kw_only=True, eq=False)
class _Answers:
    rival: bool
    centers: list[Floats]
    seconds: float


def _polish(yardstick: Yardstick, answers: Mapping[Any, _Answers]) -> None:
    """The best first: most others then end where it ended, and are left out."""
    found = [
        (yardstick.cost(centers), at, centers) for at, each in enumerate(answers.values()) for centers in each.centers
    ]
    for _, _, centers in sorted(found, key=lambda one: one[:2]):
        yardstick.consider(centers)


def _cells(
    place: Mapping[str, Any],
    order: Sequence[tuple[float, str]],
    answers: Mapping[tuple[float, str], _Answers],
    yardstick: Yardstick,
) -> Iterator[Cell]:
    costs = {at: [yardstick.cost(centers) for centers in answers[at].centers] for at in order}
    for at in order:
        for cost, centers in zip(costs[at], answers[at].centers, strict=True):
            yardstick.admit(centers, cost)
    for epsilon, method in order:
        found = answers[epsilon, method]
        yield Cell(
            **place,
            epsilon=epsilon,
            method=method,
            rival=found.rival,
            errors=tuple(yardstick.error_of(cost) for cost in costs[epsilon, method]),
            seconds=found.seconds,
        )


def problem_of(data: ExactCounts, yardstick: Yardstick) -> Problem:
    """The exact side of a cell: occupied cells and the best centers known."""
    return Problem(
        exact_counts=data,
        exact_positions=yardstick.exact_positions,
        exact_weights=yardstick.exact_weights,
        exact_best=yardstick.best(),
        k=yardstick.k,
    )


def _ours(problem: Problem, method: Mechanism, epsilon: float) -> Draw:
    public = Public.of(problem.exact_counts)
    plan = method.plan(public, k=problem.k, budget=Budget(epsilon=epsilon))

    def centers(seed: int) -> Floats:
        answer = method.run(problem.exact_counts, plan, replayable_source(seed))
        if not isinstance(answer, Answer) or answer.centers is None:
            return np.tile(problem.extent / 2, (problem.k, 1))
        return answer.centers.positions

    return centers


def _theirs(problem: Problem, reference: Reference, epsilon: float) -> Draw:
    return lambda seed: reference.run(problem, epsilon, np.random.default_rng(seed))


def _drawn(rival: bool, seeds: range, centers: Draw) -> _Answers:
    started = _cpu_seconds()
    found = [centers(seed) for seed in seeds]
    return _Answers(rival=rival, centers=found, seconds=(_cpu_seconds() - started) / len(seeds))


def _cpu_seconds() -> float:
    """Of this process and of those it has waited for."""
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


def main() -> None:
    """Measure the cells asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    for axis, kind in (("n", int), ("k", int), ("epsilon", float)):
        parser.add_argument(f"--{axis}", nargs="+", type=kind, default=list(FULL[axis]))
    parser.add_argument("--draws", type=int, default=30)
    parser.add_argument("--seed", type=int, default=0, help="another sample of the city, and other draws")
    parser.add_argument("--peer-python", help="an interpreter with diffprivlib, to run it side by side")
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    wanted = {axis: getattr(arguments, axis) for axis in ("n", "k", "epsilon")}
    result = run_accuracy(
        cells_of=wanted,
        draws=arguments.draws,
        out=arguments.out,
        peer_python=arguments.peer_python,
        seed=arguments.seed,
    )
    print(json.dumps(result["summary"], indent=1))


if __name__ == "__main__":
    main()
