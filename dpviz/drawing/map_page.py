"""map.html: one page that stands alone. Inline SVG, a few lines of script, no request to anywhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz.basemap.embedded import builtin_basemap
from dpviz.clustering import assign
from dpviz.domain import Frame
from dpviz.domain.trip_ends import are_trips, both_frames
from dpviz.drawing import read_web_file, write_page
from dpviz.drawing.density import shade_cells
from dpviz.drawing.map_shapes import (
    LOOK,
    MapGround,
    cells_group,
    dark_colours,
    diamonds_of,
    dots_of,
    drawing_size,
    figure_of,
    given_ground,
    in_drawing,
    map_ground,
    outlines_of,
)
from dpviz.drawing.map_trips import Flows, flows_table, flows_to_show, grounds_of, tell_whole, trip_figures
from dpviz.drawing.map_voices import ALONE, Tell, Voices, promise_parts
from dpviz.labels import sentences as say
from dpviz.labels.center_names import names_by_records
from dpviz.language import ENGLISH, languages
from dpviz.language.speaking import figures, told, told as _
from dpviz.mechanisms import catalogue
from dpviz.releases.release import PUBLISHED, Release

PAGE, SCRIPT = read_web_file("map.html"), read_web_file("map.js")
STYLE = read_web_file("map.css").replace("DARK", dark_colours()).replace("CELL", LOOK.cells[4])
Floats = NDArray[np.float64]
_MOST_PANELS = 2
_NEAR_M = 1_500.0


def map_page(release: Release, *, basemap: Mapping[str, Any] | None = None) -> str:
    """The page. `basemap` is as `basemap.embedded.load_basemap` gives it, or GeoJSON polygons with a property `kind`.

    Left out, it is New York's own, or a map that was added for the box, or the world that comes along.
    """
    if release.request.parts is not None:
        from dpviz.drawing.film import film_of  # which builds on this module

        return film_of(release).decode("utf-8")
    opens = str(release.about.get("language", ENGLISH))
    voices = Voices(names=(opens, *(name for name in languages() if name != opens)))
    flows = flows_to_show(release) if are_trips(release.frame) and basemap is None else None
    drawings, near = map_figures(release, basemap=basemap, voices=voices, flows=flows)
    said, parts = voices.said, promise_parts(release, voices)
    parts["warning"] = "" if release.status == PUBLISHED else parts["status"]  # what is no publication says so first
    parts["status"] = parts["status"] if release.status == PUBLISHED else ""
    body = PAGE.format(
        heading=said(lambda: _title(release)),
        switch=voices.switch(),
        script=SCRIPT,
        subtitle=said(lambda: _subtitle(release)),
        odds_label=voices.labelled(lambda: say.MAP_ODDS),
        left_out="" if release.guarantee.unit.cap is None else f"<p>{said(lambda: _left_out(release))}</p>",
        guarantee=said(lambda: say.EXPERTS.format(guarantee=say.guarantee_told(release.guarantee))),
        choices=said(lambda: say.CHOICES_SENTENCE),
        panels="\n".join(drawings),
        legend=_legend(release, voices),
        table=_table(release, near, voices),
        flows=flows_table(flows, voices),
        tools_label=voices.labelled(lambda: say.MAP_TOOLS),
        closer=said(lambda: say.MAP_IN),
        further=said(lambda: say.MAP_OUT),
        reset=said(lambda: say.MAP_RESET),
        centers=said(lambda: say.MAP_CENTERS),
        centers_label=voices.labelled(lambda: say.MAP_TABLE),
        good=said(lambda: say.GOOD),
        promised=said(lambda: say.MAP_PROMISE),
        **parts,
    ).rstrip("\n")
    return write_page(escape(voices.first(lambda: _title(release))), STYLE + voices.style(), body, language=opens)


def map_figures(
    release: Release, *, basemap: Mapping[str, Any] | None = None, voices: Voices = ALONE, flows: Flows | None = None
) -> tuple[list[str], list[str]]:
    """The drawings of the page, and the named place near each center."""
    builtin = builtin_basemap(release.frame)
    ground = builtin if basemap is None else _by_kind(basemap, {} if builtin is None else builtin)
    if basemap is None and are_trips(release.frame) and release.protected_cells is not None:
        grounds = grounds_of(release)
        near = _ways(release, grounds)
        return trip_figures(release, near, grounds, voices, flows), near
    size = drawing_size(release.frame, (0, 1))
    around = map_ground(release.frame, release.raw_centers, *size) if basemap is None else None
    near = place_names(release, ground)
    if around is not None and not any(near):
        near = around.near
    return [_panel(release, axes, ground, near, around, voices) for axes in _panels(release.frame)], near


def _left_out(release: Release) -> str:
    """What the cap of a person leaves out; how many records that were is a secret."""
    most = release.guarantee.unit.cap
    return _("Of each person no more than {most} records are counted; any others are left out.").format(most=most)


def _title(release: Release) -> str:
    return " ".join(
        str(release.about.get("title") or say.MAP_TITLE.format(name=release.dataset or say.MAP_NAMELESS)).split()
    )


def _subtitle(release: Release) -> str:
    """Who counted what when, and how many centers; whole numbers."""
    said, about = [], release.about
    if {"period_start", "period_end"} <= set(about):
        said.append(say.MAP_PERIOD.format(start=about["period_start"], end=about["period_end"]))
    if "published" in about:
        said.append(say.MAP_PUBLISHED.format(day=about["published"]))
    total = release.noisy_total
    if total is not None:
        said.append(say.MAP_RECORDS.format(count=figures(f"{max(total, 0.0):,.0f}")))
    method = told(catalogue.describe(release.method).title)
    if release.request.joint is not None:
        said.append(say.MAP_HELD.format(holders=", ".join(release.request.joint.names)))
    said.append(say.MAP_METHOD.format(centers=len(release.raw_centers), method=method))
    return " ".join(said)


def _panels(frame: Frame) -> list[tuple[int, int | None]]:
    """Pairs of axes to draw: one for a map, two for pick-up and drop-off; a line has no second axis."""
    return [(axis, axis + 1 if axis + 1 < frame.dims else None) for axis in range(0, frame.dims, 2)][:_MOST_PANELS]


def _panel(
    release: Release,
    axes: tuple[int, int | None],
    basemap: Mapping[str, Any] | None,
    near: Sequence[str],
    around: MapGround | None,
    voices: Voices,
) -> str:
    frame = release.frame
    width, height = drawing_size(frame, axes)
    scale = width / float(frame.extent[axes[0]])
    names = [frame.names[axis] for axis in axes if axis is not None]
    shapes: list[str] = []
    if around is None and basemap is not None and frame.metric == "m" and axes[1] is not None:
        shapes += given_ground(frame, (axes[0], axes[1]), basemap, scale, height)
    if release.request.regions:
        shapes.append("<g class=regions>" + "".join(outlines_of(release, scale, height)) + "</g>")
    coreset = release.protected_coreset
    tree = release.protected_cells
    if tree is not None and frame.dims == 2:
        box = (frame.low[0], frame.low[1], frame.high[0], frame.high[1])
        shapes.append(cells_group(shade_cells([tree])[0][0], (width, height), box))
    elif coreset is not None:
        drawn = in_drawing(coreset.positions, axes, scale, height)
        shapes.append("<g class=coreset>" + "".join(dots_of(drawn, coreset.weights)) + "</g>")
    if around is not None:
        shapes.append(around.names)
    drawn = in_drawing(release.protected_centers.positions, axes, scale, height)
    shapes.append("<g class=centers>" + "".join(diamonds_of(release, drawn, near, voices)) + "</g>")

    is_map = frame.metric == "m" and frame.dims == 2  # then no words of geometry
    return figure_of(
        around,
        shapes,
        (width, height),
        f"box{axes[0]}",
        voices,
        lambda: say.MAP_ALT.format(centers=len(release.raw_centers), axes=say.MAP_AND.join(names)),
        lambda: say.MAP_CAPTION if is_map else say.MAP_CAPTION_AXES.format(axes=say.MAP_AND.join(names)),
    )


def _by_kind(basemap: Mapping[str, Any], builtin: Mapping[str, Any]) -> dict[str, Any]:
    """A basemap of either form as lists of polygons by kind; names of places are the built-in ones unless given."""
    found: dict[str, Any] = {"labels": builtin.get("labels", [])}
    if basemap.get("type") != "FeatureCollection":
        return found | dict(basemap)
    for feature in basemap.get("features", []):
        kind, shape = (feature.get("properties") or {}).get("kind"), feature.get("geometry") or {}
        polygons = {"Polygon": [shape.get("coordinates")], "MultiPolygon": shape.get("coordinates")}
        found.setdefault(str(kind), []).extend(polygons.get(str(shape.get("type"))) or [])
    return found


def place_names(release: Release, basemap: Mapping[str, Any] | None) -> list[str]:
    """For every center the named place where most of its records are; empty where none is near or the box is no map."""
    labels = [] if basemap is None else list(basemap.get("labels", []))
    if not labels or release.frame.metric != "m" or release.frame.dims != 2:
        return [""] * len(release.raw_centers)
    return _named(release, release.frame, labels, (0, 1))


def _named(release: Release, plane: Frame, labels: Sequence[Mapping[str, Any]], axes: tuple[int, int]) -> list[str]:
    """By the labels of a plane, where most of a center's records are in these axes."""
    places = plane.to_local([[label["lon"], label["lat"]] for label in labels])

    def nearest(lon: Floats, lat: Floats) -> list[str | None]:
        local = plane.to_local(np.column_stack([lon, lat]))
        found = assign(local, places)
        near = ((local - places[found]) ** 2).sum(axis=1) <= _NEAR_M**2
        return [str(labels[at]["name"]) if close else None for at, close in zip(found.tolist(), near, strict=True)]

    return [name or "" for name in names_by_records(release, release.raw_centers, nearest, axes=axes)]


