"""A page as PNG, through Pillow, which the extra `app` brings. Drawn twice as large and made smaller."""

from __future__ import annotations

import contextlib
import importlib
import io
import unicodedata
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from dpviz.drawing.canvas import Anchor, Points, rgb, text_width
from dpviz.errors import extra_needed

_FONTS: Final = (  # common ones of Linux, macOS and Windows, with the bold of each
    ("LiberationSans-Regular.ttf", "LiberationSans-Bold.ttf"),
    ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf"),
    ("NotoSans-Regular.ttf", "NotoSans-Bold.ttf"),
    ("arial.ttf", "arialbd.ttf"),
    ("Arial.ttf", "Arial Bold.ttf"),
    ("Helvetica.ttc", "Helvetica.ttc"),
)
_SAMPLE: Final = "Records per square kilometre, at most 63 times in 100"
FINER: Final = 2  # drawn so much larger than shown, against jagged edges


class PngCanvas:
    """A picture of points, `scale` of them to a unit of the page."""

    def __init__(self, width: float, height: float, *, scale: float = 1.6) -> None:
        with extra_needed():
            self._image: Any = importlib.import_module("PIL.Image")
            self._draw: Any = importlib.import_module("PIL.ImageDraw")
            self._font: Any = importlib.import_module("PIL.ImageFont")
        self._finer = scale * FINER
        self._size = round(width * self._finer), round(height * self._finer)
        self._final = round(width * scale), round(height * scale)
        self._page = self._image.new("RGB", self._size, (255, 255, 255))
        self._clip: tuple[int, int, int, int] | None = None
        self._fonts: dict[tuple[float, bool], tuple[Any, bool]] = {}
        self._marks_missing = False

    def areas(self, rings: Sequence[Points], colour: str, *, opacity: float = 1.0, sharp: bool = False) -> None:
        window = self._window(rings, 1.0)
        if window is None:
            return
        if len(rings) == 1 or sharp:  # rings that do not overlap
            mask, brush = self._mask(window)
            for ring in rings:
                brush.polygon(self._places(ring, window), fill=round(255 * opacity))
            self._page.paste(rgb(colour), window, mask)
            return
        chops: Any = importlib.import_module("PIL.ImageChops")
        mask, _ = self._mask(window)
        for ring in rings:  # each turns over what it covers: holes stay open
            one, brush = self._mask(window)
            brush.polygon(self._places(ring, window), fill=255)
            mask = chops.difference(mask, one)
        self._page.paste(rgb(colour), window, mask.point(lambda value: round(value * opacity)))

    def lines(self, paths: Sequence[Points], colour: str, width: float, *, opacity: float = 1.0) -> None:
        wide = max(round(width * self._finer), 1)
        window = self._window(paths, wide + 1.0)
        if window is None:
            return
        mask, brush = self._mask(window)  # what overlaps within one call is not darker for it
        for path in paths:
            brush.line(
                self._places(path, window), fill=round(255 * opacity), width=wide, joint="curve" if wide > 2 else None
            )
        self._page.paste(rgb(colour), window, mask)

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
        font, real_bold = self._lettering(size * self._finer, bold)
        said = _plain(text) if self._marks_missing else text
        place = (x * self._finer, y * self._finer)
        side = {"start": "ls", "middle": "ms", "end": "rs"}[anchor]
        brush = self._draw.Draw(self._page)
        if halo is not None:
            around = max(round(size * 0.11 * self._finer), 1)
            brush.text(place, said, font=font, fill=rgb(halo), anchor=side, stroke_width=around, stroke_fill=rgb(halo))
        heavier = max(round(size * 0.02 * self._finer), 1) if bold and not real_bold else 0
        brush.text(place, said, font=font, fill=rgb(colour), anchor=side, stroke_width=heavier, stroke_fill=rgb(colour))

    def _lettering(self, size: float, bold: bool) -> tuple[Any, bool]:
        """A font of this computer with many letters, in bold where it has that; else the one that Pillow carries."""
        if (size, bold) not in self._fonts:
            self._fonts[size, bold] = self._found_font(size, bold)
        return self._fonts[size, bold]

    def _found_font(self, size: float, bold: bool) -> tuple[Any, bool]:
        for regular, heavy in _FONTS:
            for name, is_bold in ((heavy, True), (regular, False)) if bold else ((regular, False),):
                with contextlib.suppress(OSError):
                    found = self._font.truetype(name, size)
                    # Broader letters than the page was laid out for are drawn smaller.
                    room = text_width(_SAMPLE, size, bold=bold) / max(float(found.getlength(_SAMPLE)), 1.0)
                    return (found if room >= 1.0 else self._font.truetype(name, size * room)), is_bold
        self._marks_missing = True
        return self._font.load_default(size), False

    def clip(self, box: tuple[float, float, float, float] | None) -> None:
        if box is None:
            self._clip = None
            return
        x, y, wide, high = (round(value * self._finer) for value in box)
        self._clip = x, y, x + wide, y + high

    def to_bytes(self) -> bytes:
        smaller = self._page.resize(self._final, self._image.Resampling.LANCZOS)
        file = io.BytesIO()
        smaller.save(file, "PNG", dpi=(154, 154))
        return file.getvalue()

    def _window(self, pieces: Sequence[Points], margin: float) -> tuple[int, int, int, int] | None:
        """The pixels that shapes touch, inside the page and what is drawn in now; None for none."""
        if not pieces:
            return None
        low = np.min([piece.min(axis=0) for piece in pieces], axis=0) * self._finer - margin
        high = np.max([piece.max(axis=0) for piece in pieces], axis=0) * self._finer + margin
        left, top, right, bottom = self._clip or (0, 0, *self._size)
        x0, y0 = max(int(np.floor(low[0])), left), max(int(np.floor(low[1])), top)
        x1, y1 = min(int(np.ceil(high[0])) + 1, right), min(int(np.ceil(high[1])) + 1, bottom)
        return (x0, y0, x1, y1) if x1 > x0 and y1 > y0 else None

    def _mask(self, window: tuple[int, int, int, int]) -> tuple[Any, Any]:
        mask = self._image.new("L", (window[2] - window[0], window[3] - window[1]), 0)
        return mask, self._draw.Draw(mask)

    def _places(self, points: Points, window: tuple[int, int, int, int]) -> list[tuple[float, float]]:
        return [(x, y) for x, y in (np.round(points * self._finer) - (window[0], window[1])).tolist()]


def _plain(text: str) -> str:
    """Letters without their marks, for a font that has only those of English."""
    return "".join(letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))
