"""Release folders on disk: written whole or not at all, read with their checksums and signature."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import secrets
import shutil
import stat
from collections.abc import Mapping
from pathlib import Path

from dpviz.errors import NoAnswerError, StoreError
from dpviz.releases import document, tables
from dpviz.releases.document import PACKAGE, PROOF
from dpviz.releases.release import NoAnswer, Release
from dpviz.releases.signing import SIGNED, signature_of

FILES = (
    document.DOCUMENT,
    "coreset.parquet",
    document.CORESET_CSV,
    "coreset.geojson",
    "centers.geojson",
    document.CENTERS_CSV,
    "centers-by-time.csv",
    tables.CELLS,
    tables.MEASUREMENTS,
    tables.CELLS_GEOJSON,
    *tables.END_FILES[0],
    *tables.END_FILES[1],
    "map.html",
    "PRIVACY.md",
    PROOF,
    PACKAGE,
)
KNOWN_FILES = (*FILES, *SIGNED)
TEMPORARY = ".unfinished-"
_LARGEST_FILE = 64 * 2**20
# What is parsed as a whole takes up to 25 times its size of memory (measured), so less of it is taken.
_LARGEST_OF_KIND = {".json": 4 * 2**20, ".geojson": 8 * 2**20, ".csv": 8 * 2**20, ".sig": 2**16}
_BINARY = getattr(os, "O_BINARY", 0)
_NO_LINK = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_DROPPINGS = (".DS_Store", "Thumbs.db", "desktop.ini")  # what systems leave in folders that somebody looked at


def write_folder(folder: Path, files: Mapping[str, bytes], *, own: bool = False, workshop: Path | None = None) -> Path:
    """Write all files to a new folder in one step: a temporary folder, flushed to disk, then renamed.

    The temporary folder lies beside the target, or in `workshop`, which must be on the same filesystem.

    A folder that already holds exactly these files is left as it is; one that holds something else is refused.
    `own` folders can be read by their owner only.
    """
    try:
        if _holds(folder, files):
            return folder
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise StoreError(
                f"{str(folder)!r} already holds something else; give the name of a new or empty folder (--out).",
                folder=str(folder),
            )
        folder.parent.mkdir(parents=True, exist_ok=True)
        _write_new(folder, files, own, workshop or folder.parent)
    except OSError as error:
        raise StoreError(
            f"cannot write the folder {str(folder)!r}: {error.strerror or type(error).__name__}. Nothing was left "
            "behind; free some space or give another folder.",
            folder=str(folder),
        ) from None
    return folder


def read_folder(folder: Path, *, ledger_knows: bool = False, trusted: str = "") -> Release | NoAnswer:
    """The outcome in this folder; refused when a file is missing, unknown, no ordinary file, or not what was written.

    `ledger_knows`: the caller compares the bytes with the ledger, so no signature is needed to call it published.
    """
    files = _read_files(folder)
    _refuse_changed(files, folder)
    return document.read_document(files, signature_of(files, trusted=trusted), ledger_knows=ledger_knows)


def read_files(files: Mapping[str, bytes], called: str) -> Release | NoAnswer:
    """The same of files that lie in memory and on no disk, such as those of an upload."""
    files = {name: content for name, content in files.items() if name not in _DROPPINGS}
    for name, content in files.items():
        if name not in KNOWN_FILES or len(content) > _largest(name):
            raise StoreError(f"{called!a} holds {name!a}, which no release has, or not in this size.", folder=called)
    _refuse_changed(files, Path(called))
    return document.read_document(files, signature_of(files, trusted=""))


def load_release(kind: type[Release], folder: str | Path) -> Release:
    """Read a release folder. Its files are checked against their checksums."""
    found = read_folder(Path(folder))
    if isinstance(found, NoAnswer):
        raise NoAnswerError(
            f"the folder {Path(folder).name!r} holds no answer: {found.reason.value}. "
            "Use dpviz.releases.load(folder) to read it.",
            reason=found.reason.value,
        )
    return found


def read_sealed(folder: Path, seal: str) -> Release | NoAnswer:
    """The outcome in a folder of the store; no byte of it is handed out where they are not those of the ledger's seal.

    An empty seal is that of a release that could not be read when its ledger was upgraded.
    """
    outcome = read_folder(folder, ledger_knows=True)
    if seal and seal_of(outcome.loaded_files or {}) != seal:
        raise StoreError(
            f"the files in {str(folder)!r} are not those that were published: their SHA-256 differs from the one in "
            "the ledger. Restore the folder from a copy (dpviz ledger restore); no byte of it was handed out.",
            folder=str(folder),
        )
    return outcome


def folder_seal(folder: Path) -> str:
    """The seal of the release in this folder; refused where it cannot be read."""
    return seal_of(read_folder(folder, ledger_knows=True).loaded_files or {})


def _read_files(folder: Path) -> dict[str, bytes]:
    """Every file of a release folder, by name. Nothing is read before all names, kinds and sizes are in order."""
    try:
        if not (folder / document.DOCUMENT).exists():
            raise StoreError(
                f"{str(folder)!r} is not a release folder: it has no release.json. Give the folder that --out named.",
                folder=str(folder),
            )
        names = sorted(entry.name for entry in os.scandir(folder) if entry.name not in _DROPPINGS)
        for name in names:
            if name not in KNOWN_FILES:
                raise StoreError(
                    f"{str(folder)!r} holds {name!a}, which no release has; take it out, or copy the folder again.",
                    folder=str(folder),
                )
            status = (folder / name).lstat()
            if not stat.S_ISREG(status.st_mode):
                raise StoreError(f"{name} in {str(folder)!r} is no ordinary file (a link, folder or pipe); refused.")
            if status.st_size > _largest(name):
                raise StoreError(f"{name} is larger than any file of a release; it was not written by dpviz.")
        return {name: read_ordinary(folder / name) for name in names}
    except OSError as error:
        raise StoreError(f"cannot read {str(folder)!r}: {error.strerror or type(error).__name__}.") from None


def _refuse_changed(files: Mapping[str, bytes], folder: Path) -> None:
    """The checksums of release.json: against accidents. Against intent there are the signature and the ledger."""
    try:
        sums = dict(json.loads(files[document.DOCUMENT])["files"])
    except (KeyError, TypeError, ValueError, RecursionError):
        raise StoreError(f"release.json in {str(folder)!r} is damaged; copy the folder again.") from None
    for name, expected in sums.items():
        if name not in FILES or name == document.DOCUMENT:
            raise StoreError(f"release.json in {str(folder)!r} lists a file that no release has; it was edited.")
        if name not in files:
            raise StoreError(f"{name} in {str(folder)!r} is missing or unreadable; copy the folder again.")
        if hashlib.sha256(files[name]).hexdigest() != expected:
            raise StoreError(f"{name} in {str(folder)!r} was changed after it was written; copy the folder again.")
    unlisted = sorted(set(files) - set(sums) - {document.DOCUMENT, *SIGNED})
    if unlisted:
        raise StoreError(f"{unlisted[0]} in {str(folder)!r} is not among the files of its release.json; copy it again.")


def seal_of(files: Mapping[str, bytes]) -> str:
    """SHA-256 over the names and hashes of all files of a folder: what the ledger keeps of a stored release."""
    lines = [f"{hashlib.sha256(content).hexdigest()}  {name}\n" for name, content in sorted(files.items())]
    return hashlib.sha256("".join(lines).encode("utf-8")).hexdigest()


def short_name(name: str) -> str:
    """The beginning of a file name, in bytes: names derived from it stay below what file systems accept."""
    return os.fsencode(name)[:80].decode("utf-8", "ignore")


def clear_unfinished(workshop: Path, name: str) -> None:
    """Remove what a killed process left of the folder of this name. The caller holds the folder's lock."""
    for left in workshop.glob(f"{TEMPORARY}{name}-*"):
        shutil.rmtree(left, ignore_errors=True)


