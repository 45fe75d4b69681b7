"""A release in a notebook: map, promise and centers in one cell, without a script and without a request to anywhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

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
_STYLE = """
<style>
.dpviz { max-width: 880px; font: 14px/1.5 system-ui, sans-serif; color: #1b1f24; background: #fff; padding: 12px;
  border: 1px solid #d6d2c8; border-radius: 6px; }
.dpviz h4 { margin: 0 0 4px; font-size: 15px; } .dpviz p { margin: 2px 0 8px; max-width: 80ch; }
.dpviz .dpviz-odds { font-weight: 600; } .dpviz .dpviz-note { color: #5c5f66; }
.dpviz figure { margin: 8px 0; } .dpviz figcaption { color: #5c5f66; }
.dpviz svg.map { height: 460px; max-width: 100%; border: 1px solid #d6d2c8; display: block; }
.dpviz svg .land { fill: #f4f1ea; } .dpviz svg .park, .dpviz svg .cemetery { fill: #e2ecd9; }
.dpviz svg .airport { fill: #e8e4ee; } .dpviz svg .water { fill: #e3eef4; }
.dpviz svg .coreset circle { fill: #111; fill-opacity: .75; stroke: #fff; stroke-width: .4; }
.dpviz svg .coreset circle.below { fill: none; stroke: #111; stroke-width: 1; stroke-dasharray: 2 1; }
.dpviz svg .regions path { fill: #0072b2; fill-opacity: .1; stroke: #0072b2; stroke-width: 2; }
.dpviz svg .centers path { fill: #0072b2; stroke: #fff; stroke-width: 1.5; }
.dpviz svg .centers text { fill: #fff; font: 700 12px system-ui, sans-serif; text-anchor: middle;
  dominant-baseline: central; }
.dpviz table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
.dpviz th, .dpviz td { text-align: right; padding: 2px 10px; border-bottom: 1px solid #e4e1d9; }
</style>
"""


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
