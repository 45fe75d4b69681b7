"""`picture`: a release, or two beside each other, as one file for a report, a poster or a web page."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Final

import numpy as np

from dpviz.drawing import write_page
from dpviz.drawing.canvas import Canvas, circle, rectangle, shorten_words, text_width, wrap_words
from dpviz.drawing.density import shade_cells
from dpviz.drawing.ground import Box, box_of, ground_of, names_of_centers
from dpviz.drawing.looks import SHADE_OPACITY, Look, find_look
from dpviz.drawing.map_view import DIAMOND, Place, aspect_of, draw_centers, draw_map
from dpviz.drawing.pdf_canvas import PdfCanvas
from dpviz.drawing.svg_canvas import SvgCanvas
from dpviz.errors import InputError, NotOffered
from dpviz.extensions import Extension, extensions
from dpviz.labels import sentences as say
from dpviz.labels.accuracy import accuracy_sentences, trust_sentences
from dpviz.privacy import out_of_100
from dpviz.releases.release import PREVIEW, PUBLISHED, UNVERIFIED, Release

KINDS: Final = ("svg", "pdf", "png", "html")
_PERIOD: Final = {"period_start", "period_end"}
MARGIN = 36.0
COLUMN = 300.0  # of the words beside the map
LONGEST_MAP = 1080.0
TALLEST_MAP = 860.0
LEAST_HEIGHT = 560.0
MOST_LISTED = 12


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
        rules = f"html, body {{ margin: 0; background: {look.paper}; }}"
        rules += " svg { display: block; width: 100%; height: auto; }"
        return write_page(escape(named), rules, canvas.document(), scripts=False).encode("utf-8")
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


# ---- the sheet -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """Sizes of a page, in its units."""

    width: float
    height: float
    maps: tuple[Place, ...]
    column: Place
    title_lines: tuple[str, ...]


def sheet_of(box: Box, title: str, look: Look, many: int) -> Sheet:
    """A page around maps of this shape: portrait boxes get a narrow page, wide ones a low one."""
    aspect, big = aspect_of(box), look.letters
    column = COLUMN * big
    wide = min(LONGEST_MAP if many == 1 else 700.0, TALLEST_MAP * aspect)
    high = wide / aspect
    body = max(high, LEAST_HEIGHT * big)
    width = 2 * MARGIN + many * wide + (many - 1) * 18.0 + 28.0 + column
    lines = tuple(wrap_words(title, 30 * big, width - 2 * MARGIN, bold=True)[:3])
    top = MARGIN + len(lines) * 36 * big + 34 * big + (24 * big if many > 1 else 0)
    maps = tuple(Place(x=MARGIN + at * (wide + 18.0), y=top, width=wide, height=high) for at in range(many))
    side = Place(x=width - MARGIN - column, y=top, width=column, height=body)
    return Sheet(width=width, height=top + body + 64 * big, maps=maps, column=side, title_lines=lines)


def title_of(release: Release) -> str:
    """What the publisher called it, or what it shows."""
    return " ".join(
        str(
            release.about.get("title") or f"Where people gather: {release.dataset or 'a dataset without a name'}"
        ).split()
    )


def draw_sheet(
    canvas: Canvas, releases: list[Release], look: Look, sheet: Sheet, box: Box, record: str = "record"
) -> None:
    """Everything on the page."""
    maps, begins = shade_cells([release.protected_cells for release in releases])
    canvas.areas([rectangle(0, 0, sheet.width, sheet.height)], look.paper)
    _head(canvas, releases, look, sheet)
    for release, place, cells in zip(releases, sheet.maps, maps, strict=True):
        if len(releases) > 1:
            said = shorten_words(
                " · ".join([_level_words(release), *_total_words(release)]), 15 * look.letters, place.width, bold=True
            )
            canvas.words(said, place.x, place.y - 9 * look.letters, 15 * look.letters, look.ink, bold=True)
        draw_map(canvas, release, look, place, box, cells)
    _column(canvas, releases, look, sheet, box, begins, record)
    _foot(canvas, releases, look, sheet, box)


def _head(canvas: Canvas, releases: list[Release], look: Look, sheet: Sheet) -> None:
    big = look.letters
    y = MARGIN + 24 * big
    for line in sheet.title_lines:
        canvas.words(line, MARGIN, y, 30 * big, look.ink, bold=True)
        y += 36 * big
    abouts = [release.about for release in releases]
    periods = [f"{about['period_start']} to {about['period_end']}" for about in abouts if set(about) >= _PERIOD]
    days = dict.fromkeys(str(about["published"]) for about in abouts if "published" in about)
    said = [" and ".join(dict.fromkeys(periods)), f"published {' and '.join(days)}" if days else ""]
    said = [*filter(None, said), *(_total_words(releases[0]) if len(releases) == 1 else ())]
    line = shorten_words(" · ".join(said), 15 * big, sheet.width - 2 * MARGIN)
    canvas.words(line[:1].upper() + line[1:], MARGIN, y - 8 * big, 15 * big, look.faint)


def _total_words(release: Release) -> list[str]:
    total = release.noisy_total
    return [] if total is None else [f"about {max(total, 0.0):,.0f} records"]


def _level_words(release: Release) -> str:
    odds = out_of_100(release.guarantee.epsilon, release.guarantee.delta)
    return f"A guesser is right at most {odds} times in 100"


@dataclass
class _Pen:
    """Words from above to below in a column."""

    canvas: Canvas
    look: Look
    x: float
    y: float
    width: float

    def heading(self, text: str) -> None:
        size = 14.5 * self.look.letters
        self.y += size * 1.25
        self.canvas.words(text, self.x, self.y, size, self.look.ink, bold=True)
        self.y += size * 0.55

    def text(self, text: str, *, size: float = 12.5, faint: bool = True, indent: float = 0.0) -> None:
        letters = size * self.look.letters
        for line in wrap_words(text, letters, self.width - indent):
            self.y += letters * 1.32
            self.canvas.words(line, self.x + indent, self.y, letters, self.look.faint if faint else self.look.ink)

    def gap(self, size: float) -> None:
        self.y += size * self.look.letters


def _column(
    canvas: Canvas,
    releases: list[Release],
    look: Look,
    sheet: Sheet,
    box: Box,
    begins: tuple[float, ...],
    record: str,
) -> None:
    pen = _Pen(canvas, look, sheet.column.x, sheet.column.y - 14 * look.letters, sheet.column.width)
    _legend(pen, begins)
    if len(releases) == 1:
        _centers(pen, releases[0], box)
    pen.gap(8)
    pen.heading("What is promised")
    for release in releases:
        _odds(pen, release, record)
        pen.gap(6)
    _quality(pen, releases, sheet.column.y + sheet.column.height)


def _legend(pen: _Pen, begins: tuple[float, ...]) -> None:
    look, big = pen.look, pen.look.letters
    if begins:
        pen.heading("Records per square kilometre")
        pen.gap(4)
        steps = {value: shade for shade, value in enumerate(begins)}  # few densities make fewer shades
        wide, high, size, last = pen.width / len(steps), 14 * big, 10.5 * big, -1e9
        for number, (value, shade) in enumerate(steps.items()):
            left, said = pen.x + number * wide, _short(value)
            box = rectangle(left, pen.y, wide + 0.3, high)
            pen.canvas.areas([box], look.land)
            pen.canvas.areas([box], look.cells[shade], opacity=SHADE_OPACITY[shade], sharp=True)
            if left > last + 4:
                pen.canvas.words(said, left, pen.y + high + size * 1.25, size, look.faint)
                last = left + text_width(said, size)
        pen.y += high + size * 1.25
        pen.text("Estimates with added chance; where a cell tells nothing but chance, it is left clear.", size=11)
    pen.gap(8)
    size = DIAMOND * big * 0.8
    y = pen.y + 14 * big
    draw_centers(pen.canvas, look, np.array([[pen.x + size + 3, y]]), size)
    pen.canvas.words("Center of many records", pen.x + 2 * size + 14, y + 4.5 * big, 12.5 * big, look.ink)
    pen.y = y + 10 * big


def _short(value: float) -> str:
    """Two figures: a legend is read, not computed with."""
    value = float(f"{value:.2g}")
    if value >= 1e6:
        return f"{value / 1e6:g} M"
    return f"{value / 1000:g} k" if value >= 10_000 else f"{value:,.0f}" if value >= 1 else f"{value:g}"


def _centers(pen: _Pen, release: Release, box: Box) -> None:
    if len(release.raw_centers) > MOST_LISTED:
        return
    pen.gap(4)
    names = names_of_centers(ground_of(box), release.raw_centers[:, 0], release.raw_centers[:, 1])
    size = 12.5 * pen.look.letters
    for number, (name, weight) in enumerate(zip(names, release.center_weights, strict=True), start=1):
        pen.y += size * 1.45
        many = f"{max(weight, 0.0):,.0f}"
        room = pen.width - 24 * pen.look.letters - text_width(many, size) - 10
        pen.canvas.words(f"{number}", pen.x, pen.y, size, pen.look.ink, bold=True)
        pen.canvas.words(
            shorten_words(name or "no place near", size, room), pen.x + 24 * pen.look.letters, pen.y, size, pen.look.ink
        )
        pen.canvas.words(many, pen.x + pen.width, pen.y, size, pen.look.faint, anchor="end")


def _odds(pen: _Pen, release: Release, record: str) -> None:
    """A hundred guessers, those that are right filled, and the sentence beside them."""
    look, big = pen.look, pen.look.letters
    right = out_of_100(release.guarantee.epsilon, release.guarantee.delta)
    step = 7.4 * big
    top = pen.y + 10 * big
    filled = [circle(pen.x + (at % 10 + 0.5) * step, top + (at // 10 + 0.5) * step, step * 0.36) for at in range(100)]
    pen.canvas.areas(filled[:right], look.cells[-3])
    pen.canvas.areas(filled[right:], look.rule)
    beside = 10 * step + 12 * big
    before = pen.y
    pen.text(say.odds_told(release.guarantee, record), size=11.5, faint=False, indent=beside)
    pen.y = max(pen.y, top + 10 * step, before)


def _quality(pen: _Pen, releases: list[Release], floor: float) -> None:
    """As much as there is room for; of two releases the same of both."""
    letters = 11.5 * pen.look.letters

    def need(texts: tuple[str, ...]) -> float:
        return sum(len(wrap_words(text, letters, pen.width)) * letters * 1.32 + 6 for text in texts)

    chosen = [_said_of_quality(release, alone=len(releases) == 1) for release in releases]
    room = floor - pen.y - (34 + 22 * (len(releases) - 1) * 2) * pen.look.letters
    fitting = 0
    for texts in zip(*chosen, strict=False):
        room -= need(texts)
        if room < 0:
            break
        fitting += 1
    if fitting:
        pen.heading("How good it is")
    for side, sentences in zip(("Left", "Right"), chosen, strict=False):
        if len(releases) > 1 and fitting:
            pen.text(side, size=12.5, faint=False)
        for text in sentences[:fitting]:
            pen.text(text, size=11.5)
            pen.gap(5)


def _said_of_quality(release: Release, *, alone: bool) -> list[str]:
    sentences = accuracy_sentences(release)
    if release.protected_cells is None:
        return sentences
    return [*sentences[1:2], *sentences[3:], *(trust_sentences(release) if alone else ())]


def _foot(canvas: Canvas, releases: list[Release], look: Look, sheet: Sheet, box: Box) -> None:
    big = look.letters
    size = 10.5 * big
    y = sheet.height - 42 * big
    wide = sheet.width - 2 * MARGIN
    canvas.words(shorten_words(f"Map: {ground_of(box).credit}", size, wide), MARGIN, y, size, look.faint)
    said = []
    for release in releases:
        state = {
            PUBLISHED: "published through the ledger",
            UNVERIFIED: "published, signature not checked here",
        }.get(release.status, f"{release.status}: not for publication")
        said.append(f"release {release.id[:12]}, {state}")
    promises = dict.fromkeys(str(release.guarantee) for release in releases)
    words = f"{'; '.join(said)}. {' '.join(promises)} Made with dpviz."
    first, *others = wrap_words(words[:1].upper() + words[1:], size, wide)
    for at, line in enumerate((first, shorten_words(" ".join(others), size, wide))):
        canvas.words(line, MARGIN, y + (at + 1) * 14 * big, size, look.faint)
