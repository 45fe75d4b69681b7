"""Fill the tables of docs/REPRODUCTION.md from the CSV files beside it: nobody types a number.

`python -m dpviz_research.papers.document` does it in place. A table stands between two comments:

    <!-- numbers file=su2016-fig1 rows=data,method columns=epsilon value=nicv_mean where=k:5 -->
    <!-- end -->

`at=1,2,5` keeps only these columns and `without=way:tail` leaves rows out. `show=a,b,c` instead of rows, columns and
value lists columns as they are.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from pathlib import Path

from dpviz.errors import InputError
from dpviz_research import PROJECT
from dpviz_research.papers.page_records import run_times, su2016, su2016_printed

PAGE = PROJECT / "docs" / "REPRODUCTION.md"
FOLDER = PROJECT / "docs" / "reproduction"
_BLOCK = re.compile(r"(<!-- numbers (?P<asked>[^>]*?) -->\n).*?(<!-- end -->)", re.DOTALL)
_ORIGIN = ("seed", "repetitions", "draws", "commit")

Rows = list[dict[str, str]]


def filled(text: str, folder: Path) -> str:
    """The page with every table made anew."""
    return _BLOCK.sub(lambda match: match[1] + table(match["asked"], folder) + "\n" + match[3], text)


def table(asked: str, folder: Path) -> str:
    """One table in Markdown, and a line with its origin."""
    wanted = dict(part.split("=", 1) for part in asked.split())
    path = folder / f"{wanted['file']}.csv"
    if not path.is_file():
        raise InputError(f"{path.name} is not in the folder of results; run: dpviz reproduce {wanted['file']}.")
    rows: Rows = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
    for part in wanted.get("where", "").split(";"):
        if part:
            name, value = part.split(":", 1)
            rows = [row for row in rows if row[name] == value.replace("_", " ")]
    if "without" in wanted:
        name, value = wanted["without"].split(":", 1)
        rows = [row for row in rows if row[name] != value]
    if "at" in wanted:
        rows = [row for row in rows if row[wanted["columns"]] in wanted["at"].split(",")]
    if "show" in wanted:
        names = wanted["show"].split(",")
        cells = [[shown(row[name]) for name in names] for row in rows]
    else:
        names, cells = pivot(rows, wanted["rows"].split(","), wanted["columns"], wanted["value"])
    lines = [_line([name.replace("_", " ") for name in names]), _line(["---"] * len(names)), *map(_line, cells)]
    return "\n".join([*lines, "", origin(wanted["file"], rows)])


def pivot(rows: Rows, keys: Sequence[str], across: str, value: str) -> tuple[list[str], list[list[str]]]:
    """One line per combination of keys, one column per value of `across`, in order of first appearance."""
    heads = list(dict.fromkeys(row[across] for row in rows))
    lines: dict[tuple[str, ...], dict[str, str]] = {}
    for row in rows:
        lines.setdefault(tuple(row[key] for key in keys), {})[row[across]] = row[value]
    cells = [[*(shown(key) for key in line), *(shown(found.get(head, "")) for head in heads)]
             for line, found in lines.items()]  # fmt: skip
    return [*keys, *(f"{across} {shown(head)}" for head in heads)], cells


def shown(text: str) -> str:
    """Numbers with four digits, nothing as a dash, words as they are."""
    if text == "":
        return "–"
    try:
        number = float(text)
    except ValueError:
        return text.replace("|", "/")
    return f"{number:,.0f}" if number == int(number) and abs(number) >= 1 else f"{number:.4g}"


def origin(name: str, rows: Rows) -> str:
    """Seed, repetitions and commit of a table."""
    parts = [f"`{name}.csv`"]
    for column in _ORIGIN:
        values = list(dict.fromkeys(row[column] for row in rows if row.get(column)))
        if values:
            several = column in ("repetitions", "draws") and len(values) > 1
            told = f"{min(map(int, values))} to {max(map(int, values))}" if several else ", ".join(values)
            parts.append(f"{column} {told}")
    return "*" + " · ".join(parts) + "*"


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def main() -> None:
    """Rewrite the page, and the records for the page Evidence that come from the same files."""
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8"), FOLDER), encoding="utf-8")
    for record in (run_times, su2016, su2016_printed):
        record(FOLDER, PROJECT / "docs" / "evidence")


if __name__ == "__main__":
    main()
