"""`bench peeled_balls`: times at side 4096, against the naive twin, growth with n, where the time goes, peak memory.

The counts are those of the synthetic peer city, 11,840,734 records, built before the clock starts. CPU seconds stand
beside wall seconds: the machines are shared.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from collections.abc import Callable
from functools import cache, partial
from typing import Any, ClassVar

import numpy as np

from dpviz.domain import Adjacency, ExactCounts, Grid
from dpviz.ingest.synthetic import SYNTHETIC_BOX, subsample, synthetic_chunks
from dpviz.mechanisms.interface import Public
from dpviz.mechanisms.peeled_balls import PEELED_BALLS, peel
from dpviz.mechanisms.peeling.block_sums import BlockSums
from dpviz.mechanisms.peeling.engine import Peeler
from dpviz.mechanisms.peeling.refine import refined
from dpviz.mechanisms.peeling.schedule import peeled_weights, spending, useful_rounds
from dpviz.mechanisms.peeling.twin import NaivePeeler
from dpviz.noise import NoiseSource, replayable_source, secure_source
from dpviz.privacy import Budget

Rows = list[dict[str, Any]]
RECORDS = 11_840_734
SIDE = 4096
DELTA = 1e-9
SEED = 4
GROWTH_EPSILON = 20.0  # so large that every n gets the same number of rounds


def peeled_balls(*, quick: bool = False) -> Rows:
    """All parts of the benchmark, as rows told apart by `part`."""
    side, records = (1024, 1_000_000) if quick else (SIDE, RECORDS)
    counts = peer_counts(records, side)
    runs(counts, repeats=1)  # compiles
    rows = runs(counts, repeats=3 if quick else 5)
    rows += growth(counts, quick=quick)
    rows += where_time_goes(counts, 5)
    rows += against_twin(peer_counts(min(records, 1_000_000), 256 if quick else 512))
    rows += four_dimensions(100_000 if quick else 1_000_000)
    rows.append(peak_memory(records, side))
    return rows


@cache
def peer_counts(records: int, side: int) -> ExactCounts:
    """The peer city on a grid of this side."""
    grid = Grid(SYNTHETIC_BOX, side)
    cells = np.zeros(side * side, np.int64)
    for chunk in synthetic_chunks(records, seed=0):
        cells += np.bincount(grid.cells(chunk[:, 0], chunk[:, 1]), minlength=side * side)
    return ExactCounts.from_array(grid, cells.reshape(side, side))


def timed(job: Callable[[], Any], repeats: int) -> tuple[Any, dict[str, float]]:
    """The last result, and median and least wall and CPU seconds."""
    walls, cpus, result = [], [], None
    for _ in range(repeats):
        wall, cpu = time.perf_counter(), time.process_time()
        result = job()
        walls.append(time.perf_counter() - wall)
        cpus.append(time.process_time() - cpu)
    return result, {
        "wall_median_s": round(float(np.median(walls)), 4),
        "wall_least_s": round(min(walls), 4),
        "cpu_median_s": round(float(np.median(cpus)), 4),
        "cpu_least_s": round(min(cpus), 4),
    }


def run(data: Any, k: int, epsilon: float, noise: NoiseSource, delta: float = DELTA) -> Any:
    """One whole run, plan included."""
    plan = PEELED_BALLS.plan(Public.of(data), k=k, budget=Budget(epsilon=epsilon, delta=delta))
    return PEELED_BALLS.run(data, plan, noise)


def runs(counts: ExactCounts, *, repeats: int) -> Rows:
    """Whole runs by k, ε, δ and source of noise."""
    rows = []
    for k in (1, 5, 10):
        for epsilon, delta in ((0.5, DELTA), (0.05, DELTA), (0.5, 0.0)):
            for source in (replayable_source(SEED), secure_source()):
                answer, times = timed(partial(run, counts, k, epsilon, source, delta), repeats)
                rows.append(
                    {
                        "part": "whole run",
                        "side": counts.grid.side,
                        "records": counts.exact_total,
                        "k": k,
                        "epsilon": epsilon,
                        "delta": delta,
                        "noise": source.kind,
                        "rounds": answer.constants["rounds"],
                        **times,
                    }
                )
    return rows


def growth(counts: ExactCounts, *, quick: bool) -> Rows:
    """The same grid with 10^6 to 10^9 records, drawn from the city's shares."""
    rows = []
    for power in (6, 7) if quick else (6, 7, 8, 9):
        scaled = subsample(counts, 10**power, seed=power)
        answer, times = timed(partial(run, scaled, 5, GROWTH_EPSILON, replayable_source(SEED)), 3)
        rows.append(
            {
                "part": "growth with n",
                "side": counts.grid.side,
                "records": 10**power,
                "k": 5,
                "epsilon": GROWTH_EPSILON,
                "delta": DELTA,
                "noise": "replayable",
                "rounds": answer.constants["rounds"],
                **times,
            }
        )
    return rows


