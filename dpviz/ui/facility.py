"""Trying out sites on a published coreset: estimated distances, a forbidden area, plans to compare.

All of it is computed from a release alone and costs no privacy.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpviz.errors import InputError
from dpviz.releases import Release
from dpviz.ui import words
from dpviz.ui.basemap import Area
from dpviz.ui.view import Box

MOST_SITES = 50
CELLS = 48  # clickable cells per side of the box


@dataclass(frozen=True, kw_only=True)
class Site:
    """A place for a facility, in degrees."""

    lon: float
    lat: float


@dataclass(frozen=True, kw_only=True)
class Reach:
    """How far records are from the nearest site, estimated from a coreset."""

    average_m: float
    median_m: float
    within: tuple[tuple[int, float], ...]  # (metres, share of the records)


@dataclass(frozen=True, kw_only=True)
class SitePlan:
    """Sites under a name, to compare with others."""

    name: str
    sites: tuple[Site, ...]
    average_m: float
    release: str


def local(release: Release, sites: Sequence[Site]) -> NDArray[np.float64]:
    """Sites in metres."""
    return release.frame.to_local(np.array([(site.lon, site.lat) for site in sites], dtype=np.float64).reshape(-1, 2))


def reach(release: Release, sites: Sequence[Site]) -> Reach | None:
    """Estimated distances to the nearest of these sites; None without sites or coreset."""
    coreset = release.protected_coreset
    if not sites or coreset is None or not len(coreset):
        return None
    mass = np.maximum(coreset.weights, 0.0)
    total = float(mass.sum())
    if total <= 0:
        return None
    places = local(release, sites)
    apart = np.sqrt(((coreset.positions[:, None, :] - places[None, :, :]) ** 2).sum(axis=2)).min(axis=1)
    order = np.argsort(apart)
    half = int(np.searchsorted(np.cumsum(mass[order]), total / 2))
    shares = tuple((metres, float(mass[apart <= metres].sum() / total)) for metres in (500, 1000, 2000))
    return Reach(
        average_m=float(mass @ apart / total),
        median_m=float(apart[order[min(half, len(order) - 1)]]),
        within=shares,
    )


def suggested(release: Release, k: int, forbidden: Area | None) -> list[Site]:
    """The best k places by the coreset; those in the forbidden area move to the nearest allowed coreset point."""
    centers = release.centers_for(k, "k-median")
    lon, lat = release.frame.names
    found = [Site(lon=float(x), lat=float(y)) for x, y in zip(centers[lon], centers[lat], strict=True)]
    if forbidden is None or release.raw_coreset is None:
        return found
    allowed = release.raw_coreset[~forbidden.contains(release.raw_coreset[:, 0], release.raw_coreset[:, 1])]
    inside = forbidden.contains([site.lon for site in found], [site.lat for site in found])
    if not len(allowed):
        return found
    places = release.frame.to_local(allowed)
    moved = []
    for site, wrong in zip(found, inside, strict=True):
        if wrong:
            nearest = int(((places - local(release, [site])) ** 2).sum(axis=1).argmin())
            site = Site(lon=float(allowed[nearest, 0]), lat=float(allowed[nearest, 1]))
        moved.append(site)
    return moved


def in_forbidden(sites: Sequence[Site], forbidden: Area | None) -> list[int]:
    """Numbers of the sites inside the forbidden area."""
    if forbidden is None or not sites:
        return []
    inside = forbidden.contains([site.lon for site in sites], [site.lat for site in sites])
    return [number for number, wrong in enumerate(inside, start=1) if wrong]


def sites_of_table(table: pd.DataFrame, box: Box) -> list[Site]:
    """Sites typed into the table; unfinished rows and places outside the box are left out."""
    sites = []
    for lon, lat in zip(table["lon"], table["lat"], strict=True):
        if pd.isna(lon) or pd.isna(lat):
            continue
        if box.west <= float(lon) <= box.east and box.south <= float(lat) <= box.north:
            sites.append(Site(lon=float(lon), lat=float(lat)))
    return sites[:MOST_SITES]


def table_of_sites(sites: Sequence[Site]) -> pd.DataFrame:
    """Sites as an editable table."""
    return pd.DataFrame({"lon": [site.lon for site in sites], "lat": [site.lat for site in sites]}, dtype=np.float64)


def to_geojson(sites: Sequence[Site]) -> str:
    """Sites as GeoJSON."""
    features = [
        {
            "type": "Feature",
            "properties": {"site": number},
            "geometry": {"type": "Point", "coordinates": [round(site.lon, 6), round(site.lat, 6)]},
        }
        for number, site in enumerate(sites, start=1)
    ]
    return json.dumps({"type": "FeatureCollection", "features": features}, indent=1)


def from_geojson(text: bytes | str, box: Box) -> list[Site]:
    """Points of a GeoJSON file that lie inside the box."""
    try:
        document: Any = json.loads(text)
        features = document["features"] if document["type"] == "FeatureCollection" else [document]
        places = [feature["geometry"]["coordinates"] for feature in features if feature["geometry"]["type"] == "Point"]
        table = pd.DataFrame([(float(place[0]), float(place[1])) for place in places], columns=["lon", "lat"])
    except (KeyError, TypeError, ValueError, IndexError, RecursionError):
        raise InputError(words.FACILITY_BAD_FILE) from None
    return sites_of_table(table, box)


def cell_rows(box: Box) -> list[dict[str, Any]]:
    """Clickable cells of the public box."""
    wide, high = (box.east - box.west) / CELLS, (box.north - box.south) / CELLS
    rows = []
    for row in range(CELLS):
        for column in range(CELLS):
            west, south = box.west + column * wide, box.south + row * high
            ring = [[west, south], [west + wide, south], [west + wide, south + high], [west, south + high]]
            rows.append(
                {
                    "ring": [[round(x, 5), round(y, 5)] for x, y in ring],
                    "c": [round(west + wide / 2, 5), round(south + high / 2, 5)],
                    "tip": words.FACILITY_CELL,
                }
            )
    return rows
