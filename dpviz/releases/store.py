"""Release folders on disk: written whole or not at all, read with their checksums."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import secrets
import shutil
from collections.abc import Mapping
from pathlib import Path

from dpviz.errors import StoreError
from dpviz.releases import document
from dpviz.releases.outcomes import NoAnswer, Release

FILES = (
    document.DOCUMENT,
    "coreset.parquet",
    document.CORESET_CSV,
    "coreset.geojson",
    "centers.geojson",
    document.CENTERS_CSV,
    "map.html",
    "PRIVACY.md",
)
_TEMPORARY = ".unfinished-"
_LARGEST_FILE = 64 * 2**20
_BINARY = getattr(os, "O_BINARY", 0)


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


def read_folder(folder: Path) -> Release | NoAnswer:
    """The outcome in this folder; refused when a file is missing or differs from its checksum in release.json."""
    try:
        main = _read(folder / document.DOCUMENT)
    except (FileNotFoundError, NotADirectoryError):
        raise StoreError(
            f"{str(folder)!r} is not a release folder: it has no release.json. Give the folder that --out named.",
            folder=str(folder),
        ) from None
    except OSError as error:
        raise StoreError(f"cannot read {str(folder)!r}: {error.strerror or type(error).__name__}.") from None
    try:
        sums = dict(json.loads(main)["files"])
    except (KeyError, TypeError, ValueError, RecursionError):
        raise StoreError(f"release.json in {str(folder)!r} is damaged; copy the folder again.") from None
    files = {document.DOCUMENT: main}
    for name, expected in sums.items():
        if name not in FILES or name == document.DOCUMENT:
            raise StoreError(f"release.json in {str(folder)!r} lists a file that no release has; it was edited.")
        try:
            content = _read(folder / name)
        except OSError:
            raise StoreError(f"{name} in {str(folder)!r} is missing or unreadable; copy the folder again.") from None
        if hashlib.sha256(content).hexdigest() != expected:
            raise StoreError(f"{name} in {str(folder)!r} was changed after it was written; copy the folder again.")
        files[name] = content
    return document.parse(files)


def list_releases(folder: str | Path) -> list[Path]:
    """The release folders directly inside a folder, by name; unfinished ones are never among them."""
    root = Path(folder)
    if not root.is_dir():
        raise StoreError(f"{str(root)!r} is not a folder; give a folder of release folders.", folder=str(root))
    found = (path for path in root.iterdir() if not path.name.startswith(".") and (path / document.DOCUMENT).is_file())
    return sorted(found, key=lambda path: path.name)


def clear_unfinished(workshop: Path, name: str) -> None:
    """Remove what a killed process left of the folder of this name. The caller holds the folder's lock."""
    for left in workshop.glob(f"{_TEMPORARY}{name}-*"):
        shutil.rmtree(left, ignore_errors=True)


def _write_new(folder: Path, files: Mapping[str, bytes], own: bool, workshop: Path) -> None:
    temporary = workshop / f"{_TEMPORARY}{folder.name[:80]}-{os.getpid()}-{secrets.token_hex(4)}"
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


def _read(path: Path) -> bytes:
    with open(path, "rb") as handle:
        content = handle.read(_LARGEST_FILE + 1)
    if len(content) > _LARGEST_FILE:
        raise StoreError(f"{path.name} is larger than any file of a release; it was not written by dpviz.")
    return content
