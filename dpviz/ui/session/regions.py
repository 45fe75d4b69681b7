"""Places with a stricter level, as the screen uses them: regions, shapes, sentences. Pure; the outlines are public."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dpviz.basemap.embedded import watched_areas
from dpviz.domain import Adjacency, ExactCounts, ExactPoints, GeoBox
from dpviz.domain.regions import Area as PlaceArea, Outline, Polygon, checked_name
from dpviz.errors import DpvizError, InputError
from dpviz.language.speaking import told as _
from dpviz.privacy import Level, Region, out_of_100, read_regions
from dpviz.questions.geojson_areas import refuse_many_parts
from dpviz.ui.map.city_map import Basemap
from dpviz.ui.map.view import Box, Shape

Ring = NDArray[np.float64]


def possible(data: ExactCounts | ExactPoints) -> bool:
    """Whether regions are proved for such data."""
    in_plane = isinstance(data, ExactCounts) or data.frame.dims == 2
    return in_plane and data.relation is Adjacency.ADD_REMOVE_ONE and not data.unit.levels


def why_not(data: ExactCounts | ExactPoints) -> str:
    """Which condition fails where regions are not possible."""
    if data.relation is Adjacency.ADD_REMOVE_ONE:
        return _(
            "Places cannot have a level of their own with these data. That works only where each record is one place, "
            "and not, as here, a trip from one place to another."
        )
    return _(
        "Places cannot have a level of their own with these data. That works only where the number of records is "
        "secret, and here it is public."
    )


def names(found: Basemap | None, box: Box) -> list[str]:
    """The built-in places that can be chosen: boroughs, then the neighbourhoods of the box."""
    if found is None:
        return []
    inside = [name for name in found.names_in(box) if _is_name(name)]
    boroughs = [name for name in found.boroughs if _meets(name, box)]
    return [*boroughs, *(name for name in inside if name not in boroughs)]


def by_name(chosen: Sequence[str], found: Basemap, level: Level) -> tuple[Region, ...]:
    """Built-in places with one level."""
    regions = []
    for name in chosen:
        rings = watched_areas()[name].rings if name in found.boroughs else found.neighbourhood(name).rings
        regions.append(Region(outline=Outline(name=name, polygons=nested(rings)), epsilon=level.epsilon))
    return tuple(regions)


def from_file(content: bytes, level: Level) -> tuple[Region, ...]:
    """The regions of an opened file; those without a level of their own take this one."""
    refuse_many_parts(content)
    return read_regions(content, default=level.epsilon)


def together(named: Sequence[Region], filed: Sequence[Region]) -> tuple[Region, ...]:
    """Both kinds; refused when a name stands for two outlines."""
    if {region.name.casefold() for region in named} & {region.name.casefold() for region in filed}:
        raise InputError("the file names a place that is chosen by name as well; leave one of them out.")
    return (*named, *filed)


def at_level(regions: Sequence[Region], level: Level) -> tuple[Region, ...]:
    """The regions when everything else has this level: never less strict than it."""
    return tuple(replace(region, epsilon=min(region.epsilon, level.epsilon)) for region in regions)


def shapes(regions: Sequence[Region]) -> tuple[Shape, ...]:
    """The outlines for a map, each with the one line that it says."""
    tip = _("{name}: stricter level; a guess whether one record was here is right at most {right} times in 100")
    return tuple(
        Shape(
            rings=tuple(np.asarray((*ring, ring[0])) for ring in polygon),
            tip=tip.format(name=region.name, right=out_of_100(region.epsilon)),
        )
        for region in regions
        for polygon in region.outline.polygons
    )


def describe(regions: Sequence[Region], level: Level, unit: str) -> list[str]:
    """What the regions promise and cost, in plain sentences."""
    if not regions:
        return []
    alike: dict[float, list[str]] = {}
    for region in at_level(regions, level):
        alike.setdefault(region.epsilon, []).append(f"**{region.name}**")
    inside = _(
        "{names}: a guess whether one {unit} was there at all is right at most {right} times in 100; elsewhere at most "
        "{elsewhere}, as before."
    )
    move = _(
        "Somebody who knows already that a {unit} is in the data can guess more easily whether it was there or "
        "elsewhere: right at most {right} times in 100."
    )
    told = {"unit": _(unit), "elsewhere": out_of_100(level.epsilon)}
    return [
        *(inside.format(names=", ".join(names), right=out_of_100(own), **told) for own, names in alike.items()),
        move.format(right=out_of_100(max(alike) + level.epsilon), **told),
        _("Such places use up nothing more of the privacy budget. Inside them the map becomes coarser."),
    ]


def nested(rings: Sequence[Ring]) -> tuple[Polygon, ...]:
    """Rings in any order as polygons: a ring that lies inside an odd number of others is a hole of the smallest one."""
    areas = [PlaceArea(name="", rings=(ring,)) for ring in rings]
    holders = [
        [other for other in range(len(rings)) if other != at and bool(areas[other].contains(*rings[at][0]))]
        for at in range(len(rings))
    ]
    polygons: dict[int, list[Ring]] = {at: [ring] for at, ring in enumerate(rings) if len(holders[at]) % 2 == 0}
    for at, ring in enumerate(rings):
        if at not in polygons:
            outer = [other for other in holders[at] if other in polygons]
            polygons[max(outer, key=lambda other: len(holders[other]))].append(ring)
    return tuple(
        tuple(tuple((float(x), float(y)) for x, y in _open(ring)) for ring in held) for held in polygons.values()
    )


def _open(ring: Ring) -> Ring:
    """Without the closing corner."""
    return ring[:-1] if len(ring) > 3 and bool((ring[0] == ring[-1]).all()) else ring


@lru_cache(maxsize=64)
def _meets(name: str, box: Box) -> bool:
    frame = GeoBox(*box.corners).frame
    return bool(Outline(name=name, polygons=nested(watched_areas()[name].rings)).touched(frame, 64).any())


def _is_name(name: str) -> bool:
    try:
        return checked_name(name) == name
    except DpvizError:
        return False
