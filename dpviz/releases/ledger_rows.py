"""The rows of the ledger as frozen values, and the statements that read and write them."""

from __future__ import annotations

import getpass
import json
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from dpviz.errors import LedgerRefusal
from dpviz.releases.amounts import Amount


@dataclass(frozen=True, kw_only=True)
class DatasetRow:
    """What the ledger knows of a dataset. `content` is a keyed hash; the key never leaves the ledger."""

    name: str
    facts: Mapping[str, Any]
    content: str = field(repr=False)
    total: Amount
    standin_share: str
    who: str
    why: str
    created: str


@dataclass(frozen=True, kw_only=True)
class ChargeRow:
    """One charge: never changed, never refunded."""

    number: int
    dataset: str
    key: str
    purpose: str
    amount: Amount
    request: Mapping[str, Any]
    who: str
    why: str
    created: str
    stored: bool


def refusal(dataset: str, requested: Amount, remaining: Amount) -> LedgerRefusal:
    """What was asked for, what is left, and how much is missing."""
    part = "epsilon" if requested.epsilon > remaining.epsilon else "delta"
    asked, left = getattr(requested, part), getattr(remaining, part)
    values = {"requested": float(asked), "remaining": float(left), "difference": float(asked - left)}
    return LedgerRefusal(
        f"the ledger refuses: {part} {values['requested']:g} was requested for {dataset!r}, {values['remaining']:g} "
        f"remains, {values['difference']:g} is missing. Nothing was charged or drawn. Ask for what remains, or ask "
        "again for what was published before, which costs nothing. A total is fixed when a dataset is registered.",
        part=part,
        dataset=dataset,
        **values,
    )


def canonical(facts: Mapping[str, Any]) -> str:
    """Sorted, compact JSON."""
    return json.dumps(facts, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def now() -> str:
    """The time for the ledger's rows; it appears in no release."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def writable(text: str) -> str:
    """The text as a database can hold it: bytes that are no letters, from a command line, become question marks."""
    return text.encode("utf-8", "replace").decode("utf-8")


def person_at_work(who: str) -> str:
    """The name given, or the system's name for the user."""
    if who:
        return writable(who)
    try:
        return writable(getpass.getuser())
    except (OSError, KeyError, ImportError):
        return ""


def remaining_of(connection: sqlite3.Connection, dataset: str) -> Amount:
    """The total less all charges, inside the caller's transaction."""
    found = connection.execute("SELECT total_epsilon, total_delta FROM datasets WHERE name = ?", (dataset,)).fetchone()
    if found is None:
        raise LedgerRefusal(
            f"the dataset {dataset!r} is not registered in this ledger; register it with a total first."
        )
    charged = [
        Amount.parse(row["epsilon"], row["delta"])
        for row in connection.execute("SELECT epsilon, delta FROM charges WHERE dataset = ?", (dataset,))
    ]
    return Amount.parse(found["total_epsilon"], found["total_delta"]) - Amount.total(charged)


def insert_charge(connection: sqlite3.Connection, charge: ChargeRow) -> None:
    """Append a charge, inside the caller's transaction."""
    epsilon, delta = charge.amount.text()
    connection.execute(
        "INSERT INTO charges (dataset, key, purpose, epsilon, delta, request, who, why, created) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            charge.dataset,
            charge.key,
            charge.purpose,
            epsilon,
            delta,
            canonical(charge.request),
            charge.who,
            charge.why,
            charge.created,
        ),
    )


def dataset_row(found: sqlite3.Row) -> DatasetRow:
    """A row of the table `datasets`."""
    return DatasetRow(
        name=found["name"],
        facts=json.loads(found["facts"]),
        content=found["content"],
        total=Amount.parse(found["total_epsilon"], found["total_delta"]),
        standin_share=found["standin_share"],
        who=found["who"],
        why=found["why"],
        created=found["created"],
    )


def charge_row(found: sqlite3.Row) -> ChargeRow:
    """A row of `charges`, joined with whether it is stored."""
    return ChargeRow(
        number=found["number"],
        dataset=found["dataset"],
        key=found["key"],
        purpose=found["purpose"],
        amount=Amount.parse(found["epsilon"], found["delta"]),
        request=json.loads(found["request"]),
        who=found["who"],
        why=found["why"],
        created=found["created"],
        stored=bool(found["is_stored"]),
    )
