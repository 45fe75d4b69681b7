"""Looking after the ledger: ledger (show), ledger verify, ledger backup, ledger restore."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from dpviz.cli.parameters.options import AsJson, LedgerFile, shows_group
from dpviz.cli.terminal.printing import print_json, print_rows
from dpviz.errors import InputError

app = typer.Typer(help="Show the datasets, what was charged, by whom and why, and what remains; or look after it.")
WhyAccept = Annotated[str, typer.Option(help="Why; the ledger keeps it.")]


@app.callback(invoke_without_command=True)
def ledger(context: typer.Context, ledger: LedgerFile = None, as_json: AsJson = False) -> None:
    """Show the datasets, what was charged, by whom and why, and what remains; or look after the ledger."""
    if shows_group(context, ledger, as_json):
        _show_ledger(ledger, as_json)


@app.command()
def verify(
    ledger: LedgerFile = None,
    accept: Annotated[
        bool,
        typer.Option("--accept", help="Go on with a file that is not where it was last seen (moved back, forked)."),
    ] = False,
    why: WhyAccept = "",
    as_json: AsJson = False,
) -> None:
    """Check that ledger and store are as they were left: every row, every stored file, nothing foreign.

    Exit code 2 and one line for each thing that is not. --accept, with --why, is for a ledger whose rows are in order
    and whose notes outside say that others came later: what those charged is then forgotten, and a row says so.

    Example: dpviz ledger verify
    """
    from dpviz.life.ledger_care import accept_ledger, verify_ledger

    if accept:
        lost = accept_ledger(ledger, why=why)
        print(f"Accepted. {lost} rows that were noted elsewhere are not in it.")
    found = verify_ledger(ledger)
    if as_json:
        print_json(
            {
                "ledger": found.ledger,
                "rows": found.rows,
                "releases": found.releases,
                "unfinished": list(found.unfinished),
                "wrong": list(found.wrong),
            }
        )
    else:
        for line in found.wrong:
            print(f"WRONG: {line}")
        for key in found.unfinished:
            print(f"Charged and not stored: {key}. The same request completes it and costs nothing.")
        if not found.wrong:
            print(f"In order: {found.rows} rows, {found.releases} stored releases. Ledger {found.ledger}.")
    if found.wrong:
        raise typer.Exit(2)


@app.command()
def backup(
    out: Annotated[Path, typer.Option(help="A new folder for the copy of ledger and store.")],
    ledger: LedgerFile = None,
    as_json: AsJson = False,
) -> None:
    """Copy the ledger and its store, while they may be in use, and check the copy.

    The key that signs releases is not in it: keep a copy of that one in another place.

    Example: dpviz ledger backup --out backup-of-today
    """
    from dpviz.life.ledger_care import backup_ledger
    from dpviz.releases.signing import own_key_file

    head = backup_ledger(ledger, out)
    if as_json:
        print_json({"out": str(out), "rows": head.number, "signing_key": str(own_key_file())})
        return
    print(f"Backed up {head.number} rows and the releases to {out}. The signing key is not in it: {own_key_file()}")


@app.command()
def restore(
    backup: Annotated[Path, typer.Argument(help="A folder of 'dpviz ledger backup'.")],
    ledger: LedgerFile = None,
    accept_loss: Annotated[
        bool, typer.Option("--accept-loss", help="Take a backup that lacks rows which were noted later.")
    ] = False,
    why: WhyAccept = "",
    as_json: AsJson = False,
) -> None:
    """Put back lost or changed release folders, and the ledger itself where it is lost or damaged.

    Charges that a backup does not have would be forgotten, so an older one needs --accept-loss and --why, and the
    restored ledger says so for good. What lay there is kept aside.

    Example: dpviz ledger restore backup-of-today
    """
    from dpviz.life.ledger_care import restore_ledger

    done = restore_ledger(backup, ledger, accept_loss=accept_loss, why=why)
    if as_json:
        aside = None if done.kept_aside is None else str(done.kept_aside)
        print_json({"folders": [str(each) for each in done.folders], "rows_lost": done.rows_lost, "kept_aside": aside})
        return
    print(f"Restored {len(done.folders)} release folders. Rows lost: {done.rows_lost}.")
    if done.kept_aside:
        print(f"The file that was there is kept as {done.kept_aside}")


def _show_ledger(ledger: Path | None, as_json: bool) -> None:
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
            print_rows(columns, rows)
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
