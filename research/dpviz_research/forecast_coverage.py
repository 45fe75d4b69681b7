"""How often the band of the forecast holds the errors that releases then have, by data set. Curator only.

python -m dpviz_research.forecast_coverage --out docs/evidence [--data DIR]

Two bands are told before anything is spent: that of the table of simulations, which knows made-up cities and the number
of records, and in strict mode that of simulations on a stand-in. The error of a release is what its centers cost above
the best centers that searches on the exact records find. Data sets as in `coverage`: constants of both bands may be
chosen on one half of them alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz.clustering import GridTable, improve_kmeans
from dpviz.domain import ExactCounts, Grid
from dpviz.mechanisms.exact_view import weighted_local
from dpviz.mechanisms.forecast import Forecast, forecast
from dpviz.privacy import Budget
from dpviz.publishing.mechanism_run import release
from dpviz.publishing.standin import forecast_from_standin
from dpviz.releases.release import Release
from dpviz_research.city_points import own_seed
from dpviz_research.coverage import CHOSEN_ON, FILES, REPORTED, places_of
from dpviz_research.papers.records import read_options, write_record

Floats = NDArray[np.float64]
RECORDS, CLUSTERS, EPSILONS = (5_000, 50_000), (3, 8, 20), (0.05, 0.2, 1.0)
SIDE, SEARCHES, DRAWS = 256, 6, 4
STANDIN_SHARE = 0.25  # of the level goes into the stand-in
STANDIN_CASES = ((5_000, 8, 0.2), (50_000, 3, 0.2), (50_000, 20, 1.0))
TABLE, STANDIN = "band of the table", "band of a stand-in"


def sampled(name: str, records: int, folder: Path | None) -> ExactCounts:
    """At most so many records of a data set, on a grid."""
    places, box = places_of(name, folder)
    draw = np.random.default_rng(own_seed(name, records, 0))
    chosen = places[draw.permutation(len(places))[:records]]
    column, row = np.minimum((chosen * SIDE).astype(np.int64), SIDE - 1).T
    cells = np.bincount((SIDE - 1 - row) * SIDE + column, minlength=SIDE**2).reshape(SIDE, SIDE)
    return ExactCounts.from_array(Grid(box, SIDE), cells)


def errors(data: ExactCounts, k: int, answers: list[Floats]) -> Floats:
    """What centers cost above the best that searches, begun anew and at the answers, come to; exact."""
    grid = data.grid
    table = GridTable.of(data.exact_cells, cell_width=grid.cell_width, cell_height=grid.cell_height)
    positions, weights = weighted_local(data)
    mass, low, high = weights.astype(np.float64), np.zeros(2), grid.frame.extent
    costs = np.array([table.summarise(centers)[0] for centers in answers])
    begun = [table.solve(k, seed=seed).centers for seed in range(SEARCHES)] + [answers[int(costs.argmin())]]
    found = [improve_kmeans(positions, mass, centers, low=low, high=high) for centers in begun]
    best = min(float(costs.min()), *(table.summarise(centers)[0] for centers in found))
    above: Floats = costs / best - 1.0 if best > 0.0 else np.zeros(len(costs))
    return above


def cases(name: str, folder: Path | None) -> Iterator[tuple[str, Forecast, Floats]]:
    """Which band, the band, and the errors of some draws."""
    for records in RECORDS:
        data = sampled(name, records, folder)
        n = int(data.exact_cells.sum())
        for k in CLUSTERS:
            answers = [
                _drawn(data, k, epsilon, own_seed(f"forecast {name} {records} {k}", epsilon, draw))
                for epsilon in EPSILONS
                for draw in range(DRAWS)
            ]
            by_level = errors(data, k, [found.protected_centers.positions for found in answers]).reshape(-1, DRAWS)
            for epsilon, level in zip(EPSILONS, by_level, strict=True):
                budget = Budget(epsilon=epsilon)
                yield TABLE, forecast("adaptive_tree", records=n, k=k, budget=budget), level
                if (records, k, epsilon) in STANDIN_CASES:
                    seed = own_seed(f"stand-in {name} {records} {k}", epsilon, 0)
                    standin = _drawn(data, 1, STANDIN_SHARE * epsilon, seed)
                    told = forecast_from_standin(standin, k=k, budget=budget, method="adaptive_tree", side=SIDE)
                    if told is not None:
                        yield STANDIN, told, level


def _drawn(data: ExactCounts, k: int, epsilon: float, seed: int) -> Release:
    found = release(data, k, Budget(epsilon=epsilon), "adaptive_tree", seed=seed)
    assert isinstance(found, Release)  # adaptive_tree always answers
    return found


def rows(
    chosen_on: tuple[str, ...] = CHOSEN_ON, reported: tuple[str, ...] = REPORTED, folder: Path | None = None
) -> list[dict[str, Any]]:
    """One row a data set and band: the share of errors inside it, below and above it; then each half together."""
    found = []
    halves = (("constants may be chosen on it", chosen_on), ("reported only", (*reported, *(FILES if folder else ()))))
    for half, names in halves:
        together: dict[str, list[NDArray[np.int64]]] = {}
        for name in names:
            own: dict[str, list[NDArray[np.int64]]] = {}
            for band, told, seen in cases(name, folder):
                side = np.where(seen < told.low, -1, np.where(seen > told.high, 1, 0))
                own.setdefault(band, []).append(side)
                together.setdefault(band, []).append(side)
            found += [_row(name, half, band, sides) for band, sides in own.items()]
        found += [_row("all", half, band, sides) for band, sides in together.items()]
    return found


def _row(name: str, half: str, band: str, sides: list[NDArray[np.int64]]) -> dict[str, Any]:
    every = np.concatenate(sides)
    shares = {"inside": 0, "smaller": -1, "larger": 1}
    return {"data": name, "half": half, "band": band} | {
        said: float((every == side).mean()) for said, side in shares.items()
    } | {"releases": len(every)}  # fmt: skip


def main() -> None:
    """Measure and write a record for the page *Evidence*."""
    given = read_options(__doc__, data=None)
    write_record(
        given.out / "forecast-coverage.json",
        title="How often the band of a forecast holds the error",
        what=(
            "Before anything is spent an error is forecast, with a band for 90 of 100 draws: from a table of "
            f"simulations, or on a stand-in with {STANDIN_SHARE:.0%} of the level. The share of releases whose error "
            "(cost above the best centers) lies in the band, below it (better than told) and above it. adaptive_tree, "
            f"{', '.join(f'{n:,}' for n in RECORDS)} records, k of {', '.join(map(str, CLUSTERS))}, ε of "
            f"{', '.join(f'{value:g}' for value in EPSILONS)}; some of these cases for the stand-in."
        ),
        kind="table",
        rows=rows(folder=given.data),
        command="python -m dpviz_research.forecast_coverage --out docs/evidence"
        + (" --data DIR" if given.data else ""),
        seed=f"{DRAWS} draws a case, replayable noise, a seed of its own for each data set, case and draw",
        data="the embedded city by hour, the embedded trips, synthetic cities, made-up streets and rounded places"
        + (", columns of S1, Adult and Lifesci" if given.data else ""),
    )


if __name__ == "__main__":
    main()
