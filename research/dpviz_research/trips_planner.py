"""A planner asks trips: which share of one end lies within 500 m of some sites? Against the truth. Curator only.

python -m dpviz_research.trips_planner --out docs/evidence
python -m dpviz_research.trips_planner --maps --out docs/evidence

With `--maps` releases are made for any question, so that `auto` buys a map of each end; without, for centers alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from dpviz.ingest.cities import load_points
from dpviz.privacy import LEVELS, Budget
from dpviz.publishing.mechanism_run import release
from dpviz.questions.areas import Circle
from dpviz.releases.release import Release
from dpviz_research.papers.records import read_options, write_record

NEAR_M = 500.0
SITES = (8, 16)
STOPS = (1, 3, 4)  # levels, counted from 0
DRAWS = 6


def rows(
    draws: int = DRAWS, sites: tuple[int, ...] = SITES, stops: tuple[int, ...] = STOPS, *, maps: bool = False
) -> Iterator[dict[str, Any]]:
    """One row for each level, number of sites, end and draw: the answer, its range, the truth."""
    trips = load_points()
    frame, local = trips.frame, trips.exact_local()
    method, purpose = ("auto", "any question") if maps else ("adaptive_tree", "centers")
    for stop in stops:
        for k in sites:
            for seed in range(draws):
                found = release(trips, k, Budget(epsilon=LEVELS[stop].epsilon), method, seed=seed, purpose=purpose)
                assert isinstance(found, Release)  # adaptive_tree always answers
                for end, axes in (("pickup", slice(0, 2)), ("dropoff", slice(2, 4))):
                    places = found.raw_centers[:, axes]
                    circles = [Circle(lon=float(lon), lat=float(lat), radius_m=NEAR_M) for lon, lat in places]
                    answer = found.share(circles, end=end)
                    local_places = (places - np.asarray(frame.low[axes])) * np.asarray(frame.scale[axes])
                    away = np.linalg.norm(local[:, axes][:, None, :] - local_places[None, :, :], axis=2).min(axis=1)
                    truth = float((away <= NEAR_M).mean())
                    yield {
                        "level": stop + 1, "epsilon": LEVELS[stop].epsilon, "sites": k, "end": end, "draw": seed,
                        "answer": answer.estimate, "low": answer.low, "high": answer.high, "truth": truth,
                        "held": answer.low <= truth <= answer.high,
                    }  # fmt: skip


def main() -> None:
    """Measure and write a record for the page *Evidence*."""
    given = read_options(__doc__, maps=False)
    maps = given.maps
    write_record(
        given.out / ("trips-planner-ends.json" if maps else "trips-planner.json"),
        title="Trips near sites, asked of a release and counted" + (", with a map of each end" if maps else ""),
        what=(
            "The share of pick-ups or drop-offs within 500 m of the centers of a release of trips: what the release "
            "answers, its range for 90 of 100 draws, and the truth."
            + (" The release is made for any question, and holds a map of each end." if maps else "")
        ),
        kind="table",
        rows=list(rows(maps=maps)),
        command=f"python -m dpviz_research.trips_planner {'--maps ' if maps else ''}--out docs/evidence",
        seed=f"draws 0 to {DRAWS - 1}, replayable noise",
        data="the embedded trips of New York; one constant of the ranges "
        + ("and the share of the maps of both ends were chosen on them" if maps else "was chosen on them"),
    )


if __name__ == "__main__":
    main()
