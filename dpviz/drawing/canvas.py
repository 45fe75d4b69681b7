"""Shapes of drawings, and how wide words are, in page units: x to the right, y down."""

from __future__ import annotations

import unicodedata
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

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
