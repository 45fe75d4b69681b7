"""The grids of Su et al. 2016 with the search that all methods of ours have, beside the search that the paper prints.

    python -m dpviz_research.elsewhere.searches --draws 5 --out docs/evidence

The noise is the same in both, draw by draw: what differs is post-processing. Curator only.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz.mechanisms.catalogue import get
from dpviz.mechanisms.interface import Answer, Public
from dpviz.noise import replayable_source
from dpviz.privacy import Budget
from dpviz_research.elsewhere.measuring import SETS
from dpviz_research.elsewhere.yard import Yard
from dpviz_research.papers.records import commit, write_record

Floats = NDArray[np.float64]
PAIRS = {"uniform_grid": "uniform_grid_paper", "hybrid": "hybrid_paper"}
WANTED = ("embedded city", "dense city", "check-ins", "equal clusters")
NUMBERS, LEVELS, RECORDS = (5, 20), (0.1, 1.0), 100_000


def rows(
    sets: Sequence[str], records: int, numbers: Sequence[int], levels: Sequence[float], draws: int, seed: int
) -> Iterator[dict[str, Any]]:
    """Median errors of both searches per data set, k, ε and method; errors on the records themselves."""
    for data in sets:
        for k in numbers:
            yard = Yard(SETS[data](records, seed), k)
            for epsilon in levels:
                made = {name: _drawn(yard, name, k, epsilon, draws) for pair in PAIRS.items() for name in pair}
                for centers, _ in made.values():
                    yard.consider(min(centers, key=yard.grid_cost))
                costs = {name: np.array([yard.raw_cost(one) for one in centers]) for name, (centers, _) in made.items()}
                best = yard.best_raw_cost([centers for found, _ in made.values() for centers in found])
                for ours, printed in PAIRS.items():
                    yield {
                        "data": data,
                        "k": k,
                        "epsilon": epsilon,
                        "noise of": ours,
                        "error, guided search": float(np.median(costs[ours]) / best - 1.0),
                        "error, as printed": float(np.median(costs[printed]) / best - 1.0),
                        "draws better": int((costs[ours] < costs[printed]).sum()),
                        "draws": draws,
                        "CPU seconds": round(made[ours][1], 2),
                        "CPU seconds as printed": round(made[printed][1], 2),
                    }


def _drawn(yard: Yard, name: str, k: int, epsilon: float, draws: int) -> tuple[list[Floats], float]:
    method = get(name)
    plan = method.plan(Public.of(yard.exact_counts), k=k, budget=Budget(epsilon=epsilon))
    found, started = [], time.process_time()
    for draw in range(draws):
        answer = method.run(yard.exact_counts, plan, replayable_source(draw))
        assert isinstance(answer, Answer) and answer.centers is not None  # both always answer
        found.append(answer.centers.positions)
    return found, (time.process_time() - started) / draws


def main() -> None:
    """Measure and write a record for the page *Evidence*, again after every cell."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", nargs="+", choices=list(SETS), default=list(WANTED))
    parser.add_argument("--draws", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    measured_at, found = commit(), []
    for row in rows(given.sets, RECORDS, NUMBERS, LEVELS, given.draws, given.seed):
        found.append(row)
        print(row, flush=True)
    names = " ".join(f"'{name}'" for name in given.sets)
    write_record(
        given.out / "searches.json",
        title="Grids of Su et al. 2016: the same noise, two searches",
        what=(
            "Error = cost of the centers on the records themselves over the lowest cost that any search and any answer "
            "came to, minus 1; medians. *As printed*: Lloyd from up to 30 packed starts, `uniform_grid_paper` and "
            "`hybrid_paper`. *Guided search*: what every method of ours has, on the same signed counts."
        ),
        kind="table",
        rows=found,
        command=f"python -m dpviz_research.elsewhere.searches --sets {names} --draws {given.draws} "
        f"--seed {given.seed} --out docs/evidence",
        seed=f"draws 0 to {given.draws - 1}, replayable noise",
        data=f"{', '.join(given.sets)}; {RECORDS:,} records each",
        measured_at=measured_at,
    )


if __name__ == "__main__":
    main()
