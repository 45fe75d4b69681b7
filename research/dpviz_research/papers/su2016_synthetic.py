"""Su et al. 2016, Figures 2 and 6: how methods scale with clusters and dimensions, on made-up data as in the paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from dpviz.mechanisms.shares import TOTAL_SHARE
from dpviz.mechanisms.uniform_grid import RECORDS_PER_NOISE, centers_as_printed, noisy_synopsis
from dpviz.noise import Sampler
from dpviz_research.papers import figures
from dpviz_research.papers.records import Row, write_figure, write_table
from dpviz_research.papers.su2016 import SEED, Floats, Run, draw, runner
from dpviz_research.papers.su2016_data import Example, blobs, make_example

RECORDS = 10_000
EPSILON = 1.0
SIZES = tuple(range(2, 11))
QUICK_SIZES = (2, 6, 10)
FLOOR = 1e-3  # the low end of the colours


@dataclass(frozen=True, kw_only=True)
class Panel:
    """One heat map: a method of the catalogue, or EUGkM with another θ."""

    label: str
    name: str
    repetitions: int
    quick: int
    theta: float | None = None


EUGKM = Panel(label="EUGkM (θ = 10)", name="uniform_grid_paper", repetitions=5, quick=1)
HYBRID = Panel(label="Hybrid", name="hybrid_paper", repetitions=5, quick=1)
FIGURE_2 = (
    Panel(label="DPLloyd", name="noisy_lloyd", repetitions=30, quick=8),
    EUGKM,
    Panel(label="PGkM", name="genetic", repetitions=5, quick=1),
    Panel(label="GkM", name="sample_aggregate", repetitions=30, quick=8),
    Panel(label="GkM-3K", name="sample_aggregate_3k", repetitions=30, quick=8),
    Panel(label="EUGkM with θ = 1", name="uniform_grid_paper", repetitions=5, quick=1, theta=1.0),
    Panel(label="EUGkM with θ = 100", name="uniform_grid_paper", repetitions=5, quick=1, theta=100.0),
)
FIGURE_6 = (EUGKM, HYBRID)


def figure_2(*, out: Path, quick: bool, data: Path | None) -> list[Path]:
    """NICV minus the baseline for 2 to 10 clusters in 2 to 10 dimensions."""
    return _maps(FIGURE_2, "su2016-fig2", out, quick, top=10.0)


def figure_6(*, out: Path, quick: bool, data: Path | None) -> list[Path]:
    """The same for the hybrid beside EUGkM."""
    return _maps(FIGURE_6, "su2016-fig6", out, quick, top=1.0)


def _maps(panels: Sequence[Panel], name: str, out: Path, quick: bool, *, top: float) -> list[Path]:
    sizes = QUICK_SIZES if quick else SIZES
    rows = grid_rows(panels, sizes, quick=quick)
    figure, axes = figures.panels(len(panels), columns=4 if len(panels) > 2 else 2, width=3.3, height=3.0)
    for panel, axis in zip(panels, axes, strict=True):
        cells = {(row["dims"], row["k"]): row["nicv_over_baseline"] for row in rows if row["method"] == panel.label}
        figures.heatmap(axis, _square(cells, sizes), sizes, sizes, top=top, floor=FLOOR)
        axis.set_title(panel.label, fontsize=9)
        axis.set_xlabel("clusters k", fontsize=8)
        axis.set_ylabel("dimensions d", fontsize=8)
    bar = figure.colorbar(axes[-1].images[0], ax=axes, shrink=0.8, extend="both")
    bar.set_label(f"NICV − baseline, ε = {EPSILON:g}, N = {RECORDS:,}", fontsize=8)
    return [write_table(rows, out / f"{name}.csv"), *write_figure(figure, out / name)]


def grid_rows(panels: Sequence[Panel], sizes: Sequence[int], *, quick: bool) -> list[Row]:
    """Every method on every made-up data set."""
    rows: list[Row] = []
    for dims in sizes:
        for k in sizes:
            example = make_example(f"blobs d={dims} k={k}", blobs(RECORDS, dims, k, seed=SEED), k, real=True)
            for panel in panels:
                draws = panel.quick if quick else panel.repetitions
                nicv, _ = draw(example, run_of(example, panel), draws)
                rows.append(
                    {
                        **example.facts(),
                        "method": panel.label,
                        "epsilon": EPSILON,
                        "nicv_mean": float(nicv.mean()),
                        "nicv_not_private": example.exact_best,
                        "nicv_over_baseline": float(nicv.mean()) - example.exact_best,
                        "repetitions": draws,
                        "seed": SEED,
                    }
                )
    return rows


def run_of(example: Example, panel: Panel) -> Run:
    """A method of the catalogue, or EUGkM with cells for another θ."""
    if panel.theta is None:
        return runner(example, panel.name, EPSILON)
    theta = panel.theta

    def run(noise: Sampler) -> Floats:
        share = TOTAL_SHARE * EPSILON
        noisy_total = max(1, example.exact.exact_total + int(noise.laplace(1 / share, 1)[0]))
        # Equation 4 knows N only as Nε/θ: another θ is another N there.
        as_if = max(1, round(noisy_total * RECORDS_PER_NOISE / theta))
        coreset = noisy_synopsis(example.exact, as_if, EPSILON - share, noise)
        return centers_as_printed(coreset, example.k)[0]

    return run


def _square(cells: Mapping[tuple[int, int], float], sizes: Sequence[int]) -> Floats:
    return np.array([[cells[dims, k] for k in sizes] for dims in sizes])
