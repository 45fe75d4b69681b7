"""Su et al. 2016, Figures 3 and 4: where the errors of GkM come from, and how fast genetic search converges."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dpviz.clustering import lloyd, solve_kmeans
from dpviz.mechanisms.baselines.genetic import CANDIDATES, PARENTS, LatticeCosts, offspring
from dpviz.mechanisms.baselines.sample_aggregate import LATTICE, exact_block_outputs, noisy_averages, noisy_ranges
from dpviz.mechanisms.exact_view import weighted_local
from dpviz.mechanisms.interface import Public
from dpviz.mechanisms.uniform_grid import packed_start
from dpviz.noise import replayable_source
from dpviz_research.papers import figures
from dpviz_research.papers.records import Row, write_figure, write_table
from dpviz_research.papers.su2016 import SEED
from dpviz_research.papers.su2016_data import Example, examples

Floats = NDArray[np.float64]
BLOCK_EPSILON = 1.0  # the paper does not say which ε Figure 3 has
EXPONENTS = tuple(round(0.1 * step, 1) for step in range(1, 11))
QUICK_EXPONENTS = (0.1, 0.2, 0.3, 0.4, 0.6, 0.8, 1.0)
PAPER_EXPONENT = 0.6  # ℓ = N^0.4
STARTS = 30  # Lloyd's, as in the paper
ROUNDS, QUICK_ROUNDS = 60, 25

GKM, SAG, NOISE = "GkM", "SAG (aggregation, no noise)", "Noise (on the best centers)"
GENE, LLOYD = "Gene (genetic search, not private)", "Lloyd (mean of 30 starts)"


def figure_3(*, out: Path, quick: bool, data: Path | None) -> list[Path]:
    """NICV of GkM, of its aggregation alone and of its noise alone, against the exponent of the block size."""
    found = examples(data)
    rows = [
        row
        for example in found
        for exponent in (QUICK_EXPONENTS if quick else EXPONENTS)
        for row in block_rows(example, exponent, 5 if quick else 30)
    ]
    figure, axes = figures.panels(len(found))
    for example, panel in zip(found, axes, strict=True):
        figures.baseline(panel, example.exact_best)
        for label, look in zip((GKM, SAG, NOISE), figures.LOOKS, strict=False):
            part = [row for row in rows if row["data"] == example.title and row["method"] == label]
            figures.line(panel, [row["exponent"] for row in part], [row["nicv_mean"] for row in part], look, label)
        for exponent, text in ((PAPER_EXPONENT, "GkM"), (small_block_exponent(example), "GkM-3K")):
            panel.axvline(exponent, color="#888888", linewidth=0.8)
            panel.annotate(
                f" {text}",
                (exponent, 0.97),
                xycoords=("data", "axes fraction"),
                fontsize=7.5,
                va="top",
                color="#555555",
            )
        figures.logarithmic(panel, x=False)
        panel.set_title(f"{example.title}  (d={example.dims}, k={example.k})", fontsize=9)
        panel.set_xlabel(f"block size as a power of N  (ε = {BLOCK_EPSILON:g})", fontsize=8)
        panel.set_ylabel("NICV, mean of runs", fontsize=8)
    figures.legend(figure, axes, columns=2)
    return [write_table(rows, out / "su2016-fig3.csv"), *write_figure(figure, out / "su2016-fig3")]


def small_block_exponent(example: Example) -> float:
    """Blocks of 3k records as a power of N."""
    return math.log(3 * example.k) / math.log(example.exact.exact_total)


def block_rows(example: Example, exponent: float, draws: int) -> Iterator[Row]:
    """The three curves at one block size."""
    total = example.exact.exact_total
    blocks = max(1, round(total ** (1 - exponent)))
    extent = Public.of(example.exact).frame.extent
    best = best_centers(example)
    nicv: dict[str, list[float]] = {GKM: [], SAG: [], NOISE: []}
    for index in range(draws):
        noise = replayable_source(SEED + index)
        exact_values = exact_block_outputs(example.exact, example.k, blocks, noise)
        low, high = noisy_ranges(exact_values, BLOCK_EPSILON / 2, noise)
        private = noisy_averages(np.clip(exact_values, low, high), low, high, BLOCK_EPSILON / 2, noise)
        still = np.zeros_like(exact_values)
        drawn = noisy_averages(still, low, high, BLOCK_EPSILON / 2, noise)  # zeros have the average 0: noise alone
        drawn[high == low] = 0.0
        outputs = {GKM: private, SAG: exact_values.mean(axis=0), NOISE: (best / extent * LATTICE).ravel() + drawn}
        for label, flat in outputs.items():
            cube = np.clip(flat.reshape(example.k, -1) / LATTICE, 0, 1)
            nicv[label].append(example.nicv(cube * extent))
    for label, values in nicv.items():
        yield {
            **example.facts(),
            "method": label,
            "epsilon": BLOCK_EPSILON,
            "exponent": exponent,
            "blocks": blocks,
            "nicv_mean": float(np.mean(values)),
            "nicv_median": float(np.median(values)),
            "nicv_not_private": example.exact_best,
            "repetitions": draws,
            "seed": SEED,
        }


def best_centers(example: Example) -> Floats:
    """The best centers known, not private."""
    points, weights = weighted_local(example.exact)
    return solve_kmeans(points, weights.astype(np.float64), example.k, seed=0).centers


def figure_4(*, out: Path, quick: bool, data: Path | None) -> list[Path]:
    """NICV after each iteration of genetic search and of Lloyd, both without noise."""
    found = examples(data)
    rounds, repetitions = (QUICK_ROUNDS, 1) if quick else (ROUNDS, 5)
    rows: list[Row] = []
    for example in found:
        curves = {LLOYD: lloyd_curve(example, rounds), GENE: gene_curve(example, rounds, repetitions)}
        for label, curve in curves.items():
            for iteration, value in enumerate(curve, 1):
                rows.append(
                    {
                        **example.facts(),
                        "method": label,
                        "iteration": iteration,
                        "nicv_mean": value,
                        "nicv_not_private": example.exact_best,
                        "repetitions": STARTS if label == LLOYD else repetitions,
                        "seed": SEED,
                    }
                )
    figure, axes = figures.panels(len(found))
    for example, panel in zip(found, axes, strict=True):
        figures.baseline(panel, example.exact_best)
        for label, look in zip((LLOYD, GENE), figures.LOOKS, strict=False):
            part = [row for row in rows if row["data"] == example.title and row["method"] == label]
            figures.line(panel, [row["iteration"] for row in part], [row["nicv_mean"] for row in part], look, label)
        figures.logarithmic(panel)
        panel.set_title(f"{example.title}  (d={example.dims}, k={example.k})", fontsize=9)
        panel.set_xlabel("iterations", fontsize=8)
        panel.set_ylabel("NICV", fontsize=8)
    figures.legend(figure, axes, columns=3)
    return [write_table(rows, out / "su2016-fig4.csv"), *write_figure(figure, out / "su2016-fig4")]


def lloyd_curve(example: Example, rounds: int) -> Sequence[float]:
    """Mean NICV over 30 packed starts after each Lloyd step."""
    points, weights = weighted_local(example.exact)
    mass = weights.astype(np.float64)
    extent = tuple(Public.of(example.exact).frame.extent.tolist())
    starts = [packed_start(example.k, extent, seed).copy() for seed in range(STARTS)]
    curve = []
    for _ in range(rounds):
        values = []
        for index, centers in enumerate(starts):
            starts[index], found = lloyd(points, mass, centers, 1)
            values.append(found / example.exact.exact_total)
        curve.append(float(np.mean(values)))
    return curve


def gene_curve(example: Example, rounds: int, repetitions: int) -> Sequence[float]:
    """Mean over repetitions of the best candidate's NICV after each round; the ten best go on, without noise."""
    public = Public.of(example.exact)
    records = LatticeCosts(example.exact)
    genes = example.k * public.frame.dims
    limits = np.tile(records.limits, example.k)
    total = np.zeros(rounds)
    for repetition in range(repetitions):
        noise = replayable_source(SEED + repetition)
        population = np.column_stack([noise.integers(int(limit) + 1, CANDIDATES) for limit in limits])
        for number in range(rounds):
            costs = records.exact_costs(population.reshape(-1, example.k, public.frame.dims))
            best = np.argsort(costs, kind="stable")[:PARENTS]
            total[number] += costs[best[0]] * records.step_length**2 / example.exact.exact_total
            step = 0.25 * (1 - number / rounds) + 0.005
            population = offspring(population[best], limits, step, genes, noise)
    return [float(value) for value in total / repetitions]
