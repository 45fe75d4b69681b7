"""Finds her in maps that people think are safe: without names, rounded, and with at least five trips."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import GeoBox
from dpviz.domain.box import METRES_PER_DEGREE
from dpviz_research.find_her import week

NEAR_M: Final = 150.0  # a fact of a neighbour's: "gets in or out within so many metres of this door"
SQUARES: Final = 32  # a side of the rounded map: squares of about 390 by 350 metres
AT_LEAST: Final = 5
SEED_OF_CODES: Final = 19
MOST_OF_A_RIDER: Final = 8  # trips of another rider, at most

Ends = NDArray[np.float64]  # (n, 4): pick-up lon, lat, drop-off lon, lat
Whole = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True, eq=False)
class Search:
    """What two facts leave over: the trips of every code that fits the first one, and those that fit both."""

    codes: int
    fit_home: Whole  # numbers of trips
    codes_fit_home: int
    fit_both: Whole
    codes_fit_both: int


def with_hers(public: Ends) -> Ends:
    """The public trips, and hers behind them."""
    return np.vstack([public, week.ends()])


def codes_of_riders(ends: Ends) -> Whole:
    """A made-up code for every trip, because the public file has none; the last trips are hers.

    Riders are simulated: trips that begin near each other are dealt out to riders with one to eight trips each.
    """
    others = len(ends) - len(week.WEEK)
    order = np.argsort(_along_a_curve(ends[:others, 0], ends[:others, 1]), kind="stable")
    chance = np.random.default_rng(SEED_OF_CODES)
    sizes = chance.integers(1, MOST_OF_A_RIDER + 1, size=others)
    riders = np.repeat(np.arange(others), sizes)[:others]
    codes = np.empty(len(ends), np.int64)
    codes[order] = riders
    codes[others:] = riders.max() + 1
    return codes


def _along_a_curve(lon: NDArray[np.float64], lat: NDArray[np.float64]) -> Whole:
    """Places near each other get numbers near each other: the bits of both coordinates in turn."""
    x, y = (np.argsort(np.argsort(part)) for part in (lon, lat))
    mixed = np.zeros(len(x), np.int64)
    for bit in range(17):
        mixed |= ((x >> bit) & 1) << (2 * bit) | ((y >> bit) & 1) << (2 * bit + 1)
    return mixed


def search_without_names(ends: Ends, codes: Whole) -> Search:
    """Which codes fit "gets in or out at her door" and then "gets in or out at her office"."""
    return _search(codes, _near(ends, week.place(week.HOME)), _near(ends, week.place(week.WORK)))


def search_rounded(ends: Ends, codes: Whole, box: GeoBox) -> Search:
    """The same with nothing but squares of the rounded map."""
    home, work = (square_of(box, found.lon, found.lat) for found in map(week.place, (week.HOME, week.WORK)))
    start, end = squares(ends, box)
    return _search(codes, (start == home) | (end == home), (start == work) | (end == work))


def _search(codes: Whole, at_home: NDArray[np.bool_], at_work: NDArray[np.bool_]) -> Search:
    first = np.unique(codes[at_home])
    both = np.intersect1d(first, codes[at_work])
    return Search(
        codes=len(np.unique(codes)),
        fit_home=np.flatnonzero(np.isin(codes, first)),
        codes_fit_home=len(first),
        fit_both=np.flatnonzero(np.isin(codes, both)),
        codes_fit_both=len(both),
    )


def _near(ends: Ends, door: week.Place) -> NDArray[np.bool_]:
    north = METRES_PER_DEGREE
    east = north * np.cos(np.radians(door.lat))
    apart = [np.hypot((ends[:, at] - door.lon) * east, (ends[:, at + 1] - door.lat) * north) for at in (0, 2)]
    found: NDArray[np.bool_] = (apart[0] <= NEAR_M) | (apart[1] <= NEAR_M)
    return found


def squares(ends: Ends, box: GeoBox) -> tuple[Whole, Whole]:
    """The rounded square of either end, numbered row by row from the north-west."""
    found = [_square(box, ends[:, at], ends[:, at + 1]) for at in (0, 2)]
    return found[0], found[1]


def square_of(box: GeoBox, lon: float, lat: float) -> int:
    """The rounded square of one place."""
    return int(_square(box, np.array([lon]), np.array([lat]))[0])


def _square(box: GeoBox, lon: NDArray[np.float64], lat: NDArray[np.float64]) -> Whole:
    column = ((lon - box.west) / (box.east - box.west) * SQUARES).astype(np.int64)
    row = ((box.north - lat) / (box.north - box.south) * SQUARES).astype(np.int64)
    return np.clip(row, 0, SQUARES - 1) * SQUARES + np.clip(column, 0, SQUARES - 1)


def connections(ends: Ends, box: GeoBox) -> Whole:
    """(from, to, trips) of every pair of squares that at least five trips share. Codes are gone."""
    start, end = squares(ends, box)
    pairs, trips = np.unique(start * SQUARES**2 + end, return_counts=True)
    kept = trips >= AT_LEAST
    return np.column_stack([pairs[kept] // SQUARES**2, pairs[kept] % SQUARES**2, trips[kept]])


def lines_at_home(lines: Whole, box: GeoBox) -> NDArray[np.bool_]:
    """Which of these pairs of squares touch the square that she lives in."""
    home = week.place(week.HOME)
    square = square_of(box, home.lon, home.lat)
    found: NDArray[np.bool_] = (lines[:, 0] == square) | (lines[:, 1] == square)
    return found


def other_mornings(ends: Ends, codes: Whole, rounded: Search, box: GeoBox) -> int:
    """How often the others that fit both rounded facts went to her office's square."""
    _, end = squares(ends, box)
    work = week.place(week.WORK)
    others = np.isin(np.arange(len(ends)), rounded.fit_both) & (codes != codes[-1])
    return int((others & (end == square_of(box, work.lon, work.lat))).sum())
