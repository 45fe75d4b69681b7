from __future__ import annotations

import re
from pathlib import Path

from dpviz.privacy import LEVELS, out_of_100
from dpviz.releases.release import PREVIEW, PUBLISHED, UNLEDGERED


def test_the_odds_on_the_promise_page_are_the_computed_ones(project_root: Path) -> None:
    text = (project_root / "docs" / "PROMISE.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d) ([A-Za-z ]+) \| ([\d.]+) \| (\d+) of 100 \|$", text, flags=re.MULTILINE)
    assert [(int(number), name, float(epsilon), int(odds)) for number, name, epsilon, odds in rows] == [
        (level.number, level.name, level.epsilon, out_of_100(level.epsilon)) for level in LEVELS
    ]


def test_the_promise_page_explains_every_status(project_root: Path) -> None:
    text = (project_root / "docs" / "PROMISE.md").read_text(encoding="utf-8")
    for status in (PUBLISHED, UNLEDGERED, PREVIEW):
        assert f"| `{status}` |" in text


def test_the_limits_page_names_every_limit_that_labels_and_proofs_point_to(project_root: Path) -> None:
    text = (project_root / "docs" / "LIMITS.md").read_text(encoding="utf-8")
    for heading in (
        "Choices made after looking",
        "Previews",
        "One trip is not one person",
        "Correlated records",
        "Releases add up",
        "Refused before the door",
        "Time, memory and the machine",
        "Floating point",
        "The person cap",
    ):
        assert f"## {heading}\n" in text
    words = " ".join(text.split())
    assert "swallows up to 64 kB of the rows behind it" in words and "1e-12" in words
