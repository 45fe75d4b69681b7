"""`bench peeled_balls`: times at side 4096, where they go, from arrays to centers, growth, hostile maps, twin, memory.

The counts are those of the synthetic peer city, 11,840,734 records, built before the clock starts. A first run on
counts also adds up their blocks, once for all later runs: both are shown. CPU milliseconds of the running thread stand
beside wall milliseconds: machines are shared.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from functools import cache, partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dpviz.clustering import GridTable, solve_kmeans
from dpviz.domain import Adjacency, ExactCounts, Grid
from dpviz.ingest import read_counts
from dpviz.mechanisms.interface import NoAnswer, Public
from dpviz.mechanisms.peeled_balls.engine import BlockSums, Peeler
from dpviz.mechanisms.peeled_balls.mechanism import PEELED_BALLS, peel
from dpviz.mechanisms.peeled_balls.schedule import peeled_weights, refine_points, spending, useful_rounds
from dpviz.noise import NoiseSource, replayable_source, secure_source
from dpviz.privacy import Budget
from dpviz_research import own_environment
from dpviz_research.hostile_counts import HOSTILE
from dpviz_research.synthetic import SYNTHETIC_BOX, subsample, synthetic_chunks
from tests.oracles.peeling import NaivePeeler

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
    for source in (replayable_source(SEED), secure_source()):
        run(counts, 5, 0.5, source)  # compiles
    rows = runs(counts, repeats=5 if quick else 15)
    rows += where_time_goes(counts, 5) + where_time_goes(counts, 10)
    rows += from_arrays(records, side, repeats=2 if quick else 5)
    rows += growth(counts, quick=quick)
    rows += hostile_inputs(side, min(records, 4_000_000))
    rows += against_twin(peer_counts(min(records, 1_000_000), 256 if quick else 512))
    rows += printed_forms(quick=quick)
    rows += four_dimensions(100_000 if quick else 1_000_000)
    return [*rows, peak_memory(records, side)]


@cache
def peer_counts(records: int, side: int) -> ExactCounts:
    """The peer city on a grid of this side."""
    grid = Grid(SYNTHETIC_BOX, side)
    cells = np.zeros(side * side, np.int64)
    for chunk in synthetic_chunks(records, seed=0):
        cells += np.bincount(grid.cells(chunk[:, 0], chunk[:, 1]), minlength=side * side)
    return ExactCounts.from_array(grid, cells.reshape(side, side))


def timed(job: Callable[[], Any], repeats: int) -> tuple[Any, dict[str, float]]:
    """The last result, and median and least wall and CPU milliseconds."""
    walls, cpus, result = [], [], None
    for _ in range(repeats):
        wall, cpu = time.perf_counter(), time.thread_time()
        result = job()
        walls.append(time.perf_counter() - wall)
        cpus.append(time.thread_time() - cpu)
    return result, {
        "wall_median_ms": round(1e3 * float(np.median(walls)), 1),
        "wall_least_ms": round(1e3 * min(walls), 1),
        "cpu_median_ms": round(1e3 * float(np.median(cpus)), 1),
        "cpu_least_ms": round(1e3 * min(cpus), 1),
    }


def run(data: Any, k: int, epsilon: float, noise: NoiseSource, delta: float = DELTA) -> Any:
    """One whole run, plan included."""
    plan = PEELED_BALLS.plan(Public.of(data), k=k, budget=Budget(epsilon=epsilon, delta=delta))
    return PEELED_BALLS.run(data, plan, noise)


def of_a_run(part: str, data: Any, k: int, epsilon: float, source: NoiseSource, *, repeats: int, **more: Any) -> Rows:
    """Times of whole runs on data, the first of all and later ones."""
    fresh = data
    if isinstance(data, ExactCounts):  # another object, on which nothing has been added up yet
        fresh = ExactCounts(data.grid, data.exact_cells, relation=data.relation, public_rows=data.public_rows)
        assert fresh.exact_total >= 0  # the total belongs to the counts
    delta = more.pop("delta", DELTA)
    _, first = timed(partial(run, fresh, k, epsilon, source, delta), 1)
    answer, times = timed(partial(run, fresh, k, epsilon, source, delta), repeats)
    row = {"part": part, "k": k, "epsilon": epsilon, "delta": delta, "noise": source.kind}
    row |= {"rounds": answer.constants.get("rounds"), "answer": not isinstance(answer, NoAnswer)}
    return [{**row, "first_wall_ms": first["wall_least_ms"], **times, **more}]


def runs(counts: ExactCounts, *, repeats: int) -> Rows:
    """Whole runs by k, ε, δ and source of noise."""
    rows: Rows = []
    for k in (1, 5, 10):
        for epsilon, delta in ((0.5, DELTA), (0.05, DELTA), (0.5, 0.0)):
            for source in (replayable_source(SEED), secure_source()):
                shared = {"records": counts.exact_total, "side": counts.grid.side, "delta": delta}
                rows += of_a_run("whole run", counts, k, epsilon, source, repeats=repeats, **shared)
    return rows


def growth(counts: ExactCounts, *, quick: bool) -> Rows:
    """The same grid with 10^6 to 10^9 records, drawn from the city's shares."""
    rows: Rows = []
    for power in (6, 7) if quick else (6, 7, 8, 9):
        scaled = subsample(counts, 10**power, seed=power)
        shared = {"records": 10**power, "side": counts.grid.side}
        source = replayable_source(SEED)
        rows += of_a_run("growth with n", scaled, 5, GROWTH_EPSILON, source, repeats=7, **shared)
    return rows


