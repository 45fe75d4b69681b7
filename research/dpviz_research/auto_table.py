"""Makes dpviz/mechanisms/auto_table.json: simulated errors from which `auto` chooses and the forecast reads.

    python -m dpviz_research.auto_table [--draws 20] [--methods adaptive_tree] [--dims 4]

With `--methods` or `--dims` only the lines of these are made again; all others are kept as they are. From five
dimensions on `auto` is one method; the table tells what to expect of it, on boxes up to 50 times wider than the data.

Made-up data only (auto_table_sets.py). An error depends on n, ε and k almost only through n·ε (the *strength*) and k,
so the table has those two axes, per number of dimensions (a third of the draws beyond two, on more sets): quantiles
5 %, 50 % and 95 % over data and draws, and the geometric mean, by which methods are compared.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np

from dpviz.clustering import cost, solve_kmeans
from dpviz.domain import ExactCounts, ExactPoints
from dpviz.errors import InputError
from dpviz.mechanisms.catalogue import MANY_DIMENSIONS, get
from dpviz.mechanisms.exact_view import weighted_local
from dpviz.mechanisms.interface import Answer, Public
from dpviz.noise import replayable_source
from dpviz.privacy import Budget
from dpviz_research import PROJECT
from dpviz_research.auto_table_sets import made, made_loosely
from dpviz_research.evidence_rows import solved
from dpviz_research.yardstick import Yardstick

TABLE = PROJECT / "dpviz" / "mechanisms" / "auto_table.json"
METHODS = ("adaptive_tree", "mean_split", "uniform_grid", "noisy_lloyd", "hybrid", "centred_lines")
ALWAYS_ANSWER = METHODS[:-1]  # only these may be chosen by `auto`
PLAN: dict[int, dict[str, Any]] = {
    2: {
        "n": 100_000,
        "k": (1, 4, 10, 30),
        "strength": (30, 300, 3_000, 30_000, 300_000),
        "methods": ("adaptive_tree", "uniform_grid", "noisy_lloyd", "hybrid", "centred_lines"),
    },
    4: {  # where records are trips, whose cells answer more questions than centers: turned boxes have none
        "n": 20_000,
        "k": (1, 4, 12),
        "strength": (30, 300, 3_000, 30_000),
        "methods": ("adaptive_tree", "uniform_grid", "noisy_lloyd", "hybrid", "centred_lines"),
    },
    **{
        dims: {
            "n": 6_000,
            "k": (1, 4, 12, 30),
            "strength": (40, 300, 2_000, 12_000, 60_000),
            "methods": ("mean_split",),
        }
        for dims in (5, 10, 24, 64)
    },
}
QUANTILES = (0.05, 0.5, 0.95)
LEAST_ERROR = 1e-12
LEAST_COMPARED = 1e-6  # smaller errors are no difference


def simulate(
    data: ExactCounts | ExactPoints, method: str, k: int, epsilon: float, best: float, draws: int
) -> list[float]:
    """Relative errors of some draws; no answer counts as an error of 1."""
    positions, weights = weighted_local(data)
    mechanism, mass = get(method), weights.astype(np.float64)
    plan = mechanism.plan(Public.of(data), k=k, budget=Budget(epsilon=epsilon))
    errors = []
    for seed in range(draws):
        answer = mechanism.run(data, plan, replayable_source(seed))
        if isinstance(answer, Answer):
            centers = answer.centers.positions if answer.centers is not None else solved(answer, k)
            errors.append(max(cost(positions, mass, centers) / best - 1.0, LEAST_ERROR))
        else:
            errors.append(1.0)
    return errors


def best_cost(data: ExactCounts | ExactPoints, k: int) -> float:
    """The lowest cost that long searches find."""
    if isinstance(data, ExactCounts):
        return Yardstick(data, k).exact_cost
    positions, weights = weighted_local(data)
    mass = weights.astype(np.float64)
    if data.frame.dims >= MANY_DIMENSIONS:  # where searches are long and errors large
        return solve_kmeans(positions, mass, k, seed=0, starts=3, refine=1, swaps=k // 3).cost
    return min(solve_kmeans(positions, mass, k, seed=seed, repeats=2).cost for seed in range(2))


def build(draws: int, wanted: tuple[str, ...] = METHODS, dimensions: tuple[int, ...] = tuple(PLAN)) -> dict[str, Any]:
    """The table of these methods, for these numbers of dimensions."""
    table: dict[str, Any] = {
        "made_by": "python -m dpviz_research.auto_table",
        "draws": draws,
        "always_answer": ALWAYS_ANSWER,
        "dims": {},
    }
    for dims, plan in PLAN.items():
        if dims not in dimensions:
            continue
        sets = (made if dims < MANY_DIMENSIONS else made_loosely)(dims, plan["n"])
        measured = tuple(method for method in wanted if method in plan.get("methods", METHODS))
        errors: dict[str, list[list[list[float]]]] = {method: [] for method in measured}
        for k in plan["k"]:
            rows: dict[str, list[list[float]]] = {method: [] for method in measured}
            bests = [best_cost(data, k) for data in sets]
            for strength in plan["strength"]:
                for method in measured:
                    pooled: list[float] = []
                    count = draws if dims == 2 else max(2, draws // 3)
                    for data, best in zip(sets, bests, strict=True):
                        pooled += simulate(data, method, k, strength / plan["n"], best, count)
                    average = np.exp(np.log(np.maximum(pooled, LEAST_COMPARED)).mean())
                    told = [*np.quantile(pooled, QUANTILES), average]
                    rows[method].append([float(f"{value:.3g}") for value in told])
                print(dims, k, strength, {method: rows[method][-1][3] for method in measured}, flush=True)
            for method in measured:
                errors[method].append(rows[method])
        table["dims"][str(dims)] = {"k": plan["k"], "strength": plan["strength"], "errors": errors}
    return table


def merged(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """The new lines over the old ones; both tables must have the same axes. What is no longer planned is left out."""
    table = old | {"draws": new["draws"], "always_answer": new["always_answer"], "dims": {}}
    table["dims"] |= {dims: plane for dims, plane in old["dims"].items() if int(dims) in PLAN}
    for dims, plane in new["dims"].items():
        before = old["dims"].get(dims)
        if before is None or set(before["errors"]) <= set(plane["errors"]):
            table["dims"][dims] = plane
            continue
        if list(before["k"]) != list(plane["k"]) or list(before["strength"]) != list(plane["strength"]):
            raise InputError("the old table has other axes; make all methods again, without --methods.")
        table["dims"][dims] = before | {"errors": before["errors"] | plane["errors"]}
    return table


def main() -> None:
    """Write the table where `auto` reads it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=20)
    parser.add_argument("--out", type=Path, default=TABLE)
    parser.add_argument("--methods", nargs="+", choices=METHODS, default=list(METHODS))
    parser.add_argument("--dims", nargs="+", type=int, choices=list(PLAN), default=list(PLAN))
    arguments = parser.parse_args()
    wanted = tuple(method for method in METHODS if method in arguments.methods)
    table = build(arguments.draws, wanted, tuple(arguments.dims))
    if wanted != METHODS or arguments.dims != list(PLAN):
        table = merged(json.loads(TABLE.read_text(encoding="utf-8")), table)
    arguments.out.write_text(json.dumps(table) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
