"""The ledger: what each dataset may spend and has spent. SQLite, append-only, one transaction per charge."""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from dpviz.errors import StoreError
from dpviz.noise import NoiseSource, replayable_source, secure_source
from dpviz.releases.amounts import Amount
from dpviz.releases.ledger_rows import (
    ChargeRow,
    DatasetRow,
    canonical,
    charge_row,
    dataset_row,
    insert_charge,
    now,
    refusal,
    remaining_of,
)
from dpviz.releases.locking import exclusive
from dpviz.releases.paths import default_ledger_path

FORMAT = "1"
_WAIT_SECONDS = 120.0
_TABLES = """
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE datasets (
    name TEXT PRIMARY KEY, facts TEXT NOT NULL, content TEXT NOT NULL,
    total_epsilon TEXT NOT NULL, total_delta TEXT NOT NULL, standin_share TEXT NOT NULL,
    who TEXT NOT NULL, why TEXT NOT NULL, created TEXT NOT NULL);
CREATE TABLE charges (
    number INTEGER PRIMARY KEY AUTOINCREMENT, dataset TEXT NOT NULL REFERENCES datasets (name),
    key TEXT NOT NULL UNIQUE, purpose TEXT NOT NULL, epsilon TEXT NOT NULL, delta TEXT NOT NULL,
    request TEXT NOT NULL, who TEXT NOT NULL, why TEXT NOT NULL, created TEXT NOT NULL);
CREATE TABLE names (asked TEXT PRIMARY KEY, key TEXT NOT NULL REFERENCES charges (key));
CREATE TABLE stored (key TEXT PRIMARY KEY REFERENCES charges (key), outcome TEXT NOT NULL, created TEXT NOT NULL);
"""
_APPEND_ONLY = """
CREATE TRIGGER {table}_never_{verb} BEFORE {verb} ON {table}
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
"""


