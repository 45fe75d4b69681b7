"""Where a user's files lie, by the rules of each system, and a lock on one across threads and processes."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dpviz.errors import StoreError

LEDGER_VARIABLE = "DPVIZ_LEDGER"
_DATA_VARIABLE = "DPVIZ_DATA"
_NAME = "ledger.sqlite3"


def default_ledger_path() -> Path:
    """DPVIZ_LEDGER, or ledger.sqlite3 in the folder `dpviz` of the user's data folder."""
    named = os.environ.get(LEDGER_VARIABLE)
    return Path(named).expanduser() if named else user_data_folder() / _NAME


def demonstration_ledger_path() -> Path:
    """Beside the default ledger: what is spent on built-in cities never mixes with anybody's own data."""
    usual = default_ledger_path()
    return usual.with_name(f"{usual.stem}-demonstration{usual.suffix}")


def user_data_folder() -> Path:
    """DPVIZ_DATA, or the folder `dpviz` in the place that each system has for a user's data.

    That is %APPDATA% on Windows, ~/Library/Application Support on macOS, XDG_DATA_HOME or ~/.local/share elsewhere.
    """
    named = os.environ.get(_DATA_VARIABLE)
    if named:
        return Path(named).expanduser()
    home = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("APPDATA") or home / "AppData" / "Roaming") / "dpviz"
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "dpviz"
    named = os.environ.get("XDG_DATA_HOME", "")
    # The rules of XDG: a relative path counts as not set.
    return (Path(named) if os.path.isabs(named) else home / ".local" / "share") / "dpviz"


@contextmanager
def exclusive(path: Path) -> Iterator[None]:
    """Hold the lock of this file; wait while another holds it. The empty file stays: removing it would be a race."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise StoreError(
            f"cannot lock {str(path)!r}: {error.strerror}. Give a ledger in a folder that can be written (--ledger)."
        ) from None
    try:
        _lock(handle)
        try:
            yield
        finally:
            _unlock(handle)
    finally:
        os.close(handle)


if sys.platform == "win32":
    import msvcrt
    import time

    def _lock(handle: int) -> None:
        while True:
            try:
                os.lseek(handle, 0, os.SEEK_SET)
                msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
                return
            except OSError:
                time.sleep(0.05)

    def _unlock(handle: int) -> None:
        os.lseek(handle, 0, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _lock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX)

    def _unlock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_UN)
