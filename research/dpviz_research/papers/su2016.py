"""Su, Cao, Li, Bertino and Jin 2016, "Differentially private k-means clustering": Figures 1, 5 and 7.

The paper averages over 100 runs (DPLloyd: 100 from each of 30 starts; EUGkM: 10 synopses); ours draw a new start in
every run. Each repetition of one cell has a seed of its own, the same for every method.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import ExactPoints
from dpviz.mechanisms.baselines.hybrid import step_pays
from dpviz.mechanisms.baselines.noisy_lloyd import LatticeRecords, noisy_step
from dpviz.mechanisms.catalogue import get
from dpviz.mechanisms.interface import Answer, ExactData, Public
from dpviz.mechanisms.shares import TOTAL_SHARE
from dpviz.mechanisms.uniform_grid import RECORDS_PER_NOISE, centers_as_printed, noisy_synopsis, packed_start
from dpviz.noise import Sampler, replayable_source
from dpviz.privacy import Budget
from dpviz_research.papers import figures
from dpviz_research.papers.records import Row, write_figure, write_table
from dpviz_research.papers.su2016_data import Example, examples

Floats = NDArray[np.float64]
Run = Callable[[Sampler], Floats]
SEED = 2016
LEVELS = (0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 0.7, 1.0, 2.0)
QUICK_LEVELS = (0.05, 0.2, 0.7, 2.0)
RUNTIME_EPSILON = 0.1
RUNTIME_RUNS = 10


@dataclass(frozen=True, kw_only=True)
class Method:
    """A method under the paper's name."""

    label: str
    name: str
    repetitions: int
    quick: int
    look: figures.Look


DPLLOYD = Method(label="DPLloyd", name="noisy_lloyd", repetitions=100, quick=20, look=figures.LOOKS[0])
EUGKM = Method(label="EUGkM", name="uniform_grid_paper", repetitions=10, quick=2, look=figures.LOOKS[1])
PGKM = Method(label="PGkM", name="genetic", repetitions=20, quick=2, look=figures.LOOKS[2])
GKM = Method(label="GkM", name="sample_aggregate", repetitions=100, quick=10, look=figures.LOOKS[3])
GKM_3K = Method(label="GkM-3K", name="sample_aggregate_3k", repetitions=100, quick=10, look=figures.LOOKS[4])
HYBRID = Method(label="Hybrid", name="hybrid_paper", repetitions=30, quick=3, look=figures.LOOKS[5])
OURS = Method(label="adaptive_tree (not in the paper)", name="adaptive_tree", repetitions=20, quick=5,
              look=figures.LOOKS[6])  # fmt: skip
FORCED = "Hybrid, step forced"
FORCED_NEAREST = "Hybrid, step forced, cells rounded to the nearest"

# What the paper's text prints: data, label, ε, NICV.
PRINTED = (
    ("Gowalla", "Hybrid", 0.7, 0.02172),
    ("Gowalla", "EUGkM", 0.7, 0.02174),
    ("Adult-num", "Hybrid", 0.05, 0.370),
    ("Adult-num", FORCED, 0.05, 0.244),
    ("Adult-num", FORCED_NEAREST, 0.05, 0.244),
)


def figure_1(*, out: Path, quick: bool, data: Path | None) -> list[Path]:
    """NICV against ε for the interactive methods and EUGkM."""
    found = examples(data)
    rows = sweep(found, (DPLLOYD, EUGKM, PGKM, GKM, GKM_3K), quick=quick)
    rows += sweep([example for example in found if example.dims == 2], (OURS,), quick=quick)
    looks = {method.label: method.look for method in (DPLLOYD, EUGKM, PGKM, GKM, GKM_3K, OURS)}
    return [write_table(rows, out / "su2016-fig1.csv"), *draw_sweep(found, rows, looks, out / "su2016-fig1")]


def figure_5(*, out: Path, quick: bool, data: Path | None) -> list[Path]:
    """The hybrid beside its two parts, and on Adult with the step that its rule would leave out."""
    found = examples(data)
    rows = sweep(found, (DPLLOYD, EUGKM, HYBRID), quick=quick)
    for example in found:
        if example.name == "Adult-num":
            rows.append(forced_row(example, 0.05, HYBRID.quick if quick else HYBRID.repetitions))
    looks = {method.label: method.look for method in (DPLLOYD, EUGKM, HYBRID)} | {FORCED: figures.LOOKS[6]}
    return [write_table(rows, out / "su2016-fig5.csv"), *draw_sweep(found, rows, looks, out / "su2016-fig5")]


