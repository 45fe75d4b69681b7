"""Questions to a release by area, by site, by end and by time; every answer carries its range. Post-processing.

To sites: each cell is looked at in several places. The mean of their distances is what the cell adds, how much they
differ is what is not known, because where records lie inside a cell was never measured. The noise of the average is
that of Σ count · (distance − average), which has the exact variance of any question.

Of trips: seen from one end a cell is a rectangle, and many cells lie on the same ground. A flow takes of a cell the
share of its start times that of its end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpviz.clustering import assign
from dpviz.domain import CellTree, Frame
from dpviz.domain.trip_ends import axes_of, end_frame, end_names, place_of, told_ends
from dpviz.errors import InputError, NotOffered
from dpviz.questions.answers import TOO_COARSE, Asked, Estimate, is_coarse, range_table, single, whole_box
from dpviz.questions.areas import Zone, united_zone, zones_of
from dpviz.questions.centers import raw_sites
from dpviz.questions.noise_model import NINETY, Floats, NoiseModel, border_variance, scatter, tilted
from dpviz.questions.parts import PartsView
from dpviz.releases.release import Release

if TYPE_CHECKING:
    import pandas as pd


LOOKS = 4  # places per axis in a cell
# The variance of a cell's mean in units of ρ times the variance of its places: halves of halves vary alike.
MEAN_OF_PLACES = 1.5
WIDER = 1.2  # without it ranges held in 84 of 100 cases; chosen on one half of the sets of dpviz_research/coverage.py
COARSE_SHARE = 0.5  # an average whose cells leave it so uncertain, as a share of itself, is not told

MOST_FLOW_AREAS = 300


def count_area(release: Release, area: Any, *, end: str | None = None) -> Estimate:
    """How many records lie in an area, with the range that is to hold the truth in 90 of 100 draws.

    An area is a box (west, south, east, north), a Circle, a polygon (GeoJSON, or anything with
    `__geo_interface__`), the name of a neighbourhood of the built-in map, or a list of polygons that count as one.
    Trips have two ends: `end` names one, such as "pickup".
    """
    asked = countable_cells(release, end)
    return single(asked.counts([_one_zone(area, asked)]))


def share_of_area(release: Release, area: Any, *, end: str | None = None) -> Estimate:
    """The share of all records that lies in an area, 0 to 1, with its range."""
    asked = countable_cells(release, end)
    return single(asked.shares([_one_zone(area, asked)]), is_share=True)


def count_all(release: Release) -> Estimate:
    """How many records there are in the public box, with its range."""
    low, high = release.frame.low, release.frame.high
    if release.frame.dims != 2:
        return whole_box(countable_cells(release))
    return replace(count_area(release, (low[0], low[1], high[0], high[1])), area="the public box")


def count_areas(release: Release, areas: Any, *, shares: bool = False, end: str | None = None) -> pd.DataFrame:
    """Many areas at once: a list, a GeoJSON FeatureCollection or file, 'neighbourhoods', or dpviz.Tiles.

    Columns: area, estimate, low, high (90 of 100 draws), note; with `shares` numbers are shares of all records.
    """
    asked = countable_cells(release, end)
    zones = zones_of(areas, asked.tree.frame)
    return asked.shares(zones) if shares else asked.counts(zones)


def difference(first: pd.DataFrame, second: pd.DataFrame) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Of two tables of the same areas: how much more the second holds, and how much of that may be noise."""
    spread = [(table["high"] - table["low"]).to_numpy(np.float64) / 2.0 for table in (first, second)]
    return (second["estimate"] - first["estimate"]).to_numpy(np.float64), np.hypot(*spread)


def distance_to_sites(release: Release, sites: pd.DataFrame | ArrayLike, *, end: str | None = None) -> Estimate:
    """How far records are from the nearest of some sites on average, in metres (local units), with its range.

    Sites are rows of longitude and latitude (a table with the columns lon and lat, or one row a site). Trips have
    two ends: `end` names one.
    """
    asked = countable_cells(release, end)
    return average_distance(asked, _sites_in(asked.tree.frame, sites))


