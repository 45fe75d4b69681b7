"""The ledger: what each dataset may spend and has spent. SQLite, append-only, one transaction per charge.

It is the one face of all tables: each method is a question or one transaction.
"""

from __future__ import annotations

import hashlib
import secrets
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

from dpviz.errors import DpvizError, LedgerRefusal, StoreError
from dpviz.ledger import heads
from dpviz.ledger.file import LedgerFile, true_path
from dpviz.ledger.rows import (
    Amount,
    ChargeRow,
    DatasetRow,
    NoteRow,
    charge_row,
    dataset_row,
    insert_charge,
    insert_claim,
    insert_dataset,
    insert_name,
    insert_note,
    note_row,
    now,
    refusal,
    remaining_of,
    same_look,
    tidy_name,
    writable,
)
from dpviz.ledger.tables import FORMAT, Head, append
from dpviz.noise import NoiseSource, replayable_source, secure_source
from dpviz.releases.paths import default_ledger_path, exclusive
from dpviz.releases.store import folder_seal

_Allowance = Callable[[sqlite3.Connection], Amount]
# Refuses a registration, or gives notes that belong to it: of the datasets there are, and those of equal content.
Check = Callable[[Sequence[DatasetRow], Sequence[str]], Sequence[NoteRow]]


class Ledger:
    """One ledger file, the store of its releases beside it. The file is made by the first row that is written."""

    def __init__(
        self, path: str | Path | None = None, *, create: bool = True, demonstration: bool = False, believe: bool = False
    ) -> None:
        self.path = true_path(default_ledger_path() if path is None else Path(path))
        self._file = LedgerFile(self.path, self._seal_of)
        self._made = self._file.is_there()
        if self._made:
            self._settings = self._file.settings(believe=believe)
        elif not create:
            raise StoreError(
                f"no ledger lies at {str(self.path)!r}; publish something first, or give another file (--ledger).",
                ledger=str(self.path),
            )
        else:
            if not demonstration:
                self._refuse_to_begin_again()
            self._settings = {
                "format": FORMAT,
                "ledger": secrets.token_hex(16),
                "content_key": bytes(secure_source().integers(256, 32).tolist()).hex(),
                "demonstration": "yes" if demonstration else "no",
            }

    @property
    def demonstration(self) -> bool:
        """Whether it is for public demonstration data, with ample totals."""
        return self._settings.get("demonstration") == "yes"

    @property
    def id(self) -> str:
        """What tells this ledger from all others, whatever its file is called."""
        return self._settings["ledger"]

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

    def make(self) -> None:
        """Make the file, if it is not there yet: whoever only looks, or is refused, leaves none behind."""
        if self._made:
            return
        if not self._file.make(self._settings):  # another process was quicker: its key and id count
            self._settings = self._file.settings()
        self._made = True

    @contextmanager
    def one_at_a_time(self, key: str) -> Iterator[None]:
        """Hold the lock of one request: the same request made twice at once runs once."""
        self.make()
        try:
            for folder in (self.store, self.workshop):
                folder.mkdir(mode=0o700, exist_ok=True)
        except OSError as error:
            raise self._file.trouble(error) from None
        with exclusive(self.workshop / f"{key}.lock"):
            yield

    @property
    def content_key(self) -> bytes:
        """The key of this ledger's content hashes."""
        return bytes.fromhex(self._settings["content_key"])

    def cap_source(self) -> NoiseSource:
        """The coins of a person cap for this ledger's files: `read_counts(…, noise=ledger.cap_source())`.

        Fresh coins would keep other records of a person at every reading, and the same file would look changed. The
        guarantee holds for every value of these coins (docs/proofs/person_cap.md); they follow from the ledger's key.
        So their first use makes the file of the ledger, where it is not there yet: the next process needs the same key.
        """
        return cast(NoiseSource, _CapCoins(self))

    # Datasets

    def dataset(self, name: str) -> DatasetRow | None:
        """The dataset of this name; one whose name only looks the same (spaces, case, letters) is found too."""
        names = [str(row["name"]) for row in self._select("SELECT name FROM datasets ORDER BY number")]
        alike = same_look(tidy_name(name), names)
        if len(alike) > 1:
            known = ", ".join(map(ascii, alike))
            raise LedgerRefusal(f"the name {name!a} looks like {known}; write it as one of them.")
        found = self._select("SELECT * FROM datasets WHERE name = ?", alike[0]) if alike else []
        return dataset_row(found[0]) if found else None

    def datasets(self) -> list[DatasetRow]:
        """All datasets in the order of their registration."""
        return [dataset_row(row) for row in self._select(_DATASETS)]

    def add_dataset(
        self,
        row: DatasetRow,
        reserved: ChargeRow | None,
        asked: str | None,
        notes: Sequence[NoteRow] = (),
        check: Check | None = None,
    ) -> bool:
        """Register, and reserve the stand-in's share in the same transaction, unless `check` refuses.

        Whether it was registered: False when the name was taken in the meantime.
        """
        with self.transaction() as connection:
            present = [dataset_row(each) for each in connection.execute(_DATASETS)]
            if same_look(row.name, [each.name for each in present]):
                return False
            equal = [each.name for each in present if each.content == row.content]
            if check is not None:  # inside, so that two processes cannot register the same people at once
                notes = [*notes, *check(present, equal)]
            insert_dataset(connection, row)
            if reserved is not None:
                insert_charge(connection, reserved)
                insert_name(connection, str(asked), reserved.key)
            for note in notes:
                insert_note(connection, note)
        return True

    # Charges

    def reserve(self, charge: ChargeRow, asked: str, token: str, allowance: _Allowance | None = None) -> None:
        """Charge before the first random number and claim the draw in the same transaction, or refuse.

        A charge that is there already is not charged again: who holds its lock takes over from somebody who died.
        `asked` is remembered as a name of this charge; `allowance` tells what may still be spent, where that is not
        the dataset's total less its charges.
        """
        with self.transaction() as connection:
            if connection.execute("SELECT 1 FROM charges WHERE key = ?", (charge.key,)).fetchone() is None:
                remaining = remaining_of(connection, charge.dataset) if allowance is None else allowance(connection)
                if not remaining.covers(charge.amount):
                    raise refusal(charge.dataset, charge.amount, remaining)
                insert_charge(connection, charge)
            insert_claim(connection, charge.key, token)
            insert_name(connection, asked, charge.key)

    def remember_name(self, asked: str, key: str) -> None:
        """Another way of asking for a charge that exists."""
        with self.transaction() as connection:
            insert_name(connection, asked, key)

    def mark_stored(self, key: str, outcome: str, seal: str) -> str:
        """Note that the folder of this key is complete; gives the seal that counts, which is the first one noted."""
        with self.transaction() as connection:
            found = connection.execute("SELECT seal FROM stored WHERE key = ?", (key,)).fetchone()
            if found is not None:
                return str(found["seal"])
            append(connection, "stored", (key, outcome, seal, now()))
        return seal

    def charge(self, asked: str) -> ChargeRow | None:
        """The charge of this key, or of the request that was asked under this name."""
        named = "WHERE charges.key = ? OR charges.key = (SELECT key FROM names WHERE asked = ?)"
        found = self._select(_CHARGES + named, asked, asked)
        return charge_row(found[0]) if found else None

    def charges(self, dataset: str | None = None) -> list[ChargeRow]:
        """All charges in their order, of one dataset or of all."""
        where, values = ("", ()) if dataset is None else ("WHERE charges.dataset = ? ", (dataset,))
        return [charge_row(found) for found in self._select(_CHARGES + where + "ORDER BY charges.number", *values)]

    def remaining(self, dataset: str) -> Amount:
        """What this dataset may still spend."""
        self.make()
        with self._file.connected() as connection:
            return remaining_of(connection, dataset)

    def overview(self) -> list[dict[str, Any]]:
        """Every dataset with its total, what remains and its charges, as JSON values: for the curator's eyes."""
        return [
            {
                "dataset": row.name,
                "relation": row.facts["relation"],
                "unit": row.facts["unit"],
                "total": row.total.as_numbers(),
                "remaining": self.remaining(row.name).as_numbers(),
                "standin_share": float(row.standin_share),
                "who": row.who,
                "why": row.why,
                "created": row.created,
                "charges": [
                    {
                        "id": charge.key,
                        "purpose": charge.purpose,
                        "charged": charge.amount.as_numbers(),
                        "request": dict(charge.request_facts),
                        "who": charge.who,
                        "why": charge.why,
                        "created": charge.created,
                        "stored": charge.stored,
                    }
                    for charge in self.charges(row.name)
                ],
            }
            for row in self.datasets()
        ]

    # Notes

    def note(self, kind: str, subject: str, facts: Mapping[str, Any], *, who: str = "", why: str = "") -> None:
        """Append a note. Notes are added, never changed: the last of a kind and subject counts."""
        with self.transaction() as connection:
            insert_note(
                connection, NoteRow(kind=kind, subject=subject, facts=facts, who=writable(who), why=writable(why))
            )

    def notes(self, kind: str | None = None, subject: str | None = None) -> list[NoteRow]:
        """All notes in their order, of one kind and subject or of all."""
        asked = {name: value for name, value in (("kind", kind), ("subject", subject)) if value is not None}
        where = "WHERE " + " AND ".join(f"{name} = ?" for name in asked) if asked else ""
        return [note_row(row) for row in self._select(f"SELECT * FROM notes {where} ORDER BY number", *asked.values())]

    def order(self) -> dict[tuple[str, int], int]:
        """Table and number of every row, with its place in the one order in which all rows were written."""
        return {(row["part"], row["row"]): row["number"] for row in self._select("SELECT part, row, number FROM chain")}

    # Whether it is as it was left

    def check(self) -> Head:
        """Compute the whole chain again; raises what is wrong. Gives the number of rows and the last hash."""
        return self._file.check_all(self.id)

    def strangers(self) -> list[str]:
        """What lies in the store and was never charged here: nothing, unless somebody put it there."""
        if not self.store.is_dir():
            return []
        known = {charge.key for charge in self.charges()} | {note.subject for note in self.notes("version")}
        return sorted(path.name for path in self.store.iterdir() if path.name not in known or path.is_symlink())

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """One transaction for rows of several tables; `insert_…` of `rows` add them."""
        self.make()
        with self._file.writing(self.id) as connection:
            yield connection

    # Inside

    def _select(self, statement: str, *values: str) -> list[sqlite3.Row]:
        """The rows that answer this question; none while no row was ever written."""
        if not self._made and self._file.is_there():
            self.make()
        if not self._made:
            return []
        with self._file.connected() as connection:
            return connection.execute(statement, values).fetchall()

    def _refuse_to_begin_again(self) -> None:
        """A new ledger beside an old store, or beside the note of an old ledger, would forget what was spent."""
        with_store = self.store.is_dir() and any(self.store.iterdir())
        if with_store or heads.read_note(heads.note_beside(self.path)) is not None:
            raise StoreError(
                f"the ledger {str(self.path)!r} is gone, and what belongs to it still lies beside it (.releases, "
                ".head): a new one would forget what was spent. Restore it (dpviz ledger restore), or begin another "
                "under another name (--ledger).",
                ledger=str(self.path),
            )
        noted = heads.noted_here(self.path)
        if noted is not None:
            raise StoreError(
                f"the ledger {str(self.path)!r} is gone with all that lay beside it, and {str(noted)!r} notes that "
                "there was one: a new one would forget what was spent. Restore it (dpviz ledger restore), begin one "
                "under another name (--ledger), or take that note away if nothing of it matters any more.",
                ledger=str(self.path),
            )

    def _seal_of(self, key: str) -> str:
        try:
            return folder_seal(self.folder_of(key))
        except DpvizError:
            return ""

    def __repr__(self) -> str:
        return f"<Ledger {str(self.path)!r}{' (demonstration)' if self.demonstration else ''}>"


_DATASETS = "SELECT * FROM datasets ORDER BY number"
_CHARGES = "SELECT charges.*, stored.seal AS seal FROM charges LEFT JOIN stored ON stored.key = charges.key "
LedgerLike = Ledger | str | Path | None


def as_ledger(ledger: LedgerLike) -> Ledger:
    """The ledger given, the one at this path, or the user's own."""
    return ledger if isinstance(ledger, Ledger) else Ledger(ledger)


class _CapCoins:
    """The coins of a person cap. A ledger's file is made when they are used, not by who is refused before that."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._source: NoiseSource | None = None

    def __getattr__(self, name: str) -> Any:
        if self._source is None:
            self._ledger.make()
            seed = hashlib.blake2b(b"person cap", key=self._ledger.content_key, digest_size=16).digest()
            self._source = replayable_source(int.from_bytes(seed, "big"))
        return getattr(self._source, name)
