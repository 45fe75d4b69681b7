"""The rows of the ledger as frozen values, with names and exact amounts, and the statements that read and write them.

Names of datasets are tidied before they are kept, and found again when they are written a little otherwise. Arithmetic
on budgets is exact: ten releases of 0.1 fit into a total of 1, the eleventh does not.
"""

from __future__ import annotations

import getpass
import json
import os
import platform
import sqlite3
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import ROUND_FLOOR, Decimal
from fractions import Fraction
from functools import cached_property
from math import ceil
from typing import Any

from dpviz.domain import Unit
from dpviz.errors import InputError, LedgerRefusal
from dpviz.ledger.tables import append
from dpviz.privacy import Budget
from dpviz.releases.request import ReleaseRequest

LONGEST_NAME = 200
# Letters of other scripts that look like these of ours in every common font.
_TWINS = str.maketrans("аеорсухіјѕһԁԛԝвкмнтαοερκντυχιβ" + "ɡıо０", "aeopcyxijshdqwbkmhtaoepkvtuxib" + "gio0")


def checked_name(name: Any) -> str:
    """A name of 1 to 200 printable characters in any script. It is never used as a path."""
    if not isinstance(name, str):
        raise InputError(f"the dataset's name is {type(name).__name__}; give a text such as 'trips-2026'.")
    tidy = tidy_name(name)
    if not tidy or len(tidy) > LONGEST_NAME or not tidy.isprintable():
        shown = name[:40] + ("…" if len(name) > 40 else "")
        raise InputError(
            f"the dataset's name {shown!a} has {len(name)} characters; give 1 to {LONGEST_NAME} printable characters "
            "in any script, such as 'trips-2026' (--dataset NAME)."
        )
    return tidy


def tidy_name(name: Any) -> str:
    """Normalize a name as the ledger stores it; "" where it is no text."""
    return unicodedata.normalize("NFC", name).strip() if isinstance(name, str) else ""


def fold_name(name: str) -> str:
    """Fold a name to compare it with others: no case, width, doubled spaces or look-alike letters of other scripts."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().translate(_TWINS).split())


def same_look(name: str, known: Iterable[str]) -> list[str]:
    """The known names that look like this one; the name itself alone where it is among them."""
    listed = list(known)
    if name in listed:
        return [name]
    wanted = fold_name(name)
    return [other for other in listed if fold_name(other) == wanted]


@dataclass(frozen=True, kw_only=True)
class Amount:
    """ε and δ as exact fractions of the decimals that the user wrote. May exceed what one Budget may hold."""

    epsilon: Fraction
    delta: Fraction

    @classmethod
    def of(cls, budget: Budget) -> Amount:
        """The shortest decimals that mean these floats: 0.1 is a tenth, not 0.1000000000000000055."""
        return cls(epsilon=Fraction(repr(budget.epsilon)), delta=Fraction(repr(budget.delta)))

    @classmethod
    def parse(cls, epsilon: str, delta: str) -> Amount:
        """Read the ledger's own spelling."""
        return cls(epsilon=Fraction(epsilon), delta=Fraction(delta))

    @classmethod
    def total(cls, parts: Iterable[Amount]) -> Amount:
        """The sum, exactly: basic composition."""
        listed = list(parts)
        return cls(
            epsilon=sum((part.epsilon for part in listed), Fraction(0)),
            delta=sum((part.delta for part in listed), Fraction(0)),
        )

    @classmethod
    def of_levels(cls, budget: Budget, levels: Sequence[float], total: Amount) -> Amount:
        """The part of a dataset's total that a release spends where every record chose its own level.

        Each level has a total in proportion: its own ε, times `total` over the largest level where that is above 1,
        and `total` at most. A release costs a level the smaller of its ε and the budget's. The level that loses the
        largest part of its total decides, rounded up to 12 decimals. Without levels: the budget.
        """
        whole = cls.of(budget)
        if not levels:
            return whole
        offered = [Fraction(repr(level)) for level in levels]
        reference = min(max(offered), total.epsilon)
        part = max(min(level, whole.epsilon) / min(level, reference) for level in offered)
        return cls(epsilon=Fraction(ceil(part * reference * 10**12), 10**12), delta=whole.delta)

    def __sub__(self, other: Amount) -> Amount:
        return Amount(epsilon=self.epsilon - other.epsilon, delta=self.delta - other.delta)

    def covers(self, other: Amount) -> bool:
        """Whether `other` fits, both parts, without any slack."""
        return other.epsilon <= self.epsilon and other.delta <= self.delta

    def text(self) -> tuple[str, str]:
        """How the ledger spells it: decimals that mean exactly this amount."""
        return _decimal_text(self.epsilon), _decimal_text(self.delta)

    def as_numbers(self) -> dict[str, float]:
        """As floats, for JSON and screens; the ledger itself adds fractions."""
        return {"epsilon": float(self.epsilon), "delta": float(self.delta)}

    def __str__(self) -> str:
        words = f"epsilon {float(self.epsilon):.12g}"
        return words if not self.delta else f"{words} and delta {float(self.delta):.6g}"


def share_of(total: Budget, share: float) -> Budget | None:
    """A stated share of a total's ε, rounded down where it is no short decimal; no δ. None for a share of 0."""
    if isinstance(share, bool) or not isinstance(share, int | float) or not 0 <= share < 1:
        raise InputError(
            f"standin_share={share!r}: the stand-in's share of the total is a number from 0 to below 1, such as 0.2.",
            standin_share=share,
        )
    if share == 0:
        return None
    exact = Decimal(repr(float(share))) * Decimal(repr(total.epsilon))
    places = exact.quantize(Decimal("1e-12"), rounding=ROUND_FLOOR)
    if places <= 0:
        raise InputError(f"standin_share={share!r} of epsilon {total.epsilon:g} is nothing; give a larger share.")
    return Budget(epsilon=float(places))


def _decimal_text(value: Fraction) -> str:
    """A fraction whose denominator has only the prime factors 2 and 5, written out in full."""
    shift = 0
    while (value * 10**shift).denominator != 1:
        shift += 1
        if shift > 400:
            raise InputError("an amount in the ledger must be a finite decimal number.")
    digits = (value * 10**shift).numerator
    return str(Decimal(digits).scaleb(-shift)) if abs(digits) < 10**27 else f"{digits}e-{shift}"


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
