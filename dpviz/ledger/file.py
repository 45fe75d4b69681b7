"""The file under a ledger: where it really lies, how it is made, opened, upgraded, and how a wrong one is noticed."""

from __future__ import annotations

import contextlib
import os
import secrets
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from dpviz.errors import StoreError
from dpviz.ledger import heads
from dpviz.ledger.rows import canonical, now
from dpviz.ledger.tables import FORMAT, TABLES, Head, append, check_chain, hash_at, head_of, schema
from dpviz.releases.paths import exclusive

_WAIT_SECONDS = 120.0


def true_path(given: Path) -> Path:
    """The one name under which a ledger is used: links, `..`, hard links and other cases lead to it.

    Locks, store and SQLite's journal are named after the ledger; under two names there would be two of each.
    """
    try:
        named = given.expanduser()
        path = named.resolve()
        if named.is_symlink() and not path.exists():
            raise StoreError(
                f"{str(named)!r} is a link, and nothing lies where it leads; put the ledger back, or give the name of "
                "a file (--ledger).",
                ledger=str(named),
            )
        if path.is_file():
            known = heads.known_elsewhere(path)
            if known is not None:
                return known
            if path.stat().st_nlink > 1 and not heads.note_beside(path).exists():
                raise StoreError(
                    f"the ledger {str(path)!r} has a second name (a hard link), and its store lies beside that one; "
                    "use the other name, or take the link away (--ledger).",
                    ledger=str(path),
                )
    except (OSError, RuntimeError) as error:
        raise StoreError(
            f"cannot find the ledger {str(given)!r}: {getattr(error, 'strerror', None) or 'its links go in a circle'}. "
            "Give the name of a file (--ledger)."
        ) from None
    return path


