"""Benchmarks of the parts that all methods share. Ratios within one run; CPU seconds beside wall seconds."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from sklearn.cluster import KMeans
from threadpoolctl import threadpool_limits

from dpviz.clustering.gridded import warm_up
from dpviz.domain import Adjacency
from dpviz.evaluation import evaluate, exact_reference
from dpviz.ingest import builtin
from dpviz.mechanisms import catalogue
from dpviz.mechanisms.exact_view import weighted_local
from dpviz.privacy import DEFAULT_DELTA, Budget
from dpviz.publishing.mechanism_run import release
from dpviz.releases.release import NoAnswer
from dpviz_research.throughput import measure

Rows = list[dict[str, Any]]


def timed(job: Callable[[], Any]) -> tuple[Any, float, float]:
    """Result, wall seconds, CPU seconds of this process."""
    wall, cpu = time.perf_counter(), time.process_time()
    found = job()
    return found, time.perf_counter() - wall, time.process_time() - cpu


def noise(*, quick: bool = False) -> Rows:
    """Seconds per draw and per selection."""
    return measure()


def kmeans(*, quick: bool = False) -> Rows:
    """Non-private centers of the embedded city, and the best of scikit-learn's starts, by cost and time."""
    warm_up()
    counts = builtin("nyc-taxi")
    positions, weights = weighted_local(counts)
    rows = []
    for k in (5, 10) if quick else (1, 2, 5, 10, 20):
        ours, wall, cpu = timed(partial(exact_reference, counts, k))
        starts = 5 if quick else 50
        model = KMeans(k, n_init=starts, random_state=0)
        with threadpool_limits(1):  # its threads wait for each other on a shared machine
            fitted, their_wall, their_cpu = timed(partial(model.fit, positions, sample_weight=weights))
        theirs = fitted.inertia_
        rows.append(
            {
                "k": k,
                "seconds": round(wall, 4),
                "cpu_seconds": round(cpu, 4),
                "cost_over_sklearn_best": round(ours.cost / theirs, 6),
                "sklearn_starts": starts,
                "sklearn_seconds": round(their_wall, 2),
                "sklearn_cpu_seconds": round(their_cpu, 2),
            }
        )
    return rows


def methods(*, quick: bool = False) -> Rows:
    """Every method on the embedded city at the middle level: seconds with the secure source, error, coreset size."""
    counts = builtin("nyc-taxi")
    reference = exact_reference(counts, 5)
    rows = []
    for info in (method.info for method in catalogue.METHODS):
        if Adjacency.ADD_REMOVE_ONE not in info.adjacencies or not info.dims[0] <= 2 <= info.dims[1]:
            continue
        budget = Budget(epsilon=0.5, delta=DEFAULT_DELTA)
        errors, walls = [], []
        size = 0
        for _ in range(3 if quick else 10):
            answer, wall, _ = timed(partial(release, counts, 5, budget, info.name))
            walls.append(wall)
            if isinstance(answer, NoAnswer):
                errors.append(float("inf"))
                continue
            found = evaluate(counts, answer, reference=reference)
            errors.append(found.relative_error)
            size = found.coreset_size
        rows.append(
            {
                "method": info.name,
                "median_error": float(f"{np.median(errors):.3g}"),
                "median_seconds": round(float(np.median(walls)), 3),
                "coreset_size": size,
                "draws": len(errors),
            }
        )
    return rows
