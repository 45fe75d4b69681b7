"""Documents for the screen: the text without sentences and columns that contain symbols; *Details* has the whole."""

from __future__ import annotations

import re
from collections.abc import Sequence

SYMBOLS = re.compile(r"[α-ωΑ-Ω]|\b(?:epsilon|delta)\b", re.IGNORECASE)
_ITEM = re.compile(r"^(\s*(?:[*-]|\d+\.)\s+)")
_SENTENCE = re.compile(r"(?<=[.!?)])\s+(?=[A-Z0-9*(`\[“])")


def without_dead_links(text: str) -> str:
    """Markdown whose links into the project or a folder, which lead nowhere on a screen, are text."""
    return re.sub(r"\[([^\]]+)\]\((?!https?:)[^)]*\)", r"\1", text)


def has_symbols(text: str) -> bool:
    """Whether a text has Greek letters, or their names."""
    return bool(SYMBOLS.search(text))


def without_symbols(markdown: str) -> str:
    """The text without its sentences, table columns and headings-of-nothing that need symbols."""
    kept: list[str] = []
    waiting: list[str] = []  # headings that may have nothing below them
    for block in re.split(r"\n\s*\n", markdown.strip()):
        lines = block.splitlines()
        if lines[0].startswith("#"):
            level = len(lines[0]) - len(lines[0].lstrip("#"))
            waiting = [head for head in waiting if len(head) - len(head.lstrip("#")) < level]
            waiting += [] if has_symbols(lines[0]) else [lines[0]]
            lines = lines[1:]
        told = _table(lines) if lines and lines[0].startswith("|") else _items(lines)
        if told:
            kept += [*waiting, told]
            waiting = []
    return "\n\n".join(kept)


def _items(lines: Sequence[str]) -> str:
    """A paragraph, or the items of a list."""
    items: list[str] = []
    for line in lines:
        if _ITEM.match(line) or not items:
            items.append(line)
        else:
            items[-1] += " " + line.strip()
    shown = []
    for item in items:
        found = _ITEM.match(item)
        mark = found.group(1) if found else ""
        sentences = [part for part in _SENTENCE.split(item[len(mark) :]) if not has_symbols(part)]
        shown += [mark + " ".join(sentences)] if sentences else []
    return "\n".join(shown)


def _table(lines: Sequence[str]) -> str:
    """A table without its columns of symbols."""
    rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in lines]
    there = [at for at, name in enumerate(rows[0]) if not has_symbols(name)]
    shown = [[row[at] for at in there] for row in rows if len(row) == len(rows[0])]
    return "\n".join(f"| {' | '.join(row)} |" for row in shown if not has_symbols(" ".join(row)))