def count_served(release: Release, sites: pd.DataFrame | ArrayLike, *, end: str | None = None) -> pd.DataFrame:
    """How many records each site is the nearest one of: columns site, estimate, low, high and note."""
    asked = countable_cells(release, end)
    return served(asked, _sites_in(asked.tree.frame, sites))


def view_parts(release: Release) -> PartsView:
    """The parts of a release by time or by a column; one without a layout is refused."""
    if release.request.parts is None:
        raise NotOffered("this release is not divided into parts; publish one with parts (read_parts, --by hour).")
    if "parts" not in release._answers:
        release._answers["parts"] = PartsView(release, release.request.parts)
    return cast(PartsView, release._answers["parts"])


def together(release: Release) -> Release:
    """All parts of a release as one on its box; a release without parts as it is."""
    parts = release.request.parts
    return release if parts is None else view_parts(release).at(*range(len(parts.names)))


def part_of_release(release: Release, *names: str | int, k: int | None = None) -> Release:
    """Some parts together as a release of the box, to be asked and drawn: `release.part("member")`."""
    return view_parts(release).at(*names, k=k)


def countable_cells(release: Release, end: str | None = None) -> Asked:
    """The cells that a question is put to: those of one end's own map where one was bought."""
    kept = end or ""
    if kept not in release._kept:
        cells = release.protected_cells
        if end is not None and release.protected_ends is not None:
            release._kept[kept] = Asked(tree=release.protected_ends[place_of(release.frame, end)])
        elif cells is not None:
            tree = cells if end is None else seen_from(cells, end)
            release._kept[kept] = Asked(tree=tree, stacked=release.stacked or end is not None)
        else:
            raise NotOffered(
                f"this release was made by {release.method} and holds no counted cells, so it has no error to give for "
                "a count. Publish for purpose='balanced' or 'any question', or with a method that counts cells "
                "(adaptive_tree, uniform_grid).",
                method=release.method,
            )
    return cast(Asked, release._kept[kept])


def refuse_much(release: Release, zones: Sequence[Zone], end: str | None = None) -> None:
    """Refuse areas that would take long to count, before it is begun: for programs that several people share."""
    countable_cells(release, end).refuse_much(zones)


def _sites_in(frame: Frame, sites: pd.DataFrame | ArrayLike) -> NDArray[np.float64]:
    """Sites in local units; a plane is needed."""
    if frame.dims != 2:
        raise NotOffered(
            f"distances are told in a plane, and this release has {frame.dims} dimensions; name one end of its trips "
            f"({told_ends(frame)})."
        )
    return frame.to_local(raw_sites(frame, sites))


def _one_zone(area: Any, asked: Asked) -> Zone:
    zones = zones_of(area, asked.tree.frame)
    return zones[0] if len(zones) == 1 else united_zone(zones)


def average_distance(asked: Asked, sites: Floats) -> Estimate:
    """The average distance of all records to the nearest site; `sites` in local units, (m, 2)."""
    tree, frame = asked.tree, asked.tree.frame
    low, high = frame.to_local(tree.low[tree.cell]), frame.to_local(tree.high[tree.cell])
    # Counts that are kept from going below zero would put records on empty ground, far from every site.
    count = asked.model.agreed(floor=False)[tree.cell]
    total = float(count.sum())
    if total <= 0.0:
        raise NotOffered("this release holds no records by its own counts, so there is no distance to tell.")
    middle, differ = _of_cells(low, high, sites)
    average = max(float(middle @ count) / total, 0.0)
    every = np.arange(len(tree))
    noise = float(asked.model.variances(np.array([0, len(tree)]), every, middle - average)[0][0])
    cut = _inside(asked, differ)
    inside = asked.model_factor * float(border_variance(np.zeros(len(cut), np.int64), cut, 1, asked.stacked)[0])
    reach = WIDER * NINETY * float(np.sqrt(noise + inside)) / total
    coarse = NINETY * float(np.sqrt(inside)) / total > COARSE_SHARE * average
    return Estimate(
        area=f"{len(sites)} sites" if len(sites) > 1 else "1 site",
        estimate=average,
        low=max(average - reach, 0.0),
        high=average + reach,
        note=TOO_COARSE if coarse else "",
    )


