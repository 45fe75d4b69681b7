"""The tables of a ledger (format 2): append-only, and every row of every table a link of one chain of hashes."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from dpviz.errors import StoreError

FORMAT = "2"
# Every table: its columns after `number`, and those that no second row may repeat. All values are text.
TABLES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "settings": (("name", "value"), ("name",)),
    "datasets": (
        ("name", "facts", "content", "total_epsilon", "total_delta", "standin_share", "who", "why", "created"),
        ("name",),
    ),
    "charges": (("dataset", "key", "purpose", "epsilon", "delta", "request", "who", "why", "created"), ("key",)),
    "names": (("asked", "key"), ("asked",)),
    "claims": (("key", "token", "host", "process", "created"), ("token",)),
    "stored": (("key", "outcome", "seal", "created"), ("key",)),
    "notes": (("kind", "subject", "facts", "who", "why", "created"), ()),
}
_START = "0" * 64


@dataclass(frozen=True, kw_only=True)
class Head:
    """How many rows a chain has, and the hash of the last one."""

    number: int = 0
    hash: str = _START


def schema() -> list[str]:
    """The statements that make the tables, their indexes and the triggers that keep rows as they are."""
    statements = [
        "CREATE TABLE chain (number INTEGER PRIMARY KEY, part TEXT NOT NULL, row INTEGER NOT NULL, hash TEXT NOT NULL, "
        "UNIQUE (part, row));",
        *_triggers("chain", ()),
    ]
    for table, (columns, unique) in TABLES.items():
        fields = ", ".join(f"{name} TEXT NOT NULL{' UNIQUE' if name in unique else ''}" for name in columns)
        statements += [f"CREATE TABLE {table} (number INTEGER PRIMARY KEY, {fields});", *_triggers(table, unique)]
    return [
        *statements,
        "CREATE INDEX charges_of_dataset ON charges (dataset);",
        "CREATE INDEX notes_of_kind ON notes (kind, subject);",
    ]


def append(connection: sqlite3.Connection, table: str, values: Sequence[str]) -> int:
    """Add a row and its link of the chain, inside the caller's transaction; gives the row's number."""
    head = head_of(connection)
    number = int(connection.execute(f"SELECT COALESCE(MAX(number), 0) + 1 FROM {table}").fetchone()[0])
    places = ", ".join("?" * (len(values) + 1))
    connection.execute(f"INSERT INTO {table} VALUES ({places})", (number, *values))
    link = _link(head.hash, table, number, values)
    connection.execute("INSERT INTO chain VALUES (?, ?, ?, ?)", (head.number + 1, table, number, link))
    return number


def head_of(connection: sqlite3.Connection) -> Head:
    """The last link."""
    found = connection.execute("SELECT number, hash FROM chain ORDER BY number DESC LIMIT 1").fetchone()
    return Head() if found is None else Head(number=found[0], hash=found[1])


def hash_at(connection: sqlite3.Connection, number: int) -> str | None:
    """The hash of the chain after this many rows; None where the chain is shorter."""
    if number == 0:
        return _START
    found = connection.execute("SELECT hash FROM chain WHERE number = ?", (number,)).fetchone()
    return None if found is None else str(found[0])


def check_chain(connection: sqlite3.Connection, known: Head | None = None, *, whole: bool = False) -> Head:
    """Compute the chain again, from `known` on, or the `whole` of it, which must lead by `known`; gives its head.

    Raises a sentence that names the first row that was changed, taken away or put there by somebody else.
    """
    if known is not None and hash_at(connection, known.number) != known.hash:
        raise StoreError("its rows are others than a moment ago")
    start = Head() if whole or known is None else known
    links = connection.execute("SELECT * FROM chain WHERE number > ? ORDER BY number", (start.number,)).fetchall()
    rows = {table: _rows_from(connection, table, links) for table in TABLES}
    number, last = start.number, start.hash
    for link in links:
        number += 1
        table, row = str(link["part"]), int(link["row"])
        values = rows.get(table, {}).get(row)
        if int(link["number"]) != number or values is None:
            raise StoreError(f"row {row} of its table {table!a} is missing")
        last = _link(last, table, row, values)
        if last != link["hash"]:
            raise StoreError(f"row {row} of its table {table!a} was changed after it was written")
    for table in TABLES:
        _refuse_foreign_rows(connection, table)
    return Head(number=number, hash=last)


def _rows_from(connection: sqlite3.Connection, table: str, links: Sequence[sqlite3.Row]) -> dict[int, tuple[str, ...]]:
    first = min((int(link["row"]) for link in links if link["part"] == table), default=None)
    if first is None:
        return {}
    found = connection.execute(f"SELECT * FROM {table} WHERE number >= ?", (first,))
    return {int(row[0]): tuple(row)[1:] for row in found}


def _refuse_foreign_rows(connection: sqlite3.Connection, table: str) -> None:
    """Numbers are dense, so the first and the last tell whether a row stands in a table and not in the chain."""
    chained = connection.execute("SELECT COALESCE(MAX(row), 0) FROM chain WHERE part = ?", (table,)).fetchone()[0]
    low, high = connection.execute(f"SELECT MIN(number), MAX(number) FROM {table}").fetchone()
    if (high or 0) > chained or (low is not None and low < 1):
        raise StoreError(f"its table {table!a} holds a row that no dpviz wrote (row {high if low > 0 else low})")
    if (high or 0) < chained:
        raise StoreError(f"row {chained} of its table {table!a} is missing")


def _link(before: str, table: str, number: int, values: Sequence[str]) -> str:
    text = json.dumps([before, table, number, list(values)], ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def _triggers(table: str, unique: Sequence[str]) -> list[str]:
    """No row is changed, deleted or replaced: INSERT OR REPLACE deletes without asking a trigger on DELETE."""
    refuse = "BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;"
    same = " OR ".join(f"{column} = NEW.{column}" for column in ("number", *unique))
    if table == "chain":
        same += " OR (part = NEW.part AND row = NEW.row)"
    return [
        *(f"CREATE TRIGGER {table}_never_{verb} BEFORE {verb} ON {table} {refuse}" for verb in ("UPDATE", "DELETE")),
        f"CREATE TRIGGER {table}_never_REPLACE BEFORE INSERT ON {table} "
        f"WHEN EXISTS (SELECT 1 FROM {table} WHERE {same}) {refuse}",
    ]
