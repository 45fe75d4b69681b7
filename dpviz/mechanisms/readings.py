"""Which proofs were read against the code as it is: `readings.json`, kept by `python -m dpviz_research.readings`."""

from __future__ import annotations

import json
from functools import lru_cache
from importlib.resources import files
from typing import Any

RECORD = "readings.json"
READ = "read"


@lru_cache(maxsize=1)
def recorded() -> dict[str, dict[str, Any]]:
    """Per page of docs/proofs: state, reader, date, and digests of what was read."""
    found: dict[str, dict[str, Any]] = json.loads((files("dpviz.mechanisms") / RECORD).read_text(encoding="utf-8"))
    return found


def up_to_date(page: str) -> bool:
    """Whether a reader has gone through this page and its code, and neither has changed since."""
    return recorded().get(page, {}).get("state") == READ


def told(page: str) -> str:
    """Who read the page last and when, or that nobody has since it changed; one line for tables."""
    entry = recorded().get(page, {})
    if entry.get("state") == READ:
        return f"{entry['reader']}, {entry['date']}"
    return str(entry.get("state") or "not read yet")
