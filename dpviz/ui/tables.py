"""Tables as HTML that can be read on a telephone: there each row becomes a card, each cell under its heading.

Every cell is plain text. (`st.table` takes its cells for Markdown, so a data set's name could draw links.)
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

import pandas as pd
import streamlit as st

CSS = """
<style>
.dpv-table { width:100%; border-collapse:collapse; font-size:.9rem; line-height:1.4; margin:.1rem 0 .6rem 0; }
.dpv-table th, .dpv-table td { text-align:left; padding:.38rem .6rem; vertical-align:top;
  border:0; border-bottom:1px solid rgba(128,140,150,.35); overflow-wrap:anywhere; }
.dpv-table thead th { font-weight:600; border-bottom:2px solid rgba(128,140,150,.55); overflow-wrap:normal;
  vertical-align:bottom; }
.dpv-table tbody th { font-weight:600; overflow-wrap:break-word; }
.dpv-table .number { text-align:right; font-variant-numeric:tabular-nums; white-space:nowrap; overflow-wrap:normal; }
.dpv-table thead .number { white-space:normal; }
.dpv-table caption { position:absolute; width:1px; height:1px; overflow:hidden; clip-path:inset(50%); }
.dpv-table:not(.dpv-cards) tbody th { min-width:9rem; }
.dpv-table tr.dpv-chosen > * { background:rgba(0,114,178,.14); }
</style>
"""


_CARDS = """@media (max-width: WIDTH) {
  .CARDS thead { position:absolute; width:1px; height:1px; overflow:hidden; clip-path:inset(50%); }
  .CARDS, .CARDS tbody, .CARDS tr, .CARDS td, .CARDS tbody th { display:block; width:100%; }
  .CARDS tr { border:1px solid rgba(128,140,150,.4); border-radius:.5rem; padding:.3rem .1rem;
    margin-bottom:.55rem; }
  .CARDS td, .CARDS tbody th { border-bottom:0; padding:.2rem .7rem; }
  .CARDS td { display:grid; grid-template-columns:minmax(7rem,42%) 1fr; gap:.6rem; }
  .CARDS td::before { content:attr(data-head); opacity:.85; }
  .CARDS td.number { text-align:left; white-space:normal; }
  .CARDS tbody th { font-size:.98rem; padding-bottom:.1rem; }
}
"""


def _card_rules(name: str, width: str) -> str:
    return _CARDS.replace("CARDS", name).replace("WIDTH", width)


CSS = CSS.replace("</style>", _card_rules("dpv-cards", "640px") + _card_rules("dpv-wide", "1100px") + "</style>")
WIDE = 8  # columns: tables with more are cards on a tablet too


def _cell(value: object) -> str:
    """A cell's text; a number and its unit stay on one line."""
    return re.sub(r"(?<=\d) (?=%|k?m\b)", "\u00a0", escape(str(value)))


def html(
    table: pd.DataFrame, *, caption: str, numbers: Sequence[str] = (), cards: bool = True, chosen: int | None = None
) -> str:
    """A table as HTML. The first column names the rows; columns in `numbers` are aligned to the right."""
    heads = [str(name) for name in table.columns]
    classes = [" class='number'" if name in numbers else "" for name in heads]
    head = "".join(f"<th scope='col'{kind}>{escape(name)}</th>" for name, kind in zip(heads, classes, strict=True))
    rows = []
    for at, values in enumerate(table.itertuples(index=False, name=None)):
        cells = [f"<th scope='row'>{_cell(values[0])}</th>"]
        cells += [
            f"<td{kind} data-head='{escape(name, quote=True)}'>{_cell(value)}</td>"
            for name, kind, value in zip(heads[1:], classes[1:], values[1:], strict=True)
        ]
        mark = " class='dpv-chosen'" if at == chosen else ""
        rows.append(f"<tr{mark}>{''.join(cells)}</tr>")
    style = "dpv-table dpv-cards" if cards else "dpv-table"
    style += " dpv-wide" if cards and len(heads) > WIDE else ""
    return (
        f"<table class='{style}'><caption>{escape(caption)}</caption>"
        f"<thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    )


def show(
    table: pd.DataFrame, *, caption: str, numbers: Sequence[str] = (), cards: bool = True, chosen: int | None = None
) -> None:
    """Draw a table on the page."""
    st.html(CSS + html(table, caption=caption, numbers=numbers, cards=cards, chosen=chosen))