def _write_new(folder: Path, files: Mapping[str, bytes], own: bool, workshop: Path) -> None:
    temporary = workshop / f"{TEMPORARY}{short_name(folder.name)}-{os.getpid()}-{secrets.token_hex(4)}"
    os.mkdir(temporary, 0o700 if own else 0o777)
    try:
        for name, content in files.items():
            handle = os.open(temporary / name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, 0o600 if own else 0o666)
            with open(handle, "wb") as out:
                out.write(content)
                out.flush()
                os.fsync(out.fileno())
        flush_folder(temporary)
        if folder.is_dir():
            folder.rmdir()  # empty: the caller looked
        os.rename(temporary, folder)
        flush_folder(folder.parent)
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise


def flush_folder(folder: Path) -> None:
    """Make names in this folder survive a power cut, on systems where a folder can be flushed."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):  # some network filesystems refuse it
            os.fsync(handle)
    finally:
        os.close(handle)


def _holds(folder: Path, files: Mapping[str, bytes]) -> bool:
    return folder.is_dir() and all(
        (folder / name).is_file() and (folder / name).read_bytes() == content for name, content in files.items()
    )


def _largest(name: str) -> int:
    return _LARGEST_OF_KIND.get(Path(name).suffix, _LARGEST_FILE)


def read_ordinary(path: Path) -> bytes:
    """The bytes of one file of a release: no link, pipe or folder, and not too large."""
    handle = os.open(path, os.O_RDONLY | _BINARY | _NO_LINK)
    with open(handle, "rb") as readable:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise StoreError(f"{path.name} is no ordinary file (a link, folder or pipe); refused.")
        content = readable.read(_largest(path.name) + 1)
    if len(content) > _largest(path.name):
        raise StoreError(f"{path.name} is larger than any file of a release; it was not written by dpviz.")
    return content
