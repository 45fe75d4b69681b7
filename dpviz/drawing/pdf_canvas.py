"""A page as PDF 1.7, written by hand: vectors, and words in the Helvetica that every reader of PDF brings.

That font has the letters of western Europe; others lose their marks, and what remains
is a question mark.
"""

from __future__ import annotations

import unicodedata
import zlib
from collections.abc import Sequence

import numpy as np

from dpviz.drawing.canvas import Anchor, Points, drop_repeats, rgb, text_width

_LETTERS = {"ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ı": "i", "ħ": "h", "Ħ": "H", "ŋ": "n"}


class PdfCanvas:
    """One page; a unit is a point of 1/72 inch."""

    def __init__(self, width: float, height: float, title: str) -> None:
        self.width, self.height = width, height
        self._title = title
        self._parts: list[str] = []
        self._opacities: dict[int, str] = {}
        self._clipped = False

    def areas(self, rings: Sequence[Points], colour: str, *, opacity: float = 1.0, sharp: bool = False) -> None:
        path = "".join(self._path(ring) + "h\n" for ring in rings if len(ring) > 2)
        if path:
            self._parts.append(f"q {self._veil(opacity)}{_ink(colour)} rg\n{path}f* Q")

    def lines(self, paths: Sequence[Points], colour: str, width: float, *, opacity: float = 1.0) -> None:
        path = "".join(self._path(line) for line in paths if len(line) > 1)
        if path:
            self._parts.append(f"q {self._veil(opacity)}{_ink(colour)} RG {width:.2f} w 1 J 1 j\n{path}S Q")

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
        written = _written(text)
        back = {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor] * text_width(text, size, bold=bold)
        place = f"/{'F2' if bold else 'F1'} {size:.1f} Tf {x - back:.2f} {self.height - y:.2f} Td ({written}) Tj ET"
        if halo is not None:
            self._parts.append(f"q {_ink(halo)} RG {size * 0.22:.2f} w 1 J 1 j BT 1 Tr {place} Q")
        self._parts.append(f"q {_ink(colour)} rg BT 0 Tr {place} Q")

    def clip(self, box: tuple[float, float, float, float] | None) -> None:
        if self._clipped:
            self._parts.append("Q")
        self._clipped = box is not None
        if box is not None:
            x, y, wide, high = box
            self._parts.append(f"q {x:.2f} {self.height - y - high:.2f} {wide:.2f} {high:.2f} re W n")

    def to_bytes(self) -> bytes:
        self.clip(None)
        content = zlib.compress("\n".join(self._parts).encode("latin-1"), 9)
        veils = " ".join(
            f"/{name} << /ca {part / 100:.2f} /CA {part / 100:.2f} >>" for part, name in sorted(self._opacities.items())
        )
        fonts = "/F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >> "
        fonts += "/F2 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>"
        size = f"[0 0 {self.width:.2f} {self.height:.2f}]"
        objects = [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            f"<< /Type /Page /Parent 2 0 R /MediaBox {size} /Contents 4 0 R /Resources << /Font << {fonts} >> "
            f"/ExtGState << {veils} >> >> >>".encode("latin-1"),
            f"<< /Length {len(content)} /Filter /FlateDecode >>\nstream\n".encode() + content + b"\nendstream",
            f"<< /Title ({_written(self._title)}) >>".encode("latin-1"),
        ]
        out, places = bytearray(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"), []
        for number, written in enumerate(objects, start=1):
            places.append(len(out))
            out += f"{number} 0 obj\n".encode() + written + b"\nendobj\n"
        table = "".join(f"{place:010d} 00000 n \n" for place in places)
        end = f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}trailer\n"
        end += f"<< /Size {len(objects) + 1} /Root 1 0 R /Info 5 0 R >>\nstartxref\n{len(out)}\n%%EOF\n"
        return bytes(out) + end.encode()

    def _veil(self, opacity: float) -> str:
        part = round(opacity * 100)
        return "" if part >= 100 else f"/{self._opacities.setdefault(part, f'G{part}')} gs "

    def _path(self, points: Points) -> str:
        turned = drop_repeats(np.column_stack([points[:, 0], self.height - points[:, 1]]), 2)
        places = [f"{x:g} {y:g} {'l' if at else 'm'}\n" for at, (x, y) in enumerate(turned.tolist())]
        return "".join(places) if len(places) > 1 else ""


def _ink(colour: str) -> str:
    return " ".join(f"{value / 255:.3f}" for value in rgb(colour))


def _written(text: str) -> str:
    """A text as a PDF string in the letters of WinAnsi, with everything that has a meaning there escaped."""
    written = ""
    for letter in unicodedata.normalize("NFC", text):
        for candidate in (letter, unicodedata.normalize("NFKD", _LETTERS.get(letter, letter))[:1], "?"):
            try:
                code = candidate.encode("cp1252")[0]
            except (UnicodeEncodeError, IndexError):
                continue
            written += candidate if (32 <= code < 127 and candidate not in "()\\") else f"\\{code:03o}"
            break
    return written
