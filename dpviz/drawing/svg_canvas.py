"""Drawings as SVG without external references; shapes and how wide words are, in page units: x to the right, y down."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from html import escape
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

FONT = "system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif"

Points = NDArray[np.float64]
Anchor = Literal["start", "middle", "end"]

# Advance widths of Helvetica's letters, in thousandths of the size, from the space to the tilde.
_WIDTHS: Final = (
    *(278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278),
    *(556,) * 10,
    *(278, 278, 584, 584, 584, 556, 1015),
    *(667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833),
    *(722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611),
    *(278, 278, 278, 469, 556, 333),
    *(556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833),
    *(556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500),
    *(334, 260, 334, 584),
)
_UNKNOWN: Final = 600  # of letters that are in no table, about the mean of capitals and small ones
_BOLD: Final = 1.07  # how much wider bold letters are


class SvgCanvas:
    """Collects the parts of one SVG document."""

    def __init__(self, width: float, height: float, title: str) -> None:
        self.width, self.height = width, height
        self._title = title
        self._parts: list[str] = []
        self._clips = 0
        self._clipped = False

    def areas(self, rings: Sequence[Points], colour: str, *, opacity: float = 1.0, sharp: bool = False) -> None:
        path = "".join(map(ring_path, rings))
        if path:
            edges = ' shape-rendering="crispEdges"' if sharp else ""
            self._parts.append(f'<path fill="{colour}" fill-rule="evenodd"{_clear(opacity)}{edges} d="{path}"/>')

    def lines(self, paths: Sequence[Points], colour: str, width: float, *, opacity: float = 1.0) -> None:
        path = "".join(_path(line) for line in paths)
        if path:
            look = f'fill="none" stroke="{colour}" stroke-width="{width:.2f}" stroke-linejoin="round"'
            self._parts.append(f'<path {look} stroke-linecap="round"{_clear(opacity)} d="{path}"/>')

    def words(
        self,
        text: str,
        x: float,
        y: float,
        size: float,
        colour: str,
        *,
        bold: bool = False,
        anchor: Anchor = "start",
        halo: str | None = None,
    ) -> None:
        around = ' font-weight="600"' if bold else ""
        if halo is not None:
            around += f' stroke="{halo}" stroke-width="{size * 0.22:.2f}" stroke-linejoin="round" paint-order="stroke"'
        # Fonts differ between viewers: fix the width that the layout assumed.
        wide = text_width(text, size, bold=bold)
        around += f' textLength="{wide:.1f}" lengthAdjust="spacingAndGlyphs"' if is_measured(text) and wide > 0 else ""
        self._parts.append(
            f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:.1f}" fill="{colour}" text-anchor="{anchor}"'
            f"{around}>{escape(text)}</text>"
        )

    def clip(self, box: tuple[float, float, float, float] | None) -> None:
        if self._clipped:
            self._parts.append("</g>")
        self._clipped = box is not None
        if box is not None:
            self._clips += 1
            x, y, wide, high = box
            name = f"clip{self._clips}"
            self._parts.append(
                f'<clipPath id="{name}"><rect x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{high:.1f}"/>'
                f'</clipPath><g clip-path="url(#{name})">'
            )

    def group(self, name: str | None, part: int | None = None) -> None:
        """Group later shapes, so that a script can show or hide them; None ends the group."""
        number = "" if part is None else f' data-part="{part}"'
        self._parts.append("</g>" if name is None else f'<g class="{escape(name)}"{number}>')

    def to_bytes(self) -> bytes:
        self.clip(None)
        return self.document().encode("utf-8")

    def fragment(self) -> str:
        """What was drawn, for another SVG."""
        self.clip(None)
        return "\n".join(self._parts)

    def document(self) -> str:
        """The whole document as text."""
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width:.1f} {self.height:.1f}" '
            f'width="{self.width:.0f}" height="{self.height:.0f}" role="img" font-family="{FONT}">'
        )
        return f"{head}\n<title>{escape(self._title)}</title>\n" + "\n".join(self._parts) + "\n</svg>\n"


def _clear(opacity: float) -> str:
    return "" if opacity >= 1.0 else f' opacity="{opacity:.2f}"'


def ring_path(ring: Points) -> str:
    """A closed ring as path data; nothing where it is smaller than the drawing can show."""
    path = _path(ring)
    return path and path + "Z"


def _path(points: Points) -> str:
    (x, y), *others = drop_repeats(points, 1).tolist()
    if not others:
        return ""
    steps = [f"M{x:g} {y:g}"]
    for to_x, to_y in others:
        steps.append(f"V{to_y:g}" if to_x == x else f"H{to_x:g}" if to_y == y else f"L{to_x:g} {to_y:g}")
        x, y = to_x, to_y
    return "".join(steps)


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """The width of a text in Helvetica; other fonts come near."""
    total = 0
    for letter in unicodedata.normalize("NFKD", text):
        if unicodedata.combining(letter):
            continue
        place = ord(letter) - 32
        if 0 <= place < len(_WIDTHS):
            total += _WIDTHS[place]
        else:
            total += 1000 if unicodedata.east_asian_width(letter) in "WF" else _UNKNOWN
    return total * size / 1000 * (_BOLD if bold else 1.0)


def is_measured(text: str) -> bool:
    """Whether the width is known: Latin letters, accented or not, and signs."""
    plain = (letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))
    return all(ord(letter) - 32 < len(_WIDTHS) or not letter.isalpha() for letter in plain)


def drop_repeats(points: Points, digits: int) -> Points:
    """Points rounded to so many digits, without those that equal the one before."""
    rounded = np.round(points, digits)
    kept: Points = rounded[np.append(True, (rounded[1:] != rounded[:-1]).any(axis=1))]
    return kept


def rectangle(x: float, y: float, width: float, height: float) -> Points:
    """A ring."""
    return np.array([[x, y], [x + width, y], [x + width, y + height], [x, y + height]], dtype=np.float64)


def circle(x: float, y: float, radius: float, corners: int = 24) -> Points:
    """A polygon close to a circle at the size of a mark."""
    turn = np.linspace(0.0, 2.0 * np.pi, corners, endpoint=False)
    return np.column_stack([x + radius * np.cos(turn), y + radius * np.sin(turn)])
