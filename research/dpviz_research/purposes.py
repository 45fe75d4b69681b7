"""The three purposes side by side: what each costs the centers. Curator only; `bench_questions` has the counts.

python -m dpviz_research.purposes --out docs/evidence
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from dpviz.clustering import cost
from dpviz.domain import ExactCounts, Grid
from dpviz.evaluation import exact_reference
from dpviz.mechanisms.adaptive_tree.mechanism import ADAPTIVE_TREE
from dpviz.mechanisms.exact_view import weighted_local
from dpviz.mechanisms.interface import Public, Purpose
from dpviz.noise import replayable_source
from dpviz.privacy import Budget
from dpviz_research.bench_questions import EPSILONS
from dpviz_research.city_points import city_places, own_seed
from dpviz_research.papers.records import read_options, write_record
from dpviz_research.references.synopses import ExactPlane

CITIES = ("hour 8", "hour 18", "trips from", "peer", "suburbs")
CLUSTERS = (5, 15)
SIDE = 512
DRAWS = 5


def rows(draws: int) -> Iterator[dict[str, Any]]:
    """One row for each city, k and ε: the mean error of the centers by purpose, in per cent of the best cost."""
    found = [row for city in CITIES for row in city_rows(city, draws)]
    for word, of in (("geometric mean", lambda values: np.exp(np.mean(np.log(values)))), ("largest", np.max)):
        yield {"city": f"all: {word}"} | {
            name: round(float(of([row[name] for row in found])), 2) for name in found[0] if " / " in name
        }
    yield from found


def city_rows(city: str, draws: int) -> Iterator[dict[str, Any]]:
    """The rows of one city; the same draws for every purpose."""
    places, box = city_places(city)
    counts = ExactCounts.from_array(
        Grid(box, SIDE), ExactPlane(exact_places=places).exact_grid(SIDE).T[::-1].astype(np.int64)
    )
    positions, weights = weighted_local(counts)
    for k in CLUSTERS:
        best = cost(positions, weights, exact_reference(counts, k).centers)
        for epsilon in EPSILONS:
            error = {}
            for purpose in Purpose:
                method = ADAPTIVE_TREE.made_for(purpose)
                plan = method.plan(Public.of(counts), k=k, budget=Budget(epsilon=epsilon))
                costs = []
                for draw in range(draws):
                    centers = method.run(
                        counts, plan, replayable_source(own_seed(f"{city}, {k}", epsilon, draw))
                    ).centers
                    assert centers is not None
                    costs.append(cost(positions, weights, centers.positions))
                error[purpose] = max(float(np.mean(costs)) / best - 1.0, 1e-6)
            told = {f"{purpose.value}, %": float(f"{100.0 * value:.3g}") for purpose, value in error.items()}
            others = {
                f"{purpose.value} / centers": round(error[purpose] / error[Purpose.CENTERS], 2)
                for purpose in (Purpose.BALANCED, Purpose.ANY_QUESTION)
            }
            yield {"city": city, "k": k, "epsilon": epsilon, **told, **others}


def main() -> None:
    """Measure and write a record for the page *Evidence*."""
    given = read_options(__doc__, draws=DRAWS)
    write_record(
        given.out / "purposes.json",
        title="What each purpose costs the centers",
        what=(
            "Mean added cost of the centers of adaptive_tree by purpose, in per cent of the best cost known, and how "
            "many times that of “centers” it is. Levels: ε of "
            f"{', '.join(f'{value:g}' for value in EPSILONS)}."
        ),
        kind="table",
        rows=list(rows(given.draws)),
        command=f"python -m dpviz_research.purposes --draws {given.draws} --out docs/evidence",
        seed=f"draws 0 to {given.draws - 1}, replayable noise, a seed of its own for each case and draw",
        data=f"{', '.join(CITIES)}: the embedded city by hour, the embedded trips, synthetic cities",
    )


if __name__ == "__main__":
    main()
