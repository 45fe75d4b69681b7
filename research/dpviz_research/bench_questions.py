"""`bench questions`: counts of areas from each purpose of adaptive_tree and from rivals, against the exact counts.

Areas of .1, 1 and 10 % of the box (rectangles) and hexagons; truth counted on the records themselves. Errors are the
mean of |answer − truth| over the areas and draws of a cell of the table, so that areas with many records weigh more, as
they do in a plan. `best grid in hindsight` is no rival: its side, a power of two, was picked after looking at errors
of each row. It stands for all rules for the side of a grid (such as that of Muthukrishnan and Tandon 2026, arXiv
2603.26963, which depends on the number of clusters).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import ExactCounts, Frame, Grid
from dpviz.domain.overlap import Rectangles
from dpviz.mechanisms.adaptive_tree.mechanism import ADAPTIVE_TREE
from dpviz.mechanisms.interface import Public, Purpose
from dpviz.noise import replayable_source
from dpviz.privacy import Budget
from dpviz.questions.answers import Asked
from dpviz.questions.areas import Zone
from dpviz_research.city_points import CITIES, city_places, own_seed
from dpviz_research.papers.records import read_options, write_record
from dpviz_research.references.synopses import GRID_SIDES, SYNOPSES, Boxes, ExactPlane, fixed_grid

Floats = NDArray[np.float64]
SIZES = (("0.1 %", 0.001), ("1 %", 0.01), ("10 %", 0.1))
HEXAGON = 0.003  # of the box
AREAS = 60  # of each size
SIDE = 1024
EPSILONS = (0.05, 0.2, 1.0)
HINDSIGHT = "best grid in hindsight"


@dataclass(frozen=True, kw_only=True)
class Areas:
    """Areas in the unit square, with the name of their size."""

    rings: tuple[Floats, ...]
    size: NDArray[np.str_]

    def zones(self, frame: Frame) -> list[Zone]:
        """The same in raw coordinates."""
        low, high = np.asarray(frame.low), np.asarray(frame.high)
        return [
            Zone(name=f"area {at}", rings=((low + ring * (high - low), 1.0),)) for at, ring in enumerate(self.rings)
        ]

    def exact_counts(self, plane: ExactPlane) -> Floats:
        """How many records lie in each; exact, curator only."""
        return np.array([float(_inside(ring, plane.exact_places)) for ring in self.rings])


def some_areas(seed: int, each: int = AREAS) -> Areas:
    """Rectangles of the three sizes with sides up to 3 : 2, and hexagons, anywhere in the box."""
    draw = np.random.default_rng(seed)
    rings, names = [], []
    for name, share in SIZES:
        for _ in range(each):
            wide = min(float(np.sqrt(share) * np.exp(draw.uniform(-0.4, 0.4))), 0.95)
            tall = min(share / wide, 0.95)
            x, y = draw.uniform(0.0, 1.0 - wide), draw.uniform(0.0, 1.0 - tall)
            rings.append(np.array([[x, y], [x + wide, y], [x + wide, y + tall], [x, y + tall]]))
            names.append(name)
    turns = np.arange(6) * np.pi / 3.0
    reach = np.sqrt(HEXAGON / (1.5 * np.sqrt(3.0)))
    for _ in range(each):
        middle = draw.uniform(reach, 1.0 - reach, 2)
        rings.append(middle + reach * np.column_stack([np.cos(turns), np.sin(turns)]))
        names.append("hexagon")
    return Areas(rings=tuple(rings), size=np.array(names))


def _inside(ring: Floats, places: Floats) -> int:
    low, high = ring.min(axis=0), ring.max(axis=0)
    near = places[((places >= low) & (places <= high)).all(axis=1)]
    odd = np.zeros(len(near), dtype=np.bool_)
    for (x0, y0), (x1, y1) in zip(ring, np.roll(ring, -1, axis=0), strict=True):
        if y0 != y1:
            odd ^= ((y0 > near[:, 1]) != (y1 > near[:, 1])) & (
                near[:, 0] < x0 + (near[:, 1] - y0) * ((x1 - x0) / (y1 - y0))
            )
    return int(odd.sum())


def from_boxes(boxes: Boxes, areas: Areas) -> Floats:
    """What a rival answers: each box by the share of its area."""
    met = Rectangles.of(boxes.low, boxes.high, (0.0, 0.0, 1.0, 1.0)).met_by([[(ring, 1.0)] for ring in areas.rings])
    found: Floats = np.bincount(met.zone, weights=met.share * boxes.count[met.cell], minlength=len(areas.rings)).astype(
        np.float64
    )
    return found


def questions(*, quick: bool = False) -> list[dict[str, Any]]:
    """One row for each city, level and size of area: the mean error of every method, and ours over the best rival."""
    cities = CITIES[:1] if quick else CITIES[:6]
    epsilons = EPSILONS[1:2] if quick else EPSILONS
    rows = [row for city in cities for row in city_rows(city, epsilons, draws=2 if quick else 3)]
    return [*rows, *_means(rows)]


def city_rows(city: str, epsilons: Sequence[float], *, draws: int, seed: int = 0) -> Iterator[dict[str, Any]]:
    """The rows of one city."""
    places, box = city_places(city)
    plane, areas = ExactPlane(exact_places=places), some_areas(seed)
    truth = areas.exact_counts(plane)
    grid = Grid(box, SIDE)
    counts = ExactCounts.from_array(grid, plane.exact_grid(SIDE).T[::-1].astype(np.int64))
    zones = areas.zones(grid.frame)
    for epsilon in epsilons:
        errors: dict[str, list[Floats]] = {}
        for seed_of_draw in (own_seed(city, epsilon, draw) for draw in range(draws)):
            for purpose in Purpose:
                method = ADAPTIVE_TREE.made_for(purpose)
                plan = method.plan(Public.of(counts), k=5, budget=Budget(epsilon=epsilon))
                cells = method.run(counts, plan, replayable_source(seed_of_draw)).cells
                assert cells is not None
                answers = Asked(tree=cells).spreads(zones).estimate
                errors.setdefault(purpose.value, []).append(np.abs(answers - truth))
            rivals = SYNOPSES | {f"grid of {side}": fixed_grid(side) for side in GRID_SIDES[2:9]}
            for name, run in rivals.items():
                answers = from_boxes(run(plane, epsilon, np.random.default_rng([seed_of_draw, len(errors)])), areas)
                errors.setdefault(name, []).append(np.abs(answers - truth))
        for size in dict.fromkeys(areas.size.tolist()):
            chosen = areas.size == size
            mean = {name: float(np.mean([part[chosen] for part in parts])) for name, parts in errors.items()}
            yield _row(city, len(places), epsilon, size, mean)


def _row(city: str, records: int, epsilon: float, size: str, mean: dict[str, float]) -> dict[str, Any]:
    best = min(mean[name] for name in SYNOPSES)
    shown = {name: round(mean[name], 2) for name in (*(purpose.value for purpose in Purpose), *SYNOPSES)}
    hindsight = min(value for name, value in mean.items() if name.startswith("grid of "))
    ratios = {f"{purpose.value} / best rival": round(mean[purpose.value] / best, 3) for purpose in Purpose}
    return {
        "city": city, "n": records, "epsilon": epsilon, "area": size, **shown, HINDSIGHT: round(hindsight, 2), **ratios,
        "any question / hindsight": round(mean[Purpose.ANY_QUESTION.value] / hindsight, 3),
    }  # fmt: skip


def _means(rows: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Geometric means and the largest ratio by size of area, and over everything."""
    ratios = [name for name in rows[0] if " / " in name]
    for size in (*dict.fromkeys(row["area"] for row in rows), "all"):
        chosen = [row for row in rows if size in ("all", row["area"])]
        for word, of in (("geometric mean", lambda values: np.exp(np.mean(np.log(values)))), ("largest", np.max)):
            yield {"city": f"all: {word}", "area": size} | {
                name: round(float(of([row[name] for row in chosen])), 3) for name in ratios
            }


def main() -> None:
    """Measure and write a record for the page *Evidence*."""
    given = read_options("Counts of areas: each purpose of adaptive_tree against its rivals.")
    rows = questions()
    shown = [row for row in rows if row["city"].startswith("all")] + [
        {name: value for name, value in row.items() if name != "n"} for row in rows if not row["city"].startswith("all")
    ]
    write_record(
        given.out / "questions.json",
        title="Counts of areas against grids and PrivTree",
        what=(
            "Mean error of counts of areas of .1, 1 and 10 % of the box and of hexagons: every purpose of the "
            "tree, a uniform grid, an adaptive grid and PrivTree, and the best grid in hindsight. Measured "
            "at ε of .05, .2 and 1."
        ),
        kind="table",
        rows=shown,
        command="python -m dpviz_research.bench_questions --out docs/evidence",
        seed="areas 0, draws 0 to 2, a seed of its own for each city, level and draw",
        data=f"{', '.join(CITIES[:6])}: the embedded city by hour, the embedded trips, synthetic cities",
    )


if __name__ == "__main__":
    main()
