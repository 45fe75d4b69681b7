"""The guard of output paths, which every command asks before it reads or charges anything.

No command writes over an input, a ledger, a store of releases, or anything else than an earlier output of the same
kind, and over that only with --overwrite. What counts is the file behind a name: links, hard links, `..` and other
spellings of a name do not help.
"""

from __future__ import annotations

import contextlib
import glob
import os
import secrets
import shutil
import tempfile
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

import dpviz
from dpviz.errors import InputError, StoreError, show_name

Overwrite = Annotated[
    bool, typer.Option("--overwrite", help="Replace an earlier output of the same kind that lies at --out.")
]
_STORE_ENDINGS = (".releases", ".work")
_BESIDE_LEDGER = (
    *("-wal", "-shm", "-journal", ".lock", ".head", ".format-1", ".releases.json", ".releases.json.sig"),
    *_STORE_ENDINGS,
)


@dataclass(frozen=True, kw_only=True)
class Kind:
    """A kind of output: its name, whether it is a folder, and how an earlier one is recognised."""

    name: str
    folder: bool
    example: str
    is_one: Callable[[Path], bool]


def claim(
    out: Path,
    kind: Kind,
    *,
    inputs: Iterable[str | Path] = (),
    ledger: Path | None = None,
    overwrite: bool = False,
    parents: bool = False,
    option: str = "--out",
) -> Path:
    """The real place behind `out`, or a refusal in one sentence. Nothing that is there is changed or removed.

    Writing is tried here, before anything is read or charged; what the trial makes, it removes again.

    `inputs`: every path, glob or folder that the command reads. `ledger`: one that it may use, besides the user's
    own, which are always guarded. `parents`: the folder of a file may be made too, as that of a folder always may.
    """
    place = _Place(out, option)
    place.refuse_what_is_read(inputs, kind)
    place.refuse_ledgers(ledger)
    if place.there:
        place.refuse_what_is_something_else(kind, overwrite)
    place.refuse_unwritable(kind, parents or kind.folder)
    return place.real


def existing_ledger(ledger: Path | None, maker: str = "") -> dpviz.Ledger | None:
    """The given ledger, or the user's own; None where there is none. With `maker`, a missing given one is refused."""
    from dpviz.releases.paths import default_ledger_path

    path = default_ledger_path() if ledger is None else ledger
    if path.exists():
        return dpviz.Ledger(path, create=False)
    if maker and ledger is not None:
        raise InputError(f"there is no ledger at {ledger}; '{maker}' makes one.")
    return None


def ledger_at(ledger: Path | None, inputs: Iterable[str | Path]) -> dpviz.Ledger:
    """The ledger that was given, or the user's own; never a file that is read."""
    if ledger is not None:
        _Place(ledger, "--ledger").refuse_what_is_read(inputs, COUNTS)
    return dpviz.Ledger(ledger)


