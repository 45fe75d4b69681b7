"""What the accuracy benchmark says over all cells: geometric means, intervals, a figure, records for *Evidence*."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpviz_research.papers.records import write_record

if TYPE_CHECKING:
    from dpviz_research.accuracy import Cell

Floats = NDArray[np.float64]
OURS = "adaptive_tree"
BEST_RIVAL = "best private reference"
MOST_DRAWS = 1000
PEER = "diffprivlib"
LEAST_ERROR = 1e-14  # costs tell errors apart down to about 1e-15; at or below this an error counts as this
RESAMPLES = 400
GROUPS: tuple[tuple[str, Callable[[Cell], bool]], ...] = (
    ("k ≥ 5", lambda cell: cell.k >= 5),
    *((f"k = {k}", lambda cell, k=k: cell.k == k) for k in (1, 5, 10, 20)),
    *((f"n = {n:,}", lambda cell, n=n: cell.n == n) for n in (100_000, 1_000_000, 10_000_000)),
)


def median_interval(errors: Floats, level: float = 0.95) -> tuple[float, float]:
    """Bootstrap interval of the median."""
    generator = np.random.default_rng(0)
    medians = np.median(generator.choice(errors, (RESAMPLES, len(errors))), axis=1)
    tail = (1.0 - level) / 2.0
    return float(np.quantile(medians, tail)), float(np.quantile(medians, 1.0 - tail))


def summary(cells: Sequence[Cell]) -> dict[str, Any]:
    """Geometric mean over cells of (other's median / ours), with an interval from resampled paired draws.

    The best private reference is, cell by cell, the rival with the lowest median: chosen after the fact, in its favour.
    """
    ours = {_place(cell): cell for cell in cells if cell.method == OURS}
    others: dict[str, list[tuple[Cell, Cell]]] = {}
    best: dict[Any, Cell] = {}
    for cell in cells:
        if cell.method == OURS:
            continue
        others.setdefault(cell.method, []).append((cell, ours[_place(cell)]))
        if cell.rival and (_place(cell) not in best or cell.median < best[_place(cell)].median):
            best[_place(cell)] = cell
    if best:
        others[BEST_RIVAL] = [(cell, ours[place]) for place, cell in best.items()]
    return {method: _compared(pairs) for method, pairs in others.items()}


def _place(cell: Cell) -> tuple[str, int, int, float]:
    return cell.data, cell.n, cell.k, cell.epsilon


def _compared(pairs: Sequence[tuple[Cell, Cell]]) -> dict[str, Any]:
    size = len(pairs[0][0].errors)
    samples = np.random.default_rng(0).integers(0, size, (RESAMPLES, size))
    ratios = np.array([_ratios(theirs, mine, samples) for theirs, mine in pairs])
    plain = np.array([_log(theirs.median) - _log(mine.median) for theirs, mine in pairs])
    found: dict[str, Any] = {
        "rival": pairs[0][0].rival,
        **_mean(plain, ratios),
        "cells": len(pairs),
        "cells_lower_than_ours": int((plain < 0).sum()),
        "cells_significantly_lower_than_ours": int((np.quantile(ratios, 0.975, axis=1) < 0).sum()),
        "cells_significantly_higher_than_ours": int((np.quantile(ratios, 0.025, axis=1) > 0).sum()),
    }
    for name, belongs in GROUPS:
        chosen = np.array([belongs(mine) for _, mine in pairs])
        if chosen.any() and not chosen.all():
            part = _mean(plain[chosen], ratios[chosen])
            found[name] = part["times_our_error"]
            if name == "k ≥ 5":
                found[f"{name}, low"], found[f"{name}, high"] = part["low"], part["high"]
    return found


def _mean(plain: Floats, ratios: Floats) -> dict[str, float]:
    logs = ratios.mean(axis=0)
    return {
        "times_our_error": math.exp(float(np.mean(plain))),
        "low": math.exp(float(np.quantile(logs, 0.025))),
        "high": math.exp(float(np.quantile(logs, 0.975))),
    }


def _ratios(theirs: Cell, mine: Cell, samples: NDArray[np.int64]) -> Floats:
    medians = [np.median(np.array(cell.errors)[samples], axis=1) for cell in (theirs, mine)]
    logs: Floats = np.log(np.maximum(medians[0], LEAST_ERROR)) - np.log(np.maximum(medians[1], LEAST_ERROR))
    return logs


def _log(error: float) -> float:
    return math.log(max(error, LEAST_ERROR))


def draws_of(seed: int, draws: int) -> range:
    """The seeds of the draws: those of two runs with different seeds never meet."""
    return range(seed * MOST_DRAWS, seed * MOST_DRAWS + draws)


def write_evidence(
    result: Mapping[str, Any], grid: Mapping[str, Sequence[Any]], out: Path, measured_at: str | None = None
) -> list[Path]:
    """Records for the page *Evidence*: every cell, geometric means over all cells and over parts of them."""
    asked = " ".join(f"--{axis} {' '.join(map(str, grid[axis]))}" for axis in ("n", "k", "epsilon"))
    draws, seed = result["draws"], result.get("seed", 0)
    used = draws_of(seed, draws)
    options = f"{asked} --draws {draws} --seed {seed} --out docs/evidence"
    origin: dict[str, Any] = {
        "command": f"python -m dpviz_research.accuracy {options}",
        "seed": f"draws {used[0]} to {used[-1]}, replayable noise",
        "data": f"nyc-taxi, n drop-offs drawn with replacement, seed {seed}",
        "measured_at": measured_at,
    }
    if PEER in result["summary"]:
        origin["command"] += " --peer-python PYTHON"
        return [_beside_a_peer(result, out, origin)]
    columns = ("data", "n", "k", "epsilon", "method", "rival", "median", "low", "high", "draws", "seconds")
    return [
        write_record(
            out / "accuracy.json",
            title="Accuracy on maps",
            what=(
                "Error = cost of the centers on the exact records, over the lowest cost that anybody found, minus 1: "
                "long searches without protection, and every answer of every method polished on the exact records. "
                "`low` and `high`: 95 % bootstrap interval of the median. Limits (rival: no) are not private or know "
                f"the best centers. Errors of {LEAST_ERROR:g} and below, where the digits of a cost end, are drawn at "
                f"{LEAST_ERROR:g}."
            ),
            kind="accuracy",
            rows=[{column: cell[column] for column in columns} for cell in result["cells"]],
            **origin,
        ),
        write_record(
            out / "accuracy-summary.json",
            title="Accuracy on maps: geometric means over cells",
            what=(
                "How many times the median error of adaptive_tree another method has, with a 95 % interval from "
                "resampled paired draws. Above 1: adaptive_tree is more accurate. The best private reference is "
                "chosen in every cell by its median, in its favour. Significantly: 97.5 % of the resamples agree."
            ),
            kind="table",
            rows=[{"method": method, **whole(values)} for method, values in result["summary"].items()],
            **origin,
        ),
        write_record(
            out / "accuracy-parts.json",
            title="Accuracy on maps: geometric means over parts of the cells",
            what="As above, over the cells of one k, of one n, and of all k from 5 on (with its interval).",
            kind="table",
            rows=[{"method": method, **parts(values)} for method, values in result["summary"].items()],
            **origin,
        ),
    ]


def _beside_a_peer(result: Mapping[str, Any], out: Path, origin: Mapping[str, Any]) -> Path:
    found = {(cell["n"], cell["k"], cell["epsilon"], cell["method"]): cell for cell in result["cells"]}
    rows = []
    for n, k, epsilon, method in found:
        if method == OURS:
            ours, theirs = found[n, k, epsilon, OURS], found[n, k, epsilon, PEER]
            rows.append(
                {
                    "n": n,
                    "k": k,
                    "epsilon": epsilon,
                    OURS: ours["median"],
                    PEER: theirs["median"],
                    "times our error": float(f"{theirs['median'] / max(ours['median'], LEAST_ERROR):.3g}"),
                }
            )
    return write_record(
        out / "accuracy-peers.json",
        title="Accuracy on maps, beside diffprivlib",
        what=(
            "diffprivlib 0.6.6 in an environment of its own, the same records and the same cells, median errors of "
            "paired draws. It declares the same level, but adds no noise to empty clusters, so it is not private as "
            "declared."
        ),
        kind="table",
        rows=rows,
        **origin,
    )


def whole(values: Mapping[str, Any]) -> dict[str, Any]:
    """The columns over all cells."""
    return {name: value for name, value in values.items() if "=" not in name and "≥" not in name}


def parts(values: Mapping[str, Any]) -> dict[str, Any]:
    """The columns over some of the cells."""
    return {name: value for name, value in values.items() if "=" in name or "≥" in name}


def draw_figure(table: pd.DataFrame, path: Path) -> None:
    """Median error against ε, one panel per (n, k); an error at the end of a cost's digits is a triangle there."""
    from matplotlib.figure import Figure

    sizes, numbers = sorted(table["n"].unique()), sorted(table["k"].unique())
    figure = Figure(figsize=(3.4 * len(numbers), 2.8 * len(sizes)), layout="constrained")
    axes = figure.subplots(len(sizes), len(numbers), squeeze=False)
    for i, n in enumerate(sizes):
        for j, k in enumerate(numbers):
            panel = axes[i][j]
            for method, rows in table[(table["n"] == n) & (table["k"] == k)].groupby("method", sort=False):
                heavy = 2.2 if method == OURS else 1.0
                shown = 100 * rows["median"].clip(lower=LEAST_ERROR)
                (line,) = panel.loglog(rows["epsilon"], shown, label=str(method), linewidth=heavy)
                floor = (rows["median"] <= LEAST_ERROR).to_numpy()
                if floor.any():
                    panel.plot(rows["epsilon"][floor], shown[floor], "v", color=line.get_color(), markersize=5)
            panel.set_title(f"n = {n:,}, k = {k}", fontsize=9)
            panel.set_xlabel("ε")
            panel.set_ylabel("median error in %")
    axes[0][0].legend(fontsize=6)
    figure.savefig(path, dpi=130)
