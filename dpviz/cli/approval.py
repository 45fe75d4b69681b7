"""Commands for a second person: approval (what waits), approval need, ask, approve, refuse.

The acting person is the account of the operating system, never an option or an environment variable.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import dpviz
from dpviz.cli.parameters.options import (
    AsJson,
    LedgerFile,
    RequestOptions,
    in_privacy,
    shows_group,
    user_name,
    with_options,
)
from dpviz.cli.terminal.printing import Table, plain, tell
from dpviz.errors import InputError

if TYPE_CHECKING:
    from dpviz.publishing.approvals import ApprovalRequest

app = typer.Typer(help="A second person for publishing: who asks, and somebody else who approves or refuses.")
Number = Annotated[str, typer.Argument(help="The request's number, or its first digits; 'dpviz approval' lists them.")]
Reason = Annotated[str, typer.Option("--why", help="Why; the ledger keeps it, and the other person reads it.")]


@app.callback(invoke_without_command=True)
def approval(context: typer.Context, ledger: LedgerFile = None, as_json: AsJson = False) -> None:
    """List what waits for a second person, what was answered, and what needs one."""
    if not shows_group(context, ledger, as_json):
        return
    from dpviz.publishing.approvals import binds_everything, requests, rules

    book = dpviz.Ledger(ledger, create=False)
    found, needed, everything = list(map(_facts, requests(book))), rules(book), binds_everything(book)
    names = "everything" if everything else ", ".join(plain(name) for name in needed) or "nothing"
    facts = {"needed": list(needed), "everything": everything, "requests": found}
    columns = ("number", "state", "dataset", "k", "epsilon", "method", "who", "why", "decided_by", "reason")
    said = [Table(columns, found)] if found else []
    tell(as_json, facts, f"A second person is needed for: {names}.", *said)


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
    from dpviz.publishing.approvals import require_second_person

    require_second_person(name, ledger=dpviz.Ledger(ledger, create=False), who=account(), why=_checked_reason(why))
    said = f"Whatever is published of {name!r} needs a second person from now on."
    tell(as_json, {"name": name, "needs_second_person": True}, said)


@app.command()
@with_options
def ask(
    dataset: Annotated[str, typer.Argument(help="A registered dataset. Its records are not read.")],
    why: Reason,
    wanted: RequestOptions,
    regions: Annotated[
        Path | None, in_privacy(help="GeoJSON polygons with stricter levels inside, as of 'release'.")
    ] = None,
    ledger: LedgerFile = None,
    as_json: AsJson = False,
) -> None:
    """Ask somebody else to approve a release. Nothing is read, charged or drawn.

    Example: dpviz approval ask march --k 5 --level 4 --why "cycling plan"
    """
    from dpviz.publishing.approvals import ChargeRequest, ask_approval

    known = dpviz.open_dataset(dataset, ledger=dpviz.Ledger(ledger, create=False))
    charge = ChargeRequest.of(known, wanted.request(regions))
    tell_request(ask_approval(account(), charge, _checked_reason(why)), as_json)


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
    from dpviz.publishing.approvals import approve as step

    found = _decide(step, number, ledger, why)
    period = found.request.period
    command = f"release --dataset {found.dataset} …" if period is None else f"series publish {period.series} …"
    tell(as_json, _facts(found), f"Approved. 'dpviz {command}' with the same request publishes it.")


@app.command()
def refuse(number: Number, why: Reason, ledger: LedgerFile = None, as_json: AsJson = False) -> None:
    """Refuse what somebody else asked for, with a reason that they can read.

    Example: dpviz approval refuse 3f2a --why "too fine for so few trips"
    """
    from dpviz.publishing.approvals import refuse as step

    found = _decide(step, number, ledger, _checked_reason(why))
    tell(as_json, _facts(found), f"Refused. {plain(found.who)} reads the reason in 'dpviz approval'.")


def account() -> str:
    """Return the account that runs this process; environment variables could name anybody."""
    try:
        import pwd

        return pwd.getpwuid(os.geteuid()).pw_name
    except (ImportError, KeyError):  # no such list on this system
        return user_name()


def _checked_reason(why: str) -> str:
    if not why.strip():
        raise InputError("--why is empty: the ledger keeps it, and the other person reads it.")
    return why


def _decide(step: Callable[..., ApprovalRequest], number: str, ledger: Path | None, why: str) -> ApprovalRequest:
    """Approve or refuse the request whose number begins with these digits."""
    from dpviz.publishing.approvals import requests

    book = dpviz.Ledger(ledger, create=False)
    found = [one.id for one in requests(book) if number and one.id.startswith(number.lower())]
    if len(found) > 1:
        raise InputError(f"{len(found)} requests begin with {number!r}: {', '.join(found)}. Give more digits.")
    return step(book, found[0] if found else number, who=account(), why=why)


def tell_request(found: ApprovalRequest, as_json: bool) -> None:
    """Print a request for approval that waits, and what somebody else types to approve it."""
    tell(as_json, _facts(found), f"Waiting as {found.id}. Somebody else: dpviz approval approve {found.id[:6]}")


def _facts(one: ApprovalRequest) -> dict[str, Any]:
    asked, names = one.request, ("who", "why", "created", "decided_by", "reason", "decided")
    return {
        **{"number": one.id, "state": one.state, "dataset": one.dataset, "k": asked.k},
        **{"epsilon": asked.budget.epsilon, "delta": asked.budget.delta, "method": asked.method, "release": one.key},
        **{name: getattr(one, name) for name in names},
    }