def hostile_inputs(side: int, records: int) -> Rows:
    """Maps made to be slow, at a level with little noise and at one where noise decides."""
    rows: Rows = []
    for name, make in HOSTILE.items():
        counts = ExactCounts.from_array(Grid(SYNTHETIC_BOX, side), make(side, records))
        for epsilon in (0.5, 0.02):
            shared = {"step": name, "records": counts.exact_total, "side": side}
            rows += of_a_run("hostile input", counts, 5, epsilon, replayable_source(SEED), repeats=3, **shared)
    return rows


def where_time_goes(counts: ExactCounts, k: int) -> Rows:
    """The steps of one run, apart: CPU milliseconds of building, rounds (selection and removal apart), refinement."""
    budget = Budget(epsilon=0.5, delta=DELTA)
    rounds = useful_rounds(counts.exact_total, k, budget)
    spend, weights = spending(budget, rounds), peeled_weights(counts.exact_total, k, rounds)
    sums, build = timed(lambda: BlockSums(counts.exact_cells), 5)
    steps: dict[str, list[float]] = {}
    for seed in range(7):
        state, prepare = timed(lambda: WatchedPeeler(counts.grid, sums), 1)
        source = replayable_source(seed)
        found, whole = timed(partial(peel, state, weights, spend, counts.relation, counts.grid, source), 1)
        balls = np.array(weights, np.float64)
        positions, radii = found
        job = partial(refine_points, sums, counts.grid, positions, radii, balls, spend, counts.relation, source)
        inside = {name: 1e3 * seconds for name, seconds in state.spent.items()}
        spent = {
            "working copy": prepare["cpu_least_ms"],
            **inside,
            "noise and bookkeeping of the rounds": whole["cpu_least_ms"] - sum(inside.values()),
            "refinement": timed(job, 1)[1]["cpu_least_ms"],
        }
        for name, value in spent.items():
            steps.setdefault(name, []).append(value)
    shared = {"part": "where the time goes", "k": k, "epsilon": 0.5, "delta": DELTA, "noise": "replayable"}
    shared |= {"rounds": rounds, "records": counts.exact_total, "side": counts.grid.side}
    rows = [{**shared, "step": "sums of blocks, once for each table of counts", **build}]
    for name, values in steps.items():
        times = {"cpu_median_ms": round(float(np.median(values)), 2), "cpu_least_ms": round(min(values), 2)}
        rows.append({**shared, "step": name, **times})
    return rows


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


def from_arrays(records: int, side: int, *, repeats: int) -> Rows:
    """Everything from pairs of numbers in memory: count, peel, cluster the coreset, and the exact centers beside it."""
    jobs = steps_from_arrays(pairs_in_memory(records), side)
    measured: list[dict[str, dict[str, float]]] = []
    for _ in range(repeats + 1):  # the first one compiles
        measured.append({name: timed(job, 1)[1] for name, job in jobs.items()})
    shared = {"part": "from arrays in memory", "k": 5, "epsilon": 0.5, "delta": DELTA, "noise": "replayable"}
    shared |= {"records": records, "side": side}
    rows: Rows = []
    for name in (*jobs, "all of it"):
        parts = [job for job in jobs if name in (job, "all of it")]
        walls = [sum(each[job]["wall_least_ms"] for job in parts) for each in measured[1:]]
        cpus = [sum(each[job]["cpu_least_ms"] for job in parts) for each in measured[1:]]
        times = {"wall_median_ms": float(np.median(walls)), "wall_least_ms": min(walls)}
        times |= {"cpu_median_ms": float(np.median(cpus)), "cpu_least_ms": min(cpus)}
        rows.append({**shared, "step": name, **{key: round(value, 1) for key, value in times.items()}})
    return rows


