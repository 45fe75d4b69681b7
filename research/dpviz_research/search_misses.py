"""How often the search on a synopsis ends above the best that is there to be found. Post-processing only.

python -m dpviz_research.search_misses --draws 4 --out docs/evidence
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz.clustering import KMeansResult, merge_points, solve_kmeans, solve_kmedian
from dpviz.domain import Coreset, ExactCounts
from dpviz.ingest.cities import load_counts
from dpviz.mechanisms.adaptive_tree.mechanism import ADAPTIVE_TREE
from dpviz.mechanisms.interface import Answer, Public
from dpviz.noise import replayable_source
from dpviz.privacy import Budget
from dpviz_research.papers.records import read_options, write_record
from dpviz_research.synthetic import subsample

Floats = NDArray[np.float64]
FULL: dict[str, tuple[Any, ...]] = {"n": (100_000, 1_000_000, 10_000_000), "k": (5, 10, 20), "epsilon": (0.1, 1.0)}
LIMITS = (1e-6, 1e-4, 1e-3)
LONG_SEARCHES = 3
SOLVERS: dict[str, Callable[..., KMeansResult]] = {"k-means": solve_kmeans, "k-median": solve_kmedian}
MEDIANS_UP_TO = 4096  # points of a released coreset; k-median is asked of releases only


def missed(grid: Mapping[str, Sequence[Any]], draws: int) -> list[dict[str, Any]]:
    """Per number of centers and objective: the share of draws in which the search misses, over all n and ε."""
    rows = []
    for k in (k for k in grid["k"] if k > 1):
        found: dict[str, list[float]] = {objective: [] for objective in SOLVERS}
        for n in grid["n"]:
            data = subsample(load_counts(), n, seed=0)
            for coreset, strength in coresets(data, k, grid["epsilon"], draws):
                for objective in SOLVERS:
                    found[objective].append(excess(coreset, strength, k, objective))
        for objective, values in found.items():
            above = np.array(values)
            shares = {f"missed by more than {limit:g}": float((above > limit).mean()) for limit in LIMITS}
            rows.append({"k": k, "objective": objective, "draws": len(above), **shares, "worst": float(above.max())})
    return rows


def coresets(data: ExactCounts, k: int, levels: Sequence[float], draws: int) -> Iterator[tuple[Coreset, float]]:
    """Coresets of some draws, with (records · ε) of each."""
    for epsilon in dict.fromkeys(levels):
        plan = ADAPTIVE_TREE.plan(Public.of(data), k=k, budget=Budget(epsilon=epsilon))
        for seed in range(draws):
            answer = ADAPTIVE_TREE.run(data, plan, replayable_source(seed))
            if isinstance(answer, Answer) and answer.coreset is not None:
                yield answer.coreset, data.exact_total * epsilon


def excess(coreset: Coreset, strength: float, k: int, objective: str, *, seed: int = 1) -> float:
    """How far above the best known cost an ordinary search ends."""
    solve = SOLVERS[objective]
    positions, weights = coreset.positions, coreset.weights
    if objective == "k-median":
        positions, weights = merge_points(positions, weights, limit=MEDIANS_UP_TO)
    low, high = np.zeros(2), coreset.frame.extent
    usual = ADAPTIVE_TREE.recipe.effort(strength, k) if objective == "k-means" else {}
    found = solve(positions, weights, k, seed=seed, low=low, high=high, **usual).cost
    best = found
    for other in range(1000, 1000 + LONG_SEARCHES):
        long = solve(positions, weights, k, seed=other, starts=60, refine=6, swaps=80, repeats=2, low=low, high=high)
        best = min(best, long.cost)
    return found / best - 1.0 if best > 0.0 else 0.0


def main() -> None:
    """Measure and write a record for the page *Evidence*."""
    given = read_options(__doc__, draws=4, **FULL)
    grid = {axis: getattr(given, axis) for axis in FULL}
    words = " ".join(f"--{axis} {' '.join(map(str, grid[axis]))}" for axis in grid)
    write_record(
        given.out / "accuracy-searches.json",
        title="What the search on a synopsis misses",
        what=(
            "A coreset is searched for the best centers. Share of draws in which the search ends more than 1e-6, 1e-4 "
            "and 1e-3 of the cost above the best that long searches find on the same coreset, for k-means on the whole "
            f"coreset and k-median on a released one (at most {MEDIANS_UP_TO:,} points)."
        ),
        kind="table",
        rows=missed(grid, given.draws),
        command=f"python -m dpviz_research.search_misses {words} --draws {given.draws} --out docs/evidence",
        seed=f"draws 0 to {given.draws - 1}, replayable noise",
        data="nyc-taxi, n drop-offs drawn with replacement, seed 0",
    )


if __name__ == "__main__":
    main()
