"""Parts of time that a map is counted in: hours, weekdays, months, days or weeks of a stated period; and the sheet.

A sheet is one public grid with a tile for every part, in rows from the north-west. Nothing here depends on records.
Proof of what a release of a sheet promises: docs/proofs/by_time.md.
"""

from __future__ import annotations

import calendar
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz.domain.box import GeoBox, Grid, PlainBox
from dpviz.errors import InputError

PARTS = {
    "hour": tuple(f"{hour:02d} h" for hour in range(24)),
    "weekday": tuple(calendar.day_name),
    "month": tuple(calendar.month_name)[1:],
}
DAYS = {"day": 1, "week": 7}  # parts of a period that is stated: how many days each has
MOST_PARTS = 366


@dataclass(frozen=True, kw_only=True)
class TimeParts:
    """Which parts, of which box, on how fine a grid, in which time zone. All of it is public.

    Days and weeks are those of a stated period, `first` and `last` day included; a week begins on Monday.
    """

    box: GeoBox
    side: int
    by: str = "hour"
    zone: str = "UTC"
    first: str = ""
    last: str = ""

    def __post_init__(self) -> None:
        if self.by not in (*PARTS, *DAYS):
            raise InputError(f"by={self.by!r}: give {', '.join((*PARTS, *DAYS))}.", by=self.by)
        if (self.by in DAYS) != bool(self.first and self.last):
            raise InputError(
                f"by={self.by!r}: "
                + (
                    "state the period, such as 2026-03-01..2026-03-31 (--days); it is never read off the data."
                    if self.by in DAYS
                    else f"a period is stated for {' and '.join(DAYS)} alone."
                )
            )
        if self.by in DAYS:
            self._check_days()
        Grid(self.box, self.side)  # refuses what is no side
        Grid(self.box, self.side * self.across)  # or too fine for all parts together

    def _check_days(self) -> None:
        try:
            first, last = date.fromisoformat(self.first), date.fromisoformat(self.last)
        except (ValueError, TypeError):
            raise InputError(
                f"{self.first!r} to {self.last!r}: give two days such as 2026-03-01 and 2026-03-31."
            ) from None
        if not date(2, 1, 10) <= first <= last <= date(9997, 12, 1):
            raise InputError(f"the period begins on {self.first} and ends on {self.last}; turn the two round.")
        if len(self.names) > MOST_PARTS:
            raise InputError(
                f"{self.first} to {self.last} holds {len(self.names)} {self.by}s; at most {MOST_PARTS} are published "
                "together. Give a shorter period, or weeks."
            )

    @property
    def begins(self) -> date | None:
        """The day that the first part of a stated period begins on; weeks begin on Monday."""
        if self.by not in DAYS:
            return None
        first = date.fromisoformat(self.first)
        return first - timedelta(days=first.weekday()) if self.by == "week" else first

    @property
    def names(self) -> tuple[str, ...]:
        """What the parts are called, in their order."""
        begins = self.begins
        if begins is None:
            return PARTS[self.by]
        many = (date.fromisoformat(self.last) - begins).days // DAYS[self.by] + 1
        days = (begins + timedelta(days=DAYS[self.by] * at) for at in range(many))
        return tuple(f"{day:%a} {day}" if self.by == "day" else f"week of {day}" for day in days)

    @property
    def across(self) -> int:
        """Tiles along a side of the sheet: a power of two."""
        return 1 << (int(np.ceil(np.sqrt(len(self.names)))) - 1).bit_length()

    @property
    def sheet(self) -> Grid:
        """The grid of all parts together, in metres from its south-western corner."""
        wide, high = (float(length) * self.across for length in self.box.frame.extent)
        return Grid(PlainBox((0.0, 0.0), (wide, high)), self.side * self.across)

    def corner(self, part: int) -> tuple[int, int]:
        """Row and column of a tile's north-western cell in the sheet."""
        return part // self.across * self.side, part % self.across * self.side

    def low(self, part: int) -> NDArray[np.float64]:
        """The south-western corner of a tile in the sheet's metres."""
        wide, high = (float(length) for length in self.box.frame.extent)
        row, column = part // self.across, part % self.across
        return np.array([column * wide, (self.across - 1 - row) * high])

    def cells_of(self, part: NDArray[np.int64], cell: NDArray[np.int64]) -> NDArray[np.int64]:
        """[P2] The one cell of the sheet for a cell of the box in a part; -1 where either is none."""
        row, column = cell // self.side, cell % self.side
        down, right = part // self.across * self.side, part % self.across * self.side
        found = (row + down) * (self.side * self.across) + column + right
        return np.where((part >= 0) & (part < len(self.names)) & (cell >= 0), found, -1)

    def facts(self) -> dict[str, Any]:
        """The layout as JSON values."""
        whole: dict[str, Any] = {
            "by": self.by,
            "zone": self.zone,
            "box": list(self.box.as_tuple()),
            "side": self.side,
        }
        return whole | ({"first": self.first, "last": self.last} if self.by in DAYS else {})

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any]) -> TimeParts:
        """The layout that a document states; an error where it is none."""
        return cls(
            box=GeoBox(*(float(value) for value in facts["box"])),
            side=int(facts["side"]),
            by=str(facts["by"]),
            zone=str(facts["zone"]),
            first=str(facts.get("first", "")),
            last=str(facts.get("last", "")),
        )
