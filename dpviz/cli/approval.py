"""Commands for a second person: approval (what waits), approval need, ask, approve, refuse.

The acting person is the account of the operating system, never an option or an environment variable.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dpviz.cli.parameters.options import (
    PRIVACY,
    AsJson,
    Delta,
    Epsilon,
    LedgerFile,
    Level,
    Method,
    PurposeOption,
    shows_group,
)
from dpviz.cli.parameters.values import chosen_budget, read_region_file, user_name
from dpviz.cli.terminal.printing import plain, print_json, print_rows
from dpviz.errors import InputError

if TYPE_CHECKING:
    from dpviz.ledger.ledger import Ledger
    from dpviz.publishing.second_person import ApprovalRequest

app = typer.Typer(help="A second person for publishing: who asks, and somebody else who approves or refuses.")
Number = Annotated[str, typer.Argument(help="The request's number, or its first digits; 'dpviz approval' lists them.")]
Reason = Annotated[str, typer.Option("--why", help="Why; the ledger keeps it, and the other person reads it.")]


@app.callback(invoke_without_command=True)
def approval(context: typer.Context, ledger: LedgerFile = None, as_json: AsJson = False) -> None:
    """List what waits for a second person, what was answered, and what needs one."""
    if shows_group(context, ledger, as_json):
        _show(ledger, as_json)


@app.command()
def need(
    name: Annotated[str, typer.Argument(help="A population or a dataset of the ledger.")],
    why: Reason,
    ledger: LedgerFile = None,
    as_json: AsJson = False,
) -> None:
    """From now on nothing is published of a population (or dataset) that nobody else approved. This stays so.

    Example: dpviz approval need riders --why "decision of the data office"
    """
    from dpviz.publishing.second_person import require_second_person

    require_second_person(name, ledger=_open_ledger(ledger), who=account(), why=_checked_reason(why))
    if as_json:
        print_json({"name": name, "needs_second_person": True})
        return
    print(f"Whatever is published of {name!r} needs a second person from now on.")


@app.command()
def ask(
    dataset: Annotated[str, typer.Argument(help="A registered dataset. Its records are not read.")],
    why: Reason,
    k: Annotated[int, typer.Option("--k", help="Number of clusters, 1 to 4096.", rich_help_panel=PRIVACY)],
    level: Level = None,
    epsilon: Epsilon = None,
    delta: Delta = None,
    method: Method = "auto",
    purpose: PurposeOption = "centers",
    regions: Annotated[
        Path | None,
        typer.Option(help="GeoJSON polygons with stricter levels inside, as of 'release'.", rich_help_panel=PRIVACY),
    ] = None,
    ledger: LedgerFile = None,
    as_json: AsJson = False,
) -> None:
    """Ask somebody else to approve a release. Nothing is read, charged or drawn.

    Example: dpviz approval ask march --k 5 --level 4 --why "cycling plan"
    """
    from dpviz.publishing.approvals import ChargeRequest, ask_approval
    from dpviz.publishing.datasets import open_dataset
    from dpviz.releases.request import ReleaseRequest

    book = _open_ledger(ledger)
    known = open_dataset(dataset, ledger=book)
    request = ReleaseRequest(
        k=k,
        budget=chosen_budget(level, epsilon, delta, method),
        method=method,
        purpose=purpose,
        regions=read_region_file(regions),
    )
    tell_request(ask_approval(account(), ChargeRequest.of(known, request), _checked_reason(why)), as_json)


@app.command()
def approve(
    number: Number,
    why: Annotated[str, typer.Option(help="A word to who asked; the ledger keeps it.")] = "",
    ledger: LedgerFile = None,
    as_json: AsJson = False,
) -> None:
    """Approve what somebody else asked for. No record is read; who holds the records publishes it then.

    Example: dpviz approval approve 3f2a
    """
    from dpviz.publishing.second_person import approve as step

    book = _open_ledger(ledger)
    found = step(book, _find_number(book, number), who=account(), why=why)
    period = found.request.period
    command = f"release --dataset {found.dataset} …" if period is None else f"series publish {period.series} …"
    _print(found, as_json, f"Approved. 'dpviz {command}' with the same request publishes it.")


@app.command()
def refuse(number: Number, why: Reason, ledger: LedgerFile = None, as_json: AsJson = False) -> None:
    """Refuse what somebody else asked for, with a reason that they can read.

    Example: dpviz approval refuse 3f2a --why "too fine for so few trips"
    """
    from dpviz.publishing.second_person import refuse as step

    book = _open_ledger(ledger)
    found = step(book, _find_number(book, number), who=account(), why=_checked_reason(why))
    _print(found, as_json, f"Refused. {plain(found.who)} reads the reason in 'dpviz approval'.")


def account() -> str:
    """Return the account that runs this process; environment variables could name anybody."""
    try:
        import pwd

        return pwd.getpwuid(os.geteuid()).pw_name
    except (ImportError, KeyError):  # no such list on this system
        return user_name()


def _open_ledger(ledger: Path | None) -> Ledger:
    from dpviz.ledger.ledger import Ledger

    return Ledger(ledger, create=False)


def _checked_reason(why: str) -> str:
    if not why.strip():
        raise InputError("--why is empty: the ledger keeps it, and the other person reads it.")
    return why


def _find_number(book: Ledger, number: str) -> str:
    """Complete the first digits of a request's number."""
    from dpviz.publishing.second_person import requests

    found = [one.id for one in requests(book) if number and one.id.startswith(number.lower())]
    if len(found) > 1:
        raise InputError(f"{len(found)} requests begin with {number!r}: {', '.join(found)}. Give more digits.")
    return found[0] if found else number


def _show(ledger: Path | None, as_json: bool) -> None:
    from dpviz.publishing.second_person import binds_everything, requests, rules

    book = _open_ledger(ledger)
    found, needed, everything = requests(book), rules(book), binds_everything(book)
    if as_json:
        print_json({"needed": list(needed), "everything": everything, "requests": [_facts(one) for one in found]})
        return
    names = "everything" if everything else ", ".join(plain(name) for name in needed) or "nothing"
    print(f"A second person is needed for: {names}.")
    if found:
        columns = ("number", "state", "dataset", "k", "epsilon", "method", "who", "why", "decided_by", "reason")
        print_rows(columns, map(_facts, found))


def tell_request(found: ApprovalRequest, as_json: bool) -> None:
    """Print a request for approval that waits, and what somebody else types to approve it."""
    _print(found, as_json, f"Waiting as {found.id}. Somebody else: dpviz approval approve {found.id[:6]}")


def _print(found: ApprovalRequest, as_json: bool, sentence: str) -> None:
    if as_json:
        print_json(_facts(found))
    else:
        print(sentence)


def _facts(one: ApprovalRequest) -> dict[str, Any]:
    return {
        "number": one.id,
        "state": one.state,
        "dataset": one.dataset,
        "k": one.request.k,
        "epsilon": one.request.budget.epsilon,
        "delta": one.request.budget.delta,
        "method": one.request.method,
        "release": one.key,
        "who": one.who,
        "why": one.why,
        "created": one.created,
        "decided_by": one.decided_by,
        "reason": one.reason,
        "decided": one.decided,
    }
