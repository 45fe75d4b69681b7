"""A map as plain data: its marks in degrees, each with its tooltip. No drawing here."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpviz.domain import Frame
from dpviz.domain.box import METRES_PER_DEGREE
from dpviz.language.speaking import told as _
from dpviz.ui.page_parts import words

INK_SHARE = 0.05  # share of the box that all coreset dots together cover; a dot's area is its weight


@dataclass(frozen=True, kw_only=True)
class Box:
    """The public box, in degrees."""

    west: float
    south: float
    east: float
    north: float

    @property
    def corners(self) -> tuple[float, float, float, float]:
        """West, south, east and north."""
        return self.west, self.south, self.east, self.north

    @property
    def middle(self) -> tuple[float, float]:
        return (self.west + self.east) / 2, (self.south + self.north) / 2


@dataclass(frozen=True, kw_only=True, eq=False)
class Dots:
    """Coreset points, the places that they lie in, and what one of what they stand for is called."""

    lon: NDArray[np.float64]
    lat: NDArray[np.float64]
    weight: NDArray[np.float64]
    places: Sequence[str | None]
    unit: str

    def __len__(self) -> int:
        return len(self.lon)


@dataclass(frozen=True, kw_only=True)
class Marker:
    """One center: its number, place, share of the weight and what it says."""

    number: int
    lon: float
    lat: float
    tip: str
    place: str | None = None
    share: float | None = None
    spread_m: float | None = None


@dataclass(frozen=True, kw_only=True)
class Pair:
    """A private center and its non-private partner (or two releases' centers)."""

    number: int
    start: tuple[float, float]
    end: tuple[float, float]
    metres: float
    tip: str


@dataclass(frozen=True, kw_only=True)
class Picture:
    """A picture laid over a box, as a data address."""

    url: str
    box: Box


@dataclass(frozen=True, kw_only=True, eq=False)
class Shape:
    """A public outline: a closed outer ring, then holes, and the line that it says."""

    rings: tuple[NDArray[np.float64], ...]
    tip: str


@dataclass(frozen=True, kw_only=True, eq=False)
class Shade:
    """An area in a colour that says how much is in it, 0 to 1, and the line that it says."""

    rings: tuple[NDArray[np.float64], ...]  # of one polygon: a closed outer ring, then holes
    strength: float
    tip: str


@dataclass(frozen=True, kw_only=True)
class Flow:
    """Trips from one area to another; the strength, 0 to 1, is how wide the arc is."""

    start: tuple[float, float]
    end: tuple[float, float]
    strength: float
    tip: str


def _shown_by(*switches: str) -> dict[str, tuple[str, ...]]:
    """Mark a part of a view that these switches of the legend show, all of them on; other parts are always shown."""
    return {"switches": switches}


@dataclass(frozen=True, kw_only=True, eq=False)
class MapView:
    """All that one map may show. Fields named exact_… are for the curator."""

    box: Box
    place: str
    dots: Dots | None = field(default=None, metadata=_shown_by("coreset"))
    counted: Picture | None = field(default=None, metadata=_shown_by("coreset", "cells"))  # ground by records on it
    shades: tuple[Shade, ...] = ()  # areas by what a release says of them
    flows: tuple[Flow, ...] = ()
    centers: tuple[Marker, ...] = field(default=(), metadata=_shown_by("protected"))
    other_centers: tuple[Marker, ...] = ()  # a second release's centers
    exact_centers: tuple[Marker, ...] = field(default=(), metadata=_shown_by("exact"))
    exact_pairs: tuple[Pair, ...] = field(default=(), metadata=_shown_by("pairs", "exact", "protected"))
    other_pairs: tuple[Pair, ...] = ()  # between two releases
    exact_density: Picture | None = field(default=None, metadata=_shown_by("density"))
    arcs: tuple[Pair, ...] = field(default=(), metadata=_shown_by("protected"))  # of trips, pick-up to drop-off
    exact_arcs: tuple[Pair, ...] = field(default=(), metadata=_shown_by("exact"))
    sites: tuple[Marker, ...] = ()
    forbidden: tuple[tuple[NDArray[np.float64], ...], ...] = ()  # where no site may stand: outer ring, then holes
    regions: tuple[Shape, ...] = field(default=(), metadata=_shown_by("regions"))  # public places with a stricter level
    cells: Sequence[Mapping[str, Any]] = ()  # squares that the server hears of when they are clicked
    strict: bool = False  # a strict preview: what is named exact_… was computed from the protected stand-in
    spreads: bool = field(default=False, metadata=_shown_by("spread", "protected"))

    def showing(self, layers: frozenset[str]) -> MapView:
        """The same map with only these layers: a hidden layer is not part of the view at all, so it is never sent."""
        parts: dict[str, Any] = {"spreads": True}
        parts |= {
            part.name: part.default for part in fields(self) if not layers.issuperset(part.metadata.get("switches", ()))
        }
        view = replace(self, **parts)
        return view if view.counted is None else replace(view, dots=None)

    def told(self, number: int | None) -> str:
        """The center of this number in one line; nothing where there is none."""
        marker = next((marker for marker in self.centers if marker.number == number), None)
        if marker is None:
            return ""
        parts = [words.center_name(marker.number, marker.place), *_served(marker.share)]
        apart = {pair.number: pair.metres for pair in self.exact_pairs}
        if marker.number in apart:
            said = _("{distance} from its unprotected partner")
            said = _("{distance} from its partner in the made-up data") if self.strict else said
            parts.append(said.format(distance=words.distance(apart[marker.number])))
        return " · ".join(parts)

    @property
    def alt(self) -> str:
        """The map for a screen reader."""
        unprotected = _("{count} unprotected centers as black squares")
        if self.strict:
            unprotected = _("{count} centers of the made-up data as black squares")
        shown = (
            (0 if self.dots is None else len(self.dots), _("{count} protected points")),
            (
                int(self.counted is not None),
                _("squares coloured with protection, stronger where more records lie on the same ground"),
            ),
            (len(self.centers), _("{count} protected centers as blue diamonds")),
            (len(self.exact_centers), unprotected),
        )
        listed = [said.format(count=words.count(number)) for number, said in shown if number]
        told = _("Map of {place} with {listed}. The same content follows under “Read the map as a table”.")
        told = told.format(place=self.place, listed=", ".join(listed) or _("no layer switched on"))
        return f"{told} {_('Places with a stricter level are outlined in blue.')}" if self.regions else told


def _served(share: float | None) -> list[str]:
    return [] if share is None else [_("serves about {share} of the records").format(share=words.percent(share))]


def dot_radii_m(dots: Dots, box: Box) -> NDArray[np.float64]:
    """Radius in metres per dot: area ∝ weight, all dots together cover a fixed share of the box."""
    mass = np.maximum(dots.weight, 0.0)
    total = float(mass.sum())
    if total <= 0:
        return np.zeros(len(mass))
    stretch = float(np.cos(np.radians(box.middle[1])))
    ground = (box.east - box.west) * METRES_PER_DEGREE * stretch * (box.north - box.south) * METRES_PER_DEGREE
    return np.sqrt(INK_SHARE * ground * mass / (np.pi * total))


def feature_collection(features: Iterable[tuple[Mapping[str, Any], str, Any]]) -> dict[str, Any]:
    """GeoJSON from properties, kind of geometry and coordinates of each feature."""
    written = [
        {"type": "Feature", "properties": properties, "geometry": {"type": kind, "coordinates": coordinates}}
        for properties, kind, coordinates in features
    ]
    return {"type": "FeatureCollection", "features": written}


def write_features(features: Iterable[tuple[Mapping[str, Any], str, Any]], indent: int | None = None) -> str:
    """The same as a file."""
    return json.dumps(feature_collection(features), indent=indent)


Namer = Callable[[Sequence[float] | NDArray[np.float64], Sequence[float] | NDArray[np.float64]], list[str | None]]


def make_markers(
    lon: NDArray[np.float64],
    lat: NDArray[np.float64],
    weight: NDArray[np.float64] | None,
    *,
    name_places: Namer,
    what: str,
    numbers: Sequence[int] | None = None,
    spreads: Sequence[float | None] | None = None,
) -> tuple[Marker, ...]:
    """Centers with number, neighbourhood and share."""
    places = name_places(lon, lat)
    total = float(np.maximum(weight, 0).sum()) if weight is not None else 0.0
    markers = []
    for row, place in enumerate(places):
        number = row + 1 if numbers is None else numbers[row]
        share = max(0.0, float(weight[row])) / total if weight is not None and total > 0 else None
        near = [_("near {place}").format(place=place)] if place else []
        markers.append(
            Marker(
                number=number,
                lon=float(lon[row]),
                lat=float(lat[row]),
                tip=" · ".join([f"{what} {number}", *near, *_served(share)]),
                place=place,
                share=share,
                spread_m=None if spreads is None else spreads[row],
            )
        )
    return tuple(markers)


def make_pairs(
    centers: Sequence[Marker], partners: Sequence[Marker], pairs: Sequence[tuple[int, int]], metres: Sequence[float]
) -> tuple[Pair, ...]:
    """Lines between matched centers."""
    return tuple(
        Pair(
            number=centers[i].number,
            start=(centers[i].lon, centers[i].lat),
            end=(partners[j].lon, partners[j].lat),
            metres=float(apart),
            tip=words.tip_pair(centers[i].number, float(apart)),
        )
        for (i, j), apart in zip(pairs, metres, strict=True)
    )


def make_arcs(frame: Frame, centers: pd.DataFrame, numbers: Sequence[int] | None = None) -> tuple[Pair, ...]:
    """Trips: an arc from the pick-up to the drop-off end of each center."""
    if frame.dims != 4:
        return ()
    ends = centers[list(frame.names)].to_numpy()
    local = frame.to_local(ends)
    metres = np.linalg.norm(local[:, 2:] - local[:, :2], axis=1).tolist()
    said = _("Trips {number}: {distance} from pick-up to drop-off")
    return tuple(
        Pair(
            number=number,
            start=(float(end[0]), float(end[1])),
            end=(float(end[2]), float(end[3])),
            metres=apart,
            tip=said.format(number=number, distance=words.distance(apart)),
        )
        for number, end, apart in zip(numbers or range(1, len(ends) + 1), ends, metres, strict=True)
    )
