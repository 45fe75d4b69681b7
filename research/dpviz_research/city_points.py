"""Cities with true places for experiments: the embedded drop-offs by hour, the embedded trips, and made-up cities."""

from __future__ import annotations

import zlib
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import GeoBox
from dpviz.errors import InputError
from dpviz.ingest.cities import BUILTIN_BOX, load_counts, load_points
from dpviz_research.synthetic import SYNTHETIC_BOX, synthetic_city

Floats = NDArray[np.float64]
CITIES = ("hour 8", "hour 3", "trips from", "peer", "suburbs", "hour 18", "trips to", "peer large")
_SIZES = {"peer": 150_000, "suburbs": 150_000, "peer large": 1_000_000}
_SEED = 20_260_401


def city_places(name: str) -> tuple[Floats, GeoBox]:
    """Places in the unit square (x to the east, y to the north), and the box. Public or made-up data."""
    kind, _, rest = name.partition(" ")
    if kind == "hour":
        return _of_an_hour(int(rest)), BUILTIN_BOX
    if kind == "trips":
        axes = slice(0, 2) if rest == "from" else slice(2, 4)
        return np.ascontiguousarray(load_points().exact_cube[:, axes]), BUILTIN_BOX
    if name in MADE_UP:
        return MADE_UP[name](), SYNTHETIC_BOX
    if name not in _SIZES:
        raise InputError(f"there is no city {name!r} to try; use one of {', '.join(CITIES)}.")
    points = synthetic_city(_SIZES[name], _SEED, "peer" if kind == "peer" else "suburbs")
    west, south, east, north = SYNTHETIC_BOX.as_tuple()
    cube = (points - np.array([west, south])) / np.array([east - west, north - south])
    inside = ((cube >= 0.0) & (cube < 1.0)).all(axis=1)
    return np.ascontiguousarray(cube[inside]), SYNTHETIC_BOX


def own_seed(data: str, epsilon: float, draw: int) -> int:
    """A seed of its own for each data set, level and draw: the same noise everywhere would be one draw, not many."""
    return zlib.crc32(f"{data}, {epsilon:g}, {draw}".encode())


def _of_an_hour(hour: int, most: int = 300_000) -> Floats:
    """Drop-offs of one hour of the day, at most so many of them, spread evenly inside the cells they fell in."""
    counts = load_counts(hours=[hour]).exact_cells
    draw = np.random.default_rng([_SEED, hour])
    kept = draw.binomial(counts, min(1.0, most / counts.sum()))
    rows, columns = np.nonzero(kept)
    side = len(kept)
    times = kept[rows, columns]
    shift = draw.random((int(times.sum()), 2))
    x = (np.repeat(columns, times) + shift[:, 0]) / side
    y = (np.repeat(side - 1 - rows, times) + shift[:, 1]) / side
    return np.column_stack([x, y])


def _streets(records: int = 120_000, seed: int = 77) -> Floats:
    """Uneven blobs, seven in ten records on the streets of an uneven grid askew to the box, none beyond a shore."""
    draw = np.random.default_rng(seed)
    turn = np.array([[np.cos(0.35), -np.sin(0.35)], [np.sin(0.35), np.cos(0.35)]])
    weight, middle = draw.dirichlet(np.full(14, 0.6)), draw.uniform(0.15, 0.85, (14, 2))
    wide = np.exp(draw.uniform(np.log(0.008), np.log(0.12), 14))
    blob = draw.choice(14, records, p=weight)
    turned = (middle[blob] + draw.normal(size=(records, 2)) * wide[blob][:, None] * np.array([1.0, 0.6])) @ turn
    on_street, along = draw.random(records) < 0.7, draw.integers(0, 2, records)
    streets = [np.cumsum(np.exp(draw.normal(np.log(0.02), 0.4, 140))) - 1.2 for _ in range(2)]
    for axis, lines in enumerate(streets):
        chosen = on_street & (along == axis)
        place = turned[chosen, axis]
        after = np.clip(np.searchsorted(lines, place), 1, len(lines) - 1)
        nearest = np.where(place - lines[after - 1] < lines[after] - place, lines[after - 1], lines[after])
        turned[chosen, axis] = nearest + draw.normal(size=int(chosen.sum())) * 0.0006
    places = turned @ turn.T
    places = places[((places > 0.0) & (places < 1.0)).all(axis=1)]
    return np.ascontiguousarray(places[places[:, 1] < 0.8 + 0.1 * np.sin(6.0 * places[:, 0])])


def _rounded(records: int = 80_000, seed: int = 5) -> Floats:
    """Two blobs and even ground, coordinates rounded to a hundredth of the box, as some files are."""
    draw = np.random.default_rng(seed)
    half, quarter = records // 2, records // 4
    blobs = (draw.normal([0.4, 0.45], [0.1, 0.14], (half, 2)), draw.normal([0.7, 0.6], 0.04, (quarter, 2)))
    places = np.round(np.concatenate([*blobs, draw.random((records - half - quarter, 2))]), 2) + 1e-9
    return np.ascontiguousarray(places[((places > 0.0) & (places < 1.0)).all(axis=1)])


def _rounded_to(parts: int, seed: int, records: int = 80_000) -> Floats:
    """Six blobs and even ground, coordinates rounded to so many parts of the box."""
    draw = np.random.default_rng([seed, 1])
    weight, middle = draw.dirichlet(np.full(6, 1.0)), draw.uniform(0.15, 0.85, (6, 2))
    wide = np.exp(draw.uniform(np.log(0.03), np.log(0.2), (6, 2)))
    blob = draw.choice(6, records, p=weight)
    places = middle[blob] + draw.normal(size=(records, 2)) * wide[blob]
    even = draw.random(records) < 0.2
    places[even] = draw.random((int(even.sum()), 2))
    places = np.round(places * parts) / parts + 1e-9
    return np.ascontiguousarray(places[((places > 0.0) & (places < 1.0)).all(axis=1)])


def _heaped(seed: int = 9, records: int = 60_000) -> Floats:
    """Whole numbers on both axes, round ones more often than others, as people tell them."""
    draw = np.random.default_rng([seed, 2])
    first, second = draw.gamma(4.0, 6.0, records), 40.0 + 12.0 * draw.standard_t(4, records)
    first = np.where(draw.random(records) < 0.25, np.round(first / 5.0) * 5.0, np.round(first))
    second = np.where(draw.random(records) < 0.5, np.round(second / 10.0) * 10.0, np.round(second))
    places = np.column_stack([(first + 0.5) / 61.7, (second + 0.5) / 81.3]) + 1e-9
    return np.ascontiguousarray(places[((places > 0.0) & (places < 1.0)).all(axis=1)])


MADE_UP: dict[str, Callable[[], Floats]] = {
    "streets": _streets,
    "rounded": _rounded,
    "rounded to 37": lambda: _rounded_to(37, 3),
    "rounded to 75": lambda: _rounded_to(75, 4),
    "rounded to 150": lambda: _rounded_to(150, 5),
    "heaped": _heaped,
}
