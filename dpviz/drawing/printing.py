"""Typeset one page from data: PDF with tags and alternative texts, SVG or PNG, in every script a font here has.

Typst sets the page by the template `print.typ`. The same data and fonts give the same bytes.
"""

from __future__ import annotations

import base64
import json
import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from html import escape
from typing import Any, Final

import typst

from dpviz.drawing import read_web_file
from dpviz.drawing.svg_canvas import SvgCanvas
from dpviz.errors import InputError
from dpviz.releases.paths import user_data_folder

# Without marks of their own, at home on Linux, macOS and Windows; the last two come with typst.
FONTS: Final = (
    *("Noto Sans", "DejaVu Sans", "Liberation Sans", "Helvetica Neue", "Segoe UI", "Arial", "Noto Sans CJK SC"),
    *("Libertinus Serif", "DejaVu Sans Mono"),
)
STANDARDS: Final = ("a-2a", "ua-1")
_PIXELS_PER_INCH: Final = 115.2  # 1.6 to a unit of the page
_PROBE: Final = "#set text(font: json(bytes(sys.inputs.fonts)))\n#set document(title: [x])\n#sys.inputs.said"
_UNREAD: Final = re.compile(r"the text `\"(.*?)\"` could not be displayed", re.DOTALL)
_NESTED: Final = re.compile(r'<image ([^>]*?)(?:xlink:)?href="data:image/svg\+xml;base64,([^"]*)"([^>]*?)/>')


class LetteredCanvas(SvgCanvas):
    """A drawing whose words are set by the page it stands on."""

    def __init__(self, width: float, height: float) -> None:
        super().__init__(width, height, "")
        self.letters: list[dict[str, Any]] = []

    def words(self, text: str, x: float, y: float, size: float, colour: str, **how: Any) -> None:
        place = {"x": round(x, 2), "y": round(y, 2), "size": size, "colour": colour}
        self.letters.append({**one(text), **place, "bold": False, "anchor": "start", "halo": None, **how})


def one(text: str) -> dict[str, Any]:
    """A text and whether it runs from right to left, as its first letter that has a direction does."""
    ways = (unicodedata.bidirectional(letter) for letter in text)
    return {"text": text, "rtl": next((way != "L" for way in ways if way in ("L", "R", "AL")), False)}


def print_page(kind: Any, data: Mapping[str, Any], drawings: Mapping[str, SvgCanvas], *, told: str, day: str) -> bytes:
    """Set the page. `told`: what a picture of it says to those who do not see it. `day`: of the release, as ISO."""
    date = dict(zip(("year", "month", "day"), map(int, day.split("-")), strict=True)) if day else None
    inputs = {name: drawing.document() for name, drawing in drawings.items()}
    inputs["data"] = json.dumps({**data, "fonts": FONTS, "date": date}, ensure_ascii=False)
    options: dict[str, Any] = {"pdf_standards": list(STANDARDS)} if kind == "pdf" else {}
    if kind == "png":
        options["ppi"] = _PIXELS_PER_INCH
    page = typst.compile(
        read_web_file("print.typ").encode(), format=kind, sys_inputs=inputs, font_paths=_fonts(), timestamp=0, **options
    )
    if isinstance(page, list) or page is None:
        raise InputError("the page grew beyond one sheet; give a shorter title.")
    return page if kind != "svg" else _for_readers(page.decode("utf-8"), str(data["title"]), told).encode("utf-8")


def letters_without_font(text: str) -> str:
    """Those letters of a text that no font here can write, in order."""
    asked = "".join(
        dict.fromkeys(letter for letter in text if ord(letter) > 126 and unicodedata.category(letter)[0] in "LN")
    )
    return _without_font(asked) if asked else ""


@lru_cache(maxsize=256)
def _without_font(letters: str) -> str:
    missing = ""
    while len(missing) < len(letters):
        # Every letter is a word of its own: neighbours must not join.
        inputs = {"said": " ".join(letter for letter in letters if letter not in missing), "fonts": json.dumps(FONTS)}
        try:
            typst.compile(_PROBE.encode(), format="pdf", sys_inputs=inputs, font_paths=_fonts(), pdf_standards=["ua-1"])
        except typst.TypstError as error:
            found = _UNREAD.search(str(error))
            new = [letter for letter in letters if found and letter in found[1] and letter not in missing]
            if not new:
                raise
            missing += "".join(new)
        else:
            break
    return "".join(letter for letter in letters if letter in missing)


@lru_cache(maxsize=1)
def _fonts() -> typst.Fonts:
    """Fonts of this computer, those in the folder `fonts` of dpviz's own data, and those that typst brings."""
    own = user_data_folder() / "fonts"
    return typst.Fonts(font_paths=[own] if own.is_dir() else [])


def _for_readers(page: str, title: str, told: str) -> str:
    """Name an SVG for screen readers, and put drawings into it as they are: a link would hide them from editors."""

    def opened(found: re.Match[str]) -> str:
        inner = base64.b64decode(found[2]).decode("utf-8")
        size = " ".join(re.findall(r'(?<![\w-])(?:x|y|width|height|transform)="[^"]*"', found[1] + found[3]))
        return re.sub(r'<svg ([^>]*?) width="[^"]*" height="[^"]*"[^>]*>', rf"<svg \1 {size}>", inner, count=1)

    named = f"<title>{escape(title)}</title><desc>{escape(told)}</desc>"
    page = re.sub(r"<svg ([^>]*)>", lambda found: f'<svg role="img" {found[1]}>{named}', page, count=1)
    return _NESTED.sub(opened, page)
