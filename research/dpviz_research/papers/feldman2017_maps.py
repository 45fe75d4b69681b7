"""Feldman, Xiang, Zhu, Rus 2017: Figure 8, coreset, private and non-private centers on the map at rising privacy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from dpviz.basemap.embedded import load_basemap, watched_areas
from dpviz.clustering import solve_kmeans
from dpviz.domain import ExactCounts
from dpviz.evaluation import exact_cost_of, exact_reference
from dpviz.ingest import builtin
from dpviz.mechanisms.catalogue import get
from dpviz.mechanisms.interface import Answer, Public
from dpviz.noise import replayable_source
from dpviz.privacy import LEVELS, Budget
from dpviz_research.papers import figures
from dpviz_research.papers.feldman2017 import DELTA, SEED, VARIANTS, under
from dpviz_research.papers.records import Row, checksum, write_figure, write_table

Floats = NDArray[np.float64]
CLUSTERS = 5  # as in the paper's screenshots
MIDDLE = (-73.985, 40.755)  # about the middle of Manhattan's busiest part, for the mean distance of coreset points


@dataclass(frozen=True, kw_only=True)
class Picture:
    """What is drawn for one level: protected points and centers, raw coordinates."""

    coreset: Floats
    centers: Floats
    error: float

    @property
    def outside(self) -> int:
        """Coreset points outside Manhattan."""
        return int((~watched_areas()["Manhattan"].contains(self.coreset[:, 0], self.coreset[:, 1])).sum())


def figure_8(*, out: Path, quick: bool, data: Path | None) -> list[Path]:
    """Maps of three levels and a row of numbers for every level, both variants."""
    city = builtin("nyc-taxi")
    reference = exact_reference(city, CLUSTERS)
    plain = city.grid.frame.to_raw(reference.centers)
    rows: list[Row] = []
    shown: dict[tuple[str, int], Picture | None] = {}
    for variant in VARIANTS:
        for level in LEVELS:
            pictures = list(draws(city, variant, level.epsilon, reference.cost, 2 if quick else 10))
            shown[variant, level.number] = pictures[0] if pictures else None
            rows.append(
                {
                    "variant": variant,
                    "level": level.number,
                    "epsilon": level.epsilon,
                    "delta": DELTA,
                    "k": CLUSTERS,
                    "answers": len(pictures),
                    "draws": 2 if quick else 10,
                    "coreset_points": _median([len(p.coreset) for p in pictures]),
                    "outside_manhattan": _median([p.outside for p in pictures]),
                    "degrees_from_midtown": _median([spread(p.coreset) for p in pictures]),
                    "median_error": _median([p.error for p in pictures]),
                    "seed": SEED,
                    "data_checksum": checksum(city),
                }
            )
    figure, axes = figures.panels(6, columns=3, width=3.1, height=3.0)
    numbers = [level.number for level in LEVELS[:: len(LEVELS) // 2]]
    places = [(variant, number) for variant in VARIANTS for number in numbers]
    for panel, (variant, number) in zip(axes, places, strict=True):
        draw_map(panel, shown[variant, number], plain, city)
        panel.set_title(f"{variant}, level {number}: ε = {LEVELS[number - 1].epsilon:g}", fontsize=8)
    figures.legend(figure, axes, columns=3)
    return [write_table(rows, out / "ipsn17-fig8.csv"), *write_figure(figure, out / "ipsn17-fig8")]


def draws(city: ExactCounts, variant: str, epsilon: float, best: float, many: int) -> Iterator[Picture]:
    """One picture per draw that answers."""
    name, relation = VARIANTS[variant]
    method, exact = get(name), under(city, relation)
    plan = method.plan(Public.of(exact), k=CLUSTERS, budget=Budget(epsilon=epsilon, delta=DELTA))
    frame = city.grid.frame
    for index in range(many):
        answer = method.run(exact, plan, replayable_source(SEED + index))
        if not isinstance(answer, Answer) or answer.coreset is None:
            continue
        coreset = answer.coreset
        centers = solve_kmeans(
            coreset.positions, coreset.weights, CLUSTERS, seed=index, low=np.zeros(2), high=frame.extent
        ).centers
        yield Picture(
            coreset=frame.to_raw(coreset.positions),
            centers=frame.to_raw(centers),
            error=exact_cost_of(city, centers) / best - 1,
        )


def spread(points: Floats) -> float:
    """Mean distance from midtown in degrees of latitude."""
    gap = (points - np.array(MIDDLE)) * (np.cos(np.deg2rad(MIDDLE[1])), 1.0)
    return float(np.hypot(gap[:, 0], gap[:, 1]).mean())


def draw_map(panel: Axes, picture: Picture | None, plain: Floats, city: ExactCounts) -> None:
    """Water, coreset (black), non-private centers (red) and private centers (blue), as in the paper."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path as Outline

    base: dict[str, Any] = load_basemap()
    for polygon in base["water"]:
        outline = Outline.make_compound_path(*(Outline(np.array(ring), closed=False) for ring in polygon))
        panel.add_patch(PathPatch(outline, facecolor="#CFE3F1", edgecolor="none", zorder=0))
    if picture is not None:
        panel.scatter(
            picture.coreset[:, 0], picture.coreset[:, 1], s=6, color="black", label="private coreset", zorder=2
        )
    panel.scatter(
        plain[:, 0], plain[:, 1], s=36, marker="v", color="#C00000", label="centers without privacy", zorder=3
    )
    if picture is None:
        panel.text(0.5, 0.5, "no answer", transform=panel.transAxes, ha="center")
    else:
        panel.scatter(
            picture.centers[:, 0],
            picture.centers[:, 1],
            s=36,
            marker="^",
            color="#0040C0",
            label="private centers",
            zorder=4,
        )
    frame = city.grid.frame
    panel.set_xlim(frame.low[0], frame.high[0])
    panel.set_ylim(frame.low[1], frame.high[1])
    panel.set_aspect(1 / np.cos(np.deg2rad(float(np.mean([frame.low[1], frame.high[1]])))))
    panel.set_xticks([])
    panel.set_yticks([])


def _median(values: list[float] | list[int]) -> float | None:
    return float(np.median(values)) if values else None
