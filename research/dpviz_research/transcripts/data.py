"""Small data for forced transcripts, and their neighbours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import Adjacency, ExactCounts, ExactPoints, Frame, Grid, PlainBox, StreamedPoints, Unit
from dpviz.domain.box import plain_frame
from dpviz.domain.points import FingerprintAsked, Question

Cells = NDArray[np.int64]


def counts(
    cells: Cells, relation: str = "add-remove", *, rows: int | None = None, unit: Unit | None = None
) -> ExactCounts:
    """Counts on a plain square box; under replace `rows` is the public number of all rows."""
    grid = Grid(PlainBox((0.0, 0.0), (1.0, 1.0)), len(cells))
    public = (int(cells.sum()) if rows is None else rows) if relation == "replace" else None
    return ExactCounts.from_array(grid, cells, relation=relation, unit=unit or Unit(), public_rows=public)


def with_one_more(cells: Cells, places: Sequence[tuple[int, int]], records: int = 1) -> list[Cells]:
    """The same with one more record (or one more person's) in each place in turn."""
    found = []
    for place in places:
        more = cells.copy()
        more[place] += records
        found.append(more)
    return found


def moved_cells(cells: Cells, places: Sequence[tuple[int, int]]) -> list[Cells]:
    """The same with a record of the fullest cell moved to each place in turn."""
    fullest = np.unravel_index(int(cells.argmax()), cells.shape)
    found = with_one_more(cells, places)
    for more in found:
        more[fullest] -= 1
    return found


def points(
    cube: NDArray[np.float64],
    relation: str = "add-remove",
    *,
    rows: int | None = None,
    frame: Frame | None = None,
    unit: Unit | None = None,
) -> ExactPoints:
    """Points of the unit cube; under replace rows beyond them lie outside the box."""
    dims = cube.shape[1]
    public = (len(cube) if rows is None else rows) if relation == "replace" else None
    return ExactPoints(
        frame or plain_frame([0.0] * dims, [1.0] * dims),
        np.ascontiguousarray(cube, np.float64).copy(),
        relation=Adjacency.parse(relation),
        unit=unit or Unit(),
        public_rows=public,
    )


@dataclass(frozen=True, eq=False)
class RowsInPieces:
    """Rows that are asked piece by piece, and cut into other pieces where one of them is another."""

    exact_cube: NDArray[np.float64]

    def asked(self, question: Question) -> NDArray[np.int64]:
        answer = question.empty()
        for piece in np.array_split(self.exact_cube, 3):
            question.add(piece, answer)
        return answer

    def gathered(self) -> NDArray[np.float64]:
        return self.exact_cube


def streamed(points: ExactPoints) -> StreamedPoints:
    """The same points, asked where they are."""
    rows = RowsInPieces(points.exact_cube)
    return StreamedPoints(
        points.frame,
        rows,
        total=points.exact_total,
        fingerprint=rows.asked(FingerprintAsked()),
        relation=points.relation,
        unit=points.unit,
        public_rows=points.public_rows,
    )


def trip_frame() -> Frame:
    """Both ends of trips on one small map."""
    names = tuple(f"{end}_{axis}" for end in ("pickup", "dropoff") for axis in ("lon", "lat"))
    low, high = (-74.05, 40.70, -74.05, 40.70), (-73.90, 40.80, -73.90, 40.80)
    return Frame(names=names, low=low, high=high, scale=(84_000.0, 111_000.0) * 2, metric="m")
