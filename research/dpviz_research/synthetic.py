"""Synthetic cities of any size: for tests, benchmarks and demonstrations, where real people's records are not wanted.

`peer` is a New York-like city of taxi pick-ups: a slanted island whose streets and avenues show, hot spots, three
boroughs, an airport and a thin uniform background. `suburbs` is a dense core, two airports and forty suburbs whose
sizes fall off as 1 / rank^1.1, for the heavy tail on which coarse grids fail.

Records are made in blocks of one fixed size, each from its own seed: a smaller city is the beginning of a larger one,
the way a city is cut into chunks changes nothing, and memory does not grow with n.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import ExactCounts, GeoBox
from dpviz.errors import InputError

CityKind = Literal["peer", "suburbs"]
Points = NDArray[np.float64]  # (n, 2)

SYNTHETIC_BOX: Final = GeoBox(west=-74.10, south=40.70, east=-73.90, north=40.90)
BLOCK: Final = 1 << 16
LARGEST: Final = 10**9

# The island: streets run across it, avenues along it, at 29 degrees from north.
AXIS: Final = np.deg2rad(29.0)
LON_PER_LAT: Final = 1 / np.cos(np.deg2rad(40.76))  # degrees of longitude as long as one degree of latitude
ALONG: Final = np.array([np.sin(AXIS) * LON_PER_LAT, np.cos(AXIS)])
ACROSS: Final = np.array([np.cos(AXIS) * LON_PER_LAT, -np.sin(AXIS)])
SOUTH_END: Final = np.array([-74.013, 40.705])
LENGTH, WIDTH = 0.118, 0.026
STREET, AVENUE = 0.00072, 0.0025  # distance between two of them
ON_THE_GRID: Final = 0.7  # share of records at a street, and of records at an avenue
GPS_ERROR: Final = 8 / 111_000.0

# Middle (lon, lat), spread and share of everything that is not the island; the rest of the shares is the background.
ISLAND_SHARE, BACKGROUND_SHARE = 0.56, 0.01
HOT_SPOTS: Final = (
    (-73.9840, 40.7570, 0.0075, 0.100),
    (-73.9935, 40.7505, 0.0022, 0.050),
    (-73.9770, 40.7525, 0.0022, 0.050),
    (-73.9630, 40.7740, 0.0090, 0.040),
    (-73.9900, 40.7270, 0.0080, 0.060),
    (-73.9550, 40.7170, 0.0110, 0.050),
    (-73.9850, 40.6920, 0.0100, 0.035),
    (-73.9350, 40.7550, 0.0140, 0.015),
)
AIRPORT: Final = (-73.9050, 40.7720, 0.0040, 0.030)  # its middle lies just outside the box; no cosine, as published

SUBURBAN_SHARES: Final = (0.45, 0.20, 0.07, 0.05, 0.18, 0.05)  # core, ring, two airports, suburbs, anywhere
SUBURBS: Final = 40
SUBURB_TAIL: Final = 1.1


def synthetic_city(n: int, seed: int, kind: CityKind = "peer") -> Points:
    """`n` records (lon, lat) of a made-up city, all inside SYNTHETIC_BOX; same n, seed and kind, same city."""
    return np.concatenate([np.empty((0, 2)), *synthetic_chunks(n, seed, chunk=max(n, 1), kind=kind)])


def synthetic_chunks(n: int, seed: int, chunk: int = 16 * BLOCK, kind: CityKind = "peer") -> Iterator[Points]:
    """The same records in pieces of `chunk` (the last one shorter), made as they are asked for."""
    _check(n, seed, kind)
    if chunk < 1:
        raise InputError(f"chunk={chunk!r}: give a number of records, 1 or more.", chunk=chunk)
    return _cut(n, seed, chunk, kind)


def _cut(n: int, seed: int, chunk: int, kind: CityKind) -> Iterator[Points]:
    waiting: list[Points] = []
    held = 0
    for start in range(0, n, BLOCK):
        rows = _block(seed, start // BLOCK, kind)[: n - start]
        while held + len(rows) >= chunk:
            taken = chunk - held
            yield np.concatenate([*waiting, rows[:taken]])
            rows, waiting, held = rows[taken:], [], 0
        if len(rows):
            waiting.append(rows)
            held += len(rows)
    if held:
        yield np.concatenate(waiting)


def subsample(counts: ExactCounts, n: int, seed: int) -> ExactCounts:
    """`n` records drawn with replacement from a grid of counts: a smaller (or larger) city of the same shape."""
    _check(n, seed, "peer")
    cells = counts.exact_cells
    total = counts.exact_total
    if total == 0:
        raise InputError("nothing can be drawn from empty counts; give counts that hold records.")
    drawn = np.random.default_rng(seed).multinomial(n, cells.ravel() / total).reshape(cells.shape)
    return ExactCounts.from_array(counts.grid, drawn, relation=counts.relation, unit=counts.unit)


def _check(n: int, seed: int, kind: str) -> None:
    if isinstance(n, bool) or not isinstance(n, int | np.integer) or not 0 <= n <= LARGEST:
        raise InputError(f"n={n!r}: give a whole number of records from 0 to {LARGEST:,}.", n=n)
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        raise InputError(f"seed={seed!r}: give a whole number, 0 or more.", seed=seed)
    if kind not in ("peer", "suburbs"):
        raise InputError(f"kind={kind!r}: the made-up cities are 'peer' and 'suburbs'.", kind=kind)


def _block(seed: int, index: int, kind: CityKind) -> Points:
    """One block of BLOCK records. The layout of the suburbs depends on the seed alone."""
    rng = np.random.default_rng([seed, 1, index])
    if kind == "suburbs":
        return _suburban(rng, BLOCK, *_suburb_layout(seed))
    kept: list[Points] = []
    missing = BLOCK
    while missing:  # a few records in a hundred fall outside the box and are drawn again
        drawn = _pickups(rng, missing + missing // 16 + 8)
        inside = drawn[_in_box(drawn)][:missing]
        kept.append(inside)
        missing -= len(inside)
    return np.concatenate(kept)


def _in_box(points: Points) -> NDArray[np.bool_]:
    box = SYNTHETIC_BOX
    lon, lat = points.T
    return np.asarray((lon >= box.west) & (lon < box.east) & (lat >= box.south) & (lat < box.north))


def _pickups(rng: np.random.Generator, n: int) -> Points:
    """`n` pick-ups of the peer city in random order, some outside the box."""
    spots = (*HOT_SPOTS, AIRPORT)
    shares = np.array([ISLAND_SHARE, *(share for *_, share in spots), BACKGROUND_SHARE])
    on_island, *at_spots, background = rng.multinomial(n, shares / shares.sum())
    parts = [_island(rng, on_island)]
    for (lon, lat, spread, _), many in zip(spots, at_spots, strict=True):
        stretch = (1.0 if (lon, lat) == AIRPORT[:2] else LON_PER_LAT, 1.0)
        parts.append(np.array([lon, lat]) + rng.normal(0.0, spread, (many, 2)) * stretch)
    box = SYNTHETIC_BOX
    parts.append(rng.uniform((box.west, box.south), (box.east, box.north), (background, 2)))
    points = np.concatenate(parts)
    points += rng.normal(0.0, GPS_ERROR, points.shape)
    return rng.permutation(points)


def _island(rng: np.random.Generator, n: int) -> Points:
    along = rng.beta(2.2, 2.0, n) * LENGTH
    across = (rng.random(n) - 0.5) * WIDTH
    along = np.where(rng.random(n) < ON_THE_GRID, np.round(along / STREET) * STREET, along)
    across = np.where(rng.random(n) < ON_THE_GRID, np.round(across / AVENUE) * AVENUE, across)
    return SOUTH_END + np.outer(along, ALONG) + np.outer(across, ACROSS)


def _suburb_layout(seed: int) -> tuple[Points, NDArray[np.float64]]:
    """Middles (down, right) and spreads of the suburbs, in shares of the box."""
    rng = np.random.default_rng([seed, 0])
    return rng.random((SUBURBS, 2)) * 0.94 + 0.03, rng.uniform(0.006, 0.025, SUBURBS)


def _suburban(rng: np.random.Generator, n: int, middles: Points, spreads: NDArray[np.float64]) -> Points:
    """`n` records of the suburban city, as (down, right) shares of the box; what falls off is put on the edge."""
    core, ring, airport, second_airport, suburban, anywhere = rng.multinomial(n, SUBURBAN_SHARES)
    turned = np.array([[0.8, -0.6], [0.6, 0.8]])
    sizes = 1 / np.arange(1, SUBURBS + 1) ** SUBURB_TAIL
    which = rng.choice(SUBURBS, size=suburban, p=sizes / sizes.sum())
    shares = np.concatenate(
        [
            (0.45, 0.55) + (rng.normal(size=(core, 2)) * (0.02, 0.05)) @ turned,
            (0.50, 0.47) + rng.normal(size=(ring, 2)) * 0.04,
            (0.72, 0.30) + rng.normal(size=(airport, 2)) * 0.003,
            (0.83, 0.62) + rng.normal(size=(second_airport, 2)) * 0.003,
            middles[which] + rng.normal(size=(suburban, 2)) * spreads[which, None],
            rng.random((anywhere, 2)),
        ]
    )
    down, right = np.clip(rng.permutation(shares), 1e-9, 1 - 1e-9).T
    box = SYNTHETIC_BOX
    return np.column_stack([box.west + right * (box.east - box.west), box.north - down * (box.north - box.south)])
