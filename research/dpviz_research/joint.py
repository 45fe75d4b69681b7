"""Measure joint releases on this machine: holders in processes of their own, talking over TLS on the loopback.

    python -m dpviz_research.joint --draws 40 --out docs/evidence
    python -m dpviz_research.joint --draws 2 --holders 3 --pooling 0 --records 100000 --out /tmp      one row, quickly

For each number of holders and of those that may pool: the error beside that of one curator of all records, and the
time and bytes of whole releases. For the error only the method runs, on the built-in city split among the holders at
random; it is compared with as many central runs by the squared error of every number that was measured, over the
variance of central noise. A whole release goes through every holder's door: charge,
sums, folder, signatures.
"""

from __future__ import annotations

import os
import socket
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import repeat
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import dpviz
from dpviz.clustering import solve_kmeans
from dpviz.domain import CellTree
from dpviz.joint.circle import Circle
from dpviz.joint.plan import JointPlan, make_certificate, make_plan
from dpviz.joint.run import run_registered
from dpviz.joint.source import JointSource
from dpviz.mechanisms.adaptive_tree.mechanism import AdaptiveTree
from dpviz.mechanisms.interface import Answer, Public
from dpviz.noise import NoiseSource, secure_source
from dpviz_research.papers.records import read_options, write_record

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
K, EPSILON = 5, 0.5
SETTINGS = ((3, 0), (5, 0), (3, 1))  # holders, and how many of them may pool
WHOLE = 2  # whole releases that are timed


def main() -> None:
    """Measure and write a record for the page *Evidence*."""
    given = read_options(__doc__, draws=40, holders=0, pooling=0, records=1_000_000)
    settings = ((given.holders, given.pooling),) if given.holders else SETTINGS
    write_record(
        given.out / "joint.json",
        title="Releases of several holders",
        what=(
            f"Releases of several holders beside those of one curator of all records, ε = {EPSILON}, {K} clusters. "
            "Noise: how much larger the typical error of all measured numbers is than in a release of one curator, "
            "and half the width of its 95 % interval over the draws. Excess: how much higher the cost of the centers "
            "is than without protection, in the middle. Seconds, bytes sent by one holder, rounds "
            f"and noisy sums are the most of {WHOLE} whole releases of {given.records:,} records after a first one; "
            "all holders share this machine with other work. No constant was chosen on these draws."
        ),
        kind="table",
        rows=list(rows(settings, given.draws, given.records)),
        command=f"python -m dpviz_research.joint --draws {given.draws} --out docs/evidence",
        seed="none: secure noise; records are split with seed 2",
        data=f"nyc-taxi, {given.records:,} drop-offs drawn with seed 1",
    )


def rows(settings: Sequence[tuple[int, int]], draws: int, records: int) -> Iterator[dict[str, Any]]:
    """One row per number of holders and of those that may pool."""
    city = dpviz.builtin("nyc-taxi")
    every = city.to_numpy()
    cells = np.random.default_rng(1).multinomial(records, (every / every.sum()).ravel()).reshape(every.shape)
    counts = dpviz.ExactCounts.from_array(city.grid, cells)
    central: list[Answer] = []
    for holders, pooling in settings:
        home = Path(tempfile.mkdtemp())
        plan, folders = pinned_plan(holders, pooling, city, home)
        with get_context("spawn").Pool(holders) as pool:
            found: list[list[Any]] = [
                pool.starmap(act, zip(repeat(plan), range(holders), folders, parts_of(cells, holders), repeat(times)))
                for act, times in ((run_whole, WHOLE), (run_method_jointly, draws))
            ]
        told, joint = found
        central = central or [run_method(plan, counts, secure_source()) for _ in range(draws)]
        yield {
            "holders": holders,
            "pooling": pooling,
            "draws": draws,
            **compare(counts, joint[0], central),
            **{name: max(max(one[name]) for one in told) for name in told[0]},
        }


def parts_of(cells: Integers, holders: int) -> list[Integers]:
    """The records of each holder, at random."""
    rng = np.random.default_rng(2)
    rest, parts = cells.copy(), []
    for left in range(holders, 1, -1):
        parts.append(rng.binomial(rest, 1 / left))
        rest = rest - parts[-1]
    return [*parts, rest]


