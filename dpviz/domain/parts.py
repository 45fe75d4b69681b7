"""Parts that a map is counted in: by time, or by any column with a public list of values; and the sheet.

A sheet is one public grid with a tile for every part. Nothing here depends on records.
Proof of what a release of a sheet promises: docs/proofs/parts.md.
"""

from __future__ import annotations

import calendar
import math
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz.domain.box import GeoBox, Grid, PlainBox
from dpviz.domain.counts import ExactCounts
from dpviz.errors import InputError, show_name

PARTS = {
    "hour": tuple(f"{hour:02d} h" for hour in range(24)),
    "weekday": tuple(calendar.day_name),
    "month": tuple(calendar.month_name)[1:],
}
DAYS = {"day": 1, "week": 7}  # parts of a period that is stated: how many days each has
TIMES = (*PARTS, *DAYS)
MOST_PARTS = 366
LONGEST_VALUE = 60
FILES = (".txt", ".csv", ".tsv")
OTHER = "other"  # the part of all records whose value is not in the list
BETWEEN = " · "  # a value of one division and of the next


def spelled(text: str) -> str:
    """A value without its letter case, outer spaces and variants of one character: two spellings are one value."""
    return " ".join(unicodedata.normalize("NFKC", text).split()).casefold()


@dataclass(frozen=True, kw_only=True)
class Division:
    """One public way to divide records: by their time, or by a column with a list of values.

    Days and weeks are those of a stated period, `first` and `last` day included; a week begins on Monday. A column's
    last part is `other`: every value that is not in the list, and none. `of_person`: the curator states that the value
    belongs to the person; of a person with several, the one that comes first in the list counts.
    """

    by: str = "hour"
    zone: str = "UTC"
    first: str = ""
    last: str = ""
    values: tuple[str, ...] = ()
    of_person: bool = False

    def __post_init__(self) -> None:
        if self.values:
            object.__setattr__(self, "values", _checked_values(self.by, self.values))
            return
        if self.by not in TIMES:
            raise InputError(
                f"by={show_name(self.by)!r}: give {', '.join(TIMES)}; or a column with the public list of its values, "
                "such as values='member,guest' (--values). The list is never read off the data.",
                by=self.by,
            )
        if self.of_person:
            raise InputError(f"by={self.by!r}: a person has no {self.by} of their own; state columns alone.")
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

    def _check_days(self) -> None:
        try:
            first, last = date.fromisoformat(self.first), date.fromisoformat(self.last)
        except (ValueError, TypeError):
            raise InputError(
                f"{self.first!r} to {self.last!r}: give two days such as 2026-03-01 and 2026-03-31."
            ) from None
        if not date(2, 1, 10) <= first <= last <= date(9997, 12, 1):
            raise InputError(f"the period begins on {self.first} and ends on {self.last}; turn the two round.")

    @property
    def is_time(self) -> bool:
        """Whether it divides by time."""
        return not self.values

    @property
    def begins(self) -> date | None:
        """The day that the first part of a stated period begins on; weeks begin on Monday."""
        if self.by not in DAYS or not self.is_time:
            return None
        first = date.fromisoformat(self.first)
        return first - timedelta(days=first.weekday()) if self.by == "week" else first

    @property
    def names(self) -> tuple[str, ...]:
        """What the parts are called, in their order."""
        if self.values:
            return (*self.values, OTHER)
        begins = self.begins
        if begins is None:
            return PARTS[self.by]
        many = (date.fromisoformat(self.last) - begins).days // DAYS[self.by] + 1
        days = (begins + timedelta(days=DAYS[self.by] * at) for at in range(min(many, MOST_PARTS + 1)))
        return tuple(f"{day:%a} {day}" if self.by == "day" else f"week of {day}" for day in days)

    @property
    def across(self) -> int:
        """Tiles along a side of its block: a power of two."""
        return 1 << (math.ceil(math.sqrt(len(self.names))) - 1).bit_length()

    def facts(self) -> dict[str, Any]:
        """As JSON values."""
        if self.values:
            stated = {"by": self.by, "values": list(self.values)}
            return {**stated, "of_person": True} if self.of_person else stated
        whole = {"by": self.by, "zone": self.zone}
        return whole | ({"first": self.first, "last": self.last} if self.by in DAYS else {})

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any]) -> Division:
        """The division that `facts` wrote."""
        texts = {name: str(facts[name]) for name in ("by", "zone", "first", "last") if name in facts}
        values = tuple(map(str, facts.get("values", ())))
        return cls(**texts, values=values, of_person=bool(facts.get("of_person", False)))


