"""Methods on data of more than two dimensions, paired draws. Curator only.

    python -m dpviz_research.many_dimensions [--data FOLDER] --draws 5 --out docs/evidence

measures the embedded trips (4-D), mixtures that nothing is chosen on (3 to 16 dimensions) and, where the folder has
them, Adult (6-D) and Lifesci (10-D).
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from dpviz.clustering import cost, solve_kmeans
from dpviz.domain import ExactPoints
from dpviz.domain.box import plain_frame
from dpviz.ingest.cities import load_points
from dpviz.mechanisms.catalogue import get
from dpviz.mechanisms.exact_view import weighted_local
from dpviz.mechanisms.interface import Answer, Public
from dpviz.noise import replayable_source
from dpviz_research.accuracy_report import median_interval
from dpviz_research.evidence_rows import budget_of, solved
from dpviz_research.many_dimensions_sets import held_back
from dpviz_research.papers.records import read_options, write_record
from dpviz_research.papers.su2016_data import TABLE_1, find_file, read_points

METHODS = ("adaptive_tree", "mean_split", "noisy_lloyd", "uniform_grid", "hybrid", "by_size", "peeled_balls")
LEVELS = (0.1, 0.5, 2.0)
USED = {"Adult-num": "Adult, six numerical attributes (UCI)", "Lifesci": "Lifesci ds1.10, ten components"}


def examples(folder: Path | None) -> Iterator[tuple[str, ExactPoints, int]]:
    """Name, points and k of each data set there is."""
    yield "nyc-trips", load_points("nyc-trips"), 5
    yield from held_back()
    for known in TABLE_1:
        path = find_file(known, folder)
        if known.name in USED and path is not None:
            frame = plain_frame([-1.0] * known.dims, [1.0] * known.dims)
            yield USED[known.name], ExactPoints.from_array(frame, read_points(path, known), outside="clip"), known.k


def rows(folder: Path | None, draws: int, levels: Sequence[float] = LEVELS) -> Iterator[dict[str, Any]]:
    """Median error per data set, level and method, against the best that searches and all answers come to."""
    for name, data, k in examples(folder):
        positions, weights = weighted_local(data)
        mass = weights.astype(np.float64)
        best = min(solve_kmeans(positions, mass, k, seed=seed, repeats=2).cost for seed in range(3))
        for epsilon in levels:
            for method in METHODS:
                mechanism = get(method)
                if not mechanism.info.dims[0] <= data.frame.dims <= mechanism.info.dims[1]:
                    continue
                plan = mechanism.plan(Public.of(data), k=k, budget=budget_of(mechanism, epsilon))
                started, errors = time.process_time(), []
                for seed in range(draws):
                    answer = mechanism.run(data, plan, replayable_source(seed))
                    if isinstance(answer, Answer):
                        centers = answer.centers.positions if answer.centers is not None else solved(answer, k)
                        errors.append(cost(positions, mass, centers) / best - 1.0)
                seconds = (time.process_time() - started) / draws
                place = {"data": name, "dimensions": data.frame.dims, "records": len(positions), "k": k}
                yield (
                    place
                    | {"epsilon": epsilon, "method": method}
                    | _told(errors)
                    | {"answers": len(errors), "draws": draws, "seconds": seconds}
                )


def _told(errors: list[float]) -> dict[str, Any]:
    if not errors:
        return {"median": None, "low": None, "high": None}
    low, high = median_interval(np.array(errors))
    return {"median": float(np.median(errors)), "low": low, "high": high}


def main() -> None:
    """Measure and write a record for the page *Evidence*."""
    given = read_options(__doc__, data=None, draws=5)
    found = list(rows(given.data, given.draws))
    folder = " --data FOLDER" if given.data else ""
    write_record(
        given.out / "many-dimensions.json",
        title="Accuracy in more than two dimensions",
        what=(
            "Error = cost of the centers on the exact records over the lowest cost that searches without protection "
            "find, minus 1; `low` and `high`: 95 % bootstrap interval of the median. Methods that need δ have the "
            "usual one. No median: no draw gave an answer."
        ),
        kind="table",
        rows=found,
        command=f"python -m dpviz_research.many_dimensions{folder} --draws {given.draws} --out docs/evidence",
        seed=f"draws 0 to {given.draws - 1}, replayable noise",
        data=", ".join(dict.fromkeys(row["data"] for row in found)),
    )


if __name__ == "__main__":
    main()
