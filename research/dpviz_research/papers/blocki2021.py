"""Blocki, Grigorescu and Mukherjee, differentially private sublinear-time clustering: what a sample costs and buys.

The poster states a framework and no measured number. Its two statements are measured here: centers of a small sample
S cost, on average and on the whole file, about α times the optimum plus an error that falls with s; and a group of g
records is protected with (Tε, δ_T), δ_T the chance that more than T of the group are in the sample.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from dpviz.clustering import cost, solve_kmeans, solve_kmedian
from dpviz.domain import Adjacency, ExactCounts
from dpviz.ingest import builtin
from dpviz.mechanisms.catalogue import get
from dpviz.mechanisms.exact_view import weighted_local
from dpviz.mechanisms.interface import Answer, Public
from dpviz.noise import replayable_source
from dpviz.privacy import Budget, How, Sampling
from dpviz.privacy.levels import amplified_group, best_group_guarantee, naive_group, sampled_group
from dpviz.privacy.sampling import amplified
from dpviz_research.papers import figures
from dpviz_research.papers.records import Row, checksum, write_figure, write_table

Floats = NDArray[np.float64]
SEED = 2021
CLUSTERS = 5
BASE_EPSILON = 1.0  # of the run on the sample, before amplification
SAMPLE_SIZES = (300, 1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000)
QUICK_SIZES = (1_000, 10_000, 100_000, 1_000_000)
BASES = ("adaptive_tree", "uniform_grid", "noisy_lloyd")
PLAIN = "k-means of the sample, not private"
OBJECTIVES = {"k-means": 2, "k-median": 1}
GROUP_EPSILONS = (1.0, 4.2)  # 4.2 on 1 % is about 0.5 after amplification
TAIL_GROUPS = (10, 100, 1_000)
FILE, DRAWN = 1_000_000, (1_000, 10_000, 100_000)
GROUPS = (1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1_000)
SMALL_DELTA = 1e-9
LEAST = 1e-6  # errors at or below this are drawn here


def sample_cost(*, out: Path, quick: bool, data: Path | None) -> list[Path]:
    """Average cost on the whole embedded city of centers found on samples of s records, and the time they take."""
    city = builtin("nyc-taxi")
    rows = list(sample_rows(city, QUICK_SIZES if quick else SAMPLE_SIZES, 3 if quick else 20))
    figure, axes = figures.panels(4)
    for panel, objective in zip(axes[:2], OBJECTIVES, strict=True):
        for label, look in zip((PLAIN, *BASES), figures.LOOKS, strict=False):
            part = _part(rows, label, objective)
            figures.line(
                panel,
                [row["sample"] for row in part],
                [max(LEAST, row["excess_median"]) for row in part],
                look,
                _shown(label),
            )
        figures.logarithmic(panel)
        panel.set_ylim(bottom=LEAST / 2)
        panel.set_ylabel("average cost on the whole\nover the best, minus 1", fontsize=8)
        panel.set_title(f"{objective}: the sample's centers on all {city.exact_total:,}", fontsize=9)
    gap, clock = axes[2:]
    for label, look in zip((PLAIN, *BASES), figures.LOOKS, strict=False):
        part = _part(rows, label, "k-means")
        sizes = [row["sample"] for row in part]
        figures.line(gap, sizes, [max(LEAST, row["sample_to_whole_gap_median"]) for row in part], look, _shown(label))
        figures.line(clock, sizes, [row["cpu_seconds"] for row in part], look, _shown(label))
    for panel, words in ((gap, "|average cost on S / on D − 1|"), (clock, "CPU seconds on the sample")):
        figures.logarithmic(panel)
        panel.set_ylabel(words, fontsize=8)
    gap.set_title("k-means: S stands for D", fontsize=9)
    clock.set_title("k-means: time T(s)", fontsize=9)
    for panel in axes:
        panel.set_xlabel("sample size s", fontsize=8)
        panel.set_xticks([10**power for power in range(3, 7)], ["10³", "10⁴", "10⁵", "10⁶"])
    figures.legend(figure, axes, columns=2)
    return [write_table(rows, out / "blocki2021-sample.csv"), *write_figure(figure, out / "blocki2021-sample")]


def _part(rows: list[Row], label: str, objective: str) -> list[Row]:
    return [row for row in rows if row["method"] == label and row["objective"] == objective]


def _shown(label: str) -> str:
    return label if label == PLAIN else f"{label} on the sample, ε = {BASE_EPSILON:g}"


def sample_rows(city: ExactCounts, sizes: tuple[int, ...], draws: int) -> Iterator[Row]:
    """Every base on samples of every size, without replacement as the poster asks for; k-means and k-median."""
    points, weights = weighted_local(city)
    mass = weights.astype(np.float64)
    facts = {"data": "nyc-taxi", "n": city.exact_total, "k": CLUSTERS, "data_sha256": checksum(city)}
    for objective, power in OBJECTIVES.items():
        solve = solve_kmeans if power == 2 else solve_kmedian
        best = solve(points, mass, CLUSTERS, seed=0).cost / city.exact_total
        for size in sizes:
            taken = [without_replacement(city, size, seed=SEED + index) for index in range(draws)]
            sampling = Sampling(how=How.WITHOUT_REPLACEMENT, drawn=size, records=city.exact_total)
            after = amplified(Budget(epsilon=BASE_EPSILON), sampling, Adjacency.REPLACE_ONE)
            for label in (PLAIN, *BASES):
                excess, gaps, seconds = [], [], []
                for index, sample in enumerate(taken):
                    started = time.process_time()
                    centers = _plain(sample, solve) if label == PLAIN else _base(label, sample, solve, power, index)
                    seconds.append(time.process_time() - started)
                    whole = cost(points, mass, centers, power) / city.exact_total
                    few, few_mass = weighted_local(sample)
                    part = cost(few, few_mass.astype(np.float64), centers, power) / size
                    excess.append(whole / best - 1)
                    gaps.append(abs(part / whole - 1))
                yield {
                    **facts,
                    "objective": objective,
                    "method": label,
                    "sample": size,
                    "base_epsilon": None if label == PLAIN else BASE_EPSILON,
                    "epsilon_of_whole_run": None if label == PLAIN else after.epsilon,
                    "excess_median": float(np.median(excess)),
                    "excess_mean": float(np.mean(excess)),
                    "sample_to_whole_gap_median": float(np.median(gaps)),
                    "cpu_seconds": float(np.median(seconds)),
                    "best_average_cost": best,
                    "repetitions": draws,
                    "seed": SEED,
                }


def without_replacement(counts: ExactCounts, size: int, *, seed: int) -> ExactCounts:
    """`size` different records, the sample's size public: the relation is replace."""
    cells = counts.exact_cells
    rng = np.random.default_rng(seed)
    drawn = rng.multivariate_hypergeometric(cells.ravel(), size, method="marginals").reshape(cells.shape)
    return ExactCounts.from_array(counts.grid, drawn, relation=Adjacency.REPLACE_ONE)


