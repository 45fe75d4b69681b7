"""Traces of records: fixed tables of counts that recognise the same records, or the same people, in another file.

A record is hashed by its place (a square of about 11 m, wherever boxes and grids lie), or by its person's key, into one
of 512 buckets, and so in samples of 1/16, 1/256 and 1/4096 of all squares or persons. Above a million rows the table
of all squares is left empty, to save time. No table depends on the order of the rows. A bucket holds what many squares
or persons have in common, so no place and no person can be read off a table; the counts are exact all the same, and
stay with the curator.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import _kernels
from dpviz.domain._exact import Exact

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
SAMPLES: Final = 4
BUCKETS: Final = 512
MOST_KEPT: Final = 2**16 - 1  # of one bucket, where a table is kept
_MOST_WHOLE = 1 << 20  # rows
_LEAST_RECORDS, _LEAST_BUCKETS, _LEAST_PERSONS = 128, 100, 32
_SHARED, _SHARED_PERSONS = 0.35, 0.1
_DEVIATIONS = 4.0  # above what chance gives: three files in a hundred thousand pairs of different ones


class Traces(Exact):
    """Exact: one table for each pair of coordinates, and one of persons where the records have a person column."""

    __slots__ = ("_rows", "persons", "places")

    def __init__(self, places: Integers, persons: Integers | None) -> None:
        self.places, self.persons = places, persons
        self._rows = 0

    @classmethod
    def empty(cls, pairs: int, *, with_persons: bool = False) -> Traces:
        """Traces of no records."""
        tables = np.zeros((pairs + with_persons, SAMPLES, BUCKETS), np.int64)
        return cls(tables[:pairs], tables[pairs] if with_persons else None)

    def add(self, axes: tuple[Floats, ...], persons: NDArray[np.uint64] | None = None) -> None:
        """Add records: longitude and latitude of each pair, and the keys of persons."""
        self._rows += len(axes[0]) if axes else 0
        whole = self._rows <= _MOST_WHOLE
        if not whole:
            self.places[:, 0] = 0
        for pair, found in enumerate(self.places):
            _kernels.mark_places(axes[2 * pair], axes[2 * pair + 1], found, whole)
        if self.persons is not None and persons is not None:
            _kernels.mark_keys(persons, self.persons)

    def exact_bytes(self) -> bytes:
        """All tables, for the curator's process that started this one (see `of_bytes`)."""
        persons = b"" if self.persons is None else self.persons.astype("<i8").tobytes()
        return self.places.astype("<i8").tobytes() + persons

    @classmethod
    def of_bytes(cls, tables: bytes, *, with_persons: bool) -> Traces:
        """Read the traces that another process took."""
        found = np.frombuffer(tables, "<i8").astype(np.int64).reshape(-1, SAMPLES, BUCKETS)
        return cls(found[:-1], found[-1]) if with_persons else cls(found, None)

    @classmethod
    def of_arrays(cls, places: Integers, persons: Integers | None) -> Traces:
        """Check and take tables from a file."""
        for table, axes in ((places, 3), (persons, 2)):
            if table is not None and (
                table.shape[-2:] != (SAMPLES, BUCKETS) or table.ndim != axes or table.dtype.kind != "i"
            ):
                raise ValueError("these are no tables of traces")
        return cls(places.astype(np.int64), None if persons is None else persons.astype(np.int64))

    def __add__(self, other: Traces) -> Traces:
        both = self.persons is not None and other.persons is not None
        found = Traces(self.places + other.places, self.persons + other.persons if both else None)  # type: ignore[operator]
        found._rows = self._rows + other._rows
        if found._rows > _MOST_WHOLE:
            found.places[:, 0] = 0
        return found

    def __repr__(self) -> str:
        return "<Traces of records: exact, curator only>"


@dataclass(frozen=True, kw_only=True)
class PlacesAsked:
    """A question to records in a unit cube: their traces by place."""

    low: Floats
    wide: Floats

    def empty(self) -> Integers:
        return np.zeros((len(self.low) // 2, SAMPLES, BUCKETS), np.int64)

    def add(self, cube: Floats, answer: Integers) -> None:
        axes = (cube * self.wide + self.low).T
        for pair, found in enumerate(answer):  # of pieces that are added up, so always whole
            _kernels.mark_places(
                np.ascontiguousarray(axes[2 * pair]), np.ascontiguousarray(axes[2 * pair + 1]), found, True
            )


def share_records(one: Integers, other: Integers) -> bool:
    """Whether two tables of places hold the same records in good part.

    Given how many records both have in a bucket, different records split between the two as independent draws do; the
    same records split evenly. The mean squared deviation, over that of independent draws, is 1 for different
    records, 0 for the same and about 1 less the share for some the same. A table of one tenth of the records of the
    other can share too little to be noticed.
    """
    levels = [level for level in reversed(range(SAMPLES)) if one[level].any() and other[level].any()]
    x = y = np.zeros(BUCKETS)
    for level in levels:
        x, y = one[level].astype(np.float64), other[level].astype(np.float64)
        if min(x.sum(), y.sum()) >= _LEAST_RECORDS and min((x > 0).sum(), (y > 0).sum()) >= _LEAST_BUCKETS:
            break
    both = x + y
    told = (both > 0) & (np.maximum(x, y) < MOST_KEPT)
    x, y, both = x[told], y[told], both[told]
    if not (x.sum() and y.sum()):
        return False
    ratio = y.sum() / x.sum()
    even = ratio / (1 + ratio) ** 2
    shared = 1 - float(((y - ratio * x) ** 2 / (ratio * both)).mean())
    chance = float(np.sqrt((2 + (1 - 6 * even) / (both * even)).sum())) / len(both)
    return shared >= max(_SHARED, _DEVIATIONS * chance)


def share_persons(one: Integers, other: Integers) -> bool:
    """Whether two tables of persons hold the same ones in good part: more common buckets than chance gives."""
    for level in reversed(range(SAMPLES)):
        a, b = int((one[level] > 0).sum()), int((other[level] > 0).sum())
        if min(a, b) >= _LEAST_PERSONS or level == 0:
            break
    common = int(((one[level] > 0) & (other[level] > 0)).sum())
    expected = a * b / BUCKETS
    if common < 3 or min(a, b) <= expected:
        return False
    chance = np.sqrt(expected * (BUCKETS - a) * (BUCKETS - b) / BUCKETS / (BUCKETS - 1))
    room = min(a, b) - expected
    return bool((common - expected) / room >= max(_SHARED_PERSONS, _DEVIATIONS * chance / room))
