"""A public map of where people are: what a method may take for likely before it counts. Nothing in it is exact.

An array of weights over a box: inhabitants, places, the length of streets, an earlier release. Only their proportions
matter. A map never comes from the records; who publishes says so by using it.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpviz.domain.box import Frame, GeoBox, Grid, PlainBox
from dpviz.domain.cell_tree import CellTree
from dpviz.errors import InputError

Floats = NDArray[np.float64]
MOST_CELLS = 1 << 25
LONGEST_NAME = 80
SIDE = 1024  # of the map that an earlier release makes


@dataclass(frozen=True, kw_only=True, eq=False)
class PriorMap:
    """Weights per cell, row 0 the north edge. `cells` is None where only name and digest are known."""

    name: str
    digest: str
    low: tuple[float, float] = (0.0, 0.0)  # raw coordinates
    high: tuple[float, float] = (1.0, 1.0)
    cells: Floats | None = field(default=None, repr=False)

    @classmethod
    def from_array(cls, box: GeoBox | PlainBox | Grid | Frame, array: ArrayLike, *, name: str = "array") -> Self:
        """The weights of equal cells of a box (or of a grid's box), the first row in the north."""
        frame = box if isinstance(box, Frame) else box.frame
        try:
            cells = np.array(array, np.float64)
        except (TypeError, ValueError):
            raise InputError("a public map is an array of numbers, one row per row of cells.") from None
        if cells.ndim != 2 or not 0 < cells.size <= MOST_CELLS:
            raise InputError(
                f"the array of a public map has the shape {cells.shape}; give rows and columns, at most "
                f"{MOST_CELLS:,} cells."
            )
        cells = np.where(np.isnan(cells), 0.0, cells)
        total = float(cells.sum())
        if not (np.isfinite(cells).all() and (cells >= 0.0).all() and 0.0 < total < np.inf):
            raise InputError("the weights of a public map are finite, none below 0 and not all 0.")
        if not name.isprintable() or not 0 < len(name) <= LONGEST_NAME:
            raise InputError(f"the name of a public map has 1 to {LONGEST_NAME} letters; it stands in the release.")
        cells /= total
        cells.setflags(write=False)
        corners = frame.low[:2], frame.high[:2]
        found = hashlib.sha256(repr((corners, cells.shape)).encode("ascii"))
        found.update(cells.astype("<f8").tobytes())
        return cls(name=name, digest=found.hexdigest()[:32], low=corners[0], high=corners[1], cells=cells)  # type: ignore[arg-type]

    @classmethod
    def of(cls, given: Any) -> Self:
        """A public map as it is, or that of an earlier release with cells, which is public itself."""
        if isinstance(given, cls):
            return given
        cells = getattr(given, "protected_cells", None)
        if not isinstance(cells, CellTree) or cells.frame.dims != 2:
            raise InputError("prior: give a dpviz.PublicMap, or a release that counted cells of a map.")
        return cls.from_array(cells.frame, _of_cells(cells), name=f"release {str(given.id)[:12]}")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PriorMap) and (self.name, self.digest) == (other.name, other.digest)

    def __hash__(self) -> int:
        return hash((self.name, self.digest))

    def facts(self) -> dict[str, Any]:
        """What a request and a release say of it."""
        return {"name": self.name, "digest": self.digest}

    def on(self, frame: Frame, side: int) -> Floats:
        """The shares of the cells of a grid of so many a side over a frame's box, (side, side), row 0 in the north.

        Ground that the map does not cover gets the mean density of what it covers.
        """
        if self.cells is None:
            raise InputError(
                f"of the public map {self.name!r} only its name and digest are known; give the map itself as prior."
            )
        if frame.dims != 2:
            raise InputError(f"a public map lies in a plane, and these records have {frame.dims} dimensions.")
        rows, cols = self.cells.shape
        (west, south), (east, north) = self.low, self.high
        x = (np.linspace(frame.low[0], frame.high[0], side + 1) - west) / (east - west) * cols
        y = (north - np.linspace(frame.high[1], frame.low[1], side + 1)) / (north - south) * rows
        spread = _between(_between(self.cells, y).T, x).T
        covered = np.outer(np.diff(np.clip(y, 0, rows)), np.diff(np.clip(x, 0, cols)))
        whole = np.outer(np.diff(y), np.diff(x))
        seen, total = float(covered.sum()), float(spread.sum())
        if seen <= 0.0 or total <= 0.0:
            raise InputError(f"the public map {self.name!r} has no weight inside the box of these records.")
        spread += (whole - covered) * (total / seen)
        shares: Floats = np.maximum(spread / spread.sum(), 0.0)
        return shares


def _of_cells(tree: CellTree) -> Floats:
    """The counts of cells, quarter by quarter where these are known, evenly on the blocks that they cover."""
    frame, steps = tree.frame, np.zeros((SIDE + 1, SIDE + 1))
    low, high = np.asarray(frame.low), np.asarray(frame.high)
    begin, end = (np.rint((side[tree.cell] - low) / (high - low) * SIDE).astype(int) for side in (tree.low, tree.high))
    begin = np.minimum(begin, SIDE - 1)
    end = np.maximum(end, begin + 1)
    divided = (end - begin > 1).all(axis=1) & (tree.quarters is not None)

    def add(first: NDArray[np.int64], last: NDArray[np.int64], held: Floats) -> None:
        density = held / (last - first).prod(axis=1)
        for ends, sign in (((first, first), 1), ((last, first), -1), ((first, last), -1), ((last, last), 1)):
            np.add.at(steps, (ends[0][:, 1], ends[1][:, 0]), sign * density)

    held = np.maximum(tree.count, 0.0)
    add(begin[~divided], end[~divided], held[~divided])
    begin, end, held, shares = begin[divided], end[divided], held[divided], tree.shares[divided]
    middle = (begin + end) // 2
    for at, later in enumerate(([False, False], [False, True], [True, False], [True, True])):
        add(np.where(later, middle, begin), np.where(later, end, middle), held * shares[:, at])
    summed = steps.cumsum(axis=0).cumsum(axis=1)[:SIDE, :SIDE]
    return np.where(summed > 1e-9 * summed.max(initial=0.0), summed, 0.0)[::-1]


def _between(values: Floats, edges: Floats) -> Floats:
    """Sums of rows between edges, which are places in units of rows; a row that is cut counts in part."""
    summed = np.concatenate([np.zeros((1, values.shape[1])), np.cumsum(values, axis=0)])
    places = np.clip(edges, 0.0, len(values))
    at = np.minimum(places.astype(np.int64), len(values) - 1)
    part = (places - at)[:, None]
    return np.diff(summed[at] * (1.0 - part) + summed[at + 1] * part, axis=0)