def _plain(sample: ExactCounts, solve: Callable[..., object]) -> Floats:
    points, weights = weighted_local(sample)
    found = solve(points, weights.astype(np.float64), CLUSTERS, seed=0)
    return found.centers  # type: ignore[attr-defined, no-any-return]


def _base(label: str, sample: ExactCounts, solve: Callable[..., object], power: int, index: int) -> Floats:
    """A method's centers; for k-median the best centers of its coreset, where it has more than k points."""
    mechanism = get(label)
    plan = mechanism.plan(Public.of(sample), k=CLUSTERS, budget=Budget(epsilon=BASE_EPSILON))
    answer = mechanism.run(sample, plan, replayable_source(SEED + index))
    assert isinstance(answer, Answer) and answer.centers is not None
    coreset = answer.coreset
    if power == 2 or coreset is None or len(coreset) <= CLUSTERS:
        return answer.centers.positions
    found = solve(coreset.positions, coreset.weights, CLUSTERS, seed=0, low=np.zeros(2), high=sample.grid.frame.extent)
    return found.centers  # type: ignore[attr-defined, no-any-return]


def group_privacy(*, out: Path, quick: bool, data: Path | None) -> list[Path]:
    """ε of a group of g records: gε, g·ln(1 + γ(e^ε − 1)), and the smallest Tε with δ_T ≤ 1e-9; exact tails."""
    rows = [row for epsilon in GROUP_EPSILONS for row in group_rows(Budget(epsilon=epsilon))]
    figure, axes = figures.panels(1 + len(GROUP_EPSILONS), columns=3, width=4.1, height=3.9)
    for panel, epsilon in zip(axes, GROUP_EPSILONS, strict=False):
        _draw_groups(panel, [row for row in rows if row["base_epsilon"] == epsilon], epsilon)
    _draw_tails(axes[-1], [row for row in rows if row["base_epsilon"] == GROUP_EPSILONS[0]])
    figures.legend(figure, axes[:1], columns=3)
    return [write_table(rows, out / "blocki2021-groups.csv"), *write_figure(figure, out / "blocki2021-groups")]


