"""map.html: one page that stands alone. Inline SVG, a few lines of script, no request to anywhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import Frame
from dpviz.errors import DpvizError
from dpviz.mechanisms import catalogue
from dpviz.releases.label import CHOICES_SENTENCE, status_sentences
from dpviz.releases.map_parts import PAGE, SCRIPT, STYLE
from dpviz.releases.outcomes import PUBLISHED, Release

Floats = NDArray[np.float64]
_WIDTH = 1000.0  # of the longer side, in units of the drawing
_LARGEST_DOT, _SMALLEST_DOT = 16.0, 0.6
_DIAMOND = 15.0
_MOST_PANELS = 2
_GROUND = ("park", "cemetery", "airport", "water")  # in the order of drawing, on land
_NEAR_M = 1_500.0


def map_page(release: Release, *, basemap: Mapping[str, Any] | None = None) -> str:
    """The page. `basemap` is as `ingest.cities.load_basemap` gives it, or GeoJSON polygons with a property `kind`.

    Left out, it is the built-in one where the box lies on that.
    """
    builtin = builtin_basemap(release.frame)
    ground = builtin if basemap is None else _by_kind(basemap, {} if builtin is None else builtin)
    near = place_names(release, ground)
    panels = "\n".join(_panel(release, axes, ground, near) for axes in _panels(release.frame))
    name = release.dataset or "a dataset without a name"
    points = "no coreset" if release.raw_coreset is None else f"{len(release.raw_coreset)} weighted points"
    method = catalogue.get(release.method).info.title
    return PAGE.format(
        title=escape(f"Where people gather: {name}"),
        style=STYLE,
        script=SCRIPT,
        subtitle=escape(f"{len(release.raw_centers)} protected centers and {points}. Method: {method}."),
        status="\n".join(f"<p class={_mood(release)}>{escape(said)}</p>" for said in status_sentences(release)),
        guarantee=escape(str(release.guarantee)),
        choices=escape(CHOICES_SENTENCE),
        panels=panels,
        legend=_legend(release),
        table=_table(release, near),
    )


def _mood(release: Release) -> str:
    return "status" if release.status == PUBLISHED else "warning"


def builtin_basemap(frame: Frame) -> Mapping[str, Any] | None:
    """The built-in basemap, when the public box lies on it; a public choice from public numbers."""
    if frame.metric != "m" or frame.dims % 2:
        return None
    from dpviz.ingest.cities import load_basemap  # here, so that reading releases loads no reader of files

    try:
        basemap = load_basemap()
    except DpvizError:  # installed without the built-in data: a map without land is still a map
        return None
    west, south, east, north = basemap["region"]
    lows, highs = np.reshape(frame.low, (-1, 2)), np.reshape(frame.high, (-1, 2))
    inside = (lows >= (west, south)).all() and (highs <= (east, north)).all()
    return basemap if inside else None


def _panels(frame: Frame) -> list[tuple[int, int | None]]:
    """Pairs of axes to draw: one for a map, two for pick-up and drop-off; a line has no second axis."""
    pairs: list[tuple[int, int | None]] = [
        (axis, axis + 1 if axis + 1 < frame.dims else None) for axis in range(0, frame.dims, 2)
    ]
    return pairs[:_MOST_PANELS]


def _panel(
    release: Release, axes: tuple[int, int | None], basemap: Mapping[str, Any] | None, near: Sequence[str]
) -> str:
    frame = release.frame
    extent = np.array(
        [frame.extent[axes[0]], frame.extent[axes[1]] if axes[1] is not None else frame.extent[axes[0]] / 8]
    )
    scale = _WIDTH / float(extent.max())
    width, height = (float(side) for side in extent * scale)
    names = [frame.names[axis] for axis in axes if axis is not None]
    words = f"Map of {len(release.raw_centers)} centers over {' and '.join(names)}; the table below lists them."
    clip = f"box{axes[0]}"
    shapes = [f'<rect class=land width="{width:.1f}" height="{height:.1f}"/>']
    if basemap is not None and frame.metric == "m" and axes[1] is not None:
        shapes += _ground(frame, (axes[0], axes[1]), basemap, scale, height)
    if release.request.regions:
        shapes.append("<g class=regions>" + "".join(_outlines(release, scale, height)) + "</g>")
    coreset = release.protected_coreset
    if coreset is not None:
        drawn = _drawn(coreset.positions, axes, scale, height)
        shapes.append("<g class=coreset>" + "".join(_dots(drawn, coreset.weights)) + "</g>")
    centers = release.protected_centers
    drawn = _drawn(centers.positions, axes, scale, height)
    shapes.append("<g class=centers>" + "".join(_diamonds(release, drawn, near)) + "</g>")
    caption = escape(" × ".join(names))
    body = f'<g clip-path="url(#{clip})">' + "\n".join(shapes) + "</g>"
    edge = f'<clipPath id={clip}><rect width="{width:.1f}" height="{height:.1f}"/></clipPath>'
    return (
        f'<figure><svg class=map role=img tabindex=0 aria-label="{escape(words)}" '
        f'viewBox="0 0 {width:.1f} {height:.1f}" preserveAspectRatio="xMidYMid meet">\n{edge}\n{body}\n</svg>'
        f"<figcaption>{caption}</figcaption></figure>"
    )


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


def _diamonds(release: Release, drawn: Floats, near: Sequence[str]) -> Iterator[str]:
    """Numbered diamonds, the heaviest center on top."""
    size = _DIAMOND if len(drawn) <= 30 else _DIAMOND / 2
    for index in reversed(range(len(drawn))):
        x, y = drawn[index]
        place = ", ".join(
            f"{name} {value:.5f}" for name, value in zip(release.frame.names, release.raw_centers[index], strict=True)
        )
        named = f" near {near[index]}" if near[index] else ""
        tip = escape(f"Center {index + 1}{named}: {place}; weight about {release.center_weights[index]:,.0f}")
        label = f"<text>{index + 1}</text>" if size == _DIAMOND else ""
        yield (
            f'<g transform="translate({x:.1f} {y:.1f})"><title>{tip}</title>'
            f'<path d="M0 {-size}L{size} 0L0 {size}L{-size} 0Z"/>{label}</g>'
        )


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
    """For every center the nearest named place of the basemap; empty where none is near or the box is no map."""
    labels = [] if basemap is None else list(basemap.get("labels", []))
    if not labels or release.frame.metric != "m" or release.frame.dims != 2:
        return [""] * len(release.raw_centers)
    places = release.frame.to_local([[label["lon"], label["lat"]] for label in labels])
    squared = ((release.protected_centers.positions[:, None, :] - places[None, :, :]) ** 2).sum(axis=2)
    nearest = squared.argmin(axis=1)
    return [
        str(labels[index]["name"]) if row[index] <= _NEAR_M**2 else ""
        for row, index in zip(squared, nearest.tolist(), strict=True)
    ]


def _legend(release: Release) -> str:
    rows = ["<li><svg viewBox='-8 -8 16 16'><path class=diamond d='M0-7L7 0L0 7L-7 0Z'/></svg>Protected center</li>"]
    if release.coreset_weights is not None:
        rows.append("<li><svg viewBox='-8 -8 16 16'><circle class=dot r=5 /></svg>Coreset point (area: weight)</li>")
        if (release.coreset_weights < 0).any():
            rows.append("<li><svg viewBox='-8 -8 16 16'><circle class=ring r=5 /></svg>Weight below zero (noise)</li>")
    if release.request.regions:
        rows.append("<li><svg viewBox='-8 -8 16 16'><path class=region d='M-7-6H7V6H-7Z'/></svg>Stricter level</li>")
    return "\n".join(rows)


def _table(release: Release, near: Sequence[str]) -> str:
    named = any(near)
    names = [*release.frame.names, "weight", *(["near"] if named else [])]
    head = "".join(f"<th scope=col>{escape(name)}</th>" for name in ["center", *names])
    rows = []
    for index, (place, weight) in enumerate(zip(release.raw_centers, release.center_weights, strict=True), start=1):
        cells = "".join(f"<td>{value:.6f}</td>" for value in place)
        place_cell = f"<td class=word>{escape(near[index - 1])}</td>" if named else ""
        rows.append(f"<tr><th scope=row>{index}</th>{cells}<td>{weight:,.1f}</td>{place_cell}</tr>")
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
