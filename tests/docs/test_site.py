"""The documentation site: built by one command, every link leads somewhere, and no other machine is asked."""

from __future__ import annotations

import re
import runpy
import shutil
import subprocess
import sys
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


def test_tagged_versions_lie_beside_the_newest_pages_and_every_page_offers_them(tmp_path: Path) -> None:
    source, site = tmp_path / "source", tmp_path / "site"
    (source / "docs").mkdir(parents=True)
    shutil.copy(ROOT / "docs" / "build_site.py", source / "docs")
    shutil.copytree(ROOT / "docs" / "web", source / "docs" / "web")
    git = ["git", "-c", "user.name=somebody", "-c", "user.email=somebody@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run([*git, "init", "-q"], cwd=source, check=True)
    for number in ("1.0.0", "1.10.0", "1.9.0"):
        (source / "pyproject.toml").write_text(f'[project]\nversion = "{number}"\n')
        (source / "README.md").write_text(f"# Words of {number}\n")
        subprocess.run([*git, "add", "-A"], cwd=source, check=True)
        subprocess.run([*git, "commit", "-qm", number], cwd=source, check=True)
        subprocess.run([*git, "tag", f"v{number}"], cwd=source, check=True)
    command = [sys.executable, str(source / "docs" / "build_site.py"), "--tags", "--out", str(site)]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert "1.10.0, 1.9.0, 1.0.0" in said
    assert "dpviz 1.0.0" in (site / "1.0.0" / "index.html").read_text(encoding="utf-8")
    assert '["1.0.0", "1.0.0/"]' in (site / "versions.js").read_text(encoding="utf-8")
    older = (site / "1.0.0" / "versions.js").read_text(encoding="utf-8")
    assert '["newest", "../"]' in older and '["1.0.0", ""]' in older and '["1.10.0", "../1.10.0/"]' in older
