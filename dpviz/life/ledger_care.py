"""Looking after a ledger: whether it and its store are as they were left, a backup of both, and the way back."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shutil
import sqlite3
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from dpviz.errors import InputError, StoreError
from dpviz.ledger import heads
from dpviz.ledger.file import LedgerFile, back_up_database, true_path
from dpviz.ledger.ledger import Ledger
from dpviz.ledger.rows import now, person_at_work, writable
from dpviz.ledger.tables import Head, append
from dpviz.life.publications import fault_of_the_feed, refresh_feed
from dpviz.releases.paths import default_ledger_path, exclusive
from dpviz.releases.store import flush_folder, read_sealed

_BOOK, _FACTS = "ledger.sqlite3", "backup.json"


@dataclass(frozen=True, kw_only=True)
class Findings:
    """What a look at a ledger and its store found. `wrong` is empty where all is as it was left."""

    ledger: str
    rows: int
    releases: int
    unfinished: tuple[str, ...]  # charged, and never stored: asking again completes them
    wrong: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Restored:
    """What was put back."""

    rows_lost: int
    folders: tuple[str, ...]
    kept_aside: str = ""


def verify_ledger(path: str | Path | None = None) -> Findings:
    """Recompute the chain of all rows, look at the notes outside, and read every stored release against its seal."""
    ledger = Ledger(path, create=False, believe=True)
    wrong, rows = [], 0
    try:
        rows = ledger.check().number
    except StoreError as error:
        wrong.append(error.message)
    charges, versions = ledger.charges(), ledger.notes("version")
    for charge in (charge for charge in charges if charge.stored):
        wrong += _fault_of(ledger.folder_of(charge.key), charge.seal)
    wrong += fault_of_the_feed(ledger)
    for note in versions:
        wrong += _fault_of(ledger.folder_of(note.subject), str(note.facts["seal"]))
    wrong += [
        f"{name!a} in {str(ledger.store)!r} was never charged in this ledger: it was put there, or the ledger is not "
        "the one of this store."
        for name in ledger.strangers()
    ]
    return Findings(
        ledger=ledger.id,
        rows=rows,
        releases=sum(charge.stored for charge in charges) + len(versions),
        unfinished=tuple(charge.key for charge in charges if not charge.stored),
        wrong=tuple(wrong),
    )


def accept_ledger(path: str | Path | None = None, *, why: str, who: str = "") -> int:
    """Go on with a ledger that is not where it was last seen: the notes outside are written anew, and a row says why.

    For a file whose own rows are in order; gives how many rows the notes had that it does not have.
    """
    if not why.strip():
        raise InputError("say why this file is the right one (--why); the ledger keeps the reason.")
    ledger = Ledger(path, create=False, believe=True)
    with exclusive(ledger.path.with_name(ledger.path.name + ".lock")):
        return _accepted(LedgerFile(ledger.path), ledger.id, "accepted", who, why)


def backup_ledger(path: str | Path | None, folder: str | Path) -> Head:
    """Copy ledger and store to a new folder; what is in it is checked before this returns.

    The key that signs is not in it (see dpviz.releases.signing.own_key_file): keep that one elsewhere.
    """
    ledger, target = Ledger(path, create=False), Path(folder)
    if target.exists() or target.is_symlink():
        raise InputError(f"{str(target)!r} is there already; give the name of a new folder for the backup (--out).")
    fresh = target.with_name(f".{target.name[:80]}-{secrets.token_hex(4)}.new")
    try:
        fresh.mkdir(mode=0o700, parents=True)
        with contextlib.closing(sqlite3.connect(ledger.path)) as connection:
            back_up_database(connection, fresh / _BOOK)
        head = LedgerFile(fresh / _BOOK).check_all(ledger.id, notes=False)
        for key in _stored_keys(fresh / _BOOK):
            with contextlib.suppress(FileNotFoundError):
                shutil.copytree(ledger.folder_of(key), fresh / (_BOOK + ".releases") / key)
        made = datetime.now(UTC).date().isoformat()
        facts = {"dpviz_backup": 1, "ledger": ledger.id, "rows": head.number, "hash": head.hash, "made": made}
        (fresh / _FACTS).write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")
        flush_folder(fresh)
        os.rename(fresh, target)
    except (OSError, shutil.Error, sqlite3.Error) as error:
        raise StoreError(
            f"cannot write the backup {str(target)!r}: {getattr(error, 'strerror', None) or type(error).__name__}. "
            "Nothing was left behind; free some space or give another folder."
        ) from None
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    return head


def restore_ledger(
    backup: str | Path, path: str | Path | None = None, *, accept_loss: bool = False, why: str = "", who: str = ""
) -> Restored:
    """Put back what is lost: folders of releases where the ledger is in order, and otherwise the ledger too.

    A backup that is older than what was last noted lacks charges; it is put back only with `accept_loss` and `why`, and
    the restored ledger says so for good. The file that was there is kept aside. The signed feed is written anew, so
    that readers see at once what was withdrawn.
    """
    target = true_path(default_ledger_path() if path is None else Path(path))
    done = _restored(Path(backup), target, accept_loss=accept_loss, why=why, who=who)
    refresh_feed(target)
    return done


def _restored(source: Path, target: Path, *, accept_loss: bool, why: str, who: str) -> Restored:
    if not (source / _BOOK).is_file():
        raise InputError(f"{str(source)!r} is no backup: it has no {_BOOK}. Give the folder of 'dpviz ledger backup'.")
    kept = LedgerFile(source / _BOOK)
    identity = kept.settings(believe=True)["ledger"]
    file, head = LedgerFile(target), kept.check_all(identity, notes=False)
    with exclusive(target.with_name(target.name + ".lock")):
        state = _state_of(file, identity)
        if state is not None and state.number >= head.number and file.hash_at(head.number) == head.hash:
            return Restored(rows_lost=0, folders=_put_back_folders(source, file, target))
        noted = max(_noted(target, identity), 0 if state is None else state.number)
        lost = max(0, noted - head.number)
        _refuse_newer_releases(source, target, accepted=accept_loss and bool(why.strip()))
        if (lost or state is not None) and not (accept_loss and why.strip()):
            raise StoreError(
                f"the backup has {head.number} rows, and {noted} were last noted: what was charged in the last "
                f"{lost} would be forgotten. Give a newer backup; or say that it is to be so, and why (--accept-loss "
                "--why). Nothing was changed."
            )
        aside = _put_aside(target)
        try:
            with contextlib.closing(sqlite3.connect(source / _BOOK)) as connection:
                back_up_database(connection, target)
        except (OSError, sqlite3.Error) as error:
            raise file.trouble(error) from None
        _accepted(file, identity, "restored", who, why or "from a backup", lost=lost)
        return Restored(rows_lost=lost, folders=_put_back_folders(source, file, target), kept_aside=aside)


def _fault_of(folder: Path, seal: str) -> list[str]:
    try:
        read_sealed(folder, seal)
    except StoreError as error:
        return [error.message]
    return []


def _refuse_newer_releases(source: Path, target: Path, *, accepted: bool) -> None:
    """Refuse a backup that never charged some release of the store: the store belongs to a later ledger."""
    store, known = target.with_name(target.name + ".releases"), _stored_keys(source / _BOOK)
    newer = [path for path in store.iterdir() if path.name not in known] if store.is_dir() else []
    if newer and not accepted:
        raise StoreError(
            f"the store {str(store)!r} holds {len(newer)} releases that the backup never charged: what they cost would "
            "be forgotten. Give a newer backup; or say that it is to be so, and why (--accept-loss --why). Nothing was "
            "changed."
        )


def _state_of(file: LedgerFile, identity: str) -> Head | None:
    """The head of what lies there, if it is this ledger and its own rows are in order; None where it is lost."""
    if not file.is_there():
        return None
    try:
        found = file.settings(believe=True)["ledger"]
    except StoreError:
        return None
    if found != identity:
        raise StoreError(
            f"{str(file.path)!r} is another ledger than the one of this backup; give the place of that one (--ledger)."
        )
    try:
        return file.check_all(identity, notes=False)
    except StoreError:
        return None


def _noted(target: Path, identity: str) -> int:
    notes = [heads.read_note(file) for file in (heads.note_beside(target), heads.note_at_home(identity))]
    return max((note.head.number for note in notes if note is not None and note.ledger == identity), default=0)


def _accepted(file: LedgerFile, identity: str, kind: str, who: str, why: str, lost: int | None = None) -> int:
    """Append a row that says what was decided, and write the notes outside the file again."""
    head = file.check_all(identity, notes=False)
    missing = max(0, _noted(file.path, identity) - head.number) if lost is None else lost
    with file.connected() as connection:
        connection.execute("BEGIN IMMEDIATE")
        facts = json.dumps({"rows": head.number, "rows_lost": missing})
        append(connection, "notes", (kind, "", facts, person_at_work(who), writable(why), now()))
        connection.execute("COMMIT")
    file.believe(identity, file.check_all(identity, notes=False))
    return missing


def _put_aside(target: Path) -> str:
    if not target.exists():
        return ""
    kept = target.with_name(f"{target.name}.before-restore-{secrets.token_hex(4)}")
    for ending in ("", "-wal", "-shm"):
        with contextlib.suppress(FileNotFoundError):
            os.rename(target.with_name(target.name + ending), kept.with_name(kept.name + ending))
    return str(kept)


def _put_back_folders(source: Path, file: LedgerFile, target: Path) -> tuple[str, ...]:
    """Copy the folders that are missing or not those of the ledger; a wrong one is kept aside, in the workshop."""
    seals = _stored_keys(file.path)
    store, workshop = target.with_name(target.name + ".releases"), target.with_name(target.name + ".work")
    back = []
    for key, seal in seals.items():
        kept = source / (_BOOK + ".releases") / key
        if not _fault_of(store / key, seal) or _fault_of(kept, seal):
            continue
        for folder in (store, workshop):
            folder.mkdir(mode=0o700, exist_ok=True)
        if (store / key).exists():
            os.rename(store / key, workshop / f"wrong-{key}-{secrets.token_hex(4)}")
        fresh = workshop / f".unfinished-{key}-{secrets.token_hex(4)}"
        shutil.copytree(kept, fresh)
        os.rename(fresh, store / key)
        back.append(key)
    return tuple(back)


def _stored_keys(book: Path) -> dict[str, str]:
    """Every stored release of a ledger file and its seal, corrected versions included."""
    with contextlib.closing(sqlite3.connect(book)) as connection:
        found = dict(connection.execute("SELECT key, seal FROM stored").fetchall())
        for subject, facts in connection.execute("SELECT subject, facts FROM notes WHERE kind = 'version'"):
            found[subject] = json.loads(facts)["seal"]
    return found
