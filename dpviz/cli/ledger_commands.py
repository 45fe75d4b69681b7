"""Looking after the ledger: ledger (show), ledger verify, ledger backup, ledger restore."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from dpviz.cli.parameters.options import AsJson, LedgerFile, shows_group
from dpviz.cli.terminal.output_paths import existing_ledger
from dpviz.cli.terminal.printing import print_rows, tell

app = typer.Typer(help="Show the datasets, what was charged, by whom and why, and what remains; or look after it.")
WhyAccept = Annotated[str, typer.Option(help="Why; the ledger keeps it.")]


@app.callback(invoke_without_command=True)
def ledger(context: typer.Context, ledger: LedgerFile = None, as_json: AsJson = False) -> None:
    """Show the datasets, what was charged, by whom and why, and what remains; or look after the ledger."""
    if shows_group(context, ledger, as_json):
        report = _ledger_report(ledger)
        empty = "The ledger is empty. 'dpviz release' registers a dataset with its first release."
        tell(as_json, report, *([] if report["datasets"] else [empty]))
        for rows in [] if as_json else filter(None, (report["datasets"], report["charges"])):
            print_rows(tuple(column for column in rows[0] if column not in ("facts", "request")), rows)
            print()


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
    unfinished = "Charged and not stored: {}. The same request completes it and costs nothing."
    order = f"In order: {found.rows} rows, {found.releases} stored releases. Ledger {found.ledger}."
    lines = [*(f"WRONG: {line}" for line in found.wrong), *map(unfinished.format, found.unfinished)]
    tell(as_json, asdict(found), *lines, *([] if found.wrong else [order]))
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
    facts = {"out": str(out), "rows": head.number, "signing_key": str(own_key_file())}
    done = f"Backed up {head.number} rows and the releases to {out}. The signing key is not in it: {own_key_file()}"
    tell(as_json, facts, done)


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
    kept = done.kept_aside and f"The file that was there is kept as {done.kept_aside}"
    tell(
        as_json,
        asdict(done),
        f"Restored {len(done.folders)} release folders. Rows lost: {done.rows_lost}.",
        *([kept] if kept else []),
    )


def _ledger_report(path: Path | None) -> dict[str, Any]:
    """What the ledger knows, as plain data."""
    from dpviz.releases.paths import default_ledger_path

    book = existing_ledger(path, "dpviz release")
    if book is None:
        return {"ledger": str(default_ledger_path()), "datasets": [], "charges": []}
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
    return {"ledger": str(path or default_ledger_path()), "datasets": datasets, "charges": charges}