def served(asked: Asked, sites: Floats) -> pd.DataFrame:
    """How many records each site is the nearest one of: site, estimate, low, high, note; `sites` in local units."""
    tree, frame, many = asked.tree, asked.tree.frame, len(sites)
    low, high = frame.to_local(tree.low[tree.cell]), frame.to_local(tree.high[tree.cell])
    places = _places(low, high)
    number = np.arange(len(tree))[:, None] + assign(places.reshape(-1, 2), sites).reshape(len(tree), -1) * len(tree)
    keys, times = np.unique(number, return_counts=True)
    site, cell = np.divmod(keys, len(tree))
    share = times / LOOKS**2
    starts = np.searchsorted(site, np.arange(many + 1)).astype(np.int64)
    estimate = np.maximum(np.bincount(site, weights=share * tree.count[cell], minlength=many), 0.0)
    noise, _ = asked.model.variances(starts, cell, share)
    at, cut = asked.cut_ground(site, cell, share)
    inside = asked.model_factor * border_variance(at, cut, many, asked.stacked)
    return range_table(
        {"site": np.arange(1, many + 1)}, estimate, NINETY * np.sqrt(noise + inside), is_coarse(estimate, inside)
    )


def _places(low: Floats, high: Floats) -> Floats:
    """Places in each cell, (cells, LOOKS², 2)."""
    inside = (np.indices((LOOKS, LOOKS)).reshape(2, -1).T + 0.5) / LOOKS
    return low[:, None, :] + inside[None, :, :] * (high - low)[:, None, :]


def _of_cells(low: Floats, high: Floats, sites: Floats) -> tuple[Floats, Floats]:
    """The mean distance of each cell's places to the nearest site, and the variance of these distances."""
    places = _places(low, high)
    nearest = np.full(places.shape[:2], np.inf)
    for site in sites:
        np.minimum(nearest, np.linalg.norm(places - site, axis=2), out=nearest)
    return nearest.mean(axis=1), nearest.var(axis=1)


def _inside(asked: Asked, differ: Floats) -> Floats:
    """What each piece of ground leaves unknown; cells on the same ground are unknown together."""
    held, rho = np.maximum(asked.tree.count, 0.0), asked.rho
    if asked.stacked:
        at = asked.ground
        times = np.bincount(at).astype(np.float64)
        held = np.bincount(at, weights=held)
        rho, differ = np.bincount(at, weights=rho) / times, np.bincount(at, weights=differ) / times
    found: Floats = MEAN_OF_PLACES * rho * held**2 * differ + held * differ
    return found


def seen_from(tree: CellTree, end: str) -> CellTree:
    """The same cells and measurements as rectangles of one end, with counts that may be below zero.

    Tens of thousands of nearly empty cells, each kept from going below zero, would together lift what lies in every
    large area; the plain sums are right on average, and have the variance that is stated.
    """
    axes = axes_of(tree.frame, end)
    return replace(
        tree,
        count=NoiseModel.of(tree).agreed(floor=False)[tree.cell],
        frame=end_frame(tree.frame, end),
        low=np.ascontiguousarray(tree.low[:, axes]),
        high=np.ascontiguousarray(tree.high[:, axes]),
        mean=np.ascontiguousarray(tree.mean[:, axes]),
    )