class Ledger:
    """One ledger file, the store of its releases beside it. Opens the file, or makes it when it is not there."""

    def __init__(self, path: str | Path | None = None, *, create: bool = True, demonstration: bool = False) -> None:
        self.path = (default_ledger_path() if path is None else Path(path).expanduser()).absolute()
        if self.path.is_dir():
            raise StoreError(f"{str(self.path)!r} is a folder; give the name of a file for the ledger (--ledger).")
        if not _is_there(self.path):
            if not create:
                raise StoreError(
                    f"no ledger lies at {str(self.path)!r}; publish something first, or give another file (--ledger).",
                    ledger=str(self.path),
                )
            self._make(demonstration)
        settings = self._settings()
        if settings.get("format") != FORMAT:
            raise StoreError(
                f"{str(self.path)!r} is not a ledger that this dpviz can read; give the right file (--ledger).",
                ledger=str(self.path),
            )
        self.demonstration = settings.get("demonstration") == "yes"
        self._content_key = bytes.fromhex(settings["content_key"])

    @property
    def store(self) -> Path:
        """The folder of releases, beside the ledger. It holds whole releases and nothing else."""
        return self.path.with_name(self.path.name + ".releases")

    @property
    def workshop(self) -> Path:
        """The folder of locks and of unfinished release folders, beside the store and on its filesystem."""
        return self.path.with_name(self.path.name + ".work")

    def folder_of(self, key: str) -> Path:
        """Where the release of this key lies. Keys are hexadecimal digits: no name ever becomes a path."""
        return self.store / key

    @contextmanager
    def one_at_a_time(self, key: str) -> Iterator[None]:
        """Hold the lock of one request: the same request made twice at once runs once."""
        try:
            for folder in (self.store, self.workshop):
                folder.mkdir(mode=0o700, exist_ok=True)
        except OSError as error:
            raise self._trouble(error) from None
        with exclusive(self.workshop / f"{key}.lock"):
            yield

    @property
    def content_key(self) -> bytes:
        """The key of this ledger's content hashes."""
        return self._content_key

    def cap_source(self) -> NoiseSource:
        """The coins of a person cap for this ledger's files: `read_counts(…, noise=ledger.cap_source())`.

        Fresh coins would keep other records of a person at every reading, and the same file would look changed. The
        guarantee holds for every value of these coins (docs/proofs/person_cap.md); they follow from the ledger's key.
        """
        seed = hashlib.blake2b(b"person cap", key=self._content_key, digest_size=16).digest()
        return replayable_source(int.from_bytes(seed, "big"))

    # Datasets

    def dataset(self, name: str) -> DatasetRow | None:
        """The dataset registered under this name."""
        with self._reading() as connection:
            found = connection.execute("SELECT * FROM datasets WHERE name = ?", (name,)).fetchone()
        return None if found is None else dataset_row(found)

    def datasets(self) -> list[DatasetRow]:
        """All datasets in the order of their registration."""
        with self._reading() as connection:
            return [dataset_row(found) for found in connection.execute("SELECT * FROM datasets ORDER BY rowid")]

    def add_dataset(self, row: DatasetRow, reserved: ChargeRow | None, asked: str | None) -> list[str] | None:
        """Register, and reserve the stand-in's share in the same transaction.

        Gives the names of datasets of equal content; None when the name was taken in the meantime.
        """
        epsilon, delta = row.total.text()
        with self._writing() as connection:
            if connection.execute("SELECT 1 FROM datasets WHERE name = ?", (row.name,)).fetchone() is not None:
                return None
            same = connection.execute("SELECT name FROM datasets WHERE content = ? ORDER BY rowid", (row.content,))
            names = [str(found["name"]) for found in same]
            connection.execute(
                "INSERT INTO datasets VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    row.name,
                    canonical(row.facts),
                    row.content,
                    epsilon,
                    delta,
                    row.standin_share,
                    row.who,
                    row.why,
                    row.created,
                ),
            )
            if reserved is not None:
                insert_charge(connection, reserved)
                connection.execute("INSERT INTO names VALUES (?, ?)", (asked, reserved.key))
        return names

    # Charges

    def reserve(self, charge: ChargeRow, asked: str) -> None:
        """Charge before the first random number, or refuse; `asked` is remembered as a name of this charge.

        A charge that is already there under this key is not charged again.
        """
        with self._writing() as connection:
            if connection.execute("SELECT 1 FROM charges WHERE key = ?", (charge.key,)).fetchone() is None:
                remaining = remaining_of(connection, charge.dataset)
                if not remaining.covers(charge.amount):
                    raise refusal(charge.dataset, charge.amount, remaining)
                insert_charge(connection, charge)
            connection.execute("INSERT OR IGNORE INTO names VALUES (?, ?)", (asked, charge.key))

    def remember_name(self, asked: str, key: str) -> None:
        """Another way of asking for a charge that exists."""
        with self._writing() as connection:
            connection.execute("INSERT OR IGNORE INTO names VALUES (?, ?)", (asked, key))

    def mark_stored(self, key: str, outcome: str) -> None:
        """Note that the folder of this key is complete."""
        with self._writing() as connection:
            connection.execute("INSERT OR IGNORE INTO stored VALUES (?, ?, ?)", (key, outcome, now()))

    def charge(self, asked: str) -> ChargeRow | None:
        """The charge of this key, or of the request that was asked under this name."""
        with self._reading() as connection:
            found = connection.execute(
                _SELECT_CHARGES + "WHERE charges.key = ? OR charges.key = (SELECT key FROM names WHERE asked = ?)",
                (asked, asked),
            ).fetchone()
        return None if found is None else charge_row(found)

    def charges(self, dataset: str | None = None) -> list[ChargeRow]:
        """All charges in their order, of one dataset or of all."""
        where, values = ("", ()) if dataset is None else ("WHERE charges.dataset = ? ", (dataset,))
        with self._reading() as connection:
            rows = connection.execute(_SELECT_CHARGES + where + "ORDER BY number", values).fetchall()
        return [charge_row(found) for found in rows]

    def remaining(self, dataset: str) -> Amount:
        """What this dataset may still spend."""
        with self._reading() as connection:
            return remaining_of(connection, dataset)

    def overview(self) -> list[dict[str, Any]]:
        """Every dataset with its total, what remains and its charges, as JSON values: for the curator's eyes."""
        found = []
        for row in self.datasets():
            remaining = self.remaining(row.name)
            found.append(
                {
                    "dataset": row.name,
                    "relation": row.facts["relation"],
                    "unit": row.facts["unit"],
                    "total": row.total.as_numbers(),
                    "remaining": remaining.as_numbers(),
                    "standin_share": float(row.standin_share),
                    "who": row.who,
                    "why": row.why,
                    "created": row.created,
                    "charges": [
                        {
                            "id": charge.key,
                            "purpose": charge.purpose,
                            "charged": charge.amount.as_numbers(),
                            "request": dict(charge.request),
                            "who": charge.who,
                            "why": charge.why,
                            "created": charge.created,
                            "stored": charge.stored,
                        }
                        for charge in self.charges(row.name)
                    ],
                }
            )
        return found

    # The file

    def _make(self, demonstration: bool) -> None:
        with exclusive(self.path.with_name(self.path.name + ".lock")):
            if _is_there(self.path):
                return
            for left in self.path.parent.glob(f".{self.path.name}.*.new*"):  # of a killed process
                left.unlink(missing_ok=True)
            # Made under another name and renamed: a killed process leaves no half-made ledger.
            fresh = self.path.with_name(f".{self.path.name}.{secrets.token_hex(4)}.new")
            try:
                os.close(os.open(fresh, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
                connection = sqlite3.connect(fresh)
                with contextlib.closing(connection):
                    connection.execute("PRAGMA journal_mode = WAL")
                    connection.executescript("BEGIN;" + _TABLES + _triggers())
                    connection.executemany(
                        "INSERT INTO settings VALUES (?, ?)",
                        [
                            ("format", FORMAT),
                            ("content_key", bytes(secure_source().integers(256, 32).tolist()).hex()),
                            ("demonstration", "yes" if demonstration else "no"),
                        ],
                    )
                    connection.commit()
                os.replace(fresh, self.path)
            except BaseException as error:
                for left in (fresh, *(fresh.with_name(fresh.name + ending) for ending in ("-wal", "-shm"))):
                    with contextlib.suppress(OSError):
                        left.unlink()
                if isinstance(error, OSError | sqlite3.Error):
                    raise self._trouble(error) from None
                raise

    def _settings(self) -> dict[str, str]:
        with self._reading() as connection:
            return {str(row["name"]): str(row["value"]) for row in connection.execute("SELECT * FROM settings")}

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        with self._open() as connection:
            yield connection

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self._open() as connection:
            connection.execute("BEGIN IMMEDIATE")  # one writer: nobody charges between our look and our charge
            try:
                yield connection
            except BaseException:
                connection.execute("ROLLBACK")
                raise
            connection.execute("COMMIT")

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """A connection of its own for every piece of work: safe across threads, processes and forks."""
        try:
            if not self.path.is_file():
                raise FileNotFoundError(2, "the ledger is gone")
            connection = sqlite3.connect(self.path, timeout=_WAIT_SECONDS, isolation_level=None)
            with contextlib.closing(connection):
                connection.row_factory = sqlite3.Row
                connection.execute("PRAGMA synchronous = FULL")  # a committed charge survives a power cut
                connection.execute("PRAGMA foreign_keys = ON")
                yield connection
        except (OSError, sqlite3.Error) as error:
            raise self._trouble(error) from None

    def _trouble(self, error: Exception) -> StoreError:
        said = getattr(error, "strerror", None) or str(error) or type(error).__name__
        return StoreError(
            f"cannot use the ledger {str(self.path)!r}: {said}. Check the file, the disk and its permissions, then ask "
            "again: the same request is never charged twice.",
            ledger=str(self.path),
        )

    def __repr__(self) -> str:
        return f"<Ledger {str(self.path)!r}{' (demonstration)' if self.demonstration else ''}>"


_SELECT_CHARGES = (
    "SELECT charges.*, stored.key IS NOT NULL AS is_stored FROM charges LEFT JOIN stored ON stored.key = charges.key "
)


def _is_there(path: Path) -> bool:
    """An empty file is no ledger yet: temporary files begin like that."""
    return path.is_file() and path.stat().st_size > 0


def _triggers() -> str:
    return "".join(
        _APPEND_ONLY.format(table=table, verb=verb)
        for table in ("settings", "datasets", "charges", "names", "stored")
        for verb in ("UPDATE", "DELETE")
    )
