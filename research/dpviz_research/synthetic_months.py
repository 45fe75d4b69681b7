"""Made months of a made city: persons with places of their own, who come, stay, go on holiday and leave.

For tests, benchmarks and the tutorial of a series, where real people's records are not wanted. Every person has a usual
place and two others, drawn from a synthetic city; most of their records are at the usual one. Some persons leave for
good every month and new ones come; a part of the people is there in summer only.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import ExactCounts, Grid, Unit
from dpviz.errors import InputError
from dpviz_research.synthetic import SYNTHETIC_BOX, CityKind, synthetic_city

PLACES = 3
AT_THE_USUAL_PLACE = 0.8
LEAVING = 0.06  # a month, of everybody
PRESENT = 0.8  # of a person's months, on average
SUMMER_ONLY = 0.15  # of the persons
STOPPING = 0.35  # chance that a record is a person's last of the month
GPS_ERROR = 0.0003  # degrees
MONTHS_OF_A_YEAR = 12


@dataclass(frozen=True, kw_only=True)
class Habits:
    """How the people of a made city change from month to month."""

    leaving: float = LEAVING
    present: float = PRESENT
    summer_only: float = SUMMER_ONLY


HABITS = Habits()


@dataclass(frozen=True, kw_only=True, eq=False)
class MadeMonths:
    """Records of made persons: nobody's. Arrays of one length; months count from 1."""

    lon: NDArray[np.float64]
    lat: NDArray[np.float64]
    person: NDArray[np.int64]
    month: NDArray[np.int64]

    def counts(self, month: int, *, side: int, cap: int, column: str = "person") -> ExactCounts:
        """One month on a grid over SYNTHETIC_BOX, the first `cap` records of each person."""
        box = SYNTHETIC_BOX
        rows = np.flatnonzero(self.month == month)
        order = rows[np.argsort(self.person[rows], kind="stable")]
        who = self.person[order]
        begins = np.searchsorted(who, who)
        kept = order[np.arange(len(order)) - begins < cap]
        col = ((self.lon[kept] - box.west) / (box.east - box.west) * side).astype(np.int64)
        up = ((self.lat[kept] - box.south) / (box.north - box.south) * side).astype(np.int64)
        cells = np.bincount((side - 1 - up) * side + col, minlength=side * side).reshape(side, side)
        return ExactCounts.from_array(Grid(box, side), cells, unit=Unit(person_column=column, cap=cap))


def synthetic_months(
    persons: int, seed: int, months: int = MONTHS_OF_A_YEAR, kind: CityKind = "peer", habits: Habits = HABITS
) -> MadeMonths:
    """`persons` at a time, for some months from January; the same arguments, the same records."""
    if not 1 <= persons <= 10**7 or not 1 <= months <= 120:
        raise InputError("give 1 to 10,000,000 persons and 1 to 120 months.", persons=persons, months=months)
    rng = np.random.default_rng([seed, 2])
    everybody = persons + int(np.ceil(persons * habits.leaving * months))
    places = rng.permutation(synthetic_city(everybody * PLACES, seed, kind=kind)).reshape(everybody, PLACES, 2)
    first = np.where(np.arange(everybody) < persons, 0, rng.integers(1, months + 1, everybody))
    last = first + rng.geometric(habits.leaving, everybody) if habits.leaving > 0 else np.full(everybody, months + 1)
    presence = rng.beta(4.0 * habits.present, 4.0 * (1.0 - habits.present), everybody)
    in_summer = rng.random(everybody) < habits.summer_only
    parts = []
    for month in range(months):
        season = np.clip(np.sin(2.0 * np.pi * (month - 3) / MONTHS_OF_A_YEAR), 0.0, 1.0)
        chance = np.where(in_summer, presence * season, presence) * ((first <= month) & (month < last))
        here = np.flatnonzero(rng.random(everybody) < chance)
        who = np.repeat(here, rng.geometric(STOPPING, len(here)))
        usual = rng.random(len(who)) < AT_THE_USUAL_PLACE
        place = np.where(usual, 0, rng.integers(1, PLACES, len(who)))
        at = places[who, place] + rng.normal(0.0, GPS_ERROR, (len(who), 2))
        box = SYNTHETIC_BOX
        inside = (at[:, 0] >= box.west) & (at[:, 0] < box.east) & (at[:, 1] >= box.south) & (at[:, 1] < box.north)
        parts.append((at[inside], who[inside], np.full(int(inside.sum()), month + 1)))
    position, person, number = (np.concatenate(column) for column in zip(*parts, strict=True))
    return MadeMonths(lon=position[:, 0], lat=position[:, 1], person=person, month=number)
