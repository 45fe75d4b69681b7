"""The measurements behind the page Evidence, as rows."""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from dpviz.clustering import cost, solve_kmeans
from dpviz.domain import Adjacency, ExactCounts
from dpviz.evaluation import evaluate, exact_reference
from dpviz.ingest import builtin
from dpviz.mechanisms import catalogue
from dpviz.mechanisms.exact_view import weighted_local
from dpviz.mechanisms.interface import Answer, Mechanism, Public
from dpviz.noise import replayable_source
from dpviz.privacy import DEFAULT_DELTA, LEVELS, Budget, How, Sampling
from dpviz.privacy.levels import group_table
from dpviz.publishing.mechanism_run import release
from dpviz.releases.release import NoAnswer
from dpviz_research.papers.records import Row
from dpviz_research.synthetic import subsample

SEED = 2026
RECORDS = 100_000
LEAST = 1e-9  # an error at or below this is recorded as this
SHORT_GROUPS = (1, 2, 5, 10, 50, 200, 1_000)


def on_the_map() -> Iterator[Mechanism]:
    """The methods that answer k-means on a map whose number of records is secret."""
    for method in (*catalogue.METHODS, catalogue.get("subsampled:adaptive_tree")):
        info = method.info
        if Adjacency.ADD_REMOVE_ONE in info.adjacencies and info.dims[0] <= 2 <= info.dims[1]:
            yield method


def budget_of(method: Mechanism, epsilon: float) -> Budget:
    """δ only for methods that need it."""
    return Budget(epsilon=epsilon, delta=DEFAULT_DELTA if method.info.needs_delta else 0.0)


def error_rows(*, quick: bool) -> Iterator[Row]:
    """Median relative error by method, level and k."""
    city = subsample(builtin("nyc-taxi"), RECORDS, seed=0)
    for k in (5,) if quick else (5, 10):
        best = exact_reference(city, k).cost
        for method in on_the_map():
            if method.info.objective != "k-means":
                continue
            for level in LEVELS:
                errors, asked = draws_of(city, method, k, level.epsilon, best, most=5 if quick else 9)
                if 2 * len(errors) <= asked:
                    continue
                low, median, high = np.quantile(errors, (0.25, 0.5, 0.75))
                yield {
                    "data": "nyc-taxi",
                    "n": RECORDS,
                    "k": k,
                    "epsilon": level.epsilon,
                    "method": method.info.name,
                    "median": float(median),
                    "quartile_1": float(low),
                    "quartile_3": float(high),
                    "answers": len(errors),
                    "draws": asked,
                }


def draws_of(
    city: ExactCounts, method: Mechanism, k: int, epsilon: float, best: float, *, most: int, patience: float = 0.7
) -> tuple[list[float], int]:
    """Errors of the draws that answered, and how many were asked; a slow method stops after `patience` CPU seconds."""
    positions, weights = weighted_local(city)
    mass = weights.astype(np.float64)
    plan = method.plan(Public.of(city), k=k, budget=budget_of(method, epsilon))
    errors: list[float] = []
    asked, started = 0, time.process_time()
    while asked < most and (asked < 3 or time.process_time() - started < patience):
        answer = method.run(city, plan, replayable_source(SEED + asked))
        asked += 1
        if isinstance(answer, Answer) and answer.centers is not None:
            errors.append(max(LEAST, cost(positions, mass, answer.centers.positions) / best - 1.0))
        elif isinstance(answer, Answer):
            errors.append(max(LEAST, cost(positions, mass, solved(answer, k)) / best - 1.0))
    return errors, asked


def solved(answer: Answer, k: int) -> NDArray[np.float64]:
    """Centers of an answer that is a coreset only."""
    coreset = answer.coreset
    assert coreset is not None
    extent = coreset.frame.extent
    return solve_kmeans(coreset.positions, coreset.weights, k, seed=0, low=np.zeros_like(extent), high=extent).centers


def speed_rows(*, quick: bool) -> Iterator[Row]:
    """Seconds of an unseeded release of the whole city by every method."""
    city = builtin("nyc-taxi")
    reference = exact_reference(city, 5)
    for method in on_the_map():
        walls: list[float] = []
        cpus: list[float] = []
        errors: list[float] = []
        size = 0
        while len(walls) < (3 if quick else 10) and sum(cpus) < 3.0:
            wall, cpu = time.perf_counter(), time.process_time()
            answer = release(city, 5, budget_of(method, 0.5), method.info.name)
            walls.append(time.perf_counter() - wall)
            cpus.append(time.process_time() - cpu)
            if not isinstance(answer, NoAnswer):
                found = evaluate(city, answer, reference=reference)
                errors.append(max(LEAST, found.relative_error))
                size = found.coreset_size
        yield {
            "method": method.info.name,
            "seconds": float(np.median(walls)),
            "cpu_seconds": float(np.median(cpus)),
            "median": float(np.median(errors)) if errors else None,
            "coreset_points": size,
            "draws": len(walls),
        }


def group_privacy_rows() -> list[Row]:
    """The calculator's table for two bases."""
    sampling = Sampling(how=How.WITHOUT_REPLACEMENT, drawn=10_000, records=1_000_000)
    rows: list[Row] = []
    for epsilon in (1.0, 4.2):
        table = group_table(
            Budget(epsilon=epsilon), SHORT_GROUPS, relation=Adjacency.REPLACE_ONE, sampling=sampling, delta=1e-9
        )
        for row in table:
            rows.append(
                {
                    "base_epsilon": epsilon,
                    "records_of_the_person": row["records"],
                    "without_a_sample": row["naive_epsilon"],
                    "epsilon": row["epsilon"],
                    "delta": row["delta"],
                    "how": row["how"],
                }
            )
    return rows
