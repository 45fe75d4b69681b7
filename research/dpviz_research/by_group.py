"""Eight groups in one release beside a release of each group alone, with an eighth of ε and with all of it.

python -m dpviz_research.by_group --out docs/evidence

Curator only: costs are exact. Releases of one dataset are composed, so each of eight gets ε / 8; a group of the one
release gets all of ε. What a release of that group alone with all of ε loses is the least that can be hoped for.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from dpviz.clustering import cost
from dpviz.evaluation import exact_reference
from dpviz.ingest import read_parts
from dpviz.mechanisms.exact_view import weighted_local
from dpviz.privacy import Budget
from dpviz.publishing.mechanism_run import expected_parts, release
from dpviz.releases.request import ReleaseRequest
from dpviz_research.by_hour import FLORENCE, of_part, percent_of
from dpviz_research.papers.records import read_options, write_record

CLUSTERS = 5
SHARES = {
    "member": 0.44,
    "guest": 0.25,
    "day pass": 0.12,
    "student": 0.08,
    "low income": 0.05,
    "staff": 0.03,
    "adaptive": 0.02,
    "night": 0.01,
}
EPSILONS = (0.5, 0.1)
RIDES = 240_000
_SEED = 20_261_120


def made_riders(rows: int = RIDES, seed: int = _SEED) -> pd.DataFrame:
    """Rides of a made town: each group has three places of its own, three for all, and a tenth of rides anywhere."""
    draw = np.random.default_rng(seed)
    group = draw.choice(len(SHARES), rows, p=list(SHARES.values()))
    low, high = (FLORENCE.west + 0.03, FLORENCE.south + 0.02), (FLORENCE.east - 0.03, FLORENCE.north - 0.02)
    own = draw.uniform(low, high, (len(SHARES), 3, 2))
    common = draw.uniform(low, high, (3, 2))
    pick = draw.integers(0, 3, rows)
    place = np.where((draw.random(rows) < 0.5)[:, None], own[group, pick], common[pick])
    place = place + draw.normal(0.0, [0.005, 0.0035], (rows, 2))
    anywhere = draw.random(rows) < 0.1
    corners = [FLORENCE.west, FLORENCE.south], [FLORENCE.east, FLORENCE.north]
    place[anywhere] = draw.uniform(*corners, (int(anywhere.sum()), 2))
    return pd.DataFrame({"lon": place[:, 0], "lat": place[:, 1], "group": np.array(list(SHARES))[group]})


def rows(draws: int) -> Iterator[dict[str, Any]]:
    """A row for each ε and group: excess of its centers in per cent of the best cost, and its total's range."""
    counts, parts = read_parts(made_riders(), box=FLORENCE, side=256, by="group", values=list(SHARES))
    groups = [of_part(counts, parts, number) for number in range(len(SHARES))]
    views = [weighted_local(group) for group in groups]
    best = [cost(*view, exact_reference(group, CLUSTERS).centers) for group, view in zip(groups, views, strict=True)]
    for epsilon in EPSILONS:
        asked = ReleaseRequest(k=CLUSTERS, budget=Budget(epsilon=epsilon), parts=parts)
        expected = expected_parts(counts, asked)
        excess = np.zeros((3, draws, len(SHARES)))
        held, reach = np.zeros((draws, len(SHARES))), np.zeros((draws, len(SHARES)))
        for draw in range(draws):
            one = release(counts, CLUSTERS, Budget(epsilon=epsilon), seed=draw, parts=parts)
            totals = one.parts.table()
            for number, (group, view) in enumerate(zip(groups, views, strict=True)):
                centers = one.parts.centers(number, CLUSTERS)[["lon", "lat"]].to_numpy()
                alone = [
                    release(group, CLUSTERS, Budget(epsilon=share), seed=draw).raw_centers
                    for share in (epsilon / len(SHARES), epsilon)
                ]
                for which, found in enumerate((centers, *alone)):
                    excess[which, draw, number] = cost(*view, group.grid.frame.to_local(found)) / best[number] - 1.0
                told = totals.iloc[number]
                held[draw, number] = told["low"] <= group.exact_total <= told["high"]
                reach[draw, number] = (told["high"] - told["low"]) / 2
        mean = excess.mean(axis=1)
        for number, name in enumerate(SHARES):
            yield {
                "epsilon": epsilon,
                "group": name,
                "records": groups[number].exact_total,
                "one release %": percent_of(mean[0, number]),
                "forecast %": percent_of(expected["error"].iloc[number]),
                "alone with epsilon / 8 %": percent_of(mean[1, number]),
                "alone with epsilon %": percent_of(mean[2, number]),
                "total, plus or minus": round(float(reach[:, number].mean())),
                "forecast, plus or minus": round(float(expected["reach"].iloc[number])),
                "total inside its range of 100": round(100 * float(held[:, number].mean())),
            }


def main() -> None:
    """Measure and write the record."""
    given = read_options(__doc__, draws=12)
    write_record(
        given.out / "by-group.json",
        title="Eight groups in one release",
        what=(
            f"Added cost of a group's {CLUSTERS} centers against the best known, in per cent: of one release of all "
            "eight groups, of a release of the group alone with an eighth of epsilon, and with all of it. The forecast "
            "is what the curator is told before anything is spent. Last: totals inside their range, of 100."
        ),
        kind="table",
        rows=list(rows(given.draws)),
        command=f"python -m dpviz_research.by_group --draws {given.draws} --out docs/evidence",
        seed=f"draws 0 to {given.draws - 1}, replayable noise; riders made with seed {_SEED}",
        data=f"{RIDES:,} made rides of eight groups on a grid of 256; seen on two draws of them: that a sheet spends "
        "nothing on correcting its own centers",
    )


if __name__ == "__main__":
    main()
