"""map.html: one page that stands alone. Inline SVG, a few lines of script, no request to anywhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dpviz.clustering import assign
from dpviz.domain import CellTree, Frame
from dpviz.language import ENGLISH, languages
from dpviz.language.speaking import figures, told
from dpviz.mechanisms import catalogue
from dpviz.releases import words as say
from dpviz.releases.accuracy_words import accuracy_sentences, trust_sentences
from dpviz.releases.basemaps import builtin_basemap
from dpviz.releases.label import status_sentences
from dpviz.releases.map_ground import MapGround, map_ground
from dpviz.releases.map_parts import PAGE, SCRIPT, STYLE
from dpviz.releases.map_voices import ALONE, Tell, Voices
from dpviz.releases.odds_icons import odds_icons
from dpviz.releases.record_names import names_by_records
from dpviz.releases.states import PUBLISHED

if TYPE_CHECKING:
    from dpviz.releases.outcomes import Release

Floats = NDArray[np.float64]
_WIDTH = 1000.0  # of the longer side, in units of the drawing
_LARGEST_DOT, _SMALLEST_DOT = 16.0, 0.6
_DIAMOND = 15.0
_MOST_PANELS = 2
_GROUND = ("park", "cemetery", "airport", "water")  # in the order of drawing, on land
_NEAR_M = 1_500.0
_SHADES = 7


def map_page(release: Release, *, basemap: Mapping[str, Any] | None = None) -> str:
    """The page. `basemap` is as `citymap.embedded.load_basemap` gives it, or GeoJSON polygons with a property `kind`.

    Left out, it is New York's own, or a map that was added for the box, or the world that comes along.
    """
    if release.request.parts is not None:
        from dpviz.releases.drawing.film import film_of  # which builds on this module

        return film_of(release).decode("utf-8")
    opens = str(release.about.get("language", ENGLISH))
    voices = Voices(names=(opens, *(name for name in languages() if name != opens)))
    drawings, near = map_figures(release, basemap=basemap, voices=voices)
    said = voices.said
    return PAGE.format(
        language=opens,
        title=escape(voices.first(lambda: _title(release))),
        heading=said(lambda: _title(release)),
        switch=voices.switch(),
        style=STYLE + voices.style(),
        script=SCRIPT,
        subtitle=said(lambda: _subtitle(release)),
        odds_label=voices.labelled(lambda: say.MAP_ODDS),
        icons=odds_icons(release, voices),
        odds=said(lambda: say.odds_told(release.guarantee)),
        premise=said(lambda: say.PREMISE),
        accuracy=voices.each("<li>", lambda: accuracy_sentences(release)),
        trust=voices.each("<p>", lambda: trust_sentences(release)),
        status=voices.each(f"<p class={_mood(release)}>", lambda: status_sentences(release)),
        guarantee=said(lambda: say.EXPERTS.format(guarantee=say.guarantee_told(release.guarantee))),
        choices=said(lambda: say.CHOICES_SENTENCE),
        panels="\n".join(drawings),
        legend=_legend(release, voices),
        table=_table(release, near, voices),
        tools_label=voices.labelled(lambda: say.MAP_TOOLS),
        closer=said(lambda: say.MAP_IN),
        further=said(lambda: say.MAP_OUT),
        reset=said(lambda: say.MAP_RESET),
        centers=said(lambda: say.MAP_CENTERS),
        centers_label=voices.labelled(lambda: say.MAP_TABLE),
        good=said(lambda: say.GOOD),
        promised=said(lambda: say.MAP_PROMISE),
    )


def map_figures(
    release: Release, *, basemap: Mapping[str, Any] | None = None, voices: Voices = ALONE
) -> tuple[list[str], list[str]]:
    """The drawings of the page, and the named place near each center."""
    builtin = builtin_basemap(release.frame)
    ground = builtin if basemap is None else _by_kind(basemap, {} if builtin is None else builtin)
    around = map_ground(release, *_size(release.frame, (0, 1))) if basemap is None else None
    near = place_names(release, ground)
    if around is not None and not any(near):
        near = around.near
    return [_panel(release, axes, ground, near, around, voices) for axes in _panels(release.frame)], near


def _title(release: Release) -> str:
    given = str(release.about.get("title") or say.MAP_TITLE.format(name=release.dataset or say.MAP_NAMELESS))
    return " ".join(given.split())


def _subtitle(release: Release) -> str:
    """Who counted what when, and how many centers; whole numbers."""
    said = []
    about = release.about
    if {"period_start", "period_end"} <= set(about):
        said.append(say.MAP_PERIOD.format(start=about["period_start"], end=about["period_end"]))
    if "published" in about:
        said.append(say.MAP_PUBLISHED.format(day=about["published"]))
    total = release.noisy_total
    if total is not None:
        said.append(say.MAP_RECORDS.format(count=figures(f"{max(total, 0.0):,.0f}")))
    method = told(catalogue.get(release.method).info.title)
    said.append(say.MAP_METHOD.format(centers=len(release.raw_centers), method=method))
    return " ".join(said)


def _mood(release: Release) -> str:
    return "status" if release.status == PUBLISHED else "warning"


def _panels(frame: Frame) -> list[tuple[int, int | None]]:
    """Pairs of axes to draw: one for a map, two for pick-up and drop-off; a line has no second axis."""
    pairs: list[tuple[int, int | None]] = [
        (axis, axis + 1 if axis + 1 < frame.dims else None) for axis in range(0, frame.dims, 2)
    ]
    return pairs[:_MOST_PANELS]


def _size(frame: Frame, axes: tuple[int, int | None]) -> tuple[float, float]:
    """Width and height of a panel, in units of the drawing."""
    if axes[1] is None or axes[1] >= frame.dims:
        return _WIDTH, _WIDTH / 8
    wide, high = float(frame.extent[axes[0]]), float(frame.extent[axes[1]])
    return wide * _WIDTH / max(wide, high), high * _WIDTH / max(wide, high)


def _panel(
    release: Release,
    axes: tuple[int, int | None],
    basemap: Mapping[str, Any] | None,
    near: Sequence[str],
    around: MapGround | None,
    voices: Voices,
) -> str:
    frame = release.frame
    width, height = _size(frame, axes)
    scale = width / float(frame.extent[axes[0]])
    beside = 0.0 if around is None else around.beside
    names = [frame.names[axis] for axis in axes if axis is not None]
    clip = f"box{axes[0]}"
    shapes = [f'<rect class=land width="{width:.1f}" height="{height:.1f}"/>']
    if around is not None:
        shapes = [around.beneath]
    elif basemap is not None and frame.metric == "m" and axes[1] is not None:
        shapes += _ground(frame, (axes[0], axes[1]), basemap, scale, height)
    if release.request.regions:
        shapes.append("<g class=regions>" + "".join(_outlines(release, scale, height)) + "</g>")
    coreset = release.protected_coreset
    tree = release.protected_cells
    if tree is not None and frame.dims == 2:
        shapes.append("<g class=cells>" + "".join(_cells(tree, scale, height)) + "</g>")
    elif coreset is not None:
        drawn = _drawn(coreset.positions, axes, scale, height)
        shapes.append("<g class=coreset>" + "".join(_dots(drawn, coreset.weights)) + "</g>")
    if around is not None:
        shapes.append(around.names)
    centers = release.protected_centers
    drawn = _drawn(centers.positions, axes, scale, height)
    shapes.append("<g class=centers>" + "".join(_diamonds(release, drawn, near, voices)) + "</g>")
    caption = voices.said(lambda: _caption(frame, names))
    label = voices.labelled(lambda: say.MAP_ALT.format(centers=len(release.raw_centers), axes=say.MAP_AND.join(names)))
    body = f'<g clip-path="url(#{clip})">' + "\n".join(shapes) + "</g>"
    wide = width + 2 * beside
    edge = f'<clipPath id={clip}><rect x="{-beside:.1f}" width="{wide:.1f}" height="{height:.1f}"/></clipPath>'
    if around is not None:
        credit = around.credit
        caption += f" {voices.said(lambda: say.MAP_CREDIT.format(credit=credit))}"
    return (
        f"<figure><svg class=map role=img tabindex=0 {label} "
        f'viewBox="{-beside:.1f} 0 {wide:.1f} {height:.1f}" preserveAspectRatio="xMidYMid meet">\n{edge}\n{body}\n'
        "</svg>"
        f"<figcaption>{caption}</figcaption></figure>"
    )


def _caption(frame: Frame, names: Sequence[str]) -> str:
    """What a panel shows, without words of geometry where it is the map."""
    if frame.metric == "m" and frame.dims == 2:
        return say.MAP_CAPTION
    return say.MAP_CAPTION_AXES.format(axes=say.MAP_AND.join(names))


def _cells(tree: CellTree, scale: float, height: float) -> Iterator[str]:
    """Cells in a few shades by records on equal ground, one path a shade; those that are mostly noise are left out."""
    low, high = tree.frame.to_local(tree.low[tree.cell]) * scale, tree.frame.to_local(tree.high[tree.cell]) * scale
    size = high - low
    seen = np.flatnonzero((tree.count > 0.0) & (tree.count >= np.sqrt(tree.spread)) & (size > 0.0).all(axis=1))
    density = tree.count[seen] / size[seen].prod(axis=1)
    order = np.argsort(density, kind="stable")
    shares = np.cumsum(tree.count[seen][order])
    if not len(seen):
        return
    shade = np.empty(len(seen), np.int64)
    shade[order] = np.minimum((shares / shares[-1] * _SHADES).astype(np.int64), _SHADES - 1)
    for at in range(_SHADES):
        boxes = seen[shade == at]
        path = "".join(
            f"M{x:.1f} {height - top:.1f}h{wide:.1f}v{tall:.1f}h{-wide:.1f}z"
            for (x, _), (_, top), (wide, tall) in zip(
                low[boxes].tolist(), high[boxes].tolist(), size[boxes].tolist(), strict=True
            )
        )
        if path:
            yield f'<path fill-opacity="{((at + 1) / _SHADES) ** 1.5 * 0.8:.2f}" d="{path}"/>'


def _drawn(positions: Floats, axes: tuple[int, int | None], scale: float, height: float) -> Floats:
    """Places in the drawing: x to the right, y down."""
    x = positions[:, axes[0]] * scale
    y = height - positions[:, axes[1]] * scale if axes[1] is not None else np.full(len(positions), height / 2)
    return np.column_stack([x, y])


def _dots(drawn: Floats, weights: Floats) -> Iterator[str]:
    """Area stands for weight; a weight below zero is a hollow ring."""
    heaviest = float(np.abs(weights).max()) if len(weights) else 0.0
    if heaviest == 0.0:
        return
    # Few heavy points may be large; where there are many, they shrink so that the map stays readable.
    largest = _LARGEST_DOT / max(1.0, (len(weights) / 200) ** 0.4)
    for index in np.argsort(-np.abs(weights), kind="stable"):
        x, y = drawn[index]
        radius = max(_SMALLEST_DOT, largest * float(np.sqrt(abs(weights[index]) / heaviest)))
        hollow = " class=below" if weights[index] < 0 else ""
        yield f'<circle{hollow} cx="{x:.1f}" cy="{y:.1f}" r="{radius:.2f}"/>'


def _diamonds(release: Release, drawn: Floats, near: Sequence[str], voices: Voices) -> Iterator[str]:
    """Numbered diamonds, the heaviest center on top."""
    size = _DIAMOND if len(drawn) <= 30 else _DIAMOND / 2
    for index in reversed(range(len(drawn))):
        x, y = drawn[index]
        place = ", ".join(
            f"{name} {value:.5f}" for name, value in zip(release.frame.names, release.raw_centers[index], strict=True)
        )
        said = {"number": index + 1, "near": near[index], "place": place}
        tip = voices.tip(partial(_tip, said, float(release.center_weights[index])))
        label = f"<text>{index + 1}</text>" if size == _DIAMOND else ""
        yield (
            f'<g transform="translate({x:.1f} {y:.1f})">{tip}'
            f'<path d="M0 {-size}L{size} 0L0 {size}L{-size} 0Z"/>{label}</g>'
        )


def _tip(said: Mapping[str, Any], weight: float) -> str:
    tip = say.TIP_CENTER_NEAR if said["near"] else say.TIP_CENTER
    return tip.format(**said, count=figures(f"{weight:,.0f}"))


def _ground(
    frame: Frame, axes: tuple[int, int], basemap: Mapping[str, Any], scale: float, height: float
) -> Iterator[str]:
    """Parks, airports and water on land, as far as they touch the box."""
    pair = list(axes)
    low, units = np.asarray(frame.low)[pair], np.asarray(frame.scale)[pair]
    extent = frame.extent[pair]
    for kind in _GROUND:
        for polygon in basemap.get(kind, []):
            rings = [(np.asarray(ring, dtype=np.float64)[:, :2] - low) * units for ring in polygon]
            near = [ring for ring in rings if (ring.max(axis=0) >= 0).all() and (ring.min(axis=0) <= extent).all()]
            if near:
                path = "".join(_path(_drawn(ring, (0, 1), scale, height)) for ring in near)
                yield f'<path class={kind} fill-rule="evenodd" d="{path}"/>'


def _outlines(release: Release, scale: float, height: float) -> Iterator[str]:
    """Regions with a level of their own; their outlines are public."""
    for region in release.request.regions:
        tip = escape(f"{region.name}: epsilon {region.epsilon:g}")
        for polygon in region.outline.polygons:
            rings = (_drawn(release.frame.to_local(np.asarray(ring)), (0, 1), scale, height) for ring in polygon)
            path = "".join(_path(ring) for ring in rings)
            yield f'<path fill-rule="evenodd" d="{path}"><title>{tip}</title></path>'


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


def _path(drawn: Floats) -> str:
    rounded = np.round(drawn, 1)
    kept = np.ones(len(rounded), dtype=bool)
    kept[1:] = (rounded[1:] != rounded[:-1]).any(axis=1)
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in rounded[kept]) + "Z"


def place_names(release: Release, basemap: Mapping[str, Any] | None) -> list[str]:
    """For every center the named place where most of its records are; empty where none is near or the box is no map."""
    labels = [] if basemap is None else list(basemap.get("labels", []))
    if not labels or release.frame.metric != "m" or release.frame.dims != 2:
        return [""] * len(release.raw_centers)
    frame = release.frame
    places = frame.to_local([[label["lon"], label["lat"]] for label in labels])

    def nearest(lon: Floats, lat: Floats) -> list[str | None]:
        local = frame.to_local(np.column_stack([lon, lat]))
        found = assign(local, places)
        near = ((local - places[found]) ** 2).sum(axis=1) <= _NEAR_M**2
        return [str(labels[at]["name"]) if close else None for at, close in zip(found.tolist(), near, strict=True)]

    return [name or "" for name in names_by_records(release, release.raw_centers, nearest)]


def _legend(release: Release, voices: Voices) -> str:
    entries: list[tuple[str, Tell]] = [("<path class=diamond d='M0-7L7 0L0 7L-7 0Z'/>", lambda: say.KEY_CENTER)]
    if release.protected_cells is not None and release.frame.dims == 2:
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
    about = voices.said(lambda: say.COLUMN_ABOUT)
    axes = [escape(name) for name in release.frame.names]
    names = [voices.said(lambda: say.COLUMN_NEAR), about] if named else [about, *axes]
    head = "".join(f"<th scope=col>{name}</th>" for name in [voices.said(lambda: say.COLUMN_CENTER), *names])
    rows = []
    for index, (place, weight) in enumerate(zip(release.raw_centers, release.center_weights, strict=True), start=1):
        cells = "" if named else "".join(f"<td>{value:.5f}</td>" for value in place)
        place_cell = f"<td class=word>{escape(near[index - 1])}</td>" if named else ""
        count = voices.said(partial(_whole, float(weight)))
        rows.append(f"<tr><th scope=row>{index}</th>{place_cell}<td>{count}</td>{cells}</tr>")
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def _whole(number: float) -> str:
    return figures(f"{number:,.0f}")
