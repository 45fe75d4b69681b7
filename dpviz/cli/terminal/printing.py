"""What commands print: tables, one JSON document, progress on a terminal and silence otherwise."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any


def escape_unprintable_letters() -> None:
    """Escape letters that the console cannot print, as on Windows behind a pipe, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def print_json(value: Any) -> None:
    """Print one JSON document on standard output."""
    every_letter = (sys.stdout.encoding or "").lower().replace("-", "").startswith("utf")

    def as_plain(part: Any) -> Any:
        return part.tolist() if hasattr(part, "tolist") else str(part)

    print(json.dumps(value, ensure_ascii=not every_letter, indent=2, default=as_plain))


def tell(as_json: bool, facts: Any, *lines: object) -> None:
    """Print the facts as one JSON document, or else these lines."""
    if as_json:
        print_json(facts)
        return
    for line in lines:
        print(line)


def print_table(columns: tuple[str, ...], rows: list[list[str]]) -> None:
    """Print rows under their columns; wide where the output is no terminal, so that pipes get whole lines."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(*(column.replace("_", " ") for column in columns), box=None, pad_edge=False)
    for row in rows:
        table.add_row(*[Text(cell) for cell in row])
    console = Console()
    if not console.is_terminal:
        console = Console(width=200)
    console.print(table)


def print_rows(columns: tuple[str, ...], rows: Iterable[Mapping[str, Any]]) -> None:
    """Print these columns of the rows as a table."""
    print_table(columns, [[plain(row[column]) for column in columns] for row in rows])


def tell_rows(as_json: bool, rows: list[dict[str, Any]], columns: tuple[str, ...], nothing: str = "") -> None:
    """Print the rows as JSON, or these columns of them as a table; the sentence `nothing` where there are none."""
    if as_json:
        print_json(rows)
    elif not rows and nothing:
        print(nothing)
    else:
        print_rows(columns, rows)


def center_rows(table: Any, metric: str) -> list[list[str]]:
    """A table of centers as cells: coordinates (1e-5 degrees are about a metre), and the weight."""
    digits = 5 if metric == "m" else 6
    return [[*(f"{value:.{digits}f}" for value in row[:-1]), f"{row[-1]:,.0f}"] for row in table.to_numpy()]


def plain(value: Any) -> str:
    """A value as a cell of a table."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, list | tuple):
        return ", ".join(str(part) for part in value)
    return str(value)


def say(text: str) -> None:
    """Print a line on standard error."""
    print(text, file=sys.stderr)


@contextmanager
def progress(what: str) -> Iterator[Callable[[str], None]]:
    """Show a spinner on a terminal, with words that can be changed; silent otherwise."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console

    with Console(stderr=True).status(what) as shown:
        yield shown.update


@contextmanager
def reading_progress() -> Iterator[Callable[[int, int], None] | None]:
    """Show a bar of the bytes read on a terminal; silent otherwise."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("reading"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("reading", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total or None)
