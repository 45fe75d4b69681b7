"""Feldman, Xiang, Zhu, Rus 2017, Figure 7: peeled_balls against the private coreset of Feldman et al. 2009.

k = 5 and ε = 0.5; error and coreset size against N. The paper used another implementation of the older coreset and
prints no error; it prints that those coresets are 20 to 40 times larger, and that some of their weights are negative.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from dpviz.clustering import solve_kmeans
from dpviz.mechanisms.catalogue import get
from dpviz.mechanisms.interface import Answer, Public
from dpviz.noise import replayable_source
from dpviz.privacy import Budget
from dpviz_research.papers import figures
from dpviz_research.papers.feldman2017 import DELTA, SEED, VARIANTS, Problem, draw, problem_of
from dpviz_research.papers.records import Row, checksum, write_figure, write_table

K, EPSILON = 5, 0.5
LINES = "centred_lines"
SIZES, QUICK_SIZES = (100_000, 200_000, 500_000, 1_000_000), (100_000, 500_000)
SMALLEST = 1e-6  # errors at or below this are drawn here
PRINTED_RATIO = "20 to 40"


def figure_7(*, out: Path, quick: bool, data: Path | None) -> list[Path]:
    """Relative k-means error, coreset points and negative weights against N."""
    rows = list(rows_of(QUICK_SIZES if quick else SIZES, 4 if quick else 20))
    figure, axes = figures.panels(3, columns=3, width=3.7, height=3.2)
    for look, name in zip(figures.LOOKS, (*VARIANTS, LINES), strict=False):
        part = [row for row in rows if row["method"] == name and row["answers"]]
        if not part:
            continue
        sizes = [row["records"] for row in part]
        label = LINES if name == LINES else f"peeled_balls, {name}"
        figures.line(axes[0], sizes, [max(SMALLEST, row["median_error"]) for row in part], look, label)
        figures.line(axes[1], sizes, [row["median_size"] for row in part], look, label)
        figures.line(axes[2], sizes, [row["negative_share"] for row in part], look, label)
    for panel, words in zip(
        axes, ("median relative error", "coreset points", "share of negative weights"), strict=True
    ):
        panel.set_ylabel(words, fontsize=8)
        panel.set_xlabel("records N", fontsize=8)
    figures.logarithmic(axes[0])
    figures.logarithmic(axes[1])
    figures.logarithmic(axes[2], y=False)
    shown = sorted({row["records"] for row in rows})
    for panel in axes:
        panel.minorticks_off()
        panel.set_xticks(shown, [f"{records // 1000:,}k" for records in shown])
    axes[1].set_title(f"the paper prints a ratio of {PRINTED_RATIO}", fontsize=8, color="#B00000")
    figures.legend(figure, axes, columns=3)
    return [write_table(rows, out / "ipsn17-fig7.csv"), *write_figure(figure, out / "ipsn17-fig7")]


def rows_of(sizes: tuple[int, ...], draws: int) -> Iterator[Row]:
    """One row per N and method; the ratio of sizes is against the peeled_balls variant of the same N."""
    for records in sizes:
        problem = problem_of("peer", records, K)
        lines = drawn_lines(problem, draws)
        for name in VARIANTS:
            errors, points = draw(problem, name, EPSILON, draws)
            answered = np.isfinite(errors)
            median = float(np.median(points[answered])) if answered.any() else None
            yield {
                **facts(problem, name, draws),
                "answers": int(answered.sum()),
                "median_error": float(np.median(errors[answered])) if answered.any() else None,
                "median_size": median,
                "negative_share": 0.0,
                "lines_over_this_size": None if median is None else float(np.median(lines[1])) / median,
            }
        yield {
            **facts(problem, LINES, draws),
            "answers": draws,
            "median_error": float(np.median(lines[0])),
            "median_size": float(np.median(lines[1])),
            "negative_share": float(np.mean(lines[2])),
            "lines_over_this_size": 1.0,
        }


def facts(problem: Problem, name: str, draws: int) -> Row:
    """What all rows say."""
    return {
        "method": name,
        "k": K,
        "epsilon": EPSILON,
        "delta": None if name == LINES else DELTA,
        "records": problem.records,
        "data": problem.name,
        "relation": "add-remove" if name == LINES else VARIANTS[name][1].value,
        "draws": draws,
        "seed": SEED,
        "data_checksum": checksum(problem.exact_counts),
    }


def drawn_lines(problem: Problem, draws: int) -> tuple[list[float], list[int], list[float]]:
    """Errors, coreset sizes and shares of negative weights of the older coreset."""
    method, data = get(LINES), problem.exact_counts
    plan = method.plan(Public.of(data), k=K, budget=Budget(epsilon=EPSILON))
    errors, sizes, negative = [], [], []
    for index in range(draws):
        answer = method.run(data, plan, replayable_source(SEED + index))
        assert isinstance(answer, Answer) and answer.coreset is not None
        coreset = answer.coreset
        found = solve_kmeans(
            coreset.positions, coreset.weights, K, seed=index, low=np.zeros(2), high=coreset.frame.extent
        )
        errors.append(problem.exact_table.summarise(found.centers)[0] / problem.exact_cost - 1)
        sizes.append(len(coreset))
        negative.append(float((coreset.weights < 0).mean()))
    return errors, sizes, negative
