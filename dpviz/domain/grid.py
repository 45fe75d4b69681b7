"""A public square grid of cells over a box. Row 0 is the north edge."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpviz.domain.box import Frame, GeoBox, PlainBox
from dpviz.errors import InputError

MAX_SIDE = 8192


@dataclass(frozen=True)
class Grid:
    """`side` × `side` equal cells over a public box; `side` is a power of two."""

    box: GeoBox | PlainBox
    side: int

    def __post_init__(self) -> None:
        side = self.side
        valid = not isinstance(side, bool) and isinstance(side, int | np.integer) and 1 <= side <= MAX_SIDE
        if not valid or side & (side - 1):
            raise InputError(
                f"side={side!r}: the grid side must be a power of two between 1 and {MAX_SIDE}, such as 256 or 1024.",
                side=side,
            )
        object.__setattr__(self, "side", int(side))

    @property
    def frame(self) -> Frame:
        return self.box.frame

    @property
    def cell_width(self) -> float:
        """Metres (local units) from west to east edge of a cell."""
        return float(self.frame.extent[0]) / self.side

    @property
    def cell_height(self) -> float:
        return float(self.frame.extent[1]) / self.side

    def cells(self, x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.int64]:
        """Flat cell index row·side + col of raw coordinates; −1 outside the box and for NaN or infinities.

        The arithmetic, in this order, is the contract of every engine: (value − low) · (side / (high − low)), floored.
        """
        frame, side = self.frame, self.side
        with np.errstate(invalid="ignore", over="ignore"):
            inside = (x >= frame.low[0]) & (x < frame.high[0]) & (y >= frame.low[1]) & (y < frame.high[1])
            col = np.floor((x - frame.low[0]) * (side / (frame.high[0] - frame.low[0])))
            up = np.floor((y - frame.low[1]) * (side / (frame.high[1] - frame.low[1])))
        last = float(side - 1)
        col = np.minimum(np.where(inside, col, 0.0), last).astype(np.int64)
        up = np.minimum(np.where(inside, up, 0.0), last).astype(np.int64)
        return np.where(inside, (side - 1 - up) * side + col, -1)

    def local_centers(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Local x of each column, local y of each row (row 0 = north), both (side,)."""
        columns = (np.arange(self.side) + 0.5) * self.cell_width
        rows = (self.side - np.arange(self.side) - 0.5) * self.cell_height
        return columns.astype(np.float64), rows.astype(np.float64)

    def coarser(self, factor: int) -> Grid:
        return Grid(self.box, self.side // factor)
