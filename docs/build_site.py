"""The documentation as a site of plain files: `python docs/build_site.py --out site`.

Every page of docs and of the project's root, with a search over all of them, light and dark, and no request to any
other machine. Needs markdown-it-py, which `pip install dpviz` brings. With `--tags` every tagged version lies in a
folder of its own beside the newest pages, and each page lets its reader choose.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from html import escape
from pathlib import Path

from markdown_it import MarkdownIt

ROOT = Path(__file__).resolve().parents[1]
TOP = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "SECURITY.md", "CODE_OF_CONDUCT.md")
COPIED = (".png", ".svg", ".json", ".csv", ".ipynb", ".py", ".pyi", ".toml", ".cff")
LINK = re.compile(r'(href|src)="([^"#:]+)(#[^"]*)?"')
STYLE = """
:root { color-scheme: light dark; --ink: #1b1f24; --paper: #fff; --soft: #f4f1ea; --line: #d6d2c8; --link: #005a9c; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8e6e1; --paper: #16181c; --soft: #22252b; --line: #44484f; --link: #7db8ec; } }
body { margin: 0; display: grid; grid-template: auto 1fr / 17rem minmax(0, 1fr); color: var(--ink);
  background: var(--paper); font: 16px/1.6 system-ui, sans-serif; min-height: 100vh; }
header, nav { padding: 1rem 1rem 0; border-right: 1px solid var(--line); font-size: .9rem; background: var(--soft); }
header { grid-area: 1 / 1; } nav { grid-area: 2 / 1; } main { grid-area: 1 / 2 / 3; }
header p { display: flex; gap: 1rem; margin: 0; } select { font: inherit; }
ul#found, nav ul { list-style: none; padding: 0; margin: 0 0 1rem; } nav h2 { font-size: .8rem; margin: 0; }
main { padding: 1rem 2.5rem 4rem; max-width: 52rem; overflow-wrap: anywhere; }
a { color: var(--link); } nav a[aria-current] { font-weight: 700; color: inherit; text-decoration: none; }
pre { background: var(--soft); padding: .8rem; overflow-x: auto; border-radius: 6px; overflow-wrap: normal; }
code { font-size: .9em; background: var(--soft); }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { border-bottom: 1px solid var(--line); padding: .3rem .7rem; text-align: left; vertical-align: top; }
img { max-width: 100%; }
input { width: 100%; box-sizing: border-box; font: inherit; padding: .4rem; margin-bottom: .5rem; }
.to-pages { display: none; }
@media (max-width: 760px) { body { display: block; } header, nav { padding: 1rem; border: 0; } main { padding: 1rem; }
  header input { margin: .5rem 0 0; } ul#found:empty { margin: 0; } .to-pages { display: inline; margin-left: auto; } }
"""


def sources() -> list[Path]:
    """Every page, those of the root first."""
    return [*(ROOT / name for name in TOP if (ROOT / name).exists()), *sorted((ROOT / "docs").rglob("*.md"))]


def place_of(page: Path) -> str:
    """Where a page lies in the site; the project's README is its front."""
    if page == ROOT / "README.md":
        return "index.html"
    return page.relative_to(ROOT).with_suffix(".html").as_posix()


def anchor(text: str) -> str:
    """The name that a heading gets on the usual hosts."""
    return re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", re.sub(r"<[^>]+>", "", text).lower()).strip())


def title_of(page: Path) -> str:
    """The first heading."""
    found = re.search(r"^# (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return re.sub(r"[`*]", "", found[1]) if found else page.stem


def body_of(page: Path, known: dict[Path, str], out: Path) -> str:
    """The page as HTML, with links to other pages of the site and to copies of files."""
    html: str = MarkdownIt("commonmark", {"html": False}).enable("table").render(page.read_text(encoding="utf-8"))
    html = re.sub(r"<h([1-6])>(.*?)</h\1>", lambda m: f'<h{m[1]} id="{anchor(m[2])}">{m[2]}</h{m[1]}>', html)
    here = (out / place_of(page)).parent

    def placed(found: re.Match[str]) -> str:
        target = (page.parent / found[2]).resolve()
        if target in known:
            return f'{found[1]}="{os.path.relpath(out / known[target], here)}{found[3] or ""}"'
        if target.is_dir() and target.is_relative_to(ROOT / "docs"):
            return f'{found[1]}="{os.path.relpath(out / "docs" / "README.html", here)}"'
        if target.is_file() and target.suffix in COPIED:
            copied = out / target.relative_to(ROOT)
            copied.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(target, copied)
            return f'{found[1]}="{os.path.relpath(copied, here)}"'
        return f'data-file="{escape(found[2])}"'  # a file of the source that the site does not carry

    return LINK.sub(placed, html)


def navigation(page: Path, known: dict[Path, str], out: Path) -> str:
    """All pages by folder."""
    here = (out / place_of(page)).parent
    rooms: dict[str, list[Path]] = {}
    for each in known:
        room = each.parent.relative_to(ROOT).as_posix()
        rooms.setdefault({".": "dpviz", "docs": "Documents"}.get(room, room.removeprefix("docs/")), []).append(each)
    parts = []
    for room, pages in rooms.items():
        items = "".join(
            f'<li><a href="{os.path.relpath(out / known[each], here)}"{" aria-current=page" if each == page else ""}>'
            f"{escape(title_of(each))}</a></li>"
            for each in pages
        )
        parts.append(f"<h2>{escape(room)}</h2><ul>{items}</ul>")
    return "".join(parts)


def build(out: Path) -> list[Path]:
    """Write the site; the pages that were written."""
    known = {page.resolve(): place_of(page) for page in sources()}
    index, written = [], []
    for page, place in known.items():
        body = body_of(page, known, out)
        target = out / place
        target.parent.mkdir(parents=True, exist_ok=True)
        home = os.path.relpath(out, target.parent)
        home = "" if home == "." else home + "/"
        target.write_text(
            '<!doctype html><html lang="en"><head><meta charset="utf-8">'
            f"<title>{escape(title_of(page))} · dpviz</title>"
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            f'<link rel="stylesheet" href="{home}style.css"></head>'
            f'<body data-home="{home}"><header><p><b>dpviz {version()}</b><select aria-label="Version" hidden></select>'
            '<a class="to-pages" href="#pages">All pages</a></p>'
            '<input type="search" placeholder="Search" aria-label="Search all pages">'
            f'<ul id="found" aria-live="polite"></ul></header><main>{body}</main>'
            f'<nav id="pages" aria-label="All pages">{navigation(page, known, out)}</nav>'
            + "".join(f'<script src="{home}{name}.js"></script>' for name in ("pages", "versions", "search"))
            + "</body></html>\n",
            encoding="utf-8",
        )
        text = " ".join(re.sub(r"<[^>]+>", " ", body).split())
        index.append({"title": title_of(page), "place": place, "text": text})
        written.append(target)
    (out / "style.css").write_text(STYLE, encoding="utf-8")
    shutil.copy(ROOT / "docs" / "web" / "search.js", out)
    (out / "pages.js").write_text(f"var PAGES = {json.dumps(index, ensure_ascii=False)};\n", encoding="utf-8")
    write_versions(out, [])
    return written


def version() -> str:
    """Of the package whose pages these are."""
    return str(tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"])


def write_versions(out: Path, names: list[str]) -> None:
    """What the pages of the newest and of every tagged version offer: names, and the way to each from there."""
    for here in ("", *names):
        back = "../" if here else ""
        offered = [
            [name or "newest", "" if name == here else f"{back}{name}{'/' if name else ''}"] for name in ("", *names)
        ]
        (out / here / "versions.js").write_text(f"var VERSIONS = {json.dumps(offered)};\n", encoding="utf-8")


def build_tags(out: Path) -> list[str]:
    """Every version that has a tag, by its own script, in a folder of its own; their names, newest first."""
    listed = subprocess.run(
        ["git", "tag", "--list", "v*", "--sort=-version:refname"], cwd=ROOT, check=True, capture_output=True, text=True
    )
    for tag in listed.stdout.split():
        with tempfile.TemporaryDirectory() as folder:
            packed = Path(folder) / "source.zip"
            subprocess.run(["git", "archive", "--format=zip", "-o", str(packed), tag], cwd=ROOT, check=True)
            zipfile.ZipFile(packed).extractall(folder)
            script = Path(folder) / "docs" / "build_site.py"
            subprocess.run([sys.executable, str(script), "--out", str(out / tag.removeprefix("v"))], check=True)
    names = [tag.removeprefix("v") for tag in listed.stdout.split()]
    write_versions(out, names)
    return names


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description="Build the documentation site.")
    asked.add_argument("--out", type=Path, default=Path("site"))
    asked.add_argument("--tags", action="store_true", help="tagged versions too")
    given = asked.parse_args()
    folder = given.out.resolve()
    print(f"{len(build(folder))} pages in {folder.name}")
    if given.tags:
        print(f"versions beside them: {', '.join(build_tags(folder)) or 'none'}")
