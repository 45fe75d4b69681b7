"""Protected maps of the month with and without her, drawn by the uniform grid's own steps, and who guesses right."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import ExactCounts
from dpviz.domain.relation import Unit
from dpviz.mechanisms.exact_view import protected_total
from dpviz.mechanisms.uniform_grid import exact_cell_counts, noisy_synopsis
from dpviz.noise import NoiseSource, replayable_source
from dpviz_research.find_her import limits, week

Values = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, eq=False)
class Worlds:
    """The city of one month without her and with her, protected per `unit`."""

    without: ExactCounts
    with_her: ExactCounts

    @property
    def unit(self) -> Unit:
        """What a guarantee protects."""
        return self.without.unit

    def of(self, inside: bool) -> ExactCounts:
        """The one with her, or the other."""
        return self.with_her if inside else self.without


def worlds(counts: ExactCounts, unit: Unit, hours: frozenset[int] | None = None) -> Worlds:
    """Both worlds of the public city; each trip of others is at most one of the at most `cap` of its person."""
    without = ExactCounts.from_array(counts.grid, counts.exact_cells, unit=unit)
    return Worlds(without=without, with_her=week.with_her(without, hours))


@dataclass(frozen=True, kw_only=True, eq=False)
class Published:
    """One published map, what it says of all trips and of her squares, and what they hold without her."""

    per_axis: int
    cells: Values  # west to east first, each from the south
    seen: Values  # the total, then her places
    without: Values


def publish(both: Worlds, inside: bool, epsilon: float, noise: NoiseSource) -> Published:
    """Steps P1 to P3 of the uniform grid; its centers are computed from what these publish."""
    scales = limits.noise_of(epsilon, both.unit)
    total = protected_total(both.of(inside), scales.epsilon_total, noise)
    cells = noisy_synopsis(both.of(inside), total, scales.epsilon_cells, noise).weights
    per_axis = round(len(cells) ** 0.5)
    squares = squares_of_hers(both.without, per_axis)
    truth = exact_of_hers(both.without, per_axis)
    return Published(
        per_axis=per_axis, cells=cells, seen=np.array([float(total), *cells[list(squares)]]), without=truth
    )


def squares_of_hers(counts: ExactCounts, per_axis: int) -> tuple[int, ...]:
    """The numbers of the published squares that hold her places."""
    side = counts.grid.side
    found = []
    for place in week.PLACES:
        row, column = week.cell_of(counts.grid, place.lon, place.lat)
        x, y = (int((part + 0.5) * per_axis / side) for part in (column, side - 1 - row))
        found.append(x * per_axis + y)
    if len(set(found)) < len(found):
        raise ValueError(f"{per_axis} squares a side put two of her places into one square.")
    return tuple(found)


_exact: dict[tuple[int, int], Values] = {}


def exact_of_hers(counts: ExactCounts, per_axis: int) -> Values:
    """The exact total and the exact counts of the squares that hold her places."""
    key = (id(counts.exact_cells.base), per_axis)
    if key not in _exact:
        cells = exact_cell_counts(counts, per_axis)
        _exact[key] = np.array([counts.exact_total, *cells[list(squares_of_hers(counts, per_axis))]], float)
    return _exact[key]


def moved_by_her(epsilon: float, unit: Unit) -> list[tuple[int, float]]:
    """By how much she moves the total and her squares, each with the scale of its noise."""
    noise = limits.noise_of(epsilon, unit)
    trips = week.drop_offs()
    return [(sum(trips.values()), noise.total), *((count, noise.cell) for count in trips.values())]


@dataclass(frozen=True, kw_only=True, eq=False)
class Round:
    """One round: what was published, whether she was in, and what the best guesser said."""

    published: Published
    inside: bool
    said: bool


def rounds(both: Worlds, epsilon: float, count: int, noise: NoiseSource) -> Iterator[Round]:
    """She is in or not by the toss of a coin; the best guesser knows all trips but hers."""
    moved = moved_by_her(epsilon, both.unit)
    inside, tosses = noise.coins(0.5, count), noise.coins(0.5, count)
    for number in range(count):
        published = publish(both, bool(inside[number]), epsilon, noise)
        odds = limits.log_odds(published.seen, published.without, moved)
        said = bool(tosses[number]) if abs(odds) < 1e-12 else odds > 0
        yield Round(published=published, inside=bool(inside[number]), said=said)


def players(epsilon: float, unit: Unit, count: int, each: int, seed: int) -> NDArray[np.int64]:
    """Right guesses of so many players in so many rounds each.

    Only the noise of her squares and of the total is drawn here: the best guesser looks at nothing else.
    """
    noise = replayable_source(seed)
    moved = moved_by_her(epsilon, unit)
    inside = noise.coins(0.5, count * each)
    odds = np.zeros(count * each)
    for shift, scale in moved:
        off = noise.add_laplace(np.where(inside, shift, 0), scale, sensitivity=float(shift)).astype(float)
        odds += (np.abs(off) - np.abs(off - shift)) / scale
    tosses = noise.coins(0.5, count * each)
    said = np.where(np.abs(odds) < 1e-12, tosses, odds > 0)
    found: NDArray[np.int64] = (said == inside).reshape(count, each).sum(axis=1)
    return found


@lru_cache(maxsize=1)
def city() -> ExactCounts:
    """The public month: 10 million drop-offs."""
    from dpviz.ingest.cities import load_counts

    return load_counts("nyc-taxi")