def _draw_groups(panel: Axes, rows: list[Row], epsilon: float) -> None:
    naive = [row for row in rows if row["way"] == "naive"]
    figures.line(panel, _column(naive, "g"), _column(naive, "epsilon"), figures.LOOKS[6], "gε, no sample")
    for drawn, look in zip(DRAWN, figures.LOOKS, strict=False):
        for way, words in (("amplified", "g·ln(1+γ(e^ε−1)), δ = 0"), ("T of the group", f"Tε, δ_T ≤ {SMALL_DELTA:g}")):
            part = [row for row in rows if row["way"] == way and row["sample"] == drawn]
            exact = way == "amplified"
            styled = figures.Look(colour=look.colour, marker="" if exact else look.marker, dash=":" if exact else "-")
            label = f"s = {drawn:,}: {words}"
            figures.line(panel, _column(part, "g"), _column(part, "epsilon"), styled, label)
    figures.logarithmic(panel)
    panel.set_xlabel("records g of one group (a person's trips)", fontsize=8)
    panel.set_ylabel("ε for the whole group", fontsize=8)
    panel.set_title(f"Base ε = {epsilon:g} on a secret sample of {FILE:,}", fontsize=9)


def _draw_tails(panel: Axes, rows: list[Row]) -> None:
    drawn = DRAWN[1]
    for group, look in zip(TAIL_GROUPS, figures.LOOKS[3:], strict=False):
        part = [row for row in rows if row["way"] == "tail" and row["sample"] == drawn and row["g"] == group]
        shown = [row for row in part if row["delta"] > 1e-18]
        figures.line(panel, _column(shown, "T"), _column(shown, "delta"), look, f"g = {group:,}")
    panel.axhline(SMALL_DELTA, color="black", linewidth=0.8, linestyle=":")
    panel.set_yscale("log")
    panel.tick_params(labelsize=8)
    panel.grid(alpha=0.25, linewidth=0.5)
    panel.set_xlabel("T (the group gets Tε)", fontsize=8)
    panel.set_ylabel("δ_T, the chance that more than T are sampled", fontsize=8)
    panel.set_title(f"s = {drawn:,} of {FILE:,}, any base", fontsize=9)
    panel.legend(fontsize=8, frameon=False)


def _column(rows: list[Row], name: str) -> list[float]:
    return [row[name] for row in rows]


def group_rows(base: Budget) -> Iterator[Row]:
    """All bounds as rows; nothing is drawn, so nothing is repeated."""
    fixed = {"n": FILE, "base_epsilon": base.epsilon, "repetitions": 1, "seed": None, "data_sha256": None}
    relation = Adjacency.REPLACE_ONE
    for group in GROUPS:
        naive = naive_group(base, group)
        yield {**fixed, "way": "naive", "sample": FILE, "g": group, "T": None, "epsilon": naive.epsilon, "delta": 0.0}
    for drawn in DRAWN:
        sampling = Sampling(how=How.WITHOUT_REPLACEMENT, drawn=drawn, records=FILE)
        for group in GROUPS:
            place = {**fixed, "sample": drawn, "g": group}
            one = amplified_group(base, sampling, relation, group)
            yield {**place, "way": "amplified", "T": None, "epsilon": one.epsilon, "delta": one.delta}
            tails = sampled_group(base, sampling, relation, group)
            first = next(row for row in tails if row.delta <= SMALL_DELTA)
            yield {
                **place, "way": "T of the group", "T": first.threshold, "epsilon": first.epsilon, "delta": first.delta
            }  # fmt: skip
            best = best_group_guarantee(base, group, relation=relation, sampling=sampling, delta=SMALL_DELTA)
            yield {**place, "way": "best", "T": best.threshold, "epsilon": best.epsilon, "delta": best.delta}
            if group in TAIL_GROUPS and base.epsilon == GROUP_EPSILONS[0]:
                for row in tails[: 1 + min(group, 80)]:
                    yield {
                        **place, "way": "tail", "T": row.threshold, "epsilon": row.epsilon, "delta": row.delta
                    }  # fmt: skip
