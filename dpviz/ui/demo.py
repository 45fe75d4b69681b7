"""The five scenes below their words: lonely squares, two worlds, the attack game. Only public demonstration data."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import ExactCounts
from dpviz.noise import replayable_source
from dpviz.ui import icons
from dpviz.ui.basemap import Basemap
from dpviz.ui.theme import EXACT, PROTECTED, Theme

NIGHT = 4  # the hour of the scenes: between 4 and 5 in the morning few taxis drive
WINDOW = 7  # squares per side of the pictures
ROUND = 4  # a rounded square is so many squares wide
AT_LEAST = 5  # the rule "show only squares with at least so many trips"
ROUNDS = 1000

Cells = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class Place:
    """A square of the grid and where it lies."""

    row: int
    column: int
    lon: float
    lat: float
    name: str | None


@dataclass(frozen=True, kw_only=True, eq=False)
class Story:
    """What the scenes tell, found in the public data once."""

    total: int
    alone: int  # squares with exactly one trip
    alone_rounded: int  # the same after rounding
    lonely: Place
    lonely_window: Cells
    rounded_window: Cells
    threshold: Place  # a rounded square with exactly AT_LEAST trips
    threshold_window: Cells


def find_story(counts: ExactCounts, names: Basemap | None) -> Story:
    """The loneliest trip of the night, and a square that the "at least five" rule just lets through."""
    cells = counts.exact_cells
    lonely = _loneliest(counts, cells, names)
    coarse = counts.coarsened(counts.grid.side // ROUND)
    rounded = coarse.exact_cells
    threshold = _threshold(coarse, rounded, names)
    row, column = lonely.row // ROUND, lonely.column // ROUND
    return Story(
        total=int(cells.sum()),
        alone=int((cells == 1).sum()),
        alone_rounded=int((rounded == 1).sum()),
        lonely=lonely,
        lonely_window=window(cells, lonely.row, lonely.column),
        rounded_window=window(rounded, row, column),
        threshold=threshold,
        threshold_window=window(rounded, threshold.row, threshold.column),
    )


def window(cells: Cells, row: int, column: int, size: int = WINDOW) -> Cells:
    """The squares around one; zeros beyond the edge."""
    half = size // 2
    wide = np.pad(cells, half)
    return wide[row : row + size, column : column + size].copy()


def _loneliest(counts: ExactCounts, cells: Cells, names: Basemap | None) -> Place:
    """A square with one trip in a rounded square of one, on land in the city, with the fewest trips around it."""
    side = counts.grid.side
    rounded = cells.reshape(side // ROUND, ROUND, side // ROUND, ROUND).sum(axis=(1, 3))
    alone = np.kron(rounded == 1, np.ones((ROUND, ROUND), dtype=bool)) & (cells == 1)
    rows, columns = np.nonzero(alone)
    if not len(rows):
        rows, columns = np.nonzero(cells == cells[cells > 0].min())
    around = [
        int(window(cells, row, column, 25).sum()) for row, column in zip(rows.tolist(), columns.tolist(), strict=True)
    ]
    order = np.argsort(around, kind="stable")
    inside = [index for index in order if _in_city(counts, int(rows[index]), int(columns[index]), names)]
    best = inside[0] if inside else order[0]
    return _place(counts, int(rows[best]), int(columns[best]), names)


def _threshold(coarse: ExactCounts, rounded: Cells, names: Basemap | None) -> Place:
    rows, columns = np.nonzero(rounded == AT_LEAST)
    for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
        shown = window(rounded, row, column) >= AT_LEAST
        if 8 <= shown.sum() <= 30 and _in_city(coarse, row, column, names):
            return _place(coarse, row, column, names)
    row, column = (int(rows[0]), int(columns[0])) if len(rows) else (0, 0)
    return _place(coarse, row, column, names)


def _in_city(counts: ExactCounts, row: int, column: int, names: Basemap | None) -> bool:
    if names is None:
        return True
    place = _place(counts, row, column, names)
    return any(found.name == place.name and found.borough for found in names.neighbourhoods)


def _place(counts: ExactCounts, row: int, column: int, names: Basemap | None) -> Place:
    grid = counts.grid
    x, y = (column + 0.5) * grid.cell_width, (grid.side - row - 0.5) * grid.cell_height
    lon, lat = (float(value) for value in grid.frame.to_raw(np.array([x, y])))
    name = None if names is None else names.place_names([lon], [lat])[0]
    return Place(row=row, column=column, lon=lon, lat=lat, name=name)


# ---- the attack game ------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, eq=False)
class Round:
    """Two noisy pictures, one made with her trip and one without. `with_trip` is the answer: 0 left, 1 right."""

    left: Cells
    right: Cells
    with_trip: int


@dataclass(frozen=True, kw_only=True)
class Score:
    """Right guesses so far."""

    right: int = 0
    played: int = 0

    def after(self, correct: bool) -> Score:
        """The score after one more guess."""
        return replace(self, right=self.right + int(correct), played=self.played + 1)


def deal(cells: Cells, epsilon: float, seed: int | None = None) -> Round:
    """One round. Each picture gets half of the dial's ε, so that the pair of them keeps the dial's promise.

    Swapping the two pictures changes one count by one in each; the ratio of the chances is at most e^(ε/2) · e^(ε/2).
    """
    noise = replayable_source(secrets.randbits(62) if seed is None else seed)
    with_trip = int(noise.coins(0.5, 1)[0])
    middle = cells.shape[0] // 2
    without = cells.copy()
    without[middle, middle] -= 1
    pictures = []
    for side in (0, 1):
        exact = cells if side == with_trip else without
        pictures.append(exact + noise.laplace(2.0 / epsilon, cells.size).reshape(cells.shape))
    return Round(left=pictures[0], right=pictures[1], with_trip=with_trip)


def machine_score(epsilon: float, rounds: int = ROUNDS, seed: int | None = None) -> Score:
    """A machine that knows everything but the answer: it names the picture whose middle square holds more.

    That is the best rule there is: the noise falls off evenly, so the larger number speaks for the added trip. With
    equal numbers it tosses a coin.
    """
    noise = replayable_source(secrets.randbits(62) if seed is None else seed)
    draws = noise.laplace(2.0 / epsilon, 2 * rounds)
    difference = draws[:rounds] + 1 - draws[rounds:]
    coins = noise.coins(0.5, rounds)
    right = int((difference > 0).sum() + ((difference == 0) & coins).sum())
    return Score(right=right, played=rounds)


def luck(rounds: int) -> int:
    """By how much luck alone moves a score of so many rounds, 19 times of 20."""
    return int(np.ceil(1.96 * np.sqrt(0.25 * rounds)))


# ---- pictures -------------------------------------------------------------------------------------------------


def squares(
    cells: Cells, theme: Theme, *, ring: bool = True, hide_below: int | None = None, highlight: str = EXACT
) -> str:
    """Squares with their numbers; the middle one ringed; those below a threshold hidden."""
    size = cells.shape[0]
    step = 44
    top = max(1.0, float(np.abs(cells).max()))
    parts = [f'<rect width="{size * step}" height="{size * step}" fill="{theme.land}"/>']
    for row in range(size):
        for column in range(size):
            value = int(cells[row, column])
            x, y = column * step, row * step
            hidden = hide_below is not None and value < hide_below
            strength = 0.0 if hidden else min(1.0, max(0.0, value) / top)
            parts.append(
                f'<rect x="{x + 1}" y="{y + 1}" width="{step - 2}" height="{step - 2}" rx="4" fill="{PROTECTED}" '
                f'fill-opacity="{0.04 + 0.5 * strength:.2f}" stroke="{theme.grid}"/>'
            )
            text = "" if hidden else str(value)
            parts.append(
                f'<text x="{x + step / 2}" y="{y + step / 2 + 5}" text-anchor="middle" font-size="15" '
                f'fill="{theme.text}">{text}</text>'
            )
    if ring:
        at = size // 2 * step
        parts.append(
            f'<rect x="{at + 1}" y="{at + 1}" width="{step - 2}" height="{step - 2}" rx="5" fill="none" '
            f'stroke="{highlight}" stroke-width="4"/>'
        )
    return icons.svg(size * step, size * step, "".join(parts))


def squares_alt(cells: Cells, title: str, *, hide_below: int | None = None) -> str:
    """The squares in words."""
    middle = int(cells[cells.shape[0] // 2, cells.shape[1] // 2])
    shown = cells if hide_below is None else np.where(cells >= hide_below, cells, 0)
    state = "hidden" if hide_below is not None and middle < hide_below else str(middle)
    return f"{title}: {cells.size} squares, {int((shown != 0).sum())} of them with a number; the middle one is {state}."


def score_bar(right: int, rounds: int, promised: int, theme: Theme) -> str:
    """The machine's score of 100 against the promise."""
    width, height = 400.0, 58.0
    share, bound = right / rounds, promised / 100
    body: list[Any] = [
        f'<rect y="16" width="{width}" height="22" rx="4" fill="{theme.grid}"/>',
        f'<rect y="16" width="{width * share:.1f}" height="22" rx="4" fill="{PROTECTED}"/>',
        f'<path d="M{width * bound:.1f} 10 V44" stroke="{EXACT}" stroke-width="3"/>',
        f'<path d="M{width / 2} 12 V42" stroke="{theme.faint}" stroke-width="1.5" stroke-dasharray="3 3"/>',
        f'<text x="{width / 2 - 4}" y="56" text-anchor="end" font-size="12" fill="{theme.faint}">a coin: 50</text>',
        f'<text x="{min(width * bound, width - 2):.1f}" y="56" text-anchor="{"end" if bound > 0.8 else "start"}" '
        f'font-size="12" fill="{theme.text}">promised: {promised}</text>',
    ]
    return icons.svg(width, height, "".join(body))
