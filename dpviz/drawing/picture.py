"""`picture`: a release, or two beside each other, as one file for a report, a poster or a web page."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Any, Final

import numpy as np

from dpviz.drawing import printing, write_page
from dpviz.drawing.density import ShadedBoxes, shade_cells
from dpviz.drawing.ground import Box, box_of, ground_of, names_of_centers
from dpviz.drawing.looks import SHADE_OPACITY, Look, find_look
from dpviz.drawing.map_view import DIAMOND, Projection, aspect_of, draw_centers, draw_map
from dpviz.drawing.other_maps import OWN_EXPORTS
from dpviz.drawing.svg_canvas import SvgCanvas, circle, rectangle
from dpviz.errors import InputError, NotOffered
from dpviz.extensions import Extension, extensions
from dpviz.labels import sentences as say
from dpviz.labels.accuracy import accuracy_sentences, trust_sentences
from dpviz.labels.privacy_label import privacy_label
from dpviz.language import ENGLISH
from dpviz.privacy import out_of_100
from dpviz.questions.counts import together
from dpviz.releases.paths import user_data_folder
from dpviz.releases.release import PREVIEW, PUBLISHED, UNVERIFIED, NoAnswer, Release

KINDS: Final = ("svg", "pdf", "png", "html")
_PERIOD: Final = {"period_start", "period_end"}
MARGIN = 36.0
COLUMN = 300.0  # of the words beside the map
LONGEST_MAP = 1080.0
TALLEST_MAP = 860.0
MOST_LISTED = 12
_BOLD: Final = re.compile(r"\*\*(.+?)\*\*")
_BARS: Final = re.compile(r"(?<!\\)\|")
_SIGNS: Final = re.compile(r"\\(.)|\[((?:[^\]\\]|\\.)*)\]\([^)]*\)|`")
_STEP = 7.4  # between the hundred dots


def foreign_exports() -> dict[str, Extension]:
    """Functions from a release to the bytes of a file, by the ending of its name: kepler.gl's, and other packages'."""
    return OWN_EXPORTS | extensions("dpviz.exports", (*KINDS, "htm", *OWN_EXPORTS))


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

    `kind`: svg, pdf, png or html, a page that may be put into another page. `beside`: a second release
    of the same box, drawn in the same scale of colours. `style`: light, dark, projector or print. Previews are refused:
    they are for the curator's eyes.
    """
    if kind not in KINDS and kind not in foreign_exports():
        raise InputError(f"kind={kind!r} is no kind of picture; use {', '.join(KINDS)}.", kind=kind)
    look = find_look(style)
    releases = [together(one) for one in ([release] if beside is None else [release, beside])]
    release = releases[0]
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
    if len(releases) > 1 and box_of(releases[1].frame) != box:
        raise InputError("the two releases have different public boxes; put releases of one box beside each other.")
    named = " ".join(title.split()) or title_of(release)
    _refuse_unwritable(named, "title", "or give another title.")
    sheet = Sheet(releases=releases, look=look, box=box, title=named, record=record)
    day = max((str(each.about.get("published", "")) for each in releases), default="")
    page = printing.print_page("svg" if kind == "html" else kind, *sheet.parts(), told=sheet.told, day=day[:10])
    if kind != "html":
        return page
    rules = f"html, body {{ margin: 0; background: {look.paper}; }}"
    rules += " main > svg { display: block; width: 100%; height: auto; }"
    rules += " h1 { position: absolute; width: 1px; height: 1px; margin: 0; overflow: hidden; clip-path: inset(50%); }"
    body = f"<main><h1>{escape(named)}</h1>{page.decode('utf-8')}</main>"  # the letters of the drawing are outlines
    return write_page(escape(named), rules, body, scripts=False).encode("utf-8")


