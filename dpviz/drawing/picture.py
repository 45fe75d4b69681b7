"""`picture`: a release, or two beside each other, as one file for a report, a poster or a web page."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Final

from dpviz.drawing.canvas import Canvas
from dpviz.drawing.ground import box_of
from dpviz.drawing.looks import find_look
from dpviz.drawing.pdf_canvas import PdfCanvas
from dpviz.drawing.poster import draw_sheet, sheet_of, title_of
from dpviz.drawing.svg_canvas import SvgCanvas
from dpviz.errors import InputError, NotOffered
from dpviz.extensions import Extension, extensions
from dpviz.releases.release import PREVIEW, Release

KINDS: Final = ("svg", "pdf", "png", "html")
_PAGE: Final = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="referrer" content="no-referrer">
<title>{title}</title>
<style>html, body {{ margin: 0; background: {paper}; }} svg {{ display: block; width: 100%; height: auto; }}</style>
</head>
<body>
{drawing}
</body>
</html>
"""


def foreign_exports() -> dict[str, Extension]:
    """Functions of other packages from a release to the bytes of a file, by the ending of its name."""
    return extensions("dpviz.exports", (*KINDS, "htm"))


def picture(
    release: Release,
    kind: str = "svg",
    *,
    beside: Release | None = None,
    style: str = "light",
    title: str = "",
    record: str = "record",
) -> bytes:
    """A titled picture of a release: map, legend, promise, date and credit.

    `kind`: svg, pdf, png (needs Pillow) or html, a page that may be put into another page. `beside`: a second release
    of the same box, drawn in the same scale of colours. `style`: light, dark, projector or print. Previews are refused:
    they are for the curator's eyes.
    """
    if kind not in KINDS and kind not in foreign_exports():
        raise InputError(f"kind={kind!r} is no kind of picture; use {', '.join(KINDS)}.", kind=kind)
    look = find_look(style)
    releases = [release] if beside is None else [release, beside]
    for each in releases:
        if each.status == PREVIEW:
            raise NotOffered("a preview is for the curator's eyes; publish first, and draw what was published.")
        if kind in KINDS and box_of(each.frame) is None:
            raise NotOffered("a picture is drawn of a map of two dimensions; this release has other axes.")
    if kind not in KINDS:
        with foreign_exports()[kind].named_failures():
            return bytes(memoryview(foreign_exports()[kind].value(release)))
    box = box_of(release.frame)
    assert box is not None
    if beside is not None and box_of(beside.frame) != box:
        raise InputError("the two releases have different public boxes; put releases of one box beside each other.")
    named = " ".join(title.split()) or title_of(release)
    sheet = sheet_of(box, named, look, len(releases))
    canvas = _canvas(kind, sheet.width, sheet.height, named)
    draw_sheet(canvas, releases, look, sheet, box, record)
    if kind == "html":
        assert isinstance(canvas, SvgCanvas)
        canvas.clip(None)
        return _PAGE.format(title=escape(named), paper=look.paper, drawing=canvas.document()).encode("utf-8")
    return canvas.to_bytes()


def kind_of_name(name: str | Path) -> str:
    """The kind of picture that a file's ending asks for."""
    ending = Path(name).suffix.lower().removeprefix(".")
    kind = {"htm": "html"}.get(ending, ending)
    if kind not in KINDS and kind not in foreign_exports():
        more = "".join(f", .{one}" for one in foreign_exports())
        known = f".svg, .pdf, .png or .html{more}"
        raise InputError(f"{Path(name).name!r} ends in {ending or 'nothing'!r}; name a file {known}.")
    return kind


def _canvas(kind: str, width: float, height: float, title: str) -> Canvas:
    if kind == "png":
        from dpviz.drawing.png_canvas import PngCanvas

        return PngCanvas(width, height)
    return PdfCanvas(width, height, title) if kind == "pdf" else SvgCanvas(width, height, title)
