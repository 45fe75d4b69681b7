"""Public regions with a level of their own, at least as strict as the level elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz.domain.box import Frame
from dpviz.domain.regions import MOST_CORNERS, MOST_REGIONS, Outline, outlines_from_geojson
from dpviz.errors import InputError
from dpviz.privacy.budget import Budget
from dpviz.privacy.levels import LEVELS, level_numbers


@dataclass(frozen=True, kw_only=True)
class Region:
    """An outline and the ε that the presence of a record inside it may cost."""

    outline: Outline
    epsilon: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", Budget(epsilon=self.epsilon).epsilon)

    @property
    def name(self) -> str:
        """The outline's name."""
        return self.outline.name

    def facts(self) -> dict[str, Any]:
        """The region as JSON values."""
        polygons = [[[list(corner) for corner in ring] for ring in polygon] for polygon in self.outline.polygons]
        return {"name": self.name, "epsilon": self.epsilon, "polygons": polygons}

    @classmethod
    def from_facts(cls, values: Mapping[str, Any]) -> Region:
        """The region that `facts` wrote."""
        polygons = tuple(tuple(tuple(map(tuple, ring)) for ring in polygon) for polygon in values["polygons"])
        return cls(outline=Outline(name=values["name"], polygons=polygons), epsilon=values["epsilon"])


def read_regions(content: str | bytes, *, default: float | None = None) -> tuple[Region, ...]:
    """Regions from GeoJSON polygons: properties `name`, and `epsilon` or `level` (from 1 on); else the default ε."""
    found = []
    for outline, properties in outlines_from_geojson(content):
        found.append(Region(outline=outline, epsilon=_epsilon(outline.name, properties, default)))
    return checked_regions(found)


def checked_regions(regions: Any) -> tuple[Region, ...]:
    """A tuple of regions whose names differ."""
    listed = tuple(regions) if isinstance(regions, list | tuple) else (None,)
    if not all(isinstance(region, Region) for region in listed):
        raise InputError("regions must be a list of regions; dpviz.read_regions(text) reads them from GeoJSON.")
    names = [region.name.casefold() for region in listed]
    if len(set(names)) < len(names):
        raise InputError("two regions have the same name; give every region its own.")
    if len(listed) > MOST_REGIONS:
        raise InputError(f"{len(listed)} regions were given; use at most {MOST_REGIONS}.")
    corners = sum(len(ring) for region in listed for polygon in region.outline.polygons for ring in polygon)
    if corners > MOST_CORNERS:
        raise InputError(f"the regions have {corners:,} corners in all; simplify them to {MOST_CORNERS:,}.")
    return listed


@lru_cache(maxsize=8)
def cell_parts(regions: tuple[Region, ...], frame: Frame, side: int) -> NDArray[np.int16]:
    """The part of every cell, (side, side): an index into `regions`, or −1 elsewhere. Public; read-only.

    A cell that several regions touch belongs to the strictest of them, so that no record inside a region is ever
    protected less than the region says.
    """
    if frame.dims != 2:
        raise InputError("regions are drawn on a map; data in other than two dimensions cannot have them.")
    parts = np.full((side, side), -1, dtype=np.int16)
    for index in sorted(range(len(regions)), key=lambda index: (regions[index].epsilon, index)):
        touched = regions[index].outline.touched(frame, side)
        if not touched.any():
            raise InputError(
                f"region {regions[index].name!r} lies outside the public box; draw it inside, or leave it out."
            )
        parts[touched & (parts == -1)] = index
    parts.flags.writeable = False
    return parts


def _epsilon(name: str, properties: Mapping[str, Any], default: float | None) -> float:
    given, level = properties.get("epsilon"), properties.get("level")
    if given is not None and level is not None:
        raise InputError(f"region {name!r} has both an epsilon and a level; give one of them.")
    if level is not None:
        if isinstance(level, bool) or not isinstance(level, int | float) or level not in range(1, len(LEVELS) + 1):
            raise InputError(f"region {name!r} has level {str(level)[:40]!a}; levels go from {level_numbers()}.")
        return LEVELS[int(level) - 1].epsilon
    if given is None and default is None:
        raise InputError(
            f"region {name!r} says no level; give its properties an 'epsilon' or a 'level' ({level_numbers()})."
        )
    value = default if given is None else given
    if isinstance(value, bool) or not isinstance(value, int | float) or not -1e6 < value < 1e6:
        raise InputError(f"region {name!r} has epsilon {str(value)[:40]!a}; give a number such as 0.1.")
    return float(value)
