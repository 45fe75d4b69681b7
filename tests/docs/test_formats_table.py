"""What the page says about file formats is what was recorded."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

SLOW_SECONDS = 0.4


def rows(project_root: Path) -> list[dict[str, Any]]:
    record = json.loads((project_root / "docs/evidence/formats.json").read_text(encoding="utf-8"))
    found: list[dict[str, Any]] = record["rows"]
    return found


def test_the_page_states_kinds_and_times_as_recorded(project_root: Path) -> None:
    page = (project_root / "docs/how-to/bring-your-own-file.md").read_text(encoding="utf-8")
    section = " ".join(page.split("## Every kind, measured")[1].split("\n## ")[0].split())
    seconds = {row["file"]: row["CPU seconds"] for row in rows(project_root)}
    assert f"as {len(seconds)} kinds of file" in section
    assert f"between {min(seconds.values()):.1g} and {max(seconds.values()):.2g} CPU seconds" in section
    named = re.search(r"; ([\w, ]+) are the slow ones", section)
    assert named is not None
    slow = {name.split()[0].rstrip(",") for name, taken in seconds.items() if taken >= SLOW_SECONDS}
    assert set(re.split(r", | and ", named[1])) == slow


def test_every_place_in_the_box_is_used_but_those_that_were_rounded(project_root: Path) -> None:
    lost = {row["file"]: row["records in the box"] - row["records"] for row in rows(project_root)}
    rounded = {name for name, many in lost.items() if many}
    assert rounded <= {'CSV of counts a place, `weight_unit="record"`', "CSV of H3 cells"}
    assert all(abs(many) <= 100 for many in lost.values())