def divisions_of(
    by: str | Sequence[str],
    values: Any = None,
    *,
    zone: str = "UTC",
    days: tuple[str, str] = ("", ""),
    of_person: Sequence[str] = (),
) -> tuple[Division, ...]:
    """The divisions that somebody states: one or two names, the values of columns, the zone and period of times.

    `values` is the list of the one column ("member,guest" or a sequence), or a mapping of columns to their lists. A
    name with values is a column; one without is a division of time.
    """
    names = [by] if isinstance(by, str) else list(by)
    if not 1 <= len(names) <= 2 or len(set(names)) < len(names):
        raise InputError(f"by={by!r}: give one division, or two that differ.")
    columns = [name for name in names if name not in TIMES] or names
    if not hasattr(values, "__len__") and values is not None:
        raise InputError(f"values={values!r}: give a list such as 'member,guest', or the lines of a file as a list.")
    if values is None or (not isinstance(values, Mapping) and not len(values)):
        if values is not None:
            raise InputError("values: the list is empty; name at least one value, such as 'member,guest'.")
        lists: Mapping[str, Any] = {}
    elif isinstance(values, Mapping):
        lists = values
    elif len(columns) == 1:
        lists = {columns[0]: values}
    else:
        raise InputError(f"say which list belongs to which column: values={{{columns[0]!r}: …, {columns[1]!r}: …}}.")
    strange = [name for name in (*lists, *of_person) if name not in names]
    if strange:
        raise InputError(f"{show_name(str(strange[0]))!r} divides nothing; name it in by=.")
    found = []
    for name in names:
        listed = lists.get(name, ())
        own = tuple(listed.split(",") if isinstance(listed, str) else map(str, listed))
        if name in lists and not own:
            raise InputError(f"values of {show_name(name)!r}: the list is empty; name at least one value.")
        if len(own) == 1 and own[0].strip().lower().endswith(FILES):  # a name mistyped would be paid for as a part
            raise InputError(
                f"values of {show_name(name)!r}: {show_name(own[0])!r} reads like a file's name, and nothing was "
                "read from it; check the name. In code, give its lines as a list."
            )
        first, last = days if name in DAYS and not own else ("", "")
        found.append(Division(by=name, zone=zone, first=first, last=last, values=own, of_person=name in of_person))
    if any(days) and not any(one.is_time and one.by in DAYS for one in found):
        raise InputError(f"a period is stated for {' and '.join(DAYS)} alone.")
    return tuple(found)


def _checked_values(by: str, values: Sequence[str]) -> tuple[str, ...]:
    """The list as it is published: each value once, without `other`, which every list has."""
    kept: dict[str, str] = {}
    for value in values:
        text = " ".join(str(value).split())
        if not text or len(text) > LONGEST_VALUE or not text.isprintable() or "," in text:
            raise InputError(
                f"values of {show_name(by)!r}: {text[:LONGEST_VALUE]!a} is empty, longer than {LONGEST_VALUE} letters, "
                "or holds a comma; give words with commas between."
            )
        if spelled(text) in kept:
            raise InputError(
                f"values of {show_name(by)!r}: {kept[spelled(text)]!r} and {text!r} are two spellings of one value; "
                "give it once. Letter case and spaces around it make no difference."
            )
        kept[spelled(text)] = text
    kept.pop(OTHER, None)
    if not kept:
        raise InputError(
            f"values of {show_name(by)!r}: name one besides {OTHER!r}, which holds all that are not listed."
        )
    return tuple(kept.values())


