"""Commands that look at protected things and at accounts: methods, odds, compare, ledger."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from dpviz.cli.parameters.options import AsJson, Epsilon, LedgerFile, Level
from dpviz.cli.parameters.values import chosen_budget
from dpviz.cli.terminal.printing import plain, print_json, print_table
from dpviz.errors import InputError


def methods(as_json: AsJson = False) -> None:
    """List the methods: name, guarantee, relations, dimensions, vetted or not."""
    from dpviz.labels.catalogue_rows import methods as catalogue_rows

    rows = catalogue_rows()
    if as_json:
        print_json(rows)
        return
    columns = ("name", "title", "guarantee", "adjacencies", "dims", "gives_coreset", "vetted")
    for row in rows:
        low, high = row["dims"]
        row["dims"] = str(low) if low == high else f"{low} to {high}"
    print_table(columns, [[plain(row[column]) for column in columns] for row in rows])


def odds(
    level: Level = None,
    epsilon: Epsilon = None,
    delta: Annotated[float, typer.Option(help="The delta of the release, if it has one.")] = 0.0,
    trips: Annotated[
        list[int] | None,
        typer.Option(help="Records of one person; may be given several times. Default: 1, 2, 5, 10, 20, 50, 100."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """What a level means for somebody with several trips in a file that has no person column.

    The promise for one record holds for g records of one person with g times the epsilon. The last column is for a
    guesser who knows all other records and tries to tell whether this person is in the file; tossing a coin gives 50.

    Example: dpviz odds --level 6 --trips 1 --trips 10
    """
    from dpviz.domain import Adjacency
    from dpviz.privacy import group_table, out_of_100

    base = chosen_budget(level, epsilon, delta, "auto")
    found = group_table(base, trips or [1, 2, 5, 10, 20, 50, 100], relation=Adjacency.ADD_REMOVE_ONE)
    rows = [
        {
            "trips": row["records"],
            "epsilon": row["epsilon"],
            "delta": row["delta"],
            "right_of_100": out_of_100(float(str(row["epsilon"])), float(str(row["delta"]))),
        }
        for row in found
    ]
    if as_json:
        print_json(rows)
        return
    columns = ("trips", "epsilon", "delta", "right_of_100")
    print_table(columns, [[plain(row[column]) for column in columns] for row in rows])


def compare(
    first: Annotated[Path, typer.Argument(help="A release folder.")],
    second: Annotated[Path, typer.Argument(help="Another release folder of the same box.")],
    as_json: AsJson = False,
) -> None:
    """Compare the centers of two releases: matched pairs and how far apart they are. Looks at protected things only."""
    rows = _compared(first, second)
    if as_json:
        print_json(rows)
        return
    columns = tuple(rows[0]) if rows else ("first", "second", "distance_m")
    print_table(columns, [[plain(row[column]) for column in columns] for row in rows])


def _compared(first: Path, second: Path) -> list[dict[str, Any]]:
    """Matched centers of two releases of one box, nearest pairs first; protected numbers only."""
    import numpy as np

    from dpviz.clustering import match_centers
    from dpviz.releases.release import Release

    one, two = Release.load(first), Release.load(second)
    if one.frame != two.frame:
        raise InputError("the two releases have different boxes and cannot be compared.")
    here, there = one.protected_centers.positions, two.protected_centers.positions
    rows = []
    for i, j in match_centers(here, there):
        distance = float(np.linalg.norm(here[i] - there[j]))
        rows.append({"first": int(i) + 1, "second": int(j) + 1, f"distance_{one.frame.metric}": round(distance, 2)})
    return sorted(rows, key=lambda row: row["first"])


def show_ledger(ledger: LedgerFile = None, as_json: AsJson = False) -> None:
    """Show the datasets, what was charged, by whom and why, and what remains."""
    report = _ledger_report(ledger)
    if as_json:
        print_json(report)
        return
    if not report["datasets"]:
        print("The ledger is empty. 'dpviz release' registers a dataset with its first release.")
        return
    for title in ("datasets", "charges"):
        rows = report[title]
        if rows:
            columns = tuple(column for column in rows[0] if column not in ("facts", "request"))
            print_table(columns, [[plain(row[column]) for column in columns] for row in rows])
            print()


def _ledger_report(path: Path | None) -> dict[str, Any]:
    """What the ledger knows, as plain data."""
    from dpviz.ledger.ledger import Ledger
    from dpviz.releases.paths import default_ledger_path

    chosen = default_ledger_path() if path is None else path
    if not Path(chosen).exists():
        if path is not None:
            raise InputError(f"there is no ledger at {path}; 'dpviz release' makes one.")
        return {"ledger": str(chosen), "datasets": [], "charges": []}
    book = Ledger(chosen, create=False)
    datasets = [
        {
            "dataset": row.name,
            "total_epsilon": row.total.text()[0],
            "remaining_epsilon": book.remaining(row.name).text()[0],
            "total_delta": row.total.text()[1],
            "remaining_delta": book.remaining(row.name).text()[1],
            "who": row.who,
            "why": row.why,
            "created": row.created,
            "facts": dict(row.facts),
        }
        for row in book.datasets()
    ]
    charges = [
        {
            "dataset": row.dataset,
            "purpose": row.purpose,
            "epsilon": row.amount.text()[0],
            "delta": row.amount.text()[1],
            "k": row.request.k,
            "method": row.request.method,
            "stored": row.stored,
            "who": row.who,
            "why": row.why,
            "created": row.created,
            "key": row.key,
            "request": dict(row.request_facts),
        }
        for row in book.charges()
    ]
    return {"ledger": str(chosen), "datasets": datasets, "charges": charges}
