"""Options that several commands share, with their help. FILE, PRIVACY and LEDGER are groups in it.

Most of those that say how records are read are in `reading.py`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dpviz.errors import InputError

FILE, PRIVACY, LEDGER = "The file", "Clusters and privacy", "The ledger"

LedgerFile = Annotated[
    Path | None,
    typer.Option(
        "--ledger",
        help="The ledger file; default: DPVIZ_LEDGER, or ledger.sqlite3 in your data folder.",
        rich_help_panel=LEDGER,
    ),
]
Level = Annotated[
    int | None,
    typer.Option(help="Privacy level from 1 (most detail) to 7 (most privacy).", rich_help_panel=PRIVACY),
]
Epsilon = Annotated[
    float | None,
    typer.Option(
        help="The privacy budget, instead of a level: above 0; smaller is more private.", rich_help_panel=PRIVACY
    ),
]
Delta = Annotated[
    float | None,
    typer.Option(help="Default: 0, or 1e-9 for methods that need it.", rich_help_panel=PRIVACY),
]


def _published_purpose(given: str) -> str:
    """Refuse the stand-in: its curator looks at it, and it is no release to hand out."""
    if given == "stand-in":
        raise InputError("a stand-in is for its curator and is not given out; publish a release (--purpose centers).")
    return given


PurposeOption = Annotated[
    str,
    typer.Option(
        "--purpose",
        callback=_published_purpose,
        help="What the budget is for: centers, balanced, or 'any question' (counts of areas).",
        rich_help_panel=PRIVACY,
    ),
]
Separator = Annotated[
    str | None,
    typer.Option(
        help="What stands between the fields of separated text: ',', ';', tab or '|'. Without it the line of column "
        "names decides.",
        rich_help_panel=FILE,
    ),
]
Decimal = Annotated[
    str | None, typer.Option(help="The decimal sign of separated text: '.' or ','.", rich_help_panel=FILE)
]
Header = Annotated[
    bool | None,
    typer.Option(
        "--header/--no-header",
        help="Whether the first line of separated text names the columns. With --no-header give --separator and "
        "--decimal; columns are then column_1, column_2 and so on.",
        show_default=False,
        rich_help_panel=FILE,
    ),
]
Method = Annotated[str, typer.Option(help="A name from 'dpviz methods', or auto.", rich_help_panel=PRIVACY)]
Unvetted = Annotated[
    bool,
    typer.Option("--unvetted", help="The --method is another package's, checked by nobody.", rich_help_panel=PRIVACY),
]
Why = Annotated[str, typer.Option(help="A note for the ledger; never published.", rich_help_panel=LEDGER)]
Ask = Annotated[
    bool,
    typer.Option(
        "--ask",
        help="Ask somebody else to approve this (with --why) instead of publishing it. Nothing is charged.",
        rich_help_panel=LEDGER,
    ),
]
SamePeople = Annotated[
    str,
    typer.Option(
        help="A registered dataset of the same people: a new name shares its budget instead of getting another one.",
        rich_help_panel=LEDGER,
    ),
]
OtherPeople = Annotated[
    str,
    typer.Option(
        help="Why these are other people than those of the dataset they look like; the ledger keeps it.",
        rich_help_panel=LEDGER,
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document on standard output.")]


def shows_group(context: typer.Context, ledger: Path | None, as_json: bool) -> bool:
    """Whether a group such as `dpviz series` was typed alone, so that it shows itself."""
    if context.invoked_subcommand is None:
        return True
    if ledger is not None or as_json:
        raise InputError(f"write --ledger and --json behind '{context.invoked_subcommand}'.")
    return False
