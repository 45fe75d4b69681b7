"""The page *Evidence*: what was recorded by experiments, as recorded. Nothing is computed here and no number is typed.

A record is a JSON file below `docs/evidence/`: an object with `title`, `what` and the provenance (`script`, `seed`,
`commit`, `date`, `data`), and its numbers as `rows`, a list of flat objects. `kind` says how to show it: "accuracy"
(columns n, k, epsilon, method, median), "audit" (method, claim, lower_bound), "planted" (room, bug, found), or any
other: a table.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

import pandas as pd

from dpviz.labels.catalogue_rows import methods
from dpviz.language.speaking import figures, told
from dpviz.language.speaking import told as _
from dpviz.privacy import LEVELS
from dpviz.ui.evidence import words as say
from dpviz.ui.map import charts
from dpviz.ui.page_parts import plain_documents as plain
from dpviz.ui.page_parts import words
from dpviz.ui.page_parts.theme import Theme

FOLDERS = (
    Path(__file__).resolve().parents[3] / "docs" / "evidence",
    Path(__file__).resolve().parents[2] / "_data" / "evidence",
)
# In this order; the others after them.
SIGNED = ", signed"  # in records: a rival whose search kept counts below zero
FIRST_RECORDS = ("error-by-level", "speed", "elsewhere-summary", "accuracy-summary", "accuracy")
AUDIT_KINDS = ("audit", "halved", "planted", "transcripts", "walked", "find-her")
LONG_KINDS = ("walked",)  # tables behind a word of their own
_PROVENANCE = ("script", "command", "seed", "commit", "date", "data", "machine")
END_OF_DIGITS = 1e-14  # relative: costs tell errors apart down to about this
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

    @property
    def called(self) -> str:
        """Its title on the page."""
        return str(say.TITLES.get(self.name, self.title))

    def table(self) -> pd.DataFrame:
        """The numbers, readable; methods by their titles."""
        return pd.DataFrame([{_head(key): _cell(key, value) for key, value in row.items()} for row in self.rows])

    @property
    def numbers(self) -> tuple[str, ...]:
        """The headings of the columns that hold numbers."""
        keys = {key for row in self.rows for key in row}
        return tuple(_head(key) for key in keys if all(_is_number(row.get(key)) for row in self.rows))


def read_records(folders: Sequence[Path] = FOLDERS) -> list[Record]:
    """Every record that can be read, by name."""
    found: dict[str, Record] = {}
    for folder in folders:
        for path in sorted(folder.rglob("*.json")) if folder.is_dir() else ():
            record = _read(path)
            if record is not None:
                found.setdefault(record.name, record)
    first = {name: at for at, name in enumerate(FIRST_RECORDS)}
    return sorted(found.values(), key=lambda record: first.get(record.name, len(first)))


def method_title(name: str) -> str:
    """A method as the catalogue calls it; a name from elsewhere as it is."""
    titles = {**say.RIVALS, **{str(row["name"]): told(str(row["title"])) for row in methods()}}
    if name.endswith(SIGNED):
        return say.SIGNED.format(name=method_title(name.removesuffix(SIGNED)))
    plain = name.removeprefix("subsampled:")
    title = titles.get(plain, name)
    return _("{title}, on a sample").format(title=title) if plain != name and plain in titles else title


def tell_without_symbols(record: Record) -> str:
    """What a record says of itself without symbols; a budget that is one of the slider's levels by its name."""

    def named(found: re.Match[str]) -> str:
        (name,) = level_names([float(found.group(1))])
        return found.group(0) if name[0].isdigit() else _("level “{level}”").format(level=name)

    return plain.without_symbols(re.sub(r"ε = (\d+(?:\.\d+)?)", named, record.what)) or say.IN_PLAIN_WORDS.get(
        record.name, ""
    )


def _is_number(value: Any) -> bool:
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))


def _read(path: Path) -> Record | None:
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    if not isinstance(document, dict):
        document = {"rows": document}
    rows: list[Any] = next((document[name] for name in _ROWS if isinstance(document.get(name), list)), [])
    flat = tuple(  # without nested values: those are for machines
        {key: value for key, value in row.items() if not isinstance(value, list | dict)}
        for row in rows
        if isinstance(row, dict)
    )
    if not flat:
        return None
    origin = document.get("provenance", document)
    return Record(
        name=path.stem,
        title=plain.named(str(document.get("title", path.stem.replace("_", " ").replace("-", " ").capitalize()))),
        what=str(document.get("what", document.get("note", ""))),
        kind=str(document.get("kind", _kind(flat[0]))),
        provenance={key: str(origin[key]) for key in _PROVENANCE if isinstance(origin, dict) and key in origin},
        rows=flat,
    )


def _kind(row: dict[str, Any]) -> str:
    if {"epsilon", "method", "median"} <= set(row):
        return "accuracy"
    return "audit" if {"method", "lower_bound"} <= set(row) else "table"


def _cell(key: str, value: Any) -> str:
    return method_title(str(value)) if key == "method" else _shown(value)


def _head(name: str) -> str:
    return say.COLUMNS.get(name, plain.named(name.replace("_", " ")))


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return say.YES if value else say.NO
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "–"
    if isinstance(value, float):
        return figures(f"{value:.3g}" if abs(value) < 1000 else f"{float(f'{value:.3g}'):,.0f}")
    return figures(f"{value:,}") if isinstance(value, int) else told(plain.named(str(value)))


