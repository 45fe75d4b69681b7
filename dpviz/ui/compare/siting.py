"""Trying out sites on a published coreset: estimated distances, a forbidden area, plans to compare.

All of it is computed from a release alone and costs no privacy. Points of negative weight (some methods have them) are
counted as they are: they correct their neighbours.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

import dpviz
from dpviz.clustering import solve_kmedian
from dpviz.domain import Frame
from dpviz.domain.trip_ends import end_names
from dpviz.errors import InputError, NotOffered
from dpviz.language.speaking import told, told as _
from dpviz.questions.answers import Estimate
from dpviz.questions.centers import centers_for
from dpviz.questions.counts import count_served, distance_to_sites, share_of_area
from dpviz.questions.geojson_areas import refuse_many_parts
from dpviz.releases.release import Release
from dpviz.ui.compare import words as say
from dpviz.ui.map.city_map import Area
from dpviz.ui.map.view import Box, Namer, write_features

MOST_SITES = 50
CELLS = 48  # clickable cells per side of the box
WITHIN_M = (500, 1000)
_MOVES = 30
_NEAREST_ALLOWED = 400  # coreset points looked at when a site must move out of the forbidden area
Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Site:
    """A place for a facility, in degrees."""

    lon: float
    lat: float
    stands: bool = False  # it is there already, and stays where it is
    capacity: float | None = None  # records that it can serve


@dataclass(frozen=True, kw_only=True, eq=False)
class Demand:
    """Where the records are that sites should serve, as a release tells it."""

    name: str  # the same for the same release and end
    frame: Frame = field(repr=False)  # of places: two numbers
    raw: Floats = field(repr=False)  # (m, 2)
    weights: Floats = field(repr=False)
    release: Release = field(repr=False)
    end: str | None = None  # of trips, as the release calls it

    @property
    def positions(self) -> Floats:
        """In local metres, (m, 2)."""
        return self.frame.to_local(self.raw)

    @property
    def box(self) -> Box:
        """The public box of these places."""
        return Box(west=self.frame.low[0], south=self.frame.low[1], east=self.frame.high[0], north=self.frame.high[1])

    def good_sites(self, k: int) -> list[Site]:
        """k places that keep the distances small, by the coreset."""
        if self.release.frame.dims == 2:
            found = centers_for(self.release, k, "k-median")[list(self.frame.names)].to_numpy()
        else:
            low, high = np.zeros(2), self.frame.extent
            solved = solve_kmedian(self.positions, self.weights, k, seed=k, low=low, high=high)
            found = np.clip(self.frame.to_raw(solved.centers), self.frame.low, self.frame.high)
        return [Site(lon=float(lon), lat=float(lat)) for lon, lat in found]


def demand_of(release: Release, end: str = "drop-off") -> Demand | None:
    """The demand of a release; of trips that of one end. None where a release has no points or is no map."""
    frame = release.frame
    if release.raw_coreset is None or release.coreset_weights is None or frame.metric != "m":
        return None
    if frame.dims not in (2, 4):
        return None
    ends = slice(0, 2) if end == "pick-up" or frame.dims == 2 else slice(2, 4)
    flat = Frame(
        names=frame.names[ends], low=frame.low[ends], high=frame.high[ends], scale=frame.scale[ends], metric="m"
    )
    name = release.id if frame.dims == 2 else f"{release.id}-{end}"
    raw = release.raw_coreset[:, ends]
    asked = None if frame.dims == 2 else end_names(frame)[0 if end == "pick-up" else 1]
    return Demand(name=name, frame=flat, raw=raw, weights=release.coreset_weights, release=release, end=asked)


@dataclass(frozen=True, kw_only=True)
class Reach:
    """How far records are from the nearest site, estimated from a coreset."""

    average_m: float
    median_m: float
    within: Mapping[int, float]  # by metres: the share of the records


@dataclass(frozen=True, kw_only=True)
class SitePlan:
    """Sites under a name, to compare with others."""

    name: str
    sites: tuple[Site, ...]
    reach: Reach
    demand: str  # the demand's name
    release: str  # its title


def local(demand: Demand, sites: Sequence[Site]) -> Floats:
    """Sites in metres."""
    return demand.frame.to_local(np.array([(site.lon, site.lat) for site in sites], dtype=np.float64).reshape(-1, 2))


def reach(demand: Demand, sites: Sequence[Site]) -> Reach | None:
    """Estimated distances to the nearest of these sites; None without sites or weight."""
    total = float(demand.weights.sum())
    if not sites or total <= 0:
        return None
    apart = _apart(demand.positions, local(demand, sites)).min(axis=1)
    order = np.argsort(apart, kind="stable")
    # With negative weights the sum may fall on its way; its running maximum is a share that does not.
    reached = np.maximum.accumulate(np.cumsum(demand.weights[order])) / total
    return Reach(
        average_m=max(0.0, float(demand.weights @ apart) / total),
        median_m=float(apart[order[min(int(np.searchsorted(reached, 0.5)), len(order) - 1)]]),
        within={metres: float(np.clip(demand.weights[apart <= metres].sum() / total, 0.0, 1.0)) for metres in WITHIN_M},
    )


def _apart(positions: Floats, places: Floats) -> Floats:
    apart: Floats = np.sqrt(((positions[:, None, :] - places[None, :, :]) ** 2).sum(axis=2))
    return apart


def add_sites(demand: Demand, standing: Sequence[Site], k: int) -> list[Site]:
    """Choose k new sites greedily around the fixed ones, then refine them by Weiszfeld steps."""
    offered = demand.good_sites(min(k + len(standing), MOST_SITES))
    positions, weights = demand.positions, np.maximum(demand.weights, 0.0)
    fixed, free = local(demand, standing), local(demand, offered)
    chosen: list[int] = []
    for _step in range(k):  # whichever saves most way is next
        now = _apart(positions, np.concatenate([fixed, free[chosen]])).min(axis=1)
        saved = [
            -1.0 if at in chosen else float(weights @ np.maximum(now - _apart(positions, free[[at]])[:, 0], 0.0))
            for at in range(len(free))
        ]
        chosen.append(int(np.argmax(saved)))
    places = free[chosen]
    for _step in range(_MOVES):
        serves = _apart(positions, np.concatenate([fixed, places])).argmin(axis=1) - len(fixed)
        for at in range(k):
            mine = (serves == at) & (weights > 0.0)
            if mine.any():  # one step of Weiszfeld towards the place with the least way
                near = weights[mine] / np.maximum(_apart(positions[mine], places[[at]])[:, 0], 1.0)
                places[at] = near @ positions[mine] / near.sum()
    raw = np.clip(demand.frame.to_raw(places), demand.frame.low, demand.frame.high)
    return [Site(lon=float(lon), lat=float(lat)) for lon, lat in raw]


def suggest_sites(demand: Demand, k: int, forbidden: Area | None, standing: Sequence[Site] = ()) -> list[Site]:
    """Suggest k sites from the coreset. Sites in the forbidden area move to the allowed point with the least cost."""
    found = add_sites(demand, standing, k) if standing else demand.good_sites(k)
    wrong = find_forbidden(found, forbidden)
    if forbidden is None or not wrong:
        return found
    allowed = demand.raw[~forbidden.contains(demand.raw[:, 0], demand.raw[:, 1])]
    if not len(allowed):
        return found
    places, positions = demand.frame.to_local(allowed), demand.positions
    for _step in range(2):  # a second time, because the first moved those that each site serves
        serves = _apart(positions, local(demand, found)).argmin(axis=1)
        for number in wrong:
            here = local(demand, [found[number - 1]])[0]
            near = np.argsort(((places - here) ** 2).sum(axis=1), kind="stable")[:_NEAREST_ALLOWED]
            mine = serves == number - 1
            cost = demand.weights[mine] @ _apart(positions[mine], places[near]) if mine.any() else np.zeros(len(near))
            best = near[int(cost.argmin())]
            found[number - 1] = Site(lon=float(allowed[best, 0]), lat=float(allowed[best, 1]))
    return found


def find_forbidden(sites: Sequence[Site], forbidden: Area | None) -> list[int]:
    """Numbers of the sites inside the forbidden area."""
    if forbidden is None or not sites:
        return []
    inside = forbidden.contains([site.lon for site in sites], [site.lat for site in sites])
    return [number for number, wrong in enumerate(inside, start=1) if wrong]


def sites_of_table(table: pd.DataFrame, box: Box) -> tuple[list[Site], int]:
    """Sites typed into the table, and how many of its rows lie outside of the box. Unfinished rows are left out."""
    sites, outside = [], 0
    for row in table.to_dict(orient="records"):
        lon, lat, held = row["lon"], row["lat"], row.get("capacity")
        stands = row.get("stands") is True
        capacity = None if held is None or pd.isna(held) or float(held) < 0.0 else float(held)
        if pd.isna(lon) or pd.isna(lat):
            continue
        if box.west <= float(lon) <= box.east and box.south <= float(lat) <= box.north:
            sites.append(Site(lon=float(lon), lat=float(lat), stands=stands, capacity=capacity))
        else:
            outside += 1
    return sites[:MOST_SITES], outside


def table_of_sites(sites: Sequence[Site], name_places: Namer) -> pd.DataFrame:
    """Sites as an editable table; the neighbourhood is told, not typed."""
    lon, lat = [site.lon for site in sites], [site.lat for site in sites]
    near = [place or "" for place in name_places(lon, lat)] if sites else []
    columns = {
        "site": pd.Series(range(1, len(sites) + 1), dtype="Int64"),
        "lon": pd.Series(lon, dtype=np.float64),
        "lat": pd.Series(lat, dtype=np.float64),
        "near": pd.Series(near, dtype=str),
        "stands": pd.Series([site.stands for site in sites], dtype=bool),
        "capacity": pd.Series([site.capacity for site in sites], dtype=np.float64),
    }
    return pd.DataFrame(columns)


def to_geojson(sites: Sequence[Site]) -> str:
    """Sites as GeoJSON."""
    return write_features(
        (
            (
                {"site": number, "stands": site.stands, "capacity": site.capacity},
                "Point",
                [round(site.lon, 6), round(site.lat, 6)],
            )
            for number, site in enumerate(sites, start=1)
        ),
        indent=1,
    )


def _row(feature: Any) -> tuple[float, float, bool, float | None]:
    """A point of a file: where it is, whether it stands already, what it can serve."""
    lon, lat, *_height = feature["geometry"]["coordinates"]
    told = feature.get("properties") or {}
    capacity = told.get("capacity")
    return float(lon), float(lat), told.get("stands") is True, None if capacity is None else float(capacity)


def from_geojson(text: bytes | str, box: Box) -> list[Site]:
    """Points of a GeoJSON file that lie inside the box."""
    refuse_many_parts(text)
    try:
        document: Any = json.loads(text)
        features = document["features"] if document["type"] == "FeatureCollection" else [document]
        rows = [_row(feature) for feature in features if feature["geometry"]["type"] == "Point"]
        table = pd.DataFrame(rows, columns=["lon", "lat", "stands", "capacity"])
    except (KeyError, TypeError, ValueError, IndexError, RecursionError, OverflowError):
        raise InputError(say.BAD_FILE) from None
    if table.empty:
        raise InputError(say.BAD_FILE)
    sites = sites_of_table(table, box)[0]
    if not sites:
        raise InputError(_("No point of this file lies on the map."))
    return sites


@lru_cache(maxsize=8)
def cell_rows(box: Box) -> list[dict[str, Any]]:
    """Clickable cells of the public box."""
    wide, high = (box.east - box.west) / CELLS, (box.north - box.south) / CELLS
    tip, corners = _("Click: a site here"), ((0, 0), (1, 0), (1, 1), (0, 1))
    places = [(box.west + at * wide, box.south + row * high) for row in range(CELLS) for at in range(CELLS)]
    return [
        {
            "ring": [[round(west + x * wide, 5), round(south + y * high, 5)] for x, y in corners],
            "c": [round(west + wide / 2, 5), round(south + high / 2, 5)],
            "tip": tip,
        }
        for west, south in places
    ]


# ---- a plan's numbers with their ranges, from the release's cells ------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class PlanRanges:
    """How far records are from a plan's sites, how many are near, and how many each site serves."""

    average: Estimate
    within: Mapping[int, Estimate]  # by metres
    serves: tuple[Estimate, ...]  # by site


