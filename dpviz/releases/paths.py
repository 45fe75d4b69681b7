"""Where the ledger lies when nobody says: the user's data folder, by the rules of each system."""

from __future__ import annotations

import os
import sys
from pathlib import Path

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