def figure_7(*, out: Path, quick: bool, data: Path | None) -> list[Path]:
    """CPU seconds of one run at ε = 0.1."""
    found = examples(data)
    rows: list[Row] = []
    for example in found:
        for method in (DPLLOYD, EUGKM):
            run = paying_for_starts(runner(example, method.name, RUNTIME_EPSILON))
            run(replayable_source(SEED))  # the first run may compile
            nicv, seconds = draw(example, run, 3 if quick else RUNTIME_RUNS)
            rows.append(
                {**described(example, method.label, RUNTIME_EPSILON, nicv), "cpu_seconds": float(np.median(seconds))}
            )
    figure, (panel,) = figures.panels(1, width=7.5, height=3.4)
    place = np.arange(len(found))
    for shift, method in ((-0.2, DPLLOYD), (0.2, EUGKM)):
        values = [row["cpu_seconds"] for row in rows if row["method"] == method.label]
        bars = panel.bar(
            place + shift,
            values,
            0.38,
            color=method.look.colour,
            label=method.label,
            hatch="" if method is DPLLOYD else "//",
            edgecolor="white",
        )
        panel.bar_label(bars, [f"{value:.3g}" for value in values], fontsize=7, padding=1)
    panel.set_xticks(place, [f"{e.title}\nd={e.dims}, k={e.k}".replace(" (made", "\n(made") for e in found], fontsize=7)
    panel.set_yscale("log")
    panel.margins(y=0.12)
    panel.set_ylabel("CPU seconds, one run, one thread")
    panel.set_title("Run time at ε = 0.1 (the paper draws this figure and prints no number)", fontsize=9)
    panel.legend(fontsize=8, frameon=False)
    return [write_table(rows, out / "su2016-fig7.csv"), *write_figure(figure, out / "su2016-fig7")]


def paying_for_starts(run: Run) -> Run:
    """The same run with no packed start kept from an earlier one: both methods search for their own."""

    def alone(noise: Sampler) -> Floats:
        packed_start.cache_clear()
        return run(noise)

    return alone


def sweep(found: Sequence[Example], methods: Sequence[Method], *, quick: bool) -> list[Row]:
    """Every method at every level on every data set."""
    rows = []
    for example in found:
        for method in methods:
            for epsilon in QUICK_LEVELS if quick else LEVELS:
                draws = method.quick if quick else method.repetitions
                nicv, _ = draw(example, runner(example, method.name, epsilon), draws)
                rows.append(described(example, method.label, epsilon, nicv))
    return rows


def runner(example: Example, name: str, epsilon: float) -> Run:
    """One run of a method of the catalogue, as centers in local coordinates."""
    mechanism = get(name)
    exact: ExactData = example.exact
    if mechanism.info.takes == "counts" and isinstance(exact, ExactPoints):
        exact = exact.to_counts(1024)
    plan = mechanism.plan(Public.of(exact), k=example.k, budget=Budget(epsilon=epsilon))

    def run(noise: Sampler) -> Floats:
        answer = mechanism.run(exact, plan, noise)
        if not isinstance(answer, Answer) or answer.centers is None:
            extent = Public.of(exact).frame.extent
            return np.tile(extent / 2, (example.k, 1))  # no answer counts as the middle of the box
        return answer.centers.positions

    return run


def draw(example: Example, run: Run, draws: int) -> tuple[Floats, Floats]:
    """NICV and CPU seconds of each repetition."""
    nicv, seconds = np.empty(draws), np.empty(draws)
    for index in range(draws):
        started = time.process_time()
        centers = run(replayable_source(SEED + index))
        seconds[index] = time.process_time() - started
        nicv[index] = example.nicv(centers)
    return nicv, seconds


def described(example: Example, label: str, epsilon: float, nicv: Floats) -> Row:
    """One row: the mean, as in the paper, beside median, quartiles and the baseline."""
    low, median, high = np.quantile(nicv, (0.25, 0.5, 0.75))
    return {
        **example.facts(),
        "method": label,
        "epsilon": epsilon,
        "nicv_mean": float(nicv.mean()),
        "nicv_median": float(median),
        "nicv_quartile_1": float(low),
        "nicv_quartile_3": float(high),
        "nicv_not_private": example.exact_best,
        "printed_in_paper": printed_value(example, label, epsilon),
        "repetitions": len(nicv),
        "seed": SEED,
    }


