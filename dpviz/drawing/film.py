"""A page that switches between the parts of a release, or plays them: the same map and colours for all.

Two parts stand beside each other, and every square of the map has its curve with ranges.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from html import escape
from typing import Final

import numpy as np

from dpviz.domain.parts import BETWEEN, Parts
from dpviz.drawing import read_web_file, write_page
from dpviz.drawing.density import shade_cells
from dpviz.drawing.ground import ground_of
from dpviz.drawing.looks import Look, find_look
from dpviz.drawing.map_view import Projection, boxes_around, draw_cells, draw_centers, draw_ground, write_names
from dpviz.drawing.map_voices import promise_parts
from dpviz.drawing.svg_canvas import SvgCanvas
from dpviz.errors import NotOffered
from dpviz.labels.privacy_label import CHOICES_SENTENCE
from dpviz.questions.counts import view_parts
from dpviz.questions.parts import PartsView
from dpviz.releases.release import Release

PAGE, PLAYER, STYLE, SCRIPT = map(read_web_file, ("film.html", "player.html", "film.css", "film.js"))
WIDE: Final = 900.0
DIAMOND: Final = 10.0
LETTERS: Final = 110  # under all bars together
ACROSS: Final = 8  # squares along a side of the map that have a curve of their own


def film_of(release: Release) -> bytes:
    """The page of a release by parts. If its parts cannot be told apart, the page says so and states the promise."""
    try:
        view = view_parts(release)
    except NotOffered as problem:
        told = f"<p class=warning>{escape(problem.message)}</p>"
        assert release.request.parts is not None  # `film_of` is for releases by parts
        return _page(release, release.request.parts, told, "", "light", "", "")
    return film(view)


def film(view: PartsView, *, title: str = "", style: str = "light") -> bytes:
    """The page, from the release and the public layout alone; it makes no request."""
    look, parts = find_look(style), view.parts
    names = list(parts.names)
    drawing, credit = _drawing(view, look, title or _title(parts))
    curves = view.curves(ACROSS)
    start, many = int(np.argmax([row[0] for row in curves[0]])), len(parts.divisions[-1].names)
    player = PLAYER.format(
        last=many - 1,
        start=start % many,
        groups=_groups(parts, start // many),
        what=parts.word,
        options=_options(names, (start + len(names) // 2) % len(names)),
        drawing=drawing,
    )
    held = {
        "names": names,
        "short": _short(names)
        if parts.word != "part"
        else [_cut(name.split(BETWEEN)[-1], max(4, LETTERS // min(many, 24))) for name in names],
        "all": curves[0],
        "squares": curves[1:],
        "many": many,
        "across": ACROSS,
    }
    told = json.dumps(held, separators=(",", ":")).replace("<", "\\u003c")
    script = f'<script type="application/json" id="held">{told}</script>\n<script type="module">\n{SCRIPT}</script>'
    return _page(view.release, parts, player, script, style, title, credit)


def _page(release: Release, parts: Parts, player: str, script: str, style: str, title: str, credit: str) -> bytes:
    look, about = find_look(style), release.about
    said = title or str(about.get("title") or f"{_title(parts)}: {release.dataset or 'no name'}")
    subtitle = []
    if {"period_start", "period_end"} <= set(about):
        subtitle.append(f"{about['period_start']} to {about['period_end']}.")
    if "published" in about:
        subtitle.append(f"Published {about['published']}.")
    heading = escape(" ".join(said.split()))
    body = PAGE.format(
        title=heading,
        subtitle=escape(" ".join(subtitle)),
        many=len(parts.names),
        zone=escape(f" Times are those of {parts.zone}." if parts.zone else ""),
        player=player,
        guarantee=escape(str(release.guarantee)),
        choices=escape(CHOICES_SENTENCE),
        credit=escape(credit),
        script=script,
        **promise_parts(release),
    )
    colours = STYLE.replace("INK", look.ink).replace("PAPER", look.paper).replace("RULE", look.rule)
    return write_page(heading, colours, body.rstrip("\n")).encode("utf-8")


def _groups(parts: Parts, start: int) -> str:
    """The choice of a part of the first of two divisions; the slider is then for the second one."""
    if len(parts.divisions) == 1:
        return ""
    first = parts.divisions[0]
    return f'<select id=group aria-label="{escape(first.by)}">{_options(first.names, start)}</select>\n'


def _options(names: Iterable[str], chosen: int) -> str:
    return "".join(
        f"<option value={at}{' selected' if at == chosen else ''}>{escape(name)}" for at, name in enumerate(names)
    )


def _title(parts: Parts) -> str:
    return f"Where people gather, by {parts.by if parts.word == 'part' else 'time'}"


def _drawing(view: PartsView, look: Look, title: str) -> tuple[str, str]:
    """One SVG with a group for every part, and the credit of its map."""
    parts = view.parts
    box = parts.box.as_tuple()
    to_page, city = Projection.wide(box, WIDE), ground_of(box)
    canvas = SvgCanvas(to_page.width, to_page.height, title)
    canvas.clip((0.0, 0.0, to_page.width, to_page.height))
    draw_ground(canvas, city, look, to_page)
    for number, cells in enumerate(shade_cells([view.cells(number) for number in range(len(parts.names))])[0]):
        canvas.group("part", number)
        draw_cells(canvas, look, to_page, cells)
        canvas.group(None)
    placed_marks = [
        to_page(table.sort_values("weight", ascending=False, kind="stable")[["lon", "lat"]].to_numpy())
        for table in (view.centers(number, view.release.request.k) for number in range(len(parts.names)))
    ]
    write_names(canvas, city, look, to_page, size=13.0, taken=boxes_around(np.concatenate(placed_marks), DIAMOND * 0.8))
    for number, marks in enumerate(placed_marks):
        canvas.group("part", number)
        draw_centers(canvas, look, marks, DIAMOND)
        canvas.group(None)
    canvas.clip(None)
    return canvas.document(), city.credit


def _cut(name: str, most: int) -> str:
    return name if len(name) <= most else f"{name[: most - 1]}…"


def _short(names: list[str]) -> list[str]:
    """Names short enough for the axis of the bars."""
    return [
        words[0] if words[0][:2].isdigit() else words[-1][-5:] if len(words) > 1 else words[0][:3]
        for words in (name.split(" ") for name in names)
    ]