class _Place:
    """A path that was given for an output, and the real one behind it."""

    def __init__(self, out: Path, option: str) -> None:
        self.option = option
        self.shown = show_name(str(out))
        if not str(out).strip() or "\x00" in str(out):
            raise StoreError(f"{self.shown!r} is no name of a file or folder ({option}).")
        self.real = Path(os.path.realpath(os.path.expanduser(out)))
        try:
            os.stat(self.real)
            self.there = True
        except (FileNotFoundError, NotADirectoryError):
            self.there = False
        except OSError as error:
            raise self.refusal(f"cannot be written ({error.strerror})") from None

    def refusal(self, why: str) -> StoreError:
        return StoreError(f"{self.shown} {why}. Choose another place ({self.option}).")

    def refuse_what_is_read(self, inputs: Iterable[str | Path], kind: Kind) -> None:
        for path in _files_behind(inputs):
            if _same(self.real, path):
                raise self.refusal("is what is read, and would be written over")
            if kind.folder and _inside(path, self.real):
                raise self.refusal("is the folder of a file that is read")
            if kind.folder and path.is_dir() and _inside(self.real, path):
                raise self.refusal("lies in a folder that is read, and would be read as records the next time")

    def refuse_ledgers(self, given: Path | None) -> None:
        from dpviz.releases.paths import default_ledger_path, demonstration_ledger_path, user_data_folder

        for ledger in filter(None, (given, default_ledger_path(), demonstration_ledger_path())):
            real = Path(os.path.realpath(os.path.expanduser(ledger)))
            if _same(self.real, real):
                raise self.refusal("is the ledger, the record of all that was spent")
            beside = [real.with_name(real.name + ending) for ending in _BESIDE_LEDGER]
            if any(_same(self.real, one) or _inside(self.real, one) for one in beside):
                raise self.refusal("belongs to the ledger or to its store of releases")
            if _inside(real, self.real):
                raise self.refusal("is a folder in which the ledger lies")
        own = Path(os.path.realpath(user_data_folder()))
        heads = own / "ledgers"
        if _same(self.real, heads) or _inside(self.real, heads):
            raise self.refusal("belongs to the ledgers")
        if any(_same(self.real, own / name) for name in ("signing-key.pem", "signing-key.pub", "known-keys.json")):
            raise self.refusal("is a key, or the list of known keys")
        for folder in (self.real, *self.real.parents):
            if folder.name.endswith(_STORE_ENDINGS) and folder.with_name(folder.stem).is_file():
                raise self.refusal("belongs to the store of a ledger")

    def refuse_what_is_something_else(self, kind: Kind, overwrite: bool) -> None:
        if kind.folder and not self.real.is_dir():
            raise StoreError(f"{self.shown} is a file; give a folder for {kind.name} ({self.option}).")
        if not kind.folder and self.real.is_dir():
            raise StoreError(
                f"{self.shown} is a folder; give the name of a file, such as {kind.example} ({self.option})."
            )
        if not kind.folder and not self.real.is_file():
            raise self.refusal("is not an ordinary file")
        if kind.folder and not any(self.real.iterdir()):
            return
        if not kind.is_one(self.real):
            what = "the folder" if kind.folder else "the file"
            new = "a new or empty one" if kind.folder else f"a new name, such as {kind.example}"
            raise StoreError(f"{what} {self.shown} already holds something else. Give {new} ({self.option}).")
        if not overwrite:
            raise StoreError(
                f"{self.shown} already holds {kind.name}. Add --overwrite to replace it, or choose another place "
                f"({self.option})."
            )

    def refuse_unwritable(self, kind: Kind, parents: bool) -> None:
        parent = self.real.parent
        while parents and not os.path.exists(parent):
            parent = parent.parent
        if not parent.is_dir():
            raise self.refusal(f"cannot be written: {show_name(str(parent))} is no folder")
        if kind.folder and self.there and os.path.ismount(self.real):
            raise self.refusal("is the root of a disk or volume and cannot be replaced; give a new folder inside it")
        if not os.access(parent, os.W_OK):
            raise self.refusal("cannot be written: you may not write there")
        try:
            _try_writing(self.real, there=self.there, folder=kind.folder)
        except OSError as error:
            raise self.refusal(f"cannot be written ({error.strerror or type(error).__name__})") from None


