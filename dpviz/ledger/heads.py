"""What is noted of a ledger outside its file: how many rows it has, their last hash, and where it lies.

One note lies beside the ledger, one in the user's data folder. A ledger that is shorter than a note, or has another row
where the note stands, was rolled back, cut or replaced. A longer one is in order: a process may be killed between a
transaction and its notes.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import stat
from dataclasses import dataclass
from pathlib import Path

from dpviz.ledger.tables import Head
from dpviz.releases.paths import user_data_folder

_LENGTH = 4096  # a note is written over the last one in place, in one piece: no moment has none
_FLAGS = getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


@dataclass(frozen=True, kw_only=True)
class Note:
    """What stood in the ledger of this id when somebody last wrote to it, and where that was."""

    ledger: str
    head: Head
    path: str


def note_beside(ledger: Path) -> Path:
    """The note that lies beside a ledger."""
    return ledger.with_name(ledger.name + ".head")


def note_at_home(identity: str) -> Path:
    """The note on the ledger of this id in the user's data folder."""
    return user_data_folder() / "ledgers" / f"{identity}.head"


def noted_here(ledger: Path) -> Path | None:
    """The note in the user's data folder on a ledger that lay at this place; None where there was none."""
    with contextlib.suppress(OSError):
        for file in sorted((user_data_folder() / "ledgers").glob("*.head")):
            note = read_note(file)
            if note is not None and note.path == str(ledger):
                return file
    return None


def read_note(file: Path) -> Note | None:
    """The note, or None where there is none that can be read."""
    try:
        handle = os.open(file, os.O_RDONLY | _FLAGS)
        with open(handle, "rb") as readable:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                return None
            found = json.loads(readable.read(_LENGTH))
        head = Head(number=int(found["number"]), hash=str(found["hash"]))
        return Note(ledger=str(found["ledger"]), head=head, path=str(found["path"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def write_note(file: Path, note: Note) -> None:
    """Write the note over the last one, in place."""
    facts = {"ledger": note.ledger, "number": note.head.number, "hash": note.head.hash, "path": note.path}
    text = json.dumps(facts, ensure_ascii=True).encode("ascii")
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with open(_ordinary_file(file), "r+b", buffering=0) as out:
        out.write(text.ljust(_LENGTH))


def refuse_unwritable(file: Path) -> None:
    """Raise what the system says where a note could not be written: asked before anything is charged."""
    if file.exists() or file.is_symlink():
        os.close(_ordinary_file(file))


def _ordinary_file(file: Path) -> int:
    handle = os.open(file, os.O_RDWR | os.O_CREAT | _FLAGS, 0o600)
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(errno.EINVAL, f"{str(file)!r} beside it is no ordinary file; take it away")
    return handle


def remember_place(ledger: Path) -> None:
    """Note under the file's own number where it lies, so that it is known again under another name."""
    with contextlib.suppress(OSError):
        place = _place(ledger)
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        place.write_text(str(ledger), encoding="utf-8", errors="surrogateescape")


def known_elsewhere(ledger: Path) -> Path | None:
    """Where this file was made, or where the note beside it says that it lies, when that is another name for it.

    Such as by a hard link, in another case, or by a mount.
    """
    places = []
    with contextlib.suppress(OSError, ValueError):
        places.append(Path(_place(ledger).read_text(encoding="utf-8", errors="surrogateescape")))
    if (note := read_note(note_beside(ledger))) is not None:
        places.append(Path(note.path))
    for place in places:
        with contextlib.suppress(OSError, ValueError):
            if place != ledger and os.path.samefile(place, ledger):
                return place
    return None


def _place(ledger: Path) -> Path:
    status = ledger.stat()
    return user_data_folder() / "ledgers" / f"{status.st_dev:x}-{status.st_ino:x}.place"
