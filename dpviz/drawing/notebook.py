"""A release in a notebook: map, promise and centers in one cell, without a script and without a request to anywhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from dpviz.drawing import read_web_file
from dpviz.drawing.density import shade_cells
from dpviz.drawing.ground import box_of
from dpviz.drawing.looks import find_look
from dpviz.drawing.map_page import map_figures, map_page
from dpviz.drawing.map_view import Projection, draw_map
from dpviz.drawing.svg_canvas import SvgCanvas
from dpviz.labels import sentences as say
from dpviz.labels.privacy_label import status_sentences
from dpviz.releases.release import NoAnswer, Release

_MOST_ROWS = 10
_HEIGHT = 960  # down to the whole map, below the promise
# Colours are those of the map page; every rule is bound to the one block, so that nothing else of the notebook changes.
_STYLE = f"\n<style>\n{read_web_file('notebook.css')}</style>\n"


@dataclass(frozen=True, kw_only=True, repr=False)
class ReleaseMap:
    """The map page of a release: shown in a notebook, or saved as one file that stands alone."""

    html: str

    def save(self, path: str | Path) -> Path:
        """Write the page to a file."""
        target = Path(path)
        target.write_text(self.html, encoding="utf-8")
        return target

    def _repr_html_(self) -> str:
        return (
            f'<iframe title="Map of a protected release" sandbox="allow-scripts" width="100%" height="{_HEIGHT}" '
            f'style="border: 1px solid #d6d2c8; border-radius: 6px" srcdoc="{escape(self.html, quote=True)}"></iframe>'
        )

    def __repr__(self) -> str:
        return "<map of a protected release; show it in a notebook, or save it: .save('map.html')>"


def map_of_release(release: Release, *, basemap: Mapping[str, Any] | None = None) -> ReleaseMap:
    """The map with everything that is promised, for a notebook; it asks no other machine for anything."""
    return ReleaseMap(html=map_page(release, basemap=basemap))


def map_drawing(release: Release, width: float = 720.0) -> str:
    """The map of a release alone: ground, cells, regions, centers."""
    box, tree = box_of(release.frame), release.protected_cells
    assert box is not None and tree is not None  # of a map that was counted
    place = Projection.wide(box, width)
    canvas = SvgCanvas(place.width, place.height, "")
    draw_map(canvas, release, find_look("light"), place, shade_cells([tree])[0][0])
    return canvas.document()


def release_html(release: Release) -> str:
    """The picture of a release."""
    figures, near = map_figures(release)
    mark = release.id[:12]
    drawn = "".join(
        figure.replace("id=box", f"id={mark}box").replace("url(#box", f"url(#{mark}box") for figure in figures
    )
    said = [say.odds_told(release.guarantee), *status_sentences(release)]
    return (
        f'{_STYLE}<div class="dpviz"><h4>{escape(_title(release))}</h4>'
        f'<p class="dpviz-odds">{escape(said[0])}</p>'
        + "".join(f'<p class="dpviz-note">{escape(sentence)}</p>' for sentence in said[1:])
        + drawn
        + _table(release, near)
        + f'<p class="dpviz-note">{escape(str(release.guarantee))}</p></div>'
    )


def no_answer_html(outcome: NoAnswer) -> str:
    """What stands in place of a picture."""
    return (
        f'{_STYLE}<div class="dpviz"><h4>No answer: {escape(outcome.reason.value)}</h4>'
        f'<p class="dpviz-note">{escape(outcome.method)}. {escape(str(outcome.guarantee))}</p></div>'
    )


def _title(release: Release) -> str:
    name = release.about.get("title") or release.dataset
    many = len(release.raw_centers)
    return f"{name}: {many} protected centers" if name else f"{many} protected centers"


def _table(release: Release, near: list[str]) -> str:
    """The heaviest centers."""
    named = any(near)
    head = ["center", *(["near"] if named else []), "weight", *release.frame.names]
    rows = ["".join(f"<th>{escape(name)}</th>" for name in head)]
    shown = list(zip(release.raw_centers, release.center_weights, near, strict=True))
    for number, (place, weight, name) in enumerate(shown[:_MOST_ROWS], start=1):
        cells = [str(number), *([name] if named else []), f"{weight:,.0f}", *(f"{value:.5f}" for value in place)]
        rows.append("".join(f"<td>{escape(cell)}</td>" for cell in cells))
    more = f"<p>and {len(shown) - _MOST_ROWS} more</p>" if len(shown) > _MOST_ROWS else ""
    return "<table>" + "".join(f"<tr>{row}</tr>" for row in rows) + f"</table>{more}"
