"""Trips: counts at either end, and flows between areas, from cells that hold both ends. Post-processing.

Seen from one end a cell is a rectangle, and many cells lie on the same ground. A flow takes of a cell the share of its
start times that of its end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import CellTree
from dpviz.domain.trip_ends import axes_of, end_frame, end_names
from dpviz.errors import InputError
from dpviz.questions.answers import Asked, is_coarse, range_table
from dpviz.questions.areas import Zone
from dpviz.questions.noise_model import NINETY, Floats, NoiseModel, border_variance, scatter, tilted

if TYPE_CHECKING:
    import pandas as pd

MOST_FLOW_AREAS = 300


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


def flows(asked: Asked, zones: Sequence[Zone]) -> pd.DataFrame:
    """One row for each pair of areas: origin, destination, estimate, low, high, note."""
    import pandas as pd

    if len(zones) > MOST_FLOW_AREAS:
        raise InputError(f"{len(zones):,} areas are {len(zones) ** 2:,} flows; give at most {MOST_FLOW_AREAS} areas.")
    names, cells = end_names(asked.tree.frame), len(asked.tree)
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
