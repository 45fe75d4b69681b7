"""What the curator alone is told about a reading: the columns, how many rows were of use, what looks wrong."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import Frame
from dpviz.domain._exact import Exact
from dpviz.ingest.sources import show_name


class ReadReport(Exact):
    """Exact: never logged, stored or shown to anyone but the curator.

    `columns`, `kinds`, `files` and `reason` come from names alone.
    """

    __slots__ = (
        "_beyond",
        "_inside",
        "_missing",
        "_rows",
        "_swapped",
        "columns",
        "degrees",
        "files",
        "kinds",
        "reason",
    )

    def __init__(
        self, *, columns: tuple[str, ...], reason: str, files: int, kinds: tuple[str, ...], degrees: bool
    ) -> None:
        self.columns = columns
        self.reason = reason
        self.files = files
        self.kinds = kinds
        self.degrees = degrees
        self._rows = self._inside = self._missing = self._swapped = self._beyond = 0

    def add(self, tally: NDArray[np.int64]) -> None:
        """Count one more piece of the data."""
        rows, inside, missing, swapped, beyond = (int(value) for value in tally)
        self._rows += rows
        self._inside += inside
        self._missing += missing
        self._swapped += swapped
        self._beyond += beyond

    @property
    def exact_rows(self) -> int:
        """All rows of the source."""
        return self._rows

    @property
    def exact_inside(self) -> int:
        """Rows with coordinates inside the box."""
        return self._inside

    @property
    def exact_unusable(self) -> int:
        """Rows without two finite numbers."""
        return self._missing

    @property
    def exact_outside(self) -> int:
        """Rows with coordinates outside the box."""
        return self._rows - self._inside - self._missing

    @property
    def hints(self) -> tuple[str, ...]:
        """What the curator should look at, in words without numbers."""
        found: list[str] = []
        if self._rows == 0:
            return ("The source holds no rows.",)
        finite = self._rows - self._missing
        if finite == 0:
            return ("No row holds numbers in the coordinate columns: are these the right columns?",)
        if self._swapped * 2 > finite:
            found.append("Most rows would lie inside the box if longitude and latitude were swapped.")
        elif self.degrees and self._beyond * 2 > finite:
            found.append(
                "Most coordinates are no degrees; these look like metres of a map projection. Convert them to "
                "longitude and latitude (EPSG:4326), or check the columns."
            )
        elif self._inside * 2 < finite:
            found.append("Fewer than half of the rows lie inside the box: is it the right box?")
        if self._missing * 2 > self._rows:
            found.append("More than half of the rows hold no numbers in the coordinate columns.")
        return tuple(found)

    def __repr__(self) -> str:
        return f"<ReadReport of columns {', '.join(show_name(name) for name in self.columns)}: exact, curator only>"


def outside_everything(report: ReadReport, frame: Frame) -> str:
    """The message for a source without a single row inside the box."""
    hint = " ".join(report.hints) or "Usually longitude and latitude are swapped, or the box is another city's."
    bounds = ", ".join(
        f"{name} {low:g} to {high:g}" for name, low, high in zip(frame.names, frame.low, frame.high, strict=True)
    )
    return f"no row lies inside the box ({bounds}). {hint} Nothing was charged."
