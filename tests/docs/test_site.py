"""The documentation site: built by one command, every link leads somewhere, and no other machine is asked."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_site_is_whole_and_asks_nobody(tmp_path: Path) -> None:
    written = runpy.run_path(str(ROOT / "docs" / "build_site.py"))["build"](tmp_path)
    assert len(written) > 50 and (tmp_path / "index.html") in written
    for page in written:
        html = page.read_text(encoding="utf-8")
        assert not re.search(r'<(?:script|link|img|iframe)[^>]+(?:src|href)="(?:https?:)?//', html), page.name
        for target in re.findall(r'(?:href|src)="([^"#:]+)', html):
            assert (page.parent / target).exists(), f"{page.name} leads to {target}"
    assert "color-scheme: light dark" in (tmp_path / "style.css").read_text(encoding="utf-8")
    searched = (tmp_path / "pages.js").read_text(encoding="utf-8")
    assert "adaptive_tree: proof" in searched and "monthly" in searched
