"""Measure a joint run on this machine: holders in processes of their own, their sums over TLS on the loopback.

    python -m dpviz_research.joint --holders 3 --records 1000000 --draws 10

Prints one JSON document: seconds and bytes a holder, and the error of the joint centers over that of central ones
(the same method and budget, secure noise, paired splits of the built-in city).
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import tempfile
import time
from multiprocessing import get_context
from typing import Any

import numpy as np

import dpviz
from dpviz.mechanisms.adaptive_tree.mechanism import AdaptiveTree
from dpviz.mechanisms.interface import Answer, Public
from dpviz.noise import NoiseSource, secure_source
from dpviz_research.joint.certificates import make_certificate
from dpviz_research.joint.circle import Circle
from dpviz_research.joint.plan import JointPlan, make_plan
from dpviz_research.joint.source import JointSource


def main() -> None:
    """Run the holders, then one central curator, `draws` times."""
    parser = argparse.ArgumentParser(prog="python -m dpviz_research.joint", description=__doc__)
    parser.add_argument("--holders", type=int, default=3)
    parser.add_argument("--records", type=int, default=1_000_000)
    parser.add_argument("--draws", type=int, default=1)
    parser.add_argument("--k", type=int, default=5)
    parser.add_argument("--epsilon", type=float, default=1.0)
    parser.add_argument("--pooling", type=int)
    given = parser.parse_args()
    os.environ["DPVIZ_DATA"] = tempfile.mkdtemp()
    city = dpviz.builtin("nyc-taxi")
    whole = np.random.default_rng(1).multinomial(given.records, (city.to_numpy() / city.to_numpy().sum()).ravel())
    counts = dpviz.ExactCounts.from_array(city.grid, whole.reshape(city.to_numpy().shape))
    rows = [measure(given, counts, draw) for draw in range(given.draws)]
    errors = np.array([[row.pop("joint_error"), row.pop("central_error")] for row in rows])
    medians = {name: float(np.median([row[name] for row in rows])) for name in rows[0]}
    print(
        json.dumps(
            {
                **vars(given),
                **medians,
                "median_error_joint": float(np.median(errors[:, 0])),
                "median_error_central": float(np.median(errors[:, 1])),
            },
            indent=1,
        )
    )


def measure(given: argparse.Namespace, counts: dpviz.ExactCounts, draw: int) -> dict[str, float]:
    """One joint and one central run on the same records."""
    rng, rest, parts = np.random.default_rng(draw), counts.to_numpy(), []
    for left in range(given.holders, 1, -1):
        parts.append(rng.binomial(rest, 1 / left))
        rest = rest - parts[-1]
    parts.append(rest)
    plan = _pinned_plan(given, counts)
    began = time.perf_counter()
    with get_context("spawn").Pool(given.holders) as pool:
        told = pool.starmap(run_holder, [(plan, at, part) for at, part in enumerate(parts)])
    seconds = time.perf_counter() - began
    central = run_method(plan, counts, secure_source())
    assert central.centers is not None
    return {
        "seconds_with_start": seconds,
        "seconds": max(one["seconds"] for one in told),
        "bytes_sent_a_holder": told[0]["sent"],
        "rounds": told[0]["rounds"],
        "numbers": told[0]["numbers"],
        "joint_error": _excess(counts, np.array(told[0]["centers"])),
        "central_error": _excess(counts, central.centers.positions),
    }


def run_holder(plan: JointPlan, place: int, part: Any) -> dict[str, Any]:
    """What one holder does, in its own process."""
    counts = dpviz.ExactCounts.from_array(dpviz.builtin("nyc-taxi").grid, part)
    began = time.perf_counter()
    with Circle(plan, plan.holders[place].name) as circle:
        source = JointSource(circle)
        answer = run_method(plan, counts, source)
    assert answer.centers is not None
    return {
        "seconds": time.perf_counter() - began,
        "sent": circle.sent,
        "rounds": source.rounds,
        "numbers": source.numbers,
        "centers": answer.centers.positions.tolist(),
    }


def run_method(plan: JointPlan, counts: dpviz.ExactCounts, noise: NoiseSource) -> Answer:
    """The plan's method on these counts."""
    method = AdaptiveTree()
    return method.run(counts, method.plan(Public.of(counts), k=plan.request.k, budget=plan.request.budget), noise)


def _pinned_plan(given: argparse.Namespace, counts: dpviz.ExactCounts) -> JointPlan:
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(given.holders)]
    names = [f"h{at}=127.0.0.1:{one.getsockname()[1]}" for at, one in enumerate(sockets)]
    for one in sockets:
        one.close()
    box = counts.grid.box
    assert isinstance(box, dpviz.GeoBox)
    plan = make_plan(names, box=box, k=given.k, epsilon=given.epsilon, side=counts.grid.side, pooling=given.pooling)
    for holder in plan.holders:
        plan = plan.with_certificate(holder.name, make_certificate(plan, holder.name))
    return plan


def _excess(counts: dpviz.ExactCounts, centers: Any) -> float:
    """Cost of the centers over the best known cost, minus 1."""
    from dpviz.clustering import solve_kmeans

    rows, columns = np.nonzero(counts.to_numpy())
    side, extent = counts.grid.side, counts.grid.frame.extent
    points = np.column_stack([(columns + 0.5) / side, (side - rows - 0.5) / side]) * extent
    weights = counts.to_numpy()[rows, columns].astype(np.float64)
    best = solve_kmeans(points, weights, len(centers), seed=1).centers

    def cost(of: Any) -> float:
        return float((weights * ((points[:, None, :] - of[None]) ** 2).sum(axis=2).min(axis=1)).sum())

    return cost(centers) / cost(best) - 1.0
