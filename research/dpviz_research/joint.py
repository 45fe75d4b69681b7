"""Measure joint releases on this machine: holders in processes of their own, talking over TLS on the loopback.

    python -m dpviz_research.joint --holders 3 --records 1000000 --draws 1          time and bytes of a whole release
    python -m dpviz_research.joint --holders 3 --draws 40 --noise --pooling 0       error beside that of one curator

Prints one JSON document. The records are the built-in city, or as many drawn from it, split among the holders at
random. A whole release goes through every holder's door: charge, sums, folder, signatures. With `--noise` only the
method runs, and is compared with central runs of it on all records: by the squared error of every number that was
measured, over the variance of central noise; by the cost of the centers; and by how much that exceeds the least cost.
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import tempfile
import time
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import dpviz
from dpviz.clustering import solve_kmeans
from dpviz.domain import CellTree
from dpviz.joint.certificates import make_certificate
from dpviz.joint.circle import Circle
from dpviz.joint.plan import JointPlan, make_plan
from dpviz.joint.run import run_registered
from dpviz.joint.source import JointSource
from dpviz.mechanisms.adaptive_tree.mechanism import AdaptiveTree
from dpviz.mechanisms.interface import Answer, Public
from dpviz.noise import NoiseSource, secure_source

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def main() -> None:
    """Run the holders, then one central curator, `draws` times."""
    parser = argparse.ArgumentParser(prog="python -m dpviz_research.joint", description=__doc__)
    parser.add_argument("--holders", type=int, default=3)
    parser.add_argument("--records", type=int, help="default: those of the city")
    parser.add_argument("--draws", type=int, default=1)
    parser.add_argument("--k", type=int, default=5)
    parser.add_argument("--epsilon", type=float, default=1.0)
    parser.add_argument("--pooling", type=int)
    parser.add_argument("--noise", action="store_true")
    given = parser.parse_args()
    city, home = dpviz.builtin("nyc-taxi"), Path(tempfile.mkdtemp())
    cells = city.to_numpy()
    if given.records is not None:
        cells = np.random.default_rng(1).multinomial(given.records, (cells / cells.sum()).ravel()).reshape(cells.shape)
    counts = dpviz.ExactCounts.from_array(city.grid, cells)
    parts = split(cells, given.holders, np.random.default_rng(2))
    plan, folders = pinned_plan(given, counts, home)
    act: Any = run_method_jointly if given.noise else run_whole
    asked = [(plan, at, str(folders[at]), part, given.draws) for at, part in enumerate(parts)]
    with get_context("spawn").Pool(given.holders) as pool:
        told: list[Any] = pool.starmap(act, asked)
    found: dict[str, Any] = {**vars(given), "pooling": plan.pooling, "variance_factor": plan.noise_factor}
    if given.noise:
        found |= compare(counts, told[0], [run_method(plan, counts, secure_source()) for _ in range(given.draws)])
    else:
        found |= {name: [max(values) for values in zip(*(one[name] for one in told), strict=True)] for name in told[0]}
    print(json.dumps(found, indent=1))


def split(cells: Integers, holders: int, rng: np.random.Generator) -> list[Integers]:
    """The records of each holder."""
    rest, parts = cells.copy(), []
    for left in range(holders, 1, -1):
        parts.append(rng.binomial(rest, 1 / left))
        rest = rest - parts[-1]
    return [*parts, rest]


def pinned_plan(given: argparse.Namespace, counts: dpviz.ExactCounts, home: Path) -> tuple[JointPlan, list[Path]]:
    """A plan on free ports with every certificate, and the data folder of each holder."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(given.holders)]
    names = [f"h{at}=127.0.0.1:{one.getsockname()[1]}" for at, one in enumerate(sockets)]
    for one in sockets:
        one.close()
    box = counts.grid.box
    assert isinstance(box, dpviz.GeoBox)
    request = dpviz.ReleaseRequest(k=given.k, budget=dpviz.Budget(epsilon=given.epsilon))
    plan = make_plan(names, request=request, box=box, side=counts.grid.side, pooling=given.pooling)
    for holder in plan.holders:
        os.environ["DPVIZ_DATA"] = str(home / holder.name)
        plan = plan.with_certificate(holder.name, make_certificate())
    return plan, [home / holder.name for holder in plan.holders]


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
    for _ in range(draws):
        book, name = dpviz.Ledger(f"{folder}/ledger.sqlite3"), plan.holders[place].name
        opened = dpviz.register(name, counts, total=dpviz.Budget(epsilon=100.0), ledger=book)
        began = time.perf_counter()
        run_registered(Circle(plan, name, tell=words.append), opened)
        seconds.append(time.perf_counter() - began)
    numbers = [line for line in words if "noisy sums" in line]
    return {
        "seconds": seconds,
        "bytes_sent": [one.sent for one in seen],
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

    def ratio(pairs: Floats) -> list[float]:
        logs = np.log(pairs[0]) - np.log(pairs[1])
        return [float(np.exp(logs.mean())), float(1.96 * logs.std(ddof=1) / np.sqrt(len(logs)))]

    return {
        "squared_noise_over_central_variance": noise.mean(axis=1).tolist(),
        "noise_ratio": ratio(np.sqrt(noise)),
        "cost_ratio": ratio(costs),
        "excess_ratio": ratio(np.maximum(costs - 1.0, 1e-12)),
        "median_excess": np.median(costs - 1.0, axis=1).tolist(),
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
