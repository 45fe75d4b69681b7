"""The list of own data that were opened on this computer, to reopen them by name.

It lies beside the ledger, readable by its owner only, and holds for each data set the path and the reading options: no
record and no count. An uploaded file has no path; the list keeps its name and asks for the file again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from dpviz.releases.paths import default_ledger_path

MOST = 50
_NAME = "opened.json"


@dataclass(frozen=True, kw_only=True)
class Opened:
    """One data set and how it was read."""

    name: str
    path: str = ""  # empty where the file came through the browser
    file: str = ""  # what that file was called
    box: str = ""
    lon: str = ""
    lat: str = ""
    person: str = ""
    cap: int = 0
    crs: str = ""
    separator: str = ""  # of rows without a line of column names, with the decimal sign
    decimal: str = ""

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any]) -> Opened:
        """Read an entry of the list."""
        texts = {
            field.name: str(facts.get(field.name, "")) for field in fields(cls) if field.name not in ("name", "cap")
        }
        return cls(name=str(facts["name"]), cap=int(facts.get("cap", 0)), **texts)

    @property
    def has_path(self) -> bool:
        """Whether the file can be read again without asking."""
        return bool(self.path) and Path(self.path).expanduser().exists()


def place() -> Path:
    """Return the path of the list."""
    return default_ledger_path().with_name(_NAME)


def list_known() -> tuple[Opened, ...]:
    """Read the list, newest first; an unreadable list is empty."""
    try:
        rows = json.loads(place().read_text(encoding="utf-8"))
        return tuple(Opened.from_facts(row) for row in rows)
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return ()


def remember(opened: Opened) -> None:
    """Put a data set at the head of the list. The list is replaced as a whole, so that it is never half-written."""
    rows = [opened, *(other for other in list_known() if other.name != opened.name)][:MOST]
    path = place()
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f"{path.name}.{os.getpid()}")
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with open(descriptor, "w", encoding="utf-8") as file:
        json.dump([asdict(row) for row in rows], file, indent=1)
    new.replace(path)
