"""How often what claims to hold the truth in 90 of 100 draws does: counts, shares, distances, centers. Curator only.

python -m dpviz_research.coverage --draws 2 --out docs/evidence [--data DIR]

Constants of the intervals were chosen on one half of the data sets, CHOSEN_ON; the others, REPORTED and the files of
a folder DIR (FILES), saw none of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpviz.clustering import assign
from dpviz.domain import ExactCounts, Frame, GeoBox, Grid
from dpviz.mechanisms.exact_view import weighted_local
from dpviz.mechanisms.interface import Purpose
from dpviz.privacy import Budget
from dpviz.publishing.mechanism_run import release
from dpviz.questions.answers import Asked
from dpviz.questions.areas import Zone
from dpviz.questions.counts import average_distance
from dpviz.releases.release import Release
from dpviz_research.bench_questions import Areas, some_areas
from dpviz_research.city_points import city_places, own_seed
from dpviz_research.papers.records import read_options, write_record
from dpviz_research.references.synopses import ExactPlane
from dpviz_research.synthetic import SYNTHETIC_BOX, CityKind, synthetic_city

Floats = NDArray[np.float64]
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
CITIES_CHOSEN_ON = ("hour 3", "hour 0", "hour 12", "trips from", "peer")
CHOSEN_ON = (*CITIES_CHOSEN_ON, "rounded to 37", "rounded to 75", "rounded to 150", "heaped")
REPORTED = ("hour 8", "hour 14", "hour 18", "hour 21", "trips to", "suburbs", "peer large", "streets", "rounded")
# Files that a user brings: two columns of each, as places in a box around them.
FILES = {
    "S1": ("bench_s1.parquet", ("x", "y")),
    "Adult": ("bench_adult_num.parquet", ("age", "hours_per_week")),
    "Lifesci 1, 2": ("bench_lifesci_ds1.10.parquet", ("pc1", "pc2")),
    "Lifesci 3, 4": ("bench_lifesci_ds1.10.parquet", ("pc3", "pc4")),
}
EPSILONS = (0.05, 0.2, 1.0)
CLUSTERS = (5, 15)
FINE_SIDE = 1024
NEAR_M, PLACES = 500.0, 20
PLANS, SITES = 20, 6
AREA_SEED = 11
BY_SIZE = "count, "
SHARES, NEAR, CENTERS = "share, 1 %", f"share within {NEAR_M:.0f} m of a place", "mean of a center's records"
DISTANCES = f"distance to {SITES} sites"
PURPOSES = (Purpose.CENTERS, Purpose.ANY_QUESTION)


def city(kind: CityKind) -> ExactCounts:
    """A made-up city."""
    grid = Grid(SYNTHETIC_BOX, SIDE)
    points = synthetic_city(RECORDS, CITY_SEED, kind)
    flat = grid.cells(points[:, 0], points[:, 1])
    return ExactCounts.from_array(grid, np.bincount(flat, minlength=SIDE**2).reshape(SIDE, SIDE))


def misses(case: Case, draws: int) -> Floats:
    """Distance from each center to the exact mean of its records, in units of its radius, all draws together."""
    kind, k, epsilon = case
    data = city(kind)
    seeds = [own_seed(f"{kind}, {k}", epsilon, draw) for draw in range(draws)]
    return np.concatenate([center_misses(data, _drawn(data, k, epsilon, seed)) for seed in seeds])


def center_misses(data: ExactCounts, found: Release) -> Floats:
    """The same for one release; exact, curator only."""
    positions, counts = weighted_local(data)
    centers = found.protected_centers.positions
    labels = assign(positions, centers)
    held = np.bincount(labels, counts, minlength=len(centers))
    sums = np.column_stack([np.bincount(labels, counts * positions[:, axis], len(centers)) for axis in (0, 1)])
    away = np.linalg.norm(centers - sums / np.maximum(held, 1)[:, None], axis=1)
    radii = np.array(found.constants["center_radii_90"], np.float64)
    ratios: Floats = (away / radii)[held > 0]
    return ratios


def _drawn(data: ExactCounts, k: int, epsilon: float, seed: int, purpose: Purpose = Purpose.CENTERS) -> Release:
    found = release(data, k, Budget(epsilon=epsilon), "adaptive_tree", seed=seed, purpose=purpose.value)
    assert isinstance(found, Release)  # adaptive_tree always answers
    return found


def rows(draws: int) -> list[dict[str, Any]]:
    """Per case: the share of centers whose mean lies within the radius."""
    found = []
    for kind, k, epsilon in CASES:
        ratios = misses((kind, k, epsilon), draws)
        share = float((ratios <= 1.0).mean())
        found.append({"city": kind, "k": k, "epsilon": epsilon, "centers": len(ratios), "within the radius": share})
    return found


def places_of(name: str, folder: Path | None) -> tuple[Floats, GeoBox]:
    """Places in the unit square and a box, of a data set of any kind."""
    if folder is None or name not in FILES:
        return city_places(name)
    import polars as pl

    file, columns = FILES[name]
    found = pl.read_parquet(folder / file).select(columns).to_numpy().astype(np.float64)
    low, span = found.min(axis=0), np.ptp(found, axis=0)
    return np.clip((found - low + 0.01 * span) / (1.02 * span), 0.0, 1.0 - 1e-9), SYNTHETIC_BOX


def question_rows(
    draws: int, chosen_on: tuple[str, ...] = CHOSEN_ON, reported: tuple[str, ...] = REPORTED, folder: Path | None = None
) -> list[dict[str, Any]]:
    """One row a data set: the share of intervals that held the truth, by kind of question; then each half together."""
    found = []
    halves = (("constants chosen on it", chosen_on), ("reported only", (*reported, *(FILES if folder else ()))))
    for half, names in halves:
        hits = {name: dict(held_by_city(name, draws, folder)) for name in names}
        for name, kinds in hits.items():
            found.append({"data": name, "half": half} | _shares(kinds))
        together = {
            kind: np.concatenate([kinds[kind] for kinds in hits.values()]) for kind in next(iter(hits.values()))
        }
        found.append({"data": "all", "half": half} | _shares(together))
    return found


def _shares(kinds: dict[str, NDArray[np.bool_]]) -> dict[str, Any]:
    every = np.concatenate(list(kinds.values()))
    return {kind: float(held.mean()) for kind, held in kinds.items()} | {
        "everything": float(every.mean()),
        "intervals": len(every),
    }


def held_by_city(name: str, draws: int, folder: Path | None = None) -> Iterator[tuple[str, NDArray[np.bool_]]]:
    """For each kind of question: which intervals of all levels, purposes and draws held the exact answer."""
    places, box = places_of(name, folder)
    grid = Grid(box, FINE_SIDE)
    data = ExactCounts.from_array(grid, ExactPlane(exact_places=places).exact_grid(FINE_SIDE).T[::-1].astype(np.int64))
    asked = Questions.of(places, grid.frame)
    kinds: dict[str, list[NDArray[np.bool_]]] = {}
    for epsilon in EPSILONS:
        for seed in (own_seed(name, epsilon, draw) for draw in range(draws)):
            for purpose in PURPOSES:
                found = _drawn(data, CLUSTERS[0], epsilon, seed, purpose)
                assert found.protected_cells is not None
                for kind, held in asked.held(Asked(tree=found.protected_cells)):
                    kinds.setdefault(kind, []).append(held)
                if purpose is Purpose.CENTERS:
                    several = (found, *(_drawn(data, k, epsilon, seed) for k in CLUSTERS[1:]))
                    kinds.setdefault(CENTERS, []).extend(center_misses(data, one) <= 1.0 for one in several)
    for kind in sorted(kinds):
        yield kind, np.concatenate(kinds[kind])


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Questions:
    """Questions to the releases of one data set with their exact answers; curator only."""

    size: NDArray[np.str_]
    zones: list[Zone]
    near: list[Zone]
    plans: list[Floats]  # sites in local units
    exact_counts: Floats
    exact_near: Floats
    exact_distances: Floats
    exact_total: int

    @classmethod
    def of(cls, places: Floats, frame: Frame) -> Questions:
        """The same questions for every data set, answered on its records."""
        plane, areas, near = ExactPlane(exact_places=places), some_areas(AREA_SEED), circles(frame.extent)
        plans = [plan * frame.extent for plan in np.random.default_rng(AREA_SEED).random((PLANS, SITES, 2))]
        local = places * frame.extent
        ways = [np.sqrt(((local - plan[assign(local, plan)]) ** 2).sum(axis=1)).mean() for plan in plans]
        return cls(
            size=areas.size,
            zones=areas.zones(frame),
            near=near.zones(frame),
            plans=plans,
            exact_counts=areas.exact_counts(plane),
            exact_near=near.exact_counts(plane),
            exact_distances=np.array(ways),
            exact_total=len(places),
        )

    def held(self, asked: Asked) -> Iterator[tuple[str, NDArray[np.bool_]]]:
        """By kind: which of the ranges hold the exact answer."""
        within = _within(asked.counts(self.zones), self.exact_counts)
        for size in dict.fromkeys(self.size.tolist()):
            yield BY_SIZE + size, within[self.size == size]
        middling = self.size == "1 %"
        some = [zone for zone, wanted in zip(self.zones, middling, strict=True) if wanted]
        yield SHARES, _within(asked.shares(some), self.exact_counts[middling] / self.exact_total)
        yield NEAR, _within(asked.shares(self.near), self.exact_near / self.exact_total)
        told = [average_distance(asked, plan) for plan in self.plans]
        ways = zip(told, self.exact_distances, strict=True)
        yield DISTANCES, np.array([found.low <= exact <= found.high for found, exact in ways])


def _within(table: pd.DataFrame, exact: Floats) -> NDArray[np.bool_]:
    held: NDArray[np.bool_] = ((table["low"] <= exact) & (exact <= table["high"])).to_numpy()
    return held


def circles(extent: Floats) -> Areas:
    """Circles of `NEAR_M` around places anywhere in the box, in the unit square."""
    draw = np.random.default_rng(AREA_SEED)
    turns = np.arange(48) * (2.0 * np.pi / 48)
    around = np.column_stack([np.cos(turns), np.sin(turns)]) * NEAR_M / extent
    rings = tuple(middle + around for middle in draw.uniform(0.1, 0.9, (PLACES, 2)))
    return Areas(rings=rings, size=np.full(PLACES, NEAR))


def main() -> None:
    """Measure and write two records for the page *Evidence*."""
    given = read_options(__doc__, draws=2, data=None)
    command = f"python -m dpviz_research.coverage --draws {given.draws} --out docs/evidence"
    command += " --data DIR" if given.data else ""
    write_record(
        given.out / "radii-coverage.json",
        title="How often a center's radius holds its mean",
        what=(
            "adaptive_tree gives each center a radius that is to hold the mean of its records in 90 of 100 draws, from "
            "the release alone. The share that it held, case by case, on made-up cities."
        ),
        kind="table",
        rows=rows(5 * given.draws),
        command=command,
        seed=f"draws 0 to {5 * given.draws - 1}, replayable noise, a seed of its own for each case and draw",
        data=f"synthetic cities peer and suburbs, {RECORDS:,} records, seed {CITY_SEED}",
    )
    write_record(
        given.out / "questions-coverage.json",
        title="How often an interval holds the truth",
        what=(
            "What claims to hold the truth in 90 of 100 draws: counts of areas of four sizes, shares, distances, "
            "places, means of centers. adaptive_tree for centers and for any question, ε of "
            f"{', '.join(f'{value:g}' for value in EPSILONS)}, truth "
            "counted on the records themselves. Constants were chosen on one half of the data sets; the other half saw "
            "none of it."
        ),
        kind="table",
        rows=question_rows(given.draws, folder=given.data),
        command=command,
        seed=(
            f"draws 0 to {given.draws - 1}, replayable noise, a seed of its own for each data set, level and draw; "
            f"areas of seed {AREA_SEED}"
        ),
        data="the embedded city by hour, the embedded trips, synthetic cities, made-up streets and rounded places"
        + (", columns of S1, Adult and Lifesci" if given.data else ""),
    )


if __name__ == "__main__":
    main()
