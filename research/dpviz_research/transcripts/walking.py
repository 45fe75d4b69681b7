"""Which lines and branches of the mechanisms and of the noise forced transcripts walk: by file, and by method.

Runs of coverage.py are put together. Compiled kernels run whole in some, but no tool sees their lines while they are
compiled; others, of the smallest cases, take them uncompiled.
"""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from dpviz.mechanisms import catalogue
from dpviz_research import PROJECT, own_environment
from dpviz_research.papers.records import Row

WATCHED = ("dpviz/mechanisms", "dpviz/noise")
# What runs on exact or protected data only as a second opinion, before a run, or for display.
LEFT_OUT = {
    "dpviz/mechanisms/catalogue.py": "the list of methods; no data",
    "dpviz/mechanisms/forecast.py": "chooses a method from public numbers and a table made by simulation; no data",
    "dpviz/mechanisms/proof_pages.py": "who read which proof, names of charges in it; no data",
    "dpviz/noise/secure.py": "the secure source: forced runs draw from the replayable one",
}
WHY_NOT = {  # what is left of files that are not walked whole
    "mechanisms/adaptive_tree/mechanism.py": "the copy for another purpose: cases make that method themselves",
    "mechanisms/baselines/_kernels.py": ("a hash table that is full; a point that covers more vertices than any can"),
    "mechanisms/baselines/grid_cover.py": "a hash table that must grow: it begins with room for many places",
    "mechanisms/peeled_balls/_removal_kernels.py": "an empty block that is cleared; the end of a loop left inside it",
    "mechanisms/peeled_balls/_window_kernels.py": (
        "an empty tile where scores of 0 count; a place behind all candidates"
    ),
    "mechanisms/peeled_balls/engine.py": "what is shown of exact sums in place of them",
    "mechanisms/peeled_balls/small_ball.py": (
        "the last of all rounds: the records that are left end every schedule before it"
    ),
    "mechanisms/regional.py": "a part whose method publishes no total",
    "mechanisms/adaptive_tree/_kernels.py": "an offset of more than 65,536 times its clip, to either side",
    "mechanisms/adaptive_tree/growth.py": (
        "the end of a loop that is always left inside it; a depth that brings its draws"
    ),
    "mechanisms/adaptive_tree/partition.py": "refusals of cells that are damaged or overlap",
    "mechanisms/adaptive_tree/residual.py": (
        "a correction that does not come to rest; a part without weight; boxes so wide that no cost is a number; "
        "two clusterings that cost the same"
    ),
    "mechanisms/adaptive_tree/surface.py": "leaves smaller than the finest grid of slopes",
    "mechanisms/mean_split/partition.py": (
        "cells of which none has weight; the end of a loop that is always left inside it"
    ),
    "noise/decisions.py": "the exact selection of the secure source",
    "noise/spherical.py": "how long rows are on average, for tests",
    "noise/source.py": "the logarithm of a whole law, for the audit",
}
# Methods of two parts, and the module of the first.
WRAPPERS = {"regional": "regional", "subsampled": "subsampled", "ends": "trip_ends"}

Files = dict[str, dict[str, Any]]


def walked(folder: Path, *module: str) -> Files:
    """The report of coverage.py, file by file, on a run of a module of research with these arguments.

    A report that lies in the folder already is taken as it is.
    """
    data = folder / "-".join(word for word in module if "/" not in word)
    report = data.with_name(f"{data.name}.report")
    if not report.is_file():
        _run_under_coverage(data, report, *module)
    told: Files = json.loads(report.read_text(encoding="utf-8"))["files"]
    return {Path(name).as_posix(): file for name, file in told.items() if Path(name).as_posix() not in LEFT_OUT}


def _run_under_coverage(data: Path, report: Path, *module: str) -> None:
    environment = own_environment(COVERAGE_FILE=str(data))
    run = [sys.executable, "-m", "coverage", "run", "--branch", f"--source={','.join(WATCHED)}", "-m", *module]
    subprocess.run(run, check=True, env=environment, cwd=PROJECT)
    tell = [sys.executable, "-m", "coverage", "json", "-q", "-o", str(report)]
    subprocess.run(tell, check=True, env=environment, cwd=PROJECT)