def pinned_plan(holders: int, pooling: int, counts: dpviz.ExactCounts, home: Path) -> tuple[JointPlan, list[str]]:
    """A plan on free ports with every certificate, and the data folder of each holder."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(holders)]
    names = [f"h{at}=127.0.0.1:{one.getsockname()[1]}" for at, one in enumerate(sockets)]
    for one in sockets:
        one.close()
    box = counts.grid.box
    assert isinstance(box, dpviz.GeoBox)
    request = dpviz.ReleaseRequest(k=K, budget=dpviz.Budget(epsilon=EPSILON))
    plan = make_plan(names, request=request, box=box, side=counts.grid.side, pooling=pooling)
    for holder in plan.holders:
        os.environ["DPVIZ_DATA"] = str(home / holder.name)
        plan = plan.with_certificate(holder.name, make_certificate())
    return plan, [str(home / holder.name) for holder in plan.holders]


def run_whole(plan: JointPlan, place: int, folder: str, part: Integers, draws: int) -> dict[str, list[float]]:
    """Whole releases of one holder, in its own process: seconds, bytes, rounds and noisy sums of each."""
    os.environ["DPVIZ_DATA"] = folder
    seen: list[Circle] = []
    words: list[str] = []
    honest = Circle.__enter__

    def enter(self: Circle) -> Circle:
        seen.append(self)
        return honest(self)

    Circle.__enter__ = enter  # type: ignore[method-assign]
    counts = dpviz.ExactCounts.from_array(dpviz.builtin("nyc-taxi").grid, part)
    seconds: list[float] = []
    worked: list[float] = []
    for _ in range(1 + draws):
        book, name = dpviz.Ledger(f"{folder}/ledger.sqlite3"), plan.holders[place].name
        opened = dpviz.register(name, counts, total=dpviz.Budget(epsilon=100.0), ledger=book)
        began, busy = time.perf_counter(), time.process_time()
        run_registered(Circle(plan, name, tell=words.append), opened)
        seconds.append(time.perf_counter() - began)
        worked.append(time.process_time() - busy)
    numbers = [line for line in words if "noisy sums" in line]
    return {
        "seconds": [round(one, 2) for one in seconds[1:]],
        "cpu_seconds": [round(one, 2) for one in worked[1:]],
        "bytes_sent": [float(one.sent) for one in seen],
        "rounds": [max(int(line.split()[0]) for line in numbers)],
        "noisy_sums": [max(int(line.split()[2].replace(",", "")) for line in numbers)],
    }


def run_method_jointly(plan: JointPlan, place: int, folder: str, part: Integers, draws: int) -> list[Answer]:
    """What the method gives one holder, in its own process; the same at all of them."""
    os.environ["DPVIZ_DATA"] = folder
    counts = dpviz.ExactCounts.from_array(dpviz.builtin("nyc-taxi").grid, part)
    found = []
    for _ in range(draws):
        with Circle(plan, plan.holders[place].name) as circle:
            found.append(run_method(plan, counts, JointSource(circle)))
            circle.compare("release", b"")
    return found if place == 0 else []


def run_method(plan: JointPlan, counts: dpviz.ExactCounts, noise: NoiseSource) -> Answer:
    """The plan's method on these counts."""
    method = AdaptiveTree()
    return method.run(counts, method.plan(Public.of(counts), k=plan.request.k, budget=plan.request.budget), noise)


def compare(counts: dpviz.ExactCounts, joint: list[Answer], central: list[Answer]) -> dict[str, Any]:
    """Errors of joint runs over those of central ones, each with the half width of a 95 % interval."""
    rows, columns = np.nonzero(counts.to_numpy())
    side, extent = counts.grid.side, counts.grid.frame.extent
    points = np.column_stack([(columns + 0.5) / side, (side - rows - 0.5) / side]) * extent
    weights = counts.to_numpy()[rows, columns].astype(np.float64)

    def cost(of: Floats) -> float:
        return float((weights * ((points[:, None, :] - of[None]) ** 2).sum(axis=2).min(axis=1)).sum())

    def centers(answer: Answer) -> Floats:
        assert answer.centers is not None
        return answer.centers.positions

    best = min(cost(solve_kmeans(points, weights, len(centers(joint[0])), seed=seed).centers) for seed in range(3))
    costs = np.array([[cost(centers(one)) / best for one in answers] for answers in (joint, central)])
    noise = np.array([[squared_error(counts, one.cells) for one in answers] for answers in (joint, central)])

    logs = (np.log(noise[0]) - np.log(noise[1])) / 2.0
    return {
        "noise_over_central": round(float(np.exp(logs.mean())), 4),
        "noise_half_interval": round(float(1.96 * logs.std(ddof=1) / np.sqrt(len(logs))), 4),
        "excess_joint": float(f"{np.median(costs[0] - 1.0):.3g}"),
        "excess_central": float(f"{np.median(costs[1] - 1.0):.3g}"),
    }


def squared_error(counts: dpviz.ExactCounts, tree: CellTree | None) -> float:
    """The mean squared error of the numbers that were measured, over the variance that the method states."""
    assert tree is not None
    cells = counts.to_numpy()[::-1]  # south first
    summed = np.zeros((len(cells) + 1, len(cells) + 1), np.int64)
    summed[1:, 1:] = cells.cumsum(axis=0).cumsum(axis=1)
    span = (np.asarray(tree.frame.high) - np.asarray(tree.frame.low)) / len(cells)
    low, high = (
        np.rint((ends[tree.node] - np.asarray(tree.frame.low)) / span).astype(int) for ends in (tree.low, tree.high)
    )
    exact = (
        summed[high[:, 1], high[:, 0]]
        - summed[low[:, 1], high[:, 0]]
        - summed[high[:, 1], low[:, 0]]
        + summed[low[:, 1], low[:, 0]]
    )
    return float(np.mean((tree.value - exact) ** 2 / tree.variance))


if __name__ == "__main__":
    main()
