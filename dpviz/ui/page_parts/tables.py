"""Tables as HTML that can be read on a telephone: there each row becomes a card, each cell under its heading.

Every cell is plain text. (`st.table` takes its cells for Markdown, so a data set's name could draw links.)
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from typing import Any

import pandas as pd
import streamlit as st

from dpviz.releases.spreadsheets import harmless_table

WIDE = 8  # columns: tables with more are cards on a tablet too
LONGEST_WORD = 20  # letters


def _cell(value: object) -> str:
    """A cell's text; a number and its unit stay on one line."""
    return re.sub(r"(?<=\d) (?=%|k?m\b)", "\u00a0", escape(str(value)))


def _kind(value: object, *, is_number: bool) -> str:
    """Words are broken only where one of them is longer than a column."""
    is_long = any(len(word) > LONGEST_WORD for word in str(value).split())
    return " class='number'" if is_number else " class='dpv-long'" if is_long else ""


def html(table: pd.DataFrame, *, caption: str, numbers: Sequence[str] = (), cards: bool = True) -> str:
    """A table as HTML. The first column names the rows; columns in `numbers` are aligned to the right."""
    heads = [str(name) for name in table.columns]
    classes = [" class='number'" if name in numbers else "" for name in heads]
    head = "".join(f"<th scope='col'{kind}>{escape(name)}</th>" for name, kind in zip(heads, classes, strict=True))
    rows = []
    for values in table.itertuples(index=False, name=None):
        cells = [f"<th scope='row'{_kind(values[0], is_number=False)}>{_cell(values[0])}</th>"]
        cells += [
            f"<td{_kind(value, is_number=name in numbers)} data-head='{escape(name, quote=True)}'>{_cell(value)}</td>"
            for name, value in zip(heads[1:], values[1:], strict=True)
        ]
        rows.append(f"<tr>{''.join(cells)}</tr>")
    style = "dpv-table dpv-cards" if cards else "dpv-table"
    style += " dpv-wide" if cards and len(heads) > WIDE else ""
    return (
        f"<table class='{style}'><caption>{escape(caption)}</caption>"
        f"<thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    )


def show_sortable(table: Any, *, keeps_numbers: bool = False, **options: Any) -> None:
    """Draw a table that can be sorted and taken away: the browser writes its cells into a CSV as they are."""
    st.dataframe(harmless_table(pd.DataFrame(table), keeps_numbers=keeps_numbers), hide_index=True, **options)


def edit(table: pd.DataFrame, **options: Any) -> pd.DataFrame:
    """Draw a table that can be changed, and return it as it stands now."""
    changed: pd.DataFrame = st.data_editor(harmless_table(table), hide_index=True, **options)
    return changed


def show(table: pd.DataFrame, *, caption: str, numbers: Sequence[str] = (), cards: bool = True) -> None:
    """Draw a table on the page."""
    st.html(html(table, caption=caption, numbers=numbers, cards=cards))