def lines_that_raise(file: Path) -> set[int]:
    """Lines of `raise` statements: what refuses a request, or tells a defect, before a number is drawn."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Raise)]
    return {line for node in found for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)}


def file_rows(runs: Sequence[Files]) -> list[Row]:
    """A row a file: how many lines and branches there are, how many any run walked, which none did.

    Branches to a `raise` that no run took are counted apart: they are refusals of what methods are never asked here.
    """
    rows: list[Row] = []
    for name in sorted(set[str]().union(*runs)):
        seen = [run[name] for run in runs if name in run]
        refusing = lines_that_raise(PROJECT / name)
        lines = {*seen[0]["executed_lines"], *seen[0]["missing_lines"]}
        if not lines:
            continue
        ways = {(one, two) for kind in ("executed", "missing") for one, two in seen[0][f"{kind}_branches"]}
        missed = sorted(lines.intersection(*(file["missing_lines"] for file in seen)))
        missed_ways = sorted(ways.intersection(*({(a, b) for a, b in file["missing_branches"]} for file in seen)))
        lost = [line for line in missed if line not in refusing]
        lost_ways = [(one, two) for one, two in missed_ways if two not in refusing]
        refusals = len(missed_ways) - len(lost_ways)
        rows.append(
            {
                "file": name.removeprefix("dpviz/"),
                "lines": len(lines) - (len(missed) - len(lost)),
                "lines_walked": len(lines) - len(missed),
                "branches": len(ways) - refusals,
                "branches_walked": len(ways) - len(missed_ways),
                "refusals_not_walked": refusals,
                "lines_not_walked": ", ".join(map(str, lost)),
                "branches_not_walked": ", ".join(f"{one}→{two}" for one, two in lost_ways),
                "why_not": WHY_NOT.get(name.removeprefix("dpviz/"), "") if lost or lost_ways else "",
            }
        )
    return rows


def share(rows: Iterable[Mapping[str, Any]], what: str) -> float | None:
    """Walked lines or branches of all there are."""
    listed = list(rows)
    total = sum(int(row[what]) for row in listed)
    return sum(int(row[f"{what}_walked"]) for row in listed) / total if total else None


def method_shares(method: str, rows: Iterable[Mapping[str, Any]]) -> Row:
    """How much of all code that a method uses was walked; nothing for single steps."""
    used = files_of(method)
    own = [row for row in rows if row["file"] in used]
    return {"lines_walked_%": _percent(share(own, "lines")), "branches_walked_%": _percent(share(own, "branches"))}


def _percent(value: float | None) -> float | None:
    return None if value is None else round(100 * value, 1)


def files_of(method: str) -> set[str]:
    """The files of the mechanisms that a method is made of, kernels and shared parts with it."""
    if method.startswith("step: "):
        return set()
    wrapper, _, base = method.rpartition(":")
    chosen = catalogue.get(base)
    found: set[str] = set()
    for one in (chosen, *getattr(chosen, "candidates", {}).values()):
        found |= _closure(type(one).__module__)
    if wrapper in WRAPPERS:
        found |= _closure(f"dpviz.mechanisms.{WRAPPERS[wrapper]}")
    return found


@cache
def _closure(module: str) -> frozenset[str]:
    """A module of the mechanisms and all others of them that it imports, at its head or later."""
    found: set[str] = set()
    waiting = [module]
    while waiting:
        name = waiting.pop()
        path = Path(*name.split(".")).with_suffix(".py")
        place = path.as_posix()
        if place in LEFT_OUT or place.removeprefix("dpviz/") in found or not (PROJECT / path).is_file():
            continue
        found.add(place.removeprefix("dpviz/"))
        for node in ast.walk(ast.parse((PROJECT / path).read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("dpviz.mechanisms"):
                waiting += [str(node.module), *(f"{node.module}.{alias.name}" for alias in node.names)]
    return frozenset(found)
