"""The page *Evidence*: what was recorded by experiments, as recorded. Nothing is computed here and no number is typed.

A record is a JSON file below `docs/evidence/`: an object with `title`, `what` and the provenance (`script`, `seed`,
`commit`, `date`, `data`), and its numbers as `rows`, a list of flat objects. `kind` says how to show it: "accuracy"
(columns n, k, epsilon, method, median), "audit" (method, claim, lower_bound), or any other: a table.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd

from dpviz.releases import methods
from dpviz.ui import charts, icons, words
from dpviz.ui.theme import Theme

FOLDERS = (
    Path(__file__).resolve().parents[2] / "docs" / "evidence",
    Path(__file__).resolve().parents[1] / "_data" / "evidence",
)
_PROVENANCE = ("script", "command", "seed", "commit", "date", "data", "machine")
_ROWS = ("rows", "cells", "results", "table")


@dataclass(frozen=True, kw_only=True)
class Record:
    """One recorded experiment."""

    name: str
    title: str
    what: str
    kind: str
    provenance: dict[str, str]
    rows: tuple[dict[str, Any], ...] = field(repr=False)

    def table(self) -> pd.DataFrame:
        """The numbers, readable."""
        return pd.DataFrame([{_head(key): _shown(value) for key, value in row.items()} for row in self.rows])


def records(folders: Sequence[Path] = FOLDERS) -> list[Record]:
    """Every record that can be read, by name."""
    found: dict[str, Record] = {}
    for folder in folders:
        for path in sorted(folder.rglob("*.json")) if folder.is_dir() else ():
            record = _read(path)
            if record is not None:
                found.setdefault(record.name, record)
    return list(found.values())


def _read(path: Path) -> Record | None:
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    rows: Any = document if isinstance(document, list) else None
    if isinstance(document, dict):
        rows = next((document[name] for name in _ROWS if isinstance(document.get(name), list)), None)
    else:
        document = {}
    if not isinstance(rows, list):
        return None
    flat = tuple(_flat(row) for row in rows if isinstance(row, dict))
    if not flat:
        return None
    origin = document.get("provenance", document)
    return Record(
        name=path.stem,
        title=str(document.get("title", path.stem.replace("_", " ").replace("-", " ").capitalize())),
        what=str(document.get("what", document.get("note", ""))),
        kind=str(document.get("kind", _kind(flat[0]))),
        provenance={key: str(origin[key]) for key in _PROVENANCE if isinstance(origin, dict) and key in origin},
        rows=flat,
    )


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    """Without nested values: those are for machines."""
    return {key: value for key, value in row.items() if not isinstance(value, list | dict)}


def _kind(row: dict[str, Any]) -> str:
    if {"epsilon", "method", "median"} <= set(row):
        return "accuracy"
    return "audit" if {"method", "lower_bound"} <= set(row) else "table"


def _head(name: str) -> str:
    return words.EVIDENCE_COLUMNS.get(name, name.replace("_", " "))


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return words.YES if value else words.NO
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "–"
    if isinstance(value, float):
        return f"{value:.3g}" if abs(value) < 1e6 else f"{value:,.0f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def catalogue() -> pd.DataFrame:
    """All methods, in teaching order."""
    rows = []
    for row in methods():
        low, high = row["dims"]
        rows.append(
            {
                words.EVIDENCE_COLUMNS["title"]: row["title"],
                words.EVIDENCE_COLUMNS["summary"]: row["summary"],
                words.EVIDENCE_COLUMNS["paper"]: row["paper"],
                words.EVIDENCE_COLUMNS["guarantee"]: words.GUARANTEES[row["guarantee"]],
                words.EVIDENCE_COLUMNS["relations"]: ", ".join(row["adjacencies"]),
                words.EVIDENCE_COLUMNS["dims"]: str(low) if low == high else f"{low}–{high}",
                words.EVIDENCE_COLUMNS["coreset"]: words.YES if row["gives_coreset"] else words.NO,
                words.EVIDENCE_COLUMNS["vetted"]: words.YES if row["vetted"] else words.NOT_YET,
            }
        )
    return pd.DataFrame(rows)


def cells(record: Record) -> list[tuple[str, list[dict[str, Any]]]]:
    """An accuracy record cut into cells of equal data, n and k."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for row in record.rows:
        parts = [str(row["data"])] if "data" in row else []
        parts += [words.EVIDENCE_N.format(n=f"{row['n']:,}")] if "n" in row else []
        parts += [words.EVIDENCE_K.format(k=row["k"])] if "k" in row else []
        groups.setdefault(" · ".join(parts), []).append(row)
    return list(groups.items())


def accuracy_chart(rows: Sequence[dict[str, Any]], theme: Theme) -> tuple[str, str]:
    """Error against ε by method, and the same in words."""
    levels = sorted({float(row["epsilon"]) for row in rows}, reverse=True)
    lines: dict[str, list[float | None]] = {}
    for row in rows:
        line = lines.setdefault(str(row["method"]), [None] * len(levels))
        line[levels.index(float(row["epsilon"]))] = float(row["median"])
    told = [
        f"{name}: "
        + ", ".join(
            f"{words.percent(value)} at {level:g}"
            for level, value in zip(levels, line, strict=True)
            if value is not None
        )
        for name, line in lines.items()
    ]
    return charts.lines([f"{level:g}" for level in levels], lines, theme), words.EVIDENCE_CHART_ALT + "; ".join(told)


def picture(drawing: str, alt: str) -> str:
    """A chart as HTML."""
    return icons.picture(drawing, alt, max_width="760px")


def document(name: str) -> str | None:
    """A page of the documentation, such as PROMISE.md, without its first heading."""
    for folder in (FOLDERS[0].parent, FOLDERS[1].parent):
        path = folder / name
        if path.is_file():
            lines = path.read_text(encoding="utf-8").splitlines()
            return "\n".join(lines[1:] if lines and lines[0].startswith("# ") else lines)
    return None
