"""What the marks of a map say, with the words that thousands of them share said only once.

The browser reads a map's JSON character by character (Streamlit takes it for JSON5), at every step of the slider, and
most of it was "Stands for about … trips · Hudson County" once per dot. So a dot carries its number and which words go
around it; the words are style rules in the tooltip's template, which is read when somebody points at a dot.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_NUMBER = re.compile(r"[−-]?\d[\d.,]*")


@dataclass(frozen=True, kw_only=True)
class Said:
    """The tips of many marks: a number for each, which words go around it, and these words."""

    numbers: tuple[str, ...] = ()
    at: tuple[int, ...] = ()
    around: tuple[tuple[str, str], ...] = ()

    def __getitem__(self, index: int) -> str:
        """The whole tip of one mark."""
        before, after = self.around[self.at[index]]
        return before + self.numbers[index] + after


def share(tips: Sequence[str]) -> Said:
    """The same tips with what they share taken out."""
    known: dict[tuple[str, str], int] = {}
    numbers, at = [], []
    for tip in tips:
        found = _NUMBER.search(tip)
        start, end = found.span() if found is not None else (0, len(tip))
        numbers.append(tip[start:end])
        at.append(known.setdefault((tip[:start], tip[end:]), len(known)))
    return Said(numbers=tuple(numbers), at=tuple(at), around=tuple(known))


def template(said: Said) -> str:
    """The tooltip of a map: Streamlit fills in `tip` and `at` of a mark; marks without `at` say just their tip."""
    rules = "".join(
        f".dpv-tip-{index}::before{{content:{_quoted(before)}}}.dpv-tip-{index}::after{{content:{_quoted(after)}}}"
        for index, (before, after) in enumerate(said.around)
    )
    return f"<style>{rules}</style><span class='dpv-tip-{{at}}'>{{tip}}</span>"


def _quoted(text: str) -> str:
    """A string of a style rule: whatever is not plain is written as its number, so that nothing can end the rule."""
    return '"' + re.sub(r"[^\w .,·–-]", lambda found: f"\\{ord(found[0]):x} ", text) + '"'