def printed_value(example: Example, label: str, epsilon: float) -> float | None:
    """The paper's number for the same data, method and level, where its text has one."""
    if not example.real:
        return None
    known = {(name, method, level): value for name, method, level, value in PRINTED}
    return known.get((example.name, label, epsilon))


def forced_row(example: Example, epsilon: float, draws: int, *, nearest: bool = False) -> Row:
    """The hybrid with its noisy step although inequality (15) advises against it: the paper's 0.244 on Adult.

    `nearest` rounds the number of cells along an axis to the nearest whole number; the catalogue's method rounds up.
    """
    exact = example.exact
    public = Public.of(exact)
    dims = public.frame.dims

    def run(noise: Sampler) -> Floats:
        share = TOTAL_SHARE * epsilon
        rest = epsilon - share
        noisy_total = max(1, exact.exact_total + int(noise.laplace(1 / share, 1)[0]))
        if nearest:  # the total for which rounding up gives the nearest whole number
            wanted = (noisy_total * rest / 2 / RECORDS_PER_NOISE) ** (2 / (2 + dims))
            fewer = max(1.5, round(wanted) - 0.5) ** ((2 + dims) / 2)
            noisy_total = max(1, int(fewer * RECORDS_PER_NOISE / (rest / 2)))
        coreset = noisy_synopsis(exact, noisy_total, rest / 2, noise)
        positions, _ = centers_as_printed(coreset, example.k)
        moved, _ = noisy_step(LatticeRecords(exact), positions, rest / 2, public, noise)
        return moved

    nicv, _ = draw(example, run, draws)
    rule_says = step_pays(exact.exact_total, example.k, dims, epsilon * (1 - TOTAL_SHARE))
    label = FORCED_NEAREST if nearest else FORCED
    return {**described(example, label, epsilon, nicv), "rule_takes_the_step": rule_says}


def printed_values(*, out: Path, quick: bool, data: Path | None) -> list[Path]:
    """Every number that the paper's text prints, where the user has the data; stand-ins have none."""
    return [write_table(printed_rows(data, 10 if quick else 50), out / "su2016-printed.csv")]


def printed_rows(data: Path | None, draws: int) -> list[Row]:
    """The printed cells of Gowalla and Adult, measured; DPLloyd and EUGkM beside them."""
    rows: list[Row] = []
    for example in examples(data, city=False):
        levels = {epsilon for name, _, epsilon, _ in PRINTED if name == example.name}
        for epsilon in sorted(levels):
            for method in (DPLLOYD, EUGKM, HYBRID):
                nicv, _ = draw(example, runner(example, method.name, epsilon), draws)
                rows.append(described(example, method.label, epsilon, nicv))
            if (example.name, FORCED, epsilon) in {row[:3] for row in PRINTED}:
                rows += [forced_row(example, epsilon, draws, nearest=nearest) for nearest in (False, True)]
    return rows


def draw_sweep(found: Sequence[Example], rows: Sequence[Row], looks: dict[str, figures.Look], stem: Path) -> list[Path]:
    """One panel per data set: mean NICV against ε, both logarithmic, quartiles as bands."""
    figure, axes = figures.panels(len(found))
    for example, panel in zip(found, axes, strict=True):
        figures.baseline(panel, example.exact_best)
        for label, look in looks.items():
            part = [row for row in rows if row["data"] == example.title and row["method"] == label]
            columns: dict[str, list[Any]] = {
                name: [row[name] for row in part]
                for name in ("epsilon", "nicv_mean", "nicv_quartile_1", "nicv_quartile_3")
            }
            if part:
                figures.line(
                    panel,
                    columns["epsilon"],
                    columns["nicv_mean"],
                    look,
                    label,
                    low=columns["nicv_quartile_1"],
                    high=columns["nicv_quartile_3"],
                )
        for number, (name, label, epsilon, value) in enumerate(PRINTED):
            if example.real and name == example.name and label in looks:
                figures.printed(panel, epsilon, value, f"paper: {label} {value:g}", dy=14 if number % 2 == 0 else -26)
        figures.logarithmic(panel)
        panel.set_title(f"{example.title}  (d={example.dims}, k={example.k})", fontsize=9)
        panel.set_xlabel("ε (less private to the right)", fontsize=8)
        panel.set_ylabel("NICV, mean of runs", fontsize=8)
    figures.legend(figure, axes)
    return write_figure(figure, stem)