def list_methods() -> pd.DataFrame:
    """All methods, in teaching order."""
    tell: dict[str, Callable[[Mapping[str, Any]], str]] = {
        "title": lambda row: told(row["title"]),
        "summary": lambda row: told(row["summary"]),
        "paper": lambda row: row["paper"],
        "guarantee": lambda row: say.GUARANTEES[row["guarantee"]],
        "relations": lambda row: ", ".join(row["adjacencies"]),
        "dims": lambda row: "–".join(map(str, dict.fromkeys(row["dims"]))),
        "coreset": lambda row: say.YES if row["gives_coreset"] else say.NO,
        "vetted": lambda row: say.YES if row["vetted"] else say.NOT_YET,
    }
    return pd.DataFrame([{say.COLUMNS[name]: cell(row) for name, cell in tell.items()} for row in methods()])


def list_proofs() -> dict[str, str]:
    """The proof page of every method, by the method's title and when it was read last."""
    return {
        say.PROOF_READ.format(title=told(row["title"]), reading=row["reading"]): str(row["proof"])
        for row in methods()
        if not row["package"]
    }


def split_cells(record: Record) -> list[tuple[str, list[dict[str, Any]]]]:
    """An accuracy record cut into cells of equal data, n and k."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for row in record.rows:
        parts = [str(row["data"])] if "data" in row else []
        parts += [say.N.format(n=words.whole(row["n"]))] if "n" in row else []
        parts += [say.K.of(int(row["k"]))] if "k" in row else []
        groups.setdefault(" · ".join(parts), []).append(row)
    return list(groups.items())


def accuracy_chart(rows: Sequence[dict[str, Any]], theme: Theme, *, narrow: bool = False) -> tuple[str, str]:
    """Error by level and method, and the same in words. Where the digits of a cost end an error is drawn as 0."""
    levels = sorted({float(row["epsilon"]) for row in rows}, reverse=True)
    lines: dict[str, list[float | None]] = {}
    for row in rows:
        line = lines.setdefault(method_title(str(row["method"])), [None] * len(levels))
        median = float(row["median"])
        line[levels.index(float(row["epsilon"]))] = median if median > END_OF_DIGITS else 0.0
    told = [
        f"{name}: "
        + ", ".join(
            _("{share} at {level}").format(share=figures(f"{100 * value:.2g} %"), level=level)
            for level, value in zip(level_names(levels), line, strict=True)
            if value is not None
        )
        for name, line in lines.items()
    ]
    names = level_names(levels, short=narrow)
    return charts.lines(names, lines, theme, narrow=narrow).replace(">ε = ", ">"), _(
        "For each method, how much worse its centers fit than without protection; in "
        "each line from least to most privacy. "
    ) + "; ".join(told)


def level_names(budgets: Sequence[float], *, short: bool = False) -> list[str]:
    """The slider's levels by name (by number where there is little room); other budgets as they are."""
    known = {level.epsilon: str(level.number) if short else words.level_name(level) for level in LEVELS}
    if set(budgets) <= set(known):
        return [known[budget] for budget in budgets]
    return [f"{budget:g}" for budget in budgets]


def format_provenance(record: Record, parts: Mapping[str, str]) -> str:
    """Where a record comes from, as HTML."""
    told = [
        f"<span><b>{label}</b> {f'<code>{escape(value)}</code>' if key == 'command' else escape(value)}</span>"
        for key, label in parts.items()
        if (value := record.provenance.get(key))
    ]
    return f"<p class='dpv-made'>{' '.join(told)}</p>" if told else ""


def _grouped(rows: Iterable[dict[str, Any]], name: str) -> dict[str, list[dict[str, Any]]]:
    groups: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        groups.setdefault(str(row[name]), []).append(row)
    return groups


def audit_summary(record: Record) -> pd.DataFrame:
    """The strongest attack on each method: what it certainly gives away, beside the most that its files can lose."""
    rows = []
    for name, attacks in _grouped(record.rows, "method").items():
        strongest = max(
            attacks, key=lambda row: (_reached(row) / float(row["claim"]), float(row.get("exact_maximum") or 0.0))
        )
        bound, most = _reached(strongest), strongest.get("exact_maximum")
        row_told = (
            method_title(name),
            str(len(attacks)),
            _shown(float(strongest["claim"])),
            _shown(most),
            _shown(bound) if bound else _("nothing shown"),
            words.percent(bound / float(most)) if bound and most else "–",
            say.YES if any(_reached(row) > float(row["claim"]) for row in attacks) else say.NO,
        )
        rows.append(row_told)
    return pd.DataFrame(rows, columns=list(say.AUDIT_COLUMNS))


def _reached(row: Mapping[str, Any]) -> float:
    """The better bound of the two attackers."""
    return max(float(row["lower_bound"]), float(row.get("bound_from_all_numbers") or 0.0))


def planted_summary(record: Record) -> pd.DataFrame:
    """Planted bugs by the method or the part of the house that they were planted in."""
    rows = [
        (method_title(room), len(bugs), sum(bool(bug["found"]) for bug in bugs), str(bugs[0]["bug"]))
        for room, bugs in _grouped((row for row in record.rows if row["bug"] != "none"), "room").items()
    ]
    return pd.DataFrame(rows, columns=list(say.PLANTED_COLUMNS))


def read_document(name: str) -> str | None:
    """A page of the documentation, such as PROMISE.md, without its first heading."""
    for folder in (FOLDERS[0].parent, FOLDERS[1].parent):
        path = folder / name
        if path.is_file():
            lines = path.read_text(encoding="utf-8").splitlines()
            below = lines[1:] if lines and lines[0].startswith("# ") else lines
            # Headings stand below that of the page; links into the project lead nowhere here.
            return plain.without_dead_links("\n".join(f"#{line}" if line.startswith("#") else line for line in below))
    return None
