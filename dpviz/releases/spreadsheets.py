"""CSV for spreadsheets: names from outside are text there and never a formula.

A text that a spreadsheet could take for a formula gets an apostrophe in front; numbers are written as they are. To read
such a file back, pass every text to `original`.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import pandas as pd

# Signs that begin a formula, with their full-width, small, raised and lowered forms; and those that begin a new cell.
_STARTS: Final = r"=+\-@\t\r\n＝＋－＠﹦﹢﹣﹫⁼⁺⁻₌₊₋−"
# What may stand before them: spaces, signs that show nothing, quotes that a spreadsheet takes away.
_BEFORE: Final = r"(?:[^\S\t\r\n]|[\"'\x00\u00ad\u180e\u200b-\u200f\u2060-\u2064\ufeff])*"
# A spreadsheet set to another separator than the comma begins a cell after it.
_CELL: Final = r"(?:\A|(?<=[;|\t\r\n]))"
_NUMBER: Final = re.compile(r"[+-]?[0-9]+(?:[.,][0-9]+)*(?:[eE][+-]?[0-9]+)?")
_FORMULA: Final = re.compile(rf"{_CELL}(?={_BEFORE}[{_STARTS}])")
_MARKED: Final = re.compile(rf"{_CELL}'(?={_BEFORE}[{_STARTS}])")


def harmless(text: str) -> str:
    """Return text that no spreadsheet takes for a formula: an apostrophe stands where one could begin."""
    return _FORMULA.sub("'", text)


def original(text: str) -> str:
    """Return the text that `harmless` was given."""
    return _MARKED.sub("", text)


def csv_text(names: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Return a CSV with a header. Text is made harmless; numbers keep their full precision; None is an empty cell."""
    return "".join(map(_line, (names, *rows)))


def _line(cells: Sequence[Any]) -> str:
    """A line that ends with a line feed. The writer is told both signs: older ones quote only what ends their lines."""
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator="\r\n").writerow(harmless(cell) if isinstance(cell, str) else cell for cell in cells)
    return out.getvalue().removesuffix("\r\n") + "\n"


def harmless_table(table: pd.DataFrame, *, keeps_numbers: bool = False) -> pd.DataFrame:
    """Return a copy of a table in which all text, the heads of its columns included, is harmless.

    With `keeps_numbers`, text that is a plain number (-73.95) stays as it is.
    """
    found = table.rename(columns={name: harmless(name) for name in table.columns if isinstance(name, str)})
    for at, name in enumerate(found.columns):
        column = table.iloc[:, at]
        if any(isinstance(cell, str) for cell in column):
            found[name] = [
                cell if not isinstance(cell, str) or (keeps_numbers and _NUMBER.fullmatch(cell)) else harmless(cell)
                for cell in column
            ]
    return found


def csv_of_table(table: pd.DataFrame) -> str:
    """Return the table as a CSV; a cell is empty where a number is missing."""
    rows = (
        [None if empty else cell for cell, empty in zip(row, gaps, strict=True)]
        for row, gaps in zip(table.itertuples(index=False, name=None), table.isna().to_numpy(), strict=True)
    )
    return csv_text([str(name) for name in table.columns], rows)
