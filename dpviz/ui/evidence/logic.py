"""The page *Evidence*: records of experiments and pages of the documentation, as they lie in `docs`.

A record is a JSON file in `docs/evidence/`: `title`, `what`, `provenance`, and its numbers as `rows`, a list of flat
objects. Nothing is computed here and no number is typed.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from functools import lru_cache
from html import escape
from pathlib import Path
from typing import Any

import pandas as pd

from dpviz.labels.catalogue_rows import methods
from dpviz.language.speaking import figures, told, told as _
from dpviz.ui.evidence import words as say
from dpviz.ui.page_parts.plain_documents import without_dead_links

_PLACES = (Path(__file__).resolve().parents[3] / "docs", Path(__file__).resolve().parents[2] / "_data")
DOCS = next((place for place in _PLACES if (place / "PROMISE.md").is_file()), _PLACES[1])  # of the sources, or a wheel
SIGNED = ", signed"  # in records: a rival whose search kept counts below zero
_LISTED = ("reference/methods.md", "how-to/audit.md", "NOTATION.md", "proofs/*.md")


@dataclass(frozen=True, kw_only=True)
class Record:
    """One recorded experiment."""

    name: str
    title: str
    what: str
    provenance: dict[str, str]
    rows: list[dict[str, Any]] = field(repr=False)

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
        keys = dict.fromkeys(key for row in self.rows for key in row)
        return tuple(_head(key) for key in keys if all(_is_number(row.get(key)) for row in self.rows))

    def origin(self) -> str:
        """Where it comes from, as HTML."""
        parts = [(label, self.provenance.get(key)) for key, label in say.MADE.items()]
        return f"<p>{' · '.join(f'<b>{label}</b> {escape(str(value))}' for label, value in parts if value)}</p>"


@lru_cache(maxsize=2)
def read_records(folder: Path = DOCS / "evidence") -> dict[str, Record]:
    """Every record by name."""
    found = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json"))}
    return {
        name: Record(name=name, title=one["title"], what=one["what"], provenance=one["provenance"], rows=one["rows"])
        for name, one in found.items()
    }


def method_title(name: str) -> str:
    """A method as the catalogue calls it; a name from elsewhere as it is."""
    if name.endswith(SIGNED):
        return _("{name}, counts below zero kept").format(name=method_title(name.removesuffix(SIGNED)))
    titles = {**say.RIVALS, **{str(row["name"]): told(str(row["title"])) for row in methods()}}
    plain = name.removeprefix("subsampled:")
    title = titles.get(plain, name)
    return _("{title}, on a sample").format(title=title) if plain != name and plain in titles else title


def _is_number(value: Any) -> bool:
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))


def _head(name: str) -> str:
    return say.COLUMNS.get(name, name.replace("_", " "))


def _cell(key: str, value: Any) -> str:
    if key == "method":
        return method_title(str(value))
    if isinstance(value, bool):
        return say.YES if value else _("no")
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "–"
    if isinstance(value, float):
        return figures(f"{value:.3g}" if abs(value) < 1000 else f"{float(f'{value:.3g}'):,.0f}")
    return figures(f"{value:,}") if isinstance(value, int) else told(str(value))


def list_documents() -> dict[str, str]:
    """Further pages by their paths below `docs`, with their first headings: methods, audits, symbols, every proof."""
    paths = [path for pattern in _LISTED for path in sorted(DOCS.glob(pattern))]
    return {path.relative_to(DOCS).as_posix(): _parts(path)[0] for path in paths}


def read_document(name: str) -> str:
    """A page of the documentation below its first heading; its headings stand below that of the screen."""
    lines = _parts(DOCS / name)[1].splitlines()
    lowered = "\n".join(f"#{line}" if line.startswith("#") else line for line in lines)
    return without_dead_links(lowered)  # links into the project lead nowhere here


def _parts(path: Path) -> tuple[str, str]:
    """The first heading of a page, and what stands below it."""
    heading, _, text = path.read_text(encoding="utf-8").partition("# ")[2].partition("\n")
    return heading, text