def _place_in(division: Division, wanted: str) -> int | None:
    """The place of a part of one division that is named: "member"; of times also "08", "8", "2026-03-14"."""
    for at, known in enumerate(division.names):
        name = spelled(known)
        if wanted == name or (division.is_time and wanted in (name.split(" ")[0], name.split(" ")[-1], str(at))):
            return at
    return None


@dataclass(frozen=True, kw_only=True)
class Parts:
    """Which parts, of which box, on how fine a grid. All of it is public.

    Two divisions give a part for every pair. Each part of the first then has a block of tiles of its own, so that the
    tree over the sheet is a tree over both.
    """

    box: GeoBox
    side: int
    divisions: tuple[Division, ...] = field(default_factory=lambda: (Division(),))

    def __post_init__(self) -> None:
        if not 1 <= len(self.divisions) <= 2:
            raise InputError("records are divided in one way or in two.")
        many = math.prod(len(one.names) for one in self.divisions)
        if many > MOST_PARTS:
            more = " or more" if many % (MOST_PARTS + 1) == 0 else ""  # `names` ends there
            raise InputError(
                f"{many:,}{more} parts by {self.by}: at most {MOST_PARTS} are published together. Give fewer values, "
                "a shorter period, or weeks."
            )
        Grid(self.box, self.side)  # refuses what is no side
        Grid(self.box, self.side * self.across)  # or too fine for all parts together

    @property
    def by(self) -> str:
        """What divides, in words: "hour", "group and hour"."""
        return " and ".join(one.by for one in self.divisions)

    @property
    def word(self) -> str:
        """What one of them is called: an hour, or a part."""
        return self.by if len(self.divisions) == 1 and self.divisions[0].is_time else "part"

    @property
    def of_person(self) -> bool:
        """Whether a division belongs to the person."""
        return any(one.of_person for one in self.divisions)

    @property
    def zone(self) -> str:
        """The time zone of a division by time; empty where there is none."""
        return next((one.zone for one in self.divisions if one.is_time), "")

    @property
    def names(self) -> tuple[str, ...]:
        """What the parts are called, in their order."""
        return tuple(BETWEEN.join(each) for each in product(*(one.names for one in self.divisions)))

    @property
    def across(self) -> int:
        """Tiles along a side of the sheet: a power of two."""
        return math.prod(one.across for one in self.divisions)

    def digits(self, part: NDArray[np.int64]) -> list[NDArray[np.int64]]:
        """The part of each division that a part is made of."""
        sizes = tuple(len(one.names) for one in self.divisions)
        return [np.asarray(found, np.int64) for found in np.unravel_index(part, sizes)]

    def number(self, digits: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
        """The part that parts of the divisions make; -1 where one of them is none."""
        sizes = tuple(len(one.names) for one in self.divisions)
        known = np.all([found >= 0 for found in digits], axis=0)
        part = np.ravel_multi_index([np.where(known, found, 0) for found in digits], sizes)
        return np.where(known, part, -1).astype(np.int64)

    def named(self, name: str | int) -> tuple[int, ...]:
        """The parts that a name means: one ("member · 08 h", 3), or all of a value ("member", "8", "group=other")."""
        names, wanted = self.names, spelled(str(name))
        exact = [at for at, known in enumerate(names) if spelled(known) == wanted]
        if isinstance(name, int) and 0 <= name < len(names):
            return (name,)
        if exact:
            return tuple(exact)
        column, _, value = wanted.rpartition("=")
        everything = self.digits(np.arange(len(names)))
        found = []
        for one, digits in zip(self.divisions, everything, strict=True):
            if column in ("", spelled(one.by)):
                place = _place_in(one, value)
                found += [] if place is None else [np.flatnonzero(digits == place)]
        if len(found) == 1:
            return tuple(found[0].tolist())
        shown = f"{', '.join(names[:12])}{' …' if len(names) > 12 else ''}"
        if found:
            raise InputError(
                f"{str(name)[:40]!r} is a part of both; say which, such as {self.divisions[0].by}={value}."
            )
        raise InputError(f"there is no {self.word} {str(name)[:40]!r}; give one of {shown}")

    def tile(self, part: Any) -> tuple[Any, Any]:
        """Row and column of a part's tile, from the north-west: blocks of the first division, tiles inside of each."""
        row = column = np.zeros(np.shape(part), np.int64)
        for one, found in zip(self.divisions, self.digits(np.asarray(part, np.int64)), strict=True):
            row, column = row * one.across + found // one.across, column * one.across + found % one.across
        return row, column

    @property
    def sheet(self) -> Grid:
        """The grid of all parts together, in metres from its south-western corner."""
        wide, high = (float(length) * self.across for length in self.box.frame.extent)
        return Grid(PlainBox((0.0, 0.0), (wide, high)), self.side * self.across)

    def corner(self, part: int) -> tuple[int, int]:
        """Row and column of a tile's north-western cell in the sheet."""
        row, column = self.tile(part)
        return int(row) * self.side, int(column) * self.side

    def low(self, part: int) -> NDArray[np.float64]:
        """The south-western corner of a tile in the sheet's metres."""
        wide, high = (float(length) for length in self.box.frame.extent)
        row, column = (int(found) for found in self.tile(part))
        return np.array([column * wide, (self.across - 1 - row) * high])

    def cells_of(self, part: NDArray[np.int64], cell: NDArray[np.int64]) -> NDArray[np.int64]:
        """[P2] The one cell of the sheet for a cell of the box in a part; -1 where either is none."""
        known = (part >= 0) & (part < len(self.names)) & (cell >= 0)
        down, right = self.tile(np.where(known, part, 0))
        row, column = down * self.side + cell // self.side, right * self.side + cell % self.side
        return np.where(known, row * (self.side * self.across) + column, -1)

    def part_and_cell(self, at: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The part and the cell of the box of cells of the sheet that lie in tiles of parts."""
        row, column = np.divmod(at, self.side * self.across)
        down, right = row // self.side, column // self.side
        digits: list[NDArray[np.int64]] = []
        for one in reversed(self.divisions):
            digits.insert(0, down % one.across * one.across + right % one.across)
            down, right = down // one.across, right // one.across
        return self.number(digits), row % self.side * self.side + column % self.side

    def together(self, counts: ExactCounts) -> ExactCounts:
        """The records of all parts on the box."""
        across, side = self.across, self.side
        tiles = counts.exact_cells.reshape(across, side, across, side).swapaxes(1, 2)
        whole = tiles[self.tile(np.arange(len(self.names)))].sum(axis=0)
        return ExactCounts(Grid(self.box, side), whole, unit=counts.unit, cap_is_stated=counts.cap_is_stated)

    def facts(self) -> dict[str, Any]:
        """The layout as JSON values; one division of time as it has always been written."""
        ground = {"box": list(self.box.as_tuple()), "side": self.side}
        if len(self.divisions) == 1 and self.divisions[0].is_time:
            return {**self.divisions[0].facts(), **ground}
        return {"by": [one.facts() for one in self.divisions], **ground}

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any]) -> Parts:
        """The layout that a document states; an error where it is none."""
        stated = [facts] if isinstance(facts["by"], str) else facts["by"]
        return cls(
            box=GeoBox(*(float(value) for value in facts["box"])),
            side=int(facts["side"]),
            divisions=tuple(Division.from_facts(one) for one in stated),
        )