def where_time_goes(counts: ExactCounts, k: int) -> Rows:
    """The steps of one run, apart: CPU seconds of building, rounds (selection and removal apart) and refinement."""
    budget = Budget(epsilon=0.5, delta=DELTA)
    rounds = useful_rounds(counts.exact_total, k, budget)
    spend, weights = spending(budget, rounds), peeled_weights(counts.exact_total, k, rounds)
    sums, build = timed(lambda: BlockSums(counts.exact_cells), 3)
    state, prepare = timed(lambda: WatchedPeeler(counts.grid, sums), 3)
    found, whole = timed(
        partial(peel, state, weights, spend, Adjacency.ADD_REMOVE_ONE, counts.grid, replayable_source(SEED)), 1
    )
    positions, radii = found
    balls = np.array(weights, np.float64)
    source = replayable_source(SEED)
    job = partial(refined, sums, counts.grid, positions, radii, balls, spend, counts.relation, source)
    _, refinement = timed(job, 1)
    inside = sum(state.spent.values())
    parts = {"sums over blocks, once per table of counts": build["cpu_least_s"], "working copy": prepare["cpu_least_s"]}
    parts |= {**{name: round(s, 4) for name, s in state.spent.items()}}
    parts["noise and bookkeeping of the rounds"] = round(whole["cpu_least_s"] - inside, 4)
    parts["refinement"] = refinement["cpu_least_s"]
    shared = {"part": "where the time goes", "side": counts.grid.side, "records": counts.exact_total, "k": k}
    return [{**shared, "step": step, "rounds": rounds, "cpu_least_s": seconds} for step, seconds in parts.items()]


class WatchedPeeler(Peeler):
    """The engine with a clock in each of its calls."""

    steps: ClassVar[dict[str, str]] = {
        "exact_settle": "largest windows",
        "exact_learn": "largest windows",
        "exact_largest": "largest windows",
        "exact_groups": "groups of scores",
        "candidate": "groups of scores",
        "exact_score": "groups of scores",
        "remove": "removal",
    }

    def __init__(self, grid: Grid, exact_sums: BlockSums) -> None:
        super().__init__(grid, exact_sums)
        self.spent = dict.fromkeys(self.steps.values(), 0.0)
        for name, step in self.steps.items():
            setattr(self, name, self._watched(getattr(self, name), step))

    def _watched(self, call: Callable[..., Any], step: str) -> Callable[..., Any]:
        def watched(*given: Any) -> Any:
            started = time.thread_time()
            found = call(*given)
            self.spent[step] += time.thread_time() - started
            return found

        return watched


def against_twin(counts: ExactCounts) -> Rows:
    """All rounds by the engine and by the twin in plain numpy, same noise: same centers, and how much faster."""
    budget = Budget(epsilon=0.5, delta=DELTA)
    rounds = useful_rounds(counts.exact_total, 5, budget)
    spend, weights = spending(budget, rounds), peeled_weights(counts.exact_total, 5, rounds)
    rows: Rows = []
    centers = []
    for kind in (Peeler, NaivePeeler):

        def job(kind: type[Peeler] | type[NaivePeeler] = kind) -> Any:
            state = kind(counts.grid, counts.exact_cells)
            return peel(state, weights, spend, Adjacency.ADD_REMOVE_ONE, counts.grid, replayable_source(SEED))

        found, times = timed(job, 1)
        centers.append(found[0])
        shared = {"part": "engine and twin", "side": counts.grid.side, "records": counts.exact_total, "k": 5}
        rows.append({**shared, "step": kind.__name__, "rounds": rounds, **times})
    for row in rows:
        row["same_centers"] = bool(np.array_equal(*centers))
        row["times_slower"] = round(row["cpu_least_s"] / rows[0]["cpu_least_s"], 1)
    return rows


def four_dimensions(records: int) -> Rows:
    """Simulated trips, k = 1 and 5."""
    from dpviz.experiments.papers.feldman2017_time import simulated_trips

    trips = simulated_trips(records, Adjacency.ADD_REMOVE_ONE)
    rows = []
    for k in (1, 5):
        answer, times = timed(partial(run, trips, k, 0.5, secure_source()), 3)
        shared = {"part": "four dimensions", "records": records, "k": k, "epsilon": 0.5, "delta": DELTA}
        rows.append({**shared, "noise": "secure", "rounds": answer.constants["rounds"], **times})
    return rows


def peak_memory(records: int, side: int) -> dict[str, Any]:
    """Peak memory of a process that builds counts from blocks and runs once, and of the run alone."""
    code = (
        "from dpviz.experiments import bench_peeling as b; from dpviz.noise import replayable_source;"
        f"c = b.peer_counts({records}, {side}); before = b.peak_megabytes();"
        "b.run(c, 5, 0.5, replayable_source(1)); print(before, b.peak_megabytes())"
    )
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    before, after = (float(value) for value in printed.split())
    shared = {"part": "peak memory", "side": side, "records": records, "k": 5, "epsilon": 0.5, "delta": DELTA}
    return {**shared, "peak_mb": after, "peak_before_run_mb": before}


def peak_megabytes() -> float:
    """Peak resident memory of this process so far."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(peak / (2**20 if sys.platform == "darwin" else 2**10), 1)