def count_flows(release: Release, areas: Any) -> pd.DataFrame:
    """Trips between areas: a row for each pair, with origin, destination, estimate, low, high and note."""
    import pandas as pd

    asked, names = countable_cells(release), end_names(release.frame)
    zones, cells = zones_of(areas, end_frame(release.frame, names[0])), len(asked.tree)
    if len(zones) > MOST_FLOW_AREAS:
        raise InputError(f"{len(zones):,} areas are {len(zones) ** 2:,} flows; give at most {MOST_FLOW_AREAS} areas.")
    shares, grounds = [], []
    for end in names:
        side = Asked(tree=seen_from(asked.tree, end), stacked=True)
        grounds.append(side.ground)
        met = side.rectangles.met_by([zone.rings for zone in zones])
        shares.append(_once_each(met.zone, met.cell, tilted(met.share, met.middle, side.lean[met.cell]), cells))
    (from_zone, from_cell, from_share), (to_zone, to_cell, to_share) = shares
    order = np.lexsort((to_zone, to_cell))
    to_zone, to_cell, to_share = to_zone[order], to_cell[order], to_share[order]
    first = np.searchsorted(to_cell, np.arange(cells + 1))
    parts = []
    for at, origin in enumerate(zones):
        begins = slice(*np.searchsorted(from_zone, (at, at + 1)))
        here, part = from_cell[begins], from_share[begins]
        many = first[here + 1] - first[here]
        row = np.repeat(np.arange(len(here)), many)  # every end that lies in the same cell as a beginning
        other = np.arange(len(row)) - np.repeat(np.cumsum(many) - many, many) + first[here][row]
        by_zone = np.argsort(to_zone[other], kind="stable")
        row, other = row[by_zone], other[by_zone]
        where = to_zone[other], here[row], part[row], to_share[other]
        parts.append(_from_one(asked, origin, zones, where, grounds))
    return pd.concat(parts, ignore_index=True)


def _once_each(
    zone: NDArray[np.int64], cell: NDArray[np.int64], share: Floats, cells: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats]:
    """Areas, cells and shares, by area and cell, where a pair may have been listed twice."""
    pairs, place = np.unique(zone.astype(np.int64) * cells + cell, return_inverse=True)
    found, where = np.divmod(pairs, cells)
    summed: Floats = np.bincount(place.reshape(-1), weights=share, minlength=len(pairs)).astype(np.float64)
    return found, where, summed


def _from_one(
    asked: Asked,
    origin: Zone,
    zones: Sequence[Zone],
    met: tuple[NDArray[np.int64], NDArray[np.int64], Floats, Floats],
    grounds: Sequence[NDArray[np.int64]],
) -> pd.DataFrame:
    """The flows from one area. Met, by destination: its cells, and the shares of them that begin and that end there."""
    tree, many, (zone, cell, begins, ends) = asked.tree, len(zones), met
    share = begins * ends
    count, rho = np.maximum(tree.count, 0.0)[cell], asked.rho[cell]
    begun = np.searchsorted(zone, np.arange(many + 1)).astype(np.int64)
    estimate = np.maximum(np.bincount(zone, weights=share * tree.count[cell], minlength=many), 0.0)
    noise, _ = asked.model.variances(begun, cell, share)
    # How unevenly records lie on a ground is the same for all cells that have it at this end, wherever they go.
    at_start, at_end = scatter(begins, rho), scatter(ends, rho)
    parts = [
        _together(zone, grounds[0][cell], count * ends * np.sqrt(at_start), many),
        _together(zone, grounds[1][cell], count * begins * np.sqrt(at_end), many),
        (zone, at_start * at_end * count**2 + share * (1.0 - share) * count),
    ]
    at, cut = (np.concatenate([part[which] for part in parts]) for which in (0, 1))
    inside = border_variance(at.astype(np.int64), cut, many, stacked=True)
    names = {"origin": origin.name, "destination": [other.name for other in zones]}
    return range_table(names, estimate, NINETY * np.sqrt(noise + inside), is_coarse(estimate, inside))


def _together(
    zone: NDArray[np.int64], ground: NDArray[np.int64], deviation: Floats, zones: int
) -> tuple[NDArray[np.int64], Floats]:
    """The area and the variance of every ground in it, whose cells err in the same direction."""
    pairs, place = np.unique(ground * zones + zone, return_inverse=True)
    summed: Floats = np.bincount(place.reshape(-1), weights=deviation, minlength=len(pairs)).astype(np.float64)
    return (pairs % zones).astype(np.int64), summed**2
