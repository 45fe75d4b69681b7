"""Public boxes, grids of cells over them, and local metres (or plain units): x east, y north, origin south-west."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpviz.errors import InputError

METRES_PER_DEGREE = 111_320.0
SHORTEST, LONGEST = 1e-150, 1e150  # sides of plain boxes
MAX_SIDE = 8192


@dataclass(frozen=True, kw_only=True)
class Frame:
    """A public box in d dimensions with a public scale per axis.

    *Raw* coordinates are the user's (degrees, or any unit); *local* coordinates are (raw − low) · scale: metres from
    the low corner for maps, plain distances otherwise. All costs, distances and radii are local.
    """

    names: tuple[str, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    scale: tuple[float, ...]
    metric: str = "units"  # "m" for maps

    def __post_init__(self) -> None:
        lengths = {len(self.names), len(self.low), len(self.high), len(self.scale)}
        if len(lengths) != 1 or not self.names:
            raise InputError("names, low, high and scale of a box must have the same length, at least 1.")
        for name, low, high, scale in zip(self.names, self.low, self.high, self.scale, strict=True):
            if not (math.isfinite(low) and math.isfinite(high) and low < high):
                raise InputError(
                    f"bounds of {name!r} are {low!r} to {high!r}; give two finite numbers, the smaller one first.",
                    low=low,
                    high=high,
                )
            if not (math.isfinite(scale) and scale > 0 and math.isfinite((high - low) * scale)):
                raise InputError(f"the scale of {name!r} is {scale!r}; give a positive number.", scale=scale)

    @property
    def dims(self) -> int:
        return len(self.names)

    @property
    def extent(self) -> NDArray[np.float64]:
        """Side lengths of the box in local coordinates, (d,)."""
        return np.asarray((np.asarray(self.high) - np.asarray(self.low)) * np.asarray(self.scale))

    @property
    def diameter(self) -> float:
        return float(np.sqrt((self.extent**2).sum()))

    def to_local(self, raw: ArrayLike) -> NDArray[np.float64]:
        return np.asarray((np.asarray(raw, np.float64) - np.asarray(self.low)) * np.asarray(self.scale))

    def to_raw(self, local: ArrayLike) -> NDArray[np.float64]:
        return np.asarray(np.asarray(local, np.float64) / np.asarray(self.scale) + np.asarray(self.low))


@dataclass(frozen=True)
class GeoBox:
    """A public box on the map in degrees. West and south edges are inside, east and north outside."""

    west: float
    south: float
    east: float
    north: float

    def __post_init__(self) -> None:
        for name in ("west", "south", "east", "north"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | float | np.number) or not math.isfinite(value):
                raise InputError(f"{name}={value!r} is not a number of degrees.", **{name: value})
            object.__setattr__(self, name, float(value))
        if not (-180 <= self.west < self.east <= 180):
            raise InputError(
                f"west={self.west} and east={self.east}: longitudes lie between -180 and 180, west below east "
                "(a box across the date line is not supported). Order: west, south, east, north.",
                west=self.west,
                east=self.east,
            )
        if not (-90 < self.south < self.north < 90):
            raise InputError(
                f"south={self.south} and north={self.north}: latitudes lie above -90 and below 90, south below north. "
                "Order: west, south, east, north.",
                south=self.south,
                north=self.north,
            )

    @classmethod
    def parse(cls, text: str) -> GeoBox:
        """Read `W,S,E,N`, also in brackets and with the minus sign of printed texts."""
        plain = text.strip().translate({0x2212: "-", 0x2013: "-", ord(";"): ","})
        if plain[:1] + plain[-1:] in ("[]", "()"):
            plain = plain[1:-1]
        parts = plain.split(",")
        try:
            west, south, east, north = (float(part) for part in parts)
        except ValueError:
            raise InputError(
                f"box {text!r} is not four numbers; write west,south,east,north such as -74.05,40.70,-73.90,40.80.",
                box=text,
            ) from None
        return cls(west, south, east, north)

    def as_tuple(self) -> tuple[float, float, float, float]:
        return (self.west, self.south, self.east, self.north)

    @property
    def frame(self) -> Frame:
        middle = math.radians((self.south + self.north) / 2)
        return Frame(
            names=("lon", "lat"),
            low=(self.west, self.south),
            high=(self.east, self.north),
            scale=(METRES_PER_DEGREE * math.cos(middle), METRES_PER_DEGREE),
            metric="m",
        )


@dataclass(frozen=True)
class PlainBox:
    """A public box in any plane (not degrees): the estimator's bounds in two dimensions."""

    low: tuple[float, float]
    high: tuple[float, float]

    @property
    def frame(self) -> Frame:
        return plain_frame(self.low, self.high)


def plain_frame(low: Sequence[float], high: Sequence[float], names: Sequence[str] | None = None) -> Frame:
    """A frame with scale 1 per axis and columns x0… unless named."""
    chosen = tuple(names) if names is not None else tuple(f"x{axis}" for axis in range(len(low)))
    frame = Frame(
        names=chosen, low=tuple(float(v) for v in low), high=tuple(float(v) for v in high), scale=(1.0,) * len(chosen)
    )
    if frame.extent.min() < SHORTEST or frame.extent.max() > LONGEST:
        raise InputError(
            f"the sides of the box are {frame.extent.min():.3g} to {frame.extent.max():.3g} long; squares of such "
            f"lengths are no floats. Use units in which all sides are between {SHORTEST:g} and {LONGEST:g}."
        )
    return frame


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
