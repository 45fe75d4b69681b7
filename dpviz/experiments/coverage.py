"""How often the 90 % radii of adaptive_tree hold the mean they are drawn around, case by case. Curator only.

python -m dpviz.experiments.coverage --draws 25 --out docs/evidence
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz.clustering import assign
from dpviz.domain import ExactCounts, Grid
from dpviz.experiments.papers.records import commit, write_record
from dpviz.ingest.synthetic import SYNTHETIC_BOX, CityKind, synthetic_city
from dpviz.mechanisms.adaptive_tree import ADAPTIVE_TREE
from dpviz.mechanisms.exact_view import weighted_local
from dpviz.mechanisms.interface import Answer, Public
from dpviz.noise import replayable_source
from dpviz.privacy import Budget

Case = tuple[CityKind, int, float]
RECORDS, SIDE, CITY_SEED = 100_000, 256, 3
CASES: tuple[Case, ...] = (
    ("peer", 1, 0.05),
    ("peer", 5, 0.05),
    ("peer", 5, 0.5),
    ("suburbs", 5, 0.1),
    ("suburbs", 10, 0.2),
    ("peer", 20, 0.2),
    ("peer", 20, 1.0),
    ("suburbs", 20, 0.2),
    ("suburbs", 20, 1.0),
)


def city(kind: CityKind) -> ExactCounts:
    """A made-up city."""
    grid = Grid(SYNTHETIC_BOX, SIDE)
    points = synthetic_city(RECORDS, CITY_SEED, kind)
    flat = grid.cells(points[:, 0], points[:, 1])
    return ExactCounts.from_array(grid, np.bincount(flat, minlength=SIDE**2).reshape(SIDE, SIDE))


def misses(case: Case, draws: int) -> NDArray[np.float64]:
    """Distance from each center to the exact mean of its records, in units of its radius, all draws together."""
    kind, k, epsilon = case
    data = city(kind)
    positions, counts = weighted_local(data)
    plan = ADAPTIVE_TREE.plan(Public.of(data), k=k, budget=Budget(epsilon=epsilon))
    found = []
    for seed in range(draws):
        answer = ADAPTIVE_TREE.run(data, plan, replayable_source(seed))
        assert isinstance(answer, Answer) and answer.centers is not None  # adaptive_tree always answers
        centers = answer.centers.positions
        labels = assign(positions, centers)
        held = np.bincount(labels, counts, minlength=k)
        sums = np.column_stack([np.bincount(labels, counts * positions[:, axis], minlength=k) for axis in (0, 1)])
        away = np.linalg.norm(centers - sums / np.maximum(held, 1)[:, None], axis=1)
        radii = answer.constants["center_radii_90"]
        assert isinstance(radii, tuple)
        found.append((away / np.array(radii))[held > 0])
    return np.concatenate(found)


def rows(draws: int) -> list[dict[str, Any]]:
    """Per case: the share of centers whose mean lies within the radius."""
    found = []
    for kind, k, epsilon in CASES:
        ratios = misses((kind, k, epsilon), draws)
        share = float((ratios <= 1.0).mean())
        found.append({"city": kind, "k": k, "epsilon": epsilon, "centers": len(ratios), "within the radius": share})
    return found


def main() -> None:
    """Measure and write a record for the page *Evidence*."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=25)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    measured_at = commit()
    write_record(
        given.out / "radii-coverage.json",
        title="How often a center's radius holds its mean",
        what=(
            "adaptive_tree gives each center a radius that is to hold the mean of its records in 90 of 100 draws, from "
            "the release alone. The share that it held, case by case, on made-up cities."
        ),
        kind="table",
        rows=rows(given.draws),
        command=f"python -m dpviz.experiments.coverage --draws {given.draws} --out docs/evidence",
        seed=f"draws 0 to {given.draws - 1}, replayable noise",
        data=f"synthetic cities peer and suburbs, {RECORDS:,} records, seed {CITY_SEED}",
        measured_at=measured_at,
    )


if __name__ == "__main__":
    main()
