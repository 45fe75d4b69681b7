"""The three pictures that Evidence begins with, each for a screen and, with words over the bars, for a telephone."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import log10

from dpviz.ui.evidence import words as say
from dpviz.ui.page_parts import icons, words
from dpviz.ui.page_parts.theme import ADDED, EXACT, PROTECTED, Theme

WIDE, NARROW = 860, 400  # of the drawing, which is as wide as its screen: 16 are 15 pixels on a telephone
Bar = tuple[str, float, float, int]  # level, reached, reachable, promised


def scores(bars: Sequence[Bar], theme: Theme, *, narrow: bool = False) -> str:
    """A bar from 50 to what players reached; a line at the best that can be reached, a line at the promise."""
    width, step, left = (NARROW, 62, 6) if narrow else (WIDE, 44, 150)
    right = width - 30
    first = 100 if narrow else 48

    def across(score: float) -> float:
        return left + (score - 50) / 50 * (right - left)

    parts = _key(theme, narrow=narrow)
    for at, (name, score, reachable, promised) in enumerate(bars):
        top = first + at * step
        parts += [
            _name(name, left, top, theme, narrow=narrow),
            f'<rect x="{left}" y="{top}" width="{right - left}" height="30" fill="{theme.grid}" fill-opacity="0.35"/>',
            f'<rect x="{left}" y="{top}" width="{max(2.0, across(score) - left):.1f}" height="30" fill="{PROTECTED}"/>',
            _line(across(reachable), top, f'stroke="{theme.text}" stroke-width="3"'),
            _line(across(promised), top, f'stroke="{ADDED}" stroke-width="4" stroke-dasharray="6 4"'),
        ]
    high = first + step * len(bars) + (6 if narrow else 18)
    for share in (50, 60, 70, 80, 90, 100):
        parts.append(_text(across(share), high - 2, str(share), theme, "start" if narrow and share == 50 else "middle"))
    return _svg(width, high, parts)


def times(bars: Sequence[tuple[str, float]], theme: Theme, *, narrow: bool = False) -> str:
    """How many times our error the others have; each step across is ten times as much."""
    width, step, left = (NARROW, 66, 6) if narrow else (WIDE, 48, 260)
    right = width - 110
    most = _tens(max(many for _, many in bars))
    parts = []
    for at, (name, many) in enumerate(bars):
        top = (30 if narrow else 10) + at * step
        wide = (right - left) * _tens(many) / most
        parts += [
            _name(name, left, top + 2, theme, narrow=narrow),
            f'<rect x="{left}" y="{top}" width="{wide:.1f}" height="34" fill="{EXACT}"/>',
            _text(left + wide + 10, top + 23, f"{words.whole(many)}×", theme, weight=700),
        ]
    return _svg(width, step * len(bars) + 10, parts)


def marks(found: Sequence[bool], theme: Theme, *, narrow: bool = False) -> str:
    """One mark for every planted fault, filled where it was found."""
    width, row, step = (NARROW, 17, 23) if narrow else (WIDE, 36, 23)
    parts = [
        f'<circle cx="{at % row * step + 14}" cy="{at // row * step + 14}" r="8" '
        + (f'fill="{PROTECTED}"/>' if caught else f'fill="none" stroke="{theme.text}" stroke-width="2"/>')
        for at, caught in enumerate(found)
    ]
    return _svg(width, (len(found) + row - 1) // row * step + 8, parts)


def of_both_sizes(drawing: str, narrow: str, alt: str) -> str:
    """Two pictures of one description as HTML, of which a screen shows the one that fits it."""
    shown = (icons.picture(one, alt, max_width=f"{WIDE}px") for one in (drawing, narrow))
    return "".join(f"<div class='dpv-{size}'>{one}</div>" for size, one in zip(("wide", "narrow"), shown, strict=True))


def _tens(many: float) -> float:
    return max(0.05, log10(many))


def _key(theme: Theme, *, narrow: bool) -> list[str]:
    parts, x, y = [], 4, 6
    for colour, text in ((PROTECTED, say.REACHED), (theme.text, say.REACHABLE), (ADDED, say.PROMISED)):
        parts.append(f'<rect x="{x}" y="{y}" width="16" height="16" fill="{colour}"/>')
        parts.append(_text(x + 24, y + 14, text, theme))
        x, y = (x, y + 24) if narrow else (x + 60 + 9 * len(text), y)
    return parts


def _name(name: str, left: int, top: int, theme: Theme, *, narrow: bool) -> str:
    """Beside its bar, on a telephone over it."""
    return _text(left, top - 9, name, theme) if narrow else _text(left - 12, top + 21, name, theme, "end")


def _line(x: float, top: int, look: str) -> str:
    return f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{top - 4}" y2="{top + 34}" {look}/>'


def _text(x: float, y: float, text: str, theme: Theme, anchor: str = "start", weight: int = 400) -> str:
    look = f'text-anchor="{anchor}" font-size="16" font-weight="{weight}" fill="{theme.text}"'
    return f'<text x="{x:.1f}" y="{y:.1f}" {look}>{escape(text)}</text>'


def _svg(width: int, high: int, parts: Sequence[str]) -> str:
    return f'<svg viewBox="0 0 {width} {high}" xmlns="http://www.w3.org/2000/svg">{"".join(parts)}</svg>'
