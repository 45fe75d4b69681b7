"""Trips on map.html: where they begin, where they end, and the largest flows between areas. Post-processing.

Middles of cells in four dimensions lie on a lattice, over water too: they are no places where people gather. So ground
is drawn as it was counted at either end, and ways as flows that are more than noise.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dpviz.basemap.world import distinguish_names, place_names
from dpviz.domain import Frame
from dpviz.domain.trip_ends import AXES, both_frames
from dpviz.drawing.density import shade_cells, shade_end_of_trips
from dpviz.drawing.ground import box_of, ground_of
from dpviz.drawing.map_shapes import MapGround, cells_group, diamonds_of, drawing_size, figure_of, map_ground
from dpviz.drawing.map_voices import Voices
from dpviz.errors import DpvizError
from dpviz.labels import sentences as say
from dpviz.language.speaking import figures
from dpviz.questions.areas import NEIGHBOURHOODS, Tiles, Zone, zones_of
from dpviz.questions.counts import count_flows
from dpviz.releases.release import Release

if TYPE_CHECKING:
    import pandas as pd


Floats = NDArray[np.float64]
_ARCS, _ROWS = 40, 12
_ACROSS = 6  # squares along the longer side, where no neighbourhoods are known
_WIDEST, _THINNEST = 9.0, 1.6
_BENT = 0.16  # of its length an arc leaves the straight line, so that there and back lie apart


@dataclass(frozen=True, kw_only=True, eq=False)
class Flows:
    """The largest flows of trips, and where on the map their areas have their middles."""

    arcs: pd.DataFrame
    rows: pd.DataFrame
    middles: dict[str, tuple[float, float]]


def flows_to_show(release: Release) -> Flows | None:
    """None where a release counted no cells, or nothing between two areas is more than noise."""
    if release.protected_cells is None:
        return None
    zones = _areas(both_frames(release.frame)[0])
    try:
        found = count_flows(release, zones)
    except DpvizError:
        return None
    rows = sure_flows(found, _ROWS, round_trips=True)
    middles = {zone.name: middle_of(zone) for zone in zones}
    return Flows(arcs=sure_flows(found, _ARCS), rows=rows, middles=middles) if len(rows) else None


def _areas(plane: Frame) -> list[Zone]:
    """Neighbourhoods where they are known; else equal squares, called by the places that they lie at."""
    try:
        return zones_of(NEIGHBOURHOODS, plane)
    except DpvizError:
        squares = zones_of(Tiles(kind="squares", size=float(plane.extent.max()) / _ACROSS), plane)
    box = box_of(plane)
    places = ground_of(box).places if box is not None else None
    if places is None or not len(places):
        return squares
    lon, lat = np.array([middle_of(square) for square in squares]).T
    names = distinguish_names(place_names(places, lon, lat), lon, lat)
    taken = {name for name in names if name is not None and names.count(name) > 1}
    return [
        square if name is None or name in taken else Zone(name=name, rings=square.rings)
        for square, name in zip(squares, names, strict=True)
    ]


def trip_figures(
    release: Release, near: Sequence[str], grounds: Sequence[MapGround | None], voices: Voices, found: Flows | None
) -> list[str]:
    """A map of each end, and one of the flows."""
    drawings = []
    for at, (plane, ground) in enumerate(zip(both_frames(release.frame), grounds, strict=True)):
        width, height = drawing_size(plane, (0, 1))
        places = release.protected_centers.positions[:, AXES[at]] * (width / float(plane.extent[0]))
        places[:, 1] = height - places[:, 1]
        shapes = [
            _ground_of_end(release, at, plane, (width, height)),
            "" if ground is None else ground.names,
            "<g class=centers>" + "".join(diamonds_of(release, places, near, voices)) + "</g>",
        ]
        tell = (lambda: say.MAP_END) if at else (lambda: say.MAP_BEGIN)
        drawings.append(figure_of(ground, shapes, (width, height), f"box{at}", voices, tell))
    if found is not None:
        plane, ground = both_frames(release.frame)[0], grounds[0]
        size = drawing_size(plane, (0, 1))
        shapes = [
            "<g class=flows>" + "".join(_arcs(found, plane, size, voices)) + "</g>",
            "" if ground is None else ground.names,
        ]
        many = len(found.arcs)
        drawings.append(figure_of(ground, shapes, size, "box2", voices, lambda: say.MAP_FLOWS.format(count=many)))
    return drawings


def grounds_of(release: Release) -> list[MapGround | None]:
    """The ground of both ends."""
    return [
        map_ground(plane, release.raw_centers[:, AXES[at]], *drawing_size(plane, (0, 1)))
        for at, plane in enumerate(both_frames(release.frame))
    ]


def _ground_of_end(release: Release, at: int, plane: Frame, size: tuple[float, float]) -> str:
    """What was counted at one end: on its own map where one was bought, else what all cells of trips say of it."""
    if release.protected_ends is not None:
        box = (plane.low[0], plane.low[1], plane.high[0], plane.high[1])
        return cells_group(shade_cells([release.protected_ends[at]])[0][0], size, box)
    tree = release.protected_cells
    return "" if tree is None else cells_group(shade_end_of_trips(tree, AXES[at]), size, (0.0, 0.0, 1.0, 1.0))


def _arcs(found: Flows, plane: Frame, size: tuple[float, float], voices: Voices) -> Iterator[str]:
    """The largest on top; from violet where trips begin to magenta where they end."""
    scale, height = size[0] / float(plane.extent[0]), size[1]
    most = float(found.arcs["estimate"].max()) if len(found.arcs) else 1.0
    for number, row in enumerate(found.arcs.iloc[::-1].to_dict(orient="records")):
        start, end = (
            plane.to_local(np.array(found.middles[row[name]])) * scale * (1, -1) + (0, height)
            for name in ("origin", "destination")
        )
        along = end - start
        bent = (start + end) / 2.0 + _BENT * np.array([along[1], -along[0]])
        ends = f'x1="{start[0]:.1f}" y1="{start[1]:.1f}" x2="{end[0]:.1f}" y2="{end[1]:.1f}"'
        wide = _THINNEST + (_WIDEST - _THINNEST) * float(row["estimate"]) / most
        yield (
            f"<linearGradient id=flow{number} gradientUnits=userSpaceOnUse {ends}>"
            "<stop class=from /><stop class=to offset=1 /></linearGradient>"
            f'<path stroke="url(#flow{number})" stroke-width="{wide:.1f}" d="M{start[0]:.1f} {start[1]:.1f}'
            f'Q{bent[0]:.1f} {bent[1]:.1f} {end[0]:.1f} {end[1]:.1f}">{voices.tip(partial(_tip, row))}</path>'
        )


def _tip(row: dict[Any, Any]) -> str:
    about, low, high = (tell_whole(row[name]) for name in ("estimate", "low", "high"))
    return say.TIP_FLOW.format(origin=row["origin"], destination=row["destination"], about=about, low=low, high=high)


def flows_table(found: Flows | None, voices: Voices) -> str:
    """The largest flows with their ranges, as HTML with its heading; nothing where there are none."""
    if found is None:
        return ""
    said = voices.said
    words = {"COLUMN_FROM": " class=word", "COLUMN_TO": " class=word"}
    words |= dict.fromkeys(("COLUMN_FLOW", "COLUMN_LOW", "COLUMN_HIGH"), "")
    head = "".join(f"<th scope=col{kind}>{said(partial(getattr, say, name))}</th>" for name, kind in words.items())
    rows = "".join(
        f"<tr><th scope=row class=word>{escape(row['origin'])}</th><td class=word>{escape(row['destination'])}</td>"
        + "".join(f"<td>{said(partial(tell_whole, float(row[name])))}</td>" for name in ("estimate", "low", "high"))
        + "</tr>"
        for row in found.rows.to_dict(orient="records")
    )
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    label = voices.labelled(lambda: say.MAP_LARGEST_FLOWS)
    return (
        f"<h2>{said(lambda: say.MAP_LARGEST_FLOWS)}</h2>\n<p>{said(lambda: say.MAP_RANGES)}</p>\n"
        f"<div class=scroll tabindex=0 role=region {label}>\n{table}\n</div>"
    )


def tell_whole(number: float) -> str:
    """A whole number."""
    return figures(f"{round(number):,}")


def sure_flows(flows: pd.DataFrame, most: int, *, round_trips: bool = False) -> pd.DataFrame:
    """The largest flows that are more than noise; those that end where they begin with `round_trips` alone."""
    sure = (flows["low"] > 0.0) & (flows["note"] == "")
    if not round_trips:
        sure &= flows["origin"] != flows["destination"]
    return flows[sure].sort_values("estimate", ascending=False, kind="stable").head(most)


def middle_of(zone: Zone) -> tuple[float, float]:
    """The middle of the largest outline."""
    ring = max((ring for ring, sign in zone.rings if sign > 0), key=lambda ring: abs(ring_area(ring)))
    x, y = (ring - ring[0]).T
    cross = x * np.roll(y, -1) - y * np.roll(x, -1)
    whole = cross.sum()
    if abs(whole) < 1e-15:
        return float(ring[:, 0].mean()), float(ring[:, 1].mean())
    middle = ring[0] + np.array([((x + np.roll(x, -1)) * cross).sum(), ((y + np.roll(y, -1)) * cross).sum()]) / (
        3.0 * whole
    )
    return float(middle[0]), float(middle[1])


def ring_area(ring: Floats) -> float:
    """Signed, in the ring's own units."""
    x, y = (ring - ring[0]).T
    return float(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2.0