def pairs_in_memory(records: int) -> NDArray[np.float64]:
    """The peer city as pairs of longitude and latitude, (records, 2)."""
    pairs = np.empty((records, 2))
    done = 0
    for chunk in synthetic_chunks(records, seed=0):
        pairs[done : done + len(chunk)] = chunk
        done += len(chunk)
    return pairs


def steps_from_arrays(pairs: NDArray[np.float64], side: int) -> dict[str, Callable[[], None]]:
    """The steps from pairs to both sets of centers, each to be called after the one before."""
    made: dict[str, Any] = {}

    def count() -> None:
        made.clear()
        made["counts"] = read_counts(pairs, box=SYNTHETIC_BOX, side=side)

    def coreset() -> None:
        made["coreset"] = run(made["counts"], 5, 0.5, replayable_source(SEED)).coreset

    def protected() -> None:
        found = made["coreset"]
        extent = found.frame.extent
        solve_kmeans(found.positions, found.weights, 5, seed=0, low=np.zeros(len(extent)), high=extent)

    def exact() -> None:
        grid, cells = made["counts"].grid, made["counts"].exact_cells
        GridTable.of(cells, cell_width=grid.cell_width, cell_height=grid.cell_height).solve(5, seed=0)

    return {
        "count": count,
        "coreset, first run on these counts": coreset,
        "centers of the coreset": protected,
        "exact centers": exact,
    }


def against_twin(counts: ExactCounts) -> Rows:
    """All rounds by the engine and by the twin in plain numpy, same noise: same centers, and how much faster."""
    budget = Budget(epsilon=0.5, delta=DELTA)
    rounds = useful_rounds(counts.exact_total, 5, budget)
    spend, weights = spending(budget, rounds), peeled_weights(counts.exact_total, 5, rounds)
    rows: Rows = []
    centers = []
    for kind in (Peeler, NaivePeeler):

        def job(kind: type[Peeler] | type[NaivePeeler] = kind) -> Any:
            state: Any = kind(counts.grid, counts.exact_cells)
            return peel(state, weights, spend, Adjacency.ADD_REMOVE_ONE, counts.grid, replayable_source(SEED))

        found, times = timed(job, 1)
        centers.append(found[0])
        shared = {"part": "engine and twin", "k": 5, "epsilon": 0.5, "delta": DELTA, "noise": "replayable"}
        shared |= {"rounds": rounds, "records": counts.exact_total, "side": counts.grid.side}
        rows.append({**shared, "step": kind.__name__, **times})
    for row in rows:
        row["same_centers"] = bool(np.array_equal(*centers))
        row["times_slower"] = round(row["cpu_least_ms"] / rows[0]["cpu_least_ms"], 1)
    return rows


def printed_forms(*, quick: bool) -> Rows:
    """GOOD-RADIUS of the printed algorithm by both of the paper's forms, and the slope of log time on log n."""
    from dpviz_research.papers.feldman2017_time import radius_rows, slope

    sizes = (1_000, 2_000, 4_000) if quick else (1_000, 2_000, 4_000, 8_000, 100_000, 1_000_000)
    found = list(radius_rows(sizes))
    rows: Rows = []
    for what in dict.fromkeys(row["what"] for row in found):
        part = [row for row in found if row["what"] == what]
        for row in part:
            times = {"cpu_least_ms": round(1e3 * row["cpu_seconds"], 2), "slope": round(slope(part), 2)}
            rows.append({"part": "paper forms", "step": what, "k": 5, "records": row["records"], **times})
    return rows


def four_dimensions(records: int) -> Rows:
    """Simulated trips, k = 1 and 5."""
    from dpviz_research.papers.feldman2017_time import simulated_trips

    trips = simulated_trips(records, Adjacency.ADD_REMOVE_ONE)
    rows: Rows = []
    for k in (1, 5):
        rows += of_a_run("four dimensions", trips, k, 0.5, secure_source(), repeats=3, records=records)
    return rows


def peak_memory(records: int, side: int) -> dict[str, Any]:
    """Peak memory of a process that goes from arrays in memory to both sets of centers."""
    code = (
        "from dpviz_research import bench_peeling as b; from dpviz_research.memory import peak_megabytes as peak;"
        f"steps = b.steps_from_arrays(b.pairs_in_memory({records}), {side});"
        "print(peak(), *[step() or peak() for step in steps.values()])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=own_environment(), capture_output=True, text=True, check=True
    )
    printed = done.stdout
    shared = {"part": "peak memory, from arrays to centers", "k": 5, "epsilon": 0.5, "delta": DELTA}
    before, *after = (float(value) for value in printed.split())
    return {**shared, "records": records, "side": side, "peak_before_mb": round(before), "peak_mb": round(after[-1])}
