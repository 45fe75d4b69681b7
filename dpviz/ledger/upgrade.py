"""A ledger of format 1 becomes one of format 2, in one transaction: every row stays, and a copy is kept beside it."""

from __future__ import annotations

import contextlib
import os
import secrets
import sqlite3
from collections.abc import Callable
from pathlib import Path

from dpviz.ledger.rows import canonical, now
from dpviz.ledger.tables import FORMAT, TABLES, append, schema

_OLD = ("settings", "datasets", "charges", "names", "stored")


def upgrade(connection: sqlite3.Connection, path: Path, seal: Callable[[str], str]) -> None:
    """Rewrite the tables. `seal` gives the seal of the stored release of a key, "" where it cannot be read."""
    back_up_database(connection, path.with_name(path.name + ".format-1"))
    connection.execute("BEGIN IMMEDIATE")
    try:
        kept = {table: connection.execute(f"SELECT * FROM {table} ORDER BY rowid").fetchall() for table in _OLD}
        for name in ("stored", "names", "charges", "datasets", "settings"):
            connection.execute(f"DROP TABLE {name}")
        for statement in _statements(schema()):
            connection.execute(statement)
        settings = {row["name"]: row["value"] for row in kept["settings"]}
        settings |= {"format": FORMAT, "ledger": secrets.token_hex(16)}
        for item in settings.items():
            append(connection, "settings", item)
        for table in ("datasets", "charges", "names"):
            for row in kept[table]:
                append(connection, table, [str(row[column]) for column in TABLES[table][0]])
        for row in kept["stored"]:
            append(connection, "stored", (row["key"], row["outcome"], seal(row["key"]), row["created"]))
        facts = canonical({"from": "1", "to": FORMAT, "charges": len(kept["charges"])})
        append(connection, "notes", ("upgraded", "", facts, "", "", now()))
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise


def back_up_database(connection: sqlite3.Connection, target: Path) -> None:
    """Copy a database that may be in use to another file, whole or not at all; the file is its owner's."""
    fresh = target.with_name(f".{target.name}.{secrets.token_hex(4)}.new")
    try:
        os.close(os.open(fresh, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        with contextlib.closing(sqlite3.connect(fresh)) as copy:
            connection.backup(copy)
        os.replace(fresh, target)
    finally:
        fresh.unlink(missing_ok=True)


def _statements(script: str) -> list[str]:
    """One by one: executescript would commit what is under way."""
    found, part = [], ""
    for line in script.splitlines(keepends=True):
        part += line
        if sqlite3.complete_statement(part):
            found.append(part)
            part = ""
    return found