def _try_writing(real: Path, *, there: bool, folder: bool) -> None:
    """Make and remove what the command will make: the folders above, the name itself, and a neighbour to rename."""
    from dpviz.releases.store import KNOWN_FILES, TEMPORARY, short_name

    longest, near = max(KNOWN_FILES, key=len), short_name(real.name)
    missing = [above for above in real.parents if not os.path.exists(above)]
    try:
        real.parent.mkdir(parents=True, exist_ok=True)
        if folder:
            with tempfile.TemporaryDirectory(dir=real.parent, prefix=TEMPORARY + near) as probe:
                (Path(probe) / longest).touch()
        else:
            tempfile.NamedTemporaryFile(dir=real.parent, prefix="." + near, suffix=".part").close()
        if folder and not there:
            os.mkdir(real)
            missing.insert(0, real)
            (real / longest).touch()
            (real / longest).unlink()
        elif not there:
            os.close(os.open(real, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
            os.unlink(real)
    finally:
        for made in missing:  # the innermost first; one that somebody else fills by now stays
            with contextlib.suppress(OSError):
                made.rmdir()


@contextlib.contextmanager
def replaced_folder(out: Path) -> Iterator[Path]:
    """A new folder beside `out` to write into; afterwards it takes the place of `out` by renames, or nothing does."""
    from dpviz.releases.store import short_name

    mark = secrets.token_hex(4)
    fresh, aside = (out.with_name(f".{short_name(out.name)}.{mark}.{word}") for word in ("new", "old"))
    try:
        yield fresh
        there = out.exists()
        if there:
            os.rename(out, aside)
        try:
            os.rename(fresh, out)
        except BaseException:
            if there:
                os.rename(aside, out)
            raise
    except OSError as error:
        raise StoreError(f"{show_name(str(out))} cannot be replaced ({error.strerror}).") from None
    finally:
        for left in (fresh, aside):
            if left.is_dir() and out.exists():
                shutil.rmtree(left, ignore_errors=True)


def write_output(place: Path, content: bytes, out: Path, *, parents: bool = False) -> None:
    """Write a file to its claimed place; `out` is the name that the user gave."""
    try:
        if parents:
            place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
    except OSError as error:
        raise InputError(f"cannot write {str(out)!r}: {error.strerror or type(error).__name__} (--out).") from None


def save_release(answer: dpviz.Release | dpviz.NoAnswer, place: Path, overwrite: bool) -> None:
    """Write a copy of the release; replace an earlier one only with `overwrite`."""
    if not overwrite or not place.exists() or not any(place.iterdir()):
        answer.save(place)
        return
    with replaced_folder(place) as fresh:
        answer.save(fresh)


def read_head(file: Path) -> bytes:
    """How a file begins: earlier outputs are recognised by it. Empty where it cannot be read."""
    try:
        with open(file, "rb") as stream:
            return stream.read(4096)
    except OSError:
        return b""


def _is_counts(path: Path) -> bool:
    from dpviz.ingest import is_saved_counts

    return is_saved_counts(path)


def _is_release(folder: Path) -> bool:
    """A whole release that nobody touched, and nothing beside it."""
    from dpviz.releases.store import KNOWN_FILES

    try:
        names = {entry.name for entry in folder.iterdir()}
        dpviz.Release.load(folder)
    except (StoreError, OSError):
        return False
    return names <= set(KNOWN_FILES)


COUNTS = Kind(name="counts of 'dpviz count'", folder=False, example="counts.npz", is_one=_is_counts)
RELEASE = Kind(name="a release", folder=True, example="release", is_one=_is_release)


def _files_behind(inputs: Iterable[str | Path]) -> Iterator[Path]:
    """The real files and folders that these words name on this machine; other addresses cannot be written over."""
    for word in map(str, inputs):
        text = word.removeprefix("file://") if word.startswith("file://") else word
        if "://" in text or text == "-" or "\x00" in text:
            continue
        path = os.path.expanduser(text)
        found = glob.glob(path, recursive=True) if glob.has_magic(path) and not os.path.exists(path) else [path]
        yield from (Path(os.path.realpath(name)) for name in found)


def _same(one: Path, other: Path) -> bool:
    """Whether two names mean one file; where none is there yet, names that some systems cannot tell apart do."""
    try:
        return os.path.samefile(one, other)
    except OSError:
        return not os.path.exists(one) and not os.path.exists(other) and _folded(one) == _folded(other)


def _inside(inner: Path, folder: Path) -> bool:
    """Whether a path lies somewhere below a folder."""
    return any(_same(parent, folder) for parent in inner.parents)


def _folded(path: Path) -> str:
    return unicodedata.normalize("NFC", str(path)).casefold()
