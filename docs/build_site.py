"""The documentation as a site of plain files: `python docs/build_site.py --out site`.

Every page of docs and of the project's root, with a search over all of them, light and dark, and no request to any
other machine. Needs markdown-it-py, which `pip install dpviz` brings. Several versions lie side by side: `--out
site/1.0`.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
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
body { margin: 0; display: grid; grid-template-columns: 17rem minmax(0, 1fr); color: var(--ink);
  background: var(--paper); font: 16px/1.6 system-ui, sans-serif; }
nav { padding: 1rem; border-right: 1px solid var(--line); font-size: .9rem; min-height: 100vh;
  background: var(--soft); }
nav ul { list-style: none; padding: 0; margin: 0 0 1rem; } nav h2 { font-size: .8rem; margin: 0; }
main { padding: 1rem 2.5rem 4rem; max-width: 52rem; overflow-wrap: anywhere; }
a { color: var(--link); } nav a[aria-current] { font-weight: 700; color: inherit; text-decoration: none; }
pre { background: var(--soft); padding: .8rem; overflow-x: auto; border-radius: 6px; overflow-wrap: normal; }
code { font-size: .9em; background: var(--soft); }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { border-bottom: 1px solid var(--line); padding: .3rem .7rem; text-align: left; vertical-align: top; }
img { max-width: 100%; }
input { width: 100%; box-sizing: border-box; font: inherit; padding: .4rem; margin-bottom: .5rem; }
@media (max-width: 760px) { body { display: block; } nav { min-height: 0; border: 0; } main { padding: 1rem; } }
"""
SCRIPT = """
var field = document.querySelector("input"), list = document.querySelector("#found"), home = document.body.dataset.home;
field.addEventListener("input", function () {
  var words = field.value.toLowerCase().split(/\\s+/).filter(Boolean);
  list.textContent = "";
  if (!words.length) return;
  PAGES.map(function (page) {
    var text = page.text.toLowerCase(), title = page.title.toLowerCase(), score = 0;
    for (var word of words) {
      if (title.includes(word)) score += 50;
      var times = text.split(word).length - 1;
      if (!times && !title.includes(word)) return [0, page];
      score += Math.min(times, 20);
    }
    return [score, page];
  }).filter(function (pair) { return pair[0] > 0; }).sort(function (a, b) { return b[0] - a[0]; }).slice(0, 12)
    .forEach(function (pair) {
      var item = document.createElement("li"), link = document.createElement("a");
      link.href = home + pair[1].place; link.textContent = pair[1].title;
      item.append(link); list.append(item);
    });
  if (!list.children.length) list.textContent = "No page has all of these words.";
});
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
            f'<link rel="stylesheet" href="{home}style.css"></head><body data-home="{home}"><nav>'
            '<input type="search" placeholder="Search" aria-label="Search all pages">'
            '<ul id="found" aria-live="polite"></ul>'
            f"{navigation(page, known, out)}</nav><main>{body}</main>"
            f'<script src="{home}pages.js"></script><script src="{home}search.js"></script></body></html>\n',
            encoding="utf-8",
        )
        text = " ".join(re.sub(r"<[^>]+>", " ", body).split())
        index.append({"title": title_of(page), "place": place, "text": text})
        written.append(target)
    (out / "style.css").write_text(STYLE, encoding="utf-8")
    (out / "search.js").write_text(SCRIPT, encoding="utf-8")
    (out / "pages.js").write_text(f"var PAGES = {json.dumps(index, ensure_ascii=False)};\n", encoding="utf-8")
    return written


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description="Build the documentation site.")
    asked.add_argument("--out", type=Path, default=Path("site"))
    folder = asked.parse_args().out.resolve()
    print(f"{len(build(folder))} pages in {folder.name}")