def estimate_ranges(demand: Demand, sites: Sequence[Site]) -> PlanRanges | None:
    """Estimate a plan's numbers with ranges; None without sites or where a release has no counted cells."""
    if not sites:
        return None
    release, places = demand.release, [(site.lon, site.lat) for site in sites]
    try:
        average = distance_to_sites(release, places, end=demand.end)
        within = {
            metres: share_of_area(
                release, [dpviz.Circle(lon=lon, lat=lat, radius_m=metres) for lon, lat in places], end=demand.end
            )
            for metres in WITHIN_M
        }
        table = count_served(release, places, end=demand.end)
    except NotOffered:
        return None
    serves = tuple(
        Estimate(area=str(row["site"]), estimate=row["estimate"], low=row["low"], high=row["high"], note=row["note"])
        for row in table.to_dict(orient="records")
    )
    return PlanRanges(average=average, within=within, serves=serves)


def tell_range(name: str, found: Estimate, of: Callable[..., str], note: str = "") -> tuple[str, str, str]:
    """Write a number with its range; the range alone where cells are too coarse for the number.

    `of` formats a number; its argument `finer` adds digits.
    """
    tell: Callable[..., str] = of
    for finer in (1, 2):  # one more digit, or two, where both ends read the same
        if found.low < found.high and tell(found.low) == tell(found.high):
            tell = partial(of, finer=finer)
    spread = _("{low} to {high}").format(low=tell(found.low), high=tell(found.high))
    if found.note:
        return name, "–", f"{told(found.note)}: {spread}"
    return name, tell(found.estimate), f"{spread}; {note}" if note else spread


def find_overfull(sites: Sequence[Site], found: PlanRanges) -> list[tuple[int, Estimate, float]]:
    """List the sites whose capacity is below the range of what they serve: number, what they serve, capacity."""
    return [
        (number, serves, site.capacity)
        for number, (site, serves) in enumerate(zip(sites, found.serves, strict=True), start=1)
        if site.capacity is not None and serves.low > site.capacity
    ]
