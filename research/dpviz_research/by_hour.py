"""All hours in one release beside 24 releases at the same total: how much each loses at the centers of an hour.

python -m dpviz_research.by_hour --out docs/evidence

Curator only: costs are exact. Releases that are composed share the total, so each of 24 gets ε / 24; an hour of the
one release gets all of it. Coverage is of the true number of an hour's records by the range that is told with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from dpviz.clustering import cost
from dpviz.domain import ExactCounts, GeoBox, Grid
from dpviz.domain.parts import Parts
from dpviz.evaluation import exact_reference
from dpviz.ingest import read_parts
from dpviz.ingest.cities import builtin_by_hour
from dpviz.mechanisms.exact_view import weighted_local
from dpviz.privacy import Budget
from dpviz.publishing.mechanism_run import release
from dpviz_research.papers.records import read_options, write_record

CLUSTERS = 5
EPSILONS = (0.5,)
FLORENCE = GeoBox(11.15, 43.72, 11.35, 43.83)
_SEED = 20_261_119


def data_sets() -> Iterator[tuple[str, ExactCounts, Parts]]:
    """The built-in drop-offs, and made rides whose places move with the hour; no constant was chosen on their hours."""
    yield "nyc-taxi", *builtin_by_hour()
    yield (
        "made rides",
        *read_parts(made_rides(240_000), box=FLORENCE, side=256, time="started_at", zone="Europe/Rome"),
    )


def made_rides(rows: int, seed: int = _SEED) -> pd.DataFrame:
    """Rides of a made town: to the middle in the morning, to three other places at night, a quarter anywhere."""
    draw = np.random.default_rng(seed)
    weight = np.array([2, 1, 1, 1, 1, 2, 5, 9, 10, 7, 6, 6, 7, 6, 6, 6, 7, 9, 9, 7, 5, 4, 3, 3.0])
    hour = draw.choice(24, rows, p=weight / weight.sum())
    homes = np.array([[11.215, 43.770], [11.262, 43.760], [11.300, 43.785], [11.240, 43.800]])
    middle = np.array([[11.248, 43.776], [11.256, 43.771], [11.233, 43.768]])
    to_middle = draw.random(rows) < 0.5 + 0.45 * np.cos((hour - 9) / 24 * 2 * np.pi)
    place = np.where(
        to_middle[:, None], middle[draw.integers(0, len(middle), rows)], homes[draw.integers(0, len(homes), rows)]
    )
    place = place + draw.normal(0.0, [0.004, 0.003], (rows, 2))
    anywhere = draw.random(rows) < 0.25
    place[anywhere] = draw.uniform(
        [FLORENCE.west, FLORENCE.south], [FLORENCE.east, FLORENCE.north], (int(anywhere.sum()), 2)
    )
    started = [f"2026-03-{day:02d} {at:02d}:30:00" for day, at in zip(draw.integers(1, 32, rows), hour, strict=True)]
    return pd.DataFrame({"lon": place[:, 0], "lat": place[:, 1], "started_at": started})


def rows(draws: int) -> Iterator[dict[str, Any]]:
    """A row for each data set and ε: mean and worst excess of the hours' centers in per cent of the best cost."""
    for name, counts, parts in data_sets():
        hours = [of_part(counts, parts, number) for number in range(len(parts.names))]
        views = [weighted_local(hour) for hour in hours]
        best = [cost(*view, exact_reference(hour, CLUSTERS).centers) for hour, view in zip(hours, views, strict=True)]
        for epsilon in EPSILONS:
            together, apart, inside = np.zeros((draws, 24)), np.zeros((draws, 24)), np.zeros((draws, 24))
            for draw in range(draws):
                one = release(counts, CLUSTERS, Budget(epsilon=epsilon), seed=draw, parts=parts)
                totals = one.by_time.curve(parts.box.as_tuple())
                for number, (hour, view) in enumerate(zip(hours, views, strict=True)):
                    centers = one.by_time.centers(number, CLUSTERS)[["lon", "lat"]].to_numpy()
                    together[draw, number] = cost(*view, hour.grid.frame.to_local(centers)) / best[number] - 1.0
                    alone = release(hour, CLUSTERS, Budget(epsilon=epsilon / 24), seed=draw)
                    apart[draw, number] = cost(*view, hour.grid.frame.to_local(alone.raw_centers)) / best[number] - 1.0
                    held = totals.iloc[number]
                    inside[draw, number] = held["low"] <= hour.exact_total <= held["high"]
            mean_together, mean_apart = together.mean(axis=0), apart.mean(axis=0)
            yield {
                "data": name,
                "epsilon": epsilon,
                "draws": draws,
                "one release, mean %": percent_of(mean_together.mean()),
                "one release, worst hour %": percent_of(mean_together.max()),
                "24 releases, mean %": percent_of(mean_apart.mean()),
                "24 releases, worst hour %": percent_of(mean_apart.max()),
                "hours at most as far off": int((mean_together <= mean_apart).sum()),
                "totals inside their range of 100": round(100 * float(inside.mean()), 1),
            }


def of_part(counts: ExactCounts, parts: Parts, number: int) -> ExactCounts:
    """The exact counts of one part on the box's own grid."""
    row, column = parts.corner(number)
    tile = counts.exact_cells[row : row + parts.side, column : column + parts.side]
    return ExactCounts.from_array(Grid(parts.box, parts.side), np.ascontiguousarray(tile))


def percent_of(value: float) -> float:
    """In per cent, three digits."""
    return float(f"{100 * float(value):.3g}")


def main() -> None:
    """Measure and write the record."""
    given = read_options(__doc__, draws=3)
    write_record(
        given.out / "by-hour.json",
        title="All hours in one release",
        what=(
            f"Added cost of an hour's {CLUSTERS} centers against the best known, in per cent: of one release of all "
            "hours, and of 24 releases that share the same total. The last column: hours whose true number lay inside "
            "the range that is told with it, of 100."
        ),
        kind="table",
        rows=list(rows(given.draws)),
        command=f"python -m dpviz_research.by_hour --draws {given.draws} --out docs/evidence",
        seed=f"draws 0 to {given.draws - 1}, replayable noise; rides made with seed {_SEED}",
        data="the embedded city by hour; 240,000 made rides that move with the hour; no constant chosen on their hours",
    )


if __name__ == "__main__":
    main()
