"""Accuracy where nobody tuned: `python -m dpviz_research.elsewhere --draws 30 --out docs/evidence`. Curator only.

Seven data sets, three of them used for choosing constants and four held back; every rival has the same guided search.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dpviz_research.elsewhere.keeping import Kept
from dpviz_research.elsewhere.measuring import MAKERS, SETS, Measured, measure
from dpviz_research.elsewhere.rivals import FACTORS, HINDSIGHT
from dpviz_research.elsewhere.telling import FLOOR, LEAST, cell_rows, summary_rows, verdicts
from dpviz_research.elsewhere.yard import SIDE
from dpviz_research.papers.records import commit, write_record

SIZES, NUMBERS, LEVELS = (100_000,), (5, 10, 20), (0.1, 1.0)
QUICK: dict[str, Any] = {"sizes": (20_000,), "numbers": (5,), "levels": (0.5,), "draws": 5}
WHAT = (
    "Errors on the records themselves, not on a grid: cost of the centers over the lowest cost that any search and any "
    f"answer came to, minus 1. The grid of {SIDE:,} cells a side, on which all methods work, has a floor of its own, "
    "which no method on it passes but by luck. Medians over paired draws. "
)


def elsewhere(*, quick: bool = False) -> list[dict[str, Any]]:
    """For `bench elsewhere`: every cell with its best rival, then geometric means over parts of the cells."""
    asked = QUICK if quick else {"sizes": SIZES, "numbers": NUMBERS, "levels": LEVELS, "draws": 10}
    found = [one for cell in measure(list(SETS), **asked, seed=0) for one in cell]
    return [*verdicts(found), *summary_rows(found)]


def write(found: Sequence[Measured], out: Path, measured_at: str, seed: int) -> list[Path]:
    """Three records for the page *Evidence*, of the cells measured so far."""
    draws = len(found[0].raw)
    axes = {name: _plain([getattr(one.place, name) for one in found]) for name in ("n", "k", "epsilon")}
    asked = " ".join(f"--{name} {values}" for name, values in axes.items())
    names = ", ".join(dict.fromkeys(one.place.data for one in found))
    origin: dict[str, Any] = {
        "command": f"python -m dpviz_research.elsewhere {asked} --draws {draws} --seed {seed} --out docs/evidence",
        "seed": f"draws {1000 * seed} to {1000 * seed + draws - 1}, replayable noise",
        "data": f"{names}; made by the project, the embedded city drawn with replacement",
        "measured_at": measured_at,
    }
    factors = ", ".join(f"{factor:g}" for factor in FACTORS)
    return [
        write_record(
            out / "elsewhere-summary.json",
            title="Accuracy where nobody tuned: geometric means",
            what=WHAT + "How many times our error another method has, with 95 % intervals from resampled draws. Stated "
            f"with errors below {FLOOR:g} counted as {FLOOR:g}, and without (below {LEAST:g}, where descents end); on "
            "the grid; and for mean errors instead of medians. The best rival is picked in every cell after the fact. "
            f"*{HINDSIGHT}*: a grid of {factors} times the usual side, its counts searched with their signs or those "
            "above 0 alone, the best of them picked in every cell after looking at its errors: no rule for the side "
            "does better among these, nor does the one that depends on the number of clusters (Muthukrishnan and "
            "Tandon 2026, arXiv 2603.26963). Limits (rival: no) know the best centers.",
            kind="table",
            rows=summary_rows(found),
            **origin,
        ),
        write_record(
            out / "elsewhere-verdicts.json",
            title="Accuracy where nobody tuned: every cell, won and lost",
            what=WHAT
            + "The rival with the lowest median in each cell, and how many times our error it has. Won or lost: "
            "97.5 % of resampled draws agree; else open.",
            kind="table",
            rows=verdicts(found),
            **origin,
        ),
        write_record(
            out / "elsewhere.json",
            title="Accuracy where nobody tuned: all methods in all cells",
            what=WHAT
            + "*Other basin*: share of draws from which a descent ends elsewhere than at the best known centers.",
            kind="table",
            rows=cell_rows(found),
            **origin,
        ),
    ]


def main() -> None:
    """Measure and write, again after every k."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", nargs="+", choices=list(MAKERS), default=list(SETS))
    parser.add_argument("--n", nargs="+", type=int, default=list(SIZES))
    parser.add_argument("--k", nargs="+", type=int, default=list(NUMBERS))
    parser.add_argument("--epsilon", nargs="+", type=float, default=list(LEVELS))
    parser.add_argument("--draws", type=int, default=30)
    parser.add_argument("--seed", type=int, default=0, help="other samples and other draws")
    parser.add_argument("--keep", type=Path, help="folder of answers: a run that was broken off goes on from there")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    measured_at = commit()
    found: list[Measured] = []
    for n in given.n:
        for k in given.k:
            for cell in measure(given.sets, [n], [k], given.epsilon, given.draws, given.seed, Kept(folder=given.keep)):
                found += cell
                print(_line(cell), flush=True)
            write(found, given.out, measured_at, given.seed)


def _line(cell: Sequence[Measured]) -> str:
    told = verdicts(cell)[0]
    return " · ".join(
        f"{name} {told[name]}" for name in ("data", "n", "k", "epsilon", "best rival", "times ours", "cell")
    )


def _plain(values: Sequence[Any]) -> str:
    return " ".join(str(value) for value in dict.fromkeys(values))


if __name__ == "__main__":
    main()