def _ways(release: Release, grounds: Sequence[MapGround | None]) -> list[str]:
    """For every center of trips where most of them begin and end; empty where either has no name."""
    ends: list[list[str]] = []
    for at, (plane, ground) in enumerate(zip(both_frames(release.frame), grounds, strict=True)):
        labels = list((builtin_basemap(plane) or {}).get("labels", []))
        if labels:
            ends.append(_named(release, plane, labels, (2 * at, 2 * at + 1)))
        else:
            ends.append([""] * len(release.raw_centers) if ground is None else ground.near)
    return [say.WAY.format(start=start, end=end) if start and end else "" for start, end in zip(*ends, strict=True)]


def _legend(release: Release, voices: Voices) -> str:
    entries: list[tuple[str, Tell]] = [("<path class=diamond d='M0-7L7 0L0 7L-7 0Z'/>", lambda: say.KEY_CENTER)]
    if release.protected_cells is not None and (release.frame.dims == 2 or are_trips(release.frame)):
        entries.append(("<path class=cell d='M-7-7H7V7H-7Z'/>", lambda: say.KEY_CELLS))
    elif release.coreset_weights is not None:
        entries.append(("<circle class=dot r=5 />", lambda: say.KEY_POINT))
        if (release.coreset_weights < 0).any():
            entries.append(("<circle class=ring r=5 />", lambda: say.KEY_BELOW))
    if release.request.regions:
        entries.append(("<path class=region d='M-7-6H7V6H-7Z'/>", lambda: say.KEY_REGION))
    return "\n".join(f"<li><svg viewBox='-8 -8 16 16'>{mark}</svg>{voices.said(tell)}</li>" for mark, tell in entries)


def _table(release: Release, near: Sequence[str], voices: Voices) -> str:
    named = any(near)
    heads = [f"<th scope=col>{voices.said(lambda: say.COLUMN_CENTER)}</th>"]
    if named:
        near_head = voices.said(lambda: say.COLUMN_WAY if are_trips(release.frame) else say.COLUMN_NEAR)
        heads.append(f"<th scope=col class=word>{near_head}</th>")
    heads.append(f"<th scope=col>{voices.said(lambda: say.COLUMN_ABOUT)}</th>")
    heads += [] if named else [f"<th scope=col>{escape(name)}</th>" for name in release.frame.names]
    rows = []
    for index, (place, weight) in enumerate(zip(release.raw_centers, release.center_weights, strict=True), start=1):
        cells = "" if named else "".join(f"<td>{value:.5f}</td>" for value in place)
        place_cell = f"<td class=word>{escape(near[index - 1])}</td>" if named else ""
        count = voices.said(partial(tell_whole, float(weight)))
        rows.append(f"<tr><th scope=row>{index}</th>{place_cell}<td>{count}</td>{cells}</tr>")
    return f"<table><thead><tr>{''.join(heads)}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
