"""The list of own data that were opened on this computer, to reopen them by name. For their owner only.

It holds names, paths and reading options, no record and no count. An uploaded file has no path and is asked for again.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path

from dpviz.hosting.reading_process import Wish
from dpviz.releases.paths import default_ledger_path

MOST = 50


@dataclass(frozen=True, kw_only=True)
class Opened:
    """One data set and how it was read."""

    name: str
    path: str = ""  # empty where the file came through the browser
    file: str = ""  # what that file was called
    wish: Wish

    @property
    def has_path(self) -> bool:
        """Whether the file can be read again without asking."""
        return bool(self.path) and Path(self.path).expanduser().exists()


def place() -> Path:
    """Return the path of the list."""
    return default_ledger_path().with_name("opened.json")


def list_known() -> tuple[Opened, ...]:
    """Read the list, newest first; an unreadable list is empty."""
    try:
        return tuple(
            Opened(name=str(row["name"]), path=row.get("path", ""), file=row.get("file", ""), wish=Wish.from_facts(row))
            for row in json.loads(place().read_text(encoding="utf-8"))
        )
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return ()


def remember(opened: Opened) -> None:
    """Put a data set at the head of the list. The list is replaced as a whole, so that it is never half-written."""
    kept = [opened, *(other for other in list_known() if other.name != opened.name)][:MOST]
    rows = [{"name": one.name, "path": one.path, "file": one.file, **one.wish.facts()} for one in kept]
    path = place()
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f"{path.name}.{os.getpid()}")
    with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
        json.dump(rows, file, indent=1)
    new.replace(path)
