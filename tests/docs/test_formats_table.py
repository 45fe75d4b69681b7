"""The table of file formats tells what was recorded."""

from __future__ import annotations

import json
from pathlib import Path


def test_the_table_of_formats_is_the_record(project_root: Path) -> None:
    record = json.loads((project_root / "docs/evidence/formats.json").read_text(encoding="utf-8"))
    page = (project_root / "docs/how-to/bring-your-own-file.md").read_text(encoding="utf-8")
    for row in record["rows"]:
        size = "–" if row["bytes"] is None else f"{row['bytes'] / 1e6:.1f}"
        counts = [f"{row[name]:,}" for name in ("rows read", "rows used", "outside", "without a place")]
        line = " | ".join([row["file"], size, *counts, f"{row['CPU seconds']:.3g}"])
        assert f"| {line} |\n" in page, row["file"]


def test_every_place_in_the_box_is_used_but_those_that_were_rounded(project_root: Path) -> None:
    record = json.loads((project_root / "docs/evidence/formats.json").read_text(encoding="utf-8"))
    lost = {row["file"]: row["records in the box"] - row["records"] for row in record["rows"]}
    rounded = {name for name, many in lost.items() if many}
    assert rounded <= {'CSV of counts a place, `weight_unit="record"`', "CSV of H3 cells"}
    assert all(abs(many) <= 100 for many in lost.values())