def label_page(outcome: Release | NoAnswer, kind: str = "pdf", *, style: str = "light", language: str = "") -> bytes:
    """The privacy label as a page to print: pdf, svg or png, in this language or that of the release."""
    if kind not in KINDS[:3]:
        raise InputError(f"kind={kind!r} is no kind of a label; use {', '.join(KINDS[:3])}.", kind=kind)
    look, spoken = find_look(style), language or str(outcome.about.get("language", ENGLISH))
    text = privacy_label(outcome, spoken)
    _refuse_unwritable(text, "label", "or write it with other letters.")
    blocks = [_block(part.splitlines()) for part in text.split("\n\n") if part.strip()]
    title = "".join(span["text"] for span in blocks[0]["spans"])
    data = {
        "kind": "label",
        "language": spoken,
        "title": f"{title}: {title_of(outcome)}",
        "description": "",
        "author": str(outcome.about.get("publisher", "")),
        "look": _colours(look),
        "width": 595,
        "height": 842 if kind == "pdf" else None,
        "blocks": blocks,
    }
    return printing.print_page(kind, data, {}, told=text, day=str(outcome.about.get("published", ""))[:10])


def _block(lines: list[str]) -> dict[str, Any]:
    """One paragraph of the label's Markdown: a heading, a list, a table or a text."""
    if lines[0].startswith("#"):
        marks, _, said = lines[0].partition(" ")
        return {"kind": "heading", "level": len(marks), "spans": _spans(said)}
    if lines[0].startswith(("- ", "* ")):
        return {"kind": "list", "items": [_spans(line[2:]) for line in lines]}
    if lines[0].startswith("| "):
        rows = [[_spans(cell.strip()) for cell in _BARS.split(line)[1:-1]] for line in lines if line[1] != "-"]
        return {"kind": "table", "head": rows[0], "rows": rows[1:]}
    return {"kind": "text", "spans": _spans(" ".join(lines))}


def _spans(text: str) -> list[dict[str, Any]]:
    """The words of a line, bold or not, without the signs of Markdown."""
    parts = _BOLD.split(text)
    return [
        {"bold": at % 2 == 1, "text": _SIGNS.sub(r"\1\2", part)} for at, part in enumerate(parts) if part or at == 0
    ]


def _refuse_unwritable(text: str, what: str, otherwise: str) -> None:
    missing = printing.letters_without_font(text)
    if missing:
        raise InputError(
            f"no font of this computer has the letters {', '.join(missing[:8])} of the {what}; install one, put its "
            f"file into the folder {user_data_folder() / 'fonts'}, {otherwise}"
        )


def _colours(look: Look) -> dict[str, Any]:
    return {"paper": look.paper, "ink": look.ink, "faint": look.faint, "rule": look.rule, "letters": look.letters}


def kind_of_name(name: str | Path) -> str:
    """The kind of picture that a file's ending asks for."""
    ending = Path(name).suffix.lower().removeprefix(".")
    kind = {"htm": "html"}.get(ending, ending)
    if kind not in KINDS and kind not in foreign_exports():
        more = "".join(f", .{one}" for one in foreign_exports())
        known = f".svg, .pdf, .png or .html{more}"
        raise InputError(f"{Path(name).name!r} ends in {ending or 'nothing'!r}; name a file {known}.")
    return kind