class LedgerFile:
    """One SQLite file with its chain of hashes. Knows nothing of budgets.

    Only SQLite opens it: closing any other handle would free the locks that this process holds on the file.
    """

    _verified: dict[tuple[str, str], Head] = {}  # noqa: RUF012  what this process has recomputed, by path and id
    _guard = threading.Lock()

    def __init__(self, path: Path, seal: Callable[[str], str] | None = None) -> None:
        """`seal` gives the seal of a stored release, for a file that may be of an older format."""
        self.path = path
        self._seal = seal

    @classmethod
    def forget(cls) -> None:
        """Begin as a new process: what was recomputed before counts no more."""
        with cls._guard:
            cls._verified.clear()

    def is_there(self) -> bool:
        """Whether there is a ledger's file. An empty file is no ledger yet: temporary files begin like that."""
        try:
            if self.path.is_dir():
                raise StoreError(f"{str(self.path)!r} is a folder; give the name of a file for the ledger (--ledger).")
            if not self.path.is_file():
                if self.path.exists():
                    raise StoreError(f"{str(self.path)!r} is no ordinary file; give another name (--ledger).")
                return False
            return self.path.stat().st_size > 0
        except OSError as error:
            raise self.trouble(error) from None

    def make(self, settings: Mapping[str, str]) -> bool:
        """Make the file with these settings, unless somebody else just did (then False)."""
        with exclusive(self.path.with_name(self.path.name + ".lock")):
            if self.is_there():
                return False
            for left in self.path.parent.glob(f".{self.path.name}.*.new*"):  # of a killed process
                left.unlink(missing_ok=True)
            # Made under another name and renamed: a killed process leaves no half-made ledger.
            fresh = self.path.with_name(f".{self.path.name}.{secrets.token_hex(4)}.new")
            try:
                os.close(os.open(fresh, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
                with contextlib.closing(sqlite3.connect(fresh, isolation_level=None)) as connection:
                    connection.execute("PRAGMA journal_mode = WAL")
                    connection.execute("BEGIN")
                    for statement in schema():
                        connection.execute(statement)
                    for name, value in settings.items():
                        append(connection, "settings", (name, value))
                    head = head_of(connection)
                    connection.execute("COMMIT")
                os.replace(fresh, self.path)
                self._note(settings["ledger"], head)
                heads.remember_place(self.path)
            except BaseException as error:
                for left in (fresh, *(fresh.with_name(fresh.name + ending) for ending in ("-wal", "-shm"))):
                    with contextlib.suppress(OSError):
                        left.unlink()
                if isinstance(error, OSError | sqlite3.Error):
                    raise self.trouble(error) from None
                raise
        return True

    def settings(self, *, believe: bool = False) -> dict[str, str]:
        """The settings of a file that was found in order; an old one is upgraded first.

        `believe` leaves the notes outside out: for somebody who has to look at a file that does not fit them.
        """
        with self.connected() as connection:
            found = self._settings(connection)
            if found.get("format") == "1":
                with exclusive(self.path.with_name(self.path.name + ".lock")):
                    if self._settings(connection).get("format") == "1":
                        if self._seal is None:
                            raise StoreError(
                                "this backup is of an older format: open the ledger itself once, and back it up again."
                            )
                        upgrade(connection, self.path, self._seal)
                        self._note(self._settings(connection)["ledger"], head_of(connection))
                        heads.remember_place(self.path)
                found = self._settings(connection)  # upgraded here, or by whoever held the lock before
            if found.get("format") != FORMAT or not {"ledger", "content_key"} <= set(found):
                raise self._no_ledger()
            if not believe:
                self._refuse_a_copy(found["ledger"])
                self._check(connection, found["ledger"])
        return found

    @contextmanager
    def writing(self, identity: str) -> Iterator[sqlite3.Connection]:
        """One transaction, alone, on a file that was found in order; its new head is noted outside."""
        with self.connected() as connection:
            heads.refuse_unwritable(heads.note_beside(self.path))
            connection.execute("BEGIN IMMEDIATE")  # one writer: nobody charges between our look and our charge
            try:
                before = self._check(connection, identity, whole=True)  # what a charge relies on is read anew
                yield connection
                after = head_of(connection)
            except BaseException:
                connection.execute("ROLLBACK")
                raise
            connection.execute("COMMIT")
            if after != before:
                self._note(identity, after)

    @contextmanager
    def connected(self) -> Iterator[sqlite3.Connection]:
        """A connection of its own for every piece of work: safe across threads, processes and forks."""
        try:
            if not self.path.is_file():
                raise FileNotFoundError(2, "the ledger is gone")
            connection = sqlite3.connect(self.path, timeout=_WAIT_SECONDS, isolation_level=None)
            with contextlib.closing(connection):
                connection.row_factory = sqlite3.Row
                connection.execute("PRAGMA synchronous = FULL")  # a committed charge survives a power cut
                connection.execute("PRAGMA recursive_triggers = ON")  # what REPLACE deletes asks the triggers too
                yield connection
        except (OSError, sqlite3.Error) as error:
            raise self.trouble(error) from None

    def hash_at(self, number: int) -> str | None:
        """The hash of the chain after this many rows."""
        with self.connected() as connection:
            return hash_at(connection, number)

    def check_all(self, identity: str, *, notes: bool = True) -> Head:
        """Compute the whole chain again, and look at the notes outside; raises what is wrong."""
        with self.connected() as connection:
            return self._check(connection, identity, notes=notes, whole=True)

    def believe(self, identity: str, head: Head) -> None:
        """Write the notes outside anew, whatever they said: somebody decided that this file is the right one."""
        with self._guard:
            self._verified.pop((str(self.path), identity), None)
        for file in (heads.note_beside(self.path), heads.note_at_home(identity)):
            with contextlib.suppress(OSError):
                file.unlink(missing_ok=True)
        self._note(identity, head)
        heads.remember_place(self.path)

    def trouble(self, error: Exception) -> StoreError:
        """What SQLite or the system said, in one sentence."""
        said = getattr(error, "strerror", None) or str(error) or type(error).__name__
        return StoreError(
            f"cannot use the ledger {str(self.path)!r}: {said}. Check the file, the disk and its permissions, then ask "
            "again: the same request is never charged twice.",
            ledger=str(self.path),
        )

    def wrong(self, what: str) -> StoreError:
        """The ledger is not as dpviz left it."""
        return StoreError(
            f"the ledger {str(self.path)!r} is not as it was left: {what}. Nothing was charged. Restore it from a "
            "backup (dpviz ledger restore), or look closer with 'dpviz ledger verify'.",
            ledger=str(self.path),
        )

    # Inside

    def _check(self, connection: sqlite3.Connection, identity: str, *, notes: bool = True, whole: bool = False) -> Head:
        """The chain from where this process last was, or the `whole` of it; and the notes, which must lie on it.

        Without the notes a file is looked at by itself, whatever was seen of it before.
        """
        key = (str(self.path), identity)
        known = self._verified.get(key) if notes else None
        alone = not connection.in_transaction
        if alone:  # all questions see the file at one moment, whatever others write meanwhile
            connection.execute("BEGIN")
        try:
            now = check_chain(connection, known, whole=whole)
        except StoreError as error:
            raise self.wrong(error.message) from None
        finally:
            if alone:
                connection.execute("ROLLBACK")
        for file in (heads.note_beside(self.path), heads.note_at_home(identity)) if notes else ():
            note = heads.read_note(file)
            if note is None:
                continue
            if note.ledger != identity:
                raise self.wrong(f"{str(file)!r} belongs to another ledger, so this file was put in its place")
            if hash_at(connection, note.head.number) is None:
                missing = note.head.number - now.number
                raise self.wrong(f"it was rolled back or cut: its last {missing} rows are missing")
            if hash_at(connection, note.head.number) != note.head.hash:
                raise self.wrong("rows were written into an old copy of it")
        with self._guard:
            self._verified[key] = now
        return now

    def _note(self, identity: str, head: Head) -> None:
        note = heads.Note(ledger=identity, head=head, path=str(self.path))
        known = heads.read_note(heads.note_beside(self.path))
        if known is None or known.ledger != identity or known.head.number < head.number:
            heads.write_note(heads.note_beside(self.path), note)
        with contextlib.suppress(OSError):  # a machine without a place for a user's data has the other note
            known = heads.read_note(heads.note_at_home(identity))
            if known is None or known.head.number < head.number or known.path != str(self.path):
                heads.write_note(heads.note_at_home(identity), note)

    def _refuse_a_copy(self, identity: str) -> None:
        known = heads.read_note(heads.note_at_home(identity))
        if known is None or known.path == str(self.path):
            return
        if _hidden(known.path):
            raise StoreError(
                f"the ledger {str(self.path)!r} was last used as {known.path!r}, where this account may not look: if "
                "it is still there, two copies would each spend the same total. Use that one; or say that it is gone, "
                "and why (dpviz ledger verify --accept --why).",
                ledger=str(self.path),
            )
        if self._same_ledger(Path(known.path), identity):
            raise StoreError(
                f"{str(self.path)!r} is a copy of the ledger {known.path!r}: two copies would each spend the same "
                "total. Use that one; to move a ledger, take the old file away (with its store and .head).",
                ledger=str(self.path),
            )

    def _same_ledger(self, other: Path, identity: str) -> bool:
        """Whether another file than this one is a ledger of the same id."""
        try:
            if not other.is_file() or os.path.samefile(other, self.path):
                return False
            with contextlib.closing(sqlite3.connect(f"{other.as_uri()}?mode=ro", uri=True)) as connection:
                connection.row_factory = sqlite3.Row
                return self._settings(connection).get("ledger") == identity
        except (OSError, ValueError, sqlite3.Error, StoreError):
            return False

    def _settings(self, connection: sqlite3.Connection) -> dict[str, str]:
        try:
            rows = connection.execute("SELECT name, value FROM settings").fetchall()
        except sqlite3.OperationalError as error:
            if "no such" in str(error):
                raise self._no_ledger() from None
            raise
        return {str(row["name"]): str(row["value"]) for row in rows}

    def _no_ledger(self) -> StoreError:
        return StoreError(
            f"{str(self.path)!r} is not a ledger that this dpviz can read; give the right file (--ledger).",
            ledger=str(self.path),
        )


def _hidden(path: str) -> bool:
    """Whether nobody can tell from this account what lies there."""
    try:
        os.stat(path)
    except PermissionError:
        return True
    except (OSError, ValueError):
        return False
    return not os.access(path, os.R_OK)


_OLD = ("settings", "datasets", "charges", "names", "stored")


def upgrade(connection: sqlite3.Connection, path: Path, seal: Callable[[str], str]) -> None:
    """Rewrite the tables. `seal` gives the seal of the stored release of a key, "" where it cannot be read."""
    back_up_database(connection, path.with_name(path.name + ".format-1"))
    connection.execute("BEGIN IMMEDIATE")
    try:
        kept = {table: connection.execute(f"SELECT * FROM {table} ORDER BY rowid").fetchall() for table in _OLD}
        for name in ("stored", "names", "charges", "datasets", "settings"):
            connection.execute(f"DROP TABLE {name}")
        for statement in schema():
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
