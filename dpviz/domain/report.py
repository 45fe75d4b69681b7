"""The report on reading a source, for the curator alone: columns, fate of the rows, suspicious findings."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz.domain._exact import Exact
from dpviz.domain.box import Frame
from dpviz.domain.traces import Traces
from dpviz.errors import NothingInBox, show_name

# What is counted of every piece of the data, in this order.
TALLY = ("rows", "inside", "missing", "swapped", "beyond", "scaled", "wrapped", "cut")

_CONVERSIONS = {
    "swapped": "Most rows would lie inside the box if longitude and latitude were swapped: name the columns the other "
    "way round (lon, lat), or read with crs='swapped'.",
    "E7": "Most coordinates look like degrees times ten million: read them with crs='E7'.",
    "0-360": "Most longitudes look as if they went from 0 to 360: read them with crs='0-360'.",
    "EPSG": "Most coordinates are no degrees; these look like metres of a map projection. Say which with crs (such "
    "as crs='EPSG:2263'), convert them to longitude and latitude (EPSG:4326), or check the columns.",
}


def _number(name: str, what: str) -> Any:
    """A number of the tally."""

    def number(report: ReadReport) -> int:
        return int(report._tally[TALLY.index(name)])

    number.__doc__ = what
    return property(number)


class ReadReport(Exact):
    """Exact: never logged, stored or shown to anyone but the curator.

    `columns`, `kinds`, `files` and `reason` come from names alone. `traces` are those of all rows of the source, those
    outside the box included, where they were taken.
    """

    __slots__ = ("_tally", "_total", "by_level", "columns", "degrees", "files", "kinds", "notes", "reason", "traces")

    def __init__(
        self, *, columns: tuple[str, ...], reason: str, files: int, kinds: tuple[str, ...], degrees: bool
    ) -> None:
        self.columns, self.reason, self.files, self.kinds, self.degrees = columns, reason, files, kinds, degrees
        self.by_level = False  # whether rows say their own level; those that say none are counted as cut
        self.notes: tuple[str, ...] = ()
        self.traces: Traces | None = None
        self._tally = np.zeros(len(TALLY), dtype=np.int64)
        self._total = 0

    def add(self, tally: NDArray[np.int64]) -> None:
        """Count one more piece of the data."""
        self._tally += tally

    def note_total(self, counted: int) -> None:
        """Set the final count: after a person cap, and with weights."""
        self._total = counted

    def note(self, sentence: str) -> None:
        """Add a hint for the curator."""
        self.notes = (*self.notes, sentence)

    def __add__(self, other: ReadReport) -> ReadReport:
        both = ReadReport(
            columns=self.columns,
            reason=self.reason,
            files=self.files + other.files,
            kinds=tuple(sorted({*self.kinds, *other.kinds})),
            degrees=self.degrees,
        )
        both.by_level = self.by_level
        both.notes = tuple(dict.fromkeys((*self.notes, *other.notes)))
        both.add(self._tally + other._tally)
        both.note_total(self._total + other._total)
        if self.traces is not None and other.traces is not None:
            both.traces = self.traces + other.traces
        return both

    exact_rows = _number("rows", "All rows of the source.")
    exact_inside = _number("inside", "Rows with coordinates inside the box.")
    exact_unusable = _number("missing", "Rows without two finite numbers, or without a weight where one is asked for.")
    exact_swapped = _number("swapped", "Rows outside that would lie inside with longitude and latitude swapped.")
    exact_projected = _number(
        "beyond", "Rows outside that are no degrees: metres or feet of a map projection, or scaled ones."
    )
    exact_cut = _number("cut", "Rows that weighed more than the public bound, or that state no known level.")

    @property
    def exact_outside(self) -> int:
        """Rows with coordinates outside the box."""
        return int(self.exact_rows - self.exact_inside - self.exact_unusable)

    @property
    def exact_total(self) -> int:
        """What was counted: rows inside the box, fewer with a person cap, more with weights."""
        return self._total

    @property
    def suggested_crs(self) -> str | None:
        """How most coordinates seem to be written: a key of the conversions, or None where they fit as they are."""
        finite = self.exact_rows - self.exact_unusable
        counts = {
            "swapped": self.exact_swapped,
            "E7": int(self._tally[TALLY.index("scaled")]),
            "0-360": int(self._tally[TALLY.index("wrapped")]),
            "EPSG": self.exact_projected if self.degrees else 0,
        }
        return next((crs for crs, count in counts.items() if count * 2 > finite > 0), None)

    @property
    def hints(self) -> tuple[str, ...]:
        """Hints for the curator, without numbers."""
        if self.exact_rows == 0:
            return ("The source holds no rows.", *self.notes)
        finite = self.exact_rows - self.exact_unusable
        if finite == 0:
            return (
                "No row holds the numbers needed (coordinates, a weight of 0 or more): are these the right columns?",
                *self.notes,
            )
        found: list[str] = []
        if self.suggested_crs is not None:
            found.append(_CONVERSIONS[self.suggested_crs])
        elif self.exact_inside * 2 < finite:
            found.append("Fewer than half of the rows lie inside the box: is it the right box?")
        if self.exact_unusable * 2 > self.exact_rows:
            found.append("More than half of the rows hold no numbers in the coordinate columns.")
        if self.by_level and self.exact_cut * 2 > self.exact_rows:
            found.append("More than half of the rows state no known level and count as the strictest: right column?")
        return (*found, *self.notes)

    @property
    def sentence(self) -> str:
        """How many rows were used and why others were not, with exact numbers, for the curator's terminal or screen."""
        parts = [f"{self.exact_inside:,} used"]
        if self.exact_total != self.exact_inside:
            parts.append(f"which count {self.exact_total:,}")
        parts += [f"{self.exact_outside:,} outside the box", f"{self.exact_unusable:,} without usable numbers"]
        for count, what in (
            (self.exact_swapped, "inside if longitude and latitude were swapped"),
            (self.exact_projected, "no degrees"),
            (self.exact_cut, "without a known level, as the strictest" if self.by_level else "cut to the weight bound"),
        ):
            parts += [f"{count:,} {what}"] if count else []
        shown = ", ".join(show_name(name) for name in self.columns)
        return f"{self.exact_rows:,} rows read from the columns {shown}: {', '.join(parts)}."

    def to_dict(self) -> dict[str, Any]:
        """Exact numbers as plain data, for the curator."""
        return {
            "exact": True,
            "columns": list(self.columns),
            "files": self.files,
            "kinds": list(self.kinds),
            "rows": self.exact_rows,
            "used": self.exact_inside,
            "counted": self.exact_total,
            "outside": self.exact_outside,
            "invalid": self.exact_unusable,
            "suspected_swapped": self.exact_swapped,
            "suspected_projected": self.exact_projected,
            "without_a_known_level" if self.by_level else "cut_to_the_weight_bound": self.exact_cut,
            "hints": list(self.hints),
        }

    def __repr__(self) -> str:
        return f"<ReadReport of columns {', '.join(show_name(name) for name in self.columns)}: exact, curator only>"


def outside_everything(report: ReadReport, frame: Frame) -> NothingInBox:
    """The error for a source without a single row inside the box; `suggested_crs` says how to read it otherwise."""
    hint = " ".join(report.hints) or "Usually longitude and latitude are swapped, or the box is another city's."
    bounds = ", ".join(
        f"{name} {low:g} to {high:g}" for name, low, high in zip(frame.names, frame.low, frame.high, strict=True)
    )
    return NothingInBox(
        f"no row lies inside the box ({bounds}). {hint} Nothing was charged.", suggested_crs=report.suggested_crs
    )