def title_of(release: Release | NoAnswer) -> str:
    """What the publisher called it, or what it shows."""
    said = release.about.get("title") or f"Where people gather: {release.dataset or 'a dataset without a name'}"
    return " ".join(str(said).split())


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """What stands on the page: words, numbers and drawings."""

    releases: list[Release]
    look: Look
    box: Box
    title: str
    record: str

    @cached_property
    def shaded(self) -> tuple[list[ShadedBoxes], tuple[float, ...]]:
        """The cells of each map in their shades, and where each shade begins."""
        maps, begins = shade_cells([release.protected_cells for release in self.releases])
        return list(maps), tuple(dict.fromkeys(begins))  # few densities make fewer shades

    @cached_property
    def told(self) -> str:
        """The whole sheet for those who do not see it."""
        return " ".join(map(self._map_told, self.releases, range(len(self.releases))))

    def parts(self) -> tuple[dict[str, Any], dict[str, SvgCanvas]]:
        """The data of the template, and the drawings that it places."""
        alone, place = len(self.releases) == 1, self._place()
        drawings: dict[str, SvgCanvas] = {"legend": self._legend(), "mark": self._mark()}
        maps, unwritten = [], 0
        for at, (release, cells) in enumerate(zip(self.releases, self.shaded[0], strict=True)):
            canvas = printing.LetteredCanvas(place.width, place.height)
            draw_map(canvas, release, self.look, place, cells)
            missing = printing.letters_without_font("".join(word["text"] for word in canvas.letters))
            words = [word for word in canvas.letters if not set(missing) & set(word["text"])]
            unwritten = max(unwritten, len(canvas.letters) - len(words))
            drawings[f"map{at}"], drawings[f"odds{at}"] = canvas, self._dots(release)
            said = "" if alone else " · ".join([_level_words(release), *_total_words(release)])
            alt = self._map_told(release, at)
            maps.append({"name": f"map{at}", "words": words, "said": said, "alt": alt, "width": place.width})
        return {
            "kind": "poster",
            "language": "en",
            "title": self.title,
            "heading": printing.one(self.title),
            "description": self.told,
            "author": str(self.releases[0].about.get("publisher", "")),
            "look": _colours(self.look),
            "height": None,
            "width": 2 * MARGIN + len(maps) * (place.width + 18.0) + 10.0 + COLUMN * self.look.letters,
            "line": _line(self.releases),
            "maps": maps,
            "shades": [_short(value) for value in self.shaded[1]],
            "legend": self._legend_told(),
            "centers": self._centers(self.releases[0]) if alone else [],
            "odds": [
                {
                    "said": say.odds_told(release.guarantee, self.record),
                    "alt": f"{_right(release)} of 100 dots are filled.",
                }
                for release in self.releases
            ],
            "quality": [_said_of_quality(release, alone=alone) for release in self.releases],
            "foot": _foot(self.releases, self.box, unwritten),
            "say": _WORDS,
        }, drawings

    def _place(self) -> Projection:
        """The size of a map: portrait boxes get a narrow one, wide ones a low one."""
        longest = LONGEST_MAP if len(self.releases) == 1 else 700.0
        return Projection.wide(self.box, min(longest, TALLEST_MAP * aspect_of(self.box)))

    def _legend(self) -> SvgCanvas:
        shades, high = max(len(self.shaded[1]), 1), 14.0
        wide = COLUMN / shades
        canvas = SvgCanvas(COLUMN, high, "")
        for shade in range(len(self.shaded[1])):
            box = rectangle(shade * wide, 0.0, wide + 0.3, high)
            canvas.areas([box], self.look.land)
            canvas.areas([box], self.look.cells[shade], opacity=SHADE_OPACITY[shade], sharp=True)
        return canvas

    def _mark(self) -> SvgCanvas:
        size = DIAMOND * self.look.letters * 0.8
        canvas = printing.LetteredCanvas(2 * size + 6, 2 * size + 6)
        draw_centers(canvas, self.look, np.array([[size + 3, size + 3]]), size)
        return canvas

    def _dots(self, release: Release) -> SvgCanvas:
        """A hundred guessers, those that are right filled."""
        canvas = SvgCanvas(10 * _STEP, 10 * _STEP, "")
        dots = [circle((at % 10 + 0.5) * _STEP, (at // 10 + 0.5) * _STEP, _STEP * 0.36) for at in range(100)]
        canvas.areas(dots[: _right(release)], self.look.cells[-3])
        canvas.areas(dots[_right(release) :], self.look.rule)
        return canvas

    def _centers(self, release: Release) -> list[dict[str, Any]]:
        """Name and size of each center; none where they are too many to be read."""
        if len(release.raw_centers) > MOST_LISTED:
            return []
        names = names_of_centers(ground_of(self.box), release.raw_centers[:, 0], release.raw_centers[:, 1])
        missing = set(printing.letters_without_font("".join(names)))
        names = ["a name without a font" if missing & set(name) else name or "no place near" for name in names]
        weights = [f"{max(weight, 0.0):,.0f}" for weight in release.center_weights]
        return [{"name": printing.one(name), "weight": weight} for name, weight in zip(names, weights, strict=True)]

    def _legend_told(self) -> str:
        begins = self.shaded[1]
        return (
            f"Shades from {_short(begins[0])} to {_short(begins[-1])} records per square kilometre." if begins else ""
        )

    def _map_told(self, release: Release, at: int) -> str:
        """A map in words and numbers."""
        side = "" if len(self.releases) == 1 else f"{_WORDS['sides'][at]}: "
        centers = [
            f"{number} {one['name']['text']} {one['weight']}" for number, one in enumerate(self._centers(release), 1)
        ]
        said = [f"{side}Map of {', '.join([*_total_words(release), f'{len(release.raw_centers)} centers'])}."]
        said += [f"Centers and their records: {'; '.join(centers)}."] if centers else []
        return " ".join([*said, self._legend_told(), f"{_level_words(release)}."])


_WORDS: Final = {
    "density": "Records per square kilometre",
    "clear": "Estimates with added chance; where a cell tells nothing but chance, it is left clear.",
    "mark": "Diamond:",
    "center": "Center of many records",
    "headings": ("No.", "Center near", "Records"),
    "promise": "What is promised",
    "quality": "How good it is",
    "sides": ("Left", "Right"),
}


def _line(releases: list[Release]) -> str:
    abouts = [release.about for release in releases]
    periods = [f"{about['period_start']} to {about['period_end']}" for about in abouts if set(about) >= _PERIOD]
    days = dict.fromkeys(str(about["published"]) for about in abouts if "published" in about)
    said = [" and ".join(dict.fromkeys(periods)), f"published {' and '.join(days)}" if days else ""]
    line = " · ".join([*filter(None, said), *(_total_words(releases[0]) if len(releases) == 1 else ())])
    return line[:1].upper() + line[1:]


def _total_words(release: Release) -> list[str]:
    total = release.noisy_total
    return [] if total is None else [f"about {max(total, 0.0):,.0f} records"]


def _right(release: Release) -> int:
    return out_of_100(release.guarantee.epsilon, release.guarantee.delta)


def _level_words(release: Release) -> str:
    return f"A guesser is right at most {_right(release)} times in 100"


def _short(value: float) -> str:
    """Two figures: a legend is read, not computed with."""
    value = float(f"{value:.2g}")
    if value >= 1e6:
        return f"{value / 1e6:g} M"
    return f"{value / 1000:g} k" if value >= 10_000 else f"{value:,.0f}" if value >= 1 else f"{value:g}"


def _said_of_quality(release: Release, *, alone: bool) -> list[str]:
    sentences = accuracy_sentences(release)
    if release.protected_cells is None:
        return sentences
    return [*sentences[1:2], *sentences[3:], *(trust_sentences(release) if alone else ())]


def _foot(releases: list[Release], box: Box, unwritten: int) -> list[str]:
    said = []
    for release in releases:
        state = {PUBLISHED: "published through the ledger", UNVERIFIED: "published, signature not checked here"}.get(
            release.status, f"{release.status}: not for publication"
        )
        said.append(f"release {release.id[:12]}, {state}")
    promises = dict.fromkeys(str(release.guarantee) for release in releases)
    words = f"{'; '.join(said)}. {' '.join(promises)} Made with dpviz."
    lines = [f"Map: {ground_of(box).credit}", words[:1].upper() + words[1:]]
    if unwritten:
        lines.append(f"Names left out, because no font of the computer that drew this has their letters: {unwritten}.")
    return lines
