"""How a reproduction is written down: numbers as CSV with their origin in every row, figures as SVG and PNG."""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import platform
import subprocess
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from dpviz.domain import ExactCounts, ExactPoints
from dpviz_research import PROJECT

Row = dict[str, Any]


@cache
def commit() -> str:
    """The commit of the code that runs, marked when files of the package differ from it; else the version.

    The screens take no part in an experiment and do not count.
    """
    known = _git("rev-parse", "--short=12", "HEAD")
    if known is None:
        try:
            return f"version {version('dpviz')}"
        except PackageNotFoundError:
            return "unknown"
    own = ("dpviz", "research/dpviz_research", ":!dpviz/ui")
    return known if _git("diff", "--quiet", "HEAD", "--", *own) is not None else f"{known} with changes"


def _git(*words: str) -> str | None:
    try:
        found = subprocess.run(["git", "-C", str(PROJECT), *words], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return found.stdout.strip()


def checksum(data: ExactCounts | ExactPoints | NDArray[Any]) -> str:
    """Sixteen hexadecimal digits that tell one data set from another; for public benchmark data only."""
    if isinstance(data, ExactCounts):
        array: NDArray[Any] = data.exact_cells
    elif isinstance(data, ExactPoints):
        array = data.exact_cube
    else:
        array = data
    return hashlib.sha256(np.ascontiguousarray(array).tobytes()).hexdigest()[:16]


def write_table(rows: Sequence[Mapping[str, Any]], path: Path) -> Path:
    """Rows as CSV, columns in order of first appearance; each row gains the commit unless it has one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    full = [{**row, "commit": row.get("commit", commit())} for row in rows]
    columns = list(dict.fromkeys(column for row in full for column in row))
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows({name: _plain(value) for name, value in row.items()} for row in full)
    return path


def _plain(value: Any) -> Any:
    return f"{value:.6g}" if isinstance(value, float | np.floating) else value


def write_figure(figure: Figure, stem: Path) -> list[Path]:
    """The same figure as SVG and PNG; the same numbers give the same SVG."""
    stem.parent.mkdir(parents=True, exist_ok=True)
    written = [stem.with_name(f"{stem.name}.svg"), stem.with_name(f"{stem.name}.png")]
    import matplotlib

    with matplotlib.rc_context({"svg.hashsalt": stem.name, "svg.fonttype": "none"}):
        figure.savefig(written[0], metadata={"Date": None})
        figure.savefig(written[1], dpi=130)
    return written


def read_options(description: str | None, **options: Any) -> argparse.Namespace:
    """Return the words of a program that writes a record: `--out FOLDER`, and an option for each default given here.

    A default says its option's type: a tuple is a list of values, False a switch, None a path that may be left out.
    The commit is noted now: a long run must not be dated by one that came after it began.
    """
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--out", type=Path, required=True)
    for name, usual in options.items():
        if isinstance(usual, bool):
            parser.add_argument(f"--{name}", action="store_true")
        elif isinstance(usual, tuple):
            parser.add_argument(f"--{name}", nargs="+", type=type(usual[0]), default=list(usual))
        else:
            parser.add_argument(f"--{name}", type=Path if usual is None else type(usual), default=usual)
    commit()
    return parser.parse_args()


def write_record(
    path: Path,
    *,
    title: str,
    what: str,
    kind: str,
    rows: Sequence[Mapping[str, Any]],
    command: str,
    seed: int | str,
    data: str,
    measured_at: str | None = None,
) -> Path:
    """A recorded experiment for the page Evidence. `measured_at` is the commit, where it is not the one that runs."""
    path.parent.mkdir(parents=True, exist_ok=True)
    document = {
        "title": title,
        "what": what,
        "kind": kind,
        "provenance": {
            "command": command,
            "seed": seed,
            "commit": measured_at or commit(),
            "date": datetime.now(UTC).date().isoformat(),
            "data": data,
            "machine": machine(),
        },
        "rows": [{name: _number(value) for name, value in row.items()} for row in rows],
    }
    path.write_text(json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False) + "\n", encoding="utf-8")
    return path


def _number(value: Any) -> Any:
    if isinstance(value, float | np.floating):
        return float(f"{value:.4g}") if np.isfinite(value) else None
    return value.item() if isinstance(value, np.generic) else value


def machine() -> str:
    """What the times were taken on, without its name."""
    import os

    return f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
