"""The rows of the ledger as frozen values, and the statements that read and write them."""

from __future__ import annotations

import getpass
import json
import os
import platform
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

from dpviz.domain import Unit
from dpviz.errors import LedgerRefusal
from dpviz.ledger.amounts import Amount
from dpviz.ledger.tables import append
from dpviz.releases.request import ReleaseRequest


def now() -> str:
    """The time for the ledger's rows; it appears in no release."""
    return datetime.now(UTC).isoformat(timespec="seconds")


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
    created: str = field(default_factory=lambda: now())

    @property
    def unit(self) -> Unit:
        """What its releases protect."""
        return Unit.from_facts(self.facts["unit"])


@dataclass(frozen=True, kw_only=True)
class ChargeRow:
    """One charge: never changed, never refunded."""

    number: int = 0  # 0 until the ledger gives one
    dataset: str
    key: str
    purpose: str
    amount: Amount
    request_facts: Mapping[str, Any]  # as the ledger keeps them
    who: str
    why: str
    created: str = field(default_factory=lambda: now())
    stored: bool = False
    seal: str = ""  # SHA-256 of the stored folder; "" where none is known

    @cached_property
    def request(self) -> ReleaseRequest:
        """What was asked for."""
        return ReleaseRequest.from_facts(self.request_facts)


@dataclass(frozen=True, kw_only=True)
class NoteRow:
    """Whatever else the ledger keeps, by kind and subject: added, never changed."""

    number: int = 0
    kind: str
    subject: str
    facts: Mapping[str, Any]
    who: str = ""
    why: str = ""
    created: str = ""  # "" until it is appended


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


def insert_dataset(connection: sqlite3.Connection, row: DatasetRow) -> None:
    """Append a dataset, inside the caller's transaction."""
    facts = canonical(row.facts)
    values = (row.name, facts, row.content, *row.total.text(), row.standin_share, row.who, row.why, row.created)
    append(connection, "datasets", values)


def insert_charge(connection: sqlite3.Connection, charge: ChargeRow) -> None:
    """Append a charge, inside the caller's transaction."""
    asked = canonical(charge.request_facts)
    spent = charge.amount.text()
    values = (charge.dataset, charge.key, charge.purpose, *spent, asked, charge.who, charge.why, charge.created)
    append(connection, "charges", values)


def insert_claim(connection: sqlite3.Connection, key: str, token: str) -> None:
    """Append who is about to draw under a charge, inside the caller's transaction."""
    append(connection, "claims", (key, token, writable(platform.node()), str(os.getpid()), now()))


def insert_name(connection: sqlite3.Connection, asked: str, key: str) -> None:
    """Append another way of asking for a charge, unless it is known."""
    if connection.execute("SELECT 1 FROM names WHERE asked = ?", (asked,)).fetchone() is None:
        append(connection, "names", (asked, key))


def insert_note(connection: sqlite3.Connection, note: NoteRow) -> None:
    """Append a note, inside the caller's transaction."""
    append(
        connection, "notes", (note.kind, note.subject, canonical(note.facts), note.who, note.why, note.created or now())
    )


def note_row(found: sqlite3.Row) -> NoteRow:
    """A row of the table `notes`."""
    return NoteRow(
        number=found["number"],
        kind=found["kind"],
        subject=found["subject"],
        facts=json.loads(found["facts"]),
        who=found["who"],
        why=found["why"],
        created=found["created"],
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
        request_facts=json.loads(found["request"]),
        who=found["who"],
        why=found["why"],
        created=found["created"],
        stored=found["seal"] is not None,
        seal=found["seal"] or "",
    )
